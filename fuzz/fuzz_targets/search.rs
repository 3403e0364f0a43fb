//! Under any settings and in any position, a search keeps its budget and returns legal lines, best
//! first.

#![no_main]

use core::cmp::Reverse;
use std::time::Duration;

use komadai_core::{Analysis, Budget, Position, Score};
use komadai_eval::Classical;
use komadai_fuzz::{Choices, choose, pairs, start};
use komadai_movegen::{DeclarationRule, MateSolver, MaxMoves, MoveGen, MoveList, generate_useful};
use komadai_search::{AlphaBeta, Parameters, Quiescence, SearchOptions, Searcher, Techniques};
use komadai_tsume::{DfPn, DfPnOptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((settings, game)) = data.split_at_checked(64) else { return };
    let mut choices = Choices::new(settings);
    let (mut position, moves) = start(game);
    for choice in pairs(moves).take(60) {
        let Some(m) = choose(&position, choice) else { break };
        position.do_move(m);
    }
    let options = options(&mut choices, &position);
    let nodes = u64::from(choices.u16() % 301);
    let mut searcher = AlphaBeta::new(Classical::default(), options.clone());
    let run = |searcher: &mut AlphaBeta<Classical>| {
        // A solver of its own: one that knows earlier results would find other mates.
        let solver: Box<dyn MateSolver + Send> =
            Box::new(DfPn::new(DfPnOptions { hash_mib: 1, ..DfPnOptions::default() }));
        searcher.set_mate_solver(Some(solver));
        let mut reports = Vec::new();
        let budget = Budget::nodes(nodes);
        let last = searcher.search(&position, &budget, &mut |found| reports.push(found.clone()));
        // The first iteration is always finished.
        assert!(last.nodes <= nodes || last.depth <= 1, "{} of {nodes} nodes", last.nodes);
        for analysis in &reports {
            assert!(analysis.lines.iter().all(|line| line.depth == analysis.depth));
        }
        reports.push(last);
        for analysis in &mut reports {
            check(analysis, &position, &options);
            analysis.time = Duration::ZERO;
        }
        reports
    };
    let first = run(&mut searcher);
    if choices.u8() % 4 == 0 {
        searcher.new_game();
        assert_eq!(run(&mut searcher), first, "a second search differs");
    }
});

/// The settings that the bytes choose.
fn options(choices: &mut Choices<'_>, position: &Position) -> SearchOptions {
    let techniques = Techniques::from_bits_truncate(choices.u64());
    let techniques = match choices.u8() % 4 {
        0 => techniques,
        1 => techniques & Techniques::SOUND,
        2 => Techniques::default() ^ (techniques & Techniques::OPTIONAL),
        _ => Techniques::default(),
    };
    let multi_pv = match choices.u8() {
        u8::MAX => usize::MAX,
        few => usize::from(few % 12),
    };
    let draw_value = match choices.u8() % 4 {
        0 => i32::from_le_bytes(choices.take()),
        1 => i32::from(choices.u16()) - 32_768,
        _ => 0,
    };
    let max_moves = match choices.u8() {
        few @ ..64 => MaxMoves::new((position.ply() + u32::from(few)).saturating_sub(4)),
        64..96 => MaxMoves::new(u32::from_le_bytes(choices.take())),
        _ => None,
    };
    let quiescence = Quiescence::NAMES[usize::from(choices.u8()) % Quiescence::NAMES.len()];
    let mut parameters = Parameters::default();
    for _ in 0..choices.u8() % 8 {
        let parameter = &Parameters::ALL[usize::from(choices.u8()) % Parameters::ALL.len()];
        let range = i64::from(parameter.max) - i64::from(parameter.min);
        let value = i64::from(parameter.min) + range * i64::from(choices.u8()) / 255;
        parameters.set(parameter.name, value as i32);
    }
    let rule = usize::from(choices.u8()) % DeclarationRule::ALL.len();
    SearchOptions {
        hash_mib: usize::from(choices.u8() % 2),
        techniques,
        multi_pv,
        draw_value,
        max_moves,
        quiescence: quiescence.parse().expect("a name"),
        parameters,
        declaration: DeclarationRule::ALL[rule],
        ..SearchOptions::default()
    }
}

fn check(analysis: &Analysis, position: &Position, options: &SearchOptions) {
    let lines = &analysis.lines;
    let mut moves = MoveList::new();
    generate_useful(position, &mut moves);
    if moves.is_empty() {
        assert!(lines.is_empty() && analysis.completed);
        return;
    }
    if position.declaration(options.declaration).wins() {
        let [line] = &lines[..] else { panic!("{} lines of a declaration", lines.len()) };
        assert!(line.pv.is_empty() && line.score == Score::cp(Score::MAX_CP));
        return;
    }
    assert_eq!(lines.len(), options.multi_pv.clamp(1, moves.len()));
    // Lines of an unfinished iteration are a ply deeper, and first.
    let depths = analysis.depth..=analysis.depth + 1;
    assert!(lines.iter().all(|line| depths.contains(&line.depth)), "{lines:?}");
    assert!(lines.is_sorted_by_key(|line| Reverse((line.depth, line.score))), "{lines:?}");
    for (index, line) in lines.iter().enumerate() {
        let first = line.pv.first().expect("a line has a move");
        assert!(lines[..index].iter().all(|better| better.pv.first() != Some(first)));
        assert!(line.score.raw().abs() <= 32_000, "{}", line.score);
        let mut position = position.clone();
        for &m in line.pv.iter() {
            assert!(position.is_legal(m), "{m} of {:?}", line.pv);
            position.do_move(m);
        }
    }
}
