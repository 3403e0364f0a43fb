//! The thread on which a player runs.

use std::fmt;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use komadai_base::clock::Instant;
use komadai_core::{Analysis, Budget, Move, Position, Score};
use komadai_movegen::{MateReport, MateResult};
use komadai_search::SearcherState;
use komadai_usi::{BestMove, Checkmate, Event, Info, Tail, Waker};

use crate::evaluation::Evaluation;
use crate::multi_ponder::MultiPonder;
use crate::parts::Parts;
use crate::player::Player;
use crate::player::mate_lines::{MateLine, MatesFound};
use crate::request::{Aim, Choice, MoveRequest, MoveSource, mate_analysis};
use crate::settings::Settings;
use crate::stochastic_ponder::any_legal_move;
use crate::time_manager::TimeManager;

/// A task for the player.
#[derive(Debug)]
pub(crate) enum Order {
    Prepare(Box<Settings>),
    NewGame,
    Choose(Box<SearchOrder>),
    /// To ponder on this number of replies. The last move of the position is the expected one.
    Ponder(Box<SearchOrder>, usize),
    FindMate(Box<SearchOrder>),
}

/// A position to search.
#[derive(Debug)]
pub(crate) struct SearchOrder {
    pub(crate) position: Position,
    pub(crate) among: Vec<Move>,
    pub(crate) aim: Aim,
    /// The value of a draw for the side to move, in centipawns.
    pub(crate) draw_value: i32,
    /// Limits of nodes and depth; the time limit comes from the time manager.
    pub(crate) budget: Budget,
    pub(crate) time_manager: TimeManager,
}

/// The evaluation of the player on the other thread; `None` if it has none.
#[derive(Debug, Clone, Default)]
pub(crate) struct SharedEvaluation(Arc<Mutex<Option<Evaluation>>>);

impl SharedEvaluation {
    pub(crate) fn get(&self) -> Option<Evaluation> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, evaluation: Option<Evaluation>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = evaluation;
    }
}

/// A handle to a player, on its own thread or on that of the caller. The player executes orders one
/// after the other. Its thread ends when the handle has been dropped and the last order is done.
#[derive(Debug)]
pub(crate) struct Worker {
    orders: Sender<Order>,
    events: Receiver<Event>,
    is_detached: bool,
}

/// The error that the thread has ended because of a panic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Crashed;

impl Worker {
    /// Starts the thread. `waker` is called after every event; `evaluation` is that of the player
    /// from each preparation on.
    pub(crate) fn start(parts: Parts, waker: Option<Waker>, evaluation: SharedEvaluation) -> Self {
        let (worker, player) = Self::detached(parts, waker, evaluation);
        thread::spawn(move || player.run());
        Self { is_detached: false, ..worker }
    }

    /// Returns a handle and the player, which thinks when the caller lets it.
    pub(crate) fn detached(
        parts: Parts,
        waker: Option<Waker>,
        evaluation: SharedEvaluation,
    ) -> (Self, DetachedPlayer) {
        let (orders, received) = channel();
        let (sender, events) = channel();
        let player = DetachedPlayer {
            orders: received,
            parts,
            player: None,
            fault: String::new(),
            evaluation,
            events: EventSender { sender, waker },
        };
        (Self { orders, events, is_detached: true }, player)
    }

    /// Returns whether the player is on no thread of its own.
    pub(crate) fn is_detached(&self) -> bool {
        self.is_detached
    }

    /// A worker whose thread has ended.
    #[cfg(test)]
    pub(crate) fn crashed() -> Self {
        Self { orders: channel().0, events: channel().1, is_detached: false }
    }

    pub(crate) fn order(&self, order: Order) -> Result<(), Crashed> {
        match self.orders.send(order) {
            // Whoever has dropped a detached player wants no answers any more.
            Err(_) if !self.is_detached => Err(Crashed),
            _ => Ok(()),
        }
    }

