//! The sources of the techniques.

/// The source of each technique of `Techniques`: author, title, year. Many techniques of chess programs
/// were published only as part of a program.
const SOURCES: &[(&str, &str)] = &[
    (
        "ASPIRATION",
        "G. Baudet, \"The design and analysis of algorithms for asynchronous multiprocessors\", 1978",
    ),
    ("CLASSICAL_ASPIRATION", "glossary of computer shogi, 2009: a window of ±150"),
    ("ZERO_WINDOW", "J. Pearl, \"Scout\", AAAI 1980; T. Marsland and M. Campbell, 1982"),
    ("TABLE", "R. Greenblatt, D. Eastlake and S. Crocker, \"The Greenblatt chess program\", 1967"),
    ("TABLE_VALUE", "common practice; Stockfish"),
    ("MATE_DISTANCE", "common practice"),
    ("CORRECTION", "Caissa and Stockfish, 2023–24; partial keys: glossary of computer shogi, 2009"),
    (
        "KILLERS",
        "S. Akl and M. Newborn, \"The principal continuation and the killer heuristic\", ACM 1977",
    ),
    ("COUNTER_MOVES", "J. Uiterwijk, \"The countermove heuristic\", ICCA Journal 15(1), 1992"),
    ("HISTORY", "J. Schaeffer, \"The history heuristic\", ICCA Journal 6(3), 1983"),
    ("CONTINUATION_HISTORY", "Stockfish, 2016, after the counter moves"),
    ("PAWN_HISTORY", "Stockfish, 2023"),
    ("LOW_PLY_HISTORY", "Stockfish, 2020"),
    ("CAPTURE_HISTORY", "Stockfish, 2016"),
    ("EVALUATION_DIFFERENCE", "Stockfish, 2020"),
    ("QUIESCENCE", "L. Harris, \"The heuristic search and the game of chess\", IJCAI 1975"),
    ("EXCHANGE", "F. Reul, \"New architectures in computer chess\", 2009 (static exchange)"),
    ("DELTA", "common practice; futility in quiescence"),
    ("FEW_CAPTURES", "Stockfish, 2020"),
    ("FEW_EVASIONS", "Stockfish"),
    ("MATE_IN_ONE", "YaneuraOu; ym-shogi for quiescence"),
    ("RAZORING", "J. Birmingham and P. Kent, \"Tree-searching and tree-pruning techniques\", 1977"),
    ("REVERSE_FUTILITY", "common practice (\"static null move\"), after Heinz"),
    ("TWO_PLY_FUTILITY", "glossary of computer shogi, 2009"),
    ("NULL_MOVE", "C. Donninger, \"Null move and deep search\", ICCA Journal 16(3), 1993"),
    ("CLASSICAL_NULL_MOVE", "glossary of computer shogi, 2009: R = 2, or 3 from depth 6"),
    (
        "NULL_MOVE_VERIFICATION",
        "O. David-Tabibi and N. Netanyahu, \"Verified null-move pruning\", ICGA Journal 25(3), 2002",
    ),
    ("PROBCUT", "M. Buro, \"ProbCut\", ICCA Journal 18(2), 1995"),
    ("TABLE_PROBCUT", "Stockfish, 2020"),
    ("ITERATIVE_REDUCTION", "E. Schröder, Rebel (2020)"),
    ("ITERATIVE_DEEPENING", "J. Scott, \"A chess-playing program\", 1969; Marsland"),
    ("HINDSIGHT", "Stockfish, 2024"),
    ("LATE_MOVE_PRUNING", "common practice since about 2006"),
    (
        "FUTILITY",
        "J. Schaeffer 1986; E. Heinz, \"Extended futility pruning\", ICCA Journal 21(2), 1998",
    ),
    ("CAPTURE_FUTILITY", "Stockfish"),
    ("HISTORY_PRUNING", "common practice since about 2005"),
    ("EXCHANGE_PRUNING", "common practice"),
    ("LAST_PLIES_EXCHANGE", "ym-shogi"),
    ("LATE_MOVE_REDUCTION", "common practice since about 2005 (Fruit, Glaurung)"),
    (
        "SINGULAR_EXTENSION",
        "T. Anantharaman, M. Campbell and F. Hsu, \"Singular extensions\", 1990; in the form of Stockfish",
    ),
    ("MULTI_CUT", "Y. Björnsson and T. Marsland, \"Multi-cut alpha-beta-pruning\", 1999"),
    ("NEGATIVE_EXTENSION", "Stockfish, 2021"),
    ("CHECK_EXTENSION", "common practice since the 1970s"),
    ("RECAPTURE_EXTENSION", "common practice since the 1980s"),
    ("HAND_DOMINANCE", "ym-shogi"),
    ("TESUJI_EXTENSION", "glossary of computer shogi, 2009: tesuji macros"),
    ("PSEUDO_SEARCH_EXTENSION", "H. Yamashita, YSS; ym-shogi"),
    ("MATE_SOLVER", "ym-shogi"),
    ("PV_MATE_SOLVER", "ym-shogi"),
    ("SWING_MATE_SOLVER", "ym-shogi"),
];

/// Returns the source of the technique with this name.
pub(crate) fn source(technique: &str) -> Option<&'static str> {
    SOURCES.iter().find(|(name, _)| *name == technique).map(|(_, source)| *source)
}
