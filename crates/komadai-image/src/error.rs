//! Errors of pictures.

use std::io;

use crate::size_limits::{MAX_SIDE, MIN_WIDTH};

/// A picture that cannot be drawn or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImageError {
    /// The text is no SVG picture.
    #[error("found no SVG picture: {reason}")]
    BadSvg {
        /// The reason in words.
        reason: String,
    },
    /// The picture would be too small or too large.
    #[error(
        "found a picture of {width} × {height} pixels, expected a width of at least {MIN_WIDTH} and sides of at most {MAX_SIDE}"
    )]
    BadSize {
        /// The width.
        width: u32,
        /// The height.
        height: u32,
    },
    /// The texts of the picture have characters without an outline.
    #[error("found no outline for {characters:?}; a font with these characters is needed")]
    NoOutline {
        /// The characters, each once.
        characters: String,
    },
    /// The bytes are no font.
    #[error("found no TrueType or OpenType font: {reason}")]
    BadFont {
        /// The reason in words.
        reason: String,
    },
    /// A picture of an animation has another size than the first.
    #[error("found a picture of {found:?} pixels in an animation, expected {expected:?}")]
    OtherSize {
        /// The size of the picture.
        found: (u32, u32),
        /// The size of the animation.
        expected: (u32, u32),
    },
    /// An animation has fewer or more pictures than it was made for.
    #[error("found {found} pictures in an animation, expected {expected}")]
    OtherCount {
        /// The number of pictures.
        found: u32,
        /// The number that was announced.
        expected: u32,
    },
    /// The file cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}
