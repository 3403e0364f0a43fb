//! Rescoring gives the scores of the search, however often it is interrupted.

use std::fs;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};

use komadai_core::{Budget, Position};
use komadai_data::records::PackedSfenValue;
use komadai_data::tools::{OnDamage, RescoreOptions, Sources, ToolError, Watch, rescore};
use komadai_eval::{Evaluator as _, Material};
use komadai_search::{AlphaBeta, SearchOptions, Searcher as _, Techniques};

use super::{Place, bytes, games, open, read, sources};

fn options() -> RescoreOptions {
    RescoreOptions { nodes: 40, hash_mib: 1, ..RescoreOptions::new("material") }
}

/// Rescores `in.psv` to `out.psv` until `stop_at` records are done.
fn run(
    place: &Place,
    found: &Sources,
    options: &RescoreOptions,
    stop_at: u64,
) -> Result<u64, ToolError> {
    let (stop, mut before) = (AtomicBool::new(false), None);
    let mut report = |progress: komadai_data::tools::Progress| {
        if progress.stage != "rescore" {
            return;
        }
        before.get_or_insert(progress.before);
        stop.store(progress.done >= stop_at, Ordering::Relaxed);
    };
    let mut watch = Watch::new(&stop, &mut report);
    rescore(found, &place.path("out.psv"), &Material, options, &mut watch)?;
    Ok(before.unwrap_or(0))
}

#[test]
fn scores_and_moves_are_those_of_the_search_and_the_rest_stays() {
    let place = Place::new();
    let records = games(8, 9).concat();
    let found = sources(&[&place.write("in.psv", &records)]).unwrap();
    run(&place, &found, &options(), u64::MAX).unwrap();
    let rescored = read(&place.path("out.psv"));
    assert_eq!(rescored.len(), records.len());
    for (before, after) in records.iter().zip(&rescored) {
        let rest = |record: &PackedSfenValue| (record.position, record.ply, record.result);
        assert_eq!(rest(before), rest(after));
        after.check().unwrap();
    }
    assert_ne!(rescored[0].score, records[0].score);
    let options = SearchOptions { hash_mib: 1, ..SearchOptions::default() };
    let mut search = AlphaBeta::new(Material, options);
    for (record, position) in
        rescored.iter().zip(records.iter().map(|record| record.check().unwrap()))
    {
        let mut finished = None;
        let analysis = search.search(&position, &Budget::about(40), &mut |iteration| {
            finished = iteration.exact_score().or(finished);
        });
        // A bound is no score to learn from.
        let score = analysis.exact_score().or(finished).unwrap();
        assert_eq!(score.raw(), i32::from(record.score));
        assert_eq!(analysis.best_move().or(record.best_move), record.best_move);
        // The next group has empty tables.
        if record.position == records[63].position {
            break;
        }
    }
}

#[test]
fn interrupted_work_continues_and_gives_the_same_bytes() {
    let (whole, place) = (Place::new(), Place::new());
    let records = games(12, 10).concat();
    for place in [&whole, &place] {
        place.write("in.psv", &records);
    }
    let at = |place: &Place| sources(&[&place.path("in.psv")]).unwrap();
    run(&whole, &at(&whole), &options(), u64::MAX).unwrap();
    let expected = fs::read(whole.path("out.psv")).unwrap();

    let found = at(&place);
    let mut options = options();
    assert!(matches!(run(&place, &found, &options, 192), Err(ToolError::Stopped)));
    assert_eq!(place.names(), ["in.psv", "out.psv.rescored", "out.psv.rescored.json"]);
    let journal = place.path("out.psv.rescored");
    let done = fs::read(&journal).unwrap();
    assert!(done.len() == 192 * 40 && done.len() < expected.len() && expected.starts_with(&done));
    // A killed process leaves a torn record, a failure of the machine zeros.
    for rest in [vec![7; 23], vec![0; 64 * 40], done[..40].to_vec()] {
        fs::write(&journal, [&done[..], &rest].concat()).unwrap();
        assert!(matches!(run(&place, &found, &options, 0), Err(ToolError::Stopped)));
        assert!(expected.starts_with(&fs::read(&journal).unwrap()));
    }
    options.threads = NonZero::new(3).unwrap();
    let mut other = options.clone();
    other.nodes += 1;
    let error = run(&place, &found, &other, u64::MAX).unwrap_err().to_string();
    for part in ["out.psv.rescored.json: ", "\"nodes\":40", "expected {", "\"nodes\":41"] {
        assert!(error.contains(part), "{error}");
    }
    let before = run(&place, &found, &options, u64::MAX).unwrap();
    assert!(before >= 192, "{before}");
    assert_eq!(fs::read(place.path("out.psv")).unwrap(), expected);
    assert_eq!(place.names(), ["in.psv", "out.psv", "out.psv.json"]);
    let notes =
        [&whole, &place].map(|place| fs::read_to_string(place.path("out.psv.json")).unwrap());
    assert_eq!(
        notes[0].replace(whole.path("").to_str().unwrap(), ""),
        notes[1].replace(place.path("").to_str().unwrap(), "")
    );
    let error = run(&place, &found, &options, u64::MAX).unwrap_err();
    assert!(matches!(error, ToolError::Exists { .. }), "{error}");
}

