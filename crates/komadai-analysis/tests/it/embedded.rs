//! The embedded player in matches.

use std::error::Error;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use komadai_analysis::EmbeddedContestant;
use komadai_core::{Color, Move};
use komadai_engine::{EvaluationError, PlayerError, Settings};
use komadai_match::{
    Contestant, ContestantFactory, Ending, Match, MatchError, MatchGame, Opening, PlayedMove,
    Rules, TimeControl, Verdict,
};

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

type Made = Result<Box<dyn Contestant>, Box<dyn Error + Send + Sync>>;

fn short_match(games: usize) -> Match {
    let texts = ["startpos", "startpos moves 7g7f 3c3d", "startpos moves 2g2f"];
    Match {
        openings: texts.map(|text| Opening::from_usi(text).expect("an opening")).to_vec(),
        games,
        random_plies: 2,
        controls: [TimeControl::nodes(1), TimeControl::nodes(1)],
        rules: Rules { max_plies: 150, ..Rules::default() },
        seed: 5,
    }
}

/// Plays a match on `threads` threads and returns its games, sorted by number.
fn run(
    plan: &Match,
    players: [&ContestantFactory<'_>; 2],
    threads: usize,
) -> (Result<(), MatchError>, Vec<MatchGame>) {
    let (mut games, stop) = (Vec::new(), Arc::new(AtomicBool::new(false)));
    let threads = NonZero::new(threads).expect("at least one thread");
    let result = plan.run(players, threads, &|_| false, &stop, &mut |game| {
        games.push(game);
        ControlFlow::Continue(())
    });
    games.sort_by_key(|game| game.number);
    (result, games)
}

/// All that a game shows but its times.
type Timeless = (Vec<(Move, Option<i32>, u64, u32, Option<bool>)>, Verdict);

fn timeless(games: &[MatchGame]) -> Vec<Timeless> {
    let moves = |game: &MatchGame| {
        let moves = game.game.moves.iter();
        moves
            .map(|made| (made.m, made.score, made.nodes, made.depth, made.ponder_hit))
            .collect::<Vec<_>>()
    };
    games.iter().map(|game| (moves(game), game.game.verdict)).collect()
}

/// The moves of the first player or of the second.
fn moves_of(game: &MatchGame, is_first: bool) -> impl Iterator<Item = &PlayedMove> {
    let starts =
        if game.game.opening.moves.len().is_multiple_of(2) { Color::Black } else { Color::White };
    let skipped = usize::from((starts == game.first) != is_first);
    game.game.moves.iter().skip(skipped).step_by(2)
}

fn embedded(mate_nodes: u64) -> impl Fn() -> Made + Sync {
    let mut settings = Settings::default();
    (settings.hash_mib, settings.mate_hash_mib, settings.mate_nodes) = (1, 1, mate_nodes);
    move || Ok(Box::new(EmbeddedContestant::new(settings.clone())?) as Box<dyn Contestant>)
}

#[test]
fn embedded_players_keep_to_their_nodes_and_repeat_their_games() {
    let (with_mate, without) = (embedded(20_000), embedded(0));
    let controls = [TimeControl::nodes(600), TimeControl::nodes(300)];
    let plan = Match { controls, ..short_match(6) };
    let (result, games) = run(&plan, [&with_mate, &without], 1);
    assert_eq!(result, Ok(()));
    for game in &games {
        for (is_first, most) in [(true, 600), (false, 300)] {
            for made in moves_of(game, is_first) {
                // A search of depth 1 is finished even beyond its budget.
                assert!(made.nodes <= most || made.depth == 1, "{made:?}");
                assert!(made.depth > 0);
            }
        }
        assert!(matches!(
            game.game.verdict.ending,
            Ending::Checkmate | Ending::MaxMoves | Ending::Repetition
        ));
    }
    let (_, again) = run(&plan, [&with_mate, &without], 2);
    assert_eq!(timeless(&games), timeless(&again));
}

#[test]
fn embedded_players_ponder_with_the_nodes_of_a_turn() {
    let methods: [fn(&mut Settings); 3] = [
        |_| {},
        |settings| settings.stochastic_ponder = true,
        |settings| settings.multi_ponder = 3,
    ];
    let alone = embedded(0);
    let mut of_methods = Vec::new();
    for method in methods {
        let mut settings = Settings { ponders: true, ..Settings::default() };
        (settings.hash_mib, settings.mate_hash_mib, settings.mate_nodes) = (1, 1, 0);
        method(&mut settings);
        let ponders = move || -> Made { Ok(Box::new(EmbeddedContestant::new(settings.clone())?)) };
        let controls = [TimeControl::nodes(2_000), TimeControl::nodes(500)];
        let plan = Match { controls, ..short_match(4) };
        let (result, games) = run(&plan, [&ponders, &alone], 1);
        assert_eq!(result, Ok(()));
        let (_, again) = run(&plan, [&ponders, &alone], 2);
        assert_eq!(timeless(&games), timeless(&again), "it is repeatable");
        let is_first = |made: &&PlayedMove| made.ponder_hit == Some(true);
        let hits = games.iter().flat_map(|game| moves_of(game, true)).filter(is_first);
        let most = hits.map(|made| made.nodes).max();
        // The search of the expected position goes on; another one begins anew.
        let is_one = of_methods.is_empty();
        let expected = if is_one { 3_000..=4_000 } else { 1_000..=2_000 };
        assert!(most.is_some_and(|most| expected.contains(&most)), "{most:?}");
        assert!(games.iter().all(|game| moves_of(game, false).all(|m| m.ponder_hit.is_none())));
        of_methods.push(timeless(&games));
    }
    assert!(of_methods.windows(2).all(|two| two[0] != two[1]));
    // Under a clock it does not ponder.
    let ponders = || -> Made {
        let settings = Settings { ponders: true, hash_mib: 1, ..Settings::default() };
        Ok(Box::new(EmbeddedContestant::new(settings)?))
    };
    let fixed = TimeControl { move_time: Some(ms(10)), ..TimeControl::nodes(500) };
    let rules = Rules { max_plies: 10, margin: ms(2_000), ..Rules::default() };
    let plan = Match { controls: [fixed.clone(), fixed], rules, ..short_match(2) };
    let (_, games) = run(&plan, [&ponders, &ponders], 1);
    let moves = || games.iter().flat_map(|game| &game.game.moves);
    assert!(moves().count() > 10 && moves().all(|made| made.ponder_hit.is_none()));
}

#[test]
fn embedded_players_keep_to_their_clocks() {
    let player = embedded(0);
    let clock = TimeControl { main: ms(300), increment: ms(5), ..TimeControl::default() };
    let fixed = TimeControl { move_time: Some(ms(10)), ..TimeControl::default() };
    let rules = Rules { max_plies: 30, margin: ms(2_000), ..Rules::default() };
    let plan = Match { controls: [clock, fixed], rules, ..short_match(2) };
    let (result, games) = run(&plan, [&player, &player], 1);
    assert_eq!(result, Ok(()));
    assert!(games.iter().all(|game| game.game.verdict.ending == Ending::MaxMoves), "{games:?}");
}

#[test]
fn an_interrupt_reaches_a_player_that_thinks() {
    let player = embedded(0);
    let plan =
        Match { controls: [TimeControl::nodes(u64::MAX), TimeControl::nodes(1)], ..short_match(2) };
    let stop = Arc::new(AtomicBool::new(false));
    let games = Mutex::new(0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let count = &mut |_| {
                *games.lock().unwrap() += 1;
                ControlFlow::Continue(())
            };
            plan.run([&player, &player], NonZero::<usize>::MIN, &|_| false, &stop, count)
        });
        // The match ends at any time after the flag is set.
        stop.store(true, Ordering::Relaxed);
    });
    assert_eq!(*games.lock().unwrap(), 0);
}

