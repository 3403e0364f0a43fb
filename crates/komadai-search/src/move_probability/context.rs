//! The facts about a position and its moves from which models of move probabilities take their
//! features.

use komadai_core::{Bitboard, CheckInfo, Color, Move, Piece, PieceKind, Position, Square, attacks};
use komadai_eval::AttackMap;
use komadai_movegen::exchange::{capture_value, exchange_value};
use komadai_movegen::{MoveGen as _, gives_check};

/// Number of ways to move a piece: 7 drops, 14 moves without and 6 with promotion.
pub(super) const MOVERS: usize = 27;

/// Returns the number of the way in which a piece of `kind` moves.
fn mover(m: Move, kind: PieceKind) -> usize {
    match m.dropped() {
        Some(kind) => kind as usize,
        None if m.is_promotion() => 7 + PieceKind::COUNT + (kind as usize).min(5),
        None => 7 + kind as usize,
    }
}

/// The cheapest attacker of a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(usize)]
pub(super) enum Attacker {
    None,
    Pawn,
    /// A lance or a knight.
    Minor,
    /// A silver, a gold, or a piece that moves as a gold.
    General,
    /// A bishop or a rook, promoted or not.
    Slider,
    King,
}

impl Attacker {
    pub(super) const COUNT: usize = 6;

    /// Returns whether the attacker is worth less than a piece of `kind`.
    pub(super) fn is_cheaper_than(self, kind: PieceKind) -> bool {
        // The values between those of the classes.
        let least = match self {
            Self::None | Self::King => return false,
            Self::Pawn => 150,
            Self::Minor => 400,
            Self::General => 700,
            Self::Slider => return false,
        };
        exchange_value(kind) >= least
    }
}

/// The move that led to a position.
#[derive(Debug, Clone, Copy)]
pub(super) struct LastMove {
    pub(super) to: Square,
    pub(super) mover: usize,
    pub(super) captured: bool,
}

/// The facts that all moves of a position share.
pub(super) struct MoveContext<'a> {
    pub(super) position: &'a Position,
    pub(super) us: Color,
    pub(super) occupied: Bitboard,
    info: CheckInfo,
    pub(super) own: AttackMap,
    pub(super) enemy: AttackMap,
    pub(super) own_king: Option<Square>,
    pub(super) enemy_king: Option<Square>,
    pub(super) own_king_zone: Bitboard,
    pub(super) enemy_king_zone: Bitboard,
    /// The squares that sliding pieces of either side reach.
    pub(super) own_lines: Bitboard,
    pub(super) enemy_lines: Bitboard,
    pub(super) last: Option<LastMove>,
    /// The destination of the own move before, and the way in which the piece moved.
    pub(super) own_last: Option<(Square, usize)>,
}

impl<'a> MoveContext<'a> {
    pub(super) fn new(position: &'a Position) -> Self {
        let us = position.side();
        let kings = [us, !us].map(|color| position.king_square(color));
        let zones = kings.map(|king| king.map_or(Bitboard::EMPTY, attacks::king));
        let current = position.current();
        let moved = |m: Move, piece: Option<Piece>| {
            let after = piece?.kind();
            Some(mover(m, if m.is_promotion() { after.unpromoted() } else { after }))
        };
        let last = current.last_move().and_then(|m| {
            let captured = current.captured().is_some();
            let mover = moved(m, position.piece_on(m.to()))?;
            Some(LastMove { to: m.to(), mover, captured })
        });
        let own_last = position.history().last().and_then(|ply| {
            let m = ply.last_move()?;
            // The last move may have captured the piece.
            let taken = last.is_some_and(|last| last.to == m.to());
            let piece = if taken { current.captured() } else { position.piece_on(m.to()) };
            Some((m.to(), moved(m, piece)?))
        });
        Self {
            position,
            us,
            occupied: position.occupied(),
            info: CheckInfo::new(position),
            own: AttackMap::new(position, us),
            enemy: AttackMap::new(position, !us),
            own_king: kings[0],
            enemy_king: kings[1],
            own_king_zone: zones[0],
            enemy_king_zone: zones[1],
            own_lines: lines(position, us),
            enemy_lines: lines(position, !us),
            last,
            own_last,
        }
    }

    /// Returns the square as the side to move sees it.
    pub(super) fn view(&self, square: Square) -> usize {
        match self.us {
            Color::Black => square.index(),
            Color::White => Square::COUNT - 1 - square.index(),
        }
    }

