//! The engine: book, mate solver and search.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use komadai::core::{Analysis, Move};
use komadai::engine::{Aim, Choice, MoveRequest, MoveSource, Player, Settings};
use komadai::search::monte_carlo::RootMove;
use komadai::usi::BestMove;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::analysis::PyAnalysis;
use crate::board::PyBoard;
use crate::errors;
use crate::limit::PyLimit;
use crate::moves::{MoveArg, PyMove, object};
use crate::paths;
use crate::usi_options;
use crate::waiting;

/// An engine in this process: `Engine()` plays with the bundled network.
///
/// nn is a network of another program (nn.bin) or a folder with one, hash the size of the table in
/// MiB, mode "AlphaBeta", "MonteCarlo", "Both" or another value of `SearchMode`. options are USI
/// options by their names, `Engine.options()` lists them.
///
/// A search runs without the interpreter's lock; Ctrl-C and an exception in on_info end it. One
/// engine makes one search at a time: a second one raises EngineError. Use several engines in
/// several threads.
#[pyclass(name = "Engine", module = "komadai", frozen)]
pub struct PyEngine {
    player: Mutex<Player>,
    /// The flag that ends the search in progress.
    stop: Mutex<Arc<AtomicBool>>,
}

fn set(settings: &mut Settings, name: &str, value: &str) -> PyResult<()> {
    settings.set_text(name, value).map_err(errors::engine)
}

fn set_all(settings: &mut Settings, options: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
    for (name, value) in usi_options::pairs(options)? {
        set(settings, &name, &value.unwrap_or_default())?;
    }
    Ok(())
}

impl PyEngine {
    fn player(&self) -> PyResult<MutexGuard<'_, Player>> {
        match self.player.try_lock() {
            Ok(player) => Ok(player),
            Err(TryLockError::WouldBlock) => Err(errors::engine(
                "the engine is searching: one engine makes one search at a time",
            )),
            Err(TryLockError::Poisoned(_)) => Err(errors::engine(
                "an earlier search of this engine has failed: make a new engine",
            )),
        }
    }

    fn choose(
        &self,
        py: Python<'_>,
        board: &PyBoard,
        limit: &PyLimit,
        among: &[Move],
        aim: Aim,
        multipv: usize,
        on_info: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Found> {
        let player = &mut *self.player()?;
        let lines = multipv.max(1);
        if player.settings().multi_pv.max(1) != lines {
            let mut settings = player.settings().clone();
            settings.multi_pv = lines;
            player.set_settings(settings).map_err(errors::engine)?;
        }
        let stop = Arc::new(AtomicBool::new(false));
        *self.stop.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Arc::clone(&stop);
        let mut request = MoveRequest::new(&board.position, limit.budget(&stop));
        request.among = among;
        request.aim = aim;
        let tells = on_info.is_some();
        let choice = waiting::run(
            py,
            &stop,
            |news| {
                player.choose(&request, &mut |analysis: &Analysis| {
                    if tells {
                        // The receiver is there as long as this thread.
                        let _ = news.send(analysis.clone());
                    }
                })
            },
            |_, analysis| {
                let info = PyAnalysis::new(analysis, board.position.clone());
                on_info.map_or(Ok(()), |on_info| on_info.call1((info,)).map(|_| ()))
            },
        )?;
        let root_moves = match choice.source {
            MoveSource::Search => player.searcher().state().root_moves,
            _ => Vec::new(),
        };
        Ok(Found { choice, root_moves })
    }

    /// The settings of the engine, for other players like it.
    pub fn settings(&self) -> PyResult<Settings> {
        Ok(self.player()?.settings().clone())
    }
}

/// A choice, with the moves of the root if a tree was searched.
struct Found {
    choice: Choice,
    root_moves: Vec<RootMove>,
}

impl Found {
    fn analysis(self, board: &PyBoard) -> PyAnalysis {
        let analysis = PyAnalysis::new(self.choice.analysis, board.position.clone());
        analysis.with_root_moves(self.root_moves)
    }
}

