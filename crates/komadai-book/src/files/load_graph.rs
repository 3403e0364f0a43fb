//! Books of any kind as graphs.

use std::path::Path;

use komadai_base::file::open_regular;
use komadai_bookfile::BookFormat;
use komadai_bookgraph::{BookGraph, DrawValue, GraphBuilder, GraphImport};
use komadai_kifu::Tolerance;

use crate::files::book_source::{BookSource, nothing_left};
use crate::files::file_kind::FileKind;
use crate::files::input_error::InputError;
use crate::store::Store;

/// Options of [`load_graph`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct LoadOptions {
    /// The value of a draw.
    pub draw: DrawValue,
    /// The treatment of faults in book files. Stores have none to tolerate.
    pub tolerance: Tolerance,
}

/// A book as a graph, with what the graph does not contain.
#[derive(Debug)]
pub struct LoadedGraph {
    /// The positions with their propagated values.
    pub graph: BookGraph,
    /// The kind of the file: a book or a store.
    pub kind: FileKind,
    /// The number of faults that were skipped; 0 if the reading was strict.
    pub faults: u64,
    /// The faults, a line each, and the number of the remaining ones if they are many.
    pub fault_lines: String,
    /// The number of items that no walk through the file reached: see
    /// [`BookFile::unreached`](komadai_bookfile::BookFile::unreached).
    pub unreached: u64,
    /// The number of records of positions that earlier records contain, in either orientation.
    /// Where their values differ, the later one counts.
    pub repeated: u64,
}

/// Reads a book file of any format or a store, and propagates its values.
///
/// `on_record` is called after each record of a file that is read record by record; `.db` books are
/// read on all cores, and the graph of a store without a value for draws is that of
/// [`Store::graph`].
///
/// # Errors
///
/// If the file cannot be read, is no book, contains nothing but faults, or a record cannot be part
/// of a book; if the reading is strict, also the first fault.
///
/// # Examples
///
/// ```
/// use komadai_book::{LoadOptions, load_graph};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("book.db");
/// std::fs::write(&path, "#YANEURAOU-DB2016 1.00\n\
///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n7g7f none 30\n")?;
/// let book = load_graph(&path, &LoadOptions::default(), &mut || {})?;
/// assert_eq!((book.graph.positions(), book.faults), (1, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn load_graph(
    path: impl AsRef<Path>,
    options: &LoadOptions,
    on_record: &mut dyn FnMut(),
) -> Result<LoadedGraph, InputError> {
    let path = path.as_ref();
    let kind = FileKind::of_book(path)?;
    let mut read = Read::default();
    let graph = if kind == FileKind::Store && options.draw == DrawValue::default() {
        let mut store = Store::open_to_read(path)?;
        store.verify()?;
        store.graph()?
    } else {
        let mut builder = GraphBuilder::new().draw_value(options.draw);
        read = match kind.book_format() {
            Some(BookFormat::Db) => read_db(path, options.tolerance, &mut builder)?,
            _ => read_records(path, options.tolerance, &mut builder, on_record)?,
        };
        read.repeated = read.positions - builder.len() as u64;
        builder.finish().map_err(|error| InputError::Entry { path: path.to_owned(), error })?
    };
    let Read { faults, fault_lines, unreached, repeated, .. } = read;
    Ok(LoadedGraph { graph, kind, faults, fault_lines, unreached, repeated })
}

/// The counts of one reading.
#[derive(Default)]
struct Read {
    /// The number of records that have moves.
    positions: u64,
    faults: u64,
    fault_lines: String,
    unreached: u64,
    repeated: u64,
}

fn read_db(
    path: &Path,
    tolerance: Tolerance,
    builder: &mut GraphBuilder,
) -> Result<Read, InputError> {
    let file = open_regular(path).map_err(InputError::io(path))?;
    let GraphImport { read, skipped, .. } =
        builder.read_db(file, tolerance).map_err(InputError::book(path))?;
    if read == 0 && !skipped.is_empty() {
        return Err(nothing_left(path, &skipped));
    }
    let (faults, fault_lines) = (skipped.count(), skipped.to_string());
    Ok(Read { positions: read, faults, fault_lines, ..Read::default() })
}

fn read_records(
    path: &Path,
    tolerance: Tolerance,
    builder: &mut GraphBuilder,
    on_record: &mut dyn FnMut(),
) -> Result<Read, InputError> {
    let mut source = BookSource::open(path, tolerance)?;
    let mut read = Read::default();
    for record in source.by_ref() {
        on_record();
        let record = record?;
        let added = builder.add(&record);
        added.map_err(|error| InputError::Entry { path: path.to_owned(), error })?;
        read.positions += u64::from(!record.moves.is_empty());
    }
    (read.faults, read.fault_lines) = (source.skipped(), source.skipped_lines());
    Ok(Read { unreached: source.unreached(), ..read })
}

