//! The analysis of many games: a page for each, and a list of them.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use komadai::Color;
use komadai::analysis::game_analysis::GameAnalysis;
use komadai::kifu::{HeaderKey, Outcome, Record, RecordFilesOptions, Skipped};
use komadai::report::{GamesPage, ListedGame, ListedSide};
use komadai_base::file::read_text;
use komadai_console::{
    create_folder, describe, interrupted, note, stop_on_interrupt, tolerance, write_file,
};
use serde::{Deserialize, Serialize};

use super::game_text::GameText;
use super::memory::Memory;
use super::options::AnalyseArgs;
use super::{one_game, pictures, table};
use crate::arguments::faults::{exit_code, failure, print_faults};
use crate::arguments::game_sources::{NamedGames, game_sources, with_ending};

/// Maximum number of bytes of the list of an earlier run.
const MAX_LIST: u64 = 1 << 30;

/// Interval between two writings of the list.
const WRITE_EVERY: Duration = Duration::from_secs(10);

/// The games with a page, by the name of the page. The file `index.json` keeps them for the next
/// run, because the pages of many games cannot be read back.
#[derive(Debug, Default, Serialize, Deserialize)]
struct List(BTreeMap<String, Game>);

/// A game of the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Game {
    date: String,
    result: String,
    moves: usize,
    black: Side,
    white: Side,
}

/// A side of a game of the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Side {
    name: String,
    has_won: bool,
    average_loss: Option<f64>,
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
}

/// Analyses every game of the input that has no page yet.
pub(super) fn analyse(arguments: &AnalyseArgs, folder: &Path) -> anyhow::Result<ExitCode> {
    let input = arguments.game_file();
    std::fs::metadata(input).with_context(|| input.display().to_string())?;
    let (sources, errors) = game_sources(input, folder);
    errors.iter().for_each(|error| note!("{error}"));
    ensure!(!sources.is_empty(), "{} has no file of games", input.display());
    create_folder(folder)?;
    let mut run =
        Run { arguments, folder, list: List::read(folder)?, last_written: Instant::now() };
    let stop = stop_on_interrupt()?;
    let (memory, mut analyst) = Memory::open(arguments, arguments.analyst()?)?;
    analyst.stop = Arc::clone(&stop);
    let options = RecordFilesOptions {
        tolerance: tolerance(!arguments.lenient),
        ..RecordFilesOptions::default()
    };
    let mut skipped = Skipped::default();
    let (mut written, mut kept, mut failed) = (0_u64, 0_u64, errors.len() as u64);
    'files: for source in &sources {
        let mut games = NamedGames::open(source, options);
        for (name, found) in &mut games {
            if stop.load(Ordering::Relaxed) {
                break 'files;
            }
            let record = match found.record {
                Ok(record) => record,
                Err(error) => {
                    note!("{}", failure(&found.place, error));
                    failed += 1;
                    continue;
                }
            };
            // `index.html` is the list.
            let name = if name == Path::new("index") { Path::new("index-game") } else { &name };
            let page = with_ending(name, "html");
            if !arguments.force
                && run.list.0.contains_key(&key(&page))
                && folder.join(&page).exists()
            {
                kept += 1;
                continue;
            }
            let (place, label) = (found.place.to_string(), name.display().to_string());
            let analysed =
                one_game::analyse(&mut analyst, &record, &place, &label, arguments.quiet);
            match analysed {
                // A page with a part of the moves would be kept by the next run.
                Ok(analysis) if analysis.is_stopped => break 'files,
                Ok(analysis) => {
                    one_game::warn(&record, &analysis);
                    run.write_page(&page, &record, &analysis)?;
                    written += 1;
                }
                Err(error) => {
                    note!("{place}: {}", describe(&error));
                    failed += 1;
                }
            }
        }
        skipped.append(games.into_skipped());
    }
    run.write_list()?;
    print_faults(&skipped);
    failed += memory.finish(arguments);
    note!("{written} pages written, {kept} kept: {}", folder.join("index.html").display());
    if stop.load(Ordering::Relaxed) {
        return Err(interrupted("stopped; the same command continues"));
    }
    if failed > 0 {
        note!("{failed} games or files could not be analysed or kept");
    }
    Ok(exit_code(skipped.lost_moves() + failed))
}

