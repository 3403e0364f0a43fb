//! A game in play: position, clocks, record.

use std::time::Duration;

use komadai_core::{Color, Move, Position};
use komadai_kifu::notation::read_csa_move;
use komadai_kifu::{Comment, End, EndKind, KifuError, Notation, Outcome, Record, RecordMove};

use crate::clock::ClockState;
use crate::message::{EndReason, GameResult};
use crate::protocol_error::ProtocolError;
use crate::summary::GameSummary;

/// A game that is over.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FinishedGame {
    /// The game with times, comments and its end.
    pub record: Record,
    /// The side of the own player.
    pub color: Color,
    /// The result for the own player; `None` if the connection was lost.
    pub result: Option<GameResult>,
    /// The reason, if the server gave one.
    pub reason: Option<EndReason>,
}

/// A game in play.
#[derive(Debug, Clone)]
pub(crate) struct Game {
    pub(crate) summary: GameSummary,
    pub(crate) position: Position,
    pub(crate) clock: ClockState,
    record: Record,
    /// The word that took the place of a move, and its time.
    special: Option<(String, Option<Duration>)>,
    reason: Option<EndReason>,
    /// The comment of the own move that was sent and not yet confirmed.
    comment: Option<String>,
}

impl Game {
    pub(crate) fn new(summary: GameSummary) -> Result<Self, ProtocolError> {
        let record = summary.record.clone();
        let start = |error| ProtocolError::Position(KifuError::StartPosition { line: 1, error });
        let mut position = Position::from_setup(&record.setup).map_err(start)?;
        let mut clock = ClockState::new(summary.times.clone());
        for played in &record.moves {
            let side = position.side();
            position.do_move(played.m);
            clock.spend(side, played.time.unwrap_or_default());
        }
        Ok(Self { summary, position, clock, record, special: None, reason: None, comment: None })
    }

    /// The text of an own move for the server, with a comment.
    pub(crate) fn send(&mut self, m: Move, comment: Option<String>) -> String {
        let mut line = Notation::Csa.name(&self.position, m);
        if let Some(comment) = &comment {
            line += &format!(",'{comment}");
        }
        self.comment = comment;
        line
    }

    /// Makes a move that the server sent.
    pub(crate) fn make_move(
        &mut self,
        text: &str,
        time: Option<Duration>,
    ) -> Result<(Color, Move), ProtocolError> {
        let side = self.position.side();
        let m = read_csa_move(&self.position, text)?;
        self.position.do_move(m);
        self.clock.spend(side, time.unwrap_or_default());
        let mut played = RecordMove::new(m);
        played.time = time;
        let own = self.comment.take().filter(|_| side == self.summary.color);
        played
            .comments
            .extend(own.map(|comment| Comment::Note(comment.trim_start_matches('*').to_owned())));
        self.record.moves.push(played);
        Ok((side, m))
    }

    pub(crate) fn set_special(&mut self, word: &str, time: Option<Duration>) {
        self.special = Some((word.to_owned(), time));
    }

    pub(crate) fn set_reason(&mut self, reason: EndReason) {
        self.reason = Some(reason);
    }

    /// Ends the game with this result; `None` if the connection was lost.
    pub(crate) fn finish(self, result: Option<GameResult>) -> FinishedGame {
        let color = self.summary.color;
        let mut record = self.record;
        let loser = match result {
            Some(GameResult::Win) => Some(!color),
            Some(GameResult::Lose) => Some(color),
            _ => None,
        };
        let mut end = End::new(end_kind(self.reason.as_ref(), result, loser, self.position.side()));
        end.time = self.special.and_then(|(_, time)| time);
        record.end = Some(end);
        FinishedGame { record, color, result, reason: self.reason }
    }
}

/// Returns the end of a record with `side` to move. The result that the server announced counts.
fn end_kind(
    reason: Option<&EndReason>,
    result: Option<GameResult>,
    loser: Option<Color>,
    side: Color,
) -> EndKind {
    let (foul, perpetual) = match loser == Some(!side) {
        true => (EndKind::IllegalWin, EndKind::PerpetualCheckWin),
        false => (EndKind::IllegalLoss, EndKind::PerpetualCheckLoss),
    };
    let kind = match reason {
        Some(EndReason::Resign) => EndKind::Resign,
        Some(EndReason::TimeUp) => EndKind::TimeUp,
        Some(EndReason::IllegalMove | EndReason::IllegalAction) => foul,
        Some(EndReason::PerpetualCheck) => perpetual,
        Some(EndReason::Repetition) => EndKind::Repetition,
        Some(EndReason::Declaration) if result == Some(GameResult::Draw) => EndKind::Impasse,
        Some(EndReason::Declaration) => EndKind::EnteringKingWin,
        Some(EndReason::MaxMoves) => EndKind::MaxMoves,
        None if result == Some(GameResult::Draw) => EndKind::Draw,
        None => EndKind::Interrupt,
    };
    let outcome = match (loser, result) {
        (Some(loser), _) => Outcome::Win(!loser),
        (None, Some(GameResult::Draw)) => Outcome::Draw,
        (None, _) => Outcome::Unknown,
    };
    // Without a reason the server has named the winner alone, as after a lost connection.
    let word = match &kind {
        _ if reason.is_none() => "abnormal",
        EndKind::Resign => "toryo",
        EndKind::TimeUp => "time up",
        EndKind::EnteringKingWin => "kachi",
        EndKind::MaxMoves => "max_moves",
        EndKind::Repetition => "sennichite",
        _ => "illegal move",
    };
    kind.with_outcome(outcome, side, word)
}
