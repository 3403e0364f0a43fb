//! Problems from arguments, lists, tables, records, archives, folders and standard input, one by
//! one.

mod kind;
mod list;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, stdin};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fs, vec};

use anyhow::Context as _;
use komadai::kifu::record_files::folder::FolderFiles;
use komadai::kifu::{GameReader, Record, RecordFiles, Tolerance};
use komadai::{Move, Position};
use komadai_base::file::open_regular;
use komadai_console::describe;

use kind::{FileKind, kind_of};
use list::{Content, Found, List};

/// A problem of the input.
#[derive(Debug)]
pub(super) struct Problem {
    /// The number of the problem in the input, from 1.
    pub(super) number: u64,
    /// The first column of a table, or the place.
    pub(super) id: String,
    /// The position, or the place and the reason why there is none.
    pub(super) content: Result<Content, String>,
}

impl Problem {
    /// Returns the position, or the place and the reason why there is none.
    pub(super) fn position(&self) -> Result<Position, String> {
        match &self.content {
            Ok(Content::Position(position, _)) => Ok((**position).clone()),
            Ok(Content::Text { text, place }) => {
                list::position(text).map_err(|error| format!("{place}: {error}"))
            }
            Err(error) => Err(error.clone()),
        }
    }

    /// Returns the moves of a record; none for other problems.
    pub(super) fn moves(&self) -> &[Move] {
        match &self.content {
            Ok(Content::Position(_, moves)) => moves,
            _ => &[],
        }
    }
}

/// A source of problems.
#[derive(Debug)]
pub(super) enum Input {
    Position(Box<Position>),
    Stdin,
    /// A file or a folder.
    Path(PathBuf),
}

/// All sources of problems.
#[derive(Debug)]
pub(super) struct Inputs {
    inputs: vec::IntoIter<Input>,
    /// The size of the input in bytes, if it is a single file.
    pub(super) bytes: Option<u64>,
}

impl Inputs {
    /// Returns true for a single position.
    pub(super) fn is_position(&self) -> bool {
        matches!(self.inputs.as_slice(), [Input::Position(_)])
    }

    /// Returns these sources. Fails if a file does not exist.
    pub(super) fn of(inputs: Vec<Input>) -> anyhow::Result<Self> {
        let mut bytes = None;
        for input in &inputs {
            if let Input::Path(path) = input {
                let found = fs::metadata(path).with_context(|| path.display().to_string())?;
                bytes = (found.is_file() && inputs.len() == 1).then_some(found.len());
            }
        }
        Ok(Self { inputs: inputs.into_iter(), bytes })
    }
}

/// The problems of all sources, read one by one.
pub(super) struct Problems {
    inputs: vec::IntoIter<Input>,
    files: Option<FolderFiles>,
    open: Open,
    number: u64,
    /// The names of the open folder and file that have given no problem so far.
    barren: [Option<String>; 2],
    /// The number of bytes of files that have been read.
    read: Arc<AtomicU64>,
}

/// A file whose bytes are counted while they are read.
#[derive(Debug)]
struct Counted {
    file: File,
    read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// The file that is being read.
enum Open {
    Nothing,
    List(List<Box<dyn BufRead + Send>>),
    Records(Box<RecordFiles>),
    /// Records from standard input, with the number of the last one.
    Games(Box<GameReader<Box<dyn BufRead + Send>>>, u64),
}

impl Problems {
    pub(super) fn new(inputs: Inputs) -> Self {
        let (inputs, read) = (inputs.inputs, Arc::default());
        Self { inputs, files: None, open: Open::Nothing, number: 0, barren: [None, None], read }
    }