    /// Returns the next event, if there is one.
    pub(crate) fn event(&self) -> Result<Option<Event>, Crashed> {
        match self.events.try_recv() {
            Ok(event) => Ok(Some(event)),
            Err(TryRecvError::Disconnected) if !self.is_detached => Err(Crashed),
            Err(_) => Ok(None),
        }
    }
}

/// The player of a [`UsiEngine`](crate::UsiEngine) that has no threads: the part that thinks.
///
/// [`UsiEngineBuilder::build_detached`](crate::UsiEngineBuilder::build_detached) returns it, with an
/// example.
pub struct DetachedPlayer {
    orders: Receiver<Order>,
    parts: Parts,
    /// `None` before the first preparation, which takes long, and if there is no evaluation.
    player: Option<Player>,
    /// The reason why there is no player.
    fault: String,
    evaluation: SharedEvaluation,
    events: EventSender,
}

/// Sends events and wakes their receiver.
struct EventSender {
    sender: Sender<Event>,
    waker: Option<Waker>,
}

impl EventSender {
    fn send(&self, event: Event) {
        // Sending fails only while the engine is being closed. Nothing is left to do then.
        let _ = self.sender.send(event);
        self.waker.iter().for_each(Waker::wake);
    }

    fn send_text(&self, text: String) {
        self.send(Event::Info(Info::text(text)));
    }

    fn send_analysis(&self, analysis: &Analysis, hash_full: Option<u32>) {
        for mut info in Info::from_analysis(analysis) {
            info.hash_full = hash_full;
            self.send(Event::Info(info));
        }
    }
}

impl DetachedPlayer {
    /// Executes all orders that the engine has given, for the whole time of a search. Returns false
    /// if there was none.
    pub fn work(&mut self) -> bool {
        let mut has_worked = false;
        while let Ok(order) = self.orders.try_recv() {
            self.execute(order);
            has_worked = true;
        }
        has_worked
    }

    /// Executes orders until the engine has been dropped.
    fn run(mut self) {
        while let Ok(order) = self.orders.recv() {
            self.execute(order);
        }
    }

    fn execute(&mut self, order: Order) {
        match order {
            Order::Prepare(settings) => self.prepare(*settings),
            Order::NewGame => self.player.iter_mut().for_each(Player::new_game),
            Order::Choose(order) => self.choose(&order),
            Order::Ponder(order, count) => self.ponder(&order, count),
            Order::FindMate(order) => self.find_mate(&order),
        }
    }

    fn prepare(&mut self, settings: Settings) {
        let prepared = match &mut self.player {
            Some(player) => player.set_settings_despite_book(settings),
            None => Player::despite_book(self.parts.clone(), settings)
                .map(|player| self.player = Some(player)),
        };
        if let Err(error) = prepared {
            // Nothing may play with another evaluation than that of the settings.
            self.player = None;
            self.fault = error.to_string();
        }
        let has_evaluations = self.parts.has_evaluations;
        if let Some(player) = &mut self.player {
            player.warm_up();
        }
        let player = self.player.as_ref();
        let evaluation = player.map(Player::evaluation).filter(|_| has_evaluations);
        self.evaluation.set(evaluation.cloned());
        let Some(player) = player else {
            return self.events.send(Event::NotReady(self.fault.clone()));
        };
        player.shortage().iter().for_each(|text| self.events.send_text(text.clone()));
        if let Some(fault) = player.book_fault() {
            self.events.send_text(format!("Error! : {fault}; play goes on without the book"));
        }
        for book in player.books() {
            let (path, faults) = (book.path().display(), book.faults());
            self.events.send_text(match book.positions() {
                Some(positions) => format!("book {path}: {positions} positions, {faults} faults"),
                None => format!("book {path}: to be searched"),
            });
        }
        player.evaluation_summary().into_iter().for_each(|text| self.events.send_text(text));
        player.tesuji_summary().into_iter().for_each(|text| self.events.send_text(text));
        self.events.send_text(player.summary());
        player.vain_options().into_iter().for_each(|text| self.events.send_text(text));
        self.events.send(Event::Ready);
    }

