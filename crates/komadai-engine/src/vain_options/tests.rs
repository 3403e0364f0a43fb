//! Each option changes the search, or is said to have no effect.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use komadai_core::{Analysis, Budget, Position, Score};
use komadai_eval::Classical;
use komadai_search::monte_carlo::TreePreset;
use komadai_search::{SearchOptions, Searcher};
use komadai_testdata::tsume::{Expected, Set, set};
use komadai_testdata::{openings, positions};
use komadai_usi::OptionValue;

use super::*;
use crate::evaluation::Evaluation;
use crate::search_mode::searcher_of;

fn with(options: &[(&str, &str)]) -> Option<String> {
    let mut settings = Settings::default();
    for &(name, value) in options {
        let value = match (value.parse(), value.parse()) {
            (Ok(number), _) => OptionValue::Spin(number),
            (_, Ok(check)) => OptionValue::Check(check),
            _ => OptionValue::Text(value.to_owned()),
        };
        settings.set(name, &value).expect("a value of the option");
    }
    settings.vain_options()
}

#[test]
fn options_of_another_search_are_named() {
    for (options, vain) in [
        (&[][..], None),
        (&[("UseNullMove", "false"), ("USI_Hash", "8")], None),
        (
            &[("TreePreset", "Ym2012"), ("HybridMinNodes", "1")],
            Some("no effect with SearchMode AlphaBeta: TreePreset, HybridMinNodes"),
        ),
        (
            &[("SearchMode", "MonteCarlo"), ("UseNullMove", "false"), ("UseDelta", "false")],
            Some("no effect with SearchMode MonteCarlo, TreePreset Modern: UseNullMove"),
        ),
        (
            &[("SearchMode", "MonteCarlo"), ("TreePreset", "Ym2012"), ("UseDelta", "false")],
            Some("no effect with SearchMode MonteCarlo, TreePreset Ym2012: UseDelta"),
        ),
        (&[("SearchMode", "Both"), ("UseNullMove", "false"), ("TreeHashBonus", "5")], None),
        (
            &[("SearchMode", "Both"), ("PlayoutJudge", "Gain")],
            Some("no effect with SearchMode Both, TreePreset Modern: PlayoutJudge"),
        ),
        (
            &[("SearchMode", "RealizationProbability"), ("UseSingularExtension", "false")],
            Some("no effect with SearchMode RealizationProbability: UseSingularExtension"),
        ),
        (
            &[("SearchMode", "Both"), ("SkillLevel", "3"), ("TreePreset", "Ym2012")],
            Some("no effect with SkillLevel 3: SearchMode, TreePreset"),
        ),
    ] {
        assert_eq!(with(options).as_deref(), vain, "{options:?}");
    }
}

/// Positions with quiet lines first, then with much tension, then with mates.
fn suite() -> Vec<Position> {
    let mates = set(Set::ShortSelfplay).step_by(40).map(|problem| problem.sfen);
    let sfens = openings::sfens().take(4).chain(positions::bench().map(|bench| bench.sfen));
    sfens.chain(mates).map(|sfen| Position::from_sfen(sfen).expect("a position")).collect()
}

/// A searcher of the settings with little memory.
fn searcher(settings: &Settings) -> Box<dyn Searcher> {
    let kind = settings.searcher_kind(&Evaluation::default(), None);
    let options: SearchOptions = settings.search_options(2, 1);
    searcher_of(Arc::new(Classical::default()), &kind, options)
}

/// The result of a search. Beside a tree, only alpha-beta's lines are the same every time.
fn signature(settings: &Settings, position: &Position, nodes: u64) -> Analysis {
    let found = searcher(settings).search(position, &Budget::nodes(nodes), &mut |_| {});
    let nodes = if settings.search_mode == SearchMode::Both { 0 } else { found.nodes };
    Analysis { nodes, time: Duration::ZERO, ..found }
}

/// The results of the settings before a change, each found when it is needed, and twice.
struct Before {
    settings: Settings,
    suite: Vec<Position>,
    found: HashMap<(usize, u64), [Analysis; 2]>,
}

impl Before {
    fn new(settings: Settings) -> Self {
        Self { settings, suite: suite(), found: HashMap::new() }
    }

    /// Returns whether the settings search one of these positions otherwise, with this many nodes.
    fn differs(
        &mut self,
        settings: &Settings,
        mut positions: impl Iterator<Item = usize>,
        nodes: u64,
    ) -> bool {
        positions.any(|index| {
            let position = &self.suite[index];
            let find = |settings: &Settings| signature(settings, position, nodes);
            let [first, second] = self
                .found
                .entry((index, nodes))
                .or_insert_with(|| [find(&self.settings), find(&self.settings)]);
            let found = find(settings);
            // A tree beside alpha-beta proves a mate sooner or later.
            first == second && found != *first && found == find(settings)
        })
    }
}

fn settings_of(mode: SearchMode, preset: TreePreset) -> Settings {
    let mut settings = Settings { search_mode: mode, ..Settings::default() };
    settings.tree.preset = preset;
    // The tree has no say but by its proofs.
    settings.hybrid.min_nodes = u64::MAX;
    settings
}

/// Returns whether a line of text names an option as one without effect.
fn names(text: Option<String>, name: &str) -> bool {
    let text = text.unwrap_or_default();
    text.rsplit(": ").next().is_some_and(|names| names.split(", ").any(|other| other == name))
}

