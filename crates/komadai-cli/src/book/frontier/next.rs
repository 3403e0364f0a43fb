//! `book next`: the positions to search next.

use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use komadai::book::StartPosition;
use komadai::book::game_list::GameListOptions;
use komadai::bookgraph::frontier::{
    Alpha, Cuts, FrontierOptions, FrontierPosition, ReachOptions, RootLimits,
};
use komadai_console::{grouped, note, passed_over};

use crate::book::files::source::read_graph;
use crate::book::frontier::cost::CostArgs;
use crate::book::frontier::listing::{ListingArgs, Row, Style, print};
use crate::book::frontier::rival::{RivalArgs, not_negative};
use crate::book::frontier::selection::Selection;

/// List the positions to search next: those at which good play leaves the book.
///
/// The book's own side follows its best move, the opponent every move within a window. Prints a
/// line per position: `sfen …`, a tab, and the moves that lead to it. Moves and positions that were
/// not followed, and so lead to no position, are counted on standard error.
///
/// `--reasons` adds the last move's kind (`root`: the root itself is not in the book; `best move`
/// of the own side; `move in the window` of the opponent; `rival's move`), its distance from the best
/// move of its position (`drop_cp`) and its value.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    komadai book next in.db --side black --eval-diff 30 --window best\n  \
    komadai book next in.db --nodes 200000000 --cost 500000\n  \
    komadai book next in.kbook --start-positions openings.sfen --max-ply 40 --metadata > think_sfens.txt")]
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
    /// For `--order probability`.
    #[command(flatten)]
    rival: RivalArgs,
    /// Maximum number of positions.
    #[arg(long)]
    budget: Option<usize>,
    #[command(flatten)]
    cost: CostArgs,
    #[command(flatten)]
    listing: ListingArgs,
    /// Print a list of games in place of columns: `startpos moves …`, followed by the limits of the
    /// selection as BookMiner's scripts have them (`, eval_limit=400, game_ply_limit=200`).
    /// `--start-positions` reads it.
    #[arg(long, conflicts_with_all = ["json", "reasons"])]
    metadata: bool,
    /// For `--metadata`: `book_extend_ply` of every line, the number of plies by which a book is to
    /// follow its best line from there.
    #[arg(long, value_name = "N", requires = "metadata")]
    book_extend_ply: Option<u32>,
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
    let roots = options.selection.roots.read()?;
    let selection = options.selection.options(&roots);
    let selection = FrontierOptions { budget: options.budget, ..selection };
    let frontier = match options.order {
        Order::Bfs => graph.frontier(&selection),
        Order::Price => {
            let alpha = Alpha::per_mille((options.alpha * 1_000.0).round() as u32);
            graph.frontier_by_price(&selection, alpha)
        }
        Order::Probability => {
            let rivals = options.rival.read(&options.input)?;
            let books = rivals.books();
            let reach = ReachOptions::new(rivals.model(&books));
            graph.frontier_by_probability(&selection, &reach)
        }
    };
    log("selected");
    let row = |found: FrontierPosition| {
        let row = Row::of_frontier(&found, &roots);
        row.limited(options.metadata_of(&found, &roots[found.root], &selection))
    };
    let rows = frontier.iter().map(row);
    let style = if options.metadata { Style::GameList } else { options.listing.style() };
    let cost = options.cost.of(frontier.len());
    let mut summary =
        vec![("visited", frontier.visited().into()), ("unheld", frontier.unheld().into())];
    summary.push(("cut", serde_json::to_value(frontier.cuts())?));
    summary.extend(cost.map(|cost| ("cost", cost.to_json())));
    print(rows, style, &summary)?;
    log("printed");
    note!("{} positions, {} visited", frontier.len(), frontier.visited());
    cuts_line(frontier.cuts()).iter().for_each(|text| note!("{text}"));
    cost.iter().for_each(|cost| note!("{}", cost.to_line()));
    passed_over(frontier.unheld()).iter().for_each(|text| note!("note: {text}"));
    Ok(())
}

impl Options {
    /// Returns the limits of a position for a list of games: those of the selection and of its root.
    fn metadata_of(
        &self,
        found: &FrontierPosition,
        root: &StartPosition,
        selection: &FrontierOptions,
    ) -> GameListOptions {
        let RootLimits { best_line_plies, max_ply, eval_limit } = root.limits;
        let rest = best_line_plies.map(|plies| plies.saturating_sub(found.ply() as u32));
        let limits = RootLimits {
            best_line_plies: self.book_extend_ply.or(rest),
            max_ply: [selection.max_ply, max_ply].into_iter().flatten().min(),
            eval_limit: [selection.eval_limit, eval_limit].into_iter().flatten().min(),
        };
        GameListOptions::of_limits(root.line.setup.ply, limits)
    }
}

/// Returns a line about the places where lines ended without a position; `None` if there are none.
fn cuts_line(cuts: Cuts) -> Option<String> {
    let parts = [
        (cuts.at_max_ply, "positions at the limit of plies"),
        (cuts.beyond_eval_limit, "moves beyond the limit of values"),
        (cuts.outside_window, "moves outside the window"),
        (cuts.dead_ends, "positions without a move to follow"),
        (cuts.improbable, "positions too improbable"),
        (cuts.beyond_budget, "positions beyond the budget"),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .filter(|&(count, _)| count > 0)
        .map(|(count, what)| format!("{} {what}", grouped(count as u64)))
        .collect();
    (!parts.is_empty()).then(|| format!("not followed: {}", parts.join(", ")))
}
