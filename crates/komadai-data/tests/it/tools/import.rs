//! Training data from game records.

use komadai_core::Move;
use komadai_data::records::{RecordResult, TrainingFormat};
use komadai_data::tools::{Filter, GameFilter, GameImport, ImportOptions, Origin};
use komadai_kifu::{Record, Tolerance, parse_csa};

use super::{Place, read};

const GAMES: &str = "V2.2\nN+Alpha\nN-Beta\n$START_TIME:2025/03/01 10:00:00\nPI\n+\n\
    'black_rate:Alpha:3000.5\n'white_rate:Beta:2900.0\n\
    +7776FU\n'** 30 -3334FU\n-3334FU\n'** 25 +2726FU\n+8822UM\n'** 40\n-3122GI\n'** -60\n%TORYO\n/\n\
    N+Gamma\nN-alpha2\n$START_TIME:2025/04/01 10:00:00\nPI\n+\n+2726FU\n'** 12\n-8384FU\n%TORYO\n/\n\
    PI\n+\n+2726FU\n'** 12\n-8384FU\n%CHUDAN\n";

fn games() -> Vec<Record> {
    parse_csa(GAMES, Tolerance::Strict).unwrap().records
}

fn import(place: &Place, name: &str, options: ImportOptions) -> Origin {
    let mut import = GameImport::new(place.output(name), TrainingFormat::Psv, options);
    games().iter().for_each(|game| import.add(0, game).unwrap());
    assert_eq!((import.games(), import.read()), (3, 8));
    import.finish(Vec::new()).unwrap()
}

#[test]
fn scores_are_those_of_the_side_to_move() {
    let place = Place::new();
    let origin = import(&place, "all", ImportOptions::default());
    let records = read(&place.path("all"));
    let found: Vec<(u16, i16, Option<Move>, RecordResult)> = records
        .iter()
        .map(|record| (record.ply, record.score, record.best_move, record.result))
        .collect();
    let m = |usi: &str| Some(usi.parse().unwrap());
    use RecordResult::{Loss, Win};
    assert_eq!(
        found,
        [
            (1, 30, m("7g7f"), Loss),
            (2, -25, m("3c3d"), Win),
            (3, 40, m("8h2b+"), Loss),
            (4, 60, m("3a2b"), Win),
            (1, 12, m("2g2f"), Loss),
        ]
    );
    assert!(records.iter().all(|record| record.check().is_ok()));
    assert_eq!((origin.dropped["no_score"], origin.dropped["no_result"]), (1, 2));
}

#[test]
fn games_are_chosen_by_rating_period_and_player() {
    let place = Place::new();
    let count = |name: &str, games: GameFilter| {
        let origin = import(&place, name, ImportOptions { games, ..ImportOptions::default() });
        (origin.records, origin.dropped)
    };
    let none = GameFilter::default();
    let (records, dropped) = count("a", GameFilter { min_rating: Some(2_900), ..none.clone() });
    assert_eq!((records, dropped["rating"]), (4, 4));
    assert_eq!(count("b", GameFilter { min_rating: Some(2_901), ..none.clone() }).0, 0);
    let (since, until) = ("2025-03-15".parse().ok(), "2025/03/31".parse().ok());
    assert_eq!(count("c", GameFilter { since, ..none.clone() }).0, 1);
    assert_eq!(count("d", GameFilter { until, ..none.clone() }).0, 4);
    assert_eq!(count("e", GameFilter { since, until, ..none.clone() }).0, 0);
    assert_eq!(count("f", GameFilter { player: Some("ALPHA".into()), ..none.clone() }).0, 5);
    assert_eq!(count("g", GameFilter { player: Some("beta".into()), ..none }).0, 4);
    for text in ["2025-13-01", "2025-1", "", "yesterday"] {
        assert!(text.parse::<komadai_data::tools::GameDate>().is_err(), "{text}");
    }
}

#[test]
fn positions_are_chosen_by_the_filter_and_unscored_ones_on_request() {
    let place = Place::new();
    let filter = Filter { is_quiet: true, ..Filter::default() };
    let origin = import(&place, "quiet", ImportOptions { filter, ..ImportOptions::default() });
    assert_eq!((origin.records, origin.dropped["capture"]), (3, 2));
    let options = ImportOptions { unscored: true, ..ImportOptions::default() };
    assert_eq!(import(&place, "unscored", options).records, 6);
}
