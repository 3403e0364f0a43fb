//! The game that is analysed, read from its file.

use std::num::NonZero;

use anyhow::{Context as _, anyhow};
use komadai::kifu::{Record, RecordFiles, RecordFilesOptions, Tolerance, parse_csa};
use komadai_console::{bad_usage, note, tolerance};

use super::options::AnalyseArgs;
use crate::arguments::faults::{failure, print_faults};

/// The bundled game.
const DEMO: &str = include_str!("../../data/demo.csa");

/// A game with its place.
pub(super) struct GameFile {
    pub(super) record: Record,
    /// The file and the number of the game in it.
    pub(super) place: String,
    /// The number of the game among those of the input, from 1.
    pub(super) number: usize,
    /// The number of moves that were left out, because they or a move before them cannot be made.
    pub(super) lost_moves: u64,
}

impl GameFile {
    /// Reads the game that the arguments choose, or the first one.
    pub(super) fn read(arguments: &AnalyseArgs) -> anyhow::Result<Self> {
        let options = RecordFilesOptions {
            tolerance: tolerance(!arguments.lenient),
            ..RecordFilesOptions::default()
        };
        if arguments.demo {
            return Self::demo();
        }
        let mut files = RecordFiles::open(arguments.game_file(), options);
        let number = arguments.game.map_or(1, |number| number.get());
        let mut chosen = None;
        let mut count = 0;
        for found in &mut files {
            match found.record {
                Ok(record) => {
                    count += 1;
                    if count == number {
                        let place = found.place.to_string();
                        chosen = Some(Self { record, place, number, lost_moves: 0 });
                    }
                    // Whether there are more games matters only if none was chosen.
                    if count > number || (count == number && arguments.game.is_some()) {
                        break;
                    }
                }
                Err(error) if chosen.is_some() => {
                    note!("warning: {}", failure(&found.place, error));
                    break;
                }
                Err(error) if !arguments.lenient => {
                    return Err(anyhow::Error::new(error).context(found.place.to_string()));
                }
                Err(error) => note!("warning: {}", failure(&found.place, error)),
            }
        }
        let skipped = files.into_skipped();
        print_faults(&skipped);
        if let Some(chosen) = &mut chosen {
            chosen.lost_moves = skipped.lost_moves();
        }
        if count > number && arguments.game.is_none() {
            note!("the file has several games; --game N chooses one");
        }
        let path = arguments.game_file().display();
        chosen.with_context(|| match count {
            0 => anyhow!("{path} has no game"),
            count => anyhow!("{path}: there is no game {number}, the last one is {count}"),
        })
    }

    /// Returns the bundled game.
    fn demo() -> anyhow::Result<Self> {
        let games = parse_csa(DEMO, Tolerance::Strict)?.records;
        let record = games.into_iter().next().context("the bundled game is there")?;
        Ok(Self { record, place: "demo.csa".to_owned(), number: 1, lost_moves: 0 })
    }

    /// Checks that the moves to analyse are some of the game.
    pub(super) fn check_plies(&self, arguments: &AnalyseArgs) -> anyhow::Result<()> {
        let moves = self.record.moves.len();
        let (from, to) = (arguments.from.get(), arguments.to.map(NonZero::get));
        if let Some(to) = to.filter(|to| from > *to) {
            return Err(bad_usage(format_args!("--from {from} is after --to {to}")));
        }
        if from > moves.max(1) {
            return Err(bad_usage(format_args!("--from {from}: the game has {moves} moves")));
        }
        Ok(())
    }
}
