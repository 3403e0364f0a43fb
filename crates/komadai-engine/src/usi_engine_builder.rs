//! The composition of a USI engine with a name, an evaluation and options of its own.

use komadai_bookfile::BookOpener;
use komadai_eval::Evaluator;
use komadai_movegen::MateSolver;
use komadai_search::{SearchOptions, Searcher};
use komadai_tsume::DfPnOptions;
use komadai_usi::{Identity, OptionSpec, OptionValue, Waker};

use crate::own_option::OwnOption;
use crate::parts::Parts;
use crate::settings::Settings;
use crate::usi_engine::{UsiEngine, standard_identity};
use crate::worker::{DetachedPlayer, SharedEvaluation, Worker};

/// Composes a [`UsiEngine`]: [`UsiEngine::builder`] returns one.
///
/// Every part that is not named is that of the embedded player. Book, mate search, time management
/// and pondering come with the engine.
///
/// # Examples
///
/// An engine with a name and an evaluation of its own, and with an option for the evaluation:
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicI32, Ordering::Relaxed};
///
/// use komadai_core::{PieceKind, Position};
/// use komadai_engine::UsiEngine;
/// use komadai_eval::{Evaluator, Material, from_fn};
/// use komadai_usi::{OptionSpec, OptionValue};
///
/// let bonus = Arc::new(AtomicI32::new(0));
/// let in_force = Arc::clone(&bonus);
/// let pawn_lover = from_fn(move |position: &Position| {
///     let pawns = |color| position.hand(color).count(PieceKind::Pawn) as i32;
///     let lead = pawns(position.side()) - pawns(!position.side());
///     Material.evaluate_position(position).raw() + lead * in_force.load(Relaxed)
/// });
/// let engine = UsiEngine::builder()
///     .identity("Pawn lover 1.0", "a pawn")
///     .evaluator(pawn_lover)
///     .option(OptionSpec::spin("PawnBonus", 20, 0..=100), move |value| {
///         if let &OptionValue::Spin(centipawns) = value {
///             bonus.store(centipawns as i32, Relaxed);
///         }
///     })
///     .build();
/// let script = "usi\nsetoption name USI_Hash value 1\nsetoption name PawnBonus value 50\n\
///               position startpos\ngo nodes 1000\n";
/// let mut output = Vec::new();
/// komadai_usi::serve(engine, script.as_bytes(), &mut output)?;
/// let output = String::from_utf8_lossy(&output);
/// assert!(output.starts_with("id name Pawn lover 1.0\nid author a pawn\n"));
/// assert!(output.contains("\noption name PawnBonus type spin default 20 min 0 max 100\n"));
/// assert!(output.contains("\nbestmove "));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
#[must_use]
pub struct UsiEngineBuilder {
    identity: Identity,
    parts: Parts,
    settings: Settings,
    options: Vec<OwnOption>,
}

impl Default for UsiEngineBuilder {
    /// Returns the composition of the embedded player.
    fn default() -> Self {
        Self {
            identity: standard_identity(),
            parts: Parts::default(),
            settings: Settings::default(),
            options: Vec::new(),
        }
    }
}

impl UsiEngine {
    /// Returns a composition to which parts, a name and options can be added.
    pub fn builder() -> UsiEngineBuilder {
        UsiEngineBuilder::default()
    }
}

impl UsiEngineBuilder {
    /// Sets the name, with the version, and the author that the GUI shows.
    pub fn identity(self, name: impl Into<String>, author: impl Into<String>) -> Self {
        Self { identity: Identity::new(name, author), ..self }
    }

    /// Sets the parts of the player.
    pub fn parts(self, parts: Parts) -> Self {
        Self { parts, ..self }
    }

