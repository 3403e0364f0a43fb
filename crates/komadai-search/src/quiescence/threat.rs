//! The cost of standing pat when pieces are threatened (脅威).
//!
//! A threat is a capture that the opponent could make after a pass. A single threat can usually be
//! parried, so it costs little. Of two threats, the second largest remains.

use komadai_core::{Bitboard, Position, Square};
use komadai_movegen::{MoveClass, MoveGen, MoveList, generate_class};

use crate::value::Value;

/// Divisor of the largest threat: a sixth of it counts.
///
/// Source of this and the divisors below: the quiescence search of OpenShogiLib (T. Kaneko and
/// others), which goes back to the threats of KFEnd (T. Arioka, in "Computer Shogi no Shinpo 4",
/// Kyoritsu, 2003).
const FIRST_THREAT_DIVISOR: Value = 6;
/// Divisor of the second largest threat: a half of it counts.
const SECOND_THREAT_DIVISOR: Value = 2;
/// Divisor of the second largest threat at the first node of the quiescence search: all of it
/// counts.
const SECOND_THREAT_DIVISOR_AT_FIRST: Value = 1;

/// The place of a node in the quiescence search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NodePlace {
    /// The first node.
    First,
    /// A node below the first one.
    Below,
}

/// The opponent's threats to capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Threats {
    /// The gain of the best capture by exchange, in centipawns; 0 without any.
    pub(crate) first: Value,
    /// The gain of the best capture on another square, in centipawns; 0 without any.
    pub(crate) second: Value,
    /// The pieces that can be taken at a profit.
    pub(crate) pieces: Bitboard,
}

impl Threats {
    /// Returns the threats after a pass in a position that is not in check.
    ///
    /// The position is as before afterwards. Only captures count, each by its static exchange
    /// evaluation.
    pub(crate) fn of(position: &mut Position) -> Self {
        let mut captures = MoveList::new();
        position.do_null_move();
        generate_class(position, MoveClass::CAPTURES | MoveClass::USEFUL, &mut captures);
        let mut gains: Vec<(Square, Value)> = Vec::new();
        for m in captures {
            let gain = position.see(m);
            match gains.iter_mut().find(|(square, _)| *square == m.to()) {
                _ if gain <= 0 => {}
                // Several captures of one piece are one threat, the best of them.
                Some((_, most)) => *most = gain.max(*most),
                None => gains.push((m.to(), gain)),
            }
        }
        position.undo_null_move();
        gains.sort_unstable_by_key(|&(_, gain)| -gain);
        let gain = |index: usize| gains.get(index).map_or(0, |&(_, gain)| gain);
        let pieces = gains.iter().map(|&(square, _)| square).collect();
        Self { first: gain(0), second: gain(1), pieces }
    }

    /// Returns the discount on standing pat in centipawns, not negative.
    pub(crate) fn cost(self, place: NodePlace) -> Value {
        let second = match place {
            NodePlace::First => SECOND_THREAT_DIVISOR_AT_FIRST,
            NodePlace::Below => SECOND_THREAT_DIVISOR,
        };
        (self.first / FIRST_THREAT_DIVISOR).max(self.second / second)
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::PieceKind;
    use komadai_movegen::exchange::capture_value;

    use super::*;

    fn threats(sfen: &str) -> Threats {
        let mut position = Position::from_sfen(sfen).unwrap();
        let before = position.clone();
        let threats = Threats::of(&mut position);
        assert_eq!(position, before);
        threats
    }

    #[test]
    fn nothing_is_threatened_at_the_start() {
        assert_eq!(threats(komadai_testdata::positions::STARTPOS), Threats::default());
    }

    #[test]
    fn a_single_threat_costs_a_sixth() {
        // White's pawn attacks a silver that nothing guards.
        let threats = threats("4k4/9/9/9/4p4/4S4/9/9/4K4 b - 1");
        let silver = capture_value(PieceKind::Silver);
        let expected = Threats { first: silver, second: 0, pieces: Square::S56.into() };
        assert_eq!(threats, expected);
        assert_eq!(threats.cost(NodePlace::First), silver / 6);
        assert_eq!(threats.cost(NodePlace::Below), silver / 6);
    }

    #[test]
    fn the_second_of_two_threats_costs_half_below_the_first_node() {
        // Both pawns attack; only the gold is guarded, by a pawn, which does not save it.
        let threats = threats("4k4/9/9/9/2p1p4/2G1S4/2P6/9/4K4 b - 1");
        let silver = capture_value(PieceKind::Silver);
        let gold = capture_value(PieceKind::Gold) - capture_value(PieceKind::Pawn);
        let pieces = Bitboard::from(Square::S56) | Bitboard::from(Square::S76);
        assert_eq!(threats, Threats { first: silver, second: gold, pieces });
        assert_eq!(threats.cost(NodePlace::First), gold);
        assert_eq!(threats.cost(NodePlace::Below), gold / 2);
    }

    #[test]
    fn what_is_well_guarded_is_not_threatened() {
        assert_eq!(threats("4k4/4r4/9/9/9/4S4/4P4/9/4K4 b - 1"), Threats::default());
    }

    #[test]
    fn two_captors_of_one_piece_are_one_threat() {
        let threats = threats("4k4/9/9/4s4/4p4/4S4/9/4r4/K8 b - 1");
        assert_eq!(threats.second, 0);
        assert_eq!(threats.pieces, Square::S56.into());
    }
}