    fn choose(&mut self, order: &SearchOrder) {
        let Some(player) = &mut self.player else {
            self.events.send_text(format!("Error! : {}", self.fault));
            return self.events.send(Event::BestMove(BestMove::Resign));
        };
        let request = MoveRequest {
            position: &order.position,
            among: &order.among,
            budget: order.timed_budget(),
            aim: order.aim,
            expected: order.time_manager.expected(),
            draw_value: Some(order.draw_value),
        };
        let searcher = player.searcher();
        order.time_manager.watch(searcher.state().root_visits, searcher.scale());
        let mut interval = ReportInterval::new(player.settings().pv_interval);
        let had_fault = player.book_fault().is_some();
        let choice = player.choose(&request, &mut |analysis| {
            if interval.is_due() {
                self.events.send_analysis(analysis, None);
            }
            order.time_manager.on_report(analysis, Instant::now());
        });
        if let (false, Some(fault)) = (had_fault, player.book_fault()) {
            self.events.send_text(format!("Error! : {fault}; play goes on without the book"));
        }
        report_choice(&self.events, &choice, player);
        self.events.send(Event::BestMove(choice.best));
    }

    fn ponder(&mut self, order: &SearchOrder, count: usize) {
        let Some(player) = &mut self.player else {
            return self.events.send(Event::BestMove(BestMove::Resign));
        };
        let mut request = MoveRequest::new(&order.position, order.timed_budget());
        request.draw_value = Some(order.draw_value);
        let (events, mut interval) =
            (&self.events, ReportInterval::new(player.settings().pv_interval));
        let mut progress = |analysis: &Analysis| {
            if interval.is_due() {
                events.send_analysis(analysis, None);
            }
        };
        let mut on_report = |ponder: &MultiPonder| events.send_text(ponder.summary());
        let ponder = player.ponder_on_several(&request, count, &mut progress, &mut on_report);
        let answer = ponder.map(|ponder| ponder.answer);
        events.send(Event::BestMove(answer.unwrap_or_else(|| any_legal_move(&order.position))));
    }

    fn find_mate(&mut self, order: &SearchOrder) {
        let Some(player) = &mut self.player else {
            return self.events.send(Event::Checkmate(Checkmate::Timeout));
        };
        let (events, start) = (&self.events, Instant::now());
        let settings = player.settings();
        let (count, mut interval) = (settings.multi_pv, ReportInterval::new(settings.pv_interval));
        let budget = order.timed_budget();
        let memory = player.memory_for_mates(&budget);
        let mut watch = |report: &MateReport, line: &[Move]| {
            if interval.is_due() {
                let info = mate_progress(report, line, start.elapsed(), memory);
                events.send(Event::Info(info));
            }
        };
        let MatesFound { report, lines } =
            player.find_mates_among(&order.position, &order.among, &budget, count, &mut watch);
        self.report_mates(&report, &lines, start.elapsed(), memory);
        let answer = match report.result {
            MateResult::Mate { line, .. } => Checkmate::Mate(line),
            MateResult::NoMate => Checkmate::NoMate,
            _ => Checkmate::Timeout,
        };
        self.events.send(Event::Checkmate(answer));
    }

    /// Sends the lines of a mate search, or else its effort and what is proven.
    fn report_mates(
        &self,
        report: &MateReport,
        lines: &[MateLine],
        elapsed: Duration,
        memory: usize,
    ) {
        let of_line = |MateLine { line, within, .. }: &MateLine| {
            mate_analysis(line, *within, report.nodes, elapsed).lines
        };
        if let Some(best) = lines.first() {
            let lines = lines.iter().flat_map(of_line).collect();
            let analysis = mate_analysis(&best.line, best.within, report.nodes, elapsed);
            let hash_full = hash_full(report, memory);
            self.events.send_analysis(&Analysis { lines, ..analysis }, hash_full);
        } else {
            self.events.send(Event::Info(mate_progress(report, &[], elapsed, memory)));
        }
        match &report.result {
            MateResult::Mate { shortest: true, .. } => {
                self.events.send_text("no mate is shorter".to_owned());
            }
            MateResult::MateWithoutLine { first } => {
                let first = first.map_or_else(String::new, |first| format!(" with {first}"));
                let plies = report.mate_within.unwrap_or(0);
                let text = format!(
                    "a mate within {plies} plies{first}, but there was no time for its moves"
                );
                self.events.send_text(text);
            }
            _ => {}
        }
    }
}

