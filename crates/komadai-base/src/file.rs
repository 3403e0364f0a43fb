//! Opening of files that somebody else named, and names beside them.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, BufRead as _, BufReader, Read as _, Write};
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};

use crate::text::MARK;

/// Opens a regular file for reading.
///
/// A pipe is refused because opening it waits for a writer, a device because some devices have no
/// end, a folder because it has no content. Programs that accept standard input do so by a name of
/// their own, such as `-`.
///
/// # Errors
///
/// If the file cannot be opened or, as [`io::ErrorKind::InvalidInput`], is no regular file.
pub fn open_regular(path: impl AsRef<Path>) -> io::Result<File> {
    let path = path.as_ref();
    // The test comes before the opening, because opening a pipe may wait for ever.
    check_regular(&fs::metadata(path)?)?;
    File::open(path)
}

/// Opens a regular file with these options, which may create it.
///
/// # Errors
///
/// As [`open_regular`]. A file that does not exist is an error unless the options create it.
pub fn open_regular_with(options: &OpenOptions, path: impl AsRef<Path>) -> io::Result<File> {
    let path = path.as_ref();
    match fs::metadata(path) {
        Ok(found) => check_regular(&found)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    options.open(path)
}

/// A file that this process alone writes, until it is dropped. See [`open_locked`].
#[derive(Debug)]
pub struct LockedFile(File);

impl Drop for LockedFile {
    fn drop(&mut self) {
        // Not left to the closing, because a program that another thread starts at this moment
        // holds a copy of the open file until it runs.
        let _ = self.0.unlock();
    }
}

impl Deref for LockedFile {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl DerefMut for LockedFile {
    fn deref_mut(&mut self) -> &mut File {
        &mut self.0
    }
}

impl Write for LockedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Opens a regular file that this process alone shall write. The options may create it.
///
/// Some network file systems have no locks; two writers are the user's risk there.
///
/// # Errors
///
/// As [`open_regular_with`]. If the file is locked already, [`io::ErrorKind::WouldBlock`] with the
/// text "in use by another {user}".
pub fn open_locked(
    options: &OpenOptions,
    path: impl AsRef<Path>,
    user: &str,
) -> io::Result<LockedFile> {
    let file = open_regular_with(options, path)?;
    match file.try_lock() {
        Ok(()) => Ok(LockedFile(file)),
        Err(TryLockError::WouldBlock) => {
            let message = format!("in use by another {user}");
            Err(io::Error::new(io::ErrorKind::WouldBlock, message))
        }
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
            Ok(LockedFile(file))
        }
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn check_regular(found: &Metadata) -> io::Result<()> {
    if found.is_file() {
        return Ok(());
    }
    let message = format!("expected a regular file, found {}", kind_of(found));
    Err(io::Error::new(io::ErrorKind::InvalidInput, message))
}

/// The name of what is no regular file.
fn kind_of(found: &Metadata) -> &'static str {
    if found.is_dir() {
        return "a folder";
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        let kind = found.file_type();
        if kind.is_fifo() {
            return "a pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
    }
    "something else"
}

/// Reads a regular file of at most `limit` bytes.
///
/// # Errors
///
/// If the file cannot be read or, as [`io::ErrorKind::InvalidInput`], is no regular file or is
/// longer.
pub fn read_bounded(path: impl AsRef<Path>, limit: u64) -> io::Result<Vec<u8>> {
    let file = open_regular(path)?;
    let too_long = || {
        let message = format!("expected a file of at most {limit} bytes");
        io::Error::new(io::ErrorKind::InvalidInput, message)
    };
    let stated = file.metadata()?.len();
    if stated > limit {
        return Err(too_long());
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(usize::try_from(stated).unwrap_or(usize::MAX))?;
    // Files of some file systems, such as those below `/proc`, state a wrong length; therefore the
    // bytes are counted, too.
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_long()) } else { Ok(bytes) }
}

/// Reads a regular file of any length that memory can hold.
///
/// # Errors
///
/// If the file cannot be read, does not fit in memory or, as [`io::ErrorKind::InvalidInput`], is no
/// regular file.
pub fn read_regular(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    read_bounded(path, u64::MAX)
}

/// Reads a regular file of at most `limit` bytes, which is UTF-8. A byte order mark at its start is
/// left out.
///
/// # Errors
///
/// As [`read_bounded`]; and, as [`io::ErrorKind::InvalidData`], if the file is not UTF-8.
pub fn read_text(path: impl AsRef<Path>, limit: u64) -> io::Result<String> {
    let mut text = String::from_utf8(read_bounded(path, limit)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let message = format!("expected UTF-8, found other bytes at byte {at}");
        io::Error::new(io::ErrorKind::InvalidData, message)
    })?;
    if text.starts_with(MARK) {
        text.drain(..MARK.len_utf8());
    }
    Ok(text)
}

/// Reads the first line of a regular file, without its line end and a byte order mark; the rest of
/// the file does not matter.
///
/// # Errors
///
/// If the file cannot be read or, as [`io::ErrorKind::InvalidInput`], is no regular file; as
/// [`io::ErrorKind::InvalidData`], if the line is longer than `limit` bytes or no UTF-8.
pub fn first_line(path: impl AsRef<Path>, limit: u64) -> io::Result<String> {
    let mut line = Vec::new();
    // One more byte is the line end, another one that of Windows.
    let file = open_regular(path)?.take(limit.saturating_add(2));
    BufReader::new(file).read_until(b'\n', &mut line)?;
    let line = line.strip_suffix(b"\n").unwrap_or(&line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.len() as u64 > limit {
        let message = format!("expected a first line of at most {limit} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    let line = std::str::from_utf8(line).map_err(|_| {
        io::Error::new(io::ErrorKind::InvalidData, "expected a first line in UTF-8")
    })?;
    Ok(line.strip_prefix(MARK).unwrap_or(line).to_owned())
}

/// A path with an ending after its whole name; [`Path::with_extension`] would replace a part of it.
///
/// # Examples
///
/// ```
/// use std::path::Path;
///
/// use komadai_base::file::with_ending;
///
/// assert_eq!(with_ending(Path::new("out.psv"), ".json"), Path::new("out.psv.json"));
/// ```
pub fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Renames a file, if it exists, to the first free name of `NAME.old`, `NAME.old2` and so on.
/// Returns the new name.
///
/// # Errors
///
/// If the file cannot be renamed.
pub fn set_aside(path: &Path) -> io::Result<Option<PathBuf>> {
    if fs::symlink_metadata(path).is_err() {
        return Ok(None);
    }
    let mut aside = with_ending(path, ".old");
    let mut number = 1_u64;
    while fs::symlink_metadata(&aside).is_ok() {
        number += 1;
        aside = with_ending(path, &format!(".old{number}"));
    }
    fs::rename(path, &aside)?;
    sync_folder_of(&aside);
    Ok(Some(aside))
}

/// Makes the names in the folder of a file durable, where the system knows how.
///
/// On other systems a crash may bring back the state before, but never a part of a file. Therefore
/// there is no error.
pub(crate) fn sync_folder_of(path: &Path) {
    if let Some(folder) = path.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let _synced = File::open(folder).and_then(|folder| folder.sync_all());
        #[cfg(test)]
        _synced.map(|()| SYNCED.with_borrow_mut(|all| all.push(folder.to_owned()))).unwrap();
    }
}

#[cfg(test)]
thread_local! {
    static SYNCED: std::cell::RefCell<Vec<PathBuf>> = const { std::cell::RefCell::new(Vec::new()) };
}

/// The folders that this thread has synced since the last call.
#[cfg(test)]
pub(crate) fn synced_folders() -> Vec<PathBuf> {
    SYNCED.take()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    const MISSING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/missing");

    #[test]
    fn only_regular_files_of_the_stated_length_are_read() {
        let bytes = fs::read(MANIFEST).unwrap();
        assert_eq!(read_bounded(MANIFEST, bytes.len() as u64).unwrap(), bytes);
        assert_eq!(read_text(MANIFEST, bytes.len() as u64).unwrap().as_bytes(), bytes);
        for (path, limit, message) in [
            (MANIFEST, bytes.len() as u64 - 1, "expected a file of at most"),
            (MANIFEST, 0, "expected a file of at most 0 bytes"),
            (env!("CARGO_MANIFEST_DIR"), u64::MAX, "expected a regular file, found a folder"),
        ] {
            let error = read_bounded(path, limit).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{path}");
            assert!(error.to_string().starts_with(message), "{error}");
        }
        assert_eq!(open_regular(MISSING).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_a_text() {
        let path = std::env::temp_dir().join(format!("komadai_base_mark_{}", std::process::id()));
        for (written, read) in [
            ("\u{feff}a\n", "a\n"),
            ("\u{feff}", ""),
            ("a\u{feff}", "a\u{feff}"),
            ("", ""),
            ("あ", "あ"),
        ] {
            fs::write(&path, written).unwrap();
            assert_eq!(read_text(&path, 10).unwrap(), read, "{written:?}");
        }
        fs::write(&path, b"\xef\xbb").unwrap();
        assert_eq!(read_text(&path, 10).unwrap_err().kind(), io::ErrorKind::InvalidData);
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn options_do_not_open_what_is_no_file() {
        let mut options = OpenOptions::new();
        options.read(true);
        assert!(open_regular_with(&options, MANIFEST).is_ok());
        let missing = open_regular_with(&options, MISSING).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        let folder = open_regular_with(&options, env!("CARGO_MANIFEST_DIR")).unwrap_err();
        assert_eq!(folder.kind(), io::ErrorKind::InvalidInput);
    }

    #[test]
    fn one_at_a_time_locks_a_file() {
        let path = std::env::temp_dir().join(format!("komadai_base_lock_{}", std::process::id()));
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        let first = open_locked(&options, &path, "run").unwrap();
        // What a program that is being started holds.
        let copy = first.try_clone().unwrap();
        let error = open_locked(&options, &path, "run").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::WouldBlock);
        assert_eq!(error.to_string(), "in use by another run");
        drop(first);
        assert!(open_locked(&options, &path, "run").is_ok());
        drop(copy);
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn files_set_aside_get_free_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.kbook");
        assert_eq!(set_aside(&path).unwrap(), None);
        for name in ["book.kbook.old", "book.kbook.old2", "book.kbook.old3"] {
            fs::write(&path, name).unwrap();
            let aside = set_aside(&path).unwrap().unwrap();
            assert_eq!(aside, folder.path().join(name));
            assert_eq!(fs::read_to_string(aside).unwrap(), name);
            assert_eq!(synced_folders(), [folder.path()]);
        }
        assert!(!path.exists());
    }

    #[test]
    fn the_first_line_is_read_and_bounded() {
        let folder =
            std::env::temp_dir().join(format!("komadai-base-lines-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("lines");
        for (content, limit, line) in [
            (&b"secret\nmore\n"[..], 6, Ok("secret")),
            (b"secret", 6, Ok("secret")),
            (b"secret\r\nmore", 6, Ok("secret")),
            (b"", 6, Ok("")),
            (b"\xef\xbb\xbfsecret\n", 9, Ok("secret")),
            (b"\nsecret", 6, Ok("")),
            (b"secrets\n", 6, Err("expected a first line of at most 6 bytes")),
            (&[b'a'; 9_000], 1_024, Err("expected a first line of at most 1024 bytes")),
            (b"\xff\n", 6, Err("expected a first line in UTF-8")),
        ] {
            fs::write(&path, content).unwrap();
            let read = first_line(&path, limit).map_err(|error| error.to_string());
            assert_eq!(read.as_deref().map_err(String::as_str), line);
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_are_refused() {
        for device in ["/dev/zero", "/dev/null"] {
            let error = open_regular(device).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
            assert_eq!(error.to_string(), "expected a regular file, found a device");
            assert!(open_regular_with(OpenOptions::new().append(true), device).is_err());
            assert_eq!(first_line(device, 9).unwrap_err().kind(), io::ErrorKind::InvalidInput);
        }
    }

    #[cfg(unix)]
    #[test]
    fn pipes_are_refused_at_once() {
        let name = format!("komadai_base_pipe_{}", std::process::id());
        let pipe = std::env::temp_dir().join(name);
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let error = open_regular(&pipe).unwrap_err();
        let refused = open_regular_with(OpenOptions::new().append(true), &pipe).unwrap_err();
        fs::remove_file(&pipe).unwrap();
        assert_eq!(error.to_string(), "expected a regular file, found a pipe");
        assert_eq!(refused.to_string(), error.to_string());
    }
}
