//! Positions in 256 bits, and moves in the sixteen bits of training files.
//!
//! Two formats share one frame and are not interchangeable: [`PackedSfen`] of YaneuraOu (training
//! records `.psv`, PSV) and [`Hcp`] of Apery, cshogi and dlshogi (HCPE, HCPE3). The 32 bytes do not
//! identify their format, so each format has its own type.
//!
//! The frame, least significant bit of the first byte first: side to move 1 bit (0 Black);
//! squares of Black's and White's king, 7 bits each, 81 for a missing king; a prefix code
//! for each other square in [`Square`](crate::Square) order; a code for each piece in Black's hand,
//! in White's hand and in the box of pieces that are not in play, each ordered P L N S G B R. An
//! empty square takes one bit, and the code of a piece is one bit longer on the board than off the
//! board, so that 38 pieces and two kings always fill 256 bits.
//!
//! With one king missing, the square on which it would stand is coded as well, and the stream has
//! 257 bits. Other encoders drop the last bit. This encoder drops it if the other bits determine
//! it, and returns an error otherwise.
//!
//! Sources: the layouts are facts of YaneuraOu's `source/extra/sfen_packer.cpp`
//! (<https://github.com/yaneurao/YaneuraOu>) and of cshogi
//! (<https://github.com/TadaoYamaoka/cshogi>); the bytes in the tests were made with cshogi 1.1.0.

mod bits;
mod codec;
mod codes;
mod contents;
mod error;

use core::fmt;

use self::codec::{HCP, MISSING_KING, PACKED_SFEN};
use self::contents::Contents;
pub use self::error::PackedError;
use crate::color::Color;
use crate::position::Position;
use crate::setup::Setup;

/// A position in 32 bytes in the format of YaneuraOu, without the move number.
///
/// # Examples
///
/// ```
/// use komadai_core::{PackedSfen, Setup};
///
/// let packed = PackedSfen::from_setup(&Setup::hirate())?;
/// assert_eq!(packed.as_bytes()[..4], [0x58, 0xa4, 0x51, 0x22]);
/// assert_eq!(packed.to_setup()?, Setup::hirate());
/// # Ok::<(), komadai_core::PackedError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct PackedSfen([u8; 32]);

/// A position in 32 bytes in the format of Apery, cshogi and dlshogi (huffman coded position),
/// without the move number.
///
/// # Examples
///
/// ```
/// use komadai_core::{Hcp, Setup};
///
/// let packed = Hcp::from_setup(&Setup::hirate())?;
/// assert_eq!(packed.as_bytes()[..4], [0x58, 0xa4, 0x49, 0x21]);
/// assert_eq!(packed.to_setup()?, Setup::hirate());
/// # Ok::<(), komadai_core::PackedError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Hcp([u8; 32]);

macro_rules! packed_position {
    ($type:ident, $codec:ident) => {
        impl $type {
            /// Wraps these bytes without validating them.
            pub const fn from_bytes(bytes: [u8; 32]) -> Self {
                Self(bytes)
            }

            /// The bytes.
            pub const fn as_bytes(&self) -> &[u8; 32] {
                &self.0
            }

            /// Packs a setup; the move number is omitted.
            ///
            /// # Errors
            ///
            /// Returns an error if there are more pieces than the game has, if there is no king, if
            /// one side has two, or if one king is missing and the last bit, which does not fit, is
            /// needed.
            pub fn from_setup(setup: &Setup) -> Result<Self, PackedError> {
                $codec.encode(&Contents::of_setup(setup)?).map(Self)
            }

            /// Packs a position; faster than packing its setup.
            ///
            /// # Errors
            ///
            /// Returns an error if one king is missing and the last bit, which does not fit, is
            /// needed.
            pub fn of(position: &Position) -> Result<Self, PackedError> {
                $codec.encode(&Contents::of_position(position)).map(Self)
            }

            /// Packs the position seen from the other side: equal to `of(&position.flipped())`, but
            /// without building the flipped position.
            ///
            /// # Errors
            ///
            /// The same as of [`of`](Self::of).
            pub fn of_flipped(position: &Position) -> Result<Self, PackedError> {
                $codec.encode_flipped(&Contents::of_position(position)).map(Self)
            }

            /// Unpacks the position, with the move number 1.
            ///
            /// # Errors
            ///
            /// Returns an error if the bytes were not made by an encoder of this format. The
            /// legality of the position is not checked.
            pub fn to_setup(&self) -> Result<Setup, PackedError> {
                $codec.decode(&self.0)
            }

            /// Unpacks and validates the position, with the move number 1.
            ///
            /// # Errors
            ///
            /// Returns an error if the bytes were not made by an encoder of this format, or if the
            /// setup in them breaks a rule.
            pub fn position(&self) -> Result<Position, PackedError> {
                self.position_at(1)
            }

            /// Unpacks and validates the position, with the number of the next move, which the
            /// bytes do not contain. A number out of range is clamped.
            ///
            /// # Errors
            ///
            /// The same as of [`position`](Self::position).
            pub fn position_at(&self, ply: u32) -> Result<Position, PackedError> {
                $codec.decode_position(&self.0, ply)
            }

            /// The side to move, read from its bit without unpacking.
            pub const fn side(&self) -> Color {
                Color::ALL[self.0[0] as usize & 1]
            }

            /// Returns whether both sides have a king, read from the squares of the kings without
            /// unpacking.
            pub const fn has_both_kings(&self) -> bool {
                let squares = u16::from_le_bytes([self.0[0], self.0[1]]) >> 1;
                squares & 0x7f != MISSING_KING as u16 && squares >> 7 & 0x7f != MISSING_KING as u16
            }
        }

        /// The bytes in hexadecimal.
        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($type), "("))?;
                self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
                f.write_str(")")
            }
        }
    };
}

packed_position!(PackedSfen, PACKED_SFEN);
packed_position!(Hcp, HCP);
