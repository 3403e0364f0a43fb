//! What can be set about a search.

use komadai_movegen::{DeclarationRule, MaxMoves};

use crate::{Parameters, Quiescence, Techniques};

/// The settings of an [`AlphaBeta`](crate::AlphaBeta) search.
///
/// # Examples
///
/// ```
/// use komadai_search::{SearchOptions, Techniques};
///
/// let options = SearchOptions {
///     hash_mib: 64,
///     techniques: Techniques::default() - Techniques::NULL_MOVE,
///     ..SearchOptions::default()
/// };
/// assert_eq!(options.multi_pv, 1);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchOptions {
    /// The size of the transposition table in MiB.
    pub hash_mib: usize,
    /// How many root moves get a line with an exact value; 0 counts as 1.
    pub multi_pv: usize,
    /// The move number at which the game is drawn.
    pub max_moves: Option<MaxMoves>,
    /// Under which rule a player whose king has entered may declare to have won.
    pub declaration: DeclarationRule,
    /// What a draw is worth to the side to move at the root, in centipawns.
    pub draw_value: i32,
    /// How many threads search; 0 counts as 1. With more than one, results differ from run to run.
    pub threads: usize,
    /// What the search uses.
    pub techniques: Techniques,
    /// How its leaves are played on, if [`Techniques::QUIESCENCE`] is used.
    pub quiescence: Quiescence,
    /// Its margins and weights.
    pub parameters: Parameters,
}

impl Default for SearchOptions {
    /// 16 MiB, one line, no limit of moves, the 27-point rule, one thread.
    fn default() -> Self {
        Self {
            hash_mib: 16,
            multi_pv: 1,
            max_moves: None,
            declaration: DeclarationRule::default(),
            draw_value: 0,
            threads: 1,
            techniques: Techniques::default(),
            quiescence: Quiescence::default(),
            parameters: Parameters::default(),
        }
    }
}
