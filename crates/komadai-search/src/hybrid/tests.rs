use komadai_eval::Classical;
use komadai_movegen::{CheckClass, MateReport, MateResult};
use komadai_testdata::tsume::{Set, set};
use komadai_testdata::{openings, positions};

use super::*;

const OWN: &str = "7g7f";
const OTHER: &str = "2g2f";

fn analysis(score: Score) -> Analysis {
    let pv = Pv::from_parts(OWN.parse().unwrap(), &[]);
    Analysis { lines: vec![Line::exact(score, pv)], ..Analysis::default() }
}

fn root_move(m: &str, visits: u32, rate: f32) -> RootMove {
    RootMove::new(m.parse().unwrap(), visits, rate)
}

/// Returns the rule for a score of alpha-beta, and the rates of its move and of the tree's.
fn rule(score: Score, own: (u32, f32), other: f32, nodes: u64) -> ChoiceRule {
    let tree = [root_move(OTHER, 5_000, other), root_move(OWN, own.0, own.1)];
    let choice = choose(&analysis(score), &tree, nodes, &ChoiceRules::default());
    let is_tree =
        matches!(choice.rule, ChoiceRule::LowRate | ChoiceRule::Losing | ChoiceRule::TreeProof);
    assert_eq!(choice.m, Some((if is_tree { OTHER } else { OWN }).parse().unwrap()));
    choice.rule
}

#[test]
fn rules_apply_in_order_and_at_their_bounds() {
    use ChoiceRule::*;
    let cp = Score::cp;
    // The rates of the author's example: 0.40 against 0.60.
    assert_eq!(rule(cp(0), (200, 0.40), 0.60, 10_000), LowRate);
    assert_eq!(rule(cp(0), (199, 0.40), 0.60, 10_000), AlphaBeta, "too few visits");
    assert_eq!(rule(cp(0), (200, 0.45), 0.65, 10_000), AlphaBeta, "not low");
    assert_eq!(rule(cp(0), (200, 0.44), 0.58, 10_000), AlphaBeta, "the gap is too small");
    assert_eq!(rule(cp(0), (200, 0.40), 0.60, 9_999), FewPlayouts);
    assert_eq!(rule(cp(-2_001), (200, 0.5), 0.5, 10_000), Losing);
    assert_eq!(rule(cp(-2_000), (200, 0.5), 0.5, 10_000), AlphaBeta);
    assert_eq!(rule(cp(-2_001), (200, 0.5), 0.5, 10), FewPlayouts);
    assert_eq!(rule(Score::mate_in(5), (200, 0.1), 0.9, 10_000), AlphaBetaMate);
    assert_eq!(rule(Score::mated_in(5), (200, 0.1), 0.1, 10_000), Losing);
}

#[test]
fn granted_visits_are_no_opinion_of_the_tree() {
    let mut lost = root_move("5g5f", 900, 0.0);
    lost.proven = Some(Proven::Loss { plies: 4 });
    // In a short search the favourite is the most visited move, whatever its rate is.
    let tree = [root_move(OWN, 200, 0.35), root_move(OTHER, 193, 0.69), lost];
    let own: Move = OWN.parse().unwrap();
    let moves = by_own_visits(&tree, |m| if m == own { 150 } else { 0 });
    assert_eq!(moves, [tree[1], tree[0], lost]);
    assert_eq!(by_own_visits(&tree, |_| 0), tree);
    let choice = choose(&analysis(Score::ZERO), &moves, 10_000, &ChoiceRules::default());
    assert_eq!((choice.rule, choice.m), (ChoiceRule::LowRate, Some(OTHER.parse().unwrap())));
}

#[test]
fn a_proven_win_outranks_all_but_a_mate_of_alpha_beta() {
    let mut won = root_move(OTHER, 10, 1.0);
    won.proven = Some(Proven::Win { plies: 3 });
    let tree = [won, root_move(OWN, 10, 0.9)];
    let chosen = |score| choose(&analysis(score), &tree, 10, &ChoiceRules::default()).rule;
    assert_eq!(chosen(Score::cp(500)), ChoiceRule::TreeProof);
    assert_eq!(chosen(Score::mate_in(9)), ChoiceRule::AlphaBetaMate);
}

