//! Conformance reports of an engine that keeps the rules, and of engines with one fault each: every
//! check can fail.
//!
//! The engines are this test program, started again: if an environment variable names a fault, the
//! test [`toy_engine`] runs as that engine and does not return.

mod toy;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use komadai_core::Language;
use komadai_testdata::programs::play_engine;
use komadai_usi::EngineConfig;
use komadai_usi::conformance::{Check, ConformanceReport, Outcome, TestLimits, check_engine};

const FAULT: &str = "KOMADAI_TOY_ENGINE";

#[test]
fn toy_engine() {
    play_engine(FAULT, toy::play);
}

/// The checks with an engine that breaks the rule.
#[rustfmt::skip]
const FAULTS: &[(Check, &str)] = &[
    (Check::UsiAnswer, "mute at usi"),
    (Check::Identity, "anonymous"),
    (Check::ProtocolLines, "none"),
    (Check::OptionSyntax, "declares option name X type slider"),
    (Check::OptionNames, "declares option name usi_hash type button"),
    (Check::OptionRanges, "declares option name X type spin default 9 min 1 max 3"),
    (Check::OptionChoices, "declares option name X type combo default c var a var b"),
    (Check::ReadyAnswer, "mute at isready"),
    (Check::ReadyAgain, "mute at the second isready"),
    (Check::UsiAgain, "mute at the second usi"),
    (Check::OptionKinds, "dies at setoption name Style value Normal"),
    (Check::OptionUnknown, "dies at setoption name NoOptionHasThisName value 1"),
    (Check::OptionValues, "dies at setoption name MultiPV value many"),
    (Check::OptionReserved, "dies at setoption name USI_Ponder value true"),
    (Check::PositionStart, "dies at position startpos moves 7g7f 3c3d"),
    (Check::PositionSfen, "dies at position sfen lnsgkgsnl/9"),
    (Check::PositionLongGame, "dies at long games"),
    (Check::PositionIllegal, "dies at position startpos moves 7g7f 7g7f"),
    (Check::PositionOneKing, "dies at position sfen 4k4/9/4P4/9/9/9/9/9/9 "),
    (Check::GoNodes, "reads go nodes as go infinite"),
    (Check::GoDepth, "reads go depth as go infinite"),
    (Check::GoMoveTime, "slow at go movetime"),
    (Check::GoByoyomi, "slow at go btime 0 wtime 0 byoyomi 1"),
    (Check::GoClock, "slow at go btime 400 wtime 400"),
    (Check::GoIncrement, "slow at go btime 200 wtime 200 binc"),
    (Check::GoZeroTime, "slow at go btime 0 wtime 0 byoyomi 0"),
    (Check::GoInfinite, "reads go infinite as go nodes 1"),
    (Check::GoPonderHit, "reads go ponder as go nodes 1"),
    (Check::GoPonderStop, "reads go ponder as go nodes 1"),
    (Check::GoMate, "reads go mate as go nodes 1"),
    (Check::GoMate, "prints checkmate G*5b as checkmate nomate"),
    (Check::GoMate, "prints checkmate G*5b as checkmate G*4b"),
    (Check::GoNoMate, "prints checkmate timeout as checkmate 8h3c+"),
    (Check::OneAnswer, "answers twice"),
    (Check::OneAnswer, "mute at go"),
    (Check::UnaskedAnswer, "prints readyok as bestmove 7g7f readyok"),
    (Check::LegalMove, "prints bestmove as bestmove 5e5d"),
    (Check::LegalPonder, "prints ponder as ponder 5e5d"),
    (Check::LegalLine, "prints pv as pv 5e5d"),
    (Check::Resignation, "prints bestmove as bestmove resign"),
    (Check::Declaration, "prints bestmove as bestmove win"),
    (Check::NoLegalMove, "prints resign as (none)"),
    (Check::InfoSyntax, "prints depth 1 as depth one"),
    (Check::InfoScore, "prints info as info string"),
    (Check::HashFull, "prints hashfull 0 as hashfull 1001"),
    (Check::MultiPv, "prints multipv 1 as multipv 2"),
    (Check::MultiPv, "prints multipv 2 as multipv 4"),
    (Check::MateSign, "prints mate 1 as mate -1"),
    (Check::MateSign, "prints mate -2 as mate 2"),
    (Check::GameOver, "dies at gameover"),
    (Check::StopIdle, "answers stop"),
    (Check::UnknownCommand, "complains"),
    (Check::EmptyLine, "complains"),
    (Check::CarriageReturn, "deaf to lines with CR"),
    (Check::Blanks, "deaf to lines with blanks"),
    (Check::LongLine, "dies at long lines"),
    (Check::Alive, "dies after an answer"),
    (Check::Quit, "hangs at quit"),
    (Check::QuitSearching, "hangs at quit in a search"),
    (Check::EndOfInput, "hangs at the end"),
    (Check::EndOfInputSearching, "hangs at the end in a search"),
];

fn config(fault: &str) -> EngineConfig {
    let mut config = EngineConfig::new(std::env::current_exe().expect("this program has a path"))
        .with_arguments(["conformance::toy_engine", "--exact", "--test-threads=2"])
        .with_variable(FAULT, fault);
    let is_mute = fault.starts_with("mute at");
    let ready = Duration::from_secs(if is_mute { 1 } else { 20 });
    (config.patience.launch, config.patience.ready) = (ready, ready);
    config
}

