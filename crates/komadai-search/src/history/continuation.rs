//! How well a move does as an answer to an earlier one.

use komadai_core::{Color, Move, PieceKind, Position, Square};

use super::Gravity;

/// A piece on the square it has moved to: what the tables remember of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Follower(u16);

impl Follower {
    /// How many there are: `[color][kind][square]`.
    pub(crate) const COUNT: usize = 2 * PieceKind::COUNT * Square::COUNT;

    /// The piece that `m` leaves on its destination, for a legal move.
    #[inline]
    pub(crate) fn of(position: &Position, m: Move) -> Self {
        let kind = match m.from() {
            None => m.dropped(),
            Some(from) => position.piece_on(from).map(|piece| {
                let kind = piece.kind();
                if m.is_promotion() { kind.promoted().unwrap_or(kind) } else { kind }
            }),
        };
        Self::new(position.side(), kind.unwrap_or(PieceKind::King), m.to())
    }

    #[inline]
    pub(crate) fn new(color: Color, kind: PieceKind, to: Square) -> Self {
        let piece = color as usize * PieceKind::COUNT + kind as usize;
        Self((piece * Square::COUNT + to as usize) as u16)
    }

    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// `[earlier piece and square][piece and square]`.
#[derive(Debug)]
pub(crate) struct Continuation(Vec<Gravity<{ Self::MAX }>>);

impl Continuation {
    /// The largest number.
    pub(crate) const MAX: i32 = 16_384;

    pub(crate) fn new() -> Self {
        let count = Follower::COUNT * Follower::COUNT;
        Self(core::iter::repeat_with(Gravity::default).take(count).collect())
    }

    /// What is known about answers to `earlier`; nothing about answers to no move.
    #[inline]
    pub(crate) fn after(&self, earlier: Option<Follower>) -> Answers<'_> {
        let row = earlier.map(|earlier| {
            let start = earlier.index() * Follower::COUNT;
            &self.0[start..start + Follower::COUNT]
        });
        Answers(row.unwrap_or(&[]))
    }

    #[inline]
    pub(crate) fn update(&self, earlier: Follower, follower: Follower, bonus: i32) {
        self.0[earlier.index() * Follower::COUNT + follower.index()].update(bonus);
    }
}

/// How well moves did as answers to one earlier move.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Answers<'a>(&'a [Gravity<{ Continuation::MAX }>]);

impl Answers<'_> {
    #[inline]
    pub(crate) fn get(&self, follower: Follower) -> i32 {
        self.0.get(follower.index()).map_or(0, Gravity::get)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_belong_to_the_move_they_answer() {
        let continuation = Continuation::new();
        let pawn = Follower::new(Color::Black, PieceKind::Pawn, Square::S76);
        let other = Follower::new(Color::Black, PieceKind::Pawn, Square::S26);
        let answer = Follower::new(Color::White, PieceKind::Dragon, Square::S99);
        continuation.update(pawn, answer, 500);
        assert_eq!(continuation.after(Some(pawn)).get(answer), 500);
        assert_eq!(continuation.after(Some(other)).get(answer), 0);
        assert_eq!(continuation.after(None).get(answer), 0);
        assert!(answer.index() < Follower::COUNT);
    }

    #[test]
    fn followers_are_what_the_move_leaves() {
        let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
        let promoted = Follower::of(&position, "5c5b+".parse().unwrap());
        assert_eq!(promoted, Follower::new(Color::Black, PieceKind::ProPawn, Square::S52));
        let dropped = Follower::of(&position, "G*5b".parse().unwrap());
        assert_eq!(dropped, Follower::new(Color::Black, PieceKind::Gold, Square::S52));
    }
}
