//! The problems: bundled sets and tables in the same format.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use komadai_core::{Position, SfenError};
use komadai_testdata::tsume::{self, Expected, Set};

use crate::suite::{Part, SetSpec};

/// A problem and the known facts about it.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) id: String,
    pub(crate) sfen: String,
    pub(crate) position: Position,
    pub(crate) expected: Expected,
}

/// The bundled sets and their names.
const BUNDLED: [(&str, Set); 6] = [
    ("classic", Set::Classic),
    ("short_selfplay", Set::ShortSelfplay),
    ("random_mate", Set::RandomMate),
    ("nomate", Set::NoMate),
    ("realistic", Set::Realistic),
    ("regress_issues", Set::RegressIssues),
];

/// Returns the problems of a set that the specification selects, in their order.
pub(crate) fn load(spec: &SetSpec) -> anyhow::Result<Vec<Problem>> {
    let bundled = BUNDLED.iter().find(|(name, _)| *name == spec.name);
    let all = match bundled {
        Some(&(_, set)) => tsume::set(set)
            .map(|problem| read(problem.id, problem.sfen, problem.expected))
            .collect::<anyhow::Result<Vec<_>>>()?,
        None => from_file(Path::new(&spec.name))?,
    };
    let selected = all.into_iter().enumerate().filter(|(index, _)| {
        let is_held_back = (index + 1) % 3 == 0;
        match spec.part {
            Part::All => true,
            Part::Public => !is_held_back,
            Part::HeldBack => is_held_back,
        }
    });
    let problems = selected.step_by(spec.every.max(1));
    Ok(problems.filter_map(|(_, problem)| problem).collect())
}

/// Returns `None` for a position that breaks a rule of the game: sets contain some, for parsers.
fn read(id: &str, sfen: &str, expected: Expected) -> anyhow::Result<Option<Problem>> {
    let position = match Position::from_sfen(sfen) {
        Ok(position) => position,
        Err(SfenError::Position(_)) => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("{id}: {sfen}")),
    };
    Ok(Some(Problem { id: id.to_owned(), sfen: sfen.to_owned(), position, expected }))
}

/// Reads a table with a header: id, SFEN, expected result, and optionally source and notes.
fn from_file(path: &Path) -> anyhow::Result<Vec<Option<Problem>>> {
    let text = fs::read_to_string(path).with_context(|| {
        let names: Vec<&str> = BUNDLED.iter().map(|(name, _)| *name).collect();
        format!("{}: neither a table nor one of the sets {}", path.display(), names.join(", "))
    })?;
    let lines = text.lines().skip(1).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let problem = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [id, sfen, ..] = cells[..] else { anyhow::bail!("no two columns in `{line}`") };
        let (expected, notes) = (cells.get(2).unwrap_or(&"?"), cells.get(4).unwrap_or(&""));
        read(id, sfen, expectation(expected, notes).with_context(|| id.to_owned())?)
    };
    lines.map(problem).collect::<anyhow::Result<_>>().with_context(|| path.display().to_string())
}

/// Returns the facts of the columns "expected" and "notes". A length is proven unless the notes
/// begin with `verified-mate:`.
fn expectation(expected: &str, notes: &str) -> anyhow::Result<Expected> {
    Ok(match expected {
        "?" => Expected::Unknown,
        "mate" => Expected::Mate,
        "nomate" => Expected::NoMate,
        plies => {
            let plies = plies.parse().with_context(|| format!("expected result `{plies}`"))?;
            if notes.starts_with("verified-mate:") {
                Expected::MateWithin(plies)
            } else {
                Expected::ShortestMate(plies)
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(spec: &str) -> usize {
        load(&spec.parse().unwrap()).unwrap().len()
    }

    #[test]
    fn parts_and_steps_select() {
        assert_eq!((count("classic"), count("classic,part=public")), (148, 99));
        assert_eq!(count("classic,part=held-back"), 49);
        assert_eq!(count("realistic,every=4"), 423);
        assert_eq!(count("nomate"), 644 - 2, "two are no positions");
    }

    #[test]
    fn facts_are_read_from_tables() {
        let read = |expected, notes| expectation(expected, notes).ok();
        assert_eq!(read("7", ""), Some(Expected::ShortestMate(7)));
        assert_eq!(read("7", "verified-mate: x"), Some(Expected::MateWithin(7)));
        assert_eq!(read("nomate", ""), Some(Expected::NoMate));
        assert_eq!(read("seven", ""), None);
    }
}
