//! The summary that servers write: `'summary:time up:alpha win:beta lose`.
//!
//! Shogi-server, which runs floodgate, has a mark for a resignation and for a declaration only, and
//! writes `%TORYO` also for a player who lost the connection, and `%KACHI` also for a wrong
//! declaration. The summary is therefore the result of the game.

use komadai_core::Color;

use super::words::result_mark_is_provisional;
use crate::comment::Comment;
use crate::end::{EndKind, Outcome};
use crate::header::{Header, HeaderKey};
use crate::text::shorten;

/// The beginning of the comment.
const START: &str = "summary:";

/// The reasons, as shogi-server and programs with its files name them.
const REASONS: [(&str, EndKind); 21] = [
    ("toryo", EndKind::Resign),
    ("tsumi", EndKind::Checkmate),
    ("time up", EndKind::TimeUp),
    ("time_up", EndKind::TimeUp),
    ("timeup", EndKind::TimeUp),
    ("illegal move", EndKind::IllegalLoss),
    ("illegal_move", EndKind::IllegalLoss),
    ("illegal kachi", EndKind::IllegalLoss),
    ("illegal_kachi", EndKind::IllegalLoss),
    ("uchifuzume", EndKind::IllegalLoss),
    ("oute_kaihimore", EndKind::IllegalLoss),
    ("outori", EndKind::IllegalLoss),
    ("oute_sennichite", EndKind::PerpetualCheckLoss),
    ("oute sennichite", EndKind::PerpetualCheckLoss),
    ("kachi", EndKind::EnteringKingWin),
    ("sennichite", EndKind::Repetition),
    ("jishogi", EndKind::Impasse),
    ("hikiwake", EndKind::Draw),
    ("max_moves", EndKind::MaxMoves),
    ("max moves", EndKind::MaxMoves),
    ("chudan", EndKind::Interrupt),
];

/// A result with its reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Summary {
    reason: String,
    outcome: Outcome,
}

impl Summary {
    /// Reads the text of a comment. `None` if it is no summary, or one of other players than those
    /// of the header.
    pub(super) fn of_comment(text: &str, header: &Header) -> Option<Self> {
        let (reason, players) = text.strip_prefix(START)?.split_once(':')?;
        let players = players.trim_ascii_end();
        // A name may contain colons, so that several of them may be the one between the players.
        let places = players.bytes().enumerate().filter(|&(_, byte)| byte == b':');
        let mut results = places.filter_map(|(at, _)| {
            let (first, second) = (player(&players[..at])?, player(&players[at + 1..])?);
            let color = color_of_first(first.0, second.0, header)?;
            outcome_of(color, first.1, second.1)
        });
        Some(Self { reason: reason.trim().to_owned(), outcome: results.next()? })
    }

    /// Returns the last summary among comments.
    pub(super) fn last<'c>(
        comments: impl DoubleEndedIterator<Item = &'c Comment>,
        header: &Header,
    ) -> Option<Self> {
        comments.rev().find_map(|comment| match comment {
            // A comment made by a program may have several lines.
            Comment::Remark(text) => {
                text.split(['\r', '\n']).rev().find_map(|line| Self::of_comment(line, header))
            }
            Comment::Note(_) => None,
        })
    }

    /// Returns the end of a game with this end mark, if it has one, and `side` to move.
    pub(super) fn end(&self, mark: Option<&EndKind>, side: Color) -> EndKind {
        let known = REASONS.iter().find(|(word, _)| *word == self.reason.to_ascii_lowercase());
        let known = known.map(|(_, kind)| kind.clone());
        let agrees = mark.is_some_and(|mark| mark.outcome(side) == self.outcome);
        let says_more = known.as_ref().is_some_and(|kind| *kind == EndKind::PerpetualCheckLoss);
        match mark {
            Some(mark) if agrees && !says_more && !result_mark_is_provisional(mark) => mark.clone(),
            _ => match (self.outcome, known) {
                (Outcome::Win(winner), Some(kind)) => kind.won_by(winner, side, &self.reason),
                (Outcome::Win(winner), None) => {
                    EndKind::Win { winner, reason: self.reason.clone() }
                }
                (outcome, Some(kind)) if kind.outcome(side) == outcome => kind,
                _ => EndKind::Draw,
            },
        }
    }
}

