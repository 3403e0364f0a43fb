//! The start of a game.

use komadai_core::{Position, SplitMix64, UsiError, UsiPosition};
use komadai_movegen::{MoveGen, PlayError, play};

use crate::ending::Ending;
use crate::rules::Rules;

/// The start of a game: a position with the legal moves that led to it.
///
/// # Examples
///
/// ```
/// use komadai_match::Opening;
///
/// let opening = Opening::from_usi("startpos moves 7g7f 8c8d")?;
/// // Four random moves, always the same ones for a seed.
/// assert_eq!(opening.extended(4, 7), opening.extended(4, 7));
/// assert_eq!(opening.extended(4, 7).game().moves.len(), 6);
/// # Ok::<(), komadai_match::OpeningError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "UsiPosition", into = "UsiPosition"))]
pub struct Opening {
    pub(crate) game: UsiPosition,
    pub(crate) position: Position,
}

/// An error in an opening.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningError {
    /// The text does not have the form that follows `position` in USI.
    #[error(transparent)]
    Usi(#[from] UsiError),
    /// A move is illegal.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// The game is over at the end of the opening.
    #[error("the game is over at once: {0}")]
    Over(Ending),
}

impl TryFrom<UsiPosition> for Opening {
    type Error = OpeningError;

    fn try_from(game: UsiPosition) -> Result<Self, OpeningError> {
        Self::new(game)
    }
}

impl From<Opening> for UsiPosition {
    fn from(opening: Opening) -> Self {
        opening.game
    }
}

/// Balanced openings of 16 to 30 plies, which an engine holds to be within 100 centipawns of even.
const BUNDLED: &str = include_str!("../data/openings.usi");

impl Opening {
    /// Returns 200 balanced openings of 16 to 30 plies.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_match::Opening;
    ///
    /// let openings = Opening::bundled();
    /// assert_eq!(openings.len(), 200);
    /// assert!(openings.iter().all(|opening| (16..=30).contains(&opening.game().moves.len())));
    /// ```
    #[expect(clippy::missing_panics_doc, reason = "the example reads all bundled openings")]
    pub fn bundled() -> Vec<Self> {
        let opening = |line| Self::from_usi(line).expect("the bundled openings are legal");
        BUNDLED.lines().map(opening).collect()
    }

    /// Reads `startpos moves …` or `sfen … moves …`.
    ///
    /// # Errors
    ///
    /// If it cannot be read, a move is illegal, or the game is over at the end of it.
    pub fn from_usi(text: &str) -> Result<Self, OpeningError> {
        Self::new(UsiPosition::from_usi(text)?)
    }

    /// Returns the opening with these moves.
    ///
    /// # Errors
    ///
    /// If a move is illegal, or the game is over at the end of it.
    pub fn new(game: UsiPosition) -> Result<Self, OpeningError> {
        let position = play(&game)?;
        let unlimited = Rules { max_plies: 0, ..Rules::default() };
        match unlimited.verdict(&position) {
            Some(verdict) => Err(OpeningError::Over(verdict.ending)),
            None => Ok(Self { game, position }),
        }
    }

    /// Returns the opening followed by `plies` random moves, or fewer if the game would be over.
    #[must_use]
    pub fn extended(&self, plies: u32, seed: u64) -> Self {
        let mut extended = self.clone();
        let mut random = SplitMix64::new(seed);
        for _ in 0..plies {
            let moves = extended.position.legal_moves();
            let m = moves[random.below(moves.len() as u64) as usize];
            let mut game = extended.game.clone();
            game.moves.push(m);
            match Self::new(game) {
                Ok(longer) => extended = longer,
                Err(_) => break,
            }
        }
        extended
    }

    /// The start position and the moves.
    pub fn game(&self) -> &UsiPosition {
        &self.game
    }

    /// The position in which the players begin.
    pub fn position(&self) -> &Position {
        &self.position
    }
}
