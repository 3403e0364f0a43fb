//! The two-stage search compared with plain minimax, and with and without its table; the cuts of
//! ProbCut.

use std::sync::Arc;

use komadai_core::{Budget, Position, Square};
use komadai_eval::{Classical, Evaluator};
use komadai_movegen::{MoveClass, MoveGen, MoveList, generate_class, generate_useful};
use komadai_testdata::{games, openings, positions};

use super::threat::{NodePlace, Threats};
use crate::history::History;
use crate::meter::Meter;
use crate::options::SearchOptions;
use crate::probcut::{DepthPair, DepthRegression, ProbCut};
use crate::quiescence_method::classes::QuiescenceClasses;
use crate::quiescence_method::{Quiescence, SelectedQuiescence};
use crate::scaled::Scaled;
use crate::techniques::Techniques;
use crate::transposition_table::TranspositionTable;
use crate::transposition_table::value_table::ValueTable;
use crate::value::{MAX_EVALUATION, Window, is_decided, mated, mating};
use crate::worker::Worker;

/// Returns the value of a position and the nodes of its search, with a table of the first stage or
/// none.
fn two_stage(position: &Position, window: Window, table: ValueTable) -> (i32, u64) {
    let (value, nodes, _) = two_stage_with(position, window, table);
    (value, nodes)
}

/// Returns value, nodes and the table after the search.
fn two_stage_with(
    position: &Position,
    window: Window,
    table: ValueTable,
) -> (i32, u64, ValueTable) {
    leaf(Quiescence::TwoStage, position, window, table)
}

/// Returns value, nodes and the table after a search with this method.
fn leaf(
    quiescence: Quiescence,
    position: &Position,
    window: Window,
    table: ValueTable,
) -> (i32, u64, ValueTable) {
    let techniques = Techniques::QUIESCENCE;
    let options = SearchOptions { techniques, quiescence, ..SearchOptions::default() };
    let (entries, mut history) = (TranspositionTable::new(1), History::new());
    let evaluator: Scaled<Classical> = Scaled::unscaled(Default::default());
    let budget = Budget::unlimited();
    let meter = Meter::new(&budget);
    let mut worker = Worker::new(&evaluator, &entries, &options, history.first(), meter, position);
    worker.stage_one_table = table;
    let value = if window == Window::FULL {
        worker.leaf::<true>(window, 0)
    } else {
        worker.leaf::<false>(window, 0)
    };
    (value, worker.meter.nodes(), worker.stage_one_table)
}

/// Plain minimax with a limit of nodes.
struct Minimax {
    evaluator: Classical,
    nodes_left: u32,
}

impl Minimax {
    fn value(position: &Position) -> Option<i32> {
        let mut minimax = Self { evaluator: Default::default(), nodes_left: 20_000 };
        minimax.stage_one(&mut position.clone(), 4, 0)
    }

    fn stage_one(&mut self, position: &mut Position, depth: u32, ply: usize) -> Option<i32> {
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        let mut moves = MoveList::new();
        generate_useful(position, &mut moves);
        let mut best = None;
        let mut threatened = Threats::default().pieces;
        if !position.in_check() {
            if position.mate_in_one().is_some() {
                return Some(mating(ply + 1));
            }
            let threats = Threats::of(position);
            let place = if depth == 4 { NodePlace::First } else { NodePlace::Below };
            let value = self.evaluator.evaluate_position(position).raw() - threats.cost(place);
            best = Some(value.max(-MAX_EVALUATION));
            threatened = threats.pieces;
        }
        for m in moves {
            let captures = position.color(!position.side()).contains(m.to());
            let from = m.from().filter(|&from| threatened.contains(from));
            let escapes = from.is_some_and(|from| {
                position.piece_on(from).is_some_and(|p| p.kind() != komadai_core::PieceKind::Pawn)
            });
            let is_wanted = (captures || m.is_promotion() || escapes) && position.see(m) >= 0;
            if !position.in_check() && !is_wanted {
                continue;
            }
            position.do_move(m);
            let value = if depth > 1 {
                self.stage_one(position, depth - 1, ply + 1)
            } else {
                self.stage_two(position, m.to(), ply + 1)
            };
            position.undo_move();
            best = best.max(Some(-value?));
        }
        Some(best.unwrap_or(mated(ply)))
    }

    fn stage_two(&mut self, position: &mut Position, square: Square, ply: usize) -> Option<i32> {
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        if !position.has_legal_move() && position.in_check() {
            return Some(mated(ply));
        }
        let mut best = self.evaluator.evaluate_position(position).raw();
        let mut moves = MoveList::new();
        generate_class(position, MoveClass::CAPTURES | MoveClass::USEFUL, &mut moves);
        for m in moves.into_iter().filter(|m| m.to() == square) {
            position.do_move(m);
            let value = self.stage_two(position, square, ply + 1);
            position.undo_move();
            best = best.max(-value?);
        }
        Some(best)
    }
}

