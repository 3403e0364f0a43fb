//! Input planes: a position as dlshogi's networks see it.

use komadai_core::{Bitboard, Color, PieceKind, Position, Square, attacks};

/// The number of planes of the first input: 31 for each side.
pub const FEATURES1: usize = 2 * SIDE;

/// The number of planes of the second input: 28 for each hand, and one for check.
pub const FEATURES2: usize = 2 * HAND + 1;

/// The number of planes by which the second input is longer in networks with entering kings: 31 for
/// each side.
pub const ENTERING_KING_FEATURES: usize = 2 * ENTERING_KING;

/// The squares of a plane.
pub(crate) const SQUARES: usize = Square::COUNT;

/// Planes of a side: its pieces by kind, their attacks by kind, and squares by number of attackers.
const SIDE: usize = 2 * PieceKind::COUNT + ATTACKERS;

/// The largest number of attackers that is counted.
const ATTACKERS: usize = 3;

/// The kinds in hand in the order of their planes, with the largest number that is counted.
const HELD: [(PieceKind, usize); 7] = [
    (PieceKind::Pawn, 8),
    (PieceKind::Lance, 4),
    (PieceKind::Knight, 4),
    (PieceKind::Silver, 4),
    (PieceKind::Gold, 4),
    (PieceKind::Bishop, 2),
    (PieceKind::Rook, 2),
];

/// Planes of a hand.
const HAND: usize = 8 + 4 * 4 + 2 * 2;

/// Planes of a side that is to enter: its king, then the pieces and the points that it lacks.
const ENTERING_KING: usize = 1 + LACKING_PIECES + LACKING_POINTS;

/// The pieces that a declaration needs in the enemy camp.
const LACKING_PIECES: usize = 10;

/// The smallest number of lacking points that has no plane.
const LACKING_POINTS: usize = 20;

/// Writes the planes of a position: 0 or 1 for each square.
///
/// The position is seen from the side to move: for White, board and colours are turned around. The
/// value of a square stands at 9 · (file − 1) + (rank − 1) of its plane. The planes of the side to
/// move stand first, then those of the opponent.
///
/// | planes of a side in `features1` | |
/// |---|---|
/// | 0–13 | its pieces, by kind: pawn, lance, knight, silver, bishop, rook, gold, king, promoted pawn, lance, knight and silver, horse, dragon |
/// | 14–27 | the squares that its pieces attack, by kind in the same order |
/// | 28–30 | the squares with at least one, two, three of its attackers |
///
/// | planes in `features2`, equal on all squares | |
/// |---|---|
/// | 0–27 | at least 1 to 8 pawns in hand, 1 to 4 lances, knights, silvers and golds, 1 to 2 bishops and rooks |
/// | 28–55 | the same of the opponent |
/// | 56 | check |
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_onnx::{FEATURES1, FEATURES2, write_features};
///
/// let (mut features1, mut features2) = ([0.0; FEATURES1 * 81], [0.0; FEATURES2 * 81]);
/// write_features(&Position::hirate(), &mut features1, &mut features2);
/// // Black's pawns stand on the seventh rank.
/// assert_eq!(features1[..9], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
/// assert!(features2.iter().all(|&x| x == 0.0));
/// ```
pub fn write_features(
    position: &Position,
    features1: &mut [f32; FEATURES1 * SQUARES],
    features2: &mut [f32; FEATURES2 * SQUARES],
) {
    features1.fill(0.0);
    features2.fill(0.0);
    let us = position.side();
    let occupied = position.occupied();
    for (side, first) in [(us, 0), (!us, SIDE)] {
        let mut attackers = [0_usize; SQUARES];
        for kind in PieceKind::ALL {
            for square in position.pieces(side, kind) {
                features1[at(first + kind.index(), seen_by(us, square))] = 1.0;
                for target in attacks::of(side, kind, square, occupied) {
                    let target = seen_by(us, target);
                    let plane = first + PieceKind::COUNT + kind.index();
                    features1[at(plane, target)] = 1.0;
                    attackers[target.index()] += 1;
                }
            }
        }
        for square in Square::ALL {
            for count in 0..attackers[square.index()].min(ATTACKERS) {
                features1[at(first + 2 * PieceKind::COUNT + count, square)] = 1.0;
            }
        }
    }
    for (side, mut first) in [(us, 0), (!us, HAND)] {
        for (kind, most) in HELD {
            let count = (position.hand(side).count(kind) as usize).min(most);
            fill(features2, first, count);
            first += most;
        }
    }
    fill(features2, 2 * HAND, usize::from(position.in_check()));
}

