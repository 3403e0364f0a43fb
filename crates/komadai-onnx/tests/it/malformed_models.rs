//! Files that are no models, or others.

use std::io::{self, Read};

use komadai_onnx::{DlshogiModel, ModelError};

use crate::models::SMALL;
use crate::random_network::{Network, Numbers, random_network};

fn error(bytes: &[u8]) -> ModelError {
    DlshogiModel::read(bytes).expect_err("the model is refused")
}

/// Replaces the first occurrence of some bytes by as many others.
fn replaced(from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut bytes = random_network(SMALL);
    let starts = bytes.windows(from.len()).enumerate();
    let found: Vec<usize> = starts.filter(|(_, w)| *w == from).map(|(at, _)| at).collect();
    assert!(!found.is_empty());
    found.iter().for_each(|&at| bytes[at..at + to.len()].copy_from_slice(to));
    bytes
}

#[test]
fn files_of_other_formats_are_refused() {
    for bytes in [&b""[..], b"hello", b"\x89PNG\r\n\x1a\n", &[0xff; 100], &[0; 1_000]] {
        let error = error(bytes);
        assert!(matches!(error, ModelError::NotOnnx { .. }), "{error}");
    }
    let missing = DlshogiModel::open("no such file").unwrap_err();
    assert!(matches!(missing, ModelError::Io(_)), "{missing}");
}

#[test]
fn parts_of_a_file_are_refused_and_never_panic() {
    let bytes = random_network(SMALL);
    for length in (0..bytes.len()).step_by(4_999).chain(bytes.len() - 20..bytes.len() - 4) {
        let error = error(&bytes[..length]);
        assert!(matches!(error, ModelError::NotOnnx { .. }), "{length}: {error}");
    }
}

#[test]
fn changed_bytes_never_panic() {
    let mut random = komadai_core::SplitMix64::new(1);
    for numbers in [Numbers::Single, Numbers::Half] {
        let bytes = random_network(Network { numbers, ..SMALL });
        let mut refused = 0;
        for _ in 0..12 {
            let mut bytes = bytes.clone();
            // The structure of the file is what is not weights, of which there are long runs.
            let at = bytes.len() - 1 - random.below(1_200) as usize;
            bytes[at] ^= 1 << random.below(8);
            refused += usize::from(DlshogiModel::read(&bytes[..]).is_err());
        }
        assert!(refused > 2, "{refused}");
    }
}

#[test]
fn other_inputs_and_outputs_are_named() {
    let text = |bytes: &[u8]| error(bytes).to_string();
    assert_eq!(
        text(&replaced(b"input1", b"planes")),
        "the model has no input1; it has [\"planes\", \"input2\"]",
    );
    assert_eq!(
        text(&replaced(b"output_value", b"output_score")),
        "the model has no output_value; it has [\"output_policy\", \"output_score\"]",
    );
    // The input of 57 planes, declared with 59.
    let sizes = |planes| [10, 2, 8, planes, 10, 2, 8, 9, 10, 2, 8, 9];
    assert_eq!(
        text(&replaced(&sizes(57), &sizes(59))),
        "input2 is float32 [?, 59, 9, 9], expected float32 or float16 [N ≤ 4096, 57 or 119, 9, 9]",
    );
    // The same input with numbers of 64 bits, of which the declaration has no other byte.
    let declared = |numbers| [b"input2".as_slice(), &[18, 32, 10, 30, 8, numbers]].concat();
    let double = text(&replaced(&declared(1), &declared(11)));
    assert!(double.starts_with("input2 is double [?, 57, 9, 9], expected "), "{double}");
    // An operator that does not exist.
    let unknown = error(&replaced(b"Sigmoid", b"Sigmund"));
    assert!(matches!(unknown, ModelError::Unsupported { .. }), "{unknown}");
    assert!(unknown.to_string().contains("Sigmund"), "{unknown}");
    let wide = random_network(Network { batch: Some(1 << 40), ..SMALL });
    assert!(matches!(error(&wide), ModelError::Mismatch { tensor: "input1", .. }));
}

#[test]
fn endless_files_are_refused() {
    /// A reader that gives more than a model may have, without the memory for it.
    struct Failing(u64);
    impl Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(1).ok_or_else(|| io::Error::other("gone"))?;
            buffer.fill(0);
            Ok(buffer.len())
        }
    }
    let error = DlshogiModel::read(Failing(10)).unwrap_err();
    assert!(matches!(error, ModelError::Io(_)), "{error}");
}
