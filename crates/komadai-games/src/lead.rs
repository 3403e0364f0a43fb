//! Leads in material.

use std::str::FromStr;

use komadai_core::{Color, PieceKind, Position};

/// A lead in pieces: those that a side has won since the start of the game, less those it has lost.
///
/// `black:R` is Black with a rook more than at the start (飛車得), on the board, promoted or in hand;
/// `white:B2P` is White with a bishop and two pawns more. The other pieces do not matter: a rook won for
/// two golds is a lead by a rook, too.
///
/// # Examples
///
/// ```
/// use komadai_core::{Color, Position};
/// use komadai_games::{LeadError, MaterialLead};
///
/// let lead: MaterialLead = "black:R".parse()?;
/// let start = Position::hirate();
/// let won = Position::from_sfen("lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w R 2").expect("a position");
/// assert!(lead.holds(&start, &won, Color::Black) && !lead.holds(&start, &start, Color::Black));
/// // For White the sides are exchanged.
/// assert!(lead.holds(&start, &won.flipped(), Color::White));
/// let error = "black:2K".parse::<MaterialLead>().unwrap_err();
/// assert_eq!(error.to_string(), "found \"K\" at byte 7, expected a piece of a hand: P, L, N, S, G, B or R");
/// # Ok::<(), LeadError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaterialLead {
    side: Color,
    /// By [`PieceKind::index`]: the number of pieces won, 0 if they do not matter.
    gains: [u32; 7],
}

/// The reason why a text is no [`MaterialLead`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LeadError {
    /// The side is missing.
    #[error("found {found:?}, expected a side and pieces such as black:R or white:B2P")]
    Side {
        /// The text.
        found: String,
    },
    /// A letter is no piece that can be won.
    #[error("found {found:?} at byte {at}, expected a piece of a hand: P, L, N, S, G, B or R")]
    Piece {
        /// The rest of the text.
        found: String,
        /// Its place, in bytes.
        at: usize,
    },
    /// A number is 0 or more than a side can win.
    #[error("found {found:?} at byte {at}, expected a number from 1 to {most}")]
    Count {
        /// The number.
        found: String,
        /// Its place, in bytes.
        at: usize,
        /// The number of pieces of the kind in the game.
        most: u32,
    },
}

impl MaterialLead {
    /// Returns true if the side has the lead in a position of a game that began with `start`. With
    /// `view` White, the sides are exchanged.
    pub fn holds(&self, start: &Position, position: &Position, view: Color) -> bool {
        let side = if view == Color::Black { self.side } else { !self.side };
        let kinds = PieceKind::HAND.into_iter().zip(self.gains);
        kinds
            .filter(|(_, gain)| *gain > 0)
            .all(|(kind, gain)| owned(position, side, kind) >= owned(start, side, kind) + gain)
    }
}

/// The number of pieces of a kind that a side has, on the board, promoted and in hand.
fn owned(position: &Position, side: Color, kind: PieceKind) -> u32 {
    let promoted = kind.promoted().map_or(0, |kind| position.pieces(side, kind).len());
    position.pieces(side, kind).len() + promoted + position.hand(side).count(kind)
}

impl FromStr for MaterialLead {
    type Err = LeadError;

    fn from_str(text: &str) -> Result<Self, LeadError> {
        let no_side = || LeadError::Side { found: text.to_owned() };
        let (word, pieces) = text.split_once(':').ok_or_else(no_side)?;
        let side = match word {
            "black" | "b" | "先手" => Color::Black,
            "white" | "w" | "後手" => Color::White,
            _ => return Err(no_side()),
        };
        let mut gains = [0; 7];
        let mut at = word.len() + 1;
        let mut rest = pieces;
        loop {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let (number, after) = rest.split_at(digits);
            let letter = after.chars().next();
            let kind = letter.and_then(|c| PieceKind::from_sfen_letter(c.to_ascii_uppercase()));
            let kind = kind.filter(|kind| kind.is_hand_kind());
            let (Some(letter), Some(kind)) = (letter, kind) else {
                return Err(LeadError::Piece { found: after.to_owned(), at: at + digits });
            };
            let most = PieceKind::TOTALS[kind.index()];
            let gain = if number.is_empty() { 1 } else { number.parse().unwrap_or(u32::MAX) };
            gains[kind.index()] += gain.min(most + 1);
            if gain == 0 || gains[kind.index()] > most {
                return Err(LeadError::Count { found: number.to_owned(), at, most });
            }
            at += digits + letter.len_utf8();
            rest = &after[letter.len_utf8()..];
            if rest.is_empty() {
                return Ok(Self { side, gains });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_are_those_since_the_start() {
        let start = Position::hirate();
        // White has taken a rook and three pawns for two golds.
        let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/3PPPPPP/1B7/LNSGKGSNL b r3p 2";
        let rook = Position::from_sfen(sfen).unwrap();
        for (text, expected) in [
            ("white:R", true),
            ("w:R3P", true),
            ("後手:r2p", true),
            ("white:R4P", false),
            ("white:2R", false),
            ("white:G", false),
            ("black:R", false),
        ] {
            let lead: MaterialLead = text.parse().unwrap();
            assert_eq!(lead.holds(&start, &rook, Color::Black), expected, "{text}");
            assert_eq!(lead.holds(&start, &rook.flipped(), Color::White), expected, "{text}");
        }
        // A handicap is no lead.
        let handicap = "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
        let handicap = Position::from_sfen(handicap).unwrap();
        let lead: MaterialLead = "black:R".parse().unwrap();
        assert!(!lead.holds(&handicap, &handicap, Color::Black));
        assert!(!lead.holds(&start, &handicap, Color::Black));
    }

    #[test]
    fn promoted_pieces_count() {
        let won = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B2+R2R1/LNSGKGSNL w b 2";
        let won = Position::from_sfen(won).unwrap();
        let lead: MaterialLead = "black:R".parse().unwrap();
        assert!(lead.holds(&Position::hirate(), &won, Color::Black));
    }

    #[test]
    fn faults_have_a_place() {
        for (text, message) in [
            ("R", "found \"R\", expected a side"),
            ("red:R", "found \"red:R\", expected a side"),
            ("black:", "found \"\" at byte 6, expected a piece"),
            ("black:R2", "found \"\" at byte 8, expected a piece"),
            ("black:Rx", "found \"x\" at byte 7, expected a piece"),
            ("black:3R", "found \"3\" at byte 6, expected a number from 1 to 2"),
            ("black:0P", "found \"0\" at byte 6, expected a number from 1 to 18"),
            ("black:99999999999P", "expected a number from 1 to 18"),
            ("先手:歩", "found \"歩\" at byte 7, expected a piece"),
        ] {
            let error = text.parse::<MaterialLead>().unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
