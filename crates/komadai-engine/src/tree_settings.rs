//! The settings of the tree search, and of the choice between its move and that of alpha-beta.

use core::fmt;
use core::str::FromStr;

use komadai_search::hybrid::ChoiceRules;
use komadai_search::monte_carlo::{
    Backup, Judge, Leaf, MonteCarloOptions, Playout, Priors, TreePreset,
};

/// The settings of the tree search in the modes [`MonteCarlo`](crate::SearchMode::MonteCarlo) and
/// [`Both`](crate::SearchMode::Both).
///
/// # Examples
///
/// ```
/// use komadai_engine::{PlayoutJudge, Settings};
/// use komadai_search::monte_carlo::TreePreset;
/// use komadai_usi::OptionValue;
///
/// let mut settings = Settings::default();
/// settings.set("TreePreset", &OptionValue::Text("Ym2012".to_owned()))?;
/// settings.set("PlayoutJudge", &OptionValue::Text("Gain".to_owned()))?;
/// assert_eq!(settings.tree.preset, TreePreset::Ym2012);
/// assert_eq!(settings.tree.judge, PlayoutJudge::Gain);
/// # Ok::<(), komadai_engine::SettingError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct TreeSettings {
    /// The preset (`TreePreset`), which the other settings change.
    pub preset: TreePreset,
    /// The addition to the rate of the best move in alpha-beta's table, in hundredths; `None` for
    /// that of the preset (`TreeHashBonus`).
    pub hash_bonus: Option<u32>,
    /// The model of the priors (`TreePriors`).
    pub priors: TreePriors,
    /// The rate of a node (`TreeBackup`).
    pub backup: TreeBackup,
    /// The verdict on random games that are cut off (`PlayoutJudge`).
    pub judge: PlayoutJudge,
}

/// The thresholds of the choice in the mode [`Both`](crate::SearchMode::Both), in whole numbers;
/// see [`ChoiceRules`].
///
/// # Examples
///
/// ```
/// use komadai_engine::HybridRules;
/// use komadai_search::hybrid::ChoiceRules;
///
/// assert_eq!(HybridRules::default().choice_rules(), ChoiceRules::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct HybridRules {
    /// [`ChoiceRules::min_nodes`] (`HybridMinNodes`).
    pub min_nodes: u64,
    /// [`ChoiceRules::low_rate`] in per cent (`HybridLowRate`).
    pub low_rate: u32,
    /// [`ChoiceRules::rate_gap`] in per cent (`HybridRateGap`).
    pub rate_gap: u32,
    /// [`ChoiceRules::min_visits`] (`HybridMinVisits`).
    pub min_visits: u32,
    /// [`ChoiceRules::losing_cp`] (`HybridLosingValue`).
    pub losing_cp: i32,
}

impl Default for HybridRules {
    /// Returns the thresholds of [`ChoiceRules::default`].
    fn default() -> Self {
        let ChoiceRules { min_nodes, low_rate, rate_gap, min_visits, losing_cp } =
            ChoiceRules::default();
        let percent = |rate: f32| (100.0 * rate).round() as u32;
        let (low_rate, rate_gap) = (percent(low_rate), percent(rate_gap));
        Self { min_nodes, low_rate, rate_gap, min_visits, losing_cp }
    }
}

impl HybridRules {
    /// Returns the thresholds as the search takes them.
    #[must_use]
    pub fn choice_rules(self) -> ChoiceRules {
        let Self { min_nodes, low_rate, rate_gap, min_visits, losing_cp } = self;
        let (low_rate, rate_gap) = (low_rate as f32 / 100.0, rate_gap as f32 / 100.0);
        ChoiceRules { min_nodes, low_rate, rate_gap, min_visits, losing_cp }
    }
}

/// An error in the name of a setting of the tree search.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found {found:?}, expected one of {expected}")]
pub struct UnknownTreeSetting {
    /// The beginning of the text.
    pub found: String,
    /// The names.
    pub expected: String,
}

