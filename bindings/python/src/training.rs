//! Training of networks on the processor, and the games that they learn from.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard};

use komadai::data::tools::{OnDamage, Sources, Watch};
use komadai::data::{Dataset, Run, SelfPlayOptions, generate as play_games};
use komadai::nnue::{Network, Nnue};
use komadai::train::network::{LossPoint, Trainer, TrainingOptions, TrainingReport, TrainingSet};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors;
use crate::network::PyNetwork;
use crate::paths;
use crate::waiting;

/// Adds the classes and functions.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyTrainer>()?;
    module.add_class::<PyTrainingReport>()?;
    module.add_class::<PyLossPoint>()?;
    module.add_function(wrap_pyfunction!(generate, module)?)
}

/// The threads that a caller asks for: 0 for all cores.
fn threads_of(threads: usize) -> NonZero<usize> {
    let all = || std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    NonZero::new(threads.min(256)).unwrap_or_else(all)
}

/// Plays games of a network against itself, and writes their positions with scores and results into
/// a folder of training data, until it has `positions` more. Returns the games and the positions of
/// the folder.
///
/// network is the bundled one if None. A search has about `nodes` nodes; threads 0 takes all cores.
/// The files are PSV (00000.psv, …), whole games; the same seed gives the same games in a new
/// folder. on_progress is called with the number of positions after each game. Ctrl-C, or an
/// exception of on_progress, ends the games and completes the files. Raises DataError if the folder
/// cannot be written.
#[pyfunction]
#[pyo3(signature = (folder, positions, network=None, *, nodes=500, threads=0, seed=1, on_progress=None))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub fn generate(
    py: Python<'_>,
    #[pyo3(from_py_with = paths::path)] folder: PathBuf,
    positions: u64,
    network: Option<&PyNetwork>,
    nodes: u64,
    threads: usize,
    seed: u64,
    on_progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(u64, u64)> {
    let nnue = network.map_or_else(|| Nnue::new(Network::bundled()), |given| given.nnue.clone());
    let options = SelfPlayOptions { nodes, ..SelfPlayOptions::default() };
    let run = Run::new(nnue.network().architecture().to_string(), options.clone(), seed);
    let stop = Arc::new(AtomicBool::new(false));
    let work = |news: &Sender<u64>| {
        let mut data = Dataset::open(&folder, run)?;
        let (first, wanted) = (data.game_seed(0), data.positions().saturating_add(positions));
        let seed = |game| (positions > 0).then(|| first.wrapping_add(game));
        play_games(&nnue, &options, threads_of(threads), &seed, &stop, &mut |game| {
            data.add(&game)?;
            // Without a receiver nobody wants the number.
            let _ = news.send(data.positions());
            let is_enough = data.positions() >= wanted;
            Ok(if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        data.finish()
    };
    let manifest = waiting::run(py, &stop, work, |_, positions| match on_progress {
        Some(on_progress) => on_progress.call1((positions,)).map(|_| ()),
        None => Ok(()),
    })?;
    let manifest = manifest.map_err(errors::data)?;
    Ok((manifest.games(), manifest.positions()))
}

/// The training of a network on the processor from files of records (PSV) or folders of `generate`.
///
/// data is a path or a list of paths. Only quiet positions are used, and a twentieth of the games is
/// held out. options are those of `options()`: architecture "compact" (the format of this library)
/// or "half_kp" (which other programs read, too), width, epochs, batch, interval, … network is a
/// compact one to start from; resume a file of `save` to go on from, with the same data and options.
/// The same data and options give the same network for any number of threads, also after an
/// interruption. Raises TrainingError and DataError.
#[pyclass(name = "Trainer", module = "komadai", frozen)]
pub struct PyTrainer {
    trainer: Mutex<Trainer>,
}

#[pymethods]
impl PyTrainer {
    #[new]
    #[pyo3(signature = (data, *, threads=1, network=None, resume=None, **options))]
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = paths::several)] data: Vec<PathBuf>,
        threads: usize,
        network: Option<&PyNetwork>,
        #[pyo3(from_py_with = paths::optional)] resume: Option<PathBuf>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let options = read_options(options)?;
        options.check().map_err(errors::training)?;
        let start = network.map(|given| given.nnue.clone());
        let stop = Arc::new(AtomicBool::new(false));
        let work = |_: &Sender<()>| -> PyResult<Trainer> {
            let mut set = TrainingSet::new();
            let sources = Sources::find(&data, OnDamage::Refuse).map_err(errors::data)?;
            let mut ignore = |_| {};
            set.read(&sources, &mut Watch::new(&stop, &mut ignore)).map_err(errors::data)?;
            let mut trainer = Trainer::new(options, set).map_err(errors::training)?;
            if let Some(start) = start {
                trainer = trainer.with_network(start.network()).map_err(errors::training)?;
            }
            if let Some(path) = resume {
                trainer = trainer.resume(&path).map_err(errors::training)?;
            }
            Ok(trainer.with_threads(threads_of(threads)))
        };
        let trainer = waiting::run(py, &stop, work, |_, ()| Ok(()))??;
        Ok(Self { trainer: Mutex::new(trainer) })
    }

    /// The options with their usual values, for "compact" or "half_kp".
    #[staticmethod]
    #[pyo3(signature = (architecture="compact"))]
    fn options<'py>(py: Python<'py>, architecture: &str) -> PyResult<Bound<'py, PyAny>> {
        let given = PyDict::new(py);
        given.set_item("architecture", architecture)?;
        let options =
            serde_json::to_string(&read_options(Some(&given))?).map_err(errors::training)?;
        py.import("json")?.call_method1("loads", (options,))
    }

    /// Trains until the next measurement of the loss, after `interval` positions, and returns it;
    /// None after the last one.
    fn advance(&self, py: Python<'_>) -> PyResult<Option<PyLossPoint>> {
        let trainer = &mut *self.lock()?;
        let stop = Arc::new(AtomicBool::new(false));
        let point = waiting::run(py, &stop, |_: &Sender<()>| trainer.advance(), |_, ()| Ok(()))?;
        Ok(point.map(PyLossPoint::of))
    }

    /// Trains to the end and returns the report.
    ///
    /// on_point is called with each measurement; save is a file that holds the state after each.
    /// Ctrl-C, or an exception of on_point, ends the training after the measurement that is being
    /// worked for: the trainer keeps its state, and `train` goes on from there.
    #[pyo3(signature = (on_point=None, *, save=None))]
    fn train(
        &self,
        py: Python<'_>,
        on_point: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = paths::optional)] save: Option<PathBuf>,
    ) -> PyResult<PyTrainingReport> {
        let trainer = &mut *self.lock()?;
        let stop = Arc::new(AtomicBool::new(false));
        let work = |news: &Sender<LossPoint>| {
            while !stop.load(Ordering::Relaxed)
                && let Some(point) = trainer.advance()
            {
                if let Some(path) = &save {
                    trainer.save(path).map_err(errors::training)?;
                }
                let _ = news.send(point);
            }
            Ok(PyTrainingReport(trainer.report()))
        };
        waiting::run(py, &stop, work, |_, point| match on_point {
            Some(on_point) => on_point.call1((PyLossPoint::of(point),)).map(|_| ()),
            None => Ok(()),
        })?
    }

    /// True if the training has ended: with the last epoch, or without progress for `patience`
    /// measurements.
    #[getter]
    fn is_finished(&self) -> PyResult<bool> {
        Ok(self.lock()?.is_finished())
    }

    /// The losses so far.
    #[getter]
    fn report(&self) -> PyResult<PyTrainingReport> {
        Ok(PyTrainingReport(self.lock()?.report()))
    }

    /// Writes the state to a file, for `resume`.
    fn save(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = paths::path)] path: PathBuf,
    ) -> PyResult<()> {
        let trainer = &*self.lock()?;
        py.detach(|| trainer.save(&path)).map_err(errors::training)
    }

    /// The network with the least loss on the held-out games, or the untrained one. description
    /// goes into its file.
    #[pyo3(signature = (description=""))]
    fn network(&self, description: &str) -> PyResult<PyNetwork> {
        let network = self.lock()?.network(description).map_err(errors::training)?;
        Ok(PyNetwork { nnue: Nnue::new(network) })
    }
}

