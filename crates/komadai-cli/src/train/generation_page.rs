//! The page of self-play: the number of positions, the results, and the last game.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use komadai::core::Score;
use komadai::data::{Dataset, SelfPlayGame};
use komadai::report::{GraphPoint, LiveBoard, LiveProgress, LiveTable};
use komadai::{Color, Position};
use komadai_base::text::grouped;
use komadai_live::{LiveServer, PageHandle};

/// Interval between two boards.
const BOARD_EVERY: Duration = Duration::from_secs(2);

/// The page of a run.
pub(super) struct GenerationPage {
    page: PageHandle,
    total: Option<u64>,
    /// The number of positions before this run.
    before: u64,
    counts: Counts,
}

/// The games of this run.
struct Counts {
    games: u64,
    positions: u64,
    nodes: u64,
    winners: BTreeMap<&'static str, u64>,
    ends: BTreeMap<String, u64>,
    board: Option<Instant>,
}

impl GenerationPage {
    /// A page for a folder in which there are to be `total` positions; `before` are there already.
    pub(super) fn new(server: &LiveServer, folder: &Path, total: Option<u64>, before: u64) -> Self {
        let page = server.page();
        page.update(|page| {
            page.title = format!("Self-play: {}", folder.display());
            page.status = "running".to_owned();
        });
        let counts = Counts {
            games: 0,
            positions: 0,
            nodes: 0,
            winners: BTreeMap::new(),
            ends: BTreeMap::new(),
            board: None,
        };
        Self { page, total, before, counts }
    }

    /// Waits while a reader has paused the work: games being played end, and wait to be written.
    pub(super) fn wait_while_paused(&self, stop: &AtomicBool) {
        self.page.wait_while_paused(stop);
    }

    /// Shows a game that has been added.
    pub(super) fn show(&mut self, game: &SelfPlayGame, data: &Dataset) {
        let counts = &mut self.counts;
        counts.games += 1;
        counts.positions += game.positions.len() as u64;
        counts.nodes += game.nodes;
        let winner = match game.winner {
            Some(Color::Black) => "Black",
            Some(Color::White) => "White",
            None => "nobody",
        };
        *counts.winners.entry(winner).or_default() += 1;
        *counts.ends.entry(format!("{:?}", game.end)).or_default() += 1;
        let is_due = counts.board.is_none_or(|shown| shown.elapsed() >= BOARD_EVERY);
        let board = is_due.then(|| last_board(game)).flatten();
        if board.is_some() {
            counts.board = Some(Instant::now());
        }
        let mean = |sum: u64| sum as f64 / counts.games as f64;
        let figures = [
            ("games of this run", grouped(counts.games)),
            ("positions a game", format!("{:.1}", mean(counts.positions))),
            ("nodes", grouped(counts.nodes)),
        ];
        let share = |count: u64| format!("{:.1} %", 100.0 * mean(count));
        let row = |name: &str, count: u64| vec![name.to_owned(), grouped(count), share(count)];
        let table = |title: &str, rows| LiveTable {
            title: title.to_owned(),
            columns: ["", "games", "share"].map(str::to_owned).to_vec(),
            rows,
        };
        let winners = counts.winners.iter().map(|(name, &count)| row(name, count)).collect();
        let ends = counts.ends.iter().map(|(name, &count)| row(name, count)).collect();
        let progress = LiveProgress {
            done: data.positions(),
            total: self.total,
            before: self.before,
            ..LiveProgress::new("positions")
        };
        self.page.update(|page| {
            page.progress = Some(progress);
            page.figures = figures.map(|(name, value)| (name.to_owned(), value)).to_vec();
            page.tables = vec![table("Winners", winners), table("Ends", ends)];
            if let Some(board) = board {
                page.boards = vec![board];
            }
        });
    }
}

/// Returns the last position of a game, with its values.
fn last_board(game: &SelfPlayGame) -> Option<LiveBoard> {
    let last = game.positions.last()?;
    let setup = last.position.to_setup().ok()?;
    let position = Position::from_setup(&setup).ok()?;
    let values = game.positions.iter().map(|position| {
        let score = Score::from_raw(position.score.into());
        let score = if position.side == Color::Black { score } else { -score };
        GraphPoint::new(position.ply.into(), Some(score))
    });
    let remark = format!("{:?}, {} nodes", game.end, grouped(game.nodes));
    let values = values.collect();
    Some(LiveBoard { remark, values, ..LiveBoard::new("the last game, at its end", &position) })
}
