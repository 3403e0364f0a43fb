//! The opinions of judges in a file, so that each question is asked once.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;

use anyhow::Context as _;
use clap::Args;
use komadai::prelude::*;
use komadai_base::file::{open_regular_with, read_text};

use crate::judge_evaluation::judge::{Judge, JudgeKind, JudgeLimits, JudgeProgram, Opinion};

/// The judges, and the file of their opinions.
#[derive(Debug, Args)]
pub(crate) struct Questions {
    /// File of the opinions: a line of judge, nodes, SFEN, value and best move. Missing ones are
    /// added.
    #[arg(long)]
    opinions: PathBuf,
    /// Judge to ask for missing opinions, as NAME=PROGRAM: `yaneuraou` (MATERIAL 9), `fairy`
    /// (Fairy-Stockfish), `gps` (GPSshogi) or `komadai=built-in`. Without any, the file must be
    /// complete.
    #[arg(long = "judge", value_name = "NAME=PROGRAM")]
    judges: Vec<JudgeProgram>,
    #[command(flatten)]
    limits: JudgeLimits,
}

/// The opinions of the judges about positions.
#[derive(Debug, Default)]
pub(crate) struct Opinions(BTreeMap<(JudgeKind, String), Opinion>);

impl Opinions {
    pub(crate) fn get(&self, judge: JudgeKind, sfen: &str) -> Option<Opinion> {
        self.0.get(&(judge, sfen.to_owned())).copied()
    }

    /// Returns the opinion of every judge about a position, in the order of [`JudgeKind::OTHERS`],
    /// or `None` if one is missing.
    pub(crate) fn all(&self, sfen: &str) -> Option<[Opinion; 3]> {
        let [Some(first), Some(second), Some(third)] =
            JudgeKind::OTHERS.map(|judge| self.get(judge, sfen))
        else {
            return None;
        };
        Some([first, second, third])
    }
}

impl Questions {
    /// Returns the opinions of the file, after all judges have been asked about `sfens`, one thread
    /// a judge.
    pub(crate) fn ask(&self, sfens: &BTreeSet<String>) -> anyhow::Result<Opinions> {
        let known = self.read()?;
        let path = self.opinions.display();
        let file = open_regular_with(OpenOptions::new().create(true).append(true), &self.opinions);
        let file = Mutex::new(file.with_context(|| format!("cannot write {path}"))?);
        thread::scope(|scope| -> anyhow::Result<()> {
            let threads: Vec<_> = self
                .judges
                .iter()
                .map(|judge| {
                    let missing = sfens.iter().filter(|sfen| known.get(judge.kind, sfen).is_none());
                    let missing: Vec<&String> = missing.collect();
                    let file = &file;
                    scope.spawn(move || self.ask_one(judge, &missing, file))
                })
                .collect();
            for thread in threads {
                thread.join().expect("judges report errors as results")?;
            }
            Ok(())
        })?;
        self.read()
    }

    fn ask_one(
        &self,
        program: &JudgeProgram,
        sfens: &[&String],
        file: &Mutex<File>,
    ) -> anyhow::Result<()> {
        if sfens.is_empty() {
            return Ok(());
        }
        let mut judge = Judge::launch(program, &self.limits)?;
        for (index, sfen) in sfens.iter().enumerate() {
            let position = Position::from_sfen(sfen).with_context(|| format!("sfen {sfen}"))?;
            let Opinion { value, best } = judge.ask(&position, &self.limits)?;
            let best = best.map_or("-".to_owned(), |best| best.to_string());
            let (name, nodes) = (program.kind.name(), self.limits.nodes);
            let mut file = file.lock().expect("no thread panics while it writes");
            writeln!(file, "{name}\t{nodes}\t{sfen}\t{value}\t{best}")?;
            if (index + 1).is_multiple_of(50) {
                eprintln!("{name}: {} of {}", index + 1, sfens.len());
            }
        }
        Ok(())
    }

    /// Reads the opinions of the file at this number of nodes.
    fn read(&self) -> anyhow::Result<Opinions> {
        let mut opinions = Opinions::default();
        if !self.opinions.exists() {
            return Ok(opinions);
        }
        let name = self.opinions.display().to_string();
        let text = read_text(&self.opinions, u64::MAX).with_context(|| name.clone())?;
        for (number, line) in (1..).zip(text.lines()) {
            let context = || format!("{name}:{number}: found {line:?}, expected five columns");
            let cells: Vec<&str> = line.split('\t').collect();
            let [judge, nodes, sfen, value, best] = cells[..] else {
                anyhow::bail!(context());
            };
            if nodes.parse::<u64>().with_context(context)? == self.limits.nodes {
                let best = best.parse().ok();
                let opinion = Opinion { value: value.parse().with_context(context)?, best };
                opinions.0.insert((judge.parse()?, sfen.to_owned()), opinion);
            }
        }
        Ok(opinions)
    }
}
