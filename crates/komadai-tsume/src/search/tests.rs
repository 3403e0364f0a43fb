//! The search compared with exact results on small random graphs with many loops.

use komadai_core::{Budget, Hand, Move, SplitMix64, Square};
use komadai_movegen::MoveList;

use super::{Game, Memory, Outcome, Search, Workspace};
use crate::meter::{MateProgress, Meter, Team};
use crate::numbers::Node;
use crate::options::Techniques;
use crate::plies::Plies;
use crate::tables::table::{Lookup, Table};
use crate::tests::oracle::solve_graph;
use crate::tests::random_positions::below;

mod long_paths;

/// A game without pieces. Positions are numbers; the attacker moves in the even ones.
#[derive(Debug, Clone)]
struct Graph {
    successors: Vec<Vec<usize>>,
    line: Vec<usize>,
    /// The largest length of the line so far.
    deepest: usize,
}

impl Graph {
    /// Creates positions 0, 1, 2, … of which few have no successors.
    fn random(random: &mut SplitMix64) -> Self {
        let pairs = 3 + below(random, 20);
        let widest = 2 + below(random, 3);
        let dead_ends = 2 + below(random, 20);
        let successors = (0..2 * pairs)
            .map(|from| {
                let width =
                    if below(random, dead_ends) == 0 { 0 } else { 1 + below(random, widest) };
                let mut to: Vec<usize> =
                    (0..width).map(|_| 2 * below(random, pairs) + 1 - from % 2).collect();
                to.sort_unstable();
                to.dedup();
                to
            })
            .collect();
        Self { successors, line: vec![0], deepest: 0 }
    }

    fn current(&self) -> usize {
        *self.line.last().expect("a line has a beginning")
    }

