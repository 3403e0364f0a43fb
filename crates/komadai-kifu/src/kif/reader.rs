//! Games in KIF, read one after the other.

use std::io::BufRead;

use komadai_core::Move;

use super::move_line::{Action, MoveLine, WrittenMove, parse as parse_move_line};
use crate::error::KifuError;
use crate::kakinoki::game::KakinokiGame;
use crate::kakinoki::reading::{self, cut_line, read_shared, settle_foul, settle_move};
use crate::kakinoki::words::{digit, is_blank};
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
    if read_shared(game, lines, line)? {
        return Ok(());
    }
    let (parsed, time_fault) = match parse_move_line(&line.text) {
        Ok(parsed) => parsed,
        Err((found, expected)) => {
            // The moves after an unreadable one refer to an unknown board.
            let is_numbered = line.text.trim_start_matches(is_blank).starts_with(is_digit);
            if game.is_cut() && is_numbered {
                game.leave_out_move();
                return Ok(());
            }
            let fault = line.syntax(found, expected);
            if game.is_in_play() && is_numbered {
                return cut_line(game, lines, fault);
            }
            return lines.tolerate(fault);
        }
    };
    game.has_begun = true;
    game.begin_play(line.number).or_else(|fault| lines.tolerate(fault))?;
    let MoveLine { number, action, time } = parsed;
    if game.is_cut() {
        match action {
            _ if game.has_ended() => {}
            Action::End(word) => game.end(&word, time),
            Action::Move(_) => game.leave_out_move(),
        }
        return Ok(());
    }
    let number = match number {
        Some(number) => number,
        None => {
            let expected = "the number of the move before it: `1 ７六歩(77)`";
            lines.tolerate(line.syntax(line.text.trim_start_matches(is_blank), expected))?;
            game.next_ply()
        }
    };
    if matches!(action, Action::Move(_)) {
        settle_foul(game, lines)?;
    }
    // A number that was there already begins a variation, as if 変化 stood before it.
    if number < game.next_ply() && !game.begin_variation(line.number, number)? {
        let expected = "the number of the next move";
        return lines.tolerate(line.syntax(line.text.trim_start(), expected));
    }
    if game.has_ended() {
        let expected = "no move after the end of the game";
        return lines.tolerate(line.syntax(line.text.trim_start(), expected));
    }
    match action {
        Action::End(word) => game.end(&word, time),
        Action::Move(written) => make(game, lines, line, written, time)?,
    }
    match time_fault {
        Some((found, expected)) => lines.tolerate(line.syntax(found, expected)),
        None => Ok(()),
    }
}

fn make<R: BufRead>(
    game: &mut KakinokiGame,
    lines: &mut TextLines<R>,
    line: &TextLine,
    written: WrittenMove,
    time: Option<std::time::Duration>,
) -> Result<(), KifuError> {
    let ply = game.next_ply();
    let column = line.text.chars().take_while(|c| !matches!(c, '同' | '１'..='９')).count() + 1;
    let illegal = |reason| KifuError::IllegalMove {
        line: line.number,
        column,
        ply,
        text: shorten(line.text.trim()),
        reason,
    };
    let Some(to) = written.to.or_else(|| game.last_target()) else {
        let fault = line.syntax(line.text.trim_start(), "a move before 同");
        return cut_line(game, lines, fault);
    };
    let m = match written.from {
        None => Move::drop(written.kind, to),
        Some(from) if from == to => {
            let fault = line.syntax(line.text.trim_start(), "a target other than the origin");
            return cut_line(game, lines, fault);
        }
        Some(from) => {
            // A lenient reader trusts the squares.
            if let Some(stands) = game.board().piece_on(from).filter(|p| p.kind() != written.kind) {
                let (line, square, named) = (line.number, from, written.kind);
                let fault = KifuError::WrongPiece { line, column, ply, square, stands, named };
                lines.tolerate(fault)?;
            }
            if written.promotes { Move::promotion(from, to) } else { Move::new(from, to) }
        }
    };
    let made = game.make_move(line.number, m, time)?;
    settle_move(game, lines, made, illegal)
}

/// Checks for a digit of any width.
fn is_digit(c: char) -> bool {
    digit(c).is_some()
}
