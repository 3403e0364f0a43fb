//! A graphical interface for tests.

use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use komadai_core::{Move, UsiPosition};
use komadai_engine::UsiEngine;
use komadai_movegen::{is_legal, play};
use komadai_usi::{BestMove, Checkmate, EngineMessage, Handler, Session, Waker};

/// A session with an engine with small tables, and long timeouts for a busy machine.
pub(crate) struct Gui {
    pub(crate) session: Session<UsiEngine>,
    pub(crate) woken: Receiver<()>,
    /// Messages of the engine that have not been checked.
    pub(crate) said: Vec<EngineMessage>,
    /// Messages that have been checked, up to the last awaited one.
    pub(crate) heard: Vec<EngineMessage>,
}

pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

impl Gui {
    pub(crate) fn new() -> Self {
        let (wake, woken) = channel();
        let mut engine = UsiEngine::new();
        engine.set_waker(Waker::new(move || {
            let _ = wake.send(());
        }));
        let mut gui =
            Self { session: Session::new(engine), woken, said: Vec::new(), heard: Vec::new() };
        gui.say("setoption name USI_Hash value 1");
        gui.say("setoption name MateHash value 1");
        gui
    }

    pub(crate) fn say(&mut self, line: &str) {
        self.session.feed_line(line);
        self.said.extend(self.session.poll());
    }

    /// Reads messages until one is of interest.
    pub(crate) fn wait_for<T>(
        &mut self,
        what: &str,
        of_interest: impl Fn(&EngineMessage) -> Option<T>,
    ) -> T {
        let start = Instant::now();
        loop {
            if let Some(at) = self.said.iter().position(|message| of_interest(message).is_some()) {
                let found = of_interest(&self.said[at]).expect("it has just been of interest");
                self.heard.extend(self.said.drain(..=at));
                return found;
            }
            assert!(start.elapsed() < PATIENCE, "no {what}; said {:?}", self.said);
            let _ = self.woken.recv_timeout(Duration::from_millis(5));
            self.said.extend(self.session.poll());
        }
    }

    /// Reads messages for a while, without an answer among them.
    pub(crate) fn listen(&mut self, time: Duration) {
        let start = Instant::now();
        while start.elapsed() < time {
            let _ = self.woken.recv_timeout(Duration::from_millis(5));
            self.said.extend(self.session.poll());
            let is_answer = |message: &EngineMessage| matches!(message, EngineMessage::BestMove(_));
            assert!(!self.said.iter().any(is_answer), "answered: {:?}", self.said);
        }
    }

    pub(crate) fn best_move(&mut self) -> BestMove {
        self.wait_for("bestmove", |message| match message {
            EngineMessage::BestMove(best) => Some(*best),
            _ => None,
        })
    }

    pub(crate) fn a_move(&mut self) -> Move {
        match self.best_move() {
            BestMove::Move { best, .. } => best,
            other => panic!("no move but {other}"),
        }
    }

    pub(crate) fn checkmate(&mut self) -> Checkmate {
        self.wait_for("checkmate", |message| match message {
            EngineMessage::Checkmate(checkmate) => Some(checkmate.clone()),
            _ => None,
        })
    }

    pub(crate) fn ready(&mut self) {
        self.wait_for("readyok", |message| (*message == EngineMessage::ReadyOk).then_some(()));
    }

    /// Sends `isready` and returns the messages up to its answer.
    pub(crate) fn settle(&mut self) -> Vec<String> {
        self.say("isready");
        let start = Instant::now();
        while !self.said.contains(&EngineMessage::ReadyOk) {
            assert!(start.elapsed() < PATIENCE, "no readyok; said {:?}", self.said);
            let _ = self.woken.recv_timeout(Duration::from_millis(5));
            self.said.extend(self.session.poll());
        }
        std::mem::take(&mut self.said).iter().map(ToString::to_string).collect()
    }

    /// Sets the position, searches, and checks that the answer can be played there.
    pub(crate) fn plays_legally(&mut self, position: &str, go: &str) -> Move {
        self.say(&format!("position {position}"));
        self.say(go);
        let best = self.a_move();
        let played = play(&UsiPosition::from_usi(position).expect("a position")).expect("legal");
        assert!(is_legal(&played, best), "{best} in {position}");
        best
    }
}
