//! The loop by which a working book grows, with artificial analysts.

use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use komadai_book::queue::{JobQueue as _, JobSettings, NewJob, PlanChanges, QueueOptions};
use komadai_book::{GrowEnd, GrowEvent, GrowOptions, Grown, WorkingBook};
use komadai_bookgraph::frontier::{FrontierOptions, Window};
use komadai_bookgraph::{BookGraph, DbOptions};
use komadai_core::{
    Analysis, Analyst, AnalystError, AnalystId, Budget, Color, Line, Position, Score,
};
use komadai_movegen::MoveGen as _;

/// Derives the values of positions from their keys, so all instances agree. Failures depend on the
/// number of analyses.
#[derive(Clone, Default)]
pub(crate) struct Oracle {
    analyses: u64,
    /// Fails if the number of analyses is divisible by this, unless it is 0.
    fails_every: u64,
    /// Returns an illegal move if the number of analyses is divisible by this, unless it is 0.
    illegal_every: u64,
    remembered: u64,
}

impl Analyst for Oracle {
    fn identity(&self) -> AnalystId {
        AnalystId::new("oracle", "1")
    }

    fn analyse(&mut self, position: &Position, budget: &Budget) -> Result<Analysis, AnalystError> {
        self.analyses += 1;
        self.remembered += 1;
        let is_due = |every: u64| every > 0 && self.analyses.is_multiple_of(every);
        if is_due(self.fails_every) {
            return Err(AnalystError::Silent {
                engine: "oracle".to_owned(),
                waited_ms: 1,
                stderr: String::new(),
            });
        }
        let moves = position.legal_moves();
        let mut lines: Vec<Line> = (0..moves.len().min(3))
            .map(|rank| {
                let m = moves[(position.key() as usize).wrapping_add(rank * 7) % moves.len()];
                let cp = (position.after(m).key() >> 32) as i32 % 60;
                Line::exact(Score::cp(cp), [m].into_iter().collect())
            })
            .collect();
        lines.sort_by_key(|line| (-line.score.raw(), line.pv.to_string()));
        lines.dedup_by_key(|line| line.pv.to_string());
        if is_due(self.illegal_every) {
            lines[0].pv = "5e5d".parse().expect("a move");
        }
        Ok(Analysis {
            lines,
            nodes: budget.least_nodes().unwrap_or(0),
            depth: 1,
            ..Analysis::default()
        })
    }

    fn forget(&mut self) {
        self.remembered = 0;
    }
}

pub(crate) fn select(graph: &BookGraph) -> Vec<Position> {
    let side = |side| FrontierOptions::new(Position::hirate(), side, Window::Best);
    let mut positions = Vec::new();
    for color in [Color::Black, Color::White] {
        positions.extend(graph.frontier(&side(color)).iter().map(|found| found.position));
    }
    positions
}

pub(crate) fn options(positions: usize) -> GrowOptions {
    let settings = JobSettings { nodes: Some(100), ..JobSettings::default() };
    GrowOptions { positions, per_round: 10, ..GrowOptions::new(settings) }
}