    /// Spreads the keys over the table.
    fn key(position: usize) -> u64 {
        (position as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// The move to the successor `index`. Drops and promotions are avoided, because the search may
/// defer them.
fn numbered(index: usize) -> Move {
    Move::new(Square::S11, Square::ALL[index + 1])
}

impl Game for &mut Graph {
    fn keys(&self) -> (u64, Hand) {
        (Graph::key(self.current()), Hand::EMPTY)
    }

    fn keys_after(&self, _: Node, m: Move) -> (u64, Hand) {
        (Graph::key(self.successors[self.current()][m.to().index() - 1]), Hand::EMPTY)
    }

    fn king(&self) -> Option<Square> {
        None
    }

    fn mate_in_one(&mut self) -> Option<(Move, Hand)> {
        let successors = &self.successors[self.current()];
        let mate = successors.iter().position(|&next| self.successors[next].is_empty())?;
        Some((numbered(mate), Hand::EMPTY))
    }

    fn list_moves(&self, _: Node, moves: &mut MoveList) {
        for index in 0..self.successors[self.current()].len() {
            moves.push(numbered(index));
        }
    }

    fn count_moves(&self, _: Node, _: bool) -> u32 {
        self.successors[self.current()].len() as u32
    }

    fn do_move(&mut self, m: Move) {
        let next = self.successors[self.current()][m.to().index() - 1];
        self.line.push(next);
        self.deepest = self.deepest.max(self.line.len());
    }

    fn undo_move(&mut self) {
        self.line.pop();
    }

    fn mating_hand(&self) -> Hand {
        Hand::EMPTY
    }

    fn hand_against(&self, _: impl Iterator<Item = Hand>) -> Hand {
        Hand::EMPTY
    }

    fn failing_hand(&self, _: impl Iterator<Item = (Move, Hand)>) -> Hand {
        Hand::EMPTY
    }

    fn hand_before(&self, _: Move, after: Hand) -> Hand {
        after
    }

    fn hand_before_reply(&self, after: Hand) -> Hand {
        after
    }
}

/// Longer than any mate of these graphs.
const ENDLESS: Plies = Plies::new(4_001);

/// Returns true if `outcome` of a search up to `limit` is correct for a mate in `mate` plies or
/// none.
fn agrees(outcome: Outcome, mate: Option<usize>, limit: Plies) -> bool {
    let within = |plies: Plies| mate.is_some_and(|mate| mate <= plies.count());
    match outcome {
        Outcome::Proven(plies, _) => plies <= limit && within(plies),
        Outcome::Disproven(plies) if limit == ENDLESS => {
            plies == Plies::UNLIMITED && mate.is_none()
        }
        Outcome::Disproven(plies) => plies >= limit && !within(plies),
        Outcome::Spent => false,
    }
}

/// Compares all entries of a table with the exact results.
fn audit(table: &Table, mates: &[Option<usize>]) {
    for (position, &mate) in mates.iter().enumerate() {
        for limit in (0..60).map(Plies::new) {
            let found = table.look_up(Graph::key(position), Hand::EMPTY, limit);
            let outcome = match found {
                Lookup::Proven { plies, best, .. } => Outcome::Proven(plies, best),
                Lookup::Disproven { plies, .. } => Outcome::Disproven(plies),
                Lookup::Open(_) | Lookup::Absent => continue,
            };
            assert!(agrees(outcome, mate, limit), "position {position}: {found:?}, not {mate:?}");
        }
    }
}

/// The default techniques for every second seed, and random ones for the others.
fn techniques(seed: u64) -> Techniques {
    match seed % 2 {
        0 => Techniques::default(),
        _ => Techniques::from_bits_truncate(SplitMix64::new(seed).next_u64() as u32),
    }
}

#[test]
fn random_graphs_are_solved_and_nothing_false_is_stored() {
    // A table for all positions, and one that forgets most of them.
    for (bytes, nodes) in [(1 << 16, 1_000_000), (1 << 8, 100_000)] {
        let mut mates = 0;
        let mut escapes = 0;
        let mut loops = 0;
        let mut spent = 0;
        for seed in 0..8_000 {
            let mut random = SplitMix64::new(seed);
            let mut graph = Graph::random(&mut random);
            let truth = solve_graph(&graph.successors, |position| position % 2 == 0);
            let root = truth.mates[0];
            mates += u32::from(root.is_some_and(|plies| plies > 3));
            escapes += u32::from(truth.escapes[0]);
            loops += u32::from(root.is_none() && !truth.escapes[0]);

            let budget = Budget::nodes(nodes);
            let mut memory = Memory::new(2 * bytes);
            memory.next_generation();
            memory.techniques = techniques(seed);
            let mut work = Workspace::for_techniques(memory.techniques, bytes);
            work.forget();
            // The unlimited search comes first or last; the table keeps the results of earlier
            // searches.
            let limits = if seed % 4 < 2 { [0, 3, 7, 21] } else { [3, 7, 21, 0] };
            for limit in limits.map(|n| if n == 0 { ENDLESS } else { Plies::new(n) }) {
                let mut silence = |_: &MateProgress| {};
                let mut meter = Meter::new(&budget, &mut silence);
                let outcome = Search::new(&memory, &mut work, &mut meter, &mut graph).run(limit);
                audit(&memory.table, &truth.mates);
                if outcome == Outcome::Spent && bytes < 1 << 16 {
                    spent += 1;
                    continue;
                }
                assert!(
                    agrees(outcome, root, limit),
                    "seed {seed}, {limit:?}: {outcome:?}, {root:?}"
                );
                assert_eq!(graph.line, [0], "all moves are taken back");
            }
        }
        assert!(mates > 200 && escapes > 200 && loops > 200, "{mates} {escapes} {loops}");
        assert!(spent < 100, "{spent}");
    }
}

#[test]
fn threads_solve_random_graphs_together_and_store_nothing_false() {
    let mut decided = 0;
    for seed in 0..600 {
        let mut random = SplitMix64::new(seed);
        let graph = Graph::random(&mut random);
        let truth = solve_graph(&graph.successors, |position| position % 2 == 0);
        // A table that grows under the threads, and one that forgets most positions.
        let bytes = if seed % 4 < 2 { 1 << 16 } else { 1 << 10 };
        let mut memory = Memory::new(bytes);
        memory.techniques = techniques(seed);
        memory.next_generation();
        let budget = Budget::nodes(100_000);
        for limit in [Plies::new(5), ENDLESS, Plies::new(9)] {
            let team = Team::default();
            std::thread::scope(|scope| {
                for _ in 0..3 {
                    scope.spawn(|| {
                        let mut graph = graph.clone();
                        let mut work = Workspace::for_techniques(memory.techniques, bytes);
                        let mut silence = |_: &MateProgress| {};
                        let mut meter = Meter::of_team(&budget, &team, &mut silence);
                        let search = Search::new(&memory, &mut work, &mut meter, &mut graph);
                        let outcome = search.shared().run_without_lookup(limit);
                        if outcome != Outcome::Spent {
                            team.end();
                            assert!(
                                agrees(outcome, truth.mates[0], limit),
                                "seed {seed}, {limit:?}: {outcome:?}, {:?}",
                                truth.mates[0]
                            );
                        }
                        assert_eq!(graph.line, [0], "all moves are taken back");
                    });
                }
            });
            decided += u32::from(team.is_over());
            audit(&memory.table, &truth.mates);
        }
    }
    assert!(decided > 1_700, "{decided}");
}
