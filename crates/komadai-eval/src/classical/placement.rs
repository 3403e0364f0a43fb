//! The part of the evaluation that follows the moves: pieces by where they stand, and hands.
//!
//! For each side a table gives, for every square of its king, what each piece on each square is worth
//! to it: own pieces by their kind, their square and where they stand from the king, enemy pieces by
//! where they stand from it. A move changes two or three entries of each side's sum. When a king
//! moves, its side's sum is taken anew. Undoing takes nothing: the earlier sums are still there.

use komadai_core::{BoardObserver, Color, Hand, Piece, PieceKind, Position, Square};

use super::castle::{CASTLES, FALLEN};
use super::groups::Group;
use super::packed::{Packed, Unpacked};
use super::relation;
use super::{Parameters, Weight};

/// One side's table for one square of its king: `[own, enemy][kind][square]`, all as this side sees
/// the board.
type Row = [[[Packed; Square::COUNT]; PieceKind::COUNT]; 2];

/// Weights gathered by what a change of the board asks for.
pub(crate) struct Placement {
    /// `[king]`, and at the end the row for a side without a king.
    rows: Vec<Row>,
    /// `[kind][count]`, for the game's phase.
    hands: [[Unpacked; 19]; 7],
    /// `[kind]`, for the danger of the other side's king.
    hand_attack: [Unpacked; 7],
}

impl Placement {
    pub(crate) fn new(parameters: &Parameters) -> Self {
        let kings = Square::ALL.into_iter().map(Some).chain([None]);
        let get = |index| {
            let Weight { early, late } = parameters.get(index);
            Unpacked { early: i32::from(early), late: i32::from(late) }
        };
        let hands = core::array::from_fn(|kind| {
            core::array::from_fn(|count| {
                let mut sum = Unpacked::default();
                hand_weights(kind, count, |index, times| sum = sum.plus(get(index).times(times)));
                sum
            })
        });
        let hand_attack = core::array::from_fn(|kind| get(Group::HandAttack.index(&[kind])));
        Self { rows: kings.map(|king| row(parameters, king)).collect(), hands, hand_attack }
    }

    #[inline]
    fn row(&self, king: Option<Square>, color: Color) -> &Row {
        &self.rows[king.map_or(Square::COUNT, |king| seen_by(king, color).index())]
    }

    #[inline]
    fn of_hand(&self, hand: Hand) -> HandWorth {
        let mut worth = HandWorth::default();
        if !hand.is_empty() {
            for (kind, hand_kind) in PieceKind::HAND.into_iter().enumerate() {
                let count = hand.count(hand_kind) as usize;
                worth.game = worth.game.plus(self.hands[kind][count]);
                worth.attack = worth.attack.plus(self.hand_attack[kind].times(count as i32));
            }
        }
        worth
    }

    /// The sum of one side's table over all pieces of a position.
    fn sum(&self, position: &Position, color: Color) -> Unpacked {
        let row = self.row(position.king_square(color), color);
        let mut sum = Unpacked::default();
        for square in position.occupied() {
            if let Some(piece) = position.piece_on(square) {
                sum = sum.plus(entry(row, color, piece, square));
            }
        }
        sum
    }

    /// Everything taken anew.
    pub(crate) fn sums(&self, position: &Position) -> Sums {
        Sums {
            pieces: Color::ALL.map(|color| self.sum(position, color)),
            hands: Color::ALL.map(|color| self.of_hand(position.hand(color))),
        }
    }

    /// What follows a move that is about to be done on `position`.
    #[inline]
    pub(crate) fn follow(&self, position: &Position, sums: Sums) -> Follower<'_> {
        let rows = Color::ALL.map(|color| self.row(position.king_square(color), color));
        Follower { placement: self, rows, sums, king_moved: None }
    }
}

/// What each side's pieces are worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Sums {
    pieces: [Unpacked; 2],
    hands: [HandWorth; 2],
}

/// What a hand is worth: by the game's phase and by the danger of the other side's king.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct HandWorth {
    game: Unpacked,
    attack: Unpacked,
}

impl Sums {
    /// Black's lead, by the game's phase.
    #[inline]
    pub(crate) const fn game(&self) -> Unpacked {
        let [black, white] = self.pieces;
        black.minus(white).plus(self.hands[0].game).minus(self.hands[1].game)
    }

    /// What `color`'s hand is worth by the danger of the other side's king.
    #[inline]
    pub(crate) fn attack(&self, color: Color) -> Unpacked {
        self.hands[color].attack
    }
}

