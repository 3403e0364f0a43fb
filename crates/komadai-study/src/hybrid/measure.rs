//! The experiments.

use komadai::eval::Classical;
use komadai::prelude::*;
use komadai::problems::problems;
use komadai::search::monte_carlo::{MonteCarlo, MonteCarloOptions, TreePreset};
use komadai::search::{AlphaBeta, SearchOptions, Techniques};

use crate::figure::Figure;
use crate::findings::Findings;
use crate::hybrid::compare::{Compared, HybridSearchers, alpha_beta};
use crate::hybrid::options::HybridOptions;
use crate::hybrid::strata::{Quotas, Stratum};
use crate::parts::Parts;
use crate::referee::{self, Referee};

/// Memory of a searcher in MiB.
const HASH_MIB: usize = 16;

/// The trees of the hybrid: that of the source, and that of today.
pub(super) const TREES: [(&str, TreePreset); 2] =
    [("ym2012", TreePreset::Ym2012), ("modern", TreePreset::Modern)];

/// The keys of the strata.
pub(super) const STRATA: [(&str, Stratum); 3] = [
    ("level", Stratum::Level),
    ("ahead", Stratum::AheadWithoutAttack),
    ("losing", Stratum::Losing),
];

fn tree(preset: TreePreset) -> MonteCarloOptions {
    let mut options = preset.options();
    options.search = SearchOptions { hash_mib: HASH_MIB, ..SearchOptions::default() };
    options
}

/// Counts the mates that alpha-beta and the tree search find.
pub(super) fn mates(
    options: &HybridOptions,
    parts: &Parts<'_>,
    found: &mut Findings,
) -> anyhow::Result<()> {
    /// The longest mates that are given.
    const MOST_PLIES: u32 = 7;
    let short: Vec<Position> = problems()
        .filter(|problem| problem.plies() <= MOST_PLIES)
        .map(|problem| problem.position)
        .collect();
    let every = (short.len() / options.problems.max(1)).max(1);
    let chosen: Vec<Position> = short.into_iter().step_by(every).take(options.problems).collect();
    let solved = parts.each(
        "mates",
        chosen,
        || (),
        |(), position| {
            let budget = Budget::nodes(options.nodes);
            let is_mate = |mut searcher: Box<dyn Searcher>| {
                let analysis = searcher.search(&position, &budget, &mut |_| {});
                let plies = analysis.score().and_then(|score| score.mate_plies());
                f64::from(u8::from(plies.is_some_and(|plies| plies > 0)))
            };
            let search = SearchOptions { hash_mib: HASH_MIB, ..SearchOptions::default() };
            [
                is_mate(Box::new(AlphaBeta::new(referee::evaluator(), search))),
                is_mate(Box::new(MonteCarlo::new(referee::evaluator(), tree(TreePreset::Ym2012)))),
            ]
        },
    )?;
    let count = solved.len() as u64;
    for (index, name) in ["alpha-beta", "tree"].into_iter().enumerate() {
        let number = solved.iter().map(|solved| solved[index]).sum::<f64>() as u64;
        found.add_some(format!("mates {name}"), Figure::share(number, count));
    }
    let differences: Vec<f64> = solved.iter().map(|[alpha_beta, tree]| alpha_beta - tree).collect();
    found.add_some("mates alpha-beta − tree", Figure::mean_of(&differences));
    Ok(())
}

/// The result in a position: for each tree the comparison of the hybrid, and what the source's tree
/// search chooses alone.
struct Outcome {
    stratum: Stratum,
    hybrids: Vec<Compared>,
    /// By how much the move of the tree search alone is better than that of alpha-beta with the
    /// same nodes, in centipawns.
    alone: Option<f64>,
    /// Results of the tree search for each pair of a move and a reply.
    results_a_reply: Option<f64>,
}

/// The searchers of a thread.
struct Searchers {
    hybrids: Vec<HybridSearchers>,
    two: AlphaBeta<komadai::nnue::Nnue>,
    one: AlphaBeta<komadai::nnue::Nnue>,
    tree: MonteCarlo<komadai::nnue::Nnue>,
}

impl Searchers {
    fn new() -> Self {
        let hybrid = |(_, preset): (_, TreePreset)| HybridSearchers::new(preset.options(), None);
        Self {
            hybrids: TREES.map(hybrid).into(),
            // One thread with the nodes of two: the same on every machine.
            two: alpha_beta(1),
            one: alpha_beta(1),
            tree: MonteCarlo::new(referee::evaluator(), tree(TreePreset::Ym2012)),
        }
    }

