//! The view follows from the log: the view updated step by step, the view derived again, and the
//! result of a naive reader agree.

use std::collections::BTreeMap;

use komadai_bookfile::position_key::turn;
use komadai_core::{AnalystId, Bound, Move, Position, Score};
use proptest::prelude::*;

use super::changes::{Changes, analyst, positions};
use crate::logged_analysis::LoggedAnalysis;
use crate::store::{Change, Deletion, KnownMove, NewSnapshot, Store, StoreError, ViewPolicy};
use crate::stored_record::StoredRecord;

/// Something that happened, in the orientation with Black to move.
#[derive(Debug, Clone)]
enum Event {
    Analysis(LoggedAnalysis),
    Move(KnownMove),
    Deleted(u64, String, Option<Move>),
    Undone(u64),
}

/// A position without its number, Black to move.
fn name(position: &Position) -> String {
    let turned = if position.side().index() == 0 { position.clone() } else { position.flipped() };
    let sfen = turned.to_string();
    sfen.rsplit_once(' ').unwrap().0.to_owned()
}

/// A move of a view: games, value, and who gave it.
type Shown = (Move, u32, Option<(i32, Bound, String)>, Option<Move>);
type View = BTreeMap<String, Vec<Shown>>;

#[derive(Debug, Clone)]
struct Evaluated {
    score: Score,
    bound: Bound,
    nodes: u64,
    depth: u32,
    analyst: AnalystId,
    answer: Option<Move>,
}

/// Reads all events once for each position.
fn naive(events: &[Event], policy: &ViewPolicy) -> View {
    let mut names: Vec<String> = Vec::new();
    for event in events {
        let (Event::Analysis(LoggedAnalysis { position, .. })
        | Event::Move(KnownMove { position, .. })) = event
        else {
            continue;
        };
        names.push(name(position));
    }
    let views = names.into_iter().map(|of| {
        let view = naive_position(events, policy, &of);
        (of, view)
    });
    views.filter(|(_, moves)| !moves.is_empty()).collect()
}

fn naive_position(events: &[Event], policy: &ViewPolicy, of: &str) -> Vec<Shown> {
    let mut moves: Vec<(Move, u32, Vec<Evaluated>, Option<Move>)> = Vec::new();
    let at = |moves: &mut Vec<(Move, u32, Vec<Evaluated>, Option<Move>)>, m: Move| {
        moves.iter().position(|known| known.0 == m).unwrap_or_else(|| {
            moves.push((m, 0, Vec::new(), None));
            moves.len() - 1
        })
    };
    let mut seen = Vec::new();
    for event in events {
        match event {
            Event::Analysis(logged) if name(&logged.position) == of => {
                if seen.contains(&logged.when) {
                    continue;
                }
                seen.push(logged.when);
                let side = logged.position.side();
                for line in &logged.analysis.lines {
                    let m = turn(line.pv[0], side);
                    let place = at(&mut moves, m);
                    let answer = line.pv.get(1).map(|&m| turn(m, side));
                    moves[place].3 = answer.or(moves[place].3);
                    moves[place].2.push(Evaluated {
                        score: line.score,
                        bound: line.bound,
                        nodes: logged.analysis.nodes,
                        depth: logged.analysis.depth,
                        analyst: logged.analyst.clone(),
                        answer,
                    });
                }
            }
            Event::Move(known) if name(&known.position) == of => {
                let side = known.position.side();
                let place = at(&mut moves, turn(known.m, side));
                moves[place].1 += known.games;
                moves[place].3 = known.ponder.map(|m| turn(m, side)).or(moves[place].3);
            }
            _ => {}
        }
    }
    let is_deleted = |m: Move| {
        events.iter().any(|event| match event {
            Event::Deleted(id, position, deleted) => {
                let undone =
                    events.iter().any(|e| matches!(e, Event::Undone(undone) if undone == id));
                position == of && deleted.is_none_or(|deleted| deleted == m) && !undone
            }
            _ => false,
        })
    };
    let kept = moves.into_iter().filter(|(m, ..)| !is_deleted(*m));
    kept.map(|(m, games, log, ponder)| {
        let value = naive_choice(&log, policy);
        let answer = value.as_ref().and_then(|value| value.answer).or(ponder);
        let value = value.map(|v| (v.score.raw(), v.bound, v.analyst.name));
        (m, games, value, answer)
    })
    .collect()
}

