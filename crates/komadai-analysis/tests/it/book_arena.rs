//! Games of a side with a book: with scripted players, and with engine processes that fail.
//!
//! The processes are this test program, started again, as in `usi_analyst.rs`.

use std::io::{BufRead, stdin};
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use komadai_analysis::{ArenaPlayer, BookArena};
use komadai_book::arena::{
    Arena, ArenaError, BookChoice, Contender, FaultyGame, MatchOrder, MatchReport, PlayedBefore,
};
use komadai_book::games::{GameResults, GameWalk, PlayableMove};
use komadai_bookfile::BookRecord;
use komadai_bookgraph::{BookGame, BookGraph};
use komadai_core::{Color, Move, Position, Score, SplitMix64, UsiPosition};
use komadai_engine::Settings;
use komadai_match::{
    Contestant, ContestantFault, FaultKind, Opening, Reply, Rules, TimeControl, Turn,
};
use komadai_movegen::{MoveGen, play};
use komadai_testdata::programs::{play_engine, say};
use komadai_usi::{BestMove, EngineConfig};

const BEHAVIOUR: &str = "KOMADAI_FAKE_PLAYER";

#[test]
fn fake_engine() {
    play_engine(BEHAVIOUR, fake);
}

/// Plays by [`dice`], and fails once the game has eight moves.
fn fake(behaviour: &str) {
    let mut position = Position::hirate();
    let mut moves_made = 0;
    for line in stdin().lock().lines().map_while(Result::ok) {
        match line.split(' ').next().unwrap_or_default() {
            "usi" => say("id name Fake 1.0\nusiok"),
            "isready" => say("readyok"),
            "position" => {
                let game = UsiPosition::from_usi(&line["position ".len()..]).expect("a position");
                moves_made = game.moves.len();
                position = play(&game).expect("a legal game");
            }
            "go" if moves_made < 8 => say(&format!("bestmove {}", dice(&position))),
            "go" => match behaviour {
                "crashes" => std::process::exit(3),
                "cheats" => say("bestmove 5a5a+\nbestmove 1a1b"),
                "jumps" => say("bestmove 5e5d"),
                "hangs" => {}
                "resigns" => say("bestmove resign"),
                _ => say(&format!("bestmove {}", dice(&position))),
            },
            "stop" if behaviour != "hangs" => say("bestmove resign"),
            "quit" => return,
            _ => {}
        }
    }
}

/// Returns a move that depends on the position only and looks random.
fn dice(position: &Position) -> Move {
    let moves = position.legal_moves();
    moves[SplitMix64::new(position.key()).below(moves.len() as u64) as usize]
}

/// A player that plays by [`dice`] up to a number of moves and then follows its script.
#[derive(Debug, Clone, Copy)]
struct Dice {
    until: usize,
    then: Then,
}

#[derive(Debug, Clone, Copy)]
enum Then {
    Resign,
    Crash,
    Dawdle,
}

impl Contestant for Dice {
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Reply, ContestantFault> {
        let mut elapsed = Duration::from_millis(7);
        let mut best = BestMove::Move { best: dice(turn.position), ponder: None };
        if turn.game.moves.len() >= self.until {
            match self.then {
                Then::Resign => best = BestMove::Resign,
                Then::Crash => return Err(ContestantFault::new(FaultKind::Crash, "out of tea")),
                Then::Dawdle => elapsed = Duration::from_secs(5),
            }
        }
        Ok(Reply { score: Some(-3), ..Reply::new(best, elapsed) })
    }
}

fn player(name: &str, until: usize, then: Then) -> ArenaPlayer<'static> {
    let make = move || Ok(Box::new(Dice { until, then }) as Box<_>);
    ArenaPlayer::new(name, Box::new(make), TimeControl::nodes(1))
}

fn absent(name: &str) -> ArenaPlayer<'static> {
    ArenaPlayer::new(name, Box::new(|| Err("no such engine".into())), TimeControl::nodes(1))
}

const SOUND: Then = Then::Resign;

