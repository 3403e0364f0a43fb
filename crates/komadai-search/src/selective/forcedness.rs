//! The forcedness of moves: how few others are as good.

use komadai_core::{Move, Position};
use komadai_movegen::MoveGen;

use super::cost::{Cost, PLY};

/// The margin with which no move is forced, not even the only one.
pub(super) const FREE: i32 = i32::MAX;

/// Returns what each move costs its side, in the order of the moves: the share of the other moves
/// that are worse by no more than the margin, in hundredths. The only move costs nothing, unless
/// the margin is [`FREE`].
///
/// A move is worth the material that it wins in exchanges on its destination, in centipawns: a
/// search of one ply that sees whether what arrives there can be taken.
pub(super) fn costs(position: &Position, moves: &[Move], margin: i32) -> Vec<Cost> {
    if margin == FREE {
        return vec![PLY; moves.len()];
    }
    let values: Vec<i32> = moves.iter().map(|&m| position.see(m)).collect();
    let mut sorted = values.clone();
    sorted.sort_unstable();
    let others = moves.len().saturating_sub(1).max(1);
    let cost = |value: &i32| {
        let worse = sorted.partition_point(|other| *other < value.saturating_sub(margin));
        let as_good = (sorted.len() - worse).saturating_sub(1);
        (as_good * PLY as usize).div_ceil(others) as Cost
    };
    values.iter().map(cost).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost_in(sfen: &str, m: &str, margin: i32) -> Cost {
        let position = Position::from_sfen(sfen).unwrap();
        let moves = position.legal_moves();
        let m: Move = m.parse().unwrap();
        let index = moves.iter().position(|&found| found == m).unwrap();
        costs(&position, &moves, margin)[index]
    }

    #[test]
    fn the_only_move_costs_nothing() {
        let sfen = "4k4/4G4/9/9/9/9/9/9/4K4 w - 1";
        assert_eq!((cost_in(sfen, "5a5b", 150), cost_in(sfen, "5a5b", FREE)), (0, PLY));
    }

    #[test]
    fn a_capture_that_nothing_equals_costs_nothing_and_the_others_nearly_a_move() {
        // The pawn takes a rook that nobody guards.
        let sfen = "4k4/9/9/9/9/4r4/4P4/9/4K4 b - 1";
        assert_eq!(cost_in(sfen, "5g5f", 150), 0);
        // No other move is better but the capture: nobody is forced to make it.
        assert_eq!(cost_in(sfen, "5i4h", 150), 100);
    }

    #[test]
    fn with_the_widest_margin_every_move_costs_a_whole_one() {
        let position = Position::hirate();
        let moves = position.legal_moves();
        assert!(costs(&position, &moves, 30_000).iter().all(|&cost| cost == PLY));
        assert!(costs(&position, &moves, 0).iter().all(|&cost| cost <= PLY));
    }
}
