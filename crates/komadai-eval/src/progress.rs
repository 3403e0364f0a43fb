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

    /// Returns the progress of a position by another measure, from 0 to 1.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Position;
    /// use komadai_eval::{Progress, ProgressMeasure};
    ///
    /// // Two of the eight promoted pieces that make the end.
    /// let position = Position::from_sfen("4k4/2+P6/9/9/9/9/9/6+p2/4K4 b - 1")?;
    /// assert_eq!(Progress::by(ProgressMeasure::Promoted, &position), 0.25);
    /// assert_eq!(Progress::by(ProgressMeasure::Hands, &position), 0.0);
    /// # Ok::<(), komadai_core::SfenError>(())
    /// ```
    pub fn by(measure: ProgressMeasure, position: &Position) -> f32 {
        let (amount, whole) = match measure {
            ProgressMeasure::Danger => (both(|color| danger(position, color)) as f32, 128.0),
            ProgressMeasure::Promoted => (promoted(position) as f32, 8.0),
            ProgressMeasure::Hands => {
                (both(|color| hand_weight(position.hand(color))) as f32, 64.0)
            }
            ProgressMeasure::Near => (both(|color| near(position, color)) as f32, 8.0),
            ProgressMeasure::Centroid => (advance(position) - ADVANCE_AT_START, 2.0),
        };
        (amount / whole).clamp(0.0, 1.0)
    }

    fn from_eighths(sum: u32) -> Self {
        Self((sum / 8).min(u32::from(Self::MAX.0)) as u8)
    }
}

/// A measure of the progress of a game, for comparisons.
///
/// `Classical` interpolates by the first one, with the simplifications of
/// its phases. `docs/evaluation.md` has the loss of a fit by each.
///
/// Source: the glossary of computer shogi (2009), "progress": promoted pieces, pieces near the
/// enemy king, pieces in hand, or the centre of the pieces' advance. The scales are our own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProgressMeasure {
    /// The danger of both kings, as in [`Progress`].
    Danger,
    /// The number of promoted pieces; eight are the end.
    Promoted,
    /// The pieces in hand, weighted as in [`Progress`]; 64 is the end.
    Hands,
    /// The number of pieces at most two steps from the enemy king; eight are the end.
    Near,
    /// The mean advance of all pieces but kings from their own last rank, less that of the start
    /// position; two ranks are the end.
    Centroid,
}

impl ProgressMeasure {
    /// All measures.
    pub const ALL: [Self; 5] =
        [Self::Danger, Self::Promoted, Self::Hands, Self::Near, Self::Centroid];

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Danger => "danger",
            Self::Promoted => "promoted",
            Self::Hands => "hands",
            Self::Near => "near",
            Self::Centroid => "centroid",
        }
    }
}

/// The mean advance in the start position: nine pawns on the third rank, bishop and rook on the
/// second, eight pieces on the first.
const ADVANCE_AT_START: f32 = 20.0 / 19.0;

fn both(of: impl Fn(Color) -> u32) -> u32 {
    Color::ALL.into_iter().map(of).sum()
}

fn promoted(position: &Position) -> u32 {
    let kinds = PieceKind::ALL.into_iter().filter(|kind| kind.is_promoted());
    kinds.map(|kind| position.kind(kind).len()).sum()
}

/// The number of pieces of `color` near the enemy king.
fn near(position: &Position, color: Color) -> u32 {
    let Some(king) = position.king_square(!color) else { return 0 };
    let own = position.color(color);
    own.iter().filter(|square| square.distance(king) <= 2).count() as u32
}

/// The mean number of ranks from the own last rank; that of the start position without pieces.
fn advance(position: &Position) -> f32 {
    let (mut ranks, mut pieces) = (0, 0);
    for color in Color::ALL {
        for square in position.color(color) - position.pieces(color, PieceKind::King) {
            ranks += 8 - square.rank().from_far_side(color);
            pieces += 1;
        }
    }
    if pieces == 0 { ADVANCE_AT_START } else { ranks as f32 / pieces as f32 }
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
    fn every_measure_is_zero_at_the_start_and_grows_in_games() {
        for measure in ProgressMeasure::ALL {
            assert_eq!(Progress::by(measure, &Position::hirate()), 0.0, "{measure:?}");
            let mut sums = [0.0; 2];
            for game in games::tournament() {
                let line = format!("startpos moves {}", game.moves);
                let usi = komadai_core::UsiPosition::from_usi(&line).unwrap();
                let mut position = play(&usi).unwrap();
                for late in [1, 0] {
                    let target = if late == 1 { game.plies * 9 / 10 } else { game.plies / 4 };
                    while position.ply() > target {
                        position.undo_move();
                    }
                    let found = Progress::by(measure, &position);
                    assert!((0.0..=1.0).contains(&found));
                    assert_eq!(Progress::by(measure, &position.flipped()), found);
                    assert_eq!(Progress::by(measure, &position.mirrored()), found);
                    sums[late] += found;
                }
            }
            assert!(sums[1] > 2.0 * sums[0], "{measure:?}: {sums:?}");
        }
    }

    #[test]
    fn each_measure_counts_what_it_names() {
        let of = |measure, sfen: &str| Progress::by(measure, &Position::from_sfen(sfen).unwrap());
        let near = "4k4/9/2G1G1G2/9/9/9/9/9/4K4 b - 1";
        assert_eq!(of(ProgressMeasure::Near, near), 3.0 / 8.0);
        assert_eq!(of(ProgressMeasure::Near, "4k4/9/9/4G4/9/9/9/9/4K4 b - 1"), 0.0);
        assert_eq!(of(ProgressMeasure::Hands, "4k4/9/9/9/9/9/9/9/4K4 b 2R4p 1"), 28.0 / 64.0);
        // The pawn has gone six ranks, the gold none.
        let centroid = of(ProgressMeasure::Centroid, "4k4/9/P8/9/9/9/9/9/4KG3 b - 1");
        assert!((centroid - (3.0 - ADVANCE_AT_START) / 2.0).abs() < 1e-6, "{centroid}");
        assert_eq!(of(ProgressMeasure::Centroid, "4k4/9/9/9/9/9/9/9/4K4 b - 1"), 0.0);
    }

    #[test]
    fn an_attack_counts_by_its_file_and_the_hand_by_its_pieces() {
        // The silver on 4七 attacks 5八, 4八 and 3八.
        let position = Position::from_sfen("4k4/9/9/9/9/9/5s3/9/4K4 b 2g 1").unwrap();
        assert_eq!(danger(&position, Color::Black), (16 + 15 + 14) / 2 + 2 * 8);
        assert_eq!(danger(&position, Color::White), 0);
    }
}
