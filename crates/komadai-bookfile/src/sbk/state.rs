//! States of a ShogiGUI book: the data of a position, mostly without the position itself.

use komadai_core::{Color, Score};

use super::wire::Fields;
use crate::error::BookError;
use crate::record::{MoveMark, RecordEval, RecordResults};
use crate::tolerance_state::{MAX_MOVES, RecordPlace};

/// The content of a state.
#[derive(Debug, Default)]
pub(super) struct State<'b> {
    /// The number of the state; a state without one has the number 0.
    pub(super) id: Option<i32>,
    pub(super) games: RecordResults,
    /// The text of the position and its offset.
    pub(super) position: Option<(&'b str, u64)>,
    pub(super) comment: &'b str,
    pub(super) moves: Vec<StateMove>,
    pub(super) evals: Vec<RecordEval>,
}

#[derive(Debug, Default)]
pub(super) struct StateMove {
    /// The offset of the move.
    pub(super) at: u64,
    pub(super) code: u32,
    pub(super) mark: Option<MoveMark>,
    pub(super) weight: Option<u32>,
    pub(super) next: Option<i32>,
}

/// The maximum number of evaluations of one position. Without a limit, a few bytes of a file could
/// become many in memory.
const MAX_EVALS: usize = 1_000;

impl<'b> State<'b> {
    /// Reads only the number and the position of a state.
    pub(super) fn skim(message: &'b [u8], at: u64) -> Result<Self, BookError> {
        let mut state = Self::default();
        for field in Fields::new(message, at) {
            let field = field?;
            match field.number {
                1 => state.id = Some(field.int32()?),
                7 => state.position = Some((field.text()?, field.at)),
                _ => {}
            }
        }
        Ok(state)
    }

    /// Reads everything. The values of the evaluations, which the file states for Black, are
    /// converted to the side to move.
    pub(super) fn read(
        message: &'b [u8],
        place: RecordPlace,
        side: Color,
    ) -> Result<Self, BookError> {
        let too_many = |what, most| BookError::TooMany { place: place.into(), what, most };
        let mut state = Self::skim(message, place.at)?;
        for field in Fields::new(message, place.at) {
            let field = field?;
            match field.number {
                4 => state.games.games = field.count()?,
                5 => state.games.black_wins = field.count()?,
                6 => state.games.white_wins = field.count()?,
                8 => state.comment = field.text()?,
                9 if state.moves.len() == MAX_MOVES => return Err(too_many("moves", MAX_MOVES)),
                9 => state.moves.push(StateMove::read(field.bytes()?, field.at)?),
                10 if state.evals.len() == MAX_EVALS => {
                    return Err(too_many("evaluations", MAX_EVALS));
                }
                10 => state.evals.push(read_eval(field.bytes()?, field.at, side)?),
                _ => {}
            }
        }
        Ok(state)
    }

    /// Returns true if the state has no data: it is only the target of a move.
    pub(super) fn is_empty(&self) -> bool {
        self.games == RecordResults::default()
            && self.position.is_none()
            && self.comment.is_empty()
            && self.moves.is_empty()
            && self.evals.is_empty()
    }
}

impl StateMove {
    fn read(message: &[u8], at: u64) -> Result<Self, BookError> {
        let mut listed = Self { at, ..Self::default() };
        for field in Fields::new(message, at) {
            let field = field?;
            match field.number {
                1 => listed.code = field.int32()? as u32,
                2 => {
                    listed.mark = match field.int32()? {
                        0 => None,
                        1 => Some(MoveMark::Forced),
                        2 => Some(MoveMark::Good),
                        3 => Some(MoveMark::Bad),
                        4 => Some(MoveMark::Blunder),
                        _ => return Err(field.error("a mark from 0 to 4")),
                    }
                }
                3 => listed.weight = Some(field.count()?),
                4 => listed.next = Some(field.int32()?).filter(|&next| next >= 0),
                _ => {}
            }
        }
        Ok(listed)
    }
}

fn read_eval(message: &[u8], at: u64, side: Color) -> Result<RecordEval, BookError> {
    let mut eval = RecordEval {
        score: Score::ZERO,
        depth: 0,
        seldepth: 0,
        nodes: 0,
        variation: String::new(),
        engine: String::new(),
    };
    let limit = Score::MATE.raw();
    for field in Fields::new(message, at) {
        let field = field?;
        match field.number {
            1 => eval.score = Score::from_raw(field.int32()?.clamp(-limit, limit)),
            2 => eval.depth = field.count()?,
            3 => eval.seldepth = field.count()?,
            4 => eval.nodes = field.number()?,
            5 => field.text()?.clone_into(&mut eval.variation),
            6 => field.text()?.clone_into(&mut eval.engine),
            _ => {}
        }
    }
    if side == Color::White {
        eval.score = -eval.score;
    }
    Ok(eval)
}
