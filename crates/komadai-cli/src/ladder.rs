//! Ladders: the strengths of several players from all of their matches.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, anyhow};
use clap::Args;
use komadai::matches::{EloEstimate, Pairing, Ratings, RatingsError, Tally};
use komadai_base::text::{markdown_cell, printable};
use komadai_console::{Program, note, print_json, stdout};
use serde_json::{Value, json};

use crate::matches::{LoggedMatch, read_log};

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
}

impl Program for LadderArgs {
    const SUBCOMMAND: &'static str = "ladder";

    fn run(&self) -> anyhow::Result<ExitCode> {
        let ladder = Ladder::read(&self.paths, self.zero.as_deref())?;
        ladder.print(self.json)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The players, their matches, and the strengths that follow.
#[derive(Debug)]
pub(crate) struct Ladder {
    names: Vec<String>,
    matches: Vec<Played>,
    ratings: Ratings,
    zero: usize,
}

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
            if is_other {
                note!(
                    "warning: {name} is `{}` in {before}, but `{command}` in {here}: they count as one player; \
                     --name-first and --name-second of a match tell them apart",
                    known.command
                );
            } else {
                note!(
                    "warning: {name} was rebuilt between {before} and {here}: both count as one player"
                );
            }
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
        Ok(Self { names, matches, ratings, zero })
    }

    /// Prints the ladder as tables or as JSON.
    pub(crate) fn print(&self, is_json: bool) -> io::Result<()> {
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

    /// Returns two tables: the players, and the matches beside what the strengths let expect.
    fn to_text(&self) -> String {
        let mut text =
            String::from("| player | Elo | 95 % | games | score |\n|---|---|---|---|---|\n");
        for player in self.order() {
            let lead = self.lead(player);
            let (games, points) = self.points(player);
            let interval = if player == self.zero {
                "zero".to_owned()
            } else {
                format!("[{:+.0}, {:+.0}]", lead.low, lead.high)
            };
            let score = 100.0 * points / games.max(1) as f64;
            let name = markdown_cell(&self.names[player]);
            // Adding zero turns −0 into +0.
            text += &format!(
                "| {name} | {:+.0} | {interval} | {games} | {score:.1} % |\n",
                lead.elo + 0.0
            );
        }
        text +=
            "\n| first | second | won, drawn, lost | score | expected |\n|---|---|---|---|---|\n";
        for Played { players: [first, second], tally } in &self.matches {
            let [wins, draws, losses] = tally.wins_draws_losses_in_pairs();
            let games = (wins + draws + losses).max(1) as f64;
            let score = (wins as f64 + draws as f64 / 2.0) / games;
            text += &format!(
                "| {} | {} | {wins}, {draws}, {losses} | {:.1} % | {:.1} % |\n",
                markdown_cell(&self.names[*first]),
                markdown_cell(&self.names[*second]),
                100.0 * score,
                100.0 * self.ratings.expected_score(*first, *second),
            );
        }
        match self.unpaired() {
            0 => {}
            1 => text += "\nNot counted: 1 game whose partner in its pair is missing.\n",
            games => {
                text += &format!(
                    "\nNot counted: {games} games whose partners in their pairs are missing.\n"
                );
            }
        }
        text
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
