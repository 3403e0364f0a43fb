//! A search in an index.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use komadai::games::{GameIndex, GameQuery, IndexError};
use komadai::kifu::{RecordFiles, RecordFilesOptions, Tolerance};
use komadai_console::{Pipeline, StatusLine, note, threads};

use super::found::FoundGame;
use super::options::Options;
use super::results::{Ended, Results};

/// The number of games that a thread looks at together.
const CHUNK: u32 = 256;

/// The games to look at.
enum Games {
    All,
    Some(Vec<u32>),
}

impl Games {
    fn numbers(&self, range: Range<u32>) -> Vec<u32> {
        match self {
            Self::All => range.collect(),
            Self::Some(numbers) => numbers[range.start as usize..range.end as usize].to_vec(),
        }
    }
}

/// Searches the games of an index, on several threads with a reader each.
pub(super) fn search(
    path: &Path,
    options: &Options,
    query: &GameQuery,
    stop: &Arc<AtomicBool>,
    results: &mut Results,
) -> anyhow::Result<()> {
    let mut index = GameIndex::open(path)?;
    let size = index.size();
    if size.faulty > 0 {
        note!(
            "{} of {} files of the index could not be read wholly when it was made",
            size.faulty,
            size.files
        );
    }
    let games = index.candidates(query)?.map_or(Games::All, Games::Some);
    let count = match &games {
        Games::All => size.games,
        Games::Some(numbers) => numbers.len() as u32,
    };
    let (count, games) = (&count, &games);
    let chunks = (0..count.div_ceil(CHUNK)).take_while(|_| !stop.load(Ordering::Relaxed));
    let chunks = chunks.map(move |chunk| {
        games.numbers(
            chunk * CHUNK..count.min(&chunk.saturating_add(1).saturating_mul(CHUNK)).to_owned(),
        )
    });
    let pipeline = Pipeline { threads: threads(options.jobs).get(), stop: Arc::default() };
    let open = || {
        let reader = GameIndex::open(path)?;
        match reader.is_same(&index) {
            true => Ok(reader),
            false => Err(anyhow::anyhow!("{}: replaced while it is searched", path.display())),
        }
    };
    let work = |reader: &mut anyhow::Result<GameIndex>, numbers: Vec<u32>| {
        let reader = reader.as_mut().map_err(|error| anyhow::anyhow!("{error:#}"))?;
        Ok((numbers.len() as u64, find(reader, query, &numbers)?))
    };
    let mut fetcher = options.to.is_some().then(Fetcher::default);
    let status = StatusLine::new();
    let mut seen = 0;
    let ended = pipeline.run(
        chunks,
        open,
        work,
        |batch: Vec<anyhow::Result<(u64, Vec<FoundGame>)>>, _| {
            for done in batch {
                let (count, all) = done?;
                seen += count;
                for mut found in all {
                    if let Some(fetcher) = &mut fetcher {
                        found.record = Some(fetcher.fetch(&found)?);
                    }
                    results.add(found)?;
                }
                status.set(|_| format!("{seen} games, {} found", results.found));
            }
            Ok(())
        },
        || {},
    );
    drop(status);
    match ended {
        Ok(()) => note!("{} of {} games", results.found, size.games),
        Err(Ended::Enough) => {}
        Err(Ended::Failed(error)) => return Err(error),
    }
    Ok(())
}

fn find(
    index: &mut GameIndex,
    query: &GameQuery,
    numbers: &[u32],
) -> Result<Vec<FoundGame>, IndexError> {
    let mut all = Vec::new();
    for &number in numbers {
        let game = index.game(number)?;
        if let Some(hit) = query.find(&game) {
            all.push(FoundGame { game, hit, record: None });
        }
    }
    Ok(all)
}

/// Reads the records of games again, which an index does not hold. Games of a file come in its order,
/// so that each file is read once.
#[derive(Default)]
struct Fetcher(Option<RecordFiles>);

impl Fetcher {
    fn fetch(&mut self, found: &FoundGame) -> anyhow::Result<komadai::kifu::Record> {
        let place = &found.game.place;
        let mut files = self.0.take();
        for _ in 0..2 {
            let reading = RecordFilesOptions {
                tolerance: Tolerance::Lenient,
                ..RecordFilesOptions::default()
            };
            let mut open = files.take().unwrap_or_else(|| RecordFiles::open(&place.path, reading));
            let record = open.by_ref().take_while(|read| read.place.path == place.path);
            let record =
                record.filter(|read| read.place == *place).find_map(|read| read.record.ok());
            if let Some(record) = record {
                let same =
                    record.moves.iter().map(|played| played.m).eq(found.game.moves.iter().copied());
                anyhow::ensure!(
                    same,
                    "{place}: another game than in the index; bring the index up to date"
                );
                self.0 = Some(open);
                return Ok(record);
            }
        }
        anyhow::bail!("{place}: not there any more; bring the index up to date")
    }
}
