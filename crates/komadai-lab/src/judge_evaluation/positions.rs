//! Quiet positions of real games, and the judges' values of them.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use komadai::eval::{Classical, Evaluator as _};
use komadai::prelude::*;
use komadai::search::AlphaBeta;
use komadai_base::atomic_file;
use komadai_testdata::games;

use crate::games::plies;
use crate::judge_evaluation::evaluators::{centipawns, is_quiet, searcher};
use crate::judge_evaluation::judge::JudgeKind;
use crate::judge_evaluation::opinions::Questions;

/// The first plies of a game, which are left out.
const OPENING_PLIES: u32 = 20;

/// Largest number of positions of a game.
const MOST_PER_GAME: usize = 15;

/// Largest absolute static value, in centipawns.
const MAX_VALUE_CP: i32 = 1_500;

/// Options of `positions`.
#[derive(Debug, Args)]
pub(crate) struct Positions {
    /// File to write the positions with the judges' values to.
    out: PathBuf,
    /// Number of positions.
    #[arg(long, default_value_t = 1_000)]
    count: usize,
    /// Ask about every n-th position only.
    #[arg(long, default_value_t = 1)]
    every: usize,
    #[command(flatten)]
    questions: Questions,
}

impl Positions {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let all = select(self.count);
        let asked: Vec<&String> = all.iter().step_by(self.every.max(1)).collect();
        let sfens: BTreeSet<String> = asked.iter().map(|&sfen| sfen.clone()).collect();
        let opinions = self.questions.ask(&sfens)?;
        let kinds = || JudgeKind::OTHERS.into_iter().chain([JudgeKind::Komadai]);
        let mut text = String::from("sfen");
        kinds().for_each(|judge| text += &format!("\t{}", judge.name()));
        text += "\n";
        for sfen in &asked {
            text += sfen;
            for judge in kinds() {
                let value = opinions.get(judge, sfen).map(|opinion| opinion.value.to_string());
                text += &format!("\t{}", value.unwrap_or_default());
            }
            text += "\n";
        }
        atomic_file::write(&self.out, text)?;
        println!("{} positions", asked.len());
        Ok(())
    }
}

/// Selects quiet positions of the bundled games, evenly in each game.
fn select(count: usize) -> Vec<String> {
    let mut searcher = searcher(&Arc::new(Classical::default()));
    let (mut all, mut seen) = (Vec::new(), BTreeSet::new());
    for game in games::tournament() {
        let mut quiet = Vec::new();
        for (mut position, m) in plies(game.moves) {
            position.do_move(m);
            if position.ply() > OPENING_PLIES && is_open(&mut searcher, &position) {
                let sfen = position.without_history().to_string();
                // Games may share an opening.
                if seen.insert(sfen.clone()) {
                    quiet.push(sfen);
                }
            }
        }
        all.extend(spread(&quiet, MOST_PER_GAME));
    }
    spread(&all, count)
}

/// Returns at most `count` of the items, at even distances.
fn spread(items: &[String], count: usize) -> Vec<String> {
    let count = count.min(items.len());
    (0..count).map(|index| items[index * items.len() / count].clone()).collect()
}

/// Returns whether a position is quiet and not decided.
fn is_open(searcher: &mut AlphaBeta<Arc<Classical>>, position: &Position) -> bool {
    let fixed = centipawns(searcher.evaluator().evaluate_position(position));
    fixed.abs() < MAX_VALUE_CP && is_quiet(searcher, position)
}
