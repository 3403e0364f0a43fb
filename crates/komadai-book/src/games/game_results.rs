//! The results of games for each move of a book.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use komadai_bookgraph::BookGame;
use komadai_core::{Move, Position};

use super::game_walk::{MoveKey, text_of};
use super::{GameOutcome, GameWalk, WinDrawLoss};

/// Wins, draws and losses of each move of the book that the book's side made in games, with these
/// games.
///
/// A move counts once per game, and only while the game is in the book. A position with colours
/// exchanged is the same position.
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
    /// The names of all opponents, each stored once because many games share it.
    opponents: BTreeSet<Arc<str>>,
}

/// The games in which the book's side made one move in one position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveResults {
    pub(super) key: MoveKey,
    ply: u32,
    known: u32,
    lead_cp: Option<i32>,
    games: Vec<CountedGame>,
}

/// The data of a game that results need.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CountedGame {
    /// The number under which the game was added.
    pub number: u64,
    /// The name of the opponent.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serialize_text"))]
    pub opponent: Arc<str>,
    /// The round of growth and pruning of the game.
    pub generation: u32,
    /// The outcome for the book's side.
    pub outcome: GameOutcome,
    /// A hash that is equal for games with the same moves from the same start.
    #[cfg_attr(feature = "serde", serde(skip))]
    line: u64,
}

#[cfg(feature = "serde")]
fn serialize_text<S: serde::Serializer>(text: &Arc<str>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(text)
}

impl GameResults {
    /// Creates results without games.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts a game under a number that identifies it in lists, such as its place in a file.
    ///
    /// The number of book moves in a position, and their values, are taken from the last game that
    /// reached it.
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
                lead_cp: None,
                games: Vec::new(),
            });
            results.known = turn.known().unwrap_or(0);
            results.lead_cp = turn.lead_cp;
            // A game with repetitions reaches the position more than once, but counts once.
            if seen.insert((turn.key.position, turn.key.m.to_bits())) {
                results.games.push(counted.clone());
            }
        }
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Returns the names of all opponents, sorted.
    pub fn opponents(&self) -> impl ExactSizeIterator<Item = &str> {
        self.opponents.iter().map(|name| &**name)
    }

    /// Returns all moves with their results, sorted by the SFEN of the position and the USI of the
    /// move.
    pub fn moves(&self) -> Vec<&MoveResults> {
        let mut moves: Vec<&MoveResults> = self.moves.values().collect();
        moves.sort_by_cached_key(|results| {
            (text_of(&results.key.position), results.key.m.to_string())
        });
        moves
    }

    /// Returns the results of a move in either orientation, or `None` if no game made it in the
    /// book.
    pub fn find(&self, position: &Position, m: Move) -> Option<&MoveResults> {
        self.moves.get(&MoveKey::of(position, m)?)
    }

    /// Returns the shared copy of a name.
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
    /// Returns the position, turned so that Black is to move, with the move number of the first
    /// game.
    pub fn position(&self) -> Position {
        self.key.position(self.ply)
    }

    /// Returns the move, turned with the position.
    pub fn m(&self) -> Move {
        self.key.m
    }

    /// Returns the number of other moves that the book has in the position.
    pub fn alternatives(&self) -> u32 {
        self.known.saturating_sub(1)
    }

    /// Returns the value of the move less that of the best other move, in centipawns; `None` unless
    /// both have a value.
    pub(super) fn lead_cp(&self) -> Option<i32> {
        self.lead_cp
    }

    /// Returns the games in the order of adding.
    pub fn games(&self) -> &[CountedGame] {
        &self.games
    }

    /// Returns the number of games that differ in their moves. Deterministic players repeat their
    /// games, and a repeated game is no further evidence.
    pub fn distinct_games(&self) -> u32 {
        distinct(&self.games)
    }

    /// Returns the results of the book's side in all games.
    pub fn results(&self) -> WinDrawLoss {
        self.games.iter().map(|game| game.outcome).collect()
    }

    /// Returns the results of the book's side against one opponent.
    pub fn against(&self, opponent: &str) -> WinDrawLoss {
        let games = self.games.iter().filter(|game| *game.opponent == *opponent);
        games.map(|game| game.outcome).collect()
    }

    /// Returns the results of the book's side against each opponent, sorted by name.
    pub fn by_opponent(&self) -> BTreeMap<&str, WinDrawLoss> {
        self.grouped(|game| &*game.opponent)
    }

    /// Returns the results of the book's side in each generation.
    pub fn by_generation(&self) -> BTreeMap<u32, WinDrawLoss> {
        self.grouped(|game| game.generation)
    }

    /// Returns the results of groups of games.
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

/// Returns the number of games that differ in their moves.
pub(super) fn distinct(games: &[CountedGame]) -> u32 {
    games.iter().map(|game| game.line).collect::<BTreeSet<u64>>().len() as u32
}

/// Returns a hash of the start and the moves of a game. It is only compared within one run, so the
/// hash function may change between versions of the standard library.
fn line_of(game: &BookGame) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&game.start, &game.moves).hash(&mut hasher);
    hasher.finish()
}