impl fmt::Debug for DetachedPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DetachedPlayer").field("player", &self.player).finish_non_exhaustive()
    }
}

/// Sends the source of a choice and its lines.
fn report_choice(events: &EventSender, choice: &Choice, player: &Player) {
    if choice.source == MoveSource::Rules {
        return report_end(events, choice);
    }
    if let MoveSource::Book { choices } = choice.source {
        events.send_text(format!("book: one of {choices}"));
    }
    let is_search = choice.source == MoveSource::Search;
    let state = if is_search { player.searcher().state() } else { SearcherState::default() };
    events.send_analysis(&choice.analysis, state.hash_full);
    state.remarks.into_iter().for_each(|text| events.send_text(text));
}

/// Sends the value of a root at which the rules end the game, for GUIs that show or record one for
/// each move, and then the reason.
fn report_end(events: &EventSender, choice: &Choice) {
    for mut info in Info::from_analysis(&choice.analysis) {
        match choice.best {
            BestMove::Resign => info.tail = Tail::Resign,
            BestMove::Win => info.tail = Tail::Win,
            BestMove::Move { .. } => {}
        }
        events.send(Event::Info(info));
    }
    events.send_text(match choice.best {
        BestMove::Resign => "there is no legal move".to_owned(),
        _ => "the king has entered: a win to declare".to_owned(),
    });
}

impl SearchOrder {
    fn timed_budget(&self) -> Budget {
        let mut budget = self.budget.clone();
        budget.stop = Some(self.time_manager.flag());
        if let Some(deadline) = self.time_manager.deadline() {
            budget.deadline = Some(deadline);
        }
        budget
    }
}

/// Returns a report of a mate search by a solver with `memory` bytes: the mate proven so far, and
/// the moves to the position being searched.
fn mate_progress(report: &MateReport, line: &[Move], time: Duration, memory: usize) -> Info {
    let nps = (u128::from(report.nodes) * 1_000).checked_div(time.as_millis());
    let info = Info {
        nodes: Some(report.nodes),
        time: Some(time),
        nps: nps.map(|nps| u64::try_from(nps).unwrap_or(u64::MAX)),
        score: report.mate_within.map(Score::mate_in),
        hash_full: hash_full(report, memory),
        ..Info::default()
    };
    if line.is_empty() {
        return info;
    }
    Info { depth: u32::try_from(line.len()).ok(), tail: Tail::Pv(line.into()), ..info }
}

/// Returns the share of a solver's memory that a report says is in use, in thousandths.
fn hash_full(report: &MateReport, memory: usize) -> Option<u32> {
    // 0 is from a solver that does not measure it.
    let used = Some(report.memory_bytes).filter(|&bytes| bytes > 0)?.checked_mul(1_000)?;
    u32::try_from(used.checked_div(memory)?.min(1_000)).ok()
}

/// The minimum interval between two reports (`PvInterval`). The first iterations follow each other
/// within microseconds and would flood the GUI.
struct ReportInterval {
    interval: Duration,
    last: Instant,
}

impl ReportInterval {
    fn new(interval: Duration) -> Self {
        Self { interval, last: Instant::now() }
    }

    fn is_due(&mut self) -> bool {
        let is_due = self.last.elapsed() >= self.interval;
        if is_due {
            self.last = Instant::now();
        }
        is_due
    }
}
