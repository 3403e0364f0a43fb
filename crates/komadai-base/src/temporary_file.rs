//! Files without a name, for data that memory shall not hold.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// Creates an empty file in a folder, for reading and writing. The system removes it when it is
/// closed, also when the process is killed.
///
/// # Examples
///
/// ```
/// use std::io::{Read, Seek, Write};
///
/// let mut file = komadai_base::temporary_file::temporary_file(std::env::temp_dir())?;
/// file.write_all(b"sorted")?;
/// file.rewind()?;
/// let mut text = String::new();
/// file.read_to_string(&mut text)?;
/// assert_eq!(text, "sorted");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// If the system refuses.
pub fn temporary_file(folder: impl AsRef<Path>) -> io::Result<File> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let mut options = OpenOptions::new();
    // A new file only: in a folder that all users share, somebody else's file of this name could be
    // a link.
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    #[cfg(windows)]
    {
        const FILE_FLAG_DELETE_ON_CLOSE: u32 = 0x0400_0000;
        use std::os::windows::fs::OpenOptionsExt as _;
        options.share_mode(0).custom_flags(FILE_FLAG_DELETE_ON_CLOSE);
    }
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!(".komadai.{}.{number}.tmp", std::process::id());
        let path = folder.as_ref().join(name);
        match options.open(&path) {
            // Left by a killed process of the same number, or made by somebody else: the next name
            // may be free.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(file) => {
                if cfg!(not(windows)) {
                    fs::remove_file(&path)?;
                }
                return Ok(file);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Seek as _, Write as _};

    use super::*;

    #[test]
    fn a_temporary_file_has_no_name_and_its_own_content() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = [(); 2].map(|()| temporary_file(folder.path()).unwrap());
        for (file, text) in files.iter_mut().zip([&b"a"[..], b"bc"]) {
            file.write_all(text).unwrap();
        }
        if cfg!(unix) {
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        }
        for (mut file, text) in files.into_iter().zip([&b"a"[..], b"bc"]) {
            let mut read = Vec::new();
            file.rewind().unwrap();
            file.read_to_end(&mut read).unwrap();
            assert_eq!(read, text);
        }
        assert!(temporary_file(folder.path().join("none")).is_err());
    }
}
