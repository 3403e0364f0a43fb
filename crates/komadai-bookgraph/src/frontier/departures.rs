//! Departures: the positions at which virtual games against rival books leave one of the books.

use std::collections::{HashSet, VecDeque};

use komadai_bookfile::move_order::usi_order;
use komadai_bookfile::position_key::PositionKey;
use komadai_core::{Color, Move, Position, Score};
use komadai_movegen::is_legal;

use super::options::OwnMoves;
use super::rival::RivalBook;
use crate::graph::BookGraph;

/// Options of virtual games.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct DepartureOptions {
    /// The start positions of the games.
    pub roots: Vec<Position>,
    /// The side that plays from the own book.
    pub side: Color,
    /// The moves that the own side plays.
    #[cfg_attr(feature = "serde", serde(default))]
    pub own_moves: OwnMoves,
    /// The largest distance of a rival's move from the best one of its book, in centipawns. Moves
    /// without a value are played only if no move has one.
    #[cfg_attr(feature = "serde", serde(default))]
    pub rival_diff: i32,
    /// The largest move number. Positions beyond it are neither continued nor returned.
    pub max_ply: Option<u32>,
}

impl DepartureOptions {
    /// Creates options with one best move for the own side, all best moves for the rival, and no
    /// limit.
    pub fn new(root: Position, side: Color) -> Self {
        let own_moves = OwnMoves::First;
        Self { roots: vec![root], side, own_moves, rival_diff: 0, max_ply: None }
    }
}

/// The side whose book has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Leaver {
    /// The own side is to move, and its book has no value for the position: the book should be
    /// extended.
    Own,
    /// The rival is to move, and its book does not contain the position.
    Rival,
}

/// A position at which the book of the side to move has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Departure {
    /// The position, with the whole line as its history.
    pub position: Position,
    /// A shortest line from the root.
    pub line: Vec<Move>,
    /// The number of the root.
    pub root: usize,
    /// The number of the rival's book.
    pub rival: usize,
    /// The side whose book has ended.
    pub leaver: Leaver,
    /// The value of the last move in the book of the side that made it, for that side; `None` if
    /// that book has none.
    pub score: Option<Score>,
}

impl BookGraph {
    /// Plays this book against the books of rivals, and returns all positions at which either side
    /// leaves its book: by rival, and for each rival the shortest lines first.
    ///
    /// The own side plays its best move, the rival every move of its book within a window. A
    /// position that occurs in several lines is continued once, so all games end; endless games
    /// yield no departure. Illegal moves of a rival's book are skipped.
    ///
    /// Source: "peta opponent" of BookMiner. Takes O(S) time for S positions.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_bookfile::{BookRecord, RecordMove};
    /// use komadai_bookgraph::GraphBuilder;
    /// use komadai_bookgraph::frontier::{DepartureOptions, Leaver};
    /// use komadai_core::{Color, Position, Score};
    ///
    /// let (start, m) = (Position::hirate(), "7g7f".parse()?);
    /// let mut record = BookRecord::new(start.clone());
    /// record.moves.push(RecordMove { score: Some(Score::cp(40)), ..RecordMove::new(m) });
    /// let mut builder = GraphBuilder::new();
    /// builder.add(&record)?;
    /// let graph = builder.finish()?;
    /// // The rival's book has a reply to that move, and Black's book ends there.
    /// let mut answer = BookRecord::new(start.after(m));
    /// answer.moves.push(RecordMove::new("8c8d".parse()?));
    /// let rival = |position: &Position| (position.key() == answer.position.key()).then(|| answer.clone());
    /// let options = DepartureOptions::new(start, Color::Black);
    /// let found = graph.departures(&[&rival], &options);
    /// assert_eq!((found.len(), found[0].leaver, found[0].line.len()), (1, Leaver::Own, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn departures(
        &self,
        rivals: &[&dyn RivalBook],
        options: &DepartureOptions,
    ) -> Vec<Departure> {
        let mut found = Vec::new();
        for (rival, &book) in rivals.iter().enumerate() {
            VirtualGames {
                graph: self,
                book,
                rival,
                options,
                seen: HashSet::new(),
                found: &mut found,
            }
            .play();
        }
        found
    }
}

/// All virtual games against one book.
struct VirtualGames<'a> {
    graph: &'a BookGraph,
    book: &'a dyn RivalBook,
    rival: usize,
    options: &'a DepartureOptions,
    seen: HashSet<(PositionKey, Color)>,
    found: &'a mut Vec<Departure>,
}

/// A position to be continued, with its root and the score of the last move.
struct OpenPosition {
    position: Position,
    root: usize,
    score: Option<Score>,
}

impl VirtualGames<'_> {
    fn play(mut self) {
        let mut waiting = VecDeque::new();
        for (root, position) in self.options.roots.iter().enumerate() {
            self.open(&mut waiting, OpenPosition { position: position.clone(), root, score: None });
        }
        while let Some(open) = waiting.pop_front() {
            let (leaver, moves) = if open.position.side() == self.options.side {
                (Leaver::Own, self.own_moves(&open.position))
            } else {
                (Leaver::Rival, self.rival_moves(&open.position))
            };
            if moves.is_empty() {
                self.leave(open, leaver);
                continue;
            }
            for (m, score) in moves {
                let position = open.position.after(m);
                self.open(&mut waiting, OpenPosition { position, score, root: open.root });
            }
        }
    }

    fn open(&mut self, waiting: &mut VecDeque<OpenPosition>, open: OpenPosition) {
        // The queue is first in, first out: a position is continued from its shortest line.
        let is_within = self.options.max_ply.is_none_or(|max| open.position.ply() <= max);
        let key = PositionKey::try_of(&open.position);
        if is_within && key.is_ok_and(|key| self.seen.insert((key, open.position.side()))) {
            waiting.push_back(open);
        }
    }

    fn own_moves(&self, position: &Position) -> Vec<(Move, Option<Score>)> {
        let mut moves = self.graph.moves(position);
        let best = moves.first().map(|first| first.value.score);
        match self.options.own_moves {
            OwnMoves::First => moves.truncate(1),
            OwnMoves::AllBest => moves.retain(|ranked| Some(ranked.value.score) == best),
        }
        moves.iter().map(|ranked| (ranked.m, Some(ranked.value.score))).collect()
    }

    fn rival_moves(&self, position: &Position) -> Vec<(Move, Option<Score>)> {
        let mut moves = self.book.moves(position);
        moves.retain(|rival| is_legal(position, rival.m));
        if let Some(best) = moves.iter().filter_map(|rival| rival.score).max() {
            let least = best.raw().saturating_sub(self.options.rival_diff);
            moves.retain(|rival| rival.score.is_some_and(|score| score.raw() >= least));
        }
        moves.sort_by_key(|rival| (rival.score.map(|score| -score.raw()), usi_order(rival.m)));
        moves.iter().map(|rival| (rival.m, rival.score)).collect()
    }

    fn leave(&mut self, open: OpenPosition, leaver: Leaver) {
        let OpenPosition { position, root, score } = open;
        let before = self.options.roots[root].history().len();
        let line = position.moves().skip(before).flatten().collect();
        self.found.push(Departure { position, line, root, rival: self.rival, leaver, score });
    }
}
