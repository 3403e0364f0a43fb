//! Files of compact networks.
//!
//! All numbers are little-endian:
//!
//! | bytes | content |
//! |---|---|
//! | 4 | `koma` |
//! | 4 | version of the format: 3 |
//! | 4 | the base: 0 for material, CRC-32 of the weights of `Classical` for those |
//! | 4 × 4 | width, classes of progress, centipawns of an output of 1.0, length of the description |
//! | | the description, UTF-8: where the weights come from |
//! | 2 × width | biases of the first layer, `i16`, in units of 1 / 255 |
//! | | weights of the first layer, `[zone of the own king][piece][output]`, 255 for 1.0: a block `COMPRESSED_LEB128` |
//! | 4 × (classes − 1) | the least progress of each class but the first, `i32`, ascending |
//! | classes × 2 × width | output weights, `i8`, in units of 1 / 64, the views in the order own, other |
//! | 4 × classes | output biases, `i32`, in units of 1 / (255 · 64) |
//! | 4 | CRC-32 of all bytes before |
//!
//! The last output of the first layer is also the measure of progress: its sum over both views. A
//! block is that of stacked networks: its name, the number of bytes that follow, and the numbers in
//! LEB128. Almost every weight takes one byte. In version 2, which is still read, weights are 9 ×
//! 1,548 × width numbers `i16`.

use std::io::{self, BufRead, BufWriter, Write};

use crc32fast::Hasher;

use super::format::COMPACT;
use crate::aligned::Aligned;
use crate::architecture::Architecture;
use crate::compact::{Compact, CompactBase, is_first_layer_bounded};
use crate::error::NetworkError;
use crate::facts::{FileFacts, NetworkFacts};
use crate::layers::Layers;
use crate::leb128::{read_block, write_block};
use crate::network::{Network, Parameters};
use crate::source::Source;

/// The version of the format.
const FORMAT: u32 = 3;

/// The version before, in which the weights are not compressed.
const WITHOUT_BLOCK: u32 = 2;

/// The longest description.
const MAX_DESCRIPTION: u32 = 4_096;

/// The largest scale.
const MAX_SCALE: u32 = 10_000;

/// Reads a file after its first four bytes.
pub(super) fn read<R: BufRead>(source: &mut Source<R>) -> Result<Network, NetworkError> {
    source.start_checksum(&COMPACT.to_le_bytes());
    let mut number = |what, limit: u32, expected| {
        let at = source.at();
        let found = source.number()?;
        let fault = NetworkError::Unsupported { at, what, found: found.into(), expected };
        if found <= limit { Ok(found) } else { Err(fault) }
    };
    let format = number("as version", FORMAT, "version 2 or 3")?;
    let base = number("as base", u32::MAX, "")?;
    let width =
        number("outputs", Architecture::MAX_COMPACT_WIDTH as u32, "a multiple of 32 to 2,048")?;
    let classes = number("classes", Architecture::MAX_CLASSES as u32, "1 to 16 classes")?;
    let scale = number("centipawns", MAX_SCALE, "0 to 10,000 centipawns")?;
    let description = number("bytes of description", MAX_DESCRIPTION, "at most 4,096")?;
    if format != FORMAT && format != WITHOUT_BLOCK {
        let found = format.into();
        let expected = "version 2 or 3";
        return Err(NetworkError::Unsupported { at: 4, what: "as version", found, expected });
    }
    let base = CompactBase::of_number(base).ok_or(NetworkError::Unsupported {
        at: 8,
        what: "as base",
        found: base.into(),
        expected: "0 for material, or the weights of Classical in this version",
    })?;
    let architecture = Architecture::compact(width as usize, classes as usize).ok_or(
        NetworkError::Unsupported {
            at: 12,
            what: "outputs",
            found: width.into(),
            expected: "a multiple of 32 outputs, and at least one class",
        },
    )?;
    source.begin("the description");
    let description = source.bytes(description as usize)?;
    let description = String::from_utf8_lossy(&description).into_owned();
    let parameters = read_parameters(source, format, architecture, (base, scale as i32))?;
    source.end_checksum()?;
    source.require_end(architecture)?;
    let len = source.at();
    let file = FileFacts { version: COMPACT, hash: 0, features_hash: 0, layers_hash: 0, len };
    let facts = NetworkFacts { file: Some(file), ..NetworkFacts::new(architecture, description) };
    Ok(Network::with_facts(facts, parameters))
}

fn read_parameters<R: BufRead>(
    source: &mut Source<R>,
    format: u32,
    architecture: Architecture,
    (base, scale): (CompactBase, i32),
) -> Result<Parameters, NetworkError> {
    let width = architecture.width();
    let classes = architecture.classes().unwrap_or(1);
    source.begin("the first layer");
    let at = source.at();
    let biases = source.numbers16(width)?;
    let count = width * architecture.features().inputs();
    let weights = match format {
        WITHOUT_BLOCK => source.numbers16(count)?,
        _ => read_block(source, count)?,
    };
    if !is_first_layer_bounded(&biases, &weights) {
        return Err(NetworkError::Overflow { at, section: "the first layer" });
    }
    source.begin("the output layers");
    let thresholds = source.numbers32(classes - 1)?;
    let at = source.at();
    let rows: Vec<i16> = source.numbers8(2 * width * classes)?.into_iter().map(i16::from).collect();
    let output_weights = Aligned::from_slice(&rows);
    let output_biases = source.numbers32(classes)?;
    let compact =
        Compact { base, thresholds, weights: output_weights, biases: output_biases, scale };
    if !compact.is_bounded(width) {
        return Err(NetworkError::Overflow { at, section: "the output layers" });
    }
    Ok(Parameters { biases, weights: weights.into(), layers: Layers::Compact(compact) })
}

/// Writes a file.
pub(super) fn write(network: &Network, compact: &Compact, to: impl Write) -> io::Result<()> {
    let mut to = Summed { to: BufWriter::new(to), checksum: Hasher::new() };
    let description = network.description().as_bytes();
    let numbers = [
        COMPACT,
        FORMAT,
        compact.base.number(),
        network.architecture().width() as u32,
        compact.biases.len() as u32,
        compact.scale as u32,
        description.len() as u32,
    ];
    numbers.iter().try_for_each(|number| to.write_all(&number.to_le_bytes()))?;
    to.write_all(description)?;
    for number in network.biases() {
        to.write_all(&number.to_le_bytes())?;
    }
    write_block(&mut to, network.weights())?;
    for number in &compact.thresholds {
        to.write_all(&number.to_le_bytes())?;
    }
    for weight in compact.weights.iter() {
        to.write_all(&(*weight as i8).to_le_bytes())?;
    }
    for number in &compact.biases {
        to.write_all(&number.to_le_bytes())?;
    }
    let checksum = to.checksum.clone().finalize();
    to.write_all(&checksum.to_le_bytes())?;
    to.flush()
}

/// A writer with the checksum of what it has written.
struct Summed<W: Write> {
    to: BufWriter<W>,
    checksum: Hasher,
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.checksum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
