//! The text of KI2 around the moves: punctuation, figure references, times, sentences.
//!
//! People copy moves out of articles. Therefore text that is no move is passed over up to the next
//! place where a move or an end begins, unless it looks like a damaged move: then the moves after
//! it refer to an unknown board.

use komadai_core::Color;

use crate::kakinoki::ends::is_end;
use crate::kakinoki::words::{digit, is_blank, kind_of, number_at, square_at};
use crate::notation::after_move;

/// Brackets around figure references, times and sentences, whose contents are no moves of the game.
const OPENING: [char; 11] = ['(', '（', '[', '［', '【', '「', '『', '〔', '〈', '《', '<'];
const CLOSING: [char; 11] = [')', '）', ']', '］', '】', '」', '』', '〕', '〉', '》', '>'];

/// Punctuation that a damaged move does not have.
const STOPS: [char; 8] = ['、', '。', '，', '．', ',', '.', '・', '…'];

/// Longest damaged move, in characters.
const LONGEST_MOVE: usize = 8;

/// Longest word for an end, in characters.
const LONGEST_END: usize = 12;

/// Words that a last line has after まで, if it does not begin with the number of moves.
const RESULTS: [&str; 9] =
    ["勝", "負", "千日手", "持将棋", "中断", "引き分け", "引分", "詰", "反則"];

/// Words before a colon that announce moves.
const LABELS: [&str; 5] = ["指し手", "指手", "手順", "棋譜", "以下"];

/// The context in which moves are found in a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context {
    /// The side to move; a sign of the other one belongs to a sentence about another move.
    pub(super) side: Option<Color>,
    /// True if the moves of the game have signs, so that one without a sign belongs to a sentence.
    pub(super) is_signed: bool,
}

/// Returns the side of a sign.
fn side_of(c: char) -> Option<Color> {
    match c {
        '▲' | '▼' | '☗' => Some(Color::Black),
        '△' | '▽' | '☖' => Some(Color::White),
        _ => None,
    }
}

pub(super) fn is_sign(c: char) -> bool {
    side_of(c).is_some()
}

fn without_signs(text: &str) -> &str {
    text.trim_start_matches(is_sign).trim_start_matches(is_blank)
}

/// Returns the word for an end at the start of a text, and the rest. No letter follows the word.
pub(super) fn end_at(text: &str) -> Option<(&str, &str)> {
    let is_other = after_move(text).is_some() || text.starts_with("まで");
    let text = without_signs(text);
    if is_other || !text.starts_with(char::is_alphanumeric) {
        return None;
    }
    // A last line may be glued to the word.
    let until = text.find("まで").unwrap_or(text.len());
    let ends = text[..until].char_indices().map(|(at, c)| at + c.len_utf8()).take(LONGEST_END);
    let (word, rest) =
        ends.map(|end| text.split_at(end)).filter(|(word, _)| is_end(word)).last()?;
    let is_whole = rest.chars().next().is_none_or(|c| !c.is_alphanumeric());
    (is_whole || begins_as_summary(rest)).then_some((word, rest))
}

/// Checks for a last line: まで12手で先手の勝ち.
pub(super) fn begins_as_summary(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("まで").or_else(|| text.strip_prefix('迄')) else {
        return false;
    };
    let rest = rest.trim_start_matches(is_blank);
    number_at(rest).is_some_and(|(_, rest)| rest.starts_with('手'))
        || RESULTS.iter().any(|word| rest.contains(word))
}

/// Checks for the start of a move, which may turn out to be damaged, or of an end.
pub(super) fn begins_as_move(text: &str) -> bool {
    if end_at(text).is_some() || after_move(text).is_some() {
        return true;
    }
    let unsigned = without_signs(text);
    let is_signed = text.starts_with(is_sign);
    let begins_with_square =
        unsigned.starts_with(|c: char| matches!(c, '1'..='9' | '１'..='９' | '同'));
    (is_signed && begins_with_square)
        || ((is_signed || begins_with_square) && is_damaged_move(unsigned))
}

/// Checks for the first move or the end of a game at the start of a text that [begins as a
/// move](begins_as_move). The foreword may begin with a move as well: ▲７六歩と突いた…
pub(super) fn begins_game(text: &str) -> bool {
    let has_square = square_at(without_signs(text)).is_some();
    match after_move(text) {
        Some(after) => has_square && !after.starts_with(is_hiragana),
        None => end_at(text).is_some() || (has_square && text.starts_with(is_sign)),
    }
}

