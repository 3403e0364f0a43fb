//! The referee and the match, with scripted players.

use std::collections::VecDeque;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use komadai_core::{Color, SplitMix64, UsiPosition};
use komadai_match::{
    Adjudication, Contestant, ContestantFactory, ContestantFault, Ending, FaultKind, Match,
    MatchError, MatchGame, Opening, PlayedGame, Reply, Rules, Side, Sprt, SprtVerdict, Tally,
    TimeControl, Turn, Verdict, play_game,
};
use komadai_movegen::{DeclarationRule, Game, MoveGen};
use komadai_usi::{BestMove, GameResult};

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// A player that answers by a script, one word a move: `7g7f`, `resign`, `win`, or a fault. It
/// reports a fixed time and value.
#[derive(Debug, Default)]
struct Script {
    lines: VecDeque<&'static str>,
    elapsed: Duration,
    score: Option<i32>,
    /// The limits and the result that it received.
    limits: Vec<String>,
    result: Option<GameResult>,
}

impl Script {
    fn new(lines: &'static str) -> Self {
        Self { lines: lines.split_ascii_whitespace().collect(), ..Self::default() }
    }
}

impl Contestant for Script {
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Reply, ContestantFault> {
        assert_eq!(komadai_movegen::play(turn.game).as_ref(), Ok(turn.position));
        self.limits.push(turn.limits.to_string());
        let best = match self.lines.pop_front().expect("the script is long enough") {
            "resign" => BestMove::Resign,
            "win" => BestMove::Win,
            "crash" => return Err(ContestantFault::new(FaultKind::Crash, "gone")),
            m => BestMove::Move { best: m.parse().expect("a move"), ponder: None },
        };
        Ok(Reply { score: self.score, ..Reply::new(best, self.elapsed) })
    }

    fn game_over(&mut self, result: GameResult) {
        self.result = Some(result);
    }
}

/// Plays a game of two scripts.
fn play(
    start: &str,
    rules: &Rules,
    scripts: [&mut Script; 2],
    control: &TimeControl,
) -> PlayedGame {
    let opening = Opening::from_usi(start).expect("an opening");
    let sides = scripts.map(|contestant| Side { contestant, control });
    let stop = Arc::new(AtomicBool::new(false));
    play_game(0, &opening, sides, rules, &stop).expect("it is not stopped")
}

fn untimed(start: &str, black: &'static str, white: &'static str) -> PlayedGame {
    let scripts = [&mut Script::new(black), &mut Script::new(white)];
    play(start, &Rules::default(), scripts, &TimeControl::nodes(1))
}

const BLACK_WINS: fn(Ending) -> Verdict = |ending| Verdict::win(Color::Black, ending);
const WHITE_WINS: fn(Ending) -> Verdict = |ending| Verdict::win(Color::White, ending);

#[test]
fn resigning_loses_and_both_receive_the_result() {
    let (mut black, mut white) = (Script::new("7g7f resign"), Script::new("3c3d"));
    let game = play(
        "startpos",
        &Rules::default(),
        [&mut black, &mut white],
        &TimeControl { depth: Some(3), ..TimeControl::nodes(9) },
    );
    assert_eq!(game.verdict, WHITE_WINS(Ending::Resignation));
    let moves: Vec<_> = game.moves.iter().map(|made| made.m.to_string()).collect();
    assert_eq!(moves, ["7g7f", "3c3d"]);
    assert_eq!(game.opening, UsiPosition::from_usi("startpos").unwrap());
    assert_eq!(black.result, Some(GameResult::Lose));
    assert_eq!(white.result, Some(GameResult::Win));
    assert_eq!(black.limits, ["depth 3 nodes 9"; 2]);
    assert_eq!(game.cpu, [None, None]);
}

