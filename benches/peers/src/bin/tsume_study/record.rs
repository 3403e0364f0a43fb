//! The table of raw results: one row per problem and solver.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use komadai_core::Pv;
use komadai_testdata::tsume::Expected;

use crate::judge::{Judgement, judge};
use crate::problems::Problem;
use crate::solver::{Answer, Verdict};

/// One result.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    /// The specification of the set.
    pub(crate) set: String,
    pub(crate) solver: String,
    pub(crate) id: String,
    /// The proven length of the shortest mate.
    pub(crate) known_plies: Option<u32>,
    pub(crate) judgement: Judgement,
    /// The number of plies of the line.
    pub(crate) plies: Option<u32>,
    /// The solver claims that the line is shortest.
    pub(crate) is_claimed_shortest: bool,
    pub(crate) nodes: u64,
    pub(crate) cpu: Duration,
    /// `None` if it was not measured.
    pub(crate) wall: Option<Duration>,
    /// The line, or the reason of a failure.
    pub(crate) line: String,
}

const HEADER: &str =
    "set\tsolver\tid\tknown\tjudgement\tplies\tclaim\tnodes\tcpu_ms\twall_ms\tline";

impl Row {
    /// Judges an answer and describes it.
    pub(crate) fn new(set: &str, solver: &str, problem: &Problem, answer: &Answer) -> Self {
        let known_plies = match problem.expected {
            Expected::ShortestMate(plies) => Some(plies),
            _ => None,
        };
        let (plies, is_claimed_shortest, line) = match &answer.verdict {
            Verdict::Mate { line, shortest } => {
                (Some(line.len() as u32), *shortest, Pv::from(&**line).to_string())
            }
            Verdict::Failed(reason) => (None, false, (*reason).to_owned()),
            _ => (None, false, String::new()),
        };
        Self {
            set: set.to_owned(),
            solver: solver.to_owned(),
            id: problem.id.clone(),
            known_plies,
            judgement: judge(problem, &answer.verdict),
            plies,
            is_claimed_shortest,
            nodes: answer.nodes,
            cpu: answer.cpu,
            wall: Some(answer.wall),
            line,
        }
    }

    fn text(&self) -> String {
        let number = |plies: Option<u32>| plies.map_or("-".to_owned(), |plies| plies.to_string());
        let claim = if self.is_claimed_shortest { "shortest" } else { "-" };
        let Self { set, solver, id, nodes, line, .. } = self;
        let (known, plies) = (number(self.known_plies), number(self.plies));
        let (judgement, cpu) = (self.judgement.word(), self.cpu.as_secs_f64() * 1e3);
        let wall =
            self.wall.map_or("-".to_owned(), |wall| format!("{:.4}", wall.as_secs_f64() * 1e3));
        format!(
            "{set}\t{solver}\t{id}\t{known}\t{judgement}\t{plies}\t{claim}\t{nodes}\t{cpu:.4}\t{wall}\t{line}"
        )
    }

    fn read(text: &str) -> Option<Self> {
        let mut cells = text.split('\t');
        let mut next = || cells.next();
        Some(Self {
            set: next()?.to_owned(),
            solver: next()?.to_owned(),
            id: next()?.to_owned(),
            known_plies: next()?.parse().ok(),
            judgement: Judgement::from_word(next()?)?,
            plies: next()?.parse().ok(),
            is_claimed_shortest: next()? == "shortest",
            nodes: next()?.parse().ok()?,
            cpu: milliseconds(next()?)?,
            wall: milliseconds(next()?),
            line: next()?.to_owned(),
        })
    }
}

fn milliseconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.parse::<f64>().ok()? / 1e3).ok()
}

/// All results of a study, in memory and in a file that grows with each.
#[derive(Debug)]
pub(crate) struct Results {
    rows: Vec<Row>,
    /// The lines about the runs that contributed.
    runs: Vec<String>,
    file: File,
}

