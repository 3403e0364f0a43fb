//! Self-play games follow the rules, and from their seeds.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use komadai_core::{Color, Position};
use komadai_data::{SelfPlayEnd, SelfPlayGame, SelfPlayOptions, SelfPlayer, StartKind, generate};
use komadai_eval::Material;
use komadai_movegen::MoveGen as _;

fn options(nodes: u64) -> SelfPlayOptions {
    SelfPlayOptions { nodes, ..SelfPlayOptions::default() }
}

fn games(options: &SelfPlayOptions, count: u64) -> Vec<SelfPlayGame> {
    let mut player = SelfPlayer::new(Material, options.clone());
    (0..count).filter_map(|seed| player.play(seed, &AtomicBool::new(false))).collect()
}

#[test]
fn positions_are_of_one_game_and_best_moves_are_legal() {
    let mut ends = std::collections::BTreeSet::new();
    for game in games(&options(100), 40) {
        ends.insert(game.end);
        assert!(!game.positions.is_empty());
        for pair in game.positions.windows(2) {
            assert_eq!(pair[0].ply + 1, pair[1].ply);
            assert_eq!(pair[0].side, !pair[1].side);
        }
        for found in &game.positions {
            let setup = found.position.to_setup().unwrap();
            assert_eq!(setup.side, found.side);
            let position = Position::from_setup(&setup).unwrap();
            assert!(position.legal_moves().contains(&found.best_move), "{position}");
            assert!((-32_000..=32_000).contains(&found.score));
        }
    }
    assert!(ends.len() >= 3, "{ends:?}");
}

#[test]
fn the_winner_follows_from_the_end() {
    for game in games(&options(200), 60) {
        let last = game.positions.last().unwrap();
        match game.end {
            SelfPlayEnd::Repetition | SelfPlayEnd::MaxPlies => assert_eq!(game.winner, None),
            SelfPlayEnd::Adjudication => {
                let leads = if last.score > 0 { last.side } else { !last.side };
                assert_eq!(game.winner, Some(leads));
                assert!(last.score.unsigned_abs() >= 3_000);
            }
            // The winner has made the last move.
            SelfPlayEnd::Checkmate => assert_eq!(game.winner, Some(last.side)),
            _ => assert!(game.winner.is_some()),
        }
    }
}

#[test]
fn a_game_follows_from_its_seed_and_games_differ() {
    let options = options(60);
    let first = games(&options, 6);
    assert_eq!(first, games(&options, 6));
    let mut player = SelfPlayer::new(Material, options);
    let again = player.play(4, &AtomicBool::new(false)).unwrap();
    assert_eq!(again, first[4], "the games before do not count");
    assert!((1..6).all(|index| first[index].positions != first[0].positions));
}

#[test]
fn lopsided_starts_are_discarded() {
    for game in games(&options(300), 30) {
        let first = &game.positions[0];
        if game.start != StartKind::Handicap {
            assert!(first.score.abs() <= 500, "{first:?}");
        }
    }
}

#[test]
fn long_games_are_draws() {
    let mut options = options(60);
    options.max_plies = 40;
    options.special_percent = 0;
    let games = games(&options, 10);
    assert!(games.iter().any(|game| game.end == SelfPlayEnd::MaxPlies && game.winner.is_none()));
    assert!(games.iter().all(|game| game.positions.iter().all(|found| found.ply < 40)));
}

#[test]
fn a_set_flag_ends_a_game_without_a_result() {
    let mut player = SelfPlayer::new(Material, options(60));
    assert_eq!(player.play(1, &AtomicBool::new(true)), None);
}

#[test]
fn games_come_in_the_order_of_their_numbers_from_any_number_of_threads() {
    let options = options(60);
    let alone = games(&options, 9);
    for (threads, count, wanted) in [(1, 9, 9), (3, 9, 9), (4, 1_000, 6), (20, 9, 9)] {
        let (threads, stop) = (NonZero::new(threads).unwrap(), AtomicBool::new(false));
        let seed = |game| (game < count).then_some(game);
        let mut played = Vec::new();
        generate(&Material, &options, threads, &seed, &stop, &mut |game| {
            played.push(game);
            let is_enough = played.len() == wanted;
            Ok::<_, ()>(if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })
        .unwrap();
        assert_eq!(played, alone[..wanted]);
    }
}

#[test]
fn games_that_have_ended_are_kept_after_a_stop() {
    let options = options(60);
    let (threads, stop) = (NonZero::new(3).unwrap(), AtomicBool::new(false));
    let mut played = 0;
    generate(&Material, &options, threads, &Some, &stop, &mut |_| {
        played += 1;
        stop.fetch_or(played == 4, Ordering::Relaxed);
        Ok::<_, ()>(ControlFlow::Continue(()))
    })
    .unwrap();
    assert!(played >= 4);
    let refused =
        generate(&Material, &options, threads, &Some, &AtomicBool::new(false), &mut |_| {
            Err::<ControlFlow<()>, _>("full")
        });
    assert_eq!(refused, Err("full"));
}

#[test]
fn both_colours_win() {
    let games = games(&options(300), 40);
    let wins = |color| games.iter().filter(|game| game.winner == Some(color)).count();
    assert!(wins(Color::Black) > 3 && wins(Color::White) > 3, "{games:?}");
}
