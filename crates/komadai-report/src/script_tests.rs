//! The scripts of pages.

#[cfg(feature = "book")]
use crate::book_page;
use crate::{explorer_page, game_page, quiz_page};

/// The scripts, the hashes in the policies of their pages, and the places of the hashes.
fn scripts() -> Vec<(&'static str, &'static str, &'static str)> {
    vec![
        (game_page::SCRIPT, game_page::SCRIPT_HASH, "game_page/page.rs"),
        (quiz_page::SCRIPT, quiz_page::SCRIPT_HASH, "quiz_page/page.rs"),
        (explorer_page::SCRIPT, explorer_page::SCRIPT_HASH, "explorer_page/page.rs"),
        #[cfg(feature = "book")]
        (book_page::SCRIPT, book_page::SCRIPT_HASH, "book_page/page/live_board.rs"),
    ]
}

/// Returns the SHA-256 of a text in base 64.
fn hash(text: &str) -> String {
    use sha2::{Digest as _, Sha256};
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bytes = Sha256::digest(text.as_bytes());
    let mut written = String::new();
    for chunk in bytes.chunks(3) {
        let [a, b, c] = [0, 1, 2].map(|index| u32::from(chunk.get(index).copied().unwrap_or(0)));
        let bits = a << 16 | b << 8 | c;
        for digit in 0..4 {
            let is_padding = digit > chunk.len();
            let value = bits >> (18 - 6 * digit) & 63;
            written.push(if is_padding { '=' } else { DIGITS[value as usize] as char });
        }
    }
    written
}

#[test]
fn policies_name_the_scripts() {
    assert_eq!(hash("abc"), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
    for (script, known, place) in scripts() {
        assert_eq!(
            known,
            hash(script),
            "the script has changed: set the hash in {place} to its hash"
        );
    }
}

#[test]
fn scripts_can_stand_in_a_page() {
    for (script, _, place) in scripts() {
        for forbidden in ["</script", "<!--", "innerHTML", "eval(", "http", "document.write"] {
            assert!(!script.contains(forbidden), "the script of {place} has {forbidden}");
        }
    }
}