/// Returns the comment that states a win, without the apostrophe.
pub(super) fn text_of_win(reason: &str, winner: Color, header: &Header) -> String {
    // A line end would begin another statement, and a colon would end the reason.
    let reason = shorten(reason).replace(['\r', '\n', ':'], " ");
    let player = |color: Color| {
        let name = header.player(color).unwrap_or_default().replace(['\r', '\n'], " ");
        format!("{} {}", name.trim(), if color == winner { "win" } else { "lose" })
    };
    format!("{START}{}:{}:{}", reason.trim(), player(Color::Black), player(Color::White))
}

/// Returns the word of a reason that the ends of the library have, for the writer.
pub(super) fn reason_of(kind: &EndKind) -> Option<&'static str> {
    REASONS.iter().find(|(_, known)| known == kind).map(|&(word, _)| word)
}

/// Returns name and result of a player: `alpha win`.
fn player(text: &str) -> Option<(&str, &str)> {
    // A player without a name has the result alone.
    let (name, result) = text.rsplit_once(' ').unwrap_or(("", text));
    matches!(result, "win" | "lose" | "draw").then_some((name.trim(), result))
}

fn outcome_of(first: Color, first_result: &str, second_result: &str) -> Option<Outcome> {
    match (first_result, second_result) {
        ("win", "lose") => Some(Outcome::Win(first)),
        ("lose", "win") => Some(Outcome::Win(!first)),
        ("draw", "draw") => Some(Outcome::Draw),
        _ => None,
    }
}

