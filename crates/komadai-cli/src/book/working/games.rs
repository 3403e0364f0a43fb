//! `book games`: the games of matches in a working book, as a list or as records.

use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use clap::{Args, ValueEnum};
use komadai::Color;
use komadai::analysis::match_records::{end_kind, value_comment};
use komadai::bookgraph::BookGame;
use komadai::core::Bound;
use komadai::kifu::text::{TextEncoding, TextForm};
use komadai::kifu::{Comment, End, EndKind, GameWriter, HeaderKey, Record, RecordMove};
use komadai::matches::{Ending, Verdict};
use komadai_base::atomic_file::AtomicFile;
use komadai_base::text::printable;
use komadai_console::state_json::side_word;
use komadai_console::{Output, bad_usage, note};
use serde_json::{Value, json};

use crate::arguments::record::format_of;
use crate::book::files::source::{check_is_another, read_store};

/// List the games that `book match` has played with a working book, or write their records.
///
/// The numbers are those that `book prune` and its review lists name.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    komadai book games grown.kbook --generation 7 --result lost\n  \
    komadai book games grown.kbook 47 57 67 --out lost.csa")]
pub(crate) struct Options {
    /// Working book.
    store: PathBuf,
    /// Numbers of games; by default all.
    numbers: Vec<u64>,
    /// Only games of this generation.
    #[arg(long, value_name = "N")]
    generation: Option<u32>,
    /// Only games against this opponent.
    #[arg(long, value_name = "NAME")]
    opponent: Option<String>,
    /// Only games with this result for the side with the book.
    #[arg(long, value_enum)]
    result: Option<BookResult>,
    /// File of records: .csa or .usi; for a single game any other format of records.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print JSON, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
}

/// The result of a game for the side with the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum BookResult {
    Won,
    Drawn,
    Lost,
}

impl BookResult {
    fn of(game: &BookGame) -> Self {
        match game.winner {
            None => Self::Drawn,
            Some(winner) if winner == game.book_side => Self::Won,
            Some(_) => Self::Lost,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Won => "won",
            Self::Drawn => "drawn",
            Self::Lost => "lost",
        }
    }
}

impl Options {
    fn is_wanted(&self, number: u64, game: &BookGame) -> bool {
        (self.numbers.is_empty() || self.numbers.contains(&number))
            && self.generation.is_none_or(|generation| generation == game.generation)
            && self.opponent.as_ref().is_none_or(|opponent| *opponent == game.opponent)
            && self.result.is_none_or(|result| result == BookResult::of(game))
    }
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    options.out.iter().try_for_each(|path| check_is_another(&options.store, path))?;
    let store = read_store(&options.store)?;
    let mut records = options.out.as_deref().map(Records::create).transpose()?;
    let mut objects = Vec::new();
    let mut out = BufWriter::new(Output::json_if(options.json));
    let is_list = records.is_none() && !options.json;
    if is_list {
        writeln!(out, "  game generation  side   result  plies  in book  ending and opponent")?;
    }
    let (mut found, mut end) = (0_u64, 0);
    for row in store.games()? {
        let (number, game) = row?;
        end = end.max(number + 1);
        if !options.is_wanted(number, &game) {
            continue;
        }
        found += 1;
        records.iter_mut().try_for_each(|records| records.add(number, &game))?;
        if options.json {
            objects.push(to_json(number, &game));
        }
        if is_list {
            writeln!(out, "{}", line(number, &game))?;
        }
    }
    if let Some(number) = options.numbers.iter().find(|&&number| number >= end) {
        let path = options.store.display();
        ensure!(end > 0, "{path}: found no games of matches, expected game {number}");
        bail!("{path}: found games 0 to {}, expected game {number}", end - 1);
    }
    records.into_iter().try_for_each(Records::finish)?;
    match &options.out {
        _ if options.json => writeln!(out, "{}", Value::Array(objects))?,
        Some(path) => writeln!(out, "{found} games: {}", path.display())?,
        None => {}
    }
    Ok(out.flush()?)
}

