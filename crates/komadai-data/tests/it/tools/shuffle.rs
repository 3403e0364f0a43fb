//! Shuffling is a permutation, follows from its seed, and prefers no order.

use std::collections::{BTreeMap, BTreeSet};

use komadai_data::records::PackedSfenValue;
use komadai_data::tools::{Filter, Sameness, ShuffleOptions, Sources, ToolError, Watch, shuffle};

use super::{Place, games, read, sources};

fn with(set: impl FnOnce(&mut ShuffleOptions)) -> ShuffleOptions {
    let mut options = ShuffleOptions::default();
    set(&mut options);
    options
}

fn shuffled(found: &Sources, place: &Place, options: &ShuffleOptions) -> Vec<PackedSfenValue> {
    let path = place.path("out.psv");
    let output = komadai_data::tools::Output::create(&path, komadai_data::tools::Existing::Replace);
    shuffle(found, output.unwrap(), options, &mut Watch::none()).unwrap();
    read(&path)
}

fn sorted(records: &[PackedSfenValue]) -> Vec<[u8; 40]> {
    let mut records: Vec<[u8; 40]> = records.iter().map(PackedSfenValue::to_bytes).collect();
    records.sort_unstable();
    records
}

#[test]
fn the_records_are_the_same_and_the_order_follows_from_the_seed() {
    let place = Place::new();
    let records = games(700, 4).concat();
    // Two files, together more than a MiB, so that there are several parts.
    let (first, second) = records.split_at(9_000);
    let inputs = [place.write("a.psv", first), place.write("b.psv", second)];
    let found = sources(&[&inputs[0], &inputs[1]]).unwrap();
    let once = shuffled(&found, &place, &with(|options| options.memory_mib = 1));
    assert_eq!(sorted(&once), sorted(&records));
    assert!(records.len() as u64 * 64 > 1 << 20);
    // The memory has no influence.
    assert!(once == shuffled(&found, &place, &ShuffleOptions::default()));
    assert!(once != shuffled(&found, &place, &with(|options| options.seed = 2)));
    // Neighbours are not near any more: the mean distance of two random places is a third of all.
    let places: BTreeMap<[u8; 40], usize> =
        once.iter().enumerate().map(|(place, record)| (record.to_bytes(), place)).collect();
    let distances = records
        .windows(2)
        .map(|pair| places[&pair[0].to_bytes()].abs_diff(places[&pair[1].to_bytes()]) as f64);
    let mean = distances.sum::<f64>() / (records.len() - 1) as f64 / records.len() as f64;
    assert!((0.32..0.347).contains(&mean), "{mean}");
    assert_eq!(place.names(), ["a.psv", "b.psv", "out.psv", "out.psv.json"]);
}

#[test]
fn every_order_is_as_likely() {
    let place = Place::new();
    // The orders of four records each in a larger one are as many independent samples.
    let records = games(1, 4).concat()[..24].to_vec();
    let input = place.write("in.psv", &records);
    let found = sources(&[&input]).unwrap();
    let mut counts: BTreeMap<Vec<u16>, u32> = BTreeMap::new();
    for seed in 0..400 {
        let order = shuffled(&found, &place, &with(|options| options.seed = seed));
        for group in 0..6 {
            let plies = order.iter().map(|record| record.ply);
            let plies = plies.filter(|ply| usize::from(ply - 1) / 4 == group);
            let relative = plies.map(|ply| (ply - 1) % 4).collect();
            *counts.entry(relative).or_default() += 1;
        }
    }
    assert_eq!(counts.len(), 24);
    // 23 degrees of freedom: above 49.7 in one case of a thousand.
    let square = |count: &u32| (f64::from(*count) - 100.0).powi(2) / 100.0;
    let chi_square: f64 = counts.values().map(square).sum();
    assert!(chi_square < 49.7, "{chi_square}: {counts:?}");
}

#[test]
fn duplicates_and_conditions_take_no_second_pass() {
    let place = Place::new();
    let mut records = games(100, 8).concat();
    let copies: Vec<_> = records
        .iter()
        .step_by(3)
        .copied()
        .map(|mut record| {
            record.score += 1;
            record
        })
        .collect();
    records.extend(copies);
    let input = place.write("in.psv", &records);
    let found = sources(&[&input]).unwrap();
    let options = with(|options| {
        options.filter = Filter::default();
        options.filter.max_score = Some(2_000);
        options.deduplicate = Some(Sameness::Exact);
    });
    let once = shuffled(&found, &place, &options);
    let mut seen = BTreeSet::new();
    let mut expected: Vec<PackedSfenValue> = records.clone();
    expected
        .retain(|record| record.score.abs() <= 2_000 && seen.insert(*record.position.as_bytes()));
    assert!(expected.len() < records.len() - 1_000);
    assert_eq!(sorted(&once), sorted(&expected));
    assert_ne!(once, expected);
    assert_eq!(once, shuffled(&found, &place, &options));
}

#[test]
fn too_little_memory_is_an_error_with_the_amount() {
    let place = Place::new();
    let records = games(1, 4).concat();
    let mut many = Vec::new();
    while many.len() < 9_500_000 {
        many.extend_from_slice(&records);
    }
    let input = place.write("in.psv", &many);
    let found = sources(&[&input]).unwrap();
    let options = with(|options| options.memory_mib = 1);
    let error = shuffle(&found, place.output("out.psv"), &options, &mut Watch::none()).unwrap_err();
    assert!(matches!(error, ToolError::Memory { least_mib: 2, .. }), "{error}");
}
