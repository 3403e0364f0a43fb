//! Games in KIF, read one after the other.

use std::io::BufRead;

use komadai_core::{Move, Square};

use super::move_line::{Action, MoveLine, WrittenMove, parse as parse_move_line};
use crate::board::Foul;
use crate::error::KifuError;
use crate::kakinoki::game::{KakinokiGame, MoveFault};
use crate::kakinoki::reading::{begins_next_game, cut_line, finish_line, read_shared, settle_foul};
use crate::kakinoki::words::{digit, is_blank};
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
        if !read_shared(&mut game, lines, &line)? {
            read_move(&mut game, lines, &line)?;
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

fn read_move<R: BufRead>(
    game: &mut KakinokiGame,
    lines: &mut TextLines<R>,
    line: &TextLine,
) -> Result<(), KifuError> {
    let (parsed, time_fault) = match parse_move_line(&line.text) {
        Ok(parsed) => parsed,
        Err((found, expected)) => {
            // The moves after an unreadable one refer to an unknown board.
            let is_numbered = line.text.trim_start_matches(is_blank).starts_with(is_digit);
            if game.is_cut() && is_numbered {
                game.leave_out_move();
                return Ok(());
            }
            let fault = syntax(line, found, expected);
            if game.is_in_play() && is_numbered {
                return cut_line(game, lines, fault);
            }
            return lines.tolerate(fault);
        }
    };
    game.begin();
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
            lines.tolerate(syntax(line, line.text.trim_start_matches(is_blank), expected))?;
            game.next_ply()
        }
    };
    if matches!(action, Action::Move(_)) {
        settle_foul(game, lines)?;
    }
    // A number that was there already begins a variation, as if 変化 stood before it.
    if number < game.next_ply() && !game.begin_variation(line.number, number)? {
        let expected = "the number of the next move";
        return lines.tolerate(syntax(line, line.text.trim_start(), expected));
    }
    if game.has_ended() {
        let expected = "no move after the end of the game";
        return lines.tolerate(syntax(line, line.text.trim_start(), expected));
    }
    match action {
        Action::End(word) => game.end(&word, time),
        Action::Move(written) => make(game, lines, line, written, time)?,
    }
    match time_fault {
        Some((found, expected)) => lines.tolerate(syntax(line, found, expected)),
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
        let fault = syntax(line, line.text.trim_start(), "a move before 同");
        return cut_line(game, lines, fault);
    };
    let m = match written.from {
        None => Move::drop(written.kind, to),
        Some(from) if from == to => {
            let fault = syntax(line, line.text.trim_start(), "a target other than the origin");
            return cut_line(game, lines, fault);
        }
        Some(from) => {
            if let Some(fault) = wrong_piece(game, line, column, ply, from, written) {
                lines.tolerate(fault)?;
            }
            if written.promotes { Move::promotion(from, to) } else { Move::new(from, to) }
        }
    };
    match game.make_move(line.number, m, time) {
        Ok(()) => Ok(()),
        Err(MoveFault::Limit(error)) => Err(error),
        Err(MoveFault::Foul(Foul { reason, was_made: true })) => {
            game.hold_foul(illegal(reason));
            Ok(())
        }
        Err(MoveFault::Foul(Foul { reason, .. })) => cut_line(game, lines, illegal(reason)),
    }
}

/// Returns the fault of a move that names another piece than the one on its origin. A lenient
/// reader trusts the squares.
fn wrong_piece(
    game: &mut KakinokiGame,
    line: &TextLine,
    column: usize,
    ply: usize,
    square: Square,
    written: WrittenMove,
) -> Option<KifuError> {
    let stands = game.board().piece_on(square)?;
    (stands.kind() != written.kind).then_some(KifuError::WrongPiece {
        line: line.number,
        column,
        ply,
        square,
        stands,
        named: written.kind,
    })
}

/// Checks for a digit of any width.
fn is_digit(c: char) -> bool {
    digit(c).is_some()
}

/// Returns the fault of a part of a line.
fn syntax(line: &TextLine, found: &str, expected: &'static str) -> KifuError {
    // `found` is a part of the line, so the difference of the addresses is its offset.
    let offset = (found.as_ptr() as usize).saturating_sub(line.text.as_ptr() as usize);
    let before = line.text.get(..offset).unwrap_or_default();
    TextFault::syntax(line.number, before.chars().count() + 1, found, expected).into()
}
