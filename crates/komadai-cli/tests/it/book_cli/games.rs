//! The games of matches in a working book: `games`.

use komadai::book::store::{Change, Store};
use komadai::bookfile::{BookRecord, RecordMove};
use komadai::bookgraph::BookGame;
use komadai::core::{AnalystId, Setup, UsiPosition};
use komadai::kifu::{EndKind, HeaderKey, Tolerance, parse_csa, parse_usi_games};
use komadai::{Color, Move, Position, Score};

use super::Workplace;

fn moves(line: &str) -> Vec<Move> {
    UsiPosition::from_usi(&format!("startpos moves {line}")).unwrap().moves
}

/// A book with three games: won as Black, lost as White in the next generation, and a draw.
fn three_games() -> Workplace {
    let place = Workplace::new();
    let game = |line: &str, side, winner, ending: &str| BookGame {
        opponent: "other engine".to_owned(),
        ending: ending.to_owned(),
        ..BookGame::new(Setup::hirate(), moves(line), side, winner)
    };
    let (black, white) = (Color::Black, Color::White);
    let won = BookGame {
        left_at: Some(2),
        times_ms: vec![0, 2_000, 3_000],
        scores: vec![None, Some(-30), Some(55)],
        ..game("7g7f 3c3d 2g2f", black, Some(black), "resignation")
    };
    let lost = BookGame {
        generation: 1,
        opponent: "twin".to_owned(),
        ..game("2g2f 8c8d", white, Some(black), "adjudication")
    };
    let drawn = BookGame { generation: 1, ..game("7g7f", white, None, "max moves") };
    let changes = [won, lost, drawn].map(Change::Game);
    Store::create(place.path("a.kbook")).unwrap().merge_batch(&changes).unwrap();
    place
}

#[test]
fn games_are_selected_by_number_generation_opponent_and_result() {
    let place = three_games();
    let numbers = |more: &[&str]| -> Vec<u64> {
        let found = place.json(&[&["games", "a.kbook", "--json"], more].concat());
        found.as_array().unwrap().iter().map(|game| game["game"].as_u64().unwrap()).collect()
    };
    assert_eq!(numbers(&[]), [0, 1, 2]);
    assert_eq!(numbers(&["2", "0"]), [0, 2]);
    assert_eq!(numbers(&["--generation", "1"]), [1, 2]);
    assert_eq!(numbers(&["--opponent", "twin"]), [1]);
    assert_eq!(numbers(&["--result", "won"]), [0]);
    assert_eq!(numbers(&["--result", "drawn", "--generation", "0"]), [0_u64; 0]);
    let list = place.done(&["games", "a.kbook", "--result", "lost"]);
    let row = "     1          1  white  lost        2        -  adjudication, twin";
    assert_eq!(list.lines().nth(1), Some(row));
    let printed = place.refused(&["games", "a.kbook", "3"], 1);
    assert!(printed.contains("found games 0 to 2, expected game 3"), "{printed}");
}

#[test]
fn records_have_moves_values_times_and_ends() {
    let place = three_games();
    let printed = place.done(&["games", "a.kbook", "--out", "games.csa"]);
    assert_eq!(printed, "3 games: games.csa\n");
    let text = std::fs::read_to_string(place.path("games.csa")).unwrap();
    let records = parse_csa(&text, Tolerance::Strict).unwrap().records;
    let lengths: Vec<usize> = records.iter().map(|record| record.moves.len()).collect();
    assert_eq!(lengths, [3, 2, 1]);
    let won = &records[0];
    assert_eq!(won.header.get(&HeaderKey::White), Some("other engine"));
    assert_eq!(won.moves[1].time.unwrap().as_secs(), 2);
    // White's −30 is 30 for Black.
    assert!(text.contains("-3334FU\nT2\n'** 30\n") && text.contains("'** 55\n"), "{text}");
    assert!(text.contains("the book had no move"), "{text}");
    assert_eq!(won.end.as_ref().unwrap().kind, EndKind::Resign);
    assert_eq!(records[2].end.as_ref().unwrap().kind, EndKind::MaxMoves);

    place.done(&["games", "a.kbook", "--out", "games.usi"]);
    let text = std::fs::read_to_string(place.path("games.usi")).unwrap();
    assert_eq!(parse_usi_games(&text, Tolerance::Strict).unwrap().records.len(), 3);
    place.done(&["games", "a.kbook", "1", "--out", "one.kif"]);
    let printed = place.refused(&["games", "a.kbook", "--out", "two.kif"], 1);
    assert!(printed.contains("found a second game"), "{printed}");
    place.refused(&["games", "a.kbook", "--out", "games.html"], 2);
    place.refused(&["games", "a.kbook", "--out", "a.kbook"], 2);
    place.refused(&["games", "a.kbook", "7", "--out", "seven.csa"], 1);
    let left: Vec<String> = place.names();
    assert_eq!(left, ["a.kbook", "games.csa", "games.usi", "one.kif"]);
}

#[test]
fn rivals_reply_as_in_the_games_of_matches() {
    let place = Workplace::new();
    let record = |line: &str, values: &[(&str, i32)]| {
        let mut position = Position::hirate();
        if !line.is_empty() {
            moves(line).into_iter().for_each(|m| position.do_move(m));
        }
        let mut record = BookRecord::new(position.without_history());
        record.moves.extend(values.iter().map(|&(m, cp)| RecordMove {
            score: Some(Score::cp(cp)),
            ..RecordMove::new(m.parse().unwrap())
        }));
        Change::of_record(&record, &AnalystId::new("engine", "1"))
    };
    // The second reply loses 150 centipawns.
    let mut changes = record("", &[("7g7f", 40)]);
    changes.extend(record("7g7f", &[("3c3d", -40), ("8c8d", -190)]));
    for (reply, games) in [("3c3d", 3), ("8c8d", 1)] {
        let line = moves(&format!("7g7f {reply} 2g2f"));
        let game = BookGame {
            left_at: Some(3),
            ..BookGame::new(Setup::hirate(), line, Color::Black, Some(Color::Black))
        };
        changes.extend(std::iter::repeat_n(Change::Game(game), games));
    }
    Store::create(place.path("a.kbook")).unwrap().merge_batch(&changes).unwrap();

    let found = place.json(&["traps", "a.kbook", "--side", "black", "--json"]);
    let trap = &found["traps"][0];
    assert_eq!(
        (&trap["reply"], &trap["games"], &trap["loss_cp"]),
        (&"8c8d".into(), &1.into(), &150.into())
    );
    assert_eq!((trap["probability"].as_f64(), trap["gain_cp"].as_f64()), (Some(0.25), Some(37.5)));
    let next = ["next", "a.kbook", "--side", "black", "--order", "probability", "--json"];
    let found = place.json(&[&next[..], &["--eval-diff", "300"]].concat());
    let probabilities: Vec<f64> = found["positions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|position| position["probability"].as_f64().unwrap())
        .collect();
    assert_eq!(probabilities, [0.75, 0.25]);
    // Another model does not count them.
    let values =
        place.json(&["traps", "a.kbook", "--side", "black", "--replies", "values", "--json"]);
    assert_eq!(values["traps"][0]["games"], 0);
}
