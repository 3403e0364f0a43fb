//! Samples: positions with a search score and the result of the game, and their file format.

use std::path::Path;

use anyhow::{Context as _, ensure};
use komadai::core::{PackedSfen, Position};
use komadai_base::file::read_regular;

/// A quiet position of a game.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample {
    pub(crate) position: PackedSfen,
    /// Score of the search: centipawns for the side to move.
    pub(crate) score: i16,
    /// 1 if the side to move won the game, 0 for a draw, −1 if it lost.
    pub(crate) result: i8,
}

/// Length of a sample in the file: position, score (little-endian), result.
const BYTES: usize = 32 + 2 + 1;

impl Sample {
    pub(crate) fn to_bytes(self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        bytes[..32].copy_from_slice(self.position.as_bytes());
        bytes[32..34].copy_from_slice(&self.score.to_le_bytes());
        bytes[34] = self.result.cast_unsigned();
        bytes
    }

    fn from_bytes(bytes: &[u8; BYTES]) -> Self {
        let [position @ .., low, high, result] = *bytes;
        Self {
            position: PackedSfen::from_bytes(position),
            score: i16::from_le_bytes([low, high]),
            result: result.cast_signed(),
        }
    }

    /// Unpacks the position.
    pub(crate) fn position(&self) -> anyhow::Result<Position> {
        Ok(Position::from_setup(&self.position.to_setup()?)?)
    }
}

/// Reads all samples of a file.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<Sample>> {
    let bytes = read_regular(path).with_context(|| format!("cannot read {}", path.display()))?;
    let (samples, rest) = bytes.as_chunks::<BYTES>();
    ensure!(
        rest.is_empty(),
        "{}: found {} bytes after the last sample, expected none",
        path.display(),
        rest.len()
    );
    Ok(samples.iter().map(Sample::from_bytes).collect())
}
