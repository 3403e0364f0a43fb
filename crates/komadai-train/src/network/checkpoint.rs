//! The file of an interrupted training.
//!
//! All numbers are little-endian: eight bytes that name the format, the length of the options and the options
//! as JSON, the hash of the positions, then the numbers of the [`State`] in their order, and the SHA-256 of
//! all bytes before.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::curve::LossPoint;
use super::error::TrainingError;
use super::lanes::{LANES, Lanes};
use super::rows::Rows;
use super::state::State;
use super::weights::Rounded;

/// The name of the format, with its version.
const FORMAT: &[u8; 8] = b"kdtrain1";

/// The bytes of a [`LossPoint`].
const POINT: usize = 36;

/// The bytes of a SHA-256.
const DIGEST: usize = 32;

/// The options of a training and the hash of its positions: what must be the same to go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) options: String,
    pub(super) positions: u64,
}

/// Writes a state: after a crash the file has its old content or the new one.
pub(super) fn write(path: &Path, identity: &Identity, state: &State) -> Result<(), TrainingError> {
    let mut bytes = FORMAT.to_vec();
    let mut writer = Writer(&mut bytes);
    writer.number(identity.options.len() as u64);
    writer.0.extend(identity.options.as_bytes());
    writer.number(identity.positions);
    writer.state(state);
    let digest = Sha256::digest(&bytes);
    bytes.extend(digest);
    replace(path, &bytes)
        .map_err(|error| TrainingError::Checkpoint { path: path.to_owned(), error })
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".new");
    let write = || {
        let mut file = File::create(&unfinished)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&unfinished, path)
    };
    write().inspect_err(|_| {
        let _ = fs::remove_file(&unfinished);
    })
}

/// Reads a state into one of the same shape.
pub(super) fn read(
    path: &Path,
    identity: &Identity,
    state: &mut State,
) -> Result<(), TrainingError> {
    let bytes = fs::read(path)
        .map_err(|error| TrainingError::Checkpoint { path: path.to_owned(), error })?;
    let mismatch = |(found, expected): (String, String)| TrainingError::Mismatch {
        path: path.to_owned(),
        found,
        expected,
    };
    read_bytes(&bytes, identity, state).map_err(mismatch)
}

/// The text found and the text expected.
type Mismatch = (String, String);

fn read_bytes(bytes: &[u8], identity: &Identity, state: &mut State) -> Result<(), Mismatch> {
    let damaged = || ("a damaged file".to_owned(), "an interrupted training".to_owned());
    let content = bytes.len().checked_sub(DIGEST).ok_or_else(damaged)?;
    let (content, digest) = bytes.split_at(content);
    if !content.starts_with(FORMAT) || Sha256::digest(content).as_slice() != digest {
        return Err(damaged());
    }
    let mut reader = Reader(&content[FORMAT.len()..]);
    let options = reader.number().and_then(|len| reader.take(usize::try_from(len).ok()?));
    let options = String::from_utf8_lossy(options.ok_or_else(damaged)?).into_owned();
    if options != identity.options {
        return Err((format!("the options {options}"), identity.options.clone()));
    }
    if reader.number() != Some(identity.positions) {
        return Err(("other positions".to_owned(), "the same positions in their order".to_owned()));
    }
    reader.state(state).filter(|()| reader.0.is_empty()).ok_or_else(damaged)
}

struct Writer<'a>(&'a mut Vec<u8>);

