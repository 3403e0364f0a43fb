//! The settings of a search.

use komadai_movegen::{DeclarationRule, MaxMoves};

use crate::parameters::Parameters;
use crate::quiescence_method::Quiescence;
use crate::techniques::Techniques;

#[cfg(feature = "serde")]
mod serde_settings;

/// The settings of an [`AlphaBeta`](crate::AlphaBeta) search.
///
/// # Examples
///
/// ```
/// use komadai_search::{SearchOptions, Techniques};
///
/// let options = SearchOptions::default()
///     .with_hash_mib(64)
///     .with_techniques(Techniques::default() - Techniques::NULL_MOVE);
/// assert_eq!(options.multi_pv, 1);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[non_exhaustive]
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

impl SearchOptions {
    /// Returns the same options with a transposition table of this size in MiB.
    #[must_use]
    pub fn with_hash_mib(self, hash_mib: usize) -> Self {
        Self { hash_mib, ..self }
    }

    /// Returns the same options with this number of lines with an exact value.
    #[must_use]
    pub fn with_multi_pv(self, multi_pv: usize) -> Self {
        Self { multi_pv, ..self }
    }

    /// Returns the same options with this move number at which the game is drawn; `None` for no
    /// limit.
    #[must_use]
    pub fn with_max_moves(self, max_moves: impl Into<Option<MaxMoves>>) -> Self {
        Self { max_moves: max_moves.into(), ..self }
    }

    /// Returns the same options with this rule for declaring a win.
    #[must_use]
    pub fn with_declaration(self, declaration: DeclarationRule) -> Self {
        Self { declaration, ..self }
    }

    /// Returns the same options with this value of a draw for the side to move at the root, in
    /// centipawns.
    #[must_use]
    pub fn with_draw_value(self, draw_value: i32) -> Self {
        Self { draw_value, ..self }
    }

    /// Returns the same options with this number of search threads.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Returns the same options with these techniques.
    #[must_use]
    pub fn with_techniques(self, techniques: Techniques) -> Self {
        Self { techniques, ..self }
    }

    /// Returns the same options with this quiescence search.
    #[must_use]
    pub fn with_quiescence(self, quiescence: Quiescence) -> Self {
        Self { quiescence, ..self }
    }

    /// Returns the same options with these margins and weights.
    #[must_use]
    pub fn with_parameters(self, parameters: Parameters) -> Self {
        Self { parameters, ..self }
    }
}