/// Grows a book with these analysts until `most` positions were analysed in this run. Returns the
/// result and a text for each failure.
pub(crate) fn grow(
    path: &Path,
    analysts: &mut [Oracle],
    options: &GrowOptions,
    most: usize,
) -> (Grown, Vec<String>) {
    let mut book = WorkingBook::open_or_create(path).expect("a sound file");
    let stop = Arc::new(AtomicBool::new(false));
    let (mut analysed, mut failures) = (0, Vec::new());
    let grown = book
        .grow(analysts, options, &stop, &mut select, &mut |event| match event {
            GrowEvent::Analysed { graph, position, .. } => {
                analysed += 1;
                assert!(graph.contains(position));
                if analysed == most {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            GrowEvent::Failed { reason, .. } => failures.push(reason.to_owned()),
            GrowEvent::Dismissed { analyst, .. } => failures.push(format!("dismissed {analyst}")),
            _ => {}
        })
        .expect("a sound file");
    (grown, failures)
}

/// Returns the moves of a book with their propagated values as text.
pub(crate) fn text(path: &Path) -> String {
    let book = WorkingBook::open(path).expect("a sound file");
    let mut text = Vec::new();
    book.graph().write_db(&mut text, &DbOptions::default()).expect("writing to memory succeeds");
    String::from_utf8(text).expect("a book is UTF-8")
}

#[test]
fn the_result_does_not_depend_on_the_number_of_analysts() {
    let folder = tempfile::tempdir().unwrap();
    let texts: Vec<String> = [1, 2, 5]
        .map(|count| {
            let path = folder.path().join(format!("{count}.kbook"));
            let mut analysts = vec![Oracle::default(); count];
            let (grown, _) = grow(&path, &mut analysts, &options(95), usize::MAX);
            assert_eq!((grown.analysed, grown.end), (95, GrowEnd::Enough));
            assert!(grown.rounds >= 10 && grown.nodes == 9_500, "{grown:?}");
            text(&path)
        })
        .into();
    assert_eq!(texts[0].matches("sfen ").count(), 95);
    assert_eq!(texts[0], texts[1]);
    assert_eq!(texts[0], texts[2]);
}

#[test]
fn an_interrupted_run_ends_with_the_same_book() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.kbook");
    grow(&whole, &mut [Oracle::default()], &options(90), usize::MAX);
    // Of several analysts some are ahead of the others at each interruption.
    for analysts in [1, 2, 5] {
        let parts = folder.path().join(format!("{analysts}.kbook"));
        let mut analysts = vec![Oracle::default(); analysts];
        let mut done = 0;
        for most in [1, 13, 7, 20, 11] {
            let (grown, _) = grow(&parts, &mut analysts, &options(90 - done), most);
            assert_eq!(grown.end, GrowEnd::Stopped);
            done += grown.analysed;
        }
        let (grown, _) = grow(&parts, &mut analysts, &options(90 - done), usize::MAX);
        assert_eq!((done + grown.analysed, grown.end), (90, GrowEnd::Enough));
        assert_eq!(text(&whole), text(&parts));
    }
}

#[test]
fn failures_are_reported_and_positions_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let plain = folder.path().join("plain.kbook");
    grow(&plain, &mut [Oracle::default()], &options(40), usize::MAX);
    for (fails_every, illegal_every) in [(3, 0), (0, 4)] {
        let path = folder.path().join(format!("{fails_every}.kbook"));
        let analyst = Oracle { fails_every, illegal_every, ..Oracle::default() };
        let (grown, failures) = grow(&path, &mut [analyst], &options(40), usize::MAX);
        assert_eq!((grown.analysed, grown.end), (40, GrowEnd::Enough));
        assert!(grown.failures >= 10 && failures.len() == grown.failures, "{failures:?}");
        let expected = if fails_every > 0 { "oracle" } else { "5e5d is illegal" };
        assert!(failures.iter().all(|reason| reason.contains(expected)), "{failures:?}");
        assert_eq!(text(&plain), text(&path));
    }
}

#[test]
fn an_analyst_that_always_fails_gets_no_more_work() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.kbook");
    let hopeless = Oracle { fails_every: 1, ..Oracle::default() };
    let (grown, failures) =
        grow(&path, &mut [hopeless.clone(), Oracle::default()], &options(60), usize::MAX);
    assert!(grown.analysed >= 50, "{grown:?}");
    assert!(failures.iter().filter(|reason| reason.starts_with("dismissed")).count() <= 1);
    let path = folder.path().join("two.kbook");
    let (grown, failures) =
        grow(&path, &mut [hopeless.clone(), hopeless], &options(60), usize::MAX);
    assert_eq!(grown.analysed, 0);
    // The only position is given up after three failures, if both have failed at it.
    assert!((3..=4).contains(&grown.failures), "{grown:?}");
    assert_eq!(failures.len(), grown.failures);
    assert_eq!(grown.end, GrowEnd::Exhausted);
}