/// Makes settings that have a few names; the first stands for that of the preset.
macro_rules! by_name {
    ($($(#[$doc:meta])* $name:ident: $($(#[$word_doc:meta])* $word:ident)*;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        pub enum $name {
            /// That of the preset.
            #[default]
            Preset,
            $($(#[$word_doc])* $word,)*
        }

        impl $name {
            /// The names.
            pub const NAMES: &[&str] = &["Preset", $(stringify!($word)),*];
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(Self::NAMES[*self as usize])
            }
        }

        impl FromStr for $name {
            type Err = UnknownTreeSetting;

            fn from_str(text: &str) -> Result<Self, UnknownTreeSetting> {
                let all = [Self::Preset, $(Self::$word),*];
                all.into_iter().find(|word| word.to_string() == text).ok_or_else(|| {
                    let found = text.chars().take(32).collect();
                    UnknownTreeSetting { found, expected: Self::NAMES.join(", ") }
                })
            }
        }
    )*};
}

by_name! {
    /// The model that gives moves their priors in the tree.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_engine::TreePriors;
    ///
    /// assert_eq!("Weights".parse(), Ok(TreePriors::Weights));
    /// let error = "Network".parse::<TreePriors>().unwrap_err();
    /// assert_eq!(error.to_string(), "found \"Network\", expected one of Preset, Weights, Softmax");
    /// ```
    TreePriors:
        /// Sums of integers: [`MoveWeights`](komadai_search::monte_carlo::MoveWeights).
        Weights
        /// The fitted model that knows more and takes longer:
        /// [`SoftmaxMoves`](komadai_search::SoftmaxMoves).
        Softmax;

    /// The rate of a node of the tree, from its results and its moves.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_engine::TreeBackup;
    ///
    /// assert_eq!(TreeBackup::BestChild.to_string(), "BestChild");
    /// ```
    TreeBackup:
        /// The mean of its results.
        Mean
        /// The rate of its best move, with the mean while visits are few.
        BestChild
        /// The mean, with 0.3 of the rate by minimax.
        Minimax;

    /// The verdict on a random game that is cut off.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_engine::PlayoutJudge;
    ///
    /// assert_eq!(PlayoutJudge::NAMES, ["Preset", "Sign", "Rate", "Gain"]);
    /// ```
    PlayoutJudge:
        /// Won if the evaluation is above 50 cp, lost below −50 cp, else drawn.
        Sign
        /// The rate of the evaluation.
        Rate
        /// Won if the quiescence value is more than 50 cp above that of the root, lost if it is so
        /// much below, else drawn.
        Gain;
}

/// Half the width of the band of draws, in centipawns: that of
/// [`ym2012`](MonteCarloOptions::ym2012).
const DRAW_CP: i32 = 50;

impl TreeSettings {
    /// Returns the options of the search.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_engine::{TreeBackup, TreeSettings};
    /// use komadai_search::monte_carlo::{Backup, TreePreset};
    ///
    /// let mut settings = TreeSettings::default();
    /// (settings.preset, settings.backup) = (TreePreset::Ym2012, TreeBackup::Mean);
    /// let options = settings.options();
    /// assert_eq!((options.backup, options.hash_move_bonus), (Backup::Mean, 0.1));
    /// ```
    #[must_use]
    pub fn options(&self) -> MonteCarloOptions {
        let mut options = self.preset.options();
        if let Some(bonus) = self.hash_bonus {
            options.hash_move_bonus = bonus as f32 / 100.0;
        }
        match self.priors {
            TreePriors::Preset => {}
            TreePriors::Weights => options.priors = Priors::Weights,
            TreePriors::Softmax => options.priors = Priors::Softmax,
        }
        match self.backup {
            TreeBackup::Preset => {}
            TreeBackup::Mean => options.backup = Backup::Mean,
            TreeBackup::BestChild => options.backup = MonteCarloOptions::ym2012().backup,
            TreeBackup::Minimax => options.backup = MonteCarloOptions::modern().backup,
        }
        if let Leaf::Playout(Playout { judge, .. }) = &mut options.leaf {
            match self.judge {
                PlayoutJudge::Preset => {}
                PlayoutJudge::Sign => *judge = Judge::Sign { draw_cp: DRAW_CP },
                PlayoutJudge::Rate => *judge = Judge::Rate,
                PlayoutJudge::Gain => *judge = Judge::Gain { draw_cp: DRAW_CP },
            }
        }
        options
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_presets_are_the_options_without_other_settings() {
        for preset in TreePreset::ALL {
            let settings = TreeSettings { preset, ..TreeSettings::default() };
            assert_eq!(settings.options(), preset.options());
        }
        assert_eq!(TreeSettings::default().options(), MonteCarloOptions::modern());
    }

    #[test]
    fn every_setting_changes_the_options() {
        let base = TreeSettings { preset: TreePreset::Ym2012, ..TreeSettings::default() };
        for changed in [
            TreeSettings { hash_bonus: Some(0), ..base.clone() },
            TreeSettings { priors: TreePriors::Softmax, ..base.clone() },
            TreeSettings { backup: TreeBackup::Mean, ..base.clone() },
            TreeSettings { backup: TreeBackup::Minimax, ..base.clone() },
            TreeSettings { judge: PlayoutJudge::Rate, ..base.clone() },
            TreeSettings { judge: PlayoutJudge::Gain, ..base.clone() },
        ] {
            assert_ne!(changed.options(), base.options(), "{changed:?}");
        }
    }
}
