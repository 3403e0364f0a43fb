//! Generation of the moves that give check (王手).
//!
//! A move gives check directly, from one of the few squares from which the moved piece attacks the
//! king, or by opening a line for a piece behind it. Both are sets that are known before any move
//! is written. The cost therefore depends on the number of checks and of sliders, not on the number
//! of legal moves.

use std::cell::OnceCell;
use std::ops::ControlFlow;

use komadai_core::{Bitboard, Color, PieceKind, Position, Square, attacks};

use crate::king_danger::danger_of;
use crate::sink::{MoveSink, Promotion};
use crate::uchifuzume::is_pawn_drop_mate;

/// Writes every legal move that gives check; `ALL` has the meaning of
/// [`legal`](crate::generate::legal).
pub(crate) fn checks<const ALL: bool, S: MoveSink>(
    position: &Position,
    sink: &mut S,
) -> ControlFlow<()> {
    checks_that::<ALL, S>(position, Useful::ALL, sink)
}

/// The checks that a caller looks for; others may be written as well.
#[derive(Clone, Copy)]
pub(crate) struct Useful {
    /// The destinations of pieces that open no line for a slider of their own side.
    pub(crate) to: Bitboard,
    /// The squares that a dropped piece must attack.
    pub(crate) covering: Bitboard,
    /// True if a dropped pawn is useful.
    pub(crate) pawn_drops: bool,
}

impl Useful {
    /// Every check.
    pub(crate) const ALL: Self =
        Self { to: Bitboard::ALL, covering: Bitboard::EMPTY, pawn_drops: true };
}

/// Writes the legal moves that give check, without those that are not `useful` where a set
/// excludes them.
pub(crate) fn checks_that<const ALL: bool, S: MoveSink>(
    position: &Position,
    useful: Useful,
    sink: &mut S,
) -> ControlFlow<()> {
    let us = position.side();
    let Some(target) = position.king_square(!us) else { return ControlFlow::Continue(()) };
    let discoverers = position.blockers(us, target) & position.color(us);
    let own_king = position.king_square(us);
    if let Some(king) = own_king
        && discoverers.contains(king)
    {
        // A king that stands between an own slider and the other king checks by leaving the line.
        let steps = attacks::king(king) - position.color(us) - attacks::line_through(king, target);
        let occupied = position.occupied() - king.into();
        let danger = danger_of(us, position, king, occupied);
        sink.moves(king, steps - danger, Promotion::Stay)?;
    }
    let mut to = Bitboard::ALL - position.color(us);
    let mut empty = Bitboard::ALL - position.occupied();
    if let (Some(king), Some(checker)) = (own_king, position.checkers().first()) {
        if position.checkers().has_many() {
            return ControlFlow::Continue(());
        }
        let between = attacks::between(king, checker);
        to &= between | checker.into();
        empty &= between;
    }
    let generator = Checks::<ALL> {
        position,
        us,
        target,
        own_king,
        bishop: attacks::bishop(target, position.occupied()),
        rook: attacks::rook(target, position.occupied()),
        discoverers,
        pinned: OnceCell::new(),
        to,
        useful,
    };
    generator.drops(empty & useful.to, sink)?;
    generator.board_moves(sink)
}

struct Checks<'a, const ALL: bool> {
    position: &'a Position,
    us: Color,
    /// The king to check.
    target: Square,
    own_king: Option<Square>,
    /// The squares from which a bishop and a rook give check.
    bishop: Bitboard,
    rook: Bitboard,
    /// The own pieces that uncover a check when they leave their line.
    discoverers: Bitboard,
    /// The own pieces that may only move along the line to their king, computed at the first use.
    pinned: OnceCell<Bitboard>,
    /// The allowed destinations of board moves, except those of the king.
    to: Bitboard,
    useful: Useful,
}

/// `[color][count]`: this number of ranks on the far side of a colour.
static FAR_RANKS: [[Bitboard; 4]; 2] = {
    let mut ranks = [[Bitboard::EMPTY; 4]; 2];
    let mut count = 1;
    while count < 4 {
        ranks[0][count] = Bitboard::far_ranks(Color::Black, count);
        ranks[1][count] = Bitboard::far_ranks(Color::White, count);
        count += 1;
    }
    ranks
};

