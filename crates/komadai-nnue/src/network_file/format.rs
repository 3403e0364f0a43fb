//! The numbers by which formats are told apart.

/// The number that classical and stacked files start with.
pub(super) const VERSION: u32 = 0x7AF3_2F16;

/// The first four bytes of compact files, `koma`.
pub(super) const COMPACT: u32 = u32::from_le_bytes(*b"koma");
