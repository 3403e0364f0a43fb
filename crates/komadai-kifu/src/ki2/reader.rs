//! Games in KI2, read one after the other.

use std::io::BufRead;

use super::between::{
    Context, begins_as_move, begins_as_summary, begins_game, end_at, has_moves_in_header, is_sign,
    moves_after_text, next_place,
};
use crate::error::KifuError;
use crate::kakinoki::game::KakinokiGame;
use crate::kakinoki::line::{SharedLine, shared_line};
use crate::kakinoki::reading::{self, cut_line, read_shared, settle_foul, settle_move};
use crate::kakinoki::words::is_blank;
use crate::notation::{after_move, read_japanese_move};
use crate::record::Record;
use crate::text::lines::{TextLine, TextLines};
use crate::text::shorten;

/// Reads the next game. Returns `None` if the text ends before a game starts.
pub(crate) fn read_game<R: BufRead>(lines: &mut TextLines<R>) -> Result<Option<Record>, KifuError> {
    reading::read_game(lines, read_line)
}

fn read_line<R: BufRead>(
    game: &mut KakinokiGame,
    lines: &mut TextLines<R>,
    line: &TextLine,
) -> Result<(), KifuError> {
    let has_moves = match shared_line(&line.text) {
        Some(SharedLine::Header(key, _)) => {
            has_moves_in_header(key, line.text.trim(), context(game, line))
        }
        _ => false,
    };
    if !has_moves && read_shared(game, lines, line)? {
        return Ok(());
    }
    read_moves(game, lines, line)
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
        lines.tolerate(line.syntax(text.trim_end(), expected))?;
        moves
    };
    if moves.is_empty() {
        return Ok(());
    }
    game.has_begun = true;
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
            lines.tolerate(line.syntax(rest.trim_end(), expected))?;
        }
        game.end_by_summary(&rest.replacen('迄', "まで", 1));
        return Ok("");
    }
    if game.has_ended() {
        lines.tolerate(line.syntax(rest.trim_end(), "no move after the end of the game"))?;
        return Ok("");
    }
    if !begins_as_move(rest) {
        let next = next_place(rest, context(game, line));
        let text = &rest[..rest.len() - next.len()];
        let expected = "a move such as ▲７六歩, or an end such as 投了";
        lines.tolerate(line.syntax(text.trim_end(), expected))?;
        return Ok(next);
    }
    if rest.starts_with(is_sign) {
        game.has_signs = true;
    }
    if let Some((word, after)) = end_at(rest) {
        game.end(word, None);
        return Ok(after);
    }
    settle_foul(game, lines)?;
    read_move(game, lines, line, rest)
}

/// Leaves out the moves of a text after one that could not be made. The end is kept, because it
/// needs no board.
fn leave_out(game: &mut KakinokiGame, text: &str) {
    let context = Context { side: None, is_signed: game.has_signs };
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
    let is_signed = game.has_signs || line.text.contains(is_sign);
    Context { side: Some(game.side_to_move()), is_signed }
}

/// Reads and makes a move, and returns the rest of the line. After a move that cannot be made, the
/// moves refer to an unknown board.
fn read_move<'t, R: BufRead>(
    game: &mut KakinokiGame,
    lines: &mut TextLines<R>,
    line: &TextLine,
    text: &'t str,
) -> Result<&'t str, KifuError> {
    let (number, column) = (line.number, || line.column_of(text));
    let last = game.last_target();
    let read = match game.board().position() {
        Some(position) => read_japanese_move(text, position, last)
            .map_err(|error| KifuError::JapaneseMove { line: number, column: column(), error }),
        None => {
            let expected = "no move after a foul, because its piece cannot be known";
            Err(line.syntax(text.trim_end(), expected))
        }
    };
    let (m, after) = match read {
        Ok(read) => read,
        Err(fault) => {
            cut_line(game, lines, fault)?;
            return Ok(after_move(text).unwrap_or_else(|| {
                let word = text.trim_start_matches(is_sign);
                let end = word.find(|c| is_sign(c) || is_blank(c)).unwrap_or(word.len());
                &word[end..]
            }));
        }
    };
    let ply = game.next_ply();
    let made = game.make_move(number, m, None)?;
    settle_move(game, lines, made, |reason| {
        let text = shorten(&text[..text.len() - after.len()]);
        KifuError::IllegalMove { line: number, column: column(), ply, text, reason }
    })?;
    Ok(after)
}
