//! The progress of a game (進行度).

use komadai_core::{Bitboard, Color, Hand, PieceKind, Position, Square};

/// The progress of a game, from 0 (opening) to 15 (the kings are under attack).
///
/// The measure is the danger of both kings, not the number of moves. For each king, every attack of
/// the opponent on the area of five files by three ranks around it counts 8, reduced by ½ for every
/// file of distance. The opponent's hand counts 1 for a pawn, 4 for a lance, 8 for a knight, silver
/// or gold and 12 for a bishop or rook. At an edge the area is shifted onto the board. The progress
/// is an eighth of the sum of both kings, at most 15.
///
/// Source: the hand-made progress "Effect5x3" of OpenShogiLib (T. Kaneko and others), on whose
/// scale of 0 to 15 that project's papers report.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_eval::Progress;
///
/// assert_eq!(Progress::of(&Position::hirate()).get(), 0);
///
/// let endgame = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
/// assert_eq!(Progress::of(&Position::from_sfen(endgame)?).get(), 15);
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Progress(u8);

impl Progress {
    /// The largest progress.
    pub const MAX: Self = Self(15);

    /// Returns the progress of a position.
    pub fn of(position: &Position) -> Self {
        Self::from_eighths(Color::ALL.into_iter().map(|color| danger(position, color)).sum())
    }

    /// Returns the number, 0 to 15.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    fn from_eighths(sum: u32) -> Self {
        Self((sum / 8).min(u32::from(Self::MAX.0)) as u8)
    }
}

/// Returns the danger of `color`'s king in eighths. Without a king only the opponent's hand counts.
fn danger(position: &Position, color: Color) -> u32 {
    let area = position.king_square(color).map_or(0, |king| {
        let weighted = |square: Square| {
            let attackers = position.attackers_to(!color, square, position.occupied()).len();
            // In sixteenths, so that half a point per file is a whole number.
            attackers * (16 - king.file().index().abs_diff(square.file().index()) as u32)
        };
        AREAS[king].iter().map(weighted).sum::<u32>() / 2
    });
    area + hand_weight(position.hand(!color))
}

/// Returns the amount that a hand adds to the danger of the enemy king.
#[inline]
pub(crate) fn hand_weight(hand: Hand) -> u32 {
    // In the order of `PieceKind::HAND`; from OpenShogiLib, as all numbers here.
    const WEIGHTS: [u32; 7] = [1, 4, 8, 8, 12, 12, 8];
    PieceKind::HAND.into_iter().zip(WEIGHTS).map(|(kind, weight)| hand.count(kind) * weight).sum()
}

/// `[king]`: five files by three ranks with the king in the middle, or as near to it as the edge
/// allows.
pub(crate) static AREAS: [Bitboard; Square::COUNT] = {
    let mut areas = [Bitboard::EMPTY; Square::COUNT];
    let mut king = 0;
    while king < Square::COUNT {
        let file = first_line(king / 9, 2);
        let rank = first_line(king % 9, 1);
        let mut i = 0;
        while i < 15 {
            let square = Square::ALL[(file + i / 3) * 9 + rank + i % 3];
            areas[king] = areas[king].union(Bitboard::from_square(square));
            i += 1;
        }
        king += 1;
    }
    areas
};

/// Returns the first of `2 · reach + 1` lines around `line`, all on the board.
const fn first_line(line: usize, reach: usize) -> usize {
    if line < reach {
        0
    } else if line + reach > 8 {
        8 - 2 * reach
    } else {
        line - reach
    }
}

#[cfg(test)]
mod tests {
    use komadai_movegen::play;
    use komadai_testdata::games;

    use super::*;

    #[test]
    fn areas_hold_fifteen_squares_and_the_king() {
        for king in Square::ALL {
            assert_eq!(AREAS[king].len(), 15);
            assert!(AREAS[king].contains(king));
        }
    }

    #[test]
    fn games_start_at_zero_and_progress() {
        assert_eq!(Progress::of(&Position::hirate()).get(), 0);
        let mut sums = [0u32; 2];
        for game in games::tournament() {
            let line = format!("startpos moves {}", game.moves);
            let usi = komadai_core::UsiPosition::from_usi(&line).unwrap();
            let mut position = play(&usi).unwrap();
            for late in [1, 0] {
                let target = if late == 1 { game.plies * 9 / 10 } else { game.plies / 4 };
                while position.ply() > target {
                    position.undo_move();
                }
                sums[late] += u32::from(Progress::of(&position).get());
            }
        }
        assert!(sums[1] > 2 * sums[0], "{sums:?}");
    }

    #[test]
    fn an_attack_counts_by_its_file_and_the_hand_by_its_pieces() {
        // The silver on 4七 attacks 5八, 4八 and 3八.
        let position = Position::from_sfen("4k4/9/9/9/9/9/5s3/9/4K4 b 2g 1").unwrap();
        assert_eq!(danger(&position, Color::Black), (16 + 15 + 14) / 2 + 2 * 8);
        assert_eq!(danger(&position, Color::White), 0);
    }
}