#[test]
fn illegal_moves_lose_with_their_reason() {
    for (black, reason) in [("7g7e", "does not go to"), ("8h2b+", ""), ("P*5e", "")] {
        let game = untimed("startpos", black, "");
        assert_eq!(game.verdict, WHITE_WINS(Ending::Fault(FaultKind::IllegalMove)));
        assert!(
            game.detail.contains(&format!("{black} in `position startpos`")),
            "{}",
            game.detail
        );
        assert!(game.detail.contains(reason) && game.moves.is_empty(), "{}", game.detail);
    }
    let pawn_drop_mate = "sfen 3rkr3/9/4G4/9/9/9/9/9/4K4 b P 1";
    let game = untimed(pawn_drop_mate, "P*5b", "");
    assert_eq!(game.verdict, WHITE_WINS(Ending::Fault(FaultKind::IllegalMove)));
    let game = untimed("startpos", "7g7f", "crash");
    assert_eq!(game.verdict, BLACK_WINS(Ending::Fault(FaultKind::Crash)));
    assert_eq!(game.detail, "gone");
}

#[test]
fn declarations_are_checked() {
    let entered = "sfen K+P+P+P+P+P+P+P+B/+R+R+B6/9/9/9/9/9/9/4k4 b";
    let game = untimed(&format!("{entered} P 1"), "win", "");
    assert_eq!(game.verdict, BLACK_WINS(Ending::Declaration));
    let game = untimed(&format!("{entered} - 1"), "win", "");
    assert_eq!(game.verdict, WHITE_WINS(Ending::Fault(FaultKind::FalseDeclaration)));
    assert!(game.detail.ends_with("27 points, but 28 are needed"), "{}", game.detail);
}

#[test]
fn declarations_are_checked_by_the_rule_of_the_match() {
    // White has 26 points, and 10 for the rook and the bishop that it gave; or 22 and 14.
    let two_pieces =
        "sfen 4K4/9/9/9/9/9/+p+p+p+p+p+p+p2/4k4/1+p+p+p+p+p3 w RB2G2S2N2L2g2s2n2l6p 200";
    let six_pieces = "sfen 4K4/9/9/9/9/9/+p+p+p+p+p+p+p2/4k4/1+p+p+p+p+p3 w RB2G2S2N2L2g2s6p 200";
    let entered = "sfen K+P+P+P+P+P+P+P+B/+R+R+B6/9/9/9/9/9/9/4k4 b - 1";
    let few = "sfen K+P+P+P+P+P+P+P+P/+P+R+B6/9/9/9/9/9/9/4k4 b 5P 1";
    let by_declaration = |winner| Verdict { winner, ending: Ending::Declaration };
    let refused = |winner| Verdict::win(winner, Ending::Fault(FaultKind::FalseDeclaration));
    for (start, rule, expected) in [
        (entered, DeclarationRule::Csa27, refused(Color::White)),
        (entered, DeclarationRule::Csa27Handicap, refused(Color::White)),
        (entered, DeclarationRule::Csa24, by_declaration(None)),
        (entered, DeclarationRule::None, refused(Color::White)),
        (entered, DeclarationRule::Try, refused(Color::White)),
        (few, DeclarationRule::Csa24, by_declaration(None)),
        (few, DeclarationRule::Csa27, refused(Color::White)),
        (
            "sfen 9/4K4/9/9/9/9/9/9/8k b - 1",
            DeclarationRule::Try,
            by_declaration(Some(Color::Black)),
        ),
        ("sfen 9/9/4K4/9/9/9/9/9/8k b - 1", DeclarationRule::Try, refused(Color::White)),
        (two_pieces, DeclarationRule::Csa27Handicap, by_declaration(Some(Color::White))),
        (two_pieces, DeclarationRule::Csa24Handicap, by_declaration(Some(Color::White))),
        (two_pieces, DeclarationRule::Csa27, refused(Color::Black)),
        (two_pieces, DeclarationRule::Csa24, by_declaration(None)),
        (six_pieces, DeclarationRule::Csa27Handicap, by_declaration(Some(Color::White))),
        (six_pieces, DeclarationRule::Csa24Handicap, by_declaration(Some(Color::White))),
        (six_pieces, DeclarationRule::Csa27, refused(Color::Black)),
        (six_pieces, DeclarationRule::Csa24, refused(Color::Black)),
    ] {
        let rules = Rules { declaration: rule, ..Rules::default() };
        let scripts = [&mut Script::new("win"), &mut Script::new("win")];
        let game = play(start, &rules, scripts, &TimeControl::nodes(1));
        assert_eq!(game.verdict, expected, "{rule}: {start}: {}", game.detail);
    }
}