/// Returns a book with the first moves of some games of [`dice`].
fn book() -> BookGraph {
    let (mut records, start) = (Vec::new(), Position::hirate());
    for m in ["2g2f", "7g7f", "5g5f"] {
        let m = m.parse().unwrap();
        records.push(BookRecord::with_moves(start.clone(), [m]));
        let mut position = start.after(m);
        for _ in 0..6 {
            let m = dice(&position);
            records.push(BookRecord::with_moves(position.clone(), [m]));
            position = position.after(m);
        }
    }
    BookGraph::from_records(records).unwrap()
}

fn order(games: u32) -> MatchOrder {
    MatchOrder { games, generation: 3, choice: BookChoice::default(), seed: 5 }
}

/// Plays an order and returns all reports.
fn hear(
    arena: &mut BookArena<'_>,
    order: &MatchOrder,
    book: &BookGraph,
) -> (Result<(), ArenaError>, Vec<MatchReport>) {
    let mut reports = Vec::new();
    let result = arena.play(order, book, &mut |report| {
        reports.push(report);
        ControlFlow::Continue(())
    });
    (result, reports)
}

fn played(reports: &[MatchReport]) -> Vec<BookGame> {
    let games = reports.iter().filter_map(|report| match report {
        MatchReport::Played(game) => Some(BookGame { when: 0, ..game.clone() }),
        _ => None,
    });
    games.collect()
}

fn faulty(reports: &[MatchReport]) -> Vec<&FaultyGame> {
    let games = reports.iter().filter_map(|report| match report {
        MatchReport::Faulty(game) => Some(game),
        _ => None,
    });
    games.collect()
}

#[test]
fn the_arena_plays_from_the_book_and_says_where_it_ended() {
    let book = book();
    let opponents = vec![player("one", 30, SOUND), player("two", 31, SOUND)];
    let mut arena = BookArena::new(player("ours", 99, SOUND), opponents);
    let (result, reports) = hear(&mut arena, &order(12), &book);
    assert_eq!(result, Ok(()));
    let games = played(&reports);
    assert_eq!((games.len(), reports.len()), (12, 12));
    let of = |opponent: &str, side| {
        let is_of = |game: &&BookGame| game.opponent == opponent && game.book_side == side;
        games.iter().filter(is_of).count()
    };
    for opponent in ["one", "two"] {
        assert_eq!((of(opponent, Color::Black), of(opponent, Color::White)), (3, 3));
    }
    let mut firsts: Vec<String> = Vec::new();
    for game in &games {
        let walk = GameWalk::new(game, &book).unwrap();
        assert_eq!(game.left_at, walk.left_at(), "{game:?}");
        assert_eq!((game.generation, game.ending.as_str()), (3, "resignation"));
        assert_eq!((game.times_ms.len(), game.scores.len()), (game.moves.len(), game.moves.len()));
        for turn in walk.in_book() {
            let index = turn.moves_made() as usize;
            assert_eq!((game.times_ms[index], game.scores[index]), (0, None));
        }
        for turn in walk.beyond() {
            let index = turn.moves_made() as usize;
            assert_eq!((game.times_ms[index], game.scores[index]), (7, Some(-3)));
        }
        if game.book_side == Color::Black {
            firsts.push(game.moves[0].to_string());
        }
    }
    firsts.sort();
    firsts.dedup();
    assert!(firsts.len() > 1, "moves of equal value take turns: {firsts:?}");
    assert!(games.iter().any(|game| game.left_at > Some(4)));
}

#[test]
fn the_same_seed_plays_the_same_games_on_any_number_of_threads() {
    let book = book();
    let games = |threads, seed| {
        let opponents = vec![player("one", 20, SOUND), player("two", 24, SOUND)];
        let mut arena = BookArena::new(player("ours", 99, SOUND), opponents);
        arena.threads = NonZero::new(threads).unwrap();
        let (result, reports) = hear(&mut arena, &MatchOrder { seed, ..order(20) }, &book);
        assert_eq!(result, Ok(()));
        let mut games = played(&reports);
        games.sort_by_key(|game| (game.opponent.clone(), format!("{:?}", game.moves)));
        games
    };
    let one = games(1, 5);
    assert_eq!(one.len(), 20);
    assert_eq!(one, games(3, 5));
    assert_ne!(one, games(1, 6));
}

