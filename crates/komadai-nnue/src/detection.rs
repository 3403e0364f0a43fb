//! The architecture of a file, by its bytes.
//!
//! Descriptions and the hash of the first layer are copied from other networks so often that they
//! are hints only. What a file cannot have by chance is its length together with the hash of its
//! hidden layers at the right place: of a million pairs of shapes almost none agree in both.

use std::io::{BufRead, Seek};

use crate::architecture::{Architecture, Described};
use crate::error::NetworkError;
use crate::facts::Doubt;
use crate::feature_set::FeatureSet;
use crate::layer_stacks::LayerStacks;
use crate::leb128::MAGIC;
use crate::progress_model::ProgressModel;
use crate::source::Source;
use crate::stack_choice::StackChoice;
use crate::stack_rule::StackRule;

const MAX_HIDDEN: usize = Architecture::MAX_HIDDEN;

/// An architecture with what is doubtful about it.
type Detected = (Architecture, Vec<Doubt>);

/// The statements of a file about its architecture, before the first layer.
pub(crate) struct Claims<'a> {
    pub(crate) text: &'a str,
    pub(crate) described: Described,
    /// The hash of the first layer.
    pub(crate) hash: u32,
}

impl<'a> Claims<'a> {
    pub(crate) fn new(text: &'a str, hash: u32) -> Self {
        Self { text, described: Described::parse(text), hash }
    }

    /// Returns whether a stacked network follows: its first layer is compressed.
    pub(crate) fn is_stacked<R: BufRead + Seek>(
        &self,
        source: &mut Source<R>,
    ) -> Result<bool, NetworkError> {
        // Some trainers write one byte before.
        let mut start = [0; MAGIC.len() + 1];
        source.peek_bytes(0, &mut start)?;
        let is_compressed = start.starts_with(MAGIC) || start.ends_with(MAGIC);
        Ok(is_compressed || self.described.stacked.is_some())
    }

    /// Finds the architecture of a classical file, after the hash of the first layer.
    ///
    /// If the bytes are those of no whole file, the architecture is the one whose fault the reader
    /// will find: a file that is cut, too long, or damaged in the hash of its hidden layers.
    pub(crate) fn classical<R: BufRead + Seek>(
        &self,
        source: &mut Source<R>,
    ) -> Result<Detected, NetworkError> {
        let squares = self.text.contains("SqrClippedReLU").then_some("SqrClippedReLU");
        if let Some(found) = self.described.other_kind.or(squares) {
            return Err(NetworkError::OtherKind { found });
        }
        let left = source.left();
        let mut of_this_len = Vec::new();
        let mut exact = Vec::new();
        for (features, width) in Architecture::first_layers(left) {
            let first = Architecture::first_layer_len(features, width);
            // Few widths leave about as much as dense layers take.
            let most = Architecture::new(features, width, MAX_HIDDEN, MAX_HIDDEN);
            if most.is_none_or(|most| first + most.layers_len() < left) {
                continue;
            }
            let fits = |a: &Architecture| first + a.layers_len() == left;
            for architecture in Architecture::with_first_layer(features, width).filter(fits) {
                of_this_len.push(architecture);
                if source.peek(first)? == Some(architecture.layers_hash()) {
                    exact.push(architecture);
                }
            }
        }
        if let Some(best) = self.most_likely(&exact) {
            return Ok((best, self.doubts(best, &exact)));
        }
        let incomplete = match self.by_layers_hash(source)? {
            Some(architecture) => Some(architecture),
            None => self.named(left).or_else(|| self.most_likely(&of_this_len)),
        };
        incomplete.map(|architecture| (architecture, Vec::new())).ok_or_else(|| {
            let description = self.text.chars().take(200).collect();
            NetworkError::UnknownArchitecture { description, hash: self.hash, left }
        })
    }

    /// Returns the architecture whose hash of the hidden layers stands at its place in a file of
    /// another length.
    fn by_layers_hash<R: BufRead + Seek>(
        &self,
        source: &mut Source<R>,
    ) -> Result<Option<Architecture>, NetworkError> {
        let mut found = Vec::new();
        for (features, width) in Architecture::first_layers(source.left()) {
            let place = Architecture::first_layer_len(features, width);
            let Some(hash) = source.peek(place)? else { continue };
            let of_layer = Architecture::with_first_layer(features, width);
            found.extend(of_layer.filter(|architecture| architecture.layers_hash() == hash));
        }
        Ok(self.most_likely(&found))
    }