fn naive_choice(log: &[Evaluated], policy: &ViewPolicy) -> Option<Evaluated> {
    let exact: Vec<_> = log.iter().filter(|e| e.bound == Bound::Exact).cloned().collect();
    let mut log = if exact.is_empty() { log.to_vec() } else { exact };
    let newest = log.last()?.clone();
    match policy {
        ViewPolicy::Newest => Some(newest),
        ViewPolicy::MostNodes => {
            log.sort_by_key(|e| e.nodes);
            log.pop()
        }
        ViewPolicy::Deepest => {
            log.sort_by_key(|e| e.depth);
            log.pop()
        }
        ViewPolicy::Prefer(id) => {
            log.retain(|e| e.analyst == *id);
            log.pop().or(Some(newest))
        }
        ViewPolicy::Mean => {
            let by_analyst: BTreeMap<_, _> = log.iter().map(|e| (&e.analyst, e.score)).collect();
            let values: Vec<i32> = by_analyst.values().filter_map(|score| score.to_cp()).collect();
            if newest.bound != Bound::Exact || newest.score.is_mate() {
                return Some(newest);
            }
            let mean = f64::from(values.iter().sum::<i32>()) / values.len() as f64;
            Some(Evaluated { score: Score::cp(mean.round() as i32), ..newest })
        }
    }
}

fn shown(analysts: &[AnalystId], stored: &StoredRecord) -> (String, Vec<Shown>) {
    let position = &stored.record.position;
    let side = position.side();
    let moves = stored.moves().map(|(listed, value)| {
        let value = value.map(|value| {
            assert_eq!(listed.score, Some(value.score));
            let analyst = &analysts[value.analyst.index()];
            (value.score.raw(), value.bound, analyst.name.clone())
        });
        let ponder = listed.ponder.map(|m| turn(m, side));
        (turn(listed.m, side), listed.count.unwrap(), value, ponder)
    });
    (name(position), moves.collect())
}

fn view_of(store: &Store) -> View {
    let analysts = store.analysts().unwrap();
    store.records().unwrap().map(|stored| shown(&analysts, &stored.unwrap())).collect()
}

fn snapshot_of(store: &Store, name: &str) -> View {
    let analysts = store.analysts().unwrap();
    store.records_at(name).unwrap().map(|stored| shown(&analysts, &stored.unwrap())).collect()
}

fn policies() -> [ViewPolicy; 6] {
    [
        ViewPolicy::Newest,
        ViewPolicy::MostNodes,
        ViewPolicy::Deepest,
        ViewPolicy::Prefer(analyst(1)),
        ViewPolicy::Prefer(AnalystId::new("nobody", "")),
        ViewPolicy::Mean,
    ]
}

/// Deletes something of the view, or undoes a deletion, and notes it.
fn prune(store: &Store, events: &mut Vec<Event>, choice: usize) {
    let tombstones = store.tombstones().unwrap();
    if choice.is_multiple_of(3) {
        let Some(tombstone) = tombstones.get(choice % 7) else { return };
        store.undo(&[tombstone.id], 1).unwrap();
        events.push(Event::Undone(tombstone.id));
        return;
    }
    let records: Vec<StoredRecord> = store.records().unwrap().map(Result::unwrap).collect();
    let Some(stored) = records.get(choice % records.len().max(1)) else { return };
    let position = stored.record.position.clone();
    let listed = &stored.record.moves[choice % stored.record.moves.len()];
    let m = (!choice.is_multiple_of(5)).then_some(listed.m);
    let (reason, games) = ("lost".to_owned(), vec![1, 2]);
    let deletion =
        Deletion { position: position.clone(), m, reason, when: 3, generation: 1, games };
    let ids = store.delete(&[deletion]).unwrap();
    let m = m.map(|m| turn(m, position.side()));
    events.push(Event::Deleted(ids[0], name(&position), m));
}

