//! How well moves did: alone, near the root, with a pawn structure, as captures.

use komadai_core::{Color, Move, PieceKind, Square};

use super::{Follower, Gravity};

/// The squares, then the kinds that can be dropped.
const ORIGINS: usize = Square::COUNT + PieceKind::HAND.len();

const MOVES: usize = ORIGINS * Square::COUNT;

/// Where a move stands in a table of `[from or dropped kind][to]`. Promoting or not makes no
/// difference: the tables are for quiet moves.
#[inline]
fn place(m: Move) -> usize {
    let origin = match (m.from(), m.dropped()) {
        (Some(from), _) => from as usize,
        (None, Some(kind)) => Square::COUNT + kind as usize,
        (None, None) => unreachable!("a move is a board move or a drop"),
    };
    origin * Square::COUNT + m.to() as usize
}

/// `[color][from or dropped kind][to]`: how well a quiet move did anywhere.
#[derive(Debug)]
pub(crate) struct Butterfly([Box<[Gravity<{ Self::MAX }>; MOVES]>; 2]);

impl Butterfly {
    /// The largest number.
    pub(crate) const MAX: i32 = 8_192;

    pub(crate) fn new() -> Self {
        Self([empty(), empty()])
    }

    /// Makes what earlier searches taught count for less.
    pub(crate) fn fade(&self) {
        self.0.iter().flat_map(|table| table.iter()).for_each(Gravity::halve);
    }

    #[inline]
    pub(crate) fn get(&self, color: Color, m: Move) -> i32 {
        self.0[color][place(m)].get()
    }

    #[inline]
    pub(crate) fn update(&self, color: Color, m: Move, bonus: i32) {
        self.0[color][place(m)].update(bonus);
    }
}

/// `[ply][from or dropped kind][to]`: how well a quiet move did this close to the root.
#[derive(Debug)]
pub(crate) struct LowPly([Box<[Gravity<{ Self::MAX }>; MOVES]>; Self::PLIES]);

impl LowPly {
    /// How many plies count as near the root.
    pub(crate) const PLIES: usize = 4;

    /// The largest number.
    pub(crate) const MAX: i32 = 8_192;

    pub(crate) fn new() -> Self {
        Self(core::array::from_fn(|_| empty()))
    }

    pub(crate) fn clear(&self) {
        self.0.iter().flat_map(|table| table.iter()).for_each(Gravity::clear);
    }

    /// Zero further away.
    #[inline]
    pub(crate) fn get(&self, ply: usize, m: Move) -> i32 {
        self.0.get(ply).map_or(0, |table| table[place(m)].get())
    }

    #[inline]
    pub(crate) fn update(&self, ply: usize, m: Move, bonus: i32) {
        if let Some(table) = self.0.get(ply) {
            table[place(m)].update(bonus);
        }
    }
}

/// `[pawn structure][piece][to]`: how well a quiet move did with these pawns on the board.
#[derive(Debug)]
pub(crate) struct Pawns(Box<[[Gravity<{ Self::MAX }>; Follower::COUNT]; Self::STRUCTURES]>);

impl Pawns {
    /// How many pawn structures are told apart.
    const STRUCTURES: usize = 512;

    /// The largest number.
    pub(crate) const MAX: i32 = 8_192;

    pub(crate) fn new() -> Self {
        Self(empty_rows())
    }

    #[inline]
    pub(crate) fn get(&self, structure: u64, follower: Follower) -> i32 {
        self.0[structure as usize % Self::STRUCTURES][follower.index()].get()
    }

    #[inline]
    pub(crate) fn update(&self, structure: u64, follower: Follower, bonus: i32) {
        self.0[structure as usize % Self::STRUCTURES][follower.index()].update(bonus);
    }
}

/// `[piece][to][captured kind or none]`: how well a capture or promotion did anywhere.
#[derive(Debug)]
pub(crate) struct Captures(Box<[[Gravity<{ Self::MAX }>; PieceKind::COUNT + 1]; Follower::COUNT]>);

impl Captures {
    /// The largest number.
    pub(crate) const MAX: i32 = 10_240;

    pub(crate) fn new() -> Self {
        Self(empty_rows())
    }

    #[inline]
    pub(crate) fn get(&self, follower: Follower, captured: Option<PieceKind>) -> i32 {
        self.0[follower.index()][kind_place(captured)].get()
    }

    #[inline]
    pub(crate) fn update(&self, follower: Follower, captured: Option<PieceKind>, bonus: i32) {
        self.0[follower.index()][kind_place(captured)].update(bonus);
    }
}

#[inline]
fn kind_place(captured: Option<PieceKind>) -> usize {
    captured.map_or(PieceKind::COUNT, |kind| kind as usize)
}

/// A table of zeros.
fn empty<const MAX: i32, const N: usize>() -> Box<[Gravity<MAX>; N]> {
    filled(Gravity::default)
}

/// A table of rows of zeros.
fn empty_rows<const MAX: i32, const M: usize, const N: usize>() -> Box<[[Gravity<MAX>; M]; N]> {
    filled(|| core::array::from_fn(|_| Gravity::default()))
}

fn filled<T, const N: usize>(entry: impl FnMut() -> T) -> Box<[T; N]> {
    let table: Box<[T]> = core::iter::repeat_with(entry).take(N).collect();
    match table.try_into() {
        Ok(table) => table,
        Err(_) => unreachable!("the length is N"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_quiet_move_has_its_own_place() {
        let drops = PieceKind::HAND.into_iter();
        let mut places: Vec<usize> =
            drops.map(|kind| place(Move::drop(kind, Square::S55))).collect();
        for from in Square::ALL {
            let to = if from == Square::S11 { Square::S12 } else { Square::S11 };
            places.push(place(Move::new(from, to)));
        }
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), ORIGINS);
        assert!(places.into_iter().all(|place| place < MOVES));
    }

    #[test]
    fn what_is_learned_is_kept_apart() {
        let butterfly = Butterfly::new();
        let m = Move::drop(PieceKind::Gold, Square::S99);
        butterfly.update(Color::White, m, 1_000);
        assert_eq!(butterfly.get(Color::White, m), 1_000);
        assert_eq!(butterfly.get(Color::Black, m), 0);
        butterfly.fade();
        assert_eq!(butterfly.get(Color::White, m), 500);

        let low_ply = LowPly::new();
        low_ply.update(0, m, 100);
        low_ply.update(LowPly::PLIES, m, 100);
        assert_eq!([0, 1, LowPly::PLIES].map(|ply| low_ply.get(ply, m)), [100, 0, 0]);
        low_ply.clear();
        assert_eq!(low_ply.get(0, m), 0);
    }
}
