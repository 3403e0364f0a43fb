//! Doing moves and undoing them.
//!
//! Three rules for speed shape this file. First, it computes nothing that only some callers need:
//! pins, check squares and runs of checks are computed from the position on request. The keys of
//! parts of the board are the exception: a few instructions a move, against some hundred at each
//! evaluation of a search. Second, no field is read wider than it was just written, because such a
//! load waits until the store has reached the cache. Third, drops and board moves are two
//! functions, and what a ply stores is computed after the board has changed, so that few values
//! are alive at the same time: the registers suffice.

use super::{Ply, Position};
use crate::attacks;
use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::moves::Move;
use crate::observer::{BoardObserver, NoObserver};
use crate::piece::{Piece, PieceKind};
use crate::square::Square;
use crate::zobrist::{self, Keys};

impl Position {
    /// Does a legal move, without checking that it is legal.
    ///
    /// For moves of users, files and other programs, `try_move` of
    /// [`komadai-movegen`](https://docs.rs/komadai-movegen) checks the move first and returns the
    /// rule that it breaks.
    ///
    /// # Panics
    ///
    /// Debug builds panic if the piece of `m` cannot go to its destination: an empty origin, a
    /// piece that does not move so, an empty hand. Release builds, for speed, panic only if no move
    /// can be made at all; otherwise an illegal move leaves a meaningless (but memory-safe)
    /// position.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Move, Position, Square};
    ///
    /// let mut position = Position::hirate();
    /// position.do_move(Move::new(Square::S77, Square::S76));
    /// assert_eq!(position.undo_move(), Some(Move::new(Square::S77, Square::S76)));
    /// ```
    #[cfg_attr(debug_assertions, track_caller)]
    #[inline(always)]
    pub fn do_move(&mut self, m: Move) {
        self.do_move_with(m, &mut NoObserver);
    }

    /// Does a move and reports every change of the board to `observer`.
    ///
    /// # Panics
    ///
    /// Panics as [`do_move`](Self::do_move) does.
    #[cfg_attr(debug_assertions, track_caller)]
    #[inline(always)]
    pub fn do_move_with<O: BoardObserver>(&mut self, m: Move, observer: &mut O) {
        if cfg!(debug_assertions) {
            self.assert_reach(m);
        }
        if m.is_drop() {
            self.do_drop(m, observer);
        } else {
            self.do_board_move(m, observer);
        }
    }

    #[inline(always)]
    fn do_drop<O: BoardObserver>(&mut self, m: Move, observer: &mut O) {
        let us = self.side;
        let to = m.to();
        let piece = Piece::new(us, m.dropped_unchecked());
        let to_set = Bitboard::from_square(to);
        self.hands.remove(us, piece.kind());
        observer.hand_changed(us, self.hands.of(us));
        let checkers = self.checkers_after(us, piece.kind(), to, None);
        self.push(m, None, checkers, zobrist::keys(piece, to));
        self.side = !us;
        self.colors[us] ^= to_set;
        self.kinds[piece.kind()] ^= to_set;
        self.board[to] = Some(piece);
        observer.put(piece, to);
    }

    #[inline(always)]
    fn do_board_move<O: BoardObserver>(&mut self, m: Move, observer: &mut O) {
        let us = self.side;
        let (from, to) = (m.origin_unchecked(), m.to());
        let piece = self.board[from].expect("a move starts on a piece");
        let captured = self.board[to];
        let moved = if m.is_promotion() {
            Piece::new(us, piece.kind().promoted().expect("a promoting piece can promote"))
        } else {
            piece
        };
        let (from_set, to_set) = (Bitboard::from_square(from), Bitboard::from_square(to));
        self.board[from] = None;
        if let Some(taken) = captured {
            self.kinds[taken.kind()] ^= to_set;
            self.colors[!us] ^= to_set;
            self.hands.add(us, taken.kind());
            observer.removed(taken, to);
        }
        observer.removed(piece, from);
        self.board[to] = Some(moved);
        observer.put(moved, to);
        if captured.is_some() {
            observer.hand_changed(us, self.hands.of(us));
        }
        self.colors[us] ^= from_set ^ to_set;
        if m.is_promotion() {
            self.kinds[piece.kind()] ^= from_set;
            self.kinds[moved.kind()] ^= to_set;
        } else {
            self.kinds[piece.kind()] ^= from_set ^ to_set;
            if piece.kind() == PieceKind::King {
                self.kings[us] = Some(to);
            }
        }

        // What the ply stores comes last, when few other values occupy registers.
        let checkers = self.checkers_after(us, moved.kind(), to, Some(from));
        let mut keys = zobrist::keys(piece, from) ^ zobrist::keys(moved, to);
        if let Some(taken) = captured {
            keys = keys ^ zobrist::keys(taken, to);
        }
        self.push(m, captured, checkers, keys);
        self.side = !us;
    }

