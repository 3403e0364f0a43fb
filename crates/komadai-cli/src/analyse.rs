//! Analysis of a game: a table of its moves, an annotated record, or JSON.

mod batch;
mod explanations;
mod game_file;
mod game_text;
mod json;
mod language;
mod memory;
mod one_game;
mod options;
mod pictures;
mod quiz;
mod record_output;
mod table;
mod threats;

use std::io::{BufWriter, Write as _};
use std::process::ExitCode;
use std::sync::Arc;

use self::explanations::explain;
use self::game_file::GameFile;
use self::game_text::GameText;
use self::memory::Memory;
use crate::arguments::faults::exit_code;

pub use self::options::AnalyseArgs;
use self::pictures::Pictures;
use self::record_output::RecordOutput;
use komadai_console::{Output, Program, interrupted, stop_on_interrupt};

impl Program for AnalyseArgs {
    const SUBCOMMAND: &'static str = "analyse";

    fn run(&self) -> anyhow::Result<ExitCode> {
        if let Some(folder) = &self.out {
            return batch::analyse(self, folder);
        }
        // All that can be refused is refused before the analysis, which takes a minute.
        let game = GameFile::read(self)?;
        game.check_plies(self)?;
        let output = RecordOutput::new(self)?;
        let pictures = Pictures::new(self)?;
        let stop = stop_on_interrupt()?;
        let (memory, mut analyst) = Memory::open(self, self.analyst()?)?;
        analyst.stop = Arc::clone(&stop);
        let analysis =
            one_game::analyse(&mut analyst, &game.record, &game.place, "analyse", self.quiet);
        let lost = memory.finish(self);
        let analysis = analysis?;
        one_game::warn(&game.record, &analysis);
        let mut text = GameText::new(&game.record, &analysis, self.notation(), self.language());
        text.has_threats = self.threats;
        let explanations = if self.explain { explain(&text) } else { Vec::new() };
        // The files come first: the reader of the table may leave early.
        let written = match &output {
            Some(output) if !analysis.is_stopped => output.write(&text),
            _ => Ok(()),
        };
        let written = written.and(pictures.write(&text));
        let written = match &self.quiz {
            Some(path) if !analysis.is_stopped => {
                written.and(quiz::write(path, &mut analyst, &text, self.quiet))
            }
            _ => written,
        };
        let mut out = BufWriter::new(Output::json_if(self.json));
        if self.json {
            writeln!(out, "{}", json::document(self, &game, &text, &explanations))?;
        } else {
            table::write(&mut out, self, &text)?;
            table::write_sides(&mut out, &text)?;
            table::write_course(&mut out, &text)?;
            explanations::write(&mut out, &text, &explanations)?;
            if self.threats {
                threats::write(&mut out, &text)?;
            }
        }
        out.flush()?;
        written?;
        if analysis.is_stopped {
            return Err(interrupted(match output {
                Some(_) => "stopped; the record is not written",
                None => "stopped",
            }));
        }
        Ok(exit_code(game.lost_moves + lost))
    }
}
