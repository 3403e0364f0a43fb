//! Positions that a book cannot hold: some with only one king.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use komadai_bookfile::position_key::{PositionKey, leads_out, turn};
use komadai_bookfile::{BookRecord, RecordMove};
use komadai_bookgraph::frontier::{
    Alpha, DepartureOptions, FrontierOptions, ReachOptions, Rival, Window,
};
use komadai_bookgraph::{BookGame, BookGraph, DbOptions};
use komadai_core::{
    Analysis, Analyst, AnalystError, AnalystId, Budget, Color, Line, Move, Position, Score, Setup,
    SplitMix64,
};
use komadai_kifu::Tolerance;
use komadai_movegen::MoveGen as _;
use proptest::prelude::*;

use crate::files::inputs::find_inputs;
use crate::first_values::FirstValues;
use crate::games::{Branches, GameWalk};
use crate::grow::{GrowEnd, GrowOptions, Grown};
use crate::queue::{JobQueue as _, JobSettings, NewJob, PlanChanges, QueueOptions};
use crate::refresh::{RefreshOptions, RefreshPlanner, Urgent};
use crate::store::log_row::{LogRow, MoveRow, Seen};
use crate::store::{Change, FileImport, ImportEvent, ImportOptions, KnownMove, Store, Writer};
use crate::working_book::WorkingBook;

const START: &str = "8k/2rrl4/2n2ln2/g3pp2p/3l4n/2lp5/g5p2/9/7+p1 b 2B2GN4s12p 1";

/// A game whose last two moves lead to and from a position that a book cannot hold.
const GAME: &str = "N*2c 1a1b G*2b 1b2b B*3a 2b2c B*1b 2c2d";

/// Evaluates the first legal move.
struct First;

impl Analyst for First {
    fn identity(&self) -> AnalystId {
        AnalystId::new("first", "1")
    }

    fn analyse(&mut self, position: &Position, _: &Budget) -> Result<Analysis, AnalystError> {
        assert!(PositionKey::of(position).is_ok(), "{position}");
        let moves = position.legal_moves();
        let line = |&m| Line::exact(Score::cp(10), [m].into_iter().collect());
        Ok(Analysis { lines: moves.first().map(line).into_iter().collect(), ..Analysis::default() })
    }
}

/// The position of [`GAME`] from which a move leads to a position that a book cannot hold, this
/// move, and one that does not.
fn way_out() -> (Position, Move, Move) {
    let mut position = Position::from_sfen(START).unwrap();
    let mut moves = GAME.split(' ').map(|m| m.parse().unwrap());
    moves.by_ref().take(6).for_each(|m| position.do_move(m));
    let legal = position.legal_moves();
    let other = legal.iter().copied().find(|&m| !leads_out(&position, m)).unwrap();
    (position.without_history(), moves.next().unwrap(), other)
}

/// Legal moves to positions that a book cannot hold, from random games with one king.
fn ways_out(seed: u64) -> Vec<(Position, Move)> {
    let mut random = SplitMix64::new(seed);
    let mut found =
        (0..20).map(|_| ways_out_of_game(&mut random)).find(|found| !found.is_empty()).unwrap();
    found.truncate(6);
    found
}

fn ways_out_of_game(random: &mut SplitMix64) -> Vec<(Position, Move)> {
    let starts = [
        START,
        "8k/9/7R1/9/9/9/9/9/9 b RB4G4S4N4L18Pb 1",
        "8k/9/5n3/4B4/9/9/9/9/9 b 2GSbg2s3n4l18p 1",
        "9/9/9/9/9/9/4g4/9/4K4 w 2G2r2b4s4n4l18p 1",
    ];
    let start = random.below(starts.len() as u64) as usize;
    let mut position = Position::from_sfen(starts[start]).unwrap();
    let known = GAME.split(' ').take(if start == 0 { random.below(7) as usize } else { 0 });
    known.for_each(|m| position.do_move(m.parse().unwrap()));
    let mut found = Vec::new();
    for _ in 0..80 {
        let moves = position.legal_moves();
        if PositionKey::of(&position).is_ok() {
            let ways = moves.iter().filter(|&&m| leads_out(&position, m));
            found.extend(ways.take(2).map(|&m| (position.without_history(), m)));
        }
        let Some(&m) = moves.get(random.below(moves.len().max(1) as u64) as usize) else { break };
        position.do_move(m);
    }
    found
}

