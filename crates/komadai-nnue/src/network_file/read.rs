//! Reading of network files.

use core::ops::Range;
use std::io::BufRead;

use super::compact;
use super::format::{COMPACT, VERSION};
use crate::aligned::Aligned;
use crate::architecture::{Architecture, padded};
use crate::dense::Dense;
use crate::error::NetworkError;
use crate::layers::{Layers, Stacked};
use crate::leb128::read_block;
use crate::network::{Network, Parameters};
use crate::progress_model::ProgressModel;
use crate::source::Source;
use crate::stack::Stack;
use crate::stack_choice::StackChoice;
use crate::weights::Weights;

/// The longest description that is read.
const MAX_DESCRIPTION: u32 = 4_096;

/// Returns the weights in a range of bytes, if they need not be read.
type Place<'a> = &'a dyn Fn(Range<usize>) -> Option<Weights>;

/// Reads a network of `len` bytes.
pub(super) fn read(
    reader: impl BufRead,
    len: u64,
    place: Place<'_>,
) -> Result<Network, NetworkError> {
    let mut source = Source::new(reader, len);
    let version = source.number()?;
    if version == COMPACT {
        return compact::read(&mut source);
    }
    if version != VERSION {
        return Err(NetworkError::Version { found: version });
    }
    // Some trainers write a hash of their own here, and programs only warn.
    source.number()?;
    let found = source.number()?;
    if found > MAX_DESCRIPTION {
        return Err(NetworkError::DescriptionTooLong { found, limit: MAX_DESCRIPTION });
    }
    source.begin("the description");
    let description = source.bytes(found as usize)?;
    let description = String::from_utf8_lossy(&description).into_owned();
    source.begin("the first layer");
    let hash = source.number()?;
    let architecture =
        Architecture::detect(&description, hash, source.left()).ok_or_else(|| {
            let description = description.chars().take(200).collect();
            NetworkError::UnknownArchitecture { description, hash }
        })?;
    let parameters = match architecture.stack_choice() {
        None => read_classical(&mut source, architecture, place)?,
        Some(choice) => read_stacked(&mut source, architecture, choice)?,
    };
    source.require_end(architecture)?;
    Ok(Network::from_parameters(architecture, description, parameters))
}

/// Reads a classical network after the hash of the first layer.
fn read_classical<R: BufRead>(
    source: &mut Source<R>,
    architecture: Architecture,
    place: Place<'_>,
) -> Result<Parameters, NetworkError> {
    let width = architecture.width();
    let biases = source.numbers16(width)?;
    let count = width * architecture.features().inputs();
    let bytes = source.next(2 * count as u64)?;
    let weights = match place(bytes.clone()) {
        Some(weights) => source.skip(bytes.len()).map(|()| weights)?,
        None => source.numbers16(count)?.into(),
    };
    source.begin("the hidden layers");
    source.hash(architecture.layers_hash())?;
    let layers = Layers::Classical(Box::new(read_layers(source, architecture)?));
    Ok(Parameters { biases, weights, layers })
}

/// Reads a stacked network after the hash of the first layer.
fn read_stacked<R: BufRead>(
    source: &mut Source<R>,
    architecture: Architecture,
    choice: StackChoice,
) -> Result<Parameters, NetworkError> {
    let width = architecture.width();
    let mut biases = read_block(source, width)?;
    let mut weights = read_block(source, width * architecture.features().inputs())?;
    double(&mut biases);
    double(&mut weights);
    let progress = match choice.progress {
        0 | 1 => None,
        _ => {
            source.begin("the model of progress");
            source.hash(Architecture::PROGRESS)?;
            let bias = source.number()? as i32;
            Some(ProgressModel { bias, weights: source.numbers32(ProgressModel::WEIGHTS)? })
        }
    };
    let mut stacks = Vec::new();
    for _ in 0..choice.count() {
        source.begin("the layer stacks");
        source.hash(architecture.layers_hash())?;
        stacks.push(Stack { layers: read_layers(source, architecture)? });
    }
    let [hidden, _] = architecture.hidden();
    let layers = Layers::Stacked(Stacked { choice, progress, stacks, hidden });
    Ok(Parameters { biases, weights: weights.into(), layers })
}

/// Doubles the weights of a stacked network, whose products are defined by doubled sums.
fn double(numbers: &mut Aligned<i16>) {
    numbers.iter_mut().for_each(|number| *number = number.wrapping_mul(2));
}

fn read_layers<R: BufRead>(
    source: &mut Source<R>,
    architecture: Architecture,
) -> Result<[Dense; 3], NetworkError> {
    let [first, second, last] = architecture.layers();
    let mut read = |section, (inputs, outputs): (usize, usize)| {
        source.begin(section);
        let biases = source.numbers32(outputs)?;
        let rows = source.numbers8(outputs * padded(inputs))?;
        Ok(Dense::from_rows(inputs, &biases, &rows))
    };
    Ok([
        read("the first hidden layer", first)?,
        read("the second hidden layer", second)?,
        read("the output layer", last)?,
    ])
}
