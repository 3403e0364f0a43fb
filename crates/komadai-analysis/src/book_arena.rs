//! Matches that measure the strength of a book.

use std::fmt;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use komadai_book::arena::{
    Arena, ArenaError, Contender, FaultyGame, MatchOrder, MatchReport, PlayedBefore,
};
use komadai_book::games::KnownMoves;
use komadai_bookgraph::BookGame;
use komadai_core::{Color, Move, Setup, SplitMix64, UsiPosition};
use komadai_engine::Settings;
use komadai_match::{
    Contestant, ContestantFactory, ContestantFault, Ending, Match, MatchError, MatchGame, Opening,
    Reply, Rules, TimeControl, Turn, UsiContestant,
};
use komadai_movegen::play;
use komadai_usi::{BestMove, EngineConfig};

use crate::book_arena::with_book::{Departures, SharedBook, WithBook};
use crate::embedded_contestant::EmbeddedContestant;

mod with_book;

/// Matches of one player with a book against opponents without it, several games at a time.
///
/// The arena probes the book before it asks the player, so any engine can play the book's side.
/// After a fault (an illegal move, a crash, no answer, a late answer) the game is reported as
/// faulty, and the player is started again where necessary. The opponents play one after the other,
/// with alternating colours.
///
/// # Examples
///
/// ```
/// use std::num::NonZero;
/// use std::ops::ControlFlow;
///
/// use komadai_analysis::{ArenaPlayer, BookArena};
/// use komadai_book::arena::{Arena, BookChoice, MatchOrder, MatchReport};
/// use komadai_bookfile::BookRecord;
/// use komadai_bookgraph::BookGraph;
/// use komadai_core::Position;
/// use komadai_engine::Settings;
/// use komadai_match::{Rules, TimeControl};
///
/// let mut settings = Settings::default();
/// settings.hash_mib = 1;
/// let player = |name, nodes| {
///     ArenaPlayer::embedded(name, settings.clone(), TimeControl::nodes(nodes))
/// };
/// let mut arena = BookArena::new(player("ours", 50), vec![player("theirs", 20)]);
/// arena.rules = Rules { max_plies: 10, ..Rules::default() };
/// arena.threads = NonZero::new(2).expect("2 is not 0");
///
/// let start = BookRecord::with_moves(Position::hirate(), ["7g7f".parse()?]);
/// let book = BookGraph::from_records([start])?;
/// let order = MatchOrder { games: 2, generation: 0, choice: BookChoice::default(), seed: 1 };
/// let mut games = Vec::new();
/// arena.play(&order, &book, &mut |report| {
///     if let MatchReport::Played(game) = report {
///         games.push(game);
///     }
///     ControlFlow::Continue(())
/// })?;
/// games.sort_by_key(|game| game.left_at);
/// // With White the book has no answer at its first turn, with Black at its second.
/// assert_eq!(games.iter().map(|game| game.left_at).collect::<Vec<_>>(), [Some(1), Some(2)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BookArena<'a> {
    /// The player with the book.
    pub book_side: ArenaPlayer<'a>,
    /// The players without it.
    pub opponents: Vec<ArenaPlayer<'a>>,
    /// The openings of the games; the start position if empty. A game is recorded from the end of
    /// its opening, because no player chose the moves before.
    pub openings: Vec<Opening>,
    /// The side with the book; `None` for both sides in turn, with each opening.
    pub side: Option<Color>,
    /// The rules of the games.
    pub rules: Rules,
    /// Number of games at the same time, each with two players.
    pub threads: NonZero<usize>,
    /// A flag for other threads to stop the matches: [`play`](Arena::play) then returns soon, and
    /// unfinished games are discarded.
    pub stop: Arc<AtomicBool>,
}

/// A player of an arena: its name, its factory and its limits.
///
/// # Examples
///
/// ```
/// use komadai_analysis::ArenaPlayer;
/// use komadai_engine::Settings;
/// use komadai_match::TimeControl;
///
/// let mut settings = Settings::default();
/// settings.hash_mib = 16;
/// let player = ArenaPlayer::embedded("komadai", settings, TimeControl::nodes(50_000));
/// assert_eq!(player.name(), "komadai");
/// ```
pub struct ArenaPlayer<'a> {
    name: String,
    make: Box<ContestantFactory<'a>>,
    control: TimeControl,
}

