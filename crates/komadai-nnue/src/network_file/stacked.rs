//! Reading of stacked networks, those of YaneuraOu and those of rshogi and tatara.

use std::io::{BufRead, Seek};

use super::read_options::{Progress, ReadOptions};
use crate::aligned::Aligned;
use crate::architecture::Architecture;
use crate::dense::Dense;
use crate::detection::Claims;
use crate::error::NetworkError;
use crate::facts::Doubt;
use crate::feature_set::FeatureSet;
use crate::layers::{Layers, Selector, Stacked};
use crate::leb128::Block;
use crate::network::Parameters;
use crate::progress_model::ProgressModel;
use crate::psqt::Psqt;
use crate::source::Source;
use crate::stack::{Stack, first_hidden_layer, spread};
use crate::stack_choice::StackChoice;
use crate::stack_rule::StackRule;

/// A network as it was read, with what is doubtful about it.
pub(super) struct Content {
    pub(super) architecture: Architecture,
    pub(super) parameters: Parameters,
    pub(super) doubts: Vec<Doubt>,
    /// The hash of the hidden layers in the file.
    pub(super) layers_hash: u32,
}

/// The widths that the first layer of a stacked network may have, in messages.
const WIDTHS: &str = "an even number of them from 16 to 8,192";

/// The first layer of a stacked network, in the order of the file.
struct FirstLayer {
    features: FeatureSet,
    width: usize,
    biases: Aligned<i16>,
    weights: Aligned<i16>,
}

/// Reads a stacked network of YaneuraOu after the hash of the first layer.
pub(super) fn read_stacked<R: BufRead + Seek>(
    source: &mut Source<R>,
    claims: &Claims<'_>,
) -> Result<Content, NetworkError> {
    let mut first = read_first_layer(source)?;
    let (architecture, doubts) = claims.stacked(source, first.features, first.width)?;
    double(&mut first.biases);
    double(&mut first.weights);
    let choice = architecture.stack_choice().unwrap_or(StackChoice::K3K3);
    let model = match choice.progress {
        0 | 1 => None,
        _ => {
            source.begin("the model of progress");
            source.hash(Architecture::PROGRESS)?;
            let bias = source.number()? as i32;
            Some(ProgressModel { bias, weights: source.numbers32(ProgressModel::WEIGHTS)? })
        }
    };
    let selector = Selector::Classes(choice, model);
    let (layers_hash, stacks) = read_stacks(source, architecture)?;
    let parameters = first.parameters(architecture, selector, stacks, None);
    Ok(Content { architecture, parameters, doubts, layers_hash })
}

/// Reads the number of stacks of a LayerStack network.
pub(super) fn read_count<R: BufRead>(source: &mut Source<R>) -> Result<usize, NetworkError> {
    source.begin("the number of stacks");
    let at = source.at();
    let found = source.number()? as usize;
    let expected = "1 to 64";
    let fault = NetworkError::Unsupported { at, what: "stacks", found: found as i64, expected };
    if (1..=Architecture::MAX_LAYER_STACKS).contains(&found) { Ok(found) } else { Err(fault) }
}

/// Reads a LayerStack network after the hash of the first layer.
pub(super) fn read_layer_stack<R: BufRead + Seek>(
    source: &mut Source<R>,
    claims: &Claims<'_>,
    count: usize,
    options: &ReadOptions,
    progress: Progress<'_>,
) -> Result<Content, NetworkError> {
    if let Some(found) = claims.described.other_kind {
        return Err(NetworkError::OtherKind { found });
    }
    let model = match options.stack_rule {
        Some(StackRule::KingRank9) => None,
        _ => progress()?,
    };
    let rule = match options.stack_rule {
        Some(rule) => rule,
        None if model.is_some() => StackRule::Progress8KpAbs,
        None => StackRule::KingRank9,
    };
    let first = read_first_layer(source)?;
    let shape = (first.features, first.width);
    let (architecture, mut doubts) = claims.layer_stack(source, shape, (count, rule))?;
    let selector = match (rule, model) {
        (StackRule::Progress8KpAbs, Some(model)) => Selector::Progress(model),
        // The classes of kings are nine; fewer or more stacks are classes of progress.
        (StackRule::KingRank9, _) if options.stack_rule.is_some() || matches!(count, 1 | 9) => {
            Selector::KingRank9
        }
        _ => return Err(NetworkError::NoStackRule { stacks: count }),
    };
    if options.stack_rule.is_none() && count > 1 {
        doubts.push(Doubt::Stacks { stacks: count, assumed: rule.to_string() });
    }
    let has_psqt = architecture.layer_stacks().is_some_and(|stacks| stacks.has_psqt);
    let psqt = has_psqt.then(|| read_psqt(source, architecture)).transpose()?;
    let (layers_hash, stacks) = read_stacks(source, architecture)?;
    let parameters = first.parameters(architecture, selector, stacks, psqt);
    Ok(Content { architecture, parameters, doubts, layers_hash })
}

