//! The USI options of a player, one line of a table each.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use komadai_base::text::shorten;
use komadai_bookfile::BookReading;
use komadai_movegen::{DeclarationRule, MaxMoves};
use komadai_search::monte_carlo::{Skill, TreePreset};
use komadai_search::selective::MoveModel;
use komadai_search::{Quiescence, Techniques};
use komadai_usi::{OptionError, OptionSpec, OptionValue};

use crate::eval_stack_rule::EvalStackRule;
use crate::preset::Preset;
use crate::search_mode::SearchMode;
use crate::settings::{INTERNAL, SettingError, Settings};
use crate::tree_settings::{PlayoutJudge, TreeBackup, TreePriors};

/// The value of `BookFile` for no book.
const NO_BOOK: &str = "no_book";

const FOREVER: i64 = i64::MAX;

/// Limit of `USI_Hash`. One thread takes five minutes to fill 4 GiB. The table is cleared before
/// use, about a second for each GiB, while the GUI waits. Where addresses have 32 bits, much less
/// than 4 GiB can be had, and a browser ends a page that takes too much.
const MAX_HASH_MIB: i64 = if cfg!(target_pointer_width = "32") { 1_024 } else { 4_096 };

/// Limit of the draw values: half of the largest evaluation in centipawns.
const MAX_DRAW_VALUE: i64 = 15_000;

/// Limit of `MateHash`. Unused parts of the mate solver's table cost no time, so the limit is
/// large.
const MAX_MATE_HASH_MIB: i64 = 65_536;

/// An option of the table.
struct UsiOption {
    name: &'static str,
    kind: Kind,
    /// The text of the README.
    #[cfg_attr(not(test), expect(dead_code, reason = "a test compares the README with it"))]
    doc: &'static str,
}

/// The type of an option's values, with its access to the settings.
enum Kind {
    Check { get: fn(&Settings) -> bool, set: fn(&mut Settings, bool) },
    Spin { min: i64, max: i64, get: fn(&Settings) -> i64, set: fn(&mut Settings, i64) },
    Text { spec: fn(&Settings, &str) -> OptionSpec, set: fn(&mut Settings, &str) -> bool },
}

/// Makes the table from lines of name, type with range, field and text.
macro_rules! options {
    ($($name:literal: $kind:ident $(($($range:tt)*))? $($field:ident).+, $doc:literal;)*) => {
        const OPTIONS: &[UsiOption] = &[$(UsiOption {
            name: $name,
            kind: options!(@$kind ($($($range)*)?) $($field).+),
            doc: $doc,
        },)*];
    };
    (@check () $($field:ident).+) => {
        Kind::Check {
            get: |settings| settings.$($field).+.to_check(),
            set: |settings, value| settings.$($field).+ = CheckValue::of_check(value),
        }
    };
    (@spin ($min:tt to $max:expr) $($field:ident).+) => {
        Kind::Spin {
            min: $min,
            max: $max,
            get: |settings| settings.$($field).+.to_spin(),
            set: |settings, value| settings.$($field).+ = SpinValue::of_spin(value),
        }
    };
    (@combo ($known:expr) $($field:ident).+) => {
        Kind::Text {
            spec: |settings, name| combo(name, &settings.$($field).+, &$known),
            set: |settings, word| set_word(&mut settings.$($field).+, word),
        }
    };
    (@directory () $($field:ident).+) => {
        Kind::Text {
            spec: |settings, name| OptionSpec::string(name, &settings.$($field).+.to_string_lossy()),
            set: |settings, text| { settings.$($field).+ = PathBuf::from(text); true },
        }
    };
    // Paths with `;` between them, or the word for none.
    (@files ($none:ident) $($field:ident).+) => {
        Kind::Text {
            spec: |settings, name| {
                OptionSpec::filename(name, &paths_text(&settings.$($field).+, $none))
            },
            set: |settings, text| { settings.$($field).+ = read_paths(text, $none); true },
        }
    };
    // A path, or the word for none.
    (@$kind:ident ($none:ident) $($field:ident).+) => {
        Kind::Text {
            spec: |settings, name| {
                OptionSpec::$kind(name, &path_text(settings.$($field).+.as_deref(), $none))
            },
            set: |settings, text| { settings.$($field).+ = read_path(text, $none); true },
        }
    };
}

