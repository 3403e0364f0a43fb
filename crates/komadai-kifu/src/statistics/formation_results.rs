//! The worth of castles and strategies by the results of games.

use std::collections::BTreeMap;

use komadai_core::Color;

use crate::end::Outcome;
use crate::formation::{Formation, FormationKind, Formations};
use crate::header::HeaderKey;
use crate::record::Record;

/// The decided games of players with one castle, from their point of view.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FormationResults {
    /// Games won.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Games in which both players state a rating.
    pub rated: u64,
    /// The points of these games, half a point for a draw.
    pub rated_points: f64,
    /// The points that the ratings predict for them.
    pub expected_points: f64,
}

impl FormationResults {
    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the share of the points, 0 to 1, with its 95 % interval; `None` without a game.
    ///
    /// The interval is that of Wilson, with a draw as half a win and half a loss: E. B. Wilson,
    /// "Probable inference, the law of succession, and statistical inference", Journal of the
    /// American Statistical Association 22, 1927.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_kifu::statistics::FormationResults;
    ///
    /// let results = FormationResults { wins: 6, losses: 4, ..FormationResults::default() };
    /// let [share, low, high] = results.share().expect("ten games");
    /// assert_eq!(share, 0.6);
    /// assert!((low - 0.3127).abs() < 1e-4 && (high - 0.8318).abs() < 1e-4);
    /// ```
    pub fn share(&self) -> Option<[f64; 3]> {
        const Z: f64 = 1.959_964;
        let games = self.games() as f64;
        if games == 0.0 {
            return None;
        }
        let share = (self.wins as f64 + self.draws as f64 / 2.0) / games;
        let middle = share + Z * Z / (2.0 * games);
        let half = Z * (share * (1.0 - share) / games + Z * Z / (4.0 * games * games)).sqrt();
        let whole = 1.0 + Z * Z / games;
        Some([share, (middle - half) / whole, (middle + half) / whole])
    }

    /// Returns the points for each rated game above those that the ratings predict; `None` without
    /// a rated game.
    pub fn above_expectation(&self) -> Option<f64> {
        let rated = self.rated as f64;
        (self.rated > 0).then(|| (self.rated_points - self.expected_points) / rated)
    }

    fn add(&mut self, points: f64, expected: Option<f64>) {
        *match points {
            1.0 => &mut self.wins,
            0.0 => &mut self.losses,
            _ => &mut self.draws,
        } += 1;
        if let Some(expected) = expected {
            self.rated += 1;
            self.rated_points += points;
            self.expected_points += expected;
        }
    }
}

/// The results of games by the castles or by the strategies of the players.
///
/// A castle counts for each player who has it, as [`Formations::castle`] states; of strategies each
/// of [`Formations::strategies`] counts, so that a game can have several.
///
/// Strong players may prefer some of them, so that a share is no measure of a castle alone;
/// [`FormationResults::above_expectation`] takes the ratings into account.
///
/// # Examples
///
/// ```
/// use komadai_kifu::formation::FormationKind;
/// use komadai_kifu::statistics::FormationStatistics;
/// use komadai_kifu::{Tolerance, parse_usi_games};
///
/// let moves = "7g7f 8c8d 2h6h 8d8e 8h7g 6a5b 5i4h 5a4b 4h3h 4b3b 3h2h 1c1d 1g1f 7a6b 3i3h 3c3d \
///              4g4f 5c5d 6i5h 3a4b 9g9f 9c9d 7i7h 6c6d";
/// let games = format!("startpos moves {moves} resign\n");
/// let mut castles = FormationStatistics::new(FormationKind::Castle);
/// let mut strategies = FormationStatistics::new(FormationKind::Strategy);
/// for game in parse_usi_games(&games, Tolerance::Strict)?.records {
///     castles.add(&game);
///     strategies.add(&game);
/// }
/// let [(mino, lost), (boat, won)] = castles.results()[..] else { panic!("two castles") };
/// assert_eq!((mino.english(), lost.losses), ("mino", 1));
/// assert_eq!((boat.english(), won.wins), ("boat", 1));
/// let [(fourth, _)] = strategies.results()[..] else { panic!("one strategy") };
/// assert_eq!((fourth.japanese(), strategies.without()), ("四間飛車", 1));
/// # Ok::<(), komadai_kifu::KifuError>(())
/// ```
#[derive(Debug, Clone)]
pub struct FormationStatistics {
    kind: FormationKind,
    player: Option<String>,
    results: BTreeMap<Formation, FormationResults>,
    pairs: BTreeMap<[Formation; 2], FormationResults>,
    without: u64,
}

impl FormationStatistics {
    /// Creates statistics of castles or of strategies.
    pub fn new(kind: FormationKind) -> Self {
        let (results, pairs) = (BTreeMap::new(), BTreeMap::new());
        Self { kind, player: None, results, pairs, without: 0 }
    }

    /// Returns whether castles or strategies are counted.
    pub fn kind(&self) -> FormationKind {
        self.kind
    }

    /// Counts those of one player only, whose name is that in the records.
    #[must_use]
    pub fn of_player(self, name: &str) -> Self {
        Self { player: Some(name.to_owned()), ..self }
    }

