//! Sums of results, endings and time spent.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use komadai_core::Color;

use crate::ending::Ending;
use crate::pentanomial::Pentanomial;
use crate::schedule::MatchGame;

/// The results of a match so far.
///
/// # Examples
///
/// ```
/// use komadai_match::Tally;
///
/// let tally = Tally::default(); // `add` counts the games of `Match::run`
/// assert_eq!((tally.games(), tally.wins_draws_losses()), (0, [0, 0, 0]));
/// assert!(tally.pairs().elo().is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    /// Numbers of games that the first player lost, drew and won as Black, and as White.
    results: [[u64; 3]; 2],
    pairs: Pentanomial,
    /// The colour of the first player and its half points in the games whose partner is not
    /// finished, by pair.
    open_pairs: HashMap<usize, (Color, usize)>,
    endings: BTreeMap<(Ending, Option<usize>), u64>,
    usage: [Usage; 2],
}

/// The effort of a player.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use komadai_match::Usage;
///
/// let mut usage = Usage::default();
/// (usage.moves, usage.time) = (40, Duration::from_secs(20));
/// assert_eq!(usage.time / 40, Duration::from_millis(500)); // the mean time of a move
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Usage {
    /// Number of moves.
    pub moves: u64,
    /// Time of all moves.
    pub time: Duration,
    /// Time of the longest move.
    pub longest: Duration,
    /// Nodes of all moves, as far as reported.
    pub nodes: u64,
    /// The sum of all depths.
    pub depths: u64,
    /// Number of moves with a reported depth.
    pub moves_with_depth: u64,
    /// The sum of all depths at the start of a turn.
    pub start_depths: u64,
    /// Number of moves before which the player had pondered.
    pub pondered: u64,
    /// Number of these before which the reply that it had expected was played.
    pub ponder_hits: u64,
    /// Number of moves in the games whose processor time is known.
    pub moves_with_cpu: u64,
    /// The processor time of those games.
    pub cpu: Duration,
}

impl Tally {
    /// Adds a game.
    pub fn add(&mut self, played: &MatchGame) {
        let half_points = played.half_points();
        self.results[played.first.index()][half_points] += 1;
        let winner = played.game.verdict.winner;
        match self.open_pairs.remove(&(played.number / 2)) {
            Some((_, other)) => self.pairs.add(half_points + other),
            None => {
                self.open_pairs.insert(played.number / 2, (played.first, half_points));
            }
        }
        let loser = winner.map(|winner| usize::from(winner == played.first));
        *self.endings.entry((played.game.verdict.ending, loser)).or_default() += 1;
        self.add_usage(played);
    }

    fn add_usage(&mut self, played: &MatchGame) {
        let starts = if played.game.opening.moves.len().is_multiple_of(2) {
            played.game.opening.setup.side
        } else {
            !played.game.opening.setup.side
        };
        let first_moves = usize::from(starts != played.first);
        for (player, usage) in self.usage.iter_mut().enumerate() {
            let own = played.game.moves.iter().skip((first_moves + player) % 2).step_by(2);
            let before = usage.moves;
            for made in own {
                usage.moves += 1;
                usage.time += made.elapsed;
                usage.longest = usage.longest.max(made.elapsed);
                usage.nodes += made.nodes;
                usage.depths += u64::from(made.depth);
                usage.moves_with_depth += u64::from(made.depth > 0);
                usage.start_depths += u64::from(made.start_depth);
                usage.pondered += u64::from(made.ponder_hit.is_some());
                usage.ponder_hits += u64::from(made.ponder_hit == Some(true));
            }
            let color = if player == 0 { played.first } else { !played.first };
            if let Some(cpu) = played.game.cpu[color as usize] {
                usage.cpu += cpu;
                usage.moves_with_cpu += usage.moves - before;
            }
        }
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.results.iter().flatten().sum()
    }

    /// Returns the numbers of wins, draws and losses of the first player.
    pub fn wins_draws_losses(&self) -> [u64; 3] {
        sum(self.wins_draws_losses_by_color())
    }

    /// Returns the numbers of wins, draws and losses of the first player as Black, and as White.
    /// Those of the second player as White are the first ones in reverse order.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_match::Tally;
    ///
    /// let [as_black, as_white] = Tally::default().wins_draws_losses_by_color();
    /// assert_eq!((as_black, as_white), ([0; 3], [0; 3]));
    /// ```
    #[doc(alias("先後別", "先手勝率"))]
    pub fn wins_draws_losses_by_color(&self) -> [[u64; 3]; 2] {
        wins_first(self.results)
    }

