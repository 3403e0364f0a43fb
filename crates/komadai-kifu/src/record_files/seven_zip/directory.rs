//! The directory of a 7z archive.
//!
//! Every number in it is compared with what the file can have before memory is taken for it.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};

use super::folder::{Folder, Method, damaged, decoder};
use crate::record_files::error::RecordFileError;

/// The files of an archive, and where their bytes are.
#[derive(Debug)]
pub(super) struct Directory {
    pub(super) folders: Vec<Folder>,
    /// The files that have bytes, in the order of the folders.
    pub(super) entries: Vec<Entry>,
}

/// A file in an archive.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) folder: usize,
    /// The place of the first byte in the folder.
    pub(super) start: u64,
    pub(super) size: u64,
    pub(super) crc: Option<u32>,
}

/// Number of bytes before the compressed ones.
const HEAD: u64 = 32;
/// The largest directory, of about a million files.
const MOST_BYTES: u64 = 1 << 28;

mod id {
    pub(super) const END: u8 = 0;
    pub(super) const HEADER: u8 = 1;
    pub(super) const MAIN_STREAMS: u8 = 4;
    pub(super) const FILES: u8 = 5;
    pub(super) const PACK_INFO: u8 = 6;
    pub(super) const UNPACK_INFO: u8 = 7;
    pub(super) const SUBSTREAMS: u8 = 8;
    pub(super) const SIZES: u8 = 9;
    pub(super) const CRC: u8 = 10;
    pub(super) const FOLDERS: u8 = 11;
    pub(super) const UNPACK_SIZES: u8 = 12;
    pub(super) const NUMBERS: u8 = 13;
    pub(super) const EMPTY_STREAMS: u8 = 14;
    pub(super) const NAMES: u8 = 17;
    pub(super) const ENCODED_HEADER: u8 = 23;
}

type Result<T> = std::result::Result<T, RecordFileError>;

pub(super) fn read(file: &mut File) -> Result<Directory> {
    let length = file.metadata()?.len();
    let mut head = [0; HEAD as usize];
    if length < HEAD {
        return Err(damaged("it ends within its first 32 bytes"));
    }
    file.read_exact(&mut head)?;
    let mut fields = Bytes(&head[12..]);
    let (offset, size, crc) = (fields.long()?, fields.long()?, fields.int()?);
    let end = HEAD.checked_add(offset).and_then(|start| start.checked_add(size));
    if size == 0 || size > MOST_BYTES || end.is_none_or(|end| end > length) {
        return Err(damaged("its directory is not within the file"));
    }
    file.seek(SeekFrom::Start(HEAD + offset))?;
    let mut bytes = vec![0; size as usize];
    file.read_exact(&mut bytes)?;
    check_crc(&bytes, crc)?;
    // A compressed directory may hold another one; more than a few are made to confuse.
    for _ in 0..4 {
        let mut parts = Bytes(&bytes);
        match parts.byte()? {
            id::HEADER => return parse(parts, length),
            id::ENCODED_HEADER => {
                let streams = Streams::parse(&mut parts, length)?;
                let [folder] = streams.folders.as_slice() else {
                    return Err(damaged("its directory is not in one folder"));
                };
                if folder.size > MOST_BYTES {
                    return Err(damaged("its directory is too large"));
                }
                let mut source = file.try_clone()?;
                source.seek(SeekFrom::Start(folder.offset))?;
                let mut unpacked = Vec::new();
                decoder(source, folder)?.take(folder.size).read_to_end(&mut unpacked)?;
                if let Some(crc) = streams.crcs.first().copied().flatten() {
                    check_crc(&unpacked, crc)?;
                }
                bytes = unpacked;
            }
            _ => return Err(damaged("its directory begins in another way")),
        }
    }
    Err(damaged("its directory is compressed too often"))
}

fn check_crc(bytes: &[u8], expected: u32) -> Result<()> {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    if crc.sum() == expected {
        Ok(())
    } else {
        Err(damaged("the checksum of its directory is wrong"))
    }
}

