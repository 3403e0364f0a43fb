//! A certificate read line by line.

use std::io::{BufRead, Read as _};

use komadai_core::{Move, Position};

use super::error::CertificateError;
use super::listing::{Claim, HEADER};

/// Largest length of a line in bytes: 593 moves, each with a reply, take less than 8 KiB.
const MOST_BYTES: usize = 1 << 14;

/// The lines of a certificate, one at a time.
#[derive(Debug)]
pub(super) struct Reader<R> {
    source: R,
    /// Number of the line that was read last.
    line: u64,
    claim: Claim,
    listed: u64,
    buffer: Vec<u8>,
}

/// A line about a position.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) line: u64,
    /// The position, with the attacker to move.
    pub(super) position: Position,
    /// The stated number of plies to the mate; 0 in a proof of no mate.
    pub(super) plies: u32,
    /// The check that mates, or the checks with a reply to each.
    pub(super) moves: Vec<Move>,
}

impl<R: BufRead> Reader<R> {
    /// Reads the header and the claim.
    pub(super) fn new(source: R) -> Result<Self, CertificateError> {
        let buffer = Vec::new();
        let mut reader = Self { source, line: 0, claim: Claim::NoMate, listed: 0, buffer };
        let header = reader.next_line()?;
        if header != HEADER {
            return Err(CertificateError::syntax(1, &header, HEADER));
        }
        let text = reader.next_line()?;
        let expected = "`claim nomate`, or `claim mate` and the number of plies";
        reader.claim = match text.strip_prefix("claim ") {
            Some("nomate") => Claim::NoMate,
            Some(claim) => match claim.strip_prefix("mate ").and_then(number) {
                Some(plies) => Claim::MateWithin(plies),
                None => return Err(CertificateError::syntax(2, &text, expected)),
            },
            None => return Err(CertificateError::syntax(2, &text, expected)),
        };
        Ok(reader)
    }

    pub(super) fn claim(&self) -> Claim {
        self.claim
    }

    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// Reads the next position; `None` after the last line.
    pub(super) fn next(&mut self) -> Result<Option<Listed>, CertificateError> {
        let text = self.next_line()?;
        let line = self.line;
        let syntax = |found, expected| Err(CertificateError::syntax(line, found, expected));
        if let Some(count) = text.strip_prefix("end ") {
            let Some(stated) = number(count) else {
                return syntax(count, "the number of positions");
            };
            let stated = u64::from(stated);
            let found = self.listed;
            if stated != found {
                return Err(CertificateError::WrongCount { line, stated, found });
            }
            let rest = self.next_line_or_end()?;
            return match rest {
                Some(rest) => Err(CertificateError::syntax(self.line, &rest, "nothing more")),
                None => Ok(None),
            };
        }
        self.listed += 1;
        let Some((position, rest)) = text.split_once(':') else {
            return syntax(&text, "a position and a colon, or `end` and the number of positions");
        };
        // A position with a move number would be read as well, but would be a second text of the
        // same.
        if position.split(' ').count() != 3 {
            return syntax(position, "board, side and hands separated by blanks");
        }
        let position = Position::from_sfen(position);
        let position = position.map_err(|error| CertificateError::Position { line, error })?;
        let mut words = rest.split_ascii_whitespace();
        let mut plies = 0;
        if matches!(self.claim, Claim::MateWithin(_)) {
            let word = words.next().unwrap_or_default();
            let Some(stated @ 1..) = number(word) else {
                return syntax(word, "the number of plies, 1 or more");
            };
            plies = stated;
        }
        let mut moves = Vec::new();
        for word in words {
            let Ok(m) = word.parse() else { return syntax(word, "a move in USI notation") };
            moves.push(m);
        }
        match self.claim {
            Claim::MateWithin(_) if moves.len() != 1 => syntax(rest, "plies and one move"),
            Claim::NoMate if moves.len() % 2 != 0 => syntax(rest, "a reply after each check"),
            _ => Ok(Some(Listed { line, position, plies, moves })),
        }
    }

    fn next_line(&mut self) -> Result<String, CertificateError> {
        let line = self.next_line_or_end()?;
        line.ok_or_else(|| CertificateError::syntax(self.line, "", "another line, `end` at last"))
    }

    fn next_line_or_end(&mut self) -> Result<Option<String>, CertificateError> {
        self.line += 1;
        let line = self.line;
        self.buffer.clear();
        // One byte more than allowed tells a line that is too long from one that just fits.
        let mut source = self.source.by_ref().take(MOST_BYTES as u64 + 1);
        source
            .read_until(b'\n', &mut self.buffer)
            .map_err(|error| CertificateError::Io { line, error })?;
        if self.buffer.len() > MOST_BYTES {
            return Err(CertificateError::LineTooLong { line, limit: MOST_BYTES });
        }
        if self.buffer.is_empty() {
            return Ok(None);
        }
        let text = self.buffer.strip_suffix(b"\n").unwrap_or(&self.buffer);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        let mark = if line == 1 { "\u{feff}" } else { "" };
        let text = text.strip_prefix(mark.as_bytes()).unwrap_or(text);
        if !text.is_ascii() {
            let found = String::from_utf8_lossy(text);
            return Err(CertificateError::syntax(line, &found, "ASCII text"));
        }
        Ok(Some(String::from_utf8_lossy(text).into_owned()))
    }
}

/// A number of decimal digits only.
fn number(text: &str) -> Option<u32> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

/// The position as SFEN without the move number.
pub(super) fn placement(position: &Position) -> String {
    let mut sfen = position.to_string();
    let end = sfen.rfind(' ').unwrap_or(sfen.len());
    sfen.truncate(end);
    sfen
}
