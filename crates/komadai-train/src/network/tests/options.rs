//! Options out of range, and trainings that diverge.

use super::support::{half_kp_options, options, samples, trainer};
use crate::network::training_set::TrainingSet;
use crate::network::{LossPoint, Trainer, TrainingError, TrainingOptions};

#[test]
fn every_number_is_checked_without_positions() {
    assert!(options().check().is_ok() && half_kp_options().check().is_ok());
    assert!(TrainingOptions::half_kp().check().is_ok());
    type Change = fn(&mut TrainingOptions, f32);
    let rates: [(&str, Change); 4] = [
        ("learning rate", |options, rate| options.learning_rate[0] = rate),
        ("learning rate at the end", |options, rate| options.learning_rate[1] = rate),
        ("decay", |options, rate| options.decay = rate),
        ("shared decay", |options, rate| options.shared_decay = rate),
    ];
    for (name, change) in rates {
        for rate in
            [f32::NAN, -f32::NAN, f32::INFINITY, -f32::INFINITY, -1.0, -1e-9, 1e30, f32::MAX]
        {
            let mut wanted = options();
            change(&mut wanted, rate);
            refused(wanted, name);
        }
    }
    refused(TrainingOptions { learning_rate: [0.0, 0.0], ..options() }, "learning rate");
    assert!(
        TrainingOptions { learning_rate: [1e-3, 0.0], decay: 0.0, ..options() }.check().is_ok()
    );
    for scale in [f32::NAN, f32::INFINITY, 0.0, -600.0, 0.5, 600.5, 10_001.0] {
        refused(TrainingOptions { score_scale: scale, ..options() }, "score scale");
    }
    for share in [f32::NAN, f32::INFINITY, -0.1, 1.000_1, 2.0] {
        refused(TrainingOptions { result_share: share, ..options() }, "share of the result");
    }
    for width in [0, 1, 31, 33, 2_080, usize::MAX] {
        refused(TrainingOptions { width, ..options() }, "width");
    }
    refused(TrainingOptions { width: 544, ..half_kp_options() }, "width");
    for classes in [0, 17] {
        refused(TrainingOptions { classes, ..options() }, "classes");
    }
    for batch in [0, (1 << 20) + 1] {
        refused(TrainingOptions { batch, ..options() }, "batch");
    }
    refused(TrainingOptions { epochs: 0, ..options() }, "epochs");
    refused(TrainingOptions { interval: 0, ..options() }, "interval");
}

/// Checks that an option is refused, by the check alone and by a training.
fn refused(options: TrainingOptions, name: &str) {
    let set = TrainingSet::from_samples(samples(20, 1), samples(20, 2));
    let error = options.check().expect_err(name);
    assert!(matches!(error, TrainingError::Option { option, .. } if option == name), "{error}");
    assert!(Trainer::new(options, set).is_err(), "{name}");
}

#[test]
fn a_loss_that_is_no_number_ends_a_training_without_a_network() {
    let mut training = trainer(options());
    let good = training.advance().unwrap();
    assert!(good.is_finite() && training.network(String::new()).is_ok());
    for (training_loss, held_out_loss) in [
        (f64::NAN, 0.1),
        (0.1, f64::NAN),
        (f64::INFINITY, 0.1),
        (0.1, f64::NEG_INFINITY),
        (f64::NAN, f64::NAN),
    ] {
        let mut training = trainer(options());
        training.advance().unwrap();
        training.state.curve.push(LossPoint { training_loss, held_out_loss, ..good });
        assert!(training.is_finished());
        assert_eq!(training.advance(), None);
        let error = training.network(String::new()).unwrap_err();
        assert!(matches!(error, TrainingError::Diverged { .. }), "{error}");
    }
}
