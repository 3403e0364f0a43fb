//! A game in play: position, clocks, record.

use std::time::Duration;

use komadai_core::{Color, Move, Position};
use komadai_kifu::notation::read_csa_move;
use komadai_kifu::{Comment, End, EndKind, KifuError, Notation, Outcome, Record, RecordMove};

use crate::clock::ClockState;
use crate::error::ProtocolError;
use crate::message::{EndReason, GameResult};
use crate::summary::GameSummary;

/// A game that is over.
#[derive(Debug, Clone, PartialEq)]
pub struct FinishedGame {
    /// The game with times, comments and its end.
    pub record: Record,
    /// The side of the own player.
    pub color: Color,
    /// The result for the own player; `None` if the game was broken off.
    pub result: Option<GameResult>,
    /// The reason, if the server gave one.
    pub reason: Option<EndReason>,
    /// The reason why the game was broken off: the connection was lost, the server broke the
    /// protocol, or the client was stopped.
    pub fault: Option<String>,
}

/// A game in play.
#[derive(Debug, Clone)]
pub(crate) struct Game {
    pub(crate) summary: GameSummary,
    pub(crate) position: Position,
    pub(crate) clock: ClockState,
    record: Record,
    /// The time of the word that took the place of a move.
    pub(crate) end_time: Option<Duration>,
    pub(crate) reason: Option<EndReason>,
    /// The own move that was sent and not yet confirmed, and its comment.
    sent: Option<(Move, Option<String>)>,
}

/// A move that the server made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MadeMove {
    pub(crate) color: Color,
    pub(crate) m: Move,
    pub(crate) time: Option<Duration>,
    /// The own move that was sent, if the server made another one.
    pub(crate) sent: Option<Move>,
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
        Ok(Self { summary, position, clock, record, end_time: None, reason: None, sent: None })
    }

    /// The text of an own move for the server, with a comment.
    pub(crate) fn send(&mut self, m: Move, comment: Option<String>) -> String {
        let mut line = Notation::Csa.name(&self.position, m);
        if let Some(comment) = &comment {
            line += &format!(",'{comment}");
        }
        self.sent = Some((m, comment));
        line
    }

    /// Makes a move that the server sent. `measured` is the time since the move before by the own
    /// clock, which counts if the server states none.
    pub(crate) fn make_move(
        &mut self,
        text: &str,
        time: Option<Duration>,
        measured: Option<Duration>,
    ) -> Result<MadeMove, ProtocolError> {
        let color = self.position.side();
        let m = read_csa_move(&self.position, text)?;
        self.position.do_move(m);
        let rules = &self.summary.times[color.index()];
        let time = time.or_else(|| Some(rules.counted(measured?)));
        self.clock.spend(color, time.unwrap_or_default());
        let mut played = RecordMove::new(m);
        played.time = time;
        let mut sent = None;
        if color == self.summary.color
            && let Some((own, comment)) = self.sent.take()
        {
            if own == m {
                played.comments.extend(comment.map(Comment::Note));
            } else {
                // The server's board counts. What was said about the other move is not true of this
                // one.
                sent = Some(own);
            }
        }
        self.record.moves.push(played);
        Ok(MadeMove { color, m, time, sent })
    }

    /// Ends the game with this result; `None` if it was broken off, with the reason.
    pub(crate) fn finish(self, result: Option<GameResult>, fault: Option<String>) -> FinishedGame {
        let color = self.summary.color;
        let mut record = self.record;
        let loser = match result {
            Some(GameResult::Win) => Some(!color),
            Some(GameResult::Lose) => Some(color),
            _ => None,
        };
        let mut end = End::new(end_kind(self.reason.as_ref(), result, loser, self.position.side()));
        end.time = self.end_time;
        end.comments
            .extend(fault.iter().map(|fault| Comment::Note(format!("broken off: {fault}"))));
        record.end = Some(end);
        FinishedGame { record, color, result, reason: self.reason, fault }
    }
}

/// Returns the end of a record with `side` to move. The result that the server announced counts.
fn end_kind(
    reason: Option<&EndReason>,
    result: Option<GameResult>,
    loser: Option<Color>,
    side: Color,
) -> EndKind {
    let (foul, perpetual) = if loser == Some(!side) {
        (EndKind::IllegalWin, EndKind::PerpetualCheckWin)
    } else {
        (EndKind::IllegalLoss, EndKind::PerpetualCheckLoss)
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
