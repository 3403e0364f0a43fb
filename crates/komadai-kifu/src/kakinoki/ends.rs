//! The words for the end of a game.

use std::borrow::Cow;

use komadai_core::Color;

use super::words::{is_blank, number_at, trim};
use crate::end::{EndKind, Outcome};

/// The meaning of a word for the side of which it is said: the side to move, unless it names one.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Meaning {
    End(EndKind),
    /// The side wins for the reason that the word states.
    Wins,
    /// The side loses.
    Loses,
    /// Known by name, and no result.
    Nothing,
}

use Meaning::{End, Loses, Nothing, Wins};

/// The words in place of a move and in a last line; of several words for one end, the first is
/// written.
const WORDS: [(&str, Meaning); 62] = [
    ("投了", End(EndKind::Resign)),
    ("中断", End(EndKind::Interrupt)),
    ("詰み", End(EndKind::Checkmate)),
    ("詰", End(EndKind::Checkmate)),
    ("つみ", End(EndKind::Checkmate)),
    ("詰め", End(EndKind::Checkmate)),
    ("不詰", End(EndKind::NoMate)),
    ("不詰み", End(EndKind::NoMate)),
    ("千日手", End(EndKind::Repetition)),
    ("持将棋", End(EndKind::Impasse)),
    ("引き分け", End(EndKind::Draw)),
    ("引分", End(EndKind::Draw)),
    ("引分け", End(EndKind::Draw)),
    ("引き分", End(EndKind::Draw)),
    ("切れ負け", End(EndKind::TimeUp)),
    ("時間切れ", End(EndKind::TimeUp)),
    ("時間切れ負け", End(EndKind::TimeUp)),
    ("時間切れ負", End(EndKind::TimeUp)),
    ("時間切負け", End(EndKind::TimeUp)),
    ("時間切負", End(EndKind::TimeUp)),
    ("時間切れにより負け", End(EndKind::TimeUp)),
    ("切れ負", End(EndKind::TimeUp)),
    ("切負け", End(EndKind::TimeUp)),
    ("切負", End(EndKind::TimeUp)),
    ("時間負け", End(EndKind::TimeUp)),
    ("タイムアップ", End(EndKind::TimeUp)),
    ("Time-up", End(EndKind::TimeUp)),
    ("Time_up", End(EndKind::TimeUp)),
    ("Timeup", End(EndKind::TimeUp)),
    ("TIME_UP", End(EndKind::TimeUp)),
    ("反則負け", End(EndKind::IllegalLoss)),
    ("反則負", End(EndKind::IllegalLoss)),
    ("反則行為", End(EndKind::IllegalLoss)),
    ("反則手", End(EndKind::IllegalLoss)),
    ("反則勝ち", End(EndKind::IllegalWin)),
    ("反則勝", End(EndKind::IllegalWin)),
    ("連続王手の千日手", End(EndKind::PerpetualCheckLoss)),
    ("連続王手千日手", End(EndKind::PerpetualCheckLoss)),
    ("入玉勝ち", End(EndKind::EnteringKingWin)),
    ("入玉勝", End(EndKind::EnteringKingWin)),
    ("宣言勝ち", End(EndKind::EnteringKingWin)),
    ("宣言勝", End(EndKind::EnteringKingWin)),
    ("入玉宣言", End(EndKind::EnteringKingWin)),
    ("入玉宣言勝ち", End(EndKind::EnteringKingWin)),
    ("入玉宣言勝", End(EndKind::EnteringKingWin)),
    ("勝ち宣言", End(EndKind::EnteringKingWin)),
    ("最大手数", End(EndKind::MaxMoves)),
    ("手数制限", End(EndKind::MaxMoves)),
    ("エラー", End(EndKind::Error)),
    ("不戦勝", Wins),
    ("不戦勝ち", Wins),
    ("不戦敗", Loses),
    ("不戦負", Loses),
    ("不戦負け", Loses),
    ("時間切れ勝ち", Wins),
    ("切れ勝ち", Wins),
    ("時間切れ勝", Wins),
    ("切断負け", Loses),
    ("切断負", Loses),
    ("接続切れ負け", Loses),
    ("投了負け", Loses),
    ("封じ手", Nothing),
];

