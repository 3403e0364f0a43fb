//! The evaluations in the comments of records.

use komadai_core::{Bound, Score};
use komadai_kifu::{KifuFormat, Line, Notation, Record, Tolerance, parse_csa, parse_records};
use komadai_report::{EvaluationGraph, GamePage, PointMark, game_points};
use komadai_testdata::kifu;

fn sample(name: &str) -> Record {
    let sample = kifu::samples().find(|sample| sample.name == name).unwrap();
    parse_csa(sample.bytes, Tolerance::Lenient).unwrap().records.remove(0)
}

#[test]
fn points_are_the_evaluations_of_the_record() {
    for name in ["skc__csa_floodgate.csa", "skc__csa_WCSC32_F7_NBS_DLS.csa", "kfj__csa_v2.csa"] {
        let record = sample(name);
        let points = game_points(&record, Notation::Japanese);
        assert_eq!(points.len(), record.moves.len() + 1, "{name}");
        let analyses = record.analyses(Line::Main);
        assert!(analyses.len() > 100, "{name}");
        for (ply, analysis) in analyses {
            assert_eq!(points[ply].score, analysis.black_score, "{name}, ply {ply}");
        }
        let blunders = points.iter().filter(|point| point.mark == Some(PointMark::Blunder));
        let picture = EvaluationGraph::new(points.clone()).to_string();
        let dots = picture.matches("r=\"4.5\"").count();
        assert_eq!(dots, blunders.count(), "{name}");
    }
}

#[test]
fn values_that_are_bounds_have_their_sign_on_the_page_and_in_the_graph() {
    let csa = "PI\n+\n'** 20 ↑\n+7776FU\n'** -950 -3334FU #12 ↓\n-3334FU\n'** -980\n+8855KA\n'** -100 ↑\n";
    let kif = "手合割：平手\n**評価値=20↑\n   1 ７六歩(77)\n**評価値=-950↓\n   2 ３四歩(33)\n**評価値=-980\n   3 ５五角(88)\n**評価値=-100↑\n";
    for (text, format) in [(csa, KifuFormat::Csa), (kif, KifuFormat::Kif)] {
        let record = parse_records(text, format, Tolerance::Lenient).unwrap().records.remove(0);
        let points = game_points(&record, Notation::Usi);
        let bounds: Vec<_> = points.iter().map(|point| point.bound).collect();
        assert_eq!(bounds, [Bound::Lower, Bound::Upper, Bound::Exact, Bound::Lower]);
        // The first move loses at least 970, the others nothing.
        let marks: Vec<_> = points.iter().map(|point| point.mark).collect();
        assert_eq!(marks, [None, Some(PointMark::Blunder), None, None]);
        let graph = EvaluationGraph::new(points).to_string();
        assert!(graph.contains("?? ≤−950</title>"), "{graph}");
        assert!(graph.contains("from −980 to ≥+20, ≥−100 at the end"), "{graph}");
        let page = GamePage::new(&record).to_string();
        for value in ["≤−950", "\">−980<", "≥−100"] {
            assert!(page.contains(value), "{value}");
        }
    }
}

#[test]
fn the_last_value_of_the_best_line_counts() {
    let text = "PI\n+\n+7776FU\n'** 10\n'** 35 -3334FU\n-3334FU\n+8855KA\n-4142KI\n";
    let record = parse_csa(text, Tolerance::Lenient).unwrap().records.remove(0);
    let points = game_points(&record, Notation::Usi);
    assert_eq!(points[1].score, Some(Score::cp(35)));
    let labels: Vec<Option<&str>> = points.iter().map(|point| point.label.as_deref()).collect();
    assert_eq!(labels, [None, Some("7g7f"), Some("3c3d"), Some("8h5e"), Some("4a4b")]);
}
