//! Pondering: dialogue and clocks, with an engine that follows a script.
//!
//! The engine is this test program, started again with a variable that names its script.

use std::collections::VecDeque;
use std::fs::{File, read_to_string};
use std::io::{BufRead as _, Write as _, stdin};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use komadai_core::Color;
use komadai_match::{
    Contestant, ContestantFault, Ending, FaultKind, MatchGame, Opening, PlayedGame, Reply, Rules,
    Side, Tally, TimeControl, Turn, UsiContestant, play_game,
};
use komadai_testdata::programs::{play_engine, say};
use komadai_usi::{BestMove, EngineConfig};

/// The variable with the script of the engine.
const SCRIPT: &str = "KOMADAI_PONDERING_ENGINE";

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

#[test]
fn scripted_engine() {
    play_engine(SCRIPT, run_script);
}

/// Runs a script of four parts, separated by bars: the file for the lines received; a behaviour;
/// the time to think in ms; the answers, one word a turn, such as `7g7f/3c3d` to expect the second
/// move.
fn run_script(script: &str) {
    let parts: Vec<&str> = script.split('|').collect();
    let [log, behaviour, think, answers] = parts[..] else { panic!("{script:?}") };
    let mut log = File::create(log).expect("a file");
    let think = ms(think.parse().expect("a number"));
    let mut answers = answers.split(' ').map(|answer| match answer.split_once('/') {
        Some((best, reply)) => format!("bestmove {best} ponder {reply}"),
        None => format!("bestmove {answer}"),
    });
    let mut next = || answers.next().expect("the script is long enough");
    let mut is_pondering = false;
    for line in stdin().lock().lines().map_while(Result::ok) {
        writeln!(log, "{line}").expect("the file is open");
        let answer = match line.split(' ').next().unwrap_or_default() {
            "usi" => "usiok".to_owned(),
            "isready" => "readyok".to_owned(),
            "go" if line.starts_with("go ponder") => {
                match behaviour {
                    "early" => say(&next()),
                    "talkative" => (0..5_000).for_each(|_| say("info depth 1 score cp 1")),
                    _ => {}
                }
                is_pondering = behaviour != "early";
                say("info depth 7 score cp 30 nodes 100");
                continue;
            }
            word @ ("go" | "ponderhit") => {
                is_pondering = false;
                if word == "ponderhit" || behaviour != "slow after hits" {
                    sleep(think);
                }
                next()
            }
            "stop" if is_pondering && behaviour != "deaf to stop" => {
                is_pondering = false;
                sleep(think);
                "bestmove 7g7f".to_owned()
            }
            "quit" => return,
            _ => continue,
        };
        say(&answer);
    }
}

/// An engine with a script, which keeps what it received.
struct Scripted {
    player: UsiContestant,
    log: tempfile::NamedTempFile,
}

impl Scripted {
    fn start(behaviour: &str, think: u64, answers: &str) -> Self {
        let log = tempfile::NamedTempFile::new().unwrap();
        let program = std::env::current_exe().unwrap();
        let arguments = ["pondering::scripted_engine", "--exact", "--test-threads=2"];
        let mut config = EngineConfig::new(program).with_arguments(arguments);
        let script = format!("{}|{behaviour}|{think}|{answers}", log.path().display());
        config.environment.push((SCRIPT.into(), script.into()));
        config.patience.stop = ms(1_000);
        let player = UsiContestant::launch(config).unwrap().with_pondering();
        Self { player, log }
    }

    /// The lines that the engine received after those of its start.
    fn received(self) -> Vec<String> {
        drop(self.player);
        let text = read_to_string(self.log.path()).unwrap();
        let lines = text.lines().skip_while(|line| *line != "usinewgame").skip(1);
        lines.filter(|line| *line != "quit").map(str::to_owned).collect()
    }
}

/// A player that makes these moves, each after a pause.
struct Sleeper {
    moves: VecDeque<&'static str>,
    pause: Duration,
}

