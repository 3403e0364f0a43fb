//! `train collect`: the records of the tasks of a run as one folder of data.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, anyhow, bail, ensure};
use clap::Args;
use komadai::data::{Dataset, GameRange, Manifest, PlayedRange, RangeReport, Run};
use komadai_base::atomic_file::Draft;
use komadai_base::file::{read_bounded, with_ending};
use komadai_console::{grouped, interrupted, note, stdout, stop_on_interrupt};
use komadai_farm::{FarmQueue, FarmUrl, TaskState};

use super::share::{RunName, range};
use crate::book::farm::access::{Access, host};
use crate::train::progress::ProgressLine;
use crate::train::records::STOPPED;

/// Join the records of a run on a queue to a folder of training data.
///
/// The file of each task is checked against the SHA-256 and the size that its worker has reported.
/// The folder gets the games in their order: it is the one that `train generate` would have made on
/// one machine. Tasks without sound records are listed, and nothing is written then.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: komadai train collect --queue postgres://owner@localhost/books --run may --records records data\n\n\
                  Exit codes: 0 done, 1 failed or records are missing, 2 bad usage, 130 stopped by Ctrl-C."
)]
pub(in crate::train) struct Options {
    /// Folder of training data to make. It must not exist. Without it the records are checked only.
    folder: Option<PathBuf>,
    /// Address of the queue: postgres://USER@HOST/DATABASE.
    #[arg(long, value_name = "URL")]
    queue: FarmUrl,
    #[command(flatten)]
    access: Access,
    /// Name of the run.
    #[arg(long, value_name = "NAME")]
    run: RunName,
    /// Folder of the files of records that workers have written.
    #[arg(long, value_name = "FOLDER")]
    records: PathBuf,
    /// Let tasks wait again whose records are missing or damaged, or at which workers have failed.
    #[arg(long)]
    again: bool,
    /// Join the records that are there.
    #[arg(long, requires = "folder", conflicts_with = "again")]
    partial: bool,
}

pub(in crate::train) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let stop = stop_on_interrupt()?;
    if let Some(folder) = &options.folder {
        ensure!(!folder.exists(), "{}: there is such a folder already", folder.display());
    }
    let queue = FarmQueue::open(&options.access.complete(&options.queue)?, host())?;
    let state = options.look(&queue, &stop)?;
    state.print(&options.run)?;
    if options.again {
        let again = queue.redo_tasks(options.run.as_str(), &state.faulty)?;
        writeln!(stdout(), "{again} tasks wait again")?;
    }
    let missing = state.open + state.faulty.len();
    if missing > 0 && !options.partial {
        bail!("{missing} of {} tasks have no sound records", state.tasks);
    }
    let Some(folder) = &options.folder else { return Ok(ExitCode::SUCCESS) };
    let run = state.run.context("there is nothing to join")?;
    let manifest = join(folder, run, &state.sound, &stop)?;
    let (positions, games) = (grouped(manifest.positions()), grouped(manifest.games()));
    writeln!(stdout(), "{positions} positions of {games} games in {}", folder.display())?;
    Ok(ExitCode::SUCCESS)
}

/// The tasks of a run and their records.
#[derive(Default)]
struct State {
    /// The number of all tasks.
    tasks: usize,
    /// The number of tasks that wait or are leased.
    open: usize,
    /// The numbers of tasks whose records are missing or damaged, or at which workers have failed.
    faulty: Vec<u64>,
    sound: Vec<Share>,
    /// The conditions of all games.
    run: Option<Run>,
}

/// The part of a task.
struct Share {
    range: GameRange,
    path: PathBuf,
    report: RangeReport,
}

