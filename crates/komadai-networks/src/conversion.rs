//! Files of networks with a mended header, or in the form of another program.

use std::io::{self, Write as _};
use std::path::Path;

use komadai_base::atomic_file::AtomicFile;
use komadai_core::{Handicap, Position};
use komadai_eval::{Evaluator as _, scale};
use komadai_nnue::{
    Architecture, ConversionError, Doubt, Inspector, Network, NetworkError, Nnue, ReadOptions,
    ScaleSource, StackRule, SumBits,
};
use rayon::prelude::*;
use serde::Serialize;

/// The form of a stacked network's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum NetworkForm {
    /// SFNN of YaneuraOu.
    YaneuraOu,
    /// LayerStack of rshogi and tatara.
    Rshogi,
}

/// The changes of a conversion. The default writes the true hashes, and the true text where the
/// old one is false.
///
/// # Examples
///
/// ```
/// use komadai_networks::{ConvertOptions, NetworkForm};
///
/// let to_rshogi = ConvertOptions { form: Some(NetworkForm::Rshogi), ..ConvertOptions::default() };
/// assert_eq!(to_rshogi.fv_scale, None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConvertOptions {
    /// The form to write; by default that of the input.
    pub form: Option<NetworkForm>,
    /// The text to write, without a scale; by default the old one if it is true, else that of the
    /// architecture.
    pub text: Option<String>,
    /// The scale that the text states; by default that of the input, if it is stated or if the usual
    /// scale of the other form is another one.
    pub fv_scale: Option<i32>,
    /// Facts that the input does not state.
    pub read: ReadOptions,
}

/// The result of a conversion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConvertReport {
    /// The architectures of the input and of the output.
    pub architectures: [String; 2],
    /// The texts of both.
    pub texts: [String; 2],
    /// The scales of both.
    pub fv_scales: [i32; 2],
    /// The number of positions in which the outputs were compared and are equal.
    pub compared: usize,
    /// True if outputs differ in handicap games, whose missing pieces one form does not see.
    pub handicaps_differ: bool,
}

/// The reason why a network is not converted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConvertError {
    /// The input cannot be read, or the file just written cannot.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// There is no such form of the network.
    #[error(transparent)]
    Form(#[from] ConversionError),
    /// A sum of the first layer is too large for one of both forms.
    #[error(
        "a sum of the first layer is {found} in {position}, expected at most ±16383: YaneuraOu doubles \
         it in 16 bits, and the other form does not"
    )]
    Sum {
        /// The sum, in the units of the file.
        found: i32,
        /// The position.
        position: String,
    },
    /// The values are not those of the input.
    #[error("the output is {found} in {position}, expected {expected}: nothing is written")]
    Differs {
        /// The output of the new file.
        found: i32,
        /// The output of the input.
        expected: i32,
        /// The position.
        position: String,
    },
    /// The file just written does not state its scale.
    #[error("the new file states the scale {found}, expected {expected}: nothing is written")]
    Scale {
        /// The scale that is read.
        found: i32,
        /// The scale to write.
        expected: i32,
    },
    /// The output cannot be written.
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
}

