//! The castle suite: pairs of positions that differ in one side's castle, with the judges' figures.
//!
//! A pair of the candidates is kept if at least two judges agree on the better castle and none
//! contradicts. The selection spreads over the castles and does not look at values of this project.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use clap::Args;
use komadai::prelude::*;
use komadai_base::atomic_file;

use crate::judge_evaluation::candidates::{self, Context, Pair};
use crate::judge_evaluation::opinions::Questions;
use crate::judge_evaluation::verdict::Verdict;

/// Largest number of pairs of the same two castles.
const MAX_SAME: usize = 3;

/// Options of `suite`.
#[derive(Debug, Args)]
pub(crate) struct Suite {
    /// File to write the pairs to.
    out: PathBuf,
    /// Number of pairs.
    #[arg(long, default_value_t = 72)]
    pairs: usize,
    #[command(flatten)]
    questions: Questions,
}

impl Suite {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let contexts = candidates::contexts();
        let sfens: BTreeSet<String> =
            contexts.iter().flat_map(Context::sfens).map(str::to_owned).collect();
        let opinions = self.questions.ask(&sfens)?;
        let candidates: Vec<Pair> =
            contexts.iter().flat_map(|context| context.pairs(&opinions)).collect();
        println!("{} positions, {} pairs with a verdict", sfens.len(), candidates.len());
        let chosen = choose(candidates, self.pairs);
        atomic_file::write(&self.out, table(&chosen))?;
        println!("{} pairs chosen", chosen.len());
        Ok(())
    }
}

/// Chooses pairs one by one: first those of castles that have been chosen least, then those on
/// which the judges agree by more.
fn choose(mut candidates: Vec<Pair>, count: usize) -> Vec<Pair> {
    let mut chosen: Vec<Pair> = Vec::new();
    let mut used: BTreeMap<&str, usize> = BTreeMap::new();
    let mut colors = [0; 2];
    while chosen.len() < count {
        let same = |pair: &Pair| chosen.iter().filter(|old| old.castles == pair.castles).count();
        let uses = |name| used.get(name).copied().unwrap_or_default();
        let order = |pair: &Pair| {
            let [first, second] = pair.castles.map(uses);
            let margin = pair.verdict.margin().min(300.0) as i32;
            (first.min(second), first + second, same(pair), colors[pair.color], -margin)
        };
        let allowed = candidates.iter().enumerate().filter(|(_, pair)| same(pair) < MAX_SAME);
        let Some((index, _)) = allowed.min_by_key(|(_, pair)| order(pair)) else { break };
        let pair = candidates.remove(index);
        for castle in pair.castles {
            *used.entry(castle).or_default() += 1;
        }
        colors[pair.color] += 1;
        chosen.push(pair);
    }
    chosen.sort_by(|a, b| a.name.cmp(&b.name));
    chosen
}

fn table(pairs: &[Pair]) -> String {
    let mut text =
        format!("name\tfirst_castle\tsecond_castle\tfirst\tsecond\tside\t{}\n", Verdict::HEADER);
    for pair in pairs {
        let [first, second] = &pair.sfens;
        let [first_castle, second_castle] = pair.castles;
        let side = if pair.color == Color::Black { 'b' } else { 'w' };
        let verdict = pair.verdict.cells();
        let name = &pair.name;
        text += &format!(
            "{name}\t{first_castle}\t{second_castle}\t{first}\t{second}\t{side}\t{verdict}\n"
        );
    }
    text
}