/// The outputs of a run.
struct Run<'a> {
    arguments: &'a AnalyseArgs,
    folder: &'a Path,
    list: List,
    last_written: Instant,
}

impl Run<'_> {
    fn write_page(
        &mut self,
        page: &Path,
        record: &Record,
        analysis: &GameAnalysis,
    ) -> anyhow::Result<()> {
        let (notation, language) = (self.arguments.notation(), self.arguments.language());
        let mut text = GameText::new(record, analysis, notation, language);
        text.has_threats = self.arguments.threats;
        let path = self.folder.join(page);
        if let Some(folder) = path.parent() {
            create_folder(folder)?;
        }
        write_file(&path, pictures::page(&text))?;
        self.list.0.insert(key(page), Game::new(&text));
        if self.last_written.elapsed() >= WRITE_EVERY {
            self.write_list()?;
        }
        Ok(())
    }

    /// Writes `index.json` and `index.html`.
    fn write_list(&mut self) -> anyhow::Result<()> {
        self.last_written = Instant::now();
        self.list.0.retain(|page, _| self.folder.join(page).exists());
        let json = serde_json::to_string_pretty(&self.list)?;
        write_file(&self.folder.join("index.json"), json + "\n")?;
        let title = self.arguments.game_file().file_name().unwrap_or_default();
        let games = self.list.0.iter().map(|(page, game)| game.listed(page));
        let page = GamesPage {
            language: self.arguments.language().of_texts(),
            title: title.to_string_lossy().into_owned(),
            games: games.collect(),
            command: "komadai analyse GAMES --out FOLDER".to_owned(),
        };
        write_file(&self.folder.join("index.html"), page.to_string())
    }
}

impl List {
    /// Reads the list of an earlier run, if there is one.
    fn read(folder: &Path) -> anyhow::Result<Self> {
        let path = folder.join("index.json");
        if !path.exists() {
            return Ok(Self::default());
        }
        let place = || format!("{}: not the list of an earlier run", path.display());
        let text = read_text(&path, MAX_LIST).with_context(|| path.display().to_string())?;
        serde_json::from_str(&text).with_context(place)
    }
}

impl Game {
    fn new(text: &GameText<'_>) -> Self {
        let record = text.record;
        let header = |key: &HeaderKey| record.header.get(key).map(str::trim).map(str::to_owned);
        let date = header(&HeaderKey::Date).or_else(|| header(&HeaderKey::StartTime));
        let side = |color| {
            let summary = text.analysis.summary(color);
            Side {
                name: record.header.player(color).unwrap_or_default().to_owned(),
                has_won: record.outcome() == Outcome::Win(color),
                average_loss: summary.average_loss_cp(),
                inaccuracies: summary.inaccuracies,
                mistakes: summary.mistakes,
                blunders: summary.blunders,
            }
        };
        Self {
            date: date.unwrap_or_default(),
            result: record.end.as_ref().map(|end| table::end_words(text, end)).unwrap_or_default(),
            moves: record.moves.len(),
            black: side(Color::Black),
            white: side(Color::White),
        }
    }

    fn listed(&self, page: &str) -> ListedGame {
        let side = |side: &Side| ListedSide {
            name: side.name.clone(),
            has_won: side.has_won,
            average_loss: side.average_loss,
            marks: [side.inaccuracies, side.mistakes, side.blunders],
        };
        ListedGame {
            page: page.to_owned(),
            date: self.date.clone(),
            result: self.result.clone(),
            moves: self.moves,
            black: side(&self.black),
            white: side(&self.white),
        }
    }
}

/// Returns the path of a page with `/` between folders, as an address has it.
fn key(page: &Path) -> String {
    let parts: Vec<_> = page.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    parts.join("/")
}
