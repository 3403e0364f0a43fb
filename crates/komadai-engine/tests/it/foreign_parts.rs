//! The engine with an evaluator, a searcher and a mate solver that are not its own, in USI
//! dialogues.

use std::io::Cursor;
use std::sync::{Arc, Mutex};
use std::thread;

use komadai_core::{Analysis, Budget, Color, Line, Move, PieceKind, Position, Score, Square};
use komadai_engine::{GamePlayer, Parts, Settings, UsiEngine};
use komadai_eval::Evaluator;
use komadai_movegen::{CheckClass, MateInOne, MateReport, MateSolver, MoveGen};
use komadai_search::{SearchOptions, SearchRequest, Searcher, SearcherState};
use komadai_usi::{BestMove, EngineMessage, GoLimits, serve};

/// Counts pieces: one point for a piece on the board, two for a piece in hand.
#[derive(Debug, Clone, Copy)]
struct PieceCounter;

impl PieceCounter {
    fn points(position: &Position, color: Color) -> i32 {
        let on_board = Square::ALL.into_iter().filter_map(|square| position.piece_on(square));
        let own = on_board.filter(|piece| piece.color() == color).count() as i32;
        let hand = position.hand(color);
        let held: u32 = PieceKind::HAND.into_iter().map(|kind| hand.count(kind)).sum();
        own + 2 * held as i32
    }
}

impl Evaluator for PieceCounter {
    type State = ();

    fn refresh(&self, _: &Position) {}

    fn do_move(&self, position: &mut Position, m: Move, (): &mut ()) {
        position.do_move(m);
    }

    fn undo_move(&self, position: &mut Position, (): &mut ()) {
        position.undo_move();
    }

    fn evaluate(&self, position: &Position, (): &mut ()) -> Score {
        let us = position.side();
        Score::cp(100 * (Self::points(position, us) - Self::points(position, !us)))
    }
}

/// Calls that foreign parts have received.
type Log = Arc<Mutex<Vec<String>>>;

fn note(log: &Log, call: String) {
    log.lock().expect("no test panics with the log").push(call);
}

/// Chooses the move with the best count of pieces after it. Without a limit, searches until
/// stopped.
#[derive(Debug)]
struct OnePly {
    log: Log,
    options: SearchOptions,
}

impl Searcher for OnePly {
    fn run(
        &mut self,
        request: &SearchRequest<'_>,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        let &SearchRequest { position, among, budget, .. } = request;
        let legal = position.legal_moves();
        let moves = among.unwrap_or(&legal);
        let SearchOptions { hash_mib, threads, .. } = self.options;
        note(&self.log, format!("search: {hash_mib} MiB, {threads} threads"));
        let value = |&m: &Move| -PieceCounter.evaluate(&position.after(m), &mut ());
        // `max_by_key` returns the last one of the best moves.
        let best = moves.iter().copied().max_by_key(value);
        let line = |m: Move| Line::exact(value(&m), [m].into_iter().collect());
        let analysis = Analysis {
            depth: 1,
            nodes: moves.len() as u64,
            lines: best.map(line).into_iter().collect(),
            completed: true,
            ..Analysis::default()
        };
        progress(&analysis);
        let is_limited = budget.nodes.or(budget.depth.map(u64::from)).is_some();
        while !is_limited && !budget.is_exhausted(analysis.nodes) {
            thread::yield_now();
        }
        analysis
    }

    fn new_game(&mut self) {
        note(&self.log, "new game".to_owned());
    }

    fn set_options(&mut self, options: SearchOptions) {
        self.options = options;
    }

    fn state(&self) -> SearcherState {
        SearcherState {
            memory_mib: self.options.hash_mib,
            hash_full: Some(123),
            ..SearcherState::default()
        }
    }
}

/// Finds mates in one move and records the calls.
#[derive(Debug)]
struct LoggedMates {
    log: Log,
}

impl MateSolver for LoggedMates {
    fn solve(&mut self, position: &Position, budget: &Budget, checks: CheckClass) -> MateReport {
        note(&self.log, "solve".to_owned());
        MateInOne.solve(position, budget, checks)
    }

    fn memory_bytes(&self) -> usize {
        5 << 20
    }
}

/// Parts whose calls are noted.
fn foreign_parts(log: &Log) -> Parts {
    let of_searcher = Arc::clone(log);
    let of_solver = Arc::clone(log);
    Parts::default()
        .with_searcher(move |options| {
            note(&of_searcher, format!("searcher of {} MiB", options.hash_mib));
            OnePly { log: Arc::clone(&of_searcher), options: options.clone() }
        })
        .with_solver(move |options| {
            note(&of_solver, format!("solver of {} MiB", options.hash_mib));
            LoggedMates { log: Arc::clone(&of_solver) }
        })
}

