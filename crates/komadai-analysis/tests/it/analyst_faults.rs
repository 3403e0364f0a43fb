//! Pools of engines with faults: an engine is started again once, the position is sent again, and a
//! position that failed twice is reported while the others are analysed.
//!
//! The engines are this test program, started again: if an environment variable names a fault, the
//! test [`faulty_engine`] runs as that engine and does not return. The fault concerns a single
//! position, the [poisoned](POISON) one. Each engine writes into a file when it starts and when it
//! meets that position.

mod faulty_engine;

use std::fs;
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use komadai_analysis::UsiAnalyst;
use komadai_analysis::game_analysis::{Effort, GameAnalyst};
use komadai_book::{BatchEnd, analyse_all};
use komadai_core::{Analysis, AnalystError, Budget, Position, Score, Setup};
use komadai_kifu::{Tolerance, parse_usi_games};
use komadai_testdata::programs::play_engine;
use komadai_usi::{EngineConfig, Patience};
use tempfile::TempDir;

use self::faulty_engine::{FAULTS, JOURNAL, POISON, play};

const FAULT: &str = "KOMADAI_FAULTY_ANALYST";

#[test]
fn faulty_engine() {
    play_engine(FAULT, play);
}

/// A pool of engines with a fault, and their journal.
struct Faulty {
    config: EngineConfig,
    journal: PathBuf,
    _folder: TempDir,
}

impl Faulty {
    fn new(fault: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let journal = folder.path().join("journal");
        // Long enough for a busy machine, since the other positions must not fail.
        let patience = Patience {
            silence: Duration::from_secs(3),
            quit: Duration::from_millis(300),
            ..Patience::default()
        };
        let config = EngineConfig::new(std::env::current_exe().expect("this program has a path"))
            .with_arguments(["analyst_faults::faulty_engine", "--exact", "--test-threads=2"])
            .with_variable(FAULT, fault)
            .with_variable(JOURNAL, &journal);
        let config = EngineConfig { patience, ..config };
        Self { config, journal, _folder: folder }
    }

    fn pool(&self, processes: usize) -> Vec<UsiAnalyst> {
        let pool = UsiAnalyst::launch_pool(&self.config, NonZero::new(processes).unwrap());
        let mut pool = pool.unwrap_or_else(|error| panic!("{error}"));
        pool.iter_mut().for_each(|analyst| analyst.job_limit = Duration::from_secs(60));
        pool
    }

    /// Returns the number of entries of a kind in the journal.
    fn count(&self, entry: &str) -> usize {
        let journal = fs::read_to_string(&self.journal).expect("the engines write it");
        journal.lines().filter(|line| line.split(' ').next() == Some(entry)).count()
    }

    /// Asserts that no process of an engine is left.
    fn assert_all_have_ended(&self) {
        let journal = fs::read_to_string(&self.journal).expect("the engines write it");
        for line in journal.lines() {
            let Some(number) = line.strip_prefix("started ") else { continue };
            // The analysts have waited for their processes: nothing else has to read an exit
            // status.
            assert!(!fs::exists(format!("/proc/{number}")).unwrap(), "process {number} is left");
        }
    }
}

/// Twelve positions with different move numbers, of which one is poisoned.
fn positions() -> Vec<Position> {
    let position = |ply| {
        let mut setup = Setup::hirate();
        setup.ply = ply;
        Position::from_setup(&setup).unwrap()
    };
    (POISON - 4..POISON + 8).map(position).collect()
}

fn analyse(pool: &mut [UsiAnalyst]) -> Vec<Result<Analysis, AnalystError>> {
    let mut results = Vec::new();
    let end = analyse_all(pool, &positions(), &Budget::nodes(10), |index, result| {
        assert_eq!(index, results.len());
        results.push(result);
    });
    assert_eq!((end, results.len()), (BatchEnd::Done, 12));
    results
}

#[test]
fn a_position_that_fails_twice_is_reported_and_the_others_are_analysed() {
    for fault in FAULTS {
        let faulty = Faulty::new(fault);
        let mut pool = faulty.pool(2);
        for (index, result) in analyse(&mut pool).into_iter().enumerate() {
            if index == 4 {
                let error = result.expect_err(fault);
                assert!(error.to_string().contains("a known error"), "{fault}: {error}");
                assert!(is_expected(fault, &error), "{fault}: {error}");
            } else {
                let analysis = result.unwrap_or_else(|error| panic!("{fault}: {error}"));
                assert_eq!(analysis.score(), Some(Score::cp(45)), "{fault}");
            }
        }
        assert_eq!(faulty.count("poisoned"), 2, "{fault}: asked twice");
        drop(pool);
        // Two at first, one for the second attempt, and one for the positions after that.
        assert_eq!(faulty.count("started"), 4, "{fault}");
        faulty.assert_all_have_ended();
    }
}