#[pymethods]
impl PyEngine {
    #[new]
    #[pyo3(signature = (nn=None, *, threads=1, hash=64, mode=None, options=None))]
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = paths::optional)] nn: Option<PathBuf>,
        threads: usize,
        hash: usize,
        mode: Option<&str>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let mut settings = Settings::default();
        set(&mut settings, "Threads", &threads.to_string())?;
        set(&mut settings, "USI_Hash", &hash.to_string())?;
        if let Some(mode) = mode {
            set(&mut settings, "SearchMode", mode)?;
        }
        match nn {
            Some(folder) if folder.is_dir() => settings.eval_directory = Some(folder),
            file => settings.eval_file = file,
        }
        set_all(&mut settings, options)?;
        let player = py.detach(|| Player::new(settings)).map_err(errors::engine)?;
        Ok(Self { player: Mutex::new(player), stop: Mutex::default() })
    }

    /// Sets USI options by their names.
    fn configure(&self, py: Python<'_>, options: &Bound<'_, PyDict>) -> PyResult<()> {
        let player = &mut *self.player()?;
        let mut settings = player.settings().clone();
        set_all(&mut settings, Some(options))?;
        py.detach(|| player.set_settings(settings)).map_err(errors::engine)
    }

    /// The USI options: {name: {"type", "default", "min", "max", "choices"}}.
    #[staticmethod]
    fn options<'py>(py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        usi_options::dict(py, &Settings::options())
    }

    /// Searches a position: multipv lines, of all moves or of some.
    ///
    /// on_info is called with an Analysis after each iteration. A budget in nodes on one thread
    /// gives the same result on every machine.
    #[pyo3(signature = (board, limit, *, multipv=1, moves=Vec::new(), on_info=None))]
    fn analyse(
        &self,
        py: Python<'_>,
        board: &PyBoard,
        limit: &PyLimit,
        multipv: usize,
        moves: Vec<MoveArg>,
        on_info: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyAnalysis> {
        let among: Vec<Move> = moves.iter().map(MoveArg::get).collect();
        let found = self.choose(py, board, limit, &among, Aim::Analyse, multipv, on_info)?;
        Ok(found.analysis(board))
    }

    /// Chooses a move to play: by the rules, a book of the options, the mate solver or the search.
    #[pyo3(signature = (board, limit, *, on_info=None))]
    fn play(
        &self,
        py: Python<'_>,
        board: &PyBoard,
        limit: &PyLimit,
        on_info: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyPlayResult> {
        let found = self.choose(py, board, limit, &[], Aim::Play, 1, on_info)?;
        let source = match found.choice.source {
            MoveSource::Rules => "rules",
            MoveSource::Book { .. } => "book",
            MoveSource::Mate => "mate",
            _ => "search",
        };
        let best = found.choice.best;
        PyPlayResult::new(py, best, source, found.analysis(board))
    }

    /// Ends the search that another thread waits for; it returns what it has found.
    fn stop(&self) {
        let stop = self.stop.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        stop.store(true, Ordering::Relaxed);
    }

    /// Forgets everything learned from earlier searches.
    fn new_game(&self, py: Python<'_>) -> PyResult<()> {
        let player = &mut *self.player()?;
        py.detach(|| player.new_game());
        Ok(())
    }

    /// The static value of a position in centipawns for the side to move.
    fn evaluate(&self, board: &PyBoard) -> PyResult<i32> {
        Ok(self.player()?.evaluation().value(&board.position))
    }

    /// The name of the evaluation.
    #[getter]
    fn evaluation_name(&self) -> PyResult<String> {
        Ok(self.player()?.evaluation().name().to_owned())
    }

    fn __repr__(&self) -> String {
        match self.player() {
            Ok(player) => format!("<Engine: {}>", player.evaluation().name()),
            Err(_) => "<Engine: searching>".to_owned(),
        }
    }
}

/// The move that an engine chose.
#[pyclass(name = "PlayResult", module = "komadai", frozen)]
pub struct PyPlayResult {
    best: BestMove,
    source: &'static str,
    analysis: Py<PyAnalysis>,
}

impl PyPlayResult {
    /// A choice, its source and the lines that led to it.
    pub fn new(
        py: Python<'_>,
        best: BestMove,
        source: &'static str,
        analysis: PyAnalysis,
    ) -> PyResult<Self> {
        Ok(Self { best, source, analysis: Py::new(py, analysis)? })
    }
}

#[pymethods]
impl PyPlayResult {
    /// The move; None for a resignation or a declared win.
    #[getter]
    fn r#move<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyMove>>> {
        self.best.to_move().map(|m| object(py, m)).transpose()
    }

    /// The reply to ponder on.
    #[getter]
    fn ponder<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyMove>>> {
        match self.best {
            BestMove::Move { ponder: Some(m), .. } => Ok(Some(object(py, m)?)),
            _ => Ok(None),
        }
    }

    /// True if the engine resigns.
    #[getter]
    fn resigned(&self) -> bool {
        self.best == BestMove::Resign
    }

    /// True if the engine declares a win (入玉宣言).
    #[getter]
    fn declared_win(&self) -> bool {
        self.best == BestMove::Win
    }

    /// "rules", "book", "mate" or "search"; always "search" for a UsiEngine, which does not tell.
    #[getter]
    fn source(&self) -> &'static str {
        self.source
    }

    /// The lines that led to the choice.
    #[getter]
    fn analysis(&self, py: Python<'_>) -> Py<PyAnalysis> {
        self.analysis.clone_ref(py)
    }

    fn __repr__(&self) -> String {
        format!("<PlayResult: {}>", self.best)
    }
}
