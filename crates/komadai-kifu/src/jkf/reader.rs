//! The JKF reader.

use std::borrow::Cow;
use std::time::Duration;

use komadai_core::Color;
use serde_json::{Map, Value};

use super::json::{Document, Entries, array, field, number, object, text};
use super::start::read_start;
use super::written_move::WrittenMove;
use crate::board::Board;
use crate::comment::Comment;
use crate::csa::end_of;
use crate::end::{End, EndKind};
use crate::error::KifuError;
use crate::jkf_fault::{JkfFault, JkfFaultKind};
use crate::kakinoki::ends::end_of as end_in_words;
use crate::kakinoki::keys::key_of;
use crate::kifu_format::KifuFormat;
use crate::loaded::Loaded;
use crate::record::Record;
use crate::record_move::RecordMove;
use crate::text::encoding::{Decoder, Encodings};
use crate::text::format_hint::with_format_hint;
use crate::text::shorten;
use crate::text::utf16::to_utf8;
use crate::variation::Line;
use komadai_base::reading::{BOM, Skipped, TextFault, Tolerance};

/// Reads the game of a JKF text in memory.
///
/// Moves may be minimal: what is missing of colour, origin, captured piece and kind is taken from
/// the board. Forks become variations. A comment that begins with `&` is a bookmark.
///
/// A lenient reading skips a faulty part and cuts a line at a move that cannot be carried out. It
/// keeps an illegal move that can be carried out on the board.
///
/// # Errors
///
/// If the text is not JSON or has no moves, also in a lenient reading. If `tolerance` is strict,
/// the first fault, with its path.
///
/// # Examples
///
/// ```
/// use komadai_kifu::{Tolerance, parse_jkf};
///
/// let text = r#"{"header":{"先手":"A"},"initial":{"preset":"HIRATE"},"moves":[{},
///     {"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"color":0,"piece":"FU"}},
///     {"move":{"from":{"x":3,"y":3},"to":{"x":3,"y":4}}},
///     {"special":"TORYO"}]}"#;
/// let games = parse_jkf(text, Tolerance::Strict)?;
/// assert_eq!(games.records[0].to_usi().to_string(), "startpos moves 7g7f 3c3d");
/// # Ok::<(), komadai_kifu::KifuError>(())
/// ```
pub fn parse_jkf(text: impl AsRef<[u8]>, tolerance: Tolerance) -> Result<Loaded, KifuError> {
    let text = to_utf8(text.as_ref());
    let text = text.strip_prefix(BOM).unwrap_or(&text);
    let (text, mut skipped) = readable(text, tolerance)?;
    let text = &*text;
    // An array would be taken for the fields in their order.
    if !text.trim_ascii_start().starts_with(b"{") {
        let start = String::from_utf8_lossy(&text[..text.len().min(200)]);
        let found = Value::String(start.into_owned());
        let fault = JkfFault::unexpected(&found, "an object with `header` and `moves`").into();
        return Err(with_format_hint(fault, KifuFormat::Jkf, text));
    }
    let document: Document = serde_json::from_slice(text).map_err(JkfFault::from)?;
    let moves =
        array(&document.moves, "an array of moves").map_err(|fault| fault.within("moves"))?;
    let mut reader = Reader::new(tolerance, &document.initial)?;
    reader.read_header(&document.header)?;
    reader.read_lines(moves)?;
    skipped.append(reader.skipped);
    Ok(Loaded { records: vec![reader.record], skipped })
}

/// Returns a text in UTF-8. Lines in another encoding, or with bytes that are no characters, are
/// faults that a lenient reading skips.
fn readable(
    text: &[u8],
    tolerance: Tolerance,
) -> Result<(Cow<'_, [u8]>, Skipped<KifuError>), KifuError> {
    let mut skipped = Skipped::default();
    if str::from_utf8(text).is_ok() {
        return Ok((Cow::Borrowed(text), skipped));
    }
    let mut decoder = Decoder::new(Encodings::Japanese);
    let mut readable = Vec::with_capacity(text.len());
    for (number, line) in (1..).zip(text.split(|&byte| byte == b'\n')) {
        let decoded = decoder.decode(line);
        readable.extend_from_slice(decoded.text.as_bytes());
        readable.push(b'\n');
        if let Some(kind) = decoded.fault {
            let fault = TextFault::in_line(number, kind).into();
            match tolerance {
                Tolerance::Strict => return Err(fault),
                Tolerance::Lenient => skipped.add(fault),
            }
        }
    }
    Ok((Cow::Owned(readable), skipped))
}