// In the order in which `usi` lists them. After a change the test of this file prints the table of
// the README.
options! {
    "USI_Hash": spin(1 to MAX_HASH_MIB) hash_mib, "size of the transposition table in MiB; if the machine lacks the memory, the engine uses less and reports it. As long as only `go mate` is asked, it is the size of the mate solver's table instead, if it is more than `MateHash`";
    "USI_Ponder": check ponders, "report a reply to ponder on";
    "Stochastic_Ponder": check stochastic_ponder, "ponder on the position before the expected reply, so that the transposition table has entries for every reply";
    "Multi_Ponder": spin(0 to 8) multi_ponder, "number of replies to ponder on: from 2 on the expected one and the likeliest others are searched in turn, and `Stochastic_Ponder` is without effect; `info string multi ponder` names them; the search after one of them continues at the depth that it reached";
    "Threads": spin(1 to 1024) threads, "number of search threads; the engine uses at most eight for each core and reports a reduction";
    "MultiPV": spin(1 to 593) multi_pv, "number of lines; with more than one, no mate search precedes the search. `go mate` reports as many moves that mate";
    "USI_OwnBook": check own_book, "play from the book";
    "BookFile": files(NO_BOOK) book_files, "the book, or several with `;` between them (the first one that has a move to play decides): `.db`, `.ybb`, Apery `.bin`, `.sbk`, and `.kbook` in `komadai engine`, which gives the engine `komadai_book::open_book`. If the book cannot be read, or turns out to be damaged, `info string` names it and the engine plays without it; the next `isready` tries again. A move that loses by perpetual check is not played from a book, nor one that makes a draw by repetition with a draw value below the book's value. The values are those in the file (`book propagate` writes propagated ones); the values of a `.kbook` that is read whole are propagated";
    "BookDir": directory book_directory, "the folder of the book. A relative path is resolved against the folder of the program first";
    "BookOnTheFly": check book_reading, "probe the book on disk instead of reading it: a sorted `.db`, a `.ybb` or a `.bin`. If another program writes into the file, the new content counts";
    "BookMoves": spin(0 to 10_000) book_policy.moves, "the last move number at which the book is used";
    "BookEvalDiff": spin(0 to 99_999) book_policy.eval_diff, "maximum difference of a book move to the best one (centipawns)";
    "BookEvalBlackDiff": spin((-1) to 99_999) book_policy.black_diff, "the same for Black's moves; -1 for `BookEvalDiff`";
    "BookEvalWhiteDiff": spin((-1) to 99_999) book_policy.white_diff, "the same for White's moves; -1 for `BookEvalDiff`";
    "BookEvalBlackLimit": spin((-99_999) to 99_999) book_policy.black_limit, "minimum value of a book move of Black (centipawns for Black)";
    "BookEvalWhiteLimit": spin((-99_999) to 99_999) book_policy.white_limit, "minimum value of a book move of White (centipawns for White)";
    "BookDepthLimit": spin(0 to 99_999) book_policy.depth_limit, "minimum depth of a book move";
    "ConsiderBookMoveCount": check book_policy.by_games, "choose book moves with a probability proportional to their number of games";
    "EvalFile": filename(INTERNAL) eval_file, "the evaluation: an NNUE file or a linear evaluation of `komadai train compare`; see below. `<internal>` is the bundled network (without the feature `bundled` the same as `<classical>`), `<classical>` the evaluation to which it adds, `<material>` the pieces only";
    "EvalDir": string(INTERNAL) eval_directory, "the folder of the evaluation, with a file `nn.bin` unless `EvalFile` names another";
    "FV_SCALE": spin(0 to 128) fv_scale, "divisor of the network's output; 0 for that of `eval_options.txt` in the folder of the file or of the file's text, else the usual one";
    "EvalStackRule": combo(EvalStackRule::NAMES) eval_stack_rule, "the rule that chooses among the stacks of a LayerStack network; see below";
    "EvalMapped": check eval_mapped, "leave the weights of the network in its file, so that engines on one machine share one copy; the file must not change while an engine uses it. For classical networks (HalfKP, K-P, HalfKPE9); the weights of others are read. Without the feature `mmap`, which `komadai engine` has, every file is read";
    "MinimumThinkingTime": spin(0 to 100_000) clock.minimum, "minimum time of a move in ms, while the main time is at least ten times as long";
    "NetworkDelay": spin(0 to 10_000) clock.network_delay, "usual delay between engine and clock in ms; set both delays to 0 for games on one machine, because otherwise the engine does not search at less than 120 ms a move";
    "NetworkDelay2": spin(0 to 10_000) clock.network_delay_worst, "longest delay between engine and clock in ms";
    "SlowMover": spin(1 to 1_000) clock.slow_mover, "time of a move in per cent of the usual time";
    "RoundUpToFullSecond": check clock.rounds_up, "search until just before a whole second, while at least ten seconds of main time are left";
    "MaxMovesToDraw": spin(0 to 100_000) max_moves, "the move number at which the game is a draw; 0 for none";
    "EnteringKingRule": combo(DeclarationRule::ALL.map(DeclarationRule::name)) declaration, "the rule for declaring a win";
    "Preset": combo(Preset::ALL.map(Preset::name)) preset, "options by the published ideas of a program of history, for all options that it fixes: `KfEnd` plays with `SearchMode` `Abc`, for example; `Modern` fixes none. An option that the preset fixes must have its default or the preset's value; else the engine refuses to play, and names the option. The names are those of ideas, not of programs";
    "SearchMode": combo(SearchMode::ALL.map(SearchMode::name)) search_mode, "the search: alpha-beta, a tree search, both at the same time, or a selective search: by realization probability, or alpha-beta-conspiracy; see below";
    "TreePreset": combo(TreePreset::ALL.map(TreePreset::name)) tree.preset, "the settings of the tree search in the modes `MonteCarlo` and `Both`: as it is done today, that of ym-shogi (2012), or UCT without knowledge";
    "TreeHashBonus": spin((-1) to 100) tree.hash_bonus, "there, what the best move of alpha-beta's table (alone, that of the leaves' table) gets on top of its rate, in per cent; -1 for that of the preset, which is 10 for `Ym2012` and else 0";
    "TreePriors": combo(TreePriors::NAMES) tree.priors, "the model of the probabilities of moves before the search there: sums of integer weights, or a fitted model that takes longer";
    "TreeBackup": combo(TreeBackup::NAMES) tree.backup, "the rate of a node there: the mean of its results, the rate of its best move, or the mean with 0.3 of the rate by minimax";
    "PlayoutJudge": combo(PlayoutJudge::NAMES) tree.judge, "the verdict on random games that are cut off, which `Ym2012` has: by the sign of the evaluation, its rate of winning, or the gain of the quiescence value over that of the root";
    "HybridMinNodes": spin(0 to FOREVER) hybrid.min_nodes, "in the mode `Both`, the nodes of the tree search (results times nodes a result) below which alpha-beta's move is played";
    "HybridLowRate": spin(0 to 100) hybrid.low_rate, "there, the rate in per cent below which alpha-beta's move is doubted";
    "HybridRateGap": spin(0 to 100) hybrid.rate_gap, "there, by how many per cent the rate of the tree's move must be higher than that of a doubted one";
    "HybridMinVisits": spin(0 to 1_000_000) hybrid.min_visits, "there, the visits of alpha-beta's move below which it is not doubted; it gets a quarter of the tree's results until it has them";
    "HybridLosingValue": spin((-30_000) to 0) hybrid.losing_cp, "there, the value of alpha-beta in centipawns below which the tree's move is played";
    "MoveModel": combo(MoveModel::ALL.map(MoveModel::name)) move_model, "the model of move probabilities of the selective searches: the costs of moves by realization probability, the order of moves with `Abc`";
    "SurpriseCost": spin((-1) to 3_000) surprise_cost, "the most that a move costs by realization probability, in hundredths of a nat, when it is searched again because it has turned out better than expected; -1 for no second search";
    "AbcMargin": spin(0 to 30_000) abc_margin, "by how much another move may be worse, in centipawns of exchanges, and still be an alternative in the mode `Abc`: the fewer a move has, the less it costs";
    "SkillLevel": spin(0 to Skill::LEVELS as i64) skill_level, "level of strength from 1, the weakest, to 10; 0 for full strength. A level is a tree search of few results that chooses among its best moves by chance, with the seed `RandomSeed`; the search mode does not count, and no mate search precedes the search";
    "TesujiFile": filename(INTERNAL) tesuji_file, "the sequences of moves of `UseTesujiExtension`: a file of `komadai-lab mine-tesuji`; `<internal>` for the bundled ones. Alpha-beta alone uses it";
    "Quiescence": combo(Quiescence::NAMES) quiescence, "the quiescence search at the leaves; the other values are for experiments, and confirmed after `isready`";
    "DrawValueBlack": spin((-MAX_DRAW_VALUE) to MAX_DRAW_VALUE) draw.black, "value of a draw when playing Black (centipawns)";
    "DrawValueWhite": spin((-MAX_DRAW_VALUE) to MAX_DRAW_VALUE) draw.white, "value of a draw when playing White (centipawns)";
    "DrawValueByClock": check draw.by_clock, "raise the value of a draw by 30 · (opponent's time / own time − 1), at most 100, if the opponent has more time";
    "ResignValue": spin(1 to 99_999) resign_value, "resign at this disadvantage (centipawns)";
    "DepthLimit": spin(0 to i32::MAX as i64) depth_limit, "limit of depth, for GUIs that cannot send one; 0 for none";
    "NodesLimit": spin(0 to FOREVER) nodes_limit, "limit of nodes, likewise";
    "PvInterval": spin(0 to 100_000) pv_interval, "minimum time between two reports in ms";
    "MateHash": spin(1 to MAX_MATE_HASH_MIB) mate_hash_mib, "memory of the mate solver in MiB";
    "MateNodes": spin(0 to FOREVER) mate_nodes, "maximum number of nodes of the mate search before each search, which uses at most a twentieth of the time or nodes; 0 for no mate search";
    "ShortestMate": check shortest_mate, "make `go mate` find the shortest mate";
    "RandomSeed": spin(0 to FOREVER) seed, "seed of random choices: book moves, `rtime`, and the random games of a tree search";
}

