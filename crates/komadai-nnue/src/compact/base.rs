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
    /// [`Classical`](komadai_eval::Classical) with the fitted weights of this version of the crate.
    /// Its [patches](komadai_eval::Patch) apply after the network has been read, so that setting a
    /// weight by hand invalidates no network.
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

/// The number of the [fitted](Parameters::fitted) weights, without patches: those beside which
/// networks were trained.
static FINGERPRINT: LazyLock<u32> = LazyLock::new(|| fingerprint(&Parameters::fitted()));

/// Returns a number that changes with the weights; it is not 0.
fn fingerprint(parameters: &Parameters) -> u32 {
    let mut hasher = Hasher::new();
    for weight in parameters.weights() {
        hasher.update(&weight.early.to_le_bytes());
        hasher.update(&weight.late.to_le_bytes());
    }
    hasher.finalize().max(1)
}

#[cfg(test)]
mod tests {
    use komadai_eval::Patch;

    use super::*;

    /// A patch of the right to move.
    const PATCH: &str = "tempo[0]\t4000:4000\ta test\t4k4/9/9/9/9/9/9/9/4K4 b - 1\t\
                         4k4/9/9/9/9/9/9/9/4K4 b - 1";

    #[test]
    fn the_number_of_a_base_does_not_know_patches() {
        let mut patched = Parameters::fitted();
        patched.apply(&PATCH.parse::<Patch>().unwrap());
        assert_eq!(CompactBase::Classical.number(), fingerprint(&Parameters::fitted()));
        assert_ne!(CompactBase::Classical.number(), fingerprint(&patched));
    }
}
