//! The selected quiescence search compared with plain minimax over the same moves, each class by
//! its definition.

use std::sync::Arc;

use komadai_core::{Budget, Position, Score};
use komadai_eval::{Classical, Evaluator, LogisticThreatmate, Progress, ThreatmatePredictor};
use komadai_movegen::exchange::exchange_value;
use komadai_movegen::{DeclarationRule, MoveGen, MoveList, generate_useful};
use komadai_search::{
    AlphaBeta, ByGain, InCheck, LogisticMoves, MoveProbability, OtherProgram, Quiescence,
    QuiescenceClasses, QuiescenceNode, QuiescencePolicy, SearchOptions, Searcher,
    SelectedQuiescence, StandPat, Techniques,
};
use komadai_testdata::{games, openings, positions};
use proptest::prelude::*;

use crate::game_end::game_end;

/// Returns the moves of `classes`, by the definition of each class. Threatmates stand for checks
/// node.
fn wanted(position: &Position, classes: QuiescenceClasses) -> MoveList {
    let (us, mut all, mut wanted) = (position.side(), MoveList::new(), MoveList::new());
    generate_useful(position, &mut all);
    let probabilities = LogisticMoves::default().scores(position, &all);
    for (index, &m) in all.iter().enumerate() {
        let moved = m.from().and_then(|from| position.piece_on(from));
        let better = probabilities.iter().enumerate().filter(|&(other, &p)| {
            p > probabilities[index] || (p == probabilities[index] && other < index)
        });
        let captures = position.piece_on(m.to()).is_some();
        let belongs = classes.iter().any(|class| match class {
            QuiescenceClasses::SEE => captures && position.see(m) > 0,
            QuiescenceClasses::CAPTURE => captures,
            QuiescenceClasses::KING => {
                moved.is_some_and(|piece| piece.kind() == komadai_core::PieceKind::King)
            }
            QuiescenceClasses::ESCAPE => m.from().is_some_and(|from| {
                !position.attackers_to(!us, from, position.occupied()).is_empty()
            }),
            QuiescenceClasses::PROMOTE => m.is_promotion(),
            QuiescenceClasses::QUIET_PROMOTE => m.is_promotion() && !captures,
            QuiescenceClasses::CHECK | QuiescenceClasses::THREATMATE => {
                position.after(m).in_check()
            }
            QuiescenceClasses::RATING => 5 * better.clone().count() < all.len(),
            QuiescenceClasses::ALL => true,
            QuiescenceClasses::SAFE => captures && position.see(m) >= 0,
            QuiescenceClasses::MATE => position.after(m).is_checkmate(),
            other => panic!("{other:?} is not a single class"),
        });
        if belongs {
            wanted.push(m);
        }
    }
    wanted
}

/// Checks whether the move two plies before is predicted to be a threatmate.
fn after_a_threatmate(position: &Position) -> bool {
    let mut position = position.clone();
    let plies = position.history().len();
    if plies < 2 {
        return false;
    }
    position.undo_move();
    LogisticThreatmate::default().is_threatmate(&position)
}

/// A policy by the progress of the game and the remaining plies.
#[derive(Debug)]
struct ByProgress;

impl QuiescencePolicy for ByProgress {
    fn classes(&self, node: &QuiescenceNode<'_>) -> QuiescenceClasses {
        by_progress(node.position, node.depth_left as i32)
    }
}

fn by_progress(position: &Position, depth: i32) -> QuiescenceClasses {
    use QuiescenceClasses as Class;
    match Progress::of(position).get() {
        _ if depth <= 1 => Class::SEE,
        0..=4 => Class::SEE | Class::ESCAPE,
        5..=9 => Class::SEE | Class::ESCAPE | Class::PROMOTE,
        _ => Class::SEE | Class::PROMOTE | Class::THREATMATE,
    }
}

/// Plain minimax with a limit of nodes.
struct Minimax {
    /// `None` for [`ByProgress`].
    classes: Option<QuiescenceClasses>,
    in_check: InCheck,
    stand_pat: StandPat,
    nodes_left: u32,
}

impl Minimax {
    fn new(classes: Option<QuiescenceClasses>, nodes_left: u32) -> Self {
        Self { classes, nodes_left, in_check: InCheck::default(), stand_pat: StandPat::Static }
    }

