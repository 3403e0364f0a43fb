//! Probable mistakes of opponents: `traps`.

use std::fs;

use komadai_testdata::games;
use serde_json::Value;

use super::{Workplace, small50};
use crate::text;

/// A book of four games: three made White's best reply, and one lost 160 centipawns.
const OWN: &str = "#YANEURAOU-DB2016 1.00\n\
    sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n7g7f none 40 1 4\n\
    sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n\
    3c3d none -40 1 3\n4a3b none -200 1 1\n";

fn rows(printed: &Value) -> Vec<Value> {
    printed["traps"].as_array().expect("a list").clone()
}

#[test]
fn a_mistake_is_shown_as_text_as_json_and_on_a_page() {
    let place = Workplace::new();
    place.write("own.db", OWN);
    let before = fs::read(place.path("own.db")).unwrap();
    let black = ["traps", "own.db", "--side", "black", "--smoothing", "0"];
    let printed = place.done(&black);
    let words: Vec<&str> = printed.lines().nth(1).unwrap().split_whitespace().collect();
    let expected = [
        "40.00", "100.0", "%", "4a3b", "25.0", "%", "1", "160", "-200", "3c3d", "-40", "startpos",
        "moves", "7g7f",
    ];
    assert_eq!(words, expected);
    let object = place.json(&[&black[..], &["--json"]].concat());
    let row = &rows(&object)[0];
    assert_eq!((&row["reply"], &row["best"]), (&"4a3b".into(), &"3c3d".into()));
    assert_eq!((&row["loss_cp"], &row["gain_cp"]), (&160.into(), &40.0.into()));
    assert_eq!((&object["all"], &object["unvalued"]), (&1.into(), &0.0.into()));
    let page = place.done(&[&black[..], &["--html", "traps.html", "--notation", "usi"]].concat());
    assert!(page.contains("1 mistakes: traps.html"), "{page}");
    let page = fs::read_to_string(place.path("traps.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("4a3b") && page.contains("+200"), "{page}");
    // A reply at the limit counts, a smaller loss does not; White's book has no mistake of Black.
    let count = |more: &[&str]| rows(&place.json(&[&black[..], &["--json"], more].concat())).len();
    assert_eq!([count(&["--loss", "160"]), count(&["--loss", "161"])], [1, 0]);
    assert_eq!(count(&["--max-positions", "0"]), 0);
    assert!(place.done(&["traps", "own.db", "--side", "white"]).is_empty());
    // By values the mistake is e^(−160/80) times as likely as the best reply.
    let by_values = ["--replies", "values", "--temperature", "80", "--json"];
    let by_values = place.json(&[&black[..4], &by_values].concat());
    let probability = rows(&by_values)[0]["probability"].as_f64().unwrap();
    assert!((probability - (-2f64).exp() / (1.0 + (-2f64).exp())).abs() < 1e-9, "{probability}");
    // A rival whose book has nothing but the mistake.
    place.write("rival.db", OWN.replace("3c3d none -40 1 3\n", ""));
    let rival = place.json(&[&black[..4], &["--rival", "rival.db", "--json"]].concat());
    assert_eq!(rows(&rival)[0]["probability"], 1.0);
    // The model plays moves that the book does not contain.
    let model = place.json(&[&black[..4], &["--replies", "model", "--json"]].concat());
    assert!(model["unvalued"].as_f64() > Some(0.1), "{model}");
    let probability = rows(&model)[0]["probability"].as_f64().unwrap();
    assert!(probability > 0.0 && probability < 0.5, "{probability}");
    assert_eq!(fs::read(place.path("own.db")).unwrap(), before);
}

#[test]
fn mistakes_of_a_working_book_with_games_add_up() {
    let place = Workplace::new();
    place.write("small50.db", small50().input);
    let lines: Vec<String> =
        games::tournament().map(|game| format!("startpos moves {}", game.moves)).collect();
    place.write("games.sfen", lines.join("\n"));
    place.done(&["import", "own.kbook", "small50.db", "games.sfen"]);
    let before = fs::read(place.path("own.kbook")).unwrap();
    let wanted = ["traps", "own.kbook", "--loss", "5", "--max-positions", "1000", "--json"];
    let found = place.json(&wanted);
    let all = rows(&found);
    assert!(all.len() > 5 && found["all"] == all.len(), "{found}");
    let of = |row: &Value, name: &str| row[name].as_f64().unwrap();
    for row in &all {
        let product = of(row, "reach") * of(row, "probability") * of(row, "loss_cp");
        assert!((of(row, "gain_cp") - product).abs() < 1e-9, "{row}");
        assert_eq!(of(row, "best_score") - of(row, "reply_score"), of(row, "loss_cp"), "{row}");
        assert!(of(row, "reach") <= 1.0 && of(row, "loss_cp") >= 5.0, "{row}");
    }
    assert!(all.is_sorted_by(|one, other| of(one, "gain_cp") >= of(other, "gain_cp")));
    // Most games leave this small book by moves without a value.
    assert!(found["unvalued"].as_f64().is_some_and(|share| share > 0.3 && share < 1.0), "{found}");
    // Without smoothing, a move without games is made only where the position has none.
    let played = rows(&place.json(&[&wanted[..], &["--smoothing", "0"]].concat()));
    assert!(played.len() < all.len());
    let wide = place.run(&["traps", "own.kbook", "--loss", "5"]);
    assert!(text(&wide.stderr).contains("rest on --smoothing alone"), "{}", text(&wide.stderr));
    assert_eq!(fs::read(place.path("own.kbook")).unwrap(), before);
}

#[test]
fn bad_input_of_traps_is_reported() {
    let place = Workplace::new();
    place.write("own.db", OWN);
    place.write("bad.txt", "startpos\nstartpos moves 7g7e\n");
    for (more, code, word) in [
        (&["--loss", "0"][..], 2, "--loss"),
        (&["--rival", "none.db"], 1, "none.db"),
        (&["--rival", "own.db", "--replies", "values"], 2, "--replies"),
        (&["--start-positions", "bad.txt"], 1, "bad.txt: line 2"),
        (&["--html", "a.html", "--json"], 2, "--json"),
        (&["--html", "no/folder/a.html"], 1, "no/folder"),
    ] {
        let printed = place.refused(&[&["traps", "own.db"], more].concat(), code);
        assert!(printed.contains(word), "{printed}");
    }
    let elsewhere = ["traps", "own.db", "--root", "4k4/9/9/9/9/9/9/9/4K4 b - 1"];
    let output = place.run(&elsewhere);
    assert!(output.status.success() && output.stdout.is_empty());
    assert!(text(&output.stderr).contains("contains no root"), "{}", text(&output.stderr));
}
