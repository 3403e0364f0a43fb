//! The evaluations to which compact networks add.

use std::sync::LazyLock;

use crc32fast::Hasher;
use komadai_eval::Parameters;

/// The evaluation that a compact network corrects: its value and the network's output are added.
///
/// A network knows best what its base does not, so it is of no use beside another one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CompactBase {
    /// The material balance, [`Material`](komadai_eval::Material).
    #[default]
    Material,
    /// [`Classical`](komadai_eval::Classical) with the weights of this version of the crate.
    Classical,
}

impl CompactBase {
    /// The number of the base in a file.
    pub(crate) fn number(self) -> u32 {
        match self {
            Self::Material => 0,
            Self::Classical => *FINGERPRINT,
        }
    }

    /// Returns the base of a number in a file; `None` if no base of this version has it.
    pub(crate) fn of_number(number: u32) -> Option<Self> {
        [Self::Material, Self::Classical].into_iter().find(|base| base.number() == number)
    }
}

/// A number that changes with the weights of [`Classical`](komadai_eval::Classical); it is not 0.
static FINGERPRINT: LazyLock<u32> = LazyLock::new(|| {
    let mut hasher = Hasher::new();
    for weight in Parameters::default().weights() {
        hasher.update(&weight.early.to_le_bytes());
        hasher.update(&weight.late.to_le_bytes());
    }
    hasher.finalize().max(1)
});