#[test]
fn a_position_is_analysed_once_with_the_same_settings() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.kbook");
    let only_start = |_: &BookGraph| vec![Position::hirate(), Position::hirate().flipped()];
    let mut book = WorkingBook::open_or_create(&path).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let mut analysed = Vec::new();
    for nodes in [100, 100, 200] {
        let mut oracle = [Oracle::default()];
        let settings = JobSettings { nodes: Some(nodes), ..JobSettings::default() };
        let options = GrowOptions::new(settings);
        let grown =
            book.grow(&mut oracle, &options, &stop, &mut only_start.clone(), &mut |_| {}).unwrap();
        analysed.push(grown.analysed);
    }
    // The same settings, and the position with colours exchanged, give no second analysis; more
    // nodes do.
    assert_eq!(analysed, [1, 0, 1]);
    assert_eq!(book.store().analyses(&Position::hirate()).unwrap().len(), 2);
}

/// Finds as many lines as it is told to, and notes the number for each position.
struct Named {
    name: &'static str,
    own: u16,
    lines: u16,
    seen: Vec<(String, u16)>,
}

impl Named {
    fn new(name: &'static str, own: u16) -> Self {
        Self { name, own, lines: own, seen: Vec::new() }
    }
}

impl Analyst for Named {
    fn identity(&self) -> AnalystId {
        AnalystId { options: format!("MultiPV={}", self.lines), ..AnalystId::new(self.name, "2.0") }
    }

    fn analyse(&mut self, position: &Position, _: &Budget) -> Result<Analysis, AnalystError> {
        self.seen.push((position.to_string(), self.lines));
        let moves = position.legal_moves();
        let moves = moves.iter().take(self.lines.into());
        let line = |&m| Line::exact(Score::ZERO, [m].into_iter().collect());
        Ok(Analysis { lines: moves.map(line).collect(), nodes: 1, ..Analysis::default() })
    }

    fn set_lines(&mut self, lines: Option<NonZero<u16>>) -> Result<(), AnalystError> {
        self.lines = lines.map_or(self.own, NonZero::get);
        if self.lines > 90 {
            let (engine, reason) = (self.name.to_owned(), "too many lines".to_owned());
            return Err(AnalystError::Gone { engine, reason });
        }
        Ok(())
    }
}

/// A job of a plan: the position after a move, the engine and the number of lines.
fn planned(m: &str, engine: &str, multi_pv: u16) -> NewJob {
    let settings = JobSettings {
        nodes: Some(9),
        multi_pv,
        generation: 1,
        engine: engine.to_owned(),
        ..JobSettings::default()
    };
    NewJob {
        position: Position::hirate().after(m.parse().unwrap()).without_history(),
        priority: 1,
        settings,
    }
}

/// Returns the result of a run without selected positions, and the jobs that it left to others.
fn work_off(book: &mut WorkingBook, analysts: &mut [Named]) -> (Grown, Vec<(String, u64)>) {
    let (options, stop) = (GrowOptions::nodes(1), Arc::default());
    let mut left = Vec::new();
    let mut on_event = |event: GrowEvent<'_>| {
        if let GrowEvent::OthersWait { jobs } = event {
            left.extend(jobs.iter().map(|(engine, count)| (engine.clone(), *count)));
        }
    };
    let grown = book.grow(analysts, &options, &stop, &mut |_| Vec::new(), &mut on_event).unwrap();
    assert_eq!(grown.end, GrowEnd::Exhausted);
    assert_eq!(grown.waiting_for_others, left.iter().map(|(_, count)| count).sum::<u64>());
    (grown, left)
}

