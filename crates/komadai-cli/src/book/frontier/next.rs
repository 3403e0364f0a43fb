//! `book next`: the positions to search next.

use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use komadai::bookgraph::BookGraph;
use komadai::bookgraph::frontier::{Alpha, FrontierOptions, ReachOptions, Rival, RivalBook};
use komadai_console::{note, passed_over};

use crate::book::files::source::read_graph;
use crate::book::frontier::cost::CostArgs;
use crate::book::frontier::listing::{ListingArgs, Row, print};
use crate::book::frontier::selection::Selection;

/// List the positions to search next: those at which good play leaves the book.
///
/// The book's own side follows its best move, the opponent every move within a window. Prints a
/// line per position: `sfen …`, a tab, and the moves that lead to it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    komadai book next in.db --side black --eval-diff 30 --window best\n  \
    komadai book next in.db --nodes 200000000 --cost 500000")]
pub(crate) struct Options {
    /// Book: .db, .ybb, .bin, .sbk or .kbook.
    input: PathBuf,
    #[command(flatten)]
    selection: Selection,
    /// Order of the positions.
    #[arg(long, value_enum, default_value_t = Order::Bfs)]
    order: Order,
    /// For `--order price`: cost of a lost centipawn in plies.
    #[arg(long, default_value_t = 0.05, value_parser = not_negative)]
    alpha: f64,
    /// For `--order probability`: book of a rival; may be given several times. Without it, rivals
    /// choose moves as often as the games counted in the book.
    #[arg(long)]
    rival: Vec<PathBuf>,
    /// For `--rival`: loss that divides the weight of a rival's move by e, in centipawns; 0 for
    /// best moves only.
    #[arg(long, default_value_t = 20.0, value_parser = not_negative)]
    temperature: f64,
    /// For `--order probability` by games: number of games added to each move in the window.
    #[arg(long, default_value_t = 1.0, value_parser = not_negative)]
    smoothing: f64,
    /// Maximum number of positions.
    #[arg(long)]
    budget: Option<usize>,
    #[command(flatten)]
    cost: CostArgs,
    #[command(flatten)]
    listing: ListingArgs,
    /// Print the time of each step.
    #[arg(long)]
    verbose: bool,
}

/// The order of the positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Order {
    /// Shortest lines first (breadth first).
    Bfs,
    /// Short lines with small losses first (Lincke's drop-out expansion).
    Price,
    /// Positions that games reach most often first.
    Probability,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let started = Instant::now();
    let log = |what: &str| {
        if options.verbose {
            note!("{:8.3} s {what}", started.elapsed().as_secs_f64());
        }
    };
    let graph = read_graph(&options.input)?;
    log("read and solved");
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
            let rival = if books.is_empty() {
                Rival::Games { smoothing: options.smoothing }
            } else {
                Rival::Books { books: &books, temperature_cp: options.temperature }
            };
            graph.frontier_by_probability(&selection, &ReachOptions::new(rival))
        }
    };
    log("selected");
    let roots = options.selection.roots.as_given();
    let rows = frontier.iter().map(|found| Row::of_frontier(&found, &roots));
    let cost = options.cost.of(frontier.len());
    let mut summary =
        vec![("visited", frontier.visited().into()), ("unheld", frontier.unheld().into())];
    summary.extend(cost.map(|cost| ("cost", cost.to_json())));
    print(rows, options.listing.style(), &summary)?;
    log("printed");
    note!("{} positions, {} visited", frontier.len(), frontier.visited());
    cost.iter().for_each(|cost| note!("{}", cost.to_line()));
    passed_over(frontier.unheld()).iter().for_each(|text| note!("note: {text}"));
    Ok(())
}

fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.0..=1e6).contains(&number) => Ok(number),
        _ => Err("expected a number from 0 to 1000000".to_owned()),
    }
}
