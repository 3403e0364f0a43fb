//! Samples of several sources.

use std::collections::BTreeSet;

use komadai_data::records::PackedSfenValue;
use komadai_data::tools::{MixOptions, ToolError, Watch, mix};

use super::{Place, bytes, games, read, sources};

#[test]
fn shares_are_exact_and_nothing_is_written_twice() {
    let place = Place::new();
    let [first, second] =
        [(10, 1 << 20), (30, 1 << 30)].map(|(count, seed)| games(count, seed).concat());
    let paths = [place.write("a.psv", &first), place.write("b.psv", &second)];
    let found = sources(&[&paths[0], &paths[1]]).unwrap();
    let run = |name: &str, options: &MixOptions| {
        let result = mix(&found, place.output(name), options, &mut Watch::none());
        result.map(|(origin, _)| (origin, read(&place.path(name))))
    };
    let options = MixOptions { weights: vec![1, 3], records: Some(400), ..MixOptions::default() };
    let (origin, mixed) = run("mixed", &options).unwrap();
    let count = |records: &[PackedSfenValue]| {
        let all: BTreeSet<_> = records.iter().map(PackedSfenValue::to_bytes).collect();
        mixed.iter().filter(|record| all.contains(&record.to_bytes())).count()
    };
    assert_eq!((origin.records, count(&first), count(&second)), (400, 100, 300));
    assert_eq!(origin.dropped["not_selected"], (first.len() + second.len()) as u64 - 400);
    let distinct = |records: &[PackedSfenValue]| {
        records.iter().map(PackedSfenValue::to_bytes).collect::<BTreeSet<_>>().len()
    };
    let all = [first.clone(), second.clone()].concat();
    assert!(distinct(&mixed) >= 400 - (all.len() - distinct(&all)));
    // The same seed gives the same file, another seed another one.
    assert_eq!(run("again", &options).unwrap().1, mixed);
    assert_ne!(run("other", &MixOptions { seed: 2, ..options.clone() }).unwrap().1, mixed);
    // The memory has no influence.
    assert_eq!(run("small", &MixOptions { memory_mib: 1, ..options.clone() }).unwrap().1, mixed);
    // Without a number, the smaller source decides.
    let (origin, _) = run("most", &MixOptions { records: None, ..options.clone() }).unwrap();
    let most = (first.len() * 4).min(second.len() * 4 / 3) as u64;
    assert!(origin.records <= most && origin.records + 2 > most, "{} {most}", origin.records);
    let (origin, whole) =
        run("one", &MixOptions { weights: vec![1, 0], records: None, ..options.clone() }).unwrap();
    assert_eq!(origin.records, first.len() as u64);
    assert_ne!(bytes(&whole), bytes(&first), "in another order");
    let too_many = MixOptions { records: Some(1_000_000), ..options.clone() };
    assert!(matches!(run("x", &too_many), Err(ToolError::TooFew { .. })));
    for weights in [vec![1], vec![0, 0], vec![1, 2, 3]] {
        let wrong = MixOptions { weights, ..options.clone() };
        assert!(matches!(run("x", &wrong), Err(ToolError::Weights { .. })));
    }
}