/// The squares from which a single move can give check without opening a line, by kind of piece.
struct Near {
    /// For pieces that step: their destination is next to the king.
    step: Bitboard,
    /// For a knight: its destination is two ranks off, or next to the king if it promotes.
    knight: Bitboard,
    /// For a lance: its destination is on the king's file, or next to the king if it promotes.
    lance: Bitboard,
}

static NEAR: [Near; Square::COUNT] = {
    const NOWHERE: Near =
        Near { step: Bitboard::EMPTY, knight: Bitboard::EMPTY, lance: Bitboard::EMPTY };
    let mut near = [NOWHERE; Square::COUNT];
    let mut king = 0;
    while king < Square::COUNT {
        let mut s = 0;
        while s < Square::COUNT {
            let files = (king / 9).abs_diff(s / 9);
            let ranks = (king % 9).abs_diff(s % 9);
            let square = Bitboard::from_square(Square::ALL[s]);
            if files <= 2 && ranks <= 2 {
                near[king].step = near[king].step.union(square);
            }
            if files <= 2 && ranks <= 4 {
                near[king].knight = near[king].knight.union(square);
            }
            if files <= 1 {
                near[king].lance = near[king].lance.union(square);
            }
            s += 1;
        }
        king += 1;
    }
    near
};

impl<const ALL: bool> Checks<'_, ALL> {
    /// Writes the board moves with one loop for each kind.
    ///
    /// The attack function is then known at compile time, which saves a jump by kind for each piece
    /// that the processor cannot predict.
    #[inline(always)]
    fn board_moves<S: MoveSink>(&self, sink: &mut S) -> ControlFlow<()> {
        use PieceKind::{Bishop, Dragon, Gold, Horse, Knight, Lance, Pawn, Rook, Silver};
        let near = &NEAR[self.target];
        let opening = self.discoverers;
        let of = |kind| self.position.kind(kind);
        self.moves_of(Pawn, of(Pawn) & (near.step | opening), sink)?;
        self.moves_of(Lance, of(Lance) & (near.lance | opening), sink)?;
        self.moves_of(Knight, of(Knight) & (near.knight | opening), sink)?;
        self.moves_of(Silver, of(Silver) & (near.step | opening), sink)?;
        self.moves_of(Gold, self.position.gold_movers() & (near.step | opening), sink)?;
        self.moves_of(Bishop, of(Bishop), sink)?;
        self.moves_of(Rook, of(Rook), sink)?;
        self.moves_of(Horse, of(Horse), sink)?;
        self.moves_of(Dragon, of(Dragon), sink)
    }

    /// Writes the checks of the own pieces among `pieces`, all of which move like `kind`.
    #[inline(always)]
    fn moves_of<S: MoveSink>(
        &self,
        kind: PieceKind,
        pieces: Bitboard,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let direct = self.check_squares(kind);
        let promoting = kind.promoted().map_or(Bitboard::EMPTY, |kind| self.check_squares(kind));
        for from in pieces & self.position.color(self.us) {
            let mut opened = Bitboard::EMPTY;
            if self.discoverers.contains(from) {
                opened = !attacks::line_through(self.target, from);
            }
            let to = attacks::of(self.us, kind, from, self.position.occupied()) & self.to;
            let to = to & (direct | promoting | opened);
            if !to.is_empty() {
                let stay = (direct | opened) - self.without_promotion(kind, from);
                let promote = if kind.can_promote() { promoting | opened } else { Bitboard::EMPTY };
                self.write(from, [to & stay, to & promote], sink)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Writes the checks of a piece, without and with promotion; few pieces have any, so that this
    /// code is not repeated for each kind.
    #[inline(never)]
    fn write<S: MoveSink>(
        &self,
        from: Square,
        [stay, promote]: [Bitboard; 2],
        sink: &mut S,
    ) -> ControlFlow<()> {
        let mut to = Bitboard::ALL;
        if !(stay | promote).is_subset(self.useful.to) && !self.may_open_a_line(from) {
            to = self.useful.to;
        }
        if let Some(king) = self.own_king
            && self.pinned(king).contains(from)
        {
            to &= attacks::line_through(king, from);
        }
        sink.moves(from, stay & to, Promotion::Stay)?;
        let zone = FAR_RANKS[self.us][3];
        let reach = if zone.contains(from) { Bitboard::ALL } else { zone };
        sink.moves(from, promote & to & reach, Promotion::Promote)
    }

    /// The squares from which a piece of `kind` gives check.
    #[inline(always)]
    fn check_squares(&self, kind: PieceKind) -> Bitboard {
        use PieceKind::{
            Bishop, Dragon, Gold, Horse, King, Knight, Lance, Pawn, ProKnight, ProLance, ProPawn,
            ProSilver, Rook, Silver,
        };
        // A piece attacks the king from the squares that the same piece of the other side, standing
        // on the king's square, would attack.
        let (them, king) = (!self.us, self.target);
        match kind {
            Pawn => attacks::pawn(them, king),
            Lance => self.rook & attacks::lance_line(them, king),
            Knight => attacks::knight(them, king),
            Silver => attacks::silver(them, king),
            Gold | ProPawn | ProLance | ProKnight | ProSilver => attacks::gold(them, king),
            Bishop => self.bishop,
            Rook => self.rook,
            Horse => self.bishop | attacks::king(king),
            Dragon => self.rook | attacks::king(king),
            King => Bitboard::EMPTY,
        }
    }

    /// Returns whether an own slider may stand behind a piece on `from`, seen from any direction.
    #[inline]
    fn may_open_a_line(&self, from: Square) -> bool {
        let lines = attacks::rook_lines(from) | attacks::bishop_lines(from);
        !lines.is_disjoint(self.position.sliders() & self.position.color(self.us))
    }

    #[inline]
    fn pinned(&self, king: Square) -> Bitboard {
        let compute = || self.position.blockers(!self.us, king) & self.position.color(self.us);
        *self.pinned.get_or_init(compute)
    }

    /// The destinations on which a piece of `kind` from `from` must not, or need not, stay
    /// unpromoted.
    #[inline(always)]
    fn without_promotion(&self, kind: PieceKind, from: Square) -> Bitboard {
        match kind {
            PieceKind::Pawn => {
                if ALL {
                    FAR_RANKS[self.us][1]
                } else {
                    FAR_RANKS[self.us][3]
                }
            }
            PieceKind::Lance => {
                if ALL {
                    FAR_RANKS[self.us][1]
                } else {
                    FAR_RANKS[self.us][2]
                }
            }
            PieceKind::Knight => FAR_RANKS[self.us][2],
            PieceKind::Bishop | PieceKind::Rook if !ALL => {
                if FAR_RANKS[self.us][3].contains(from) {
                    Bitboard::ALL
                } else {
                    FAR_RANKS[self.us][3]
                }
            }
            _ => Bitboard::EMPTY,
        }
    }

    #[inline(always)]
    fn drops<S: MoveSink>(&self, empty: Bitboard, sink: &mut S) -> ControlFlow<()> {
        let hand = self.position.hand(self.us);
        if hand.is_empty() || empty.is_empty() {
            return ControlFlow::Continue(());
        }
        for kind in PieceKind::HAND {
            let mut squares = self.check_squares(kind) & empty;
            if !hand.has(kind) || squares.is_empty() {
                continue;
            }
            if kind == PieceKind::Pawn && !self.useful.pawn_drops {
                continue;
            }
            for square in self.useful.covering {
                squares &= self.may_attack(kind, square);
            }
            if !squares.is_empty() && self.may_drop(kind, squares) {
                sink.drops_of(kind, squares)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The squares from which a piece of `kind` in hand attacks `square` if nothing is between.
    #[inline(always)]
    fn may_attack(&self, kind: PieceKind, square: Square) -> Bitboard {
        match kind {
            PieceKind::Rook => attacks::rook_lines(square),
            PieceKind::Bishop => attacks::bishop_lines(square),
            PieceKind::Lance => attacks::lance_line(!self.us, square),
            _ => attacks::of(!self.us, kind, square, Bitboard::EMPTY),
        }
    }

    /// Returns whether the rules about dropped pawns allow these drops.
    ///
    /// The other kinds need no test: on a square from which it gives check, a piece can move.
    #[inline(always)]
    fn may_drop(&self, kind: PieceKind, squares: Bitboard) -> bool {
        // A pawn gives check from a single square, so that `squares` has one member.
        kind != PieceKind::Pawn
            || squares.is_disjoint(self.position.pieces(self.us, PieceKind::Pawn).files())
                && squares.first().is_some_and(|square| !is_pawn_drop_mate(self.position, square))
    }
}
