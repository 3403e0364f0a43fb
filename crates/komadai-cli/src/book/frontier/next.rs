//! `book next`: the positions to search next.

use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use komadai::bookgraph::BookGraph;
use komadai::bookgraph::frontier::{Alpha, FrontierOptions, ReachOptions, Rival, RivalBook};

use crate::listing::{Row, Style, print};
use crate::selection::Selection;
use crate::source::read_graph;

/// Lists the positions at which good play leaves the book: those to search next.
///
/// The book's own side follows its best move, the opponent every move within a window. Prints a line for
/// each position: `sfen …`, a tab, and the moves that lead there.
#[derive(Debug, Args)]
#[command(after_help = "Example: book next in.db --side black --eval-diff 30 --window best")]
pub(crate) struct Options {
    /// The book: .db, .ybb, .bin, .sbk or .kbook.
    input: PathBuf,
    #[command(flatten)]
    selection: Selection,
    /// Which positions come first.
    #[arg(long, value_enum, default_value_t = Order::Bfs)]
    order: Order,
    /// For `--order price`: what a centipawn given away costs, in plies.
    #[arg(long, default_value_t = 0.05, value_parser = not_negative)]
    alpha: f64,
    /// For `--order probability`: a book that rivals play from; may be given several times. Without it,
    /// they choose as in the games that the book counts.
    #[arg(long)]
    rival: Vec<PathBuf>,
    /// For `--rival`: how much worse moves may be and still be played at times, in centipawns.
    #[arg(long, default_value_t = 20.0, value_parser = not_negative)]
    temperature: f64,
    /// For `--order probability` by games: how many games are added to each move in the window.
    #[arg(long, default_value_t = 1.0, value_parser = not_negative)]
    smoothing: f64,
    /// Print so many positions at most: the first.
    #[arg(long)]
    budget: Option<usize>,
    /// Say in further columns why each position was selected.
    #[arg(long)]
    reasons: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Say how long each step takes.
    #[arg(long)]
    verbose: bool,
}

/// Which positions come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Order {
    /// Those with the shortest lines (breadth first).
    Bfs,
    /// Those whose lines are short and give away little (Lincke's drop-out expansion).
    Price,
    /// Those that games reach most often.
    Probability,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let started = Instant::now();
    let say = |what: &str| {
        if options.verbose {
            eprintln!("{:8.3} s {what}", started.elapsed().as_secs_f64());
        }
    };
    let graph = read_graph(&options.input)?;
    say("read and solved");
    let selection = FrontierOptions { budget: options.budget, ..options.selection.options()? };
    let frontier = match options.order {
        Order::Bfs => graph.frontier(&selection),
        Order::Price => {
            let alpha = Alpha::per_mille((options.alpha * 1_000.0).round() as u32);
            graph.frontier_by_price(&selection, alpha)
        }
        Order::Probability => {
            let rivals: Vec<BookGraph> =
                options.rival.iter().map(|path| read_graph(path)).collect::<Result<_, _>>()?;
            let books: Vec<&dyn RivalBook> =
                rivals.iter().map(|rival| rival as &dyn RivalBook).collect();
            let rival = match books.is_empty() {
                true => Rival::Games { smoothing: options.smoothing },
                false => Rival::Books { books: &books, temperature_cp: options.temperature },
            };
            graph.frontier_by_probability(&selection, &ReachOptions::new(rival))
        }
    };
    say("selected");
    let roots = options.selection.roots.said();
    let rows = frontier.iter().map(|found| Row::of_frontier(&found, &roots));
    let style = Style::new(options.json, options.reasons);
    print(rows, style, &[("visited", frontier.visited().into())])?;
    say("printed");
    eprintln!("{} positions, {} visited", frontier.len(), frontier.visited());
    Ok(())
}

fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.0..=1e6).contains(&number) => Ok(number),
        _ => Err("expected a number from 0 to a million".to_owned()),
    }
}
