//! The same training twice.

use std::fs;
use std::num::NonZero;

use super::support::{file, finish, half_kp_options, options, trainer, training};
use crate::network::compact_head::CompactHead;
use crate::network::half_kp_head::HalfKpHead;
use crate::network::head::Head;
use crate::network::training::Training;
use crate::network::{TrainingArchitecture, TrainingError, TrainingOptions};

#[test]
fn threads_change_no_bit() {
    compare_threads::<CompactHead>(TrainingOptions { batch: 300, classes: 3, ..options() });
    compare_threads::<HalfKpHead>(TrainingOptions { batch: 300, ..half_kp_options() });
}

fn compare_threads<H: Head>(options: TrainingOptions) {
    let state = |threads| {
        let mut training: Training<H> = training(options.clone());
        training.set_threads(NonZero::new(threads).unwrap());
        while training.advance().is_some() {}
        training.state
    };
    let one = state(1);
    for threads in [2, 3, 7] {
        // The network alone would not show all bits.
        assert!(state(threads) == one, "{threads} threads");
    }
}

#[test]
fn seeds_and_mirrors_make_other_networks() {
    let one = finish(trainer(options()));
    assert!(finish(trainer(options())) == one);
    assert!(finish(trainer(TrainingOptions { seed: 2, ..options() })) != one);
    let unmirrored = TrainingOptions { mirror: false, ..options() };
    assert!(finish(trainer(unmirrored)) != one);
}

#[test]
fn an_interrupted_training_goes_on_as_if_nothing_had_happened() {
    interrupt::<CompactHead>(&options());
    interrupt::<HalfKpHead>(&half_kp_options());
}

fn interrupt<H: Head>(options: &TrainingOptions) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("training");
    // Large steps, so that weights meet the limits of their range.
    let options = TrainingOptions { learning_rate: [0.3, 0.1], ..options.clone() };
    let mut whole: Training<H> = training(options.clone());
    let mut parts = training(options.clone());
    while whole.advance().is_some() {
        parts.save(&path).unwrap();
        parts = training(options.clone());
        parts.resume(&path).unwrap();
        parts.advance();
        assert_eq!(parts.report(), whole.report());
    }
    assert!(whole.is_finished() && parts.is_finished());
    assert!(parts.state == whole.state && file(&parts) == file(&whole));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn files_of_other_trainings_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("training");
    let mut first = trainer(options());
    first.advance();
    first.save(&path).unwrap();
    let refused = |options| trainer(options).resume(&path).unwrap_err();
    let error = refused(TrainingOptions { batch: 151, ..options() });
    assert!(
        error.to_string().contains("expected {\"architecture\":\"compact\",\"base\""),
        "{error}"
    );
    let bytes = fs::read(&path).unwrap();
    for at in (0..bytes.len()).step_by(bytes.len() / 50).chain(0..40) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        fs::write(&path, &damaged).unwrap();
        assert!(matches!(refused(options()), TrainingError::Mismatch { .. }), "byte {at}");
        fs::write(&path, &bytes[..at]).unwrap();
        assert!(matches!(refused(options()), TrainingError::Mismatch { .. }), "{at} bytes");
    }
    fs::remove_file(&path).unwrap();
    assert!(matches!(refused(options()), TrainingError::Checkpoint { .. }));
}

#[test]
fn training_ends_when_the_loss_no_longer_falls() {
    let stuck = TrainingOptions {
        learning_rate: [0.0, 0.0],
        epochs: 100,
        patience: 3,
        mirror: false,
        ..options()
    };
    let mut trainer = trainer(stuck);
    while trainer.advance().is_some() {}
    let report = trainer.report();
    assert_eq!(report.points.len(), 4);
    assert_eq!(report.best, Some(report.points[0]));
}

#[test]
fn options_out_of_range_are_refused() {
    let refused = |change: fn(&mut TrainingOptions)| {
        let mut options = options();
        change(&mut options);
        let set = super::support::samples(10, 1);
        let set = crate::network::training_set::TrainingSet::from_samples(set.clone(), set);
        match crate::network::Trainer::new(options, set).unwrap_err() {
            TrainingError::Option { option, .. } => option,
            error => panic!("{error}"),
        }
    };
    assert_eq!(refused(|options| options.width = 100), "width");
    assert_eq!(refused(|options| options.width = 0), "width");
    let wide = |options: &mut TrainingOptions| {
        (options.architecture, options.width) = (TrainingArchitecture::HalfKp, 544);
    };
    assert_eq!(refused(wide), "width");
    let classes = |options: &mut TrainingOptions| {
        (options.architecture, options.classes) = (TrainingArchitecture::HalfKp, 2);
    };
    assert_eq!(refused(classes), "classes");
    assert_eq!(refused(|options| options.batch = 0), "batch");
    assert_eq!(refused(|options| options.score_scale = 0.5), "score scale");
    assert_eq!(refused(|options| options.result_share = f32::NAN), "share of the result");
}