#[test]
fn the_same_move_is_agreement_and_without_a_move_alpha_beta_decides() {
    let tree = [root_move(OWN, 10, 0.1), root_move(OTHER, 10, 0.9)];
    let rules = ChoiceRules::default();
    let chosen = choose(&analysis(Score::cp(-5_000)), &tree, 10_000, &rules);
    assert_eq!(chosen.rule, ChoiceRule::Agreement);
    let none = choose(&Analysis::default(), &tree, 10_000, &rules);
    assert_eq!((none.m, none.rule), (None, ChoiceRule::AlphaBeta));
    assert_eq!(choose(&analysis(Score::ZERO), &[], 0, &rules).rule, ChoiceRule::AlphaBeta);
}

#[test]
fn threads_and_memory_are_divided() {
    let of = |threads| {
        let options = SearchOptions { hash_mib: 64, threads, ..SearchOptions::default() };
        divide(options).map(|part| (part.threads, part.hash_mib))
    };
    assert_eq!(of(0), [(1, 32), (1, 32)]);
    assert_eq!(of(1), [(1, 32), (1, 32)]);
    assert_eq!(of(2), [(1, 32), (1, 32)]);
    assert_eq!(of(3), [(2, 32), (1, 32)]);
    assert_eq!(of(8), [(4, 32), (4, 32)]);
}

/// Finds a mate where there is none.
struct Optimist;

impl MateSolver for Optimist {
    fn solve(&mut self, position: &Position, _: &Budget, _: CheckClass) -> MateReport {
        let line: Pv = "7g7f 3c3d 8h2b+".parse().unwrap();
        let is_start = position.key() == Position::hirate().key();
        let mate = MateResult::Mate { line, shortest: false };
        MateReport::new(if is_start { mate } else { MateResult::Unknown }, 1)
    }
}

fn optimistic() -> Hybrid<Classical> {
    let options = SearchOptions { hash_mib: 64, ..SearchOptions::default() };
    let mut both = Hybrid::new(Classical::default(), options, MonteCarloOptions::modern());
    both.set_mate_solvers(|| Box::new(Optimist));
    both
}

#[test]
fn a_win_that_the_tree_proves_ends_both() {
    let mut both = optimistic();
    let stop = Arc::new(AtomicBool::new(false));
    let budget = Budget { stop: Some(Arc::clone(&stop)), ..Budget::unlimited() };
    let found = both.search(&Position::hirate(), &budget, &mut |_| {});
    assert_eq!(found.score(), Some(Score::mate_in(3)));
    assert_eq!(found.best_move(), Some(OWN.parse().unwrap()));
    let SearcherState { remarks, root_moves, .. } = both.state();
    assert_eq!(root_moves[0].proven, Some(Proven::Win { plies: 3 }), "{}", root_moves[0]);
    assert_eq!(root_moves.len(), 30);
    assert!(remarks[0].starts_with("tree 7g7f won in 3, "), "{remarks:?}");
    assert!(remarks[1].starts_with("hybrid rule="), "{remarks:?}");
    assert!(!stop.load(Ordering::Relaxed), "the flag belongs to the caller");
}

#[test]
fn a_mate_by_a_move_that_is_not_allowed_proves_nothing() {
    let others: [Move; 2] = [OTHER.parse().unwrap(), "9g9f".parse().unwrap()];
    let (position, budget) = (Position::hirate(), Budget::nodes(50_000));
    let request = SearchRequest { among: Some(&others), ..SearchRequest::new(&position, &budget) };
    let found = optimistic().run(&request, &mut |_| {});
    assert!(!found.score().unwrap().is_mate());
    assert!(others.contains(&found.best_move().unwrap()));
}

#[test]
fn the_moves_of_alpha_beta_get_their_visits() {
    let options = SearchOptions { hash_mib: 16, ..SearchOptions::default() };
    let mut both = Hybrid::new(Classical::default(), options, MonteCarloOptions::modern());
    // A quarter of all results goes to the moves that alpha-beta reports, whenever it changes its
    // mind.
    both.set_rules(ChoiceRules { min_visits: u32::MAX, ..ChoiceRules::default() });
    for sfen in komadai_testdata::openings::sfens().take(6) {
        let position = Position::from_sfen(sfen).unwrap();
        both.new_game();
        let mut reported = Vec::new();
        let choice = both.search(&position, &Budget::nodes(100_000), &mut |analysis| {
            reported.extend(analysis.best_move());
        });
        assert!(choice.best_move().is_some());
        let of_reported = |root_move: &&RootMove| reported.contains(&root_move.m);
        let moves = both.tree().root_moves();
        let visits: u32 = moves.iter().filter(of_reported).map(|root_move| root_move.visits).sum();
        let all: u32 = moves.iter().map(|root_move| root_move.visits).sum();
        // Half of the quarter leaves room for a slow first report.
        assert!(visits >= all / 8, "{sfen}: {visits} of {all} for {reported:?}");
    }
}