/// Adds a move to the log without looking at the position after it, so that the store gets a move
/// that can never get a value.
fn poison(store: &Store, position: &Position, m: Move) {
    let m = turn(m, position.side()).to_bits();
    let row = LogRow::Move(MoveRow { seen: Seen::of(position), m, ponder: None, games: 1 });
    let merged = store.write(|transaction| {
        let mut writer = Writer::open(transaction)?;
        writer.append(PositionKey::of(position)?, &row)?;
        writer.finish()
    });
    assert_eq!(merged.unwrap().moves, 1);
}

fn first_values(store: &Store) -> FirstValues {
    let (budget, stop) = (Budget::nodes(1), Arc::default());
    store.analyse_unvalued(&mut [First], &budget, &stop, &mut |_| {}).unwrap()
}

fn grow(book: &mut WorkingBook, positions: &[Position]) -> Grown {
    let options = GrowOptions { positions: 3, ..GrowOptions::nodes(5) };
    let mut select = |_: &BookGraph| positions.to_vec();
    book.grow(&mut [First], &options, &Arc::default(), &mut select, &mut |_| {}).unwrap()
}

/// Reads a file into a new store. Returns the import of the file.
fn import(folder: &Path, name: &str, content: &[u8], tolerance: Tolerance) -> (Store, FileImport) {
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    let store = Store::create(folder.join(format!("{name} {tolerance:?}.kbook"))).unwrap();
    let files = find_inputs(&[path], tolerance).unwrap().files;
    let options = ImportOptions { tolerance, ..ImportOptions::default() };
    let mut done = None;
    let mut on_event = |event: ImportEvent<'_>| {
        if let ImportEvent::Done(_, import) = event {
            let (lost, first_faults) = (import.lost.clone(), import.first_faults.clone());
            done = Some(FileImport { lost, first_faults, ..*import });
        }
    };
    store.import_files(&files, &options, &mut on_event).unwrap();
    (store, done.expect("one file"))
}

#[test]
fn an_import_leaves_out_moves_whose_positions_a_book_cannot_hold() {
    let folder = tempfile::tempdir().unwrap();
    let kobayashi = komadai_testdata::kifu::ki2_samples()
        .find(|sample| sample.name == "kfj__ki2_kobayashi_kinsho196702.ki2")
        .unwrap();
    let (position, m, other) = way_out();
    let header = "#YANEURAOU-DB2016 1.00\nsfen";
    let db = |value: &str| format!("{header} {position}\n{m} none {value}\n{other} none 30 9 4\n");
    // The seventh move leads out, the eighth comes from there.
    let until = |moves: usize| {
        let moves: Vec<&str> = GAME.split(' ').take(moves).collect();
        format!("sfen {START} moves {}\n", moves.join(" ")).into_bytes()
    };
    let turned = {
        let start = Position::from_sfen(START).unwrap().flipped();
        let moves = GAME.split(' ').map(|m| m.parse::<Move>().unwrap().flipped().to_string());
        format!("sfen {start} moves {}\n", moves.collect::<Vec<_>>().join(" ")).into_bytes()
    };
    let cases: [(&str, Vec<u8>, u64, u64); 8] = [
        // The name, the content, the moves that are left out and those that are taken.
        ("six.usi", until(6), 0, 6),
        ("seven.usi", until(7), 1, 6),
        ("eight.usi", until(8), 2, 6),
        ("turned.usi", turned, 2, 6),
        ("twice.usi", [until(7), until(8)].concat(), 3, 6),
        ("kobayashi.ki2", kobayashi.bytes.to_vec(), 12, 12),
        ("unvalued.db", db("none 0").into_bytes(), 1, 1),
        // A value is worth keeping, though no search from there can change it.
        ("valued.db", db("50 9 7").into_bytes(), 1, 2),
    ];
    for (name, content, left_out, taken) in cases {
        for tolerance in [Tolerance::Lenient, Tolerance::Strict] {
            let (store, import) = import(folder.path(), name, &content, tolerance);
            assert_eq!((import.lost.moves, import.faults), (left_out, 0), "{name}");
            let records = store.records().unwrap().map(Result::unwrap);
            let moves: u64 = records.map(|stored| stored.record.moves.len() as u64).sum();
            assert_eq!(moves, taken, "{name}");
            let done = first_values(&store);
            assert_eq!(done.unheld, 0, "{name}");
            assert_eq!(first_values(&store).analysed, 0, "{name}");
        }
    }
}

