//! The index of games in files, archives and folders.

use std::io::Write as _;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, ensure};
use clap::Args;
use komadai::games::{BuildOptions, FileStamp, GameIndex, GameSummary, IndexBuilder};
use komadai::kifu::record_files::FileRecord;
use komadai::kifu::record_files::folder::FolderFiles;
use komadai_base::text::grouped;
use komadai_console::{interrupted, note, stdout, stop_on_interrupt};

use crate::arguments::faults::exit_code;
use crate::kifu::collection::{Collection, Found, Tally, next_of, readable, sorted_roots};

/// Make an index of games, for `kifu search` and `kifu explore`, or bring one up to date.
///
/// The index is one file: players, dates, results, moves, castles and strategies of all games, and every
/// position. If it exists, files of the same size and time of modification are not read again, and
/// files that are gone are left out. The old index is unchanged until the new one is complete.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
                  komadai kifu index games/ --out games.idx\n  \
                  komadai kifu search --index games.idx --player NAME\n\n\
                  The file takes about 16 bytes a position and 500 a game; while it is made, temporary files beside it take as much again. \
                  Files whose reading has faults are read again each time.\n\
                  Exit codes: 0 done, 1 no game was found, or files, games or moves could not be read, 2 bad usage, \
                  130 stopped by Ctrl-C.")]
pub(super) struct Options {
    /// Files, archives and folders.
    #[arg(required = true, value_name = "PATHS")]
    paths: Vec<PathBuf>,
    /// Index to make or to bring up to date.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Read all files again.
    #[arg(long)]
    rebuild: bool,
    /// Memory for positions that are sorted, in MiB.
    #[arg(long, value_name = "MIB", default_value = "64")]
    memory: NonZero<u32>,
    /// Number of threads; by default one per core.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZero<usize>>,
}

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let stop = stop_on_interrupt()?;
    let roots = sorted_roots(&options.paths)?;
    for root in &roots {
        std::fs::metadata(root).with_context(|| root.display().to_string())?;
    }
    let has_old = options.out.exists() && !options.rebuild;
    if has_old && is_up_to_date(&options.out, &roots)? {
        let size = GameIndex::open(&options.out)?.size();
        writeln!(
            stdout(),
            "{}: up to date, {} games",
            options.out.display(),
            grouped(size.games.into())
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    let old = if has_old { Some(GameIndex::open(&options.out)?) } else { None };
    let built = build(
        &options.out,
        Build {
            roots,
            old,
            memory_bytes: (options.memory.get() as usize) << 20,
            jobs: options.jobs,
            names_formations: true,
            stop: Arc::clone(&stop),
        },
    )?;
    let Some(built) = built else {
        return Err(interrupted("stopped; no index is written, and an old one is unchanged"));
    };
    let size = GameIndex::open(&options.out)?.size();
    let (games, files) = (grouped(size.games.into()), grouped(size.files));
    let kept = if has_old { format!(", {} read", grouped(built.read)) } else { String::new() };
    writeln!(
        stdout(),
        "{}: {games} games of {files} files{kept}, {} positions, {} bytes",
        options.out.display(),
        grouped(size.positions),
        grouped(size.bytes)
    )?;
    Ok(exit_code(built.lost))
}

/// The making of an index.
pub(super) struct Build {
    pub(super) roots: Vec<PathBuf>,
    /// The index that is brought up to date.
    pub(super) old: Option<GameIndex>,
    pub(super) memory_bytes: usize,
    pub(super) jobs: Option<NonZero<usize>>,
    /// True if castles and strategies are named, which takes more time than the rest.
    pub(super) names_formations: bool,
    pub(super) stop: Arc<AtomicBool>,
}

/// The outcome of making an index.
pub(super) struct Built {
    /// Files that were read.
    read: u64,
    /// Files, games and moves that could not be read.
    pub(super) lost: u64,
}

/// Makes an index; `None` if it was stopped.
pub(super) fn build(out: &Path, build: Build) -> anyhow::Result<Option<Built>> {
    let Build { roots, mut old, memory_bytes, jobs, names_formations, stop } = build;
    let options = BuildOptions { memory_bytes, ..BuildOptions::default() };
    let mut builder = IndexBuilder::create(out, &options)?;
    let listed = match &old {
        Some(old) => {
            let files = GameIndex::open(out)?;
            ensure!(files.is_same(old), "{}: replaced while it is read", out.display());
            Some(files.into_files())
        }
        None => None,
    };
    let item = |found: FileRecord| {
        let (place, record) = readable(found)?;
        if place.path.to_str().is_none() {
            return Err(format!("{place}: the name of the file is not UTF-8"));
        }
        Ok(Some(match names_formations {
            true => GameSummary::with_formations(place, &record),
            false => GameSummary::new(place, &record),
        }))
    };
    let mut tally = Tally::new();
    let mut read = 0_u64;
    let collection = Collection { roots, jobs, old: listed, stop: Arc::clone(&stop) };
    let done = collection.read(item, |event| {
        match event {
            Found::Item(game) => builder.add(&game)?,
            Found::Failure(failure) => tally.fail(&failure),
            Found::Kept(file) => {
                if let Some(old) = &mut old {
                    builder.keep(old, &file)?;
                }
            }
            Found::End(end) => {
                read += 1;
                let is_faulty = end.report.failed > 0 || end.report.faults > 0;
                let stamp = end.stamp.filter(|_| !is_faulty).unwrap_or_default();
                // The games of such a file have failed.
                if end.path.to_str().is_some() {
                    builder.end_file(&end.path, stamp)?;
                }
                tally.end_file(*end);
            }
        }
        tally.show(|| format!("{} games", builder.games()));
        anyhow::Ok(())
    });
    let lost = tally.finish();
    done?;
    if stop.load(Ordering::Relaxed) {
        return Ok(None);
    }
    ensure!(builder.games() > 0, "no game was found in {} files", tally.report.files);
    builder.finish(old)?;
    Ok(Some(Built { read, lost }))
}

/// Checks whether an index has all files and no other, with their sizes and times.
fn is_up_to_date(path: &Path, roots: &[PathBuf]) -> anyhow::Result<bool> {
    let index = GameIndex::open(path)?;
    let files = index.size().files;
    let mut old = index.into_files().peekable();
    let mut found = 0;
    for root in roots {
        for file in FolderFiles::open(root, FolderFiles::is_record) {
            let Ok(file) = file else { return Ok(false) };
            match next_of(&mut old, &file)? {
                Some(known) if known.stamp != FileStamp::default() => found += 1,
                _ => return Ok(false),
            }
        }
    }
    note!("{found} files are as they were");
    Ok(found == files)
}
