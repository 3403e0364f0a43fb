//! Engines in processes of their own.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use komadai::core::Move;
use komadai::usi::{
    AnalysisBuilder, Answer, BestMove, ClockTimes, EngineConfig, EngineProcess, GoLimits, Info,
    Patience,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::analysis::PyAnalysis;
use crate::board::PyBoard;
use crate::engine::PyPlayResult;
use crate::errors;
use crate::limit::{PyLimit, seconds};
use crate::moves::MoveArg;
use crate::paths::{self, SystemText};
use crate::usi_options;
use crate::waiting;

/// The option for the number of lines.
const MULTI_PV: &str = "MultiPV";

/// A USI engine in a process of its own: `UsiEngine("/path/to/engine", options={"Threads": 2})`.
///
/// It is started, gets its options and is ready when the constructor returns. Without directory it
/// runs in the folder of its program, where engines look for their data. env adds variables of the
/// environment. timeouts are seconds by name: "launch" (until `usiok`, 10), "ready" (until
/// `readyok`, 60), "silence" (a search without output, 600), "stop" (from `stop` to the answer, 5),
/// "quit" (5).
///
/// Faults are exceptions: EngineTerminatedError, EngineTimeoutError and EngineProtocolError, all of
/// them EngineError. After them restart() starts the engine again.
///
/// A search runs without the interpreter's lock; Ctrl-C and an exception in on_info end it. One
/// engine makes one search at a time. `with` closes the engine at its end.
#[pyclass(name = "UsiEngine", module = "komadai", frozen)]
pub struct PyUsiEngine {
    /// None once it is closed, or has not started again.
    process: Mutex<Option<EngineProcess>>,
    /// The configuration as it was started.
    config: EngineConfig,
    /// The flag that ends the search in progress.
    stop: Mutex<Arc<AtomicBool>>,
}

/// An engine that is in use by nobody else.
struct Running<'a>(MutexGuard<'a, Option<EngineProcess>>);

impl Running<'_> {
    fn process(&mut self) -> &mut EngineProcess {
        self.0.as_mut().expect("checked when the lock was taken")
    }
}

fn patience(timeouts: Option<&Bound<'_, PyDict>>) -> PyResult<Patience> {
    let mut patience = Patience::default();
    for (name, value) in timeouts.into_iter().flat_map(|timeouts| timeouts.iter()) {
        let name: String = name.extract()?;
        let field = match name.as_str() {
            "launch" => &mut patience.launch,
            "ready" => &mut patience.ready,
            "silence" => &mut patience.silence,
            "stop" => &mut patience.stop,
            "quit" => &mut patience.quit,
            _ => {
                return Err(errors::value(format!(
                    "timeouts: found {name:?}, expected launch, ready, silence, stop or quit"
                )));
            }
        };
        *field = seconds(&name, value.extract()?)?;
    }
    Ok(patience)
}

/// Starts an engine; Ctrl-C does not wait for it.
fn launch(py: Python<'_>, config: EngineConfig) -> PyResult<EngineProcess> {
    let started = waiting::run_alone(py, move || EngineProcess::launch(config))?;
    started.map_err(|error| errors::client(&error))
}