impl Writer<'_> {
    fn number(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    fn state(&mut self, state: &State) {
        self.number(state.epoch.into());
        self.number(state.position);
        state.weights.groups().into_iter().for_each(|rows| self.rows(rows));
        self.number(state.curve.len() as u64);
        state.curve.iter().for_each(|point| self.point(point));
        self.number(state.best.as_ref().map_or(0, |(at, _)| *at as u64 + 1));
        state.best.iter().for_each(|(_, rounded)| self.rounded(rounded));
    }

    fn rows(&mut self, rows: &Rows) {
        for lanes in [&rows.weights, &rows.means, &rows.squares] {
            self.lanes(lanes);
        }
        self.0.extend(rows.steps.iter().flat_map(|steps| steps.to_le_bytes()));
    }

    fn lanes(&mut self, lanes: &[Lanes]) {
        self.0.extend(lanes.iter().flat_map(|lanes| lanes.0).flat_map(f32::to_le_bytes));
    }

    fn point(&mut self, point: &LossPoint) {
        self.number(point.positions);
        self.0.extend(point.epoch.to_le_bytes());
        self.0.extend(point.learning_rate.to_le_bytes());
        self.0.extend(point.training_loss.to_le_bytes());
        self.0.extend(point.held_out_loss.to_le_bytes());
    }

    fn rounded(&mut self, rounded: &Rounded) {
        for numbers in [&rounded.rows, &rounded.biases] {
            self.0.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        self.lanes(&rounded.outputs);
        self.0.extend(rounded.output_biases.iter().flat_map(|bias| bias.to_le_bytes()));
    }
}

/// The rest of a file. Each function returns `None` if the rest is too short.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, bytes: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(bytes)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn number(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.array()?))
    }

    fn real(&mut self) -> Option<f64> {
        Some(f64::from_le_bytes(self.array()?))
    }

    fn single(&mut self) -> Option<f32> {
        Some(f32::from_le_bytes(self.array()?))
    }

    fn state(&mut self, state: &mut State) -> Option<()> {
        state.epoch = self.number()?.try_into().ok()?;
        state.position = self.number()?;
        for rows in state.weights.groups_mut() {
            self.rows(rows)?;
        }
        state.weights.restore_rounded();
        let points = usize::try_from(self.number()?).ok()?;
        // A number of points that the rest cannot hold asks for no memory.
        let points = (points <= self.0.len() / POINT).then_some(points)?;
        state.curve = (0..points).map(|_| self.point()).collect::<Option<_>>()?;
        let best = usize::try_from(self.number()?).ok()?;
        state.best = match best.checked_sub(1) {
            Some(at) if at < points => {
                let mut rounded = state.weights.rounded.clone();
                self.rounded(&mut rounded)?;
                Some((at, rounded))
            }
            Some(_) => return None,
            None => None,
        };
        Some(())
    }

    fn rows(&mut self, rows: &mut Rows) -> Option<()> {
        for lanes in [&mut rows.weights, &mut rows.means, &mut rows.squares] {
            self.lanes(lanes)?;
        }
        let bytes = self.take(4 * rows.steps.len())?.as_chunks().0;
        for (steps, bytes) in rows.steps.iter_mut().zip(bytes) {
            *steps = u32::from_le_bytes(*bytes);
        }
        Some(())
    }

    fn lanes(&mut self, lanes: &mut [Lanes]) -> Option<()> {
        let bytes = self.take(4 * LANES * lanes.len())?.as_chunks().0;
        let numbers = lanes.iter_mut().flat_map(|lanes| &mut lanes.0);
        for (number, bytes) in numbers.zip(bytes) {
            *number = f32::from_le_bytes(*bytes);
        }
        Some(())
    }

    fn point(&mut self) -> Option<LossPoint> {
        Some(LossPoint {
            positions: self.number()?,
            epoch: self.real()?,
            learning_rate: self.single()?,
            training_loss: self.real()?,
            held_out_loss: self.real()?,
        })
    }

    fn rounded(&mut self, rounded: &mut Rounded) -> Option<()> {
        for numbers in [&mut rounded.rows, &mut rounded.biases] {
            let bytes = self.take(2 * numbers.len())?.as_chunks().0;
            for (number, bytes) in numbers.iter_mut().zip(bytes) {
                *number = i16::from_le_bytes(*bytes);
            }
        }
        self.lanes(&mut rounded.outputs)?;
        for bias in &mut rounded.output_biases {
            *bias = self.single()?;
        }
        Some(())
    }
}
