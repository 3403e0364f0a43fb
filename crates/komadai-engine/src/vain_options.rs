//! Options that have no effect beside others: which search they belong to.

use komadai_search::Techniques;
use komadai_search::monte_carlo::{Judge, Leaf, MonteCarloOptions, Playout};

use crate::search_mode::SearchMode;
use crate::settings::Settings;
use crate::usi_options::switches;

/// The techniques of the quiescence search, which the leaves of other searches share. Histories are
/// empty there.
const OF_QUIESCENCE: Techniques = Techniques::QUIESCENCE
    .union(Techniques::EXCHANGE)
    .union(Techniques::DELTA)
    .union(Techniques::FEW_CAPTURES)
    .union(Techniques::FEW_EVASIONS)
    .union(Techniques::TABLE)
    .union(Techniques::TABLE_VALUE)
    .union(Techniques::MATE_IN_ONE);

/// The techniques of the selective searches. Their moves are ordered by probability; histories count
/// in the quiescence search only.
const OF_SELECTIVE: Techniques = OF_QUIESCENCE
    .union(Techniques::MATE_DISTANCE)
    .union(Techniques::CORRECTION)
    .union(Techniques::HISTORY)
    .union(Techniques::CONTINUATION_HISTORY)
    .union(Techniques::CAPTURE_HISTORY)
    .union(Techniques::RAZORING)
    .union(Techniques::REVERSE_FUTILITY)
    .union(Techniques::NULL_MOVE)
    .union(Techniques::FUTILITY)
    .union(Techniques::LATE_MOVE_PRUNING)
    .union(Techniques::ANY_MATE_SOLVER);

/// The searches that an option may belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Search {
    /// A level of strength, whatever the mode is.
    Level,
    Mode(SearchMode),
}

impl Settings {
    /// Returns a line of text with the options that differ from their defaults and have no effect
    /// with this search mode, tree or level; `None` if there are none.
    pub(crate) fn vain_options(&self) -> Option<String> {
        let (search, reason) = match self.skill_level {
            0 => {
                let mode = self.search_mode;
                let has_tree = matches!(mode, SearchMode::MonteCarlo | SearchMode::Both);
                let preset = self.tree.preset;
                let tree = if has_tree { format!(", TreePreset {preset}") } else { String::new() };
                (Search::Mode(mode), format!("SearchMode {mode}{tree}"))
            }
            level => (Search::Level, format!("SkillLevel {level}")),
        };
        let changed = self.changed_names();
        let is_vain = |name: &String| !self.counts(name, search);
        let vain: Vec<String> = changed.into_iter().filter(is_vain).collect();
        (!vain.is_empty()).then(|| format!("no effect with {reason}: {}", vain.join(", ")))
    }

    /// Returns the names of the options that differ from their defaults or the preset.
    fn changed_names(&self) -> Vec<String> {
        let of_preset = Self { preset: self.preset, ..Self::default() }.with_preset();
        let defaults = of_preset.map_or_else(|_| Self::options(), |own| own.to_options());
        let options = self.to_options().into_iter().zip(defaults);
        let changed =
            options.filter(|(own, default)| own.default_value() != default.default_value());
        changed.map(|(own, _)| own.name).collect()
    }

    /// Returns whether an option has an effect on a search.
    fn counts(&self, name: &str, search: Search) -> bool {
        use SearchMode::{Abc, AlphaBeta, Both, MonteCarlo, RealizationProbability};
        let tree = match search {
            Search::Mode(Both | MonteCarlo) => Some(self.tree.options()),
            Search::Level => Some(MonteCarloOptions::modern()),
            Search::Mode(_) => None,
        };
        let is_both = search == Search::Mode(Both);
        let has_quiescence = tree.as_ref().is_none_or(|tree| is_both || has_quiescence(tree));
        if let Some((_, technique)) = switches().find(|(switch, _)| switch == name) {
            return match search {
                Search::Mode(AlphaBeta | Both) => true,
                Search::Mode(RealizationProbability) => OF_SELECTIVE.contains(technique),
                // It has few alternatives, but no unlikely moves.
                Search::Mode(Abc) => {
                    technique != Techniques::LATE_MOVE_PRUNING && OF_SELECTIVE.contains(technique)
                }
                _ => has_quiescence && OF_QUIESCENCE.contains(technique),
            };
        }
        match name {
            "SearchMode" => search != Search::Level,
            "MoveModel" => matches!(search, Search::Mode(RealizationProbability | Abc)),
            "SurpriseCost" => search == Search::Mode(RealizationProbability),
            "AbcMargin" => search == Search::Mode(Abc),
            "Quiescence" => has_quiescence,
            _ if name.starts_with("Hybrid") => is_both,
            _ if !name.starts_with("Tree") && name != "PlayoutJudge" => true,
            // A level is a tree of its own.
            _ if search == Search::Level => false,
            _ => tree.is_some_and(|tree| match name {
                // Alone, a tree reads the table of its leaves.
                "TreeHashBonus" => has_quiescence,
                "PlayoutJudge" => {
                    matches!(tree.leaf, Leaf::Playout(Playout { plies: Some(_), .. }))
                }
                _ => true,
            }),
        }
    }
}

/// Returns whether the leaves of a tree have values of the quiescence search.
fn has_quiescence(tree: &MonteCarloOptions) -> bool {
    match tree.leaf {
        Leaf::Playout(Playout { plies, judge, .. }) => {
            plies.is_some() && matches!(judge, Judge::Gain { .. })
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests;
