//! Names of the castles and strategies in games.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::ensure;
use clap::Args;
use komadai::Color;
use komadai::kifu::formation::{Formation, Formations, Named};
use komadai::kifu::{FilesReport, RecordFiles, Tolerance};
use komadai_base::text::printable;
use komadai_console::Output;

use crate::arguments::faults::{exit_code, print_failure, print_faults};

/// Print the castles (囲い) and strategies (戦法) of games with the plies at which they are reached.
///
/// A line a name, separated by tabs: game, side, ply, kind, id, English name, Japanese name. Games of
/// all formats are read, also in archives and folders, one by one in bounded memory.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
                  komadai kifu names game.kif\n  \
                  komadai kifu names games/ | grep 石田流\n  \
                  komadai kifu names --list\n\n\
                  Exit codes: 0 done, also if files were skipped, 1 no game was found or moves of games were left out, \
                  2 bad usage.")]
pub(super) struct Options {
    /// Files, archives and folders.
    #[arg(required_unless_present = "list", value_name = "PATHS")]
    paths: Vec<PathBuf>,
    /// Print the definitions instead: kind, id, English name, Japanese name, reading, other names,
    /// the ids that it refines, definition, and the tables of other programs that have the name.
    #[arg(long, conflicts_with = "paths")]
    list: bool,
}

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let mut out = Output::data();
    if options.list {
        for formation in Formation::all() {
            write_definition(&mut out, formation)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut sum = FilesReport::default();
    for path in &options.paths {
        let mut files = RecordFiles::open(path, Tolerance::Lenient);
        for found in &mut files {
            match found.record {
                Ok(record) => {
                    let place = found.place.to_string();
                    for named in Formations::of(&record).names() {
                        write_name(&mut out, &place, named)?;
                    }
                }
                Err(error) => print_failure(&found.place, error),
            }
        }
        print_faults(files.skipped());
        sum += *files.report();
    }
    ensure!(sum.games > 0, "no game was found in {} files", sum.files);
    Ok(exit_code(sum.lost_moves))
}

fn write_name(out: &mut impl Write, place: &str, named: &Named) -> io::Result<()> {
    let Named { formation, side, ply } = *named;
    let side = if side == Color::Black { "black" } else { "white" };
    let (kind, id) = (formation.kind(), formation.id());
    let (english, japanese) = (formation.english(), formation.japanese());
    writeln!(out, "{}\t{side}\t{ply}\t{kind}\t{id}\t{english}\t{japanese}", printable(place))
}

fn write_definition(out: &mut impl Write, formation: Formation) -> io::Result<()> {
    let parents: Vec<&str> = formation.parents().map(Formation::id).collect();
    let aliases: Vec<&str> = formation.aliases().collect();
    let cells = [
        &*formation.kind().to_string(),
        formation.id(),
        formation.english(),
        formation.japanese(),
        formation.reading(),
        &aliases.join(","),
        &parents.join(","),
        formation.definition(),
        formation.also_in(),
    ];
    writeln!(out, "{}", cells.join("\t"))
}
