//! A run in which a book grows, put together step by step.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use komadai_bookgraph::BookGraph;
use komadai_bookgraph::frontier::FrontierOptions;
use komadai_core::{Analyst, Position};

use super::{GrowEvent, GrowOptions, Grown};
use crate::queue::JobQueue;
use crate::run_error::RunError;
use crate::working_book::WorkingBook;

type Select<'b> = dyn FnMut(&BookGraph) -> Vec<Position> + 'b;
type OnEvent<'b> = dyn FnMut(GrowEvent<'_>) + 'b;

/// A run in which a book grows: [`WorkingBook::grower`] begins it, [`run`](Self::run) carries it
/// out.
///
/// # Examples
///
/// ```
/// use komadai_book::{GrowOptions, WorkingBook};
/// use komadai_bookgraph::frontier::{FrontierOptions, Window};
/// use komadai_core::{Analysis, Analyst, AnalystError, AnalystId, Budget, Color, Line, Position, Pv, Score};
/// use komadai_movegen::MoveGen;
///
/// /// Recommends the first legal move.
/// struct First;
///
/// impl Analyst for First {
///     fn identity(&self) -> AnalystId {
///         AnalystId::new("first", "1")
///     }
///
///     fn analyse(&mut self, at: &Position, _: &Budget) -> Result<Analysis, AnalystError> {
///         let first = at.legal_moves().first().copied();
///         let lines = first.map(|m| Line::exact(Score::cp(0), Pv::from_iter([m])));
///         Ok(Analysis { nodes: 100, lines: lines.into_iter().collect(), ..Analysis::default() })
///     }
/// }
///
/// let folder = tempfile::tempdir()?;
/// let mut book = WorkingBook::open_or_create(folder.path().join("book.kbook"))?;
/// let grown = book
///     .grower(GrowOptions { positions: 3, ..GrowOptions::nodes(100) })
///     .frontier(FrontierOptions::new(Position::hirate(), Color::Black, Window::Best))
///     .run(&mut [First])?;
/// assert_eq!(grown.analysed, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "nothing grows before `run`"]
pub struct Grower<'b> {
    book: &'b mut WorkingBook,
    options: GrowOptions,
    stop: Arc<AtomicBool>,
    select: Vec<Box<Select<'b>>>,
    on_event: Box<OnEvent<'b>>,
}

impl WorkingBook {
    /// Begins a run with these options. It analyses the jobs of earlier runs, and the positions
    /// that [`frontier`](Grower::frontier) and [`select`](Grower::select) add.
    pub fn grower(&mut self, options: GrowOptions) -> Grower<'_> {
        let stop = Arc::default();
        Grower { book: self, options, stop, select: Vec::new(), on_event: Box::new(|_| {}) }
    }
}

impl<'b> Grower<'b> {
    /// Adds the frontier of the book by these options, one for each side and start position.
    pub fn frontier(self, options: FrontierOptions) -> Self {
        self.select(move |graph| {
            graph.frontier(&options).iter().map(|found| found.position).collect()
        })
    }

    /// Adds the positions that `select` returns, the most urgent first, before each round.
    pub fn select(mut self, select: impl FnMut(&BookGraph) -> Vec<Position> + 'b) -> Self {
        self.select.push(Box::new(select));
        self
    }

    /// Sets a flag that ends the run. An interrupted analysis is repeated in the next run.
    pub fn stop(self, stop: Arc<AtomicBool>) -> Self {
        Self { stop, ..self }
    }

    /// Sets a function that is called for each event, such as a finished analysis.
    pub fn on_event(self, on_event: impl FnMut(GrowEvent<'_>) + 'b) -> Self {
        Self { on_event: Box::new(on_event), ..self }
    }

    /// Grows the book, with one thread for each analyst; see [`WorkingBook::grow`].
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn run<A: Analyst>(self, analysts: &mut [A]) -> Result<Grown, RunError> {
        let Self { book, options, stop, mut select, mut on_event } = self;
        let mut selected =
            |graph: &BookGraph| select.iter_mut().flat_map(|select| select(graph)).collect();
        book.grow(analysts, &options, &stop, &mut selected, &mut *on_event)
    }

    /// Grows the book by a queue that workers on other machines share. The analysts are further
    /// workers; there may be none. The run ends when all wanted positions are analysed, when no
    /// position is left, or by the [stop](Self::stop) flag. The book is that of [`run`](Self::run),
    /// unless machines wait: if a job of the plan keeps all others waiting for half a minute and for
    /// twice the longest search, its result enters the graph when it comes, and not in its turn.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, the queue refuses a request, or
    /// [analyses depend on earlier ones](GrowOptions::nodes_after_parent_percent). A queue that is
    /// not available for some time ends no run.
    ///
    /// # Examples
    ///
    /// The queue is that of another file here, in which a worker analyses one position:
    ///
    /// ```
    /// use std::thread;
    /// use std::time::Duration;
    ///
    /// use komadai_book::queue::{FinishedJob, JobSource, LeaseRequest, QueueOptions};
    /// use komadai_book::store::Store;
    /// use komadai_book::{GrowOptions, LoggedAnalysis, WorkingBook};
    /// use komadai_core::{Analysis, Analyst, AnalystId, Line, Position, Score};
    ///
    /// fn work(queue: &impl JobSource) {
    ///     let engine = AnalystId::new("engine", "1");
    ///     let request = LeaseRequest {
    ///         worker: "far away".into(),
    ///         analyst: Some(engine.clone()),
    ///         count: 1,
    ///         duration_ms: 60_000,
    ///     };
    ///     let job = loop {
    ///         match queue.lease(&request).expect("it is open").pop() {
    ///             Some(job) => break job,
    ///             None => thread::sleep(Duration::from_millis(10)),
    ///         }
    ///     };
    ///     let line = Line::exact(Score::cp(30), "7g7f".parse().expect("a move"));
    ///     let analysis = Analysis { lines: vec![line], ..Analysis::default() };
    ///     let result = LoggedAnalysis::new(job.position, analysis, engine);
    ///     queue.finish(&[FinishedJob { lease: job.lease, result }]).expect("it is open");
    /// }
    ///
    /// let folder = tempfile::tempdir()?;
    /// let mut book = WorkingBook::open_or_create(folder.path().join("book.kbook"))?;
    /// let shared = Store::create(folder.path().join("queue.kbook"))?;
    /// let queue = shared.queue(QueueOptions::default());
    /// let grown = thread::scope(|scope| {
    ///     scope.spawn(|| work(&queue));
    ///     let nobody: &mut [Box<dyn Analyst>] = &mut [];
    ///     book.grower(GrowOptions { positions: 1, ..GrowOptions::nodes(100) })
    ///         .select(|_| vec![Position::hirate()])
    ///         .run_on(&queue, nobody)
    /// })?;
    /// assert_eq!(grown.analysed, 1);
    /// assert_eq!(book.graph().value(&Position::hirate()).map(|value| value.score), Some(Score::cp(30)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run_on<Q: JobQueue, A: Analyst>(
        self,
        queue: &Q,
        analysts: &mut [A],
    ) -> Result<Grown, RunError> {
        let Self { book, options, stop, mut select, mut on_event } = self;
        let mut selected =
            |graph: &BookGraph| select.iter_mut().flat_map(|select| select(graph)).collect();
        book.grow_on(queue, analysts, &options, &stop, &mut selected, &mut *on_event)
    }
}

/// Shows the options; functions have no representation.
impl fmt::Debug for Grower<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Grower").field("options", &self.options).finish_non_exhaustive()
    }
}
