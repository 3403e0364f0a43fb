//! The lines that KIF and KI2 share, read into a game.

use std::io::BufRead;

use komadai_movegen::IllegalMove;

use super::game::KakinokiGame;
use super::line::{SharedLine, shared_line};
use super::start::{HANDICAP_COLUMN, OtherGame, StartFault};
use crate::board::Foul;
use crate::comment::Comment;
use crate::error::KifuError;
use crate::record::Record;
use crate::text::lines::{TextLine, TextLines};
use crate::text::shorten;
use komadai_base::reading::TextFault;

/// Reads the next game line by line. Returns `None` if the text ends before a game starts.
pub(crate) fn read_game<R: BufRead>(
    lines: &mut TextLines<R>,
    read_line: fn(&mut KakinokiGame, &mut TextLines<R>, &TextLine) -> Result<(), KifuError>,
) -> Result<Option<Record>, KifuError> {
    let mut game = KakinokiGame::default();
    while let Some(line) = lines.next_line()? {
        if begins_next_game(&game, &line.text) {
            if game.refused.is_none() {
                lines.given_back = Some(line);
                break;
            }
            game = KakinokiGame::default();
            lines.decoder.reset();
        } else if game.refused.is_some() {
            lines.skipped.add_lost_moves(u64::from(game.leave_out(&line.text)));
            continue;
        }
        read_line(&mut game, lines, &line)?;
    }
    if !game.has_begun || game.refused.is_some() {
        return Ok(None);
    }
    finish_line(&mut game, lines)?;
    let (record, validity) = game.finish(lines.number());
    validity.or_else(|fault| lines.tolerate(fault))?;
    // Joined files may have different encodings.
    lines.decoder.reset();
    Ok(Some(record))
}

/// Checks for a line that can only stand at the start of a file: files that were joined.
fn begins_next_game(game: &KakinokiGame, line: &str) -> bool {
    (game.is_in_play() || game.refused == Some(true))
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
        lines.decoder.hint(name);
        return Ok(true);
    }
    let Some(shared) = shared_line(text) else { return Ok(false) };
    if !matches!(shared, SharedLine::Nothing | SharedLine::Remark(_)) {
        game.has_begun = true;
    }
    let in_play = game.is_in_play();
    let fault_at_start =
        |found: &str, expected| KifuError::from(TextFault::syntax(number, 1, found, expected));
    let start_fault = |fault: StartFault<'_>| fault_at_start(fault.found, fault.expected);
    let read = match shared {
        SharedLine::Nothing => Ok(()),
        SharedLine::Remark(_) | SharedLine::Note(_) | SharedLine::Bookmark(_)
            if game.leaves_out_texts() =>
        {
            Ok(())
        }
        SharedLine::Remark(remark) => game.add_comment(number, Comment::Remark(remark.to_owned())),
        SharedLine::Note(note) => game.add_comment(number, Comment::Note(note.to_owned())),
        SharedLine::Bookmark(name) => game.set_bookmark(number, name),
        SharedLine::Header(word, value) => game.add_header(number, word, value),
        SharedLine::Handicap(value) => match game.start.read_handicap(number, value) {
            Ok(usual) => {
                if let Some(usual) = usual {
                    lines.remark(TextFault::syntax(number, HANDICAP_COLUMN, value, usual).into());
                }
                Ok(())
            }
            Err(_) => refuse(game, number, value),
        },
        SharedLine::Row(_) | SharedLine::Hand(..) | SharedLine::Side(_) if in_play => {
            Err(fault_at_start(text.trim(), "a start position before the moves"))
        }
        SharedLine::Row(row) => match game.start.check_row(row) {
            Err(OtherGame::Row(count)) => {
                refuse(game, number, &format!("a board with rows of {count} squares"))
            }
            _ => game.start.read_row(row).map_err(start_fault),
        },
        SharedLine::Hand(color, value) => game.start.read_hand(color, value).map_err(start_fault),
        SharedLine::Side(color) => {
            game.start.side = Some(color);
            Ok(())
        }
        SharedLine::Variation(ply) => {
            finish_line(game, lines)?;
            return read_variation(game, lines, line, ply).map(|()| true);
        }
        SharedLine::Summary(summary) => {
            game.begin_play(number).or_else(|fault| lines.tolerate(fault))?;
            game.end_by_summary(summary);
            Ok(())
        }
    };
    read.or_else(|fault| lines.tolerate(fault))?;
    Ok(true)
}

/// Leaves out the rest of a game with other rules.
fn refuse(game: &mut KakinokiGame, line: u64, found: &str) -> Result<(), KifuError> {
    game.refused = Some(false);
    Err(KifuError::OtherGame { line, found: shorten(found) })
}

/// Counts the fault of a move that cannot be made or read, and leaves out the line from there on.
/// Play must have begun.
pub(crate) fn cut_line<R: BufRead>(
    game: &mut KakinokiGame,
    lines: &mut TextLines<R>,
    fault: KifuError,
) -> Result<(), KifuError> {
    let cut = lines.cut(fault)?;
    game.cut(cut);
    Ok(())
}

/// Counts the fault of a move that was not made, and holds that of a foul that was made until the
/// end of the line may state it.
pub(crate) fn settle_move<R: BufRead>(
    game: &mut KakinokiGame,
    lines: &mut TextLines<R>,
    made: Result<(), Foul>,
    fault: impl FnOnce(IllegalMove) -> KifuError,
) -> Result<(), KifuError> {
    match made {
        Ok(()) => Ok(()),
        Err(foul) if foul.was_made => {
            game.hold_foul(fault(foul.reason));
            Ok(())
        }
        Err(foul) => cut_line(game, lines, fault(foul.reason)),
    }
}

/// Ends a line: the part of it that is left out, and the foul that no end explains.
fn finish_line<R: BufRead>(
    game: &mut KakinokiGame,
    lines: &mut TextLines<R>,
) -> Result<(), KifuError> {
    if let Some(cut) = game.take_cut() {
        lines.finish_cut(cut);
    }
    settle_foul(game, lines)
}

/// Counts the fault of the last move, before another one or at the end of its line.
pub(crate) fn settle_foul<R: BufRead>(
    game: &mut KakinokiGame,
    lines: &mut TextLines<R>,
) -> Result<(), KifuError> {
    game.take_foul().map_or(Ok(()), |fault| lines.tolerate(fault))
}

fn read_variation<R: BufRead>(
    game: &mut KakinokiGame,
    lines: &mut TextLines<R>,
    line: &TextLine,
    ply: Option<u32>,
) -> Result<(), KifuError> {
    // Some programs write an empty `変化：` before the moves.
    if !game.is_in_play() {
        return Ok(());
    }
    let has_begun = match ply {
        Some(ply) => game.begin_variation(line.number, ply as usize)?,
        None => false,
    };
    if has_begun {
        return Ok(());
    }
    let expected = "a variation from a move that a line before has, `変化：12手`";
    let fault = TextFault::syntax(line.number, 1, line.text.trim(), expected).into();
    game.cut_variation(lines.cut(fault)?);
    Ok(())
}
