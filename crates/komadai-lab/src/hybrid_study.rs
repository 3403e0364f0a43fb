//! Alpha-beta and tree search together, against alpha-beta on two threads: in positions of real
//! games, the moves on which they disagree are valued by a long search.
//!
//! ```text
//! cargo run --release -p komadai-lab -- hybrid-study --positions 1000 --nodes 20000
//! ```

use std::fmt;
use std::path::PathBuf;

use clap::Args;
use komadai::core::attacks;
use komadai::eval::{AttackMap, Balance};
use komadai::prelude::*;
use komadai::search::hybrid::{ChoiceRule, ChoiceRules, Hybrid};
use komadai::search::monte_carlo::MonteCarloOptions;
use komadai::search::{AlphaBeta, SearchOptions};
use komadai::tsume::DfPn;
use komadai_testdata::games;
use rayon::prelude::*;

use crate::games::plies;
use crate::referee::{self, Referee};
use crate::statistics::bootstrap;

/// Compare the hybrid with alpha-beta on two threads.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Number of positions, at equal distances in 77 games.
    #[arg(long, default_value_t = 1_000)]
    positions: usize,
    /// Nodes of each of the two searchers; alpha-beta on two threads has twice as many.
    #[arg(long, default_value_t = 20_000)]
    nodes: u64,
    /// Factor of the nodes that the referee has for each move.
    #[arg(long, default_value_t = 50)]
    referee: u64,
    /// Number of nodes of the tree search below which its opinion does not count.
    #[arg(long)]
    min_nodes: Option<u64>,
    /// A file that keeps the referee's values.
    #[arg(long)]
    cache: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let nodes = arguments.nodes;
    let referee =
        Referee::new(nodes.saturating_mul(arguments.referee), arguments.cache.as_deref())?;
    let options = || SearchOptions { hash_mib: 64, ..SearchOptions::default() };
    let mut hybrid = Hybrid::new(referee::evaluator(), options(), MonteCarloOptions::modern());
    hybrid.set_mate_solvers(|| Box::new(DfPn::default()));
    let mut rules = ChoiceRules::default();
    rules.min_nodes = arguments.min_nodes.unwrap_or(rules.min_nodes);
    hybrid.set_rules(rules);
    let mut alone = AlphaBeta::new(referee::evaluator(), SearchOptions { threads: 2, ..options() });
    let mut compared = Vec::new();
    for position in positions(arguments.positions) {
        hybrid.new_game();
        alone.new_game();
        let both = hybrid.search(&position, &Budget::nodes(nodes), &mut |_| {});
        let single = alone.search(&position, &Budget::nodes(2 * nodes), &mut |_| {});
        let moves = both.best_move().zip(single.best_move());
        let (Some((own, other)), Some(choice)) = (moves, hybrid.last_choice()) else { continue };
        let value = single.score().map_or(0, |score| score.raw());
        let stratum = Stratum::of(&position, value);
        compared.push(Compared {
            position,
            moves: [own, other],
            stratum,
            rule: choice.rule,
            gain: 0.0,
        });
    }
    judge(&mut compared, &referee)?;
    print(&compared);
    Ok(())
}

/// Returns positions at equal distances, from ply 20 on, with the moves before them.
fn positions(count: usize) -> Vec<Position> {
    let plies = games::tournament().flat_map(|game| plies(game.moves).skip(20));
    let all: Vec<Position> = plies.map(|(position, _)| position).collect();
    let step = all.len() as f64 / count.max(1) as f64;
    (0..count.min(all.len())).map(|index| all[(index as f64 * step) as usize].clone()).collect()
}

/// A kind of position, for its side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stratum {
    /// The value is within 300 cp.
    Level,
    /// Two minor pieces ahead or more, and at most one square around the opponent's king is
    /// attacked.
    AheadWithoutAttack,
    /// The value is below −1,000 cp, the upper of the bounds that its author names.
    Losing,
    /// None of these.
    Other,
}

impl Stratum {
    const ALL: [Self; 4] = [Self::Level, Self::AheadWithoutAttack, Self::Losing, Self::Other];

    /// Returns the stratum of a position with this value for the side to move.
    fn of(position: &Position, value: i32) -> Self {
        let us = position.side();
        let attacked = position
            .king_square(!us)
            .map_or(0, |king| (AttackMap::new(position, us).once() & attacks::king(king)).len());
        if value < -1_000 {
            Self::Losing
        } else if Balance::of(position).lead(us) >= 600 && attacked <= 1 {
            Self::AheadWithoutAttack
        } else if value.abs() <= 300 {
            Self::Level
        } else {
            Self::Other
        }
    }
}

impl fmt::Display for Stratum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Level => "level",
            Self::AheadWithoutAttack => "ahead in material without an attack",
            Self::Losing => "losing",
            Self::Other => "other",
        })
    }
}

/// A position in which the two have been compared.
struct Compared {
    position: Position,
    /// The move of the hybrid and that of alpha-beta on two threads.
    moves: [Move; 2],
    stratum: Stratum,
    rule: ChoiceRule,
    /// By how much the first move is better, in centipawns.
    gain: f64,
}

impl Compared {
    fn differs(&self) -> bool {
        self.moves[0] != self.moves[1]
    }
}

/// Asks the referee where the moves differ.
fn judge(compared: &mut [Compared], referee: &Referee) -> anyhow::Result<()> {
    compared.par_iter_mut().filter(|one| one.differs()).try_for_each(|one| {
        let [own, other] = one.moves.map(|m| referee.value(&one.position, m));
        one.gain = f64::from(own? - other?);
        Ok(())
    })
}

/// Prints the gains by stratum and by rule.
fn print(compared: &[Compared]) {
    println!("| positions | number | other move | mean gain of all, cp |");
    println!("|---|---|---|---|");
    let row = |name: String, is_counted: &dyn Fn(&Compared) -> bool| {
        let counted: Vec<&Compared> = compared.iter().filter(|one| is_counted(one)).collect();
        if counted.is_empty() {
            return;
        }
        let gains: Vec<f64> = counted.iter().map(|one| one.gain).collect();
        let mean = bootstrap(&gains);
        let differing = counted.iter().filter(|one| one.differs()).count();
        println!(
            "| {name} | {} | {differing} | {:+.1} [{:+.1}, {:+.1}] |",
            counted.len(),
            mean.mean,
            mean.low,
            mean.high
        );
    };
    row("all".to_owned(), &|_| true);
    for stratum in Stratum::ALL {
        row(stratum.to_string(), &|one| one.stratum == stratum);
    }
    let mut rules: Vec<ChoiceRule> = compared.iter().map(|one| one.rule).collect();
    rules.sort();
    rules.dedup();
    for rule in rules {
        row(format!("rule: {rule}"), &|one| one.rule == rule);
    }
}
