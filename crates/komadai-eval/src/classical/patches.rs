//! Patches: values set by hand over fitted weights, each with its reason and a test.
//!
//! Shogi programmers call this doping (ドーピング). A patch is an admission that the fit is wrong in
//! one place; a good fit needs none.

use std::sync::LazyLock;

use komadai_core::{Color, Position, SfenError};

use super::features::features;
use super::groups::{Group, Weight};
use super::parameters::Parameters;

/// A value set by hand over one fitted weight.
///
/// The text form is a line of five fields separated by tabs: the weight (`castle[2]`), its values
/// (`early:late`, in the unit of [`Parameters::UNIT`]), the reason, and the SFEN of two positions
/// with the same side to move, of which that side prefers the first.
///
/// # Examples
///
/// ```
/// use komadai_eval::{Classical, Parameters, Patch};
///
/// let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
/// let without_rook = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B7/LNSGKGSNL";
/// let line = format!("piece[5]\t3000:3000\ta rook has a value\t{start} b - 1\t{without_rook} b - 1");
/// let patch: Patch = line.parse()?;
/// let mut parameters = Parameters::default();
/// assert!(patch.holds(&parameters));
/// parameters.apply(&patch);
/// assert_eq!(parameters.get(patch.index).early, 3_000);
/// # Ok::<(), komadai_eval::PatchError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Patch {
    /// Index of the weight.
    pub index: usize,
    /// The value.
    pub weight: Weight,
    /// The reason.
    pub reason: String,
    /// The two positions, the better one first.
    test: [Position; 2],
}

impl Patch {
    /// Tests that the evaluation with `parameters` prefers the first of the two positions.
    pub fn holds(&self, parameters: &Parameters) -> bool {
        let [better, worse] = self.test.each_ref().map(|position| {
            let black = features(position).evaluate(parameters);
            if position.side() == Color::Black { black } else { -black }
        });
        better > worse
    }

    /// The bundled patches, which [`Parameters::default`] contains.
    #[expect(clippy::missing_panics_doc, reason = "a test reads the bundled patches")]
    pub fn bundled() -> impl Iterator<Item = Self> {
        let lines = include_str!("patches.tsv").lines().skip(1);
        lines.map(|line| line.parse().expect("a test reads the bundled patches"))
    }
}

impl Parameters {
    /// Returns the weights as they were fitted, without patches.
    #[expect(clippy::missing_panics_doc, reason = "a test reads the bundled parameters")]
    pub fn fitted() -> Self {
        include_str!("parameters.txt").parse().expect("a test reads the bundled parameters")
    }

    /// Sets the weight of a patch.
    pub fn apply(&mut self, patch: &Patch) {
        self.set(patch.index, patch.weight);
    }
}

/// The [fitted](Parameters::fitted) weights with the bundled [patches](Patch::bundled).
impl Default for Parameters {
    fn default() -> Self {
        static TUNED: LazyLock<Parameters> = LazyLock::new(|| {
            let mut parameters = Parameters::fitted();
            Patch::bundled().for_each(|patch| parameters.apply(&patch));
            parameters
        });
        TUNED.clone()
    }
}

/// The reason why a line is not a patch.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatchError {
    /// The number of fields is wrong.
    #[error("found {found} fields, expected 5: weight, values, reason, better and worse position")]
    Fields {
        /// The number of fields.
        found: usize,
    },
    /// No weight has this name.
    #[error("found the weight `{found}`, expected a group and a place inside it, as `castle[2]`")]
    Weight {
        /// The name, shortened.
        found: String,
    },
    /// The values are not two numbers.
    #[error("found the values `{found}`, expected early:late")]
    Values {
        /// The values, shortened.
        found: String,
    },
    /// The reason is empty.
    #[error("found no reason, expected one")]
    NoReason,
    /// A position is malformed.
    #[error(transparent)]
    Position(#[from] SfenError),
    /// The sides to move differ.
    #[error("found two positions with different sides to move, expected the same side")]
    Sides,
}

impl core::str::FromStr for Patch {
    type Err = PatchError;

    fn from_str(line: &str) -> Result<Self, PatchError> {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[name, values, reason, better, worse] = &fields[..] else {
            return Err(PatchError::Fields { found: fields.len() });
        };
        let shorten = |text: &str| text.chars().take(20).collect::<String>();
        let index = index(name).ok_or_else(|| PatchError::Weight { found: shorten(name) })?;
        let weight = weight(values).ok_or_else(|| PatchError::Values { found: shorten(values) })?;
        if reason.trim().is_empty() {
            return Err(PatchError::NoReason);
        }
        let test = [Position::from_sfen(better)?, Position::from_sfen(worse)?];
        if test[0].side() != test[1].side() {
            return Err(PatchError::Sides);
        }
        Ok(Self { index, weight, reason: reason.to_owned(), test })
    }
}

/// Returns the index of a weight, given as `group[place]`.
fn index(name: &str) -> Option<usize> {
    let (group, place) = name.strip_suffix(']')?.split_once('[')?;
    let group = Group::ALL.into_iter().find(|known| known.name() == group)?;
    let place: Vec<usize> = place.split(',').map(|n| n.parse().ok()).collect::<Option<_>>()?;
    let shape = group.shape();
    let inside =
        place.len() == shape.len() && place.iter().zip(shape).all(|(n, length)| n < length);
    inside.then(|| group.index(&place))
}

fn weight(values: &str) -> Option<Weight> {
    let (early, late) = values.split_once(':')?;
    Some(Weight { early: early.parse().ok()?, late: late.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bundled_patch_is_needed_and_holds() {
        let (fitted, patched) = (Parameters::fitted(), Parameters::default());
        for patch in Patch::bundled() {
            assert!(!patch.holds(&fitted), "not needed: {}", patch.reason);
            assert!(patch.holds(&patched), "without effect: {}", patch.reason);
        }
    }

    #[test]
    fn malformed_patches_are_refused() {
        let sfen = "4k4/9/9/9/9/9/9/9/4K4 b - 1";
        let other = "4k4/9/9/9/9/9/9/9/4K4 w - 1";
        assert!(format!("tempo[0]\t1:2\ttest\t{sfen}\t{sfen}").parse::<Patch>().is_ok());
        for line in [
            String::new(),
            format!("tempo[0]\t1:2\ttest\t{sfen}"),
            format!("tempo[1]\t1:2\ttest\t{sfen}\t{sfen}"),
            format!("tempo\t1:2\ttest\t{sfen}\t{sfen}"),
            format!("square[1,2]\t1:2\ttest\t{sfen}\t{sfen}"),
            format!("tempo[0]\t1:99999\ttest\t{sfen}\t{sfen}"),
            format!("tempo[0]\t1\ttest\t{sfen}\t{sfen}"),
            format!("tempo[0]\t1:2\t \t{sfen}\t{sfen}"),
            format!("tempo[0]\t1:2\ttest\t{sfen}\tnothing"),
            format!("tempo[0]\t1:2\ttest\t{sfen}\t{other}"),
        ] {
            assert!(line.parse::<Patch>().is_err(), "{line}");
        }
    }
}
