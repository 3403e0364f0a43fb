//! The settings of a player and the USI options that change them.

use std::env;
use std::path::{Path, PathBuf};
use std::time::Duration;

use komadai_bookfile::BookReading;
use komadai_core::Position;
use komadai_movegen::{DeclarationRule, MaxMoves, MoveGen};
use komadai_nnue::Nnue;
use komadai_search::monte_carlo::Skill;
use komadai_search::{Parameters, Quiescence, SearchOptions, Techniques};
use komadai_tsume::{DfPnOptions, Goal, Results};
use komadai_usi::{ClockTimes, OptionKind, OptionSpec, OptionValue};

use crate::book_policy::BookPolicy;
use crate::clock::{ClockPolicy, GameStage, TimeLimits};
use crate::draw_value::DrawPolicy;
use crate::evaluation::{Evaluation, EvaluationSource};
use crate::search_mode::{SearchMode, SearcherKind};
use crate::switches::switches;

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
    /// Number of search threads (`Threads`). A player uses at most eight for each core.
    pub threads: usize,
    /// Number of lines to report (`MultiPV`).
    pub multi_pv: usize,
    /// True to use the book (`USI_OwnBook`).
    pub own_book: bool,
    /// The file of the book (`BookFile`); `None` for no book.
    pub book_file: Option<PathBuf>,
    /// The folder of the book (`BookDir`).
    pub book_directory: PathBuf,
    /// The way to read the book: whole, or position by position (`BookOnTheFly`).
    pub book_reading: BookReading,
    /// The choice among book moves.
    pub book_policy: BookPolicy,
    /// The file of the evaluation (`EvalFile`), a network. A relative one is inside `eval_directory`, if that
    /// is set. Without file and folder the evaluation is the bundled network; `<classical>` is
    /// [`Evaluation::Classical`], `<material>` is [`Evaluation::Material`].
    pub eval_file: Option<PathBuf>,
    /// The folder of the evaluation (`EvalDir`), whose network is `nn.bin` unless `eval_file` names another.
    pub eval_directory: Option<PathBuf>,
    /// The divisor of a network's output (`FV_SCALE`), at least 1. The bundled network has none.
    pub fv_scale: i32,
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
    /// The kind of search (`SearchMode`).
    pub search_mode: SearchMode,
    /// Level of strength from 1, the weakest, to [`Skill::LEVELS`]; 0 for full strength (`SkillLevel`).
    /// A level is a tree search of few results, whatever the search mode is, without a mate search before.
    pub skill_level: u8,
    /// The techniques of the search (one switch each, such as `UseNullMove`).
    pub techniques: Techniques,
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
            threads: 1,
            multi_pv: 1,
            own_book: true,
            book_file: None,
            book_directory: PathBuf::from("."),
            book_reading: BookReading::default(),
            book_policy: BookPolicy::default(),
            eval_file: None,
            eval_directory: None,
            fv_scale: Nnue::FV_SCALE,
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
            search_mode: SearchMode::default(),
            skill_level: 0,
            techniques: Techniques::default(),
            quiescence: Quiescence::default(),
            parameters: Parameters::default(),
        }
    }
}

/// The value of `BookFile` for no book.
const NO_BOOK: &str = "no_book";

/// The value of `EvalFile` and `EvalDir` for the bundled network.
const INTERNAL: &str = "<internal>";

/// The value of `EvalFile` for the pieces only.
const MATERIAL: &str = "<material>";

/// The value of `EvalFile` for the evaluation by terms that people chose.
const CLASSICAL: &str = "<classical>";

/// The network in the folder of an evaluation.
const NETWORK_FILE: &str = "nn.bin";

const FOREVER: i64 = i64::MAX;

/// Limit of `USI_Hash`. One thread takes five minutes to fill 4 GiB. The table is cleared before
/// use, about a second for each GiB, while the GUI waits.
const MAX_HASH_MIB: i64 = 4_096;

/// Limit of the draw values: half of the largest evaluation in centipawns.
const MAX_DRAW_VALUE: i64 = 15_000;

/// Limit of `MateHash`. Unused parts of the mate solver's table cost no time, so the limit is
/// large.
const MAX_MATE_HASH_MIB: i64 = 65_536;

