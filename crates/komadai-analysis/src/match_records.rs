//! Games that programs have played, as game records.

use komadai_core::{Bound, Color};
use komadai_kifu::analysis::bound_arrow;
use komadai_kifu::{Comment, End, EndKind, HeaderKey, Outcome, Record, RecordMove};
use komadai_match::{Ending, FaultKind, MatchGame, Verdict};

/// Returns a game of a match between players of these names, the first player's first, as a record
/// with the times and values of its moves.
///
/// # Examples
///
/// ```
/// use komadai_analysis::match_records::record_of_game;
/// use komadai_core::{Color, UsiPosition};
/// use komadai_kifu::EndKind;
/// use komadai_match::{Ending, MatchGame, PlayedGame, Verdict};
///
/// let verdict = Verdict { winner: Some(Color::White), ending: Ending::Resignation };
/// let opening = UsiPosition::from_usi("startpos moves 7g7f 3c3d")?;
/// let (moves, detail, cpu) = (Vec::new(), String::new(), [None; 2]);
/// let game = PlayedGame { opening, moves, verdict, detail, cpu };
/// let played = MatchGame { number: 1, opening: 0, first: Color::White, game };
/// let record = record_of_game(&played, ["A", "B"]);
/// assert_eq!(record.header.player(Color::White), Some("A"));
/// assert_eq!((record.moves.len(), record.end.unwrap().kind), (2, EndKind::Resign));
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
pub fn record_of_game(played: &MatchGame, names: [&str; 2]) -> Record {
    let game = &played.game;
    let mut record = Record::new(game.opening.setup.clone());
    let black = usize::from(played.first == Color::White);
    record.header.set(HeaderKey::Black, names[black]);
    record.header.set(HeaderKey::White, names[1 - black]);
    record.header.set(HeaderKey::Event, format!("game {}", played.number + 1));
    record.header.set(HeaderKey::Opening, format!("number {}", played.opening + 1));
    record.moves.extend(game.opening.moves.iter().map(|&m| RecordMove::new(m)));
    for made in &game.moves {
        let mut entry = RecordMove::new(made.m);
        entry.time = Some(made.elapsed);
        let comment = |score| value_comment(score, made.bound, record.side_at_end());
        entry.comments.extend(made.score.map(comment));
        record.moves.push(entry);
    }
    let mut end = End::new(end_kind(game.verdict, record.side_at_end()));
    let detail = format!("{} {}", game.verdict.ending, game.detail);
    end.comments.push(Comment::Remark(detail.trim_end().to_owned()));
    record.end = Some(end);
    record
}

/// Returns the comment on a move with the value that the player reported, in centipawns for the
/// side that moves.
pub fn value_comment(score: i32, bound: Bound, side: Color) -> Comment {
    // By the convention of CSA comments, `'** 30` is a value for Black.
    let (score, bound) = if side == Color::Black { (score, bound) } else { (-score, !bound) };
    let arrow = bound_arrow(bound);
    let blank = if arrow.is_empty() { "" } else { " " };
    Comment::Note(format!("* {score}{blank}{arrow}"))
}

/// Returns the end of a game, with `side` to move.
pub fn end_kind(verdict: Verdict, side: Color) -> EndKind {
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
