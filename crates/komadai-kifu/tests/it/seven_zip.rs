//! Records in 7z archives, some of them broken.
//!
//! py7zr 1.1.4 made the archives of four files: `b/two.csa` with two games, `notes.txt`,
//! `empty.csa` without a byte, and `a.csa` with one game.

use std::fs;

use komadai_kifu::{RecordFiles, RecordFilesOptions};

const LZMA2: &str = "\
    377abcaf271c000406cae198c4000000000000001600000000000000149016fee0004600315d0028123d4266e4ef\
    bd5e3612c7933010b3300edc89929a49e3dedd550c0ba7b80c3a1c18baa789505268e309c021d3508ff900e000b8\
    00835d0000813307ae0fd1890a9ca090a0775eba583e1180f750fb37f1b9462e3d3157ebcca9da4ea081b76f78ec\
    43cedc0d995fd828531a277ad90e58a2f3a74f138f9224c738839446acd08c9face929419aafae88db354716b00c\
    fee31c222db30a21011029dc9a847a1369f02882f499f402cac8d08cfe51bfcd76b4789b25488952000000001706\
    390109808b00070b010001212101180c80b90000";
const LZMA: &str = "\
    377abcaf271c0004db3cc1c7cc0000000000000016000000000000001ecb5ea90028123d4266e4efbd5e3612c793\
    3010b3300edc89929a49e3dedd550c0ba7b80c3a1c18baa789505268e309c021d3e3170cffffb7a10000e000c000\
    8c5d0000813307ae0fd179e820a090a077b0fe9387e1aa1f276a2d51f72f4a989e521498a63da0c654ebc35c3e6d\
    e8a9c8b2c5bc05a2f12929c022515c254434b14b71259626dcce455d2fdfe8c4798bfe279dc46b0f49e28c6db647\
    03d8b152d84b86445eed42de6d4f9496c5f85b3075805acdf3fe366c1f7a0bc7c62ec72911dd52528f402a16bae6\
    2225000000001706380109809400070b010001212101180c80c10000";
const COPY: &str = "\
    377abcaf271c0004eae95539d20000000000000016000000000000004b802c2850490a2b0a2b3237323646550a25\
    544f52594f0a2f0a50490a2b0a2b3737373646550a2d3333333446550a6e6f74207265616450490a2b0a2b373737\
    3646550a25544f52594f0ae000b800835d0000813307ae0fd24d4ebd40c090f1adc135becf00dba4d2d8e9f117a7\
    fd5946c129a3f346f37fc08cebde6eebdd868bb0ad871282db81fb20d5c29c44be2b8055ef00eb8fc2f9d24bebed\
    c4899e66e7b1dd90a5f94e1848b314fb45cee3451997ea3e825bd4ce3f06844509d11b550c7767035fc64ee1db6f\
    935cde3d0508f868000000001706470109808b00070b010001212101180c80b90000";
const PPMD: &str = "\
    377abcaf271c000495418670bd000000000000001600000000000000cde84771004ff7abf594a5a3060a59e4396b\
    db63ef5878574931dcb18efad0b2d9a255c4b4b2123a56a7e07e15548307b180e000c000875d0000813307ae0fd0\
    e28fbc9f3f474158d768af63baf8d9fd83e533330bfbf98cdcb29f3218d93228bebade457b76e259276bd8557c0a\
    4dfb066416d17951de556254cfa5bb416f5cea053193060e6dae52740cc235211244942f64a9244a64e3e1f58ebf\
    b5b8fc33bfc0fe0b2025723cfa232e773cd42590400c46add6701d1a389e6f60a80000000017062e0109808f0007\
    0b010001212101180c80c10000";

fn bytes(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().as_chunks::<2>().0.iter();
    digits.map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

/// Reads an archive; each record as its place in it and its moves, or the error.
fn read(archive: &[u8], options: RecordFilesOptions) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.7z");
    fs::write(&path, archive).unwrap();
    // Within a folder, the name tells that it is an archive of records.
    let files = RecordFiles::open(folder.path(), options);
    let told = files.map(|found| {
        let entry = found.place.entry.unwrap_or_default();
        match found.record {
            Ok(record) => format!("{entry} {} {}", found.place.game, record.to_usi_line()),
            Err(error) => {
                let source = std::error::Error::source(&error).map(ToString::to_string);
                format!("{entry} ! {error}: {}", source.unwrap_or_default())
            }
        }
    });
    told.collect()
}

#[test]
fn games_are_read_from_archives_of_every_usual_method() {
    for archive in [LZMA2, LZMA, COPY] {
        let found = read(&bytes(archive), RecordFilesOptions::default());
        assert_eq!(
            found,
            [
                "b/two.csa 1 startpos moves 2g2f resign",
                "b/two.csa 2 startpos moves 7g7f 3c3d",
                "a.csa 1 startpos moves 7g7f resign",
            ]
        );
    }
}