/// The reason of a win of which the file states nothing but the winner.
const WIN: &str = "勝ち";

impl Meaning {
    /// Returns the end of a game with `side` to move, if `word` is said of `player`.
    fn end(&self, player: Color, side: Color, word: &str) -> EndKind {
        let win = |winner| EndKind::Win { winner, reason: word.to_owned() };
        match self {
            End(kind) => kind.clone().of_player(player, side, word),
            Wins => win(player),
            Loses => win(!player),
            Nothing => EndKind::Other(word.to_owned()),
        }
    }
}

fn meaning_of(word: &str) -> Option<&'static Meaning> {
    let is_word = |known: &str| known == word || known.eq_ignore_ascii_case(word);
    WORDS.iter().find(|(known, _)| is_word(known)).map(|(_, meaning)| meaning)
}

/// Returns the end for a word in place of a move, with `side` to move: 投了, 後手反則負け, 先手の勝ち, or
/// abnormalにより先手の勝ち for a reason that has no word.
/// `None` if it is not a known one.
pub(crate) fn end_of(word: &str, side: Color) -> Option<EndKind> {
    if let Some(meaning) = meaning_of(word) {
        return Some(meaning.end(side, side, word));
    }
    let of_player = player_at(word).and_then(|(player, said)| match said {
        "反則" => Some(EndKind::IllegalLoss.of_player(player, side, said)),
        _ => meaning_of(said).map(|meaning| meaning.end(player, side, said)),
    });
    of_player.or_else(|| won_at_end(word, side))
}

/// Checks for a word that [`end_of`] knows.
pub(crate) fn is_end(word: &str) -> bool {
    end_of(word, Color::Black).is_some()
}

/// Returns the word in place of a move, for a game with `side` to move. [`end_of`] leads back if
/// the end has a word.
pub(crate) fn word_of(kind: &EndKind, side: Color) -> Cow<'_, str> {
    match kind {
        EndKind::Other(word) => word.into(),
        EndKind::PerpetualCheckLoss => "反則負け".into(),
        EndKind::PerpetualCheckWin => "反則勝ち".into(),
        EndKind::Win { reason, .. } if end_of(reason, side).as_ref() == Some(kind) => reason.into(),
        EndKind::Win { winner, reason } => {
            let player = PLAYERS[winner.index()].0;
            match reason.trim() {
                "" | WIN => format!("{player}の勝ち").into(),
                reason => format!("{reason}により{player}の勝ち").into(),
            }
        }
        kind => {
            let known = WORDS.iter().find(|(_, meaning)| *meaning == End(kind.clone()));
            known.map_or("中断", |(word, _)| *word).into()
        }
    }
}

/// The players, in the even game and with a handicap.
const PLAYERS: [(&str, &str); 2] = [("先手", "下手"), ("後手", "上手")];

/// Returns the player that a text begins with, and the text after it and its particle: 先手の, 後手番が.
fn player_at(text: &str) -> Option<(Color, &str)> {
    let (color, rest) = Color::ALL.into_iter().find_map(|color| {
        let (even, handicap) = PLAYERS[color.index()];
        let rest = text.strip_prefix(even).or_else(|| text.strip_prefix(handicap))?;
        Some((color, rest))
    })?;
    let rest = rest.strip_prefix('番').unwrap_or(rest);
    let rest = rest.strip_prefix(['の', 'が', 'は']).unwrap_or(rest);
    Some((color, rest.trim_start_matches(is_blank)))
}

/// Reads a text that ends with the winner or the loser: 時間切れにより先手の勝ち, 後手の負け.
fn won_at_end(text: &str, side: Color) -> Option<EndKind> {
    let text = trim(text).trim_end_matches('。');
    let verdicts = [("勝ち", true), ("勝", true), ("負け", false), ("負", false)];
    let (before, wins) =
        verdicts.into_iter().find_map(|(word, wins)| Some((text.strip_suffix(word)?, wins)))?;
    let before = before.strip_suffix(['の', 'が', 'は']).unwrap_or(before);
    let before = before.strip_suffix('番').unwrap_or(before);
    let (player, before) = Color::ALL.into_iter().find_map(|color| {
        let (even, handicap) = PLAYERS[color.index()];
        let before = before.strip_suffix(even).or_else(|| before.strip_suffix(handicap))?;
        Some((color, before))
    })?;
    let winner = if wins { player } else { !player };
    let particles = ["により", "による", "によって", "のため", "にて", "で", "、", "に"];
    let reason = trim(before);
    let reason = particles.iter().find_map(|word| reason.strip_suffix(word)).unwrap_or(reason);
    Some(won_for(trim(reason), winner, side))
}

