//! Books in memory with the value of every position.

use std::path::{Path, PathBuf};
use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

use komadai::book::store::{Change, Store};
use komadai::book::{FileKind, LoadOptions, LoggedAnalysis, WorkingBook, load_graph};
use komadai::bookfile::{BookFormat, WriteOptions, write_book};
use komadai::bookgraph::frontier::{
    Alpha, BookSides, Frontier, FrontierOptions, OwnMoves, ReachOptions, Rival, Window,
};
use komadai::bookgraph::{
    BookGraph, DbOptions, DrawValue, GraphBuilder, GraphChange, UnknownMoves, WrittenMoves,
};
use komadai::core::{AnalystId, Position};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::analysis::PyAnalysis;
use crate::board::{PyBoard, one_of};
use crate::book_values::{PyBookValue, PyFrontierPosition, PyGraphMove};
use crate::errors;
use crate::moves::list;
use crate::paths;

/// A book as a graph: every position with its value under best play of both sides within the book.
///
/// `BookGraph.open(path)` takes a working book (.kbook), which keeps every analysis and is changed
/// in its file, or reads a book of another format (.db, .ybb, .bin, .sbk) into memory.
/// `BookGraph.create(path)` makes a working book, `BookGraph()` an empty book in memory.
///
/// Values are for the side to move, exact, and up to date after every change. A position is the same
/// for all move orders, and with board and colours exchanged. `with` closes a working book at its
/// end; one process at a time can change it.
#[pyclass(name = "BookGraph", module = "komadai", frozen)]
pub struct PyBookGraph {
    contents: RwLock<Contents>,
}

enum Contents {
    Memory(Box<BookGraph>),
    Working(Box<WorkingBook>),
    Closed,
}

impl Contents {
    fn graph(&self) -> PyResult<&BookGraph> {
        match self {
            Self::Memory(graph) => Ok(graph),
            Self::Working(book) => Ok(book.graph()),
            Self::Closed => Err(errors::book("the book is closed")),
        }
    }
}

/// A graph with this value of a draw for Black.
fn solved(graph: &BookGraph, draw: DrawValue) -> PyResult<BookGraph> {
    let mut builder = GraphBuilder::new().draw_value(draw);
    for record in graph.records() {
        builder.add(&record).map_err(errors::book)?;
    }
    for number in graph.numbers() {
        let position = graph.position_at(number);
        let barred = graph.barred_moves(&position);
        if !barred.is_empty() {
            builder.bar(&position, &barred).map_err(errors::book)?;
        }
    }
    builder.finish().map_err(errors::book)
}

impl PyBookGraph {
    fn of(contents: Contents) -> Self {
        Self { contents: RwLock::new(contents) }
    }

    fn read(&self) -> RwLockReadGuard<'_, Contents> {
        self.contents.read().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn write(&self) -> RwLockWriteGuard<'_, Contents> {
        self.contents.write().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Makes changes, and returns the number of values that have changed.
    fn change(
        &self,
        py: Python<'_>,
        in_store: impl FnOnce() -> Vec<Change> + Send,
        in_memory: impl FnOnce() -> Vec<GraphChange> + Send,
    ) -> PyResult<usize> {
        py.detach(|| {
            let updated = match &mut *self.write() {
                Contents::Memory(graph) => graph.apply(&in_memory()).map_err(errors::book),
                Contents::Working(book) => book.merge(&in_store()).map_err(errors::book),
                Contents::Closed => Err(errors::book("the book is closed")),
            };
            updated.map(|updated| updated.changed)
        })
    }
}

/// One analysis or several.
#[derive(FromPyObject)]
pub enum AnalysesArg {
    /// One.
    One(Py<PyAnalysis>),
    /// Several.
    Several(Vec<Py<PyAnalysis>>),
}

#[pymethods]
impl PyBookGraph {
    #[new]
    fn new() -> PyResult<Self> {
        let graph = BookGraph::from_records([]).map_err(errors::book)?;
        Ok(Self::of(Contents::Memory(Box::new(graph))))
    }

