//! The index and its tables beside simple loops over the bundled games.

use std::collections::BTreeMap;
use std::path::Path;

use komadai_core::{Color, Move, Position};
use komadai_games::{
    BuildOptions, FileStamp, GameIndex, GameQuery, GameSummary, IndexBuilder, MoveResults,
    OpeningTable, OpeningTree, TreeOptions,
};
use komadai_kifu::{FilePlace, Outcome, Record, Tolerance, parse_csa, parse_kif};
use komadai_testdata::kifu;

fn records() -> Vec<Record> {
    let csa = kifu::samples().flat_map(|sample| {
        parse_csa(sample.bytes, Tolerance::Lenient).map(|games| games.records).unwrap_or_default()
    });
    let kif = kifu::kif_samples().flat_map(|sample| {
        parse_kif(sample.bytes, Tolerance::Lenient).map(|games| games.records).unwrap_or_default()
    });
    csa.chain(kif).collect()
}

fn summaries() -> Vec<GameSummary> {
    let summary = |(number, record): (u64, Record)| {
        let place = FilePlace { path: "all".into(), entry: None, game: number };
        GameSummary::with_formations(place, &record)
    };
    (1..).zip(records()).map(summary).collect()
}

fn build(path: &Path, games: &[GameSummary]) -> GameIndex {
    // So little memory that runs are merged.
    let options = BuildOptions { memory_bytes: 0, ..BuildOptions::default() };
    let mut builder = IndexBuilder::create(path, &options).unwrap();
    games.iter().for_each(|game| builder.add(game).unwrap());
    builder.end_file("all", FileStamp::default()).unwrap();
    builder.finish(None).unwrap();
    GameIndex::open(path).unwrap()
}

/// Positions with the moves made there.
type Steps = Vec<(Position, Option<Move>)>;

/// The positions of a record with the moves made there, by the loop of the library of records.
fn steps(record: &Record) -> Steps {
    let Ok(positions) = record.positions() else {
        return Position::from_setup_leniently(&record.setup)
            .map(|start| vec![(start, None)])
            .unwrap_or_default();
    };
    let mut steps = Steps::new();
    for step in positions {
        let Ok((position, played)) = step else { break };
        steps.push((position, Some(played.m)));
    }
    let last = match steps.last() {
        Some((position, Some(m))) => position.after(*m),
        _ => match Position::from_setup_leniently(&record.setup) {
            Ok(start) => start,
            Err(_) => return steps,
        },
    };
    steps.push((last, None));
    steps
}

/// The table of a position, counted game by game.
fn counted(records: &[(Record, Steps)], wanted: &Position) -> BTreeMap<String, [u64; 4]> {
    let mut counts: BTreeMap<String, [u64; 4]> = BTreeMap::new();
    for (record, steps) in records {
        let first = steps.iter().find(|(position, _)| position.same_placement(wanted));
        let Some((_, next)) = first else { continue };
        let count = counts.entry(next.map_or("-".to_owned(), |m| m.to_string())).or_default();
        count[0] += 1;
        match record.outcome() {
            Outcome::Win(Color::Black) => count[1] += 1,
            Outcome::Draw => count[2] += 1,
            Outcome::Win(Color::White) => count[3] += 1,
            Outcome::Unknown => {}
        }
    }
    counts
}

fn of_table(table: &OpeningTable) -> BTreeMap<String, [u64; 4]> {
    let numbers =
        |results: &MoveResults| [results.games, results.black, results.draws, results.white];
    let moves = table.moves.iter().map(|(m, results)| (m.to_string(), numbers(results)));
    let ended = (table.ended.games > 0).then(|| ("-".to_owned(), numbers(&table.ended)));
    moves.chain(ended).collect()
}

