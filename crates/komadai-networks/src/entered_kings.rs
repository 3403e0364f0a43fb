//! Positions in which both kings have entered the other camp (相入玉), which points decide.

use komadai_core::{Color, Piece, PieceKind, Position, Setup, SplitMix64, Square};
use komadai_eval::Evaluator;
use serde::Serialize;

use crate::estimate::{Estimate, share};

/// The judgement of positions in which both kings have entered.
///
/// A rook, a bishop and their promoted forms have five points, other pieces but kings one; who has
/// more than 27 of the 54 wins by a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct EnteredKings {
    /// The number of made positions, in each of which one side has 31 points at least.
    pub made: u64,
    /// The share of them in which the value is good for that side.
    pub made_right: Option<Estimate>,
    /// The number of such positions, with 28 points at least, among those of the check.
    pub given: u64,
    /// The share of them that is judged right.
    pub given_right: Option<Estimate>,
}

/// The number of made positions.
const MADE: u64 = 200;

/// The points that win for certain, whatever rule is played.
const CLEAR: u32 = 31;

/// Judges made positions, and those of `positions` in which both kings have entered.
pub(crate) fn entered_kings(evaluator: &impl Evaluator, positions: &[Position]) -> EnteredKings {
    let made: Vec<Position> = (0..).filter_map(make).take(MADE as usize).collect();
    let entered: Vec<Position> =
        positions.iter().filter(|position| have_entered(position)).cloned().collect();
    let right = |positions: &[Position], least: u32| {
        let (mut hits, mut count) = (0.0, 0);
        for position in positions {
            let Some(winner) = winner(position, least) else { continue };
            let value = evaluator.evaluate_position(position).raw();
            count += 1;
            hits += match value.signum() * if winner == position.side() { 1 } else { -1 } {
                0 => 0.5,
                sign => f64::from(sign > 0),
            };
        }
        (count, share(hits, count))
    };
    let (made, made_right) = right(&made, CLEAR);
    let (given, given_right) = right(&entered, 28);
    EnteredKings { made, made_right, given, given_right }
}

/// Returns whether both kings stand on the last three ranks.
fn have_entered(position: &Position) -> bool {
    Color::ALL.into_iter().all(|color| {
        let far = |king: Square| {
            let seen = if color == Color::Black { king } else { king.flipped() };
            seen.rank().index() < 3
        };
        position.king_square(color).is_some_and(far)
    })
}

const fn points_of(kind: PieceKind) -> u32 {
    match kind {
        PieceKind::King => 0,
        PieceKind::Bishop | PieceKind::Rook | PieceKind::Horse | PieceKind::Dragon => 5,
        _ => 1,
    }
}

/// Returns the side with at least this number of points.
fn winner(position: &Position, least: u32) -> Option<Color> {
    let points = |color: Color| -> u32 {
        let held = position.hand(color).iter().map(|(kind, count)| count * points_of(kind));
        let board = PieceKind::ALL
            .into_iter()
            .map(|kind| position.pieces(color, kind).len() * points_of(kind));
        held.chain(board).sum()
    };
    Color::ALL.into_iter().find(|color| points(*color) >= least)
}

/// All pieces but kings.
const ARMY: [(PieceKind, usize); 7] = [
    (PieceKind::Pawn, 18),
    (PieceKind::Lance, 4),
    (PieceKind::Knight, 4),
    (PieceKind::Silver, 4),
    (PieceKind::Gold, 4),
    (PieceKind::Bishop, 2),
    (PieceKind::Rook, 2),
];

/// The pieces of each side that stand around its king.
const ON_BOARD: usize = 12;

/// Makes a position of a seed: each king stands in the other camp with twelve promoted pieces of its
/// side, and the others are in hand. Returns `None` if it has a check or no clear winner.
fn make(seed: u64) -> Option<Position> {
    let mut random = SplitMix64::new(seed);
    let rich = if below(&mut random, 2) == 0 { Color::Black } else { Color::White };
    let mut setup = Setup::empty();
    setup.side = if below(&mut random, 2) == 0 { Color::Black } else { Color::White };
    let mut armies: [Vec<PieceKind>; 2] = [Vec::new(), Vec::new()];
    for (kind, count) in ARMY {
        for _ in 0..count {
            let owner = if below(&mut random, 3) > 0 { rich } else { !rich };
            armies[owner.index()].push(kind);
        }
    }
    for color in Color::ALL {
        // Squares of the far three ranks as the side sees them, in a random order.
        let mut squares: Vec<Square> =
            Square::ALL.into_iter().filter(|square| square.rank().index() < 3).collect();
        let mut place = |piece: PieceKind, setup: &mut Setup, random: &mut SplitMix64| {
            let square = squares.swap_remove(below(random, squares.len()));
            let square = if color == Color::Black { square } else { square.flipped() };
            setup.board[square] = Some(Piece::new(color, piece));
        };
        place(PieceKind::King, &mut setup, &mut random);
        let army = &mut armies[color.index()];
        for _ in 0..ON_BOARD.min(army.len()) {
            let kind = army.swap_remove(below(&mut random, army.len()));
            place(kind.promoted().unwrap_or(kind), &mut setup, &mut random);
        }
        for kind in army.iter() {
            let hand = &mut setup.hands[color.index()];
            *hand = hand.with(*kind, hand.count(*kind) + 1);
        }
    }
    let position = Position::from_setup(&setup).ok()?;
    (!position.in_check() && winner(&position, CLEAR).is_some()).then_some(position)
}

fn below(random: &mut SplitMix64, count: usize) -> usize {
    (random.next_u64() % count as u64) as usize
}

#[cfg(test)]
mod tests {
    use komadai_eval::Material;

    use super::*;

    #[test]
    fn made_positions_have_a_winner_by_points() {
        let made: Vec<Position> = (0..).filter_map(make).take(50).collect();
        assert!(made.iter().all(have_entered));
        for position in &made {
            let winner = winner(position, CLEAR).unwrap();
            assert_eq!(super::winner(&position.flipped(), CLEAR), Some(!winner));
            let counts = PieceKind::HAND.map(|kind| position.to_setup().count(kind));
            assert_eq!(counts.iter().sum::<u32>(), 38);
        }
        let sides = made.iter().filter(|p| winner(p, CLEAR) == Some(p.side())).count();
        assert!((10..40).contains(&sides), "{sides}");
        // More points are mostly more material.
        let found = entered_kings(&Material, &made);
        assert_eq!((found.made, found.given), (200, 50));
        assert!(found.made_right.unwrap().value > 0.9, "{found:?}");
    }

    #[test]
    fn points_are_counted_on_board_and_in_hand() {
        let sfen = "K+P+P+P+P+P+P+P+B/+R+R+B6/9/9/9/9/9/9/4k4 b P 1";
        let position = Position::from_sfen(sfen).unwrap();
        assert_eq!(winner(&position, 28), Some(Color::Black));
        assert_eq!(winner(&position, 29), None);
        assert!(have_entered(&position));
    }
}
