//! A player behind USI.

use std::collections::VecDeque;
use std::time::Duration;

use komadai_base::clock::Instant;
use komadai_core::{Budget, Position, PositionError, Score, SplitMix64, UsiPosition};
use komadai_movegen::play_leniently;
use komadai_usi::{
    BestMove, Checkmate, ClockTimes, Event, GameResult, GoLimits, Handler, Identity, Info,
    MateLimit, OptionSpec, OptionValue, Tail, Waker,
};

use crate::clock::TimeLimits;
use crate::own_option::OwnOption;
use crate::parts::Parts;
use crate::request::Aim;
use crate::settings::{SettingError, Settings};
use crate::stochastic_ponder::{StochasticPonder, any_legal_move};
use crate::time_manager::TimeManager;
use crate::worker::{Crashed, Order, SearchOrder, SharedEvaluation, Worker};

/// A USI engine with a [`Player`](crate::Player), for [`serve_stdio`](komadai_usi::serve_stdio).
///
/// The player runs on its own thread. [`Settings::options`] lists the options.
/// [`builder`](UsiEngine::builder) composes an engine with another name, evaluator, searcher or
/// mate solver, and with options of its own. [`with_parts`](UsiEngine::with_parts) takes the parts
/// of any player.
///
/// Besides the commands of USI it knows `e`, which prints the static evaluation of the position for
/// the side to move as `eval = N`, like YaneuraOu. `N` is
/// [`Evaluation::value`](crate::Evaluation::value) of the evaluation that the options name. Like
/// `go`, `e` prepares the engine if `isready` has not come since the last option; if that fails,
/// the error is the only answer. During a search it is answered at once.
///
/// # Examples
///
/// ```
/// use komadai_engine::UsiEngine;
///
/// let script = "setoption name USI_Hash value 1\nposition startpos moves 7g7f\ngo nodes 1000\n";
/// let mut output = Vec::new();
/// komadai_usi::serve(UsiEngine::new(), script.as_bytes(), &mut output)?;
/// assert!(String::from_utf8_lossy(&output).contains("\nbestmove "));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct UsiEngine {
    identity: Identity,
    parts: Parts,
    settings: Settings,
    /// Options of the program around the engine.
    own_options: Vec<OwnOption>,
    position: Position,
    worker: Worker,
    evaluation: SharedEvaluation,
    waker: Option<Waker>,
    /// The present task of the worker.
    job: Job,
    /// Events that do not come from the worker, and converted ones.
    events: VecDeque<Event>,
    /// Number of unfinished searches whose results will be discarded.
    abandoned: u32,
    /// The value for which the last move of this game was chosen.
    last_move: Option<Score>,
    random: SplitMix64,
}

#[derive(Debug)]
enum Job {
    None,
    Preparing,
    Thinking(Box<Thinking>),
}

#[derive(Debug)]
struct Thinking {
    limits: GoLimits,
    time_manager: TimeManager,
    /// Present if other positions than the one that was set are searched.
    ponder: Option<Detour>,
    /// The time of the last output.
    last_output: Instant,
}

/// A ponder search of other positions than the one that was set. `ponderhit` ends it; a search of
/// the position itself takes over, with the transposition table filled.
#[derive(Debug, Default)]
struct Detour {
    /// The conversion of the reports, if only the position before the expected reply is searched.
    stochastic: Option<StochasticPonder>,
    /// The answer of a finished search. It is sent when the GUI sends `stop`.
    answer: Option<BestMove>,
    is_stopped: bool,
}

impl Detour {
    fn convert(&self, info: Info) -> Info {
        match &self.stochastic {
            Some(ponder) => ponder.convert(info),
            None => info,
        }
    }

    /// Returns an answer for the position that was set.
    fn answer(&self, found: BestMove, position: &Position) -> BestMove {
        match &self.stochastic {
            Some(ponder) => ponder.answer(found, position),
            None => found,
        }
    }
}

/// The options without effect on parts that have one kind of searcher.
const KINDS: [&str; 15] = [
    "SearchMode",
    "TreePreset",
    "TreeHashBonus",
    "TreePriors",
    "TreeBackup",
    "PlayoutJudge",
    "HybridMinNodes",
    "HybridLowRate",
    "HybridRateGap",
    "HybridMinVisits",
    "HybridLosingValue",
    "MoveModel",
    "SurpriseCost",
    "AbcMargin",
    "SkillLevel",
];

/// The options without effect on parts with an evaluator of their own.
const EVALUATIONS: [&str; 4] = ["EvalFile", "EvalDir", "FV_SCALE", "EvalStackRule"];