/// Returns the end of a game that `winner` won for this reason.
fn won_for(reason: &str, winner: Color, side: Color) -> EndKind {
    let win = |reason: &str| EndKind::Win { winner, reason: reason.to_owned() };
    if reason.is_empty() {
        return if winner == side { win(WIN) } else { EndKind::Resign };
    }
    // 後手の時間切れ: who lost is known already.
    let said = player_at(reason).map_or(reason, |(_, said)| said);
    match meaning_of(said) {
        Some(End(kind)) => kind.clone().won_by(winner, side, said),
        Some(_) => win(said),
        None if said == "反則" => EndKind::IllegalLoss.won_by(winner, side, said),
        None => win(reason),
    }
}

/// Returns the end that a last line states, まで12手で先手の勝ち, with `side` to move after the last move.
///
/// `None` if the line does not begin as such a line.
pub(crate) fn end_of_summary(line: &str, side: Color) -> Option<EndKind> {
    let text = trim(line).strip_prefix("まで")?;
    let text = number_at(trim(text)).map_or(text, |(_, rest)| rest);
    let text = trim(text);
    let text = text.strip_prefix('手').unwrap_or(text);
    // The word follows まで12手, or で.
    let text = text.strip_prefix("にて").or_else(|| text.strip_prefix('で')).unwrap_or(text);
    let text = trim(text).trim_end_matches('。');
    if let Some(end) = end_of(text, side) {
        return Some(end);
    }
    if text.is_empty() || text.starts_with("まで") {
        return Some(EndKind::Other(trim(line).to_owned()));
    }
    // Other words around one that decides.
    let contained = ["不詰", "詰", "中断", "千日手", "持将棋", "引き分け", "引分", "最大手数"];
    let word = contained.into_iter().find(|word| text.contains(word));
    let end = word.and_then(|word| end_of(word, side));
    // A sentence is kept as the line that it is, a word as a word.
    let is_sentence = text.contains(|c: char| is_blank(c) || matches!(c, '(' | '（' | '勝' | '負'));
    let other = if is_sentence { trim(line) } else { text };
    Some(end.unwrap_or_else(|| EndKind::Other(other.to_owned())))
}

/// Returns the end of a line that has an end mark and a last line: the mark, unless the last line
/// states a result where the mark has none, or states more.
pub(crate) fn completed(mark: &EndKind, stated: EndKind, side: Color) -> EndKind {
    let has_result = mark.outcome(side) != Outcome::Unknown;
    let agrees = stated.outcome(side) == mark.outcome(side);
    let is_foul = matches!(mark, EndKind::IllegalLoss | EndKind::IllegalWin);
    match &stated {
        // The word of a mark has no blanks.
        EndKind::Win { .. } if agrees && matches!(mark, EndKind::Win { .. }) => stated,
        EndKind::PerpetualCheckLoss | EndKind::PerpetualCheckWin if agrees && is_foul => stated,
        _ if has_result || stated.outcome(side) == Outcome::Unknown => mark.clone(),
        _ => stated,
    }
}

/// Checks for a last line that names the winner or the loser.
pub(crate) fn names_side(summary: &str) -> bool {
    ["先手", "後手", "下手", "上手"].iter().any(|name| summary.contains(name))
}

