//! The settings of a player and the USI options that change them.

use std::env;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use komadai_bookfile::BookReading;
use komadai_core::{Budget, Position};
use komadai_movegen::{DeclarationRule, MaxMoves, MoveGen};
use komadai_search::monte_carlo::Skill;
use komadai_search::selective::{AbcOptions, MoveModel, RealizationOptions};
use komadai_search::{Parameters, Quiescence, SearchOptions, Techniques, TesujiTable};
use komadai_tsume::{DfPnOptions, Goal, Results};
use komadai_usi::{ClockTimes, GoLimits};

use crate::book_policy::BookPolicy;
use crate::clock::{ClockPolicy, GameStage, TimeLimits};
use crate::draw_value::DrawPolicy;
use crate::eval_stack_rule::EvalStackRule;
use crate::evaluation::{Evaluation, EvaluationReading, EvaluationSource};
use crate::preset::Preset;
use crate::search_mode::{SearchMode, SearcherKind};
use crate::tree_settings::{HybridRules, TreeSettings};

/// The settings of a [`Player`](crate::Player).
///
/// # Examples
///
/// ```
/// use komadai_engine::Settings;
/// use komadai_usi::OptionValue;
///
/// let mut settings = Settings::default();
/// settings.set("MultiPV", &OptionValue::Spin(3))?;
/// assert_eq!(settings.multi_pv, 3);
/// for option in Settings::options() {
///     println!("{option}");
/// }
/// # Ok::<(), komadai_engine::SettingError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Settings {
    /// Size of the transposition table in MiB (`USI_Hash`).
    pub hash_mib: usize,
    /// True to report a reply to ponder on (`USI_Ponder`).
    pub ponders: bool,
    /// True to ponder on all replies instead of the expected one (`Stochastic_Ponder`).
    pub stochastic_ponder: bool,
    /// Number of replies to ponder on in turn, from 2 on (`Multi_Ponder`). `stochastic_ponder` is
    /// then without effect.
    pub multi_ponder: usize,
    /// Number of search threads (`Threads`). A player uses at most eight for each core.
    pub threads: usize,
    /// Number of lines to report (`MultiPV`).
    pub multi_pv: usize,
    /// True to use the book (`USI_OwnBook`).
    pub own_book: bool,
    /// The files of the books (`BookFile`), in the order in which they are asked.
    pub book_files: Vec<PathBuf>,
    /// The folder of the book (`BookDir`).
    pub book_directory: PathBuf,
    /// The way to read the book: whole, or position by position (`BookOnTheFly`).
    pub book_reading: BookReading,
    /// The choice among book moves.
    pub book_policy: BookPolicy,
    /// The file of the evaluation (`EvalFile`), a network. A relative one is inside
    /// `eval_directory`, if that is set. Without file and folder the evaluation is the bundled
    /// network; `<classical>` is [`Evaluation::Classical`], `<material>` is
    /// [`Evaluation::Material`].
    pub eval_file: Option<PathBuf>,
    /// The folder of the evaluation (`EvalDir`), whose network is `nn.bin` unless `eval_file` names
    /// another.
    pub eval_directory: Option<PathBuf>,
    /// The divisor of a network's output (`FV_SCALE`); 0 for that of the
    /// [facts](komadai_nnue::NetworkFacts) about the network. The bundled network has none.
    pub fv_scale: i32,
    /// The rule that chooses among the stacks of a LayerStack network (`EvalStackRule`).
    pub eval_stack_rule: EvalStackRule,
    /// True if the weights of a network stay in their file (`EvalMapped`), so that processes share
    /// one copy: see [`Network::map`](komadai_nnue::Network). Without the feature `mmap` the file
    /// is read.
    pub eval_mapped: bool,
    /// The use of the clock.
    pub clock: ClockPolicy,
    /// Number of moves after which the game is a draw (`MaxMovesToDraw`).
    pub max_moves: Option<MaxMoves>,
    /// The rule for declaring a win (`EnteringKingRule`).
    pub declaration: DeclarationRule,
    /// The value of a draw.
    pub draw: DrawPolicy,
    /// Resign if the value is at most the negative of this number, in centipawns (`ResignValue`).
    pub resign_value: i32,
    /// Maximum depth in plies; 0 for no limit (`DepthLimit`).
    pub depth_limit: u32,
    /// Maximum number of nodes; 0 for no limit (`NodesLimit`).
    pub nodes_limit: u64,
    /// Minimum time between two reports (`PvInterval`).
    pub pv_interval: Duration,
    /// Memory of the mate solver in MiB (`MateHash`).
    pub mate_hash_mib: usize,
    /// Maximum number of nodes of the mate search before each search; 0 for none (`MateNodes`). A
    /// mate search never uses more than a twentieth of the budget.
    pub mate_nodes: u64,
    /// True if `go mate` has to find the shortest mate (`ShortestMate`).
    pub shortest_mate: bool,
    /// Seed of random choices (`RandomSeed`).
    pub seed: u64,
    /// The preset of a program of history, on top of all other settings (`Preset`).
    pub preset: Preset,
    /// The kind of search (`SearchMode`).
    pub search_mode: SearchMode,
    /// The tree search (`TreePreset` and others).
    pub tree: TreeSettings,
    /// The choice between the moves of two searches (`Hybrid…`).
    pub hybrid: HybridRules,
    /// The model of move probabilities of the selective searches (`MoveModel`).
    pub move_model: MoveModel,
    /// The most that a move costs in the second search of that mode, in hundredths of a nat; `None`
    /// for no second search (`SurpriseCost`).
    pub surprise_cost: Option<u32>,
    /// By how much another move may be worse and still be an alternative in the ABC search, in
    /// hundredths of a pawn (`AbcMargin`).
    pub abc_margin: i32,
    /// Level of strength from 1, the weakest, to [`Skill::LEVELS`]; 0 for full strength
    /// (`SkillLevel`). A level is a tree search of few results, whatever the search mode is,
    /// without a mate search before.
    pub skill_level: u8,
    /// The techniques of the search (one switch each, such as `UseNullMove`).
    pub techniques: Techniques,
    /// The file of the sequences of moves of
    /// [`TESUJI_EXTENSION`](komadai_search::Techniques::TESUJI_EXTENSION) (`TesujiFile`); `None`
    /// for the bundled ones. Alpha-beta alone uses it.
    pub tesuji_file: Option<PathBuf>,
    /// The quiescence search at the leaves (`Quiescence`).
    pub quiescence: Quiescence,
    /// Margins and weights of the search. A tuner sets them; they are not USI options.
    pub parameters: Parameters,
}

