//! The counts in a file, so that a run goes on where another one ended.
//!
//! ```text
//! komadai-tesuji-counts 1 2f1a03bb         name, version, CRC-32 of all that follows
//! games 77 10093 0                         games, moves, largest deficit of a count
//! source 812345 games/a.psv                a file that has been counted, with its bytes
//! any P*@0,1 812                           a move and its number
//! after P*@0,1 - 0                         a beginning: last move, move before it, largest deficit
//! next SxP@0,0 53 12 tataki-no-fu          what follows it: times, times with the name, name
//! ```

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use komadai::eval::TesujiName;
use komadai::search::Descriptor;
use komadai_base::atomic_file;
use komadai_base::file::read_text;

use super::counts::{Beginning, Counts, Following, Seen};

const NAME: &str = "komadai-tesuji-counts";
const VERSION: &str = "1";

/// The largest file that is read.
const MOST_BYTES: u64 = 4 << 30;

/// A file of games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Source {
    bytes: u64,
    path: String,
}

impl Source {
    /// The bundled games, which are no file.
    pub(super) fn bundled() -> Self {
        Self { bytes: 0, path: "<bundled>".to_owned() }
    }

    pub(super) fn of(path: &Path) -> anyhow::Result<Self> {
        let name = path.display().to_string();
        ensure!(!name.contains(['\n', '\r']), "{name:?}: a name on one line was expected");
        let found = fs::metadata(path).with_context(|| name.clone())?;
        ensure!(found.is_file(), "{name}: expected a file, or a folder of training data");
        Ok(Self { bytes: found.len(), path: name })
    }
}

/// Counts, and the sources that they contain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct State {
    pub(super) counts: Counts,
    sources: Vec<Source>,
}

impl State {
    pub(super) fn new(most: usize) -> Self {
        Self { counts: Counts::new(most), sources: Vec::new() }
    }

    /// Notes a source whose games will be counted. Returns false if that has been done before.
    pub(super) fn begin(&mut self, source: &Source) -> anyhow::Result<bool> {
        if let Some(known) = self.sources.iter().find(|known| known.path == source.path) {
            let (path, found, expected) = (&source.path, source.bytes, known.bytes);
            ensure!(
                found == expected,
                "{path} has {found} bytes, expected {expected} as when it was counted"
            );
            return Ok(false);
        }
        self.sources.push(source.clone());
        Ok(true)
    }

    /// Writes the state, if there is a file for it.
    pub(super) fn write_to(&self, path: Option<&Path>) -> anyhow::Result<()> {
        let Some(path) = path else { return Ok(()) };
        let lines = self.lines()?;
        let text = format!("{NAME} {VERSION} {:08x}\n{lines}", crc32fast::hash(lines.as_bytes()));
        atomic_file::write(path, text).with_context(|| path.display().to_string())
    }

    fn lines(&self) -> anyhow::Result<String> {
        let Counts { games, moves, floor, .. } = self.counts;
        let mut text = format!("games {games} {moves} {floor}\n");
        for Source { bytes, path } in &self.sources {
            writeln!(text, "source {bytes} {path}")?;
        }
        for (m, count) in &self.counts.after_any {
            writeln!(text, "any {m} {count}")?;
        }
        for ((first, second), Following { missed, next }) in &self.counts.after {
            let first = first.map_or("-".to_owned(), |first| first.to_string());
            writeln!(text, "after {second} {first} {missed}")?;
            for (m, Seen { count, name, named }) in next {
                let name = name.map_or("-", TesujiName::name);
                writeln!(text, "next {m} {count} {named} {name}")?;
            }
        }
        Ok(text)
    }

    pub(super) fn read(path: &Path, most: usize) -> anyhow::Result<Self> {
        let text = read_text(path, MOST_BYTES).with_context(|| path.display().to_string())?;
        Self::from_text(&text, most).with_context(|| path.display().to_string())
    }

    fn from_text(text: &str, most: usize) -> anyhow::Result<Self> {
        let (first, lines) = text.split_once('\n').unwrap_or((text, ""));
        let [NAME, version, checksum] = first.split(' ').collect::<Vec<_>>()[..] else {
            let found: String = first.chars().take(60).collect();
            bail!("line 1: found {found:?}, expected `{NAME} {VERSION} CRC32`");
        };
        ensure!(version == VERSION, "line 1: found version {version}, expected {VERSION}");
        let found = format!("{:08x}", crc32fast::hash(lines.as_bytes()));
        ensure!(found == checksum, "from line 2: the checksum is {found}, expected {checksum}");
        let mut state = Self::new(most);
        let mut beginning: Option<Beginning> = None;
        for (number, line) in (2..).zip(lines.lines()) {
            state.read_line(line, &mut beginning).with_context(|| format!("line {number}"))?;
        }
        let following = state.counts.after.values();
        state.counts.entries = following.map(|following| following.next.len()).sum();
        Ok(state)
    }