#[test]
fn no_change_brings_in_a_move_that_can_never_get_a_value() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(folder.path().join("a.kbook")).unwrap();
    let (position, m, other) = way_out();
    let known = KnownMove { position: position.clone(), m, ponder: None, games: 3 };
    let merged = store.merge_batch(&[known.clone().into()]).unwrap();
    assert_eq!((merged.moves, merged.unheld), (0, 1));
    assert_eq!(store.add_games(&position.flipped(), m.flipped(), 1).unwrap().unheld, 1);
    assert!(store.is_empty().unwrap());
    // An illegal move is refused as ever.
    let illegal = KnownMove { m: "9a9b".parse().unwrap(), ..known };
    assert!(store.merge_batch(&[illegal.into()]).is_err());
    // A poisoned store gives its sound part to others, as a log and as a store.
    let poisoned = Store::create(folder.path().join("poisoned.kbook")).unwrap();
    poison(&poisoned, &position, m);
    poisoned.add_games(&position, other, 2).unwrap();
    let mut log = Vec::new();
    poisoned.export_log(&mut log).unwrap();
    for tolerance in [Tolerance::Lenient, Tolerance::Strict] {
        let of_log = Store::create(folder.path().join(format!("{tolerance:?}.kbook"))).unwrap();
        let merged = of_log.import_log(&log[..], "log", tolerance).unwrap().unwrap().merged;
        assert_eq!((merged.moves, merged.unheld), (1, 1));
    }
    let input = crate::merge::Input { fingerprint: 1, games: 0, name: String::new() };
    let merged = store.import_store(&input, &poisoned).unwrap().unwrap();
    assert_eq!((merged.moves, merged.unheld), (1, 1));
}

#[test]
fn a_poisoned_book_grows_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.kbook");
    let store = Store::create(&path).unwrap();
    let (position, m, _) = way_out();
    poison(&store, &position, m);
    store.add_games(&Position::hirate(), "7g7f".parse().unwrap(), 1).unwrap();
    for _ in 0..2 {
        assert_eq!(first_values(&store).unheld, 1);
    }
    let stored = store.position(&position).unwrap().unwrap();
    let valued = stored.values.iter().flatten().count();
    assert_eq!((stored.values.len(), valued), (2, 1), "the position has a value of its own");
    let mut book = WorkingBook::of_store(store).unwrap();
    let options = FrontierOptions {
        roots: vec![Position::hirate(), position.clone(), position.after(m)],
        ..FrontierOptions::new(Position::hirate(), Color::Black, Window::Best)
    };
    let frontier = book.graph().frontier(&options);
    let selected: Vec<Position> = frontier.iter().map(|found| found.position).collect();
    assert_eq!((frontier.unheld(), selected.len()), (1, 2));
    let unheld = [vec![position.after(m)], selected].concat();
    let grown = grow(&mut book, &unheld);
    assert_eq!((grown.analysed, grown.unheld, grown.end), (2, 1, GrowEnd::Exhausted));
    book.graph().write_db(&mut Vec::new(), &DbOptions::default()).unwrap();
}