impl Sleeper {
    fn new(moves: &'static str, pause: u64) -> Self {
        Self { moves: moves.split(' ').collect(), pause: ms(pause) }
    }
}

impl Contestant for Sleeper {
    fn choose(&mut self, _: &Turn<'_>) -> Result<Reply, ContestantFault> {
        sleep(self.pause);
        let best = match self.moves.pop_front().expect("the script is long enough") {
            "resign" => BestMove::Resign,
            m => BestMove::Move { best: m.parse().unwrap(), ponder: None },
        };
        Ok(Reply::new(best, ms(1)))
    }
}

/// Plays a game with this byoyomi from the start position, `players` Black first.
fn play(players: [&mut dyn Contestant; 2], byoyomi: u64, margin: u64) -> PlayedGame {
    let control = TimeControl::byoyomi(ms(byoyomi));
    let rules = Rules { margin: ms(margin), ..Rules::default() };
    let opening = Opening::from_usi("startpos").unwrap();
    let sides = players.map(|contestant| Side { contestant, control: &control });
    play_game(0, &opening, sides, &rules, &Arc::default()).unwrap()
}

#[test]
fn a_hit_continues_the_search_and_time_pondered_is_not_charged() {
    let mut engine = Scripted::start("waits", 20, "7g7f/3c3d 2g2f/8c8d resign");
    let game = play([&mut engine.player, &mut Sleeper::new("3c3d 8c8d", 1_100)], 1_000, 0);
    assert_eq!(game.verdict.ending, Ending::Resignation, "{}", game.detail);
    let own: Vec<_> = game.moves.iter().step_by(2).collect();
    assert!(own.iter().all(|made| (ms(20)..ms(1_000)).contains(&made.elapsed)), "{own:?}");
    assert_eq!(own.iter().map(|made| made.ponder_hit).collect::<Vec<_>>(), [None, Some(true)]);
    assert_eq!((own[1].depth, own[1].start_depth), (7, 7), "it was reported before the hit");
    assert_eq!(
        engine.received(),
        [
            "position startpos",
            "go btime 0 wtime 0 byoyomi 1000",
            "position startpos moves 7g7f 3c3d",
            "go ponder btime 0 wtime 0 byoyomi 1000",
            "ponderhit",
            "position startpos moves 7g7f 3c3d 2g2f 8c8d",
            "go ponder btime 0 wtime 0 byoyomi 1000",
            "ponderhit",
            "gameover lose",
        ]
    );
}

#[test]
fn a_miss_stops_the_search_before_the_next_one() {
    let mut engine = Scripted::start("waits", 50, "7g7f/3c3d 2g2f resign");
    let game = play([&mut engine.player, &mut Sleeper::new("8c8d 8d8e", 100)], 5_000, 0);
    assert_eq!(game.verdict.ending, Ending::Resignation, "{}", game.detail);
    assert_eq!((game.moves[2].ponder_hit, game.moves[2].start_depth), (Some(false), 0));
    // The time for the answer to `stop` is the engine's own, like that to think.
    assert!(game.moves[2].elapsed >= ms(100), "{:?}", game.moves[2].elapsed);
    assert_eq!(
        engine.received(),
        [
            "position startpos",
            "go btime 0 wtime 0 byoyomi 5000",
            "position startpos moves 7g7f 3c3d",
            "go ponder btime 0 wtime 0 byoyomi 5000",
            "stop",
            "position startpos moves 7g7f 8c8d",
            "go btime 0 wtime 0 byoyomi 5000",
            // No reply was expected.
            "position startpos moves 7g7f 8c8d 2g2f 8d8e",
            "go btime 0 wtime 0 byoyomi 5000",
            "gameover lose",
        ]
    );
}

