//! Samples, interruptions and failures of a calibration.

use komadai_core::{Line, Pv, Score};
use komadai_movegen::MoveGen as _;

use super::*;

/// Returns the value that the old engine gives to the `number`th position: most are nearly even.
fn old_value(number: usize) -> i32 {
    match number {
        0..=2 => -900 + 10 * number as i32,
        3..=9 => 200 + number as i32,
        _ => number as i32 - 40,
    }
}

/// Returns 90 different positions.
fn positions() -> Vec<Position> {
    let start = Position::hirate();
    let mut positions = Vec::new();
    for first in start.legal_moves() {
        let after = start.after(first);
        positions.extend(after.legal_moves().into_iter().take(3).map(|m| after.after(m)));
    }
    positions
}

fn id(name: &str) -> AnalystId {
    AnalystId::new(name, "1")
}

fn analysis_of(position: &Position, cp: i32) -> Analysis {
    let lines = position.legal_moves().into_iter().take(2).zip([0, 7]);
    let lines = lines.map(|(m, worse)| Line::exact(Score::cp(cp - worse), Pv::from_iter([m])));
    Analysis { lines: lines.collect(), nodes: 100, ..Analysis::default() }
}

/// Returns a book that an old engine has valued.
fn book(folder: &tempfile::TempDir) -> Store {
    let store = Store::create(folder.path().join("a.kbook")).unwrap();
    let changes: Vec<_> = positions()
        .into_iter()
        .enumerate()
        .map(|(number, position)| {
            let analysis = analysis_of(&position, old_value(number));
            LoggedAnalysis::new(position, analysis, id("old")).into()
        })
        .collect();
    store.merge_batch(&changes).unwrap();
    store
}

/// Gives each position twice the old value and 5 more; fails where it is told to.
struct Doubler {
    fails: bool,
    analysed: usize,
    stop_after: usize,
    stop: Arc<AtomicBool>,
}

impl Doubler {
    fn new() -> Self {
        Self { fails: false, analysed: 0, stop_after: usize::MAX, stop: Arc::default() }
    }
}

impl Analyst for Doubler {
    fn identity(&self) -> AnalystId {
        id("new")
    }

    fn analyse(&mut self, position: &Position, _: &Budget) -> Result<Analysis, AnalystError> {
        if self.fails {
            // So that a failure is heard of before the next positions have failed.
            std::thread::sleep(std::time::Duration::from_millis(20));
            let engine = "new".to_owned();
            return Err(AnalystError::Silent { engine, waited_ms: 1, stderr: String::new() });
        }
        if self.analysed == self.stop_after {
            self.stop.store(true, Ordering::Relaxed);
        }
        self.analysed += 1;
        let key = PositionKey::of(position).unwrap();
        let is_it = |other: &Position| PositionKey::of(other).unwrap() == key;
        let number = positions().iter().position(is_it).unwrap();
        let mut analysis = analysis_of(position, 0);
        for (line, worse) in analysis.lines.iter_mut().zip([0, 7]) {
            line.score = Score::cp(2 * (old_value(number) - worse) + 5);
        }
        Ok(analysis)
    }
}

const OPTIONS: CalibrationOptions = CalibrationOptions { positions: 30, nodes: 100, seed: 3 };

fn draw(store: &Store, options: &CalibrationOptions) -> CalibrationSample {
    CalibrationSample::draw(store, &id("old"), &id("new"), options).unwrap()
}

fn names(positions: &[Position]) -> Vec<String> {
    positions.iter().map(ToString::to_string).collect()
}

#[test]
fn small_strata_are_taken_whole_and_the_others_share_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let store = book(&folder);
    let sample = draw(&store, &OPTIONS);
    let counts: Vec<_> =
        sample.strata().iter().map(|stratum| (stratum.positions, stratum.sampled)).collect();
    // Three positions below −600, seven from 200 on, and 80 that are nearly even.
    assert_eq!(counts, [(3, 3), (0, 0), (0, 0), (80, 20), (7, 7), (0, 0), (0, 0)]);
    assert_eq!((sample.strata()[0].least, sample.strata()[0].below), (None, Some(-600)));
    assert_eq!((sample.strata()[3].least, sample.strata()[3].below), (Some(-100), Some(100)));
    assert_eq!(sample.positions().len(), 30);
    assert_eq!(names(sample.positions()), names(draw(&store, &OPTIONS).positions()));
    let other = draw(&store, &CalibrationOptions { seed: 4, ..OPTIONS });
    assert_ne!(names(sample.positions()), names(other.positions()));
    let all = draw(&store, &CalibrationOptions { positions: 500, ..OPTIONS });
    assert_eq!(all.positions().len(), 90);
    let none = CalibrationSample::draw(&store, &id("nobody"), &id("new"), &OPTIONS).unwrap();
    assert_eq!(none.positions().len(), 0);
    assert_eq!(none.compare(&store, &id("nobody"), &id("new")).unwrap().scale, None);
}

#[test]
fn an_interrupted_calibration_continues_and_finds_the_scale() {
    let folder = tempfile::tempdir().unwrap();
    let store = book(&folder);
    let sample = draw(&store, &OPTIONS);
    let mut first = Doubler { stop_after: 11, ..Doubler::new() };
    let stop = Arc::clone(&first.stop);
    let run = sample.analyse(&store, std::slice::from_mut(&mut first), &stop, |_, _| {}).unwrap();
    assert_eq!(run, CalibrationRun { analysed: 11, failures: 0, end: BatchEnd::Stopped });
    // New values change the view of the book, and not the sample.
    let rest = draw(&store, &OPTIONS);
    assert_eq!(names(rest.positions()), names(sample.positions()));
    assert_eq!(rest.waiting().len(), 19);
    assert_eq!(rest.strata().iter().map(|stratum| stratum.known).sum::<usize>(), 11);
    let mut second = Doubler::new();
    let stop = Arc::default();
    let run = rest.analyse(&store, std::slice::from_mut(&mut second), &stop, |_, _| {}).unwrap();
    assert_eq!((run.analysed, run.end, second.analysed), (19, BatchEnd::Done, 19));
    assert_eq!(draw(&store, &OPTIONS).waiting().len(), 0);
    let deeper = draw(&store, &CalibrationOptions { nodes: 101, ..OPTIONS });
    assert_eq!(deeper.waiting().len(), 30);
    let found = sample.compare(&store, &id("old"), &id("new")).unwrap();
    assert_eq!(found.pairs.len(), 60);
    let scale = found.scale.unwrap();
    assert!((scale.robust.slope - 2.0).abs() < 1e-9, "{scale:?}");
    assert!((scale.robust.intercept - 5.0).abs() < 1e-9, "{scale:?}");
    let interval = found.interval.unwrap();
    assert!(interval.slope.iter().all(|end| (end - 2.0).abs() < 1e-9), "{interval:?}");
}

#[test]
fn an_engine_that_always_fails_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let store = book(&folder);
    let sample = draw(&store, &OPTIONS);
    let mut fails = Doubler { fails: true, ..Doubler::new() };
    let stop = Arc::default();
    let run = sample.analyse(&store, std::slice::from_mut(&mut fails), &stop, |_, _| {}).unwrap();
    assert!((5..30).contains(&run.failures), "{run:?}");
    assert_eq!((run.analysed, run.end), (0, BatchEnd::Stopped));
    assert_eq!(draw(&store, &OPTIONS).waiting().len(), 30);
}
