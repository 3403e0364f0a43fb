//! What has changed, for people and for programs.

use std::path::PathBuf;

use komadai::book::Window;
use komadai::{Color, Position, Score};
use serde_json::json;

use crate::crew::Work;
use crate::inputs::InputCounts;
use crate::notation;
use crate::options::Options;
use crate::rounds::Rounds;
use crate::snapshot::{FrontierSize, Snapshot};

/// Everything there is to tell about a run.
pub(crate) struct Summary<'o> {
    /// The command line.
    pub options: &'o Options,
    /// What was read.
    pub inputs: InputCounts,
    /// The first search.
    pub first: Work,
    /// The rounds.
    pub rounds: Rounds,
    /// The book after the first search.
    pub before: Snapshot,
    /// The book at the end.
    pub after: Snapshot,
    /// Whether Ctrl-C ended the run.
    pub stopped: bool,
}

impl Summary<'_> {
    /// Prints it as the command line wants it, with the paths of what was written.
    pub(crate) fn print(&self, written: &[PathBuf]) -> anyhow::Result<()> {
        if self.options.json {
            println!("{}", self.to_json(written));
        } else {
            if !self.options.quiet {
                print!("{}", self.to_text());
            }
            written.iter().for_each(|path| println!("{}", path.display()));
        }
        if self.stopped {
            eprintln!("stopped; everything analysed is kept. To go on:\n  {}", resume_command());
        }
        Ok(())
    }

    fn to_text(&self) -> String {
        let mut text = String::from("\n");
        let mut row = |label: &str, before: String, after: String| {
            text += &format!("{label:<40}{before:>8} → {after:>8}\n");
        };
        let (before, after) = (&self.before, &self.after);
        let number = |number: usize| grouped(number as u64);
        row("", "before".to_owned(), "after".to_owned());
        row("positions", number(before.positions), number(after.positions));
        row("moves", number(before.moves), number(after.moves));
        row("evaluations", grouped(before.evaluations()), grouped(after.evaluations()));
        row("value of the start", self.root_value(before), self.root_value(after));
        for (old, new) in before.frontiers.iter().zip(&after.frontiers) {
            row(&frontier_name(new), number(old.size()), number(new.size()));
        }
        let diff = self.options.eval_diff;
        text += &format!("(values in centipawns for Black; windows of {diff})\n\n");
        let start = Position::hirate();
        for &side in self.options.sides() {
            let value = after.root.map_or_else(String::new, |value| own_value(value.score, side));
            let line = notation::line(&start, &after.best_line);
            text += &format!("best line for {side:?} ({value}): {line}\n");
            if let Some(frontier) = after.frontier(self.options.window(), side) {
                let line = notation::line(&start, &frontier.longest);
                let length = frontier.longest.len();
                text += &format!("its longest line in the window, {length} moves: {line}\n");
            }
        }
        text + "\n"
    }

    fn root_value(&self, snapshot: &Snapshot) -> String {
        let value =
            |value: komadai::book::Value| notation::value_for_black(value.score, Color::Black);
        snapshot.root.map_or_else(|| "–".to_owned(), value)
    }

    fn to_json(&self, written: &[PathBuf]) -> serde_json::Value {
        let snapshot = |snapshot: &Snapshot| {
            let frontier = |f: &FrontierSize| {
                json!({
                    "window": window_word(f.window),
                    "side": f.side.map(side_word),
                    "size": f.size(),
                    "longest": usi(&f.longest),
                })
            };
            json!({
                "positions": snapshot.positions,
                "moves": snapshot.moves,
                "evaluations": snapshot.evaluations(),
                "value": snapshot.root.map(|value| value.score.raw()),
                "best_line": usi(&snapshot.best_line),
                "frontiers": snapshot.frontiers.iter().map(frontier).collect::<Vec<_>>(),
            })
        };
        let work = |work: Work| {
            let seconds = work.time.as_secs_f64();
            json!({ "analysed": work.analysed, "nodes": work.nodes, "seconds": seconds })
        };
        json!({
            "games": self.inputs.games,
            "skipped": self.inputs.skipped,
            "first_search": work(self.first),
            "rounds": self.rounds.roots.len(),
            "frontier_search": work(self.rounds.work),
            "before": snapshot(&self.before),
            "after": snapshot(&self.after),
            "stopped": self.stopped,
            "written": written.iter().map(|path| path.display().to_string()).collect::<Vec<_>>(),
        })
    }
}

/// What a frontier is called in tables.
pub(crate) fn frontier_name(frontier: &FrontierSize) -> String {
    let side = frontier.side.map(|side| format!("{side:?}, "));
    format!(
        "frontier: {}{}",
        side.unwrap_or_default(),
        match frontier.window {
            Window::Free => "both sides free",
            Window::Best => "near the best move",
            Window::Root => "near the start's value",
        }
    )
}

fn own_value(score: Score, side: Color) -> String {
    notation::value_for_black(if side == Color::Black { score } else { -score }, Color::Black)
}

fn usi(line: &[komadai::Move]) -> Vec<String> {
    line.iter().map(ToString::to_string).collect()
}

fn window_word(window: Window) -> &'static str {
    match window {
        Window::Free => "free",
        Window::Best => "best",
        Window::Root => "root",
    }
}

fn side_word(side: Color) -> &'static str {
    match side {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// A number with commas between thousands.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The command that goes on where this one stopped.
fn resume_command() -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_./=-+:@%,".contains(c);
    let quoted = |word: std::ffi::OsString| match word.to_string_lossy() {
        word if !word.is_empty() && word.chars().all(is_plain) => word.into_owned(),
        word => format!("'{}'", word.replace('\'', r"'\''")),
    };
    let words = std::env::args_os().skip(1).filter(|word| word != "--fresh").map(quoted);
    let words: Vec<String> = words.collect();
    let mut command = "cargo run --release --example grow_book".to_owned();
    if !words.is_empty() {
        command += &format!(" -- {}", words.join(" "));
    }
    command
}