impl Settings {
    /// Returns the USI options with their defaults.
    pub fn options() -> Vec<OptionSpec> {
        Self::default().to_options()
    }

    /// Returns the USI options with these settings as their defaults. A number beyond the range of
    /// its option becomes the nearest one of the range.
    pub(crate) fn to_options(&self) -> Vec<OptionSpec> {
        let of_switch = |(name, technique): (String, Techniques)| {
            OptionSpec::check(&name, self.techniques.contains(technique))
        };
        let of_table = OPTIONS.iter().map(|option| option.spec(self));
        of_table.chain(switches().map(of_switch)).collect()
    }

    /// Returns the name of the option that had another name before, in upper or lower case.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_engine::Settings;
    ///
    /// let now = Settings::renamed_option("useprobcut");
    /// assert_eq!(now.as_deref(), Some("UseCaptureProbcut"));
    /// assert_eq!(Settings::renamed_option("UseCaptureProbcut"), None);
    /// ```
    pub fn renamed_option(former: &str) -> Option<String> {
        let is_it = |&&(name, _): &&(&str, _)| switch_name(name).eq_ignore_ascii_case(former);
        let &(_, now) = Techniques::FORMER_NAMES.iter().find(is_it)?;
        switches().find(|&(_, technique)| technique == now).map(|(name, _)| name)
    }