    fn work(
        &mut self,
        (position, stratum): &(Position, Stratum),
        nodes: u64,
        referee: &Referee,
    ) -> anyhow::Result<Option<Outcome>> {
        let budget = Budget::nodes(nodes);
        self.two.new_game();
        let two = self.two.search(position, &Budget::nodes(2 * nodes), &mut |_| {});
        let Some(other) = two.best_move() else { return Ok(None) };
        let mut hybrids = Vec::with_capacity(self.hybrids.len());
        for hybrid in &mut self.hybrids {
            hybrids.extend(hybrid.compare(position, nodes, other, referee)?);
        }
        self.one.new_game();
        self.tree.new_game();
        let one = self.one.search(position, &budget, &mut |_| {}).best_move();
        let tree = self.tree.search(position, &budget, &mut |_| {}).best_move();
        let alone = match (tree, one) {
            (Some(tree), Some(one)) if tree == one => Some(0.0),
            (Some(tree), Some(one)) => {
                let gain = referee.value(position, tree)? - referee.value(position, one)?;
                Some(f64::from(gain))
            }
            _ => None,
        };
        let replies: usize =
            position.legal_moves().iter().map(|&m| position.after(m).legal_moves().len()).sum();
        let results_a_reply = (replies > 0).then(|| self.tree.playouts() as f64 / replies as f64);
        Ok(Some(Outcome { stratum: *stratum, hybrids, alone, results_a_reply }))
    }
}

/// Compares the moves of hybrids, of the tree alone and of alpha-beta.
pub(super) fn positions(
    options: &HybridOptions,
    parts: &Parts<'_>,
    found: &mut Findings,
) -> anyhow::Result<()> {
    let quotas = Quotas::new(options.positions, options.positions / 3)?;
    let referee = Referee::new(options.nodes.saturating_mul(options.referee), None)?;
    let outcomes = parts.each("positions", quotas.sample(), Searchers::new, |searchers, job| {
        searchers.work(&job, options.nodes, &referee)
    })?;
    let outcomes: Vec<Option<Outcome>> = outcomes.into_iter().collect::<anyhow::Result<_>>()?;
    let outcomes: Vec<Outcome> = outcomes.into_iter().flatten().collect();
    found.add("nodes", Figure::exact(options.nodes as f64, outcomes.len() as u64));
    found.add("referee", Figure::exact(referee.nodes() as f64, outcomes.len() as u64));
    let alone: Vec<f64> = outcomes.iter().filter_map(|outcome| outcome.alone).collect();
    found.add_some("tree alone", Figure::mean_of(&alone));
    let results: Vec<f64> = outcomes.iter().filter_map(|outcome| outcome.results_a_reply).collect();
    found.add_some("results a reply", Figure::mean_of(&results));
    for (index, (name, _)) in TREES.into_iter().enumerate() {
        let of = |stratum: Option<Stratum>| -> Vec<&Compared> {
            let meant = outcomes.iter().filter(|one| stratum.is_none_or(|own| own == one.stratum));
            meant.filter_map(|outcome| outcome.hybrids.get(index)).collect()
        };
        let mut add = |key: &str, compared: &[&Compared]| {
            let gains: Vec<f64> = compared.iter().map(|one| f64::from(one.gain)).collect();
            found.add_some(format!("{name} gain {key}"), Figure::mean_of(&gains));
            let other = compared.iter().filter(|one| one.differs).count() as u64;
            let share = Figure::share(other, compared.len() as u64);
            found.add_some(format!("{name} other move {key}"), share);
        };
        let all = of(None);
        add("all", &all);
        for (key, stratum) in STRATA {
            add(key, &of(Some(stratum)));
        }
        let results: Vec<f64> = all.iter().map(|one| one.results as f64).collect();
        found.add_some(format!("{name} results"), Figure::mean_of(&results));
        let few = all.iter().filter(|one| one.rule == "few-playouts").count() as u64;
        found.add_some(format!("{name} few playouts"), Figure::share(few, all.len() as u64));
        let used = all.iter().filter(|one| one.proofs > 0).count() as u64;
        found.add_some(format!("{name} used proofs"), Figure::share(used, all.len() as u64));
    }
    Ok(())
}

/// The techniques of the source's alpha-beta search that are a switch.
pub(super) const SWITCHES: [(&str, Techniques); 2] = [
    ("last plies exchange", Techniques::LAST_PLIES_EXCHANGE),
    ("early counter move", Techniques::EARLY_COUNTER_MOVE),
];

/// Compares the nodes of alpha-beta to a depth without and with techniques of the source.
pub(super) fn searches(
    options: &HybridOptions,
    parts: &Parts<'_>,
    found: &mut Findings,
) -> anyhow::Result<()> {
    const DEPTH: u32 = 8;
    let quotas = Quotas::new(options.positions, options.positions / 3)?;
    let ratios = parts.each(
        "searches",
        quotas.sample(),
        || (),
        |(), (position, _)| {
            let nodes = |techniques| {
                let search = SearchOptions { hash_mib: HASH_MIB, techniques, ..Default::default() };
                let mut searcher = AlphaBeta::new(Classical::default(), search);
                searcher.search(&position, &Budget::depth(DEPTH), &mut |_| {}).nodes.max(1) as f64
            };
            let techniques = SearchOptions::default().techniques;
            let without = nodes(techniques);
            SWITCHES.map(|(_, switch)| without / nodes(techniques | switch))
        },
    )?;
    for (index, (name, _)) in SWITCHES.into_iter().enumerate() {
        let samples: Vec<f64> = ratios.iter().map(|ratios| ratios[index]).collect();
        found.add_some(format!("without : with {name}"), Figure::geometric_mean_of(&samples));
    }
    Ok(())
}
