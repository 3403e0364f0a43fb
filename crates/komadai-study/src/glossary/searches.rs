//! Searches with one technique more or less, and selective searches.

use komadai::eval::Classical;
use komadai::prelude::*;
use komadai::search::selective::{AbcOptions, RealizationOptions, Selective};
use komadai::search::{AlphaBeta, SearchOptions, Techniques};

use crate::figure::Figure;
use crate::findings::Findings;
use crate::glossary::options::GlossaryOptions;
use crate::parts::Parts;

/// Memory of a searcher in MiB.
const HASH_MIB: usize = 16;

/// The search of the glossary's time to which each technique is added: full width, with a
/// transposition table, an order of moves and a search of captures, but without pruning.
fn plain() -> Techniques {
    Techniques::TABLE
        | Techniques::TABLE_VALUE
        | Techniques::KILLERS
        | Techniques::HISTORY
        | Techniques::ZERO_WINDOW
        | Techniques::QUIESCENCE
        | Techniques::EXCHANGE
        | Techniques::DELTA
}

/// The techniques by their keys: those without and those with them.
pub(super) fn pairs() -> [(&'static str, Techniques, Techniques); 8] {
    let plain = plain();
    let added = |techniques| (plain, plain | techniques);
    let removed = |techniques| (plain - techniques, plain);
    let orders = Techniques::KILLERS | Techniques::HISTORY;
    [
        ("null move", added(Techniques::NULL_MOVE | Techniques::CLASSICAL_NULL_MOVE)),
        ("futility", added(Techniques::FUTILITY | Techniques::REVERSE_FUTILITY)),
        (
            "two-ply futility",
            added(
                Techniques::FUTILITY | Techniques::REVERSE_FUTILITY | Techniques::TWO_PLY_FUTILITY,
            ),
        ),
        ("killer moves", removed(Techniques::KILLERS)),
        ("ordering", removed(orders)),
        ("principal variation search", removed(Techniques::ZERO_WINDOW)),
        ("aspiration", added(Techniques::ASPIRATION | Techniques::CLASSICAL_ASPIRATION)),
        ("table", removed(Techniques::TABLE | Techniques::TABLE_VALUE)),
    ]
    .map(|(name, (without, with))| (name, without, with))
}

fn nodes(techniques: Techniques, position: &Position, depth: u32) -> u64 {
    let options = SearchOptions { hash_mib: HASH_MIB, techniques, ..SearchOptions::default() };
    let mut searcher = AlphaBeta::new(Classical::default(), options);
    searcher.search(position, &Budget::depth(depth), &mut |_| {}).nodes.max(1)
}

/// Compares the nodes to a depth without and with each technique.
pub(super) fn techniques(
    options: &GlossaryOptions,
    parts: &Parts<'_>,
    found: &mut Findings,
) -> anyhow::Result<()> {
    let depth = options.depth;
    let ratios = parts.each(
        "searches",
        options.sample(),
        || (),
        |(), position| {
            let plain = nodes(plain(), &position, depth);
            let of = |techniques| {
                if techniques == self::plain() {
                    plain
                } else {
                    nodes(techniques, &position, depth)
                }
            };
            let ratio = |(_, without, with)| of(without) as f64 / of(with) as f64;
            (plain as f64, pairs().map(ratio))
        },
    )?;
    let plain: Vec<f64> = ratios.iter().map(|(plain, _)| *plain).collect();
    found.add_some("nodes of the plain search", Figure::mean_of(&plain));
    found.add("depth", Figure::exact(f64::from(depth), ratios.len() as u64));
    for (index, (name, _, _)) in pairs().into_iter().enumerate() {
        let samples: Vec<f64> = ratios.iter().map(|(_, ratios)| ratios[index]).collect();
        found.add_some(format!("without : with {name}"), Figure::geometric_mean_of(&samples));
    }
    Ok(())
}

/// Compares the longest lines of selective searches with those of alpha-beta at equal nodes.
pub(super) fn selective(
    options: &GlossaryOptions,
    parts: &Parts<'_>,
    found: &mut Findings,
) -> anyhow::Result<()> {
    let lines = parts.each(
        "selective searches",
        options.sample(),
        || (),
        |(), position| {
            let budget = Budget::nodes(options.nodes);
            let longest = |mut searcher: Box<dyn Searcher>| {
                let analysis = searcher.search(&position, &budget, &mut |_| {});
                f64::from(analysis.seldepth.max(1))
            };
            let search = SearchOptions { hash_mib: HASH_MIB, ..SearchOptions::default() };
            let full = SearchOptions {
                techniques: search.techniques - Techniques::LATE_MOVE_REDUCTION,
                ..search.clone()
            };
            let evaluator = Classical::default();
            let realization =
                RealizationOptions { search: search.clone(), ..RealizationOptions::default() };
            let abc = AbcOptions { search, ..AbcOptions::default() };
            [
                longest(Box::new(AlphaBeta::new(evaluator.clone(), full))),
                longest(Box::new(Selective::realization_probability(
                    evaluator.clone(),
                    realization,
                ))),
                longest(Box::new(Selective::abc(evaluator, abc))),
            ]
        },
    )?;
    found.add("nodes", Figure::exact(options.nodes as f64, lines.len() as u64));
    for (index, name) in ["alpha-beta", "realization", "abc"].into_iter().enumerate() {
        let own: Vec<f64> = lines.iter().map(|lines| lines[index]).collect();
        found.add_some(format!("longest line {name}"), Figure::mean_of(&own));
        let ratios: Vec<f64> = lines.iter().map(|lines| lines[index] / lines[0]).collect();
        found.add_some(
            format!("longest line {name} : alpha-beta"),
            Figure::geometric_mean_of(&ratios),
        );
    }
    Ok(())
}