    /// Adds the ply after `m`, whose keys differ from those before by `change` and the side.
    #[inline(always)]
    fn push(&mut self, m: Move, captured: Option<Piece>, checkers: Bitboard, change: Keys) {
        let Ply { keys, reversible, .. } = *self.current();
        self.plies.push(Ply {
            checkers,
            keys: keys ^ change ^ Keys::SIDE,
            hands: self.hands,
            reversible: reversible.wrapping_add(1),
            last_move: Some(m),
            captured,
        });
    }

    /// The [`key`](Self::key) of the position after a legal move, without doing the move.
    ///
    /// A search uses it to prefetch the transposition-table entry of the next position while the
    /// move is still being done.
    #[inline]
    pub fn key_after(&self, m: Move) -> u64 {
        let us = self.side;
        let mut hands = self.hands;
        if m.is_drop() {
            hands.remove(us, m.dropped_unchecked());
        } else if let Some(taken) = self.board[m.to()] {
            hands.add(us, taken.kind());
        }
        self.board_key_after(m) ^ zobrist::hands(hands)
    }

    /// The [`board_key`](Self::board_key) of the position after a legal move, without doing the
    /// move.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Move, Position, Square};
    ///
    /// let position = Position::hirate();
    /// let m = Move::new(Square::S77, Square::S76);
    /// assert_eq!(position.board_key_after(m), position.after(m).board_key());
    /// ```
    #[inline]
    pub fn board_key_after(&self, m: Move) -> u64 {
        let us = self.side;
        let to = m.to();
        let mut key = self.board_key() ^ zobrist::SIDE;
        let moved = if m.is_drop() {
            Some(Piece::new(us, m.dropped_unchecked()))
        } else {
            let from = m.origin_unchecked();
            if let Some(taken) = self.board[to] {
                key ^= zobrist::piece(taken, to);
            }
            self.board[from].map(|piece| {
                key ^= zobrist::piece(piece, from);
                let promoted = piece.kind().promoted().filter(|_| m.is_promotion());
                promoted.map_or(piece, |kind| Piece::new(us, kind))
            })
        };
        key ^ moved.map_or(0, |moved| zobrist::piece(moved, to))
    }

    /// The checks against the opponent after `us` moved a piece, now of `kind`, to `to`.
    #[inline(always)]
    fn checkers_after(
        &self,
        us: Color,
        kind: PieceKind,
        to: Square,
        vacated: Option<Square>,
    ) -> Bitboard {
        let Some(king) = self.kings[!us] else { return Bitboard::EMPTY };
        // The opponent was not in check before the move, as such a position is invalid. Therefore
        // only the moved piece and a slider behind its origin can give check.
        let mut checkers = Bitboard::EMPTY;
        if attacks::relation(us, king, to).attacked_by(kind)
            && self.occupied().is_disjoint(attacks::between(king, to))
        {
            checkers = to.into();
        }
        if let Some(from) = vacated
            && attacks::relation(us, king, from).is_aligned()
        {
            let behind = attacks::ray(king, from) & self.sliders() & self.colors[us];
            if !behind.is_empty() {
                checkers |= self.attacking_sliders(us, king, behind);
            }
        }
        checkers
    }

    /// Those of `candidates`, sliders of `us` on lines through `king`, that reach it.
    fn attacking_sliders(&self, us: Color, king: Square, candidates: Bitboard) -> Bitboard {
        let occupied = self.occupied();
        candidates
            .iter()
            .filter(|&square| {
                let Some(piece) = self.board[square] else { return false };
                attacks::relation(us, king, square).attacked_by(piece.kind())
                    && occupied.is_disjoint(attacks::between(king, square))
            })
            .collect()
    }

    /// The pieces that attack along lines: lances, bishops, rooks, horses and dragons.
    #[inline]
    pub fn sliders(&self) -> Bitboard {
        self.kinds[PieceKind::Lance]
            | self.kinds[PieceKind::Bishop]
            | self.kinds[PieceKind::Rook]
            | self.kinds[PieceKind::Horse]
            | self.kinds[PieceKind::Dragon]
    }

    /// Undoes the last move or null move and returns it.
    ///
    /// Returns `None` for a null move, and at the start, where nothing has been done and nothing
    /// changes. [`history`](Self::history) tells the two apart: it is empty at the start.
    ///
    /// # Examples
    ///
    /// Back to the start of the game:
    ///
    /// ```
    /// use komadai_core::{Move, Position, Square};
    ///
    /// let mut position = Position::hirate();
    /// position.do_move(Move::new(Square::S77, Square::S76));
    /// position.do_move(Move::new(Square::S33, Square::S34));
    /// while let Some(m) = position.undo_move() {
    ///     println!("{m} taken back");
    /// }
    /// assert_eq!(position, Position::hirate());
    /// assert_eq!(position.undo_move(), None);
    /// ```
    #[inline(always)]
    pub fn undo_move(&mut self) -> Option<Move> {
        self.undo_move_with(&mut NoObserver)
    }