impl PyUsiEngine {
    fn lock(&self) -> PyResult<MutexGuard<'_, Option<EngineProcess>>> {
        match self.process.try_lock() {
            Ok(process) => Ok(process),
            Err(TryLockError::WouldBlock) => Err(errors::engine(
                "the engine is searching: one engine makes one search at a time",
            )),
            Err(TryLockError::Poisoned(_)) => Err(errors::engine(
                "an earlier search of this engine has failed: make a new engine",
            )),
        }
    }

    fn running(&self) -> PyResult<Running<'_>> {
        let process = self.lock()?;
        match *process {
            Some(_) => Ok(Running(process)),
            None => Err(errors::engine("the engine is closed: restart() starts it again")),
        }
    }

    /// The configuration for other processes of the same engine: with the options that have been
    /// set since the start, without the number of lines of an analysis.
    pub fn config(&self) -> PyResult<EngineConfig> {
        let process = self.lock()?;
        let mut config = process.as_ref().map_or(&self.config, EngineProcess::config).clone();
        let own = self.config.options.iter().filter(|(name, _)| is_multi_pv(name)).cloned();
        config.options.retain(|(name, _)| !is_multi_pv(name));
        config.options.extend(own);
        Ok(config)
    }

    fn go(
        &self,
        py: Python<'_>,
        process: &mut EngineProcess,
        board: &PyBoard,
        limits: &GoLimits,
        limit: &PyLimit,
        on_info: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Answer> {
        let stop = Arc::new(AtomicBool::new(false));
        *self.stop.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Arc::clone(&stop);
        let budget = limit.budget(&stop);
        let (position, tells) = (&board.position, on_info.is_some());
        let answer = waiting::run(
            py,
            &stop,
            |news| {
                let mut builder = AnalysisBuilder::new(position);
                let mut report = |info: &Info| {
                    if tells && info.line().is_some() {
                        builder.add(info);
                        // The receiver is there as long as this thread.
                        let _ = news.send(builder.clone().into_analysis());
                    }
                };
                let game = position.to_usi_position();
                process.go_or_ponder_hit(&game, limits, &budget, &mut report)
            },
            |_, analysis| {
                let info = PyAnalysis::new(analysis, position.clone());
                on_info.map_or(Ok(()), |on_info| on_info.call1((info,)).map(|_| ()))
            },
        )?;
        answer.map_err(|error| errors::client(&error))
    }
}

fn is_multi_pv(name: &str) -> bool {
    name.eq_ignore_ascii_case(MULTI_PV)
}

/// Sets the number of lines, unless the engine has it already: an engine without the option finds
/// one line.
fn set_lines(process: &mut EngineProcess, lines: usize) -> PyResult<()> {
    let lines = lines.max(1).to_string();
    let set = process.config().options.iter().rev().find(|(name, _)| is_multi_pv(name));
    if lines == set.map_or("1", |(_, value)| value.as_str()) {
        return Ok(());
    }
    process.set_option(MULTI_PV, Some(&lines)).map_err(|error| errors::client(&error))
}