/// Runs a script of USI commands and returns the output, line by line.
fn dialogue(parts: Parts, script: &str) -> Vec<String> {
    let mut output = Vec::new();
    let input = Cursor::new(script.to_owned().into_bytes());
    serve(UsiEngine::with_parts(parts), input, &mut output).expect("no input fails");
    String::from_utf8(output).expect("USI is text").lines().map(str::to_owned).collect()
}

fn best_moves(output: &[String]) -> Vec<BestMove> {
    let message = |line: &String| line.parse().ok();
    let best = |message| match message {
        EngineMessage::BestMove(best) => Some(best),
        _ => None,
    };
    output.iter().filter_map(message).filter_map(best).collect()
}

/// Black can take a rook.
const ROOK_HANGS: &str = "position sfen 4k4/9/9/9/4r4/9/9/9/4R2K1 b - 1\n";

#[test]
fn an_evaluator_of_another_kind_plays() {
    let script = format!("setoption name USI_Hash value 1\nisready\n{ROOK_HANGS}go nodes 500\n");
    let output = dialogue(Parts::alpha_beta(PieceCounter), &script);
    let taken = BestMove::Move { best: "5i5e".parse().expect("a move"), ponder: None };
    assert_eq!(best_moves(&output), [taken], "{output:?}");
}

#[test]
fn a_searcher_and_a_solver_of_another_kind_play() {
    let log = Log::default();
    let script = format!(
        "setoption name USI_Hash value 3\nsetoption name MateHash value 2\nisready\nusinewgame\n\
         {ROOK_HANGS}go nodes 500\ngo nodes 500 searchmoves 2i1i 2i3i\n\
         setoption name USI_Hash value 4\nsetoption name Threads value 2\nisready\n\
         go depth 1\ngo infinite\nstop\ngo ponder btime 1000 wtime 1000\nponderhit\n"
    );
    let output = dialogue(foreign_parts(&log), &script);
    let moves: Vec<String> = best_moves(&output).iter().map(ToString::to_string).collect();
    assert_eq!(moves.len(), 5, "{output:?}");
    assert_eq!(moves[0], "5i5e");
    assert!(["2i1i", "2i3i"].contains(&moves[1].as_str()), "{moves:?}");
    assert_eq!((&moves[2], &moves[3], &moves[4]), (&moves[0], &moves[0], &moves[0]));
    let summary = "info string threads 1, hash 3 MiB, mate hash 5 MiB".to_owned();
    assert!(output.contains(&summary), "{output:?}");
    assert!(output.iter().any(|line| line.contains("hashfull 123")), "{output:?}");

    let log = log.lock().expect("no test panics with the log").clone();
    assert_eq!(log[..2], ["searcher of 3 MiB", "solver of 2 MiB"]);
    // It is made once and then receives the other size.
    assert_eq!(log.iter().filter(|call| call.starts_with("searcher")).count(), 1);
    assert!(log.contains(&"search: 3 MiB, 1 threads".to_owned()), "{log:?}");
    assert!(log.contains(&"search: 4 MiB, 2 threads".to_owned()), "{log:?}");
}

#[test]
fn a_solver_of_another_kind_finds_mates() {
    // One search a dialogue: a later command would stop it.
    // An engine that is asked only for mates gives the memory of the search to the solver.
    let alone = &["solver of 256 MiB", "solve"][..];
    for (go, answer, calls) in [
        ("go nodes 500", "bestmove G*5b", &["solve"][..]),
        ("go mate 60000", "checkmate G*5b", alone),
    ] {
        let log = Log::default();
        let script = format!("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1\n{go}\n");
        let output = dialogue(foreign_parts(&log), &script);
        assert_eq!(output.last().map(String::as_str), Some(answer), "{output:?}");
        let log = log.lock().expect("no test panics with the log").clone();
        assert_eq!(log[2..], *calls, "{log:?}");
    }
}

#[test]
fn foreign_parts_play_a_game() {
    let mut settings = Settings::default();
    (settings.hash_mib, settings.mate_hash_mib) = (1, 1);
    let log = Log::default();
    let mut foreign =
        GamePlayer::with_parts(foreign_parts(&log), settings.clone()).expect("no book");
    let mut counter =
        GamePlayer::with_parts(Parts::alpha_beta(PieceCounter), settings).expect("no book");
    let limits = GoLimits::from_usi("nodes 200");
    let mut position = Position::hirate();
    for ply in 0..40 {
        let choice = if ply % 2 == 0 {
            foreign.choose(&position, &limits, &Arc::default())
        } else {
            counter.choose(&position, &limits, &Arc::default())
        };
        let BestMove::Move { best, .. } = choice.best else { break };
        assert!(position.is_legal(best), "{best} in {position}");
        position.do_move(best);
    }
    let log = log.lock().expect("no test panics with the log").clone();
    assert!(log.contains(&"search: 1 MiB, 1 threads".to_owned()), "{log:?}");
}
