//! A hasher for keys of positions, which are hashes already.

use std::hash::{BuildHasherDefault, Hasher};

/// Builds the hasher of tables whose keys are written by [`Hasher::write_u64`].
pub(crate) type BuildKeyHasher = BuildHasherDefault<KeyHasher>;

/// Passes on one number. Hashing it once more would take most of the time of a look-up.
#[derive(Debug, Default)]
pub(crate) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    // No key of these tables is written in bytes; the trait asks for this function.
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