/// Interval at which the flag of the arena is copied to that of a match.
const FLAG_INTERVAL: Duration = Duration::from_millis(10);

impl<'a> ArenaPlayer<'a> {
    /// Returns a player made by `make`, which is called once for each game at the same time.
    pub fn new(
        name: impl Into<String>,
        make: Box<ContestantFactory<'a>>,
        control: TimeControl,
    ) -> Self {
        Self { name: name.into(), make, control }
    }

    /// Returns a USI engine in a process of its own.
    pub fn usi(name: impl Into<String>, config: EngineConfig, control: TimeControl) -> Self {
        let make = move || Ok(Box::new(UsiContestant::launch(config.clone())?) as Box<_>);
        Self::new(name, Box::new(make), control)
    }

    /// Returns the player of this crate, without a process. A book in its settings is independent
    /// of the book of the arena.
    pub fn embedded(name: impl Into<String>, settings: Settings, control: TimeControl) -> Self {
        let make = move || Ok(Box::new(EmbeddedContestant::new(settings.clone())?) as Box<_>);
        Self::new(name, Box::new(make), control)
    }

    /// The name, which identifies the player in the results.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Debug for ArenaPlayer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArenaPlayer")
            .field("name", &self.name)
            .field("control", &self.control)
            .finish_non_exhaustive()
    }
}

impl<'a> BookArena<'a> {
    /// Returns an arena for games from the start position under the default rules, one at a time.
    pub fn new(book_side: ArenaPlayer<'a>, opponents: Vec<ArenaPlayer<'a>>) -> Self {
        Self {
            book_side,
            opponents,
            openings: Vec::new(),
            side: None,
            rules: Rules::default(),
            threads: NonZero::<usize>::MIN,
            stop: Arc::default(),
        }
    }

    /// Returns the number of games against one opponent. Pairs are dealt to the opponents in turn.
    fn share(&self, games: u32, opponent: usize) -> usize {
        let (games, opponents) = (games as usize, self.opponents.len());
        let pairs = games.div_ceil(2);
        let own = pairs / opponents + usize::from(opponent < pairs % opponents);
        // The last pair of an odd number has one game.
        let is_cut = games % 2 == 1 && (pairs - 1) % opponents == opponent;
        own * 2 - usize::from(is_cut)
    }

    fn openings(&self) -> Vec<Opening> {
        if self.openings.is_empty() {
            let start = UsiPosition { setup: Setup::hirate(), moves: Vec::new() };
            vec![Opening::new(start).expect("the start position is one to play from")]
        } else {
            self.openings.clone()
        }
    }

    /// Plays the games against one opponent, except those that were played before.
    fn play_opponent(
        &self,
        opponent: usize,
        order: &MatchOrder,
        before: &mut PlayedBefore,
        book: &(dyn KnownMoves + Sync),
        on_report: &mut dyn FnMut(MatchReport) -> ControlFlow<()>,
    ) -> Result<(), MatchError> {
        let rival = &self.opponents[opponent];
        let seed = mixed_seed([order.seed, order.generation.into(), opponent as u64]);
        let share = self.share(order.games, opponent);
        let plan = Match {
            openings: self.openings(),
            // With one colour only, every other game is skipped.
            games: if self.side.is_none() { share } else { share * 2 },
            random_plies: 0,
            controls: [self.book_side.control.clone(), rival.control.clone()],
            rules: self.rules.clone(),
            // The same openings in each generation and for each opponent, if the games are fewer
            // than the openings: lines grow where games come through them again.
            seed: order.seed,
        };
        let departures = Departures::default();
        let shared = SharedBook { book, choice: order.choice, seed, departures: &departures };
        let make_book_side = || {
            let inner = (self.book_side.make)()?;
            Ok(Box::new(WithBook::new(inner, shared)) as Box<_>)
        };
        let make_rival = || Ok((rival.make)()? as Box<_>);
        let mut on_game = |played: MatchGame| {
            let left_at = departures.take(played.number);
            on_report(report(played, left_at, &rival.name, order.generation))
        };
        let is_done: Vec<bool> = plan
            .schedule()
            .map(|(opening, first)| {
                let start = plan.openings[opening].position().to_setup();
                self.side.is_some_and(|side| side != first)
                    || before.take(&rival.name, first, &start)
            })
            .collect();
        // Each match has its own flag, because a match that ends early sets it.
        let stop = Arc::new(AtomicBool::new(false));
        forwarding(&self.stop, &stop, || {
            plan.run(
                [&make_book_side, &make_rival],
                self.threads,
                &|number| is_done[number],
                &stop,
                &mut on_game,
            )
        })
    }
}

