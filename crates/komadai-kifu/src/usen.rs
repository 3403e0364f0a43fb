//! USEN (URL-safe SFEN-extended notation), the form of records in the addresses of Shogi
//! Playground.
//!
//! A text is a start position and lines, each after a tilde: `~0.6y236e7ku4be.r~2.7bq.`. A line is
//! the number of moves before it, its moves, three digits of base 36 each, and a letter for its
//! end. The lines after the first are variations: the moves before them are those of the line
//! written before.
//!
//! Sources: the examples of Shogi Playground and of tsshogi.

use komadai_core::{Move, PieceKind, Setup, Square};

use crate::board::Board;
use crate::end::{End, EndKind};
use crate::error::KifuError;
use crate::kifu_format::KifuFormat;
use crate::loaded::Loaded;
use crate::record::Record;
use crate::record_move::RecordMove;
use crate::text::format_hint::with_format_hint;
use crate::text::shorten;
use crate::text::utf16::to_utf8;
use crate::variation::Line;
use komadai_base::reading::{BOM, Skipped, TextFault, TextFaultKind, Tolerance};

/// Longest text that is read, in bytes; browsers accept much shorter addresses.
pub(crate) const MAX_BYTES: usize = 1 << 20;

/// The number from which the origins of drops count, and the number of each kind there.
const DROPS: usize = 81;
const HAND: [(usize, PieceKind); 7] = [
    (9, PieceKind::Gold),
    (10, PieceKind::Pawn),
    (11, PieceKind::Lance),
    (12, PieceKind::Knight),
    (13, PieceKind::Silver),
    (14, PieceKind::Bishop),
    (15, PieceKind::Rook),
];

/// The letters of the ends.
const ENDS: [(&str, EndKind); 5] = [
    ("r", EndKind::Resign),
    ("t", EndKind::TimeUp),
    ("i", EndKind::IllegalLoss),
    ("p", EndKind::Interrupt),
    ("j", EndKind::Impasse),
];

/// Reads the game of a text in USEN.
///
/// Columns of faults count in the text without the blanks around it. A lenient reading cuts a line
/// at a move that cannot be carried out, and skips a variation that leaves no line.
///
/// # Examples
///
/// ```
/// use komadai_kifu::{EndKind, Tolerance, parse_usen};
///
/// let game = parse_usen("~0.6y236e7ku4be.r", Tolerance::Strict)?.records.remove(0);
/// assert_eq!(game.to_usi_line(), "startpos moves 2g2f 8c8d 7g7f 8d8e resign");
/// assert_eq!(game.to_usen(), "~0.6y236e7ku4be.r");
/// # Ok::<(), komadai_kifu::KifuError>(())
/// ```
///
/// # Errors
///
/// If the text has no lines, or is longer than a MiB, also in a lenient reading. If `tolerance` is
/// strict, the first fault.
pub fn parse_usen(text: impl AsRef<[u8]>, tolerance: Tolerance) -> Result<Loaded, KifuError> {
    let text = to_utf8(text.as_ref());
    let text = text.strip_prefix(BOM).unwrap_or(&text);
    if text.len() > MAX_BYTES {
        let kind = TextFaultKind::LineTooLong { limit: MAX_BYTES };
        return Err(TextFault::in_line(1, kind).into());
    }
    let hinted = |fault: TextFault| with_format_hint(fault.into(), KifuFormat::Usen, text);
    let decoded = str::from_utf8(text.trim_ascii()).map_err(|_| {
        hinted(TextFault::in_line(1, TextFaultKind::Encoding { expected: "UTF-8" }))
    })?;
    let Some((start, lines)) = decoded.split_once('~') else {
        let first = decoded.lines().next().unwrap_or_default();
        return Err(hinted(TextFault::syntax(1, 1, first, "lines of moves such as `~0.7ku2jm.`")));
    };
    let mut reader = Reader::new(start, tolerance)?;
    let mut at = start.len() + 1;
    for section in lines.split('~') {
        reader.read_section(section, at)?;
        at += section.len() + 1;
    }
    Ok(Loaded { records: vec![reader.record], skipped: reader.skipped })
}

