//! A writer and a reader of bits, least significant first.

use super::codes::Code;

/// A writer of up to 320 bits, least significant first.
#[derive(Default)]
pub(super) struct BitWriter {
    words: [u64; 5],
    /// The number of words that are full.
    full: usize,
    /// The bits of the next word, and their number.
    rest: u64,
    bits: u32,
}

impl BitWriter {
    #[inline]
    pub(super) fn write(&mut self, (code, bits): Code) {
        let code = u64::from(code);
        let bits = u32::from(bits);
        self.rest |= code << self.bits;
        self.bits += bits;
        if self.bits >= 64 {
            self.words[self.full] = self.rest;
            self.full += 1;
            self.bits -= 64;
            self.rest = code >> (bits - self.bits);
        }
    }

    /// Writes this many zeros.
    #[inline]
    pub(super) fn skip(&mut self, zeros: u32) {
        self.bits += zeros;
        while self.bits >= 64 {
            self.words[self.full] = self.rest;
            self.full += 1;
            self.bits -= 64;
            self.rest = 0;
        }
    }

    pub(super) fn first_32_bytes(mut self) -> [u8; 32] {
        self.words[self.full] = self.rest;
        let mut bytes = [0; 32];
        for (chunk, word) in bytes.chunks_exact_mut(8).zip(self.words) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }
}

/// A reader of 256 bits, least significant first; bits beyond the end read as 0.
pub(super) struct BitReader {
    words: [u64; 4],
    pub(super) cursor: usize,
}

impl BitReader {
    pub(super) fn new(bytes: &[u8; 32]) -> Self {
        let mut words = [0; 4];
        for (word, chunk) in words.iter_mut().zip(bytes.chunks_exact(8)) {
            *word = u64::from_le_bytes(chunk.try_into().expect("a chunk has eight bytes"));
        }
        Self { words, cursor: 0 }
    }

    /// The next `bits` bits, at most 8; the cursor does not move.
    pub(super) fn peek(&self, bits: u32) -> u64 {
        let word = self.cursor / 64;
        let shift = self.cursor % 64;
        let low = self.words.get(word).copied().unwrap_or(0) >> shift;
        // Two shifts, because a shift by 64 (for `shift` 0) would overflow.
        let high = self.words.get(word + 1).copied().unwrap_or(0) << 1 << (63 - shift);
        (low | high) & ((1 << bits) - 1)
    }

    /// The next 64 bits.
    pub(super) fn window(&self) -> Window {
        let word = self.cursor / 64;
        let shift = self.cursor % 64;
        let low = self.words.get(word).copied().unwrap_or(0) >> shift;
        let high = self.words.get(word + 1).copied().unwrap_or(0) << 1 << (63 - shift);
        Window { bits: low | high, left: Window::BITS }
    }

    pub(super) fn take(&mut self, bits: u32) -> u64 {
        let found = self.peek(bits);
        self.cursor += bits as usize;
        found
    }
}

/// The next bits of a [`BitReader`], in a register of their own.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) bits: u64,
    pub(super) left: u32,
}

impl Window {
    const BITS: u32 = 64;

    pub(super) fn skip(&mut self, bits: u32) {
        self.bits = self.bits.checked_shr(bits).unwrap_or(0);
        self.left -= bits;
    }

    pub(super) fn taken(self) -> usize {
        (Self::BITS - self.left) as usize
    }
}
