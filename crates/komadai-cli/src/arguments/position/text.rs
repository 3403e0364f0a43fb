//! Positions in words: an SFEN, `startpos moves …`, `sfen … moves …`.

use std::path::Path;

use komadai::Position;
use komadai::core::UsiPosition;
use komadai::kifu::record_files::folder::FolderFiles;
use komadai::kifu::{Record, RecordMove};
use komadai::movegen::play;

/// The slashes between the ranks of a board.
const SLASHES: usize = 8;

/// Returns the game that a position in words describes.
pub(super) fn record_of(text: &str) -> Result<Record, String> {
    let usi = usi_position(text)?;
    let mut record = Record::new(usi.setup);
    record.moves = usi.moves.into_iter().map(RecordMove::new).collect();
    Ok(record)
}

/// Returns the position of an SFEN, `startpos moves …` or `sfen … moves …`, with the moves as its
/// history.
pub(crate) fn position_of(text: &str) -> Result<Position, String> {
    play(&usi_position(text)?).map_err(|error| error.to_string())
}

fn usi_position(text: &str) -> Result<UsiPosition, String> {
    let line = without_escapes(text);
    let line = line.trim();
    UsiPosition::from_usi(line).map_err(|error| {
        format!("{line:?}: {error}; expected a file, an SFEN, or `startpos moves …`")
    })
}

/// Checks for the beginning of a position in words, also of a faulty one, in place of the name of a
/// file.
pub(super) fn resembles_position(text: &str) -> bool {
    let text = without_escapes(text);
    let mut words = text.split_whitespace();
    let Some(first) = words.next() else { return false };
    if matches!(first, "startpos" | "sfen" | "position") {
        return true;
    }
    let slashes = first.matches('/').count();
    let is_path = first.starts_with(['/', '.', '~']) || FolderFiles::is_record(Path::new(first));
    if slashes == 0 || is_path {
        return false;
    }
    let is_of_board = |c: char| c.is_ascii_digit() || "+/KRBGSNLPkrbgsnlp".contains(c);
    let has_digit = first.contains(|c: char| c.is_ascii_digit());
    slashes == SLASHES
        || has_digit && first.chars().all(is_of_board)
        || matches!(words.next(), Some("b" | "w"))
}

/// Returns a position with the characters that addresses have in another form: `_` or `%20` for
/// blanks, `%2F` for slashes. No part of a position has these.
fn without_escapes(text: &str) -> String {
    text.replace("%20", " ").replace("%2F", "/").replace("%2f", "/").replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

    #[test]
    fn a_position_from_an_address_is_one() {
        for blank in [" ", "_", "%20"] {
            let sfen = START.replace(' ', blank);
            assert_eq!(position_of(&sfen).unwrap(), Position::hirate(), "{blank}");
            assert!(resembles_position(&sfen), "{blank}");
        }
        assert_eq!(without_escapes(&START.replace('/', "%2F")), START);
    }

    #[test]
    fn faulty_positions_are_told_from_names_of_files() {
        for position in [
            START,
            "startpos",
            "startpos moves 7g7x",
            "sfen 9/9",
            "8k/9/9 b - 1",
            "8k/9/9",
            "lnsgkgsnl/1r5b1/pppppxppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL",
            "4k4/9/x b - 1",
        ] {
            assert!(resembles_position(position), "{position}");
        }
        for name in [
            "game.kif",
            "games/2024/1.kif",
            "1/2/3/4/5/6/7/8/9.csa",
            "/1/2/3/4/5/6/7/8",
            "./9/9",
            "startpos.sfen",
            "kifs/9",
            "-",
            "",
        ] {
            assert!(!resembles_position(name), "{name}");
        }
    }

    #[test]
    fn errors_name_the_place_and_no_type() {
        for (text, expected) in [
            ("8k/9/9 b - 1", "up to byte 6, expected 9; expected a file, an SFEN, or `startpos"),
            ("startpos moves 7g7x", "at byte 15"),
            ("4k4/9/9/9/9/9/9/9/9 b - 1 7g7f", "expected `moves`"),
        ] {
            let error = position_of(text).unwrap_err();
            assert!(error.contains(expected), "{error}");
            assert!(error.contains("byte") && !error.contains("UsiPosition"), "{error}");
        }
    }
}