    /// Returns the cheapest piece of the opponent that attacks a square.
    pub(super) fn attacker(&self, square: Square) -> Attacker {
        if !self.enemy.once().contains(square) {
            let by_king = self.enemy_king_zone.contains(square);
            return if by_king { Attacker::King } else { Attacker::None };
        }
        if self.enemy.by_pawn().contains(square) {
            Attacker::Pawn
        } else if self.enemy.by_minor().contains(square) {
            Attacker::Minor
        } else if self.enemy.by_general().contains(square) {
            Attacker::General
        } else {
            Attacker::Slider
        }
    }

    /// Returns the facts about a legal move.
    pub(super) fn facts(&self, m: Move) -> MoveFacts {
        let position = self.position;
        let to = m.to();
        let from = m.from();
        let piece = from.and_then(|from| position.piece_on(from)).map(|piece| piece.kind());
        let kind = piece.or(m.dropped()).unwrap_or(PieceKind::Pawn);
        let after = if m.is_promotion() { kind.promoted().unwrap_or(kind) } else { kind };
        let captured = position.piece_on(to).map(|piece| piece.kind());
        let attacker = self.attacker(to);
        let exchange = match attacker {
            // Nothing takes, so the exchange need not be played out.
            Attacker::None => {
                captured.map_or(0, capture_value) + exchange_value(after) - exchange_value(kind)
            }
            _ => position.see(m),
        };
        let zone = self.own_king_zone;
        let map = &self.own;
        // A piece does not guard the square that it moves to. The king is in no attack map.
        let (guards_once, guards_twice) = match from {
            Some(_) if kind == PieceKind::King => (map.once().contains(to), false),
            Some(_) => (map.twice().contains(to) || zone.contains(to), false),
            None => (map.once().contains(to) || zone.contains(to), map.twice().contains(to)),
        };
        let threat = from.map_or(Attacker::None, |from| self.attacker(from));
        let is_guarded = from.is_some_and(|from| map.once().contains(from) || zone.contains(from));
        MoveFacts {
            to,
            from,
            kind,
            after,
            mover: mover(m, kind),
            is_promotion: m.is_promotion(),
            captured,
            attacker,
            exchange,
            guards: usize::from(guards_once) + usize::from(guards_twice),
            threat,
            is_guarded,
            is_in_danger: kind != PieceKind::King
                && threat != Attacker::None
                && (!is_guarded || threat.is_cheaper_than(kind)),
            gives_check: gives_check(position, &self.info, m),
            is_direct_check: self.info.check_squares(after).contains(to),
            reach: attacks::of(self.us, after, to, self.occupied),
        }
    }
}

/// Returns the squares that the sliding pieces of `color` reach.
fn lines(position: &Position, color: Color) -> Bitboard {
    let occupied = position.occupied();
    let of = |kind| position.pieces(color, kind);
    let bishops = of(PieceKind::Bishop) | of(PieceKind::Horse);
    let rooks = of(PieceKind::Rook) | of(PieceKind::Dragon);
    let mut lines = Bitboard::EMPTY;
    for square in of(PieceKind::Lance) {
        lines |= attacks::lance(color, square, occupied);
    }
    for square in bishops {
        lines |= attacks::bishop(square, occupied);
    }
    for square in rooks {
        lines |= attacks::rook(square, occupied);
    }
    lines
}

/// The facts about a move.
pub(super) struct MoveFacts {
    pub(super) to: Square,
    pub(super) from: Option<Square>,
    /// The kind before and after the move.
    pub(super) kind: PieceKind,
    pub(super) after: PieceKind,
    /// The way in which the piece moves, below [`MOVERS`].
    pub(super) mover: usize,
    pub(super) is_promotion: bool,
    pub(super) captured: Option<PieceKind>,
    /// The cheapest attacker of the destination.
    pub(super) attacker: Attacker,
    /// The result of the exchange on the destination, in centipawns.
    pub(super) exchange: i32,
    /// The number of guards of the destination besides the piece itself, up to two.
    pub(super) guards: usize,
    /// The cheapest attacker of the origin.
    pub(super) threat: Attacker,
    /// Another piece guards the origin.
    pub(super) is_guarded: bool,
    /// The piece is attacked where it stands, without a guard or by a cheaper piece.
    pub(super) is_in_danger: bool,
    pub(super) gives_check: bool,
    /// The moved piece itself gives check.
    pub(super) is_direct_check: bool,
    /// The squares that the piece attacks from its destination.
    pub(super) reach: Bitboard,
}

impl MoveFacts {
    /// Returns whether the move loses no material on its destination.
    pub(super) fn is_safe(&self) -> bool {
        self.exchange >= 0
    }

    /// Returns whether the piece could promote and does not.
    pub(super) fn stays_unpromoted(&self, us: Color) -> bool {
        let in_zone = |square: Square| square.is_promotion_zone(us);
        !self.is_promotion
            && self.kind.can_promote()
            && self.from.is_some_and(|from| in_zone(from) || in_zone(self.to))
    }
}
