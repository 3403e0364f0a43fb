//! Ranges of games, which several machines play.

use std::fs;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use komadai_data::{
    Dataset, DatasetError, GameRange, PlayedRange, RangeFault, Run, SelfPlayOptions, generate,
};
use komadai_eval::Material;

fn run() -> Run {
    let options = SelfPlayOptions { nodes: 30, ..SelfPlayOptions::default() };
    Run::new("material", options, 7)
}

fn play(first: u64, games: u64, threads: usize) -> (GameRange, PlayedRange) {
    let range = GameRange { run: run(), first, games };
    let threads = NonZero::new(threads).unwrap();
    let played = range.play(&Material, threads, &AtomicBool::new(false), &mut |_| {}).unwrap();
    (range, played)
}

#[test]
fn ranges_in_their_order_are_the_folder_of_one_machine() {
    let [one, many] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let mut data = Dataset::open(one.path(), run()).unwrap().with_shard_positions(70);
    let first = data.game_seed(0);
    let seed = |game| (game < 14).then(|| first.wrapping_add(game));
    let threads = NonZero::new(2).unwrap();
    generate(&Material, &run().options, threads, &seed, &AtomicBool::new(false), &mut |game| {
        data.add(&game)?;
        Ok::<_, DatasetError>(ControlFlow::Continue(()))
    })
    .unwrap();
    let manifest = data.finish().unwrap();
    assert!(manifest.shards().len() > 2, "{manifest:?}");

    let mut data = Dataset::open(many.path(), run()).unwrap().with_shard_positions(70);
    for (first, games, threads) in [(0, 5, 1), (5, 1, 3), (6, 8, 2)] {
        let (range, played) = play(first, games, threads);
        let verified = range.verify(played.records().to_vec(), played.report().clone());
        data.add_range(&verified.unwrap()).unwrap();
    }
    assert_eq!(data.finish().unwrap(), manifest);
    for shard in manifest.shards() {
        let [one, many] = [&one, &many].map(|folder| fs::read(folder.path().join(&shard.file)));
        assert!(one.unwrap() == many.unwrap(), "{}", shard.file);
    }
}

#[test]
fn a_range_that_is_stopped_has_no_records() {
    // So many that some are left when the flag is seen.
    let range = GameRange { run: run(), first: 0, games: 10_000 };
    let stop = AtomicBool::new(false);
    let played = range.play(&Material, NonZero::new(2).unwrap(), &stop, &mut |_| {
        stop.store(true, Ordering::Relaxed);
    });
    assert!(played.is_none());
}

#[test]
fn records_and_reports_that_disagree_are_refused() {
    let (range, played) = play(3, 2, 1);
    let (records, report) = (played.records(), played.report());
    assert_eq!(range.verify(records.to_vec(), report.clone()), Ok(played.clone()));
    let refused = |records: &[u8], report| range.verify(records.to_vec(), report).unwrap_err();
    let short = refused(&records[..records.len() - 1], report.clone());
    assert!(matches!(short, RangeFault::Size { .. }), "{short}");
    let mut other = records.to_vec();
    other[100] ^= 1;
    let other = refused(&other, report.clone());
    assert!(matches!(other, RangeFault::Hash { .. }), "{other}");
    let mut many = report.clone();
    many.lengths = vec![1; 3];
    let many = refused(records, many);
    assert_eq!(many, RangeFault::Games { found: 3, expected: 2 });
    // Bytes that agree with their report, but are no records.
    let rubbish = vec![0xee; records.len()];
    let mut lying = report.clone();
    let RangeFault::Hash { found, .. } = refused(&rubbish, report.clone()) else { panic!() };
    lying.sha256 = found;
    let lying = refused(&rubbish, lying);
    assert!(matches!(lying, RangeFault::Record { number: 1, .. }), "{lying}");
}