    /// Returns the numbers of games that Black won, that were drawn and that White won.
    pub fn black_draw_white(&self) -> [u64; 3] {
        let [black, mut white] = self.wins_draws_losses_by_color();
        white.reverse();
        sum([black, white])
    }

    /// The results of the pairs whose games are both over.
    pub fn pairs(&self) -> &Pentanomial {
        &self.pairs
    }

    /// Returns the numbers of wins, draws and losses of the first player in the games of
    /// [`pairs`](Self::pairs), without those whose partner is not over.
    pub fn wins_draws_losses_in_pairs(&self) -> [u64; 3] {
        sum(self.wins_draws_losses_by_color_in_pairs())
    }

    /// Returns the numbers of
    /// [`wins_draws_losses_by_color`](Self::wins_draws_losses_by_color) in the games of
    /// [`pairs`](Self::pairs) alone.
    pub fn wins_draws_losses_by_color_in_pairs(&self) -> [[u64; 3]; 2] {
        let mut results = self.results;
        for &(color, half_points) in self.open_pairs.values() {
            let count = &mut results[color.index()][half_points];
            *count = count.saturating_sub(1);
        }
        wins_first(results)
    }

    /// Returns each kind of ending with its loser (0 for the first player, 1 for the second, `None`
    /// for a draw) and the number of games.
    pub fn endings(&self) -> impl Iterator<Item = (Ending, Option<usize>, u64)> + '_ {
        self.endings.iter().map(|(&(ending, loser), &count)| (ending, loser, count))
    }

    /// The effort of each player, the first player's first.
    pub fn usage(&self) -> &[Usage; 2] {
        &self.usage
    }
}

impl Usage {
    /// Returns the mean time of a move.
    pub fn mean_time(&self) -> Duration {
        mean(self.time, self.moves)
    }

    /// Returns the mean processor time of a move, if it is known.
    pub fn mean_cpu(&self) -> Option<Duration> {
        (self.moves_with_cpu > 0).then(|| mean(self.cpu, self.moves_with_cpu))
    }

    /// Returns the mean number of nodes of a move.
    pub fn mean_nodes(&self) -> f64 {
        self.nodes as f64 / self.moves.max(1) as f64
    }

    /// Returns the mean depth of the moves with a reported depth.
    pub fn mean_depth(&self) -> f64 {
        self.depths as f64 / self.moves_with_depth.max(1) as f64
    }

    /// Returns the mean depth at the start of a turn, of the moves with a reported depth.
    pub fn mean_start_depth(&self) -> f64 {
        self.start_depths as f64 / self.moves_with_depth.max(1) as f64
    }

    /// Returns the share of the replies pondered on that were played; `None` without pondering.
    pub fn hit_rate(&self) -> Option<f64> {
        (self.pondered > 0).then(|| self.ponder_hits as f64 / self.pondered as f64)
    }
}

/// Returns losses, draws and wins of each colour in the opposite order.
fn wins_first(mut results: [[u64; 3]; 2]) -> [[u64; 3]; 2] {
    results.iter_mut().for_each(|results| results.reverse());
    results
}

fn sum([black, white]: [[u64; 3]; 2]) -> [u64; 3] {
    [0, 1, 2].map(|index| black[index] + white[index])
}

fn mean(sum: Duration, count: u64) -> Duration {
    sum.div_f64(count.max(1) as f64)
}

/// The numbers of games, pairs and endings, and the efforts of both players. Tallies are written
/// only, because their sums come from games.
#[cfg(feature = "serde")]
impl serde::Serialize for Tally {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct as _;

        /// The number of games with one ending.
        #[derive(serde::Serialize)]
        struct EndingCount {
            ending: Ending,
            /// The index of the player that lost; `None` for a draw.
            loser: Option<usize>,
            games: u64,
        }

        let endings: Vec<EndingCount> = self
            .endings()
            .map(|(ending, loser, games)| EndingCount { ending, loser, games })
            .collect();
        let mut tally = serializer.serialize_struct("Tally", 7)?;
        tally.serialize_field("games", &self.games())?;
        tally.serialize_field("wins_draws_losses", &self.wins_draws_losses())?;
        tally.serialize_field("wins_draws_losses_by_color", &self.wins_draws_losses_by_color())?;
        tally.serialize_field("black_draw_white", &self.black_draw_white())?;
        tally.serialize_field("pairs", self.pairs())?;
        tally.serialize_field("endings", &endings)?;
        tally.serialize_field("usage", self.usage())?;
        tally.end()
    }
}
