//! Moves as people type them.

use komadai::core::{Color, Language, Move, Position};
use komadai::kifu::Notation;
use komadai::kifu::notation::{CsaMoveError, JapaneseMoveError, read_csa_move};
use komadai::kifu::read_japanese_move;
use komadai::movegen::{IllegalMove, MoveGen as _, check_legality};

use super::reasons::{reason, square};

/// The reason why a text is no move that can be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NoMove {
    /// The text is no move.
    Unknown,
    /// The text is any of several moves.
    Ambiguous(Vec<Move>),
    /// The text is nearly a move in Japanese.
    Japanese(JapaneseMoveError),
    /// The text is nearly a move in CSA.
    Csa(CsaMoveError),
    /// The move breaks a rule.
    Illegal(IllegalMove),
}

/// Reads a legal move: USI (`7g7f`), Japanese (`７六歩`, `76歩`, `同銀`), CSA (`+7776FU`, `7776FU`), or
/// the names of Western books, whose signs and origins may be missing where one move is left
/// (`P-7f`, `P7f`, `P76`).
pub(crate) fn read_move(text: &str, position: &Position) -> Result<Move, NoMove> {
    let m = written(text.trim(), position)?;
    check_legality(position, m).map_err(NoMove::Illegal)?;
    Ok(m)
}

fn written(text: &str, position: &Position) -> Result<Move, NoMove> {
    if let Ok(m) = in_case_of_usi(text).parse() {
        return Ok(m);
    }
    if let Some(text) = as_csa(text, position.side()) {
        return read_csa_move(position, &text).map_err(|error| match error {
            CsaMoveError::Illegal { reason, .. } => NoMove::Illegal(reason),
            error => NoMove::Csa(error),
        });
    }
    if !text.is_ascii() {
        let last = position.moves().last().flatten().map(Move::to);
        return match read_japanese_move(text, position, last) {
            Ok((m, rest)) if rest.trim().is_empty() => Ok(m),
            Ok(_) => Err(NoMove::Unknown),
            Err(error) => Err(NoMove::Japanese(error)),
        };
    }
    western(text, position)
}

/// Returns a text with the letters of USI, which are capital for a piece that is dropped.
fn in_case_of_usi(text: &str) -> String {
    match text.split_once('*') {
        Some((kind, to)) => format!("{}*{}", kind.to_ascii_uppercase(), to.to_ascii_lowercase()),
        None => text.to_ascii_lowercase(),
    }
}

/// Returns a text of the form of CSA with its sign, which may be missing.
fn as_csa(text: &str, side: Color) -> Option<String> {
    let text = text.to_ascii_uppercase();
    let (sign, rest) = match text.strip_prefix(['+', '-']) {
        Some(rest) => (&text[..1], rest),
        None => (if side == Color::Black { "+" } else { "-" }, &text[..]),
    };
    let is_move = rest.len() == 6
        && rest.bytes().take(4).all(|byte| byte.is_ascii_digit())
        && rest.bytes().skip(4).all(|byte| byte.is_ascii_alphabetic());
    is_move.then(|| format!("{sign}{rest}"))
}

fn western(text: &str, position: &Position) -> Result<Move, NoMove> {
    let wanted = plain(text);
    let legal = position.legal_moves();
    let has_name = |m: &Move| {
        [Notation::Hodges, Notation::Hosking]
            .into_iter()
            .any(|notation| plain(&notation.name(position, *m)) == wanted)
    };
    if let Some(&m) = legal.iter().find(|m| has_name(m)) {
        return Ok(m);
    }
    let short: Vec<Move> = legal
        .iter()
        .copied()
        .filter(|&m| short_name(position, m).as_ref() == Some(&wanted))
        .collect();
    match short[..] {
        [] => Err(NoMove::Unknown),
        [m] => Ok(m),
        _ => Err(NoMove::Ambiguous(short)),
    }
}

/// Returns a name in small letters without the signs for moves and captures.
fn plain(name: &str) -> String {
    name.chars().filter(|c| !"-x".contains(*c)).map(|c| c.to_ascii_lowercase()).collect()
}

/// Returns the plain name of a move without its origin.
fn short_name(position: &Position, m: Move) -> Option<String> {
    let kind =
        m.from().map_or_else(|| m.dropped(), |from| position.piece_on(from).map(|p| p.kind()));
    let sign = if m.is_promotion() { "+" } else { "" };
    Some(format!("{}{}{sign}", kind?.to_sfen().to_ascii_lowercase(), m.to()))
}