    /// Opens a working book to change it, or reads a book file into memory, where changes stay until
    /// save() writes them.
    ///
    /// in_memory=True reads a working book in the same way, also while another process changes it.
    #[staticmethod]
    #[pyo3(signature = (path, *, in_memory=false))]
    fn open(
        py: Python<'_>,
        #[pyo3(from_py_with = paths::path)] path: PathBuf,
        in_memory: bool,
    ) -> PyResult<Self> {
        py.detach(|| {
            let kind = FileKind::of_book(&path).map_err(errors::book)?;
            if kind == FileKind::Store && !in_memory {
                let book = WorkingBook::open(&path).map_err(errors::book)?;
                return Ok(Self::of(Contents::Working(Box::new(book))));
            }
            let loaded = load_graph(&path, &LoadOptions::default(), &mut || ());
            Ok(Self::of(Contents::Memory(Box::new(loaded.map_err(errors::book)?.graph))))
        })
    }

    /// Makes a new working book. Raises BookError if the file exists.
    #[staticmethod]
    fn create(py: Python<'_>, #[pyo3(from_py_with = paths::path)] path: PathBuf) -> PyResult<Self> {
        py.detach(|| {
            let book = Store::create(&path).and_then(WorkingBook::of_store);
            Ok(Self::of(Contents::Working(Box::new(book.map_err(errors::book)?))))
        })
    }

    /// The file of a working book; None for a book in memory.
    #[getter]
    fn path(&self) -> Option<PathBuf> {
        match &*self.read() {
            Contents::Working(book) => Some(book.store().path().to_owned()),
            _ => None,
        }
    }

    /// The value of endless play for Black, in centipawns.
    #[getter]
    fn draw_value(&self) -> PyResult<i32> {
        Ok(self.read().graph()?.draw_value().of(komadai::Color::Black))
    }

    /// The number of moves that lead from a position of the book to another one.
    #[getter]
    fn edges(&self) -> PyResult<usize> {
        Ok(self.read().graph()?.edges())
    }

    /// The value of a position; None if the book has none.
    fn value(&self, board: &PyBoard) -> PyResult<Option<PyBookValue>> {
        Ok(self.read().graph()?.value(&board.position).map(PyBookValue))
    }

    /// The moves of a position, the best first, and those without a value last; empty if the book
    /// does not have the position.
    fn moves(&self, board: &PyBoard) -> PyResult<Vec<PyGraphMove>> {
        let contents = self.read();
        let graph = contents.graph()?;
        let mut listed = graph.record(&board.position).map_or_else(Vec::new, |record| record.moves);
        let ranked = graph.moves(&board.position).into_iter().map(|ranked| {
            let at = listed.iter().position(|known| known.m == ranked.m);
            let listed = at.map(|at| listed.remove(at));
            let (m, value) = (ranked.m, Some(ranked.value));
            PyGraphMove { m, value, leaves_book: ranked.leaves_book, listed }
        });
        let mut moves: Vec<_> = ranked.collect();
        moves.extend(listed.into_iter().map(|known| PyGraphMove {
            m: known.m,
            value: None,
            leaves_book: true,
            listed: Some(known),
        }));
        Ok(moves)
    }

    fn __getitem__(&self, board: &PyBoard) -> PyResult<Vec<PyGraphMove>> {
        let moves = self.moves(board)?;
        match moves.is_empty() {
            true => Err(PyKeyError::new_err(board.position.to_string())),
            false => Ok(moves),
        }
    }

    fn __contains__(&self, board: &PyBoard) -> PyResult<bool> {
        Ok(self.read().graph()?.contains(&board.position))
    }

    /// The number of positions.
    fn __len__(&self) -> PyResult<usize> {
        Ok(self.read().graph()?.positions())
    }