/// Positions that only a lenient reading admits: two pawns on a file, a piece without a move.
#[test]
fn irregular_positions_are_refused_or_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(folder.path().join("a.kbook")).unwrap();
    let irregular =
        |sfen| Position::from_setup_leniently(&Setup::from_sfen(sfen).unwrap()).unwrap();
    let positions =
        ["4k4/9/P8/9/P8/9/9/9/4K4 b - 1", "4k4/9/9/9/9/9/9/9/l3K4 w - 1"].map(irregular);
    let settings = JobSettings { nodes: Some(1), ..JobSettings::default() };
    for position in &positions {
        let m = *position.legal_moves().first().unwrap();
        assert!(store.add_games(position, m, 1).is_err());
        assert!(store.position(position).is_err());
        let job = NewJob { position: position.clone(), priority: 1, settings: settings.clone() };
        let queue = store.queue(QueueOptions::default());
        assert_eq!(queue.plan(&PlanChanges::wanted(vec![job])).unwrap().unheld, 1);
        let urgent = [Urgent { position: position.clone(), priority: 1 }];
        assert_eq!(RefreshPlanner::new(&urgent, RefreshOptions::new(None)).unheld(), 1);
        let graph = BookGraph::from_records([]).unwrap();
        let roots = FrontierOptions::new(position.clone(), Color::Black, Window::Best);
        assert_eq!(graph.frontier(&roots).unheld(), 1);
        assert!(BookGraph::from_records([BookRecord::new(position.clone())]).is_err());
    }
    assert!(store.is_empty().unwrap());
    let mut book = WorkingBook::of_store(store).unwrap();
    assert_eq!(grow(&mut book, &positions).unheld, 2);
    // A game from such a position counts as a fault that was skipped.
    let game = "V2.2\nP1 *  *  *  * -OU *  *  *  * \nP3+FU *  *  *  *  *  *  *  * \n\
        P5+FU *  *  *  *  *  *  *  * \nP9 *  *  *  * +OU *  *  *  * \n+\n+5958OU\n%TORYO\n";
    let (store, import) = import(folder.path(), "pawns.csa", game.as_bytes(), Tolerance::Lenient);
    assert!(store.is_empty().unwrap() && import.faults > 0);
}

/// The ways out, each once, in the orientation with Black to move.
fn known(ways: &[(Position, Move)]) -> HashSet<(PositionKey, Move)> {
    let turned = |(before, m): &(Position, Move)| {
        (PositionKey::of(before).unwrap(), turn(*m, before.side()))
    };
    ways.iter().map(turned).collect()
}

fn queues_and_plans_pass_over(store: &Store, unheld: &[Position]) {
    let settings = JobSettings { nodes: Some(1), ..JobSettings::default() };
    let jobs: Vec<NewJob> = unheld
        .iter()
        .map(|position| NewJob {
            position: position.clone(),
            priority: 1,
            settings: settings.clone(),
        })
        .collect();
    let queue = store.queue(QueueOptions::default());
    assert_eq!(queue.plan(&PlanChanges::wanted(jobs)).unwrap().unheld, unheld.len());
    assert_eq!(queue.counts().unwrap().waiting, 0);

    let urgent: Vec<Urgent> =
        unheld.iter().map(|position| Urgent { position: position.clone(), priority: 1 }).collect();
    let mut planner = RefreshPlanner::new(&urgent, RefreshOptions::new(None));
    for position in unheld {
        planner.add(&crate::stored_record::StoredRecord {
            record: BookRecord::new(position.clone()),
            values: Vec::new(),
            barred: Vec::new(),
        });
    }
    assert_eq!((planner.unheld(), planner.finish().len()), (2 * unheld.len(), 0));
}