    /// Returns the number of bytes of lists and tables that have been read, for another thread.
    pub(super) fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.read)
    }

    /// Opens a source. Returns a problem if it consists of one or cannot be read.
    fn begin(&mut self, input: Input) -> Option<Found> {
        match input {
            Input::Position(position) => {
                Some(("-".to_owned(), Ok(Content::Position(position, Vec::new()))))
            }
            Input::Path(path) => {
                self.barren[0] = Some(path.display().to_string());
                self.files = Some(FolderFiles::open(&path, is_problem_name));
                None
            }
            Input::Stdin => {
                let opened = self.begin_stream(Box::new(BufReader::new(stdin())));
                self.barren[1] = opened.is_ok().then(|| "standard input".to_owned());
                opened.err().map(|error| ("-".to_owned(), Err(format!("standard input: {error}"))))
            }
        }
    }

    fn begin_stream(&mut self, mut reader: Box<dyn BufRead + Send>) -> Result<(), String> {
        let start = reader.fill_buf().map_err(|error| error.to_string())?;
        self.open = match kind_of(start) {
            FileKind::Archive => {
                return Err(
                    "found an archive, expected text: name the file, or use zcat".to_owned()
                );
            }
            FileKind::List(layout) => Open::List(List::new(reader, layout, "standard input")),
            FileKind::Records => {
                let games =
                    GameReader::new(reader, Tolerance::Strict).map_err(|e| e.to_string())?;
                Open::Games(Box::new(games), 0)
            }
        };
        Ok(())
    }

    fn begin_file(&mut self, path: &Path) -> Result<(), String> {
        let failed = |error: io::Error| format!("{}: {error}", path.display());
        let file = open_regular(path).map_err(failed)?;
        let counted = Counted { file, read: Arc::clone(&self.read) };
        let mut reader = BufReader::with_capacity(1 << 16, counted);
        self.open = match kind_of(reader.fill_buf().map_err(failed)?) {
            FileKind::List(layout) => {
                Open::List(List::new(Box::new(reader), layout, &path.display().to_string()))
            }
            // Faults are refused: a guessed board would be another problem.
            FileKind::Records | FileKind::Archive => {
                Open::Records(Box::new(RecordFiles::open(path, Tolerance::Strict)))
            }
        };
        Ok(())
    }

    /// Returns the next problem of the open file; `None` at its end.
    fn next_of_open(&mut self) -> Option<Found> {
        match &mut self.open {
            Open::Nothing => None,
            Open::List(list) => list.next(),
            Open::Records(files) => files.next().map(|found| {
                let place = found.place.to_string();
                content(place, found.record.map_err(|error| describe(&error.into())))
            }),
            Open::Games(games, number) => games.next().map(|record| {
                *number += 1;
                let place = format!("standard input, game {number}");
                content(place, record.map_err(|error| error.to_string()))
            }),
        }
    }

    fn next_found(&mut self) -> Option<Found> {
        loop {
            if let Some(found) = self.next_of_open() {
                self.barren = [None, None];
                return Some(found);
            }
            self.open = Open::Nothing;
            if let Some(file) = self.barren[1].take() {
                return Some(no_problem(file));
            }
            match self.files.as_mut().and_then(Iterator::next) {
                Some(Ok(path)) => {
                    let name = path.display().to_string();
                    if let Err(error) = self.begin_file(&path) {
                        return Some((name, Err(error)));
                    }
                    self.barren = [None, Some(name)];
                    continue;
                }
                Some(Err(error)) => {
                    return Some((error.path.display().to_string(), Err(error.to_string())));
                }
                None => self.files = None,
            }
            if let Some(folder) = self.barren[0].take() {
                return Some(no_problem(folder));
            }
            let input = self.inputs.next()?;
            if let Some(found) = self.begin(input) {
                return Some(found);
            }
        }
    }
}

impl Iterator for Problems {
    type Item = Problem;

    fn next(&mut self) -> Option<Problem> {
        let (id, content) = self.next_found()?;
        self.number += 1;
        Some(Problem { number: self.number, id, content })
    }
}

/// Checks for the name of a file of problems.
fn is_problem_name(path: &Path) -> bool {
    FolderFiles::is_record(path)
        || path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("tsv"))
}

fn no_problem(place: String) -> Found {
    let error = format!("{place}: found no problem, expected SFENs, a table or a record");
    (place, Err(error))
}

/// Returns the problem of the start position of a record.
fn content(place: String, record: Result<Record, String>) -> Found {
    let found = record.and_then(|record| {
        let moves = record.moves.iter().map(|played| played.m).collect();
        let position = Position::from_setup(&record.setup).map_err(|error| error.to_string())?;
        Ok(Content::Position(Box::new(position), moves))
    });
    let content = found.map_err(|error| format!("{place}: {error}"));
    (place, content)
}
