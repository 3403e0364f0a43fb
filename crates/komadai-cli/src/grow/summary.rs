//! What has changed, for people and for programs.

use std::path::PathBuf;

use komadai::Position;
use komadai::bookgraph::frontier::Window;
use komadai::kifu::Notation;
use komadai::report::book_page::{BookState, FrontierShape};
use serde_json::json;

use crate::crew::Work;
use crate::inputs::InputCounts;
use crate::options::Options;
use crate::rounds::Rounds;
use crate::state_json::state;
use crate::value::value;

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
    pub before: BookState,
    /// The book at the end.
    pub after: BookState,
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
        let number = |number: Option<u64>| number.map_or_else(|| "–".to_owned(), grouped);
        row("", "before".to_owned(), "after".to_owned());
        row("positions", grouped(before.positions), grouped(after.positions));
        row("moves", number(before.moves), number(after.moves));
        row("evaluations", number(before.evaluations), number(after.evaluations));
        let (old, new) = (value(before.root), value(after.root));
        row("value of the start", old, new);
        for (old, new) in before.frontiers.iter().zip(&after.frontiers) {
            let size = |shape: &FrontierShape| grouped(shape.count.positions as u64);
            row(&frontier_name(new), size(old), size(new));
        }
        let diff = self.options.eval_diff;
        text += &format!("(values in centipawns for Black; windows of {diff})\n\n");
        let line = |line| Notation::Japanese.line(&Position::hirate(), line);
        text += &format!("best line for both: {}\n", line(&after.best_line));
        for shape in after.frontiers.iter().filter(|shape| self.is_grown(shape)) {
            let whose =
                shape.count.side.map_or_else(String::new, |side| format!(" of {side:?}’s book"));
            let (length, moves) = (shape.longest.len(), line(&shape.longest));
            text += &format!("longest line{whose} in the window, {length} moves: {moves}\n");
        }
        text + "\n"
    }

    /// Whether it is a frontier from which positions are selected.
    fn is_grown(&self, shape: &FrontierShape) -> bool {
        shape.count.window == self.options.window()
    }

    fn to_json(&self, written: &[PathBuf]) -> serde_json::Value {
        let work = |work: Work| {
            let seconds = work.time.as_secs_f64();
            json!({ "analysed": work.analysed, "nodes": work.nodes, "seconds": seconds })
        };
        json!({
            "games": self.inputs.games,
            "skipped": self.inputs.skipped,
            "first_search": work(self.first),
            "rounds": self.rounds.count,
            "frontier_search": work(self.rounds.work),
            "before": state(&self.before),
            "after": state(&self.after),
            "stopped": self.stopped,
            "written": written.iter().map(|path| path.display().to_string()).collect::<Vec<_>>(),
        })
    }
}

/// What a frontier is called in tables.
fn frontier_name(shape: &FrontierShape) -> String {
    let side = shape.count.side.map(|side| format!("{side:?}, "));
    let window = match shape.count.window {
        Window::Free => "both sides free",
        Window::Best => "near the best move",
        Window::Root => "near the start's value",
    };
    format!("frontier: {}{window}", side.unwrap_or_default())
}

/// A number with commas between thousands.
fn grouped(number: u64) -> String {
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