#[test]
fn the_clock_runs_from_the_hit_on() {
    let mut engine = Scripted::start("slow after hits", 250, "7g7f/3c3d 2g2f resign");
    let mut control = [TimeControl::byoyomi(ms(5_000)), TimeControl::byoyomi(ms(5_000))];
    control[0].main = ms(1_000);
    let [black, white] = &control;
    let mut opponent = Sleeper::new("3c3d 8c8d", 100);
    let sides = [
        Side { contestant: &mut engine.player, control: black },
        Side { contestant: &mut opponent, control: white },
    ];
    let opening = Opening::from_usi("startpos").unwrap();
    let game = play_game(0, &opening, sides, &Rules::default(), &Arc::default()).unwrap();
    let [first, _, second, ..] = &game.moves[..] else { panic!("{game:?}") };
    assert!(second.elapsed >= ms(250), "{second:?}");
    // The main time that is left after the first move is stated, pondered or not.
    let left = ms(1_000).saturating_sub(first.elapsed).as_millis();
    let stated = |line: &String| line.starts_with(&format!("go ponder btime {left} "));
    let received = engine.received();
    assert!(received.iter().any(stated), "{left}: {received:?}");
    // A move may be late after a hit as well.
    let mut engine = Scripted::start("slow after hits", 1_300, "7g7f/3c3d 2g2f");
    let game = play([&mut engine.player, &mut Sleeper::new("3c3d", 0)], 1_000, 0);
    assert_eq!(game.verdict.ending, Ending::TimeForfeit, "{}", game.detail);
    assert_eq!((game.verdict.winner, game.moves.len()), (Some(Color::White), 2));
}

#[test]
fn an_opponent_may_resign_during_the_search() {
    let mut engine = Scripted::start("waits", 0, "7g7f/3c3d 2g2f/3c3d");
    for _ in 0..2 {
        let game = play([&mut engine.player, &mut Sleeper::new("resign", 50)], 5_000, 0);
        assert_eq!((game.verdict.ending, game.moves.len()), (Ending::Resignation, 1));
        assert_eq!(game.verdict.winner, Some(Color::Black));
    }
    let received = engine.received();
    let words: Vec<_> = received.iter().map(|line| line.split(' ').next().unwrap()).collect();
    let game = ["position", "go", "position", "go", "stop", "gameover"];
    assert_eq!(words, [&game[..], &["isready", "usinewgame"], &game].concat());
}

#[test]
fn an_engine_that_does_not_wait_for_the_hit_has_answered_at_once() {
    let mut engine = Scripted::start("early", 400, "7g7f/3c3d 2g2f resign");
    let game = play([&mut engine.player, &mut Sleeper::new("3c3d 8c8d", 200)], 5_000, 0);
    assert_eq!(game.verdict.ending, Ending::Resignation, "{}", game.detail);
    assert_eq!(
        (game.moves[2].m.to_string(), game.moves[2].ponder_hit),
        ("2g2f".into(), Some(true))
    );
    assert!(game.moves[2].elapsed < ms(400), "{:?}", game.moves[2].elapsed);
    assert!(!engine.received().iter().any(|line| line == "ponderhit" || line == "stop"));
    // An answer about another position is dropped.
    let mut engine = Scripted::start("early", 0, "7g7f/3c3d 2g2f 6g6f resign");
    let game = play([&mut engine.player, &mut Sleeper::new("8c8d 8d8e", 200)], 5_000, 0);
    assert_eq!(game.verdict.ending, Ending::Resignation, "{}", game.detail);
    assert_eq!(game.moves[2].m.to_string(), "6g6f");
    assert!(!engine.received().iter().any(|line| line == "stop"));
}

#[test]
fn an_engine_that_never_answers_stop_hangs() {
    let mut engine = Scripted::start("deaf to stop", 0, "7g7f/3c3d");
    let game = play([&mut engine.player, &mut Sleeper::new("8c8d", 0)], 5_000, 0);
    assert_eq!(game.verdict.ending, Ending::Fault(FaultKind::Hang), "{}", game.detail);
    assert_eq!(game.verdict.winner, Some(Color::White));
    // At the end of a game it has won it; the next one shows the fault.
    let mut engine = Scripted::start("deaf to stop", 0, "7g7f/3c3d");
    let game = play([&mut engine.player, &mut Sleeper::new("resign", 0)], 5_000, 0);
    assert_eq!(game.verdict.winner, Some(Color::Black));
    let game = play([&mut engine.player, &mut Sleeper::new("resign", 0)], 5_000, 0);
    assert_eq!((game.verdict.ending, game.moves.len()), (Ending::Fault(FaultKind::Hang), 0));
    engine.player.restart().unwrap();
    let game = play([&mut engine.player, &mut Sleeper::new("resign", 0)], 5_000, 0);
    assert_eq!(game.verdict.winner, Some(Color::Black));
}