impl Record {
    /// Returns start, moves and ends of the record and its variations in USEN.
    ///
    /// Ends other than resignation, time, foul of the side to move, interruption and impasse have
    /// no letter and are left out, and so are header, times, comments and the number of the first
    /// move.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_kifu::{Tolerance, parse_usi_games};
    ///
    /// let games = parse_usi_games("startpos moves 2g2f 8c8d 7g7f 8d8e", Tolerance::Strict)?;
    /// assert_eq!(games.records[0].to_usen(), "~0.6y236e7ku4be.");
    /// # Ok::<(), komadai_kifu::KifuError>(())
    /// ```
    pub fn to_usen(&self) -> String {
        let mut forks = self.forks();
        let mut text = start_text(&self.setup);
        // The last on the stack is written first: the variations of later moves, so that the moves
        // before a variation are always those of the line before it.
        let mut pending = vec![Line::Main];
        while let Some(line) = pending.pop() {
            let first = self.first_ply(line);
            text += &format!("~{}.", first.saturating_sub(1));
            self.moves_of(line).iter().for_each(|played| text.push_str(&digits_of(played.m)));
            let end = self.end_of(line).map(|end| &end.kind);
            let letter = ENDS.iter().find(|(_, kind)| Some(kind) == end);
            text.push('.');
            text.push_str(letter.map_or("", |(letter, _)| letter));
            for ply in first..=first + self.moves_of(line).len() {
                pending.extend(forks.remove(&(line, ply)).into_iter().flatten().rev());
            }
        }
        text
    }
}

#[derive(Debug)]
struct Reader {
    board: Board,
    record: Record,
    /// The line read last.
    last: Option<Line>,
    tolerance: Tolerance,
    skipped: Skipped<KifuError>,
}

impl Reader {
    fn new(start: &str, tolerance: Tolerance) -> Result<Self, KifuError> {
        let setup = setup_of(start)?;
        let (board, validity) = Board::new(setup.clone());
        let record = Record::new(setup);
        let mut reader = Self { board, record, last: None, tolerance, skipped: Skipped::default() };
        reader.tolerate(validity.map_err(|error| KifuError::StartPosition { line: 1, error }))?;
        Ok(reader)
    }

    /// Reads a line, whose text starts at the byte `at`.
    fn read_section(&mut self, section: &str, at: usize) -> Result<(), KifuError> {
        let expected = "a line such as `0.7ku2jm.r`: moves before it, moves, end";
        let mut parts = section.splitn(3, '.');
        let (before, moves) = (parts.next().unwrap_or(""), parts.next());
        let made = self.board.made();
        let number = if before.is_empty() { Ok(0) } else { before.parse::<usize>() };
        let (Ok(before), Some(moves)) = (number, moves) else {
            return self.skip(TextFault::syntax(1, at + 1, section, expected));
        };
        let Some(line) = self.new_line(before) else {
            let expected = match made {
                0 => "no moves before the first line",
                _ => "no more moves before a variation than the line before it has",
            };
            return self.skip(TextFault::syntax(1, at + 1, section, expected));
        };
        let at = at + section.find('.').unwrap_or(0) + 1;
        let lost = self.read_moves(line, moves, at)?;
        let mut end_word = None;
        // Without a move, a variation is no line that could have an end.
        let is_lost = lost.is_some() && line != Line::Main && self.record.moves_of(line).is_empty();
        if let Some(word) = parts.next().filter(|word| !word.is_empty() && !is_lost) {
            // An illegal move may follow its letter.
            let known = |letter: &str| letter == word || (letter == "i" && word.starts_with('i'));
            let end = ENDS.iter().find(|(letter, _)| known(letter)).map(|(_, kind)| kind.clone());
            let end = end.unwrap_or_else(|| EndKind::Other(word.to_owned()));
            let side = self.board.side();
            let has_odd_rest = lost.as_ref().is_some_and(|(_, lost)| !lost.is_multiple_of(2));
            let stated = if has_odd_rest { !side } else { side };
            *self.record.end_of_mut(line) = Some(End::new(end.of_player(stated, side, word)));
            end_word = Some(shorten(word));
        }
        if let Some((fault, moves)) = lost {
            let end = end_word;
            self.tolerate(Err(KifuError::MovesLost { fault: Box::new(fault), moves, end }))?;
            if line == Line::Main {
                self.skipped.add_lost_moves(moves);
            }
        }
        Ok(())
    }

    /// Begins the line after the first `before` moves of the line read last.
    fn new_line(&mut self, before: usize) -> Option<Line> {
        if before > self.board.made() {
            return None;
        }
        let Some(mut parent) = self.last else {
            self.last = Some(Line::Main);
            return Some(Line::Main);
        };
        while self.board.made() > before {
            self.board.undo();
        }
        let ply = before + 1;
        while let (Line::Variation(index), true) = (parent, self.record.first_ply(parent) > ply) {
            parent = self.record.variations[index].parent;
        }
        let line = self.record.add_variation(parent, ply).ok()?;
        self.last = Some(line);
        Some(line)
    }

