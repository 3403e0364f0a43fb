//! Virtual games against rival books: where one of the sides has to think for itself.

use std::collections::{HashSet, VecDeque};

use komadai_core::{Color, Move, Position, Score};
use komadai_movegen::is_legal;

use super::options::OwnMoves;
use super::rival::RivalBook;
use crate::graph::BookGraph;
use komadai_bookfile::move_order::usi_order;
use komadai_bookfile::position_key::PositionKey;

/// How virtual games go.
#[derive(Debug, Clone)]
pub struct DepartureOptions {
    /// Where games begin.
    pub roots: Vec<Position>,
    /// The side that plays from the own book.
    pub side: Color,
    /// Which moves that side plays.
    pub own_moves: OwnMoves,
    /// How much worse than the best of its book a rival's move may be, in centipawns. Moves without a
    /// value are played only where no move has one.
    pub rival_diff: i32,
    /// Positions with a larger move number are neither played on nor found.
    pub max_ply: Option<u32>,
}

impl DepartureOptions {
    /// One best move on the own side, only best moves on the rival's, and no limit.
    #[must_use]
    pub fn new(root: Position, side: Color) -> Self {
        let own_moves = OwnMoves::First;
        Self { roots: vec![root], side, own_moves, rival_diff: 0, max_ply: None }
    }
}

/// Whose book has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Leaver {
    /// The own side is to move and its book has no value for the position: it should.
    Own,
    /// The rival is to move and its book does not hold the position.
    Rival,
}

/// A position in which the side to move has no book any more.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Departure {
    /// The position, with the whole line as its history.
    pub position: Position,
    /// A shortest line from the root.
    pub line: Vec<Move>,
    /// The number of the root.
    pub root: usize,
    /// The number of the rival's book.
    pub rival: usize,
    /// Whose book has ended.
    pub leaver: Leaver,
    /// What the last move is worth, for the side that made it and by that side's book, if it says so.
    pub score: Option<Score>,
}

impl BookGraph {
    /// Plays this book against rivals' books, and finds all positions in which either side leaves its book,
    /// those of the first rival first, and of each those with the shortest lines.
    ///
    /// The own side plays its best move, the rival every move of its book within a window. A position that
    /// comes up in several lines is played on once, so games end; those that only go round in circles lead
    /// nowhere. Illegal moves of a rival's book are passed over.
    ///
    /// Source: "peta opponent" of BookMiner. Takes O(S) time for S positions that come up.
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
    /// // The rival knows an answer to that move, and Black does not know how to go on.
    /// let mut answer = BookRecord::new(start.after(m));
    /// answer.moves.push(RecordMove::new("8c8d".parse()?));
    /// let rival = |position: &Position| (position.key() == answer.position.key()).then(|| answer.clone());
    /// let options = DepartureOptions::new(start, Color::Black);
    /// let found = graph.departures(&[&rival], &options);
    /// assert_eq!((found.len(), found[0].leaver, found[0].line.len()), (1, Leaver::Own, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn departures(
        &self,
        rivals: &[&dyn RivalBook],
        options: &DepartureOptions,
    ) -> Vec<Departure> {
        let mut found = Vec::new();
        for (rival, &book) in rivals.iter().enumerate() {
            Games { graph: self, book, rival, options, seen: HashSet::new(), found: &mut found }
                .play();
        }
        found
    }
}

/// All games against one book.
struct Games<'a> {
    graph: &'a BookGraph,
    book: &'a dyn RivalBook,
    rival: usize,
    options: &'a DepartureOptions,
    seen: HashSet<(PositionKey, Color)>,
    found: &'a mut Vec<Departure>,
}

/// A position that is to be played on, its root, and the score of its last move.
struct Open {
    position: Position,
    root: usize,
    score: Option<Score>,
}

impl Games<'_> {
    fn play(mut self) {
        let mut waiting = VecDeque::new();
        for (root, position) in self.options.roots.iter().enumerate() {
            self.open(&mut waiting, Open { position: position.clone(), root, score: None });
        }
        while let Some(open) = waiting.pop_front() {
            let (leaver, moves) = match open.position.side() == self.options.side {
                true => (Leaver::Own, self.own_moves(&open.position)),
                false => (Leaver::Rival, self.rival_moves(&open.position)),
            };
            match moves.is_empty() {
                true => self.leave(open, leaver),
                false => moves.into_iter().for_each(|(m, score)| {
                    let position = open.position.after(m);
                    self.open(&mut waiting, Open { position, score, root: open.root });
                }),
            }
        }
    }

    fn open(&mut self, waiting: &mut VecDeque<Open>, open: Open) {
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

    fn leave(&mut self, open: Open, leaver: Leaver) {
        let Open { position, root, score } = open;
        let before = self.options.roots[root].history().len();
        let line = position.moves().skip(before).flatten().collect();
        self.found.push(Departure { position, line, root, rival: self.rival, leaver, score });
    }
}