#[test]
fn damaged_records_are_skipped_on_both_sides_of_an_interruption() {
    let place = Place::new();
    let records = games(6, 11).concat();
    let mut content = bytes(&records);
    for damaged in [3, 64, 200] {
        content[damaged * 40 + 38] = 9;
    }
    let input = place.path("in.psv");
    fs::write(&input, content).unwrap();
    let found = open(&[&input], OnDamage::Skip).unwrap();
    assert!(matches!(run(&place, &found, &options(), 128), Err(ToolError::Stopped)));
    let mut watch = Watch::none();
    let (origin, damage) =
        rescore(&found, &place.path("out.psv"), &Material, &options(), &mut watch).unwrap();
    assert_eq!((origin.damaged, damage.total()), (3, 3));
    assert_eq!(origin.records, records.len() as u64 - 3);
    let error = run(&place, &sources(&[&input]).unwrap(), &options(), u64::MAX).unwrap_err();
    assert!(matches!(error, ToolError::Exists { .. }), "{error}");
    fs::remove_file(place.path("out.psv")).unwrap();
    let error = run(&place, &sources(&[&input]).unwrap(), &options(), u64::MAX).unwrap_err();
    assert!(error.to_string().contains("in.psv: record 4 at byte 120: the result 9"), "{error}");
}

#[test]
fn positions_without_a_move_keep_theirs() {
    let place = Place::new();
    // Black declares: the king is in the other camp with ten pieces, and 28 points.
    let sfen = "K8/GGGGSSSSR/BBR6/9/9/9/9/9/4k4 b 4N4L18P 1";
    let position = Position::from_sfen(sfen).unwrap();
    let best = "9a8a".parse().ok();
    let result = komadai_data::records::RecordResult::Win;
    let record = PackedSfenValue::new(&position, 0, best, result).unwrap();
    let found = sources(&[&place.write("in.psv", &[record])]).unwrap();
    run(&place, &found, &options(), u64::MAX).unwrap();
    let rescored = read(&place.path("out.psv"))[0];
    assert!(rescored.score > 25_000 && rescored.best_move.is_some(), "{rescored:?}");
}

#[test]
fn damage_is_found_before_the_work_begins() {
    let place = Place::new();
    let records = games(6, 12).concat();
    let mut content = bytes(&records);
    let last = records.len() - 1;
    content[last * 40 + 38] = 9;
    let input = place.path("in.psv");
    fs::write(&input, &content).unwrap();
    let damaged = sources(&[&input]).unwrap();
    let error = run(&place, &damaged, &options(), u64::MAX).unwrap_err();
    assert!(matches!(error, ToolError::Damaged(_)), "{error}");
    assert_eq!(place.names(), ["in.psv"]);
    // Nothing hinders the work on the file that has been mended.
    fs::write(&input, bytes(&records)).unwrap();
    run(&place, &sources(&[&input]).unwrap(), &options(), u64::MAX).unwrap();
    assert_eq!(read(&place.path("out.psv")).len(), records.len());
    // A file of another kind is refused even if damage is to be skipped.
    let text = place.path("text.psv");
    fs::write(&text, "no records, but some text ".repeat(80)).unwrap();
    let skipped = open(&[&text], OnDamage::Skip).unwrap();
    let again = place.path("again.psv");
    let error = rescore(&skipped, &again, &Material, &options(), &mut Watch::none()).unwrap_err();
    assert!(matches!(error, ToolError::NothingSound { records: 52, .. }), "{error}");
    assert_eq!(place.names(), ["in.psv", "out.psv", "out.psv.json", "text.psv"]);
}

#[test]
fn quiet_positions_replace_those_with_pending_exchanges() {
    let place = Place::new();
    let records = games(8, 9).concat();
    let found = sources(&[&place.write("in.psv", &records)]).unwrap();
    let quiet = RescoreOptions { is_quiet: true, ..options() };
    // It continues after an interruption as well.
    assert!(matches!(run(&place, &found, &quiet, 130), Err(ToolError::Stopped)));
    assert!(run(&place, &found, &quiet, u64::MAX).unwrap() > 0);
    let rescored = read(&place.path("out.psv"));
    assert_eq!(rescored.len(), records.len());
    let techniques = Techniques::QUIESCENCE;
    let options = SearchOptions { techniques, hash_mib: 1, ..SearchOptions::default() };
    let mut search = AlphaBeta::new(Material, options);
    let (mut replaced, mut winners) = (0, 0);
    for (before, after) in records.iter().zip(&rescored) {
        let position = after.check().unwrap();
        // Nothing is left to take: the value is that of the position itself.
        let value = search.quiescence(&position).score();
        assert!(position.in_check() || value >= Some(Material.evaluate_position(&position)));
        let line = search.quiescence(&before.check().unwrap()).lines[0].pv.len() as u16;
        assert_eq!(after.ply, before.ply + line);
        replaced += u16::from(line > 0);
        let outcome = |record: &PackedSfenValue| record.result.outcome(record.position.side());
        winners += u16::from(outcome(before) == outcome(after));
    }
    assert!(replaced > 5, "{replaced}");
    assert_eq!(usize::from(winners), records.len());
}