fn report(fault: &str) -> ConformanceReport {
    // An engine that exits late shall not fail on a machine with much other work.
    let is_hanging = fault.starts_with("hangs");
    let limits = TestLimits {
        nodes: 100,
        depth: 1,
        time: Duration::from_millis(100),
        hold: Duration::from_millis(50),
        margin: Duration::from_millis(if fault.starts_with("slow") { 400 } else { 5_000 }),
        wait: Duration::from_millis(if fault.starts_with("reads") { 500 } else { 2_000 }),
        exit: Duration::from_millis(if is_hanging { 500 } else { 10_000 }),
    };
    check_engine(&config(fault), &limits, &AtomicBool::new(false), &mut |_| {})
}

fn failed(report: &ConformanceReport) -> BTreeSet<Check> {
    let findings = report.findings().iter();
    findings
        .filter(|finding| finding.outcome == Outcome::Fail)
        .map(|finding| finding.check)
        .collect()
}

#[test]
fn an_engine_that_keeps_the_rules_passes() {
    // The test harness greets before the engine begins.
    let report = report("none");
    assert_eq!(failed(&report), BTreeSet::from([Check::ProtocolLines]), "{report:#?}");
    assert_eq!(
        (&*report.identity.name, &*report.identity.author),
        ("Toy", "the komadai developers")
    );
    let missing: Vec<_> = report
        .findings()
        .iter()
        .filter(|finding| finding.outcome == Outcome::NotApplicable)
        .filter(|finding| finding.check != Check::NoChildren || cfg!(target_os = "linux"))
        .collect();
    assert!(missing.is_empty(), "{missing:#?}");
    let notes: Vec<_> =
        report.findings().iter().filter(|finding| finding.outcome == Outcome::Note).collect();
    assert_eq!(notes.len(), 1, "{notes:#?}");
    assert!(notes[0].found[0].text(Language::English).starts_with("the same: bestmove"));
}

#[test]
fn every_check_fails_for_an_engine_with_its_fault() {
    let next = AtomicUsize::new(0);
    // The engines wait most of the time.
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while let Some((check, fault)) = FAULTS.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let report = report(fault);
                    assert!(
                        failed(&report).contains(check),
                        "{fault}: {:#?}",
                        report.finding(*check)
                    );
                }
            });
        }
    });
    let tried: BTreeSet<Check> = FAULTS.iter().map(|(check, _)| *check).collect();
    let notes = [Check::OptionBlanks, Check::GoSearchMoves, Check::Determinism];
    let others: Vec<_> = Check::ALL.into_iter().filter(|check| !tried.contains(check)).collect();
    let elsewhere = [Check::Launch, Check::NoChildren];
    assert!(
        others.iter().all(|check| notes.contains(check) || elsewhere.contains(check)),
        "{others:?}"
    );
}

#[test]
fn what_breaks_no_rule_is_a_note() {
    let blank = report("declares option name Clear Hash type button");
    assert_eq!(blank.finding(Check::OptionBlanks).outcome, Outcome::Note);
    let other = report("ignores searchmoves");
    assert_eq!(other.finding(Check::GoSearchMoves).outcome, Outcome::Note);
    let random = report("random");
    let found = random.finding(Check::Determinism);
    assert_eq!(found.outcome, Outcome::Note);
    assert!(found.found[0].text(Language::English).contains(", then "), "{found:?}");
}

#[test]
fn dead_and_mute_engines_end_the_checks() {
    let start = Instant::now();
    for fault in
        ["mute at usi", "mute at isready", "mute at go", "dies at usi", "dies at go", "floods"]
    {
        let report = report(fault);
        assert!(report.count(Outcome::Fail) >= 1, "{fault}");
        assert!(report.count(Outcome::NotApplicable) > 10, "{fault}: {report:#?}");
    }
    // Each wait is at most four seconds, and three losses are the end.
    assert!(start.elapsed() < Duration::from_secs(300));
    let missing = check_engine(
        &EngineConfig::new("/no/such/engine"),
        &TestLimits::default(),
        &AtomicBool::new(false),
        &mut |_| {},
    );
    assert_eq!(failed(&missing), BTreeSet::from([Check::Launch]));
    // A stop ends the report with what is known.
    let stop = AtomicBool::new(false);
    let stopped = check_engine(&config("none"), &TestLimits::default(), &stop, &mut |check| {
        stop.fetch_or(check == Check::GoNodes, Ordering::Relaxed);
    });
    assert_eq!(stopped.finding(Check::PositionStart).outcome, Outcome::Pass);
    assert_eq!(stopped.finding(Check::Quit).outcome, Outcome::NotApplicable);
}

#[cfg(target_os = "linux")]
#[test]
fn processes_that_are_left_behind_are_found_and_killed() {
    let report = report("leaves a process");
    let found = report.finding(Check::NoChildren);
    assert_eq!(found.outcome, Outcome::Fail, "{found:?}");
    assert!(found.found[0].text(Language::English).contains("1 left"), "{found:?}");
}