impl PyTrainer {
    fn lock(&self) -> PyResult<MutexGuard<'_, Trainer>> {
        self.trainer.try_lock().map_err(|_| errors::training("another thread trains with it"))
    }
}

/// Reads options over the usual ones of their architecture.
fn read_options(options: Option<&Bound<'_, PyDict>>) -> PyResult<TrainingOptions> {
    let Some(options) = options else { return Ok(TrainingOptions::default()) };
    let text: String = options.py().import("json")?.call_method1("dumps", (options,))?.extract()?;
    let given: serde_json::Map<_, _> = serde_json::from_str(&text).map_err(errors::training)?;
    let is_half_kp = given.get("architecture").is_some_and(|name| name == "half_kp");
    let usual = if is_half_kp { TrainingOptions::half_kp() } else { TrainingOptions::default() };
    let mut values = serde_json::to_value(&usual).map_err(errors::training)?;
    let mut read = usual;
    for (name, value) in given {
        let Some(place) = values.get_mut(&name) else {
            let names: Vec<String> =
                values.as_object().into_iter().flat_map(|all| all.keys().cloned()).collect();
            let names = names.join(", ");
            return Err(errors::training(format!("found the option {name:?}, expected {names}")));
        };
        *place = value;
        read = serde_json::from_value(values.clone())
            .map_err(|fault| errors::training(format!("{name}: {fault}")))?;
    }
    Ok(read)
}

