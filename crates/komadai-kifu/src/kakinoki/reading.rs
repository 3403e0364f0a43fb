//! The lines that KIF and KI2 share, read into a game.

use std::io::BufRead;

use super::ends::end_of_summary;
use super::game::KakinokiGame;
use super::line::{SharedLine, shared_line};
use crate::comment::Comment;
use crate::error::KifuError;
use crate::text::fault::TextFault;
use crate::text::lines::{TextLine, TextLines};

/// Checks for a line that can only stand at the start of a file: files that were joined.
pub(crate) fn begins_next_game(game: &KakinokiGame, line: &str) -> bool {
    game.is_in_play()
        && (line.starts_with("手合割：")
            || line.starts_with("開始日時：")
            || (line.starts_with('#') && encoding_name(line).is_some()))
}

/// Returns the encoding that a first line names: `#KIF version=2.0 encoding=UTF-8`.
fn encoding_name(line: &str) -> Option<&str> {
    let text = line.strip_prefix('#')?.trim_start();
    if !text.starts_with("KIF") && !text.starts_with("KI2") {
        return None;
    }
    text.split_once("encoding=").map(|(_, name)| name.trim())
}

/// Reads a line unless it is a move. Returns false for all lines that the formats do not share.
pub(crate) fn read_shared<R: BufRead>(
    game: &mut KakinokiGame,
    lines: &mut TextLines<R>,
    line: &TextLine,
) -> Result<bool, KifuError> {
    let (number, text) = (line.number, line.text.as_str());
    if let Some(name) = encoding_name(text) {
        lines.decoder().hint(name);
        return Ok(true);
    }
    let Some(shared) = shared_line(text) else { return Ok(false) };
    if !matches!(shared, SharedLine::Nothing | SharedLine::Remark(_)) {
        game.begin();
    }
    let in_play = game.is_in_play();
    let start_fault = |fault: super::start::StartFault<'_>| {
        KifuError::from(TextFault::syntax(number, 1, fault.found, fault.expected))
    };
    let before_moves = || {
        KifuError::from(TextFault::syntax(
            number,
            1,
            text.trim(),
            "a start position before the moves",
        ))
    };
    let read = match shared {
        SharedLine::Nothing => Ok(()),
        // Texts after a move that could not be made belong to positions that the record does not have.
        SharedLine::Remark(_) | SharedLine::Note(_) | SharedLine::Bookmark(_) if game.is_cut() => {
            lines.skip_consequence();
            Ok(())
        }
        SharedLine::Remark(remark) => game.add_comment(number, Comment::Remark(remark.to_owned())),
        SharedLine::Note(note) => game.add_comment(number, Comment::Note(note.to_owned())),
        SharedLine::Bookmark(name) => game.set_bookmark(number, name),
        SharedLine::Header(word, value) => game.add_header(number, word, value),
        SharedLine::Handicap(value) => {
            game.start().read_handicap(value);
            Ok(())
        }
        SharedLine::Row(_) | SharedLine::Hand(..) | SharedLine::Side(_) if in_play => {
            Err(before_moves())
        }
        SharedLine::Row(row) => game.start().read_row(row).map_err(start_fault),
        SharedLine::Hand(color, value) => game.start().read_hand(color, value).map_err(start_fault),
        SharedLine::Side(color) => {
            game.start().set_side(color);
            Ok(())
        }
        SharedLine::Variation(ply) => read_variation(game, line, ply),
        SharedLine::Summary(summary) => {
            game.begin_play(number).or_else(|fault| lines.tolerate(fault))?;
            if !game.is_cut()
                && let Some(end) = end_of_summary(summary, game.side())
            {
                game.end_by_summary(end);
            }
            Ok(())
        }
    };
    read.or_else(|fault| lines.tolerate(fault))?;
    Ok(true)
}

fn read_variation(
    game: &mut KakinokiGame,
    line: &TextLine,
    ply: Option<u32>,
) -> Result<(), KifuError> {
    // Some programs write an empty `変化：` before the moves.
    if !game.is_in_play() {
        return Ok(());
    }
    let begun = match ply {
        Some(ply) => game.begin_variation(line.number, ply as usize)?,
        None => false,
    };
    if begun {
        return Ok(());
    }
    game.cut();
    let expected = "a variation from a move that a line before has, `変化：12手`";
    Err(TextFault::syntax(line.number, 1, line.text.trim(), expected).into())
}