impl Settings {
    /// Returns the USI options with their defaults.
    #[must_use]
    pub fn options() -> Vec<OptionSpec> {
        Self::default().to_options()
    }

    /// Returns the USI options with these settings as their defaults. A number beyond the range of its
    /// option becomes the nearest one of the range.
    #[must_use]
    pub fn to_options(&self) -> Vec<OptionSpec> {
        let switch = |(name, technique): (String, Techniques)| {
            OptionSpec::check(&name, self.techniques.contains(technique))
        };
        let mut options = self.plain_options();
        options.extend(switches().map(switch));
        for option in &mut options {
            if let OptionKind::Spin { default, min, max } = &mut option.kind {
                *default = (*default).clamp(*min, *max);
            }
        }
        options
    }

    fn plain_options(&self) -> Vec<OptionSpec> {
        let Self { book_policy: book, clock, draw, .. } = self;
        let number = |number: usize| i64::try_from(number).unwrap_or(FOREVER);
        let nodes = |nodes: u64| i64::try_from(nodes).unwrap_or(FOREVER);
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let book_file = self.book_file.as_deref().map_or_else(|| NO_BOOK.to_owned(), text);
        let book_directory = text(&self.book_directory);
        let internal =
            |path: &Option<PathBuf>| path.as_deref().map_or_else(|| INTERNAL.to_owned(), text);
        let [eval_file, eval_directory] = [&self.eval_file, &self.eval_directory].map(internal);
        let max_moves = self.max_moves.map_or(0, MaxMoves::get);
        let quiescence = self.quiescence.to_string();
        let mut ways = Quiescence::NAMES.to_vec();
        if !ways.contains(&quiescence.as_str()) {
            ways.push(&quiescence);
        }
        let ms = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(FOREVER);
        let rules = DeclarationRule::ALL.map(DeclarationRule::name);
        let modes = SearchMode::ALL.map(SearchMode::name);
        let delay = 0..=10_000;
        let cp = -99_999..=99_999;
        let draw_cp = -MAX_DRAW_VALUE..=MAX_DRAW_VALUE;
        vec![
            OptionSpec::spin("USI_Hash", number(self.hash_mib), 1..=MAX_HASH_MIB),
            OptionSpec::check("USI_Ponder", self.ponders),
            OptionSpec::check("Stochastic_Ponder", self.stochastic_ponder),
            OptionSpec::spin("Threads", number(self.threads), 1..=1024),
            OptionSpec::spin("MultiPV", number(self.multi_pv), 1..=593),
            OptionSpec::check("USI_OwnBook", self.own_book),
            OptionSpec::filename("BookFile", &book_file),
            OptionSpec::string("BookDir", &book_directory),
            OptionSpec::check("BookOnTheFly", self.book_reading == BookReading::OnTheFly),
            OptionSpec::spin("BookMoves", book.moves.into(), 0..=10_000),
            OptionSpec::spin("BookEvalDiff", book.eval_diff.into(), 0..=99_999),
            OptionSpec::spin("BookEvalBlackLimit", book.black_limit.into(), cp.clone()),
            OptionSpec::spin("BookEvalWhiteLimit", book.white_limit.into(), cp),
            OptionSpec::spin("BookDepthLimit", book.depth_limit.into(), 0..=99_999),
            OptionSpec::check("ConsiderBookMoveCount", book.by_games),
            OptionSpec::filename("EvalFile", &eval_file),
            OptionSpec::string("EvalDir", &eval_directory),
            OptionSpec::spin("FV_SCALE", self.fv_scale.into(), 1..=128),
            OptionSpec::spin("MinimumThinkingTime", ms(clock.minimum), 0..=100_000),
            OptionSpec::spin("NetworkDelay", ms(clock.network_delay), delay.clone()),
            OptionSpec::spin("NetworkDelay2", ms(clock.network_delay_worst), delay),
            OptionSpec::spin("SlowMover", clock.slow_mover.into(), 1..=1_000),
            OptionSpec::check("RoundUpToFullSecond", clock.rounds_up),
            OptionSpec::spin("MaxMovesToDraw", max_moves.into(), 0..=100_000),
            OptionSpec::combo("EnteringKingRule", self.declaration.name(), &rules),
            OptionSpec::combo("SearchMode", self.search_mode.name(), &modes),
            OptionSpec::spin("SkillLevel", self.skill_level.into(), 0..=Skill::LEVELS.into()),
            OptionSpec::combo("Quiescence", &quiescence, &ways),
            OptionSpec::spin("DrawValueBlack", draw.black.into(), draw_cp.clone()),
            OptionSpec::spin("DrawValueWhite", draw.white.into(), draw_cp),
            OptionSpec::check("DrawValueByClock", draw.by_clock),
            OptionSpec::spin("ResignValue", self.resign_value.into(), 1..=99_999),
            OptionSpec::spin("DepthLimit", self.depth_limit.into(), 0..=i64::from(i32::MAX)),
            OptionSpec::spin("NodesLimit", nodes(self.nodes_limit), 0..=FOREVER),
            OptionSpec::spin("PvInterval", ms(self.pv_interval), 0..=100_000),
            OptionSpec::spin("MateHash", number(self.mate_hash_mib), 1..=MAX_MATE_HASH_MIB),
            OptionSpec::spin("MateNodes", nodes(self.mate_nodes), 0..=FOREVER),
            OptionSpec::check("ShortestMate", self.shortest_mate),
            OptionSpec::spin("RandomSeed", nodes(self.seed), 0..=FOREVER),
        ]
    }

