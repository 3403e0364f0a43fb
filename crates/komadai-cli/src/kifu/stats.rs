//! Statistics of the games in files, archives and folders.

mod formations;
mod text;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::ensure;
use clap::{ArgGroup, Args};
use komadai::kifu::formation::FormationKind;
use komadai::kifu::statistics::{FormationStatistics, RecordStatistics};
use komadai::kifu::{FilesReport, RecordFiles, Tolerance};
use komadai_console::{Output, StatusLine};
use serde_json::{Value, json};

use crate::arguments::faults::{exit_code, print_failure, print_faults};
use crate::kifu::stats::text::{name_of, usi};

/// Print statistics of games: results, ends, lengths, openings, players, ratings.
///
/// Games of all formats are read, also in archives (.gz, .zip, .7z) and folders, one by one in bounded
/// memory. Faults are skipped and counted; the first are named.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("formations").args(["castles", "strategies"]))]
#[command(after_help = "Examples:\n  \
                  komadai kifu stats games/ --plies 4\n  \
                  komadai kifu stats games/ --castles --player NAME\n\n\
                  Static rook, central rook … are classes by the file of each rook after 24 plies.\n\
                  Exit codes: 0 done, also if files were skipped, 1 no game was found or moves of games were left out, \
                  2 bad usage.")]
pub(super) struct Options {
    /// Files, archives and folders.
    #[arg(required = true, value_name = "PATHS")]
    paths: Vec<PathBuf>,
    /// Number of the first moves by which games are counted together.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=40))]
    plies: u8,
    /// Number of first lines and of players to print.
    #[arg(long, default_value_t = 10)]
    top: usize,
    /// Print the castles (囲い) of the players with their results instead. A castle is the one that
    /// has stood longest between the moves 20 and 80.
    #[arg(long)]
    castles: bool,
    /// Print the strategies (戦法) of the players with their results instead. A player can have
    /// several in a game.
    #[arg(long, conflicts_with = "castles")]
    strategies: bool,
    /// With --castles or --strategies: count those of this player only, whose name is that in the
    /// records.
    #[arg(long, value_name = "NAME", requires = "formations")]
    player: Option<String>,
    /// Print JSON instead of text.
    #[arg(long)]
    json: bool,
}

impl Options {
    fn kind(&self) -> Option<FormationKind> {
        let castle = self.castles.then_some(FormationKind::Castle);
        castle.or(self.strategies.then_some(FormationKind::Strategy))
    }
}

/// Number of faults that are printed.
const LISTED_FAULTS: u64 = 10;

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let mut statistics = RecordStatistics::new(usize::from(options.plies));
    let mut formations = options.kind().map(|kind| {
        let statistics = FormationStatistics::new(kind);
        options.player.iter().fold(statistics, |statistics, name| statistics.of_player(name))
    });
    let status = StatusLine::new();
    let (mut sum, mut listed) = (FilesReport::default(), 0);
    for path in &options.paths {
        let mut files = RecordFiles::open(path, Tolerance::Lenient);
        for found in &mut files {
            match found.record {
                Ok(record) => {
                    statistics.add(&record);
                    formations.iter_mut().for_each(|formations| formations.add(&record));
                }
                Err(error) if listed < LISTED_FAULTS => {
                    print_failure(&found.place, error);
                    listed += 1;
                }
                Err(_) => {}
            }
            let games = statistics.results.games();
            if games.is_multiple_of(1_000) {
                status.set(|_| format!("{games} games"));
            }
        }
        print_faults(files.skipped());
        sum += *files.report();
    }
    drop(status);
    ensure!(sum.games > 0, "no game was found in {} files", sum.files);
    let mut out = Output::json_if(options.json);
    if let Some(found) = &formations {
        if let Some(name) = &options.player {
            let is_known = statistics.players().iter().any(|(known, _)| known == name);
            ensure!(is_known, "no game has the player {name:?}");
        }
        let games = statistics.results.games();
        let text = if options.json {
            format!("{:#}\n", formations::value(found, games, options.top))
        } else {
            formations::text(found, options.top)
        };
        write!(out, "{text}")?;
    } else if options.json {
        let document = of(&statistics, &sum, options.top);
        writeln!(out, "{}", serde_json::to_string_pretty(&document)?)?;
    } else {
        write!(out, "{}", text::of(&statistics, &sum, options.top))?;
    }
    Ok(exit_code(sum.lost_moves))
}

pub(super) fn of(found: &RecordStatistics, files: &FilesReport, top: usize) -> Value {
    let lengths = &found.lengths;
    let ends = found.ends();
    let ends = ends.iter().map(|&(end, games)| json!({ "end": name_of(end), "games": games }));
    let rooks = found.rooks();
    let rooks = rooks.iter().map(|&([black, white], games)| {
        json!({ "black": black.to_string(), "white": white.to_string(), "results": games })
    });
    let lines = found.first_lines();
    let lines = lines
        .iter()
        .take(top)
        .map(|&(moves, games)| json!({ "moves": usi(moves), "results": games }));
    let players = found.players();
    let players = players.iter().take(top).map(|(name, player)| {
        json!({
            "name": name, "games": player.games, "wins": player.wins, "draws": player.draws,
            "losses": player.losses, "rating": player.rating,
        })
    });
    let ratings = found.ratings();
    let ratings = ratings.iter().map(|(from, count)| json!({ "from": from, "count": count }));
    json!({
        "games": found.results.games(),
        "files": files.files,
        "failed_files": files.failed,
        "faults": files.faults,
        "lost_moves": files.lost_moves,
        "with_times": found.with_times,
        "with_variations": found.with_variations,
        "other_starts": found.other_starts,
        "results": found.results,
        "plies": {
            "mean": lengths.mean(),
            "shortest": lengths.quantile(0.0),
            "median": lengths.quantile(0.5),
            "longest": lengths.quantile(1.0),
        },
        "ends": ends.collect::<Value>(),
        "openings": rooks.collect::<Value>(),
        "first_moves": lines.collect::<Value>(),
        "players": players.collect::<Value>(),
        "ratings": ratings.collect::<Value>(),
    })
}