    /// Sets the searches of the embedded player with this evaluator; see
    /// [`from_fn`](komadai_eval::from_fn) for evaluators made from a function.
    pub fn evaluator<E: Evaluator + 'static>(self, evaluator: E) -> Self {
        Self { parts: self.parts.with_evaluator(evaluator), ..self }
    }

    /// Sets the function that makes the searcher. The searcher is made at the first `isready`, and
    /// again after a crash; changed options reach it through [`Searcher::set_options`]. The engine
    /// has no options `SearchMode` and `SkillLevel` then.
    pub fn searcher<S: Searcher + 'static>(
        self,
        make: impl Fn(&SearchOptions) -> S + Send + Sync + 'static,
    ) -> Self {
        Self { parts: self.parts.with_searcher(make), ..self }
    }

    /// Sets the function that makes the mate solver. A solver is made for each change of its
    /// options.
    pub fn solver<M: MateSolver + Send + 'static>(
        self,
        make: impl Fn(&DfPnOptions) -> M + Send + Sync + 'static,
    ) -> Self {
        Self { parts: self.parts.with_solver(make), ..self }
    }

    /// Sets the function that opens the book, such as `komadai_book::open_book`, which knows
    /// working books, too.
    pub fn books(self, open_book: BookOpener) -> Self {
        Self { parts: self.parts.with_books(open_book), ..self }
    }

    /// Adds an option. `set` receives the default when the engine is built, then each value that
    /// the GUI sets, within the range of the option.
    ///
    /// A new value clears the memory of the searcher, because results with the old value may be
    /// wrong. An option with the name of another one takes its place; a setting whose option is
    /// replaced keeps its value.
    pub fn option(
        mut self,
        option: OptionSpec,
        set: impl FnMut(&OptionValue) + Send + 'static,
    ) -> Self {
        self.options.retain(|own| !own.spec.is_named(&option.name));
        self.options.push(OwnOption::new(option, set));
        self
    }

    /// Sets the settings. They are the defaults of the options that the GUI sees.
    pub fn settings(self, settings: Settings) -> Self {
        Self { settings, ..self }
    }

    /// Returns the engine.
    #[must_use]
    pub fn build(mut self) -> UsiEngine {
        self.options.iter_mut().for_each(OwnOption::set_default);
        let evaluation = SharedEvaluation::default();
        let worker = Worker::start(self.parts.clone(), None, evaluation.clone());
        self.assemble(worker, evaluation)
    }

    /// Returns an engine without threads, and its player: for targets that have none, such as a
    /// module in a browser.
    ///
    /// Whoever drives the [`Session`](komadai_usi::Session) of the engine lets the player
    /// [work](DetachedPlayer::work) after each line and as long as the session is busy. The player
    /// calls `waker` after each of its events, on the same thread and during the search: this is
    /// the time to poll the session for output.
    ///
    /// A search ends at its time by itself, and by `stop` if the session gets that line during the
    /// search. On `wasm32-unknown-unknown` the function for that is the host's
    /// (`komadai_base::clock`).
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    ///
    /// use komadai_engine::UsiEngine;
    /// use komadai_usi::{Session, Waker};
    ///
    /// let session = Arc::new(Mutex::new(None));
    /// let output = Arc::new(Mutex::new(Vec::new()));
    /// let poll = {
    ///     let (session, output) = (Arc::clone(&session), Arc::clone(&output));
    ///     move || {
    ///         let mut session = session.lock().expect("one thread");
    ///         let session: &mut Session<UsiEngine> = session.as_mut().expect("made below");
    ///         output.lock().expect("one thread").extend(session.poll());
    ///     }
    /// };
    /// let (engine, mut player) = UsiEngine::builder().build_detached(Waker::new(poll.clone()));
    /// *session.lock().expect("one thread") = Some(Session::new(engine));
    /// for line in ["setoption name USI_Hash value 1", "isready", "position startpos", "go nodes 100"] {
    ///     session.lock().expect("one thread").as_mut().expect("made above").feed_line(line);
    ///     while player.work() {
    ///         poll();
    ///     }
    /// }
    /// let lines: Vec<_> = output.lock().expect("one thread").iter().map(ToString::to_string).collect();
    /// assert!(lines.iter().any(|line| line == "readyok"));
    /// assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")));
    /// ```
    #[must_use]
    pub fn build_detached(mut self, waker: Waker) -> (UsiEngine, DetachedPlayer) {
        self.options.iter_mut().for_each(OwnOption::set_default);
        let evaluation = SharedEvaluation::default();
        let (worker, player) =
            Worker::detached(self.parts.clone(), Some(waker), evaluation.clone());
        (self.assemble(worker, evaluation), player)
    }

    fn assemble(self, worker: Worker, evaluation: SharedEvaluation) -> UsiEngine {
        let Self { identity, parts, settings, options } = self;
        UsiEngine::assemble(worker, evaluation, parts, identity, settings, options)
    }
}