#[test]
fn values_decide_which_moves_of_the_book_are_played() {
    let valued = |position: &Position| {
        let known = |m: &str, cp| PlayableMove {
            score: Some(Score::cp(cp)),
            ..PlayableMove::new(m.parse().unwrap())
        };
        let is_start = position.key() == Position::hirate().key();
        // An illegal move, from a damaged book, is skipped.
        is_start.then(|| vec![known("2g2f", 40), known("7g7f", 10), known("5e5d", 900)])
    };
    let firsts = |eval_diff_cp| {
        let mut arena = BookArena::new(player("ours", 9, SOUND), vec![player("theirs", 9, SOUND)]);
        let choice = BookChoice { eval_diff_cp, ..BookChoice::default() };
        let mut firsts = Vec::new();
        let order = MatchOrder { choice, ..order(30) };
        let result = arena.play(&order, &valued, &mut |report| {
            if let MatchReport::Played(game) = report
                && game.book_side == Color::Black
            {
                firsts.push(game.moves[0].to_string());
            }
            ControlFlow::Continue(())
        });
        assert_eq!(result, Ok(()));
        firsts.sort();
        firsts.dedup();
        firsts
    };
    assert_eq!(firsts(0), ["2g2f"]);
    assert_eq!(firsts(30), ["2g2f", "7g7f"]);
}

#[test]
fn a_game_is_recorded_from_where_the_players_took_over() {
    let mut arena = BookArena::new(player("ours", 20, SOUND), vec![player("theirs", 20, SOUND)]);
    arena.openings = vec![Opening::from_usi("startpos moves 2g2f").unwrap()];
    let (_, reports) = hear(&mut arena, &order(2), &book());
    let games = played(&reports);
    assert_eq!(games.len(), 2);
    for game in games {
        assert_eq!((game.start.side, game.start.ply), (Color::White, 2));
        let walk = GameWalk::new(&game, &book()).unwrap();
        assert_eq!(game.left_at, walk.left_at());
    }
}

#[test]
fn faulty_games_do_not_count() {
    let book = book();
    let opponents = vec![
        player("sound", 20, SOUND),
        player("crashing", 20, Then::Crash),
        player("slow", 20, Then::Dawdle),
    ];
    let mut arena = BookArena::new(player("ours", 99, SOUND), opponents);
    arena.rules = Rules { patience: Duration::from_secs(2), ..Rules::default() };
    let (result, reports) = hear(&mut arena, &order(6), &book);
    assert_eq!((result, reports.len()), (Ok(()), 6));
    let games = played(&reports);
    assert!(games.len() == 2 && games.iter().all(|game| game.opponent == "sound"));
    for fault in faulty(&reports) {
        assert_eq!(fault.culprit, Contender::Opponent);
        assert_eq!(fault.game.winner, Some(fault.game.book_side));
        let expected = if fault.game.opponent == "slow" { "hang" } else { "crash" };
        assert_eq!(fault.game.ending, expected);
    }
    let mut results = GameResults::new();
    for (number, game) in (0..).zip(&games) {
        results.add(number, game, &GameWalk::new(game, &book).unwrap());
    }
    assert_eq!(results.games(), 2);

    let mut arena =
        BookArena::new(player("ours", 20, Then::Crash), vec![player("theirs", 99, SOUND)]);
    let (result, reports) = hear(&mut arena, &order(2), &book);
    assert_eq!(result, Ok(()));
    let faults = faulty(&reports);
    assert_eq!(faults.len(), 2);
    assert!(faults.iter().all(|fault| fault.culprit == Contender::BookSide));
    assert!(faults.iter().all(|fault| fault.detail == "out of tea"));
}