impl FirstLayer {
    fn parameters(
        self,
        architecture: Architecture,
        selector: Selector,
        stacks: Vec<Stack>,
        psqt: Option<Psqt>,
    ) -> Parameters {
        let [hidden, _] = architecture.hidden();
        Parameters {
            biases: spread(architecture, self.biases),
            weights: spread(architecture, self.weights).into(),
            layers: Layers::Stacked(Stacked { selector, stacks, hidden, psqt }),
        }
    }
}

/// Reads the first layer, whose blocks tell its width and inputs: two blocks, of the biases and of
/// the weights, or one of both.
fn read_first_layer<R: BufRead>(source: &mut Source<R>) -> Result<FirstLayer, NetworkError> {
    let block = Block::read(source)?;
    let count = block.count();
    if !Architecture::is_stacked_width(count) {
        return split_block(&block, count);
    }
    let width = count;
    let biases = block.numbers(width)?;
    let block = Block::read(source)?;
    let count = block.count();
    let inputs = count / width;
    let features = FeatureSet::of_inputs(inputs).filter(|_| count.is_multiple_of(width));
    let features = features.ok_or(NetworkError::Unsupported {
        at: block.at(),
        what: "weights of the first layer",
        found: count as i64,
        expected: "those of a known set of features for each output",
    })?;
    Ok(FirstLayer { features, width, biases, weights: block.numbers(count)? })
}

/// Splits one block into biases and weights.
fn split_block(block: &Block, count: usize) -> Result<FirstLayer, NetworkError> {
    let is_set = |features: &FeatureSet| {
        let rows = features.inputs() + 1;
        count.is_multiple_of(rows) && Architecture::is_stacked_width(count / rows)
    };
    let (at, found) = (block.at(), count as i64);
    let features = FeatureSet::ALL.into_iter().find(is_set).ok_or(NetworkError::Unsupported {
        at,
        what: "outputs of the first layer",
        found,
        expected: WIDTHS,
    })?;
    let width = count / (features.inputs() + 1);
    let numbers = block.numbers(count)?;
    let (biases, weights) = numbers.split_at(width);
    let (biases, weights) = (Aligned::from_slice(biases), Aligned::from_slice(weights));
    Ok(FirstLayer { features, width, biases, weights })
}

/// Doubles the weights of a stacked network, whose products are defined by doubled sums.
fn double(numbers: &mut Aligned<i16>) {
    numbers.iter_mut().for_each(|number| *number = number.wrapping_mul(2));
}

fn read_psqt<R: BufRead>(
    source: &mut Source<R>,
    architecture: Architecture,
) -> Result<Psqt, NetworkError> {
    source.begin("the values of the pieces");
    let set = architecture.features();
    let stacks = architecture.stacks().unwrap_or(1);
    let biases = source.numbers32(stacks)?;
    Ok(Psqt { set, biases, weights: source.numbers32(stacks * set.inputs())? })
}

/// Reads the stacks, and the hash before the first one.
fn read_stacks<R: BufRead + Seek>(
    source: &mut Source<R>,
    architecture: Architecture,
) -> Result<(u32, Vec<Stack>), NetworkError> {
    let hash = source.peek(0)?.unwrap_or_default();
    let [first, second, last] = architecture.layers();
    let mut stacks = Vec::new();
    for _ in 0..architecture.stacks().unwrap_or(1) {
        source.begin("the layer stacks");
        if architecture.stack_choice().is_some() {
            source.hash(architecture.layers_hash())?;
        } else {
            // Trainers compute it in different ways, and their engine does not look at it.
            source.number()?;
        }
        let (biases, rows) = source.dense("the first hidden layer", first)?;
        let first = first_hidden_layer(architecture, &biases, rows);
        let (biases, rows) = source.dense("the second hidden layer", second)?;
        let second = Dense::from_rows(second.0, &biases, &rows);
        let (biases, rows) = source.dense("the output layer", last)?;
        let last = Dense::from_rows(last.0, &biases, &rows);
        stacks.push(Stack { layers: [first, second, last] });
    }
    Ok((hash, stacks))
}