#[test]
fn a_try_ends_the_game_under_its_rule_alone() {
    for (declaration, expected, plies) in [
        (DeclarationRule::Try, BLACK_WINS(Ending::Try), 1),
        (DeclarationRule::Csa27, WHITE_WINS(Ending::Resignation), 2),
    ] {
        let rules = Rules { declaration, ..Rules::default() };
        let scripts = [&mut Script::new("5b5a resign"), &mut Script::new("1i1h")];
        let start = "sfen 9/4K4/9/9/9/9/9/9/8k b - 1";
        let game = play(start, &rules, scripts, &TimeControl::nodes(1));
        assert_eq!((game.verdict, game.moves.len()), (expected, plies));
    }
}

#[test]
fn the_rules_end_games_without_being_asked() {
    let shuffle = ("5i5h 5h5i 5i5h 5h5i 5i5h 5h5i", "5a5b 5b5a 5a5b 5b5a 5a5b 5b5a");
    let game = untimed("sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1", shuffle.0, shuffle.1);
    assert_eq!((game.verdict, game.moves.len()), (Verdict::draw(Ending::Repetition), 12));
    let checks = "5b5a 5a5b 5b5a 5a5b 5b5a 5a5b";
    let game =
        untimed("sfen 9/4Rk3/9/9/9/9/9/9/4K4 w - 1", checks, "4b4a 4a4b 4b4a 4a4b 4b4a 4a4b");
    assert_eq!(game.verdict, WHITE_WINS(Ending::PerpetualCheck));
    let game = untimed("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b", "");
    assert_eq!(game.verdict, BLACK_WINS(Ending::Checkmate));
    let rules = Rules { max_plies: 2, ..Rules::default() };
    let scripts = [&mut Script::new("7g7f"), &mut Script::new("3c3d")];
    let game = play("startpos", &rules, scripts, &TimeControl::nodes(1));
    assert_eq!(game.verdict, Verdict::draw(Ending::MaxMoves));
}

#[test]
fn late_moves_lose_beyond_the_margin() {
    let byoyomi = TimeControl { main: ms(20), ..TimeControl::byoyomi(ms(100)) };
    let rules = Rules { margin: ms(10), ..Rules::default() };
    let mut black = Script { elapsed: ms(110), ..Script::new("7g7f 2g2f resign") };
    let mut white = Script { elapsed: ms(5), ..Script::new("3c3d 8c8d") };
    let game = play("startpos", &rules, [&mut black, &mut white], &byoyomi.clone());
    // The first move of Black uses up its main time, the others its margin.
    assert_eq!(
        black.limits[..2],
        ["btime 20 wtime 20 byoyomi 100", "btime 0 wtime 15 byoyomi 100"]
    );
    assert_eq!(white.limits, ["btime 0 wtime 20 byoyomi 100", "btime 0 wtime 15 byoyomi 100"]);
    assert_eq!((game.verdict, game.moves.len()), (WHITE_WINS(Ending::Resignation), 4));
    let mut late = Script { elapsed: ms(131), ..Script::new("7g7f") };
    let game = play("startpos", &rules, [&mut late, &mut white], &byoyomi);
    assert_eq!(game.verdict, WHITE_WINS(Ending::TimeForfeit));
    assert_eq!(game.detail, "7g7f took 131 ms");
    let mut hanging = Script { elapsed: ms(60_001), ..Script::new("7g7f") };
    let game = play("startpos", &rules, [&mut hanging, &mut white], &TimeControl::nodes(1));
    assert_eq!(game.verdict, WHITE_WINS(Ending::Fault(FaultKind::Hang)));
}

