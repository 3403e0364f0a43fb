//! Recognising content.

/// Computes a number that tells contents apart: FNV-1a in 64 bits.
///
/// Good enough to notice that a file has been read before; not made to withstand someone who wants
/// two contents to have the same number.
///
/// Source: G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake, *The FNV Non-Cryptographic Hash Algorithm*
/// (RFC 9923).
///
/// # Examples
///
/// ```
/// use komadai_book::Fingerprint;
///
/// let mut fingerprint = Fingerprint::new();
/// fingerprint.add(b"foo");
/// fingerprint.add(b"bar");
/// assert_eq!(fingerprint.number(), 0x8594_4171_f739_67e8);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// Of nothing yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Goes on with these bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// The number.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }
}

impl Default for Fingerprint {
    fn default() -> Self {
        Self::new()
    }
}
