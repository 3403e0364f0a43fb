//! Network files that differ only in the scale of their values.

use std::sync::Arc;

use komadai_core::{Budget, Move};
use komadai_eval::{Evaluator, scale};
use komadai_nnue::{Network, Nnue};
use komadai_search::{AlphaBeta, SearchOptions, Searcher};

/// Returns the moves that a search with this evaluation chooses in positions of real games.
fn moves(nnue: Nnue) -> Vec<Option<Move>> {
    let options = SearchOptions { hash_mib: 2, ..SearchOptions::default() };
    let mut searcher = AlphaBeta::new(nnue, options);
    let positions = scale::sample().iter().step_by(23);
    positions
        .map(|position| {
            searcher.new_game();
            searcher.search(position, &Budget::nodes(500), &mut |_| {}).best_move()
        })
        .collect()
}

#[test]
fn moves_hardly_depend_on_the_divisor_of_a_network() {
    let names = [
        "kp_256x2-32-32",
        "halfkp_64x2-8-32",
        "sfnn_kp_64_7_8_k3k3",
        "layerstack_kp_64_8_8_x9_kingrank9",
    ];
    for name in names {
        let network = Arc::new(Network::random(name.parse().expect("a name"), 3));
        let divided = |by: i32| Nnue::new(Arc::clone(&network)).with_fv_scale(by);
        let original = moves(divided(16));
        for divisor in [32, 8, 4] {
            let found = divided(divisor);
            let ratio = found.scale() / divided(16).scale() * f64::from(divisor) / 16.0;
            assert!((ratio - 1.0).abs() < 1e-9, "{name} {divisor}: {ratio}");
            let same = moves(found).iter().zip(&original).filter(|(a, b)| a == b).count();
            println!("{name}, FV_SCALE {divisor}: the same move in {same} of {}", original.len());
            assert!(same + 3 >= original.len(), "{name} {divisor}: {same} of {}", original.len());
        }
    }
}
