//! The parts of the writers that KIF and KI2 share.

use komadai_core::{Color, Handicap, Setup};

use super::board_text::write_board;
use super::keys::{key_of, word_of};
use super::line::{SharedLine, shared_line};
use crate::comment::Comment;
use crate::header::HeaderKey;
use crate::record::Record;
use crate::variation::Line;

/// Returns true if the players are 下手 and 上手.
pub(crate) fn is_handicap(setup: &Setup) -> bool {
    Handicap::from_setup(setup).is_some_and(|handicap| handicap != Handicap::Hirate)
}

/// Writes header and start position. A line end within a value becomes a blank. Keys that a reader
/// would take for another kind of line are left out.
pub(crate) fn write_header(text: &mut String, record: &Record) {
    let handicap = Handicap::from_setup(&record.setup);
    let is_handicap = is_handicap(&record.setup);
    let custom = record.header.custom("手合割");
    // Programs refuse その他; the diagram states the start.
    let other = custom.filter(|word| word.trim() != "その他");
    if let Some(start) = handicap.map(Handicap::kif_name).or(other) {
        *text += &format!("手合割：{}\n", one_line(start));
    }
    for (key, value) in record.header.iter() {
        if *key == HeaderKey::Custom("手合割".to_owned()) {
            continue;
        }
        let line = format!("{}：{}", one_line(&word_of(key, is_handicap)), one_line(value));
        // A key with the syntax of other lines would be read as one of them.
        if matches!(shared_line(&line), Some(SharedLine::Header(word, _)) if key_of(word) == *key) {
            *text += &format!("{line}\n");
        }
    }
    if handicap.is_none() {
        write_board(text, &record.setup, ["先手", "後手"]);
    }
}

/// Returns a text without line ends.
pub(crate) fn one_line(text: &str) -> String {
    text.replace(['\r', '\n'], " ")
}

/// Writes comments, remarks and bookmarks, each on lines of their own.
pub(crate) fn write_comments(text: &mut String, comments: &[Comment], bookmark: Option<&str>) {
    for comment in comments {
        for line in comment.text().split(['\r', '\n']) {
            let mark = match comment {
                // A remark that names an encoding would begin the next file.
                Comment::Remark(_) if !line.trim_start().starts_with("KI") => '#',
                Comment::Note(_) | Comment::Remark(_) => '*',
            };
            *text += &format!("{mark}{line}\n");
        }
    }
    if let Some(name) = bookmark {
        *text += &format!("&{}\n", one_line(name));
    }
}

/// Returns all lines in the order in which KIF and KI2 have them: each line is followed by its
/// variations, those at the last move first.
pub(crate) fn lines_in_order(record: &Record) -> Vec<Line> {
    let mut children: Vec<Vec<(usize, usize)>> = vec![Vec::new(); record.variations.len() + 1];
    for (index, variation) in record.variations.iter().enumerate() {
        let parent = match variation.parent {
            Line::Main => 0,
            Line::Variation(parent) => parent + 1,
        };
        if parent <= index {
            children[parent].push((variation.ply, index));
        }
    }
    for of_line in &mut children {
        // The stack below is read from its end: late moves first, and of one move in order.
        of_line.sort_by_key(|&(ply, index)| (ply, std::cmp::Reverse(index)));
    }
    let mut order = vec![Line::Main];
    let mut waiting = std::mem::take(&mut children[0]);
    while let Some((_, index)) = waiting.pop() {
        order.push(Line::Variation(index));
        waiting.append(&mut children[index + 1]);
    }
    order
}

/// Returns the names of the players in a diagram or a summary.
pub(crate) fn side_at_end(record: &Record, line: Line) -> Color {
    let plies = record.first_ply(line).saturating_sub(1) + record.moves_of(line).len();
    if plies.is_multiple_of(2) { record.setup.side } else { !record.setup.side }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record_move::RecordMove;

    #[test]
    fn late_variations_come_first_and_inner_ones_after_their_line() {
        let mut record = Record::new(Setup::hirate());
        let moves = ["7g7f", "3c3d", "2g2f", "8c8d"].map(|m| RecordMove::new(m.parse().unwrap()));
        record.moves = moves.to_vec();
        let mut add = |line, ply| {
            let added = record.add_variation(line, ply).unwrap();
            record.moves_of_mut(added).extend(moves.clone());
            added
        };
        let at_2 = add(Line::Main, 2);
        let at_4 = add(Line::Main, 4);
        let second_at_2 = add(Line::Main, 2);
        let inner_3 = add(at_2, 3);
        let inner_5 = add(at_2, 5);
        assert_eq!(
            lines_in_order(&record),
            [Line::Main, at_4, at_2, inner_5, inner_3, second_at_2]
        );
    }
}