#[test]
fn a_match_does_not_begin_without_its_evaluation() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut settings = Settings::default();
    (settings.hash_mib, settings.mate_hash_mib) = (1, 1);
    settings.eval_file = Some(folder.path().join("missing.bin"));
    let error = EmbeddedContestant::new(settings.clone()).expect_err("there is no file");
    assert!(matches!(error, PlayerError::Evaluation(EvaluationError::Open { .. })), "{error}");

    let openings = vec![Opening::from_usi("startpos").expect("an opening")];
    let control = TimeControl::nodes(10);
    let game = Match {
        openings,
        games: 2,
        random_plies: 0,
        controls: [control.clone(), control],
        rules: Rules::default(),
        seed: 1,
    };
    let mut good = settings.clone();
    good.eval_file = None;
    let start =
        |settings: &Settings| -> Made { Ok(Box::new(EmbeddedContestant::new(settings.clone())?)) };
    let mut games = 0;
    let played = game.run(
        [&|| start(&good), &|| start(&settings)],
        NonZero::<usize>::MIN,
        &|_| false,
        &Arc::default(),
        &mut |_| {
            games += 1;
            ControlFlow::Continue(())
        },
    );
    let Err(MatchError::Start { player: 1, reason }) = played else { panic!("{played:?}") };
    assert!(reason.contains("missing.bin"), "{reason}");
    assert_eq!(games, 0);
}