#[pymethods]
impl PyUsiEngine {
    #[new]
    #[pyo3(signature = (path, args=Vec::new(), *, options=None, directory=None, env=None, timeouts=None))]
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = paths::path)] path: PathBuf,
        args: Vec<SystemText>,
        options: Option<&Bound<'_, PyDict>>,
        #[pyo3(from_py_with = paths::optional)] directory: Option<PathBuf>,
        env: Option<std::collections::BTreeMap<SystemText, SystemText>>,
        timeouts: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let mut config =
            EngineConfig::new(path).with_arguments(args.into_iter().map(|text| text.0));
        config.environment =
            env.into_iter().flatten().map(|(name, value)| (name.0, value.0)).collect();
        config.patience = patience(timeouts)?;
        config.directory = directory;
        for (name, value) in usi_options::pairs(options)? {
            config = config.with_option(name, value.unwrap_or_default());
        }
        let process = Mutex::new(Some(launch(py, config.clone())?));
        Ok(Self { process, config, stop: Mutex::default() })
    }

    /// The name that the engine tells.
    #[getter]
    fn name(&self) -> PyResult<String> {
        Ok(self.running()?.process().identity().name.clone())
    }

    /// The author that the engine tells.
    #[getter]
    fn author(&self) -> PyResult<String> {
        Ok(self.running()?.process().identity().author.clone())
    }

    /// The number of the process.
    #[getter]
    fn pid(&self) -> PyResult<u32> {
        Ok(self.running()?.process().id())
    }

    /// The declared options: {name: {"type", "default", "min", "max", "choices"}}.
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        usi_options::dict(py, self.running()?.process().options())
    }

    /// Sets options by their names; None as value presses a button.
    fn configure(&self, options: &Bound<'_, PyDict>) -> PyResult<()> {
        let mut running = self.running()?;
        for (name, value) in usi_options::pairs(Some(options))? {
            let set = running.process().set_option(&name, value.as_deref());
            set.map_err(|error| errors::client(&error))?;
        }
        Ok(())
    }

    /// Searches a position with the game that led to it: multipv lines, of all moves or of some.
    ///
    /// nodes and depth are sent to the engine; a time alone becomes `go infinite` and `stop`, which
    /// every engine knows. Moves of a line count up to the first illegal one. on_info is called with
    /// an Analysis after each report of the engine.
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
        let search_moves: Vec<Move> = moves.iter().map(MoveArg::get).collect();
        let budget = limit.budget(&Arc::default());
        let nodes = budget.least_nodes();
        let limits = GoLimits {
            nodes,
            depth: budget.depth,
            infinite: nodes.is_none() && budget.depth.is_none(),
            search_moves,
            ..GoLimits::default()
        };
        let mut running = self.running()?;
        set_lines(running.process(), multipv)?;
        let answer = self.go(py, running.process(), board, &limits, limit, on_info)?;
        Ok(PyAnalysis::new(answer.analysis, board.position.clone()))
    }

    /// Asks for a move to play. A time is sent as byoyomi, and `stop` when it is over.
    ///
    /// With ponder=True the engine thinks on after its answer, about the reply that it expects,
    /// until the next call; if that is about the expected position, the search goes on.
    #[pyo3(signature = (board, limit, *, ponder=false, on_info=None))]
    fn play(
        &self,
        py: Python<'_>,
        board: &PyBoard,
        limit: &PyLimit,
        ponder: bool,
        on_info: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyPlayResult> {
        let budget = limit.budget(&Arc::default());
        let limits = GoLimits {
            nodes: budget.least_nodes(),
            depth: budget.depth,
            clock: limit.duration().map(ClockTimes::byoyomi),
            ..GoLimits::default()
        };
        let mut running = self.running()?;
        set_lines(running.process(), 1)?;
        let answer = self.go(py, running.process(), board, &limits, limit, on_info)?;
        if let (true, BestMove::Move { best, ponder: Some(reply) }) = (ponder, answer.best) {
            let mut game = board.position.to_usi_position();
            game.moves.extend([best, reply]);
            let process = running.process();
            py.detach(|| process.ponder(game, &limits)).map_err(|error| errors::client(&error))?;
        }
        let analysis = PyAnalysis::new(answer.analysis, board.position.clone());
        PyPlayResult::new(py, answer.best, "search", analysis)
    }

    /// Ends the search that another thread waits for; it returns what the engine has found.
    fn stop(&self) {
        let stop = self.stop.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        stop.store(true, Ordering::Relaxed);
    }

    /// Tells the engine that a new game begins, and waits until it is ready.
    fn new_game(&self, py: Python<'_>) -> PyResult<()> {
        let mut running = self.running()?;
        let process = running.process();
        let stop = Arc::default();
        let sent = waiting::run(py, &stop, |_: &_| process.new_game(), |_, ()| Ok(()))?;
        sent.map_err(|error| errors::client(&error))
    }

    /// Kills the process and starts the engine again, with the options that have been set.
    fn restart(&self, py: Python<'_>) -> PyResult<()> {
        let config = self.config()?;
        let mut process = self.lock()?;
        *process = None;
        *process = Some(launch(py, config)?);
        Ok(())
    }

    /// The last lines of the dialogue, oldest first: "<" to the engine, ">" from it, "!" from its
    /// standard error.
    fn transcript(&self) -> PyResult<Vec<String>> {
        Ok(self.running()?.process().transcript())
    }

    /// Ends the engine: `quit`, and a kill if that does not help. Further calls raise EngineError.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        if let Some(process) = self.lock()?.take() {
            waiting::run_alone(py, || process.quit())?;
        }
        Ok(())
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
    ) -> PyResult<()> {
        self.close(py)
    }

    fn __repr__(&self) -> String {
        match self.process.try_lock().as_deref() {
            Ok(Some(process)) => format!("<UsiEngine: {}>", process.identity().name),
            Ok(None) => "<UsiEngine: closed>".to_owned(),
            Err(_) => "<UsiEngine: searching>".to_owned(),
        }
    }
}