    /// Adds a game. One without a result is not counted.
    pub fn add(&mut self, record: &Record) {
        let winner = match record.outcome() {
            Outcome::Win(color) => Some(color),
            Outcome::Draw => None,
            Outcome::Unknown => return,
        };
        let found = Formations::of(record);
        let of_side = |side| match self.kind {
            FormationKind::Castle => found.castle(side).into_iter().collect(),
            FormationKind::Strategy => found.strategies(side),
        };
        let formations = Color::ALL.map(of_side);
        for color in Color::ALL {
            if !self.counts(record, color) {
                continue;
            }
            let own = &formations[color.index()];
            if own.is_empty() {
                self.without += 1;
            }
            let points = winner.map_or(0.5, |winner| f64::from(u8::from(winner == color)));
            let expected = expected_points(record, color);
            for &formation in own {
                self.results.entry(formation).or_default().add(points, expected);
                for &other in &formations[(!color).index()] {
                    self.pairs.entry([formation, other]).or_default().add(points, expected);
                }
            }
        }
    }

    fn counts(&self, record: &Record, color: Color) -> bool {
        let name = || record.header.get(&HeaderKey::player(color)).unwrap_or_default().trim();
        self.player.as_ref().is_none_or(|player| name() == player)
    }

    /// Returns the number of players, of games with a result, without a castle or strategy.
    pub fn without(&self) -> u64 {
        self.without
    }

    /// Returns the castles or strategies with their results, those with the most games first.
    pub fn results(&self) -> Vec<(Formation, FormationResults)> {
        by_games(self.results.iter())
    }

    /// Returns the pairs of one and the opponent's with the results of the first, those with the
    /// most games first. Without a player each pair of different ones stands there both ways.
    pub fn pairs(&self) -> Vec<([Formation; 2], FormationResults)> {
        by_games(self.pairs.iter())
    }
}

/// Returns the share of the points that the ratings predict for a player, if both are stated.
///
/// Source: A. Elo, "The rating of chessplayers, past and present", 1978.
fn expected_points(record: &Record, color: Color) -> Option<f64> {
    let lead = record.rating(color)? - record.rating(!color)?;
    Some(1.0 / (1.0 + 10_f64.powf(-lead / 400.0)))
}

fn by_games<'a, K: Copy + Ord + 'a>(
    results: impl Iterator<Item = (&'a K, &'a FormationResults)>,
) -> Vec<(K, FormationResults)> {
    let mut results: Vec<_> = results.map(|(&key, &results)| (key, results)).collect();
    results.sort_by_key(|(key, results)| (std::cmp::Reverse(results.games()), *key));
    results
}

#[cfg(test)]
mod tests {
    use komadai_base::reading::Tolerance;

    use super::*;
    use crate::record_reader::parse_csa;

    /// A game with these ratings, and the mino of Black after its moves.
    fn game(black: &str, white: &str, end: &str) -> Record {
        let moves = "+7776FU -8384FU +2868HI -8485FU +8877KA -6152KI +5948OU -5142OU +4838OU \
                     -4232OU +3828OU -1314FU +1716FU -7162GI +3938GI -3334FU +4746FU -5354FU \
                     +6958KI -3142GI +9796FU -9394FU +7978GI -6364FU"
            .replace(' ', "\n");
        let text = format!(
            "V2.2\nN+A\nN-B\n'black_rate:A:{black}\n'white_rate:B:{white}\nPI\n+\n{moves}\n{end}\n"
        );
        parse_csa(&text, Tolerance::Strict).unwrap().records.remove(0)
    }

    #[test]
    fn points_are_those_above_the_ratings() {
        let castles = || FormationStatistics::new(FormationKind::Castle);
        let mut statistics = castles();
        let mut of_b = castles().of_player("B");
        for end in ["%TORYO", "%TORYO", "%SENNICHITE", "%CHUDAN"] {
            let game = game("2000", "2400", end);
            statistics.add(&game);
            of_b.add(&game);
        }
        let results = statistics.results();
        let [(mino, black), (boat, white)] = results[..] else { panic!("{results:?}") };
        assert_eq!((mino.english(), boat.english()), ("mino", "boat"));
        assert_eq!((black.wins, black.draws, black.losses), (0, 1, 2));
        assert_eq!((white.wins, white.draws, white.losses), (2, 1, 0));
        // Four hundred points less are one point in eleven.
        let above = black.above_expectation().unwrap();
        assert!((above - (0.5 / 3.0 - 1.0 / 11.0)).abs() < 1e-9, "{above}");
        assert!((above + white.above_expectation().unwrap()).abs() < 1e-9);
        let pairs: Vec<_> =
            statistics.pairs().iter().map(|(pair, _)| pair.map(Formation::english)).collect();
        assert_eq!(pairs, [["mino", "boat"], ["boat", "mino"]]);
        assert_eq!(of_b.results(), [(boat, white)]);
        assert_eq!(castles().of_player("C").results(), []);
        assert_eq!(FormationResults::default().above_expectation(), None);
        assert_eq!(FormationResults::default().share(), None);
    }
}