#[test]
fn reports_that_nobody_reads_do_not_stop_an_engine() {
    let mut engine = Scripted::start("talkative", 0, "7g7f/3c3d 2g2f resign");
    let game = play([&mut engine.player, &mut Sleeper::new("3c3d 8c8d", 500)], 5_000, 0);
    assert_eq!(game.verdict.ending, Ending::Resignation, "{}", game.detail);
    assert_eq!(game.moves[2].start_depth, 7, "the latest report counts");
}

/// A player that makes the first word of each pair and expects the second, and ponders on all.
struct Ponderer {
    moves: VecDeque<(&'static str, &'static str)>,
    pondered: Vec<String>,
}

impl Contestant for Ponderer {
    fn choose(&mut self, _: &Turn<'_>) -> Result<Reply, ContestantFault> {
        let Some((best, reply)) = self.moves.pop_front() else {
            return Ok(Reply::new(BestMove::Resign, Duration::ZERO));
        };
        let best = BestMove::Move { best: best.parse().unwrap(), ponder: reply.parse().ok() };
        Ok(Reply::new(best, Duration::ZERO))
    }

    fn ponder(&mut self, turn: &Turn<'_>) -> Result<bool, ContestantFault> {
        assert_eq!(komadai_movegen::play(turn.game).as_ref(), Ok(turn.position));
        assert!(turn.limits.ponder);
        self.pondered.push(turn.game.to_string());
        Ok(true)
    }
}

#[test]
fn impossible_and_final_replies_are_not_pondered_on() {
    for (reply, max_plies, pondered) in [
        ("3c3d", 3, &["startpos moves 7g7f 3c3d"][..]),
        ("none", 3, &[]),
        ("2g2f", 3, &[]),
        ("5e5d", 3, &[]),
        // The reply is the last move of the game.
        ("3c3d", 2, &[]),
    ] {
        let mut black = Ponderer { moves: [("7g7f", reply)].into(), pondered: Vec::new() };
        let control = TimeControl::nodes(1);
        let mut white = Sleeper::new("3c3d", 0);
        let sides = [
            Side { contestant: &mut black, control: &control },
            Side { contestant: &mut white, control: &control },
        ];
        let opening = Opening::from_usi("startpos").unwrap();
        let rules = Rules { max_plies, ..Rules::default() };
        let game = play_game(0, &opening, sides, &rules, &Arc::default()).unwrap();
        assert_eq!(game.moves.len(), 2, "{}", game.detail);
        assert_eq!(black.pondered, pondered, "{reply}, {max_plies}");
    }
}

#[test]
fn hits_are_counted_for_each_player() {
    let moves = [("7g7f", "3c3d"), ("2g2f", "8c8d"), ("2f2e", "none"), ("6i7h", "8c8d")];
    let mut black = Ponderer { moves: moves.into(), pondered: Vec::new() };
    let opponent = "3c3d 4c4d 3a3b 8c8d";
    let game = play([&mut black, &mut Sleeper::new(opponent, 0)], 5_000, 0);
    assert_eq!(black.pondered.len(), 3);
    let mut tally = Tally::default();
    tally.add(&MatchGame { number: 0, opening: 0, first: Color::Black, game });
    let [first, second] = tally.usage();
    assert_eq!((first.moves, first.pondered, first.ponder_hits), (4, 2, 1));
    assert_eq!((first.hit_rate(), second.hit_rate()), (Some(0.5), None));
}
