//! The squares around a king that the opponent attacks, computed as one set.

use komadai_core::{Bitboard, Color, PieceKind, Position, Square, attacks};

/// The squares from which a piece can attack a neighbour of a king, by the type of attack.
///
/// In most positions most pieces are outside these sets, and one test of a whole set excludes them
/// all.
struct Zone {
    step: Bitboard,
    diagonal: Bitboard,
    orthogonal: Bitboard,
}

static ZONES: [Zone; Square::COUNT] = {
    let mut zones = [const {
        Zone { step: Bitboard::EMPTY, diagonal: Bitboard::EMPTY, orthogonal: Bitboard::EMPTY }
    }; Square::COUNT];
    let mut k = 0;
    while k < Square::COUNT {
        let mut s = 0;
        while s < Square::COUNT {
            let files = (k / 9).abs_diff(s / 9) as i32;
            let ranks = (k % 9).abs_diff(s % 9) as i32;
            let square = Bitboard::from_square(Square::ALL[s]);
            // Steps reach a neighbour from two squares off, knights from three ranks off.
            if files <= 2 && ranks <= 3 {
                zones[k].step = zones[k].step.union(square);
            }
            if files <= 1 || ranks <= 1 {
                zones[k].orthogonal = zones[k].orthogonal.union(square);
            }
            // A diagonal through the square touches the 3×3 block if it passes within two of it.
            if (files - ranks).abs() <= 2 {
                zones[k].diagonal = zones[k].diagonal.union(square);
            }
            s += 1;
        }
        k += 1;
    }
    zones
};

/// The squares around the king on `king` (Black's if `BLACK`) that the opponent attacks.
///
/// Exact for the neighbours of `king`, arbitrary for other squares. `occupied` should not contain
/// the king itself, so that a checking slider also attacks the squares behind it.
#[inline(always)]
pub(crate) fn danger<const BLACK: bool>(
    position: &Position,
    king: Square,
    occupied: Bitboard,
) -> Bitboard {
    let them = if BLACK { Color::White } else { Color::Black };
    let zone = &ZONES[king as usize];
    let enemies = position.color(them);
    let mut danger = Bitboard::EMPTY;
    let near = enemies & zone.step;
    if !near.is_empty() {
        danger = step_attacks::<BLACK>(position, near);
    }
    let bishops = position.kind(PieceKind::Bishop) | position.kind(PieceKind::Horse);
    for square in bishops & enemies & zone.diagonal {
        danger |= attacks::bishop(square, occupied);
    }
    let orthogonal = enemies & zone.orthogonal;
    let rooks = position.kind(PieceKind::Rook) | position.kind(PieceKind::Dragon);
    for square in rooks & orthogonal {
        danger |= attacks::rook(square, occupied);
    }
    for square in position.kind(PieceKind::Lance) & orthogonal {
        danger |= attacks::lance(them, square, occupied);
    }
    danger
}

/// Calls [`danger`] for the king of `color`, without a copy of its code.
#[inline(never)]
pub(crate) fn danger_of(
    color: Color,
    position: &Position,
    king: Square,
    occupied: Bitboard,
) -> Bitboard {
    match color {
        Color::Black => danger::<true>(position, king, occupied),
        Color::White => danger::<false>(position, king, occupied),
    }
}

/// The squares that the pieces of `near`, all of the opponent, attack by one step or jump, without
/// the slides of horses and dragons.
#[inline(always)]
fn step_attacks<const BLACK: bool>(position: &Position, near: Bitboard) -> Bitboard {
    let of = |kind| position.kind(kind) & near;
    let gold = position.gold_movers() & near;
    let silver = of(PieceKind::Silver);
    let king = of(PieceKind::King);
    let horse = of(PieceKind::Horse);
    let dragon = of(PieceKind::Dragon);
    let knight = of(PieceKind::Knight);
    let orthogonal = gold | king | horse;
    let ahead = orthogonal | silver | of(PieceKind::Pawn);
    let diagonal = silver | king | dragon;
    let ahead_sideways = diagonal | gold;
    let sideways = orthogonal.left() | orthogonal.right();
    if BLACK {
        // The opponent is White and advances down the board.
        ahead.down()
            | orthogonal.up()
            | sideways
            | ahead_sideways.down_left()
            | ahead_sideways.down_right()
            | diagonal.up_left()
            | diagonal.up_right()
            | knight.down_down_left()
            | knight.down_down_right()
    } else {
        ahead.up()
            | orthogonal.down()
            | sideways
            | ahead_sideways.up_left()
            | ahead_sideways.up_right()
            | diagonal.down_left()
            | diagonal.down_right()
            | knight.up_up_left()
            | knight.up_up_right()
    }
}
