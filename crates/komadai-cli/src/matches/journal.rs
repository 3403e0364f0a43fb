//! The log of a match: one JSON object a line, the settings first, then a game each.
//!
//! A line is complete or it does not count: what a crash has left of the last one is cut off.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use komadai::engine::arena::MatchGame;
use serde_json::{Value, json};

use crate::notation;
use crate::plan::Plan;
use crate::records::Records;

/// An open log, and the records beside it.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    log: File,
    records: Records,
}

impl Journal {
    /// Opens the log in a folder, which is made if need be, and gives every game in it to `hear`.
    pub(crate) fn open(
        folder: &Path,
        fresh: bool,
        plan: &Plan,
        mut hear: impl FnMut(&MatchGame),
    ) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        let path = folder.join("games.jsonl");
        let cannot_use = || format!("cannot use {}", path.display());
        let mut log = open_alone(&path).with_context(cannot_use)?;
        if fresh && log.metadata()?.len() > 0 {
            put_aside(&path).with_context(cannot_use)?;
            log = open_alone(&path).with_context(cannot_use)?;
        }
        compare_head(&mut log, plan, &path)?;
        let mut records = Records::create(folder, &plan.names)?;
        let whole = read_games(&mut log, &path, &mut |game| {
            records.add(game)?;
            hear(game);
            Ok(())
        })?;
        records.flush()?;
        log.set_len(whole).with_context(cannot_use)?;
        if whole == 0 {
            let head =
                json!({ "match": plan.settings, "names": plan.names, "builds": plan.builds });
            writeln!(log, "{head}").with_context(cannot_use)?;
        }
        Ok(Self { path, log, records })
    }

    /// Appends a game.
    pub(crate) fn add(&mut self, game: &MatchGame) -> anyhow::Result<()> {
        // One write a line, so that not even a kill leaves half of one behind as a rule.
        let line = format!("{}\n", notation::to_json(game));
        self.log
            .write_all(line.as_bytes())
            .with_context(|| format!("cannot write {}", self.path.display()))?;
        self.records.add(game)?;
        self.records.flush()
    }
}

/// Opens a log that no other process has open.
fn open_alone(path: &Path) -> anyhow::Result<File> {
    let log = OpenOptions::new().read(true).append(true).create(true).open(path)?;
    match log.try_lock() {
        Ok(()) => Ok(log),
        Err(TryLockError::WouldBlock) => bail!("in use by another match"),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

/// Whether the log is one of this match; an empty one may become one.
fn compare_head(log: &mut File, plan: &Plan, path: &Path) -> anyhow::Result<()> {
    let mut head = Vec::new();
    BufReader::new(log).read_until(b'\n', &mut head)?;
    if head.last() != Some(&b'\n') {
        return Ok(());
    }
    let head: Value =
        serde_json::from_slice(&head).with_context(|| format!("{}, line 1", path.display()))?;
    compare(&head["match"], &plan.settings, path)?;
    for (player, build) in plan.builds.iter().enumerate() {
        if head["builds"][player] != json!(build) {
            let name = &plan.names[player];
            eprintln!("warning: {name} has been built anew since the first games of this match");
        }
    }
    Ok(())
}

/// Reads all whole lines; answers how many bytes they take.
fn read_games(
    log: &mut File,
    path: &Path,
    hear: &mut dyn FnMut(&MatchGame) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    log.seek(SeekFrom::Start(0))?;
    let mut input = BufReader::new(log);
    let (mut whole, mut line) = (0, Vec::new());
    for number in 1.. {
        line.clear();
        let length = input.read_until(b'\n', &mut line)?;
        if line.last() != Some(&b'\n') {
            break;
        }
        if number > 1 {
            let place = || format!("{}, line {number}", path.display());
            let value: Value = serde_json::from_slice(&line).with_context(place)?;
            hear(&notation::from_json(&value).with_context(place)?)?;
        }
        whole += length as u64;
    }
    Ok(whole)
}

fn compare(logged: &Value, ours: &Value, path: &Path) -> anyhow::Result<()> {
    if logged == ours {
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
        "{} belongs to another match: {}; name another folder, or begin anew with --fresh",
        path.display(),
        differences.join("; ")
    )
}

/// Gives a file that is there another name.
fn put_aside(path: &Path) -> io::Result<()> {
    let name = |number: u32| {
        let suffix = if number == 1 { String::new() } else { number.to_string() };
        path.with_extension(format!("jsonl.old{suffix}"))
    };
    let aside = (1..).map(name).find(|name| !name.exists()).expect("some number is free");
    match fs::rename(path, aside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
