//! The page of a growing book: its value and best line, the positions being searched, and the last
//! results.

use std::collections::VecDeque;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use komadai::book::GrowEvent;
use komadai::bookgraph::{Basis, BookGraph, RankedMove};
use komadai::core::{Analysis, Analyst, AnalystError, AnalystId, Budget};
use komadai::kifu::Notation;
use komadai::report::{GraphPoint, LiveBoard, LivePage, LiveProgress, LiveTable};
use komadai::{Color, Position, Score};
use komadai_base::text::grouped;
use komadai_console::{bounded_score, grow_notes, signed_score};
use komadai_live::{LiveServer, PageHandle};

use crate::arguments::position::position_of;

/// Number of positions being searched that have a board.
const MOST_BOARDS: usize = 4;

/// Number of results in the table.
const LAST_RESULTS: usize = 12;

/// Number of notes.
const LAST_NOTES: usize = 20;

/// Number of values in the graph; of more every second one is dropped.
const MOST_VALUES: usize = 400;

/// Number of moves from the root in the table.
const MOST_MOVES: usize = 8;

/// Number of moves of the book's best line.
const LINE: usize = 40;

/// The page of a growing book.
pub(crate) struct GrowthPage {
    page: PageHandle,
    boards: SearchBoards,
    root: Position,
    total: u64,
    results: u64,
    nodes: u64,
    /// The value of the root for Black after numbers of results, and the number of results between
    /// two of them.
    values: (Vec<GraphPoint>, u64),
    last: VecDeque<Vec<String>>,
}

/// The boards of the positions being searched, one an analyst.
type SearchBoards = Arc<Mutex<Vec<LiveBoard>>>;

impl GrowthPage {
    /// A page of a run that is to add `total` positions to the book of a file.
    pub(super) fn new(server: &LiveServer, store: &Path, root: &Position, total: usize) -> Self {
        let page = server.page();
        page.update(|page| {
            page.title = format!("Growing {}", store.display());
            page.status = "running".to_owned();
        });
        page.accept_wishes();
        Self {
            page,
            boards: SearchBoards::default(),
            root: root.clone(),
            total: total as u64,
            results: 0,
            nodes: 0,
            values: (Vec::new(), 1),
            last: VecDeque::new(),
        }
    }

    /// Returns analysts whose positions appear on the page, and which wait while the work is
    /// paused.
    pub(super) fn watch(
        &self,
        analysts: Vec<Box<dyn Analyst>>,
        stop: &Arc<AtomicBool>,
    ) -> Vec<Box<dyn Analyst>> {
        let watched = analysts.into_iter().enumerate().map(|(number, inner)| {
            let (page, boards) = (self.page.clone(), Arc::clone(&self.boards));
            let stop = Arc::clone(stop);
            Box::new(WatchedAnalyst { inner, number, page, boards, stop }) as Box<dyn Analyst>
        });
        watched.collect()
    }

    /// Shows the book at the start, or after a result.
    pub(super) fn show(&mut self, graph: &BookGraph, result: Option<(&Position, &Analysis)>) {
        let value = graph.value(&self.root).map(|value| value.score);
        if let Some((position, analysis)) = result {
            self.results += 1;
            self.nodes += analysis.nodes;
            self.last.push_front(row(position, analysis));
            self.last.truncate(LAST_RESULTS);
        }
        self.add_value(value);
        let line = graph.best_line(&self.root, LINE);
        let mut root = LiveBoard::new("the book's best line", &self.root);
        root.remark = format!("{} for the side to move", signed_score(value));
        (root.line, root.values) = (line.clone(), self.values.0.clone());
        let mut boards = vec![root];
        let searched = self.boards.lock().unwrap_or_else(PoisonError::into_inner);
        boards.extend(searched.iter().take(MOST_BOARDS).cloned());
        drop(searched);
        let figures = [
            ("value of the start", signed_score(value)),
            ("positions of the book", grouped(graph.positions() as u64)),
            ("plies of the best line", line.len().to_string()),
            ("nodes of this run", grouped(self.nodes)),
        ];
        let columns = ["position", "value", "depth", "nodes", "best move"];
        let last = LiveTable {
            title: "Last results".to_owned(),
            columns: columns.map(str::to_owned).to_vec(),
            rows: self.last.iter().cloned().collect(),
        };
        let columns = ["move", "value", "plies in the book"];
        let moves = LiveTable {
            title: "Moves from the start".to_owned(),
            columns: columns.map(str::to_owned).to_vec(),
            rows: graph
                .moves(&self.root)
                .iter()
                .take(MOST_MOVES)
                .map(|ranked| self.move_row(ranked))
                .collect(),
        };
        let progress = LiveProgress {
            done: self.results,
            total: Some(self.total),
            ..LiveProgress::new("positions")
        };
        self.page.update(|page| {
            page.progress = Some(progress);
            put_figures(page, figures);
            page.boards = boards;
            put_table(page, moves);
            put_table(page, last);
        });
    }

    /// The page, for others who show a part of it.
    pub(super) fn handle(&self) -> PageHandle {
        self.page.clone()
    }