/// Interval of reports during a mate search, which has no other output.
const KEEP_ALIVE: Duration = Duration::from_secs(1);

/// An error in a command of the GUI.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UsiEngineError {
    /// The position is not a legal one.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The option cannot be set to this value.
    #[error(transparent)]
    Setting(#[from] SettingError),
}

impl Default for UsiEngine {
    fn default() -> Self {
        Self::new()
    }
}

impl UsiEngine {
    /// Returns an engine with default settings and the [parts](Parts) of the embedded player.
    /// Tables and books are set up at `isready`.
    pub fn new() -> Self {
        Self::with_parts(Parts::default())
    }

    /// Returns an engine with default settings and these parts. The parts are used at `isready`, on
    /// the thread of the player.
    ///
    /// # Examples
    ///
    /// An engine with another evaluation:
    ///
    /// ```
    /// use komadai_engine::{Parts, UsiEngine};
    /// use komadai_eval::Material;
    ///
    /// let engine = UsiEngine::with_parts(Parts::alpha_beta(Material));
    /// let script = "setoption name USI_Hash value 1\nposition startpos\ngo nodes 1000\n";
    /// let mut output = Vec::new();
    /// komadai_usi::serve(engine, script.as_bytes(), &mut output)?;
    /// assert!(String::from_utf8_lossy(&output).contains("\nbestmove "));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn with_parts(parts: Parts) -> Self {
        let evaluation = SharedEvaluation::default();
        let worker = Worker::start(parts.clone(), None, evaluation.clone());
        let identity = standard_identity();
        Self::assemble(worker, evaluation, parts, identity, Settings::default(), Vec::new())
    }

    pub(crate) fn assemble(
        worker: Worker,
        evaluation: SharedEvaluation,
        parts: Parts,
        identity: Identity,
        settings: Settings,
        own_options: Vec<OwnOption>,
    ) -> Self {
        Self {
            worker,
            evaluation,
            identity,
            parts,
            random: SplitMix64::new(settings.seed),
            settings,
            own_options,
            position: Position::hirate(),
            waker: None,
            job: Job::None,
            events: VecDeque::new(),
            abandoned: 0,
            last_move: None,
        }
    }

    /// Sends the worker an order. A worker that has crashed is replaced, and its job answered.
    fn order(&mut self, order: Order) {
        if self.worker.order(order).is_err() {
            self.recover();
        }
    }

    fn start_worker(&mut self) {
        let (parts, waker) = (self.parts.clone(), self.waker.clone());
        self.worker = Worker::start(parts, waker, self.evaluation.clone());
    }

    /// Replaces a crashed worker: reports the crash, answers the pending command and starts a new
    /// worker.
    fn recover(&mut self) {
        self.start_worker();
        self.abandoned = 0;
        let text = "Error! : the thinking thread has crashed; see standard error";
        self.events.push_back(Event::Info(Info::text(text)));
        match std::mem::replace(&mut self.job, Job::None) {
            Job::None => {}
            Job::Preparing => self.events.push_back(Event::NotReady("crashed".to_owned())),
            Job::Thinking(thinking) => {
                // The session has seen `readyok` and will not send `isready` again, so the new
                // worker is prepared here.
                let _ = self.worker.order(Order::Prepare(Box::new(self.settings.clone())));
                self.events.push_back(match thinking.limits.mate {
                    Some(_) => Event::Checkmate(Checkmate::Timeout),
                    None => Event::BestMove(any_legal_move(&self.position)),
                });
            }
        }
    }

    /// Returns the time limits of a search, or `None` if it has none.
    fn time_limits(&mut self, limits: &GoLimits, clock: Option<&ClockTimes>) -> Option<TimeLimits> {
        let (position, moves_to_go) = (&self.position, limits.moves_to_go);
        let by_clock = clock.map(|clock| self.settings.limits(position, clock, moves_to_go));
        let by_move = limits.move_time.map(TimeLimits::exactly);
        let by_chance = limits.random_time.map(|time| {
            // `rtime T`: a random time from T to 3 T, as in YaneuraOu.
            let least = u64::try_from(time.as_millis()).unwrap_or(u64::MAX / 4);
            let more = self.random.below(least.saturating_mul(2).saturating_add(1));
            TimeLimits::exactly(Duration::from_millis(least.saturating_add(more)))
        });
        let by_mate = match limits.mate {
            Some(MateLimit::Within(time)) => Some(TimeLimits::exactly(time)),
            Some(MateLimit::Infinite) | None => None,
        };
        [by_clock, by_move, by_chance, by_mate].into_iter().flatten().reduce(TimeLimits::min)
    }

    /// Starts a search of the position, with the clock running since `received` unless it ponders.
    fn think(&mut self, limits: &GoLimits, ponders: bool, received: Instant) {
        let time_manager = TimeManager::new(received, self.last_move);
        if !ponders {
            self.start_clock(&time_manager, limits, received);
        }
        let order = Box::new(SearchOrder {
            position: self.position.clone(),
            among: limits.search_moves.clone(),
            aim: if limits.is_endless() && !limits.ponder { Aim::Analyse } else { Aim::Play },
            draw_value: self.settings.draw.value(self.position.side(), limits.clock.as_ref()),
            budget: self.budget(limits),
            time_manager: time_manager.clone(),
        });
        let is_mate = limits.mate.is_some();
        self.begin(limits, time_manager, None);
        self.order(if is_mate { Order::FindMate(order) } else { Order::Choose(order) });
    }

    /// Starts a search of the position before the expected reply.
    fn think_before(
        &mut self,
        ponder: StochasticPonder,
        before: Position,
        limits: &GoLimits,
        received: Instant,
    ) {
        let time_manager = TimeManager::new(received, None);
        let draw_value = self.settings.draw.value(self.position.side(), limits.clock.as_ref());
        let order = Box::new(SearchOrder {
            position: before,
            among: Vec::new(),
            aim: Aim::Analyse,
            draw_value: -draw_value,
            budget: self.budget(limits),
            time_manager: time_manager.clone(),
        });
        let detour = Detour { stochastic: Some(ponder), ..Detour::default() };
        self.begin(limits, time_manager, Some(detour));
        self.order(Order::Choose(order));
    }

    /// Starts searches of the positions after the expected reply and the likeliest others.
    fn ponder_on_several(&mut self, limits: &GoLimits, received: Instant) {
        let time_manager = TimeManager::new(received, None);
        let order = Box::new(SearchOrder {
            position: self.position.clone(),
            among: Vec::new(),
            aim: Aim::Analyse,
            draw_value: self.settings.draw.value(self.position.side(), limits.clock.as_ref()),
            budget: self.budget(limits),
            time_manager: time_manager.clone(),
        });
        self.begin(limits, time_manager, Some(Detour::default()));
        self.order(Order::Ponder(order, self.settings.multi_ponder));
    }

    fn begin(&mut self, limits: &GoLimits, time_manager: TimeManager, ponder: Option<Detour>) {
        let (limits, last_output) = (limits.clone(), Instant::now());
        let thinking = Thinking { limits, time_manager, ponder, last_output };
        self.job = Job::Thinking(Box::new(thinking));
    }

    /// Starts the clock of the limits. If `ponderhit` arrives and there is neither a clock nor
    /// another limit, the search stops at once.
    fn start_clock(&mut self, time_manager: &TimeManager, limits: &GoLimits, received: Instant) {
        match self.time_limits(limits, limits.clock.as_ref()) {
            Some(time) => time_manager.start(received, time),
            None if limits.ponder && limits.nodes.is_none() && limits.depth.is_none() => {
                time_manager.stop();
            }
            None => {}
        }
    }

    /// Updates the state after an event of the worker, and queues the event for the GUI where
    /// appropriate.
    fn on_event(&mut self, event: Event, now: Instant) {
        let is_info = matches!(event, Event::Info(_));
        if self.abandoned > 0 {
            self.abandoned -= u32::from(!is_info);
            // The text about what was pondered arrives after the hit.
            if matches!(&event, Event::Info(info) if matches!(info.tail, Tail::Text(_))) {
                self.events.push_back(event);
            }
            return;
        }
        let event = match &mut self.job {
            Job::None | Job::Preparing => event,
            Job::Thinking(thinking) => {
                thinking.last_output = now;
                match (event, &mut thinking.ponder) {
                    (Event::Info(info), Some(ponder)) => Event::Info(ponder.convert(info)),
                    (Event::BestMove(found), Some(ponder)) => {
                        let answer = ponder.answer(found, &self.position);
                        if !ponder.is_stopped {
                            ponder.answer = Some(answer);
                            return;
                        }
                        Event::BestMove(answer)
                    }
                    (Event::BestMove(found), None) => {
                        self.last_move = thinking.time_manager.score();
                        Event::BestMove(found)
                    }
                    (event, _) => event,
                }
            }
        };
        if !is_info {
            self.job = Job::None;
        }
        self.events.push_back(event);
    }

    fn answer(&mut self, answer: BestMove) {
        self.job = Job::None;
        self.events.push_back(Event::BestMove(answer));
    }

    /// Returns a report of the time spent if a mate search has had no output for some time. Some
    /// GUIs take a silent engine for a hanging one.
    fn keep_alive(&mut self, now: Instant) -> Option<Event> {
        let Job::Thinking(thinking) = &mut self.job else { return None };
        let interval = self.settings.pv_interval.max(KEEP_ALIVE);
        if thinking.limits.mate.is_none() || now.duration_since(thinking.last_output) < interval {
            return None;
        }
        thinking.last_output = now;
        Some(Event::Info(Info {
            time: Some(thinking.time_manager.elapsed(now)),
            ..Info::default()
        }))
    }

    fn budget(&self, limits: &GoLimits) -> Budget {
        let budget = self.settings.budget(limits);
        if limits.mate.is_some() { Budget { depth: None, ..budget } } else { budget }
    }
}