#[test]
fn a_late_move_is_a_fault() {
    let clock = TimeControl::byoyomi(Duration::from_secs(1));
    let make = || Ok(Box::new(Dice { until: 10, then: Then::Dawdle }) as Box<_>);
    let late = ArenaPlayer::new("late", Box::new(make), clock);
    let mut arena = BookArena::new(player("ours", 99, SOUND), vec![late]);
    let (_, reports) = hear(&mut arena, &order(1), &book());
    let faults = faulty(&reports);
    assert_eq!((faults.len(), faults[0].game.ending.as_str()), (1, "time forfeit"));
    assert!(faults[0].detail.contains("5000 ms"), "{}", faults[0].detail);
}

#[test]
fn players_that_do_not_start_are_named() {
    let book = book();
    let mut arena = BookArena::new(player("ours", 99, SOUND), Vec::new());
    assert_eq!(hear(&mut arena, &order(2), &book).0, Err(ArenaError::NoOpponents));
    arena.opponents = vec![absent("nobody"), player("somebody", 20, SOUND)];
    let (result, reports) = hear(&mut arena, &order(4), &book);
    assert_eq!((result, played(&reports).len()), (Ok(()), 2));
    let reason = "no such engine".to_owned();
    let gone = MatchReport::Gone { opponent: "nobody".to_owned(), reason: reason.clone() };
    assert!(reports.contains(&gone), "{reports:?}");
    arena.opponents = vec![absent("nobody")];
    let all_gone = ArenaError::AllGone { opponent: "nobody".to_owned(), reason: reason.clone() };
    assert_eq!(hear(&mut arena, &order(4), &book).0, Err(all_gone));
    let mut arena = BookArena::new(absent("ours"), vec![player("theirs", 20, SOUND)]);
    let error = ArenaError::BookSide { player: "ours".to_owned(), reason };
    assert_eq!(hear(&mut arena, &order(4), &book).0, Err(error));
}

#[test]
fn whoever_listens_may_break_off() {
    let opponents = vec![player("one", 20, SOUND), player("two", 20, SOUND)];
    let mut arena = BookArena::new(player("ours", 99, SOUND), opponents);
    let mut heard = 0;
    let result = arena.play(&order(100), &book(), &mut |_| {
        heard += 1;
        if heard == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!((result, heard), (Ok(()), 5));
    assert!(!arena.stop.load(Ordering::Relaxed), "the next order is played");
    let (result, reports) = hear(&mut arena, &order(4), &book());
    assert_eq!((result, reports.len()), (Ok(()), 4));
}

#[test]
fn an_order_that_was_broken_off_goes_on() {
    let openings = ["startpos", "startpos moves 2g2f", "startpos moves 7g7f"];
    let arena = || {
        let opponents = vec![player("one", 20, SOUND), player("two", 24, SOUND)];
        let mut arena = BookArena::new(player("ours", 99, SOUND), opponents);
        arena.openings = openings.map(|text| Opening::from_usi(text).unwrap()).into();
        arena
    };
    let (_, whole) = hear(&mut arena(), &order(22), &book());
    let whole = played(&whole);
    assert_eq!(whole.len(), 22);
    for stored in [0, 1, 7, 12, 21, 22] {
        let mut before = PlayedBefore::default();
        whole[..stored].iter().for_each(|game| before.add(game));
        assert_eq!(before.len() as usize, stored);
        let mut rest = Vec::new();
        let result = arena().play_rest(&order(22), &before, &book(), &mut |report| {
            rest.push(report);
            ControlFlow::Continue(())
        });
        assert_eq!(result, Ok(()));
        assert_eq!(played(&rest), whole[stored..], "after {stored} games");
    }
}

#[test]
fn one_side_may_have_the_book_alone() {
    for side in Color::ALL {
        let opponents = vec![player("one", 20, SOUND), player("two", 24, SOUND)];
        let mut arena = BookArena::new(player("ours", 99, SOUND), opponents);
        arena.side = Some(side);
        let (result, reports) = hear(&mut arena, &order(7), &book());
        assert_eq!(result, Ok(()));
        let games = played(&reports);
        assert_eq!(games.len(), 7);
        assert!(games.iter().all(|game| game.book_side == side));
        assert_eq!(games.iter().filter(|game| game.opponent == "one").count(), 4);
    }
}

/// A player that waits for the flag of the arena.
struct Patient<'c> {
    waiting: &'c AtomicU32,
}

impl Contestant for Patient<'_> {
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Reply, ContestantFault> {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        while !turn.stop.load(Ordering::Relaxed) && Instant::now() < turn.deadline {
            std::thread::yield_now();
        }
        Ok(Reply::new(BestMove::Resign, Duration::ZERO))
    }
}

