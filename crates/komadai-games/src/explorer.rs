//! The moves that were played from a position, with their results.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

use komadai_core::{Color, Move, Position};
use komadai_movegen::is_legal;

use crate::index::{GameIndex, IndexError, Occurrence};
use crate::results::{GameFacts, MoveResults};

/// The moves that were played from a position, however it was reached, with their results.
///
/// A game counts once, with the move after the first time that it reaches the position.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_games::{BuildOptions, FileStamp, GameIndex, GameSummary, IndexBuilder, OpeningTable};
/// use komadai_kifu::{FilePlace, Tolerance, parse_usi_games};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("games.idx");
/// let games = "startpos moves 7g7f 3c3d resign\nstartpos moves 2g2f 3c3d 7g7f\nstartpos moves 7g7f\n";
/// let mut builder = IndexBuilder::create(&path, &BuildOptions::default())?;
/// for record in parse_usi_games(games, Tolerance::Strict)?.records {
///     let place = FilePlace { path: "games.usi".into(), entry: None, game: 1 };
///     builder.add(&GameSummary::new(place, &record))?;
/// }
/// builder.finish(None)?;
///
/// let mut index = GameIndex::open(&path)?;
/// let table = OpeningTable::of(&mut index, &Position::hirate(), false)?;
/// let moves: Vec<_> = table.moves.iter().map(|(m, results)| (m.to_string(), results.games)).collect();
/// assert_eq!(moves, [("7g7f".to_owned(), 2), ("2g2f".to_owned(), 1)]);
/// assert_eq!(table.all.white, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OpeningTable {
    /// The results of all games that reached the position.
    pub all: MoveResults,
    /// The results of those that ended there.
    pub ended: MoveResults,
    /// The moves with their results, those with the most games first.
    pub moves: Vec<(Move, MoveResults)>,
}

impl OpeningTable {
    /// Counts the games of an index that reached a position. With `mirrored`, those that reached it
    /// with the colours exchanged count as well, with their moves and results exchanged.
    ///
    /// # Errors
    ///
    /// If the index cannot be read or is damaged.
    pub fn of(
        index: &mut GameIndex,
        position: &Position,
        mirrored: bool,
    ) -> Result<Self, IndexError> {
        let mut counts = Counts::default();
        let turned = mirrored.then(|| (position.flipped_key(), Color::White));
        for (key, view) in [(position.key(), Color::Black)].into_iter().chain(turned) {
            let mut occurrences: Vec<Occurrence> = Vec::new();
            index.visit(key, |found| {
                // Sorted by game and ply: the first of a game is the one that counts.
                if occurrences.last().is_none_or(|last| last.game != found.game) {
                    occurrences.push(found);
                }
            })?;
            for found in occurrences {
                let (_, facts) = index.row(found.game)?;
                let next = found.next.map(|m| if view == Color::Black { m } else { m.flipped() });
                // Another position may have the same key.
                counts.add(next.filter(|&m| is_legal(position, m)), facts, view);
            }
        }
        Ok(counts.into_table())
    }
}

/// The results by move while games are counted.
#[derive(Debug, Default)]
struct Counts {
    all: MoveResults,
    ended: MoveResults,
    moves: BTreeMap<u16, MoveResults>,
}

impl Counts {
    fn add(&mut self, next: Option<Move>, facts: GameFacts, view: Color) {
        self.all.add(facts, view);
        match next {
            Some(m) => self.moves.entry(m.to_bits()).or_default().add(facts, view),
            None => self.ended.add(facts, view),
        }
    }

    fn into_table(self) -> OpeningTable {
        let moves = self.moves.into_iter();
        let mut moves: Vec<_> =
            moves.filter_map(|(bits, results)| Some((Move::from_bits(bits)?, results))).collect();
        moves.sort_by_key(|(m, results)| (Reverse(results.games), m.to_bits()));
        OpeningTable { all: self.all, ended: self.ended, moves }
    }
}

/// The limits of an [`OpeningTree`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeOptions {
    /// The number of moves from the first position to the last ones.
    pub depth: usize,
    /// The number of games that a position needs.
    pub least_games: u64,
    /// The number of positions; those with the most games come first.
    pub most_positions: usize,
    /// True if games count that reached a position with the colours exchanged.
    pub mirrored: bool,
}

