//! Malformed records of every text format: place, text found, text expected and hint, strictly and
//! leniently.
//!
//! The faults of CSA and JKF alone stand in `malformed_input` and `jkf`.

mod foreign;
mod lines;
mod repairs;

use komadai_kifu::{KifuError, KifuFormat, TextFault, TextFaultKind, Tolerance, parse_records};

/// The first fault of a text that is read strictly.
fn refusal(text: impl AsRef<[u8]>, format: KifuFormat) -> KifuError {
    match parse_records(&text, format, Tolerance::Strict) {
        Err(error) => error,
        Ok(_) => panic!("accepted: {}", String::from_utf8_lossy(text.as_ref())),
    }
}

/// The parts of a syntax fault: line, column, the text found and the text expected.
fn parts(error: &KifuError) -> Option<(u64, usize, &str, &'static str)> {
    let fault = match error {
        KifuError::Text(fault) => fault,
        KifuError::OtherFormat { fault, .. } => return parts(fault),
        _ => return None,
    };
    match fault {
        TextFault {
            line,
            column: Some(column),
            kind: TextFaultKind::Syntax { found, expected },
            ..
        } => Some((*line, *column, found, expected)),
        _ => None,
    }
}

/// The games of a lenient reading as USI, and its repairs.
fn repaired(text: impl AsRef<[u8]>, format: KifuFormat) -> (Vec<String>, Vec<String>) {
    let loaded = parse_records(text, format, Tolerance::Lenient).unwrap();
    let games = loaded.records.iter().map(|record| record.to_usi().to_string()).collect();
    assert!(loaded.skipped.count() >= loaded.skipped.first().len() as u64);
    (games, loaded.skipped.first().iter().map(ToString::to_string).collect())
}
