//! The search compared with plain minimax, which is short and obviously right.

use komadai_core::{Analysis, Budget, Move, Position, Score};
use komadai_eval::{Classical, Evaluator};
use komadai_movegen::{
    MoveClass, MoveGen, MoveList, generate_class, generate_legal, generate_useful,
};
use komadai_search::{AlphaBeta, SearchOptions, Searcher, Techniques};
use komadai_testdata::{openings, positions};
use proptest::prelude::*;

use crate::game_end::game_end;

/// The treatment of leaves by minimax.
#[derive(Clone, Copy, PartialEq)]
enum Leaf {
    Static,
    Quiescence,
}

/// Plain minimax with a limit of nodes.
struct Minimax {
    leaf: Leaf,
    nodes_left: u32,
}

impl Minimax {
    /// Returns the value of a position searched to `depth` plies; `None` beyond the limit of nodes.
    fn value(leaf: Leaf, position: &Position, depth: u32) -> Option<Score> {
        let mut minimax = Self { leaf, nodes_left: 40_000 };
        minimax.node(&mut position.clone(), depth, 0).map(Score::from_raw)
    }

    /// `ply` is the distance from the root, where the game counts as not ended.
    fn node(&mut self, position: &mut Position, depth: u32, ply: u32) -> Option<i32> {
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        if let Some(value) = game_end(position, ply) {
            return Some(value);
        }
        let mut moves = MoveList::new();
        generate_useful(position, &mut moves);
        if moves.is_empty() {
            return Some(Score::mated_in(ply).raw());
        }
        let mut best = i32::MIN;
        if depth == 0 {
            if self.leaf == Leaf::Static {
                return Some(Classical::default().evaluate_position(position).raw());
            }
            if !position.in_check() {
                best = Classical::default().evaluate_position(position).raw();
                moves.clear();
                let class = MoveClass::CAPTURES | MoveClass::USEFUL;
                generate_class(position, class, &mut moves);
            }
        }
        for m in &moves {
            position.do_move(m);
            let value = self.node(position, depth.saturating_sub(1), ply + 1);
            position.undo_move();
            best = best.max(-value?);
        }
        Some(best)
    }
}

fn search(position: &Position, depth: u32, techniques: Techniques, multi_pv: usize) -> Analysis {
    let options = SearchOptions { hash_mib: 1, multi_pv, techniques, ..SearchOptions::default() };
    let mut searcher = AlphaBeta::new(Classical::default(), options);
    searcher.search(position, &Budget::depth(depth), &mut |_| {})
}

/// Returns positions from random play, with the game that led to them.
fn played() -> impl Strategy<Value = Position> {
    let sfens: Vec<_> = openings::sfens()
        .take(20)
        .chain([positions::STARTPOS, positions::IN_CHECK, "4k4/9/9/9/9/9/9/9/4K4 b R2Pr2p 1"])
        .collect();
    let choices = proptest::collection::vec(any::<u16>(), 0..40);
    (proptest::sample::select(sfens), choices).prop_map(|(sfen, choices)| {
        let mut position = Position::from_sfen(sfen).expect("test data are positions");
        for choice in choices {
            let mut moves = MoveList::new();
            generate_legal(&position, &mut moves);
            if !moves.is_empty() {
                position.do_move(moves[usize::from(choice) % moves.len()]);
            }
        }
        position
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn without_techniques_the_search_is_minimax(position in played()) {
        for depth in 1..=4 {
            let Some(expected) = Minimax::value(Leaf::Static, &position, depth) else { break };
            let found = search(&position, depth, Techniques::empty(), 1);
            match found.score() {
                Some(score) => prop_assert_eq!(score, expected),
                None => prop_assert!(!position.has_legal_move()),
            }
        }
    }

    /// To depth 3 at most: so early no position can repeat, so that values do not depend on the
    /// history.
    #[test]
    fn sound_techniques_change_nothing(position in played()) {
        let position = position.without_history();
        for depth in 1..=3 {
            let Some(expected) = Minimax::value(Leaf::Static, &position, depth) else { break };
            let each = Techniques::SOUND.iter().chain([Techniques::SOUND]);
            for techniques in each.filter(|_| position.has_legal_move()) {
                let found = search(&position, depth, techniques, 1);
                prop_assert_eq!(found.score(), Some(expected), "{:?}", techniques);
            }
        }
    }

    #[test]
    fn quiescence_is_minimax_over_captures_and_evasions(position in played()) {
        let position = position.without_history();
        for depth in 1..=2 {
            let Some(expected) = Minimax::value(Leaf::Quiescence, &position, depth) else { break };
            for sound in [Techniques::empty(), Techniques::SOUND] {
                let found = search(&position, depth, sound | Techniques::QUIESCENCE, 1);
                prop_assert_eq!(found.score().unwrap_or(expected), expected, "{:?}", sound);
            }
        }
    }

    #[test]
    fn every_line_has_the_value_of_its_move(position in played()) {
        let position = position.without_history();
        for depth in 1..=3 {
            let value = |m| Minimax::value(Leaf::Static, &position.after(m), depth - 1);
            let values: Option<Vec<_>> = useful(&position)
                .into_iter()
                // A mate is a ply further from here than from there.
                .map(|m| value(m).map(|score| -score.from_ply(1)))
                .collect();
            let Some(mut expected) = values else { break };
            expected.sort_unstable_by(|a, b| b.cmp(a));
            let analysis = search(&position, depth, Techniques::SOUND, 4);
            prop_assert_eq!(analysis.lines.len(), expected.len().min(4));
            for (line, expected) in analysis.lines.iter().zip(expected) {
                prop_assert_eq!(line.score, expected);
                prop_assert_eq!(Some(-line.score), value(line.pv[0]).map(|score| score.from_ply(1)));
            }
        }
    }
}

fn useful(position: &Position) -> Vec<Move> {
    let mut moves = MoveList::new();
    generate_useful(position, &mut moves);
    moves.to_vec()
}