/// Largest size of a file in bytes. A text in memory may be longer.
pub(crate) const MAX_BYTES: usize = 64 << 20;

/// Refuses the text of a file that is longer than [`MAX_BYTES`].
pub(crate) fn check_length(text: &[u8]) -> Result<(), KifuError> {
    if text.len() > MAX_BYTES {
        let limit = MAX_BYTES as u64;
        return Err(JkfFault::new(JkfFaultKind::TooLong { limit }).into());
    }
    Ok(())
}

/// A line of moves that has still to be read.
#[derive(Debug)]
struct Pending<'a> {
    entries: &'a [Value],
    path: String,
    /// The line that it leaves, and the number of the move that it replaces; `None` for the game.
    origin: Option<(Line, usize)>,
}

/// A game that is being read.
#[derive(Debug)]
struct Reader {
    board: Board,
    record: Record,
    tolerance: Tolerance,
    skipped: Skipped<KifuError>,
    /// The fault of the last move, a foul that was made. It is none if the end of the line states
    /// the foul.
    foul: Option<JkfFault>,
}

impl Reader {
    fn new(tolerance: Tolerance, initial: &Value) -> Result<Self, KifuError> {
        let mut skipped = Skipped::default();
        let start = read_start(initial).map_err(|fault| fault.within("initial"));
        let setup = match (start, tolerance) {
            (Ok(setup), _) => setup,
            (Err(fault), Tolerance::Strict) => return Err(fault.into()),
            (Err(fault), Tolerance::Lenient) => {
                skipped.add(fault.into());
                komadai_core::Setup::hirate()
            }
        };
        let (board, validity) = Board::new(setup.clone());
        let record = Record::new(setup);
        let mut reader = Self { board, record, tolerance, skipped, foul: None };
        let fault = |error| JkfFault::new(JkfFaultKind::StartPosition(error)).within("initial");
        reader.tolerate(validity.map_err(fault))?;
        Ok(reader)
    }

    fn read_header(&mut self, header: &Entries) -> Result<(), KifuError> {
        for (word, value) in &header.0 {
            let value = match value {
                Value::Null => Ok(String::new()),
                Value::Number(number) => Ok(number.to_string()),
                value => text(value, "a text").map(str::to_owned),
            };
            let value = value.map_err(|fault| fault.within(word).within("header"));
            if let Some(value) = self.tolerate(value)? {
                self.record.header.push(key_of(word), value);
            }
        }
        Ok(())
    }

    /// Reads the game and its forks. The lines still to be read stand on a stack, so that the
    /// nesting of forks costs no recursion.
    fn read_lines(&mut self, moves: &[Value]) -> Result<(), KifuError> {
        let mut pending = vec![Pending { entries: moves, path: "moves".to_owned(), origin: None }];
        while let Some(next) = pending.pop() {
            // The line read before leaves the same line later, or is that line: the board of this
            // one is found by taking back moves.
            while next.origin.is_some_and(|(_, ply)| self.board.made() >= ply) {
                self.board.undo();
            }
            let line = match next.origin {
                None => Line::Main,
                Some((parent, ply)) => self
                    .record
                    .add_variation(parent, ply)
                    .expect("a fork replaces a move of its line, or follows its last"),
            };
            let first = pending.len();
            self.read_line(line, &next, &mut pending)?;
            // A fork whose first move was skipped is no line; its own forks leave its parent.
            if let (Line::Variation(_), Some((parent, _))) = (line, next.origin)
                && self.record.moves_of(line).is_empty()
                && self.record.end_of(line).is_none()
            {
                self.record.variations.pop();
                pending[first..].iter_mut().for_each(|fork| {
                    fork.origin = fork.origin.map(|(_, ply)| (parent, ply));
                });
            }
        }
        Ok(())
    }

