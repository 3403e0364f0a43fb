use super::page::{SCRIPT, SCRIPT_HASH};

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
fn the_policy_names_the_script() {
    assert_eq!(hash("abc"), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
    assert_eq!(SCRIPT_HASH, hash(SCRIPT), "the script has changed: set `SCRIPT_HASH` to its hash");
}

#[test]
fn the_script_can_stand_in_a_page() {
    for forbidden in ["</script", "<!--", "innerHTML", "eval(", "http", "document.write"] {
        assert!(!SCRIPT.contains(forbidden), "the script has {forbidden}");
    }
}