fn line(number: u64, game: &BookGame) -> String {
    let left = game.left_at.map_or("-".to_owned(), |left| left.to_string());
    format!(
        "{number:>6} {:>10}  {:5}  {:6} {:>6} {left:>8}  {}, {}",
        game.generation,
        side_word(game.book_side),
        BookResult::of(game).word(),
        game.moves.len(),
        printable(&game.ending),
        printable(&game.opponent),
    )
}

fn to_json(number: u64, game: &BookGame) -> Value {
    let moves: Vec<String> = game.moves.iter().map(ToString::to_string).collect();
    json!({
        "game": number,
        "generation": game.generation,
        "opponent": game.opponent,
        "book_side": side_word(game.book_side),
        "result": BookResult::of(game).word(),
        "left_at": game.left_at,
        "ending": game.ending,
        "when": game.when,
        "start": game.start.to_string(),
        "moves": moves.join(" "),
        "scores": game.scores,
        "times_ms": game.times_ms,
    })
}

/// A file of records, written completely or not at all.
struct Records {
    writer: GameWriter<AtomicFile>,
    path: PathBuf,
    /// The number of games with data for which the format has no place.
    with_losses: u64,
}

impl Records {
    fn create(path: &Path) -> anyhow::Result<Self> {
        let Some(format) = format_of(path) else {
            return Err(bad_usage(format_args!(
                "{}: unknown format, expected a name ending in .csa, .usi or another format of \
                 records",
                path.display()
            )));
        };
        let file = AtomicFile::create(path).with_context(|| cannot_write(path))?;
        let writer =
            GameWriter::new(file, format, TextForm::new(TextEncoding::of_path(path, format)));
        Ok(Self { writer, path: path.to_owned(), with_losses: 0 })
    }

    fn add(&mut self, number: u64, game: &BookGame) -> anyhow::Result<()> {
        let written = self.writer.write(&record(number, game));
        let losses = written.with_context(|| format!("game {number}"))?;
        self.with_losses += u64::from(!losses.is_empty());
        Ok(())
    }

    fn finish(self) -> anyhow::Result<()> {
        let Self { writer, path, with_losses } = self;
        writer.into_inner().commit().with_context(|| cannot_write(&path))?;
        if with_losses > 0 {
            note!("note: the format has no place for some data of {with_losses} games");
        }
        Ok(())
    }
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// Returns the record of a game with the values and times that the players reported.
fn record(number: u64, game: &BookGame) -> Record {
    let mut record = Record::new(game.start.clone());
    let (book, opponent) = match game.book_side {
        Color::Black => (HeaderKey::Black, HeaderKey::White),
        Color::White => (HeaderKey::White, HeaderKey::Black),
    };
    record.header.set(book, "book");
    record.header.set(opponent, game.opponent.as_str());
    record.header.set(HeaderKey::Event, format!("game {number}, generation {}", game.generation));
    for (index, &m) in game.moves.iter().enumerate() {
        let mut entry = RecordMove::new(m);
        let time = game.times_ms.get(index);
        entry.time = time.map(|&time| Duration::from_millis(time.into()));
        let score = game.scores.get(index).copied().flatten();
        let side = record.side_at_end();
        entry.comments.extend(score.map(|score| value_comment(score, Bound::Exact, side)));
        if game.left_at == Some(index as u32) {
            entry.comments.push(Comment::Remark("the book had no move".to_owned()));
        }
        record.moves.push(entry);
    }
    let kind = match Ending::from_name(&game.ending) {
        Some(ending) => end_kind(Verdict { winner: game.winner, ending }, record.side_at_end()),
        None => EndKind::Error,
    };
    let mut end = End::new(kind);
    end.comments.push(Comment::Remark(game.ending.clone()));
    record.end = Some(end);
    record
}
