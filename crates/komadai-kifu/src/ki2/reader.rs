//! Games in KI2, read one after the other.

use std::io::BufRead;

use super::between::{
    Context, begins_as_move, begins_as_summary, begins_game, end_at, has_moves_in_header, is_sign,
    moves_after_text, next_place,
};
use crate::error::KifuError;
use crate::kakinoki::game::{KakinokiGame, MoveFault};
use crate::kakinoki::line::{SharedLine, shared_line};
use crate::kakinoki::reading::{begins_next_game, cut_line, finish_line, read_shared, settle_foul};
use crate::kakinoki::words::is_blank;
use crate::notation::{JapaneseMoveError, after_move, read_japanese_move};
use crate::record::Record;
use crate::text::lines::{TextLine, TextLines};
use crate::text::shorten;
use komadai_base::reading::TextFault;

/// Reads the next game. Returns `None` if the text ends before a game starts.
pub(crate) fn read_game<R: BufRead>(lines: &mut TextLines<R>) -> Result<Option<Record>, KifuError> {
    let mut game = KakinokiGame::new();
    while let Some(line) = lines.next_line()? {
        if begins_next_game(&game, &line.text) {
            if !game.is_refused() {
                lines.give_back(line);
                break;
            }
            game = KakinokiGame::new();
            lines.decoder().reset();
        } else if game.is_refused() {
            lines.add_lost_moves(u64::from(game.leave_out(&line.text)));
            continue;
        }
        let has_moves = match shared_line(&line.text) {
            Some(SharedLine::Header(key, _)) => {
                has_moves_in_header(key, line.text.trim(), context(&game, &line))
            }
            _ => false,
        };
        if has_moves || !read_shared(&mut game, lines, &line)? {
            read_moves(&mut game, lines, &line)?;
        }
    }
    if !game.has_begun() || game.is_refused() {
        return Ok(None);
    }
    finish_line(&mut game, lines)?;
    let (record, validity) = game.finish(lines.number());
    validity.or_else(|fault| lines.tolerate(fault))?;
    // Joined files may have different encodings.
    lines.decoder().reset();
    Ok(Some(record))
}

/// Reads the moves of a line, up to the first that cannot be read. Other text is a fault, but cuts
/// nothing.
fn read_moves<R: BufRead>(
    game: &mut KakinokiGame,
    lines: &mut TextLines<R>,
    line: &TextLine,
) -> Result<(), KifuError> {
    let mut rest = line.text.trim_start_matches(is_blank);
    if game.is_cut() {
        leave_out(game, rest);
        return Ok(());
    }
    let has_begun = game.is_in_play();
    let moves = if begins_as_move(rest) && (has_begun || begins_game(rest)) {
        rest
    } else {
        // A sentence of the foreword that begins with a move is one about it.
        let moves = if begins_as_move(rest) {
            ""
        } else {
            moves_after_text(rest, context(game, line)).unwrap_or_default()
        };
        let text = &rest[..rest.len() - moves.len()];
        let expected = if has_begun {
            "a move such as ▲７六歩, an end such as 投了, or a comment after *"
        } else {
            "a line of the header, or a move such as ▲７六歩"
        };
        lines.tolerate(syntax(line, rest, text, expected))?;
        moves
    };
    if moves.is_empty() {
        return Ok(());
    }
    game.begin();
    game.begin_play(line.number).or_else(|fault| lines.tolerate(fault))?;
    rest = moves;
    while !rest.is_empty() {
        if game.is_cut() {
            leave_out(game, rest);
            return Ok(());
        }
        rest = read_part(game, lines, line, rest)?.trim_start_matches(is_blank);
    }
    Ok(())
}

/// Reads a move, an end, or the text before the next of them. Returns the rest of the line.
fn read_part<'t, R: BufRead>(
    game: &mut KakinokiGame,
    lines: &mut TextLines<R>,
    line: &TextLine,
    rest: &'t str,
) -> Result<&'t str, KifuError> {
    if begins_as_summary(rest) {
        let expected = "the end of the game on a line of its own";
        if !game.has_ended() {
            lines.tolerate(syntax(line, rest, rest, expected))?;
        }
        game.end_by_summary(&rest.replacen('迄', "まで", 1));
        return Ok("");
    }
    if game.has_ended() {
        lines.tolerate(syntax(line, rest, rest, "no move after the end of the game"))?;
        return Ok("");
    }
    if !begins_as_move(rest) {
        let next = next_place(rest, context(game, line));
        let text = &rest[..rest.len() - next.len()];
        lines.tolerate(syntax(
            line,
            rest,
            text,
            "a move such as ▲７六歩, or an end such as 投了",
        ))?;
        return Ok(next);
    }
    if rest.starts_with(is_sign) {
        game.note_sign();
    }
    if end_at(rest).is_none() {
        settle_foul(game, lines)?;
    }
    match read_move(game, line, rest) {
        Ok(after) => Ok(after),
        Err(MoveOutcome::Made(after, fault)) => {
            game.hold_foul(fault);
            Ok(after)
        }
        Err(MoveOutcome::Cut(fault)) => {
            cut_line(game, lines, fault)?;
            let after = after_move(rest).unwrap_or_else(|| {
                let word = rest.trim_start_matches(is_sign);
                let end = word.find(|c| is_sign(c) || is_blank(c)).unwrap_or(word.len());
                &word[end..]
            });
            Ok(after)
        }
        Err(MoveOutcome::Limit(error)) => Err(error),
    }
}