/// Returns positions of the bundled games, every ten plies, and others.
fn sample() -> Vec<Position> {
    let mut sample: Vec<_> = openings::sfens()
        .take(10)
        .chain(positions::bench().map(|bench| bench.sfen))
        .map(|sfen| Position::from_sfen(sfen).unwrap())
        .collect();
    for game in games::tournament().take(12) {
        let mut position = Position::hirate();
        for (index, m) in game.moves.split(' ').enumerate() {
            position.do_move(m.parse().unwrap());
            if index % 10 == 9 {
                sample.push(position.without_history());
            }
        }
    }
    sample
}

#[test]
fn two_stages_are_minimax_over_their_moves() {
    let mut compared = 0;
    for position in sample() {
        let Some(expected) = Minimax::value(&position) else { continue };
        let (value, _) = two_stage(&position, Window::FULL, ValueTable::default());
        assert_eq!(value, expected, "{position}");
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn the_table_of_the_first_stage_changes_no_value_and_saves_nodes() {
    let (mut nodes_without, mut nodes_with) = (0, 0);
    for position in sample().into_iter().step_by(2) {
        let (value, _) = two_stage(&position, Window::FULL, ValueTable::default());
        let (same, _) = two_stage(&position, Window::FULL, ValueTable::with_bits(16));
        assert_eq!(same, value, "{position}");
        let mut table = ValueTable::with_bits(16);
        for alpha in [value - 200, value - 1, value, value + 200] {
            let window = Window::zero(alpha);
            let (bound, spent) = two_stage(&position, window, ValueTable::default());
            assert_eq!(bound > alpha, value > alpha, "{position}");
            nodes_without += spent;
            // The entries of one window serve the next.
            let (bound, spent, kept) = two_stage_with(&position, window, table);
            assert_eq!(bound > alpha, value > alpha, "{position}");
            nodes_with += spent;
            table = kept;
        }
    }
    assert!(nodes_with < nodes_without, "{nodes_with} {nodes_without}");
}

/// Stores the positions a ply later as roots first, then probes them as inner nodes.
#[test]
fn the_table_distinguishes_values_of_different_depths() {
    for position in sample().into_iter().step_by(12) {
        let (value, _) = two_stage(&position, Window::FULL, ValueTable::default());
        let mut table = ValueTable::with_bits(16);
        for m in position.legal_moves() {
            (_, _, table) = two_stage_with(&position.after(m), Window::FULL, table);
        }
        for alpha in [value - 200, value - 1, value] {
            let (bound, _, kept) = two_stage_with(&position, Window::zero(alpha), table);
            assert_eq!(bound > alpha, value > alpha, "{position}");
            table = kept;
        }
    }
}

#[test]
fn standing_pat_with_threats_is_the_least_it_can_be() {
    for mut position in sample() {
        if position.in_check() {
            continue;
        }
        let (value, nodes) = two_stage(&position, Window::FULL, ValueTable::default());
        let evaluator: Classical = Default::default();
        let cost = Threats::of(&mut position).cost(NodePlace::First);
        assert!(value >= evaluator.evaluate_position(&position).raw() - cost, "{position}");
        assert!(nodes < 1_000_000, "{nodes} {position}");
    }
}

/// With one pair, at the depth of the first node, the searches of both depths decide.
#[test]
fn probcut_decides_by_the_shallow_search_beyond_the_margin() {
    let by = DepthRegression { slope: 0.9, offset: 10.0, deviation: 40.0 };
    let pairs = vec![DepthPair { shallow: 1, deep: 3, bands: [by; 3] }];
    let probcut = Arc::new(ProbCut { pairs, confidence: 1.5 });
    let classes: QuiescenceClasses = "Capture+Promote".parse().unwrap();
    let selected = |depth| SelectedQuiescence::new(Arc::new(classes), depth);
    let value = |selected: SelectedQuiescence, position: &Position, window: Window| {
        let quiescence = Quiescence::Selected(selected);
        leaf(quiescence, position, window, ValueTable::default()).0
    };
    let (mut above, mut below, mut wrong, mut open) = (0, 0, 0, 0);
    for position in sample().iter().filter(|position| !position.in_check()) {
        let shallow = value(selected(1), position, Window::FULL);
        let deep = value(selected(3), position, Window::FULL);
        if is_decided(shallow) || is_decided(deep) {
            continue;
        }
        for alpha in [-300, -100, -40, 0, 40, 100, 300].map(|distance| shallow + distance) {
            let predicted = 0.9 * shallow as f32 + 10.0;
            let is_above = if predicted - 60.0 >= (alpha + 1) as f32 {
                above += 1;
                true
            } else if predicted + 60.0 <= alpha as f32 {
                below += 1;
                false
            } else {
                open += 1;
                deep > alpha
            };
            wrong += u32::from(is_above != (deep > alpha));
            let cutting = selected(3).with_probcut(Arc::clone(&probcut));
            let found = value(cutting, position, Window::zero(alpha));
            // A mate in one and standing pat come first, and both are exact.
            let stands = value(selected(0), position, Window::FULL) > alpha;
            assert_eq!(found > alpha, is_above || stands, "{position} {alpha}");
        }
    }
    assert!(above > 50 && below > 50 && open > 50 && wrong > 0, "{above} {below} {open} {wrong}");
}
