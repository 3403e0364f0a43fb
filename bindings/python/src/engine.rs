//! The engine: book, mate solver and search.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use komadai::core::{Analysis, Move};
use komadai::engine::{Aim, Choice, MoveRequest, MoveSource, Player, Settings};
use komadai::usi::{BestMove, OptionKind, OptionValue};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::analysis::PyAnalysis;
use crate::board::PyBoard;
use crate::errors;
use crate::limit::PyLimit;
use crate::moves::{MoveArg, PyMove, object};
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

/// The name of a kind of option, its default, its range and its choices.
type OptionEntry = (String, &'static str, Option<String>, Option<(i64, i64)>, Vec<String>);

fn set(settings: &mut Settings, name: &str, value: &str) -> PyResult<()> {
    let specs = Settings::options();
    let spec = specs.iter().find(|spec| spec.is_named(name));
    let spec = spec.ok_or_else(|| errors::engine(format!("there is no option {name:?}")))?;
    let accepted = spec.accept(Some(value)).map_err(errors::engine)?;
    if let OptionValue::Spin(number) = accepted
        && value.trim().parse() != Ok(number)
    {
        let OptionKind::Spin { min, max, .. } = spec.kind else { unreachable!("it is a spin") };
        return Err(errors::engine(format!("{name}: found {value}, expected {min} to {max}")));
    }
    settings.set(&spec.name, &accepted).map_err(errors::engine)
}

fn set_all(settings: &mut Settings, options: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
    for (name, value) in options.into_iter().flat_map(|options| options.iter()) {
        // True and False are words in USI.
        let text = value.str()?.to_string();
        let word = match text.as_str() {
            "True" => "true",
            "False" => "false",
            other => other,
        };
        set(settings, &name.extract::<String>()?, word)?;
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
    ) -> PyResult<Choice> {
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
        waiting::run(
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
        )
    }
}

#[pymethods]
impl PyEngine {
    #[new]
    #[pyo3(signature = (nn=None, *, threads=1, hash=64, mode=None, options=None))]
    fn new(
        py: Python<'_>,
        nn: Option<PathBuf>,
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
        let found = PyDict::new(py);
        for spec in Settings::options() {
            let (name, kind, default, range, choices): OptionEntry = match spec.kind {
                OptionKind::Check { default } => {
                    (spec.name, "check", Some(default.to_string()), None, Vec::new())
                }
                OptionKind::Spin { default, min, max } => {
                    (spec.name, "spin", Some(default.to_string()), Some((min, max)), Vec::new())
                }
                OptionKind::Combo { default, choices } => {
                    (spec.name, "combo", Some(default), None, choices)
                }
                OptionKind::String { default } => {
                    (spec.name, "string", Some(default), None, Vec::new())
                }
                OptionKind::Filename { default } => {
                    (spec.name, "filename", Some(default), None, Vec::new())
                }
                _ => (spec.name, "button", None, None, Vec::new()),
            };
            let entry = PyDict::new(py);
            entry.set_item("type", kind)?;
            entry.set_item("default", default)?;
            if let Some((min, max)) = range {
                entry.set_item("min", min)?;
                entry.set_item("max", max)?;
            }
            if kind == "combo" {
                entry.set_item("choices", choices)?;
            }
            found.set_item(name, entry)?;
        }
        Ok(found)
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
        let among: Vec<Move> = moves.iter().map(MoveArg::plain).collect::<PyResult<_>>()?;
        let choice = self.choose(py, board, limit, &among, Aim::Analyse, multipv, on_info)?;
        Ok(PyAnalysis::new(choice.analysis, board.position.clone()))
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
        let choice = self.choose(py, board, limit, &[], Aim::Play, 1, on_info)?;
        Ok(PyPlayResult { choice, board: board.clone() })
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
    choice: Choice,
    board: PyBoard,
}

#[pymethods]
impl PyPlayResult {
    /// The move; None for a resignation or a declared win.
    #[getter]
    fn r#move<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyMove>>> {
        self.choice.best.to_move().map(|m| object(py, m)).transpose()
    }

    /// The reply to ponder on.
    #[getter]
    fn ponder<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyMove>>> {
        match self.choice.best {
            BestMove::Move { ponder: Some(m), .. } => Ok(Some(object(py, m)?)),
            _ => Ok(None),
        }
    }

    /// True if the engine resigns.
    #[getter]
    fn resigned(&self) -> bool {
        self.choice.best == BestMove::Resign
    }

    /// True if the engine declares a win (入玉宣言).
    #[getter]
    fn declared_win(&self) -> bool {
        self.choice.best == BestMove::Win
    }

    /// "rules", "book", "mate" or "search".
    #[getter]
    fn source(&self) -> &'static str {
        match self.choice.source {
            MoveSource::Rules => "rules",
            MoveSource::Book { .. } => "book",
            MoveSource::Mate => "mate",
            _ => "search",
        }
    }

    /// The lines that led to the choice.
    #[getter]
    fn analysis(&self) -> PyAnalysis {
        PyAnalysis::new(self.choice.analysis.clone(), self.board.position.clone())
    }

    fn __repr__(&self) -> String {
        format!("<PlayResult: {}>", self.choice.best)
    }
}