/// An error in the value of an option.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingError {
    /// The option does not exist, or its values are of another kind.
    #[error("no option {name} takes this value")]
    Unknown {
        /// The name of the option.
        name: String,
    },
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            hash_mib: 256,
            ponders: false,
            stochastic_ponder: false,
            multi_ponder: 0,
            threads: 1,
            multi_pv: 1,
            own_book: true,
            book_files: Vec::new(),
            book_directory: PathBuf::from("."),
            book_reading: BookReading::default(),
            book_policy: BookPolicy::default(),
            eval_file: None,
            eval_directory: None,
            fv_scale: 0,
            eval_stack_rule: EvalStackRule::default(),
            eval_mapped: false,
            clock: ClockPolicy::default(),
            max_moves: None,
            declaration: DeclarationRule::default(),
            draw: DrawPolicy::default(),
            resign_value: 99_999,
            depth_limit: 0,
            nodes_limit: 0,
            pv_interval: Duration::from_millis(300),
            mate_hash_mib: 64,
            mate_nodes: 20_000,
            shortest_mate: false,
            seed: 1,
            preset: Preset::default(),
            search_mode: SearchMode::default(),
            tree: TreeSettings::default(),
            hybrid: HybridRules::default(),
            move_model: MoveModel::default(),
            surprise_cost: RealizationOptions::default().surprise_cost,
            abc_margin: AbcOptions::default().margin,
            skill_level: 0,
            techniques: Techniques::default(),
            tesuji_file: None,
            quiescence: Quiescence::default(),
            parameters: Parameters::default(),
        }
    }
}

/// The value of `EvalFile` and `EvalDir` for the bundled network.
pub(crate) const INTERNAL: &str = "<internal>";

/// The value of `EvalFile` for the pieces only.
const MATERIAL: &str = "<material>";

/// The value of `EvalFile` for the evaluation by terms that people chose.
const CLASSICAL: &str = "<classical>";

/// The network in the folder of an evaluation.
const NETWORK_FILE: &str = "nn.bin";

impl Settings {
    /// Returns the paths of the books, if they are used.
    ///
    /// A relative path is resolved against the folder of the program if such a file exists, because
    /// GUIs start engines in folders of their own; otherwise against the current folder.
    pub(crate) fn book_paths(&self) -> Vec<PathBuf> {
        let files = self.book_files.iter().filter(|_| self.own_book);
        files.map(|file| beside_program(self.book_directory.join(file))).collect()
    }

    /// Returns the path of the network, or `None` if the evaluation is one of the program.
    ///
    /// A relative path is resolved against the folder of the program if such a file exists, because
    /// GUIs start engines in folders of their own; otherwise against the current folder.
    pub fn evaluation_path(&self) -> Option<PathBuf> {
        match self.evaluation_source() {
            EvaluationSource::File(path) => Some(path),
            _ => None,
        }
    }

    /// Returns the path of the sequences of moves, if they are not the bundled ones.
    pub(crate) fn tesuji_path(&self) -> Option<PathBuf> {
        self.tesuji_file.clone().map(beside_program)
    }

