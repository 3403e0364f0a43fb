//! Positions and trainings for tests.

use komadai_core::{Position, SplitMix64};
use komadai_movegen::MoveGen as _;

use crate::network::compact_head::CompactHead;
use crate::network::head::Head;
use crate::network::sample::Sample;
use crate::network::training::Training;
use crate::network::training_set::TrainingSet;
use crate::network::{TrainingArchitecture, TrainingOptions};

/// Returns positions of random games.
pub(super) fn positions(count: usize, seed: u64) -> Vec<Position> {
    let mut random = SplitMix64::new(SplitMix64::mix(seed));
    let (mut positions, mut position) = (Vec::new(), Position::hirate());
    while positions.len() < count {
        let moves = position.legal_moves();
        if moves.is_empty() || position.ply() > 60 {
            position = Position::hirate();
            continue;
        }
        position.do_move(moves[random.below(moves.len() as u64) as usize]);
        // Two plies of a game are almost the same position.
        if position.ply() > 6 && random.below(4) == 0 {
            positions.push(position.clone());
        }
    }
    positions
}

/// Returns samples with scores and results made from a seed.
pub(super) fn samples(count: usize, seed: u64) -> Vec<Sample> {
    let mut random = SplitMix64::new(seed);
    let sample = |position: &Position| {
        let score = random.below(2_001) as i16 - 1_000;
        let sample = Sample::new(position, score, random.below(3) as i8 - 1);
        sample.with_plies_left(60_u16.saturating_sub(position.ply() as u16))
    };
    positions(count, seed).iter().map(sample).collect()
}

/// Returns the options of a short training.
pub(super) fn options() -> TrainingOptions {
    TrainingOptions { width: 32, epochs: 2, batch: 150, interval: 400, ..Default::default() }
}

/// Returns the options of a short training of a network HalfKP.
pub(super) fn half_kp_options() -> TrainingOptions {
    TrainingOptions { architecture: TrainingArchitecture::HalfKp, ..options() }
}

/// Returns a short training of a compact network that has not begun.
pub(super) fn trainer(options: TrainingOptions) -> Training<CompactHead> {
    training(options)
}

/// Returns a short training that has not begun.
pub(super) fn training<H: Head>(options: TrainingOptions) -> Training<H> {
    let set = TrainingSet::from_samples(samples(700, 1), samples(130, 2));
    Training::new(options, set).unwrap()
}

/// Trains to the end and returns the file of the network.
pub(super) fn finish<H: Head>(mut trainer: Training<H>) -> Vec<u8> {
    while trainer.advance().is_some() {}
    file(&trainer)
}

pub(super) fn file<H: Head>(trainer: &Training<H>) -> Vec<u8> {
    let mut file = Vec::new();
    trainer.network("a test".to_owned()).unwrap().write(&mut file).unwrap();
    file
}
