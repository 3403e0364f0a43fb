//! Deduplication agrees with a plain set.

use std::collections::HashSet;

use komadai_core::PackedSfen;
use komadai_data::records::PackedSfenValue;
use komadai_data::tools::{Sameness, Watch, deduplicate};

use super::{Place, games, read, sources};

fn once(records: &[PackedSfenValue], sameness: Sameness, memory_mib: u64) -> Vec<PackedSfenValue> {
    let place = Place::new();
    let (first, second) = records.split_at(records.len() / 3);
    let inputs = [place.write("a.psv", first), place.write("b.psv", second)];
    let found = sources(&[&inputs[0], &inputs[1]]).unwrap();
    let output = place.output("out.psv");
    let (origin, _) =
        deduplicate(&found, output, sameness, memory_mib, &mut Watch::none()).unwrap();
    let kept = read(&place.path("out.psv"));
    let dropped = origin.dropped.get("duplicate").copied().unwrap_or(0);
    assert_eq!(kept.len() as u64 + dropped, records.len() as u64);
    assert_eq!(place.names(), ["a.psv", "b.psv", "out.psv", "out.psv.json"]);
    kept
}

/// Random games, and some of their records with exchanged colours, or mirrored.
fn records() -> Vec<PackedSfenValue> {
    let mut records = games(500, 31).concat();
    let turned: Vec<PackedSfenValue> = records
        .iter()
        .step_by(5)
        .enumerate()
        .map(|(number, record)| {
            let setup = record.position.to_setup().unwrap();
            let (setup, best_move) = match number % 3 {
                0 => (setup.flipped(), record.best_move.map(|best| best.flipped())),
                1 => (setup.mirrored(), record.best_move.map(|best| best.mirrored())),
                _ => {
                    let best_move = record.best_move.map(|best| best.flipped().mirrored());
                    (setup.flipped().mirrored(), best_move)
                }
            };
            PackedSfenValue {
                position: PackedSfen::from_setup(&setup).unwrap(),
                best_move,
                ..*record
            }
        })
        .collect();
    records.extend(turned);
    records
}

#[test]
fn the_first_of_each_position_stays() {
    let records = records();
    assert!(records.len() as u64 * 48 > 1 << 20);
    let mut seen = HashSet::new();
    let mut expected = records.clone();
    expected.retain(|record| seen.insert(record.position));
    assert!(expected.len() < records.len() - 400);
    assert!(once(&records, Sameness::Exact, 1) == expected);
    assert!(once(&records, Sameness::Exact, 100) == expected);
}

#[test]
fn symmetric_positions_are_the_same() {
    let records = records();
    let mut seen = HashSet::new();
    let mut expected = records.clone();
    expected.retain(|record| {
        let setup = record.position.to_setup().unwrap();
        let turned = [setup.flipped(), setup.mirrored(), setup.flipped().mirrored()];
        let turned = turned.map(|setup| PackedSfen::from_setup(&setup).unwrap());
        let is_new = !seen.contains(&record.position);
        seen.insert(record.position);
        seen.extend(turned);
        is_new
    });
    let found = once(&records, Sameness::Symmetric, 1);
    assert!(found == expected);
    assert!(found.len() < once(&records, Sameness::Exact, 1).len() - 1_000);
}
