//! Records in folders, gzip files and zip archives, some of them broken.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use komadai_kifu::{FileRecord, FilesReport, RecordFiles, RecordFilesOptions, Tolerance};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const SEVEN_ZIP: &str = if cfg!(feature = "seven-zip") {
    "a 7z archive without the ending .7z"
} else {
    "a 7z archive"
};

const GAME: &str = "PI\n+\n+7776FU\n%TORYO\n";
const TWO: &str = "PI\n+\n+2726FU\n%TORYO\n/\nPI\n+\n+7776FU\n-3334FU\n";

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn zip(entries: &[(&str, CompressionMethod, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, method, bytes) in entries {
        let options = SimpleFileOptions::default().compression_method(*method);
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Reads everything; each record as its place without the folder and the game or error.
fn read(path: &Path, options: RecordFilesOptions) -> (Vec<String>, FilesReport) {
    let mut files = RecordFiles::open(path, options);
    let prefix = format!("{}", path.display());
    let told = |found: FileRecord| {
        let place = found.place.to_string().replace('\\', "/");
        let place = place.strip_prefix(&prefix).unwrap_or(&place).to_owned();
        match found.record {
            Ok(record) => format!("{place} {}", record.to_usi_line()),
            Err(error) => format!("{place} ! {error}"),
        }
    };
    let found = files.by_ref().map(told).collect();
    (found, *files.report())
}

#[test]
fn folders_and_archives_are_read_in_order_and_broken_files_passed() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    write("b/two.csa", TWO.as_bytes());
    write("b/deep/er/one.CSA", GAME.as_bytes());
    write("a.csa.gz", &gzip(GAME.as_bytes()));
    write("c.sfen", b"startpos moves 7g7f resign\n");
    write("d.txt", b"not read");
    write("readme", b"not read");
    write("e-empty.csa", b"");
    write("f-garbage.csa", b"\0\xff\0");
    write("g-broken.csa.gz", &gzip(TWO.as_bytes())[..20]);
    write("h-no.zip", b"PK no archive");
    let mut damaged = zip(&[("x.csa", CompressionMethod::Stored, GAME.as_bytes())]);
    let at = damaged.windows(4).position(|bytes| bytes == b"7776").unwrap();
    damaged[at + 2] = b'5';
    write("i-damaged.zip", &damaged);
    write(
        "j.zip",
        &zip(&[
            ("z/last.csa", CompressionMethod::Deflated, GAME.as_bytes()),
            ("a/two.csa", CompressionMethod::Stored, TWO.as_bytes()),
            ("a/packed.csa.gz", CompressionMethod::Stored, &gzip(GAME.as_bytes())),
            ("a/notes.txt", CompressionMethod::Stored, b"not read"),
            ("inner.zip", CompressionMethod::Stored, b"not read"),
        ]),
    );
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.path(), folder.path().join("b/deep/ring")).unwrap();
        std::os::unix::fs::symlink(folder.path().join("a.csa.gz"), folder.path().join("k.csa.gz"))
            .unwrap();
        std::os::unix::fs::symlink("nowhere", folder.path().join("l.csa")).unwrap();
    }
    let (found, report) = read(folder.path(), RecordFilesOptions::default());
    let mut expected = vec![
        "/a.csa.gz, game 1 startpos moves 7g7f resign",
        "/b/deep/er/one.CSA, game 1 startpos moves 7g7f resign",
        "/b/two.csa, game 1 startpos moves 2g2f resign",
        "/b/two.csa, game 2 startpos moves 7g7f 3c3d",
        "/c.sfen, game 1 startpos moves 7g7f resign",
        "/f-garbage.csa ! line 1, column 1: found \"\\0�\\0\", expected a record in CSA, KIF, KI2, JKF or USEN, or games in USI (`startpos moves …`)",
        "/g-broken.csa.gz, game 1 ! line 3: cannot read on",
        "/h-no.zip ! not a zip archive that can be read: invalid Zip archive: Could not find EOCD",
        "/i-damaged.zip: x.csa, game 1 ! line 5: cannot read on",
        "/j.zip: a/packed.csa.gz, game 1 startpos moves 7g7f resign",
        "/j.zip: a/two.csa, game 1 startpos moves 2g2f resign",
        "/j.zip: a/two.csa, game 2 startpos moves 7g7f 3c3d",
        "/j.zip: z/last.csa, game 1 startpos moves 7g7f resign",
    ];
    if cfg!(unix) {
        expected.push("/k.csa.gz, game 1 startpos moves 7g7f resign");
        expected.push("/l.csa ! No such file or directory (os error 2)");
    }
    assert_eq!(found, expected);
    let (games, failed, over) = if cfg!(unix) { (10, 5, 5) } else { (9, 4, 4) };
    assert_eq!((report.games, report.failed, report.passed_over), (games, failed, over));
}

#[test]
fn a_file_that_is_named_may_have_any_ending() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.txt");
    fs::write(&path, GAME).unwrap();
    assert_eq!(read(&path, RecordFilesOptions::default()).1.games, 1);
    let missing = read(&folder.path().join("none.csa"), RecordFilesOptions::default());
    assert_eq!(missing.0, [" ! No such file or directory (os error 2)"]);
}