/// Checks all switches of a mode.
fn check_switches(mode: SearchMode, preset: TreePreset) {
    let base = settings_of(mode, preset);
    let mut before = Before::new(base.clone());
    let all = before.suite.len();
    let few = if mode == SearchMode::MonteCarlo { 2_000 } else { 8_000 };
    let mut wrong = Vec::new();
    for (name, technique) in switches() {
        let mut settings = base.clone();
        settings.techniques.toggle(technique);
        if names(settings.vain_options(), &name) {
            if before.differs(&settings, (0..all).step_by(6), few) {
                wrong.push(format!("{name} has an effect"));
            }
        // Some count far from the leaves only, and some of these only where there is tension.
        } else if !before.differs(&settings, 0..all, few)
            && !before.differs(&settings, 0..4, 400_000)
            && !before.differs(&settings, 4..all, 60_000)
        {
            wrong.push(name);
        }
    }
    assert!(wrong.is_empty(), "{mode} {preset}: {wrong:?}");
}

#[test]
fn every_switch_changes_alpha_beta() {
    check_switches(SearchMode::AlphaBeta, TreePreset::Modern);
}

#[test]
fn every_switch_changes_a_tree_or_is_said_to_have_no_effect() {
    check_switches(SearchMode::MonteCarlo, TreePreset::Modern);
    check_switches(SearchMode::MonteCarlo, TreePreset::Ym2012);
}

#[test]
fn every_switch_changes_realization_probability_or_is_said_to_have_no_effect() {
    check_switches(SearchMode::RealizationProbability, TreePreset::Modern);
}

#[test]
fn every_switch_changes_the_conspiracy_search_or_is_said_to_have_no_effect() {
    check_switches(SearchMode::Abc, TreePreset::Modern);
}

#[test]
fn every_switch_changes_alpha_beta_beside_a_tree() {
    check_switches(SearchMode::Both, TreePreset::PlainUct);
}

#[test]
fn options_of_the_tree_change_it_or_are_said_to_have_no_effect() {
    for preset in TreePreset::ALL {
        let base = settings_of(SearchMode::MonteCarlo, preset);
        let mut before = Before::new(base.clone());
        for (name, value) in [
            ("TreePreset", OptionValue::Text("Modern".to_owned())),
            ("TreePreset", OptionValue::Text("Ym2012".to_owned())),
            ("TreeHashBonus", OptionValue::Spin(50)),
            ("TreePriors", OptionValue::Text("Weights".to_owned())),
            ("TreePriors", OptionValue::Text("Softmax".to_owned())),
            ("TreeBackup", OptionValue::Text("Mean".to_owned())),
            ("TreeBackup", OptionValue::Text("BestChild".to_owned())),
            ("TreeBackup", OptionValue::Text("Minimax".to_owned())),
            ("PlayoutJudge", OptionValue::Text("Rate".to_owned())),
            ("PlayoutJudge", OptionValue::Text("Gain".to_owned())),
        ] {
            let mut settings = base.clone();
            settings.set(name, &value).expect("a value of the option");
            let is_same = settings.tree.options() == base.tree.options();
            let said = names(settings.vain_options(), name);
            // Games to the end are long, and a best move needs five results.
            let is_long = preset == TreePreset::PlainUct && name == "TreeBackup";
            let (most, nodes) = if is_long { (1, 600_000) } else { (2, 20_000) };
            let differs = before.differs(&settings, 0..most, nodes);
            assert!(differs != (said || is_same), "{preset}: {name} {value:?}: {differs} {said}");
        }
    }
}

#[test]
fn a_mate_that_only_the_solver_sees_is_played_in_both() {
    // The tree proves nothing, and alpha-beta has few nodes.
    check_mates_of_the_solver(SearchMode::Both, 1_500, 30);
}

#[test]
fn a_mate_that_only_the_solver_sees_is_played_by_the_selective_searches() {
    check_mates_of_the_solver(SearchMode::RealizationProbability, 1_500, 100);
    check_mates_of_the_solver(SearchMode::Abc, 1_500, 100);
}

/// Checks that the switch of the solver finds mates in five that a search of so many nodes misses,
/// among some problems.
fn check_mates_of_the_solver(mode: SearchMode, nodes: u64, problems: usize) {
    let base = settings_of(mode, TreePreset::PlainUct);
    let mut with_solver = base.clone();
    with_solver.techniques |= Techniques::MATE_SOLVER;
    let found = |settings: &Settings, position: &Position| {
        searcher(settings).search(position, &Budget::nodes(nodes), &mut |_| {})
    };
    let mut seen = 0;
    let mates = set(Set::ShortSelfplay);
    for problem in
        mates.filter(|problem| problem.expected == Expected::ShortestMate(5)).take(problems)
    {
        let position = Position::from_sfen(problem.sfen).expect("a position");
        let is_mate = |analysis: &Analysis| {
            analysis.score().and_then(Score::mate_plies).is_some_and(|plies| plies > 0)
        };
        if is_mate(&found(&base, &position)) {
            continue;
        }
        let by_solver = found(&with_solver, &position);
        if is_mate(&by_solver) {
            let line = &by_solver.lines[0].pv;
            let end = line.iter().fold(position, |position, &m| position.after(m));
            assert!(end.in_check() && komadai_movegen::MoveGen::legal_moves(&end).is_empty());
            assert_eq!(by_solver.best_move(), line.first().copied());
            seen += 1;
        }
    }
    assert!(seen >= 5, "{seen} mates were found by the solver alone");
}
