//! Random points, keys, and the value of quiescence.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use komadai::core::SplitMix64;
use komadai::prelude::*;

use crate::figure::Figure;
use crate::findings::Findings;
use crate::games;
use crate::glossary::options::GlossaryOptions;
use crate::positions::CheckPositions;
use crate::quiescence::{MovesInCheck, QuiescenceOptions, Reference};

/// Approximates π by points in a square.
pub(super) fn points(found: &mut Findings) {
    const POINTS: u64 = 1_000_000;
    let mut random = SplitMix64::new(1);
    let mut coordinate = || random.below(1 << 52) as f64 / (1_u64 << 52) as f64;
    let inside = (0..POINTS)
        .filter(|_| {
            let (x, y) = (coordinate(), coordinate());
            x * x + y * y < 1.0
        })
        .count();
    if let Some(Figure { value, low, high, count }) = Figure::share(inside as u64, POINTS) {
        let of = |share: f64| 4.0 * share;
        found.add("pi", Figure { value: of(value), low: of(low), high: of(high), count });
    }
}

/// Counts different positions with the same key.
pub(super) fn keys(found: &mut Findings) {
    /// One position in this number of the games, with all positions after it.
    const EVERY: usize = 8;
    // Another hash of the whole position, which tells positions with equal keys apart.
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    let mut known: HashMap<u64, u64> = HashMap::new();
    let mut collisions = 0_u64;
    let mut add = |position: &Position| {
        let sfen = position.without_history().to_string();
        // The move number is no part of a position.
        let text = sfen.rsplit_once(' ').map_or(sfen.as_str(), |(text, _)| text).to_owned();
        let other = hasher.hash_one(text);
        collisions += u64::from(*known.entry(position.key()).or_insert(other) != other);
    };
    for game in games::bundled() {
        for (position, _) in game.plies().step_by(EVERY) {
            position.legal_moves().iter().for_each(|&m| add(&position.after(m)));
            add(&position);
        }
    }
    let count = known.len() as u64 + collisions;
    if let Some(share) = Figure::share(collisions, count) {
        found.add("equal keys", share);
    }
    found.add("positions with keys", Figure::exact(count as f64, count));
}

/// Compares the static evaluation and a search of captures with a search of all moves.
pub(super) fn quiescence(
    options: &GlossaryOptions,
    stop: &Arc<AtomicBool>,
    found: &mut Findings,
) -> anyhow::Result<()> {
    /// About the positions of the bundled games from move 30 on.
    const ALL: usize = 7_600;
    let every = (ALL / (8 * options.positions.max(1))).max(1) as u32;
    let study = QuiescenceOptions {
        reference: Reference::StandPat,
        in_check: MovesInCheck::Classes,
        checks: CheckPositions::In,
        depths: "3".parse()?,
        methods: vec!["Eval".parse()?, "Capture".parse()?],
        games: Vec::new(),
        every: NonZero::new(every).unwrap_or(NonZero::<u32>::MIN),
        folder: None,
        threads: options.threads,
    };
    let study = study.measure(stop)?;
    let [eval, capture] = ["Eval", "Capture"].map(|name| study.variance(name));
    found.add_some("variance static", eval);
    found.add_some("variance captures", capture);
    found.add_some("variance captures : static", study.variance_ratio("Capture", "Eval"));
    Ok(())
}