#[test]
fn strict_reading_ends_a_file_and_lenient_reading_counts_faults() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.csa"), "PI\n+\nhello\n+7776FU\n").unwrap();
    fs::write(folder.path().join("b.csa"), GAME).unwrap();
    let (found, report) = read(folder.path(), RecordFilesOptions::default());
    assert_eq!((found.len(), report.faults, report.failed), (2, 1, 0));
    let mut files = RecordFiles::open(folder.path(), RecordFilesOptions::default());
    assert_eq!(files.by_ref().filter(|found| found.record.is_ok()).count(), 2);
    let fault = files.skipped().first()[0].to_string();
    assert!(fault.contains("a.csa: line 3, column 1: found \"hello\""), "{fault}");
    let strict = RecordFilesOptions::from(Tolerance::Strict);
    let (found, report) = read(folder.path(), strict);
    assert_eq!((report.games, report.failed), (1, 1));
    assert!(found[0].contains("found \"hello\""), "{found:?}");
}

#[test]
fn a_cut_file_keeps_the_games_before_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csa.gz");
    let mut text = String::from("PI\n+\n+2726FU\n%TORYO\n/\nPI\n+\n+7776FU\n-3334FU\n");
    // Times that do not compress well, so that a cut costs only some of them.
    (0..400).for_each(|n| text += &format!("T{}\n", n * n * 7_919 % 10_007));
    let whole = gzip(text.as_bytes());
    for cut in [8, 9, 20, whole.len() / 2] {
        fs::write(&path, &whole[..whole.len() - cut]).unwrap();
        let (found, report) = read(&path, RecordFilesOptions::default());
        assert_eq!((report.games, report.failed), (2, 1), "{cut}: {found:?}");
        assert_eq!(found[0], ", game 1 startpos moves 2g2f resign");
        assert_eq!(found[1], ", game 2 startpos moves 7g7f 3c3d");
        let strict = RecordFilesOptions::from(Tolerance::Strict);
        assert_eq!(read(&path, strict).1.failed, 1);
    }
}

#[test]
fn resource_forks_are_passed_over_and_other_archives_named() {
    let folder = tempfile::tempdir().unwrap();
    let fork = b"\0\x05\x16\x07\0\x02\0\0Mac OS X";
    let packed = zip(&[
        ("games/a.csa", CompressionMethod::Stored, GAME.as_bytes()),
        ("__MACOSX/games/._a.csa", CompressionMethod::Stored, fork),
        ("__MACOSX/b.csa", CompressionMethod::Stored, fork),
        ("games/._c.kif", CompressionMethod::Stored, fork),
    ]);
    fs::write(folder.path().join("a.zip"), packed).unwrap();
    fs::write(folder.path().join("._d.csa"), fork).unwrap();
    let (found, report) = read(folder.path(), RecordFilesOptions::default());
    assert_eq!((report.games, report.failed, report.passed_over), (1, 0, 4), "{found:?}");
    let mut tar = vec![0; 512];
    tar[..5].copy_from_slice(b"a.csa");
    tar[257..262].copy_from_slice(b"ustar");
    for (name, bytes, kind) in [
        ("a.tar", tar.clone(), "a tar archive"),
        ("a.tar.gz", gzip(&tar), "a tar archive"),
        ("a.tgz", gzip(&tar), "a gzip file without the ending .gz"),
        ("a.7zip", b"7z\xbc\xaf\x27\x1c\0\x04".to_vec(), SEVEN_ZIP),
        ("a.tar.xz", b"\xfd7zXZ\0\0\x04".to_vec(), "a file compressed by xz"),
        ("a.tar.bz2", b"BZh91AY&SY".to_vec(), "a file compressed by bzip2"),
        ("a.kif.zst", b"\x28\xb5\x2f\xfd\x04".to_vec(), "a file compressed by zstd"),
        ("a.lzh", b"\x22\x5b-lh5-\x1c\0".to_vec(), "an LHA archive"),
        ("a.rar", b"Rar!\x1a\x07\0".to_vec(), "a RAR archive"),
        ("a.kif", b"PK\x03\x04\x14\0".to_vec(), "a zip archive without the ending .zip"),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let (found, _) = read(&path, RecordFilesOptions::default());
        let expected =
            format!(" ! {kind}: unpack it first; of archives, .zip, .7z and .gz are read");
        assert_eq!(found, [expected], "{name}");
    }
}