impl Arena for BookArena<'_> {
    fn play_rest(
        &mut self,
        order: &MatchOrder,
        before: &PlayedBefore,
        book: &(dyn KnownMoves + Sync),
        on_report: &mut dyn FnMut(MatchReport) -> ControlFlow<()>,
    ) -> Result<(), ArenaError> {
        if self.opponents.is_empty() {
            return Err(ArenaError::NoOpponents);
        }
        let mut before = before.clone();
        let mut flow = ControlFlow::Continue(());
        let mut gone = 0;
        for (index, opponent) in self.opponents.iter().enumerate() {
            if flow.is_break() || self.stop.load(Ordering::Relaxed) {
                break;
            }
            let played = self.play_opponent(index, order, &mut before, book, &mut |report| {
                flow = on_report(report);
                flow
            });
            let Err(error) = played else { continue };
            let reason = match error {
                MatchError::Start { player: 0, reason } => {
                    return Err(ArenaError::BookSide {
                        player: self.book_side.name.clone(),
                        reason,
                    });
                }
                MatchError::Start { reason, .. } => reason,
                other => return Err(ArenaError::Other(other.to_string())),
            };
            gone += 1;
            let opponent = opponent.name.clone();
            if gone == self.opponents.len() {
                return Err(ArenaError::AllGone { opponent, reason });
            }
            flow = on_report(MatchReport::Gone { opponent, reason });
        }
        Ok(())
    }

    fn replies(
        &mut self,
        opponent: &str,
        lines: &[UsiPosition],
    ) -> Result<Vec<Option<Move>>, ArenaError> {
        let mut replies = vec![None; lines.len()];
        let rival = self.opponents.iter().find(|rival| rival.name == opponent);
        let rival = rival.ok_or_else(|| no_opponent(opponent))?;
        // A game from the end of each line, in which the other player resigns at once.
        let openings = lines.iter().enumerate().filter_map(|(index, line)| {
            Opening::new(line.clone()).ok().map(|opening| (index, opening))
        });
        let (indices, openings): (Vec<usize>, Vec<Opening>) = openings.unzip();
        if openings.is_empty() {
            return Ok(replies);
        }
        let plan = Match {
            games: openings.len() * 2,
            openings,
            random_plies: 0,
            controls: [TimeControl::nodes(1), rival.control.clone()],
            rules: Rules { adjudication: None, ..self.rules.clone() },
            seed: 0,
        };
        let moves_first =
            |(opening, first): (usize, Color)| first != plan.openings[opening].position().side();
        let is_done: Vec<bool> = plan.schedule().map(|game| !moves_first(game)).collect();
        let make_rival = || Ok((rival.make)()? as Box<_>);
        let played = plan.run(
            [&|| Ok(Box::new(Resigner) as Box<_>), &make_rival],
            self.threads,
            &|number| is_done[number],
            &self.stop,
            &mut |game| {
                replies[indices[game.opening]] = game.game.moves.first().map(|made| made.m);
                ControlFlow::Continue(())
            },
        );
        match played {
            Ok(()) => Ok(replies),
            Err(error) => {
                let (opponent, reason) = (opponent.to_owned(), error.to_string());
                Err(ArenaError::AllGone { opponent, reason })
            }
        }
    }
}

fn no_opponent(name: &str) -> ArenaError {
    ArenaError::Other(format!("there is no opponent called {name:?}"))
}

/// A contestant that resigns.
struct Resigner;

impl Contestant for Resigner {
    fn choose(&mut self, _: &Turn<'_>) -> Result<Reply, ContestantFault> {
        Ok(Reply::new(BestMove::Resign, Duration::ZERO))
    }
}