fn note(events: &mut Vec<Event>, changes: &[Change]) {
    for change in changes {
        match change {
            Change::Analysis(logged) => events.push(Event::Analysis(logged.clone())),
            Change::Move(known) => events.push(Event::Move(known.clone())),
            Change::Input(_) | Change::Game(_) => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_view_is_what_follows_from_the_log(
        seed in any::<u64>(),
        steps in prop::collection::vec((0_usize..8, 0_usize..1_000), 1..12),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::create(folder.path().join("a.kbook")).unwrap();
        let mut changes = Changes::new(seed, 6);
        let (mut events, mut snapshots) = (Vec::new(), Vec::new());
        let mut policy = ViewPolicy::Newest;
        for (number, (step, choice)) in steps.into_iter().enumerate() {
            match step {
                0 | 1 => prune(&store, &mut events, choice),
                2 => {
                    policy = policies()[choice % 6].clone();
                    store.set_policy(&policy).unwrap();
                }
                3 => {
                    let name = format!("at {number}");
                    let new = NewSnapshot { name, when: 1, generation: 2, figures: Vec::new() };
                    let taken = store.take_snapshot(&new).unwrap();
                    prop_assert_eq!(taken.positions, store.len().unwrap());
                    snapshots.push((new.name, naive(&events, &policy)));
                }
                _ => {
                    let batch = changes.batch(1 + choice % 9);
                    let before = view_of(&store);
                    let merged = store.merge_batch(&batch).unwrap();
                    note(&mut events, &batch);
                    let after = view_of(&store);
                    prop_assert_eq!(merged.positions, after.len() - before.len());
                    let moves = |view: &View| view.values().map(Vec::len).sum::<usize>();
                    prop_assert_eq!(merged.moves, moves(&after) - moves(&before));
                }
            }
            let naive = naive(&events, &policy);
            prop_assert_eq!(view_of(&store), naive);
        }
        let kept = store.fingerprint().unwrap();
        store.set_policy(&policy).unwrap();
        prop_assert_eq!(store.fingerprint().unwrap(), kept, "derived anew it is the same");
        let check = store.check().unwrap();
        prop_assert!(check.file_was_sound);
        prop_assert_eq!(check.wrong_positions, 0);
        for (name, expected) in snapshots {
            prop_assert_eq!(snapshot_of(&store, &name), expected);
        }
        store.compact().unwrap();
        prop_assert_eq!(store.fingerprint().unwrap(), kept, "compacting changes no content");
    }

    #[test]
    fn everything_handed_in_comes_back(seed in any::<u64>()) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.kbook");
        let batch = Changes::new(seed, 8).batch(40);
        let store = Store::create(&path).unwrap();
        store.merge_batch(&batch).unwrap();
        drop(store);
        let store = Store::open(&path).unwrap();
        let mut whens = Vec::new();
        for change in &batch {
            let Change::Analysis(logged) = change else { continue };
            let entries = store.analyses(&logged.position).unwrap();
            let again = entries.iter().find(|entry| entry.analysis.when == logged.when);
            let again = again.unwrap();
            if again.analysis.position.side() == logged.position.side() {
                // Two positions that differ in their number only are one.
                let mut again = again.analysis.clone();
                again.position = logged.position.clone();
                prop_assert_eq!(&again, logged);
            }
            whens.push((logged.when, again.sequence));
        }
        whens.sort_unstable();
        whens.dedup();
        let entries = store.log().unwrap().map(Result::unwrap);
        let mut streamed: Vec<_> =
            entries.map(|entry| (entry.analysis.when, entry.sequence)).collect();
        streamed.sort_unstable();
        prop_assert_eq!(streamed, whens, "each of them once");
        let games: Vec<_> = batch.iter().filter_map(|change| match change {
            Change::Game(game) => Some(game.clone()),
            _ => None,
        }).collect();
        let mut again = Vec::new();
        for (number, game) in store.games().unwrap().map(Result::unwrap) {
            assert_eq!(number, again.len() as u64);
            again.push(game);
        }
        prop_assert_eq!(again, games);
        let inputs: Vec<_> = batch.iter().filter_map(|change| match change {
            Change::Input(input) => Some(input.clone()),
            _ => None,
        }).collect();
        prop_assert_eq!(store.inputs().unwrap(), inputs);
    }
}

#[test]
fn a_position_is_kept_as_it_was_first_seen_and_found_either_way() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(folder.path().join("a.kbook")).unwrap();
    let white = Position::hirate().after("7g7f".parse().unwrap()).without_history();
    store.add_games(&white, "3c3d".parse().unwrap(), 4).unwrap();
    store.add_games(&white.flipped(), "2g2f".parse().unwrap(), 1).unwrap();
    let kept: Vec<StoredRecord> = store.records().unwrap().map(Result::unwrap).collect();
    assert_eq!(kept[0].record.position, white);
    assert_eq!(kept[0].record.ply, Some(2));
    let moves = |stored: &StoredRecord| {
        let moves = stored.record.moves.iter();
        moves.map(|listed| (listed.m.to_string(), listed.count)).collect::<Vec<_>>()
    };
    assert_eq!(moves(&kept[0]), [("3c3d".into(), Some(4)), ("8c8d".into(), Some(1))]);
    let turned = store.position(&white.flipped()).unwrap().unwrap();
    assert_eq!(moves(&turned), [("7g7f".into(), Some(4)), ("2g2f".into(), Some(1))]);
    assert!(store.position(&positions(8, 30)[20]).unwrap().is_none());
}