    /// Shows a result or a remark.
    pub(super) fn on_event(&mut self, event: &GrowEvent<'_>) {
        if let GrowEvent::Analysed { position, analysis, graph, .. } = event {
            return self.show(graph, Some((position, analysis)));
        }
        let notes = grow_notes(event);
        if !notes.is_empty() {
            self.page.update(|page| {
                page.notes.splice(0..0, notes.into_iter().rev());
                page.notes.truncate(LAST_NOTES);
            });
        }
    }

    /// Returns the cells of a move from the root.
    fn move_row(&self, ranked: &RankedMove) -> Vec<String> {
        let plies = if ranked.leaves_book {
            "leaves the book".to_owned()
        } else {
            match ranked.value.basis {
                Basis::Leaf => ranked.value.plies.to_string(),
                Basis::Repetition => "repetition".to_owned(),
                _ => "perpetual check".to_owned(),
            }
        };
        let name = Notation::Japanese.name(&self.root, ranked.m);
        vec![name, signed_score(Some(ranked.value.score)), plies]
    }

    fn add_value(&mut self, value: Option<Score>) {
        let (values, stride) = &mut self.values;
        if !self.results.is_multiple_of(*stride) {
            return;
        }
        let for_black =
            |score: Score| if self.root.side() == Color::Black { score } else { -score };
        let results = u32::try_from(self.results).unwrap_or(u32::MAX);
        values.push(GraphPoint::new(results, value.map(for_black)));
        if values.len() > MOST_VALUES {
            let mut index = 0;
            values.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            *stride *= 2;
        }
    }
}

/// Takes the readers' wishes: `first` becomes the position after which positions are selected first.
pub(super) fn take_wishes(page: &PageHandle, first: &mut Option<Position>) {
    for wish in page.take_wishes() {
        let shown = match position_of(&wish) {
            _ if wish.is_empty() => {
                *first = None;
                "–".to_owned()
            }
            Ok(position) => {
                *first = Some(position);
                wish
            }
            Err(error) => format!("{wish}: {error}"),
        };
        page.update(|page| put_figures(page, [("searched first", shown)]));
    }
}

/// Puts figures in the place of those with the same names, or after the others.
pub(crate) fn put_figures<'f>(
    page: &mut LivePage,
    figures: impl IntoIterator<Item = (&'f str, String)>,
) {
    for (name, value) in figures {
        match page.figures.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => page.figures.push((name.to_owned(), value)),
        }
    }
}

/// Puts a table in the place of the one with the same title, or after the others. A table without
/// rows is left out.
pub(crate) fn put_table(page: &mut LivePage, table: LiveTable) {
    let place = page.tables.iter().position(|known| known.title == table.title);
    match place {
        Some(place) if table.rows.is_empty() => drop(page.tables.remove(place)),
        Some(place) => page.tables[place] = table,
        None if table.rows.is_empty() => {}
        None => page.tables.push(table),
    }
}

/// Returns the cells of a result.
fn row(position: &Position, analysis: &Analysis) -> Vec<String> {
    let best = analysis.lines.first();
    vec![
        position.to_string(),
        best.map_or_else(|| "–".to_owned(), |line| bounded_score(Some(line.score), line.bound)),
        analysis.depth.to_string(),
        grouped(analysis.nodes),
        best.and_then(|line| line.pv.first()).map_or_else(|| "–".to_owned(), ToString::to_string),
    ]
}

/// An analyst whose positions appear on the page.
struct WatchedAnalyst {
    inner: Box<dyn Analyst>,
    number: usize,
    page: PageHandle,
    boards: SearchBoards,
    stop: Arc<AtomicBool>,
}

impl Analyst for WatchedAnalyst {
    fn identity(&self) -> AnalystId {
        self.inner.identity()
    }

    fn analyse(&mut self, position: &Position, budget: &Budget) -> Result<Analysis, AnalystError> {
        self.page.wait_while_paused(&self.stop);
        let mut boards = self.boards.lock().unwrap_or_else(PoisonError::into_inner);
        while boards.len() <= self.number {
            let caption = format!("analyst {}", boards.len() + 1);
            boards.push(LiveBoard::new(&caption, position));
        }
        let caption = boards[self.number].caption.clone();
        boards[self.number] = LiveBoard::new(&caption, position);
        drop(boards);
        let analysis = self.inner.analyse(position, budget)?;
        let mut boards = self.boards.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(best) = analysis.lines.first() {
            let board = &mut boards[self.number];
            board.line = best.pv.to_vec();
            let (score, depth) = (signed_score(Some(best.score)), analysis.depth);
            board.remark = format!("{score} for the side to move, depth {depth}");
        }
        Ok(analysis)
    }

    fn set_lines(&mut self, lines: Option<NonZero<u16>>) -> Result<(), AnalystError> {
        self.inner.set_lines(lines)
    }

    fn scale(&self) -> f64 {
        self.inner.scale()
    }

    fn forget(&mut self) {
        self.inner.forget();
    }
}
