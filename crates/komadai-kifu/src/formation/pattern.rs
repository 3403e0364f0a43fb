//! Patterns of positions, in the words of the shapes of formations.

use std::str::FromStr;

use komadai_core::{Color, Position};

use crate::formation::formation_set::FormationSet;
use crate::formation::past::Past;
use crate::formation::shape::{Moment, Shape, WordError};

/// A partial position: pieces on some squares, empty squares, pieces in hand, the side to move.
///
/// The words are those of the [shapes of formations](crate::formation), separated by blanks: `K2h/3i
/// S3h !G4i .5e hand:2P p3d turn:b` has Black's king on 2h or 3i, Black's silver on 3h, no gold on 4i,
/// nothing on 5e, at least two pawns in Black's hand, White's pawn on 3d, and Black to move. A bar
/// separates alternatives. Words that need the moves of a game (`@R2f`, `after:mino`, `first`, `second`,
/// `ply<=30`) are refused.
///
/// # Examples
///
/// ```
/// use komadai_core::{Color, Position};
/// use komadai_kifu::formation::BoardPattern;
///
/// let pattern: BoardPattern = "R2h .5e P*g !hand:P turn:b".parse()?;
/// assert!(pattern.fits(&Position::hirate(), Color::Black));
/// assert!(!pattern.fits(&Position::hirate(), Color::White), "Black is to move, not White");
/// let error = "R2h Q5e".parse::<BoardPattern>().unwrap_err();
/// assert!(error.to_string().starts_with("found \"Q5e\" at byte 4, expected "), "{error}");
/// # Ok::<(), komadai_kifu::formation::PatternError>(())
/// ```
#[derive(Debug)]
pub struct BoardPattern {
    shape: Shape,
    /// The words of a pattern do not ask for the past, so that one serves all positions.
    past: Past,
}

/// The reason why a text is no [`BoardPattern`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// A word is not understood.
    #[error(
        "found {word:?} at byte {at}, expected a piece on squares such as S3h, GS7h/8h, p3d or R5*, \
         empty squares such as .5e, hand:2P, turn:b, or ! before one of these"
    )]
    Word {
        /// The word.
        word: String,
        /// Its place in the text, in bytes.
        at: usize,
    },
    /// A word needs the moves that led to a position.
    #[error(
        "found {word:?} at byte {at}, which needs the moves of a game; expected a condition on a position"
    )]
    Course {
        /// The word.
        word: String,
        /// Its place in the text, in bytes.
        at: usize,
    },
    /// An alternative has no word, so that it would fit every position.
    #[error("found no word, expected at least one condition such as S3h")]
    Empty,
}

impl BoardPattern {
    /// Returns true if a position fits, where `side` is the owner of the pieces in capital letters.
    /// For White the pattern is turned: `S3h` is then White's silver on 7b.
    pub fn fits(&self, position: &Position, side: Color) -> bool {
        let has = FormationSet::default();
        self.shape.fits(&Moment { position, past: &self.past, ply: 0, side, has: &has })
    }
}

impl FromStr for BoardPattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let shape = Shape::read(text, &|_| Some(0))
            .map_err(|WordError { word, at }| PatternError::Word { word, at })?;
        if let Some((at, word)) = course_word(text) {
            return Err(PatternError::Course { word: word.to_owned(), at });
        }
        if text.split('|').any(|words| words.trim().is_empty()) {
            return Err(PatternError::Empty);
        }
        Ok(Self { shape, past: Past::new(&Position::hirate()) })
    }
}

/// Returns the first word that needs a game, with its place.
fn course_word(text: &str) -> Option<(usize, &str)> {
    let needs_game = |word: &str| {
        let word = word.trim_start_matches('!');
        matches!(word, "first" | "second")
            || ["@", "after:", "ply"].iter().any(|start| word.starts_with(start))
    };
    let words = text.split_whitespace();
    let mut placed = words.map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word));
    placed.find(|(_, word)| needs_game(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(pattern: &str, sfen: &str, side: Color) -> bool {
        let position = Position::from_sfen(sfen).unwrap();
        pattern.parse::<BoardPattern>().unwrap().fits(&position, side)
    }

    #[test]
    fn each_word_is_a_condition() {
        let sfen = "4k4/9/6p2/9/9/4P4/9/1B1+R5/4K4 w 2PG2s 1";
        for (pattern, expected) in [
            ("K5i", true),
            ("k5a", true),
            ("K5a", false),
            ("+R6h", true),
            ("R6h", false),
            ("RB8h", true),
            ("+R*h", true),
            ("P5*", true),
            ("p3c/4c", true),
            (".4e/5e", true),
            (".5f", false),
            ("!P5f", false),
            ("hand:P", true),
            ("hand:2P", true),
            ("hand:3P", false),
            ("hand:2s", true),
            ("hand:3s", false),
            ("!hand:3s", true),
            ("hand:L", false),
            ("turn:w", true),
            ("turn:b", false),
            ("!turn:b", true),
            ("K5a | K5i", true),
            ("K5i .5f", false),
        ] {
            assert_eq!(fits(pattern, sfen, Color::Black), expected, "{pattern}");
            // The turned pattern fits the turned position.
            let turned = Position::from_sfen(sfen).unwrap().flipped().to_string();
            assert_eq!(fits(pattern, &turned, Color::White), expected, "{pattern}, turned");
        }
    }

    #[test]
    fn faults_have_a_place() {
        for (text, word, at) in [
            ("K5i x", "x", 4),
            ("hand:0P", "hand:0P", 0),
            ("hand:19P", "hand:19P", 0),
            ("hand:K", "hand:K", 0),
            ("hand:", "hand:", 0),
            ("turn:x", "turn:x", 0),
            ("K5j", "K5j", 0),
            ("K0a", "K0a", 0),
            ("歩５五", "歩５五", 0),
            ("K5i  +G5h", "+G5h", 5),
        ] {
            let error = text.parse::<BoardPattern>().unwrap_err();
            assert_eq!(error, PatternError::Word { word: word.to_owned(), at }, "{text}");
        }
        for text in ["@R2f", "K5i after:mino", "!first", "ply<=3"] {
            let error = text.parse::<BoardPattern>().unwrap_err();
            assert!(matches!(error, PatternError::Course { .. }), "{text}: {error}");
        }
        for text in ["", " ", "K5i | ", "|"] {
            let error = text.parse::<BoardPattern>().unwrap_err();
            assert!(matches!(error, PatternError::Empty | PatternError::Word { .. }), "{text}");
        }
    }
}
