//! Problems as text: what is written is read, and what is not a problem is refused with its reason.

use komadai_problems::{Problem, ProblemError, parse_problems};

const LINE: &str = "25\t1\t1\t4\t4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1\tG*5b";

#[test]
fn each_fault_has_its_error() {
    let read = |from, to| LINE.replacen(from, to, 1).parse::<Problem>();
    assert_eq!(read("\tG*5b", "").err(), Some(ProblemError::Fields(5)));
    assert_eq!(read("25\t", "25\t\t").err(), Some(ProblemError::Fields(7)));
    assert_eq!(read("\t4\t", "\t4.5\t").err(), Some(ProblemError::Number("4.5".into())));
    assert_eq!(read("25", "26").err(), Some(ProblemError::Rating { rating: 26, expected: 25 }));
    assert_eq!(read("25\t1", "25\t3").err(), Some(ProblemError::Plies { plies: 3, moves: 1 }));
    assert!(matches!(read("4k4", "4k5").err(), Some(ProblemError::Position(_))));
    assert!(matches!(read("G*5b", "G*5").err(), Some(ProblemError::Moves(_))));
    // An illegal move, a move that gives no check, and a check that is no mate.
    for m in ["R*5b", "5c5b", "G*6b"] {
        assert_eq!(read("G*5b", m).err(), Some(ProblemError::NoMate), "{m}");
    }
}

#[test]
fn a_fault_does_not_hide_the_lines_after_it() {
    let text = format!("# head\n\n{LINE}\nnonsense\n{LINE}");
    let read: Vec<_> = parse_problems(&text).collect();
    assert_eq!(read.len(), 3);
    assert_eq!(read[0].as_ref().map(ToString::to_string), Ok(LINE.to_owned()));
    let error = read[1].as_ref().expect_err("nonsense");
    assert_eq!(error.line, 4);
    assert!(error.to_string().starts_with("line 4: found 1 fields"), "{error}");
    assert!(read[2].is_ok());
}

#[test]
fn no_bytes_make_the_reader_panic() {
    // Each line with one byte left out, doubled or replaced.
    for at in 0..LINE.len() {
        for middle in ["", "\t", "9", "é", "+"] {
            let text = format!("{}{middle}{}", &LINE[..at], &LINE[at + 1..]);
            if let Ok(problem) = text.parse::<Problem>() {
                assert_eq!(problem.line.len(), 1, "{text}");
            }
        }
    }
}