    fn read_line(&mut self, line: &str, beginning: &mut Option<Beginning>) -> anyhow::Result<()> {
        let counts = &mut self.counts;
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        if word == "source" {
            let (bytes, path) = rest.split_once(' ').context("expected bytes and a path")?;
            self.sources.push(Source { bytes: bytes.parse()?, path: path.to_owned() });
            return Ok(());
        }
        match (word, &rest.split(' ').collect::<Vec<_>>()[..]) {
            ("games", [games, moves, floor]) => {
                (counts.games, counts.moves) = (games.parse()?, moves.parse()?);
                counts.floor = floor.parse()?;
            }
            ("any", [m, count]) => {
                counts.after_any.insert(m.parse()?, count.parse()?);
            }
            ("after", [second, first, missed]) => {
                let first = (*first != "-").then(|| first.parse::<Descriptor>()).transpose()?;
                let key = (first, second.parse()?);
                let following = Following { missed: missed.parse()?, ..Following::default() };
                counts.after.insert(key, following);
                *beginning = Some(key);
            }
            ("next", [m, count, named, name]) => {
                let following = beginning.and_then(|key| counts.after.get_mut(&key));
                let following = following.context("`next` stands before `after`")?;
                let known = TesujiName::ALL.into_iter().find(|known| known.name() == *name);
                ensure!(known.is_some() || *name == "-", "found {name:?}, expected a name or -");
                let seen = Seen { count: count.parse()?, name: known, named: named.parse()? };
                ensure!(seen.count > 0, "found the count 0, expected at least 1");
                following.next.insert(m.parse()?, seen);
            }
            _ => bail!("found {line:?}, expected games, source, any, after or next"),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorded_games::bundled;

    fn state() -> State {
        let mut state = State::new(1 << 20);
        assert!(state.begin(&Source::bundled()).unwrap());
        bundled().take(3).for_each(|game| state.counts.add(&game));
        state
    }

    #[test]
    fn a_state_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("counts.txt");
        let mut state = state();
        let name = state.counts.after.values().flat_map(|following| following.next.values());
        assert!(name.filter(|seen| seen.name.is_some()).count() > 3);
        state.write_to(Some(&path)).unwrap();
        assert_eq!(State::read(&path, 1 << 20).unwrap(), state);
        assert!(!state.begin(&Source::bundled()).unwrap());
        let changed = Source { bytes: 1, ..Source::bundled() };
        assert!(state.begin(&changed).unwrap_err().to_string().contains("expected 0"));
    }

    #[test]
    fn damage_has_its_place() {
        let lines = state().lines().unwrap();
        let file = |lines: &str| {
            format!("{NAME} {VERSION} {:08x}\n{lines}", crc32fast::hash(lines.as_bytes()))
        };
        let error = |text: &str| format!("{:#}", State::from_text(text, 10).unwrap_err());
        let good = file(&lines);
        assert!(State::from_text(&good, 10).is_ok());
        assert!(error(&good[..good.len() - 1]).contains("from line 2: the checksum is "));
        assert!(error("").contains("line 1: found \"\", expected `komadai-tesuji-counts 1"));
        let later = good.replacen(" 1 ", " 2 ", 1);
        assert!(error(&later).contains("found version 2, expected 1"));
        for (line, expected) in [
            ("games 1 2", "line 2: found \"games 1 2\", expected games, source"),
            ("games 1 x 2", "line 2: invalid digit"),
            ("any Q 1", "line 2: found \"Q\", expected a move"),
            ("next P* 1 0 -", "line 2: `next` stands before `after`"),
            ("after P* - 0\nnext P*@0,0 0 0 -", "line 3: found the count 0"),
            ("after P* - 0\nnext P*@0,0 1 1 fork", "line 3: found \"fork\", expected a name"),
        ] {
            let found = error(&file(line));
            assert!(found.contains(expected), "{line}: {found}");
        }
    }
}