    /// Sets an option to a value of its range, as [`OptionSpec::accept`] returns it.
    ///
    /// # Errors
    ///
    /// [`SettingError::Unknown`] for a value of another kind or an option that does not exist.
    pub fn set(&mut self, name: &str, value: &OptionValue) -> Result<(), SettingError> {
        let is_known = match value {
            OptionValue::Check(value) => self.set_check(name, *value),
            OptionValue::Spin(value) => self.set_spin(name, *value),
            OptionValue::Text(value) => self.set_text(name, value),
            _ => false,
        };
        if is_known { Ok(()) } else { Err(SettingError::Unknown { name: name.to_owned() }) }
    }

    fn set_check(&mut self, name: &str, value: bool) -> bool {
        let place = match name {
            "BookOnTheFly" => {
                self.book_reading = if value { BookReading::OnTheFly } else { BookReading::Memory };
                return true;
            }
            "USI_Ponder" => &mut self.ponders,
            "USI_OwnBook" => &mut self.own_book,
            "ConsiderBookMoveCount" => &mut self.book_policy.by_games,
            "RoundUpToFullSecond" => &mut self.clock.rounds_up,
            "ShortestMate" => &mut self.shortest_mate,
            "Stochastic_Ponder" => &mut self.stochastic_ponder,
            "DrawValueByClock" => &mut self.draw.by_clock,
            _ => return self.set_switch(name, value),
        };
        *place = value;
        true
    }

    fn set_switch(&mut self, name: &str, value: bool) -> bool {
        let technique = switches().find(|(switch, _)| switch == name);
        technique.inspect(|&(_, technique)| self.techniques.set(technique, value)).is_some()
    }

    fn set_spin(&mut self, name: &str, value: i64) -> bool {
        // Within the ranges of the options all conversions are exact. A value outside becomes the
        // nearest representable one.
        let wide = u64::try_from(value).unwrap_or(0);
        let narrow = u32::try_from(wide).unwrap_or(u32::MAX);
        let signed = i32::try_from(value).unwrap_or(if value < 0 { i32::MIN } else { i32::MAX });
        let size = usize::try_from(wide).unwrap_or(usize::MAX);
        let time = Duration::from_millis(wide);
        match name {
            "USI_Hash" => self.hash_mib = size,
            "Threads" => self.threads = size,
            "MultiPV" => self.multi_pv = size,
            "BookMoves" => self.book_policy.moves = narrow,
            "BookEvalDiff" => self.book_policy.eval_diff = signed,
            "BookEvalBlackLimit" => self.book_policy.black_limit = signed,
            "BookEvalWhiteLimit" => self.book_policy.white_limit = signed,
            "BookDepthLimit" => self.book_policy.depth_limit = narrow,
            "MinimumThinkingTime" => self.clock.minimum = time,
            "NetworkDelay" => self.clock.network_delay = time,
            "NetworkDelay2" => self.clock.network_delay_worst = time,
            "FV_SCALE" => self.fv_scale = signed.max(1),
            "SlowMover" => self.clock.slow_mover = narrow,
            "MaxMovesToDraw" => self.max_moves = MaxMoves::new(narrow),
            "DrawValueBlack" => self.draw.black = signed,
            "DrawValueWhite" => self.draw.white = signed,
            "ResignValue" => self.resign_value = signed,
            "DepthLimit" => self.depth_limit = narrow,
            "NodesLimit" => self.nodes_limit = wide,
            "PvInterval" => self.pv_interval = time,
            "SkillLevel" => self.skill_level = u8::try_from(wide).unwrap_or(u8::MAX),
            "MateHash" => self.mate_hash_mib = size,
            "MateNodes" => self.mate_nodes = wide,
            "RandomSeed" => self.seed = wide,
            _ => return false,
        }
        true
    }

