use komadai_core::{Color, Language, Position, SplitMix64};
use komadai_eval::Evaluator as _;
use komadai_movegen::MoveGen as _;
use komadai_testdata::{positions, tsume};

use crate::linear::{FeatureGroups, LinearEvaluator, LinearExplanation, LinearModel};

/// An evaluation with random weights of all sizes down to a sixteenth of a centipawn.
fn random(groups: &str) -> LinearEvaluator {
    let mut model = LinearModel::new(groups.parse().expect("the groups exist"));
    let mut numbers = SplitMix64::new(11);
    for weight in model.weights_mut() {
        *weight = numbers.below(641) as f32 / 16.0 - 20.0;
    }
    LinearEvaluator::of(&model)
}

fn positions() -> impl Iterator<Item = Position> {
    let bench = positions::bench().into_iter().map(|position| position.sfen);
    // Problems of mates have one king.
    let problems = tsume::set(tsume::Set::Classic).map(|problem| problem.sfen).take(8);
    let sfens: Vec<&str> = bench.chain(problems).collect();
    sfens.into_iter().map(|sfen| Position::from_sfen(sfen).expect("test data are positions"))
}

/// The sum of all terms without the material balance.
fn terms(explanation: &LinearExplanation) -> f32 {
    explanation.sum() - explanation.material() as f32
}

#[test]
fn terms_add_up_to_the_evaluation() {
    let groups = ["p", "kp", "pp", "kss", "v", "p+kp", "p+kp+pp+kss+v"];
    for (groups, evaluator) in groups.map(|groups| (groups, random(groups))) {
        for position in positions() {
            let explanation = evaluator.explain(&position);
            let score = evaluator.evaluate_position(&position);
            assert_eq!(explanation.score(), score, "{groups}");
            let black = if position.side() == Color::Black { score.raw() } else { -score.raw() };
            let sum = terms(&explanation);
            assert_eq!(black, explanation.material() + sum.trunc() as i32, "{groups} {position}");
            let each = FeatureGroups::ALL.iter();
            let by_group: f32 = each.map(|group| explanation.group_value(*group)).sum();
            assert_eq!(by_group, sum, "{groups}");
            let listed: f32 = explanation.terms().iter().map(|term| term.value()).sum();
            assert_eq!(listed, sum, "{groups}");
        }
    }
}

#[test]
fn every_relation_is_listed_once() {
    let explanation = random("p+kp+pp+kss+v").explain(&Position::hirate());
    let count = |group| explanation.terms().iter().filter(|term| term.group == group).count();
    assert_eq!(count(FeatureGroups::P), 40);
    assert_eq!(count(FeatureGroups::KP), 2 * 39);
    assert_eq!(count(FeatureGroups::PP), 40 * 39 / 2);
    // Two silvers, two golds, bishop and rook of each side.
    assert_eq!(count(FeatureGroups::KSS), 2 * (12 * 11 / 2));
    assert_eq!(count(FeatureGroups::V), 38);
    let largest = explanation.largest();
    assert!(largest.is_sorted_by(|a, b| a.value().abs() >= b.value().abs()));
    assert_eq!(largest.len(), explanation.terms().len());
}

#[test]
fn changes_add_up_to_the_difference() {
    let evaluator = random("p+kp+pp+kss+v");
    for position in positions() {
        let before = evaluator.explain(&position);
        assert!(before.changes_to(&before).iter().all(|change| change.before == change.after));
        for m in position.legal_moves().iter().step_by(7) {
            let after = evaluator.explain(&position.after(*m));
            let changes = before.changes_to(&after);
            let sum: f32 = changes.iter().map(|change| change.value()).sum();
            assert!((sum - (terms(&after) - terms(&before))).abs() < 0.5, "{position} {m}");
            let olds = changes.iter().filter(|change| change.before.is_some()).count();
            let news = changes.iter().filter(|change| change.after.is_some()).count();
            assert_eq!([olds, news], [before.terms().len(), after.terms().len()]);
            assert!(changes.iter().all(|change| !change.label(Language::English).is_empty()));
        }
    }
}

#[test]
fn a_piece_that_moves_keeps_its_terms() {
    let evaluator = random("kp+pp");
    let position = Position::from_sfen("4k4/9/9/9/9/4p4/4G4/9/4K4 b S 1").unwrap();
    let labels = |m: &str, language| {
        let after = position.after(m.parse().unwrap());
        let changes = evaluator.explain(&position).changes_to(&evaluator.explain(&after));
        changes.iter().map(|change| change.label(language)).collect::<Vec<_>>()
    };
    for (m, expected, japanese) in [
        ("5i4h", "Black K 5i → 4h: Black G 5g", "▲玉５九 → ４八：▲金５七"),
        ("5g4g", "White K 5a: Black G 5g → 4g", "△玉５一：▲金５七 → ４七"),
        ("5g4g", "Black G 5g → 4g, Black K 5i", "▲金５七 → ４七、▲玉５九"),
        ("5g5f", "Black K 5i: Black P in hand, number 1", "▲玉５九：▲歩持ち駒1枚目"),
        (
            "S*4h",
            "Black K 5i: Black S in hand, number 1 → Black S 4h",
            "▲玉５九：▲銀持ち駒1枚目 → ▲銀４八",
        ),
    ] {
        let is = |expected: &str, labels: Vec<String>| {
            assert!(labels.iter().any(|label| label == expected), "no {expected} in {labels:#?}");
        };
        is(expected, labels(m, Language::English));
        is(japanese, labels(m, Language::Japanese));
    }
}

#[test]
fn squares_share_the_values_of_their_pieces() {
    let evaluator = random("p+kp+pp+kss");
    let position = Position::hirate();
    let explanation = evaluator.explain(&position);
    let sum: f32 = explanation.by_square().iter().sum();
    assert!((sum - terms(&explanation)).abs() < 0.5, "all pieces are on the board");
    let after = evaluator.explain(&position.after("2g2f".parse().unwrap()));
    let change: f32 = explanation.changes_by_square(&after).iter().sum();
    assert!((change - (terms(&after) - terms(&explanation))).abs() < 0.5);
}
