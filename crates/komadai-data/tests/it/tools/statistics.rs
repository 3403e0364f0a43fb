//! The statistics of a small file equal those that were computed by hand.

use komadai_core::Position;
use komadai_data::Manifest;
use komadai_data::records::{PackedSfenValue, RecordResult};
use komadai_data::tools::{Histogram, OnDamage, Sources, Statistics, Watch, statistics};

use super::{Place, games, generated};

fn of(path: std::path::PathBuf) -> Statistics {
    let sources = Sources::find(&[path], OnDamage::Refuse).unwrap();
    statistics(&sources, &mut Watch::none()).unwrap().0
}

fn record(position: &Position, score: i16, best: &str, result: RecordResult) -> PackedSfenValue {
    let best = Some(best.parse().unwrap());
    let record = PackedSfenValue::new(position, score, best, result).unwrap();
    record.check().unwrap();
    record
}

/// Four games: Black won three records, one draw of two, and White won twice one record.
fn by_hand() -> Vec<PackedSfenValue> {
    use RecordResult::{Draw, Loss, Win};
    let start = Position::hirate();
    let second = start.after("7g7f".parse().unwrap());
    let third = second.after("3c3d".parse().unwrap());
    let other = start.after("2g2f".parse().unwrap());
    let check = Position::from_sfen("4k4/9/9/9/9/9/9/4r4/4K4 b G 1").unwrap();
    let kings = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b G 1").unwrap();
    vec![
        record(&start, 40, "7g7f", Win),
        record(&second, -60, "3c3d", Loss),
        record(&third, 100, "8h2b+", Win),
        record(&start, 0, "2g2f", Draw),
        record(&other, 31_990, "8c8d", Draw),
        record(&check, -2_000, "5i5h", Loss),
        record(&kings, 500, "G*5b", Loss),
    ]
}

#[test]
fn a_file_made_by_hand_has_the_numbers_computed_by_hand() {
    let place = Place::new();
    let found = of(place.write("hand.psv", &by_hand()));
    assert_eq!((found.files, found.records, found.damaged), (1, 7, 0));
    let played = &found.games;
    assert_eq!([played.games, played.black_wins, played.white_wins, played.draws], [4, 1, 2, 1]);
    assert_eq!((played.ends_with_mate, played.extremes), (1, [1, 3]));
    assert_eq!(played.lengths.counts(), [4]);
    assert_eq!([found.results.wins, found.results.draws, found.results.losses], [2, 2, 3]);
    let scores = &found.scores;
    assert_eq!((scores.mates, scores.median_size), (1, 80.0));
    assert!((scores.mean + 1_420.0 / 6.0).abs() < 1e-9, "{}", scores.mean);
    let squares = 1_600.0 + 3_600.0 + 10_000.0 + 4_000_000.0 + 250_000.0;
    let deviation = (squares / 6.0 - scores.mean.powi(2)).sqrt();
    assert!((scores.deviation - deviation).abs() < 1e-9);
    assert_eq!((scores.histogram.start(), scores.histogram.counts().len()), (-2_000, 26));
    assert_eq!(scores.histogram.counts()[19..22], [1, 2, 1]);
    let counts = found.positions;
    assert_eq!((counts.black_to_move, counts.checks, counts.captures), (5, 1, 2));
    assert_eq!((counts.promotions, counts.drops, counts.without_move), (1, 1, 0));
    assert_eq!((counts.quiet, counts.entered_kings), (5, 0));
    assert_eq!((found.plies.start(), found.plies.counts()), (0, &[7][..]));
    assert_eq!(found.progress.counts().iter().sum::<u64>(), 7);
    assert_eq!((found.duplicates.share, found.duplicates.sample), (1.0 / 7.0, 7));
    assert_eq!(found.pieces_in_hand.counts(), [5, 2]);
    assert_eq!(found.mean_in_hand, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0 / 7.0]);

    let calibration = found.calibration.expect("some results are not as the scores predict");
    let bins: Vec<(u64, f64, f64)> =
        calibration.bins.iter().map(|bin| (bin.records, bin.score, bin.result)).collect();
    let expected =
        [(1, -2_000.0, 0.0), (1, -60.0, 0.0), (2, 20.0, 0.75), (1, 100.0, 1.0), (1, 500.0, 0.0)];
    assert_eq!(bins, expected);
    // The derivative of the likelihood is zero.
    let results =
        [(40.0, 1.0), (-60.0, 0.0), (100.0, 1.0), (0.0, 0.5), (-2_000.0, 0.0), (500.0, 0.0)];
    let term = |(score, result): &(f64, f64)| {
        score * (result - 1.0 / (1.0 + (-score / calibration.scale).exp()))
    };
    assert!(results.iter().map(term).sum::<f64>().abs() < 1e-6, "{}", calibration.scale);
}

#[test]
fn games_of_a_folder_are_those_of_its_manifest() {
    let place = Place::new();
    let folder = place.path("data");
    generated(&folder, "material");
    let manifest = Manifest::read(&folder.join("manifest.json")).unwrap();
    let found = of(folder);
    assert_eq!((found.games.games, found.records), (manifest.games(), manifest.positions()));
}

#[test]
fn files_of_several_blocks_are_counted_whole() {
    let place = Place::new();
    let games = games(150, 3);
    let found = of(place.write("games.psv", &games.concat()));
    assert_eq!(found.records, games.concat().len() as u64);
    let mut plies = Histogram::new(10);
    games.concat().iter().for_each(|record| plies.add(record.ply.into()));
    assert_eq!(found.plies, plies);
    // All games begin with move 1.
    assert_eq!(found.games.games, 150);
}