/// Returns a seed that depends on all of `numbers`.
fn mixed_seed(numbers: [u64; 3]) -> u64 {
    numbers.into_iter().fold(0, |mixed, number| SplitMix64::new(mixed ^ number).next_u64())
}

/// Runs `work` and meanwhile sets the flag `to` as soon as `from` is set.
fn forwarding<T>(from: &AtomicBool, to: &AtomicBool, work: impl FnOnce() -> T) -> T {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                if from.load(Ordering::Relaxed) {
                    to.store(true, Ordering::Relaxed);
                }
                thread::park_timeout(FLAG_INTERVAL);
            }
        });
        let _end = EndOnDrop { is_over: &is_over, watcher: watcher.thread().clone() };
        work()
    })
}

/// Ends the watcher even if the work panics. The scope would otherwise wait for it for ever.
struct EndOnDrop<'f> {
    is_over: &'f AtomicBool,
    watcher: thread::Thread,
}

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.watcher.unpark();
    }
}

/// Returns the time in milliseconds, rounded up: only a book move takes no time at all, and a
/// search of a few hundred nodes must differ from it.
fn milliseconds(time: Duration) -> u32 {
    u32::try_from(time.as_micros().div_ceil(1_000)).unwrap_or(u32::MAX)
}

/// Returns the report of a game of a match.
fn report(
    played: MatchGame,
    left_at: Option<usize>,
    opponent: &str,
    generation: u32,
) -> MatchReport {
    let verdict = played.game.verdict;
    let is_fault = matches!(verdict.ending, Ending::Fault(_) | Ending::TimeForfeit);
    let culprit = match verdict.winner {
        Some(winner) if winner == played.first => Contender::Opponent,
        _ => Contender::BookSide,
    };
    let detail = played.game.detail.clone();
    let game = book_game(played, left_at, opponent, generation);
    if is_fault {
        MatchReport::Faulty(FaultyGame { game, culprit, detail })
    } else {
        MatchReport::Played(game)
    }
}

fn book_game(
    played: MatchGame,
    left_at: Option<usize>,
    opponent: &str,
    generation: u32,
) -> BookGame {
    let MatchGame { first, game, .. } = played;
    let before = game.opening.moves.len();
    let start = play(&game.opening).expect("a game begins with its opening");
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    BookGame {
        start: start.to_setup(),
        moves: game.moves.iter().map(|made| made.m).collect(),
        book_side: first,
        winner: game.verdict.winner,
        opponent: opponent.to_owned(),
        generation,
        left_at: left_at.map(|moves_made| moves_made.saturating_sub(before) as u32),
        times_ms: game.moves.iter().map(|made| milliseconds(made.elapsed)).collect(),
        scores: game.moves.iter().map(|made| made.score).collect(),
        ending: game.verdict.ending.name().to_owned(),
        when: now.map_or(0, |now| now.as_secs()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_search_differs_from_a_book_move() {
        assert_eq!(milliseconds(Duration::ZERO), 0);
        assert_eq!(milliseconds(Duration::from_micros(1)), 1);
        assert_eq!(milliseconds(Duration::from_micros(1_000)), 1);
        assert_eq!(milliseconds(Duration::MAX), u32::MAX);
    }

    fn shares(games: u32, opponents: usize) -> Vec<usize> {
        let player = |name: String| {
            ArenaPlayer::new(name, Box::new(|| Err("no player".into())), TimeControl::nodes(1))
        };
        let rivals = (0..opponents).map(|index| player(index.to_string())).collect();
        let arena = BookArena::new(player("book".to_owned()), rivals);
        (0..opponents).map(|index| arena.share(games, index)).collect()
    }

    #[test]
    fn games_are_shared_in_pairs() {
        assert_eq!(shares(8, 2), [4, 4]);
        assert_eq!(shares(10, 3), [4, 4, 2]);
        assert_eq!(shares(7, 3), [3, 2, 2]);
        assert_eq!(shares(1, 2), [1, 0]);
        assert_eq!(shares(0, 2), [0, 0]);
        for games in 0..40 {
            assert_eq!(shares(games, 3).iter().sum::<usize>(), games as usize);
        }
    }
}
