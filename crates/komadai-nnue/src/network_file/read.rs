//! Reading of network files.

use core::ops::Range;
use std::io::{BufRead, Seek};

use super::format::{COMPACT, LAYER_STACKS, LAYER_STACKS_OF_NINE, VERSION};
use super::read_options::{Progress, ReadOptions};
use super::stacked::Content;
use super::{compact, stacked};
use crate::architecture::Architecture;
use crate::dense::Dense;
use crate::detection::Claims;
use crate::error::NetworkError;
use crate::facts::{FileFacts, NetworkFacts};
use crate::layers::Layers;
use crate::network::{Network, Parameters};
use crate::scale::{ScaleSource, scale_of_text};
use crate::source::Source;
use crate::weights::Weights;

/// The longest description that is read.
const MAX_DESCRIPTION: u32 = 4_096;

/// Returns the weights in a range of bytes, if they need not be read.
pub(super) type Place<'a> = &'a dyn Fn(Range<usize>) -> Option<Weights>;

/// Reads a network of `len` bytes. `progress` gives the file `progress.bin`, if one is needed.
pub(super) fn read(
    reader: impl BufRead + Seek,
    len: u64,
    place: Place<'_>,
    options: &ReadOptions,
    progress: Progress<'_>,
) -> Result<Network, NetworkError> {
    let mut source = Source::new(reader, len);
    let version = source.number()?;
    if version == COMPACT {
        return compact::read(&mut source);
    }
    if ![VERSION, LAYER_STACKS, LAYER_STACKS_OF_NINE].contains(&version) {
        return Err(NetworkError::Version { found: version });
    }
    // Some trainers write a hash of their own here, and programs only warn.
    let hash = source.number()?;
    let found = source.number()?;
    if found > MAX_DESCRIPTION {
        return Err(NetworkError::DescriptionTooLong { found, limit: MAX_DESCRIPTION });
    }
    source.begin("the description");
    let text = source.bytes(found as usize)?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let stacks = match version {
        LAYER_STACKS => Some(stacked::read_count(&mut source)?),
        LAYER_STACKS_OF_NINE => Some(9),
        _ => None,
    };
    source.begin("the first layer");
    let features_hash = source.number()?;
    let claims = Claims::new(&text, features_hash);
    let content = if let Some(stacks) = stacks {
        stacked::read_layer_stack(&mut source, &claims, stacks, options, progress)?
    } else if claims.is_stacked(&mut source)? {
        stacked::read_stacked(&mut source, &claims)?
    } else {
        let (architecture, doubts) = claims.classical(&mut source)?;
        let parameters = read_classical(&mut source, architecture, place)?;
        Content { architecture, parameters, doubts, layers_hash: architecture.layers_hash() }
    };
    let Content { architecture, parameters, doubts, layers_hash } = content;
    source.require_end(architecture)?;
    let mut facts = NetworkFacts {
        doubts,
        file: Some(FileFacts { version, hash, features_hash, layers_hash, len }),
        ..NetworkFacts::new(architecture, text)
    };
    let stated = scale_of_text(&facts.text);
    facts.take_scale(ScaleSource::Text, stated);
    Ok(Network::with_facts(facts, parameters))
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
    let [first, second, last] = architecture.layers();
    let mut read = |section, (inputs, outputs)| {
        let (biases, rows) = source.dense(section, (inputs, outputs))?;
        Ok(Dense::from_rows(inputs, &biases, &rows))
    };
    let layers = [
        read("the first hidden layer", first)?,
        read("the second hidden layer", second)?,
        read("the output layer", last)?,
    ];
    Ok(Parameters { biases, weights, layers: Layers::Classical(Box::new(layers)) })
}
