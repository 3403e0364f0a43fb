mod proofs;

use komadai_eval::{Classical, Material};
use komadai_testdata::positions;

use super::*;
use crate::scaled::Scaled;

fn search(options: MonteCarloOptions, sfen: &str, playouts: u64) -> (Analysis, Vec<RootMove>) {
    let mut options = options;
    options.playouts = Some(playouts);
    options.search.hash_mib = 32;
    let position = Position::from_sfen(sfen).unwrap();
    let mut searcher = MonteCarlo::new(Classical::default(), options);
    let analysis = searcher.search(&position, &Budget::unlimited(), &mut |_| {});
    (analysis, searcher.root_moves().to_vec())
}

#[test]
fn presets_find_a_hanging_rook() {
    let sfen = "4k4/9/9/9/4r4/9/4P4/9/4KR3 b - 1";
    for options in
        [MonteCarloOptions::modern(), MonteCarloOptions::ym2012(), MonteCarloOptions::plain_uct()]
    {
        let (analysis, moves) = search(options, sfen, 2_000);
        assert!(!analysis.lines.is_empty() && analysis.completed);
        assert!(moves.iter().map(|m| m.visits).sum::<u32>() >= 1_999, "{moves:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_result() {
    for preset in [MonteCarloOptions::modern(), MonteCarloOptions::ym2012()] {
        let first = search(preset.clone(), positions::STARTPOS, 1_000);
        assert_eq!(first.1, search(preset, positions::STARTPOS, 1_000).1);
    }
}

#[test]
fn advantages_last_until_a_new_game() {
    let mut options = MonteCarloOptions::modern();
    (options.playouts, options.search.hash_mib) = (Some(1_000), 16);
    let mut searcher = MonteCarlo::new(Classical::default(), options);
    let position = Position::hirate();
    let is_known = |searcher: &MonteCarlo<Classical>| {
        let advantages = searcher.priors.advantages.as_ref().unwrap();
        let moves = position.legal_moves();
        moves.iter().any(|&m| advantages.bonus(position.side(), None, m) != 0.0)
    };
    assert!(!is_known(&searcher));
    let search = |searcher: &mut MonteCarlo<Classical>| {
        searcher.search(&position, &Budget::unlimited(), &mut |_| {});
        searcher.root_moves().to_vec()
    };
    let first = search(&mut searcher);
    assert!(is_known(&searcher));
    searcher.new_game();
    assert!(!is_known(&searcher));
    assert_eq!(search(&mut searcher), first);
}

#[test]
fn visits_add_up_and_rates_are_probabilities() {
    let (_, moves) = search(MonteCarloOptions::ym2012(), positions::STARTPOS, 500);
    assert_eq!(moves.iter().map(|m| m.visits).sum::<u32>(), 500);
    assert!(moves.iter().all(|m| (0.0..=1.0).contains(&m.rate)), "{moves:?}");
    assert!((moves.iter().map(|m| m.prior).sum::<f32>() - 1.0).abs() < 1e-3);
}

#[test]
fn threads_leave_no_virtual_loss_behind() {
    for preset in [MonteCarloOptions::modern(), MonteCarloOptions::ym2012()] {
        let mut options = preset;
        options.search = SearchOptions { hash_mib: 64, threads: 4, ..SearchOptions::default() };
        let mut searcher = MonteCarlo::new(Classical::default(), options);
        for budget in [5_000, 30_000] {
            searcher.new_game();
            searcher.search(&Position::hirate(), &Budget::nodes(budget), &mut |_| {});
            let visits: u64 = searcher.root_moves().iter().map(|m| u64::from(m.visits)).sum();
            // A line that comes back to the root visits it twice.
            assert!(visits >= searcher.playouts());
            let tree = &searcher.tree;
            let root = tree.node(tree.find(Position::hirate().key()).unwrap());
            assert_eq!(u64::from(root.visits()), visits);
        }
    }
}

#[test]
fn reports_are_made_while_other_threads_go_on() {
    let mut options = MonteCarloOptions::modern();
    // All moves are visited about equally often, so that their order changes all the time.
    options.bandit = Bandit::Ucb1 { c: 5.0 };
    options.search = SearchOptions { hash_mib: 64, threads: 4, ..SearchOptions::default() };
    let mut searcher = MonteCarlo::new(Material, options);
    let sfen = "l2k2gn1/3s4l/p1+rp1p1pp/5sp2/9/5P3/P2P+r1PPP/1K2b+sSGL/L6N1 w Gbg2n6p 108";
    let position = Position::from_sfen(sfen).unwrap();
    let mut reports = 0;
    searcher.search(&position, &Budget::nodes(60_000), &mut |analysis| {
        assert!(analysis.best_move().is_some());
        reports += 1;
    });
    assert!(reports > 3);
}

#[test]
fn a_small_memory_is_recycled() {
    let mut options = MonteCarloOptions::modern();
    options.search.hash_mib = 2;
    options.playouts = Some(60_000);
    let mut searcher = MonteCarlo::new(Material, options);
    let analysis = searcher.search(&Position::hirate(), &Budget::unlimited(), &mut |_| {});
    assert!(analysis.best_move().is_some());
    assert_eq!(searcher.playouts(), 60_000);
}

#[test]
fn one_sweep_with_minimax_is_a_search_of_one_ply() {
    let evaluator = Scaled::new(Classical::default());
    for bench in positions::bench() {
        let position = Position::from_sfen(bench.sfen).unwrap();
        let moves = position.legal_moves();
        let mut options = MonteCarloOptions::modern();
        options.backup = Backup::ImplicitMinimax { a: 1.0 };
        options.unvisited = Unvisited::First;
        options.leaf = Leaf::Playout(Playout {
            moves: PlayoutMoves::Uniform,
            plies: Some(0),
            judge: Judge::Rate,
            learning: PlayoutLearning::Both,
        });
        options.proofs = false;
        options.playouts = Some(moves.len() as u64);
        let mut searcher = MonteCarlo::new(Classical::default(), options);
        searcher.search(&position, &Budget::unlimited(), &mut |_| {});
        let expected = moves.into_iter().map(|m| {
            let value = -evaluator.evaluate_position(&position.after(m));
            1.0 / (1.0 + (-value as f32 / 600.0).exp())
        });
        let expected = expected.max_by(f32::total_cmp).unwrap();
        let best = searcher.root_moves().iter().map(|m| m.rate).max_by(f32::total_cmp).unwrap();
        assert!((best - expected).abs() < 1e-5, "{}: {best} {expected}", bench.name);
        assert!(searcher.root_moves().iter().all(|m| m.visits == 1), "{}", bench.name);
    }
}

/// Returns the expected result of the side to move by minimax over all lines of this length.
fn minimax(position: &Position, plies: u32) -> f32 {
    if plies == 0 {
        let value = Scaled::new(Classical::default()).evaluate_position(position);
        return 1.0 / (1.0 + (-value as f32 / 600.0).exp());
    }
    let moves = position.legal_moves().into_iter();
    moves.map(|m| 1.0 - minimax(&position.after(m), plies - 1)).max_by(f32::total_cmp).unwrap()
}

#[test]
fn a_tree_of_a_few_plies_that_is_visited_in_full_has_the_minimax_value() {
    for (sfen, plies) in [
        ("4k4/9/9/9/9/9/9/4G4/4K4 b - 1", 3),
        ("4k4/9/4r4/9/9/9/9/4G4/4KL3 b - 1", 2),
        ("3gk4/9/9/9/4N4/9/9/9/4K3L w - 1", 3),
    ] {
        let position = Position::from_sfen(sfen).unwrap();
        let mut options = MonteCarloOptions::modern();
        options.backup = Backup::ImplicitMinimax { a: 1.0 };
        options.unvisited = Unvisited::First;
        // All moves are tried again and again.
        options.bandit = Bandit::Ucb1 { c: 10.0 };
        options.tree_plies = Some(plies);
        options.leaf = Leaf::Playout(Playout {
            moves: PlayoutMoves::Uniform,
            plies: Some(0),
            judge: Judge::Rate,
            learning: PlayoutLearning::Both,
        });
        options.proofs = false;
        options.playouts = Some(50_000);
        let mut searcher = MonteCarlo::new(Classical::default(), options);
        searcher.search(&position, &Budget::unlimited(), &mut |_| {});
        let rates = searcher.root_moves().iter().map(|m| m.rate);
        let best = rates.max_by(f32::total_cmp).unwrap();
        let expected = minimax(&position, plies);
        assert!((best - expected).abs() < 1e-5, "{sfen}: {best} {expected}");
    }
}

#[test]
fn a_choice_of_moves_holds_after_a_search_of_all_moves_and_not_longer() {
    let mut options = MonteCarloOptions::modern();
    options.playouts = Some(300);
    let mut searcher = MonteCarlo::new(Material, options);
    let (position, budget) = (Position::hirate(), Budget::unlimited());
    let chosen: [Move; 2] = ["9g9f".parse().unwrap(), "1g1f".parse().unwrap()];
    searcher.search(&position, &budget, &mut |_| {});
    let request = SearchRequest { among: Some(&chosen), ..SearchRequest::new(&position, &budget) };
    let analysis = searcher.run(&request, &mut |_| {});
    assert!(chosen.contains(&analysis.best_move().unwrap()));
    assert_eq!(searcher.root_moves().len(), 2);
    searcher.search(&position, &budget, &mut |_| {});
    assert_eq!(searcher.root_moves().len(), 30);
}

#[test]
fn every_move_of_the_root_gets_a_result_first_in_the_search_of_the_source() {
    let position = Position::hirate();
    let count = position.legal_moves().len() as u64;
    let (_, moves) = search(MonteCarloOptions::ym2012(), positions::STARTPOS, count);
    assert!(moves.iter().all(|m| m.visits == 1), "{moves:?}");
    let mut options = MonteCarloOptions::ym2012();
    options.root_unvisited = None;
    let (_, moves) = search(options, positions::STARTPOS, count);
    assert!(moves.iter().any(|m| m.visits == 0), "{moves:?}");
}

/// Returns the visits of the replies to a move, with a bonus for the best move of a table.
fn visits_of_replies(table: &Arc<TranspositionTable>, bonus: f32, m: Move) -> Vec<(Move, u32)> {
    let mut options = MonteCarloOptions::ym2012();
    (options.hash_move_bonus, options.playouts, options.search.hash_mib) = (bonus, Some(600), 16);
    let mut searcher = MonteCarlo::new(Classical::default(), options);
    searcher.set_advice(Some(Arc::clone(table)));
    searcher.search(&Position::hirate(), &Budget::unlimited(), &mut |_| {});
    let tree = &searcher.tree;
    let node = tree.node(tree.find(Position::hirate().after(m).key()).unwrap());
    tree.edges_of(node).unwrap().iter().map(|edge| (edge.m(), edge.visits())).collect()
}

#[test]
fn the_bonus_counts_at_the_second_node_too() {
    let m: Move = "2g2f".parse().unwrap();
    let reply: Move = "9a9b".parse().unwrap();
    let after = Position::hirate().after(m);
    let table = Arc::new(TranspositionTable::new(1));
    let entry = crate::Entry {
        best: Some(reply),
        score: Score::ZERO,
        static_score: None,
        depth: 8,
        bound: komadai_core::Bound::Exact,
        pv: true,
    };
    table.store(after.key(), entry);
    let of = |bonus| -> u32 {
        let visits = visits_of_replies(&table, bonus, m);
        visits.iter().find(|(other, _)| *other == reply).unwrap().1
    };
    let (without, with) = (of(0.0), of(0.1));
    assert!(with > without, "{with} with the bonus, {without} without");
    let empty = Arc::new(TranspositionTable::new(1));
    let differ = |table| visits_of_replies(table, 0.0, m) != visits_of_replies(table, 0.1, m);
    assert!(differ(&table) && !differ(&empty), "only the table's move gets the bonus");
}

#[test]
fn the_branches_of_a_tree_start_with_the_most_visited_and_follow_their_moves() {
    let mut options = MonteCarloOptions::modern();
    options.playouts = Some(2_000);
    options.search.hash_mib = 32;
    let mut searcher = MonteCarlo::new(Classical::default(), options);
    assert_eq!(searcher.branches(10), []);
    searcher.search(&Position::hirate(), &Budget::unlimited(), &mut |_| {});
    let branches = searcher.branches(100);
    assert_eq!(branches.len(), 100);
    let most = searcher.root_moves().iter().max_by_key(|m| m.visits).unwrap();
    assert_eq!((branches[0].parent, branches[0].found), (None, *most));
    for (index, branch) in branches.iter().enumerate() {
        let mut line = vec![branch.found.m];
        let mut parent = branch.parent;
        while let Some(before) = parent {
            assert!(before < index);
            line.push(branches[before].found.m);
            parent = branches[before].parent;
        }
        assert_eq!(line.len(), branch.plies);
        let mut position = Position::hirate();
        for &m in line.iter().rev() {
            assert!(position.is_legal(m));
            position.do_move(m);
        }
    }
}
