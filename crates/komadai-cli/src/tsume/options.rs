//! The arguments of `komadai tsume`.

use std::io::{self, IsTerminal as _};
use std::num::NonZero;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{ArgGroup, Args, ValueEnum};
use komadai::Position;
use komadai::core::Language;
use komadai::kifu::{KifuFormat, Notation};
use komadai::tsume::PnSearch;
use komadai_console::{Appearance, bad_usage};

use super::input::{Input, Inputs, Problems};
use crate::arguments::position::PositionArgs;
use crate::arguments::record::format_of;

/// Solve tsume problems.
///
/// Prints one line per problem, or a diagram and the numbered moves of one problem on a terminal: `id<TAB>mate N moves…`, `id<TAB>nomate` or `id<TAB>unknown`, then
/// `nodes=` and `ms=`, then what else is proven.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("input").args(["words", "sfen", "file"]).required(true).multiple(false),
    mut_arg("words", |words| words.value_name("PROBLEM").help(PROBLEMS).long_help(PROBLEMS)),
    mut_arg("ply", |ply| ply.help(MOMENT).long_help(MOMENT)),
    after_help = "Examples:\n  \
        komadai tsume 4k4/9/4P4/9/9/9/9/9/9 b G 1\n  \
        -\tmate 1 G*5b\tnodes=1\tms=0\n  \
        komadai tsume problem.kif --play\n  \
        komadai tsume problem.kif --shortest --lang ja --format text\n  \
        komadai tsume problems/ --threads 4 --out answers.csv --format csv\n  \
        komadai tsume problems/ --threads 4 --out answers.csv --format csv --resume\n  \
        komadai tsume problem.kif --all --cooks --tree solutions --tree-format kif,svg --certificate proofs\n  \
        komadai tsume problem.kif --solver pn --hash-mib 1024\n  \
        zcat million.sfen.gz | komadai tsume - --nodes 100000 --format json\n\n\
        Lists of any length are read and solved in bounded memory; answers come in the order of the problems.\n\
        With --shortest, N is the length of the shortest mate, or `not proven shortest` follows the moves, with \
        the bounds at the end of the line: `no_mate_within=A` and `mate_within=B` plies. Without --shortest a \
        shorter mate may exist. `mate within B` has no line: the limit ended the search while its moves were \
        collected. `unknown` names the limit that ended the search.\n\
        --all, --cooks, --tree and --certificate have the limits of nodes and time once more each.\n\
        Exit codes: 0 all problems read, 1 some problem could not be read, 2 bad usage."
)]
pub struct TsumeArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// File or folder of problems: the former way to name one.
    #[arg(long, hide = true)]
    file: Option<PathBuf>,
    /// Method of the search: `df-pn` with tables, or `pn`, proof-number search on a tree that keeps
    /// each path apart: slow, and independent of the first in all but the rules.
    #[arg(long, value_enum, default_value_t = Method::DfPn)]
    pub(super) solver: Method,
    /// Search for the shortest mate, and not only for a short one.
    #[arg(long)]
    pub(super) shortest: bool,
    /// Maximum number of nodes per problem.
    #[arg(long, default_value = "2000000")]
    pub(super) nodes: u64,
    /// Maximum time per problem in milliseconds.
    #[arg(long)]
    pub(super) time_ms: Option<u64>,
    /// Size of the tables, or of the tree, of each thread in MiB.
    #[arg(long, default_value = "64")]
    pub(super) hash_mib: usize,
    /// Number of problems solved at the same time, or of threads that search a single SFEN
    /// together.
    #[arg(long, default_value = "1")]
    pub(super) threads: NonZero<usize>,
    /// Form of the answers; by default text for one problem on a terminal, else lines.
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    appearance: Appearance,
    /// Japanese: the former name of `--lang ja`.
    #[arg(long, hide = true)]
    japanese: bool,
    /// File for the answers in place of standard output. An existing file is not overwritten.
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// Add every first move that mates with the plies of its shortest mate, and all lines of the
    /// shortest mates; the defender plays the longest defences. Before plies that may be too many,
    /// because a limit was reached, stands ≤.
    #[arg(long)]
    pub(super) all: bool,
    /// With --all or --tree: also mates that are up to N plies longer than the shortest.
    #[arg(long, value_name = "N", default_value = "0", hide_default_value = true)]
    pub(super) longer: u32,
    /// Add a report on the composition: cooks (余詰, 早詰, 非限定, 変長, …) and pieces left in hand (駒余り).
    /// The moves of a record are the solution that the author intends; without moves the main line
    /// is examined.
    #[arg(long)]
    pub(super) cooks: bool,
    /// Write the tree of all solutions of each problem to files in this folder.
    #[arg(long, value_name = "DIR")]
    pub(super) tree: Option<PathBuf>,
    /// Files of a tree: as text, as JSON, as KIF with branches, or as pictures of the main line,
    /// one per ply.
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        requires = "tree",
        default_value = "text,json,kif"
    )]
    pub(super) tree_format: Vec<TreeFormat>,
    /// Write a proof of each mate and of each no-mate to a file in this folder;
    /// `komadai tsume-check` accepts it.
    #[arg(long, value_name = "DIR")]
    pub(super) certificate: Option<PathBuf>,
    /// Count of plies for --all, --cooks and --tree: `strict` counts every reply, `literature`
    /// excludes futile interpositions (無駄合). By default literature for --cooks, strict for the
    /// others.
    #[arg(long, value_enum)]
    pub(super) count: Option<Count>,
    /// Play the problem in the terminal: you give the checks, the solver defends as long as it can,
    /// and refutes a check after which there is no mate. Moves are typed in any notation; hint,
    /// undo and solution help. Code 0 if it was solved, else 1.
    #[arg(long, conflicts_with_all = ["out", "format", "all", "longer", "cooks", "tree", "certificate",
          "count", "resume", "time_ms"])]
    pub(super) play: bool,
    /// Maximum number of positions in a tree or a proof.
    #[arg(long, value_name = "N", default_value = "100000")]
    pub(super) max_positions: usize,
    /// Continue an interrupted run: keep the answers in the file of --out, and append those of the
    /// problems after them.
    #[arg(long, requires = "out")]
    pub(super) resume: bool,
}

