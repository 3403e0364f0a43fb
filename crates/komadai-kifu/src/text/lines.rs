//! The lines of a text of games, with the tolerance for faults in them.

use std::borrow::Cow;
use std::io::{self, BufRead};

use crate::comment::Comment;
use crate::error::KifuError;
use crate::kifu_format::KifuFormat;
use crate::text::encoding::{Decoded, Decoder, Encodings};
use crate::text::format_hint::with_format_hint;
use crate::text::resumed::Resumed;
use komadai_base::reading::{LineReader, Skipped, TextFault, TextFaultKind, Tolerance};

/// The size of the start of a text that is kept until the first fault, to tell the format from it.
const START_BYTES: usize = 4096;

/// Longest line that is read, in bytes. Programs write principal variations of some hundred moves
/// on one line, a KI2 file may have whole games on one, and a list in USI has games of any length.
const MAX_LINE_BYTES: usize = 1 << 20;

/// A decoded line.
#[derive(Debug)]
pub(crate) struct TextLine {
    pub(crate) text: String,
    /// The line number, from 1.
    pub(crate) number: u64,
}

impl TextLine {
    /// Returns the column of a part of the line.
    pub(crate) fn column_of(&self, part: &str) -> usize {
        // The difference of the addresses is the offset of the part.
        let offset = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        self.text.get(..offset).map_or(0, |before| before.chars().count()) + 1
    }

    /// Returns the fault of a part of the line.
    pub(crate) fn syntax(&self, found: &str, expected: &'static str) -> KifuError {
        TextFault::syntax(self.number, self.column_of(found), found, expected).into()
    }
}

/// The size of the header and the comments of a game that is being read.
#[derive(Debug, Default)]
pub(crate) struct TextSize(usize);

impl TextSize {
    /// Largest amount of header and comment text in one game, in bytes.
    const MAX: usize = 16 << 20;

    pub(crate) fn add(&mut self, line: u64, bytes: usize) -> Result<(), KifuError> {
        if self.0 + bytes > Self::MAX {
            let what = "bytes of comments and header";
            return Err(KifuError::GameTooLong { line, what, limit: Self::MAX });
        }
        // An empty line of comment takes memory as well, so each entry counts its own size.
        self.0 += bytes + size_of::<Comment>();
        Ok(())
    }
}

/// The part of a line of moves that is left out after a move that cannot be made or read.
#[derive(Debug)]
pub(crate) struct Cut {
    /// The index of the fault among those listed.
    listed: usize,
    pub(crate) of: CutLine,
    /// The number of moves, the faulty one included.
    pub(crate) moves: u64,
    /// The word for the end after them.
    pub(crate) end: Option<String>,
}

/// The line of a part that is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CutLine {
    /// The moves of the game.
    Game,
    /// A variation, whose moves before the part are in the record.
    Variation,
    /// A variation that is left out as a whole, because its start is unknown.
    UnknownVariation,
}

/// Decoded lines from a source of any length. A lenient reading skips and counts faults.
#[derive(Debug)]
pub(crate) struct TextLines<R> {
    lines: LineReader<Resumed<R>>,
    /// Changed by formats that name their encoding.
    pub(crate) decoder: Decoder,
    pub(crate) tolerance: Tolerance,
    pub(crate) format: KifuFormat,
    pub(crate) skipped: Skipped<KifuError>,
    /// A line that was read ahead and belongs to the next game.
    pub(crate) given_back: Option<TextLine>,
    /// The memory of a line that is no longer needed, so that the next one needs no allocation.
    pub(crate) spare: String,
    /// Lines in another encoding than the one that a name states, until a line shows it.
    pending: Vec<TextFault>,
    /// The failure of a source that is cut off, which ends the text in a lenient reading.
    pub(crate) failure: Option<KifuError>,
}

impl<R: BufRead> TextLines<R> {
    /// Creates the lines of `reader`.
    pub(crate) fn new(reader: Resumed<R>, tolerance: Tolerance, format: KifuFormat) -> Self {
        let mut decoder = Decoder::new(match format {
            KifuFormat::Usi => Encodings::Utf8,
            _ => Encodings::Japanese,
        });
        if reader.is_named_utf8 {
            decoder.expect_utf8_by_name();
        }
        Self {
            lines: LineReader::new(reader, MAX_LINE_BYTES).keeping_start(START_BYTES),
            decoder,
            tolerance,
            format,
            skipped: Skipped::default(),
            given_back: None,
            spare: String::new(),
            pending: Vec::new(),
            failure: None,
        }
    }

