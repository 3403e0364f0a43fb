//! A teacher with known weights inside the searches of TreeStrap, and the reason why TreeStrap learns
//! little from its own searches.

#![expect(clippy::print_stdout, reason = "ignored tests print what they measure")]

use std::time::Duration;

use komadai_core::{Budget, Position, SplitMix64};
use komadai_data::SelfPlayCourse;
use komadai_eval::{Classical, Evaluator, Material};
use komadai_nnue::linear::{
    ActiveFeatures, FeatureGroups, LinearEvaluator, LinearInputs, LinearModel,
};
use komadai_search::{AlphaBeta, Searcher as _};

use crate::methods::comparison::CpuTimer;
use crate::methods::leaf_search::learning_search;
use crate::methods::{Method as _, TreeStrap, TreeStrapOptions};
use crate::network::judgement::correlation;

/// A teacher whose weights for pieces on squares are up to 20 centipawns.
fn teacher() -> LinearModel {
    let (mut model, mut random) = (LinearModel::new(FeatureGroups::P), SplitMix64::new(3));
    for weight in model.weights_mut() {
        *weight = random.below(641) as f32 / 16.0 - 20.0;
    }
    model
}

/// Positions of games with the scores of the searches that played them.
fn games<E: Evaluator>(evaluator: E, nodes: u64, seed: u64, count: usize) -> Vec<(Position, i32)> {
    let mut course = SelfPlayCourse::new(seed);
    let mut search = AlphaBeta::new(evaluator, learning_search());
    let mut found = Vec::new();
    while found.len() < count {
        let position = course.position().clone();
        let best = search.search(&position, &Budget::nodes(nodes), &mut |_| {});
        let score = best.score().map_or(0, |score| score.raw());
        let is_quiet = best
            .best_move()
            .is_some_and(|m| !m.is_promotion() && position.piece_on(m.to()).is_none());
        if is_quiet && !position.in_check() && score.abs() < 1_000 {
            found.push((position, score));
        }
        if course.play(best.best_move(), score).is_some() {
            course.restart();
        }
    }
    found
}

/// The value of a position without its material.
fn positional(model: &LinearModel, inputs: &LinearInputs, active: &mut ActiveFeatures) -> f64 {
    inputs.features(model.groups(), active);
    model.sum(active).into()
}

/// The correlation of the positional values of two models.
fn agreement(a: &LinearModel, b: &LinearModel, positions: &[(Position, i32)]) -> f64 {
    let mut active = ActiveFeatures::default();
    let pairs = positions.iter().map(|(position, _)| {
        let inputs = LinearInputs::of(position);
        [a, b].map(|model| positional(model, &inputs, &mut active))
    });
    correlation(pairs.map(|[a, b]| (a, b)).collect::<Vec<_>>().into_iter())
}

#[test]
fn tree_strap_finds_the_weights_of_a_teacher_inside_its_searches() {
    let teacher = teacher();
    let starts = games(Material, 40, 5, 1_200);
    let test = games(Material, 40, 6, 300);
    let starts: Vec<Position> = starts.into_iter().map(|(position, _)| position).collect();
    let options = TreeStrapOptions { nodes: 400, ..TreeStrapOptions::default() };
    let steps = starts.len();
    let mut method = TreeStrap::on_positions(FeatureGroups::P, options, starts)
        .taught_by(LinearEvaluator::of(&teacher));
    (0..steps).for_each(|_| method.step());
    let found = agreement(&teacher, method.model(), &test);
    assert!(found > 0.9, "{found}");
    let spread = |model: &LinearModel| {
        let mut active = ActiveFeatures::default();
        let values = test.iter().map(|(position, _)| {
            positional(model, &LinearInputs::of(position), &mut active).powi(2)
        });
        values.sum::<f64>().sqrt()
    };
    let size = spread(method.model()) / spread(&teacher);
    assert!((0.6..1.4).contains(&size), "{size}");
}

#[test]
#[ignore = "a study: a minute"]
fn study_of_a_planted_teacher() {
    let teacher = teacher();
    let test = games(Material, 60, 77, 1_000);
    for largest_influence in [f32::INFINITY, 200.0, 100.0, 50.0, 25.0, 12.0] {
        let options = TreeStrapOptions { largest_influence, ..TreeStrapOptions::default() };
        let mut method =
            TreeStrap::new(FeatureGroups::P, options, 1).taught_by(LinearEvaluator::of(&teacher));
        print!("largest influence {largest_influence}: correlation");
        for searches in [750, 750, 1_500] {
            (0..searches).for_each(|_| method.step());
            print!(" {:.2}", agreement(&teacher, method.model(), &test));
        }
        println!(" after 750, 1,500 and 3,000 searches");
        if largest_influence.is_infinite() {
            println!("\n{}", method.errors());
        }
    }
}

#[test]
#[ignore = "a study: a minute"]
fn study_of_own_searches() {
    let groups = FeatureGroups::P | FeatureGroups::KP;
    let judged = games(Classical::default(), 300, 78, 3_000);
    let mut active = ActiveFeatures::default();
    let cases = [(800, f32::INFINITY), (800, 100.0), (800, 25.0), (5_000, f32::INFINITY)];
    for (nodes, largest_influence) in cases {
        let options = TreeStrapOptions { nodes, largest_influence, ..TreeStrapOptions::default() };
        println!("{nodes} nodes, largest influence {largest_influence}:");
        for seed in 1..=3 {
            let mut method = TreeStrap::new(groups, options.clone(), seed);
            let timer = CpuTimer::start();
            while timer.elapsed() < Duration::from_secs(5) {
                method.step();
            }
            let rows = judged.iter().map(|(position, score)| {
                let inputs = LinearInputs::of(position);
                let value = positional(method.model(), &inputs, &mut active);
                [f64::from(*score), value, f64::from(inputs.material())]
            });
            let rows: Vec<[f64; 3]> = rows.collect();
            let squares = rows.iter().map(|[_, value, _]| value * value).sum::<f64>();
            println!(
                "seed {seed}: {} positions; positional values of {:.0} cp, whose partial correlation \
                 with the scores of Classical is {:.2}",
                method.positions(),
                (squares / rows.len() as f64).sqrt(),
                partial(&rows),
            );
            if seed == 1 {
                println!("\n{}", method.errors());
            }
        }
    }
}

/// The correlation of the first two columns, given the third.
fn partial(rows: &[[f64; 3]]) -> f64 {
    let r = |a: usize, b: usize| correlation(rows.iter().map(|row| (row[a], row[b])));
    let (xy, xz, yz) = (r(0, 1), r(0, 2), r(1, 2));
    (xy - xz * yz) / ((1.0 - xz * xz) * (1.0 - yz * yz)).sqrt()
}
