//! The strengths of several players that follow from all of their matches together.

use crate::pentanomial::{
    EloEstimate, Pentanomial, TWO_SIDED_95, normal_distribution, score_of_elo,
};

/// The results of a match between two of several players.
///
/// # Examples
///
/// ```
/// use komadai_match::{Pairing, Pentanomial};
///
/// let pairing = Pairing::new(0, 2, Pentanomial::from_counts([3, 10, 40, 30, 17]));
/// assert_eq!((pairing.first, pairing.second, pairing.results.pairs()), (0, 2, 100));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pairing {
    /// The index of the first player.
    pub first: usize,
    /// The index of the second player.
    pub second: usize,
    /// The results of the pairs of games, seen from the first player.
    pub results: Pentanomial,
}

impl Pairing {
    /// Returns the pairing of these players with these results.
    pub const fn new(first: usize, second: usize, results: Pentanomial) -> Self {
        Self { first, second, results }
    }
}

/// An error in the matches from which strengths are to follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RatingsError {
    /// A pairing names a player that there is not, or pairs a player with itself.
    #[error("player {first} against player {second}, expected two of {players} players")]
    Players {
        /// The first player of the pairing.
        first: usize,
        /// The second player of the pairing.
        second: usize,
        /// The number of players.
        players: usize,
    },
    /// No chain of matches with games connects a player to the first one.
    #[error("no games connect player {player} to player 0")]
    Unconnected {
        /// The player.
        player: usize,
    },
}

/// The strengths of several players that follow from all of their matches together (Bradley–Terry).
///
/// The expected score of a game is 1 / (1 + 10^(−d / 400)) for a difference of d Elo. The strengths
/// are those that make the scores of all matches most likely. Intervals come from the spread of the
/// pairs of games in each match, so that a pair counts once and openings that favour one side do
/// not widen them (a sandwich estimate: the curvature of the likelihood on both sides of the
/// measured variance). To each match one even pair is added, without which a match without a loss
/// would have no finite strength; it matters where a match has few pairs.
///
/// A fit takes O(players³ + matches) for each of some ten steps.
///
/// Sources: R. Bradley and M. Terry, "Rank analysis of incomplete block designs", Biometrika 39,
/// 1952; H. White, "Maximum likelihood estimation of misspecified models", Econometrica 50, 1982.
///
/// # Examples
///
/// ```
/// use komadai_match::{Pairing, Pentanomial, Ratings};
///
/// let strong = Pentanomial::from_counts([2, 8, 20, 40, 30]);
/// let ratings = Ratings::fit(3, &[Pairing::new(0, 1, strong), Pairing::new(1, 2, strong)])?;
/// // Players 0 and 2 never met.
/// let lead = ratings.difference(0, 2);
/// assert!((lead.elo - 2.0 * ratings.difference(0, 1).elo).abs() < 1e-6);
/// assert!(lead.low > 0.0 && lead.low < lead.elo);
/// # Ok::<(), komadai_match::RatingsError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    /// Their mean is 0.
    elo: Vec<f64>,
    /// `[player][player]`, in Elo².
    covariance: Vec<Vec<f64>>,
}

/// The change of ln(s / (1 − s)) for one Elo, for the expected score s.
const LOG_ODDS: f64 = std::f64::consts::LN_10 / 400.0;

/// The largest change of a strength in one step of the fit.
const LARGEST_STEP: f64 = 400.0;

/// Number of steps after which the fit stops at the latest. It needs about ten.
const MAX_STEPS: u32 = 200;

/// The part that a match adds to the likelihood: its number of games, mean score, and the standard
/// error of this mean.
struct Observed {
    first: usize,
    second: usize,
    games: f64,
    mean: f64,
    error: f64,
}

impl Observed {
    fn of(pairing: &Pairing) -> Self {
        let mut results = pairing.results;
        results.add(2);
        let &Pairing { first, second, .. } = pairing;
        let games = (2 * results.pairs()) as f64;
        Self { first, second, games, mean: results.mean(), error: results.standard_error() }
    }

    /// Adds a number to the entries of both players in a matrix of squares of differences.
    fn add_to(&self, matrix: &mut [Vec<f64>], by: f64) {
        for (row, column, sign) in [
            (self.first, self.first, 1.0),
            (self.second, self.second, 1.0),
            (self.first, self.second, -1.0),
            (self.second, self.first, -1.0),
        ] {
            matrix[row][column] += sign * by;
        }
    }
}

