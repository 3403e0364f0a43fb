//! The log of a match: one JSON object a line, first the settings, then the games.
//!
//! Only complete lines count. An incomplete last line, which a crash can leave, is cut off.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use komadai::matches::{MatchGame, Tally};
use komadai::movegen::DeclarationRule;
use komadai_base::file::{LockedFile, open_locked, open_regular, set_aside};
use komadai_base::text::printable;
use komadai_console::{create_folder, note};
use serde_json::{Value, json};

use super::game_json;
use super::records::Records;

/// The first line of a log: the identity of its match.
#[derive(Debug, Clone, Copy)]
pub(super) struct Head<'m> {
    /// All settings that change results. A log with other settings belongs to another match.
    pub(super) settings: &'m Value,
    /// Names of the players.
    pub(super) names: &'m [String; 2],
    /// Versions of the players' programs, where they are known. A change leads to a warning.
    pub(super) builds: &'m [Option<String>; 2],
}

/// An open log and the game records beside it.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    log: LockedFile,
    records: Records,
}

impl Journal {
    /// Opens the log in a folder, which is created if it does not exist, and passes every game of
    /// the log to `on_game`.
    pub(super) fn open(
        folder: &Path,
        fresh: bool,
        own: Head<'_>,
        mut on_game: impl FnMut(&MatchGame),
    ) -> anyhow::Result<Self> {
        create_folder(folder)?;
        let path = folder.join("games.jsonl");
        let cannot_use = || format!("cannot use {}", path.display());
        let options = OpenOptions::new().read(true).append(true).create(true).clone();
        let open = || open_locked(&options, &path, "match").with_context(cannot_use);
        let mut log = open()?;
        if fresh && log.metadata()?.len() > 0 {
            set_aside(&path).with_context(cannot_use)?;
            log = open()?;
        }
        compare_head(&mut log, own, &path)?;
        let mut records = Records::create(folder, own.names)?;
        let whole = read_games(&mut log, &path, &mut |game| {
            records.add(game)?;
            on_game(game);
            Ok(())
        })?;
        records.flush()?;
        log.set_len(whole).with_context(cannot_use)?;
        if whole == 0 {
            let head = json!({ "match": own.settings, "names": own.names, "builds": own.builds });
            writeln!(log, "{head}").with_context(cannot_use)?;
        }
        Ok(Self { path, log, records })
    }

    /// Appends a game.
    pub(super) fn add(&mut self, game: &MatchGame) -> anyhow::Result<()> {
        // One write per line, so that a killed process rarely leaves an incomplete line.
        let line = format!("{}\n", game_json::to_json(game));
        self.log
            .write_all(line.as_bytes())
            .with_context(|| format!("cannot write {}", self.path.display()))?;
        self.records.add(game)?;
        self.records.flush()
    }
}

/// The longest line of a log, in bytes. A game of 1,500 moves has about 60,000.
const MAX_LINE: u64 = 16 << 20;

/// A finished or interrupted match, from its log.
#[derive(Debug)]
pub(crate) struct LoggedMatch {
    /// Names of the players.
    pub(crate) names: [String; 2],
    /// The commands of the players, followed by their options.
    pub(crate) commands: [String; 2],
    /// Versions of the players' programs, where they are known.
    pub(crate) builds: [Option<String>; 2],
    /// The games.
    pub(crate) tally: Tally,
}

/// Reads a log; `path` is its folder or the log itself.
pub(crate) fn read_log(path: &Path) -> anyhow::Result<LoggedMatch> {
    let path = if path.is_dir() { path.join("games.jsonl") } else { path.to_owned() };
    let place = || path.display().to_string();
    let mut log = open_regular(&path).with_context(place)?;
    let mut head = Vec::new();
    read_line(&mut BufReader::new(&log), &mut head).with_context(|| at_line(&path, 1))?;
    let head = read_head(&head).unwrap_or_default();
    let name = |player: usize| head["names"][player].as_str().map(str::to_owned);
    let (Some(first), Some(second)) = (name(0), name(1)) else {
        bail!("{}, line 1: expected the head of a match with the names of its players", place());
    };
    let mut tally = Tally::default();
    read_games(&mut log, &path, &mut |game| {
        tally.add(game);
        Ok(())
    })?;
    Ok(LoggedMatch {
        names: [first, second],
        commands: ["first", "second"].map(|role| command(&head["match"][role])),
        builds: [0, 1].map(|player: usize| head["builds"][player].as_str().map(str::to_owned)),
        tally,
    })
}

