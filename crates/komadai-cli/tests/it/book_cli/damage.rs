//! Working books in which bytes have changed.

use std::fs;

use super::{Workplace, small50};
use crate::text;

const PAGE: usize = 4096;

#[test]
fn a_damaged_working_book_is_an_error_and_no_panic_is_printed() {
    let place = Workplace::new();
    place.write("good.db", small50().input);
    place.write("other.db", small50().solved);
    place.done(&["import", "a.kbook", "good.db"]);
    let sound = fs::read(place.path("a.kbook")).unwrap();
    let mut damaged_pages = 0;
    for page in 1..sound.len() / PAGE {
        let mut bytes = sound.clone();
        // Many pages are unused.
        if bytes[page * PAGE..][..PAGE].iter().all(|&byte| byte == 0) {
            continue;
        }
        bytes[page * PAGE..][..PAGE].iter_mut().step_by(5).for_each(|byte| *byte ^= 0x55);
        for user in [
            &["info", "a.kbook"][..],
            &["check", "a.kbook"],
            &["import", "a.kbook", "other.db"],
            &["snapshot", "a.kbook", "now"],
            &["compact", "a.kbook"],
        ] {
            place.write("a.kbook", &bytes);
            let output = place.run(user);
            let printed = text(&output.stderr);
            assert!(!printed.contains("panicked at"), "{user:?}, page {page}: {printed}");
            assert!(!printed.contains("backtrace"), "{user:?}, page {page}: {printed}");
            if !output.status.success() {
                assert!(printed.contains("error: a.kbook: "), "{user:?}, page {page}: {printed}");
                damaged_pages += usize::from(printed.contains("a page is damaged"));
            }
        }
    }
    assert!(damaged_pages > 0, "no damage led to a panic of the library");
}

#[test]
fn a_changed_bit_goes_into_no_export_and_no_report() {
    let place = Workplace::new();
    place.write("good.db", small50().input);
    place.done(&["import", "a.kbook", "good.db"]);
    let readers: [&[&str]; 9] = [
        &["log", "export", "a.kbook", "out.log"],
        &["convert", "a.kbook", "out.db"],
        &["convert", "a.kbook", "out.ybb"],
        &["propagate", "a.kbook", "out.db"],
        &["merge", "a.kbook", "good.db", "out.db"],
        &["next", "a.kbook"],
        &["validate", "a.kbook"],
        &["info", "a.kbook"],
        &["report", "a.kbook", "--json"],
    ];
    let read = |reader: &[&str]| {
        let output = place.run(reader);
        let name = reader.iter().find(|name| name.starts_with("out"));
        let written = name.and_then(|name| fs::read(place.path(name)).ok());
        name.iter().for_each(|name| drop(fs::remove_file(place.path(name))));
        (output, written)
    };
    let sound = fs::read(place.path("a.kbook")).unwrap();
    let expected: Vec<_> = readers.iter().map(|reader| read(reader)).collect();
    // A bit of each of the numbers of nodes, values and moves that redb keeps as they are.
    let mut refused = 0;
    let used: Vec<usize> = (PAGE..sound.len()).filter(|&at| sound[at] != 0).collect();
    for &at in used.iter().step_by(used.len() / 12) {
        let mut bytes = sound.clone();
        bytes[at] ^= 4;
        place.write("a.kbook", &bytes);
        for (reader, (good, good_file)) in readers.iter().zip(&expected) {
            let (output, written) = read(reader);
            if output.status.success() {
                assert_eq!(output.stdout, good.stdout, "{reader:?}, byte {at}");
                assert_eq!(written, *good_file, "{reader:?}, byte {at}");
            } else {
                let printed = text(&output.stderr);
                assert!(printed.contains("error: a.kbook: "), "{reader:?}: {printed}");
                assert_eq!(written, None, "{reader:?}");
                refused += 1;
            }
        }
        assert_eq!(fs::read(place.path("a.kbook")).unwrap(), bytes, "no reader changes a book");
    }
    assert!(refused > 8, "{refused} were refused");
    // What can be read of a damaged book can still be had.
    let at = *used.iter().find(|&&at| at > sound.len() / 2).unwrap();
    let mut bytes = sound.clone();
    bytes[at] ^= 4;
    place.write("a.kbook", &bytes);
    let _ = place.run(&["log", "export", "a.kbook", "out.log", "--unchecked"]);
    place.write("a.kbook", &sound);
    place.done(&["log", "export", "a.kbook", "out.log", "--unchecked"]);
}