/// Reads a network, changes its form or its header, and writes it. The new file gets its name only
/// after it was read again and has given the same outputs on 462 positions of real games.
///
/// # Examples
///
/// ```
/// use komadai_networks::{ConvertOptions, NetworkForm, convert};
/// use komadai_nnue::Network;
///
/// let folder = tempfile::tempdir()?;
/// let [old, new] = ["old.bin", "new.bin"].map(|name| folder.path().join(name));
/// let network = Network::random("layerstack_halfkahm2_64_16_32_x9_kingrank9".parse()?, 1);
/// network.write(std::fs::File::create(&old)?)?;
/// let options = ConvertOptions { form: Some(NetworkForm::YaneuraOu), ..ConvertOptions::default() };
/// let report = convert(&old, &new, &options)?;
/// assert_eq!(report.architectures[1], "sfnn_halfkahm2_64_15_32_k3k3");
/// // The usual scale of LayerStack files is 28, so that the text states it.
/// assert_eq!(Network::open(&new)?.facts().fv_scale, 28);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns the reason why nothing is written.
pub fn convert(
    input: &Path,
    output: &Path,
    options: &ConvertOptions,
) -> Result<ConvertReport, ConvertError> {
    let original = Nnue::new(Network::open_with(input, &options.read)?);
    let network = original.network();
    let (old, facts) = (network.architecture(), network.facts().clone());
    let converted = match options.form {
        None => Network::clone(network),
        Some(NetworkForm::YaneuraOu) => Network::clone(network).into_yaneuraou()?,
        Some(NetworkForm::Rshogi) => Network::clone(network).into_layer_stack()?,
    };
    let architecture = converted.architecture();
    let is_other_form = architecture != old;
    if is_other_form {
        check_sums(network)?;
    }
    let is_false = facts.doubts.iter().any(|doubt| matches!(doubt, Doubt::Text { .. }));
    let text = match &options.text {
        Some(text) => text.clone(),
        None if is_false || is_other_form => architecture.description(),
        None => facts.text.clone(),
    };
    let is_stated = options.fv_scale.is_some() || facts.scale_source != ScaleSource::Default;
    let fv_scale = options.fv_scale.unwrap_or(facts.fv_scale);
    let is_divided = architecture.classes().is_none();
    let usual = converted.with_text(without_scale(&text));
    let converted = if is_divided && (is_stated || usual.facts().fv_scale != fv_scale) {
        let text = format!("{},fv_scale={fv_scale}", usual.description());
        usual.with_text(text)
    } else {
        usual
    };
    let mut file = AtomicFile::create(output)?;
    converted.write(&mut file)?;
    drop(converted);
    file.flush()?;
    let draft = file.finish()?;
    let read = ReadOptions {
        // The file does not state it.
        stack_rule: architecture.stack_rule().or(options.read.stack_rule),
        progress: options.read.progress.clone().or_else(|| progress_beside(input, architecture)),
    };
    let written = Nnue::new(Network::open_with(draft.path(), &read)?);
    let compared = compare(&original, &written)?;
    // `eval_options.txt` in the folder of the output is stronger than a text.
    let is_elsewhere = written.scale_source() == ScaleSource::EvalOptions;
    if is_divided && !is_elsewhere && written.fv_scale() != fv_scale {
        return Err(ConvertError::Scale { found: written.fv_scale(), expected: fv_scale });
    }
    let handicaps_differ = handicaps().any(|start| raw(&original, &start) != raw(&written, &start));
    draft.commit()?;
    Ok(ConvertReport {
        architectures: [old, architecture].map(|architecture| architecture.to_string()),
        texts: [facts.text, written.network().description().to_owned()],
        fv_scales: [facts.fv_scale, fv_scale],
        compared,
        handicaps_differ,
    })
}

/// Returns a text without the scale that it states.
fn without_scale(text: &str) -> String {
    let parts = text.split(',').filter(|part| !part.starts_with("fv_scale="));
    parts.collect::<Vec<_>>().join(",")
}

/// The content of `progress.bin` beside a network that needs it.
fn progress_beside(input: &Path, architecture: Architecture) -> Option<Vec<u8>> {
    /// The length of every such file.
    const BYTES: u64 = 81 * 1_548 * 8;
    let is_needed = architecture.stack_rule() == Some(StackRule::Progress8KpAbs);
    let path = input.with_file_name("progress.bin");
    is_needed.then(|| komadai_base::file::read_bounded(path, BYTES).ok()).flatten()
}

fn raw(nnue: &Nnue, position: &Position) -> i32 {
    nnue.raw(position, &mut nnue.refresh(position))
}

/// The starts of handicap games, with the side to move that has fewer pieces.
fn handicaps() -> impl Iterator<Item = Position> {
    let all = [Handicap::Lance, Handicap::Rook, Handicap::TwoPiece, Handicap::SixPiece];
    all.into_iter().filter_map(|handicap| Position::from_sfen(handicap.sfen()).ok())
}

/// Checks that no sum of the first layer is beyond what both forms of a network can hold.
fn check_sums(network: &Network) -> Result<(), ConvertError> {
    let doubled = network.architecture().stack_rule().is_none();
    let inspector = Inspector::new(network);
    let largest = |position: &Position| {
        let found = inspector.activations(position, SumBits::ThirtyTwo);
        let sum = found.sums.iter().flatten().copied().max_by_key(|sum| sum.abs()).unwrap_or(0);
        if doubled { sum / 2 } else { sum }
    };
    let too_large = scale::sample().par_iter().find_map_first(|position| {
        let found = largest(position);
        (found.abs() > i32::from(i16::MAX) / 2).then(|| (found, position.to_string()))
    });
    match too_large {
        Some((found, position)) => Err(ConvertError::Sum { found, position }),
        None => Ok(()),
    }
}

/// Compares the outputs of two networks on positions of real games, and returns their number.
fn compare(original: &Nnue, written: &Nnue) -> Result<usize, ConvertError> {
    let positions = scale::sample();
    let difference = positions.par_iter().find_map_first(|position| {
        let (expected, found) = (raw(original, position), raw(written, position));
        (found != expected).then(|| (found, expected, position.to_string()))
    });
    match difference {
        Some((found, expected, position)) => {
            Err(ConvertError::Differs { found, expected, position })
        }
        None => Ok(positions.len()),
    }
}
