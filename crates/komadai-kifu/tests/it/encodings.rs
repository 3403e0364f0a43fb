//! Lines in another encoding than the rest of a text: no other line is read otherwise.

use encoding_rs::{EUC_JP, SHIFT_JIS};
use komadai_kifu::{GameReader, KifuFormat, Record, Tolerance, parse_records};

const MOVES: [&str; 4] = ["1 ７六歩(77)", "2 ３四歩(33)", "3 ２六歩(27)", "4 ８四歩(83)"];
const USI: &str = "startpos moves 7g7f 3c3d 2g2f 8c8d";

fn shift_jis(text: &str) -> Vec<u8> {
    SHIFT_JIS.encode(text).0.into_owned()
}

fn euc_jp(text: &str) -> Vec<u8> {
    EUC_JP.encode(text).0.into_owned()
}

/// A KIF of lines, with one of these bytes after the first move.
fn with_line(first: &str, bytes: &[u8], encode: impl Fn(&str) -> Vec<u8>) -> Vec<u8> {
    let mut text = encode(&format!("{first}手合割：平手\n先手：山田\n{}\n", MOVES[0]));
    text.extend_from_slice(bytes);
    text.extend(encode(&format!("\n{}\n5 投了\n", MOVES[1..].join("\n"))));
    text
}

/// Reads a file of this name: the only game, and the lines of its faults.
fn read(text: &[u8], name: &str) -> (Record, Vec<u64>) {
    let mut reader = GameReader::named(text, name, Tolerance::Lenient).unwrap();
    let game = reader.by_ref().next().unwrap().unwrap();
    assert!(reader.by_ref().next().is_none());
    let faults = reader.skipped();
    (game, faults.first().iter().map(|fault| fault.line()).collect())
}

#[test]
fn a_broken_line_in_utf8_is_read_alone_and_named() {
    let utf8 = |text: &str| text.as_bytes().to_vec();
    let cut = "*長い感想の途中で切れ".as_bytes();
    for bytes in [
        &shift_jis("*感想")[..],
        &euc_jp("*感想"),
        &cut[..cut.len() - 1],
        &cut[..cut.len() - 2],
        b"*\xff",
        b"*\xed\xa0\xbd",
        b"*\xe3\x81",
        b"# \x80 remark",
        b"\x81\x40",
    ] {
        for (first, name) in [
            ("", "a.kifu"),
            ("", "a.kif"),
            ("\u{feff}", "a.kif"),
            ("#KIF version=2.0 encoding=UTF-8\n", "a.txt"),
        ] {
            let text = with_line(first, bytes, utf8);
            let (game, faults) = read(&text, name);
            assert_eq!(game.to_usi_line(), format!("{USI} resign"), "{bytes:?}");
            assert_eq!(game.header.player(komadai_core::Color::Black), Some("山田"));
            let line = if first.starts_with('#') { 5 } else { 4 };
            assert!(
                !faults.is_empty() && faults.iter().all(|&found| found == line),
                "{bytes:?} {faults:?}"
            );
            // A strict reading names the same line.
            let error = parse_records(&text, KifuFormat::Kif, Tolerance::Strict).unwrap_err();
            assert_eq!(error.line(), line);
        }
    }
    // An emoji in surrogates is one.
    let (game, _) = read(&with_line("", b"*\xed\xa0\xbd\xed\xb8\x80!", utf8), "a.kifu");
    assert_eq!(game.moves[0].comments[0].text(), "😀!");
}

#[test]
fn utf8_among_legacy_lines_is_read_and_named() {
    for encode in [shift_jis, euc_jp] {
        let (game, faults) = read(&with_line("", "*感想 ☗".as_bytes(), encode), "a.kif");
        assert_eq!(game.to_usi_line(), format!("{USI} resign"));
        assert_eq!(game.moves[0].comments[0].text(), "感想 ☗");
        assert_eq!(faults, [4]);
        let (game, faults) = read(&with_line("", &encode("*感想"), encode), "a.kif");
        assert_eq!((game.moves[0].comments[0].text(), faults.len()), ("感想", 0));
    }
    let text =
        [&b"V2.2\nN+"[..], &shift_jis("佐藤"), "\nN-山田\nPI\n+\n+7776FU\n%TORYO\n".as_bytes()]
            .concat();
    let (game, faults) = read(&text, "a.csa");
    assert_eq!(game.header.player(komadai_core::Color::Black), Some("佐藤"));
    assert_eq!(game.header.player(komadai_core::Color::White), Some("山田"));
    assert_eq!(faults, [3]);
}