    /// Sets an option to a value of its range, as [`OptionSpec::accept`] returns it.
    ///
    /// # Errors
    ///
    /// [`SettingError::Unknown`] for a value of another kind or an option that does not exist.
    pub fn set(&mut self, name: &str, value: &OptionValue) -> Result<(), SettingError> {
        let option = OPTIONS.iter().find(|option| option.name == name);
        let is_set = match (option.map(|option| &option.kind), value) {
            (Some(Kind::Check { set, .. }), &OptionValue::Check(value)) => {
                set(self, value);
                true
            }
            (Some(Kind::Spin { set, .. }), &OptionValue::Spin(value)) => {
                set(self, value);
                true
            }
            (Some(Kind::Text { set, .. }), OptionValue::Text(value)) => set(self, value),
            (None, &OptionValue::Check(value)) => self.set_switch(name, value),
            _ => false,
        };
        if is_set { Ok(()) } else { Err(SettingError::Unknown { name: name.to_owned() }) }
    }

    /// Sets an option to a value as a user writes it, both in upper or lower case. The option may
    /// have a [former name](Self::renamed_option).
    ///
    /// # Errors
    ///
    /// [`OptionError`], which contains the possible values. A number out of range is an error.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_engine::Settings;
    ///
    /// let mut settings = Settings::default();
    /// settings.set_text("multipv", "3")?;
    /// assert_eq!(settings.multi_pv, 3);
    /// assert!(settings.set_text("MultiPV", "0").is_err());
    /// # Ok::<(), komadai_usi::OptionError>(())
    /// ```
    pub fn set_text(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let renamed = Self::renamed_option(name);
        let now = renamed.as_deref().unwrap_or(name);
        let unknown = || OptionError::UnknownName { name: shorten(name, 80) };
        let spec = Self::options().into_iter().find(|spec| spec.is_named(now));
        let spec = spec.ok_or_else(unknown)?;
        let value = spec.accept_exactly(Some(value))?;
        self.set(&spec.name, &value).map_err(|_| unknown())
    }