    /// Reads the moves of a line, up to the first that cannot be made: those after it refer to an
    /// unknown board. Of such a line, returns the fault and the number of moves from there on.
    fn read_moves(
        &mut self,
        line: Line,
        moves: &str,
        at: usize,
    ) -> Result<Option<(KifuError, u64)>, KifuError> {
        let expected = "a move of three digits of base 36, such as `7ku`";
        let chunks = moves.as_bytes().chunks(3);
        let count = chunks.len();
        for (index, digits) in chunks.enumerate() {
            let column = at + 3 * index + 1;
            let ply = self.board.made() + 1;
            let text = String::from_utf8_lossy(digits);
            let played = match move_of(digits) {
                None => Err((TextFault::syntax(1, column, &text, expected).into(), false)),
                Some(m) => self.board.play(m).map_err(|foul| {
                    let (line, text, reason) = (1, shorten(&text), foul.reason);
                    (KifuError::IllegalMove { line, column, ply, text, reason }, foul.was_made)
                }),
            };
            match played {
                Err((fault, false)) if self.tolerance == Tolerance::Lenient => {
                    return Ok(Some((fault, (count - index) as u64)));
                }
                Err((fault, _)) => self.tolerate(Err(fault))?,
                Ok(()) => {}
            }
            if let Some(made) = self.board.last_move() {
                self.record.moves_of_mut(line).push(RecordMove::new(made));
            }
        }
        Ok(None)
    }

    fn skip(&mut self, fault: TextFault) -> Result<(), KifuError> {
        self.tolerate(Err(fault.into()))
    }

    fn tolerate(&mut self, read: Result<(), KifuError>) -> Result<(), KifuError> {
        match (read, self.tolerance) {
            (Err(fault), Tolerance::Lenient) => {
                self.skipped.add(fault);
                Ok(())
            }
            (read, _) => read,
        }
    }
}

/// Returns the start position: the even game, or an SFEN with other characters for those that
/// addresses do not allow, and without move number.
fn setup_of(start: &str) -> Result<Setup, KifuError> {
    if start.is_empty() {
        return Ok(Setup::hirate());
    }
    let sfen = start.replace('_', "/").replace('.', " ").replace('z', "+");
    let has_ply = sfen.split_ascii_whitespace().count() > 3;
    let sfen = if has_ply { sfen } else { format!("{sfen} 1") };
    Setup::from_sfen(&sfen).map_err(|error| KifuError::Usi { line: 1, error: error.into() })
}

fn start_text(setup: &Setup) -> String {
    let start = Setup { ply: 1, ..setup.clone() };
    if start == Setup::hirate() {
        return String::new();
    }
    let sfen = start.to_string();
    let sfen = sfen.rsplit_once(' ').map_or(sfen.as_str(), |(sfen, _ply)| sfen);
    sfen.replace('/', "_").replace(' ', ".").replace('+', "z")
}

/// Returns the number of a square: rank by rank, from file 1 to file 9.
fn number_of(square: Square) -> usize {
    square.rank().index() * 9 + square.file().index()
}

fn square_of(number: usize) -> Option<Square> {
    if number < 81 { Square::from_index(number % 9 * 9 + number / 9) } else { None }
}

fn digits_of(m: Move) -> String {
    let dropped = |kind| HAND.iter().find(|&&(_, held)| held == kind).map_or(0, |&(at, _)| at);
    let origin = match (m.from(), m.dropped()) {
        (Some(from), _) => number_of(from),
        (None, kind) => DROPS + kind.map_or(0, dropped),
    };
    let number = (origin * 81 + number_of(m.to())) * 2 + usize::from(m.is_promotion());
    const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
    [number / 1296, number / 36 % 36, number % 36]
        .map(|digit| char::from(DIGITS[digit]))
        .iter()
        .collect()
}

fn move_of(digits: &[u8]) -> Option<Move> {
    let &[a, b, c] = digits else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(36).map(|digit| digit as usize);
    let number = digit(a)? * 1296 + digit(b)? * 36 + digit(c)?;
    let (origin, to, promotes) = (number / 162, square_of(number / 2 % 81)?, number % 2 == 1);
    match square_of(origin) {
        Some(from) if from == to => None,
        Some(from) if promotes => Some(Move::promotion(from, to)),
        Some(from) => Some(Move::new(from, to)),
        None if promotes => None,
        None => {
            let held = HAND.iter().find(|&&(at, _)| DROPS + at == origin);
            held.map(|&(_, kind)| Move::drop(kind, to))
        }
    }
}
