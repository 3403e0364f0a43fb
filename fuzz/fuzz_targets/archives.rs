//! Damaged gzip files and zip archives end with a report, within the limits of their sizes.

#![no_main]

use komadai_kifu::{RecordFiles, RecordFilesOptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let folder = tempfile::tempdir().expect("a folder for the file");
    let name = if bytes.starts_with(&[0x1f, 0x8b]) { "a.csa.gz" } else { "a.zip" };
    std::fs::write(folder.path().join(name), bytes).expect("room for the file");
    let options = RecordFilesOptions { max_file_bytes: 1 << 20, max_archive_bytes: 4 << 20, ..RecordFilesOptions::default() };
    let mut files = RecordFiles::open(folder.path(), options);
    let (mut games, mut failed) = (0, 0);
    for found in files.by_ref() {
        match found.record {
            Ok(_) => games += 1,
            Err(_) => failed += 1,
        }
    }
    assert_eq!((files.report().games, files.report().failed), (games, failed));
});
