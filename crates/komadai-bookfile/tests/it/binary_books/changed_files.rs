//! Books that other programs change while they are searched.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use komadai_base::atomic_file::write_atomically;
use komadai_bookfile::Tolerance;
use komadai_bookfile::{
    BookError, BookFormat, BookProbe, BookRecord, DbProbe, FileBytes, PlyMatch, WriteOptions,
    open_probe, write_book,
};
use komadai_core::Position;

use super::random_records::Random;

const FORMATS: [(&str, BookFormat); 3] =
    [("book.db", BookFormat::Db), ("book.ybb", BookFormat::Ybb), ("book.bin", BookFormat::Apery)];

/// Records of some games, and the bytes of a book with them that has several pages.
fn book(seed: u64, format: BookFormat) -> (Vec<BookRecord>, Vec<u8>) {
    let mut records: Vec<BookRecord> = Vec::new();
    for seed in seed..seed + 40 {
        for record in Random::new(seed).records() {
            let is_new = |other: &BookRecord| other.position.key() != record.position.key();
            if records.iter().all(is_new) {
                records.push(record);
            }
        }
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("book");
    let all = records.iter().cloned().map(Ok::<_, std::convert::Infallible>);
    write_book(&path, format, all, &WriteOptions::default()).expect("it can be written");
    let bytes = fs::read(path).expect("it can be read");
    assert!(bytes.len() > 3 << 12, "{} bytes", bytes.len());
    (records, bytes)
}

fn cut(path: &Path, len: usize) {
    let file = OpenOptions::new().write(true).open(path).expect("it is there");
    file.set_len(len as u64).expect("it can be cut");
}

fn search(book: &dyn BookProbe, position: &Position) -> Result<Option<usize>, BookError> {
    Ok(book.probe_same_orientation(position)?.map(|record| record.moves.len()))
}

#[test]
fn searches_follow_a_file_that_is_overwritten_or_cut_off() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, format) in FORMATS {
        let path = folder.path().join(name);
        let ((records, bytes), (other, other_bytes)) = (book(1, format), book(1000, format));
        fs::write(&path, &bytes).expect("it can be written");
        let book = open_probe(&path).expect("a book");
        let start = &records[0].position;
        assert!(search(&*book, start).expect("no fault").is_some(), "{name}");
        for len in [bytes.len() / 2, 4097, 100, 1, 0] {
            cut(&path, len);
            for record in &records {
                if let Err(error) = search(&*book, &record.position) {
                    assert!(error.to_string().len() < 300, "{error}");
                }
            }
        }
        fs::write(&path, &other_bytes).expect("it can be written");
        for record in &other {
            let found = search(&*book, &record.position).expect("no fault");
            assert!(found.is_some(), "{name} has its new content");
        }
        fs::remove_file(&path).expect("it can be removed");
    }
}

#[test]
fn searches_continue_in_a_file_that_is_replaced_by_renaming() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, format) in FORMATS {
        let path = folder.path().join(name);
        let (records, bytes) = book(1, format);
        fs::write(&path, &bytes).expect("it can be written");
        let book = open_probe(&path).expect("a book");
        write_atomically(&path, |out| out.write_all(b"other")).expect("it can be written");
        for record in &records {
            assert!(search(&*book, &record.position).expect("no fault").is_some(), "{name}");
        }
    }
}

#[test]
fn a_search_in_changed_bytes_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("book.db");
    let (records, bytes) = book(1, BookFormat::Db);
    fs::write(&path, &bytes).expect("it can be written");
    let file = FileBytes::open(&path).expect("a file");
    let book = DbProbe::new(file, PlyMatch::Compared, Tolerance::Strict).expect("a book");
    let position = &records[0].position;
    assert!(search(&book, position).expect("no fault").is_some());
    // Longer, shorter and as long as before, but later.
    fs::write(&path, [bytes.as_slice(), b"\n"].concat()).expect("it can be written");
    assert!(matches!(search(&book, position), Err(BookError::Changed)));
    cut(&path, bytes.len() / 2);
    assert!(matches!(search(&book, position), Err(BookError::Changed)));
    fs::write(&path, &bytes).expect("it can be written");
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
    let file = OpenOptions::new().write(true).open(&path).expect("it is there");
    file.set_modified(later).expect("it can be set");
    assert!(matches!(search(&book, position), Err(BookError::Changed)));
}
