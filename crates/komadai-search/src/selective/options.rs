//! The settings of the search by realization probability.

use core::fmt;
use core::str::FromStr;
use std::sync::Arc;

use crate::move_probability::MoveProbability;
use crate::move_probability::classes::ClassMoves;
use crate::move_probability::softmax::SoftmaxMoves;
use crate::options::SearchOptions;

/// The model that the costs of moves come from.
///
/// [`Display`](fmt::Display) and [`FromStr`] use the names of the USI option.
///
/// # Examples
///
/// ```
/// use komadai_search::selective::MoveModel;
///
/// assert_eq!("Classes".parse(), Ok(MoveModel::Classes));
/// assert!("classes of moves".parse::<MoveModel>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum MoveModel {
    /// [`SoftmaxMoves`], which knows more.
    #[default]
    Softmax,
    /// [`ClassMoves`], as in the source.
    Classes,
}

/// An error in the name of a model of moves.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found the model of moves {found:?}, expected Softmax or Classes")]
pub struct UnknownMoveModel {
    /// The beginning of the text.
    pub found: String,
}

impl MoveModel {
    /// All models.
    pub const ALL: [Self; 2] = [Self::Softmax, Self::Classes];

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Softmax => "Softmax",
            Self::Classes => "Classes",
        }
    }

    /// Returns the bundled model.
    pub(super) fn bundled(self) -> Arc<dyn MoveProbability> {
        match self {
            Self::Softmax => Arc::new(SoftmaxMoves::default()),
            Self::Classes => Arc::new(ClassMoves::default()),
        }
    }
}

impl fmt::Display for MoveModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for MoveModel {
    type Err = UnknownMoveModel;

    fn from_str(text: &str) -> Result<Self, UnknownMoveModel> {
        let model = Self::ALL.into_iter().find(|model| model.name() == text);
        model.ok_or_else(|| UnknownMoveModel { found: text.chars().take(32).collect() })
    }
}

/// The settings of a search by
/// [realization probability](super::Selective::realization_probability). Costs are in hundredths
/// of a nat.
///
/// # Examples
///
/// ```
/// use komadai_search::selective::{MoveModel, RealizationOptions};
///
/// let options = RealizationOptions { model: MoveModel::Classes, ..Default::default() };
/// assert_eq!(options.surprise_cost, Some(200));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct RealizationOptions {
    /// The model of the probability of moves.
    pub model: MoveModel,
    /// The most that the move of the transposition table costs.
    pub table_move_cost: u32,
    /// The most that a move costs in the second search, once its first one has raised alpha; `None`
    /// for no second search, which misses good moves that look improbable.
    pub surprise_cost: Option<u32>,
    /// Memory, threads, lines, rules and draw value; quiescence search and techniques.
    ///
    /// Of the techniques these count: the table, mate distance, mate in one, the mate solver,
    /// quiescence with all of its own, corrections, razoring, reverse futility, the null move, and
    /// futility and late move pruning of quiet moves.
    pub search: SearchOptions,
}

impl Default for RealizationOptions {
    fn default() -> Self {
        Self {
            model: MoveModel::default(),
            table_move_cost: 35,
            surprise_cost: Some(200),
            search: SearchOptions::default(),
        }
    }
}
