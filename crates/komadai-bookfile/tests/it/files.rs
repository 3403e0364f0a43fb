//! Files on disk, written completely or not at all.

use std::fs;
use std::io::{self, Write};

use komadai_bookfile::atomic_file::write_atomically;

fn names(folder: &std::path::Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_failed_write_leaves_the_old_file_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.db");
    write_atomically(&path, |out| out.write_all(b"old")).unwrap();
    let failed = write_atomically(&path, |out| {
        out.write_all(&[b'x'; 100_000])?;
        Err::<(), _>(io::Error::other("the disk is full"))
    });
    assert_eq!(failed.unwrap_err().to_string(), "the disk is full");
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(names(folder.path()), ["book.db"]);
    assert!(write_atomically(folder.path().join("none/book.db"), |_| Ok(())).is_err());
    assert!(write_atomically("/", |_| Ok(())).is_err());
}

/// A process that is ended in the middle of writing has not renamed its file.
#[test]
fn a_write_that_never_ends_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.db");
    write_atomically(&path, |out| out.write_all(b"old")).unwrap();
    let result = std::panic::catch_unwind(|| {
        write_atomically(&path, |out| -> io::Result<()> {
            out.write_all(b"new")?;
            panic!("the process ends here");
        })
    });
    assert!(result.is_err());
    assert_eq!(fs::read(&path).unwrap(), b"old");
}

#[cfg(unix)]
#[test]
fn links_and_permissions_outlive_a_replacement() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (real, link) = (folder.path().join("real"), folder.path().join("link"));
    fs::write(&real, "old").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
    symlink("real", &link).unwrap();
    write_atomically(&link, |out| write!(out, "new")).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&real).unwrap(), b"new");
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(names(folder.path()), ["link", "real"]);
}