impl Default for TreeOptions {
    fn default() -> Self {
        Self { depth: 12, least_games: 2, most_positions: 500, mirrored: false }
    }
}

/// The tables of a position and of those that its moves lead to. A position that several lines reach
/// stands there once.
///
/// # Examples
///
/// An example of the tables is at [`OpeningTable`]; a tree is one for each of its positions:
///
/// ```
/// use komadai_core::Position;
/// use komadai_games::{BuildOptions, GameIndex, GameSummary, IndexBuilder, OpeningTree, TreeOptions};
/// use komadai_kifu::{FilePlace, Tolerance, parse_usi_games};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("games.idx");
/// let mut builder = IndexBuilder::create(&path, &BuildOptions::default())?;
/// for game in ["startpos moves 7g7f 3c3d 2g2f 8c8d", "startpos moves 2g2f 3c3d 7g7f 4c4d"] {
///     let record = parse_usi_games(game, Tolerance::Strict)?.records.remove(0);
///     let place = FilePlace { path: "a.usi".into(), entry: None, game: 1 };
///     builder.add(&GameSummary::new(place, &record))?;
/// }
/// builder.finish(None)?;
/// let options = TreeOptions { depth: 3, least_games: 1, ..TreeOptions::default() };
/// let tree = OpeningTree::grow(&mut GameIndex::open(&path)?, &Position::hirate(), &options)?;
/// // The start, two lines of two moves, and one position where they meet.
/// assert_eq!(tree.positions.len(), 6);
/// assert_eq!(tree.positions.last().map(|met| met.table.all.games), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct OpeningTree {
    /// The positions, the first one first.
    pub positions: Vec<TreePosition>,
}

/// A position of an [`OpeningTree`].
#[derive(Debug, Clone)]
pub struct TreePosition {
    /// The position, with the moves of the line that reached it first as its history.
    pub position: Position,
    /// The number of moves from the first position, along the line that reached it first.
    pub depth: usize,
    /// The moves with their results.
    pub table: OpeningTable,
    /// For each move of the table, the place of the position after it in the tree.
    pub next: Vec<Option<usize>>,
}

impl OpeningTree {
    /// Makes the tables of a position and of those after it, those with the most games first.
    ///
    /// # Errors
    ///
    /// If the index cannot be read or is damaged.
    pub fn grow(
        index: &mut GameIndex,
        root: &Position,
        options: &TreeOptions,
    ) -> Result<Self, IndexError> {
        let mut tree = Self { positions: Vec::new() };
        let mut reached = vec![Reached::new(root.clone(), 0)];
        // By key: the place among those reached.
        let mut places = HashMap::from([(root.key(), 0_usize)]);
        // The positions without a table, by games and then by place.
        let mut waiting = BinaryHeap::from([(u64::MAX, Reverse(0_usize))]);
        while let Some((_, Reverse(place))) = waiting.pop() {
            if tree.positions.len() >= options.most_positions.max(1) {
                break;
            }
            let at = tree.positions.len();
            let Reached { position, depth, from, .. } = reached[place].clone();
            let table = OpeningTable::of(index, &position, options.mirrored)?;
            reached[place].at = Some(at);
            for (from, number) in from {
                tree.positions[from].next[number] = Some(at);
            }
            let mut next = vec![None; table.moves.len()];
            for (number, &(m, results)) in table.moves.iter().enumerate() {
                if depth >= options.depth || results.games < options.least_games {
                    continue;
                }
                let after = position.after(m);
                let place = *places.entry(after.key()).or_insert_with(|| {
                    waiting.push((results.games, Reverse(reached.len())));
                    reached.push(Reached::new(after, depth + 1));
                    reached.len() - 1
                });
                match reached[place].at {
                    Some(known) => next[number] = Some(known),
                    None => reached[place].from.push((at, number)),
                }
            }
            tree.positions.push(TreePosition { position, depth, table, next });
        }
        Ok(tree)
    }
}

/// A position that a move of the tree leads to.
#[derive(Debug, Clone)]
struct Reached {
    position: Position,
    depth: usize,
    /// Its place in the tree, if it has one by now.
    at: Option<usize>,
    /// The moves that lead to it: the place of the position in the tree, and that of the move.
    from: Vec<(usize, usize)>,
}

impl Reached {
    fn new(position: Position, depth: usize) -> Self {
        Self { position, depth, at: None, from: Vec::new() }
    }
}