    pub(crate) fn evaluation_source(&self) -> EvaluationSource {
        let path = match (&self.eval_directory, &self.eval_file) {
            (_, Some(file)) if file.as_os_str().eq_ignore_ascii_case(MATERIAL) => {
                return EvaluationSource::Material;
            }
            (_, Some(file)) if file.as_os_str().eq_ignore_ascii_case(CLASSICAL) => {
                return EvaluationSource::Classical;
            }
            (Some(directory), Some(file)) => directory.join(file),
            (Some(directory), None) => directory.join(NETWORK_FILE),
            (None, Some(file)) => file.clone(),
            (None, None) => return EvaluationSource::Bundled,
        };
        EvaluationSource::File(beside_program(path))
    }

    /// Returns the settings about a network that its files do not decide.
    pub(crate) fn eval_reading(&self) -> EvaluationReading {
        EvaluationReading {
            fv_scale: self.fv_scale,
            stack_rule: self.eval_stack_rule.rule(),
            is_mapped: self.eval_mapped,
        }
    }

    /// Returns the time limits for the side to move.
    pub(crate) fn limits(
        &self,
        position: &Position,
        clock: &ClockTimes,
        moves_to_go: Option<u32>,
    ) -> TimeLimits {
        let max_moves = self.max_moves.map(MaxMoves::get);
        let stage = GameStage { ply: position.ply(), max_moves, moves_to_go };
        let limits = self.clock.limits(clock, position.side(), stage);
        let limits = if self.ponders { limits.for_pondering() } else { limits };
        // A single legal move needs no time.
        let has_choice = position.legal_moves().len() > 1;
        if has_choice { limits } else { limits.for_only_move() }
    }

    /// Returns the limits of nodes and depth: those of the command, or of these settings if they are
    /// less.
    pub(crate) fn budget(&self, limits: &GoLimits) -> Budget {
        let (nodes, depth) = (self.nodes_limit, self.depth_limit);
        Budget {
            nodes: limits.nodes.into_iter().chain((nodes > 0).then_some(nodes)).min(),
            depth: limits.depth.into_iter().chain((depth > 0).then_some(depth)).min(),
            ..Budget::unlimited()
        }
    }

    /// Returns the options of the searcher, with this size of the table and number of threads.
    pub(crate) fn search_options(&self, hash_mib: usize, threads: usize) -> SearchOptions {
        SearchOptions {
            hash_mib,
            threads,
            techniques: self.techniques,
            quiescence: self.quiescence.clone(),
            parameters: self.parameters,
            multi_pv: self.multi_pv,
            max_moves: self.max_moves,
            declaration: self.declaration,
            ..SearchOptions::default()
        }
    }

    /// Returns the kind of searcher with this evaluation and these tesuji. A level beyond the last
    /// one is the last one.
    pub(crate) fn searcher_kind(
        &self,
        evaluation: &Evaluation,
        tesuji: Option<&Arc<TesujiTable>>,
    ) -> SearcherKind {
        let mut kind = SearcherKind { evaluation: evaluation.clone(), ..SearcherKind::default() };
        kind.mode = self.search_mode;
        if self.search_mode == SearchMode::RealizationProbability {
            let &Self { move_model: model, surprise_cost, .. } = self;
            kind.realization =
                RealizationOptions { model, surprise_cost, ..RealizationOptions::default() };
        }
        if self.search_mode == SearchMode::Abc {
            let (margin, order) = (self.abc_margin, self.move_model);
            kind.abc = AbcOptions { margin, order, ..AbcOptions::default() };
        }
        if matches!(self.search_mode, SearchMode::MonteCarlo | SearchMode::Both) {
            kind.tree = self.tree.options();
        }
        if self.search_mode == SearchMode::Both {
            kind.rules = self.hybrid.choice_rules();
        }
        kind.skill = Skill::level(self.skill_level.min(Skill::LEVELS));
        kind.tesuji = tesuji.filter(|_| kind.is_alpha_beta()).cloned();
        // Alpha-beta has no random choices: another seed is no reason to forget what it has
        // learned.
        kind.seed = if kind.is_alpha_beta() { 0 } else { self.seed };
        kind
    }

    /// Returns the options of the mate solver, with this memory in MiB.
    pub(crate) fn solver_options(&self, hash_mib: usize) -> DfPnOptions {
        let goal = if self.shortest_mate { Goal::ShortestMate } else { Goal::AnyMate };
        // A mate that is played out is found among the results of the last turn.
        DfPnOptions { hash_mib, goal, results: Results::Kept, ..DfPnOptions::default() }
    }
}

/// Returns the path of a file that a GUI names: in the folder of the program if it is relative and
/// exists there.
fn beside_program(path: PathBuf) -> PathBuf {
    let folder = env::current_exe().ok();
    let beside = folder.and_then(|program| program.parent().map(|folder| folder.join(&path)));
    beside.filter(|path| path.exists()).unwrap_or(path)
}

#[cfg(test)]
mod tests;
