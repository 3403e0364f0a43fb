//! Moves in Japanese within comments: `▲２五歩△８五歩▲７八金`.

use komadai_core::{Move, Piece, PieceKind, Position, Square};
use komadai_movegen::MoveGen as _;

use crate::notation::relative::narrow;

const MARKS: [char; 6] = ['▲', '△', '☗', '☖', '▼', '▽'];

/// Splits a line into moves, each with its mark.
pub(super) fn split_japanese(text: &str) -> Vec<&str> {
    let mut starts: Vec<usize> =
        text.char_indices().filter(|(_, c)| MARKS.contains(c)).map(|(at, _)| at).collect();
    starts.push(text.len());
    starts.windows(2).map(|ends| text[ends[0]..ends[1]].trim()).collect()
}

/// Reads a legal move such as `▲２五歩`, `△同　歩(87)` or `▲５八金左`; `last` is the target of the move
/// before.
pub(super) fn japanese_move(word: &str, position: &Position, last: Option<Square>) -> Option<Move> {
    let mut rest = word.trim_start_matches(MARKS);
    let to = match rest.strip_prefix('同') {
        Some(after) => {
            rest = after.trim_start();
            last?
        }
        None => {
            let mut chars = rest.chars();
            let (file, rank) = (digit(chars.next()?)?, digit(chars.next()?)?);
            rest = chars.as_str();
            Square::from_index((file - 1) * 9 + rank - 1)?
        }
    };
    let (kind, rest) = piece(rest)?;
    let (words, origin) = match rest.split_once('(') {
        Some((words, digits)) => (words, Some(digits.trim_end_matches(')'))),
        None => (rest, None),
    };
    let words = words.trim();
    let promotes = words.contains('成') && !words.contains("不成");
    let drops = |m: &Move| m.is_drop();
    let mut moves: Vec<Move> = position.legal_moves().iter().copied().collect();
    moves.retain(|m| {
        let stands = m.from().and_then(|from| position.piece_on(from)).map(Piece::kind);
        m.to() == to && stands.or(m.dropped()) == Some(kind) && m.is_promotion() == promotes
    });
    // A drop needs its word only if a piece on the board could move there.
    if words.contains('打') || moves.iter().all(drops) {
        return moves.into_iter().find(drops);
    }
    let mut origins: Vec<Square> = moves.iter().filter_map(|m| m.from()).collect();
    match origin.map(|digits| digits.chars().filter_map(digit).collect::<Vec<_>>()) {
        Some(digits) => {
            origins.retain(|from| digits[..] == [from.file().index() + 1, from.rank().index() + 1])
        }
        None => narrow(&mut origins, &letters(words), position.side(), to),
    }
    match origins[..] {
        [from] => moves.into_iter().find(|m| m.from() == Some(from)),
        _ => None,
    }
}

/// The digit of a file or rank, in any of the ways that records have.
fn digit(c: char) -> Option<usize> {
    const FORMS: [&str; 3] = ["123456789", "１２３４５６７８９", "一二三四五六七八九"];
    FORMS.iter().find_map(|form| form.chars().position(|known| known == c)).map(|at| at + 1)
}

/// The piece at the start of a text, and the text after it.
fn piece(text: &str) -> Option<(PieceKind, &str)> {
    const NAMES: [(&str, PieceKind); 20] = [
        ("成香", PieceKind::ProLance),
        ("成桂", PieceKind::ProKnight),
        ("成銀", PieceKind::ProSilver),
        ("歩", PieceKind::Pawn),
        ("香", PieceKind::Lance),
        ("桂", PieceKind::Knight),
        ("銀", PieceKind::Silver),
        ("金", PieceKind::Gold),
        ("角", PieceKind::Bishop),
        ("飛", PieceKind::Rook),
        ("玉", PieceKind::King),
        ("王", PieceKind::King),
        ("と", PieceKind::ProPawn),
        ("杏", PieceKind::ProLance),
        ("圭", PieceKind::ProKnight),
        ("全", PieceKind::ProSilver),
        ("馬", PieceKind::Horse),
        ("龍", PieceKind::Dragon),
        ("竜", PieceKind::Dragon),
        ("成歩", PieceKind::ProPawn),
    ];
    NAMES.iter().find_map(|&(name, kind)| Some((kind, text.strip_prefix(name)?)))
}

/// The letters of the words for directions and sides.
fn letters(words: &str) -> String {
    let letter = |c| match c {
        '左' => Some('L'),
        '右' => Some('R'),
        '直' => Some('C'),
        '上' | '行' | '入' => Some('U'),
        '寄' => Some('M'),
        '引' => Some('D'),
        _ => None,
    };
    words.chars().filter_map(letter).collect()
}
