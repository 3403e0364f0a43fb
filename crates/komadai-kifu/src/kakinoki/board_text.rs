//! Diagrams of the board and of the hands (BOD).

use komadai_core::{Color, Hand, Piece, PieceKind, Setup};

use super::words::{count_at, is_blank, kanji_number, kind_of, trim};

/// Reads a row of a diagram, `|v香v桂 ・ … v香|一`: the squares from file 9 to file 1. `None` if there
/// are not nine of them.
pub(crate) fn read_row(line: &str) -> Option<[Option<Piece>; 9]> {
    let mut row = [None; 9];
    let mut count = 0;
    for piece in squares(line)? {
        *row.get_mut(count)? = piece?;
        count += 1;
    }
    (count == 9).then_some(row)
}

/// Returns the number of squares of a row; `None` if it has something else.
pub(crate) fn row_length(line: &str) -> Option<usize> {
    squares(line)?.try_fold(0, |count, square| square.map(|_| count + 1))
}

/// Returns the squares of a row. A square is `None` if its text is no piece.
fn squares(line: &str) -> Option<impl Iterator<Item = Option<Option<Piece>>>> {
    let cells = line.trim_start().strip_prefix('|')?;
    let cells = cells.split('|').next()?;
    let mut color = Color::Black;
    Some(cells.chars().filter_map(move |c| {
        let own = std::mem::replace(&mut color, Color::Black);
        match c {
            'v' | 'V' | 'ｖ' => {
                color = Color::White;
                None
            }
            ' ' | '^' | '+' => {
                color = own;
                None
            }
            '・' | '･' | '.' | '　' | '口' => Some(Some(None)),
            c => Some(kind_of(c).map(|kind| Some(Piece::new(own, kind)))),
        }
    }))
}

/// Reads the pieces of a hand, 飛二　角　歩十八, with any blanks or none between them. The error is the
/// text that is no piece in hand, or more pieces than the game has.
pub(crate) fn read_hand(text: &str) -> Result<Hand, &str> {
    let mut hand = Hand::EMPTY;
    let mut rest = trim(text);
    if rest == "なし" {
        return Ok(hand);
    }
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        if is_blank(c) {
            rest = after;
            continue;
        }
        let kind = kind_of(c).filter(|kind| kind.is_hand_kind()).ok_or(rest)?;
        let (count, after) = count_at(after).unwrap_or((1, after));
        let held = hand.count(kind).saturating_add(count);
        if held > PieceKind::TOTALS[kind.index()] {
            return Err(rest);
        }
        hand = hand.with(kind, held);
        rest = after;
    }
    Ok(hand)
}

/// Writes a diagram with both hands, and 後手番 if White is to move.
pub(crate) fn write_board(text: &mut String, setup: &Setup, names: [&str; 2]) {
    let hand_line = |color: Color| {
        format!("{}の持駒：{}\n", names[color.index()], hand_text(setup.hands[color]))
    };
    *text += &hand_line(Color::White);
    text.push_str("  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n");
    for rank in 0..9 {
        text.push('|');
        for file in (0..9).rev() {
            match setup.board[file * 9 + rank] {
                None => text.push_str(" ・"),
                Some(piece) => {
                    text.push(if piece.color() == Color::White { 'v' } else { ' ' });
                    text.push(board_kanji(piece.kind()));
                }
            }
        }
        *text += &format!("|{}\n", kanji_number(rank as u32 + 1));
    }
    text.push_str("+---------------------------+\n");
    *text += &hand_line(Color::Black);
    if setup.side == Color::White {
        *text += &format!("{}番\n", names[Color::White.index()]);
    }
}

/// Returns the single character of a piece in a diagram.
fn board_kanji(kind: PieceKind) -> char {
    match kind {
        PieceKind::ProLance => '杏',
        PieceKind::ProKnight => '圭',
        PieceKind::ProSilver => '全',
        PieceKind::Dragon => '龍',
        PieceKind::King => '玉',
        kind => kind.to_kanji(),
    }
}

fn hand_text(hand: Hand) -> String {
    let kinds = [
        PieceKind::Rook,
        PieceKind::Bishop,
        PieceKind::Gold,
        PieceKind::Silver,
        PieceKind::Knight,
        PieceKind::Lance,
        PieceKind::Pawn,
    ];
    let held = kinds.into_iter().filter(|&kind| hand.has(kind)).map(|kind| {
        let count = hand.count(kind);
        let number = if count > 1 { kanji_number(count) } else { String::new() };
        format!("{}{number}", board_kanji(kind))
    });
    let held: Vec<String> = held.collect();
    if held.is_empty() { "なし".to_owned() } else { held.join("　") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_nine_squares() {
        let row = read_row("|v香v桂v銀v金v王v金v銀v桂v香|一").unwrap();
        assert_eq!(row[4], Some(Piece::new(Color::White, PieceKind::King)));
        let row = read_row("| ・v飛 ・ ・ ・ ・ ・ 角^と|二").unwrap();
        assert_eq!(row[1], Some(Piece::new(Color::White, PieceKind::Rook)));
        assert_eq!(row[8], Some(Piece::new(Color::Black, PieceKind::ProPawn)));
        assert_eq!(read_row("| ・ ・|三"), None);
        assert_eq!(read_row("| ・ ・ ・ ・ ・ ・ ・ ・ ・ ・|三"), None);
    }

    #[test]
    fn hands_are_read_with_any_separators() {
        let expected = read_hand("飛二　角　歩十八").unwrap();
        assert_eq!(expected.count(PieceKind::Pawn), 18);
        for text in ["飛二 角 歩十八", "飛二角歩十八 ", "飛2角1歩１８", "飛 飛 角 歩十八"]
        {
            assert_eq!(read_hand(text), Ok(expected), "{text}");
        }
        assert_eq!(read_hand("なし"), Ok(Hand::EMPTY));
        assert_eq!(read_hand(""), Ok(Hand::EMPTY));
        assert_eq!(read_hand("飛 玉"), Err("玉"));
        assert_eq!(read_hand("飛三"), Err("飛三"));
    }
}