#[test]
fn a_deleted_move_stays_away_until_it_is_given_back() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(folder.path().join("a.kbook")).unwrap();
    let start = Position::hirate();
    let moves = |store: &Store| {
        let stored = store.position(&start).unwrap();
        stored.map_or(Vec::new(), |stored| {
            stored.record.moves.iter().map(|m| (m.m.to_string(), m.count)).collect()
        })
    };
    for m in ["7g7f", "2g2f"] {
        store.add_games(&start, m.parse().unwrap(), 1).unwrap();
    }
    let deletion = Deletion {
        position: start.clone(),
        m: Some("7g7f".parse().unwrap()),
        reason: "lost all 12 games".to_owned(),
        when: 1_700_000_000,
        generation: 3,
        games: vec![4, 5],
    };
    let ids = store.delete(std::slice::from_ref(&deletion)).unwrap();
    assert_eq!(store.delete(std::slice::from_ref(&deletion)).unwrap(), ids, "it is deleted");
    store.add_games(&start, "7g7f".parse().unwrap(), 10).unwrap();
    assert_eq!(moves(&store), [("2g2f".into(), Some(1))]);
    let whole = Deletion { m: None, ..deletion.clone() };
    let ids_of_whole = store.delete(&[whole]).unwrap();
    assert_eq!(moves(&store), []);
    assert_eq!(store.len().unwrap(), 0);
    let gone = Deletion { m: Some("2g2f".parse().unwrap()), ..deletion.clone() };
    let error = store.delete(&[gone]).unwrap_err();
    assert!(matches!(error, StoreError::NotInBook { .. }), "{error}");
    assert_eq!(store.undo(&ids_of_whole, 8).unwrap(), 1);
    assert_eq!(store.undo(&ids_of_whole, 9).unwrap(), 0);
    assert_eq!(store.undo(&ids, 8).unwrap(), 1);
    assert_eq!(moves(&store), [("7g7f".into(), Some(11)), ("2g2f".into(), Some(1))]);
    let tombstones = store.tombstones().unwrap();
    assert_eq!(tombstones[0].deletion, deletion);
    assert_eq!(tombstones.iter().map(|t| t.undone).collect::<Vec<_>>(), [Some(8), Some(8)]);
    assert!(matches!(store.undo(&[0, 77], 8), Err(StoreError::NoTombstone { id: 77 })));
}