/// Checks all selections of a graph in which each way out is the best move of its position, and
/// returns the graph.
fn selections_pass_over(ways: &[(Position, Move)], unheld: &[Position]) -> BookGraph {
    let records = known(ways).into_iter().map(|(key, m)| {
        let mut record = BookRecord::new(key.position(Color::Black, 1).unwrap());
        record.moves.push(RecordMove { score: Some(Score::cp(9)), ..RecordMove::new(m) });
        record
    });
    let graph = BookGraph::from_records(records).unwrap();
    let roots: Vec<Position> = ways.iter().map(|(before, _)| before.clone()).collect();
    let is_held = |position: &Position| PositionKey::of(position).is_ok();
    for side in Color::ALL {
        let options = FrontierOptions {
            roots: roots.iter().chain(unheld).cloned().collect(),
            ..FrontierOptions::new(Position::hirate(), side, Window::Best)
        };
        let reach = ReachOptions::new(Rival::Games { smoothing: 1.0 });
        for frontier in [
            graph.frontier(&options),
            graph.frontier_by_price(&options, Alpha::default()),
            graph.frontier_by_probability(&options, &reach),
        ] {
            assert!(frontier.iter().all(|found| is_held(&found.position)));
            assert_eq!(frontier.unheld() > 0, !unheld.is_empty());
            assert!(graph.rejoins(&frontier).iter().all(|rejoin| is_held(&rejoin.found.position)));
        }
        let refuted = graph.refutations(&options, 0);
        assert!(refuted.iter().all(|refuted| is_held(&refuted.found.position)));
        let own = DepartureOptions {
            roots: unheld.to_vec(),
            ..DepartureOptions::new(Position::hirate(), side)
        };
        assert_eq!(graph.departures(&[&graph], &own), []);
    }
    let games = roots.iter().map(|root| {
        let winner = Some(Color::White);
        BookGame::new(root.to_setup(), Vec::new(), Color::Black, winner)
    });
    let unsolved = graph.unsolved(&games.collect::<Vec<_>>()).unwrap();
    assert!(unsolved.iter().all(|found| is_held(&found.position)));

    graph
}

fn games_and_growth_pass_over(
    store: Store,
    graph: &BookGraph,
    ways: &[(Position, Move)],
    unheld: &[Position],
) {
    for (before, m) in ways {
        let moves =
            [vec![*m], before.after(*m).legal_moves().first().copied().into_iter().collect()]
                .concat();
        let game = BookGame::new(before.to_setup(), moves, before.side(), None);
        assert_eq!(GameWalk::new(&game, graph).unwrap().turns().len(), 1);
        let other = BookGame { book_side: !before.side(), ..game.clone() };
        assert_eq!(GameWalk::new(&other, graph).unwrap().turns().len(), 0);
        let mut branches = Branches::at(before.ply() + 1);
        branches.add(&game).unwrap();
        assert_eq!(branches.points(), []);
        // The file keeps the start of a game in its own orientation, in which it may not fit.
        let _ = store.merge_batch(&[Change::Game(game)]);
    }
    let mut book = WorkingBook::of_store(store).unwrap();
    assert_eq!(book.extension_targets(0, 8).unwrap(), []);
    let keys: HashSet<u64> = unheld.iter().map(Position::key).collect();
    let grown = grow(&mut book, unheld);
    assert_eq!((grown.analysed, grown.unheld), (0, keys.len()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn every_source_of_jobs_passes_over_what_a_book_cannot_hold(seed in any::<u64>()) {
        let ways = ways_out(seed);
        let unheld: Vec<Position> = ways.iter().map(|(before, m)| before.after(*m)).collect();
        let before: HashSet<PositionKey> =
            ways.iter().map(|(before, _)| PositionKey::of(before).unwrap()).collect();

        // First values.
        let folder = tempfile::tempdir().unwrap();
        let store = Store::create(folder.path().join("a.kbook")).unwrap();
        let known = known(&ways);
        for (key, m) in &known {
            poison(&store, &key.position(Color::Black, 1).unwrap(), *m);
        }
        let done = first_values(&store);
        // The value of a position may be that of a move out.
        prop_assert!(done.unheld <= known.len() && done.analysed == before.len());
        prop_assert_eq!(first_values(&store).analysed, 0);

        queues_and_plans_pass_over(&store, &unheld);
        let graph = selections_pass_over(&ways, &unheld);
        games_and_growth_pass_over(store, &graph, &ways, &unheld);
    }
}