#[test]
fn other_methods_are_named() {
    let found = read(&bytes(PPMD), RecordFilesOptions::default());
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("the entry is compressed by the method [03, 04, 01]"), "{found:?}");
    // A folder, or the directory itself, that is encrypted after it was compressed.
    let steps = [6, 0, 1, 9, 5, 0, 7, 11, 1, 0, 2, 0x24, 6, 0xf1, 7, 1, 0];
    for start in [&[1, 4][..], &[23]] {
        let archive = with_directory(&bytes(COPY), &[start, &steps].concat());
        let found = read(&archive, RecordFilesOptions::default());
        assert!(found[0].contains("the entry is encrypted"), "{found:?}");
    }
}

#[test]
fn what_unpacks_to_too_much_is_refused() {
    let few = RecordFilesOptions { max_archive_bytes: 50, ..RecordFilesOptions::default() };
    let found = read(&bytes(LZMA2), few);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("the entries of the archive have more than 50 bytes"), "{found:?}");
    let small = RecordFilesOptions { max_file_bytes: 30, ..RecordFilesOptions::default() };
    let found = read(&bytes(LZMA2), small);
    // The small entry after the large one is read nevertheless.
    assert!(found[0].contains("more than 30 bytes after decompression"), "{found:?}");
    assert_eq!(found[1], "a.csa 1 startpos moves 7g7f resign");
}

/// Replaces the directory, without compression, and the checksums.
fn with_directory(archive: &[u8], directory: &[u8]) -> Vec<u8> {
    let crc = |bytes: &[u8]| {
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        crc.sum().to_le_bytes()
    };
    let mut head = archive[12..20].to_vec();
    head.extend((directory.len() as u64).to_le_bytes());
    head.extend(crc(directory));
    let offset = u64::from_le_bytes(*archive[12..].first_chunk().unwrap()) as usize;
    let data = &archive[32..32 + offset];
    [&archive[..8], &crc(&head)[..], &head, data, directory].concat()
}

#[test]
fn directories_that_count_more_than_they_have_are_refused() {
    let archive = bytes(COPY);
    let huge = [0xff; 9];
    let counts: [&[u8]; 7] = [
        &[1, 4, 6, 0],                                                    // streams
        &[1, 5],                                                          // files
        &[1, 4, 6, 0, 1, 9],                                              // the size of a stream
        &[1, 4, 6, 0, 1, 9, 5, 0, 7, 11],                                 // folders
        &[1, 4, 6, 0, 1, 9, 5, 0, 7, 11, 1, 0],                           // steps of a folder
        &[1, 4, 6, 0, 1, 9, 5, 0, 7, 11, 1, 0, 1, 1, 0, 12, 5, 0, 8, 13], // files of a folder
        &[1, 5, 1, 17],                                                   // the length of names
    ];
    for start in counts {
        let directory = [start, &huge, &[0; 20]].concat();
        let found = read(&with_directory(&archive, &directory), RecordFilesOptions::default());
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains(" ! "), "{found:?}");
    }
    let recursive =
        with_directory(&archive, &[23, 6, 0, 1, 9, 5, 0, 7, 11, 1, 0, 1, 1, 0, 12, 5, 0, 0]);
    assert!(read(&recursive, RecordFilesOptions::default())[0].contains(" ! "));
    let large = [23, 6, 0, 1, 9, 5, 0, 7, 11, 1, 0, 1, 0x21, 0x21, 1, 40, 12, 0xff];
    let large = [&large[..], &[0xff; 8], &[0, 0]].concat();
    let found = read(&with_directory(&archive, &large), RecordFilesOptions::default());
    assert!(found[0].contains("its directory is too large"), "{found:?}");
}

#[test]
fn damaged_archives_are_survived() {
    for archive in [LZMA2, LZMA, COPY] {
        let sound = bytes(archive);
        for at in 0..sound.len() {
            for byte in [0, 0xff, sound[at] ^ 1] {
                let mut damaged = sound.clone();
                damaged[at] = byte;
                assert!(read(&damaged, RecordFilesOptions::default()).len() < 10);
            }
            assert!(read(&sound[..at], RecordFilesOptions::default()).len() < 10);
        }
    }
    // The directory without compression is reached by more of the damage.
    let archive = bytes(COPY);
    let offset = u64::from_le_bytes(*archive[12..].first_chunk().unwrap()) as usize;
    let encoded = &archive[32 + offset..];
    assert_eq!(encoded[0], 23, "py7zr compresses the directory");
}
