//! Threats (脅威): own pieces that the opponent could take at a gain.
//!
//! A single threat can be parried. Of two, one stays (KFEnd's "double threat"): so the second largest
//! counts by itself.

use komadai_core::{Bitboard, Color, PieceKind, Position, attacks};

use crate::attack_map::AttackMap;

/// A piece that can be taken at a gain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Threat {
    pub(crate) kind: PieceKind,
    /// Nothing guards it, or else something cheaper attacks it.
    pub(crate) undefended: bool,
    /// Roughly what the opponent gains, in centipawns.
    pub(crate) gain: i32,
}

/// `[kind]`, centipawns: what taking it is worth, promotion lost and piece in hand gained.
const TAKEN: [i32; PieceKind::COUNT] =
    [200, 600, 700, 1_000, 1_600, 2_000, 1_100, 0, 700, 950, 1_000, 1_100, 2_000, 2_400];

/// What an attacker at most costs when it is taken back: a pawn, a lance or knight, a general.
const BY_PAWN: i32 = 200;
const BY_MINOR: i32 = 600;
const BY_GENERAL: i32 = 1_000;

/// Tells `visit` every threat to a piece of `color`.
#[inline]
pub(crate) fn visit(
    position: &Position,
    color: Color,
    own: &AttackMap,
    enemy: &AttackMap,
    mut visit: impl FnMut(Threat),
) {
    let pieces = position.color(color);
    let of = |kind| position.kind(kind);
    let king_guards = position.king_square(color).map_or(Bitboard::EMPTY, attacks::king);
    let guarded = own.once | king_guards;
    let rooks = of(PieceKind::Rook) | of(PieceKind::Dragon);
    let big = rooks | of(PieceKind::Bishop) | of(PieceKind::Horse);
    let small = of(PieceKind::Pawn) | of(PieceKind::King);
    let minor = of(PieceKind::Lance) | of(PieceKind::Knight);
    let cheaply =
        (enemy.by_pawn - small) | (enemy.by_minor - small - minor) | enemy.by_general & big;
    let threatened = pieces & ((enemy.once - guarded - of(PieceKind::King)) | cheaply);
    for square in threatened {
        let Some(piece) = position.piece_on(square) else { continue };
        let kind = piece.kind();
        let undefended = !guarded.contains(square);
        let cost = if undefended {
            0
        } else if enemy.by_pawn.contains(square) {
            BY_PAWN
        } else if enemy.by_minor.contains(square) {
            BY_MINOR
        } else {
            BY_GENERAL
        };
        visit(Threat { kind, undefended, gain: (TAKEN[kind] - cost).max(0) });
    }
}

/// The two largest gains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Largest {
    first: i32,
    pub(crate) second: i32,
}

impl Largest {
    #[inline]
    pub(crate) fn add(&mut self, gain: i32) {
        self.second = self.second.max(gain.min(self.first));
        self.first = self.first.max(gain);
    }
}