    /// Undoes the last move, as [`undo_move`](Self::undo_move) does, and reports every change of
    /// the board to `observer`.
    ///
    /// # Panics
    ///
    /// May panic after an illegal move, which leaves a meaningless position: see
    /// [`do_move`](Self::do_move). Panics in no other case.
    #[inline(always)]
    pub fn undo_move_with<O: BoardObserver>(&mut self, observer: &mut O) -> Option<Move> {
        // Compared with 2, not with 1, so that the accesses below need no test of their own.
        if self.plies.len() < 2 {
            return None;
        }
        let Ply { last_move, captured, .. } = *self.current();
        self.plies.truncate(self.plies.len() - 1);
        self.side = !self.side;
        let us = self.side;
        let m = last_move?;
        let to = m.to();
        let to_set = Bitboard::from_square(to);
        let moved = self.board[to].expect("the moved piece stands on its square");
        observer.removed(moved, to);
        self.board[to] = captured;
        if m.is_drop() {
            self.kinds[moved.kind()] ^= to_set;
            self.colors[us] ^= to_set;
            self.hands.add(us, moved.kind());
            observer.hand_changed(us, self.hands.of(us));
            return Some(m);
        }
        let from = m.origin_unchecked();
        let from_set = Bitboard::from_square(from);
        self.colors[us] ^= from_set ^ to_set;
        let piece = if m.is_promotion() {
            let piece = Piece::new(us, moved.kind().unpromoted());
            self.kinds[moved.kind()] ^= to_set;
            self.kinds[piece.kind()] ^= from_set;
            piece
        } else {
            self.kinds[moved.kind()] ^= from_set ^ to_set;
            if moved.kind() == PieceKind::King {
                self.kings[us] = Some(from);
            }
            moved
        };
        self.board[from] = Some(piece);
        observer.put(piece, from);
        if let Some(taken) = captured {
            self.kinds[taken.kind()] ^= to_set;
            self.colors[!us] ^= to_set;
            self.hands.remove(us, taken.kind());
            observer.put(taken, to);
            observer.hand_changed(us, self.hands.of(us));
        }
        Some(m)
    }

    /// Passes the turn. No rule of the game allows it; null-move pruning and threat detection use
    /// it.
    ///
    /// Positions before a null move never count as repetitions of those after it.
    ///
    /// # Panics
    ///
    /// Panics if the side to move is in check: the opponent could take its king.
    #[inline]
    pub fn do_null_move(&mut self) {
        assert!(!self.in_check(), "a side in check cannot pass");
        let keys = self.current().keys ^ Keys::SIDE;
        self.plies.push(Ply { keys, ..Ply::without_past(self.hands) });
        self.side = !self.side;
    }

    /// Undoes a null move. At the start, where nothing has been done, nothing changes.
    ///
    /// # Panics
    ///
    /// Debug builds panic if the last move was no null move.
    #[inline]
    pub fn undo_null_move(&mut self) {
        let undone = self.undo_move();
        debug_assert!(undone.is_none(), "the last move was a null move");
    }
}

impl Position {
    /// Panics if the piece of `m` cannot go to its destination. Rules that need a search of the
    /// board, such as checks and nifu, are not tested.
    #[cfg_attr(debug_assertions, track_caller)]
    #[inline(never)]
    pub(super) fn assert_reach(&self, m: Move) {
        if let Some(obstacle) = self.obstacle(m) {
            panic!("the move {m} cannot be done in {self}: {obstacle}");
        }
    }

    fn obstacle(&self, m: Move) -> Option<&'static str> {
        match (m.from(), m.dropped()) {
            (Some(from), _) => self.obstacle_from(from, m),
            (None, Some(kind)) if !self.hand(self.side).has(kind) => Some("no such piece in hand"),
            (None, _) if self.board[m.to()].is_some() => Some("the square of the drop is occupied"),
            (None, _) => None,
        }
    }

    fn obstacle_from(&self, from: Square, m: Move) -> Option<&'static str> {
        let us = self.side;
        let to = m.to();
        let Some(piece) = self.board[from].filter(|piece| piece.color() == us) else {
            return Some("no piece of the side to move on the origin");
        };
        if let Some(taken) = self.board[to] {
            if taken.color() == us {
                return Some("an own piece on the destination");
            }
            if taken.kind() == PieceKind::King {
                return Some("a king on the destination");
            }
        }
        if !attacks::of(us, piece.kind(), from, self.occupied()).contains(to) {
            return Some("the piece does not go there");
        }
        let ends: Bitboard = [from, to].into_iter().collect();
        let is_in_zone = !ends.is_disjoint(Bitboard::far_ranks(us, 3));
        let promotes = piece.kind().can_promote() && is_in_zone;
        (m.is_promotion() && !promotes).then_some("no promotion there")
    }
}
