//! Values against a solution by trying everything.

use komadai_core::{Move, Square};
use proptest::prelude::*;

use super::*;
use crate::Book;
use crate::graph::GraphMove;

/// What a play that never ends pays to the player whose moves have the even numbers: +1 if the other
/// one gave perpetual check, −1 if this one did, 0 otherwise. `checks` says of each move of the cycle
/// who made it and whether it gave check.
fn endless(checks: &[(usize, bool)]) -> i32 {
    let always = |player| checks.iter().filter(|move_| move_.0 == player).all(|move_| move_.1);
    match (always(0), always(1)) {
        (false, true) => 1,
        (true, false) => -1,
        _ => 0,
    }
}

/// The value of `start` for its mover if the two players choose moves by these fixed strategies.
fn payoff(
    moves: &[Vec<GraphMove>],
    in_check: &[bool],
    start: usize,
    strategies: [&[usize]; 2],
) -> i32 {
    let mut path: Vec<(usize, usize)> = Vec::new();
    let mut state = (start, 0);
    loop {
        if let Some(first) = path.iter().position(|&seen| seen == state) {
            let ends = path[first + 1..].iter().copied().chain([state]);
            let cycle: Vec<_> = path[first..]
                .iter()
                .zip(ends)
                .map(|(&(_, player), (node, _))| (player, in_check[node]))
                .collect();
            return endless(&cycle) * komadai_core::Score::MATE.raw();
        }
        path.push(state);
        let (node, player) = state;
        match moves[node][strategies[player][node]].target {
            Target::Leaf(score) => return if player == 0 { score } else { -score },
            Target::Node(next) => state = (next as usize, 1 - player),
        }
    }
}

/// Every way of choosing one move in each position.
fn strategies(moves: &[Vec<GraphMove>]) -> Vec<Vec<usize>> {
    moves.iter().fold(vec![Vec::new()], |chosen, moves| {
        let extended = |start: &Vec<usize>| {
            let start = start.clone();
            (0..moves.len()).map(move |choice| [start.as_slice(), &[choice]].concat())
        };
        chosen.iter().flat_map(extended).collect()
    })
}

/// The values by trying every strategy against every other. Neither player gains by remembering how
/// it came to a position: the condition on endless plays is one of parity games.
fn values_by_trying(moves: &[Vec<GraphMove>], in_check: &[bool]) -> Vec<i32> {
    let all = strategies(moves);
    let value = |start| {
        let worst = |own: &Vec<usize>| {
            all.iter().map(|other| payoff(moves, in_check, start, [own, other])).min()
        };
        all.iter().filter_map(worst).max().expect("there is a strategy")
    };
    (0..moves.len()).map(value).collect()
}

fn any_graph(most: usize) -> impl Strategy<Value = (Vec<Vec<GraphMove>>, Vec<bool>)> {
    let m = Move::new(Square::S11, Square::S12);
    let target = move |nodes: usize| {
        prop_oneof![
            3 => (0..nodes as u32).prop_map(Target::Node),
            1 => prop_oneof![-3i32..=3, Just(32_000), Just(-32_000)].prop_map(Target::Leaf),
        ]
        .prop_map(move |target| GraphMove { m, target })
    };
    (1..=most).prop_flat_map(move |nodes| {
        let moves = prop::collection::vec(target(nodes), 1..=3);
        (prop::collection::vec(moves, nodes), prop::collection::vec(any::<bool>(), nodes))
    })
}

fn solve(moves: &[Vec<GraphMove>], in_check: &[bool]) -> Values {
    let book = Book::new();
    propagate(&Graph::from_moves(&book, moves, in_check))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn values_are_those_of_best_play((moves, in_check) in any_graph(4)) {
        let values = solve(&moves, &in_check);
        prop_assert_eq!(values.scores, values_by_trying(&moves, &in_check));
    }

    #[test]
    fn every_value_is_the_best_of_its_moves((moves, in_check) in any_graph(60)) {
        let values = solve(&moves, &in_check);
        for (node, moves) in moves.iter().enumerate() {
            let best = moves.iter().map(|known| match known.target {
                Target::Leaf(score) => score,
                Target::Node(next) => -values.scores[next as usize],
            });
            prop_assert_eq!(Some(values.scores[node]), best.max());
        }
    }

    #[test]
    fn the_order_of_positions_does_not_matter(
        (moves, in_check) in any_graph(30),
        turn in 1usize..30,
    ) {
        let len = moves.len();
        let new_place = |node: usize| (node + turn) % len;
        let mut moved = vec![Vec::new(); len];
        let mut moved_check = vec![false; len];
        for node in 0..len {
            let renamed = moves[node].iter().map(|known| GraphMove {
                target: match known.target {
                    Target::Node(next) => Target::Node(new_place(next as usize) as u32),
                    leaf => leaf,
                },
                ..*known
            });
            moved[new_place(node)] = renamed.collect();
            moved_check[new_place(node)] = in_check[node];
        }
        let (one, other) = (solve(&moves, &in_check), solve(&moved, &moved_check));
        for node in 0..len {
            prop_assert_eq!(one.scores[node], other.scores[new_place(node)]);
            prop_assert_eq!(one.bases[node], other.bases[new_place(node)]);
            if one.bases[node] == Basis::Leaf {
                prop_assert_eq!(one.plies[node], other.plies[new_place(node)]);
            }
        }
    }
}
