//! The time between `stop` and the answer of the USI engine.

use std::sync::mpsc::{Receiver, channel};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::Args;
use komadai::engine::UsiEngine;
use komadai::usi::{EngineMessage, Handler as _, Session, Waker};

/// Options of `stops`.
#[derive(Debug, Args)]
pub(crate) struct Stops {
    /// Number of stops of each mode.
    #[arg(long, default_value_t = 100)]
    stops: u32,
    /// Value of `Threads`.
    #[arg(long, default_value_t = 1)]
    threads: u32,
    /// Value of `USI_Hash`; a small one makes the tree full soon.
    #[arg(long, default_value_t = 256)]
    hash: u32,
    /// Longest time of a search before its stop, in ms.
    #[arg(long, default_value_t = 500)]
    longest: u32,
}

struct Talk {
    session: Session<UsiEngine>,
    woken: Receiver<()>,
}

impl Talk {
    fn new() -> Self {
        let (wake, woken) = channel();
        let mut engine = UsiEngine::new();
        engine.set_waker(Waker::new(move || {
            // Nobody listens only at the end.
            let _ = wake.send(());
        }));
        Self { session: Session::new(engine), woken }
    }

    /// Reads messages until one satisfies the condition.
    fn wait(&mut self, is_awaited: fn(&EngineMessage) -> bool) {
        while !self.session.poll().iter().any(is_awaited) {
            let _ = self.woken.recv_timeout(Duration::from_millis(50));
        }
    }
}

impl Stops {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        if self.stops == 0 {
            bail!("found 0 stops, expected at least one");
        }
        println!("| mode | search | median ms | largest ms |");
        println!("|---|---|---|---|");
        for mode in ["AlphaBeta", "MonteCarlo", "Both"] {
            for go in ["infinite", "ponder", "ponderhit"] {
                let mut times = self.times(mode, go);
                times.sort_unstable();
                let [median, most] = [times[times.len() / 2], times[times.len() - 1]]
                    .map(|time| 1_000.0 * time.as_secs_f64());
                println!("| {mode} | {go} | {median:.2} | {most:.2} |");
            }
        }
        Ok(())
    }

    fn times(&self, mode: &str, go: &str) -> Vec<Duration> {
        let mut talk = Talk::new();
        for (name, value) in [("Threads", self.threads), ("USI_Hash", self.hash)] {
            talk.session.feed_line(&format!("setoption name {name} value {value}"));
        }
        talk.session.feed_line(&format!("setoption name SearchMode value {mode}"));
        talk.session.feed_line("isready");
        talk.wait(|message| *message == EngineMessage::ReadyOk);
        let time = |stop: u32| {
            talk.session.feed_line("position startpos moves 7g7f 3c3d");
            talk.session.feed_line(if go == "infinite" { "go infinite" } else { "go ponder" });
            let part = self.longest.saturating_mul(stop + 1) / self.stops;
            sleep(Duration::from_millis(part.into()));
            if go == "ponderhit" {
                talk.session.feed_line("ponderhit btime 9000000 wtime 9000000");
                sleep(Duration::from_millis(10));
            }
            talk.session.poll();
            let start = Instant::now();
            talk.session.feed_line("stop");
            talk.wait(|message| matches!(message, EngineMessage::BestMove(_)));
            start.elapsed()
        };
        (0..self.stops).map(time).collect()
    }
}
