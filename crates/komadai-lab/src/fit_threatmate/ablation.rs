//! The accuracy without some of the features.

use komadai::eval::{CheckFeatures, ThreatmateFeatures};

use crate::fit_threatmate::model::{Model, Set};
use crate::fit_threatmate::report::rates;
use crate::fit_threatmate::samples::Labelled;
use crate::prediction_quality::Rates;

/// Increases of the log-loss below which features are counted.
const SMALL: [f64; 3] = [1e-3, 3e-4, 1e-4];

/// Prints the accuracy without each group of features.
pub(super) fn of_groups(set: Set, data: &Labelled) {
    println!("{}: held out, refitted without a group of features", set.name());
    let mut first = 0;
    let mut groups = Vec::new();
    for (name, names) in ThreatmateFeatures::GROUPS {
        groups.push((name, first..first + names.len()));
        first += names.len();
    }
    if set == Set::Full {
        groups.push(("checks after a pass", first..first + CheckFeatures::COUNT));
    }
    for (name, left_out) in &groups[1..] {
        let mut features = set.features();
        features.retain(|index| !left_out.contains(index));
        let without = Model::fit_to(set, &features, &data.train);
        println!("  {name}, {} features: {}", left_out.len(), rates(&without, &data.test));
    }
}

/// Prints the accuracy without each single feature, the strongest first: those without which the
/// log-loss is largest.
pub(super) fn of_features(model: &Model, data: &Labelled) {
    println!("{}: held out, refitted without a feature", model.set.name());
    let names: Vec<&str> = ThreatmateFeatures::names().chain(CheckFeatures::NAMES).collect();
    let all = rates(model, &data.test);
    let mut without: Vec<(usize, Rates)> = Model::without_each(model.set, &data.train)
        .iter()
        .map(|(feature, model)| (*feature, rates(model, &data.test)))
        .collect();
    without.sort_by(|a, b| b.1.log_loss.total_cmp(&a.1.log_loss));
    for (feature, rates) in &without {
        println!(
            "  {}: {rates}; accuracy {:+.4}, log-loss {:+.5}",
            names[*feature],
            rates.accuracy - all.accuracy,
            rates.log_loss - all.log_loss,
        );
    }
    for small in SMALL {
        let change = |rates: &Rates| rates.log_loss - all.log_loss;
        let count = without.iter().filter(|(_, rates)| change(rates).abs() < small).count();
        println!("  {count} of {} change the log-loss by less than {small}", without.len());
    }
}
