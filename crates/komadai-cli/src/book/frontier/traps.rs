//! `book traps`: positions in which the opponent's probable reply loses value.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use komadai::bookgraph::frontier::{ReachOptions, Trap, TrapOptions};
use komadai::report::book_page::{PageLook, write_traps};
use komadai::{Position, Score};
use komadai_console::{
    Appearance, Output, Side, note, own_moves, signed_score, stdout, write_file_with,
};
use serde_json::{Value, json};

use crate::book::files::source::{check_is_another, read_graph};
use crate::book::frontier::listing::Row;
use crate::book::frontier::rival::RivalArgs;
use crate::book::frontier::selection::{Roots, positions};

/// List positions in which a probable reply of the opponent is a mistake.
///
/// The book's own side plays its best move, the opponent as games counted in the book, other books
/// or a model do. A mistake is a reply that loses --loss centipawns against the best reply of the
/// book; both have values there. The gain is what it brings the own side in the mean of all games:
/// reach × probability × loss. Nothing is written to the book.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    komadai book traps mine.kbook --side black --loss 150\n  \
    komadai book traps mine.db --rival theirs.db --html traps.html\n  \
    komadai book traps mine.kbook --replies model --start-positions openings.sfen --json")]
pub(crate) struct Options {
    /// Book: .db, .ybb, .bin, .sbk or .kbook.
    input: PathBuf,
    /// Side that plays from the book; with both, each in half of the games.
    #[arg(long, value_enum, default_value_t = Side::Both)]
    side: Side,
    /// Play all best moves of the own side, not only the first.
    #[arg(long)]
    ties: bool,
    /// Minimum loss of a reply against the best one, in centipawns. Values beyond ±2000 count as
    /// these.
    #[arg(long, default_value_t = 100, value_name = "CP", value_parser = clap::value_parser!(u32).range(1..))]
    loss: u32,
    #[command(flatten)]
    rival: RivalArgs,
    /// Maximum move number; later positions are not reached.
    #[arg(long)]
    max_ply: Option<u32>,
    #[command(flatten)]
    roots: Roots,
    /// Maximum number of mistakes, those of the largest gain first.
    #[arg(long, default_value_t = 20, value_name = "N")]
    max_positions: usize,
    /// Write a page with boards.
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    html: Option<PathBuf>,
    #[command(flatten)]
    appearance: Appearance,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    options.html.iter().try_for_each(|path| check_is_another(&options.input, path))?;
    let roots = options.roots.read()?;
    let graph = read_graph(&options.input)?;
    let rivals = options.rival.read(&options.input)?;
    let books = rivals.books();
    let reach = ReachOptions::new(rivals.model(&books));
    let wanted = TrapOptions {
        roots: positions(&roots),
        own_moves: own_moves(options.ties),
        max_ply: options.max_ply,
        least_loss_cp: options.loss,
        ..TrapOptions::new(Position::hirate(), options.side, reach)
    };
    let mut found = graph.traps(&wanted);
    for trap in &mut found.traps {
        trap.games = trap.games.saturating_add(rivals.games(&trap.position, trap.reply));
    }
    let all = found.traps.len();
    found.traps.truncate(options.max_positions);
    let row = |trap: &Trap| Row::new(&trap.position, &roots[trap.root].line, &trap.line);
    if let Some(path) = &options.html {
        let (language, input) = (options.appearance.language(), options.input.display());
        let title = language.choose(format!("Traps of {input}"), format!("{input} のはめ手"));
        let look = PageLook {
            language,
            notation: options.appearance.notation(),
            command: "komadai book traps BOOK --html PAGE".to_owned(),
        };
        write_file_with(path, |out| write_traps(out, &title, &found.traps, &look))?;
        writeln!(stdout(), "{all} mistakes: {}", path.display())?;
    } else if options.json {
        let object = json!({
            "traps": found.traps.iter().map(|trap| with_facts(row(trap), trap).to_json()).collect::<Value>(),
            "all": all,
            "unvalued": found.unvalued,
            "visited": found.visited,
        });
        writeln!(Output::json_if(true), "{object}")?;
    } else if !found.traps.is_empty() {
        let mut out = stdout();
        writeln!(out, "{HEAD}")?;
        for trap in &found.traps {
            writeln!(out, "{}  {}", columns(trap), row(trap).moves())?;
        }
    }
    note!("{all} mistakes, {} positions visited", found.visited);
    if !wanted.roots.iter().any(|root| graph.contains(root)) {
        note!("note: the book contains no root of the lines (--root, --start-positions)");
    }
    let has_no_games = found.traps.iter().all(|trap| trap.games == 0);
    if has_no_games && !found.traps.is_empty() && options.rival.is_by_games() {
        note!(
            "note: the book counts no game with these mistakes, so their probabilities rest on \
             --smoothing alone; --replies values and --replies model estimate them"
        );
    }
    if found.unvalued >= 0.0005 {
        note!(
            "note: {:.1} % of the games leave the book by a reply that has no value in it",
            100.0 * found.unvalued
        );
    }
    if all > found.traps.len() {
        note!("{} more mistakes; --max-positions shows them", all - found.traps.len());
    }
    Ok(())
}

const HEAD: &str =
    "   gain    reach  reply            games     loss   value  best     value  line";

/// Returns a mistake as columns of text, without its line.
fn columns(trap: &Trap) -> String {
    format!(
        "{:>7.2}  {:>5.1} %  {:<5} {:>5.1} %  {:>7}  {:>7}  {:>6}  {:<5}  {:>6}",
        trap.gain_cp,
        100.0 * trap.reach,
        trap.reply.to_string(),
        100.0 * trap.probability,
        trap.games,
        trap.loss_cp,
        signed_score(Some(trap.reply_score)),
        trap.best.to_string(),
        signed_score(Some(trap.best_score)),
    )
}

/// Adds the facts of a mistake to its row.
fn with_facts(row: Row, trap: &Trap) -> Row {
    row.with("reply", trap.reply.to_string())
        .with("reply_score", Score::raw(trap.reply_score))
        .with("probability", trap.probability)
        .with("games", trap.games)
        .with("best", trap.best.to_string())
        .with("best_score", Score::raw(trap.best_score))
        .with("loss_cp", trap.loss_cp)
        .with("reach", trap.reach)
        .with("gain_cp", trap.gain_cp)
}