/// Leaves out the moves of a text after one that could not be made. The end is kept, because it
/// needs no board.
fn leave_out(game: &mut KakinokiGame, text: &str) {
    let context = Context { side: None, is_signed: game.has_signs() };
    let mut rest = text.trim_start_matches(is_blank);
    while !rest.is_empty() && !game.has_ended() {
        rest = if begins_as_summary(rest) {
            game.end_by_summary(&rest.replacen('迄', "まで", 1));
            ""
        } else if let Some((word, after)) = end_at(rest) {
            game.end(word, None);
            after
        } else if begins_as_move(rest) {
            game.leave_out_move();
            after_move(rest).unwrap_or_else(|| next_place(without_first(rest), context))
        } else {
            next_place(rest, context)
        };
        rest = rest.trim_start_matches(is_blank);
    }
    if !rest.is_empty() && begins_as_summary(rest) {
        game.end_by_summary(&rest.replacen('迄', "まで", 1));
    }
}

fn without_first(text: &str) -> &str {
    let mut chars = text.chars();
    chars.next();
    chars.as_str()
}

fn context(game: &KakinokiGame, line: &TextLine) -> Context {
    let is_signed = game.has_signs() || line.text.contains(is_sign);
    Context { side: Some(game.side_to_move()), is_signed }
}

/// The outcome of a move with a fault.
enum MoveOutcome<'t> {
    /// The move was made; the rest of the line.
    Made(&'t str, KifuError),
    /// The moves from here on refer to an unknown board.
    Cut(KifuError),
    Limit(KifuError),
}

/// Reads and makes a move, or ends the game, and returns the rest of the line.
fn read_move<'t>(
    game: &mut KakinokiGame,
    line: &TextLine,
    text: &'t str,
) -> Result<&'t str, MoveOutcome<'t>> {
    if let Some((word, rest)) = end_at(text) {
        game.end(word, None);
        return Ok(rest);
    }
    let last = game.last_target();
    let Some(position) = game.board().position() else {
        let expected = "no move after a foul, because its piece cannot be known";
        return Err(MoveOutcome::Cut(syntax(line, text, text, expected)));
    };
    let read = read_japanese_move(text, position, last);
    let (m, after) = read.map_err(|error| MoveOutcome::Cut(move_error(line, text, error)))?;
    let ply = game.next_ply();
    let foul = match game.make_move(line.number, m, None) {
        Ok(()) => return Ok(after),
        Err(MoveFault::Limit(error)) => return Err(MoveOutcome::Limit(error)),
        Err(MoveFault::Foul(foul)) => foul,
    };
    let fault = KifuError::IllegalMove {
        line: line.number,
        column: column_of(line, text),
        ply,
        text: shorten(&text[..text.len() - after.len()]),
        reason: foul.reason,
    };
    Err(match foul.was_made {
        true => MoveOutcome::Made(after, fault),
        false => MoveOutcome::Cut(fault),
    })
}

fn move_error(line: &TextLine, text: &str, error: JapaneseMoveError) -> KifuError {
    KifuError::JapaneseMove { line: line.number, column: column_of(line, text), error }
}

/// Returns the column of a part of the line.
fn column_of(line: &TextLine, part: &str) -> usize {
    // The difference of the addresses is the offset of the part.
    let offset = (part.as_ptr() as usize).saturating_sub(line.text.as_ptr() as usize);
    line.text.get(..offset).map_or(0, |before| before.chars().count()) + 1
}

/// Returns the fault of the text `found`, which begins where the part `at` of the line does.
fn syntax(line: &TextLine, at: &str, found: &str, expected: &'static str) -> KifuError {
    TextFault::syntax(line.number, column_of(line, at), found.trim_end(), expected).into()
}