    /// Returns the architecture that the text names, if the file ends in its first layer.
    fn named(&self, left: u64) -> Option<Architecture> {
        let Described { features, width, hidden, .. } = self.described;
        let [first, second] = hidden?;
        let named = Architecture::new(features?, width?, first, second)?;
        let first_layer = Architecture::first_layer_len(named.features(), named.width());
        let is_whole = first_layer + named.layers_len() == left;
        (left < first_layer + 4 || is_whole).then_some(named)
    }

    /// The number of hints that speak for an architecture, the strongest first.
    fn support(&self, architecture: Architecture) -> [bool; 3] {
        let Described { features, width, hidden, .. } = self.described;
        let agrees = |wanted: Option<bool>| wanted == Some(true);
        [
            architecture.features().is_written_as(architecture.width(), self.hash)
                && self.hash != 0,
            agrees(features.map(|features| features == architecture.features()))
                && agrees(width.map(|width| width == architecture.width()))
                && agrees(hidden.map(|hidden| hidden == architecture.layer_outputs())),
            architecture.has_usual_layers(),
        ]
    }

    fn most_likely(&self, among: &[Architecture]) -> Option<Architecture> {
        // Of equals the first one counts, which has the more usual features.
        among.iter().rev().copied().max_by_key(|architecture| self.support(*architecture))
    }

    /// Collects what is doubtful about a classical architecture that was chosen among some.
    fn doubts(&self, chosen: Architecture, among: &[Architecture]) -> Vec<Doubt> {
        let mut doubts: Vec<Doubt> = self.text_doubt(chosen).into_iter().collect();
        if !chosen.features().is_written_as(chosen.width(), self.hash) {
            let expected = chosen.features_hash();
            doubts.push(Doubt::FirstHash { found: self.hash, expected });
        }
        doubts.extend(self.ambiguity(chosen, among));
        doubts
    }

    fn ambiguity(&self, chosen: Architecture, among: &[Architecture]) -> Option<Doubt> {
        let [hash, text, _] = self.support(chosen);
        let rivals = |other: &&Architecture| {
            let [other_hash, other_text, _] = self.support(**other);
            **other != chosen && (hash, text) == (other_hash, other_text)
        };
        let others: Vec<Architecture> = among.iter().filter(rivals).copied().collect();
        (!others.is_empty()).then_some(Doubt::Ambiguous { others })
    }

    /// Returns the doubt if the text describes another shape.
    fn text_doubt(&self, chosen: Architecture) -> Option<Doubt> {
        let Described { features, width, hidden, stacked, .. } = &self.described;
        if let Some(name) = stacked {
            let says = self.described.to_string();
            let is_other = *name != chosen.to_string();
            return is_other.then(|| Doubt::Text { says, bytes: chosen.to_string() });
        }
        let outputs = chosen.layer_outputs();
        let is_same_set = features.is_none_or(|features| features == chosen.features());
        let agrees = is_same_set
            && width.is_none_or(|width| width == chosen.width())
            && hidden.is_none_or(|hidden| hidden == outputs);
        let shape = |features: Option<FeatureSet>| Described {
            features: features.filter(|_| !is_same_set),
            width: Some(chosen.width()),
            hidden: Some(outputs),
            ..Described::default()
        };
        let says = Described {
            features: features.filter(|_| !is_same_set),
            width: *width,
            hidden: *hidden,
            ..Described::default()
        };
        let bytes = shape(Some(chosen.features()));
        let text = || Doubt::Text { says: says.to_string(), bytes: bytes.to_string() };
        (!agrees).then(text)
    }