    /// Returns the value of an option of the table.
    pub(crate) fn value_of(&self, name: &str) -> Option<OptionValue> {
        OPTIONS.iter().find(|option| option.name == name)?.spec(self).default_value()
    }

    fn set_switch(&mut self, name: &str, value: bool) -> bool {
        let technique = switches().find(|(switch, _)| switch == name);
        technique.inspect(|&(_, technique)| self.techniques.set(technique, value)).is_some()
    }
}

impl UsiOption {
    /// Returns the declaration, with the value in `settings` as its default.
    fn spec(&self, settings: &Settings) -> OptionSpec {
        match self.kind {
            Kind::Check { get, .. } => OptionSpec::check(self.name, get(settings)),
            Kind::Spin { min, max, get, .. } => {
                OptionSpec::spin(self.name, get(settings).clamp(min, max), min..=max)
            }
            Kind::Text { spec, .. } => spec(settings, self.name),
        }
    }
}

/// A setting that is yes or no.
trait CheckValue {
    fn to_check(&self) -> bool;
    fn of_check(value: bool) -> Self;
}

impl CheckValue for bool {
    fn to_check(&self) -> bool {
        *self
    }

    fn of_check(value: bool) -> Self {
        value
    }
}

impl CheckValue for BookReading {
    fn to_check(&self) -> bool {
        *self == Self::OnTheFly
    }

