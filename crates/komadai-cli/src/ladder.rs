//! Ladders: the strengths of several players from all of their matches.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, anyhow};
use clap::Args;
use komadai::matches::{EloEstimate, Pairing, Ratings, RatingsError, Tally};
use komadai::report::{LivePage, LiveTable};
use komadai_base::text::{markdown_cell, printable};
use komadai_console::{Program, describe, note, print_json, stdout, stop_on_interrupt};
use komadai_live::PageHandle;
use serde_json::{Value, json};

use crate::arguments::page::PageArgs;
use crate::matches::{LoggedMatch, of_opponent, read_log};

/// Rank players by all of their matches together.
///
/// Reads the folders that `komadai match --out DIR` has written; a player has one name in all of
/// them (`--name-first`, `--name-second`). The strengths are those that make the results of all
/// matches most likely (Bradley–Terry), with 95 % intervals of the difference from the player at
/// zero. Only complete pairs of games count, in all columns.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  komadai match --first komadai --second ./other --name-first ours --movetime 24 --out \
                  ladder/other\n  komadai ladder ladder/*\n\nExit codes: 0 done, 1 failed, 2 bad usage."
)]
pub struct LadderArgs {
    /// Folders of matches, or their logs.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Player whose strength is zero; by default the first of the first match.
    #[arg(long, value_name = "NAME")]
    zero: Option<String>,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
    /// A page follows the matches while they are played, until Ctrl-C; then the ladder is printed.
    #[command(flatten)]
    page: PageArgs,
}

impl Program for LadderArgs {
    const SUBCOMMAND: &'static str = "ladder";

    fn run(&self) -> anyhow::Result<ExitCode> {
        if let Some(server) = self.page.start()? {
            self.follow(&server.page(), &*stop_on_interrupt()?);
        }
        Ladder::read(&self.paths, self.zero.as_deref())?.print(self.json)?;
        Ok(ExitCode::SUCCESS)
    }
}

impl LadderArgs {
    /// Shows the ladder on a page, and reads the matches again when a log has changed.
    fn follow(&self, page: &PageHandle, stop: &AtomicBool) {
        page.update(|page| page.title = "Ladder".to_owned());
        let mut last = None;
        while !stop.load(Relaxed) {
            let state: Vec<_> = self.paths.iter().map(|path| log_state(path)).collect();
            if last.as_ref() != Some(&state) {
                match Ladder::read(&self.paths, self.zero.as_deref()) {
                    Ok(ladder) => page.update(|page| ladder.show(page)),
                    // A match that has just begun has no complete pair yet.
                    Err(error) => page.update(|page| page.status = describe(&error)),
                }
                last = Some(state);
            }
            sleep(FOLLOW_EVERY);
        }
    }
}

/// Interval between two looks at the logs.
const FOLLOW_EVERY: Duration = Duration::from_millis(500);

/// The size of a log and the time of its last change.
fn log_state(path: &Path) -> Option<(u64, SystemTime)> {
    let log = if path.is_dir() { path.join("games.jsonl") } else { path.to_owned() };
    let data = fs::metadata(log).ok()?;
    Some((data.len(), data.modified().ok()?))
}

/// The players, their matches, and the strengths that follow.
#[derive(Debug)]
pub(crate) struct Ladder {
    names: Vec<String>,
    matches: Vec<Played>,
    ratings: Ratings,
    zero: usize,
    warnings: Vec<String>,
}

const PLAYER_COLUMNS: [&str; 7] =
    ["player", "Elo", "95 %", "games", "score", "as Black: won, drawn, lost", "as White"];
const MATCH_COLUMNS: [&str; 5] = ["first", "second", "won, drawn, lost", "score", "expected"];

/// A match.
#[derive(Debug)]
struct Played {
    /// The indices of the names of its players.
    players: [usize; 2],
    tally: Tally,
}

/// The engines that were seen under each name.
#[derive(Debug, Default)]
struct Identities {
    known: HashMap<String, Identity>,
    warnings: Vec<String>,
}

/// An engine in the first match of its name.
#[derive(Debug)]
struct Identity {
    path: PathBuf,
    command: String,
    build: Option<String>,
    /// True if another engine of this name has been reported.
    is_told: bool,
}

impl Identities {
    /// Warns if a player of a match is another engine than in an earlier match.
    fn check(&mut self, path: &Path, logged: &LoggedMatch) {
        for (player, name) in logged.names.iter().enumerate() {
            let (command, build) = (&logged.commands[player], &logged.builds[player]);
            let known = self.known.entry(name.clone()).or_insert_with(|| Identity {
                path: path.to_owned(),
                command: command.clone(),
                build: build.clone(),
                is_told: false,
            });
            let is_other = known.command != *command;
            let is_rebuilt = known.build.is_some() && build.is_some() && known.build != *build;
            if known.is_told || !is_other && !is_rebuilt {
                continue;
            }
            known.is_told = true;
            let (before, here, name) = (known.path.display(), path.display(), printable(name));
            self.warnings.push(if is_other {
                format!(
                    "warning: {name} is `{}` in {before}, but `{command}` in {here}: they count as one player; \
                     --name-first and --name-second of a match tell them apart",
                    known.command
                )
            } else {
                format!(
                    "warning: {name} was rebuilt between {before} and {here}: both count as one player"
                )
            });
        }
    }
}

impl Ladder {
    pub(crate) fn read(paths: &[PathBuf], zero: Option<&str>) -> anyhow::Result<Self> {
        let mut names: Vec<String> = Vec::new();
        let mut matches = Vec::new();
        let mut identities = Identities::default();
        for path in paths {
            let logged = read_log(path)?;
            identities.check(path, &logged);
            let LoggedMatch { names: players, tally, .. } = logged;
            let players = players.map(|name| match names.iter().position(|known| *known == name) {
                Some(index) => index,
                None => {
                    names.push(name);
                    names.len() - 1
                }
            });
            matches.push(Played { players, tally });
        }
        let zero = match zero {
            None => 0,
            Some(wanted) => names.iter().position(|name| name == wanted).with_context(|| {
                let names: Vec<_> = names.iter().map(|name| printable(name)).collect();
                format!("no match of {wanted:?}, expected one of {}", names.join(", "))
            })?,
        };
        let pairings: Vec<Pairing> = matches
            .iter()
            .map(|Played { players: [first, second], tally }| {
                Pairing::new(*first, *second, *tally.pairs())
            })
            .collect();
        let ratings = Ratings::fit(names.len(), &pairings).map_err(|error| match error {
            RatingsError::Unconnected { player } => anyhow!(
                "no complete pairs of games connect {} to {}: their strengths cannot be compared",
                printable(&names[player]),
                printable(&names[0])
            ),
            error => error.into(),
        })?;
        Ok(Self { names, matches, ratings, zero, warnings: identities.warnings })
    }

    /// Prints the ladder as tables or as JSON, and its warnings.
    pub(crate) fn print(&self, is_json: bool) -> io::Result<()> {
        self.warnings.iter().for_each(|warning| note!("{warning}"));
        if is_json { print_json(&self.to_json()) } else { write!(stdout(), "{}", self.to_text()) }
    }

    /// Returns the players, the strongest first.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        let elo = |player: &usize| self.ratings.elo(*player);
        order.sort_by(|a, b| elo(b).partial_cmp(&elo(a)).unwrap_or(Ordering::Equal));
        order
    }

    fn lead(&self, player: usize) -> EloEstimate {
        self.ratings.difference(player, self.zero)
    }

    /// Returns the number of games whose partner is missing.
    fn unpaired(&self) -> u64 {
        let games = |tally: &Tally| tally.games() - 2 * tally.pairs().pairs();
        self.matches.iter().map(|played| games(&played.tally)).sum()
    }

    /// Returns the games of a player in complete pairs, and its points in them.
    fn points(&self, player: usize) -> (u64, f64) {
        let mut sum = (0, 0.0);
        for Played { players, tally } in &self.matches {
            let [wins, draws, losses] = tally.wins_draws_losses_in_pairs();
            let half = draws as f64 / 2.0;
            for (own, points) in players.iter().zip([wins as f64 + half, losses as f64 + half]) {
                if *own == player {
                    sum = (sum.0 + 2 * tally.pairs().pairs(), sum.1 + points);
                }
            }
        }
        sum
    }

    /// Returns the wins, draws and losses of a player as Black, and as White.
    fn by_color(&self, player: usize) -> [[u64; 3]; 2] {
        let mut sum = [[0; 3]; 2];
        for Played { players: [first, second], tally } in &self.matches {
            let results = tally.wins_draws_losses_by_color_in_pairs();
            let own = [(*first, results), (*second, of_opponent(results))];
            for (_, results) in own.iter().filter(|(own, _)| *own == player) {
                for (sum, count) in sum.iter_mut().flatten().zip(results.iter().flatten()) {
                    *sum += count;
                }
            }
        }
        sum
    }

    /// Returns the cells of the table of players, the strongest first.
    fn player_rows(&self) -> Vec<Vec<String>> {
        let row = |player: usize| {
            let lead = self.lead(player);
            let (games, points) = self.points(player);
            let [black, white] = self.by_color(player);
            let results = |[wins, draws, losses]: [u64; 3]| format!("{wins}, {draws}, {losses}");
            let interval = if player == self.zero {
                "zero".to_owned()
            } else {
                format!("[{:+.0}, {:+.0}]", lead.low, lead.high)
            };
            let score = 100.0 * points / games.max(1) as f64;
            // Adding zero turns −0 into +0.
            let elo = format!("{:+.0}", lead.elo + 0.0);
            vec![
                self.names[player].clone(),
                elo,
                interval,
                games.to_string(),
                format!("{score:.1} %"),
                results(black),
                results(white),
            ]
        };
        self.order().into_iter().map(row).collect()
    }

    /// Returns the cells of the table of matches.
    fn match_rows(&self) -> Vec<Vec<String>> {
        let row = |played: &Played| {
            let ([first, second], [wins, draws, losses]) =
                (played.players, played.tally.wins_draws_losses_in_pairs());
            let games = (wins + draws + losses).max(1) as f64;
            let score = (wins as f64 + draws as f64 / 2.0) / games;
            vec![
                self.names[first].clone(),
                self.names[second].clone(),
                format!("{wins}, {draws}, {losses}"),
                format!("{:.1} %", 100.0 * score),
                format!("{:.1} %", 100.0 * self.ratings.expected_score(first, second)),
            ]
        };
        self.matches.iter().map(row).collect()
    }

    /// Returns a remark on the games that do not count.
    fn not_counted(&self) -> Option<String> {
        match self.unpaired() {
            0 => None,
            1 => Some("Not counted: 1 game whose partner in its pair is missing.".to_owned()),
            games => {
                let text = "games whose partners in their pairs are missing.";
                Some(format!("Not counted: {games} {text}"))
            }
        }
    }

    /// Returns two tables: the players, and the matches beside what the strengths let expect.
    fn to_text(&self) -> String {
        let table = |columns: &[&str], rows: Vec<Vec<String>>| {
            let mut text =
                format!("| {} |\n|{}\n", columns.join(" | "), "---|".repeat(columns.len()));
            for row in rows {
                let cells: Vec<_> = row.iter().map(|cell| markdown_cell(cell)).collect();
                text += &format!("| {} |\n", cells.join(" | "));
            }
            text
        };
        let players = table(&PLAYER_COLUMNS, self.player_rows());
        let matches = table(&MATCH_COLUMNS, self.match_rows());
        let rest = self.not_counted().map_or_else(String::new, |text| format!("\n{text}\n"));
        format!("{players}\n{matches}{rest}")
    }

    /// Shows the ladder on a page.
    fn show(&self, page: &mut LivePage) {
        let table = |title: &str, columns: &[&str], rows| LiveTable {
            title: title.to_owned(),
            columns: columns.iter().map(|&name| name.to_owned()).collect(),
            rows,
        };
        let games: u64 = self.matches.iter().map(|played| played.tally.games()).sum();
        page.status = format!("{games} games of {} players", self.names.len());
        page.tables = vec![
            table("Players", &PLAYER_COLUMNS, self.player_rows()),
            table("Matches", &MATCH_COLUMNS, self.match_rows()),
        ];
        page.notes = self.not_counted().into_iter().chain(self.warnings.iter().cloned()).collect();
    }

    fn to_json(&self) -> Value {
        let players = self.order().into_iter().map(|player| {
            let lead = self.lead(player);
            let (games, points) = self.points(player);
            json!({
                "name": self.names[player],
                "elo": lead.elo,
                "low": lead.low,
                "high": lead.high,
                "los": lead.los,
                "games": games,
                "points": points,
                // As Black, and as White.
                "wins_draws_losses_by_color": self.by_color(player),
            })
        });
        let matches = self.matches.iter().map(|Played { players: [first, second], tally }| {
            json!({
                "names": [self.names[*first], self.names[*second]],
                "wins_draws_losses": tally.wins_draws_losses_in_pairs(),
                "pairs": tally.pairs().counts(),
                "expected_score": self.ratings.expected_score(*first, *second),
            })
        });
        json!({
            "zero": self.names[self.zero],
            "players": players.collect::<Vec<_>>(),
            "matches": matches.collect::<Vec<_>>(),
            "games_not_counted": self.unpaired(),
        })
    }
}
