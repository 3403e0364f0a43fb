use komadai_movegen::{MoveList, generate_legal};

use super::*;

/// Evaluates a position by its key, and counts the positions that it has analysed.
struct Oracle {
    analysed: Vec<String>,
    fails_at: usize,
    stops_at: usize,
    stop: Arc<AtomicBool>,
}

impl Oracle {
    fn new(stop: &Arc<AtomicBool>) -> Self {
        let (fails_at, stops_at) = (usize::MAX, usize::MAX);
        Self { analysed: Vec::new(), fails_at, stops_at, stop: Arc::clone(stop) }
    }
}

impl Analyst for Oracle {
    fn identity(&self) -> AnalystId {
        AnalystId::new("oracle", "1")
    }

    fn analyse(&mut self, position: &Position, _: &Budget) -> Result<Analysis, AnalystError> {
        self.analysed.push(position.to_string());
        if self.analysed.len() == self.fails_at {
            let engine = "oracle".to_owned();
            return Err(AnalystError::Silent { engine, waited_ms: 1, stderr: String::new() });
        }
        if self.analysed.len() == self.stops_at {
            self.stop.store(true, Ordering::Relaxed);
        }
        let mut moves = MoveList::new();
        generate_legal(position, &mut moves);
        let score = Score::cp((position.key() % 200) as i32);
        let line = |&m| Line::exact(score, Pv::from_parts(m, &[]));
        let lines = moves.first().map(line).into_iter().collect();
        Ok(Analysis { lines, nodes: 7, depth: 3, ..Analysis::default() })
    }
}

/// A store with moves of games: two orders of the same moves, and one game that goes further.
fn store(folder: &tempfile::TempDir) -> Store {
    let store = Store::create(folder.path().join("a.kbook")).unwrap();
    for game in ["7g7f 3c3d 2g2f", "2g2f 3c3d 7g7f", "7g7f 3c3d 2g2f 8c8d"] {
        let mut position = Position::hirate();
        for m in game.split(' ').map(|m| m.parse().unwrap()) {
            store.add_games(&position, m, 1).unwrap();
            position.do_move(m);
        }
    }
    store
}

fn evaluations(store: &Store) -> Vec<(String, String, i32, u64)> {
    let mut all = Vec::new();
    for stored in store.records().unwrap().map(Result::unwrap) {
        for (listed, value) in stored.moves() {
            let value = value.expect("every move has a value");
            let position = stored.record.position.to_string();
            all.push((position, listed.m.to_string(), value.score.raw(), value.sequence));
        }
    }
    all
}

#[test]
fn every_move_gets_a_value_and_each_position_is_analysed_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder);
    let stop = Arc::default();
    let mut analysts = [Oracle::new(&stop)];
    let mut events = Vec::new();
    let done = store
        .analyse_unvalued(&mut analysts, &Budget::nodes(1), &stop, &mut |event| events.push(event))
        .unwrap();
    let analysed = &mut analysts[0].analysed;
    // Two orders of moves lead to one of the positions, so the games have seven different ones.
    assert_eq!((done.analysed, done.nodes, analysed.len()), (7, 49, 7));
    let nodes: Vec<u64> = events
        .iter()
        .filter_map(|event| match event {
            FirstValuesEvent::Analysed { nodes } => Some(*nodes),
            _ => None,
        })
        .collect();
    assert_eq!(nodes, [0, 7, 14, 21, 28, 35, 42]);
    assert!(matches!(events.first(), Some(FirstValuesEvent::Batch { positions: 7 })));
    assert!(matches!(events.last(), Some(FirstValuesEvent::BatchDone)));
    analysed.sort();
    analysed.dedup();
    assert_eq!(analysed.len(), 7);
    // The value of a move is that of the position after it, negated.
    let (start, m) = (Position::hirate(), "7g7f".parse().unwrap());
    let stored = store.position(&start).unwrap().unwrap();
    let (_, value) = stored.moves().find(|(listed, _)| listed.m == m).unwrap();
    assert_eq!(value.unwrap().score, -Score::cp((start.after(m).key() % 200) as i32));
    // Nothing is left to do.
    let again = store.analyse_unvalued(&mut analysts, &Budget::nodes(1), &stop, &mut |_| {});
    assert_eq!(again.unwrap().analysed, 0);
}

#[test]
fn the_result_does_not_depend_on_the_number_of_analysts() {
    let results = [1, 3].map(|count| {
        let folder = tempfile::tempdir().unwrap();
        let store = store(&folder);
        let stop = Arc::default();
        let mut analysts: Vec<_> = (0..count).map(|_| Oracle::new(&stop)).collect();
        store.analyse_unvalued(&mut analysts, &Budget::nodes(1), &stop, &mut |_| {}).unwrap();
        evaluations(&store)
    });
    assert_eq!(results[0], results[1]);
}

#[test]
fn a_position_without_moves_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(folder.path().join("a.kbook")).unwrap();
    let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1").unwrap();
    let mate = "G*5b".parse().unwrap();
    store.add_games(&position, mate, 1).unwrap();
    let stop = Arc::default();
    let analysts = &mut [Oracle::new(&stop)];
    store.analyse_unvalued(analysts, &Budget::nodes(1), &stop, &mut |_| {}).unwrap();
    let stored = store.position(&position).unwrap().unwrap();
    let (_, value) = stored.moves().find(|(listed, _)| listed.m == mate).unwrap();
    assert_eq!(value.unwrap().score, Score::mate_in(1));
}

#[test]
fn a_failure_ends_the_work_and_keeps_earlier_results() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder);
    let stop = Arc::default();
    let mut analysts = [Oracle { fails_at: 3, ..Oracle::new(&stop) }];
    let error = store.analyse_unvalued(&mut analysts, &Budget::nodes(1), &stop, &mut |_| {});
    assert!(matches!(error, Err(RunError::Analyst(AnalystError::Silent { .. }))));
    assert!(stop.load(Ordering::Relaxed));
    let logged: u64 = store.sources().unwrap().iter().map(|engine| engine.evaluations).sum();
    assert!(logged >= 2, "{logged}");
    let none =
        store.analyse_unvalued::<Oracle>(&mut [], &Budget::nodes(1), &Arc::default(), &mut |_| {});
    assert!(matches!(none, Err(RunError::NoAnalysts { .. })));
}

#[test]
fn a_set_flag_ends_the_work_and_it_can_be_continued() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder);
    let stop = Arc::default();
    let mut analysts = [Oracle { stops_at: 4, ..Oracle::new(&stop) }];
    let done =
        store.analyse_unvalued(&mut analysts, &Budget::nodes(1), &stop, &mut |_| {}).unwrap();
    assert_eq!(done.analysed, 3);
    stop.store(false, Ordering::Relaxed);
    store.analyse_unvalued(&mut analysts, &Budget::nodes(1), &stop, &mut |_| {}).unwrap();
    evaluations(&store);
}

#[test]
fn a_full_batch_leaves_the_other_positions_to_the_next_one() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder);
    let all = unvalued(&store, usize::MAX).unwrap().tasks;
    assert_eq!(all.len(), 7);
    let few = unvalued(&store, 2).unwrap().tasks;
    assert!((2..7).contains(&few.len()));
    let same = |(few, all): (&Task, &Task)| few.position == all.position;
    assert!(few.iter().zip(&all).all(same));
}
