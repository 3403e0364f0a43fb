//! A player behind USI.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use komadai_core::{Budget, Position, PositionError, Score, UsiPosition};
use komadai_movegen::play_leniently;
use komadai_usi::{
    BestMove, Checkmate, ClockTimes, Event, GameResult, GoLimits, Handler, Identity, Info,
    MateLimit, OptionSpec, OptionValue, Waker,
};

use crate::clock::TimeLimits;
use crate::player::Aim;
use crate::settings::{SettingError, Settings};
use crate::stochastic_ponder::{Guess, some_move};
use crate::time_manager::Timekeeper;
use crate::worker::{Crashed, Order, SearchOrder, Worker};
use komadai_core::SplitMix64;

/// A [`Player`](crate::Player) behind USI: hand it to [`serve_stdio`](komadai_usi::serve_stdio) and it
/// is an engine that GUIs can use.
///
/// The player thinks on a thread of its own. [`Settings::options`] lists the options.
///
/// # Examples
///
/// ```
/// use komadai_engine::UsiEngine;
///
/// let script = "setoption name USI_Hash value 1\nposition startpos moves 7g7f\ngo nodes 1000\n";
/// let mut said = Vec::new();
/// komadai_usi::serve(UsiEngine::new(), script.as_bytes(), &mut said)?;
/// assert!(String::from_utf8_lossy(&said).contains("\nbestmove "));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct UsiEngine {
    settings: Settings,
    position: Position,
    worker: Worker,
    waker: Option<Waker>,
    /// What the worker is at.
    job: Job,
    /// Events that do not come from the worker.
    events: VecDeque<Event>,
    /// How many searches the worker has not finished that nobody wants to hear of any more.
    abandoned: u32,
    /// The value that the last move of this game was chosen for.
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
    keeper: Timekeeper,
    /// If the position before a guessed reply is searched, not the one that was set.
    guess: Option<Guess>,
    /// When something was said last.
    heard: Instant,
}

/// A silent mate search says this often that it is still at it.
const SIGN_OF_LIFE: Duration = Duration::from_secs(1);

/// Why the engine cannot do what it is told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UsiEngineError {
    /// There is no such position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The option cannot be set.
    #[error(transparent)]
    Setting(#[from] SettingError),
}

impl Default for UsiEngine {
    fn default() -> Self {
        Self::new()
    }
}

impl UsiEngine {
    /// An engine with default settings. Tables and books are set up when it is told to get ready.
    #[must_use]
    pub fn new() -> Self {
        let settings = Settings::default();
        Self {
            random: SplitMix64::new(settings.seed),
            settings,
            position: Position::hirate(),
            worker: Worker::start(None),
            waker: None,
            job: Job::None,
            events: VecDeque::new(),
            abandoned: 0,
            last_move: None,
        }
    }

    /// Gives the worker an order; a worker that has crashed is replaced, and its job answered.
    fn order(&mut self, order: Order) {
        if self.worker.order(order).is_err() {
            self.recover();
        }
    }

    /// After a crash of the worker: says so, answers what was asked, and starts another.
    fn recover(&mut self) {
        self.worker = Worker::start(self.waker.clone());
        self.abandoned = 0;
        let text = "Error! : the thinking thread has crashed; see standard error";
        self.events.push_back(Event::Info(Info::text(text)));
        match std::mem::replace(&mut self.job, Job::None) {
            Job::None => {}
            Job::Preparing => self.events.push_back(Event::NotReady("crashed".to_owned())),
            Job::Thinking(thinking) => {
                // The next search needs a player, and the session knows of none that is missing.
                let _ = self.worker.order(Order::Prepare(Box::new(self.settings.clone())));
                self.events.push_back(match thinking.limits.mate {
                    Some(_) => Event::Checkmate(Checkmate::Timeout),
                    None => Event::BestMove(some_move(&self.position)),
                });
            }
        }
    }