#[test]
fn with_too_few_playouts_the_result_is_that_of_alpha_beta_alone() {
    let budget = Budget::nodes(8_000);
    let options = || SearchOptions { hash_mib: 16, ..SearchOptions::default() };
    let mut both = Hybrid::new(Classical::default(), options(), MonteCarloOptions::modern());
    both.set_rules(ChoiceRules { min_nodes: u64::MAX, ..ChoiceRules::default() });
    let mut alone = AlphaBeta::new(Classical::default(), divide(options())[0].clone());
    let mut compared = 0;
    for sfen in
        positions::bench().map(|bench| bench.sfen).into_iter().chain(openings::sfens().take(20))
    {
        let position = Position::from_sfen(sfen).unwrap();
        both.new_game();
        alone.new_game();
        let found = both.search(&position, &budget, &mut |_| {});
        let expected = alone.search(&position, &budget, &mut |_| {});
        // A win that the tree proves ends alpha-beta early.
        let best_of_tree = both.tree().root_moves().first().and_then(|best| best.proven);
        if !matches!(best_of_tree, Some(Proven::Win { .. })) && both.used_proofs() == 0 {
            compared += 1;
            assert_eq!(found.lines, expected.lines, "{sfen}");
        }
    }
    assert!(compared >= 20, "{compared}");
}

/// Searches a problem by a tree alone, which writes what it proves.
fn proofs_of(position: &Position, playouts: u64) -> (ProofTable, Vec<RootMove>) {
    let mut options = MonteCarloOptions::modern();
    (options.playouts, options.search.hash_mib) = (Some(playouts), 16);
    let mut tree = MonteCarlo::new(Classical::default(), options);
    let proofs = ProofTable::new();
    let beside = Beside { proofs: Some(&proofs), ..Beside::default() };
    let budget = Budget::unlimited();
    tree.search_beside(&SearchRequest::new(position, &budget), beside, &mut |_| {});
    let moves = tree.root_moves().to_vec();
    (proofs, moves)
}

#[test]
fn alpha_beta_reads_the_mates_of_the_tree() {
    let (mut proven, mut adopted, mut below) = (0, 0, 0);
    let options = || SearchOptions { hash_mib: 1, ..SearchOptions::default() };
    for problem in set(Set::ShortSelfplay).step_by(4) {
        let position = Position::from_sfen(problem.sfen).unwrap();
        let (proofs, moves) = proofs_of(&position, 1_000);
        let Some(Proven::Win { plies: 3.. }) = moves[0].proven else { continue };
        proven += 1;
        let search = |position: &Position, depth| {
            let beside = BesideTree { halt: None, proofs: Some(&proofs) };
            let budget = Budget::depth(depth);
            let request = SearchRequest::new(position, &budget);
            let mut searcher = AlphaBeta::new(Classical::default(), options());
            searcher.search_beside(&request, beside, &mut |_| {})
        };
        let Some(line) = proofs.line(&position) else { continue };
        assert_eq!(line.len() % 2, 1, "{}", problem.sfen);
        adopted += 1;
        let found = search(&position, 1);
        assert_eq!(found.score(), Some(Score::mate_in(line.len() as u32)), "{}", problem.sfen);
        assert_eq!(found.lines[0].pv, line);
        // After the first move the root is lost; that is read after each reply.
        proofs.start_search();
        let reply = position.after(line[0]);
        let found = search(&reply, 2);
        assert!(found.score().is_some_and(Score::is_mate), "{}", problem.sfen);
        below += u32::from(proofs.uses() > 0);
    }
    assert!(proven >= 20, "{proven}");
    // The quiescence search proves mates without their lines.
    assert!(3 * adopted >= 2 * proven, "{adopted} of {proven}");
    assert!(2 * below >= adopted, "{below} of {adopted}");
}
