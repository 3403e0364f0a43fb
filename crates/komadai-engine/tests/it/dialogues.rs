//! Random dialogues: the engine neither panics nor hangs, and answers every `go` exactly once.
//!
//! The fuzz target `usi_dialogue` runs many more.

use proptest::prelude::*;

use crate::dialogue::converse;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_go_has_one_answer(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        converse(&bytes);
    }
}

#[test]
fn silence_is_no_dialogue() {
    converse(&[]);
}