#[test]
fn what_unpacks_to_too_much_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut bomb = GAME.as_bytes().to_vec();
    bomb.extend(b"'comment\n".repeat(1 << 20));
    fs::write(folder.path().join("a.csa.gz"), gzip(&bomb)).unwrap();
    let packed = zip(&[
        ("a.csa", CompressionMethod::Deflated, &bomb),
        ("b.csa", CompressionMethod::Deflated, &bomb),
    ]);
    assert!(packed.len() < bomb.len() / 50);
    fs::write(folder.path().join("b.zip"), &packed).unwrap();
    let small = RecordFilesOptions { max_file_bytes: 1 << 20, ..RecordFilesOptions::default() };
    let mut files = RecordFiles::open(folder.path(), small);
    for found in files.by_ref() {
        let error = found.record.unwrap_err();
        let source = std::error::Error::source(&error).unwrap();
        assert!(source.to_string().contains("more than 1048576 bytes"), "{source}");
    }
    assert_eq!((files.report().failed, files.report().games), (3, 0));
    let few = RecordFilesOptions {
        max_archive_bytes: bomb.len() as u64 + 1,
        ..RecordFilesOptions::default()
    };
    let (found, _) = read(&folder.path().join("b.zip"), few);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[1].contains("the entries of the archive have more than"), "{found:?}");
    // The size stated in the directory and in the entry is false: no more than that is read.
    let mut lying = zip(&[("a.csa", CompressionMethod::Deflated, &bomb)]);
    let size = (bomb.len() as u32).to_le_bytes();
    for at in 0..lying.len() - 4 {
        if lying[at..at + 4] == size {
            lying[at..at + 4].copy_from_slice(&100u32.to_le_bytes());
        }
    }
    fs::write(folder.path().join("c.zip"), &lying).unwrap();
    let (found, report) = read(&folder.path().join("c.zip"), RecordFilesOptions::default());
    assert_eq!((found.len(), report.failed), (1, 1), "{found:?}");
}

#[test]
fn damaged_archives_are_survived() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.zip");
    let sound = zip(&[
        ("a.csa", CompressionMethod::Deflated, TWO.as_bytes()),
        ("b.csa", CompressionMethod::Stored, GAME.as_bytes()),
    ]);
    for at in (0..sound.len()).step_by(3) {
        for byte in [0, 0xff, sound[at] ^ 1] {
            let mut bytes = sound.clone();
            bytes[at] = byte;
            fs::write(&path, &bytes).unwrap();
            assert!(RecordFiles::open(&path, RecordFilesOptions::default()).count() < 10);
        }
        fs::write(&path, &sound[..at]).unwrap();
        assert!(RecordFiles::open(&path, RecordFilesOptions::default()).count() < 10);
    }
}

#[test]
fn records_of_every_format_are_read_from_archives_as_they_were_written() {
    use komadai_kifu::text::{TextEncoding, TextForm};
    use komadai_kifu::{Tolerance, parse_csa, parse_kif};

    let kif = komadai_testdata::kifu::kif_samples().next().unwrap();
    let kif = parse_kif(kif.bytes, Tolerance::Lenient).unwrap().records.remove(0);
    let csa = parse_csa(TWO, Tolerance::Strict).unwrap().records.remove(1);
    let mut texts = vec![
        ("a.csa", kif.to_csa().unwrap().into_bytes()),
        ("b.kif", TextForm::new(TextEncoding::ShiftJis).encode(&kif.to_kif().unwrap()).unwrap()),
        ("c.kifu", TextForm::new(TextEncoding::Utf8Bom).encode(&kif.to_kif().unwrap()).unwrap()),
        ("d.ki2", TextForm::new(TextEncoding::ShiftJis).encode(&kif.to_ki2().unwrap()).unwrap()),
        ("e.ki2u", csa.to_ki2().unwrap().into_bytes()),
        ("f.sfen", (kif.to_usi_line() + "\n").into_bytes()),
    ];
    if cfg!(feature = "jkf") {
        texts.push(("g.jkf", kif.to_text(komadai_kifu::KifuFormat::Jkf).unwrap().into_bytes()));
    }
    let folder = tempfile::tempdir().unwrap();
    let mut entries: Vec<(&str, CompressionMethod, &[u8])> = Vec::new();
    for (name, bytes) in &texts {
        fs::write(folder.path().join(format!("{name}.gz")), gzip(bytes)).unwrap();
        entries.push((name, CompressionMethod::Deflated, bytes));
    }
    fs::write(folder.path().join("z.zip"), zip(&entries)).unwrap();
    let strict = RecordFilesOptions::from(Tolerance::Strict);
    let read: Vec<FileRecord> = RecordFiles::open(folder.path(), strict).collect();
    assert_eq!(read.len(), 2 * texts.len());
    for found in read {
        let record = found.record.unwrap();
        let name = found.place.to_string();
        let expected = if name.contains("e.ki2u") { &csa } else { &kif };
        assert_eq!(record.to_usi(), expected.to_usi(), "{name}");
        let moves_alone = name.contains(".sfen") || name.contains(".ki2");
        let lost = expected.losses(&record);
        assert!(moves_alone || lost.iter().all(|loss| is_of_csa(loss, &name)), "{name}: {lost:?}");
    }
}

/// Returns true for what CSA does not have.
fn is_of_csa(loss: &komadai_kifu::Loss, name: &str) -> bool {
    name.contains("a.csa")
        && matches!(loss, komadai_kifu::Loss::Header { .. } | komadai_kifu::Loss::Variations { .. })
}
