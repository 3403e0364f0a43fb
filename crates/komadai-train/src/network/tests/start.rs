//! Training that starts from a network.

use komadai_nnue::Network;

use super::support::{file, finish, options, trainer};
use crate::network::{TrainingError, TrainingOptions};

#[test]
fn a_start_has_the_weights_of_its_network() {
    for classes in [1, 3] {
        let wanted = TrainingOptions { classes, ..options() };
        let first = finish(trainer(wanted.clone()));
        let network = Network::from_bytes(&first).unwrap();
        let mut again = trainer(TrainingOptions { seed: 7, ..wanted });
        assert!(file(&again) != first);
        again.start_from(&network).unwrap();
        assert!(file(&again) == first);
        // It learns on from there.
        assert!(finish(again) != first);
    }
}

#[test]
fn a_state_belongs_to_its_start() {
    let network = Network::from_bytes(&finish(trainer(options()))).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("training");
    let started = || {
        let mut trainer = trainer(options());
        trainer.start_from(&network).unwrap();
        trainer
    };
    let mut first = started();
    first.advance();
    first.save(&path).unwrap();
    started().resume(&path).unwrap();
    let error = trainer(options()).resume(&path).unwrap_err();
    assert!(error.to_string().contains("found another start"), "{error}");
}

#[test]
fn networks_of_another_shape_are_refused() {
    let network = Network::from_bytes(&finish(trainer(options()))).unwrap();
    for other in [
        TrainingOptions { width: 64, ..options() },
        TrainingOptions { classes: 2, ..options() },
        TrainingOptions { score_scale: 500.0, ..options() },
    ] {
        let error = trainer(other).start_from(&network).unwrap_err();
        assert!(matches!(error, TrainingError::Option { .. }), "{error}");
        assert!(error.to_string().starts_with("found compact_32x2_1 as"), "{error}");
    }
}
