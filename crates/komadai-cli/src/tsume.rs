//! Solutions of tsume problems (詰将棋): mate, no mate, or unknown when the budget is spent.

use std::io::{BufWriter, Write as _};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use clap::{ArgGroup, Args};
use komadai::kifu::{KifuFormat, RecordFiles, RecordFilesOptions, Tolerance};
use komadai::movegen::{CheckClass, MateReport, MateResult};
use komadai::tsume::{DfPn, DfPnOptions, Goal, MateProgress};
use komadai::{Budget, Position};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use komadai_console::Program;
use komadai_console::format::grouped;
use komadai_console::note;
use komadai_console::output::stdout;
use komadai_console::status_line::StatusLine;

/// Solve tsume problems.
///
/// Prints one line per problem: `id<TAB>mate N moves…`, `id<TAB>nomate` or `id<TAB>unknown`, then
/// `nodes=` and `ms=`.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("input").required(true),
    after_help = "Example:\n  komadai tsume --sfen \"4k4/9/4P4/9/9/9/9/9/9 b G 1\"\n  \
                  -\tmate 1 G*5b\tnodes=1\tms=0\n\n\
                  With --shortest, N is the length of the shortest mate; if it cannot be proven within\n\
                  the limits, the result is unknown. Without --shortest a shorter mate may exist.\n\
                  Exit codes: 0 all problems read, 1 some problem could not be read, 2 bad usage."
)]
pub struct TsumeArgs {
    /// Position of one problem as SFEN; its id is printed as `-`.
    #[arg(long, group = "input")]
    sfen: Option<String>,
    /// Table of problems (TSV) with a header: column 1 is the id, column 2 the SFEN, the rest is ignored; or records
    /// (KIF, KI2, CSA, JKF, USI; a file, an archive or a folder), whose start positions are the problems.
    #[arg(long, group = "input")]
    file: Option<PathBuf>,
    /// Report a mate only if it is proven to be the shortest.
    #[arg(long)]
    shortest: bool,
    /// Maximum number of nodes per problem.
    #[arg(long, default_value = "2000000")]
    nodes: u64,
    /// Maximum time per problem in milliseconds.
    #[arg(long)]
    time_ms: Option<u64>,
    /// Size of the tables of each thread in MiB.
    #[arg(long, default_value = "64")]
    hash_mib: usize,
    /// Number of problems solved at the same time.
    #[arg(long, default_value = "1")]
    threads: NonZero<usize>,
}

/// A problem of the input: its id and position, or the place and the reason why it has none.
struct Row {
    problem: Result<(String, Position), String>,
}

impl Program for TsumeArgs {
    const SUBCOMMAND: &'static str = "tsume";

    fn run(&self) -> anyhow::Result<ExitCode> {
        solve_all(self)
    }
}

