//! Pairs of other themes than castles, with the judges' figures.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args;
use komadai::prelude::*;
use komadai_base::atomic_file;
use komadai_base::file::read_text;

use crate::judge_evaluation::opinions::Questions;
use crate::judge_evaluation::verdict::Verdict;

/// Options of `sanity`.
#[derive(Debug, Args)]
pub(crate) struct Sanity {
    /// Table of candidates: theme, name, first and second SFEN, side under test, further columns.
    candidates: PathBuf,
    /// File to write the pairs on which the judges agree to.
    out: PathBuf,
    #[command(flatten)]
    questions: Questions,
}

impl Sanity {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let name = self.candidates.display();
        let text = read_text(&self.candidates, u64::MAX).with_context(|| name.to_string())?;
        let rows: Vec<Vec<&str>> =
            text.lines().skip(1).map(|line| line.split('\t').collect()).collect();
        if let Some(row) = rows.iter().find(|row| row.len() < 5) {
            bail!("{name}: found {row:?}, expected at least five columns");
        }
        let sfens: BTreeSet<String> =
            rows.iter().flat_map(|row| [row[2].to_owned(), row[3].to_owned()]).collect();
        let opinions = self.questions.ask(&sfens)?;
        let mut table = format!("theme\tname\tfirst\tsecond\tside\t{}\n", Verdict::HEADER);
        let mut kept = 0;
        for row in &rows {
            let sfens = [row[2].to_owned(), row[3].to_owned()];
            let tested = if row[4] == "b" { Color::Black } else { Color::White };
            let side = |sfen: &String| Position::from_sfen(sfen).map(|position| position.side());
            let sides = [side(&sfens[0])?, side(&sfens[1])?];
            match Verdict::of(&sfens, sides, tested, None, &opinions) {
                Some(verdict) => {
                    table += &format!("{}\t{}\n", row[..5].join("\t"), verdict.cells());
                    kept += 1;
                }
                None => println!("no verdict: {}, {}", row[0], row[1]),
            }
        }
        atomic_file::write(&self.out, table)?;
        println!("{kept} of {} pairs", rows.len());
        Ok(())
    }
}
