//! The summary of a run as text and as JSON.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use komadai::Position;
use komadai::bookgraph::frontier::Window;
use komadai::report::book_page::{BookState, FrontierShape};
use komadai_console::state_json::state;
use komadai_console::{grouped, interrupted, print_json, signed_score, stdout};
use serde_json::json;

use crate::inputs::InputCounts;
use crate::options::GrowArgs;
use crate::rounds::{Rounds, Work};

/// The figures of a run.
pub(crate) struct Summary<'o> {
    /// The arguments.
    pub(crate) options: &'o GrowArgs,
    /// Counts of the inputs.
    pub(crate) inputs: InputCounts,
    /// Work of the first search.
    pub(crate) first: Work,
    /// The rounds.
    pub(crate) rounds: Rounds,
    /// The book after the first search.
    pub(crate) before: BookState,
    /// The book at the end.
    pub(crate) after: BookState,
}

impl Summary<'_> {
    /// Prints the summary in the form that the arguments ask for, and the paths of the written
    /// files. A run that Ctrl-C has ended is an error afterwards.
    pub(crate) fn print(&self, written: &[PathBuf]) -> anyhow::Result<()> {
        if self.options.json {
            print_json(&self.to_json(written))?;
        } else {
            if !self.options.quiet {
                write!(stdout(), "{}", self.to_text())?;
            }
            for path in written {
                writeln!(stdout(), "{}", path.display())?;
            }
        }
        if self.rounds.is_stopped {
            return Err(interrupted(format_args!(
                "stopped; all analyses are kept. To continue: {}",
                resume_command()
            )));
        }
        Ok(())
    }

    fn to_text(&self) -> String {
        let mut text = String::from("\n");
        let mut row = |label: &str, before: String, after: String| {
            text += &format!("{label:<40}{before:>8} → {after:>8}\n");
        };
        let before = &self.before;
        let after = &self.after;
        let number = |number: Option<u64>| number.map_or_else(|| "–".to_owned(), grouped);
        row("", "before".to_owned(), "after".to_owned());
        row("positions", grouped(before.positions), grouped(after.positions));
        row("moves", number(before.moves), number(after.moves));
        row("evaluations", number(before.evaluations), number(after.evaluations));
        let old = signed_score(before.root);
        let new = signed_score(after.root);
        row("value of the start", old, new);
        for (old, new) in before.frontiers.iter().zip(&after.frontiers) {
            let size = |shape: &FrontierShape| grouped(shape.count.positions as u64);
            row(&frontier_name(new), size(old), size(new));
        }
        let diff = self.options.eval_diff;
        text += &format!("(values in centipawns for Black; windows of {diff})\n\n");
        let notation = self.options.appearance.notation();
        let line = |line| notation.line(&Position::hirate(), line);
        text += &format!("best line for both: {}\n", line(&after.best_line));
        for shape in after.frontiers.iter().filter(|shape| self.is_grown(shape)) {
            let whose =
                shape.count.side.map_or_else(String::new, |side| format!(" of {side:?}’s book"));
            let length = shape.longest.len();
            let moves = line(&shape.longest);
            text += &format!("longest line{whose} in the window, {length} moves: {moves}\n");
        }
        text + "\n"
    }

    /// Returns true for a frontier from which positions are selected.
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
            "moves_left_out": self.inputs.left_out_moves,
            "first_search": work(self.first),
            "rounds": self.rounds.count,
            "frontier_search": work(self.rounds.work),
            "waiting_for_others": self.rounds.waiting_for_others,
            "before": state(&self.before),
            "after": state(&self.after),
            "stopped": self.rounds.is_stopped,
            "written": written.iter().map(|path| path.display().to_string()).collect::<Vec<_>>(),
        })
    }
}

/// Returns the name of a frontier in tables.
fn frontier_name(shape: &FrontierShape) -> String {
    let side = shape.count.side.map(|side| format!("{side:?}, "));
    let window = match shape.count.window {
        Window::Free => "both sides free",
        Window::Best => "near the best move",
        Window::Root => "near the start's value",
    };
    format!("frontier: {}{window}", side.unwrap_or_default())
}

/// Returns the command that continues where this run stopped.
fn resume_command() -> String {
    let mut words = std::env::args_os();
    let program = words.next().unwrap_or_default();
    let words: Vec<String> = words.filter(|word| word != "--fresh").map(quoted).collect();
    // As an example of the workspace, the program is run by cargo, which rebuilds it if need be.
    if Path::new(&program).file_stem().is_some_and(|name| name == "grow_book") {
        let separator = if words.is_empty() { "" } else { " -- " };
        return format!("cargo run --release --example grow_book{separator}{}", words.join(" "));
    }
    format!("{} {}", quoted(program), words.join(" "))
}

/// Quotes a word for a shell, if necessary.
fn quoted(word: OsString) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_./=-+:@%,".contains(c);
    match word.to_string_lossy() {
        word if !word.is_empty() && word.chars().all(is_plain) => word.into_owned(),
        word => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