/// The name and author of the embedded player.
pub(crate) fn standard_identity() -> Identity {
    Identity::new(concat!("komadai ", env!("CARGO_PKG_VERSION")), env!("CARGO_PKG_AUTHORS"))
}

impl Handler for UsiEngine {
    type Error = UsiEngineError;

    fn identity(&self) -> Identity {
        self.identity.clone()
    }

    fn options(&self) -> Vec<OptionSpec> {
        let is_own = |name: &str| self.own_options.iter().any(|own| own.spec.is_named(name));
        let mut options = self.settings.to_options();
        let is_vain = |name: &str| {
            !self.parts.has_kinds && KINDS.contains(&name)
                || !self.parts.has_evaluations && EVALUATIONS.contains(&name)
        };
        options.retain(|option| !is_own(&option.name) && !is_vain(&option.name));
        options.extend(self.own_options.iter().map(|own| own.spec.clone()));
        options
    }

    fn renamed_option(&self, former: &str) -> Option<String> {
        Settings::renamed_option(former)
    }

    fn set_option(&mut self, name: &str, value: OptionValue) -> Result<(), UsiEngineError> {
        if let Some(own) = self.own_options.iter_mut().find(|own| own.spec.is_named(name)) {
            own.set(&value);
            // Results with the old value may be wrong.
            self.order(Order::NewGame);
            return Ok(());
        }
        self.settings.set(name, &value)?;
        if name == "RandomSeed" {
            self.random = SplitMix64::new(self.settings.seed);
        }
        Ok(())
    }

