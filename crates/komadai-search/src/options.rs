//! The settings of a search.

use komadai_movegen::{DeclarationRule, MaxMoves};

use crate::parameters::Parameters;
use crate::quiescence_method::Quiescence;
use crate::techniques::Techniques;

#[cfg(feature = "serde")]
mod serde_settings;

/// The settings of an [`AlphaBeta`](crate::AlphaBeta) search.
///
/// A search with the default techniques, parameters and quiescence method runs code that is compiled
/// for them; any other reads them at each node, and makes the same nodes a little more slowly.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct SearchOptions {
    /// Size of the transposition table in MiB.
    pub hash_mib: usize,
    /// Number of root moves that get a line with an exact value; 0 counts as 1.
    pub multi_pv: usize,
    /// The move number at which the game is drawn.
    pub max_moves: Option<MaxMoves>,
    /// The rule for declaring a win after the king has entered the opponent's camp.
    pub declaration: DeclarationRule,
    /// The value of a draw for the side to move at the root, in centipawns.
    pub draw_value: i32,
    /// Number of search threads; 0 counts as 1. With more than one, results differ from run to run.
    pub threads: usize,
    /// The techniques that the search uses.
    pub techniques: Techniques,
    /// The quiescence search at its leaves, if [`Techniques::QUIESCENCE`] is used.
    pub quiescence: Quiescence,
    /// The margins and weights of the search.
    pub parameters: Parameters,
}

impl Default for SearchOptions {
    /// Returns 16 MiB, one line, no move limit, the 27-point rule and one thread.
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
