//! The sizes of pictures.

/// The smallest width of a picture, in pixels.
pub(crate) const MIN_WIDTH: u32 = 32;

/// The largest width and height of a picture, in pixels: 16 Mi pixels take 48 MiB.
pub(crate) const MAX_SIDE: u32 = 4_096;
