//! Results, endings and spent time, added up.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use komadai_core::Color;

use crate::ending::Ending;
use crate::pentanomial::Pentanomial;
use crate::schedule::MatchGame;

/// The standing of a match.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    /// Games the first player has lost, drawn and won.
    results: [u64; 3],
    /// Games White has won, that were drawn, that Black has won.
    by_color: [u64; 3],
    pairs: Pentanomial,
    /// Half points of games whose partner is missing, by pair.
    open_pairs: HashMap<usize, usize>,
    endings: BTreeMap<(Ending, Option<usize>), u64>,
    usage: [Usage; 2],
}

/// What a player has spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Moves made.
    pub moves: u64,
    /// Time for all of them.
    pub time: Duration,
    /// Time for the longest.
    pub longest: Duration,
    /// Nodes of all moves, as far as the player has told.
    pub nodes: u64,
    /// The sum of all depths.
    pub depths: u64,
    /// Moves with a depth.
    pub moves_with_depth: u64,
    /// Moves of the games with a known processor time.
    pub moves_with_cpu: u64,
    /// The processor time of those games.
    pub cpu: Duration,
}

impl Tally {
    /// Counts a game.
    pub fn add(&mut self, played: &MatchGame) {
        let half_points = played.half_points();
        self.results[half_points] += 1;
        let winner = played.game.verdict.winner;
        self.by_color[match winner {
            Some(Color::White) => 0,
            None => 1,
            Some(Color::Black) => 2,
        }] += 1;
        match self.open_pairs.remove(&(played.number / 2)) {
            Some(other) => self.pairs.add(half_points + other),
            None => {
                self.open_pairs.insert(played.number / 2, half_points);
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
            }
            let color = if player == 0 { played.first } else { !played.first };
            if let Some(cpu) = played.game.cpu[color as usize] {
                usage.cpu += cpu;
                usage.moves_with_cpu += usage.moves - before;
            }
        }
    }

    /// The number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.results.iter().sum()
    }

    /// The first player's wins, draws and losses.
    #[must_use]
    pub fn wins_draws_losses(&self) -> [u64; 3] {
        let [losses, draws, wins] = self.results;
        [wins, draws, losses]
    }

    /// Games that Black won, that were drawn, that White won.
    #[must_use]
    pub fn black_draw_white(&self) -> [u64; 3] {
        let [white, draws, black] = self.by_color;
        [black, draws, white]
    }

    /// The results of the pairs of which both games are over.
    #[must_use]
    pub fn pairs(&self) -> &Pentanomial {
        &self.pairs
    }

    /// How often a game ended so, and whom it cost the game: 0 for the first player, 1 for the
    /// second, `None` for nobody.
    pub fn endings(&self) -> impl Iterator<Item = (Ending, Option<usize>, u64)> + '_ {
        self.endings.iter().map(|(&(ending, loser), &count)| (ending, loser, count))
    }

    /// What the players have spent, the first player's first.
    #[must_use]
    pub fn usage(&self) -> &[Usage; 2] {
        &self.usage
    }
}

impl Usage {
    /// The mean time of a move.
    #[must_use]
    pub fn mean_time(&self) -> Duration {
        mean(self.time, self.moves)
    }

    /// The mean processor time of a move, if it is known.
    #[must_use]
    pub fn mean_cpu(&self) -> Option<Duration> {
        (self.moves_with_cpu > 0).then(|| mean(self.cpu, self.moves_with_cpu))
    }

    /// The mean number of nodes of a move.
    #[must_use]
    pub fn mean_nodes(&self) -> f64 {
        self.nodes as f64 / self.moves.max(1) as f64
    }

    /// The mean depth of the moves that have one.
    #[must_use]
    pub fn mean_depth(&self) -> f64 {
        self.depths as f64 / self.moves_with_depth.max(1) as f64
    }
}

fn mean(sum: Duration, count: u64) -> Duration {
    sum.div_f64(count.max(1) as f64)
}
