//! Moves in the notation of CSA: `+7776FU`.

use komadai_core::{Color, Move, Position};
use komadai_movegen::{IllegalMove, check_legality};

use crate::csa::{digits, kind_of, letters_of, place_of, sign};
use crate::text::shorten;

/// The reason why a text is no legal move in CSA.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CsaMoveError {
    /// The text has another form.
    #[error("found {found:?}, expected a move such as `+7776FU`, or `+0055KA` for a drop")]
    Form {
        /// The text, shortened.
        found: String,
    },
    /// It is the turn of the other side.
    #[error("found {found:?}, expected a move of {side}")]
    Side {
        /// The text.
        found: String,
        /// The side to move.
        side: Color,
    },
    /// The piece that moves is not the one that the text names.
    #[error("found {found:?}, expected the name of the piece after the move")]
    Piece {
        /// The text.
        found: String,
    },
    /// The move breaks a rule.
    #[error("{found:?} is illegal: {reason}")]
    Illegal {
        /// The text.
        found: String,
        /// The rule.
        #[source]
        reason: IllegalMove,
    },
}

/// Writes a move.
pub(super) fn csa(position: &Position, m: Move) -> String {
    let kind = match (m.from(), m.dropped()) {
        (Some(from), _) => position.piece_on(from).map(|piece| {
            if m.is_promotion() {
                piece.kind().promoted().unwrap_or(piece.kind())
            } else {
                piece.kind()
            }
        }),
        (None, dropped) => dropped,
    };
    let from = m.from().map_or("00".to_owned(), digits);
    let sign = sign(position.side());
    format!("{sign}{from}{}{}", digits(m.to()), kind.map_or("", letters_of))
}

/// Reads a legal move in CSA: side, origin (`00` for a drop), target, piece after the move.
///
/// # Errors
///
/// If the text has another form, or the move is not one that the side to move can make.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_kifu::Notation;
/// use komadai_kifu::notation::read_csa_move;
///
/// let start = Position::hirate();
/// let m = read_csa_move(&start, "+7776FU")?;
/// assert_eq!(m.to_string(), "7g7f");
/// assert_eq!(Notation::Csa.name(&start, m), "+7776FU");
/// assert!(read_csa_move(&start, "-3334FU").is_err());
/// # Ok::<(), komadai_kifu::notation::CsaMoveError>(())
/// ```
pub fn read_csa_move(position: &Position, text: &str) -> Result<Move, CsaMoveError> {
    let found = || shorten(text);
    let form = || CsaMoveError::Form { found: found() };
    let &[sign, f1, f2, t1, t2, ref letters @ ..] = text.as_bytes() else { return Err(form()) };
    let side = match sign {
        b'+' => Color::Black,
        b'-' => Color::White,
        _ => return Err(form()),
    };
    let from = place_of([f1, f2]).ok_or_else(form)?;
    let to = place_of([t1, t2]).flatten().ok_or_else(form)?;
    let kind = kind_of(letters).ok_or_else(form)?;
    if side != position.side() {
        return Err(CsaMoveError::Side { found: found(), side: position.side() });
    }
    let m = match from {
        None if !kind.is_hand_kind() => return Err(form()),
        None => Move::drop(kind, to),
        Some(from) if from == to => return Err(form()),
        Some(from) => match position.piece_on(from) {
            None => {
                let reason = IllegalMove::NoPiece { square: from };
                return Err(CsaMoveError::Illegal { found: found(), reason });
            }
            Some(piece) if piece.kind() == kind => Move::new(from, to),
            Some(piece) if piece.kind().promoted() == Some(kind) => Move::promotion(from, to),
            Some(_) => return Err(CsaMoveError::Piece { found: found() }),
        },
    };
    match check_legality(position, m) {
        Ok(()) => Ok(m),
        Err(reason) => Err(CsaMoveError::Illegal { found: found(), reason }),
    }
}

#[cfg(test)]
mod tests {
    use komadai_movegen::MoveGen as _;
    use komadai_testdata::games;

    use super::*;

    #[test]
    fn what_is_written_is_read_as_the_same_move() {
        for game in games::tournament().take(20) {
            let mut position = Position::hirate();
            for m in game.moves.split(' ') {
                for m in &position.legal_moves() {
                    assert_eq!(read_csa_move(&position, &csa(&position, m)), Ok(m));
                }
                position.do_move(m.parse().unwrap());
            }
        }
    }

    #[test]
    fn what_is_no_legal_move_is_named() {
        let start = Position::hirate();
        let error = |text| read_csa_move(&start, text).unwrap_err().to_string();
        for text in [
            "",
            "+",
            "7776FU",
            "+7776",
            "+7776XX",
            "+0076UM",
            "+7776FU,T1",
            "+７７76",
            "+7777FU",
            "+7700FU",
        ] {
            assert!(error(text).contains("expected a move such as"), "{text}");
        }
        assert!(error("-3334FU").contains("expected a move of"));
        assert!(error("+7776KI").contains("name of the piece"));
        assert!(error("+7775FU").contains("is illegal"));
        assert!(error("+5545FU").contains("is illegal"));
        assert!(error("+0055FU").contains("is illegal"));
    }
}