    fn read_line<'a>(
        &mut self,
        line: Line,
        read: &Pending<'a>,
        pending: &mut Vec<Pending<'a>>,
    ) -> Result<(), KifuError> {
        for (index, entry) in read.entries.iter().enumerate() {
            let path = format!("{}[{index}]", read.path);
            let entry = object(entry, "an object with `move`, `special` or `comments`");
            let entry = self.tolerate(entry.map_err(|fault| fault.within(&path)))?;
            let Some(entry) = entry else { continue };
            let ply = self.board.made() + 1;
            let forks = self.forks_of(entry, &path, (line, ply))?;
            // The last on the stack is read first: the forks of later moves, those of one move in
            // their order.
            pending.extend(forks.into_iter().rev());
            // A move after a foul: no end can explain it.
            if entry.contains_key("move") {
                self.settle_foul(None)?;
            }
            // The moves after one that cannot be made refer to an unknown board.
            if let Some(fault) = self.read_entry(entry, &path, line)? {
                self.leave_out(&read.entries[index..], fault, line);
                return Ok(());
            }
        }
        let end = self.record.end_of(line).map(|end| end.kind.clone());
        self.settle_foul(end)
    }

    /// Counts the fault of the last move, unless the end of the line states the foul.
    fn settle_foul(&mut self, end: Option<EndKind>) -> Result<(), KifuError> {
        let side = self.board.side();
        let is_stated = end.is_some_and(|end| end.punishes_last_move(side));
        let foul = self.foul.take().filter(|_| !is_stated);
        self.tolerate(foul.map_or(Ok(()), Err)).map(drop)
    }

    /// Leaves out the moves of a line from the one with a fault on. The end is kept, because it
    /// needs no board.
    fn leave_out(&mut self, rest: &[Value], fault: JkfFault, line: Line) {
        let entries = || rest.iter().filter_map(Value::as_object);
        let moves = entries().filter(|entry| entry.contains_key("move")).count() as u64;
        let special = entries().find_map(|entry| Some((entry, entry.get("special")?.as_str()?)));
        // Without a move, a variation is no line that could have an end.
        let has_line = line == Line::Main || !self.record.moves_of(line).is_empty();
        let special = special.filter(|_| has_line && self.record.end_of(line).is_none());
        let end = special.map(|(entry, word)| {
            let side = self.board.side();
            let stated = if moves.is_multiple_of(2) { side } else { !side };
            let mut end = End::new(special_end(word, stated).of_player(stated, side, word));
            // A faulty time or comment in the part that is left out is no fault of its own.
            end.time = field(entry, "time", read_time).ok().flatten();
            end.comments =
                field(entry, "comments", read_comments).ok().flatten().unwrap_or_default().0;
            *self.record.end_of_mut(line) = Some(end);
            shorten(word)
        });
        if line == Line::Main {
            self.skipped.add_lost_moves(moves);
        }
        self.skipped.add(KifuError::MovesLost { fault: Box::new(fault.into()), moves, end });
    }

    fn forks_of<'a>(
        &mut self,
        entry: &'a Map<String, Value>,
        path: &str,
        origin: (Line, usize),
    ) -> Result<Vec<Pending<'a>>, KifuError> {
        let forks = field(entry, "forks", |forks| array(forks, "an array of forks"));
        let forks = self.tolerate(forks.map_err(|fault| fault.within(path)))?.flatten();
        let mut found = Vec::new();
        for (index, fork) in forks.unwrap_or_default().iter().enumerate() {
            let path = format!("{path}.forks[{index}]");
            let entries = array(fork, "an array of moves");
            let entries = self.tolerate(entries.map_err(|fault| fault.within(&path)))?;
            if let Some(entries) = entries.filter(|entries| !entries.is_empty()) {
                found.push(Pending { entries, path, origin: Some(origin) });
            }
        }
        Ok(found)
    }

    /// Reads one entry of a line. Returns the fault of a move that was not made, in a lenient
    /// reading.
    fn read_entry(
        &mut self,
        entry: &Map<String, Value>,
        path: &str,
        line: Line,
    ) -> Result<Option<JkfFault>, KifuError> {
        let time = field(entry, "time", read_time).map_err(|fault| fault.within(path));
        let time = self.tolerate(time)?.flatten();
        let comments = field(entry, "comments", read_comments).map_err(|fault| fault.within(path));
        let (comments, bookmark) = self.tolerate(comments)?.flatten().unwrap_or_default();
        let written = field(entry, "move", WrittenMove::read);
        let special = field(entry, "special", |word| text(word, "a word such as `TORYO`"));
        let special = self.tolerate(special.map_err(|fault| fault.within(path)))?.flatten();
        let has_move = !matches!(written, Ok(None));
        if has_move {
            let made = written.and_then(|written| match written {
                Some(written) => {
                    self.make_move(&written, line).map_err(|fault| fault.within("move"))
                }
                None => Ok(None),
            });
            let foul = match made.map_err(|fault| fault.within(path)) {
                Ok(foul) => foul,
                Err(fault) if self.tolerance == Tolerance::Strict => return Err(fault.into()),
                Err(fault) => return Ok(Some(fault)),
            };
            self.foul = foul.map(|foul| foul.within("move").within(path));
        }
        if let Some(word) = special {
            let fault = JkfFault::missing("one end of a line only").within("special").within(path);
            let is_first = self.record.end_of(line).is_none();
            self.tolerate(if is_first { Ok(()) } else { Err(fault) })?;
            if is_first {
                let kind = special_end(word, self.board.side());
                *self.record.end_of_mut(line) = Some(End::new(kind));
            }
        }
        self.add_remarks(line, (has_move, time), comments, bookmark);
        Ok(None)
    }

    /// Makes a move and appends it to the line. The value is the fault of an illegal move that
    /// was made all the same.
    fn make_move(
        &mut self,
        written: &WrittenMove<'_>,
        line: Line,
    ) -> Result<Option<JkfFault>, JkfFault> {
        if self.record.end_of(line).is_some() {
            return Err(JkfFault::missing("no move after the end of the line"));
        }
        let ply = self.board.made() + 1;
        let m = written.resolve(&self.board)?;
        let foul = match self.board.play(m) {
            Ok(()) => None,
            Err(foul) => {
                let kind = JkfFaultKind::IllegalMove { ply, reason: foul.reason };
                let fault = JkfFault::new(kind);
                if !foul.was_made {
                    return Err(fault);
                }
                Some(fault)
            }
        };
        let made = self.board.last_move().unwrap_or(m);
        self.record.moves_of_mut(line).push(RecordMove::new(made));
        Ok(foul)
    }

    /// Adds time, comments and bookmark to the place of an entry: its end mark, its move, or the
    /// start.
    fn add_remarks(
        &mut self,
        line: Line,
        (has_move, time): (bool, Option<Duration>),
        comments: Vec<Comment>,
        bookmark: Option<String>,
    ) {
        if let (Some(end), false) = (self.record.end_of_mut(line), has_move) {
            end.time = end.time.or(time);
            end.comments.extend(comments);
            return;
        }
        match self.record.moves_of_mut(line).last_mut() {
            Some(last) => {
                last.time = last.time.or(time);
                last.comments.extend(comments);
                last.bookmark = last.bookmark.take().or(bookmark);
            }
            None => {
                self.record.comments.extend(comments);
                self.record.bookmark = self.record.bookmark.take().or(bookmark);
            }
        }
    }

    /// Counts a fault if the reading is lenient, else returns it.
    fn tolerate<T>(&mut self, read: Result<T, JkfFault>) -> Result<Option<T>, KifuError> {
        match (read, self.tolerance) {
            (Ok(value), _) => Ok(Some(value)),
            (Err(fault), Tolerance::Strict) => Err(fault.into()),
            (Err(fault), Tolerance::Lenient) => {
                self.skipped.add(fault.into());
                Ok(None)
            }
        }
    }
}