    fn may_stand_pat(&self, position: &Position, depth: i32) -> bool {
        !position.in_check()
            || position.has_legal_move()
                && match self.in_check {
                    InCheck::Evasions => false,
                    InCheck::EvasionsWithinDepth => depth <= 0,
                    InCheck::Classes => true,
                }
    }

    /// Returns the value of standing pat at the last ply.
    fn standing(&self, position: &Position, depth: i32) -> i32 {
        let evaluator: Classical = Default::default();
        let value = evaluator.evaluate_position(position).raw();
        if depth > 0 {
            return value;
        }
        let captures = wanted(position, QuiescenceClasses::CAPTURE).into_iter();
        let gain = match self.stand_pat {
            StandPat::BestExchange => captures.map(|m| position.see(m)).max(),
            StandPat::BestPiece => captures
                .filter_map(|m| position.piece_on(m.to()))
                .map(|piece| exchange_value(piece.kind()) * 75 / 100)
                .max(),
            _ => None,
        };
        value + gain.unwrap_or(0).max(0)
    }
}

impl Minimax {
    /// Searches at full width for some plies, then the selected moves.
    fn search(&mut self, position: &mut Position, full: u32, depth: i32, ply: u32) -> Option<i32> {
        if full == 0 {
            return self.node(position, depth, ply);
        }
        if let Some(value) = game_end(position, ply) {
            return Some(value);
        }
        let mut moves = MoveList::new();
        generate_useful(position, &mut moves);
        let mut best = Score::mated_in(ply).raw();
        for m in moves {
            position.do_move(m);
            let value = self.search(position, full - 1, depth, ply + 1);
            position.undo_move();
            best = best.max(-value?);
        }
        Some(best)
    }

    fn node(&mut self, position: &mut Position, depth: i32, ply: u32) -> Option<i32> {
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        if let Some(value) = game_end(position, ply) {
            return Some(value);
        }
        let may_stand_pat = self.may_stand_pat(position, depth);
        if may_stand_pat && depth <= 0 {
            return Some(self.standing(position, depth));
        }
        let tries_all = position.in_check() && self.in_check != InCheck::Classes;
        let (mut best, moves) = if !may_stand_pat || tries_all {
            let mut moves = MoveList::new();
            generate_useful(position, &mut moves);
            (Score::mated_in(ply).raw(), moves)
        } else {
            let mut classes = self.classes.unwrap_or_else(|| by_progress(position, depth));
            if !after_a_threatmate(position) {
                classes -= QuiescenceClasses::THREATMATE;
            }
            (self.standing(position, depth), wanted(position, classes))
        };
        for m in moves {
            position.do_move(m);
            let value = self.node(position, depth - 1, ply + 1);
            position.undo_move();
            best = best.max(-value?);
        }
        Some(best)
    }
}

/// Returns the value of the quiescence search alone.
fn found(
    position: &Position,
    selection: SelectedQuiescence,
    techniques: Techniques,
) -> Option<Score> {
    searcher(selection, techniques).quiescence(position).score()
}

fn searcher(selection: SelectedQuiescence, techniques: Techniques) -> AlphaBeta<Classical> {
    let options = SearchOptions {
        hash_mib: 1,
        techniques: techniques | Techniques::QUIESCENCE,
        quiescence: Quiescence::Selected(selection),
        declaration: DeclarationRule::None,
        ..SearchOptions::default()
    };
    let evaluator: Classical = Default::default();
    AlphaBeta::new(evaluator, options)
}

