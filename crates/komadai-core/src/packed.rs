//! Positions in 256 bits, and moves in the sixteen bits of training files.
//!
//! Two formats share one frame and are not interchangeable: [`PackedSfen`] of YaneuraOu (training
//! records `.psv`, PSV) and [`Hcp`] of Apery, cshogi and dlshogi (HCPE, HCPE3). Nothing in 32 bytes
//! tells which one they are, so the type does.
//!
//! The frame, least significant bit of the first byte first: side to move 1 bit (0 Black);
//! squares of Black's and White's king, 7 bits each, 81 for a king that is missing; a prefix code
//! for each other square in [`Square`] order; a code for each piece in Black's hand, in White's
//! hand and in the box of pieces that are not in play, each ordered P L N S G B R. A piece takes as
//! many bits more than an empty square on the board as it takes off the board, so that 38 pieces
//! and two kings always fill 256 bits.
//!
//! With one king missing, its square is coded as well and the stream has 257 bits. The field's
//! encoders drop the last one; so does this one, if the rest tells what it was, and refuses
//! otherwise.
//!
//! Sources: the layouts are facts of YaneuraOu's `source/extra/sfen_packer.cpp`
//! (<https://github.com/yaneurao/YaneuraOu>) and of cshogi (<https://github.com/TadaoYamaoka/cshogi>);
//! the bytes in the tests were made with cshogi 1.1.0.

mod apery_move;
mod bits;
mod codec;
mod codes;
mod contents;
mod error;

use core::fmt;

use self::codec::{HCP, PACKED_SFEN};
use self::contents::Contents;
pub use self::error::PackedError;
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

/// A position in 32 bytes as Apery, cshogi and dlshogi pack it (huffman coded position); the move
/// number is not kept.
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
            /// The packed position with these bytes, which are not looked at.
            #[must_use]
            pub const fn from_bytes(bytes: [u8; 32]) -> Self {
                Self(bytes)
            }

            /// The bytes.
            #[must_use]
            pub const fn as_bytes(&self) -> &[u8; 32] {
                &self.0
            }

            /// Packs a position; its move number is left out.
            ///
            /// # Errors
            ///
            /// If there are more pieces than the game has, no king or two of one side, or if one
            /// king is missing and the last bit, which then does not fit, is needed.
            pub fn from_setup(setup: &Setup) -> Result<Self, PackedError> {
                $codec.encode(&Contents::of_setup(setup)?).map(Self)
            }

            /// Packs a position: faster than by way of its setup.
            ///
            /// # Errors
            ///
            /// If one king is missing and the last bit, which then does not fit, is needed.
            pub fn of(position: &Position) -> Result<Self, PackedError> {
                $codec.encode(&Contents::of_position(position)).map(Self)
            }

            /// Packs a position as it is seen from the other side: the same as
            /// `of(&position.flipped())`, without turning it.
            ///
            /// # Errors
            ///
            /// As [`of`](Self::of).
            pub fn of_flipped(position: &Position) -> Result<Self, PackedError> {
                $codec.encode_flipped(&Contents::of_position(position)).map(Self)
            }

            /// Unpacks the position, as of move 1.
            ///
            /// # Errors
            ///
            /// If the bytes were not made by an encoder of this format. Whether the position is
            /// legal is not asked.
            pub fn to_setup(&self) -> Result<Setup, PackedError> {
                $codec.decode(&self.0)
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