impl NoMove {
    /// Returns the reason in words.
    pub(crate) fn words(
        &self,
        position: &Position,
        notation: Notation,
        language: Language,
    ) -> String {
        match (self, language) {
            (Self::Illegal(fault), _) => reason(fault, language),
            (Self::Ambiguous(moves), _) => {
                let names: Vec<String> =
                    moves.iter().map(|&m| notation.name(position, m)).collect();
                let names = names.join(language.choose(", ", "、"));
                match language {
                    Language::English => format!("this is any of {names}"),
                    Language::Japanese => format!("{names}のどれか分かりません"),
                }
            }
            (Self::Unknown, Language::English) => {
                "neither a move (7g7f, P-7f, ７六歩) nor a command (`help` lists them)".to_owned()
            }
            (Self::Unknown, Language::Japanese) => {
                "指し手（７六歩、7g7f、P-7f）でもコマンド（「ヘルプ」で一覧）でもありません"
                    .to_owned()
            }
            (Self::Japanese(error), Language::English) => error.to_string(),
            (Self::Csa(error), Language::English) => error.to_string(),
            (Self::Japanese(error), Language::Japanese) => in_japanese(error),
            (Self::Csa(CsaMoveError::Side { .. }), Language::Japanese) => {
                "手番が違います".to_owned()
            }
            (Self::Csa(_), Language::Japanese) => "CSA 形式の指し手として読めません".to_owned(),
        }
    }
}

fn in_japanese(error: &JapaneseMoveError) -> String {
    match error {
        JapaneseMoveError::NoCandidate { kind, to, .. } => {
            format!("{}へそのように動ける{}はありません", square(*to), kind.to_kanji())
        }
        JapaneseMoveError::Ambiguous { candidates, .. } => {
            let from: Vec<String> = candidates.iter().map(|&from| square(from)).collect();
            format!("どの駒か分かりません（{}）", from.join("、"))
        }
        _ => "指し手（７六歩、同銀、５五角打）としても読めません".to_owned(),
    }
}

/// Returns the names of the moves of a line. That of the first one depends on the target of the
/// move before.
pub(crate) fn named_after(notation: Notation, position: &Position, line: &[Move]) -> Vec<String> {
    let mut before = position.clone();
    match position.moves().last().flatten() {
        Some(last) if before.undo_move().is_some() => {
            let all: Vec<Move> = [last].into_iter().chain(line.iter().copied()).collect();
            notation.names(&before, &all).split_off(1)
        }
        _ => notation.names(position, line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(moves: &str) -> Position {
        let mut position = Position::hirate();
        moves.split_whitespace().for_each(|m| position.do_move(m.parse().unwrap()));
        position
    }

    #[test]
    fn one_move_is_read_in_every_notation() {
        let start = Position::hirate();
        for text in [
            "7g7f",
            "7G7F",
            "７六歩",
            "76歩",
            "▲７六歩(77)",
            "+7776FU",
            "7776fu",
            "P-7f",
            "p7f",
            "P76",
        ] {
            assert_eq!(read_move(text, &start), Ok("7g7f".parse().unwrap()), "{text}");
        }
        let exchange = after("7g7f 3c3d 8h2b+");
        for text in ["同銀", "２二銀", "Sx2b", "s2b", "3a2b", "-3122GI"] {
            assert_eq!(read_move(text, &exchange), Ok("3a2b".parse().unwrap()), "{text}");
        }
        let drop = after("7g7f 3c3d 8h2b+ 3a2b");
        for text in ["B*5e", "b*5e", "５五角", "５五角打", "+0055KA", "B*55"] {
            assert_eq!(read_move(text, &drop), Ok("B*5e".parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_made_has_a_reason_in_both_languages() {
        let start = Position::hirate();
        for (text, english, japanese) in [
            ("7g7e", "a Pawn on 7g does not go to 7e", "７七の歩は７五へは動けません"),
            ("8h7g", "an own piece, Pawn, stands on 7g", "７七には自分の歩があります"),
            ("5e5d", "there is no piece on 5e", "５五に駒がありません"),
            ("G5h", "this is any of G4i-5h, G6i-5h", "▲５八金右、▲５八金左のどれか分かりません"),
            ("58金", "moves from", "どの駒か分かりません"),
            ("７六銀", "no Silver can move to 7f", "７六へそのように動ける銀はありません"),
            ("-3334FU", "expected a move of Black", "手番が違います"),
            ("hello", "neither a move", "指し手（７六歩"),
            ("７六歩７七歩", "neither a move", "指し手（７六歩"),
            ("", "neither a move", "指し手（７六歩"),
        ] {
            let no_move = read_move(text, &start).unwrap_err();
            let words = no_move.words(&start, Notation::Hodges, Language::English);
            assert!(words.contains(english), "{text}: {words}");
            let words = no_move.words(&start, Notation::Japanese, Language::Japanese);
            assert!(words.contains(japanese), "{text}: {words}");
        }
    }
}
