//! Books of two engines before their release: `release`, `doctor`; outputs that would replace a book.

use std::fs;

use super::engines::evaluated_by_two;
use super::{Workplace, moves_of};
use crate::text;

/// Returns the stale leaves by the report on the sources of leaves.
fn stale(sources: &serde_json::Value) -> u64 {
    let all = sources["sources"].as_array().expect("a list").iter();
    let stale = all.filter(|source| source["is_wanted"] == false);
    stale.map(|source| source["leaves"].as_u64().expect("a number")).sum()
}

#[test]
fn a_book_is_released_when_enough_of_its_leaves_are_fresh() {
    let place = Workplace::new();
    evaluated_by_two(&place);
    let book = fs::read(place.path("a.kbook")).unwrap();

    let released = place.json(&["release", "a.kbook", "out.db", "--max-stale", "100", "--json"]);
    let sources = &released["sources_of_leaves"];
    assert_eq!((&released["released"], &sources["engine"]), (&true.into(), &"new 1".into()));
    let leaves = sources["leaves"].as_u64().unwrap();
    assert_eq!(stale(sources), sources["stale"].as_u64().unwrap());
    assert!(leaves > 3 && stale(sources) < leaves, "{released}");
    // The same values as those of `propagate`.
    place.done(&["propagate", "a.kbook", "same.db"]);
    let valued = |name: &str| moves_of(&place.records(name), |m| format!("{:?}", m.score));
    assert_eq!(valued("out.db"), valued("same.db"));
    assert_eq!(released["positions"].as_u64().unwrap(), valued("out.db").len() as u64);

    // No leaf has a value of the old engine.
    let old = ["release", "a.kbook", "old.db", "--engine", "old", "--nodes", "500", "--cost", "50"];
    let refused = place.run(&old);
    let (printed, lines) = (text(&refused.stderr), text(&refused.stdout));
    assert_eq!(refused.status.code(), Some(1), "{printed}");
    assert!(
        printed.contains(
            "(100.0 %) do not come from \"old 1\" with enough nodes, expected at most 5 %"
        )
    );
    assert!(lines.lines().all(|line| line.starts_with("sfen ") && line.contains("\tstartpos")));
    assert!(!lines.is_empty() && !place.path("old.db").exists(), "{lines}");
    let json = place.run(&[&old[..], &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    let positions = json["positions"].as_array().unwrap();
    assert_eq!((positions.len(), &json["released"]), (lines.lines().count(), &false.into()));
    // Positions with most leaves come first, and so many are needed that a twentieth may be left.
    let leaves_of = |number: usize| positions[number]["leaves"].as_u64().unwrap();
    assert!((1..positions.len()).all(|number| leaves_of(number) <= leaves_of(number - 1)));
    let needed = json["needed"].as_u64().unwrap() as usize;
    let cleared = |count: usize| (0..count).map(leaves_of).sum::<u64>();
    let is_enough = |count: usize| 20 * (leaves - cleared(count)) <= leaves;
    assert!(is_enough(needed) && !is_enough(needed - 1), "{json}");
    assert_eq!(json["cost"]["core_days"].as_f64(), Some(needed as f64 * 10.0 / 86_400.0));

    // A plan begins with the positions of the list, in its order.
    place.write("mend.txt", &lines);
    let plan = ["refresh", "a.kbook", "--engine", "old", "--first", "mend.txt"];
    let plan = place.done(&plan);
    let sfens = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect()
    };
    let placed = |line: &String| line.rsplit_once(' ').unwrap().0.to_owned();
    let listed: Vec<String> = sfens(&lines).iter().map(placed).collect();
    let planned: Vec<String> = sfens(&plan).iter().map(placed).take(listed.len()).collect();
    assert_eq!(planned, listed);

    // All values have a thousand nodes.
    let thin = ["release", "a.kbook", "thin.db", "--max-stale", "100", "--json", "--min-nodes"];
    let stale_with =
        |nodes| place.json(&[&thin[..], &[nodes]].concat())["sources_of_leaves"]["stale"].clone();
    assert_eq!((stale_with("1000"), stale_with("1001")), (sources["stale"].clone(), leaves.into()));

    // Bad usage.
    place.refused(&["release", "a.kbook", "b.kbook"], 2);
    place.refused(&["release", "a.kbook", "out.db", "--max-stale", "101"], 2);
    place.refused(&["release", "a.kbook", "out.db", "--engine", "third"], 2);
    let printed =
        place.refused(&["release", "a.kbook", "b.db", "--root", "startpos moves 9g9f"], 1);
    assert!(printed.contains("found no root"), "{printed}");
    assert!(fs::read(place.path("a.kbook")).unwrap() == book, "the book has changed");
}

#[test]
fn the_doctor_finds_what_is_stale_and_what_another_scale_changes() {
    let place = Workplace::new();
    evaluated_by_two(&place);
    let book = fs::read(place.path("a.kbook")).unwrap();
    let doctor = ["doctor", "a.kbook", "--engine", "old", "--cost", "1000", "--nodes", "86400000"];
    let found = place.json(&[&doctor[..], &["--json", "--list", "mend.txt"]].concat());
    let mend = fs::read_to_string(place.path("mend.txt")).unwrap();
    let listed = found["mend"].as_array().unwrap().len();
    assert_eq!(mend.lines().count(), listed);
    assert_eq!(found["cost"]["core_days"].as_f64(), Some(listed as f64));
    assert_eq!(found["sources_of_leaves"]["stale"], found["sources_of_leaves"]["leaves"]);
    // The new values are twice the old ones, plus nothing.
    let scales = found["scales"].as_array().unwrap();
    let of_new = scales.iter().find(|scale| scale["engine"] == "new 1").unwrap();
    assert_eq!(of_new["scale"]["robust"]["slope"], 0.5);
    let halved = &found["roots"][0];
    let (now, then) = (&halved["now"]["score"], &halved["then"]["score"]);
    assert!(now.as_i64().unwrap().abs() > then.as_i64().unwrap().abs(), "{halved}");
    let shares = found["ends"].as_array().unwrap().iter();
    let shares: Vec<f64> = shares.map(|end| end["probability"].as_f64().unwrap()).collect();
    assert!(!shares.is_empty() && shares.is_sorted_by(|one, other| one >= other));

    let printed = place.done(&doctor);
    assert!(printed.contains(&format!("\n{listed} positions to analyse again\ncost: ")));
    assert!(printed.contains("new 1: new = 0.0 + 0.500 × old"), "{printed}");
    // The engines' values rest on a thousand nodes, and those of the imported book on unknown ones.
    assert!(
        printed.contains("       5  71.4 %              0  imported from book.db"),
        "{printed}"
    );
    assert!(printed.contains("less than 100 nodes, or an unknown number: 5 (71.4 %)"), "{printed}");
    let thin = place.json(&["doctor", "a.kbook", "--few-nodes", "1001", "--json"]);
    assert_eq!(thin["leaves_with_few_nodes"], thin["sources_of_leaves"]["leaves"]);
    // A rival's book that is the same leaves the book where its best moves do.
    place.done(&["propagate", "a.kbook", "rival.db"]);
    let rival = place.json(&["doctor", "a.kbook", "--rival", "rival.db", "--json"]);
    assert!(!rival["ends"].as_array().unwrap().is_empty());
    assert!(fs::read(place.path("a.kbook")).unwrap() == book, "the book has changed");
}

#[test]
fn no_output_replaces_the_book_that_it_comes_from() {
    let place = Workplace::new();
    evaluated_by_two(&place);
    place.done(&["convert", "book.db", "other.db"]);
    let book = fs::read(place.path("a.kbook")).unwrap();
    for arguments in [
        &["release", "a.kbook", "./a.kbook", "--to", "db"][..],
        &["propagate", "a.kbook", "a.kbook"],
        &["convert", "a.kbook", "a.kbook", "--to", "db"],
        &["merge", "other.db", "a.kbook", "a.kbook", "--to", "db"],
        &["report", "a.kbook", "--out", "a.kbook"],
        &["branches", "a.kbook", "--ply", "1", "--html", "a.kbook"],
        &["prune", "a.kbook", "--review", "a.kbook"],
        &["refresh", "a.kbook", "--engine", "new", "--out", "a.kbook"],
        &["refresh", "a.kbook", "--engine", "new", "--plot", "a.kbook"],
        &["log", "export", "a.kbook", "a.kbook"],
        &["doctor", "a.kbook", "--list", "a.kbook"],
        &["traps", "a.kbook", "--html", "a.kbook"],
        &["sort", "a.kbook", "a.kbook"],
    ] {
        let printed = place.refused(arguments, 2);
        assert!(printed.contains("the book itself, expected another file"), "{printed}");
        assert!(fs::read(place.path("a.kbook")).unwrap() == book, "{arguments:?}");
    }
    // Other books contain nothing but their positions, and may be rewritten.
    place.done(&["convert", "other.db", "other.db"]);
}