/// The help text of the problems.
const PROBLEMS: &str = "Problems: an SFEN or `startpos moves …`; `-` for standard input; or files \
    and folders. A file is a list with an SFEN on each line, a table (TSV: column 1 is the id, \
    column 2 the SFEN, the rest is ignored; a header may come first), or a record or an archive \
    (KIF, KI2, CSA, JKF, USI, USEN, a diagram (BOD); .gz, .zip, .7z), whose start positions are \
    the problems";

/// The help text of the choice of a moment.
const MOMENT: &str = "Solve the position of one game after N moves, in place of start positions; \
    with --game alone, after all moves";

/// The method of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Method {
    DfPn,
    Pn,
}

/// The form of answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// One line with tabs per problem.
    Lines,
    /// A table with a header, for spreadsheets.
    Csv,
    /// One JSON object per line and problem.
    Json,
    /// A diagram and the numbered moves, for people.
    Text,
}

/// A form of a solution tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum TreeFormat {
    Text,
    Json,
    Kif,
    Svg,
}

/// The count of plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Count {
    Strict,
    Literature,
}

impl TsumeArgs {
    /// Refuses combinations that the parser of the command line cannot see.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        if self.longer > 0 && !self.all && self.tree.is_none() {
            return Err(bad_usage("--longer needs --all or --tree"));
        }
        if self.resume && self.format() == Format::Text {
            return Err(bad_usage(
                "--resume needs --format lines, csv or json, one line per problem",
            ));
        }
        if self.solver == Method::Pn {
            self.check_pn()?;
        }
        Ok(())
    }

    /// Returns the form of the answers. One problem on a terminal is for a person.
    pub(super) fn format(&self) -> Format {
        let is_for_person =
            || self.out.is_none() && self.is_one_problem() && io::stdout().is_terminal();
        self.format.unwrap_or_else(|| if is_for_person() { Format::Text } else { Format::Lines })
    }

    fn is_one_problem(&self) -> bool {
        let is_one = |word: &String| {
            let format = format_of(Path::new(word));
            format.is_some_and(|format| !matches!(format, KifuFormat::Csa | KifuFormat::Usi))
        };
        self.position.is_text()
            || self.position.chooses_moment()
            || matches!(self.position.words(), [word] if is_one(word))
    }

    /// Returns the language of names and words. Forms for programs do not follow the locale.
    pub(super) fn language(&self) -> Language {
        match self.format() {
            _ if self.japanese => Language::Japanese,
            Format::Text => self.appearance.language(),
            _ => self.appearance.given_language().unwrap_or_default(),
        }
    }

    /// Returns the language of a problem in play, which is for people in any case.
    pub(super) fn language_of_play(&self) -> Language {
        if self.japanese { Language::Japanese } else { self.appearance.language() }
    }

    /// Returns the notation of moves for people of this language.
    pub(super) fn notation_in(&self, language: Language) -> Notation {
        let of_language = || language.choose(Notation::Hodges, Notation::Japanese);
        self.appearance.named_notation().unwrap_or_else(of_language)
    }

    /// Returns whether the problems are on standard input.
    pub(super) fn reads_stdin(&self) -> bool {
        self.position.words().iter().any(|word| word == "-")
    }

    /// Returns the notation of moves, which is `usual` in English.
    pub(super) fn notation(&self, usual: Notation) -> Notation {
        let of_language = || self.language().choose(usual, Notation::Japanese);
        self.appearance.named_notation().unwrap_or_else(of_language)
    }

    /// Refuses what proof-number search on a tree does not offer.
    fn check_pn(&self) -> anyhow::Result<()> {
        let most = PnSearch::MAX_MEMORY_MIB;
        if !(1..=most).contains(&self.hash_mib) {
            let found = self.hash_mib;
            return Err(bad_usage(format!(
                "--solver pn: --hash-mib is {found}, expected 1 to {most}"
            )));
        }
        // The additions ask df-pn again and again, in its tables.
        let refused = [
            ("--play", self.play),
            ("--shortest", self.shortest),
            ("--all", self.all),
            ("--cooks", self.cooks),
            ("--tree", self.tree.is_some()),
            ("--certificate", self.certificate.is_some()),
        ];
        match refused.into_iter().find(|&(_, is_given)| is_given) {
            Some((option, _)) => Err(bad_usage(format!("{option} needs --solver df-pn"))),
            None => Ok(()),
        }
    }

    /// Returns the sources of problems.
    pub(super) fn inputs(&self) -> anyhow::Result<Inputs> {
        if let Some(path) = &self.file {
            return Inputs::of(vec![Input::Path(path.clone())]);
        }
        if self.position.is_text() || self.position.chooses_moment() {
            let position = Box::new(self.position.position()?);
            return Inputs::of(vec![Input::Position(position)]);
        }
        Inputs::of(self.position.words().iter().map(|word| input_of(word)).collect())
    }
}

fn input_of(word: &str) -> Input {
    match word {
        "-" => Input::Stdin,
        path => Input::Path(PathBuf::from(path)),
    }
}

/// Returns the first problem of an SFEN, a file or standard input.
///
/// # Errors
///
/// The place and the reason why there is none.
pub(crate) fn one_problem(word: &str) -> anyhow::Result<Position> {
    let argument = PositionArgs::of_word(word);
    if argument.is_text() {
        return argument.position();
    }
    let problem = Problems::new(Inputs::of(vec![input_of(word)])?).next();
    let problem = problem.with_context(|| format!("{word}: no problem"))?;
    problem.position().map_err(anyhow::Error::msg)
}
