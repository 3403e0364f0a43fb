//! `book info`: format, size and start of a book.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::Args;
use komadai::Position;
use komadai::book::queue::{JobQueue as _, QueueOptions};
use komadai::book::store::{EngineShare, Store};
use komadai::book::{BookCheck, FileKind, check_book};
use komadai::bookfile::BookFormat;
use komadai_base::text::printable;
use komadai_console::{Appearance, bounded_score, print_json, stdout, waiting_jobs};
use serde_json::{Map, Value, json};

use crate::book::files::lookup::{Lookup, ShownRecord};
use crate::book::files::probe::{moves_json, print_moves};
use crate::book::files::source::read_store;

/// Show the format, size and start of a book, and whether it has faults.
///
/// For a working book, shows also its engines, games, snapshots and jobs.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai book info user_book1.db --notation japanese")]
pub(crate) struct Options {
    /// Book: .db, .ybb, .bin, .sbk or .kbook.
    input: PathBuf,
    #[command(flatten)]
    appearance: Appearance,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let check = check_book(&options.input)?;
    anyhow::ensure!(
        check.found.positions > 0 || check.is_sound(),
        "{}: no position could be read ({} faults)",
        options.input.display(),
        check.fault_count()
    );
    let bytes = std::fs::metadata(&options.input)?.len();
    let start = start_of(options, &check)?;
    let working = match check.kind {
        FileKind::Store => Some(Working::of(&read_store(&options.input)?)?),
        _ => None,
    };
    if options.json {
        print_json(&to_json(options, &check, bytes, start.as_ref(), working.as_ref()))?;
        return Ok(());
    }
    writeln!(stdout(), "{}: .{} book, {bytes} bytes", options.input.display(), check.kind)?;
    let found = &check.found;
    writeln!(stdout(), "{} positions, {} moves", found.positions, found.moves)?;
    if check.kind == FileKind::Book(BookFormat::Db) {
        writeln!(stdout(), "sorted: {}", if found.unsorted.is_empty() { "yes" } else { "no" })?;
    }
    writeln!(
        stdout(),
        "positions that come twice: {}, turned: {}",
        found.duplicates.count(),
        found.flipped.count()
    )?;
    writeln!(stdout(), "positions with a move without a value: {}", found.unvalued.count())?;
    if !found.no_moves.is_empty() {
        writeln!(
            stdout(),
            "lines without a move (none, resign, win), left out: {}",
            found.no_moves.count()
        )?;
    }
    if !check.is_sound() {
        writeln!(stdout(), "faults: {} (`book validate` shows them)", check.fault_count())?;
    }
    working.iter().try_for_each(Working::print)?;
    match &start {
        None => writeln!(stdout(), "the start of the game is missing")?,
        Some(start) => {
            writeln!(stdout(), "start of the game: {}", shown_best(start))?;
            print_moves(start, options.appearance.notation())?;
        }
    }
    Ok(())
}

/// Returns the record of the start position. A book that cannot be searched on disk is read.
fn start_of(options: &Options, check: &BookCheck) -> anyhow::Result<Option<ShownRecord>> {
    if !check.found.has_start {
        return Ok(None);
    }
    let start = Position::hirate();
    if check.found.unsorted.is_empty()
        && let Ok(Some(record)) = Lookup::open(&options.input).and_then(|book| book.shown(&start))
    {
        return Ok(Some(record));
    }
    Lookup::read(&options.input)?.shown(&start)
}

fn shown_best(start: &ShownRecord) -> String {
    let (score, bound) = start.best().unzip();
    bounded_score(score, bound.unwrap_or_default())
}

/// The contents of a working book besides positions.
struct Working {
    sources: Vec<EngineShare>,
    figures: Vec<(&'static str, u64)>,
    /// The number of waiting jobs by the engine that they name.
    waiting: BTreeMap<String, u64>,
    policy: String,
}

impl Working {
    fn of(store: &Store) -> anyhow::Result<Self> {
        let size = store.size()?;
        let queue = store.queue(QueueOptions::default());
        let (jobs, mut waiting) = (queue.counts()?, queue.waiting_by_engine()?);
        waiting.retain(|engine, _| !engine.is_empty());
        let tombstones = store.tombstones()?;
        let in_force = tombstones.iter().filter(|deleted| deleted.undone.is_none()).count();
        let figures = vec![
            ("rows of the log", size.log_rows),
            ("sources read", store.inputs()?.len() as u64),
            ("games of matches", size.games),
            ("deletions in force", in_force as u64),
            ("snapshots", store.snapshots()?.len() as u64),
            ("jobs waiting", jobs.waiting),
            ("jobs at work", jobs.leased),
            ("jobs done", jobs.done),
            ("jobs given up", jobs.dead),
            ("bytes of keys and rows", size.stored_bytes),
        ];
        let policy = crate::book::working::policy::name(&store.policy()?);
        Ok(Self { sources: store.sources()?, figures, waiting, policy })
    }

    fn print(&self) -> io::Result<()> {
        for (what, count) in &self.figures {
            writeln!(stdout(), "{what}: {count}")?;
        }
        waiting_jobs(&self.waiting).try_for_each(|line| writeln!(stdout(), "{line}"))?;
        writeln!(stdout(), "values that count: {}", self.policy)?;
        for share in &self.sources {
            writeln!(
                stdout(),
                "  {:5.1} % of the values: {}",
                100.0 * share.view_share,
                printable(&share.analyst.to_string())
            )?;
        }
        Ok(())
    }

    fn to_json(&self) -> Value {
        let mut object = Map::new();
        for (what, count) in &self.figures {
            object.insert(what.replace(' ', "_"), json!(count));
        }
        object.insert("jobs_waiting_by_engine".into(), json!(self.waiting));
        object.insert("policy".into(), json!(self.policy));
        let engines = self.sources.iter().map(crate::book::working::sources::share_json);
        object.insert("engines".into(), engines.collect());
        Value::Object(object)
    }
}

fn to_json(
    options: &Options,
    check: &BookCheck,
    bytes: u64,
    start: Option<&ShownRecord>,
    working: Option<&Working>,
) -> Value {
    let found = &check.found;
    json!({
        "input": options.input.display().to_string(),
        "format": check.kind.to_string(),
        "bytes": bytes,
        "positions": found.positions,
        "moves": found.moves,
        "sorted": found.unsorted.is_empty(),
        "duplicates": found.duplicates.count(),
        "flipped": found.flipped.count(),
        "unvalued": found.unvalued.count(),
        "no_moves": found.no_moves.count(),
        "faults": check.fault_count(),
        "start": start.map(|start| json!({
            "value": start.best().map(|(score, _)| score.raw()),
            "bound": start.best().map(|(_, bound)| bound),
            "moves": moves_json(start, options.appearance.notation_if(true)),
        })),
        "working_book": working.map(Working::to_json),
    })
}
