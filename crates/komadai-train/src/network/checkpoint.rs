//! The file of an interrupted training.
//!
//! All numbers are little-endian: eight bytes that name the format, the length of the options and
//! the options as JSON, the hash of the positions, then the numbers of the [`State`] in their
//! order, and the SHA-256 of all bytes before.

use std::io::{self, Write};
use std::path::Path;

use komadai_base::atomic_file::Draft;
use komadai_base::file::{read_regular, with_ending};
use sha2::{Digest as _, Sha256};

use crate::network::error::TrainingError;
use crate::network::head::Head;
use crate::network::lanes::LANES;
use crate::network::report::LossPoint;
use crate::network::rows::Rows;
use crate::network::weights::{Rounded, Weights};

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
pub(super) fn write<H: Head>(
    path: &Path,
    identity: &Identity,
    state: &State<H>,
) -> Result<(), TrainingError> {
    let write = || {
        // One name for all, because a killed process may leave a file of hundreds of megabytes.
        let file = Draft::with_name(path, with_ending(path, ".new")).create()?;
        let mut writer = Writer { file, digest: Sha256::new() };
        writer.bytes(FORMAT)?;
        writer.number(identity.options.len() as u64)?;
        writer.bytes(identity.options.as_bytes())?;
        writer.number(identity.positions)?;
        writer.state(state)?;
        let digest = writer.digest.finalize();
        writer.file.write_all(&digest)?;
        writer.file.commit()
    };
    write().map_err(|error| TrainingError::Checkpoint { path: path.to_owned(), error })
}

/// Reads a state into one of the same shape.
pub(super) fn read<H: Head>(
    path: &Path,
    identity: &Identity,
    state: &mut State<H>,
) -> Result<(), TrainingError> {
    let bytes = read_regular(path)
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

fn read_bytes<H: Head>(
    bytes: &[u8],
    identity: &Identity,
    state: &mut State<H>,
) -> Result<(), Mismatch> {
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
        return Err((
            "another start".to_owned(),
            "the same positions and first weights".to_owned(),
        ));
    }
    reader.state(state).filter(|()| reader.0.is_empty()).ok_or_else(damaged)
}

struct Writer<W: Write> {
    file: W,
    digest: Sha256,
}

impl<W: Write> Writer<W> {
    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.digest.update(bytes);
        self.file.write_all(bytes)
    }

    fn number(&mut self, number: u64) -> io::Result<()> {
        self.bytes(&number.to_le_bytes())
    }

    fn state<H: Head>(&mut self, state: &State<H>) -> io::Result<()> {
        self.number(state.epoch.into())?;
        self.number(state.position)?;
        state.weights.groups().into_iter().try_for_each(|rows| self.rows(rows))?;
        self.number(state.curve.len() as u64)?;
        state.curve.iter().try_for_each(|point| self.point(point))?;
        self.number(state.best.as_ref().map_or(0, |(at, _)| *at as u64 + 1))?;
        state.best.iter().try_for_each(|(_, rounded)| self.rounded(rounded))
    }

    fn rows(&mut self, rows: &Rows) -> io::Result<()> {
        for lanes in [&rows.weights, &rows.means, &rows.squares] {
            lanes.iter().try_for_each(|lanes| self.reals(&lanes.0))?;
        }
        rows.steps.iter().try_for_each(|steps| self.bytes(&steps.to_le_bytes()))
    }

    fn reals(&mut self, numbers: &[f32]) -> io::Result<()> {
        for numbers in numbers.chunks(LANES) {
            let mut bytes = [0; 4 * LANES];
            for (bytes, number) in bytes.as_chunks_mut().0.iter_mut().zip(numbers) {
                *bytes = number.to_le_bytes();
            }
            self.bytes(&bytes[..4 * numbers.len()])?;
        }
        Ok(())
    }

    fn point(&mut self, point: &LossPoint) -> io::Result<()> {
        self.number(point.positions)?;
        self.bytes(&point.epoch.to_le_bytes())?;
        self.bytes(&point.learning_rate.to_le_bytes())?;
        self.bytes(&point.training_loss.to_le_bytes())?;
        self.bytes(&point.held_out_loss.to_le_bytes())
    }

    fn rounded<H: Head>(&mut self, rounded: &Rounded<H>) -> io::Result<()> {
        for numbers in [&rounded.rows, &rounded.biases] {
            for numbers in numbers.as_chunks::<LANES>().0 {
                let mut bytes = [0; 2 * LANES];
                for (bytes, number) in bytes.as_chunks_mut().0.iter_mut().zip(numbers) {
                    *bytes = number.to_le_bytes();
                }
                self.bytes(&bytes)?;
            }
        }
        H::numbers(&rounded.head).into_iter().try_for_each(|numbers| self.reals(numbers))
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

    fn state<H: Head>(&mut self, state: &mut State<H>) -> Option<()> {
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
            lanes.iter_mut().try_for_each(|lanes| self.reals(&mut lanes.0))?;
        }
        let bytes = self.take(4 * rows.steps.len())?.as_chunks().0;
        for (steps, bytes) in rows.steps.iter_mut().zip(bytes) {
            *steps = u32::from_le_bytes(*bytes);
        }
        Some(())
    }

    fn reals(&mut self, numbers: &mut [f32]) -> Option<()> {
        let bytes = self.take(4 * numbers.len())?.as_chunks().0;
        for (number, bytes) in numbers.iter_mut().zip(bytes) {
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

    fn rounded<H: Head>(&mut self, rounded: &mut Rounded<H>) -> Option<()> {
        for numbers in [&mut rounded.rows, &mut rounded.biases] {
            let bytes = self.take(2 * numbers.len())?.as_chunks().0;
            for (number, bytes) in numbers.iter_mut().zip(bytes) {
                *number = i16::from_le_bytes(*bytes);
            }
        }
        H::numbers_mut(&mut rounded.head).into_iter().try_for_each(|numbers| self.reals(numbers))
    }
}

/// The state with which an interrupted training goes on.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct State<H: Head> {
    pub(super) epoch: u32,
    /// The positions of the epoch that have been learnt from.
    pub(super) position: u64,
    pub(super) weights: Weights<H>,
    pub(super) curve: Vec<LossPoint>,
    /// The measurement with the least loss, and the weights at that time.
    pub(super) best: Option<(usize, Rounded<H>)>,
}
