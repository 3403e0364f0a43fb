//! Weights that stay in their file.

use std::fs::{self, File};

use komadai_core::Position;
use komadai_eval::Evaluator;
use komadai_nnue::{Network, NetworkError, Nnue};
use tempfile::tempdir;

#[test]
fn a_mapped_file_has_the_values_of_one_that_was_read() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("nn.bin");
    // Weights at an even offset, at an odd one because of the description's length, and compressed
    // ones.
    for name in ["kp_32x2-8-8", "halfkp_32x2-8-16", "sfnn_kp_64_7_8_k3k3", "compact_32x2_2"] {
        Network::random(name.parse().unwrap(), 3).write(File::create(&path).unwrap()).unwrap();
        let (read, mapped) = (Network::open(&path).unwrap(), Network::map(&path).unwrap());
        let (read, mapped) = (Nnue::new(read), Nnue::new(mapped));
        let position = Position::hirate().after("7g7f".parse().unwrap());
        assert_eq!(
            read.evaluate_position(&position),
            mapped.evaluate_position(&position),
            "{name}"
        );
    }
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    assert!(matches!(Network::map(&path), Err(NetworkError::Truncated { .. })));
}