#[test]
fn another_thread_may_break_off() {
    static WAITING: AtomicU32 = AtomicU32::new(0);
    let make = || Ok(Box::new(Patient { waiting: &WAITING }) as Box<_>);
    let patient = ArenaPlayer::new("patient", Box::new(make), TimeControl::nodes(1));
    let mut arena = BookArena::new(player("ours", 99, SOUND), vec![patient]);
    arena.threads = NonZero::new(2).unwrap();
    let stop = std::sync::Arc::clone(&arena.stop);
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while WAITING.load(Ordering::Relaxed) < 2 && !is_over.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            stop.store(true, Ordering::Relaxed);
        });
        let (result, reports) = hear(&mut arena, &order(10), &book());
        is_over.store(true, Ordering::Relaxed);
        assert_eq!((result, reports.len()), (Ok(()), 0));
    });
}

fn process(name: &str) -> ArenaPlayer<'static> {
    let mut config = EngineConfig::new(std::env::current_exe().expect("this program has a path"))
        .with_arguments(["book_arena::fake_engine", "--exact", "--test-threads=2"])
        .with_variable(BEHAVIOUR, name);
    config.patience.stop = Duration::from_millis(300);
    ArenaPlayer::usi(name, config, TimeControl::nodes(1))
}

#[test]
fn processes_that_fail_are_started_again() {
    let names = ["resigns", "crashes", "cheats", "jumps", "hangs"];
    let opponents = names.into_iter().map(process).collect();
    let mut arena = BookArena::new(process("sound"), opponents);
    arena.rules = Rules { patience: Duration::from_millis(1_500), ..Rules::default() };
    let book = book();
    let (result, reports) = hear(&mut arena, &order(10), &book);
    assert_eq!((result, reports.len()), (Ok(()), 10));
    let games = played(&reports);
    assert!(games.len() == 2 && games.iter().all(|game| game.opponent == "resigns"));
    for game in &games {
        assert_eq!(game.winner, Some(game.book_side));
        assert_eq!(game.left_at, GameWalk::new(game, &book).unwrap().left_at());
    }
    for (name, ending) in [
        ("crashes", "crash"),
        ("cheats", "bad answer"),
        ("jumps", "illegal move"),
        ("hangs", "hang"),
    ] {
        let of = faulty(&reports).into_iter().filter(|fault| fault.game.opponent == name);
        let of: Vec<&FaultyGame> = of.collect();
        // Each game reaches the point at which it fails: the process has been started again.
        assert_eq!(of.len(), 2, "{name}");
        for fault in of {
            assert_eq!((fault.culprit, fault.game.ending.as_str()), (Contender::Opponent, ending));
            assert!(fault.game.moves.len() >= 8, "{name}: {}", fault.detail);
        }
    }
}

#[test]
fn the_player_of_this_crate_can_be_either_side() {
    let settings = Settings { hash_mib: 1, ..Settings::default() };
    let embedded = |name| ArenaPlayer::embedded(name, settings.clone(), TimeControl::nodes(30));
    let mut arena = BookArena::new(embedded("ours"), vec![embedded("theirs")]);
    arena.rules = Rules { max_plies: 14, ..Rules::default() };
    let (result, reports) = hear(&mut arena, &order(2), &book());
    let games = played(&reports);
    assert_eq!((result, games.len()), (Ok(()), 2));
    for game in games {
        assert_eq!((game.winner, game.ending.as_str(), game.moves.len()), (None, "max moves", 14));
        let left_at = game.left_at.unwrap() as usize;
        assert!(game.scores[left_at].is_some());
    }
}