    /// The positions, in the order in which they were added.
    fn __iter__(this: PyRef<'_, Self>) -> PyPositions {
        PyPositions { book: this.into(), next: 0 }
    }

    /// The line of best moves from a position, until it leaves the book or has most moves.
    #[pyo3(signature = (board, most=100))]
    fn best_line<'py>(
        &self,
        py: Python<'py>,
        board: &PyBoard,
        most: usize,
    ) -> PyResult<Bound<'py, PyList>> {
        list(py, &self.read().graph()?.best_line(&board.position, most))
    }

    /// Adds one analysis or several, each to the position that was searched, and propagates their
    /// values. Returns the number of positions whose value has changed.
    ///
    /// Every first move of a line gets the value of the line; a newer value replaces the older one.
    /// A working book keeps all analyses with the name of their analyst, and its file is changed
    /// when this returns: by all of them or, after an error, by none.
    #[pyo3(signature = (analyses, *, analyst="komadai"))]
    fn add(&self, py: Python<'_>, analyses: AnalysesArg, analyst: &str) -> PyResult<usize> {
        let analyses = match analyses {
            AnalysesArg::One(one) => vec![one],
            AnalysesArg::Several(several) => several,
        };
        let analyst = AnalystId::new(analyst, "");
        let logged = analyses.iter().map(|analysis| {
            let PyAnalysis { analysis, position, .. } = analysis.get();
            LoggedAnalysis {
                when: komadai::book::clock::seconds_since_1970(),
                ..LoggedAnalysis::new(position.clone(), analysis.clone(), analyst.clone())
            }
        });
        let logged: Vec<LoggedAnalysis> = logged.collect();
        self.change(
            py,
            || logged.iter().cloned().map(Change::Analysis).collect(),
            || logged.iter().map(|logged| GraphChange::Add(logged.to_record())).collect(),
        )
    }

    /// The same book in memory, its values computed anew: with draw as the value of endless play for
    /// Black, in centipawns, at most ±700.
    #[pyo3(signature = (draw=0))]
    fn propagate(&self, py: Python<'_>, draw: i32) -> PyResult<Self> {
        if draw.unsigned_abs() > DrawValue::MAX_CP.unsigned_abs() {
            let most = DrawValue::MAX_CP;
            return Err(errors::value(format!("draw: found {draw}, expected -{most} to {most}")));
        }
        py.detach(|| {
            let graph = solved(self.read().graph()?, DrawValue::for_black(draw))?;
            Ok(Self::of(Contents::Memory(Box::new(graph))))
        })
    }

    /// The positions to search next: those at which good play leaves the book.
    ///
    /// side is the side for which the book is made: "black", "white" or "both". It follows its best
    /// moves, the opponent every move within eval_diff centipawns of the best one (window "best"), or
    /// of the value of the root (window "root"). order is "length" (the shortest lines first),
    /// "price" (length plus the value that the opponent gives away), or "probability" (by the
    /// numbers of games of the moves). limit is the largest number of positions, max_ply the largest
    /// move number, eval_limit the largest absolute value of a move in centipawns.
    #[pyo3(signature = (side="both", *, root=None, window="best", eval_diff=30, order="length",
        limit=None, max_ply=None, eval_limit=None))]
    fn frontier(
        &self,
        py: Python<'_>,
        side: &str,
        root: Option<&PyBoard>,
        window: &str,
        eval_diff: i32,
        order: &str,
        limit: Option<usize>,
        max_ply: Option<u32>,
        eval_limit: Option<i32>,
    ) -> PyResult<Vec<PyFrontierPosition>> {
        let sides = one_of(
            "side",
            side,
            &[("black", BookSides::Black), ("white", BookSides::White), ("both", BookSides::Both)],
        )?;
        let window = one_of("window", window, &[("best", Window::Best), ("root", Window::Root)])?;
        let select: fn(&BookGraph, &FrontierOptions) -> Frontier = one_of(
            "order",
            order,
            &[
                ("length", BookGraph::frontier as _),
                ("price", by_price as _),
                ("probability", by_probability as _),
            ],
        )?;
        let root = root.map_or_else(Position::hirate, |root| root.position.clone());
        let options = FrontierOptions {
            eval_diff,
            own_moves: OwnMoves::First,
            max_ply,
            eval_limit,
            budget: limit,
            ..FrontierOptions::new(root, sides, window)
        };
        py.detach(|| {
            let frontier = select(self.read().graph()?, &options);
            Ok(frontier.iter().map(PyFrontierPosition).collect())
        })
    }

    /// Writes the book with the propagated values, completely or not at all; the ending decides the
    /// format: .db, .ybb, .bin, .sbk. Returns the number of positions.
    ///
    /// best_only writes only the moves with the best value.
    #[pyo3(signature = (path, *, best_only=false))]
    fn save(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = paths::path)] path: PathBuf,
        best_only: bool,
    ) -> PyResult<usize> {
        py.detach(|| save(self.read().graph()?, &path, best_only))
    }

    /// Closes the file of a working book. Further calls raise BookError.
    fn close(&self, py: Python<'_>) {
        py.detach(|| *self.write() = Contents::Closed);
    }

    fn __enter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __exit__(
        &self,
        py: Python<'_>,
        _kind: &Bound<'_, PyAny>,
        _error: &Bound<'_, PyAny>,
        _trace: &Bound<'_, PyAny>,
    ) {
        self.close(py);
    }

    fn __repr__(&self) -> String {
        let contents = self.read();
        let positions = contents.graph().map(BookGraph::positions).unwrap_or_default();
        match &*contents {
            Contents::Memory(_) => format!("<BookGraph: {positions} positions in memory>"),
            Contents::Working(book) => {
                format!("<BookGraph: {positions} positions, {}>", book.store().path().display())
            }
            Contents::Closed => "<BookGraph: closed>".to_owned(),
        }
    }
}

