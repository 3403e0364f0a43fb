//! Files of linear evaluations.
//!
//! ```text
//! "KMDLIN"   6 bytes
//! version    u16, little-endian like all numbers
//! groups     u32: 1 P, 2 KP, 4 PP, 8 KSS, 16 V
//! count      u64
//! weights    count times i16: sixteenths of a centipawn, P first, then KP, PP, KSS and V
//! checksum   u32: CRC-32 of everything before
//! ```

use std::io::{self, Read, Write};

use super::error::LinearError;
use super::evaluator::LinearEvaluator;
use super::groups::FeatureGroups;

const NAME: &[u8; 6] = b"KMDLIN";
const VERSION: u16 = 1;
const HEAD: usize = 20;

impl LinearEvaluator {
    /// Writes the evaluation as a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the destination fails.
    pub fn write(&self, mut to: impl Write) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(HEAD + 2 * self.weights().len() + 4);
        bytes.extend(NAME);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(u32::from(self.groups().bits()).to_le_bytes());
        bytes.extend((self.weights().len() as u64).to_le_bytes());
        bytes.extend(self.weights().iter().flat_map(|weight| weight.to_le_bytes()));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        to.write_all(&bytes)
    }

    /// Reads a file.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_nnue::linear::{FeatureGroups, LinearEvaluator, LinearModel};
    ///
    /// let evaluator = LinearEvaluator::of(&LinearModel::new(FeatureGroups::P));
    /// let mut file = Vec::new();
    /// evaluator.write(&mut file)?;
    /// assert_eq!(LinearEvaluator::read(file.as_slice())?, evaluator);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the source fails, or is no such file of this version.
    pub fn read(mut from: impl Read) -> Result<Self, LinearError> {
        let mut bytes = Vec::with_capacity(HEAD);
        read_to(&mut from, &mut bytes, HEAD)?;
        let number = |bytes: &[u8]| {
            bytes.iter().rev().fold(0_u64, |number, byte| number << 8 | u64::from(*byte))
        };
        if !Self::is_file(&bytes) {
            let mut found = [0; 8];
            found.copy_from_slice(&bytes[..8]);
            return Err(LinearError::Magic { found });
        }
        let version = number(&bytes[6..8]) as u16;
        if version != VERSION {
            return Err(LinearError::Version { found: version, expected: VERSION });
        }
        let bits = number(&bytes[8..12]) as u32;
        let groups = u8::try_from(bits).ok().and_then(FeatureGroups::from_bits);
        let groups = groups.ok_or(LinearError::Groups { found: bits })?;
        let (found, expected) = (number(&bytes[12..HEAD]), groups.weights() as u64);
        if found != expected {
            return Err(LinearError::Length { found, expected });
        }
        // The length follows from the groups, so that no file can ask for more memory than the
        // largest one.
        let end = HEAD + 2 * groups.weights();
        read_to(&mut from, &mut bytes, end + 4)?;
        if from.read(&mut [0])? != 0 {
            return Err(LinearError::Trailing { at: bytes.len() as u64 });
        }
        let (content, checksum) = bytes.split_at(end);
        let (found, expected) = (crc32fast::hash(content), number(checksum) as u32);
        if found != expected {
            return Err(LinearError::Checksum { at: end as u64, found, expected });
        }
        let (weights, _) = content[HEAD..].as_chunks::<2>();
        let weights = weights.iter().map(|bytes| i16::from_le_bytes(*bytes)).collect();
        Ok(Self::from_parts(groups, weights))
    }

    /// Checks whether bytes are the start of such a file, of any version; six bytes decide.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_nnue::linear::LinearEvaluator;
    ///
    /// assert!(LinearEvaluator::is_file(b"KMDLIN"));
    /// assert!(!LinearEvaluator::is_file(b"KMD"));
    /// ```
    pub fn is_file(start: &[u8]) -> bool {
        start.starts_with(NAME)
    }
}

/// Reads until there are `length` bytes.
fn read_to(from: &mut impl Read, bytes: &mut Vec<u8>, length: usize) -> Result<(), LinearError> {
    from.take((length - bytes.len()) as u64).read_to_end(bytes)?;
    if bytes.len() < length {
        let (found, expected) = (bytes.len() as u64, length as u64);
        return Err(LinearError::Cut { found, expected });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::model::LinearModel;
    use super::*;

    fn file() -> Vec<u8> {
        let mut model = LinearModel::new(FeatureGroups::P);
        model.weights_mut().iter_mut().zip(-800..).for_each(|(weight, n)| *weight = n as f32);
        let mut bytes = Vec::new();
        LinearEvaluator::of(&model).write(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn bytes_are_those_of_the_format() {
        let bytes = file();
        assert_eq!(bytes.len(), 20 + 2 * 1_710 + 4);
        assert_eq!(bytes[..12], *b"KMDLIN\x01\x00\x01\x00\x00\x00");
        assert_eq!(bytes[20..22], (-12_800_i16).to_le_bytes());
    }

    #[test]
    fn damage_is_named() {
        let read = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = file();
            change(&mut bytes);
            LinearEvaluator::read(bytes.as_slice()).expect_err("it is damaged")
        };
        assert!(matches!(read(&|bytes| bytes[0] = 0), LinearError::Magic { .. }));
        assert!(matches!(read(&|bytes| bytes[6] = 2), LinearError::Version { found: 2, .. }));
        assert!(matches!(read(&|bytes| bytes[8] = 32), LinearError::Groups { found: 32 }));
        assert!(matches!(read(&|bytes| bytes[8] = 0), LinearError::Groups { found: 0 }));
        assert!(matches!(read(&|bytes| bytes[8] = 2), LinearError::Length { found: 1_710, .. }));
        assert!(matches!(read(&|bytes| bytes[100] ^= 1), LinearError::Checksum { .. }));
        assert!(matches!(read(&|bytes| bytes.push(0)), LinearError::Trailing { at: 3_444 }));
        for length in [0, 5, 19, 1_000, file().len() - 1] {
            let error = read(&|bytes| bytes.truncate(length));
            let whole = if length < 20 { 20 } else { 3_444 };
            let text = format!("byte {length}: found the end of the file, expected {whole} bytes");
            assert_eq!(error.to_string(), text);
        }
    }
}
