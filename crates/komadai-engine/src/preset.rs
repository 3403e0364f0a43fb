//! A museum of computer shogi: sets of options that search as programs of history did.

use core::fmt;
use core::str::FromStr;

use komadai_search::Techniques;

/// A set of options by the published ideas of a program (`Preset`).
///
/// The names tell whose ideas these are. None is that program: evaluation, generation of moves,
/// parameters and details are ours, and the evaluation is [`Classical`](komadai_eval::Classical)
/// for all but [`Modern`](Self::Modern).
///
/// # Examples
///
/// ```
/// use komadai_engine::{Preset, SearchMode, Settings};
///
/// let settings = Settings { preset: Preset::Gekisashi2002, ..Settings::default() };
/// let settings = settings.with_preset()?;
/// assert_eq!(settings.search_mode, SearchMode::RealizationProbability);
/// # Ok::<(), komadai_engine::PresetConflict>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Preset {
    /// The search for playing, without any change.
    #[default]
    Modern,
    /// Alpha-beta with the pseudo search extension, and exchanges at the leaves (H. Yamashita,
    /// 2005).
    Yss,
    /// A budget for each side, of which forced moves take nothing, and threats at the leaves
    /// (T. Arioka; the glossary of the sources).
    KfEnd,
    /// Realization probability from classes of moves (Y. Tsuruoka, D. Yokoyama and T. Chikayama,
    /// 2002).
    Gekisashi2002,
    /// Alpha-beta with the most valuable capture as quiescence (T. Hashimoto, 2005).
    Tacos,
    /// All moves to the same depth, null moves, futility at the frontier, and a wide quiescence
    /// search (K. Hoki, 2006).
    Bonanza2006,
    /// Realization probability from a model of all moves of a position, and the quiescence moves
    /// that S. Takeuchi, T. Kaneko and K. Yamaguchi found best.
    Gps2008,
    /// Alpha-beta with two-stage quiescence beside Monte Carlo tree search with games at random (the
    /// appeal document of ym-shogi, 2012).
    Ym2012,
}

/// The techniques of every program before about 2005.
const CLASSICAL: Techniques = Techniques::CLASSICAL_ASPIRATION
    .union(Techniques::ZERO_WINDOW)
    .union(Techniques::TABLE)
    .union(Techniques::KILLERS)
    .union(Techniques::HISTORY)
    .union(Techniques::ITERATIVE_DEEPENING)
    .union(Techniques::QUIESCENCE)
    .union(Techniques::EXCHANGE)
    .union(Techniques::MATE_IN_ONE);

impl Preset {
    /// All presets of a build for small size (`--cfg komadai_small`).
    #[cfg(komadai_small)]
    pub const ALL: [Self; 1] = [Self::Modern];

    /// All presets.
    #[cfg(not(komadai_small))]
    pub const ALL: [Self; 8] = [
        Self::Modern,
        Self::Yss,
        Self::KfEnd,
        Self::Gekisashi2002,
        Self::Tacos,
        Self::Bonanza2006,
        Self::Gps2008,
        Self::Ym2012,
    ];

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Modern => "Modern",
            Self::Yss => "Yss",
            Self::KfEnd => "KfEnd",
            Self::Gekisashi2002 => "Gekisashi2002",
            Self::Tacos => "Tacos",
            Self::Bonanza2006 => "Bonanza2006",
            Self::Gps2008 => "Gps2008",
            Self::Ym2012 => "Ym2012",
        }
    }

    /// Returns the options that the preset fixes, with their values.
    pub(crate) const fn options(self) -> &'static [(&'static str, &'static str)] {
        const EVALUATION: (&str, &str) = ("EvalFile", "<classical>");
        match self {
            Self::Modern => &[],
            Self::Yss => &[EVALUATION, ("SearchMode", "AlphaBeta"), ("Quiescence", "Yss")],
            Self::KfEnd => &[EVALUATION, ("SearchMode", "Abc"), ("Quiescence", "Kfend")],
            Self::Gekisashi2002 => &[
                EVALUATION,
                ("SearchMode", "RealizationProbability"),
                ("MoveModel", "Classes"),
                ("Quiescence", "SEE"),
            ],
            Self::Tacos => &[EVALUATION, ("SearchMode", "AlphaBeta"), ("Quiescence", "Tacos")],
            Self::Bonanza2006 => {
                &[EVALUATION, ("SearchMode", "AlphaBeta"), ("Quiescence", "Bonanza")]
            }
            Self::Gps2008 => &[
                EVALUATION,
                ("SearchMode", "RealizationProbability"),
                ("MoveModel", "Softmax"),
                ("Quiescence", "SKEP"),
            ],
            Self::Ym2012 => &[
                EVALUATION,
                ("SearchMode", "Both"),
                ("TreePreset", "Ym2012"),
                ("Quiescence", "TwoStage"),
            ],
        }
    }

    /// Returns the techniques that the preset fixes.
    pub(crate) const fn techniques(self) -> Option<Techniques> {
        Some(match self {
            Self::Modern => return None,
            Self::Yss | Self::Tacos => CLASSICAL.union(Techniques::PSEUDO_SEARCH_EXTENSION),
            Self::KfEnd => CLASSICAL,
            Self::Gekisashi2002 | Self::Gps2008 => CLASSICAL.union(Techniques::CLASSICAL_NULL_MOVE),
            Self::Bonanza2006 => CLASSICAL
                .union(Techniques::CLASSICAL_NULL_MOVE)
                .union(Techniques::NULL_MOVE)
                .union(Techniques::FUTILITY)
                .union(Techniques::CHECK_EXTENSION)
                .union(Techniques::RECAPTURE_EXTENSION),
            Self::Ym2012 => CLASSICAL
                .union(Techniques::NULL_MOVE)
                .union(Techniques::CLASSICAL_NULL_MOVE)
                .union(Techniques::FUTILITY)
                .union(Techniques::LAST_PLIES_EXCHANGE)
                .union(Techniques::LATE_MOVE_REDUCTION)
                .union(Techniques::COUNTER_MOVES)
                .union(Techniques::EARLY_COUNTER_MOVE)
                .union(Techniques::PSEUDO_SEARCH_EXTENSION),
        })
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An error in the name of a preset.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found the preset {found:?}, expected one of {}", Preset::ALL.map(Preset::name).join(", "))]
pub struct UnknownPreset {
    /// The beginning of the text.
    pub found: String,
}

impl FromStr for Preset {
    type Err = UnknownPreset;

    fn from_str(text: &str) -> Result<Self, UnknownPreset> {
        let preset = Self::ALL.into_iter().find(|preset| preset.name() == text);
        preset.ok_or_else(|| UnknownPreset { found: text.chars().take(32).collect() })
    }
}
