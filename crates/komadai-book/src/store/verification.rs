//! The check of a file before all of it is read.
//!
//! redb verifies the checksums of pages in its check of a database, not when it reads them, so a
//! changed bit would go into whatever is made of a book. The check needs a database that is open
//! for writing. For a store that is open for reading only, it runs on the file seen through an
//! [`Overlay`], which keeps its writes in memory: the file need not be writable, and does not
//! change.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use komadai_base::file::open_regular;
use redb::{Builder, ReadTransaction, ReadableDatabase as _, ReadableTable as _, StorageBackend};

use super::damage::report_damage;
use super::error::{StoreError, StoreFault};
use super::tables::NUMBERS;
use super::{Handle, Store};

/// The number of attempts while another process writes the file.
const ATTEMPTS: u32 = 3;

impl Store {
    /// Verifies the checksums of the whole file. Whatever reads all of a store for a result that
    /// outlives it, such as an export or a report, calls this first.
    ///
    /// Takes the time of reading the file once. Unlike [`check`](Self::check), it works on a store
    /// that is open for reading only, changes nothing there, and does not compare the view with the
    /// log.
    ///
    /// # Errors
    ///
    /// [`StoreError::Corrupt`] if the file is damaged, even if a check can repair it, or if it
    /// cannot be read.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_book::store::Store;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("book.kbook");
    /// Store::create(&path)?.verify()?;
    /// Store::open_to_read(&path)?.verify()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn verify(&mut self) -> Result<(), StoreError> {
        let path = &self.path;
        let handle = &mut self.handle;
        let verified = report_damage(|| match handle {
            Handle::Writing(database) => Ok(database.check_integrity()?),
            Handle::Reading(database) => {
                // While this transaction lives, a writer does not use the pages again that are read
                // here.
                let transaction = database.begin_read()?;
                (0..ATTEMPTS).try_fold(false, |is_sound, _| {
                    if is_sound { Ok(true) } else { is_sound_on_disk(path, &transaction) }
                })
            }
        });
        if verified.map_err(|fault| fault.in_file(path))? {
            return Ok(());
        }
        let reason = "the checksum of a page is wrong; `book check` repairs what it can";
        Err(StoreError::Corrupt { path: path.clone(), reason: reason.to_owned() })
    }
}

/// Checks a file that `transaction` reads.
fn is_sound_on_disk(path: &Path, transaction: &ReadTransaction) -> Result<bool, StoreFault> {
    let is_repaired = Arc::new(AtomicBool::new(false));
    let mut builder = Builder::new();
    let noted = Arc::clone(&is_repaired);
    builder.set_repair_callback(move |_| noted.store(true, Ordering::Relaxed));
    // A damaged page may be met before the check.
    let checked = report_damage(|| {
        let mut database = builder.create_with_backend(Overlay::open(path)?)?;
        let is_sound = database.check_integrity()?;
        // Where another process has the file open, a repair may have gone back to the state before
        // the last change without telling.
        let is_newest = !is_repaired.load(Ordering::Relaxed)
            || is_as_new(&database.begin_read()?, transaction)?;
        Ok(is_sound && is_newest)
    });
    match checked {
        Err(StoreFault(StoreError::Corrupt { .. } | StoreError::CorruptRow { .. })) => Ok(false),
        checked => checked,
    }
}

