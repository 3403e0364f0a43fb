//! The weights of the first layer, in memory or in a mapped file.

use core::ops::Deref;

use crate::aligned::Aligned;
#[cfg(feature = "mmap")]
use crate::mapped::Mapped;

/// The weights of the first layer.
#[derive(Debug, Clone)]
pub(crate) enum Weights {
    Owned(Aligned<i16>),
    #[cfg(feature = "mmap")]
    Mapped(Mapped),
}

impl Deref for Weights {
    type Target = [i16];

    #[inline]
    fn deref(&self) -> &[i16] {
        match self {
            Self::Owned(weights) => weights,
            #[cfg(feature = "mmap")]
            Self::Mapped(weights) => weights,
        }
    }
}

impl From<Aligned<i16>> for Weights {
    fn from(weights: Aligned<i16>) -> Self {
        Self::Owned(weights)
    }
}
