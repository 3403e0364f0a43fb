//! The positions that an engine is asked about.

use komadai_core::{Position, SplitMix64, UsiPosition};
use komadai_movegen::{MoveGen, play};

/// A position with the text that follows `position`.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) text: String,
    pub(super) position: Position,
    /// True if nobody would resign here.
    pub(super) is_open: bool,
}

/// An opening, Black to move.
const OPENING: &str = "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b";
/// A handicap of rook and bishop, White to move after two moves.
const HANDICAP: &str =
    "sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 3c3d 7g7f";
/// A mate in one, Black to move: G*5b.
const BLACK_MATES: &str = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
/// A mate in one, White to move: G*5h.
const WHITE_MATES: &str = "sfen 4k4/9/9/9/9/9/4p4/9/4K4 w g 1";
/// White has two moves, and is mated by a rook on its first rank after either.
const WHITE_IS_MATED: &str = "sfen 4k4/R8/9/9/9/9/9/9/4K4 w R 1";
/// White has been mated.
const NO_MOVE: &str = "sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1";
/// Black has 28 points and twelve pieces in the camp of White.
const DECLARED: &str = "sfen KGGGGSSSS/+R+B+R+B5/9/9/9/9/9/9/4k4 b - 1";
/// Black has 18 points and ten pieces in the camp of White.
const NOT_DECLARED: &str = "sfen KGGGGSSSS/+R+B7/9/9/9/9/9/9/4k4 b - 1";
/// A tsume position, Black to move: only White has a king. G*5b mates.
pub(super) const ONE_KING: &str = "sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";

impl Place {
    pub(super) fn opening() -> Self {
        Self::new(OPENING, true)
    }

    pub(super) fn handicap() -> Self {
        Self::new(HANDICAP, true)
    }

    pub(super) fn black_mates() -> Self {
        Self::new(BLACK_MATES, true)
    }

    pub(super) fn white_mates() -> Self {
        Self::new(WHITE_MATES, true)
    }

    pub(super) fn white_is_mated() -> Self {
        Self::new(WHITE_IS_MATED, false)
    }

    pub(super) fn no_move() -> Self {
        Self::new(NO_MOVE, false)
    }

    pub(super) fn declared() -> Self {
        Self::new(DECLARED, true)
    }

    pub(super) fn not_declared() -> Self {
        Self::new(NOT_DECLARED, true)
    }

    pub(super) fn one_king() -> Self {
        Self::new(ONE_KING, true)
    }

    /// A game of this many random moves that nobody has won. Either side may be lost.
    pub(super) fn long_game(plies: usize) -> Self {
        let mut position = Position::hirate();
        let mut random = SplitMix64::new(512);
        let mut text = "startpos moves".to_owned();
        while position.moves().count() < plies {
            let moves = position.legal_moves();
            let first = random.below(moves.len() as u64) as usize;
            let mut turned = moves[first..].iter().chain(&moves[..first]);
            let goes_on = |m: &&komadai_core::Move| position.after(**m).has_legal_move();
            let Some(&m) = turned.find(goes_on) else { break };
            position.do_move(m);
            text += &format!(" {m}");
        }
        Self { text, position, is_open: false }
    }

    fn new(text: &str, is_open: bool) -> Self {
        let game = UsiPosition::from_usi(text).expect("the text of a place is a position");
        let position = play(&game).expect("the moves of a place are legal");
        Self { text: text.to_owned(), position, is_open }
    }
}

#[cfg(test)]
mod tests {
    use komadai_movegen::DeclarationRule;

    use super::*;

    #[test]
    fn places_are_what_they_are_called() {
        let mates = |place: Place| place.position.mate_in_one().map(|m| m.to_string());
        assert_eq!(mates(Place::black_mates()).as_deref(), Some("G*5b"));
        assert_eq!(mates(Place::white_mates()).as_deref(), Some("G*5h"));
        assert_eq!(mates(Place::one_king()).as_deref(), Some("G*5b"));
        let mated = Place::white_is_mated().position;
        assert_eq!(mated.legal_moves().len(), 2);
        assert!(mated.legal_moves().iter().all(|&m| mated.after(m).mate_in_one().is_some()));
        assert!(!Place::no_move().position.has_legal_move());
        let wins = |place: Place| place.position.declaration(DeclarationRule::Csa27).wins();
        assert!(wins(Place::declared()) && !wins(Place::not_declared()));
        assert!(Place::opening().is_open && Place::handicap().is_open);
        let long = Place::long_game(512);
        assert_eq!(long.position.moves().count(), 512);
        let read = UsiPosition::from_usi(&long.text).unwrap();
        assert_eq!(play(&read).unwrap().to_string(), long.position.to_string());
    }
}
