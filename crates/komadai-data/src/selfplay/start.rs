//! The starts of self-play games.

use komadai_core::{Handicap, Move, Position, SplitMix64};
use komadai_movegen::MoveGen as _;
use komadai_search::{LogisticMoves, MoveProbability as _};
use serde::{Deserialize, Serialize};

use super::castles::castles;
use super::entering_kings::entering_kings;
use super::options::SelfPlayOptions;

/// The kind of a start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StartKind {
    /// The even start.
    Even,
    /// Two castles.
    Castles,
    /// A handicap, up to six pieces.
    Handicap,
    /// Both kings in the camp of the other side (相入玉).
    EnteringKings,
}

/// The handicaps that are played.
const HANDICAPS: [Handicap; 8] = [
    Handicap::Lance,
    Handicap::RightLance,
    Handicap::Bishop,
    Handicap::Rook,
    Handicap::RookLance,
    Handicap::TwoPiece,
    Handicap::FourPiece,
    Handicap::SixPiece,
];

/// Returns a random start; `None` if its random moves end the game.
pub(super) fn start(
    options: &SelfPlayOptions,
    model: &LogisticMoves,
    random: &mut SplitMix64,
) -> Option<(StartKind, Position)> {
    let percent = random.below(100) as u32;
    let (kind, mut position) = if percent < options.castles_percent {
        (StartKind::Castles, castles(random)?)
    } else if percent >= options.castles_percent + options.special_percent {
        (StartKind::Even, Position::hirate())
    } else if random.below(2) == 0 {
        let handicap = HANDICAPS[random.below(HANDICAPS.len() as u64) as usize];
        (StartKind::Handicap, Position::from_setup(&handicap.to_setup()).ok()?)
    } else {
        (StartKind::EnteringKings, entering_kings(random)?)
    };
    let [least, most] = options.random_plies;
    let [least, most] = if kind == StartKind::Even { [least, most] } else { [0, most / 2] };
    let plies = u64::from(least) + random.below(u64::from(most.saturating_sub(least)) + 1);
    for _ in 0..plies {
        let m = random_move(&position, model, random)?;
        position.do_move(m);
    }
    (!position.legal_moves().is_empty()).then_some((kind, position))
}

/// Returns a legal move at random: half of the moves as probable as in games, half all the same.
fn random_move(
    position: &Position,
    model: &LogisticMoves,
    random: &mut SplitMix64,
) -> Option<Move> {
    let moves = position.legal_moves();
    if moves.is_empty() || random.below(2) == 0 {
        return moves.get(random.below(moves.len() as u64) as usize).copied();
    }
    let mut left = random.below(1 << 24) as f32 / (1 << 24) as f32;
    let probabilities = model.probabilities(position, &moves);
    let index = probabilities.iter().position(|probability| {
        left -= probability;
        left < 0.0
    });
    // Rounding may leave a rest.
    moves.get(index.unwrap_or(0)).copied()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn the_kinds_of_starts_have_their_shares() {
        let (options, model) = (SelfPlayOptions::default(), LogisticMoves::default());
        let mut counts = BTreeMap::new();
        for seed in 0..2_000 {
            let found = start(&options, &model, &mut SplitMix64::new(SplitMix64::mix(seed)));
            let kind = found.map(|(kind, _)| kind);
            *counts.entry(kind).or_insert(0) += 1;
        }
        assert!((1_350..1_600).contains(&counts[&Some(StartKind::Even)]), "{counts:?}");
        assert!((320..480).contains(&counts[&Some(StartKind::Castles)]), "{counts:?}");
        assert!(counts[&Some(StartKind::Handicap)] > 25, "{counts:?}");
        assert!(counts[&Some(StartKind::EnteringKings)] > 15, "{counts:?}");
    }

    #[test]
    fn starts_differ_and_follow_from_the_seed() {
        let (options, model) = (SelfPlayOptions::default(), LogisticMoves::default());
        let sfen = |seed| {
            let mut random = SplitMix64::new(SplitMix64::mix(seed));
            start(&options, &model, &mut random).map(|(_, position)| position.to_string())
        };
        let texts: std::collections::BTreeSet<_> = (0..300).filter_map(sfen).collect();
        assert!(texts.len() > 280, "{}", texts.len());
        assert_eq!(sfen(7), sfen(7));
    }
}