#[test]
fn tables_are_those_of_a_simple_count() {
    let folder = tempfile::tempdir().unwrap();
    let mut index = build(&folder.path().join("games.idx"), &summaries());
    let all: Vec<_> = records()
        .into_iter()
        .map(|record| (steps(&record), record))
        .map(|(steps, record)| (record, steps))
        .collect();
    let positions: u64 = all.iter().map(|(_, steps)| steps.len() as u64).sum();
    assert_eq!(index.size().positions, positions);
    assert!(index.size().games > 50, "{} games", index.size().games);
    let (mut compared, mut met) = (0, 0);
    for (_, steps) in &all {
        // All openings, and some later positions.
        let chosen = steps.iter().enumerate().filter(|(ply, _)| *ply < 8 || ply.is_multiple_of(37));
        for (_, (position, _)) in chosen {
            let expected = counted(&all, position);
            let found = OpeningTable::of(&mut index, position, false).unwrap();
            assert_eq!(of_table(&found), expected, "{position}");
            compared += 1;
            met += usize::from(found.all.games > 1);
        }
    }
    assert!(compared > 500 && met > 100, "{compared} compared, {met} of several games");
}

#[test]
fn exchanged_colours_are_counted_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let games = summaries();
    let mut index = build(&folder.path().join("games.idx"), &games);
    let mut position = Position::hirate();
    position.do_move("7g7f".parse().unwrap());
    let straight = OpeningTable::of(&mut index, &position, false).unwrap();
    let turned = OpeningTable::of(&mut index, &position.flipped(), false).unwrap();
    let both = OpeningTable::of(&mut index, &position, true).unwrap();
    assert_eq!(both.all.games, straight.all.games + turned.all.games);
    assert_eq!(both.all.black, straight.all.black + turned.all.white);
    let flipped = OpeningTable::of(&mut index, &position.flipped(), true).unwrap();
    assert_eq!((flipped.all.black, flipped.all.games), (both.all.white, both.all.games));
}

#[test]
fn searches_with_and_without_an_index_agree() {
    let folder = tempfile::tempdir().unwrap();
    let games = summaries();
    let mut index = build(&folder.path().join("games.idx"), &games);
    let mut position = Position::hirate();
    for m in ["7g7f", "3c3d", "2g2f"] {
        position.do_move(m.parse().unwrap());
    }
    let queries = [
        GameQuery { position: Some(position.clone()), ..GameQuery::default() },
        GameQuery { position: Some(position.flipped()), mirrored: true, ..GameQuery::default() },
        GameQuery {
            opening: vec!["7g7f".parse().unwrap(), "3c3d".parse().unwrap()],
            ..GameQuery::default()
        },
        GameQuery { opening: vec!["7g7e".parse().unwrap()], ..GameQuery::default() },
        GameQuery {
            patterns: vec!["K2h S3h G4i".parse().unwrap()],
            mirrored: true,
            ..GameQuery::default()
        },
        GameQuery { leads: vec!["black:R".parse().unwrap()], lasting: 4, ..GameQuery::default() },
    ];
    for (number, query) in queries.iter().enumerate() {
        let direct: Vec<_> = games
            .iter()
            .filter(|game| query.find(game).is_some())
            .map(|game| game.place.game)
            .collect();
        let candidates = index.candidates(query).unwrap();
        let candidates = candidates.unwrap_or_else(|| (0..index.size().games).collect());
        let mut found = Vec::new();
        for candidate in candidates {
            let game = index.game(candidate).unwrap();
            assert_eq!(game, games[candidate as usize]);
            if query.find(&game).is_some() {
                found.push(game.place.game);
            }
        }
        assert_eq!(found, direct, "{number}");
        assert_eq!(found.is_empty(), number == 3, "{number}");
    }
}

#[test]
fn the_tree_has_the_tables_of_its_positions() {
    let folder = tempfile::tempdir().unwrap();
    let mut index = build(&folder.path().join("games.idx"), &summaries());
    let options = TreeOptions { depth: 5, most_positions: 60, ..TreeOptions::default() };
    let tree = OpeningTree::grow(&mut index, &Position::hirate(), &options).unwrap();
    assert!(tree.positions.len() > 20 && tree.positions.len() <= 60, "{}", tree.positions.len());
    let mut links = 0;
    for one in &tree.positions {
        assert!(one.depth <= 5);
        assert_eq!(one.table, OpeningTable::of(&mut index, &one.position, false).unwrap());
        for ((m, results), next) in one.table.moves.iter().zip(&one.next) {
            let Some(next) = next else { continue };
            let next = &tree.positions[*next];
            assert!(one.position.after(*m).same_placement(&next.position));
            assert!(results.games <= next.table.all.games && results.games >= 2);
            links += 1;
        }
    }
    assert!(links >= tree.positions.len() - 1);
}
