//! The evaluator of the standard searchers.

use std::sync::Arc;

use komadai_core::{Move, Position, Score};
use komadai_eval::{Balance, Classical, ClassicalState, Evaluator, Material};
use komadai_nnue::linear::{LinearEvaluator, LinearState};
use komadai_nnue::{Accumulator, Nnue};

/// The evaluator of any [`Evaluation`](crate::Evaluation).
///
/// The choice is made in each call, so that the search is compiled once. A branch that always goes
/// the same way costs next to nothing.
#[derive(Debug, Clone)]
pub(crate) enum EngineEvaluator {
    Classical(Classical),
    Material,
    Nnue(Nnue),
    Linear(Arc<LinearEvaluator>),
}

/// The state of an [`EngineEvaluator`].
#[derive(Debug, Clone)]
pub(crate) enum EngineState {
    Classical(ClassicalState),
    Material(Balance),
    Nnue(Accumulator),
    Linear(LinearState),
}

/// Calls a method of the evaluator with the state that it has made.
macro_rules! forward {
    ($evaluator:expr, $state:expr, $method:ident($position:expr $(, $m:expr)?)) => {
        match ($evaluator, $state) {
            (EngineEvaluator::Classical(classical), EngineState::Classical(state)) => {
                classical.$method($position $(, $m)?, state)
            }
            (EngineEvaluator::Material, EngineState::Material(state)) => {
                Material.$method($position $(, $m)?, state)
            }
            (EngineEvaluator::Nnue(nnue), EngineState::Nnue(state)) => {
                nnue.$method($position $(, $m)?, state)
            }
            (EngineEvaluator::Linear(linear), EngineState::Linear(state)) => {
                linear.$method($position $(, $m)?, state)
            }
            _ => unreachable!("a state stays with the evaluator that has made it"),
        }
    };
}

impl Evaluator for EngineEvaluator {
    type State = EngineState;

    fn refresh(&self, position: &Position) -> EngineState {
        match self {
            Self::Classical(classical) => EngineState::Classical(classical.refresh(position)),
            Self::Material => EngineState::Material(Material.refresh(position)),
            Self::Nnue(nnue) => EngineState::Nnue(nnue.refresh(position)),
            Self::Linear(linear) => EngineState::Linear(linear.refresh(position)),
        }
    }

    #[inline]
    fn do_move(&self, position: &mut Position, m: Move, state: &mut EngineState) {
        forward!(self, state, do_move(position, m));
    }

    #[inline]
    fn undo_move(&self, position: &mut Position, state: &mut EngineState) {
        forward!(self, state, undo_move(position));
    }

    #[inline]
    fn evaluate(&self, position: &Position, state: &mut EngineState) -> Score {
        forward!(self, state, evaluate(position))
    }

    fn scale(&self) -> f64 {
        match self {
            Self::Classical(classical) => classical.scale(),
            Self::Material => Material.scale(),
            Self::Nnue(nnue) => nnue.scale(),
            Self::Linear(linear) => linear.scale(),
        }
    }
}
