//! Values against a solution by exhaustive search.

use proptest::prelude::*;

use super::*;
use crate::graph::check_components::CheckComponents;
use crate::graph::graphical_game::Subgame;

/// The target of a move of a made-up game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Target {
    /// To this node.
    Node(u32),
    /// Out of the game, with this value for the side that moves.
    Leaf(i16),
}

/// A game without positions.
#[derive(Debug, Clone)]
pub(crate) struct MadeUp {
    pub(crate) moves: Vec<Vec<Target>>,
    pub(crate) in_check: Vec<bool>,
}

impl Game for MadeUp {
    fn len(&self) -> usize {
        self.moves.len()
    }

    fn successors(&self, node: u32) -> impl Iterator<Item = u32> {
        self.moves[node as usize].iter().filter_map(|target| match target {
            Target::Node(next) => Some(*next),
            Target::Leaf(_) => None,
        })
    }

    fn predecessors(&self, node: u32) -> impl Iterator<Item = u32> {
        let from = 0..self.len() as u32;
        from.flat_map(move |from| {
            self.successors(from).filter(move |&to| to == node).map(move |_| from)
        })
    }

    fn best_leaf(&self, node: u32) -> Option<RankedScore> {
        let leaves = self.moves[node as usize].iter().filter_map(|target| match target {
            Target::Leaf(score) => Some(*score),
            Target::Node(_) => None,
        });
        leaves.max().map(|score| RankedScore { score, rank: 0 })
    }

    fn in_check(&self, node: u32) -> bool {
        self.in_check[node as usize]
    }

    fn largest(&self) -> i16 {
        32_000
    }
}

/// The payoff of endless play to the player whose moves have the even numbers: +1 if the other one
/// gave perpetual check, −1 if this one did, 0 otherwise. `checks` contains for each move of the
/// cycle the player that made it and whether it gave check.
fn endless(checks: &[(usize, bool)]) -> i32 {
    let always = |player| checks.iter().filter(|move_| move_.0 == player).all(|move_| move_.1);
    match (always(0), always(1)) {
        (false, true) => 1,
        (true, false) => -1,
        _ => 0,
    }
}

/// The value of `start` for its side to move if the two players choose moves by these fixed
/// strategies.
fn payoff(
    moves: &[Vec<Target>],
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
        match moves[node][strategies[player][node]] {
            Target::Leaf(score) => return i32::from(if player == 0 { score } else { -score }),
            Target::Node(next) => state = (next as usize, 1 - player),
        }
    }
}

/// All ways of choosing one move in each position.
fn strategies(moves: &[Vec<Target>]) -> Vec<Vec<usize>> {
    moves.iter().fold(vec![Vec::new()], |chosen, moves| {
        let extended = |start: &Vec<usize>| {
            let start = start.clone();
            (0..moves.len()).map(move |choice| [start.as_slice(), &[choice]].concat())
        };
        chosen.iter().flat_map(extended).collect()
    })
}

/// The values by exhaustive search over pairs of strategies. Memory of the path helps neither
/// player, because the condition on endless plays is that of a parity game.
fn values_by_trying(moves: &[Vec<Target>], in_check: &[bool]) -> Vec<i32> {
    let all = strategies(moves);
    let value = |start| {
        let worst = |own: &Vec<usize>| {
            all.iter().map(|other| payoff(moves, in_check, start, [own, other])).min()
        };
        all.iter().filter_map(worst).max().expect("there is a strategy")
    };
    (0..moves.len()).map(value).collect()
}

fn any_graph(most: usize) -> impl Strategy<Value = (Vec<Vec<Target>>, Vec<bool>)> {
    let target = move |nodes: usize| {
        prop_oneof![
            3 => (0..nodes as u32).prop_map(Target::Node),
            1 => prop_oneof![-3i16..=3, Just(32_000), Just(-32_000)].prop_map(Target::Leaf),
        ]
    };
    (1..=most).prop_flat_map(move |nodes| {
        let moves = prop::collection::vec(target(nodes), 1..=3);
        (prop::collection::vec(moves, nodes), prop::collection::vec(any::<bool>(), nodes))
    })
}

fn solve_made_up(moves: &[Vec<Target>], in_check: &[bool]) -> Values {
    solve(&MadeUp { moves: moves.to_vec(), in_check: in_check.to_vec() })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn values_are_those_of_best_play((moves, in_check) in any_graph(4)) {
        let values = solve_made_up(&moves, &in_check);
        let scores: Vec<i32> = values.scores.iter().map(|&score| score.into()).collect();
        prop_assert_eq!(scores, values_by_trying(&moves, &in_check));
    }

    #[test]
    fn every_value_is_the_best_of_its_moves((moves, in_check) in any_graph(60)) {
        let values = solve_made_up(&moves, &in_check);
        for (node, moves) in moves.iter().enumerate() {
            let best = moves.iter().map(|target| match *target {
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
            let renamed = moves[node].iter().map(|target| match *target {
                Target::Node(next) => Target::Node(new_place(next as usize) as u32),
                leaf => leaf,
            });
            moved[new_place(node)] = renamed.collect();
            moved_check[new_place(node)] = in_check[node];
        }
        let (one, other) =
            (solve_made_up(&moves, &in_check), solve_made_up(&moved, &moved_check));
        for node in 0..len {
            prop_assert_eq!(one.scores[node], other.scores[new_place(node)]);
            prop_assert_eq!(one.bases[node], other.bases[new_place(node)]);
            if one.bases[node] == Basis::Leaf {
                prop_assert_eq!(one.ranks[node], other.ranks[new_place(node)]);
            }
        }
    }

    /// Any part of a game, with known values around it, has the values of the whole game, unless it
    /// cuts through a perpetual check.
    #[test]
    fn a_part_is_worth_what_it_is_in_the_whole(
        (moves, in_check) in any_graph(40),
        chosen in prop::collection::vec(any::<bool>(), 40),
    ) {
        let game = MadeUp { moves, in_check };
        let whole = solve(&game);
        let components = CheckComponents::find(&game);
        let mut nodes: Vec<u32> = Vec::new();
        for node in (0..game.len() as u32).filter(|&node| chosen[node as usize]) {
            nodes.extend(components.component_of(node).unwrap_or(&[]));
            nodes.push(node);
        }
        nodes.sort_unstable();
        nodes.dedup();
        let number = |node: u32| nodes.binary_search(&node).ok().map(|at| at as u32);
        let part = Subgame::new(&game, &nodes, number, |node| whole.get(node).ranked_score);
        let solved = solve(&part);
        for (at, &node) in nodes.iter().enumerate() {
            let (solved, whole) = (solved.get(at as u32), whole.get(node));
            if whole.ranked_score.rank < PERPETUAL_RANK || whole.ranked_score.rank == REPETITION_RANK {
                prop_assert_eq!(solved, whole);
            } else {
                // The check on which a value rests, and so its rank, depends on the order.
                prop_assert_eq!(solved.ranked_score.score, whole.ranked_score.score);
                prop_assert!((PERPETUAL_RANK..REPETITION_RANK).contains(&solved.ranked_score.rank));
            }
        }
    }
}
