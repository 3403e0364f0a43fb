//! The evaluation to which a network adds, with its data of a position.

use komadai_core::{Move, Position};
use komadai_eval::{Balance, Classical, ClassicalState, Evaluator, Material};

use super::base::CompactBase;

/// The evaluation to which a network adds.
#[derive(Debug, Clone)]
pub(crate) enum BaseEvaluator {
    /// The network stands for itself.
    Nothing,
    Material,
    Classical(Classical),
}

/// The data of a position that the base updates with each move.
#[derive(Debug, Clone)]
pub(crate) enum BaseState {
    Nothing,
    Material(Balance),
    /// Most networks have none, so that it is kept apart.
    Classical(Box<ClassicalState>),
}

impl From<Option<CompactBase>> for BaseEvaluator {
    fn from(base: Option<CompactBase>) -> Self {
        match base {
            None => Self::Nothing,
            Some(CompactBase::Material) => Self::Material,
            Some(CompactBase::Classical) => Self::Classical(Classical::default()),
        }
    }
}

impl BaseEvaluator {
    pub(crate) fn refresh(&self, position: &Position) -> BaseState {
        match self {
            Self::Nothing => BaseState::Nothing,
            Self::Material => BaseState::Material(Material.refresh(position)),
            Self::Classical(classical) => BaseState::Classical(classical.refresh(position).into()),
        }
    }

    #[inline]
    pub(crate) fn do_move(&self, position: &mut Position, m: Move, state: &mut BaseState) {
        match (self, state) {
            (_, BaseState::Material(state)) => Material.do_move(position, m, state),
            (Self::Classical(classical), BaseState::Classical(state)) => {
                classical.do_move(position, m, state);
            }
            _ => position.do_move(m),
        }
    }

    #[inline]
    pub(crate) fn undo_move(&self, position: &mut Position, state: &mut BaseState) {
        match (self, state) {
            (_, BaseState::Material(state)) => Material.undo_move(position, state),
            (Self::Classical(classical), BaseState::Classical(state)) => {
                classical.undo_move(position, state);
            }
            _ => drop(position.undo_move()),
        }
    }

    /// Returns the value for the side to move in centipawns.
    #[inline]
    pub(crate) fn value(&self, position: &Position, state: &mut BaseState) -> i32 {
        match (self, state) {
            (_, BaseState::Material(state)) => state.lead(position.side()),
            (Self::Classical(classical), BaseState::Classical(state)) => {
                classical.evaluate(position, state).raw()
            }
            _ => 0,
        }
    }
}