fn is_hiragana(c: char) -> bool {
    ('ぁ'..='ん').contains(&c)
}

/// Checks for a short word with a piece, but without the letters of a sentence.
fn is_damaged_move(text: &str) -> bool {
    let ends_word = |c| is_blank(c) || is_sign(c) || STOPS.contains(&c) || is_bracket(c);
    let word = || text.chars().take_while(|&c| !ends_word(c));
    // A pawn that has promoted, and 成らず.
    let is_of_moves = |c| matches!(c, 'と' | 'ら' | 'ず');
    word().count() <= LONGEST_MOVE
        && word().any(|c| kind_of(c).is_some())
        && !word().any(|c| is_hiragana(c) && !is_of_moves(c))
}

fn is_bracket(c: char) -> bool {
    OPENING.contains(&c) || CLOSING.contains(&c)
}

/// Checks for punctuation.
fn is_mark(c: char) -> bool {
    !c.is_alphanumeric() && !is_sign(c) && !is_blank(c)
}

/// Returns the text from the next place on where a move or an end of the game begins.
pub(super) fn next_place(text: &str, context: Context) -> &str {
    let mut rest = text;
    let mut is_boundary = true;
    while let Some(c) = rest.chars().next() {
        if is_place(rest, context, is_boundary) {
            return rest;
        }
        let after = &rest[c.len_utf8()..];
        rest = after_bracket(c, after).unwrap_or(after);
        // Words for ends occur in sentences, too.
        is_boundary = !c.is_alphanumeric();
    }
    rest
}

fn is_place(text: &str, context: Context, is_boundary: bool) -> bool {
    let sign = text.chars().next().and_then(side_of);
    match sign {
        Some(sign) => context.side.is_none_or(|side| side == sign) && begins_as_move(text),
        None if is_boundary => {
            let is_move = !context.is_signed && after_move(text).is_some();
            is_move || end_at(text).is_some() || begins_as_summary(text)
        }
        None => false,
    }
}

/// Returns the text after the bracket that closes the opening one `c`.
fn after_bracket(c: char, after: &str) -> Option<&str> {
    let closing = CLOSING[OPENING.iter().position(|&opening| opening == c)?];
    after.split_once(closing).map(|(_, rest)| rest)
}

/// Returns the moves of a line that begins with other text, 第１図以下の指し手▲２六歩: from the first sign to
/// the end nothing but moves, or else they belong to a sentence.
pub(super) fn moves_after_text(text: &str, context: Context) -> Option<&str> {
    let moves = next_place(text, context);
    (!moves.is_empty() && is_sequence(moves, context)).then_some(moves)
}

fn is_sequence(text: &str, context: Context) -> bool {
    let mut rest = text;
    loop {
        rest = without_marks(rest);
        if rest.is_empty() || begins_as_summary(rest) {
            return true;
        }
        let is_signed = rest.starts_with(is_sign);
        match end_at(rest) {
            Some((_, after)) => rest = after,
            None if context.is_signed && !is_signed => return false,
            None => match after_move(rest) {
                Some(after) => rest = after,
                None => return false,
            },
        }
    }
}

/// Returns the text after blanks, punctuation, numbers of moves, times, and brackets with their
/// contents.
fn without_marks(text: &str) -> &str {
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        rest = if is_mark(c) || is_blank(c) {
            after_bracket(c, after).unwrap_or(after)
        } else if c.is_numeric() && digit(c).is_none() {
            after
        } else {
            match number_at(rest) {
                Some((_, after)) if after_move(rest).is_none() => after,
                _ => return rest,
            }
        };
    }
    rest
}

/// Checks for a line with moves that would be taken for a header, because it has a colon: a label
/// before them, or a time after one.
pub(super) fn has_moves_in_header(key: &str, text: &str, context: Context) -> bool {
    let is_timed = |after: &str| after.starts_with(|c| digit(c).is_some());
    (text.starts_with(is_sign) && after_move(text).is_some_and(is_timed))
        || (LABELS.iter().any(|label| key.contains(label))
            && moves_after_text(text, context).is_some())
}
