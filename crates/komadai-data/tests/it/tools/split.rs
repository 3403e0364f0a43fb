//! Training and validation data have no common game.

use std::path::Path;

use komadai_data::records::PackedSfenValue;
use komadai_data::tools::{
    Filter, ShuffleOptions, Sources, SplitOptions, ToolError, Watch, filter, shuffle, split,
};

use super::{Place, games, generated, read, sources};

fn options(one_in: u64, seed: u64) -> SplitOptions {
    SplitOptions { one_in, seed }
}

fn parts(
    place: &Place,
    found: &Sources,
    name: &str,
    options: &SplitOptions,
) -> [Vec<PackedSfenValue>; 2] {
    let names = [format!("{name}-train.psv"), format!("{name}-check.psv")];
    let outputs = [place.output(&names[0]), place.output(&names[1])];
    split(found, outputs, options, &mut Watch::none()).unwrap();
    names.map(|name| read(&place.path(&name)))
}

/// Returns the games that are in the records as a whole, and fails if one is there in part.
fn whole_games(games: &[Vec<PackedSfenValue>], mut records: &[PackedSfenValue]) -> usize {
    let mut count = 0;
    while let Some(first) = records.first() {
        let game = games.iter().find(|game| records.starts_with(game) && game[0] == *first);
        let game = game.expect("a whole game");
        records = &records[game.len()..];
        count += 1;
    }
    count
}

fn distinct_games(count: u64) -> Vec<Vec<PackedSfenValue>> {
    games(count, 21).into_iter().map(|game| game[3..].to_vec()).collect()
}

#[test]
fn no_game_is_divided() {
    let place = Place::new();
    let games = distinct_games(300);
    let input = place.write("in.psv", &games.concat());
    let found = sources(&[&input]).unwrap();
    let [train, check] = parts(&place, &found, "a", &options(10, 1));
    assert_eq!(train.len() + check.len(), games.concat().len());
    let counts = [whole_games(&games, &train), whole_games(&games, &check)];
    assert_eq!(counts[0] + counts[1], 300);
    assert!((12..=52).contains(&counts[1]), "{counts:?}");
    assert_eq!(parts(&place, &found, "b", &options(10, 1)), [train.clone(), check]);
    assert_ne!(parts(&place, &found, "c", &options(10, 2))[0], train);
}

#[test]
fn games_with_gaps_are_whole_too() {
    let place = Place::new();
    let games = distinct_games(100);
    let input = place.write("in.psv", &games.concat());
    let wanted = Filter { is_quiet: true, ..Filter::default() };
    filter(&sources(&[&input]).unwrap(), place.output("quiet.psv"), &wanted, &mut Watch::none())
        .unwrap();
    let quiet = |game: &Vec<PackedSfenValue>| {
        let mut game = game.clone();
        game.retain(|record| wanted.drops(record).unwrap().is_none());
        game
    };
    let games: Vec<_> = games.iter().map(quiet).filter(|game| !game.is_empty()).collect();
    let found = sources(&[&place.path("quiet.psv")]).unwrap();
    let [train, check] = parts(&place, &found, "q", &options(5, 1));
    assert!(!check.is_empty());
    assert_eq!(whole_games(&games, &train) + whole_games(&games, &check), games.len());
}

#[test]
fn games_of_a_folder_are_those_of_its_manifest() {
    let place = Place::new();
    let folder = place.path("data");
    generated(&folder, "material");
    let manifest = komadai_data::Manifest::read(&folder.join("manifest.json")).unwrap();
    let found = sources(&[&folder]).unwrap();
    let [train, check] = parts(&place, &found, "d", &options(2, 1));
    let starts = |records: &[PackedSfenValue]| {
        let pairs = records.windows(2);
        pairs.filter(|pair| pair[0].ply + 1 != pair[1].ply).count()
            + usize::from(!records.is_empty())
    };
    assert_eq!((starts(&train) + starts(&check)) as u64, manifest.games());
}

#[test]
fn records_in_random_order_are_refused() {
    let place = Place::new();
    let input = place.write("in.psv", &games(50, 1).concat());
    let shuffled = place.path("shuffled.psv");
    let output = place.output("shuffled.psv");
    shuffle(&sources(&[&input]).unwrap(), output, &ShuffleOptions::default(), &mut Watch::none())
        .unwrap();
    let refused = |path: &Path| {
        let outputs = [place.output("a.psv"), place.output("b.psv")];
        let found = sources(&[path]).unwrap();
        split(&found, outputs, &SplitOptions::default(), &mut Watch::none()).unwrap_err()
    };
    let error = refused(&shuffled);
    assert!(matches!(error, ToolError::NotInGames { .. }), "{error}");
    assert!(
        !place.names().iter().any(|name| name.starts_with("a.psv") || name.starts_with("b.psv"))
    );
}
