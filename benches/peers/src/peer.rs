//! The interface of a shogi library in the comparison.

use std::fmt;

/// A position of one library, wrapped for timing.
///
/// Every method uses the fastest public interface that the library has for the task, and counts
/// the complete legal move set: all non-promotions, no pawn drop that mates.
pub trait Peer: Sized {
    /// The error for a position that is not accepted.
    type Error: fmt::Display;

    /// Reads a position.
    ///
    /// # Errors
    ///
    /// If the library rejects the text.
    fn from_sfen(sfen: &str) -> Result<Self, Self::Error>;

    /// Counts the leaves `depth` plies ahead; the last ply is generated, not made. `depth` ≥ 1.
    fn bulk(&mut self, depth: u32) -> u64;

    /// Counts the leaves `depth` plies ahead and makes each of them. `depth` ≥ 1.
    fn full(&mut self, depth: u32) -> u64;

    /// Writes all legal moves to a list and returns their number.
    ///
    /// The list must pass through [`std::hint::black_box`]; otherwise the compiler may remove the
    /// writes.
    fn generate(&mut self) -> u64;

    /// Makes and unmakes every legal move once and returns their number.
    fn do_undo(&mut self) -> u64 {
        self.full(1)
    }
}