    /// When a search has to end, as far as its own limits say; `None` if time does not end it.
    fn time_limits(&mut self, limits: &GoLimits, clock: Option<&ClockTimes>) -> Option<TimeLimits> {
        let (position, moves_to_go) = (&self.position, limits.moves_to_go);
        let by_clock = clock.map(|clock| self.settings.limits(position, clock, moves_to_go));
        let by_move = limits.move_time.map(TimeLimits::exactly);
        let by_chance = limits.random_time.map(|time| {
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

    /// Has the position searched, with the clock running since `received` unless this is pondering.
    fn think(&mut self, limits: &GoLimits, ponders: bool, received: Instant) {
        let keeper = Timekeeper::new(received, self.last_move);
        if !ponders {
            self.start_clock(&keeper, limits, received);
        }
        let order = Box::new(SearchOrder {
            position: self.position.clone(),
            among: limits.search_moves.clone(),
            aim: if limits.is_endless() && !limits.ponder { Aim::Analyse } else { Aim::Play },
            draw_value: self.settings.draw.value(self.position.side(), limits.clock.as_ref()),
            budget: self.budget(limits),
            keeper: keeper.clone(),
        });
        let is_mate = limits.mate.is_some();
        self.begin(limits, keeper, None);
        self.order(if is_mate { Order::FindMate(order) } else { Order::Choose(order) });
    }

    /// Has the position before a guessed reply searched.
    fn think_before(
        &mut self,
        guess: Guess,
        before: Position,
        limits: &GoLimits,
        received: Instant,
    ) {
        let keeper = Timekeeper::new(received, None);
        let draw_value = self.settings.draw.value(self.position.side(), limits.clock.as_ref());
        let order = Box::new(SearchOrder {
            position: before,
            among: Vec::new(),
            aim: Aim::Analyse,
            draw_value: -draw_value,
            budget: self.budget(limits),
            keeper: keeper.clone(),
        });
        self.begin(limits, keeper, Some(guess));
        self.order(Order::Choose(order));
    }

    fn begin(&mut self, limits: &GoLimits, keeper: Timekeeper, guess: Option<Guess>) {
        let (limits, heard) = (limits.clone(), Instant::now());
        self.job = Job::Thinking(Box::new(Thinking { limits, keeper, guess, heard }));
    }

    /// Starts the clock that the limits speak of. After `ponderhit`, when there is none and no other
    /// limit either, the answer is due.
    fn start_clock(&mut self, keeper: &Timekeeper, limits: &GoLimits, received: Instant) {
        match self.time_limits(limits, limits.clock.as_ref()) {
            Some(time) => keeper.start(received, time),
            None if limits.ponder && limits.nodes.is_none() && limits.depth.is_none() => {
                keeper.stop();
            }
            None => {}
        }
    }

    /// Takes note of what the worker says, and passes on what the GUI should know.
    fn hear(&mut self, event: Event, now: Instant) {
        let is_info = matches!(event, Event::Info(_));
        if self.abandoned > 0 {
            self.abandoned -= u32::from(!is_info);
            return;
        }
        let event = match &mut self.job {
            Job::None | Job::Preparing => event,
            Job::Thinking(thinking) => {
                thinking.heard = now;
                match (event, &mut thinking.guess) {
                    (Event::Info(info), Some(guess)) => Event::Info(guess.turned(info)),
                    (Event::BestMove(found), Some(guess)) => {
                        let answer = guess.answer(found, &self.position);
                        if !guess.is_stopped {
                            guess.answer = Some(answer);
                            return;
                        }
                        Event::BestMove(answer)
                    }
                    (Event::BestMove(found), None) => {
                        self.last_move = thinking.keeper.score();
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

    /// The mate solver says nothing until it is done, which some GUIs do not like.
    fn sign_of_life(&mut self, now: Instant) -> Option<Event> {
        let Job::Thinking(thinking) = &mut self.job else { return None };
        let interval = self.settings.pv_interval.max(SIGN_OF_LIFE);
        if thinking.limits.mate.is_none() || now.duration_since(thinking.heard) < interval {
            return None;
        }
        thinking.heard = now;
        Some(Event::Info(Info { time: Some(thinking.keeper.elapsed(now)), ..Info::default() }))
    }

    fn budget(&self, limits: &GoLimits) -> Budget {
        let mut budget = Budget::unlimited();
        let (nodes, depth) = (self.settings.nodes_limit, self.settings.depth_limit);
        budget.nodes = limits.nodes.into_iter().chain((nodes > 0).then_some(nodes)).min();
        if limits.mate.is_none() {
            budget.depth = limits.depth.into_iter().chain((depth > 0).then_some(depth)).min();
        }
        budget
    }
}

impl Handler for UsiEngine {
    type Error = UsiEngineError;

    fn identity(&self) -> Identity {
        Identity {
            name: concat!("komadai ", env!("CARGO_PKG_VERSION")).to_owned(),
            author: env!("CARGO_PKG_AUTHORS").to_owned(),
        }
    }

    fn options(&self) -> Vec<OptionSpec> {
        Settings::options()
    }

    fn set_option(&mut self, name: &str, value: OptionValue) -> Result<(), UsiEngineError> {
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

    /// Forgets the game now, while nobody waits: after `usinewgame` the first move may follow at
    /// once, with its clock running.
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
        let bets_on_all = limits.ponder && limits.mate.is_none() && self.settings.stochastic_ponder;
        match Guess::before(&self.position).filter(|_| bets_on_all) {
            Some((guess, before)) => self.think_before(guess, before, limits, received),
            None => self.think(limits, limits.ponder, received),
        }
    }

    fn stop(&mut self) {
        let Job::Thinking(thinking) = &mut self.job else { return };
        thinking.keeper.stop();
        if let Some(guess) = &mut thinking.guess {
            guess.is_stopped = true;
            if let Some(answer) = guess.answer.take() {
                self.answer(answer);
            }
        }
    }

    fn ponder_hit(&mut self, clock: Option<&ClockTimes>, received: Instant) {
        let Job::Thinking(thinking) = &self.job else { return };
        let limits = GoLimits {
            clock: clock.or(thinking.limits.clock.as_ref()).cloned(),
            ..thinking.limits.clone()
        };
        if let Some(guess) = &thinking.guess {
            thinking.keeper.stop();
            self.abandoned += u32::from(guess.answer.is_none());
            return self.think(&limits, false, received);
        }
        let keeper = thinking.keeper.clone();
        self.start_clock(&keeper, &limits, received);
        keeper.check(Instant::now());
    }

    fn poll(&mut self) -> Option<Event> {
        let now = Instant::now();
        if let Job::Thinking(thinking) = &self.job {
            thinking.keeper.check(now);
        }
        loop {
            if let Some(event) = self.events.pop_front() {
                return Some(event);
            }
            match self.worker.event() {
                Ok(Some(event)) => self.hear(event, now),
                Ok(None) => return self.sign_of_life(now),
                Err(Crashed) => self.recover(),
            }
        }
    }

    fn due(&self) -> Option<Instant> {
        match &self.job {
            Job::Thinking(thinking) => thinking.keeper.due(),
            Job::None | Job::Preparing => None,
        }
    }

    fn set_waker(&mut self, waker: Waker) {
        self.worker = Worker::start(Some(waker.clone()));
        self.waker = Some(waker);
    }
}

/// A search on a thread that nobody listens to any more ends soon.
impl Drop for UsiEngine {
    fn drop(&mut self) {
        self.stop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What an engine says after its worker has crashed at this job.
    fn said_after_crash(job: impl FnOnce(&mut UsiEngine)) -> Vec<Event> {
        let mut engine = UsiEngine::new();
        engine.settings.hash_mib = 1;
        job(&mut engine);
        engine.worker = Worker::crashed();
        std::iter::from_fn(|| engine.poll()).collect()
    }

    #[test]
    fn a_mate_search_shows_signs_of_life() {
        let mut engine = UsiEngine::new();
        engine.go(&GoLimits::from_usi("mate infinite"), Instant::now());
        let at = |seconds| Instant::now() + Duration::from_secs(seconds);
        assert_eq!(engine.sign_of_life(Instant::now()), None);
        let Some(Event::Info(info)) = engine.sign_of_life(at(5)) else { panic!("it is time") };
        assert!(info.time.is_some_and(|time| time > Duration::from_secs(4)), "{info}");
        assert_eq!(engine.sign_of_life(at(5)), None);
        assert!(engine.sign_of_life(at(10)).is_some());
        engine.go(&GoLimits::from_usi("infinite"), Instant::now());
        assert_eq!(engine.sign_of_life(at(5)), None, "a search speaks for itself");
    }

    #[test]
    fn a_crash_of_the_thinking_thread_is_answered() {
        let note = |event: &Event| matches!(event, Event::Info(info) if info.to_string().contains("crashed"));
        let go = |text: &'static str| {
            said_after_crash(move |engine| engine.go(&GoLimits::from_usi(text), Instant::now()))
        };
        let said = go("infinite");
        assert!(note(&said[0]));
        assert!(matches!(said[1], Event::BestMove(BestMove::Move { .. })), "{said:?}");
        let said = go("mate infinite");
        assert_eq!(said[1], Event::Checkmate(Checkmate::Timeout));
        let said = said_after_crash(UsiEngine::prepare);
        assert!(note(&said[0]) && matches!(said[1], Event::NotReady(_)), "{said:?}");
        let said = said_after_crash(|_| {});
        assert!(note(&said[0]) && said.len() == 1, "{said:?}");
    }
}