#[test]
fn a_snapshots_name_belongs_to_one_state() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(folder.path().join("a.kbook")).unwrap();
    let figures = vec![("root".to_owned(), 35)];
    let new = NewSnapshot { name: "gen 0".into(), when: 9, generation: 0, figures };
    let taken = store.take_snapshot(&new).unwrap();
    assert_eq!(store.take_snapshot(&new).unwrap(), taken);
    store.add_games(&Position::hirate(), "7g7f".parse().unwrap(), 1).unwrap();
    let error = store.take_snapshot(&new).unwrap_err();
    assert!(matches!(error, StoreError::SnapshotExists { .. }), "{error}");
    assert_eq!(store.snapshots().unwrap(), [taken]);
    assert_eq!(snapshot_of(&store, "gen 0"), View::new());
    let error = store.records_at("gen 1").unwrap_err();
    assert!(matches!(error, StoreError::NoSnapshot { .. }), "{error}");
}

#[test]
fn the_mix_of_engines_adds_up() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(folder.path().join("a.kbook")).unwrap();
    let mut changes = Changes::new(5, 12);
    let batch: Vec<_> = (0..200).map(|_| changes.analysis()).collect();
    for logged in &batch {
        store.merge_batch(&[logged.clone().into()]).unwrap();
    }
    let shares = store.sources().unwrap();
    assert_eq!(shares.len(), 3);
    let view = view_of(&store);
    let valued: Vec<_> = view.values().flatten().filter_map(|shown| shown.2.clone()).collect();
    for share in &shares {
        let theirs: Vec<_> = batch.iter().filter(|l| l.analyst == share.analyst).collect();
        let mut names: Vec<_> = theirs.iter().map(|logged| name(&logged.position)).collect();
        names.sort();
        names.dedup();
        assert_eq!(share.positions, names.len() as u64);
        assert_eq!(share.nodes, theirs.iter().map(|logged| logged.analysis.nodes).sum::<u64>());
        let lines = theirs.iter().map(|logged| logged.analysis.lines.len() as u64);
        assert_eq!(share.evaluations, lines.sum::<u64>());
        let whens = theirs.iter().map(|logged| logged.when);
        assert_eq!(share.first_and_last, whens.clone().min().zip(whens.max()));
        let in_view = valued.iter().filter(|value| value.2 == share.analyst.name).count();
        assert_eq!(share.view_moves, in_view as u64);
        assert!((share.view_share - in_view as f64 / valued.len() as f64).abs() < 1e-12);
    }
    // Pairs: the last exact centipawns of both engines for the same move.
    let mut last: BTreeMap<(String, Move), [Option<i32>; 2]> = BTreeMap::new();
    for logged in &batch {
        let Some(which) = [analyst(0), analyst(2)].iter().position(|id| *id == logged.analyst)
        else {
            continue;
        };
        for line in &logged.analysis.lines {
            if let (Bound::Exact, Some(cp)) = (line.bound, line.score.to_cp()) {
                let m = turn(line.pv[0], logged.position.side());
                last.entry((name(&logged.position), m)).or_default()[which] = Some(cp);
            }
        }
    }
    let both = |values: &[Option<i32>; 2]| Some((values[0]?, values[1]?));
    let mut expected: Vec<_> = last.values().filter_map(both).collect();
    let pairs = store.value_pairs(&analyst(0), &analyst(2)).unwrap();
    let mut found: Vec<_> = pairs.iter().map(|pair| (pair.old as i32, pair.new as i32)).collect();
    expected.sort_unstable();
    found.sort_unstable();
    assert!(!found.is_empty());
    assert_eq!(found, expected);
}

#[test]
fn records_are_those_of_the_view_when_it_was_asked() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(folder.path().join("a.kbook")).unwrap();
    let mut changes = Changes::new(3, 40);
    for _ in 0..40 {
        store.merge_batch(&[changes.analysis().into()]).unwrap();
    }
    let expected: Vec<StoredRecord> = store.records().unwrap().map(Result::unwrap).collect();
    let records = store.records().unwrap();
    store.add_games(&komadai_core::Position::hirate(), "1g1f".parse().unwrap(), 9).unwrap();
    let read: Vec<StoredRecord> = records.map(Result::unwrap).collect();
    assert!(read.len() > 5);
    assert_eq!(read, expected);
}