#[test]
fn a_move_may_use_the_increment_that_it_was_told() {
    let rules = Rules { margin: ms(50), ..Rules::default() };
    // Main time and increment; the time of each move of Black; what Black is told; whether its last
    // move was in time.
    let games: [([u64; 2], u64, &[&str], bool); 5] = [
        ([2_000, 500], 2_400, &["btime 2000 wtime 2000 binc 500 winc 500"], true),
        ([2_000, 1_500], 3_400, &["btime 2000 wtime 2000 binc 1500 winc 1500"], true),
        (
            [0, 1_000],
            904,
            &["btime 0 wtime 0 binc 1000 winc 1000", "btime 96 wtime 995 binc 1000 winc 1000"],
            true,
        ),
        ([0, 3_000], 3_051, &["btime 0 wtime 0 binc 3000 winc 3000"], false),
        ([1_000, 0], 1_051, &["btime 1000 wtime 1000 byoyomi 0"], false),
    ];
    for ([main, increment], took, told, is_in_time) in games {
        let [main, increment] = [main, increment].map(ms);
        let control = TimeControl { main, increment, ..TimeControl::default() };
        let script = if told.len() == 1 { "7g7f" } else { "7g7f 2g2f" };
        let mut black = Script { elapsed: ms(took), ..Script::new(script) };
        let replies = if told.len() == 1 { "resign" } else { "3c3d resign" };
        let mut white = Script { elapsed: ms(5), ..Script::new(replies) };
        let game = play("startpos", &rules, [&mut black, &mut white], &control);
        assert_eq!(black.limits, told);
        let ending = if is_in_time { Ending::Resignation } else { Ending::TimeForfeit };
        assert_eq!(game.verdict.ending, ending, "{main:?} {increment:?} {took}");
    }
}

#[test]
fn games_are_adjudicated_if_both_agree() {
    let adjudication = Some(Adjudication { score_cp: 1_000, moves: 2 });
    let rules = Rules { adjudication, ..Rules::default() };
    let mut black = Script { score: Some(-1_500), ..Script::new("7g7f 2g2f 2f2e resign") };
    let mut white = Script { score: Some(1_200), ..Script::new("3c3d 8c8d 8d8e 8e8f") };
    let game = play("startpos", &rules, [&mut black, &mut white], &TimeControl::nodes(1));
    assert_eq!(game.verdict, WHITE_WINS(Ending::Adjudication));
    assert_eq!(game.moves.len(), 5, "the loser's third move comes after the winner's second");
    let mut black = Script { score: Some(-900), ..Script::new("7g7f 2g2f 2f2e resign") };
    let mut white = Script { score: Some(1_200), ..Script::new("3c3d 8c8d 8d8e 8e8f") };
    let game = play("startpos", &rules, [&mut black, &mut white], &TimeControl::nodes(1));
    assert_eq!(game.verdict, WHITE_WINS(Ending::Resignation));
}

#[test]
fn openings_are_checked() {
    let refused = |text| Opening::from_usi(text).unwrap_err().to_string();
    assert!(refused("startpos moves 7g7e").contains("illegal"));
    assert!(!refused("nonsense").is_empty());
    let mated = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*5b";
    assert_eq!(refused(mated), "the game is over at once: checkmate");
    let opening = Opening::from_usi("startpos moves 7g7f").unwrap();
    let longer = opening.extended(5, 7);
    assert_eq!(longer, opening.extended(5, 7));
    assert_ne!(longer, opening.extended(5, 8));
    assert_eq!(longer.game().moves.len(), 6);
    assert_eq!(longer.game().moves[0], opening.game().moves[0]);
}

/// A player whose moves depend on the position only and look random.
#[derive(Debug)]
struct Dice;

impl Contestant for Dice {
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Reply, ContestantFault> {
        let moves = turn.position.legal_moves();
        let mut random = SplitMix64::new(turn.position.key());
        let best = moves[random.below(moves.len() as u64) as usize];
        Ok(Reply::new(BestMove::Move { best, ponder: None }, ms(1)))
    }
}

/// A player that fails, and counts its restarts.
#[derive(Debug)]
struct Failing {
    starts: Arc<AtomicU32>,
    /// True to fail before the first move, false to fail after some moves.
    at_once: bool,
}