fn is_expected(fault: &str, error: &AnalystError) -> bool {
    match fault {
        "crash" | "crash in a report" | "crash in the answer" => {
            matches!(error, AnalystError::Gone { reason, .. } if reason.contains("exit status: 3"))
        }
        "silence" | "endless line" => {
            matches!(error, AnalystError::Silent { waited_ms: 3_000, .. })
        }
        _ => matches!(error, AnalystError::BadAnswer { .. }),
    }
}

#[test]
fn a_fault_that_passes_is_not_reported() {
    for fault in FAULTS {
        let faulty = Faulty::new(&format!("{fault} once"));
        let mut pool = faulty.pool(1);
        for result in analyse(&mut pool) {
            let analysis = result.unwrap_or_else(|error| panic!("{fault}: {error}"));
            assert_eq!(analysis.score(), Some(Score::cp(45)), "{fault}");
        }
        let counts = [faulty.count("started"), faulty.count("poisoned")];
        assert_eq!(counts, [2, 2], "{fault}: one restart, and no more");
        drop(pool);
        faulty.assert_all_have_ended();
    }
}

#[test]
fn a_second_answer_is_not_that_to_the_next_position() {
    // The second answer has a move that is legal, and comes at once, before `readyok`, or after the
    // next `go`.
    for fault in ["two answers", "answer before readyok", "answer after go"] {
        let faulty = Faulty::new(fault);
        let mut pool = faulty.pool(1);
        for (index, result) in analyse(&mut pool).into_iter().enumerate() {
            let analysis = result.unwrap_or_else(|error| panic!("{fault}: {error}"));
            assert_eq!(analysis.best_move(), Some("7g7f".parse().unwrap()), "{fault}: {index}");
        }
        assert_eq!(faulty.count("started"), 2, "{fault}: started again after the second answer");
        drop(pool);
        faulty.assert_all_have_ended();
    }
}

#[test]
fn an_engine_that_cannot_be_started_again_fails_every_position() {
    let faulty = Faulty::new("crash and stay away");
    let mut pool = faulty.pool(1);
    let results = analyse(&mut pool);
    assert!(results[..4].iter().all(Result::is_ok));
    for result in &results[4..] {
        let error = result.as_ref().unwrap_err();
        assert!(error.to_string().contains("a known error"), "{error}");
    }
    // One at first; one restart for the poisoned position, and two for each of the seven after it.
    assert_eq!(faulty.count("started"), 1 + 1 + 2 * 7);
}

#[test]
fn engines_that_hang_at_quit_do_not_hold_up_a_pool() {
    let faulty = Faulty::new("hang at quit");
    let mut pool = faulty.pool(2);
    assert!(analyse(&mut pool).iter().all(Result::is_ok));
    drop(pool);
    assert_eq!(faulty.count("started"), 2);
    faulty.assert_all_have_ended();
}

#[test]
fn a_game_is_analysed_around_a_position_that_fails() {
    let game = "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 3i3h 7a7b";
    let record = parse_usi_games(game, Tolerance::Strict).unwrap().records.remove(0);
    for fault in ["crash", "illegal move", "no value"] {
        let faulty = Faulty::new(fault);
        let mut analyst = GameAnalyst::usi(&faulty.config, NonZero::new(2).unwrap()).unwrap();
        let analysis = analyst.analyse(&record, |_| {}).unwrap();
        assert_eq!((analysis.plies.len(), analysis.failures()), (11, 1), "{fault}");
        let failed = analysis.plies.iter().find(|ply| ply.failure.is_some()).unwrap();
        assert_eq!(failed.ply, POISON as usize, "{fault}");
        assert!(analysis.plies.iter().all(|ply| ply.failure.is_some() || ply.score.is_some()));
        drop(analyst);
        faulty.assert_all_have_ended();
    }
}

#[test]
fn a_deadline_without_any_report_is_a_failure_of_the_position() {
    let record =
        parse_usi_games("startpos moves 7g7f", Tolerance::Strict).unwrap().records.remove(0);
    let faulty = Faulty::new("answers alone");
    let mut analyst = GameAnalyst::usi(&faulty.config, NonZero::<usize>::MIN).unwrap();
    analyst.effort = Effort::Time(Duration::from_millis(50));
    let analysis = analyst.analyse(&record, |_| {}).unwrap();
    assert_eq!(analysis.failures(), 2);
    let failure = analysis.plies[0].failure.as_ref().unwrap();
    assert!(matches!(failure, AnalystError::NoLine { .. }), "{failure}");
}
