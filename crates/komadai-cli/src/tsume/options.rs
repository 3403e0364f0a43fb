//! The arguments of `komadai tsume`.

use std::num::NonZero;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::{ArgGroup, Args, ValueEnum};
use komadai::Position;
use komadai::tsume::PnSearch;
use komadai_console::bad_usage;

use super::input::{Input, Inputs, Problems};

/// Solve tsume problems.
///
/// Prints one line per problem: `id<TAB>mate N moves…`, `id<TAB>nomate` or `id<TAB>unknown`, then
/// `nodes=` and `ms=`, then what else is proven.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("input").required(true).multiple(false),
    after_help = "Examples:\n  \
        komadai tsume --sfen \"4k4/9/4P4/9/9/9/9/9/9 b G 1\"\n  \
        -\tmate 1 G*5b\tnodes=1\tms=0\n  \
        komadai tsume problem.kif --shortest --japanese --format text\n  \
        komadai tsume problems/ --threads 4 --out answers.csv --format csv\n  \
        komadai tsume problems/ --threads 4 --out answers.csv --format csv --resume\n  \
        komadai tsume problem.kif --all --cooks --tree solutions --tree-format kif,svg --certificate proofs\n  \
        komadai tsume problem.kif --solver pn --hash-mib 1024\n  \
        zcat million.sfen.gz | komadai tsume - --nodes 100000 --format json\n\n\
        Lists of any length are read and solved in bounded memory; answers come in the order of the problems.\n\
        With --shortest, N is the length of the shortest mate, or `not proven shortest` follows the moves, with\n\
        the bounds at the end of the line: `no_mate_within=A` and `mate_within=B` plies. Without --shortest a\n\
        shorter mate may exist. `mate within B` has no line: the limit ended the search while its moves were\n\
        collected. `unknown` names the limit that ended the search.\n\
        --all, --cooks, --tree and --certificate have the limits of nodes and time once more each.\n\
        Exit codes: 0 all problems read, 1 some problem could not be read, 2 bad usage."
)]
pub struct TsumeArgs {
    /// Problems: an SFEN in quotes; `-` for standard input; or files and folders. A file is a list
    /// with an SFEN on each line, a table (TSV: column 1 is the id, column 2 the SFEN, the rest is
    /// ignored; a header may come first), or a record or an archive (KIF, KI2, CSA, JKF, USI, USEN,
    /// a diagram (BOD); .gz, .zip, .7z), whose start positions are the problems.
    #[arg(value_name = "PROBLEM", group = "input", num_args = 1..)]
    problems: Vec<String>,
    /// Position of one problem as SFEN; its id is printed as `-`.
    #[arg(long, group = "input")]
    sfen: Option<String>,
    /// File or folder of problems, as above.
    #[arg(long, group = "input")]
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
    /// Form of the answers.
    #[arg(long, value_enum, default_value_t = Format::Lines)]
    pub(super) format: Format,
    /// Write moves in Japanese notation.
    #[arg(long)]
    pub(super) japanese: bool,
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
    /// Maximum number of positions in a tree or a proof.
    #[arg(long, value_name = "N", default_value = "100000")]
    pub(super) max_positions: usize,
    /// Continue an interrupted run: keep the answers in the file of --out, and append those of the
    /// problems after them.
    #[arg(long, requires = "out")]
    pub(super) resume: bool,
}

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
        if self.resume && self.format == Format::Text {
            return Err(bad_usage(
                "--resume needs --format lines, csv or json, one line per problem",
            ));
        }
        if self.solver == Method::Pn {
            self.check_pn()?;
        }
        Ok(())
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
        if let Some(sfen) = &self.sfen {
            return Inputs::of_sfen(sfen, "--sfen ");
        }
        if let Some(path) = &self.file {
            return Inputs::of(vec![Input::Path(path.clone())]);
        }
        if let [word] = &self.problems[..] {
            return inputs_of(word);
        }
        Inputs::of(self.problems.iter().map(|word| input_of(word)).collect())
    }
}

/// Returns the source of problems that a word of the command line names.
fn inputs_of(word: &str) -> anyhow::Result<Inputs> {
    if is_sfen(word) { Inputs::of_sfen(word, "") } else { Inputs::of(vec![input_of(word)]) }
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
    let problem = Problems::new(inputs_of(word)?).next();
    let problem = problem.with_context(|| format!("{word}: no problem"))?;
    problem.position().map_err(anyhow::Error::msg)
}

/// Checks for an SFEN among names of files.
fn is_sfen(word: &str) -> bool {
    let word = word.trim();
    let word = word.strip_prefix("sfen ").unwrap_or(word);
    word.contains(' ') && word.matches('/').count() == 8
}