fn by_price(graph: &BookGraph, options: &FrontierOptions) -> Frontier {
    graph.frontier_by_price(options, Alpha::default())
}

fn by_probability(graph: &BookGraph, options: &FrontierOptions) -> Frontier {
    // One game more for each move, so that a move without games is not impossible.
    let reach = ReachOptions::new(Rival::Games { smoothing: 1.0 });
    graph.frontier_by_probability(options, &reach)
}

fn save(graph: &BookGraph, path: &Path, best_only: bool) -> PyResult<usize> {
    let format = BookFormat::from_path(path).ok_or_else(|| {
        let path = path.display();
        errors::book(format!("{path}: unknown format, expected .db, .ybb, .bin or .sbk"))
    })?;
    if format == BookFormat::Db {
        let moves = if best_only { WrittenMoves::Best } else { WrittenMoves::All };
        let options = DbOptions { moves, unknown: UnknownMoves::Omit };
        return graph.save_db(path, &options).map_err(errors::book);
    }
    let records = graph.numbers().filter_map(|number| {
        let mut record = graph.valued_record(&graph.position_at(number))?;
        let best = record.moves.first()?.score?;
        record.moves.retain(|known| match best_only {
            true => known.score == Some(best),
            false => known.score.is_some(),
        });
        Some(Ok::<_, std::convert::Infallible>(record))
    });
    let written = write_book(path, format, records, &WriteOptions::default());
    Ok(written.map_err(errors::book)?.positions as usize)
}

/// The positions of a book, one after another.
#[pyclass(module = "komadai")]
pub struct PyPositions {
    book: Py<PyBookGraph>,
    next: u32,
}

#[pymethods]
impl PyPositions {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self) -> PyResult<Option<PyBoard>> {
        let contents = self.book.get().read();
        let graph = contents.graph()?;
        for number in self.next..graph.numbers().end {
            let position = graph.position_at(number);
            if graph.contains(&position) {
                self.next = number + 1;
                return Ok(Some(PyBoard { position }));
            }
        }
        Ok(None)
    }
}