#[test]
fn a_plan_for_another_engine_waits_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut book = WorkingBook::open_or_create(folder.path().join("a.kbook")).unwrap();
    book.store()
        .queue(QueueOptions::default())
        .plan(&PlanChanges::wanted(vec![
            planned("7g7f", "otherengine 2.0", 0),
            planned("2g2f", "otherengine", 0),
            planned("5g5f", "", 0),
            planned("6g6f", "third 9.9", 0),
        ]))
        .unwrap();
    let mut own = [Named::new("own", 1), Named::new("own", 1)];
    let (grown, left) = work_off(&mut book, &mut own);
    assert_eq!(grown.analysed, 1);
    let waiting = |engine: &str, count| (engine.to_owned(), count);
    let others =
        [waiting("otherengine", 1), waiting("otherengine 2.0", 1), waiting("third 9.9", 1)];
    assert_eq!(left, others);
    assert_eq!(work_off(&mut book, &mut own).0.analysed, 0);
    // Analysts of several kinds work side by side, each on its own jobs.
    let mut mixed = [Named::new("own", 1), Named::new("otherengine", 1)];
    let (grown, left) = work_off(&mut book, &mut mixed);
    assert_eq!((grown.analysed, left), (2, vec![waiting("third 9.9", 1)]));
    assert_eq!((mixed[0].seen.len(), mixed[1].seen.len()), (0, 2));
    for entry in book.store().log().unwrap().map(Result::unwrap) {
        let is_for_other = entry.analysis.position.to_string() != position_text("5g5f");
        let expected = if is_for_other { "otherengine" } else { "own" };
        assert_eq!(entry.analysis.analyst.name, expected);
    }
}

fn position_text(m: &str) -> String {
    Position::hirate().after(m.parse().unwrap()).to_string()
}

#[test]
fn positions_that_wait_for_others_do_not_end_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let mut book = WorkingBook::open_or_create(folder.path().join("a.kbook")).unwrap();
    let moves = ["7g7f", "2g2f", "5g5f"];
    let queue = book.store().queue(QueueOptions::default());
    queue.plan(&PlanChanges::wanted(moves.map(|m| planned(m, "other", 0)).to_vec())).unwrap();
    // The settings of the three are raised, but their engine stays the other one.
    let selected: Vec<Position> = moves
        .iter()
        .chain(&["6g6f", "1g1f"])
        .map(|m| Position::hirate().after(m.parse().unwrap()).without_history())
        .collect();
    let options = GrowOptions { per_round: 2, ..GrowOptions::nodes(500) };
    let mut own = [Named::new("own", 1)];
    let mut select = |_: &BookGraph| selected.clone();
    let grown = book.grow(&mut own, &options, &Arc::default(), &mut select, &mut |_| {}).unwrap();
    assert_eq!((grown.analysed, grown.waiting_for_others), (2, 3));
    assert_eq!(grown.end, GrowEnd::Exhausted);
}

#[test]
fn an_analyst_finds_as_many_lines_as_a_job_states() {
    let folder = tempfile::tempdir().unwrap();
    let mut book = WorkingBook::open_or_create(folder.path().join("a.kbook")).unwrap();
    let lines = [("7g7f", 4), ("2g2f", 1), ("5g5f", 0), ("6g6f", 7), ("1g1f", 91), ("9g9f", 2)];
    let jobs = lines.map(|(m, lines)| planned(m, "", lines));
    let plan = PlanChanges::wanted(jobs.to_vec());
    book.store().queue(QueueOptions::default()).plan(&plan).unwrap();
    let mut own = [Named::new("own", 3)];
    let (grown, _) = work_off(&mut book, &mut own);
    // The analyst cannot find 91 lines: the job is given up after three failures.
    assert_eq!((grown.analysed, grown.failures), (5, 3));
    let mut expected: Vec<_> = lines
        .iter()
        .filter(|(_, lines)| *lines < 90)
        .map(|&(m, lines)| (position_text(m), if lines == 0 { 3 } else { lines }))
        .collect();
    expected.sort();
    own[0].seen.sort();
    assert_eq!(own[0].seen, expected);
    assert_eq!(own[0].lines, 3, "its own number again");
    let stored = book.store().position(&Position::hirate().after("6g6f".parse().unwrap())).unwrap();
    assert_eq!(stored.unwrap().record.moves.len(), 7);
}
