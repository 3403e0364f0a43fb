//! Values of several engines: `refresh`, `policy`, `sources`, `snapshot`.

use std::fs;

use komadai::book::LoggedAnalysis;
use komadai::book::queue::{JobQueue as _, QueueOptions};
use komadai::book::store::Store;
use komadai::core::{Analysis, AnalystId, Bound, Line};
use komadai::{Position, Score};

use super::{Workplace, small50};
use crate::text;

/// Adds analyses by two engines, the second with another scale.
pub(crate) fn evaluated_by_two(place: &Workplace) {
    place.write("book.db", small50().input);
    place.done(&["import", "a.kbook", "book.db"]);
    let store = Store::open(place.path("a.kbook")).unwrap();
    let mut changes = Vec::new();
    for stored in store.records().unwrap().map(Result::unwrap) {
        for (name, scale) in [("old", 1), ("new", 2)] {
            let lines = stored.record.moves.iter().take(3).map(|listed| {
                Line::exact(
                    Score::cp(listed.score.map_or(0, Score::raw) * scale + 5 * scale),
                    [listed.m].into_iter().collect(),
                )
            });
            let analysis = Analysis {
                lines: lines.collect(),
                nodes: 1_000,
                depth: 10,
                completed: true,
                ..Analysis::default()
            };
            let analyst = AnalystId::new(name, "1");
            let position = stored.record.position.clone();
            changes.push(
                LoggedAnalysis {
                    when: 1_700_000_000,
                    ..LoggedAnalysis::new(position, analysis, analyst)
                }
                .into(),
            );
        }
    }
    store.merge_batch(&changes).unwrap();
}

#[test]
fn values_that_are_bounds_have_their_sign() {
    let place = Workplace::new();
    let store = Store::create(place.path("a.kbook")).unwrap();
    let line = |cp, bound, m: &str| Line {
        bound,
        ..Line::exact(Score::cp(cp), [m.parse().unwrap()].into_iter().collect())
    };
    let add = |lines: Vec<Line>| {
        let analysis = Analysis { lines, nodes: 1_000, depth: 10, ..Analysis::default() };
        let analyst = AnalystId::new("engine", "1");
        let logged = LoggedAnalysis {
            when: 1_700_000_000,
            ..LoggedAnalysis::new(Position::hirate(), analysis, analyst)
        };
        store.merge_batch(&[logged.into()]).unwrap();
    };
    add(vec![
        line(101, Bound::Lower, "2g2f"),
        line(20, Bound::Exact, "7g7f"),
        line(-30, Bound::Upper, "9g9f"),
    ]);
    // A later bound does not take the place of a value.
    add(vec![line(900, Bound::Lower, "7g7f")]);
    drop(store);
    for command in ["probe", "info"] {
        let printed = place.done(&[command, "a.kbook"]);
        for value in ["   ≥+101 ", "     +20 ", "    ≤-30 "] {
            assert!(printed.contains(value), "{printed}");
        }
    }
    assert!(place.done(&["info", "a.kbook"]).contains("start of the game: ≥+101"));
    let json = place.json(&["probe", "a.kbook", "--json"]);
    let bounds: Vec<_> = json["moves"].as_array().unwrap().iter().map(|m| &m["bound"]).collect();
    assert_eq!(bounds, ["lower", "exact", "upper"]);
    assert_eq!(place.json(&["info", "a.kbook", "--json"])["start"]["bound"], "lower");
}

