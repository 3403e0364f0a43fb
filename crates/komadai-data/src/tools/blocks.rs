//! The records of several files in blocks.

use std::fs::File;
use std::io::{self, Read as _};

use super::input::Input;
use crate::record::BYTES;

/// Successive records of one file.
pub(super) struct Block {
    /// The index of the file.
    pub(super) input: usize,
    /// The number of the first record, from 0.
    pub(super) first: u64,
    /// The bytes of the records.
    pub(super) bytes: Vec<u8>,
}

/// A file that cannot be read on.
pub(super) struct Unreadable {
    /// The index of the file.
    pub(super) input: usize,
    /// The number of the first record that cannot be read, from 0.
    pub(super) record: u64,
    pub(super) error: io::Error,
}

/// The records of several files in blocks. Only the last block of a file may be shorter.
pub(super) struct Blocks<'a> {
    inputs: &'a [Input],
    block_records: usize,
    /// The index of the file that is read.
    input: usize,
    /// The number of records read of it.
    read: u64,
    file: Option<File>,
}

impl<'a> Blocks<'a> {
    pub(super) fn new(inputs: &'a [Input], block_records: usize) -> Self {
        Self { inputs, block_records, input: 0, read: 0, file: None }
    }

    fn read_block(&mut self, input: &Input) -> io::Result<Vec<u8>> {
        let left = input.records() - self.read;
        let records = left.min(self.block_records as u64) as usize;
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(input.open()?),
        };
        let mut bytes = vec![0; records * BYTES];
        file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn next_input(&mut self) {
        (self.input, self.read, self.file) = (self.input + 1, 0, None);
    }
}

impl Iterator for Blocks<'_> {
    type Item = Result<Block, Unreadable>;

    fn next(&mut self) -> Option<Self::Item> {
        let inputs = self.inputs;
        while self.read >= inputs.get(self.input)?.records() {
            self.next_input();
        }
        let (index, first) = (self.input, self.read);
        match self.read_block(&inputs[index]) {
            Ok(bytes) => {
                self.read += (bytes.len() / BYTES) as u64;
                Some(Ok(Block { input: index, first, bytes }))
            }
            Err(error) => {
                self.next_input();
                Some(Err(Unreadable { input: index, record: first, error }))
            }
        }
    }
}
