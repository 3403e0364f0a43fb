//! Pages with checksums.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::error::IndexError;
use super::layout::PAGE;

/// Passes bytes on and computes the checksum of each page.
pub(super) struct PageWriter<W> {
    out: W,
    hasher: crc32fast::Hasher,
    written: u64,
    checksums: Vec<u32>,
}

impl<W: Write> PageWriter<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, hasher: crc32fast::Hasher::new(), written: 0, checksums: Vec::new() }
    }

    /// Returns the number of bytes so far.
    pub(super) fn written(&self) -> u64 {
        self.written
    }

    pub(super) fn put(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let left = usize::try_from(PAGE - self.written % PAGE).unwrap_or(usize::MAX);
            let (part, rest) = bytes.split_at(left.min(bytes.len()));
            self.out.write_all(part)?;
            self.hasher.update(part);
            self.written += part.len() as u64;
            if self.written.is_multiple_of(PAGE) {
                self.end_page();
            }
            bytes = rest;
        }
        Ok(())
    }

    fn end_page(&mut self) {
        let hasher = std::mem::replace(&mut self.hasher, crc32fast::Hasher::new());
        self.checksums.push(hasher.finalize());
    }

    /// Writes the checksums. Returns the output and the checksum of the checksums.
    pub(super) fn finish(mut self) -> io::Result<(W, u32)> {
        if !self.written.is_multiple_of(PAGE) {
            self.end_page();
        }
        let mut hasher = crc32fast::Hasher::new();
        for checksum in &self.checksums {
            let bytes = checksum.to_le_bytes();
            hasher.update(&bytes);
            self.out.write_all(&bytes)?;
        }
        Ok((self.out, hasher.finalize()))
    }
}

/// The number of pages in memory.
const CACHED: usize = 16;

/// Reads bytes anywhere in the pages of a file, and compares each page with its checksum.
#[derive(Debug)]
pub(super) struct Pages {
    path: PathBuf,
    file: File,
    /// The length of all pages.
    length: u64,
    checksums: Vec<u32>,
    /// By the number of a page modulo the length: the number and its bytes.
    cache: Vec<Option<(u64, Vec<u8>)>>,
}

impl Pages {
    pub(super) fn new(path: &Path, file: File, length: u64, checksums: Vec<u32>) -> Self {
        let cache = vec![None; CACHED];
        Self { path: path.to_owned(), file, length, checksums, cache }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the checksums, by which two readers know that they read the same file.
    pub(super) fn checksums(&self) -> &[u32] {
        &self.checksums
    }

    /// Reads bytes from a place.
    pub(super) fn read(&mut self, at: u64, buffer: &mut [u8]) -> Result<(), IndexError> {
        let end = at.checked_add(buffer.len() as u64);
        if end.is_none_or(|end| end > self.length) {
            return Err(IndexError::damaged(&self.path, at, "a part ends after the pages"));
        }
        let (mut at, mut rest) = (at, buffer);
        while !rest.is_empty() {
            let page = self.page(at / PAGE)?;
            let inside = usize::try_from(at % PAGE).unwrap_or(usize::MAX);
            let part = &page[inside..];
            let length = part.len().min(rest.len());
            rest[..length].copy_from_slice(&part[..length]);
            rest = &mut rest[length..];
            at += length as u64;
        }
        Ok(())
    }

    /// Returns a page.
    fn page(&mut self, number: u64) -> Result<&[u8], IndexError> {
        let slot = (number % CACHED as u64) as usize;
        if self.cache[slot].as_ref().is_none_or(|(cached, _)| *cached != number) {
            let bytes = self.load(number)?;
            self.cache[slot] = Some((number, bytes));
        }
        Ok(self.cache[slot].as_ref().map_or(&[], |(_, bytes)| bytes))
    }

    fn load(&mut self, number: u64) -> Result<Vec<u8>, IndexError> {
        let at = number * PAGE;
        let length = usize::try_from(PAGE.min(self.length - at)).unwrap_or_default();
        let mut bytes = vec![0; length];
        let read =
            self.file.seek(SeekFrom::Start(at)).and_then(|_| self.file.read_exact(&mut bytes));
        read.map_err(IndexError::io(&self.path))?;
        let expected = usize::try_from(number).ok().and_then(|number| self.checksums.get(number));
        if expected != Some(&crc32fast::hash(&bytes)) {
            let reason = format!("the checksum of {length} bytes is another one");
            return Err(IndexError::damaged(&self.path, at, reason));
        }
        Ok(bytes)
    }
}
