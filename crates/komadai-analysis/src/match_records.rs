//! Games that programs have played, in the words of records.

use komadai::Color;
use komadai::core::Bound;
use komadai::kifu::analysis::bound_arrow;
use komadai::kifu::{Comment, EndKind, Outcome};
use komadai::matches::{Ending, FaultKind, Verdict};

/// Returns the comment on a move with the value that the player reported, in centipawns for the
/// side that moves.
pub(crate) fn value_comment(score: i32, bound: Bound, side: Color) -> Comment {
    // By the convention of CSA comments, `'** 30` is a value for Black.
    let (score, bound) = if side == Color::Black { (score, bound) } else { (-score, !bound) };
    let arrow = bound_arrow(bound);
    let blank = if arrow.is_empty() { "" } else { " " };
    Comment::Note(format!("* {score}{blank}{arrow}"))
}

/// Returns the end of a game, with `side` to move.
pub(crate) fn end_kind(verdict: Verdict, side: Color) -> EndKind {
    let is_loser = verdict.winner == Some(!side);
    let kind = match verdict.ending {
        Ending::Checkmate => EndKind::Checkmate,
        Ending::Resignation => EndKind::Resign,
        Ending::Declaration if verdict.winner.is_none() => EndKind::Impasse,
        Ending::Declaration => EndKind::EnteringKingWin,
        Ending::Repetition => EndKind::Repetition,
        Ending::PerpetualCheck if is_loser => EndKind::PerpetualCheckLoss,
        Ending::PerpetualCheck => EndKind::PerpetualCheckWin,
        Ending::MaxMoves => EndKind::MaxMoves,
        Ending::TimeForfeit => EndKind::TimeUp,
        // No word of the format means a try.
        Ending::Adjudication | Ending::Try => EndKind::Resign,
        Ending::Fault(FaultKind::IllegalMove | FaultKind::FalseDeclaration) => EndKind::IllegalLoss,
        _ => EndKind::Error,
    };
    // An engine that fails loses the game, whoever is to move.
    let outcome = verdict.winner.map_or(Outcome::Draw, Outcome::Win);
    kind.with_outcome(outcome, side, &verdict.ending.to_string())
}