/// Unread bytes of the directory.
#[derive(Clone, Copy)]
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: u64) -> Result<&'a [u8]> {
        let split = usize::try_from(count).ok().and_then(|count| self.0.split_at_checked(count));
        let (taken, rest) = split.ok_or_else(|| damaged("its directory is cut off"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8> {
        Ok(self.take(1)?[0])
    }

    fn int(&mut self) -> Result<u32> {
        let bytes = self.take(4)?.first_chunk().copied().unwrap_or_default();
        Ok(u32::from_le_bytes(bytes))
    }

    fn long(&mut self) -> Result<u64> {
        let bytes = self.take(8)?.first_chunk().copied().unwrap_or_default();
        Ok(u64::from_le_bytes(bytes))
    }

    /// Reads a number: the ones at the start of its first byte count the bytes that follow.
    fn number(&mut self) -> Result<u64> {
        let first = self.byte()?;
        let more = first.leading_ones();
        let mut value = 0;
        for at in 0..more {
            value |= u64::from(self.byte()?) << (8 * at);
        }
        let high = if more < 7 { u64::from(first) & ((1 << (7 - more)) - 1) } else { 0 };
        Ok(value | if more < 8 { high << (8 * more) } else { 0 })
    }

    /// Reads a number of things that have at least a bit or a byte each in the directory, or
    /// in another part of the file that is known to be as long.
    fn count(&mut self, most: usize) -> Result<usize> {
        let found = self.number()?;
        let count = usize::try_from(found).ok().filter(|&count| count <= most);
        count.ok_or_else(|| damaged("its directory counts more than it has"))
    }

    /// Reads a bit for each of `count` things.
    fn bits(&mut self, count: usize) -> Result<Vec<bool>> {
        let bytes = self.take(count.div_ceil(8) as u64)?;
        Ok((0..count).map(|at| bytes[at / 8] >> (7 - at % 8) & 1 == 1).collect())
    }

    /// Reads the checksums of `count` things, some of which may have none.
    fn checksums(&mut self, count: usize) -> Result<Vec<Option<u32>>> {
        let has = if self.byte()? == 0 { self.bits(count)? } else { vec![true; count] };
        has.into_iter().map(|has| if has { self.int().map(Some) } else { Ok(None) }).collect()
    }
}

/// The folders, and the files in each by size and checksum.
struct Streams {
    folders: Vec<Folder>,
    crcs: Vec<Option<u32>>,
    /// Size and checksum of the files of each folder.
    files: Vec<Vec<(u64, Option<u32>)>>,
}

impl Streams {
    fn parse(bytes: &mut Bytes<'_>, length: u64) -> Result<Self> {
        let (mut places, mut streams) = (Vec::new(), None);
        loop {
            match bytes.byte()? {
                id::END => break,
                id::PACK_INFO => places = pack_info(bytes, length)?,
                id::UNPACK_INFO => streams = Some(unpack_info(bytes, &places)?),
                id::SUBSTREAMS => {
                    let streams = streams.as_mut().ok_or_else(|| damaged("it has no folders"))?;
                    substreams(bytes, streams)?;
                }
                _ => return Err(damaged("its directory has an unknown part")),
            }
        }
        streams.ok_or_else(|| damaged("it has no folders"))
    }
}

/// Returns the places and lengths of the compressed bytes.
fn pack_info(bytes: &mut Bytes<'_>, length: u64) -> Result<Vec<(u64, u64)>> {
    let offset = bytes.number()?;
    let count = bytes.count(bytes.0.len())?;
    let mut places = Vec::new();
    loop {
        match bytes.byte()? {
            id::END => return Ok(places),
            id::SIZES => {
                let mut start = HEAD.saturating_add(offset);
                for _ in 0..count {
                    let size = bytes.number()?;
                    let end = start.checked_add(size).filter(|&end| end <= length);
                    places.push((start, size));
                    start = end.ok_or_else(|| damaged("an entry is not within the file"))?;
                }
            }
            id::CRC => {
                bytes.checksums(count)?;
            }
            _ => return Err(damaged("its directory has an unknown part")),
        }
    }
}

fn unpack_info(bytes: &mut Bytes<'_>, places: &[(u64, u64)]) -> Result<Streams> {
    if bytes.byte()? != id::FOLDERS {
        return Err(damaged("its directory has an unknown part"));
    }
    let count = bytes.count(places.len())?;
    if bytes.byte()? != 0 {
        return Err(damaged("parts of its directory are elsewhere"));
    }
    let mut folders = Vec::new();
    for &(offset, packed) in &places[..count] {
        let method = method(bytes)?;
        folders.push(Folder { offset, packed, size: 0, method });
    }
    let mut crcs = vec![None; count];
    loop {
        match bytes.byte()? {
            id::END => break,
            id::UNPACK_SIZES => {
                for folder in &mut folders {
                    folder.size = bytes.number()?;
                }
            }
            id::CRC => crcs = bytes.checksums(count)?,
            _ => return Err(damaged("its directory has an unknown part")),
        }
    }
    let file = |(folder, crc): (&Folder, &Option<u32>)| vec![(folder.size, *crc)];
    let files = folders.iter().zip(&crcs).map(file).collect();
    Ok(Streams { folders, crcs, files })
}

/// The method of encrypted entries and directories.
const ENCRYPTION: [u8; 4] = [6, 0xf1, 7, 1];

/// Reads the compression of a folder, which must be one step.
fn method(bytes: &mut Bytes<'_>) -> Result<Method> {
    let unknown = |found: String| RecordFileError::Compression { found };
    if bytes.number()? != 1 {
        // An archive with a password is the usual one of several steps. It has the method at the
        // start of the first of them.
        let is_encrypted = bytes.0.get(1..).is_some_and(|rest| rest.starts_with(&ENCRYPTION));
        let found = if is_encrypted { "encrypted" } else { "compressed in several steps" };
        return Err(unknown(found.to_owned()));
    }
    let flags = bytes.byte()?;
    let name = bytes.take(u64::from(flags & 15))?;
    if flags & 0x10 != 0 {
        return Err(unknown("compressed in several streams".to_owned()));
    }
    let properties = if flags & 0x20 == 0 {
        &[][..]
    } else {
        let length = bytes.number()?;
        bytes.take(length)?
    };
    match (name, properties) {
        ([0], _) => Ok(Method::Copy),
        ([3, 1, 1], &[properties, a, b, c, d]) => {
            Ok(Method::Lzma { properties, dictionary: u32::from_le_bytes([a, b, c, d]) })
        }
        ([0x21], &[bits]) if bits <= 40 => {
            let size = if bits == 40 {
                u64::from(u32::MAX)
            } else {
                (2 | u64::from(bits) & 1) << (bits / 2 + 11)
            };
            Ok(Method::Lzma2 { dictionary: size })
        }
        (name, _) if name == ENCRYPTION => Err(unknown("encrypted".to_owned())),
        _ => Err(unknown(format!("compressed by the method {name:02x?}"))),
    }
}

/// Reads the files of the folders. Each has a size in the directory, or a folder of its own.
fn substreams(bytes: &mut Bytes<'_>, streams: &mut Streams) -> Result<()> {
    let most = bytes.0.len();
    let mut counts = vec![1; streams.folders.len()];
    let mut part = bytes.byte()?;
    if part == id::NUMBERS {
        for count in &mut counts {
            *count = bytes.count(most)?;
        }
        part = bytes.byte()?;
    }
    if counts.iter().sum::<usize>() > most.saturating_add(counts.len()) {
        return Err(damaged("its directory counts more than it has"));
    }
    let mut sizes = Vec::new();
    for (folder, &count) in streams.folders.iter().zip(&counts) {
        let (mut own, mut left) = (Vec::new(), folder.size);
        for _ in 1..count {
            if part != id::SIZES {
                return Err(damaged("its entries have no sizes"));
            }
            let size = bytes.number()?;
            left = left
                .checked_sub(size)
                .ok_or_else(|| damaged("an entry is larger than its folder"))?;
            own.push(size);
        }
        // The last one has the rest.
        if count > 0 {
            own.push(left);
        }
        sizes.push(own);
    }
    if part == id::SIZES {
        part = bytes.byte()?;
    }
    // A folder of one file with a checksum has none here.
    let is_known = |at: usize| sizes[at].len() == 1 && streams.crcs[at].is_some();
    let missing = (0..sizes.len()).filter(|&at| !is_known(at)).map(|at| sizes[at].len()).sum();
    let mut crcs = vec![None; missing];
    loop {
        match part {
            id::END => break,
            id::CRC => crcs = bytes.checksums(missing)?,
            _ => return Err(damaged("its directory has an unknown part")),
        }
        part = bytes.byte()?;
    }
    let mut crcs = crcs.into_iter();
    let mut files = Vec::new();
    for (at, own) in sizes.iter().enumerate() {
        let crc = |_| if is_known(at) { streams.crcs[at] } else { crcs.next().flatten() };
        files.push(own.iter().copied().zip((0..own.len()).map(crc).collect::<Vec<_>>()).collect());
    }
    streams.files = files;
    Ok(())
}

/// Reads the folders and the names of the files.
fn parse(mut bytes: Bytes<'_>, length: u64) -> Result<Directory> {
    let (mut streams, mut names) = (None, Vec::new());
    loop {
        match bytes.byte()? {
            id::END => break,
            id::MAIN_STREAMS => streams = Some(Streams::parse(&mut bytes, length)?),
            id::FILES => names = file_names(&mut bytes)?,
            _ => return Err(damaged("its directory has an unknown part")),
        }
    }
    let Some(streams) = streams else {
        return Ok(Directory { folders: Vec::new(), entries: Vec::new() });
    };
    let mut entries = Vec::new();
    let mut names = names.into_iter();
    for (folder, files) in streams.files.into_iter().enumerate() {
        let mut start = 0_u64;
        for (size, crc) in files {
            let Some(name) = names.next() else {
                return Err(damaged("its directory has more entries than names"));
            };
            entries.push(Entry { name, folder, start, size, crc });
            start = start.saturating_add(size);
        }
    }
    Ok(Directory { folders: streams.folders, entries })
}

/// Returns the names of the files that have bytes. Folders and empty files have none.
fn file_names(bytes: &mut Bytes<'_>) -> Result<Vec<String>> {
    // A name has at least its end, two bytes.
    let count = bytes.count(bytes.0.len() / 2)?;
    let (mut names, mut is_empty) = (Vec::new(), vec![false; count]);
    loop {
        let part = bytes.byte()?;
        if part == id::END {
            break;
        }
        let size = bytes.number()?;
        let mut part_bytes = Bytes(bytes.take(size)?);
        match part {
            id::EMPTY_STREAMS => is_empty = part_bytes.bits(count)?,
            id::NAMES => {
                if part_bytes.byte()? != 0 {
                    return Err(damaged("parts of its directory are elsewhere"));
                }
                let units =
                    part_bytes.0.as_chunks::<2>().0.iter().map(|unit| u16::from_le_bytes(*unit));
                let units: Vec<u16> = units.collect();
                names = units.split(|&unit| unit == 0).map(String::from_utf16_lossy).collect();
            }
            _ => {}
        }
    }
    if names.len() < count {
        return Err(damaged("its directory has fewer names than entries"));
    }
    Ok(names
        .into_iter()
        .zip(is_empty)
        .filter(|(_, is_empty)| !is_empty)
        .map(|(name, _)| name)
        .collect())
}