#[test]
fn a_new_engine_is_compared_and_its_work_planned() {
    let place = Workplace::new();
    evaluated_by_two(&place);
    let arguments = ["refresh", "a.kbook", "--engine", "new 1", "--old", "old"];
    let files = ["--out", "plan.sfen", "--plot", "scale.svg", "--eval-diff", "50"];
    let output = place.run(&[&arguments[..], &files[..]].concat());
    let printed = text(&output.stderr);
    assert!(output.status.success(), "{printed}");
    assert!(printed.contains("correlation 1.000"), "{printed}");
    assert!(printed.contains("least squares: new = 0.0 + 2.000 × old"), "{printed}");
    let svg = fs::read_to_string(place.path("scale.svg")).unwrap();
    assert!(svg.trim_end().ends_with("</svg>") && svg.matches("<circle").count() > 100);
    assert!(svg.contains("robust: ") && svg.contains("least squares: "));
    let plan = fs::read_to_string(place.path("plan.sfen")).unwrap();
    assert!(!plan.is_empty());
    for line in plan.lines() {
        Position::from_sfen(line.strip_prefix("sfen ").expect(line)).expect(line);
    }
    let jobs = |generation: u32| {
        let store = Store::open(place.path("a.kbook")).unwrap();
        let queue = store.queue(QueueOptions::default());
        assert_eq!(queue.newest_generation().unwrap(), Some(generation));
        queue.counts().unwrap().waiting
    };
    let enqueue = ["--enqueue", "--nodes", "5000", "--eval-diff", "50"];
    let enqueue = [&arguments[..], &enqueue[..]].concat();
    let printed = place.done(&enqueue);
    assert!(printed.starts_with("generation 1: "), "{printed}");
    let waiting = jobs(1);
    let json = place.json(&[&enqueue[..], &["--generation", "1", "--json"]].concat());
    assert_eq!(json["positions"].as_array().unwrap().len() as u64, waiting);
    assert_eq!(json["enqueued"]["unchanged"], waiting);
    assert_eq!(
        (&json["old"], &json["scale"]["least_squares"]["slope"]),
        (&"old 1".into(), &2.0.into())
    );
    assert_eq!(waiting, plan.lines().count() as u64);
    assert!(place.done(&enqueue).starts_with("generation 2: 0 jobs added"));
    assert_eq!(jobs(2), waiting);
    // A shorter plan that starts with the frontier.
    let frontier = [&arguments[..], &["--frontier", "--max-positions", "3"]].concat();
    assert_eq!(place.done(&frontier).lines().count(), 3);
    place.refused(&["refresh", "a.kbook", "--engine", "new", "--enqueue"], 2);
    let unknown = place.run(&["refresh", "a.kbook", "--engine", "third"]);
    assert!(text(&unknown.stderr).contains("\"third\" has no evaluations here"));
    assert_eq!(text(&unknown.stdout).lines().count(), small50().positions);
}

#[test]
fn a_sample_calibrates_the_embedded_engine_and_is_not_searched_twice() {
    let place = Workplace::new();
    evaluated_by_two(&place);
    let calibrate = ["refresh", "a.kbook", "--calibrate", "12", "--nodes", "300", "--old", "old"];
    let printed = place.done(&[&calibrate[..], &["--plot", "scale.svg"]].concat());
    assert!(printed.starts_with("old engine: old 1\nnew engine: komadai "), "{printed}");
    assert!(printed.contains("12 positions: 0 analysed before, 12 now, 0 failed"), "{printed}");
    assert!(printed.contains("robust: new = ") && printed.contains("95 % intervals: slope "));
    let svg = fs::read_to_string(place.path("scale.svg")).unwrap();
    assert!(svg.contains("<circle") && svg.contains("robust: "));
    let again = place.json(&[&calibrate[..], &["--json"]].concat());
    assert_eq!((&again["known"], &again["analysed"]), (&12.into(), &0.into()), "{again}");
    let sampled = |json: &serde_json::Value| -> u64 {
        json["strata"].as_array().unwrap().iter().map(|s| s["sampled"].as_u64().unwrap()).sum()
    };
    assert_eq!(sampled(&again), 12);
    let deeper = ["refresh", "a.kbook", "--calibrate", "12", "--nodes", "90000", "--old", "old"];
    let more = place.json(&[&deeper[..], &["--json"]].concat());
    assert!(more["analysed"].as_u64().unwrap() > 0, "{more}");
    // The results belong to the book.
    let sources = place.json(&["sources", "a.kbook", "--json"]);
    let engines = sources["engines"].as_array().unwrap();
    assert_eq!(engines.last().unwrap()["positions"], 12, "{sources}");
    place.done(&["check", "a.kbook"]);
    // Bad usage, books without sources, engines that do not start.
    place.refused(&["refresh", "a.kbook", "--calibrate", "0"], 2);
    place.refused(&["refresh", "a.kbook", "--calibrate", "5", "--frontier"], 2);
    place.refused(&["refresh", "a.kbook"], 2);
    place.refused(&["refresh", "a.kbook", "--engine", "new", "--engine-option", "A=1"], 2);
    let printed =
        place.refused(&["refresh", "a.kbook", "--calibrate", "5", "--engine", "/no/such"], 1);
    assert!(printed.contains("/no/such"), "{printed}");
    drop(Store::create(place.path("empty.kbook")).unwrap());
    let printed = place.refused(&["refresh", "empty.kbook", "--calibrate", "5"], 1);
    assert!(printed.contains("no values of an old engine"), "{printed}");
}