/// Hears what a move changes.
pub(crate) struct Follower<'a> {
    placement: &'a Placement,
    rows: [&'a Row; 2],
    sums: Sums,
    king_moved: Option<Color>,
}

impl Follower<'_> {
    /// The sums after the move, which has been done on `position`.
    #[inline]
    pub(crate) fn finish(self, position: &Position) -> Sums {
        let mut sums = self.sums;
        if let Some(color) = self.king_moved {
            sums.pieces[color] = self.placement.sum(position, color);
        }
        sums
    }
}

impl BoardObserver for Follower<'_> {
    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        for color in Color::ALL {
            let pieces = &mut self.sums.pieces[color];
            *pieces = pieces.minus(entry(self.rows[color], color, piece, square));
        }
    }

    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        for color in Color::ALL {
            let pieces = &mut self.sums.pieces[color];
            *pieces = pieces.plus(entry(self.rows[color], color, piece, square));
        }
        if piece.kind() == PieceKind::King {
            self.king_moved = Some(piece.color());
        }
    }

    #[inline]
    fn hand_changed(&mut self, color: Color, hand: Hand) {
        self.sums.hands[color] = self.placement.of_hand(hand);
    }
}

/// What `color`'s table says about a piece.
#[inline]
fn entry(row: &Row, color: Color, piece: Piece, square: Square) -> Unpacked {
    let whose = usize::from(piece.color() != color);
    row[whose][piece.kind()][seen_by(square, color)].unpack()
}

/// A square as `color` sees it.
#[inline]
pub(crate) const fn seen_by(square: Square, color: Color) -> Square {
    match color {
        Color::Black => square,
        Color::White => square.flipped(),
    }
}

fn row(parameters: &Parameters, king: Option<Square>) -> Row {
    let sum = |whose, kind, square| {
        let mut units = [0; 2];
        placement_weights(king, whose, kind, square, |index, times, of| {
            let Weight { early, late } = parameters.get(index);
            units[0] += i32::from(early) * times * (WHOLE / of);
            units[1] += i32::from(late) * times * (WHOLE / of);
        });
        let [early, late] = units.map(|units| units / WHOLE);
        Packed::new(early, late)
    };
    [Whose::Own, Whose::Enemy]
        .map(|whose| PieceKind::ALL.map(|kind| Square::ALL.map(|square| sum(whose, kind, square))))
}

/// A common multiple of all `of` that [`placement_weights`] names.
const WHOLE: i32 = FALLEN * 2;

/// Whose piece it is, for the side whose king is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whose {
    Own,
    Enemy,
}

/// Tells `visit` the weights that a piece takes from one side's point of view, each with the number
/// of times it counts as a fraction: `visit(index, times, of)`.
pub(crate) fn placement_weights(
    king: Option<Square>,
    whose: Whose,
    kind: PieceKind,
    square: Square,
    mut visit: impl FnMut(usize, i32, i32),
) {
    match whose {
        Whose::Own => {
            if kind != PieceKind::King {
                visit(Group::Piece.index(&[kind.index()]), 1, 1);
            }
            let file = square.file().index();
            let place = [kind.index(), file.min(8 - file), square.rank().index()];
            visit(Group::Square.index(&place), 1, 1);
        }
        Whose::Enemy => {}
    }
    let Some(king) = king else { return };
    match whose {
        Whose::Own => {
            if kind != PieceKind::King {
                for index in relation::indices(Group::OwnKing, kind.index(), king, square) {
                    visit(index, 1, 2);
                }
            }
            for (i, castle) in CASTLES.iter().enumerate() {
                let fall = castle.fall(king, kind, square);
                if fall > 0 {
                    visit(Group::Castle.index(&[i]), fall, FALLEN);
                }
            }
        }
        // What an enemy piece gains there is lost to this side.
        Whose::Enemy => {
            if kind != PieceKind::King {
                let (king, square) = (king.flipped(), square.flipped());
                for index in relation::indices(Group::EnemyKing, kind.index(), king, square) {
                    visit(index, -1, 2);
                }
            }
        }
    }
}

/// Tells `visit` the weights that `count` pieces of a kind in hand take.
pub(crate) fn hand_weights(kind: usize, count: usize, mut visit: impl FnMut(usize, i32)) {
    if count > 0 {
        visit(Group::Hand.index(&[kind, 0]), 1);
    }
    if count > 1 {
        visit(Group::Hand.index(&[kind, 1]), 1);
    }
    if count > 2 {
        visit(Group::Hand.index(&[kind, 2]), count as i32 - 2);
    }
}
