//! Texts that were handed to the reader of another format.

use encoding_rs::{EUC_JP, SHIFT_JIS};
use komadai_kifu::{KifuError, KifuFormat, Tolerance, parse_records};

use super::{parts, refusal};

const KIF: &str = "手合割：平手　　\n先手：棋士\n   1 ７六歩(77)   ( 0:16/00:00:16)\n";
const KI2: &str = "手合割：平手\n先手：棋士\n▲７六歩　△３四歩\n";
const CSA: &str = "V2.2\nN+棋士\nPI\n+\n+7776FU\n";
const USI: &str = "startpos moves 7g7f 3c3d\n";
const USEN: &str = "~0.6y236e7ku4be.r\n";

#[test]
fn the_hint_of_a_kif_in_the_reader_of_csa_names_format_and_encoding() {
    for (bytes, encoding) in [
        (SHIFT_JIS.encode(KIF).0, "Shift_JIS"),
        (EUC_JP.encode(KIF).0, "EUC-JP"),
        (KIF.as_bytes().into(), "UTF-8"),
    ] {
        let error = refusal(&bytes, KifuFormat::Csa);
        let expected = "a statement of CSA, which begins with V, N, $, P, +, -, T, %, ' or /";
        assert_eq!(parts(&error), Some((1, 1, "手合割：平手　　", expected)));
        assert_eq!((error.line(), error.column()), (1, Some(1)));
        assert_eq!(error.hint().unwrap(), format!("the text looks like KIF in {encoding}"));
        assert_eq!(
            error.to_string(),
            format!(
                "line 1, column 1: found \"手合割：平手　　\", expected {expected}; the text looks like KIF in {encoding}"
            )
        );
    }
}

#[test]
fn every_reader_names_the_format_of_every_other_text() {
    let texts = [
        (KIF, KifuFormat::Kif, "KIF in UTF-8"),
        (KI2, KifuFormat::Ki2, "KI2 in UTF-8"),
        (CSA, KifuFormat::Csa, "CSA in UTF-8"),
        (USI, KifuFormat::Usi, "games in USI"),
        (USEN, KifuFormat::Usen, "USEN"),
        ("{\"moves\":[]}", KifuFormat::Jkf, "JKF"),
    ];
    let readers = [
        KifuFormat::Csa,
        KifuFormat::Kif,
        KifuFormat::Ki2,
        KifuFormat::Usi,
        KifuFormat::Usen,
        #[cfg(feature = "jkf")]
        KifuFormat::Jkf,
    ];
    for (text, own, name) in texts {
        for reader in readers.into_iter().filter(|&reader| reader != own) {
            let error = refusal(text, reader);
            let KifuError::OtherFormat { format, .. } = &error else {
                panic!("{reader:?}: {error}")
            };
            assert_eq!(*format, own, "{reader:?}");
            assert_eq!(error.hint().unwrap(), format!("the text looks like {name}"), "{reader:?}");
            // A lenient reading lists it as well, and once only.
            if let Ok(loaded) = parse_records(text, reader, Tolerance::Lenient) {
                let hints = loaded.skipped.first().iter().map(KifuError::hint);
                let hints: Vec<bool> = hints
                    .map(|hint| hint.is_some_and(|hint| hint.contains("looks like")))
                    .collect();
                assert!(hints[0] && !hints[1..].contains(&true), "{reader:?}: {}", loaded.skipped);
            }
        }
    }
}

#[test]
fn faults_of_a_text_of_the_right_format_have_no_such_hint() {
    for (text, format) in [
        ("手合割：なにか\n先手：A\n", KifuFormat::Ki2),
        ("手合割：平手\nなにか\n1 ７六歩(77)\n", KifuFormat::Kif),
        ("V2.2\nhello\nPI\n+\n", KifuFormat::Csa),
        ("startpos moves 7g7x\n", KifuFormat::Usi),
        ("Dear Sir\n", KifuFormat::Csa),
        ("~0.zzz.\n", KifuFormat::Usen),
    ] {
        assert_eq!(refusal(text, format).hint(), None, "{text}");
    }
    let error = refusal(b"PI\n+\n'\xff\xfe\xfd\n", KifuFormat::Csa);
    assert_eq!(error.to_string(), "line 3: not UTF-8, Shift_JIS (code page 932) or EUC-JP");
}

#[test]
fn a_text_of_another_encoding_than_utf_8_is_named_in_the_reader_of_usi() {
    let error = refusal(SHIFT_JIS.encode(KIF).0, KifuFormat::Usi);
    assert_eq!(error.to_string(), "line 1: not UTF-8; the text looks like KIF in Shift_JIS");
}