/// Returns the end for a word of CSA, or for the words of KIF in which CSA has none, with `side` to
/// move.
fn special_end(word: &str, side: Color) -> EndKind {
    match word {
        // Without its sign, the word stands for 反則勝ち: the foul was the move before.
        "ILLEGAL_ACTION" => EndKind::IllegalWin,
        word => match end_of(word, side) {
            EndKind::Other(word) => end_in_words(&word, side).unwrap_or(EndKind::Other(word)),
            kind => kind,
        },
    }
}

/// Reads the time of a move: `{"now":{"m":1,"s":25},"total":…}`. Totals follow from the times.
fn read_time(time: &Value) -> Result<Duration, JkfFault> {
    let time = object(time, "a time with `now`")?;
    let now = field(time, "now", |now| {
        let now = object(now, "a time such as `{\"m\":1,\"s\":25}`")?;
        let read = |key| field(now, key, |value| number(value, 1 << 53, "a number of this unit"));
        let (hours, minutes, seconds) = (read("h")?, read("m")?, read("s")?);
        let minutes = hours.unwrap_or(0) * 60 + minutes.unwrap_or(0);
        Ok(Duration::from_secs(minutes.saturating_mul(60).saturating_add(seconds.unwrap_or(0))))
    })?;
    now.ok_or_else(|| JkfFault::missing("the time of the move").within("now"))
}

/// Reads the lines of a comment, and the bookmark that stands among them.
fn read_comments(comments: &Value) -> Result<(Vec<Comment>, Option<String>), JkfFault> {
    let mut read = (Vec::new(), None);
    for (index, line) in array(comments, "an array of texts")?.iter().enumerate() {
        let line = text(line, "a text").map_err(|fault| fault.at(index))?;
        match line.strip_prefix('&') {
            Some(name) if read.1.is_none() => read.1 = Some(name.to_owned()),
            _ => read.0.push(Comment::Note(line.to_owned())),
        }
    }
    Ok(read)
}
