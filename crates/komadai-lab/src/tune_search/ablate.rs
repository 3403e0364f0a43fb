//! The ablation table: the effect of each technique on nodes to a depth and on games.

use anyhow::Context as _;
use clap::Args;
use komadai::engine::Settings;
use komadai::eval::Classical;
use komadai::search::bench::bench;
use komadai::search::{SearchOptions, Techniques};

use crate::arena::{elo, settings};
use crate::tune_search::terms::Terms;

/// Options of `ablate`.
#[derive(Debug, Args)]
pub(crate) struct Ablate {
    /// Techniques, by the names of `Techniques` (default: all).
    techniques: Vec<String>,
    /// Number of games of each against the default; 0 for none.
    #[arg(long, default_value_t = 400)]
    games: usize,
    /// Depth of the search of the fixed list of positions, in plies.
    #[arg(long, default_value_t = 11, value_parser = clap::value_parser!(u32).range(1..=40))]
    depth: u32,
    #[command(flatten)]
    terms: Terms,
}

impl Ablate {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let usual = Techniques::default();
        let nodes = self.nodes(usual);
        println!("All others as usual; {nodes} nodes to depth {} by default.", self.depth);
        println!("{} games at {} nodes a move for each row.\n", self.games, self.terms.nodes);
        println!("| technique | source | switched | nodes to depth | Elo when switched |");
        println!("|---|---|---|---|---|");
        for (name, technique) in self.chosen()? {
            let switched = usual ^ technique;
            let turned = if usual.contains(technique) { "off" } else { "on" };
            let change = 100.0 * (self.nodes(switched) as f64 / nodes as f64 - 1.0);
            let elo = self.elo(switched)?;
            let source = source(&name).with_context(|| format!("{name} has no source"))?;
            println!("| `{name}` | {source} | {turned} | {change:+.0} % | {elo} |");
        }
        Ok(())
    }

    fn chosen(&self) -> anyhow::Result<Vec<(String, Techniques)>> {
        // `mates` measures the solver.
        let all = Techniques::all() - Techniques::ANY_MATE_SOLVER;
        let known = all.iter_names().filter(|(_, technique)| technique.bits().count_ones() == 1);
        if self.techniques.is_empty() {
            return Ok(known.map(|(name, found)| (name.to_owned(), found)).collect());
        }
        let find = |name: &String| {
            let found = Techniques::from_name(name).filter(|found| found.bits().count_ones() == 1);
            found.map(|found| (name.clone(), found)).with_context(|| format!("no technique {name}"))
        };
        self.techniques.iter().map(find).collect()
    }

    fn nodes(&self, techniques: Techniques) -> u64 {
        let options = SearchOptions { techniques, ..SearchOptions::default() };
        bench(&Classical::default(), &options, self.depth).nodes
    }

    fn elo(&self, techniques: Techniques) -> anyhow::Result<String> {
        if self.games == 0 {
            return Ok("–".to_owned());
        }
        let usual = settings(16);
        let switched = Settings { techniques, ..usual.clone() };
        let pairs = self.terms.play([&switched, &usual], self.games, 1)?;
        elo(&pairs).context("no pair of games was finished")
    }
}

/// The source of each technique of `Techniques`: author, title, year. Many techniques of chess
/// programs were published only as part of a program.
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
fn source(technique: &str) -> Option<&'static str> {
    SOURCES.iter().find(|(name, _)| *name == technique).map(|(_, source)| *source)
}