impl Ratings {
    /// Returns the strengths of this number of players.
    ///
    /// Matches without games are ignored.
    ///
    /// # Errors
    ///
    /// Returns an error if a pairing does not name two of the players, or if games do not connect
    /// all of them.
    pub fn fit(players: usize, pairings: &[Pairing]) -> Result<Self, RatingsError> {
        let is_wrong = |pairing: &&Pairing| {
            pairing.first >= players || pairing.second >= players || pairing.first == pairing.second
        };
        if let Some(&Pairing { first, second, .. }) = pairings.iter().find(is_wrong) {
            return Err(RatingsError::Players { first, second, players });
        }
        let observed: Vec<Observed> = pairings
            .iter()
            .filter(|pairing| pairing.results.pairs() > 0)
            .map(Observed::of)
            .collect();
        if let Some(player) = unconnected(players, &observed) {
            return Err(RatingsError::Unconnected { player });
        }
        let mut elo = vec![0.0; players];
        for _ in 0..MAX_STEPS {
            let mut slope = vec![0.0; players];
            for seen in &observed {
                let expected = score_of_elo(elo[seen.first] - elo[seen.second]);
                let pull = LOG_ODDS * seen.games * (seen.mean - expected);
                slope[seen.first] += pull;
                slope[seen.second] -= pull;
            }
            let inverse = inverted(curvature(players, &observed, &elo));
            let step: Vec<f64> = inverse.iter().map(|row| product(row, &slope)).collect();
            let largest = step.iter().fold(0.0_f64, |largest, change| largest.max(change.abs()));
            let share = (LARGEST_STEP / largest).min(1.0);
            for (elo, change) in elo.iter_mut().zip(&step) {
                *elo += share * change;
            }
            if largest < 1e-9 {
                break;
            }
        }
        let mean = elo.iter().sum::<f64>() / players.max(1) as f64;
        for elo in &mut elo {
            *elo -= mean;
        }
        let inverse = inverted(curvature(players, &observed, &elo));
        let mut spread = vec![vec![0.0; players]; players];
        for seen in &observed {
            seen.add_to(&mut spread, (LOG_ODDS * seen.games * seen.error).powi(2));
        }
        let half = multiplied(&inverse, &spread);
        Ok(Self { elo, covariance: multiplied(&half, &inverse) })
    }

    /// The number of players.
    pub fn players(&self) -> usize {
        self.elo.len()
    }

    /// Returns the strength of a player in Elo above the mean of all players.
    ///
    /// # Panics
    ///
    /// Panics if there is no such player.
    pub fn elo(&self, player: usize) -> f64 {
        self.elo[player]
    }

    /// Returns the difference in strength of two players, positive if the first is stronger.
    ///
    /// # Panics
    ///
    /// Panics if there are no such players.
    pub fn difference(&self, first: usize, second: usize) -> EloEstimate {
        let elo = self.elo[first] - self.elo[second];
        let covariance = &self.covariance;
        let variance = covariance[first][first] + covariance[second][second]
            - covariance[first][second]
            - covariance[second][first];
        let error = variance.max(0.0).sqrt();
        let los = match error > 0.0 {
            true => normal_distribution(elo / error),
            false => 0.5,
        };
        let half_width = TWO_SIDED_95 * error;
        EloEstimate { elo, low: elo - half_width, high: elo + half_width, los }
    }

    /// Returns the score that the first player is expected to make in a game with the second, from
    /// 0 to 1.
    ///
    /// # Panics
    ///
    /// Panics if there are no such players.
    pub fn expected_score(&self, first: usize, second: usize) -> f64 {
        score_of_elo(self.elo[first] - self.elo[second])
    }
}

/// Returns a player that no chain of games connects to the first one, if there is one.
fn unconnected(players: usize, observed: &[Observed]) -> Option<usize> {
    let mut is_reached = vec![false; players];
    let mut open = vec![0];
    while let Some(player) = open.pop() {
        if player >= players || is_reached[player] {
            continue;
        }
        is_reached[player] = true;
        open.extend(observed.iter().filter_map(|seen| match player {
            player if player == seen.first => Some(seen.second),
            player if player == seen.second => Some(seen.first),
            _ => None,
        }));
    }
    is_reached.iter().position(|is_reached| !is_reached)
}

/// Returns the curvature of the likelihood, made invertible: strengths matter by their differences
/// only, so that their mean is held at zero.
fn curvature(players: usize, observed: &[Observed], elo: &[f64]) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; players]; players];
    let mut largest = f64::MIN_POSITIVE;
    for seen in observed {
        let expected = score_of_elo(elo[seen.first] - elo[seen.second]);
        // Far from the fit the curvature vanishes; a step that is too short does no harm.
        let weight = (expected * (1.0 - expected)).max(1e-4);
        let curvature = LOG_ODDS.powi(2) * seen.games * weight;
        largest = largest.max(curvature);
        seen.add_to(&mut matrix, curvature);
    }
    for row in &mut matrix {
        for entry in row {
            *entry += largest;
        }
    }
    matrix
}

/// Returns the inverse of a positive definite matrix, by elimination.
fn inverted(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    for (index, row) in matrix.iter_mut().enumerate() {
        row.extend((0..size).map(|column| f64::from(u8::from(column == index))));
    }
    for pivot in 0..size {
        let scale = matrix[pivot][pivot];
        for entry in &mut matrix[pivot] {
            *entry /= scale;
        }
        let source = matrix[pivot].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|(index, _)| *index != pivot) {
            let factor = row[pivot];
            for (entry, source) in row.iter_mut().zip(&source) {
                *entry -= factor * source;
            }
        }
    }
    matrix.iter_mut().map(|row| row.split_off(size)).collect()
}

fn product(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

/// Returns the product of two symmetric matrices.
fn multiplied(left: &[Vec<f64>], right: &[Vec<f64>]) -> Vec<Vec<f64>> {
    left.iter().map(|row| right.iter().map(|column| product(row, column)).collect()).collect()
}

#[cfg(test)]
mod tests;