impl Results {
    /// Reads the results of earlier runs, without those of the solvers in `again`, and opens the
    /// file.
    pub(crate) fn open(path: &Path, again: &[String]) -> anyhow::Result<Self> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error).with_context(|| path.display().to_string()),
        };
        let (mut rows, mut runs) = (Vec::new(), Vec::new());
        for (index, line) in text.lines().enumerate() {
            if let Some(run) = line.strip_prefix("# ") {
                runs.push(run.to_owned());
            } else if line != HEADER {
                let fault = || format!("{}: line {}", path.display(), index + 1);
                rows.push(Row::read(line).with_context(fault)?);
            }
        }
        rows.retain(|row| !again.contains(&row.solver));
        // The file is replaced as a whole, so that a crash loses nothing.
        let old = runs.iter().map(|run| format!("# {run}\n"));
        let kept = rows.iter().map(|row| row.text() + "\n");
        let text = format!("{HEADER}\n") + &old.chain(kept).collect::<String>();
        let new = path.with_extension("new");
        fs::write(&new, text).with_context(|| new.display().to_string())?;
        fs::rename(&new, path).with_context(|| path.display().to_string())?;
        let file = OpenOptions::new().append(true).open(path)?;
        Ok(Self { rows, runs, file })
    }

    /// Adds a line about the run that begins.
    pub(crate) fn note_run(&mut self, run: String) -> anyhow::Result<()> {
        writeln!(self.file, "# {run}")?;
        self.runs.push(run);
        Ok(())
    }

    /// Returns true if this problem of a set has been given to the solver.
    pub(crate) fn contains(&self, set: &str, solver: &str, id: &str) -> bool {
        self.rows.iter().any(|row| row.id == id && row.solver == solver && row.set == set)
    }

    /// Adds a result.
    pub(crate) fn add(&mut self, row: Row) -> anyhow::Result<()> {
        writeln!(self.file, "{}", row.text())?;
        self.rows.push(row);
        Ok(())
    }

    /// Puts the results of these solvers first, in this order. The file is not changed.
    pub(crate) fn arrange(&mut self, solvers: &[String]) {
        let place = |row: &Row| solvers.iter().position(|solver| *solver == row.solver);
        self.rows.sort_by_key(|row| place(row).unwrap_or(solvers.len()));
    }

    pub(crate) fn rows(&self) -> &[Row] {
        &self.rows
    }

    pub(crate) fn runs(&self) -> &[String] {
        &self.runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) fn row(solver: &str, id: &str) -> Row {
        Row {
            set: "x,every=2".into(),
            solver: solver.into(),
            id: id.into(),
            known_plies: Some(3),
            judgement: Judgement::Mate,
            plies: Some(5),
            is_claimed_shortest: false,
            nodes: 12,
            cpu: Duration::from_micros(1500),
            wall: Some(Duration::from_micros(1700)),
            line: "G*5b".into(),
        }
    }

    #[test]
    fn results_are_continued_and_measured_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.tsv");
        let mut results = Results::open(&path, &[]).unwrap();
        results.note_run("a run".into()).unwrap();
        results.add(row("a", "1")).unwrap();
        let undecided = Row {
            known_plies: None,
            plies: None,
            wall: None,
            line: String::new(),
            ..row("b", "1")
        };
        results.add(undecided.clone()).unwrap();
        let results = Results::open(&path, &[]).unwrap();
        assert_eq!(results.rows(), [row("a", "1"), undecided.clone()]);
        assert_eq!(results.runs(), ["a run"]);
        let mut arranged = Results::open(&path, &[]).unwrap();
        arranged.arrange(&["b".to_owned()]);
        assert_eq!(arranged.rows(), [undecided.clone(), row("a", "1")]);
        assert!(results.contains("x,every=2", "a", "1") && !results.contains("x", "a", "1"));
        let results = Results::open(&path, &["a".to_owned()]).unwrap();
        assert_eq!(results.rows(), [undecided]);
        fs::write(&path, "nonsense\n").unwrap();
        assert!(Results::open(&path, &[]).is_err());
    }
}