    fn prepare(&mut self) {
        self.job = Job::Preparing;
        self.order(Order::Prepare(Box::new(self.settings.clone())));
    }

    fn new_game(&mut self) {
        self.last_move = None;
        self.order(Order::NewGame);
    }

    /// Clears the memory of the game already here, where no clock runs: after `usinewgame` the
    /// first `go` may follow at once.
    fn game_over(&mut self, _: GameResult) {
        self.last_move = None;
        self.order(Order::NewGame);
    }

    fn set_position(&mut self, position: &UsiPosition) -> Result<(), UsiEngineError> {
        let played = play_leniently(position)?;
        self.position = played.position;
        if let Some(error) = played.stopped {
            let text = format!("Error! : position: {error}; the moves before it are kept");
            self.events.push_back(Event::Info(Info::text(text)));
        }
        Ok(())
    }

    fn go(&mut self, limits: &GoLimits, received: Instant) {
        let ponders = limits.ponder && limits.mate.is_none();
        let Some((ponder, before)) = StochasticPonder::before(&self.position).filter(|_| ponders)
        else {
            return self.think(limits, limits.ponder, received);
        };
        if self.settings.multi_ponder > 1 {
            self.ponder_on_several(limits, received);
        } else if self.settings.stochastic_ponder {
            self.think_before(ponder, before, limits, received);
        } else {
            self.think(limits, limits.ponder, received);
        }
    }

    fn stop(&mut self) {
        let Job::Thinking(thinking) = &mut self.job else { return };
        thinking.time_manager.stop();
        if let Some(ponder) = &mut thinking.ponder {
            ponder.is_stopped = true;
            if let Some(answer) = ponder.answer.take() {
                self.answer(answer);
            }
        }
    }

    fn ponder_hit(&mut self, clock: Option<&ClockTimes>, received: Instant) {
        let Job::Thinking(thinking) = &self.job else { return };
        let mut limits = thinking.limits.clone();
        if let Some(clock) = clock {
            limits.clock = Some(clock.clone());
        }
        if let Some(ponder) = &thinking.ponder {
            thinking.time_manager.stop();
            self.abandoned += u32::from(ponder.answer.is_none());
            return self.think(&limits, false, received);
        }
        let time_manager = thinking.time_manager.clone();
        self.start_clock(&time_manager, &limits, received);
        time_manager.check(Instant::now());
    }