#[cfg(test)]
mod tests {
    use komadai_bookfile::{WriteOptions, write_book};
    use komadai_core::{Position, Score};

    use super::*;
    use crate::store::{Change, Deletion, KnownMove};

    const HEADER: &str = "#YANEURAOU-DB2016 1.00\n";
    const START: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";
    const TURNED: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2\n";

    fn load(path: &Path, draw: DrawValue) -> Result<LoadedGraph, InputError> {
        let options = LoadOptions { draw, tolerance: Tolerance::Lenient };
        load_graph(path, &options, &mut || {})
    }

    #[test]
    fn books_of_every_kind_have_the_same_graph() {
        let folder = tempfile::tempdir().unwrap();
        let db = folder.path().join("book.db");
        std::fs::write(&db, format!("{HEADER}{START}7g7f none 30\n2g2f none 20\n")).unwrap();
        let ybb = folder.path().join("book.ybb");
        let records = BookSource::open(&db, Tolerance::Strict).unwrap();
        write_book(&ybb, BookFormat::Ybb, records, &WriteOptions::default()).unwrap();
        let kbook = folder.path().join("book.kbook");
        let store = Store::create(&kbook).unwrap();
        for record in BookSource::open(&db, Tolerance::Strict).unwrap() {
            let changes = Change::of_record(&record.unwrap(), &Default::default());
            store.merge_batch(&changes).unwrap();
        }
        drop(store);
        let start = Position::hirate();
        for (path, kind) in [
            (&db, FileKind::Book(BookFormat::Db)),
            (&ybb, FileKind::Book(BookFormat::Ybb)),
            (&kbook, FileKind::Store),
        ] {
            for draw in [DrawValue::default(), DrawValue::for_black(5)] {
                let book = load(path, draw).unwrap();
                assert_eq!((book.kind, book.faults, book.repeated), (kind, 0, 0), "{kind}");
                assert_eq!(book.graph.positions(), 1);
                let value = book.graph.value(&start).map(|value| value.score);
                assert_eq!(value, Some(Score::cp(30)));
            }
        }
    }

    #[test]
    fn deleted_moves_of_a_store_are_barred() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.kbook");
        let store = Store::create(&path).unwrap();
        let (start, m) = (Position::hirate(), "7g7f".parse().unwrap());
        for (position, m) in [(start.clone(), m), (start.after(m), "3c3d".parse().unwrap())] {
            let known = KnownMove { position, m, ponder: None, games: 1 };
            store.merge_batch(&[known.into()]).unwrap();
        }
        store.add_games(&start, "2g2f".parse().unwrap(), 1).unwrap();
        let (reason, games) = (String::new(), Vec::new());
        let deletion =
            Deletion { position: start.clone(), m: Some(m), reason, when: 0, generation: 0, games };
        store.delete(&[deletion]).unwrap();
        drop(store);
        let graph = load(&path, DrawValue::default()).unwrap().graph;
        assert!(graph.moves(&start).iter().all(|listed| listed.m != m));
    }

    #[test]
    fn repeated_positions_and_faults_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.db");
        let moves = "7g7f none 30\n";
        let text = format!("{HEADER}{START}{moves}{TURNED}3c3d none 40\nhello there\n");
        std::fs::write(&path, text).unwrap();
        let book = load(&path, DrawValue::default()).unwrap();
        assert_eq!((book.repeated, book.faults), (1, 1));
        assert_eq!(book.fault_lines.lines().count(), 1);
        let strict = LoadOptions { tolerance: Tolerance::Strict, ..LoadOptions::default() };
        let strict = load_graph(&path, &strict, &mut || {});
        assert!(matches!(strict, Err(InputError::Book { .. })));
        std::fs::write(&path, "hello\nthere\n").unwrap();
        let error = load(&path, DrawValue::default()).unwrap_err();
        assert!(matches!(error, InputError::NothingLeft { faults: 3, .. }), "{error}");
    }

    #[test]
    fn each_record_of_a_binary_book_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.ybb");
        std::fs::write(&path, komadai_testdata::books::shogihome::YANEURAOU_YBB).unwrap();
        let mut records = 0;
        let book = load_graph(&path, &LoadOptions::default(), &mut || records += 1).unwrap();
        assert_eq!(book.graph.positions(), records);
    }
}
