//! Sums that follow moves are those computed from scratch.

use std::sync::LazyLock;

use komadai_core::Position;
use komadai_eval::Evaluator;
use komadai_movegen::MoveGen;
use komadai_nnue::{Architecture, FeatureSet, Network, Nnue};
use komadai_testdata::positions;
use proptest::prelude::*;

/// A small network of every set of features.
static NETWORKS: LazyLock<Vec<Nnue>> = LazyLock::new(|| {
    let small = |features| Architecture::new(features, 32, 8, 8).unwrap();
    let compact = Architecture::compact(32, 4).unwrap();
    let all = FeatureSet::ALL.map(small).into_iter().chain([compact]);
    all.map(|architecture| Nnue::new(Network::random(architecture, 5))).collect()
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn updated_sums_are_those_of_a_fresh_start(
        start in proptest::sample::select(
            positions::bench().map(|position| position.sfen).to_vec()
        ),
        steps in proptest::collection::vec((any::<u16>(), 0_u8..8), 1..150),
    ) {
        for nnue in NETWORKS.iter() {
            let mut position = Position::from_sfen(start).unwrap();
            let mut accumulator = nnue.refresh(&position);
            for &(choice, action) in &steps {
                let moves = position.legal_moves();
                // Moves are undone now and then, and most positions are not evaluated.
                if moves.is_empty() || action < 2 && !position.history().is_empty() {
                    nnue.undo_move(&mut position, &mut accumulator);
                } else {
                    let m = moves[usize::from(choice) % moves.len()];
                    nnue.do_move(&mut position, m, &mut accumulator);
                }
                if action % 3 != 0 {
                    continue;
                }
                let found = nnue.raw(&position, &mut accumulator);
                prop_assert_eq!(found, nnue.raw(&position, &mut nnue.refresh(&position)));
                let flipped = position.flipped();
                prop_assert_eq!(found, nnue.raw(&flipped, &mut nnue.refresh(&flipped)));
            }
        }
    }
}