/// Returns the color of the player named first. The server names Black first, which decides if the
/// header does not.
fn color_of_first(first: &str, second: &str, header: &Header) -> Option<Color> {
    let name = |color| header.get(&HeaderKey::player(color)).map(str::trim);
    let fits = |found, color| usize::from(name(color) == Some(found));
    let black_first = fits(first, Color::Black) + fits(second, Color::White);
    let white_first = fits(first, Color::White) + fits(second, Color::Black);
    let are_alike = name(Color::Black) == name(Color::White);
    match black_first.cmp(&white_first) {
        std::cmp::Ordering::Greater => Some(Color::Black),
        std::cmp::Ordering::Less => Some(Color::White),
        std::cmp::Ordering::Equal if are_alike => {
            (black_first > 0 || name(Color::Black).is_none()).then_some(Color::Black)
        }
        std::cmp::Ordering::Equal => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(names: [Option<&str>; 2]) -> Header {
        let mut header = Header::default();
        for (color, name) in Color::ALL.into_iter().zip(names) {
            name.into_iter().for_each(|name| header.push(HeaderKey::player(color), name));
        }
        header
    }

    #[test]
    fn the_names_of_the_header_tell_the_winner() {
        use Color::{Black, White};
        let both = [Some("alpha"), Some("beta")];
        for (text, names, outcome) in [
            ("summary:toryo:alpha win:beta lose", both, Some(Outcome::Win(Black))),
            ("summary:toryo:alpha lose:beta win", both, Some(Outcome::Win(White))),
            ("summary:toryo:beta win:alpha lose", both, Some(Outcome::Win(White))),
            ("summary:toryo:beta lose:alpha win  ", both, Some(Outcome::Win(Black))),
            ("summary:max_moves:alpha draw:beta draw", both, Some(Outcome::Draw)),
            // Equal names, one name, none: the server names Black first.
            ("summary:toryo:A lose:A win", [Some("A"), Some("A")], Some(Outcome::Win(White))),
            ("summary:toryo:A win:B lose", [Some("A"), None], Some(Outcome::Win(Black))),
            ("summary:toryo:B win:A lose", [Some("A"), None], Some(Outcome::Win(White))),
            ("summary:toryo:A win:B lose", [None, Some("B")], Some(Outcome::Win(Black))),
            ("summary:toryo:A win:B lose", [None, None], Some(Outcome::Win(Black))),
            ("summary:toryo: win: lose", [None, None], Some(Outcome::Win(Black))),
            ("summary:toryo: win: lose", [Some(""), Some("")], Some(Outcome::Win(Black))),
            // Names with colons, blanks and results in them.
            (
                "summary:toryo:a:b win:c win:d lose",
                [Some("a:b"), Some("c win:d")],
                Some(Outcome::Win(Black)),
            ),
            (
                "summary:toryo:a b lose: c d win",
                [Some("a b"), Some("c d")],
                Some(Outcome::Win(White)),
            ),
            // Other players, other shapes.
            ("summary:toryo:gamma win:delta lose", both, None),
            ("summary:toryo:alpha win:alpha lose", both, None),
            ("summary:toryo:A win:B lose", [Some("X"), Some("X")], None),
            ("summary:toryo:alpha win:beta win", both, None),
            ("summary:toryo:alpha win", both, None),
            ("summary:toryo", both, None),
            ("summary", both, None),
            ("summary of the game: alpha win:beta lose", both, None),
            (" summary:toryo:alpha win:beta lose", both, None),
            ("summary:toryo:alpha won:beta lost", both, None),
        ] {
            let found = Summary::of_comment(text, &header(names));
            assert_eq!(found.map(|summary| summary.outcome), outcome, "{text} {names:?}");
        }
    }

    #[test]
    fn every_reason_keeps_the_result_of_the_summary() {
        let reasons = REASONS.into_iter().map(|(word, _)| word).chain(["abnormal", "", "new"]);
        for reason in reasons {
            for outcome in [Outcome::Win(Color::Black), Outcome::Win(Color::White), Outcome::Draw] {
                let summary = Summary { reason: reason.to_owned(), outcome };
                for side in Color::ALL {
                    for mark in [
                        None,
                        Some(EndKind::Resign),
                        Some(EndKind::EnteringKingWin),
                        Some(EndKind::Interrupt),
                        Some(EndKind::TimeUp),
                    ] {
                        let end = summary.end(mark.as_ref(), side);
                        assert_eq!(end.outcome(side), outcome, "{reason} {mark:?} {side:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_mark_that_agrees_is_kept_unless_the_server_writes_it_for_other_ends_too() {
        let black_won = |reason: &str| Summary {
            reason: reason.to_owned(),
            outcome: Outcome::Win(Color::Black),
        };
        let side = Color::White;
        let abnormal = || EndKind::Win { winner: Color::Black, reason: "abnormal".to_owned() };
        for (reason, mark, end) in [
            ("toryo", EndKind::Resign, EndKind::Resign),
            ("abnormal", EndKind::Resign, abnormal()),
            ("abnormal", EndKind::TimeUp, EndKind::TimeUp),
            ("illegal kachi", EndKind::EnteringKingWin, EndKind::IllegalLoss),
            ("oute_sennichite", EndKind::IllegalLoss, EndKind::PerpetualCheckLoss),
            ("uchifuzume", EndKind::Checkmate, EndKind::Checkmate),
        ] {
            assert_eq!(black_won(reason).end(Some(&mark), side), end, "{reason} {mark:?}");
        }
        // The loser is not the side to move.
        assert_eq!(
            black_won("oute_sennichite").end(None, Color::Black),
            EndKind::PerpetualCheckWin
        );
        assert_eq!(black_won("illegal move").end(None, Color::Black), EndKind::IllegalWin);
        assert_eq!(black_won("abnormal").end(Some(&EndKind::Resign), Color::Black), abnormal());
    }
}
