//! Compressed blocks of numbers: LEB128, seven bits a byte.

use std::io::{self, BufRead, Write};

use crate::aligned::Aligned;
use crate::block_fault::BlockFault;
use crate::error::NetworkError;
use crate::source::Source;

/// The bytes before each block.
pub(crate) const MAGIC: &[u8; 17] = b"COMPRESSED_LEB128";

/// The most bytes of a number of 16 bits.
const MAX_BYTES: u64 = 3;

/// The bytes of a block whose numbers have not been read.
pub(crate) struct Block {
    /// The place of the stated length.
    len_at: u64,
    bytes: Vec<u8>,
}

impl Block {
    /// Reads the bytes of a block, if the file holds as many as it states.
    pub(crate) fn read<R: BufRead>(source: &mut Source<R>) -> Result<Self, NetworkError> {
        let (len_at, len) = read_start(source)?;
        Ok(Self { len_at, bytes: source.bytes(len as usize)? })
    }

    /// The place of the stated length.
    pub(crate) fn at(&self) -> u64 {
        self.len_at
    }

    /// Counts the numbers: each ends with a byte whose highest bit is clear.
    pub(crate) fn count(&self) -> usize {
        self.bytes.iter().filter(|byte| **byte < 0x80).count()
    }

    /// Returns the first `count` numbers, which must be all.
    pub(crate) fn numbers(&self, count: usize) -> Result<Aligned<i16>, NetworkError> {
        let first = self.len_at + 4;
        let mut numbers = Aligned::zeroed(count);
        let mut seen = 0;
        for number in numbers.iter_mut() {
            let (value, bytes) = number_of(&self.bytes[seen..])
                .map_err(|fault| NetworkError::Block { at: first + seen as u64, fault })?;
            *number = value;
            seen += bytes;
        }
        if seen < self.bytes.len() {
            let fault = BlockFault::Left { bytes: (self.bytes.len() - seen) as u64 };
            return Err(NetworkError::Block { at: first + seen as u64, fault });
        }
        Ok(numbers)
    }
}

/// Reads the start of a block: the place of the stated length, and the length.
fn read_start<R: BufRead>(source: &mut Source<R>) -> Result<(u64, u64), NetworkError> {
    let at = source.at();
    let magic = source.bytes(MAGIC.len())?;
    if magic != MAGIC {
        let found = String::from_utf8_lossy(&magic).into_owned();
        return Err(NetworkError::Block { at, fault: BlockFault::Start { found } });
    }
    Ok((source.at(), u64::from(source.number()?)))
}

/// Reads a block of `count` numbers.
///
/// The length of a block is stated before it. It must be that of the numbers, so that no byte is
/// read beyond, and a number that does not end is found at once.
pub(crate) fn read_block<R: BufRead>(
    source: &mut Source<R>,
    count: usize,
) -> Result<Aligned<i16>, NetworkError> {
    let (len_at, len) = read_start(source)?;
    let least = count as u64;
    let most = MAX_BYTES * count as u64;
    if !(least..=most).contains(&len) {
        return Err(NetworkError::Block {
            at: len_at,
            fault: BlockFault::Length { found: len, least, most },
        });
    }
    Block { len_at, bytes: source.bytes(len as usize)? }.numbers(count)
}

/// Returns the number at the start of some bytes, and how many of them it takes.
#[inline]
fn number_of(bytes: &[u8]) -> Result<(i16, usize), BlockFault> {
    let mut value = 0_i32;
    let mut shift = 0;
    for (at, byte) in bytes.iter().take(MAX_BYTES as usize).enumerate() {
        value |= i32::from(byte & 0x7F) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            // The last byte's highest bit of value is the sign.
            let unused = 32 - shift;
            let value = value << unused >> unused;
            let number = i16::try_from(value).map_err(|_| BlockFault::Range { found: value })?;
            return Ok((number, at + 1));
        }
    }
    Err(BlockFault::Unending)
}

/// Writes a block.
pub(crate) fn write_block(to: &mut impl Write, numbers: &[i16]) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(2 * numbers.len());
    for &number in numbers {
        let mut rest = number;
        loop {
            let low = (rest & 0x7F) as u8;
            rest >>= 7;
            // Nothing but the sign is left, and the bit before says the same.
            let is_last = rest == 0 && low & 0x40 == 0 || rest == -1 && low & 0x40 != 0;
            bytes.push(if is_last { low } else { low | 0x80 });
            if is_last {
                break;
            }
        }
    }
    let len = u32::try_from(bytes.len()).map_err(|_| io::ErrorKind::FileTooLarge)?;
    to.write_all(MAGIC)?;
    to.write_all(&len.to_le_bytes())?;
    to.write_all(&bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(block: &[u8], count: usize) -> Result<Aligned<i16>, NetworkError> {
        read_block(&mut Source::new(block, block.len() as u64), count)
    }

    proptest! {
        #[test]
        fn blocks_lead_back(numbers in proptest::collection::vec(any::<i16>(), 0..50)) {
            let mut block = Vec::new();
            write_block(&mut block, &numbers).unwrap();
            prop_assert_eq!(&read(&block, numbers.len()).unwrap()[..], &numbers[..]);
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let mut block = MAGIC.to_vec();
            block.extend((bytes.len() as u32).to_le_bytes());
            block.extend(&bytes);
            for count in [0, 1, bytes.len() / 2, bytes.len()] {
                let _ = read(&block, count);
            }
        }
    }

    #[test]
    fn malformed_blocks_are_refused() {
        let block = |len: u32, bytes: &[u8]| {
            let mut block = MAGIC.to_vec();
            block.extend(len.to_le_bytes());
            block.extend(bytes);
            block
        };
        let fault = |block: &[u8], count| match read(block, count) {
            Err(NetworkError::Block { at, fault }) => (at, fault),
            other => panic!("{other:?}"),
        };
        let unending = fault(&block(4, &[1, 0x80, 0x80, 0x80]), 2);
        assert_eq!(unending, (22, BlockFault::Unending));
        assert_eq!(fault(&block(2, &[1, 0x80]), 2), (22, BlockFault::Unending));
        let range = fault(&block(3, &[0x80, 0x80, 0x02]), 1);
        assert_eq!(range, (21, BlockFault::Range { found: 32_768 }));
        assert_eq!(fault(&block(2, &[1, 2]), 1), (22, BlockFault::Left { bytes: 1 }));
        let length = BlockFault::Length { found: u32::MAX.into(), least: 2, most: 6 };
        assert_eq!(fault(&block(u32::MAX, &[1, 2]), 2), (17, length));
        assert!(matches!(fault(&[b'?'; 40], 1), (0, BlockFault::Start { .. })));
        let error = read(&block(4, &[1, 2]), 2).unwrap_err();
        assert!(matches!(error, NetworkError::Truncated { at: 23, expected: 2, .. }), "{error}");
    }
}
