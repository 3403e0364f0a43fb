//! The thread on which a player thinks.

use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

use komadai_core::{Analysis, Budget, Move, Position};
use komadai_movegen::MateResult;
use komadai_usi::{BestMove, Checkmate, Event, Info, Waker};

use crate::player::{Aim, Choice, Player, Question, Source, mate_analysis};
use crate::settings::Settings;
use crate::time_manager::Timekeeper;

/// Something for the player to do.
#[derive(Debug)]
pub(crate) enum Order {
    Prepare(Box<Settings>),
    NewGame,
    Choose(Box<SearchOrder>),
    FindMate(Box<SearchOrder>),
}

/// A position to think about.
#[derive(Debug)]
pub(crate) struct SearchOrder {
    pub(crate) position: Position,
    pub(crate) among: Vec<Move>,
    pub(crate) aim: Aim,
    /// What a draw is worth to the side to move, in centipawns.
    pub(crate) draw_value: i32,
    /// Nodes and depth; time comes from the timekeeper.
    pub(crate) budget: Budget,
    pub(crate) keeper: Timekeeper,
}

/// A player on a thread of its own. Orders are carried out one after the other; the thread ends
/// when this is dropped and the last order is done.
#[derive(Debug)]
pub(crate) struct Worker {
    orders: Sender<Order>,
    events: Receiver<Event>,
}

/// The thread has ended before its time: it has panicked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Crashed;

impl Worker {
    /// Starts the thread. `waker` is told of every event.
    pub(crate) fn start(waker: Option<Waker>) -> Self {
        let (orders, received) = channel();
        let (sender, events) = channel();
        thread::spawn(move || Desk { player: None, sender, waker }.work(&received));
        Self { orders, events }
    }

    /// A worker whose thread is gone.
    #[cfg(test)]
    pub(crate) fn crashed() -> Self {
        Self { orders: channel().0, events: channel().1 }
    }

    pub(crate) fn order(&self, order: Order) -> Result<(), Crashed> {
        self.orders.send(order).map_err(|_| Crashed)
    }

    /// The next event, if there is one.
    pub(crate) fn event(&self) -> Result<Option<Event>, Crashed> {
        match self.events.try_recv() {
            Ok(event) => Ok(Some(event)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(Crashed),
        }
    }
}

/// The thread's end of it.
struct Desk {
    /// None before the first preparation, which takes long.
    player: Option<Player>,
    sender: Sender<Event>,
    waker: Option<Waker>,
}

impl Desk {
    fn work(mut self, orders: &Receiver<Order>) {
        for order in orders {
            match order {
                Order::Prepare(settings) => self.prepare(*settings),
                Order::NewGame => self.player.iter_mut().for_each(Player::new_game),
                Order::Choose(order) => self.choose(&order),
                Order::FindMate(order) => self.find_mate(&order),
            }
        }
    }

    fn tell(&self, event: Event) {
        // Nobody listens any more if the engine is being closed; there is nothing to do then.
        let _ = self.sender.send(event);
        self.waker.iter().for_each(Waker::wake);
    }

    fn tell_text(&self, text: String) {
        self.tell(Event::Info(Info::text(text)));
    }

    fn prepare(&mut self, settings: Settings) {
        let prepared = match &mut self.player {
            Some(player) => player.set_settings(settings),
            None => Player::new(settings).map(|player| self.player = Some(player)),
        };
        let Some(player) = self.player.as_ref() else {
            let reason = prepared.err().map_or_else(String::new, |error| error.to_string());
            return self.tell(Event::NotReady(reason));
        };
        player.shortage().iter().for_each(|text| self.tell_text(text.clone()));
        match prepared {
            Err(error) => self.tell(Event::NotReady(error.to_string())),
            Ok(()) => {
                if let Some(book) = player.book() {
                    let (path, faults) = (book.path().display(), book.faults());
                    self.tell_text(match book.positions() {
                        Some(positions) => {
                            format!("book {path}: {positions} positions, {faults} faults")
                        }
                        None => format!("book {path}: to be searched"),
                    });
                }
                self.tell_text(player.summary());
                self.tell(Event::Ready);
            }
        }
    }

    fn choose(&mut self, order: &SearchOrder) {
        let Some(mut player) = self.player.take() else {
            return self.tell(Event::BestMove(BestMove::Resign));
        };
        let question = Question {
            position: &order.position,
            among: &order.among,
            budget: order.timed_budget(),
            aim: order.aim,
            expected: order.keeper.expected(),
            draw_value: Some(order.draw_value),
        };
        let mut reporter = Reporter::new(player.settings().pv_interval);
        let had_fault = player.book_fault().is_some();
        let choice = player.choose(&question, &mut |analysis| {
            if reporter.is_due() {
                self.report(analysis, None);
            }
            order.keeper.hear(analysis, Instant::now());
        });
        if let (false, Some(fault)) = (had_fault, player.book_fault()) {
            self.tell_text(format!("Error! : {fault}; the book is not used any more"));
        }
        self.report_choice(&choice, &player);
        self.player = Some(player);
        self.tell(Event::BestMove(choice.best));
    }

    fn report_choice(&self, choice: &Choice, player: &Player) {
        match choice.source {
            Source::Rules if choice.best == BestMove::Resign => {
                self.tell_text("there is no legal move".to_owned());
            }
            Source::Rules => self.tell_text("the king has entered: a win to declare".to_owned()),
            Source::Book { choices } => self.tell_text(format!("book: one of {choices}")),
            Source::Mate | Source::Search => {}
        }
        let hash_full =
            matches!(choice.source, Source::Search).then(|| player.table().permille_used());
        self.report(&choice.analysis, hash_full);
    }

    fn report(&self, analysis: &Analysis, hash_full: Option<u32>) {
        for info in Info::from_analysis(analysis) {
            self.tell(Event::Info(Info { hash_full, ..info }));
        }
    }

    fn find_mate(&mut self, order: &SearchOrder) {
        let Some(player) = &mut self.player else {
            return self.tell(Event::Checkmate(Checkmate::Timeout));
        };
        let start = Instant::now();
        let report = player.find_mate(&order.position, &order.timed_budget());
        let elapsed = start.elapsed();
        let answer = match report.result {
            MateResult::Mate { line, shortest } => {
                self.report(&mate_analysis(&line, report.nodes, elapsed), None);
                if shortest {
                    self.tell_text("no mate is shorter".to_owned());
                }
                Checkmate::Mate(line)
            }
            MateResult::NoMate => Checkmate::NoMate,
            _ => Checkmate::Timeout,
        };
        if !matches!(answer, Checkmate::Mate(_)) {
            self.tell(Event::Info(effort(report.nodes, elapsed)));
        }
        self.tell(Event::Checkmate(answer));
    }
}

impl SearchOrder {
    fn timed_budget(&self) -> Budget {
        let budget = self.budget.clone().with_stop(self.keeper.flag());
        match self.keeper.due() {
            Some(deadline) => budget.with_deadline(deadline),
            None => budget,
        }
    }
}

/// What a mate search has cost that found nothing to show.
fn effort(nodes: u64, time: Duration) -> Info {
    let nps = (u128::from(nodes) * 1_000).checked_div(time.as_millis());
    Info {
        nodes: Some(nodes),
        time: Some(time),
        nps: nps.map(|nps| u64::try_from(nps).unwrap_or(u64::MAX)),
        ..Info::default()
    }
}

/// Keeps reports apart: the first iterations take no time at all.
struct Reporter {
    interval: Duration,
    last: Instant,
}

impl Reporter {
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