    fn of_check(value: bool) -> Self {
        if value { Self::OnTheFly } else { Self::Memory }
    }
}

/// A setting that is a number. Within the ranges of the options all conversions are exact. A value
/// outside becomes the nearest representable one.
trait SpinValue {
    fn to_spin(&self) -> i64;
    fn of_spin(value: i64) -> Self;
}

macro_rules! spin_values {
    ($($number:ty),*) => {$(
        impl SpinValue for $number {
            fn to_spin(&self) -> i64 {
                i64::try_from(*self).unwrap_or(FOREVER)
            }

            fn of_spin(value: i64) -> Self {
                Self::try_from(value).unwrap_or(if value < 0 { Self::MIN } else { Self::MAX })
            }
        }
    )*};
}

spin_values!(u8, u32, u64, usize, i32);

/// Milliseconds.
impl SpinValue for Duration {
    fn to_spin(&self) -> i64 {
        i64::try_from(self.as_millis()).unwrap_or(FOREVER)
    }

    fn of_spin(value: i64) -> Self {
        Self::from_millis(u64::of_spin(value))
    }
}

/// -1 for none.
impl SpinValue for Option<u32> {
    fn to_spin(&self) -> i64 {
        self.map_or(-1, i64::from)
    }

    fn of_spin(value: i64) -> Self {
        u32::try_from(value).ok()
    }
}

/// 0 for none.
impl SpinValue for Option<MaxMoves> {
    fn to_spin(&self) -> i64 {
        self.map_or(0, MaxMoves::get).into()
    }

    fn of_spin(value: i64) -> Self {
        MaxMoves::new(u32::of_spin(value))
    }
}

fn combo(name: &str, word: &impl ToString, known: &[&str]) -> OptionSpec {
    let own = word.to_string();
    let mut words = known.to_vec();
    if !words.contains(&own.as_str()) {
        words.push(&own);
    }
    OptionSpec::combo(name, &own, &words)
}

/// Returns false for a word that is none of the option's.
fn set_word<T: FromStr + ToString>(place: &mut T, word: &str) -> bool {
    // The name of a policy of one's own, which cannot be read, is the one in force.
    word == place.to_string() || word.parse().map(|value| *place = value).is_ok()
}

fn path_text(path: Option<&Path>, none: &str) -> String {
    path.map_or_else(|| none.to_owned(), |path| path.to_string_lossy().into_owned())
}

fn paths_text(paths: &[PathBuf], none: &str) -> String {
    let texts: Vec<String> = paths.iter().map(|path| path_text(Some(path), none)).collect();
    if texts.is_empty() { none.to_owned() } else { texts.join(";") }
}

fn read_paths(text: &str, none: &str) -> Vec<PathBuf> {
    text.split(';').filter_map(|path| read_path(path.trim(), none)).collect()
}

fn read_path(text: &str, none: &str) -> Option<PathBuf> {
    let is_none = text.is_empty() || text.eq_ignore_ascii_case(none);
    (!is_none).then(|| PathBuf::from(text))
}

/// Returns the options that switch techniques, each with its technique: `UseNullMove` for
/// [`Techniques::NULL_MOVE`].
///
/// The names derive from the names of the flags, so that every technique has its switch and can be
/// measured.
pub(crate) fn switches() -> impl Iterator<Item = (String, Techniques)> {
    Techniques::all()
        .iter_names()
        .filter(|(_, technique)| technique.bits().is_power_of_two())
        .map(|(name, technique)| (switch_name(name), technique))
}

/// Converts a name such as `NULL_MOVE` to `UseNullMove`.
fn switch_name(flag: &str) -> String {
    let words = flag.split('_').map(|word| {
        let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
        first.to_ascii_uppercase() + &rest.to_ascii_lowercase()
    });
    std::iter::once("Use".to_owned()).chain(words).collect()
}

#[cfg(test)]
mod tests;