#[test]
fn the_policy_decides_and_snapshots_remember() {
    let place = Workplace::new();
    evaluated_by_two(&place);
    assert_eq!(place.done(&["policy", "a.kbook"]), "newest\n");
    assert_eq!(place.json(&["policy", "a.kbook", "--json"])["policy"], "newest");
    place.done(&["snapshot", "a.kbook", "first", "--generation", "4"]);
    let share = |name: &str| {
        let sources = place.json(&["sources", "a.kbook", "--json"]);
        let engines = sources["engines"].as_array().unwrap();
        let engine = engines.iter().find(|engine| engine["name"] == name);
        engine.expect(name)["view_moves"].as_u64().unwrap()
    };
    let evaluated = share("new");
    assert!(evaluated > 100 && share("old") == 0);
    assert_eq!(place.done(&["policy", "a.kbook", "prefer", "old 1"]), "prefer old 1\n");
    assert_eq!((share("new"), share("old")), (0, evaluated));
    for policy in ["most-nodes", "deepest", "mean", "newest"] {
        assert_eq!(place.done(&["policy", "a.kbook", policy]).trim(), policy);
        place.done(&["check", "a.kbook"]);
    }
    let printed = place.refused(&["policy", "a.kbook", "prefer", "nobody"], 1);
    assert!(printed.contains("\"nobody\" has no evaluations here"), "{printed}");
    place.refused(&["policy", "a.kbook", "prefer"], 2);
    place.refused(&["policy", "a.kbook", "newest", "old"], 2);
    let printed = place.refused(&["snapshot", "a.kbook", "first"], 1);
    assert!(printed.contains("expected another name"), "{printed}");
    // Moves are listed best first.
    let probed = place.json(&["probe", "a.kbook", "--json"]);
    let probed = probed["moves"].as_array().unwrap();
    let values: Vec<_> = probed.iter().map(|listed| listed["value"].as_i64()).collect();
    assert!(values.len() > 1 && values.is_sorted_by(|a, b| a >= b), "{values:?}");
    let snapshots = place.json(&["snapshot", "a.kbook", "--json"]);
    assert_eq!(snapshots[0]["name"], "first");
    assert_eq!(snapshots[0]["generation"], 4);
    assert!(snapshots[0]["figures"]["start value"].is_i64(), "{snapshots}");
    let check = place.json(&["check", "a.kbook", "--json"]);
    assert_eq!((&check["wrong_positions"], &check["file_was_sound"]), (&0.into(), &true.into()));
    assert_eq!(check["positions"], small50().positions);
    let sizes = place.json(&["compact", "a.kbook", "--json"]);
    assert!(sizes["bytes"].as_u64() <= sizes["bytes_before"].as_u64(), "{sizes}");
    let info = place.json(&["info", "a.kbook", "--json"]);
    assert_eq!(info["working_book"]["snapshots"], 1);
}
