//! The records of several files in blocks.

use std::fs::File;
use std::io::{self, Read as _, Take};

use crate::records::{
    GameBytes, GameFrames, Hcpe, PackedSfenValue, RecordFault, TrainingError, TrainingFormat,
    TrainingGame,
};

use super::fault::{BYTES, Fault};
use super::input::Input;

/// Successive records of one file.
pub(super) struct Block {
    /// The index of the file.
    pub(super) input: usize,
    /// The number of the first record, from 0.
    pub(super) first: u64,
    /// Number of the records, the damaged ones included.
    pub(super) records: u64,
    content: Content,
}

enum Content {
    /// Records of YaneuraOu.
    Psv(Vec<u8>),
    Hcpe(Vec<u8>),
    Games(TrainingFormat, Vec<GameBytes>),
}

/// A record, a game or another part of a block, or its fault; with the number of its first record
/// in the block, from 0.
pub(super) type Part<T> = (u64, Result<T, Fault>);

impl Block {
    /// Returns the bytes of a record as they are in the file, if it has the format of YaneuraOu.
    pub(super) fn bytes(&self, record: u64) -> Option<&[u8; BYTES]> {
        match &self.content {
            Content::Psv(bytes) => bytes.as_chunks().0.get(record as usize),
            _ => None,
        }
    }

    /// Reads the records, and returns what `examine` finds about each. A damaged game counts once.
    pub(super) fn examined<T>(
        &self,
        examine: impl Fn(&PackedSfenValue) -> Result<T, Fault>,
    ) -> Vec<Part<T>> {
        let mut parts = Vec::with_capacity(self.records as usize);
        match &self.content {
            Content::Psv(bytes) => {
                parts.extend((0..).zip(bytes.as_chunks().0).map(|(at, bytes)| {
                    let record = PackedSfenValue::from_bytes(bytes).map_err(Fault::from);
                    (at, record.and_then(|record| examine(&record)))
                }))
            }
            Content::Hcpe(bytes) => {
                parts.extend((0..).zip(bytes.as_chunks().0).map(|(at, bytes)| {
                    (at, psv_of(bytes).map_err(Fault::from).and_then(|psv| examine(&psv)))
                }))
            }
            Content::Games(format, games) => {
                let mut first = 0;
                for game in games {
                    let (before, mut at) = (parts.len(), first);
                    let read = game.records(*format, &mut |record| {
                        parts.push((at, examine(&record)));
                        at += 1;
                    });
                    if let Err(damage) = read {
                        parts.truncate(before);
                        parts.push((first, Err(damage.into())));
                    }
                    first += game.records as u64;
                }
            }
        }
        parts
    }

    /// Reads the games, and returns what `convert` makes of each; `None` for a format without games.
    pub(super) fn games<T>(
        &self,
        convert: impl Fn(TrainingGame) -> Result<T, Fault>,
    ) -> Option<Vec<Part<T>>> {
        let Content::Games(format, games) = &self.content else { return None };
        let mut first = 0;
        let read = games.iter().map(|game| {
            let at = first;
            first += game.records as u64;
            (at, game.game(*format).map_err(Fault::from).and_then(&convert))
        });
        Some(read.collect())
    }
}

/// Returns an HCPE record as one of YaneuraOu, with the move number 0: it is unknown.
fn psv_of(bytes: &[u8; Hcpe::BYTES]) -> Result<PackedSfenValue, RecordFault> {
    Ok(Hcpe::from_bytes(bytes)?.to_psv(0)?)
}

/// A file that cannot be read on.
pub(super) struct Unreadable {
    /// The index of the file.
    pub(super) input: usize,
    /// The number of the first record that cannot be read, from 0.
    pub(super) record: u64,
    pub(super) error: io::Error,
}

/// The records of several files in blocks. In formats of games, blocks have whole games.
pub(super) struct Blocks<'a> {
    inputs: &'a [Input],
    block_records: usize,
    /// The index of the file that is read.
    input: usize,
    /// The number of records read of it.
    read: u64,
    file: Option<Open>,
}

/// A file that is being read.
enum Open {
    Fixed(File),
    Games(GameFrames<Take<File>>),
}

impl<'a> Blocks<'a> {
    pub(super) fn new(inputs: &'a [Input], block_records: usize) -> Self {
        Self { inputs, block_records, input: 0, read: 0, file: None }
    }

    fn read_block(&mut self, input: &Input) -> io::Result<Block> {
        let (index, first) = (self.input, self.read);
        let most = (input.records() - first).min(self.block_records as u64);
        let file = match &mut self.file {
            Some(file) => file,
            none => {
                let file = input.open()?;
                none.insert(match input.format.has_games() {
                    true => Open::Games(GameFrames::new(file.take(input.bytes), input.format)),
                    false => Open::Fixed(file),
                })
            }
        };
        let (records, content) = match file {
            Open::Fixed(file) => {
                let record_bytes = input.format.record_bytes().unwrap_or(BYTES);
                let mut bytes = vec![0; most as usize * record_bytes];
                file.read_exact(&mut bytes)?;
                let is_hcpe = input.format == TrainingFormat::Hcpe;
                (most, if is_hcpe { Content::Hcpe(bytes) } else { Content::Psv(bytes) })
            }
            Open::Games(frames) => {
                let (mut games, mut records) = (Vec::new(), 0);
                while records < most {
                    let Some(game) = frames.next_game().map_err(unreadable)? else { break };
                    records += game.records as u64;
                    games.push(game);
                }
                if records == 0 {
                    // The file is shorter than it was.
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                (records, Content::Games(input.format, games))
            }
        };
        Ok(Block { input: index, first, records, content })
    }

    /// Passes over the rest of a file.
    pub(super) fn leave(&mut self, input: usize) {
        if self.input == input {
            self.next_input();
        }
    }

    fn next_input(&mut self) {
        (self.input, self.read, self.file) = (self.input + 1, 0, None);
    }
}

fn unreadable(error: TrainingError) -> io::Error {
    match error {
        TrainingError::Io { error, .. } => error,
        other => io::Error::new(io::ErrorKind::InvalidData, other),
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
            Ok(block) => {
                self.read += block.records;
                Some(Ok(block))
            }
            Err(error) => {
                self.next_input();
                Some(Err(Unreadable { input: index, record: first, error }))
            }
        }
    }
}
