//! Writing records as `.db`.

use std::fmt::Write as _;
use std::io::{self, Write};

use komadai_core::{Score, Setup};

use super::parser::DbHeader;
use super::{COUNT_PREFIX, HEADER, MAX_COMMENT_BYTES, MAX_LINE_BYTES, NONE, POSITION_WORD};
use crate::conversion_loss::ConversionLoss;
use crate::record::{BookRecord, RecordMove};

/// Writes a `.db` book record by record.
///
/// Records are written in the order in which they come, and their moves in the order of the record.
/// Programs that search the file on disk require it sorted: see
/// [`sort_records`](crate::sorting::sort_records). Records read by
/// [`DbReader`](crate::db::DbReader) and written are read as the same again. The format has no
/// fields for marks, results and evaluations of positions; they are counted as [`ConversionLoss`].
///
/// # Examples
///
/// ```
/// use komadai_bookfile::{BookRecord, MoveMark, RecordMove};
/// use komadai_bookfile::db::DbWriter;
/// use komadai_core::{Position, Score};
///
/// let mut start = BookRecord::new(Position::hirate());
/// start.comment = "where every game begins".to_owned();
/// let m = RecordMove::new("7g7f".parse()?);
/// start.moves.push(RecordMove { score: Some(Score::cp(35)), mark: Some(MoveMark::Good), ..m });
///
/// let mut writer = DbWriter::new(Vec::new())?;
/// writer.write(&start)?;
/// let (text, lost) = writer.finish()?;
/// assert_eq!(String::from_utf8(text)?, "\
/// ##YANEURAOU-DB2016 1.00
/// sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
/// ##where every game begins
/// 7g7f none 35 none
/// ".replace("##", "#"));
/// assert_eq!(lost.to_string(), "marks on moves: 1\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DbWriter<W> {
    out: W,
    /// The text of one record, so that `out` is called once per record.
    text: String,
    lost: ConversionLoss,
    announced: Option<u64>,
    written: u64,
}

impl<W: Write> DbWriter<W> {
    /// Starts a book.
    ///
    /// # Errors
    ///
    /// If `out` fails.
    pub fn new(out: W) -> io::Result<Self> {
        Self::with_header(out, &DbHeader::default())
    }

    /// Starts a book that announces its number of positions.
    ///
    /// # Errors
    ///
    /// If `out` fails.
    pub fn with_count(out: W, positions: u64) -> io::Result<Self> {
        Self::with_header(out, &DbHeader { positions: Some(positions), ..DbHeader::default() })
    }