fn solve_all(arguments: &TsumeArgs) -> anyhow::Result<ExitCode> {
    let rows = read_rows(arguments)?;
    let threads = arguments.threads.get().min(rows.len());
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.context("cannot start the threads")?;
    let mut out = BufWriter::new(stdout());
    let mut refused = 0;
    // In portions, so that answers are printed while later problems are still unsolved.
    for portion in rows.chunks(threads * 16) {
        let answers: Vec<_> = pool.install(|| {
            portion
                .par_iter()
                .map_init(|| solver(arguments), |solver, row| answer(solver, row, arguments))
                .collect()
        });
        for answer in answers {
            match answer {
                Ok(text) => writeln!(out, "{text}")?,
                Err(error) => {
                    refused += 1;
                    note!("{error}");
                }
            }
        }
        out.flush()?;
    }
    if refused > 0 {
        note!("{refused} of {} problems could not be read", rows.len());
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

fn read_rows(arguments: &TsumeArgs) -> anyhow::Result<Vec<Row>> {
    if let Some(sfen) = &arguments.sfen {
        let position = Position::from_sfen(sfen).with_context(|| format!("--sfen {sfen:?}"))?;
        return Ok(vec![Row { problem: Ok(("-".to_owned(), position)) }]);
    }
    let path = arguments.file.as_ref().expect("clap requires one of the two");
    if path.is_dir() {
        return read_records(path);
    }
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    if is_records(&bytes) {
        return read_records(path);
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let rows: Vec<Row> = bytes
        .split(|&byte| byte == b'\n')
        .enumerate()
        .skip(1)
        .filter(|(_, line)| !line.trim_ascii().is_empty())
        .map(|(index, line)| Row {
            problem: read_row(line).map_err(|error| format!("line {}: {error}", index + 1)),
        })
        .collect();
    if rows.is_empty() {
        bail!("{}: found no lines after the header, expected problems", path.display());
    }
    Ok(rows)
}

/// Whether the content is one of game records, not a table, whose second line has a tab.
fn is_records(bytes: &[u8]) -> bool {
    let is_archive = bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"\x1f\x8b");
    let is_table =
        || bytes.split(|&byte| byte == b'\n').nth(1).is_some_and(|line| line.contains(&b'\t'));
    is_archive || !is_table() && KifuFormat::detect(bytes).is_some()
}

/// The start positions of records; the id of a problem is its place. Faults are refused: a guessed board would be
/// another problem.
fn read_records(path: &Path) -> anyhow::Result<Vec<Row>> {
    let options = RecordFilesOptions::default().with_tolerance(Tolerance::Strict);
    let mut files = RecordFiles::open(path, options);
    let mut rows: Vec<Row> = Vec::new();
    for found in &mut files {
        let problem = match found.record {
            Ok(record) => {
                let position = Position::from_setup(&record.setup);
                position
                    .map(|position| (found.place.to_string(), position))
                    .map_err(|e| e.to_string())
            }
            Err(error) => Err(error.to_string()),
        };
        let problem = problem.map_err(|error| format!("{}: {error}", found.place));
        rows.push(Row { problem });
    }
    ensure!(!rows.is_empty(), "{}: found no record", path.display());
    Ok(rows)
}

fn read_row(line: &[u8]) -> Result<(String, Position), String> {
    let line = std::str::from_utf8(line).map_err(|error| format!("not UTF-8: {error}"))?;
    let mut columns = line.trim_end_matches('\r').split('\t');
    let id = columns.next().unwrap_or_default();
    let sfen =
        columns.next().ok_or("found one column, expected an id and an SFEN separated by a tab")?;
    let position = Position::from_sfen(sfen).map_err(|error| error.to_string())?;
    Ok((id.to_owned(), position))
}

fn solver(arguments: &TsumeArgs) -> DfPn {
    let goal = if arguments.shortest { Goal::ShortestMate } else { Goal::AnyMate };
    DfPn::new(DfPnOptions::default().with_hash_mib(arguments.hash_mib).with_goal(goal))
}

fn answer(solver: &mut DfPn, row: &Row, arguments: &TsumeArgs) -> Result<String, String> {
    let (id, position) = row.problem.as_ref().map_err(Clone::clone)?;
    let start = Instant::now();
    let mut budget = Budget::nodes(arguments.nodes);
    if let Some(ms) = arguments.time_ms {
        budget = budget.with_deadline(start + Duration::from_millis(ms));
    }
    let status = (arguments.threads.get() == 1).then(StatusLine::new);
    let show = &mut |progress: &MateProgress| {
        if let Some(status) = &status {
            status.set(|elapsed| status_text(id, progress, elapsed));
        }
    };
    let MateReport { result, nodes, .. } =
        solver.solve_with(position, &budget, CheckClass::All, show);
    drop(status);
    let verdict = match result {
        MateResult::Mate { line, shortest } if shortest || !arguments.shortest => {
            format!("mate {} {line}", line.len())
        }
        MateResult::NoMate => "nomate".to_owned(),
        _ => "unknown".to_owned(),
    };
    Ok(format!("{id}\t{verdict}\tnodes={nodes}\tms={}", start.elapsed().as_millis()))
}

/// The state of a search on one line.
fn status_text(id: &str, progress: &MateProgress, elapsed: Duration) -> String {
    let MateProgress { nodes, proof_number, disproof_number, found, line, .. } = progress;
    let found = found.map(|plies| format!(", mate {plies} found")).unwrap_or_default();
    let numbers = match proof_number {
        0 => "collecting the moves".to_owned(),
        _ => format!("proof number {proof_number}, disproof number {disproof_number}"),
    };
    let seconds = elapsed.as_secs();
    format!("{id}: {} nodes, {seconds} s, {numbers}{found}  {line}", grouped(*nodes))
}
