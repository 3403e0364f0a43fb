//! The best moves of a position, by the embedded engine or another one.

mod engine;
mod mate;
mod options;
mod output;
mod value;

use std::io::{BufWriter, Write as _};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use komadai::core::{Budget, Color, Line};
use komadai::report::{SvgArrow, SvgBoard};
use komadai_console::{
    Output, Program, check_is_new, interrupted, stop_on_interrupt, write_file_or_stdout,
};

use engine::SearchEngine;
use mate::find_mate;
pub use options::SearchArgs;
use output::Report;
pub(crate) use value::value;

impl Program for SearchArgs {
    const SUBCOMMAND: &'static str = "search";

    fn run(&self) -> anyhow::Result<ExitCode> {
        let position = self.position.position()?;
        if let Some(path) = &self.svg {
            check_is_new(path, self.force || path.as_os_str() == "-")?;
        }
        let mut engine = SearchEngine::start(self)?;
        let stop = stop_on_interrupt()?;
        let budget = Budget { stop: Some(stop.clone()), ..self.budget() };
        let mate = find_mate(&position, self.mate_nodes, &stop);
        let analysis = engine.search(&position, &budget, self)?;
        let report =
            Report { arguments: self, position: &position, analysis, mate, engine: &engine };
        if let Some(path) = &self.svg {
            write_file_or_stdout(path, self.picture(&report).to_string())?;
        }
        let is_stdout = self.svg.as_ref().is_some_and(|path| path.as_os_str() == "-");
        if !is_stdout {
            let mut out = BufWriter::new(Output::json_if(self.json));
            if self.json {
                writeln!(out, "{}", report.json())?;
            } else {
                report.write(&mut out)?;
            }
            out.flush()?;
        }
        if stop.load(Ordering::Relaxed) {
            return Err(interrupted("stopped; these are the lines found so far"));
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl SearchArgs {
    fn picture(&self, report: &Report<'_>) -> SvgBoard {
        let first = |line: &Line| line.pv.first().copied();
        let moves = report.analysis.lines.iter().filter_map(first);
        let classes = [SvgArrow::Good].into_iter().chain(std::iter::repeat(SvgArrow::Plain));
        SvgBoard {
            last_move: report.position.moves().last().flatten(),
            arrows: moves.zip(classes).collect(),
            bottom: if self.flip { Color::White } else { Color::Black },
            pieces: self.style().pieces(),
            ..SvgBoard::new(report.position)
        }
    }
}
