use komadai_core::SplitMix64;
use komadai_tsume::is_mating_line;

use super::*;
use crate::tests::random_positions::{random_composition, random_hunt};

/// All helpmates of exactly `plies` plies by plain recursion over legal moves.
fn brute_force(
    position: &mut Position,
    plies: usize,
    line: &mut Vec<Move>,
    all: &mut Vec<Vec<Move>>,
) {
    let attacks = plies % 2 == 1;
    for m in &position.legal_moves() {
        position.do_move(m);
        line.push(m);
        if plies == 1 && position.is_checkmate() {
            all.push(line.clone());
        } else if plies > 1 && (!attacks || position.in_check()) {
            brute_force(position, plies - 1, line, all);
        }
        line.pop();
        position.undo_move();
    }
}

fn sorted(mut lines: Vec<Vec<Move>>) -> Vec<Vec<Move>> {
    lines.sort_by_key(|line| line.iter().map(|m| m.to_bits()).collect::<Vec<_>>());
    lines
}

fn is_unique(result: &HelpmateResult) -> bool {
    matches!(result, HelpmateResult::Mate { solutions: 1, .. })
}

#[test]
fn all_solutions_are_those_of_a_plain_search() {
    let options = HelpmateOptions { plies: 5, max_lines: usize::MAX };
    let mut by_plies = [0; 6];
    let mut unique = 0;
    let mut equal_order = 0;
    for seed in 0..600 {
        let mut random = SplitMix64::new(seed);
        let position = match seed % 2 {
            0 => random_composition(&mut random),
            _ => random_hunt(&mut random),
        };
        let Some(position) = position else { continue };
        let report = search(&position, options, &Budget::nodes(20_000));
        let (plies, solutions, lines) = match &report.result {
            HelpmateResult::Mate { plies, solutions, lines } => (*plies, *solutions, lines.clone()),
            HelpmateResult::NoneWithin { plies } => (*plies, 0, Vec::new()),
        };
        for shorter in (1..=plies).step_by(2) {
            let mut all = Vec::new();
            brute_force(&mut position.clone(), shorter as usize, &mut Vec::new(), &mut all);
            if shorter < plies || solutions == 0 {
                assert!(all.is_empty(), "{position} {all:?}");
                continue;
            }
            assert_eq!(all.len() as u64, solutions, "{position}");
            equal_order += u32::from(solutions > 1);
            let lines = lines.iter().map(|line| line.to_vec()).collect();
            assert_eq!(sorted(lines), sorted(all), "{position}");
            unique += u32::from(is_unique(&report.result));
        }
        by_plies[if solutions > 0 { plies } else { 0 } as usize] += 1;
    }
    assert!(by_plies.iter().skip(1).step_by(2).all(|&count| count > 5), "{by_plies:?}");
    assert!(unique > 5 && equal_order > 5, "{unique} {equal_order}");
}

#[test]
fn a_forced_mate_is_a_helpmate_that_may_be_longer_than_the_shortest() {
    let position = Position::from_sfen("7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1").unwrap();
    let report = search(&position, HelpmateOptions::default(), &Budget::nodes(500_000));
    let HelpmateResult::Mate { plies, lines, .. } = report.result else { panic!("{report:?}") };
    assert!(plies < 15, "the defender resists for 15 plies");
    assert!(lines.iter().all(|line| is_mating_line(&position, line)));
}

#[test]
fn the_last_move_may_not_be_a_pawn_drop() {
    let solutions = |sfen| {
        let position = Position::from_sfen(sfen).unwrap();
        search(
            &position,
            HelpmateOptions { plies: 1, ..HelpmateOptions::default() },
            &Budget::unlimited(),
        )
        .result
    };
    assert_eq!(solutions("7nk/9/8G/9/9/9/9/9/9 b P 1"), HelpmateResult::NoneWithin { plies: 1 });
    let lance = solutions("7nk/9/8G/9/9/9/9/9/9 b L 1");
    assert!(is_unique(&lance), "{lance:?}");
}

#[test]
fn a_spent_budget_claims_only_the_lengths_that_were_completed() {
    let position = Position::from_sfen("9/9/9/9/4k4/9/9/9/9 b 2G2S 1").unwrap();
    let options = HelpmateOptions { plies: 7, ..HelpmateOptions::default() };
    let full = search(&position, options, &Budget::unlimited());
    let HelpmateResult::Mate { plies: shortest, .. } = full.result else { panic!("{full:?}") };
    for nodes in [0, 1, 2, 10, 100, full.nodes / 2] {
        let report = search(&position, options, &Budget::nodes(nodes));
        assert!(report.nodes <= nodes.max(1), "{report:?}");
        let HelpmateResult::NoneWithin { plies } = report.result else { panic!("{report:?}") };
        assert!(plies < shortest, "{report:?}");
        assert_eq!(report.limit, Some(MateLimit::Nodes));
    }
    let shallow = search(&position, options, &Budget::depth(shortest - 1));
    assert_eq!(shallow.limit, Some(MateLimit::Depth), "{shallow:?}");
}