/// Returns whether no counter of a state is lower than in another one.
fn is_as_new(state: &ReadTransaction, other: &ReadTransaction) -> Result<bool, StoreFault> {
    let numbers = state.open_table(NUMBERS)?;
    for row in other.open_table(NUMBERS)?.iter()? {
        let (name, number) = row?;
        if numbers.get(name.value())?.is_none_or(|own| own.value() < number.value()) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A file whose changes are kept in memory.
#[derive(Debug)]
struct Overlay(Mutex<OverlaidFile>);

#[derive(Debug)]
struct OverlaidFile {
    file: File,
    /// The length of the file when it was opened, as far as it has not been cut off.
    file_len: u64,
    len: u64,
    /// The pages that have been written, by number.
    written: BTreeMap<u64, Box<[u8; PAGE]>>,
}

const PAGE: usize = 4096;

impl Overlay {
    fn open(path: &Path) -> io::Result<Self> {
        let file = open_regular(path)?;
        let len = file.metadata()?.len();
        let written = BTreeMap::new();
        Ok(Self(Mutex::new(OverlaidFile { file, file_len: len, len, written })))
    }

    fn file(&self) -> MutexGuard<'_, OverlaidFile> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OverlaidFile {
    /// Reads bytes of the file; those behind its end are 0.
    fn read_file(&mut self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        out.fill(0);
        let there = self.file_len.saturating_sub(offset).min(out.len() as u64) as usize;
        if there > 0 {
            self.file.seek(SeekFrom::Start(offset))?;
            self.file.read_exact(&mut out[..there])?;
        }
        Ok(())
    }

    /// The parts of a range of bytes, one in each page: the number of the page, the place in it,
    /// the range.
    fn parts(
        offset: u64,
        len: usize,
    ) -> impl Iterator<Item = (u64, usize, std::ops::Range<usize>)> {
        let mut done = 0;
        std::iter::from_fn(move || {
            let at = offset + done as u64;
            let within = (at % PAGE as u64) as usize;
            let end = len.min(done + PAGE - within);
            let part = (at / PAGE as u64, within, done..end);
            (done < len).then(|| {
                done = end;
                part
            })
        })
    }

    fn check_range(&self, offset: u64, len: usize) -> io::Result<()> {
        match offset.checked_add(len as u64) {
            Some(end) if end <= self.len => Ok(()),
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

impl StorageBackend for Overlay {
    fn len(&self) -> io::Result<u64> {
        Ok(self.file().len)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let mut file = self.file();
        file.check_range(offset, out.len())?;
        file.read_file(offset, out)?;
        for (page, within, range) in OverlaidFile::parts(offset, out.len()) {
            if let Some(written) = file.written.get(&page) {
                let len = range.len();
                out[range].copy_from_slice(&written[within..within + len]);
            }
        }
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let mut file = self.file();
        if len < file.len {
            file.file_len = file.file_len.min(len);
            let keep = len.div_ceil(PAGE as u64);
            file.written.retain(|&page, _| page < keep);
            if let Some(last) = file.written.get_mut(&(len / PAGE as u64)) {
                last[(len % PAGE as u64) as usize..].fill(0);
            }
        }
        file.len = len;
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut file = self.file();
        file.check_range(offset, data.len())?;
        for (page, within, range) in OverlaidFile::parts(offset, data.len()) {
            let mut bytes = match file.written.remove(&page) {
                Some(bytes) => bytes,
                None => {
                    let mut bytes = Box::new([0; PAGE]);
                    file.read_file(page * PAGE as u64, &mut bytes[..])?;
                    bytes
                }
            };
            let len = range.len();
            bytes[within..within + len].copy_from_slice(&data[range]);
            file.written.insert(page, bytes);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use komadai_core::SplitMix64;

    use super::*;

    #[test]
    fn an_overlay_behaves_as_a_file_and_leaves_the_file_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let mut random = SplitMix64::new(1);
        let content: Vec<u8> = (0..30_000).map(|_| random.next_u64() as u8).collect();
        fs::write(&path, &content).unwrap();
        let (overlay, mut expected) = (Overlay::open(&path).unwrap(), content.clone());
        for _ in 0..2_000 {
            let at = random.below(expected.len() as u64) as usize;
            let len = random.below((expected.len() - at).min(10_000) as u64 + 1) as usize;
            match random.below(8) {
                0 => {
                    let len = random.below(40_000) as usize + 1;
                    expected.resize(len, 0);
                    overlay.set_len(len as u64).unwrap();
                }
                1..4 => {
                    let data: Vec<u8> = (0..len).map(|_| random.next_u64() as u8).collect();
                    expected[at..at + len].copy_from_slice(&data);
                    overlay.write(at as u64, &data).unwrap();
                }
                _ => {
                    let mut read = vec![1; len];
                    overlay.read(at as u64, &mut read).unwrap();
                    assert_eq!(read, expected[at..at + len]);
                }
            }
            assert_eq!(overlay.len().unwrap(), expected.len() as u64);
        }
        assert!(overlay.read(expected.len() as u64, &mut [0]).is_err());
        assert!(overlay.read(u64::MAX, &mut [0]).is_err());
        assert!(overlay.write(expected.len() as u64 - 1, &[0, 0]).is_err());
        assert_eq!(fs::read(&path).unwrap(), content);
    }
}