/// A measurement of the loss.
#[pyclass(name = "LossPoint", module = "komadai", frozen, get_all)]
pub struct PyLossPoint {
    /// The number of positions seen.
    positions: u64,
    /// The same in epochs.
    epoch: f64,
    /// The learning rate.
    learning_rate: f64,
    /// The mean loss since the measurement before: cross-entropy above the entropy of the targets.
    training_loss: f64,
    /// The mean loss on the held-out games.
    held_out_loss: f64,
}

impl PyLossPoint {
    fn of(point: LossPoint) -> Self {
        let LossPoint { positions, epoch, learning_rate, training_loss, held_out_loss } = point;
        let learning_rate = learning_rate.into();
        Self { positions, epoch, learning_rate, training_loss, held_out_loss }
    }
}

#[pymethods]
impl PyLossPoint {
    fn __repr__(&self) -> String {
        format!("<LossPoint: epoch {:.2}, held out {:.5}>", self.epoch, self.held_out_loss)
    }
}

/// The losses of a training; in a notebook a picture of them.
#[pyclass(name = "TrainingReport", module = "komadai", frozen)]
pub struct PyTrainingReport(TrainingReport);

#[pymethods]
impl PyTrainingReport {
    /// The number of positions to train with.
    #[getter]
    fn training(&self) -> usize {
        self.0.training
    }

    /// The number of positions held out.
    #[getter]
    fn held_out(&self) -> usize {
        self.0.held_out
    }

    /// The measurements.
    #[getter]
    fn points(&self) -> Vec<PyLossPoint> {
        self.0.points.iter().copied().map(PyLossPoint::of).collect()
    }

    /// The measurement with the least loss on the held-out games; None before the first one.
    #[getter]
    fn best(&self) -> Option<PyLossPoint> {
        self.0.best.map(PyLossPoint::of)
    }

    /// The loss of the evaluation that the network corrects, alone, on the held-out games.
    #[getter]
    fn base_loss(&self) -> f64 {
        self.0.base_loss
    }

    fn _repr_svg_(&self) -> String {
        self.0.to_svg()
    }

    fn __repr__(&self) -> String {
        let best = self.0.best.map_or(f64::NAN, |best| best.held_out_loss);
        format!("<TrainingReport: best {best:.5}, base {:.5}>", self.0.base_loss)
    }
}