    /// Starts a book with a header.
    ///
    /// # Errors
    ///
    /// If `out` fails.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_bookfile::db::{DbHeader, DbWriter};
    ///
    /// let header = DbHeader { comment: "my book".to_owned(), ..DbHeader::default() };
    /// let (text, _) = DbWriter::with_header(Vec::new(), &header)?.finish()?;
    /// assert_eq!(text, b"#YANEURAOU-DB2016 1.00\n#my book\n");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn with_header(out: W, header: &DbHeader) -> io::Result<Self> {
        let mut writer = Self {
            out,
            text: format!("{HEADER}\n"),
            lost: ConversionLoss::default(),
            announced: header.positions,
            written: 0,
        };
        if let Some(positions) = header.positions {
            write!(writer.text, "{COUNT_PREFIX}{positions}").expect("a text takes everything");
            if !header.more.is_empty() {
                writer.text.push(',');
                writer.text.extend(header.more.chars().filter(|c| !c.is_ascii_control()));
            }
            writer.text.push('\n');
        }
        let is_count = |line| DbHeader::default().read_count(&format!("#{line}"));
        if header.positions.is_none() && comment_lines(&header.comment).any(is_count) {
            // A reader would take that line for the announcement of the number of positions.
            writer.lost.comments += 1;
        } else {
            writer.push_comment(&header.comment, &mut { MAX_COMMENT_BYTES });
        }
        writer.write_text()?;
        Ok(writer)
    }

    /// Writes a position and its moves.
    ///
    /// # Errors
    ///
    /// If `out` fails.
    pub fn write(&mut self, record: &BookRecord) -> io::Result<()> {
        self.count_lost(record);
        self.text.push_str(POSITION_WORD);
        self.text.push(' ');
        push_sfen(&mut self.text, record);
        self.text.push('\n');
        let mut room = MAX_COMMENT_BYTES;
        self.push_comment(&record.comment, &mut room);
        for listed in &record.moves {
            push_move(&mut self.text, listed);
            self.push_comment(&listed.comment, &mut room);
        }
        self.written += 1;
        self.write_text()
    }

    /// The data omitted so far.
    pub fn lost(&self) -> &ConversionLoss {
        &self.lost
    }

    /// The number of positions written so far.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Ends the book, and returns the output and the data that was omitted.
    ///
    /// # Errors
    ///
    /// If `out` fails, or ([`InvalidInput`](io::ErrorKind::InvalidInput)) if the number of
    /// positions written is not the number announced.
    pub fn finish(mut self) -> io::Result<(W, ConversionLoss)> {
        if let Some(announced) = self.announced.filter(|&announced| announced != self.written) {
            let message = format!("{announced} positions were announced, {} written", self.written);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        self.out.flush()?;
        Ok((self.out, self.lost))
    }

    fn count_lost(&mut self, record: &BookRecord) {
        let marks = record.moves.iter().filter(|listed| listed.mark.is_some());
        self.lost.marks += marks.count() as u64;
        self.lost.results += u64::from(record.results.is_some());
        self.lost.evals += record.evals.len() as u64;
        let values = record.moves.iter().filter_map(|listed| listed.score);
        self.lost.values += values.filter(|&score| clamp_score(score) != score).count() as u64;
        self.lost.plies += u64::from(record.ply.is_some_and(|ply| ply > Setup::MAX_PLY));
    }

    /// Appends a comment, line by line, unless it is longer than a reader accepts.
    fn push_comment(&mut self, comment: &str, room: &mut usize) {
        if comment.is_empty() {
            return;
        }
        // The reader counts each line with its line end.
        let bytes = comment.len() + 1;
        if bytes > *room || comment_lines(comment).any(|line| line.len() >= MAX_LINE_BYTES) {
            self.lost.comments += 1;
            return;
        }
        *room -= bytes;
        for line in comment_lines(comment) {
            self.text.push('#');
            self.text.push_str(line);
            self.text.push('\n');
        }
    }

    fn write_text(&mut self) -> io::Result<()> {
        self.out.write_all(self.text.as_bytes())?;
        self.text.clear();
        Ok(())
    }
}

/// The lines of a comment, with any line ends.
fn comment_lines(comment: &str) -> impl Iterator<Item = &str> {
    comment.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
}

/// The value clamped to the range of a book: the bounds of an open search window are outside it.
fn clamp_score(score: Score) -> Score {
    score.clamp(-Score::MATE, Score::MATE)
}

/// Appends the SFEN of a record's position, with its move number if it has one. Books are sorted by
/// the bytes of this text.
pub(crate) fn push_sfen(text: &mut String, record: &BookRecord) {
    // Written with a move number of one digit, which is then removed: the text of a setup always
    // has a move number.
    let setup = Setup { ply: 1, ..record.position.to_setup() };
    write!(text, "{setup}").expect("a text takes everything");
    let without_ply = text.len() - " 1".len();
    text.truncate(without_ply);
    if let Some(ply) = record.ply {
        write!(text, " {}", ply.min(Setup::MAX_PLY)).expect("a text takes everything");
    }
}

/// Appends the line of a move. An absent item before the last is `none`: programs that take runs of
/// blanks for one separator would otherwise confuse the columns.
fn push_move(text: &mut String, listed: &RecordMove) {
    let RecordMove { m, ponder, score, depth, count, .. } = listed;
    write!(text, "{m}").expect("a text takes everything");
    push_word(text, *ponder);
    push_word(text, score.map(|score| clamp_score(score).raw()));
    push_word(text, *depth);
    if count.is_some() {
        push_word(text, *count);
    }
    text.push('\n');
}

/// Appends a column, `none` for an unknown value.
fn push_word(text: &mut String, word: Option<impl std::fmt::Display>) {
    match word {
        Some(word) => write!(text, " {word}"),
        None => write!(text, " {NONE}"),
    }
    .expect("a text takes everything");
}