    /// Returns the value of the position by the evaluation of the player, if its parts have no
    /// evaluator of their own.
    fn evaluate(&mut self) -> Option<i32> {
        Some(self.evaluation.get()?.value(&self.position))
    }

    fn poll(&mut self) -> Option<Event> {
        let now = Instant::now();
        if let Job::Thinking(thinking) = &self.job {
            thinking.time_manager.check(now);
        }
        loop {
            if let Some(event) = self.events.pop_front() {
                return Some(event);
            }
            match self.worker.event() {
                Ok(Some(event)) => self.on_event(event, now),
                Ok(None) => return self.keep_alive(now),
                Err(Crashed) => self.recover(),
            }
        }
    }

    fn due(&self) -> Option<Instant> {
        match &self.job {
            Job::Thinking(thinking) => thinking.time_manager.deadline(),
            Job::None | Job::Preparing => None,
        }
    }

    fn set_waker(&mut self, waker: Waker) {
        // A detached player has received its waker with the orders' channel.
        if !self.worker.is_detached() {
            self.waker = Some(waker);
            self.start_worker();
        }
    }
}

/// Stops the search, so that the thread of the player ends soon.
impl Drop for UsiEngine {
    fn drop(&mut self) {
        self.stop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the events of an engine whose worker has crashed at this job.
    fn events_after_crash(job: impl FnOnce(&mut UsiEngine)) -> Vec<Event> {
        let mut engine = UsiEngine::new();
        engine.settings.hash_mib = 1;
        job(&mut engine);
        engine.worker = Worker::crashed();
        std::iter::from_fn(|| engine.poll()).collect()
    }

    #[test]
    fn a_mate_search_reports_that_it_is_alive() {
        let mut engine = UsiEngine::new();
        engine.go(&GoLimits::from_usi("mate infinite"), Instant::now());
        let at = |seconds| Instant::now() + Duration::from_secs(seconds);
        assert_eq!(engine.keep_alive(Instant::now()), None);
        let Some(Event::Info(info)) = engine.keep_alive(at(5)) else { panic!("it is time") };
        assert!(info.time.is_some_and(|time| time > Duration::from_secs(4)), "{info}");
        assert_eq!(engine.keep_alive(at(5)), None);
        assert!(engine.keep_alive(at(10)).is_some());
        engine.go(&GoLimits::from_usi("infinite"), Instant::now());
        assert_eq!(engine.keep_alive(at(5)), None, "a search has its own reports");
    }

    #[test]
    fn the_increment_is_available_from_the_ponder_hit_on() {
        let fischer = "btime 0 wtime 0 binc 10000 winc 10000";
        for (go, hit) in [
            (format!("ponder {fischer}"), None),
            ("ponder".to_owned(), Some(fischer)),
            ("ponder btime 5 wtime 5 byoyomi 0".to_owned(), Some(fischer)),
        ] {
            let mut engine = UsiEngine::new();
            engine.settings.hash_mib = 1;
            let asked = Instant::now();
            engine.go(&GoLimits::from_usi(&go), asked);
            assert_eq!(engine.due(), None, "{go}");
            let times = hit.and_then(|times| GoLimits::from_usi(times).clock);
            engine.ponder_hit(times.as_ref(), asked);
            let due = engine.due().expect("the clock runs");
            assert_eq!(due - asked, Duration::from_millis(8_000), "{go}");
        }
    }

    #[test]
    fn a_crash_of_the_thinking_thread_is_answered() {
        let note = |event: &Event| matches!(event, Event::Info(info) if info.to_string().contains("crashed"));
        let go = |text: &'static str| {
            events_after_crash(move |engine| engine.go(&GoLimits::from_usi(text), Instant::now()))
        };
        let events = go("infinite");
        assert!(note(&events[0]));
        assert!(matches!(events[1], Event::BestMove(BestMove::Move { .. })), "{events:?}");
        let events = go("mate infinite");
        assert_eq!(events[1], Event::Checkmate(Checkmate::Timeout));
        let events = events_after_crash(UsiEngine::prepare);
        assert!(note(&events[0]) && matches!(events[1], Event::NotReady(_)), "{events:?}");
        let events = events_after_crash(|_| {});
        assert!(note(&events[0]) && events.len() == 1, "{events:?}");
    }
}
