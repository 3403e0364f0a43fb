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
