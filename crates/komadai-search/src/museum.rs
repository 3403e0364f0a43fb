//! Techniques that are off by default, because they showed no gain of strength here.
//!
//! They are kept for studies: older forms of techniques that play, and ideas of shogi programs of
//! their time. Each has its own switch, a flag of [`Techniques`](crate::Techniques) and a USI
//! option `Use…` of the engine. A reader who wants to know what plays needs none of these files.
//!
//! | flag | idea | source | file below `museum/` |
//! |---|---|---|---|
//! | `CLASSICAL_ASPIRATION` | a fixed first window, opened completely on the side that fails | glossary of computer shogi, 2009 | `older_forms.rs` |
//! | `CLASSICAL_NULL_MOVE` | a reduction that does not depend on the evaluation | the same, after Heinz 1999 | `older_forms.rs` |
//! | `TWO_PLY_FUTILITY` | a quiescence value far from the window decides the last two plies | the same | `older_forms.rs` |
//! | `ITERATIVE_DEEPENING` | a shallower search finds the first move of a node without one | J. Scott, 1969 | `older_forms.rs` |
//! | `KILLERS` | quiet moves that refuted a sibling are tried early | S. Akl and M. Newborn, 1977 | `../picker.rs` |
//! | `COUNTER_MOVES` | so is the quiet move that refuted the last move elsewhere | J. Uiterwijk, 1992 | the same |
//! | `EARLY_COUNTER_MOVE` | that move comes before the captures | appeal document of ym-shogi, 2012 | the same |
//! | `REGRESSION_PROBCUT` | a shallow search predicts the value of a deep one | M. Buro, 1995 | `regression_probcut.rs` |
//! | `PROBABILITY_REDUCTION` | the less probable a late move is, the more it is reduced | after Y. Tsuruoka et al., 2002 | `probability_reduction.rs` |
//! | `INFORMATION_EXTENSION` | the less probable a singular move is, the more it is extended | after a paper of 2007 | `information_extension.rs` |
//! | `LAST_PLIES_EXCHANGE` | moves that lose material are pruned in the last two plies | ym-shogi | `older_forms.rs` |
//! | `CHECK_EXTENSION`, `RECAPTURE_EXTENSION` | checks and recaptures are searched deeper | chess programs of the 1970s and 1980s | `extensions.rs` |
//! | `TESUJI_EXTENSION` | the last move of a typical sequence is searched deeper | glossary of computer shogi, 2009 | `tesuji.rs`, `extensions.rs` |
//! | `HAND_DOMINANCE` | results of the same board with a better or worse hand are bounds | ym-shogi; df-pn | `hand_dominance.rs`, `dominance_table.rs` |
//! | `PSEUDO_SEARCH_EXTENSION` | a move that only delays a loss gets a penalty | H. Yamashita's YSS; ym-shogi | `pseudo_extension.rs` |
//!
//! The measured result of each, nodes and Elo with bounds, is its row of the table in
//! `docs/techniques.md`, or its section there: the bounds of every row contain zero, and those that
//! extend or deepen need up to half as many nodes again for the same depth. A technique that gains in a later measurement
//! moves to `node/` and into the default set.

pub(crate) mod dominance_table;
mod extensions;
mod hand_dominance;
mod information_extension;
pub(crate) mod older_forms;
pub(crate) mod probability_reduction;
mod pseudo_extension;
mod regression_probcut;
pub(crate) mod tesuji;
