//! The numbers by which formats are told apart.

/// The number that classical and stacked files start with.
pub(super) const VERSION: u32 = 0x7AF3_2F16;

/// The number that LayerStack files start with.
pub(super) const LAYER_STACKS: u32 = 0x7AF3_2F21;

/// The number that older LayerStack files start with, which do not state that they have nine stacks.
pub(super) const LAYER_STACKS_OF_NINE: u32 = 0x7AF3_2F20;

/// The first four bytes of compact files, `koma`.
pub(super) const COMPACT: u32 = u32::from_le_bytes(*b"koma");
