//! Games in CSA, read one after the other.

use std::io::BufRead;

use super::game::Game;
use super::statement::{Statement, statements};
use crate::error::KifuError;
use crate::record::Record;
use crate::text::lines::TextLines;

/// Reads the next game. Returns `None` if the text ends before a game starts.
pub(crate) fn read_game<R: BufRead>(lines: &mut TextLines<R>) -> Result<Option<Record>, KifuError> {
    let mut game = Game::default();
    while let Some(line) = lines.next_line()? {
        if line.text.trim_ascii() == "/" {
            if game.has_begun {
                break;
            }
            continue;
        }
        // A version line after moves starts the next game, as in files that were joined.
        if game.is_in_play() && line.text.starts_with('V') {
            lines.given_back = Some(line);
            break;
        }
        let mut read = |statement: &Statement<'_>| {
            if let Some(name) = encoding_name(statement) {
                lines.decoder.hint(name);
                return Ok(());
            }
            if game.skips(statement) {
                game.leave_out(statement);
                return Ok(());
            }
            // A move after a foul: no end can explain it.
            if statement.text.starts_with(['+', '-'])
                && let Some(fault) = game.foul.take()
            {
                lines.tolerate(fault)?;
            }
            if let Err(fault) = game.read(statement) {
                if !game.is_cut {
                    return lines.tolerate(fault);
                }
                game.cut(statement, lines.cut(fault)?);
            }
            Ok(())
        };
        match Statement::alone(&line.text, line.number) {
            Some(statement) => read(&statement)?,
            None => {
                statements(&line.text, line.number).try_for_each(|statement| read(&statement))?
            }
        }
        lines.spare = line.text;
    }
    if !game.has_begun {
        return Ok(None);
    }
    if let Some(cut) = game.take_cut() {
        lines.finish_cut(cut);
    }
    let foul = game.foul.take();
    let (record, validity) = game.finish(lines.number());
    if let Some(fault) = foul.filter(|_| !record.punishes_last_move()) {
        lines.tolerate(fault)?;
    }
    validity.or_else(|fault| lines.tolerate(fault))?;
    // Joined files may have different encodings.
    lines.decoder.reset();
    Ok(Some(record))
}

/// Returns the encoding that a comment names: `'CSA encoding=UTF-8`, `'encoding=Shift_JIS`.
fn encoding_name<'a>(statement: &Statement<'a>) -> Option<&'a str> {
    let comment = statement.text.strip_prefix('\'')?;
    comment.strip_prefix("CSA ").unwrap_or(comment).strip_prefix("encoding=")
}