/// Returns the last line for a game of `count` moves with `side` to move at its end; `None` for a
/// failure of the program.
pub(crate) fn summary(
    kind: &EndKind,
    count: usize,
    side: Color,
    is_handicap: bool,
) -> Option<String> {
    let name = |color: Color| {
        let (even, handicap) = PLAYERS[color.index()];
        if is_handicap { handicap } else { even }
    };
    let (to_move, other) = (name(side), name(!side));
    let text = match kind {
        EndKind::Resign => format!("で{other}の勝ち"),
        EndKind::Checkmate => "で詰み".to_owned(),
        EndKind::NoMate => "で不詰".to_owned(),
        EndKind::TimeUp => format!("で時間切れにより{other}の勝ち"),
        EndKind::IllegalLoss => format!("で{to_move}の反則負け"),
        EndKind::IllegalWin => format!("で{to_move}の反則勝ち"),
        EndKind::PerpetualCheckLoss => format!("で連続王手の千日手により{other}の勝ち"),
        EndKind::PerpetualCheckWin => format!("で連続王手の千日手により{to_move}の勝ち"),
        EndKind::Win { winner, reason } if reason == WIN || reason.trim().is_empty() => {
            format!("で{}の勝ち", name(*winner))
        }
        EndKind::Win { winner, reason } => {
            format!("で{}により{}の勝ち", reason.trim(), name(*winner))
        }
        EndKind::EnteringKingWin => format!("で{to_move}の入玉勝ち"),
        EndKind::Repetition => "で千日手".to_owned(),
        EndKind::Impasse => "で持将棋".to_owned(),
        EndKind::Draw => "で引き分け".to_owned(),
        EndKind::MaxMoves => "で最大手数".to_owned(),
        EndKind::Interrupt => "で中断".to_owned(),
        EndKind::Other(line) if line.starts_with("まで") => return Some(line.clone()),
        EndKind::Other(word) => format!("で{word}"),
        EndKind::Error => return None,
    };
    Some(format!("まで{count}手{text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All ends with a word of their own, and wins for other reasons.
    fn kinds() -> Vec<EndKind> {
        let of_words = WORDS.into_iter().filter_map(|(_, meaning)| match meaning {
            End(kind) => Some(kind),
            _ => None,
        });
        let fouls = [EndKind::PerpetualCheckWin, EndKind::IllegalWin];
        let mut kinds: Vec<EndKind> = of_words.chain(fouls).collect();
        for winner in Color::ALL {
            for reason in ["不戦勝", "不戦敗", "abnormal", "時間切れ", "投了", "二人の合意"]
            {
                kinds.push(EndKind::Win { winner, reason: reason.to_owned() });
            }
        }
        kinds
    }

    #[test]
    fn words_are_read_as_they_are_written() {
        for side in Color::ALL {
            for (word, meaning) in WORDS {
                let end = end_of(word, side).unwrap();
                assert_eq!(end, meaning.end(side, side, word));
                let perpetual =
                    matches!(end, EndKind::PerpetualCheckLoss | EndKind::PerpetualCheckWin);
                assert!(perpetual || end_of(&word_of(&end, side), side) == Some(end), "{word}");
            }
            for kind in kinds() {
                let read = end_of(&word_of(&kind, side), side);
                let outcome = read.map(|end| end.outcome(side));
                assert_eq!(outcome, Some(kind.outcome(side)), "{kind:?} {side:?}");
            }
        }
        let sealed = EndKind::Other("封じ手".to_owned());
        assert_eq!(end_of("封じ手", Color::Black), Some(sealed));
        assert_eq!(end_of("７六歩", Color::Black), None);
    }

    #[test]
    fn words_have_their_winners() {
        use Color::{Black, White};
        let win = |winner, reason: &str| EndKind::Win { winner, reason: reason.to_owned() };
        // White is to move.
        for (word, end, winner) in [
            ("Time-up", EndKind::TimeUp, Some(Black)),
            ("TIME-UP", EndKind::TimeUp, Some(Black)),
            ("切れ負け", EndKind::TimeUp, Some(Black)),
            ("時間切れ負け", EndKind::TimeUp, Some(Black)),
            ("反則負", EndKind::IllegalLoss, Some(Black)),
            ("反則勝", EndKind::IllegalWin, Some(White)),
            ("先手反則負け", EndKind::IllegalWin, Some(White)),
            ("後手反則負け", EndKind::IllegalLoss, Some(Black)),
            ("後手の反則負け", EndKind::IllegalLoss, Some(Black)),
            ("上手反則負け", EndKind::IllegalLoss, Some(Black)),
            ("下手の反則", EndKind::IllegalWin, Some(White)),
            ("先手反則勝ち", EndKind::IllegalLoss, Some(Black)),
            ("先手投了", win(White, "投了"), Some(White)),
            ("後手投了", EndKind::Resign, Some(Black)),
            ("先手時間切れ", win(White, "時間切れ"), Some(White)),
            ("後手番時間切れ負け", EndKind::TimeUp, Some(Black)),
            ("不戦勝", win(White, "不戦勝"), Some(White)),
            ("不戦敗", win(Black, "不戦敗"), Some(Black)),
            ("先手不戦敗", win(White, "不戦敗"), Some(White)),
            ("先手の不戦勝", win(Black, "不戦勝"), Some(Black)),
            ("入玉宣言勝ち", EndKind::EnteringKingWin, Some(White)),
            ("先手入玉宣言勝ち", win(Black, "入玉宣言勝ち"), Some(Black)),
            ("先手の勝ち", EndKind::Resign, Some(Black)),
            ("後手の勝ち", win(White, "勝ち"), Some(White)),
            ("後手の負け", EndKind::Resign, Some(Black)),
            ("引分け", EndKind::Draw, None),
            ("引き分け", EndKind::Draw, None),
        ] {
            assert_eq!(end_of(word, White), Some(end.clone()), "{word}");
            let outcome = winner.map_or(Outcome::Draw, Outcome::Win);
            assert_eq!(end.outcome(White), outcome, "{word}");
        }
    }

    #[test]
    fn summaries_are_read_as_they_are_written() {
        for side in Color::ALL {
            for is_handicap in [false, true] {
                for kind in kinds().into_iter().filter(|kind| *kind != EndKind::Error) {
                    let line = summary(&kind, 12, side, is_handicap).unwrap();
                    let read = end_of_summary(&line, side).unwrap();
                    assert_eq!(read.outcome(side), kind.outcome(side), "{line}");
                    // What the side to move did is an end of its own.
                    let is_other_win =
                        matches!(&kind, EndKind::Win { winner, .. } if *winner != side);
                    assert!(is_other_win || read == kind, "{line} {kind:?} {read:?}");
                }
            }
        }
        assert_eq!(end_of_summary("投了", Color::White), None);
    }

    #[test]
    fn last_lines_have_their_winners() {
        use Color::{Black, White};
        // White is to move.
        for (line, end, winner) in [
            ("まで49手詰", EndKind::Checkmate, Some(Black)),
            ("まで5手で詰み", EndKind::Checkmate, Some(Black)),
            ("まで5手で先手の勝ち", EndKind::Resign, Some(Black)),
            ("まで5手にて先手の勝ち。", EndKind::Resign, Some(Black)),
            ("まで5手で時間切れにより先手の勝ち", EndKind::TimeUp, Some(Black)),
            ("まで5手で詰みにより先手の勝ち", EndKind::Checkmate, Some(Black)),
            ("まで5手で先手の反則により後手の勝ち", EndKind::IllegalWin, Some(White)),
            ("まで5手で後手の反則により先手の勝ち", EndKind::IllegalLoss, Some(Black)),
            ("まで5手で先手の反則負け", EndKind::IllegalWin, Some(White)),
            ("まで5手で後手の反則負け", EndKind::IllegalLoss, Some(Black)),
            ("まで5手で後手の反則勝ち", EndKind::IllegalWin, Some(White)),
            ("まで5手で後手の入玉勝ち", EndKind::EnteringKingWin, Some(White)),
            ("まで5手で入玉宣言により後手の勝ち", EndKind::EnteringKingWin, Some(White)),
            ("まで5手で後手時間切れにより先手の勝ち", EndKind::TimeUp, Some(Black)),
            ("まで5手で連続王手の千日手により後手の勝ち", EndKind::PerpetualCheckWin, Some(White)),
            ("まで5手で引分け", EndKind::Draw, None),
            ("まで5手で千日手", EndKind::Repetition, None),
            ("まで5手で最大手数により引き分け", EndKind::Draw, None),
        ] {
            let read = end_of_summary(line, White).unwrap();
            assert!(read == end || winner.is_none(), "{line}: {read:?}");
            assert_eq!(read.outcome(White), winner.map_or(Outcome::Draw, Outcome::Win), "{line}");
        }
        let late = EndKind::Win { winner: White, reason: "時間切れ".to_owned() };
        assert_eq!(end_of_summary("まで5手で時間切れにより後手の勝ち", White), Some(late));
    }
}