    /// Finds the architecture of a stacked file after its first layer, which tells features and
    /// width.
    pub(crate) fn stacked<R: BufRead + Seek>(
        &self,
        source: &mut Source<R>,
        features: FeatureSet,
        width: usize,
    ) -> Result<Detected, NetworkError> {
        let has_model = source.peek(0)? == Some(Architecture::PROGRESS);
        let left = source.left();
        let model = if has_model { ProgressModel::LEN } else { 0 };
        let named = self.described.stacked.as_ref().and_then(|name| name.parse().ok());
        let named = named.filter(|named: &Architecture| {
            (named.features(), named.width()) == (features, width) && named.stack_choice().is_some()
        });
        let len = |architecture: Architecture| {
            architecture.stacks().unwrap_or(1) as u64 * architecture.layers_len()
        };
        if let Some(named) = named.filter(|named| len(*named) + model == left) {
            return Ok((named, Vec::new()));
        }
        let mut fitting = Vec::new();
        for hidden in hidden_widths() {
            let one = |choice| Architecture::stacked(features, width, hidden, choice, None);
            let single = StackChoice { progress: 1, ..StackChoice::default() };
            let Some(step) = one(single).map(Architecture::layers_len) else { continue };
            let rest = left.saturating_sub(model);
            if rest == 0 || !rest.is_multiple_of(step) {
                continue;
            }
            let stacks = (rest / step) as usize;
            let Some(found) = StackChoice::assumed(stacks, has_model).and_then(one) else {
                continue;
            };
            if self.are_stacks(source, model, step, stacks, Some(found.layers_hash()))? {
                fitting.push(found);
            }
        }
        // A hash at many places is no chance, so that more stacks are the true ones.
        let most = fitting.iter().filter_map(|found| found.stacks()).max();
        fitting.retain(|found| found.stacks() == most);
        if let Some(best) = self.most_likely(&fitting) {
            let assumed = best.stack_choice().map_or_else(String::new, |choice| choice.to_string());
            let stacks = best.stacks().unwrap_or(1);
            let doubt =
                Doubt::Stacks { stacks, assumed: assumed.trim_start_matches('_').to_owned() };
            let mut doubts: Vec<Doubt> = self.text_doubt(best).into_iter().collect();
            doubts.extend((stacks > 1).then_some(doubt));
            doubts.extend(self.ambiguity(best, &fitting));
            return Ok((best, doubts));
        }
        let at = source.at();
        named.map(|named| (named, Vec::new())).ok_or(NetworkError::Stacks { at, left })
    }

    /// Finds the architecture of a LayerStack file after its first layer, which tells features and
    /// width. The rule is a guess of the caller.
    pub(crate) fn layer_stack<R: BufRead + Seek>(
        &self,
        source: &mut Source<R>,
        (features, width): (FeatureSet, usize),
        (count, rule): (usize, StackRule),
    ) -> Result<Detected, NetworkError> {
        let left = source.left();
        let says_psqt = self.described.has_psqt;
        let of_hidden = |has_psqt: bool, outputs: usize, second: usize| {
            let stacks = LayerStacks { count, rule, has_psqt };
            Architecture::layer_stack(features, width, [outputs, second], stacks)
        };
        let mut fitting = Vec::new();
        for has_psqt in [says_psqt, !says_psqt] {
            for [first, second] in hidden_widths() {
                let Some(found) = of_hidden(has_psqt, first + 1, second) else { continue };
                let values = psqt_len(found);
                if values + count as u64 * found.layers_len() == left
                    && self.are_stacks(source, values, found.layers_len(), count, None)?
                {
                    fitting.push(found);
                }
            }
        }
        if let Some(best) = self.most_likely(&fitting) {
            return Ok((best, self.doubts(best, &fitting)));
        }
        let at = source.at();
        let named =
            self.described.hidden.and_then(|[first, second]| of_hidden(says_psqt, first, second));
        named.map(|named| (named, Vec::new())).ok_or(NetworkError::Stacks { at, left })
    }

    /// Returns whether the hashes before some stacks, which are all the same, stand at their places.
    fn are_stacks<R: BufRead + Seek>(
        &self,
        source: &mut Source<R>,
        first: u64,
        step: u64,
        stacks: usize,
        hash: Option<u32>,
    ) -> Result<bool, NetworkError> {
        let hash = if hash.is_some() { hash } else { source.peek(first)? };
        // More would not make a chance agreement less likely.
        for stack in 0..stacks.min(8) as u64 {
            if source.peek(first + stack * step)? != hash {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The bytes of the values of the pieces before the stacks of a LayerStack network.
pub(crate) fn psqt_len(architecture: Architecture) -> u64 {
    let has_psqt = architecture.layer_stacks().is_some_and(|stacks| stacks.has_psqt);
    let inputs = architecture.features().inputs() + 1;
    if has_psqt { (4 * architecture.stacks().unwrap_or(1) * inputs) as u64 } else { 0 }
}

/// The hidden widths of stacks: first those with an output that is added to the network's output.
fn hidden_widths() -> impl Iterator<Item = [usize; 2]> {
    let widths = || (1..=Architecture::MAX_STACKED_HIDDEN / 8).map(|width| 8 * width);
    let all = move |less: usize| {
        widths().flat_map(move |first| widths().map(move |second| [first - less, second]))
    };
    all(1).chain(all(0))
}

#[cfg(test)]
mod tests;