/// Reads the first line of a log, which an editor may have marked.
fn read_head(line: &[u8]) -> serde_json::Result<Value> {
    serde_json::from_slice(line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line))
}

/// Returns a player's command with its options, from the head of a log.
fn command(player: &Value) -> String {
    let options = player["options"].as_array().into_iter().flatten();
    let words = [&player["command"]].into_iter().chain(options).filter_map(Value::as_str);
    words.collect::<Vec<_>>().join(" ")
}

/// Reads a line with its end. The last one may have none.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> anyhow::Result<usize> {
    line.clear();
    let length = input.take(MAX_LINE).read_until(b'\n', line)?;
    let is_whole = (length as u64) < MAX_LINE || line.last() == Some(&b'\n');
    ensure!(is_whole, "a line of more than {} MiB, expected a game", MAX_LINE >> 20);
    Ok(length)
}

fn at_line(path: &Path, number: usize) -> String {
    format!("{}, line {number}", path.display())
}

/// Checks that the log belongs to this match or is empty. Warns if a player's program has changed.
fn compare_head(log: &mut File, own: Head<'_>, path: &Path) -> anyhow::Result<()> {
    let mut head = Vec::new();
    read_line(&mut BufReader::new(log), &mut head).with_context(|| at_line(path, 1))?;
    if head.last() != Some(&b'\n') {
        return Ok(());
    }
    let head = read_head(&head).with_context(|| at_line(path, 1))?;
    compare(&head["match"], own.settings, path)?;
    for (player, build) in own.builds.iter().enumerate() {
        if head["builds"][player] != json!(build) {
            let name = printable(&own.names[player]);
            note!("warning: {name} has been rebuilt since the first games of this match");
        }
    }
    Ok(())
}

/// Reads all complete lines and returns their length in bytes.
fn read_games(
    log: &mut File,
    path: &Path,
    on_game: &mut dyn FnMut(&MatchGame) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    log.seek(SeekFrom::Start(0))?;
    let mut input = BufReader::new(log);
    let (mut whole, mut line) = (0, Vec::new());
    for number in 1.. {
        let place = || at_line(path, number);
        let length = read_line(&mut input, &mut line).with_context(place)?;
        if line.last() != Some(&b'\n') {
            break;
        }
        if number > 1 {
            let value: Value = serde_json::from_slice(&line).with_context(place)?;
            on_game(&game_json::from_json(&value).with_context(place)?)?;
        }
        whole += length as u64;
    }
    Ok(whole)
}

fn compare(logged: &Value, ours: &Value, path: &Path) -> anyhow::Result<()> {
    let mut logged = logged.clone();
    // Logs without these come from matches that knew one rule only, and no pondering.
    if let Some(settings) = logged.as_object_mut() {
        settings.entry("declaration").or_insert(json!(DeclarationRule::default().name()));
        settings.entry("ponder").or_insert(json!([false, false]));
    }
    if logged == *ours {
        return Ok(());
    }
    let empty = serde_json::Map::new();
    let (logged, ours) = (logged.as_object().unwrap_or(&empty), ours.as_object().unwrap_or(&empty));
    let differences: Vec<String> = ours
        .iter()
        .filter(|(key, value)| logged.get(*key) != Some(*value))
        .map(|(key, value)| {
            format!("{key} was {}, is {value}", logged.get(key).unwrap_or(&Value::Null))
        })
        .collect();
    bail!(
        "{} belongs to another match: {}; expected another folder, or --fresh for a new match",
        path.display(),
        differences.join("; ")
    )
}