impl Contestant for Failing {
    fn new_game(&mut self, _: usize) -> Result<(), ContestantFault> {
        let fault = ContestantFault::new(FaultKind::Crash, "no room");
        if self.at_once { Err(fault) } else { Ok(()) }
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Reply, ContestantFault> {
        if turn.game.moves.len() > 3 {
            return Err(ContestantFault::new(FaultKind::BadAnswer, "hm"));
        }
        Dice.choose(turn)
    }

    fn restart(&mut self) -> Result<(), ContestantFault> {
        self.starts.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

fn dice_match(games: usize) -> Match {
    let texts = ["startpos", "startpos moves 7g7f 3c3d", "startpos moves 2g2f"];
    Match {
        openings: texts.map(|text| Opening::from_usi(text).unwrap()).to_vec(),
        games,
        random_plies: 2,
        controls: [TimeControl::nodes(1), TimeControl::nodes(1)],
        rules: Rules { max_plies: 150, ..Rules::default() },
        seed: 5,
    }
}

fn dice() -> Made {
    Ok(Box::new(Dice))
}

type Made = Result<Box<dyn Contestant>, Box<dyn std::error::Error + Send + Sync>>;

/// Plays a match on `threads` threads and returns its games, sorted by number.
fn run(
    plan: &Match,
    players: [&ContestantFactory<'_>; 2],
    threads: usize,
) -> (Result<(), MatchError>, Vec<MatchGame>) {
    let (mut games, stop) = (Vec::new(), Arc::new(AtomicBool::new(false)));
    let threads = NonZero::new(threads).unwrap();
    let result = plan.run(players, threads, &|_| false, &stop, &mut |game| {
        games.push(game);
        ControlFlow::Continue(())
    });
    games.sort_by_key(|game| game.number);
    (result, games)
}

#[test]
fn a_match_is_the_same_on_any_number_of_threads() {
    let plan = dice_match(40);
    let (result, games) = run(&plan, [&dice, &dice], 1);
    assert_eq!(result, Ok(()));
    assert_eq!(games.len(), 40);
    assert_eq!(games, run(&plan, [&dice, &dice], 3).1);
    for (pair, two) in games.chunks(2).enumerate() {
        assert_eq!((two[0].number, two[1].number), (2 * pair, 2 * pair + 1));
        assert_eq!((two[0].first, two[1].first), (Color::Black, Color::White));
        // The players being alike, so are the games.
        assert_eq!(two[0].game, two[1].game);
        assert_eq!(two[0].half_points() + two[1].half_points(), 2);
        let start = plan.openings[two[0].opening].game();
        assert!(two[0].game.opening.moves.starts_with(&start.moves));
        assert_eq!(two[0].game.opening.moves.len(), start.moves.len() + 2);
    }
    // Each opening has its turn before one comes again, with other random moves.
    let openings: Vec<_> = games.iter().step_by(2).map(|game| game.opening).collect();
    assert!(openings[..3].iter().all(|opening| openings[3..6].contains(opening)));
    assert_ne!(games[0].game, games[6].game);
    let mut tally = Tally::default();
    games.iter().for_each(|game| tally.add(game));
    assert_eq!((tally.games(), tally.pairs().counts()), (40, [0, 0, 20, 0, 0]));
    let [wins, draws, losses] = tally.wins_draws_losses();
    assert_eq!((wins, wins + draws + losses), (losses, 40));
    let moves: usize = games.iter().map(|game| game.game.moves.len()).sum();
    let [first, second] = tally.usage();
    assert_eq!(first.moves + second.moves, moves as u64);
    assert_eq!(first.moves, second.moves, "they have played the same games");
    assert_eq!((first.mean_time(), first.longest, first.mean_cpu()), (ms(1), ms(1), None));
    assert_eq!(tally.endings().map(|(_, _, count)| count).sum::<u64>(), 40);
}

#[test]
fn games_end_where_their_moves_end_them() {
    let plan = dice_match(40);
    let (_, games) = run(&plan, [&dice, &dice], 1);
    for MatchGame { game: played, .. } in &games {
        let mut usi = played.opening.clone();
        usi.moves.extend(played.moves.iter().map(|made| made.m));
        // A move after the end would be refused.
        let game = Game::from_usi_position(&usi, plan.rules.game_rules()).unwrap();
        let outcome = game.outcome().expect("dice neither resign nor fail");
        assert_eq!(outcome.winner(), played.verdict.winner, "{usi}");
    }
}

#[test]
fn done_games_are_skipped_and_a_receiver_may_stop() {
    let plan = dice_match(20);
    let stop = Arc::new(AtomicBool::new(false));
    let mut numbers = Vec::new();
    let threads = NonZero::new(2).unwrap();
    let result = plan.run([&dice, &dice], threads, &|number| number % 3 != 0, &stop, &mut |game| {
        numbers.push(game.number);
        if numbers.len() == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(result, Ok(()));
    assert_eq!(numbers.len(), 5);
    assert!(numbers.iter().all(|number| number % 3 == 0));
    assert!(stop.load(Ordering::Relaxed));
    // A match whose flag is set does not begin.
    let (mut received, all) = (0, &|_| false);
    let result = plan.run([&dice, &dice], threads, all, &stop, &mut |_| {
        received += 1;
        ControlFlow::Continue(())
    });
    assert_eq!((result, received), (Ok(()), 0));
}

#[test]
fn a_faulty_player_loses_and_is_started_again() {
    let starts = Arc::new(AtomicU32::new(0));
    let faulty =
        || -> Made { Ok(Box::new(Failing { starts: Arc::clone(&starts), at_once: false })) };
    let (result, games) = run(&dice_match(10), [&dice, &faulty], 2);
    assert_eq!((result, games.len()), (Ok(()), 10));
    let mut tally = Tally::default();
    games.iter().for_each(|game| tally.add(game));
    let fault = (Ending::Fault(FaultKind::BadAnswer), Some(1), 10);
    assert_eq!(tally.endings().collect::<Vec<_>>(), [fault]);
    assert_eq!(tally.wins_draws_losses(), [10, 0, 0]);
    assert_eq!(starts.load(Ordering::Relaxed), 10);
}

#[test]
fn a_player_that_does_not_start_ends_the_match() {
    let attempts = AtomicU32::new(0);
    let absent = || -> Made {
        attempts.fetch_add(1, Ordering::Relaxed);
        Err("no such program".into())
    };
    let (result, games) = run(&dice_match(10), [&absent, &dice], 1);
    let reason = "no such program".to_owned();
    assert_eq!(result, Err(MatchError::Start { player: 0, reason }));
    assert_eq!((games.len(), attempts.load(Ordering::Relaxed)), (0, 1));

    let starts = Arc::new(AtomicU32::new(0));
    let unready =
        || -> Made { Ok(Box::new(Failing { starts: Arc::clone(&starts), at_once: true })) };
    let (result, games) = run(&dice_match(10), [&dice, &unready], 1);
    let reason = "no room".to_owned();
    assert_eq!(result, Err(MatchError::Start { player: 1, reason }));
    assert_eq!(games.len(), 3);
    let none = Match { openings: Vec::new(), ..dice_match(2) };
    assert_eq!(run(&none, [&dice, &dice], 1).0, Err(MatchError::NoOpenings));
}

#[test]
fn a_match_ends_with_the_verdict_of_its_test() {
    /// Resigns, or makes the first legal move.
    struct Player(bool);

    impl Contestant for Player {
        fn choose(&mut self, turn: &Turn<'_>) -> Result<Reply, ContestantFault> {
            let best = match turn.position.legal_moves().first() {
                Some(&best) if !self.0 => BestMove::Move { best, ponder: None },
                _ => BestMove::Resign,
            };
            Ok(Reply::new(best, ms(0)))
        }
    }

    let planned = Match {
        openings: vec![Opening::from_usi("startpos").unwrap()],
        games: 400,
        random_plies: 0,
        controls: [TimeControl::nodes(1), TimeControl::nodes(1)],
        rules: Rules::default(),
        seed: 1,
    };
    let winner = || Ok(Box::new(Player(false)) as Box<_>);
    let loser = || Ok(Box::new(Player(true)) as Box<_>);
    let test = Sprt::new(0.0, 50.0).unwrap();
    let tally = planned.play([&winner, &loser], Some(&test)).unwrap();
    assert_eq!(test.verdict(tally.pairs()), SprtVerdict::Accepted);
    assert!(tally.games() < 400, "{}", tally.games());
    assert_eq!(planned.play([&winner, &loser], None).unwrap().games(), 400);
}
