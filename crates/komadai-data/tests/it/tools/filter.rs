//! The filter keeps what positions and records fulfil.

use komadai_core::Position;
use komadai_data::records::{PackedSfenValue, RecordResult};
use komadai_data::tools::{Filter, OnDamage, Watch, filter};

use super::{Place, games, open, read, sources};

fn kept(records: &[PackedSfenValue], wanted: &Filter) -> Vec<PackedSfenValue> {
    let place = Place::new();
    let input = place.write("in.psv", records);
    let (origin, damage) =
        filter(&sources(&[&input]).unwrap(), place.output("out.psv"), wanted, &mut Watch::none())
            .unwrap();
    assert!(damage.is_empty());
    let kept = read(&place.path("out.psv"));
    let dropped: u64 = origin.dropped.values().sum();
    assert_eq!(origin.records + dropped, records.len() as u64);
    kept
}

fn with(set: impl FnOnce(&mut Filter)) -> Filter {
    let mut filter = Filter::default();
    set(&mut filter);
    filter
}

/// Returns whether a move captures or promotes, by the position after it.
fn is_quiet(record: &PackedSfenValue) -> bool {
    let position = record.check().unwrap();
    let best = record.best_move.unwrap();
    let pieces = |position: &Position| position.occupied().len();
    let after = position.after(best);
    let has_captured = pieces(&after) != pieces(&position) + usize::from(best.is_drop()) as u32;
    let moved = best.from().map(|from| position.piece_on(from).unwrap());
    let has_promoted = moved.is_some_and(|piece| after.piece_on(best.to()) != Some(piece));
    !position.in_check() && !has_captured && !has_promoted
}

#[test]
fn every_condition_keeps_what_it_should() {
    let mut records = games(60, 2).concat();
    for record in records.iter_mut().step_by(37) {
        record.score = 31_990;
    }
    let check = |wanted: Filter, truth: &dyn Fn(&PackedSfenValue) -> bool| {
        let expected: Vec<PackedSfenValue> =
            records.iter().copied().filter(|record| truth(record)).collect();
        assert!(!expected.is_empty() && expected.len() < records.len(), "{wanted:?}");
        assert_eq!(kept(&records, &wanted), expected, "{wanted:?}");
    };
    check(with(|filter| filter.is_quiet = true), &is_quiet);
    check(with(|filter| filter.no_checks = true), &|record| !record.check().unwrap().in_check());
    check(with(|filter| filter.max_score = Some(500)), &|record| record.score.abs() <= 500);
    check(with(|filter| filter.no_mates = true), &|record| record.score.abs() <= 30_000);
    check(with(|filter| filter.min_ply = Some(20)), &|record| record.ply >= 20);
    check(with(|filter| filter.max_ply = Some(20)), &|record| record.ply <= 20);
    check(with(|filter| filter.no_draws = true), &|record| record.result != RecordResult::Draw);
    check(with(|filter| (filter.is_quiet, filter.max_score) = (true, Some(1_000))), &|record| {
        record.score.abs() <= 1_000 && is_quiet(record)
    });
    assert_eq!(kept(&records, &Filter::default()), records);
}

#[test]
fn damaged_positions_are_refused_or_skipped() {
    let place = Place::new();
    let mut records = games(2, 3).concat();
    let mut sound = records.clone();
    sound.remove(5);
    let mut bytes = *records[5].position.as_bytes();
    (bytes[0], bytes[1]) = (0xfe, 0xff);
    records[5].position = komadai_core::PackedSfen::from_bytes(bytes);
    let input = place.write("in.psv", &records);
    let wanted = with(|filter| filter.no_checks = true);
    let found = sources(&[&input]).unwrap();
    let error = filter(&found, place.output("out.psv"), &wanted, &mut Watch::none()).unwrap_err();
    assert!(error.to_string().contains("in.psv: record 6 at byte 200: "), "{error}");
    let found = open(&[&input], OnDamage::Skip).unwrap();
    let (origin, damage) =
        filter(&found, place.output("out.psv"), &wanted, &mut Watch::none()).unwrap();
    assert_eq!((damage.total(), origin.damaged), (1, 1));
    let truth = |record: &PackedSfenValue| !record.check().unwrap().in_check();
    sound.retain(truth);
    assert_eq!(read(&place.path("out.psv")), sound);
}