/// Writes the planes about entering kings (入玉), which networks with 119 planes in the second input
/// expect after the 57 of [`write_features`]: 0 or 1, equal on all squares.
///
/// The side to move stands first. It lacks pieces to the ten that a declaration needs in the enemy
/// camp (three ranks) besides the king, and points to 28 (Black) or 27 (White): one for each of
/// those pieces and each piece in hand, five for a rook or bishop.
///
/// | planes of a side | |
/// |---|---|
/// | 0 | its king stands in the enemy camp |
/// | 1–10 | it lacks 0 to 9 pieces: one plane, none if it lacks ten |
/// | 11–30 | it lacks 0 to 19 points: one plane, none if it lacks more |
///
/// A side with more pieces or points than it needs has none of the planes for them, because dlshogi
/// writes none, so that no network has learnt anything else. YaneuraOu writes the plane of 0 there.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_onnx::{ENTERING_KING_FEATURES, write_entering_king_features};
///
/// // White has the king alone; Black lacks two of ten pieces and none of 28 points.
/// let position = Position::from_sfen("K+P+P+P+P+P+P+P+P/9/9/9/9/9/9/9/4k4 w 2R2B 1")?;
/// let mut planes = [7.0; ENTERING_KING_FEATURES * 81];
/// write_entering_king_features(&position, &mut planes);
/// let set: Vec<usize> = (0..ENTERING_KING_FEATURES).filter(|i| planes[i * 81] == 1.0).collect();
/// assert_eq!(set, [0, 31, 31 + 1 + 2, 31 + 11]);
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
pub fn write_entering_king_features(
    position: &Position,
    features: &mut [f32; ENTERING_KING_FEATURES * SQUARES],
) {
    use PieceKind::{Bishop, Dragon, Horse, King, Rook};
    features.fill(0.0);
    let us = position.side();
    for (side, first) in [(us, 0), (!us, ENTERING_KING)] {
        let camp = position.color(side) & Bitboard::far_ranks(side, 3);
        let men = camp - position.kind(King);
        let is_big = [Bishop, Rook, Horse, Dragon].map(|kind| position.kind(kind));
        let big = is_big.into_iter().map(|kind| (men & kind).len()).sum::<u32>();
        let hand = position.hand(side);
        let big = big + hand.count(Bishop) + hand.count(Rook);
        let points = men.len() + hand.len() + 4 * big;
        let needed = if side == Color::Black { 28 } else { 27 };
        fill(features, first, usize::from(camp != men));
        fill_lacking(features, first + 1, LACKING_PIECES, 10, men.len());
        fill_lacking(features, first + 1 + LACKING_PIECES, LACKING_POINTS, needed, points);
    }
}

/// Sets the plane of the number that is missing to `needed`, if one of `planes` planes is for it.
fn fill_lacking(features: &mut [f32], first: usize, planes: usize, needed: u32, found: u32) {
    if let Some(lacking) = needed.checked_sub(found)
        && (lacking as usize) < planes
    {
        fill(features, first + lacking as usize, 1);
    }
}

/// Sets `count` planes to one.
fn fill(planes: &mut [f32], first: usize, count: usize) {
    planes[first * SQUARES..(first + count) * SQUARES].fill(1.0);
}

/// Returns the index of a square of a plane.
fn at(plane: usize, square: Square) -> usize {
    plane * SQUARES + square.index()
}

/// Returns the square as the side sees it that plays up the board.
fn seen_by(side: Color, square: Square) -> Square {
    match side {
        Color::Black => square,
        Color::White => square.flipped(),
    }
}