    fn set_text(&mut self, name: &str, value: &str) -> bool {
        match name {
            "BookFile" => {
                let is_book = !value.is_empty() && !value.eq_ignore_ascii_case(NO_BOOK);
                self.book_file = is_book.then(|| PathBuf::from(value));
            }
            "BookDir" => self.book_directory = PathBuf::from(value),
            "EvalFile" => self.eval_file = evaluation_part(value),
            "EvalDir" => self.eval_directory = evaluation_part(value),
            "EnteringKingRule" => match value.parse() {
                Ok(rule) => self.declaration = rule,
                Err(_) => return false,
            },
            "SearchMode" => match value.parse() {
                Ok(mode) => self.search_mode = mode,
                Err(_) => return false,
            },
            // The name of a policy of one's own, which cannot be read, is the one in force.
            "Quiescence" if value == self.quiescence.to_string() => {}
            "Quiescence" => match value.parse() {
                Ok(quiescence) => self.quiescence = quiescence,
                Err(_) => return false,
            },
            _ => return false,
        }
        true
    }

    /// Returns the path of the book, if one is set and used.
    ///
    /// A relative path is resolved against the folder of the program if such a file exists, because
    /// GUIs start engines in folders of their own; otherwise against the current folder.
    #[must_use]
    pub fn book_path(&self) -> Option<PathBuf> {
        let file = self.book_file.as_ref().filter(|_| self.own_book)?;
        Some(beside_program(self.book_directory.join(file)))
    }

    /// Returns the path of the network, or `None` if the evaluation is one of the program.
    ///
    /// A relative path is resolved like [that of the book](Self::book_path).
    #[must_use]
    pub fn evaluation_path(&self) -> Option<PathBuf> {
        match self.evaluation_source() {
            EvaluationSource::File(path) => Some(path),
            _ => None,
        }
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

    /// Sets file and folder of the book to `path`.
    pub fn set_book(&mut self, path: &Path) {
        self.book_directory = PathBuf::from(".");
        self.book_file = Some(path.to_owned());
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

    /// Returns the kind of searcher with this evaluation. A level beyond the last one is the last one.
    pub(crate) fn searcher_kind(&self, evaluation: &Evaluation) -> SearcherKind {
        let mut kind = SearcherKind { evaluation: evaluation.clone(), ..SearcherKind::default() };
        kind.mode = self.search_mode;
        kind.skill = Skill::level(self.skill_level.min(Skill::LEVELS));
        // Alpha-beta has no random choices: another seed is no reason to forget what it has learned.
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

/// Returns the path of a file that a GUI names: in the folder of the program if it is relative and exists
/// there.
fn beside_program(path: PathBuf) -> PathBuf {
    let folder = env::current_exe().ok();
    let beside = folder.and_then(|program| program.parent().map(|folder| folder.join(&path)));
    beside.filter(|path| path.exists()).unwrap_or(path)
}

/// Reads a value of `EvalFile` or `EvalDir`; `None` for the embedded evaluation.
fn evaluation_part(value: &str) -> Option<PathBuf> {
    let is_internal = value.is_empty() || value.eq_ignore_ascii_case(INTERNAL);
    (!is_internal).then(|| PathBuf::from(value))
}

#[cfg(test)]
mod tests;