impl Options {
    /// Asks for the tasks, and checks their records.
    fn look(&self, queue: &FarmQueue, stop: &AtomicBool) -> anyhow::Result<State> {
        let tasks = queue.tasks(self.run.as_str())?;
        ensure!(!tasks.is_empty(), "the queue has no run {}", self.run);
        let mut state = State { tasks: tasks.len(), ..State::default() };
        let mut progress = ProgressLine::new("tasks", 0);
        for (checked, task) in (0..).zip(&tasks) {
            check_stop(stop)?;
            progress.report("check", checked, Some(tasks.len() as u64));
            let range = range(task)?;
            match &state.run {
                None => state.run = Some(range.run.clone()),
                Some(run) => {
                    ensure!(*run == range.run, "task {} has other settings", task.number);
                }
            }
            match &task.state {
                TaskState::Waiting | TaskState::Leased { .. } => state.open += 1,
                TaskState::Dead { reason } => {
                    note!("task {}: workers have failed at it: {reason}", task.number);
                    state.faulty.push(task.number);
                }
                TaskState::Done { worker, report } => {
                    match self.share(task.number, range, report) {
                        Ok(share) => state.sound.push(share),
                        Err(error) => {
                            note!("task {} of {worker}: {error:#}", task.number);
                            state.faulty.push(task.number);
                        }
                    }
                }
            }
        }
        Ok(state)
    }

    /// The part of a task that is done, if its records are there and sound.
    fn share(&self, task: u64, range: GameRange, report: &str) -> anyhow::Result<Share> {
        let report: RangeReport =
            serde_json::from_str(report).context("the report is not one of self-play")?;
        let path = self.run.file(&self.records, task, &report)?;
        let share = Share { range, path, report };
        share.read()?;
        Ok(share)
    }
}

/// Writes the folder: under another name until it is complete.
fn join(folder: &Path, run: Run, shares: &[Share], stop: &AtomicBool) -> anyhow::Result<Manifest> {
    // Without a slash at the end.
    let folder: PathBuf = folder.components().collect();
    let draft = with_ending(&folder, ".part");
    let named = || format!("folder {}", draft.display());
    let parent = draft.parent().filter(|parent| !parent.as_os_str().is_empty());
    fs::create_dir_all(parent.unwrap_or(Path::new("."))).with_context(named)?;
    fs::create_dir(&draft).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            let reason = "another run writes it, or one that was killed; remove it then";
            anyhow!("{}: {reason}", named())
        }
        _ => anyhow::Error::new(error).context(named()),
    })?;
    let written = write(&draft, run, shares, stop).and_then(|manifest| {
        // A folder is renamed like a file.
        Draft::with_name(folder, &draft).keep_partial().commit().with_context(named)?;
        Ok(manifest)
    });
    if written.is_err() {
        let _ = fs::remove_dir_all(&draft);
    }
    written
}

fn write(folder: &Path, run: Run, shares: &[Share], stop: &AtomicBool) -> anyhow::Result<Manifest> {
    let mut data = Dataset::open(folder, run)?;
    let mut progress = ProgressLine::new("tasks", 0);
    for (joined, share) in (0..).zip(shares) {
        check_stop(stop)?;
        progress.report("join", joined, Some(shares.len() as u64));
        data.add_range(&share.read()?)?;
    }
    Ok(data.finish()?)
}

fn check_stop(stop: &AtomicBool) -> anyhow::Result<()> {
    if stop.load(Ordering::Relaxed) {
        return Err(interrupted(STOPPED));
    }
    Ok(())
}

impl State {
    fn print(&self, run: &RunName) -> anyhow::Result<()> {
        let Self { tasks, open, faulty, sound, .. } = self;
        let (sound, faulty) = (sound.len(), faulty.len());
        writeln!(
            stdout(),
            "run {run}: {sound} of {tasks} tasks have sound records, {open} are not done, {faulty} are faulty"
        )?;
        Ok(())
    }
}

impl Share {
    /// Reads the records and checks them.
    fn read(&self) -> anyhow::Result<PlayedRange> {
        let named = || self.path.display().to_string();
        let records = read_bounded(&self.path, self.report.bytes()).with_context(named)?;
        self.range.verify(records, self.report.clone()).with_context(named)
    }
}