#[test]
fn a_first_line_that_is_broken_decides_nothing() {
    for bytes in [&shift_jis("*感想")[..], &"*感想です".as_bytes()[..12]] {
        let mut text = bytes.to_vec();
        text.extend_from_slice(
            format!("\n手合割：平手\n先手：山田\n{}\n", MOVES.join("\n")).as_bytes(),
        );
        for name in ["a.kifu", "a.kif"] {
            let (game, faults) = read(&text, name);
            assert_eq!(game.to_usi_line(), USI);
            assert_eq!(faults.len(), 1, "{name} {faults:?}");
        }
        assert_eq!(read(&text, "a.kifu.gz").1, [1]);
    }
}

#[test]
fn a_file_with_the_wrong_name_of_its_encoding_is_read() {
    for (first, name) in [("", "a.kifu"), ("#KIF version=2.0 encoding=UTF-8\n", "a.kif")] {
        let (game, faults) = read(&with_line(first, &shift_jis("*感想"), shift_jis), name);
        assert_eq!((game.to_usi_line(), faults.len()), (format!("{USI} resign"), 0));
    }
    let utf8 = |text: &str| text.as_bytes().to_vec();
    let (game, faults) =
        read(&with_line("#KIF version=2.0 encoding=Shift_JIS\n", b"*A", utf8), "a.kif");
    assert_eq!((game.to_usi_line(), faults.len()), (format!("{USI} resign"), 0));
}

#[test]
fn utf16_and_iso_2022_jp_are_read() {
    let text = format!("手合割：平手\r\n先手：山田\r\n{}\r\n", MOVES.join("\r\n"));
    let little: Vec<u8> =
        format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> =
        format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_be_bytes).collect();
    let mail: Vec<u8> = text.split_inclusive("\r\n").flat_map(iso_2022_jp).collect();
    for text in [little, big, mail] {
        for name in ["a.kif", "a.txt"] {
            let (game, faults) = read(&text, name);
            assert_eq!((game.to_usi_line().as_str(), faults.len()), (USI, 0));
            assert_eq!(game.header.player(komadai_core::Color::Black), Some("山田"));
        }
    }
    let csa: Vec<u8> = "\u{feff}V2.2\nN+山田\nPI\n+\n+7776FU\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(read(&csa, "a.csa").0.header.player(komadai_core::Color::Black), Some("山田"));
    let usen: Vec<u8> = "\u{feff}~0.6y2.r".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(read(&usen, "a.usen").0.to_usi_line(), "startpos moves 2g2f resign");
    assert_eq!(
        read("\u{feff}~0.6y2.r".as_bytes(), "a").0.to_usi_line(),
        "startpos moves 2g2f resign"
    );
}

/// The bytes of a text in ISO-2022-JP: those of EUC-JP without their highest bits, between escapes.
fn iso_2022_jp(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut is_double = false;
    for byte in euc_jp(text) {
        if (byte >= 0x80) != is_double {
            is_double = !is_double;
            bytes.extend_from_slice(if is_double { b"\x1b$B" } else { b"\x1b(B" });
        }
        bytes.push(byte & 0x7f);
    }
    bytes
}

#[test]
fn broken_bytes_lose_no_game_of_usi_and_jkf() {
    let text = b"startpos moves 7g7f # \x8a\xb4\nstartpos moves 2g2f, name=\xff\n";
    let loaded = parse_records(text, KifuFormat::Usi, Tolerance::Lenient).unwrap();
    let games: Vec<String> = loaded.records.iter().map(Record::to_usi_line).collect();
    assert_eq!(games, ["startpos moves 7g7f", "startpos moves 2g2f"]);
    assert_eq!(loaded.skipped.count(), 2);
    #[cfg(feature = "jkf")]
    {
        let start = r#"{"header":{"先手":"A"},"moves":[{"comments":["感想"#.as_bytes();
        let text = [start, &b"\xe3\x81"[..], br#""]},{"special":"TORYO"}]}"#].concat();
        let loaded = parse_records(&text, KifuFormat::Jkf, Tolerance::Lenient).unwrap();
        assert_eq!(loaded.records[0].comments[0].text(), "感想\u{fffd}");
        assert_eq!(loaded.skipped.first()[0].line(), 1);
        assert!(parse_records(&text, KifuFormat::Jkf, Tolerance::Strict).is_err());
    }
}
