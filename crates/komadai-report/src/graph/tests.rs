use komadai_core::{Color, Language, Score};

use super::evaluation_graph::{EvaluationGraph, SecondSeries};
use super::point::{GraphPoint, PointMark, mark_losses};
use crate::theme::SvgTheme;

fn points(scores: &[Option<Score>]) -> Vec<GraphPoint> {
    (0..).zip(scores).map(|(ply, &score)| GraphPoint::new(ply, score)).collect()
}

/// Draws a graph in all ways, and checks that it is well formed.
fn drawn(graph: EvaluationGraph) -> String {
    for theme in [SvgTheme::Auto, SvgTheme::Light, SvgTheme::Dark] {
        for language in [Language::Japanese, Language::English] {
            let text = EvaluationGraph { theme, language, ..graph.clone() }.to_string();
            assert!(text.starts_with("<svg xmlns") && text.ends_with("</svg>\n"));
            assert_eq!(text.matches('<').count(), text.matches('>').count());
            assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        }
    }
    graph.to_string()
}

#[test]
fn any_number_of_points_can_be_drawn() {
    let empty = drawn(EvaluationGraph::new([]));
    assert!(empty.contains("no evaluations") && !empty.contains("kg-black\""));
    let language = Language::Japanese;
    let japanese = EvaluationGraph { language, ..EvaluationGraph::new([]) }.to_string();
    assert!(japanese.contains("評価値なし"));
    let one = drawn(EvaluationGraph::new(points(&[Some(Score::cp(50))])));
    assert!(one.contains("<path class=\"kg-black-line\" d=\"M52.0 "), "{one}");
    let unknown = drawn(EvaluationGraph::new(points(&[None, None])));
    assert!(unknown.contains("No evaluations."));
    let wave = |ply: i32| Some(Score::cp(3_000 * (ply % 50 - 25) / 25));
    let long = drawn(EvaluationGraph::new(points(&(0..1_000).map(wave).collect::<Vec<_>>())));
    assert!(long.len() < 60_000 && long.contains(">900</text>"), "{}", long.len());
    let far = GraphPoint::new(u32::MAX, Some(Score::MATE));
    let far = drawn(EvaluationGraph::new([far, GraphPoint::new(0, Some(-Score::MATE))]));
    assert!(far.contains(">4000000000</text>"));
}

#[test]
fn mates_are_at_the_ends_of_the_scale() {
    let mates = [Some(Score::MATE), Some(Score::mated_in(3)), Some(Score::mate_in(5))];
    let picture =
        drawn(EvaluationGraph { size: (500, 200), ..EvaluationGraph::new(points(&mates)) });
    // The plot is 160 high, and its ends keep a distance of 8.
    assert!(picture.contains("M52.0 22.0L"), "{picture}");
    assert!(picture.contains("from −mate 3 to +mate 0, +mate 5 at the end."));
    for label in ["+mate", "−mate", "+300", "−1000", "+3000"] {
        assert!(picture.contains(&format!(">{label}</text>")), "{label}");
    }
}

#[test]
fn areas_have_the_colours_of_the_sides_that_lead() {
    let scores = [100, -100, 100].map(|cp| Some(Score::cp(cp)));
    let picture = drawn(EvaluationGraph::new(points(&scores)));
    let closed = |class: &str| {
        let path = picture.split(&format!("class=\"{class}\" d=\"")).nth(1).unwrap();
        path.split('"').next().unwrap().matches('z').count()
    };
    assert_eq!((closed("kg-black"), closed("kg-white")), (2, 1));
    let gap = [Some(Score::cp(1)), None, None, Some(Score::cp(1))];
    let picture = drawn(EvaluationGraph::new(points(&gap)));
    assert!(!picture.contains("class=\"kg-white\""));
    let line = picture.split("class=\"kg-black-line\" d=\"").nth(1).unwrap();
    assert_eq!(line.split('"').next().unwrap().matches('M').count(), 2);
}

#[test]
fn marked_moves_have_dots_and_names() {
    let mut points = points(&[30, 40, 2_000, 1_900, 1_500].map(|cp| Some(Score::cp(cp))));
    points[2].label = Some("<△３四歩> & \"x\"".to_owned());
    mark_losses(&mut points, Color::Black);
    assert_eq!(points[2].mark, Some(PointMark::Blunder));
    let picture = drawn(EvaluationGraph {
        title: Some("<title>".to_owned()),
        ..EvaluationGraph::new(points)
    });
    let name = "2 &lt;△３四歩&gt; &amp; &quot;x&quot;";
    assert!(picture.contains(&format!("<title>{name}?? +2000</title>")), "{picture}");
    assert!(picture.contains(&format!(">{name}</text>")));
    assert!(picture.contains(&format!("Blunders: {name}</desc>")));
    assert_eq!(picture.matches("<circle").count(), 1);
    assert!(picture.contains(">&lt;title&gt;</text>"));
}

#[test]
fn a_second_series_has_a_legend() {
    let scores = [0, 50, 100].map(|cp| Some(Score::cp(cp)));
    let graph = EvaluationGraph::new(points(&scores));
    assert!(!drawn(graph.clone()).contains("kg-second\""));
    let names = ["A&B", "C<D"].map(str::to_owned);
    let second = Some(SecondSeries { points: points(&scores), names });
    let picture = drawn(EvaluationGraph { second, cursor: Some(2), ..graph });
    assert_eq!(picture.matches("class=\"kg-second\"").count(), 2);
    assert!(picture.contains(">A&amp;B</text>") && picture.contains(">C&lt;D</text>"));
    assert!(picture.contains("<path class=\"kg-cursor\" d=\"M706.0 "), "{picture}");
}
