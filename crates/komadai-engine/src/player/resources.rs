//! The resources of a player: memory and threads, as the system has granted them.

use komadai_search::monte_carlo::TreePreset;
use komadai_search::{Quiescence, SearchOptions, Searcher, Techniques};

use super::Player;
use crate::search_mode::SearchMode;
use crate::usi_options::switches;

impl Player {
    /// Messages about resources (memory, processor cores) that the settings ask for and the machine
    /// lacks, one for each.
    pub(crate) fn shortage(&self) -> &[String] {
        &self.shortage
    }

    /// Returns a line of text with the resources in use (threads, memory), and the techniques, the
    /// search mode and the quiescence search that differ from the default.
    pub fn summary(&self) -> String {
        let SearchOptions { threads, techniques, quiescence, .. } = &self.options;
        let hash_mib = granted_mib(&*self.searcher, &self.options);
        let mate_mib = self.solver.memory_bytes().div_ceil(1 << 20);
        let mut text = format!("threads {threads}, hash {hash_mib} MiB, mate hash {mate_mib} MiB");
        for (name, technique) in switches() {
            let is_used = techniques.contains(technique);
            if is_used != Techniques::default().contains(technique) {
                text += &format!(", {name} {is_used}");
            }
        }
        if self.parts.has_kinds {
            match self.settings.skill_level {
                0 if self.kind.is_alpha_beta() => {}
                0 => {
                    text += &format!(", SearchMode {}", self.kind.mode);
                    let tree = &self.settings.tree;
                    let has_tree =
                        matches!(self.kind.mode, SearchMode::MonteCarlo | SearchMode::Both);
                    if has_tree && tree.preset != TreePreset::default() {
                        text += &format!(", TreePreset {}", tree.preset);
                    }
                }
                level => text += &format!(", SkillLevel {level}"),
            }
        }
        if *quiescence != Quiescence::default() {
            text += &format!(", Quiescence {quiescence}");
        }
        text
    }

    /// Returns a line of text with the options that have been changed in vain; `None` if there are
    /// none, or if the parts have one kind of searcher.
    pub(crate) fn vain_options(&self) -> Option<String> {
        self.settings.vain_options().filter(|_| self.parts.has_kinds)
    }

    /// Gets the memory of the searcher from the system, so that the first move is not late.
    pub fn warm_up(&mut self) {
        self.searcher.warm_up();
    }
}

/// Returns the memory of a searcher in MiB: what the system has granted, which may be less than
/// what the options ask for. A searcher without a figure has what was asked for.
fn granted_mib(searcher: &dyn Searcher, options: &SearchOptions) -> usize {
    match searcher.state().memory_mib {
        0 => options.hash_mib,
        granted => granted.min(options.hash_mib),
    }
}

/// Adds a message if the system has granted a searcher less memory than the options ask for.
pub(super) fn add_refusal(
    searcher: &dyn Searcher,
    options: &SearchOptions,
    shortage: &mut Vec<String>,
) {
    let (granted, wanted) = (granted_mib(searcher, options), options.hash_mib);
    if granted < wanted {
        shortage.push(format!("USI_Hash: {granted} MiB, the system grants no {wanted}"));
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::Analysis;
    use komadai_search::{SearchRequest, SearcherState};

    use super::*;
    use crate::player::tests::player;

    #[test]
    fn threads_are_passed_on_as_far_as_there_are_cores() {
        assert_eq!(player(|settings| settings.threads = 2).options.threads, 2);
        let mut player = player(|settings| settings.threads = 1_000_000);
        let threads = player.options.threads;
        assert!((8..1_000_000).contains(&threads));
        assert!(player.shortage()[0].starts_with(&format!("Threads: {threads}, ")));
        // The same setting again adds no second message.
        let settings = player.settings().clone();
        player.set_settings(settings).expect("no book can fail");
        assert!(player.shortage().is_empty());
        assert_eq!(player.options.threads, threads);
    }

    /// A searcher with this much memory, in MiB.
    struct Granted(usize);

    impl Searcher for Granted {
        fn run(&mut self, _: &SearchRequest<'_>, _: &mut dyn FnMut(&Analysis)) -> Analysis {
            Analysis::default()
        }

        fn new_game(&mut self) {}

        fn state(&self) -> SearcherState {
            SearcherState { memory_mib: self.0, ..SearcherState::default() }
        }
    }

    #[test]
    fn the_memory_is_what_the_system_has_granted() {
        for (granted, wanted, size, message) in [
            (1_023, 4_096, 1_023, Some("USI_Hash: 1023 MiB, the system grants no 4096")),
            (1, 16, 1, Some("USI_Hash: 1 MiB, the system grants no 16")),
            (16, 16, 16, None),
            // Two searchers with half of the memory each, but at least 1 MiB.
            (2, 1, 1, None),
            // Without a figure.
            (0, 64, 64, None),
        ] {
            let options = SearchOptions { hash_mib: wanted, ..SearchOptions::default() };
            let (searcher, mut shortage) = (Granted(granted), Vec::new());
            assert_eq!(granted_mib(&searcher, &options), size);
            add_refusal(&searcher, &options, &mut shortage);
            assert_eq!(shortage.first().map(String::as_str), message);
        }
    }
}
