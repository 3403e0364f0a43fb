//! How games went in which the book's side made a move of the book.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use komadai_core::{Move, Position};

use super::game_walk::{MoveKey, text_of};
use super::{GameOutcome, GameWalk, WinDrawLoss};
use komadai_bookgraph::BookGame;

/// Wins, draws and losses of every move of the book that its side has made in games, with the games
/// behind them (S1.4).
///
/// A move counts once per game, as long as the game was in the book. A position and its turned form
/// are one.
///
/// # Examples
///
/// ```
/// use komadai_book::games::{GameResults, GameWalk};
/// use komadai_bookfile::BookRecord;
/// use komadai_bookgraph::{BookGame, BookGraph};
/// use komadai_core::{Color, Position, Setup};
///
/// let start = BookRecord::with_moves(Position::hirate(), ["2g2f".parse()?]);
/// let book = BookGraph::from_records([start])?;
/// let game = |winner, opponent: &str| BookGame {
///     start: Setup::hirate(),
///     moves: vec!["2g2f".parse().expect("a move")],
///     book_side: Color::Black,
///     winner,
///     opponent: opponent.to_owned(),
///     generation: 0,
///     left_at: None,
///     times_ms: Vec::new(),
///     scores: Vec::new(),
///     ending: "resignation".to_owned(),
///     when: 0,
/// };
/// let games = [game(Some(Color::Black), "one"), game(None, "two")];
/// let mut results = GameResults::new();
/// for (number, game) in (0..).zip(&games) {
///     results.add(number, game, &GameWalk::new(game, &book)?);
/// }
/// let moves = results.moves();
/// assert_eq!(moves[0].results().to_string(), "1-1-0");
/// assert_eq!(moves[0].against("two").to_string(), "0-1-0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct GameResults {
    games: u64,
    moves: HashMap<MoveKey, MoveResults>,
    /// Names that many games share.
    opponents: BTreeSet<Arc<str>>,
}

/// The games in which the book's side made one move in one position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveResults {
    pub(super) key: MoveKey,
    ply: u32,
    known: u32,
    games: Vec<CountedGame>,
}

/// A game, as far as it counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedGame {
    /// The number under which it was added.
    pub number: u64,
    /// Who played against the book.
    pub opponent: Arc<str>,
    /// Its round of growing and pruning.
    pub generation: u32,
    /// How it went for the book's side.
    pub outcome: GameOutcome,
    /// Equal for games of the same moves from the same start.
    line: u64,
}

impl GameResults {
    /// No games.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts a game under a number that will name it in lists, such as its place in a file.
    ///
    /// The number of moves that the book has in a position is that of the last game that came
    /// through.
    pub fn add(&mut self, number: u64, game: &BookGame, walk: &GameWalk) {
        let counted = CountedGame {
            number,
            opponent: self.intern(&game.opponent),
            generation: game.generation,
            outcome: GameOutcome::of(game),
            line: line_of(game),
        };
        self.games += 1;
        let mut seen = BTreeSet::new();
        for turn in walk.in_book() {
            let results = self.moves.entry(turn.key).or_insert_with(|| MoveResults {
                key: turn.key,
                ply: turn.ply(),
                known: 0,
                games: Vec::new(),
            });
            results.known = turn.known().unwrap_or(0);
            // A game that repeats itself comes here twice.
            if seen.insert((turn.key.position, turn.key.m.to_bits())) {
                results.games.push(counted.clone());
            }
        }
    }

    /// The number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Everyone who played against the book, sorted by name.
    pub fn opponents(&self) -> impl ExactSizeIterator<Item = &str> {
        self.opponents.iter().map(|name| &**name)
    }

    /// All moves with their results, sorted by the texts of position and move.
    #[must_use]
    pub fn moves(&self) -> Vec<&MoveResults> {
        let mut moves: Vec<&MoveResults> = self.moves.values().collect();
        moves.sort_by_cached_key(|results| {
            (text_of(&results.key.position), results.key.m.to_string())
        });
        moves
    }

    /// The results of one move, in whichever orientation; `None` if no game came by it in the book.
    #[must_use]
    pub fn find(&self, position: &Position, m: Move) -> Option<&MoveResults> {
        self.moves.get(&MoveKey::new(0, position, m).ok()?)
    }

    fn intern(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.opponents.get(name) {
            return Arc::clone(known);
        }
        let name: Arc<str> = name.into();
        self.opponents.insert(Arc::clone(&name));
        name
    }
}

impl MoveResults {
    /// The position, turned so that Black is to move, with the move number of the first game.
    #[must_use]
    pub fn position(&self) -> Position {
        self.key.position(self.ply)
    }

    /// The move, turned with the position.
    #[must_use]
    pub fn m(&self) -> Move {
        self.key.m
    }

    /// How many other moves the book has in the position.
    #[must_use]
    pub fn alternatives(&self) -> u32 {
        self.known.saturating_sub(1)
    }

    /// The games, in the order of adding.
    #[must_use]
    pub fn games(&self) -> &[CountedGame] {
        &self.games
    }

    /// How many of the games differ in their moves. Players that always answer alike repeat their
    /// games, and a repeated game says no more than one.
    #[must_use]
    pub fn distinct_games(&self) -> u32 {
        distinct(&self.games)
    }

    /// The results of the book's side in all games.
    #[must_use]
    pub fn results(&self) -> WinDrawLoss {
        self.games.iter().map(|game| game.outcome).collect()
    }

    /// The results of the book's side against one opponent.
    #[must_use]
    pub fn against(&self, opponent: &str) -> WinDrawLoss {
        let games = self.games.iter().filter(|game| *game.opponent == *opponent);
        games.map(|game| game.outcome).collect()
    }

    /// The results of the book's side against each opponent, sorted by name.
    #[must_use]
    pub fn by_opponent(&self) -> BTreeMap<&str, WinDrawLoss> {
        self.grouped(|game| &*game.opponent)
    }

    /// The results of the book's side in each generation.
    #[must_use]
    pub fn by_generation(&self) -> BTreeMap<u32, WinDrawLoss> {
        self.grouped(|game| game.generation)
    }

    fn grouped<'s, K: Ord>(
        &'s self,
        group: impl Fn(&'s CountedGame) -> K,
    ) -> BTreeMap<K, WinDrawLoss> {
        let mut groups: BTreeMap<K, WinDrawLoss> = BTreeMap::new();
        for game in &self.games {
            groups.entry(group(game)).or_default().add(game.outcome);
        }
        groups
    }
}

/// How many of these games differ in their moves.
pub(super) fn distinct(games: &[CountedGame]) -> u32 {
    games.iter().map(|game| game.line).collect::<BTreeSet<u64>>().len() as u32
}

fn line_of(game: &BookGame) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&game.start, &game.moves).hash(&mut hasher);
    hasher.finish()
}