    /// Returns the next line, or `None` after the last: in a lenient reading also where a source is
    /// cut off, so that the game before that place is kept; the failure is kept, too.
    pub(crate) fn next_line(&mut self) -> Result<Option<TextLine>, KifuError> {
        if let Some(line) = self.given_back.take() {
            return Ok(Some(line));
        }
        if self.lines.number() == 0 && self.lines.has_mark() {
            self.decoder.expect_utf8_by_mark();
        }
        if self.failure.is_some() {
            return Ok(None);
        }
        loop {
            let bytes = match self.lines.next_line() {
                Ok(None) => return Ok(None),
                Ok(Some(bytes)) => bytes,
                Err(fault) if is_cut_off(&fault) && self.tolerance == Tolerance::Lenient => {
                    self.failure = Some(fault.into());
                    return Ok(None);
                }
                Err(fault) => {
                    self.tolerate(fault.into())?;
                    continue;
                }
            };
            let Decoded { text, fault, is_pending } = self.decoder.decode(bytes);
            // A copy, because the buffer of the line is used again for the next one.
            let text = match text {
                Cow::Owned(text) => text,
                Cow::Borrowed(text) => {
                    let mut copy = std::mem::take(&mut self.spare);
                    copy.clear();
                    copy.push_str(text);
                    copy
                }
            };
            let number = self.lines.number();
            let fault = fault.map(|kind| TextFault::in_line(number, kind));
            if is_pending && self.pending.len() < Skipped::<KifuError>::LISTED {
                self.pending.extend(fault);
            } else if let Some(fault) = fault.filter(|_| !is_pending) {
                self.tolerate(fault.into())?;
            }
            if !self.pending.is_empty() && self.decoder.has_utf8() {
                for fault in std::mem::take(&mut self.pending) {
                    self.tolerate(fault.into())?;
                }
            }
            return Ok(Some(TextLine { text, number }));
        }
    }

    /// Returns the number of the line read last from the source, from 1; 0 before the first.
    pub(crate) fn number(&self) -> u64 {
        self.lines.number()
    }

    /// Reads the text of a format that is no list of lines, up to the first byte after `max_bytes`.
    pub(crate) fn whole(&mut self, max_bytes: usize) -> Result<Vec<u8>, KifuError> {
        let whole = self.lines.read_whole(max_bytes as u64 + 1);
        Ok(whole.map_err(|error| TextFault::in_line(1, TextFaultKind::Io(error)))?)
    }

    /// Names a part of the text that is unusual, and read nevertheless: no fault of a strict
    /// reading.
    pub(crate) fn remark(&mut self, fault: KifuError) {
        if self.tolerance == Tolerance::Lenient {
            self.skipped.add(fault);
        }
    }

    /// Counts a fault if the reading is lenient and can continue, else returns it. The first fault
    /// names the format of a text that is another one.
    pub(crate) fn tolerate(&mut self, fault: KifuError) -> Result<(), KifuError> {
        let fault = with_format_hint(fault, self.format, &self.lines.take_start());
        match self.tolerance {
            Tolerance::Lenient if !fault.is_final() => {
                self.skipped.add(fault);
                Ok(())
            }
            _ => Err(fault),
        }
    }

    /// Counts the fault of a move after which a line cannot be followed, as
    /// [`tolerate`](Self::tolerate) does, and returns what is to be left out of the line.
    pub(crate) fn cut(&mut self, fault: KifuError) -> Result<Cut, KifuError> {
        let listed = self.skipped.first().len();
        self.tolerate(fault)?;
        Ok(Cut { listed, of: CutLine::Game, moves: 1, end: None })
    }

    /// Completes the fault of a line that was left out from a move on.
    pub(crate) fn finish_cut(&mut self, cut: Cut) {
        let Cut { listed, of, moves, end } = cut;
        match of {
            CutLine::Game => self.skipped.add_lost_moves(moves),
            CutLine::Variation => {}
            // The fault is that of the variation, not of a move.
            CutLine::UnknownVariation => return,
        }
        let complete = |fault| KifuError::MovesLost { fault: Box::new(fault), moves, end };
        self.skipped.complete(listed, complete);
    }
}

/// Checks for a compressed file that ends too early. What was read before is right, unlike before a
/// wrong checksum.
fn is_cut_off(fault: &TextFault) -> bool {
    matches!(&fault.kind, TextFaultKind::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof)
}