fn played() -> impl Strategy<Value = Position> {
    let sfens: Vec<_> = openings::sfens()
        .take(20)
        .chain([positions::STARTPOS, positions::IN_CHECK, "4k4/9/4P4/9/9/4p4/9/9/4K4 b RGr2p 1"])
        .chain(positions::bench().map(|bench| bench.sfen))
        .collect();
    let choices = proptest::collection::vec(any::<u16>(), 0..40);
    (proptest::sample::select(sfens), choices).prop_map(|(sfen, choices)| {
        let mut position = Position::from_sfen(sfen).expect("test data are positions");
        for choice in choices {
            let moves = position.legal_moves();
            if !moves.is_empty() {
                position.do_move(moves[usize::from(choice) % moves.len()]);
            }
        }
        position
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn selected_quiescence_is_minimax_over_its_classes(position in played()) {
        use QuiescenceClasses as Class;
        let composed = [
            Class::empty(),
            Class::SKEP,
            Class::SEE | Class::CHECK,
            Class::SEE | Class::THREATMATE,
            Class::KING | Class::RATING | Class::CAPTURE,
        ];
        for classes in Class::all().iter().chain(composed) {
            for depth in 0..=3 {
                let mut minimax = Minimax::new(Some(classes), 2_000);
                let Some(expected) = minimax.node(&mut position.clone(), depth, 0) else { break };
                for techniques in [Techniques::empty(), Techniques::SOUND] {
                    let selection = SelectedQuiescence::new(Arc::new(classes), depth as u32);
                    let found = found(&position, selection, techniques);
                    prop_assert_eq!(found, Some(Score::from_raw(expected)), "{} {}", classes, depth);
                }
            }
        }
    }

    #[test]
    fn in_check_a_side_may_stand_pat_as_selected(position in played()) {
        use QuiescenceClasses as Class;
        let in_check = [InCheck::Evasions, InCheck::EvasionsWithinDepth, InCheck::Classes];
        for classes in [Class::SEE | Class::CHECK, Class::ALL] {
            for (in_check, depth) in in_check.into_iter().flat_map(|i| (0..=3).map(move |d| (i, d))) {
                let minimax = Minimax::new(Some(classes), 2_000);
                let mut minimax = Minimax { in_check, ..minimax };
                let Some(expected) = minimax.node(&mut position.clone(), depth, 0) else { continue };
                for techniques in [Techniques::empty(), Techniques::SOUND] {
                    let selection = SelectedQuiescence::new(Arc::new(classes), depth as u32);
                    let found = found(&position, selection.with_in_check(in_check), techniques);
                    let expected = Some(Score::from_raw(expected));
                    prop_assert_eq!(found, expected, "{} {:?} {}", classes, in_check, depth);
                }
            }
        }
    }

    #[test]
    fn other_programs_are_minimax_with_their_values_of_standing_pat(position in played()) {
        for program in [OtherProgram::Bonanza, OtherProgram::Yss, OtherProgram::Tacos] {
            let most = program.max_plies().min(3) as i32;
            let minimax = Minimax::new(program.fixed(), 3_000);
            let mut minimax = Minimax { stand_pat: program.stand_pat(), ..minimax };
            let Some(expected) = minimax.node(&mut position.clone(), most, 0) else { continue };
            let selection = SelectedQuiescence::new(Arc::new(program), 3);
            let found = found(&position, selection, Techniques::empty());
            prop_assert_eq!(found, Some(Score::from_raw(expected)), "{:?}", program);
        }
    }

    #[test]
    fn leaves_are_searched_as_selected(position in played()) {
        let position = position.without_history();
        let classes = QuiescenceClasses::SKEP | QuiescenceClasses::CHECK;
        for full in 1..=2 {
            let mut minimax = Minimax::new(Some(classes), 20_000);
            let Some(expected) = minimax.search(&mut position.clone(), full, 2, 0) else { break };
            for techniques in [Techniques::empty(), Techniques::SOUND] {
                let selection = SelectedQuiescence::new(Arc::new(classes), 2);
                let budget = Budget::depth(full);
                let analysis = searcher(selection, techniques).search(&position, &budget, &mut |_| {});
                let score = analysis.score().map_or(expected, |score| score.raw());
                prop_assert_eq!(score, expected, "{}", full);
            }
        }
    }

    #[test]
    fn dynamic_quiescence_is_minimax_over_the_classes_of_each_node(position in played()) {
        for depth in 1..=4 {
            let mut minimax = Minimax::new(None, 5_000);
            let Some(expected) = minimax.node(&mut position.clone(), depth, 0) else { break };
            let selection = SelectedQuiescence::new(Arc::new(ByProgress), depth as u32);
            let found = found(&position, selection, Techniques::empty());
            prop_assert_eq!(found, Some(Score::from_raw(expected)), "{}", depth);
        }
    }

    /// Moves that can never be worth their search need not be generated.
    #[test]
    fn the_classes_of_the_gain_contain_all_moves_that_are_worth_it(position in played()) {
        #[derive(Debug)]
        struct OfAll(ByGain);

        impl QuiescencePolicy for OfAll {
            fn classes(&self, _: &QuiescenceNode<'_>) -> QuiescenceClasses {
                QuiescenceClasses::ALL
            }

            fn select(&self, node: &QuiescenceNode<'_>, moves: MoveList) -> MoveList {
                self.0.select(node, moves)
            }
        }

        for (least, depth) in [(4.0, 3), (1.0, 1), (1.0, 3), (0.1, 2), (0.01, 2)] {
            let policy = ByGain { least, ..ByGain::FITTED };
            let some = SelectedQuiescence::new(Arc::new(policy), depth);
            let all = SelectedQuiescence::new(Arc::new(OfAll(policy)), depth);
            let [some, all] = [some, all].map(|s| found(&position, s, Techniques::empty()));
            prop_assert_eq!(some, all, "{} {}", least, depth);
        }
    }

    #[test]
    fn the_least_gain_reaches_from_all_moves_to_none(position in played()) {
        for (least, classes) in
            [(0.0, QuiescenceClasses::ALL), (f32::INFINITY, QuiescenceClasses::empty())]
        {
            for depth in 0..=2 {
                let policy = ByGain { least, ..ByGain::FITTED };
                let by_gain = SelectedQuiescence::new(Arc::new(policy), depth);
                let fixed = SelectedQuiescence::new(Arc::new(classes), depth);
                let [by_gain, fixed] =
                    [by_gain, fixed].map(|s| found(&position, s, Techniques::empty()));
                prop_assert_eq!(by_gain, fixed, "{} {}", classes, depth);
            }
        }
    }
}

/// Random play hardly ever threatens mate; the ends of games do.
#[test]
fn threatmates_are_followed_up_as_defined() {
    let (mut compared, mut followed) = (0, 0);
    for game in games::tournament().take(40) {
        let mut position = Position::hirate();
        for (ply, m) in game.moves.split(' ').enumerate() {
            position.do_move(m.parse().unwrap());
            if ply as u32 + 30 < game.plies || ply % 3 > 0 {
                continue;
            }
            let classes = QuiescenceClasses::CAPTURE | QuiescenceClasses::THREATMATE;
            let mut minimax = Minimax::new(Some(classes), 3_000);
            let Some(expected) = minimax.node(&mut position.clone(), 2, 0) else { continue };
            let selection = SelectedQuiescence::new(Arc::new(classes), 2);
            let found = found(&position, selection, Techniques::empty());
            assert_eq!(found, Some(Score::from_raw(expected)), "{position}");
            compared += 1;
            followed += u32::from(!position.in_check() && after_a_threatmate(&position));
        }
    }
    assert!(compared > 200 && followed > 20, "{compared} {followed}");
}

#[test]
fn a_policy_chooses_by_the_node() {
    #[derive(Debug)]
    struct Checked;

    impl QuiescencePolicy for Checked {
        fn classes(&self, node: &QuiescenceNode<'_>) -> QuiescenceClasses {
            assert!(!node.position.in_check());
            assert!(node.static_score <= node.alpha && node.static_score < node.beta);
            assert!((1..=3).contains(&node.depth_left));
            assert_eq!(node.depth_left + node.plies, 3);
            assert!(node.progress() <= Progress::MAX);
            let last = node.previous_moves().next().flatten();
            assert_eq!(last, node.position.current().last_move());
            if node.depth_left == 3 { QuiescenceClasses::CAPTURE } else { QuiescenceClasses::SEE }
        }
    }

    let mut position = Position::hirate();
    for m in ["7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e"] {
        position.do_move(m.parse().unwrap());
    }
    let selection = SelectedQuiescence::new(Arc::new(Checked), 3);
    let score = found(&position, selection, Techniques::empty());
    assert!(score.is_some());
}

/// The purpose of the class: after a threat of mate and a move elsewhere, checks are tried.
#[test]
fn an_unparried_threatmate_is_carried_out() {
    let mut position = Position::from_sfen("6knl/7p1/5PP2/9/9/9/9/9/4K4 b S2G 1").unwrap();
    for m in ["S*5b", "2b2c"] {
        position.do_move(m.parse().unwrap());
    }
    let value = |classes: QuiescenceClasses| {
        let selection = SelectedQuiescence::new(Arc::new(classes), 5);
        found(&position, selection, Techniques::empty()).unwrap()
    };
    assert!(value(QuiescenceClasses::THREATMATE).mate_plies().is_some_and(|plies| plies > 0));
    assert_eq!(value(QuiescenceClasses::THREATMATE), value(QuiescenceClasses::CHECK));
    let selection = SelectedQuiescence::new(Arc::new(QuiescenceClasses::THREATMATE), 5);
    let forgotten = position.without_history();
    let score = found(&forgotten, selection, Techniques::empty()).unwrap();
    assert_eq!(score.mate_plies(), None, "without history there is no threatmate");
}
