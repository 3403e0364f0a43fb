//! The tables of weights of [`SoftmaxMoves`](super::softmax::SoftmaxMoves), one after another in
//! one array.

use komadai_core::{PieceKind, Square};

use super::context::{Attacker, MOVERS};

/// Number of phases of a game, by the pieces in hand.
pub(super) const PHASES: usize = 3;
/// Differences of files and of ranks between two squares, −8 to 8 each.
pub(super) const OFFSETS: usize = 17 * 17;
/// The same with left and right exchanged where that makes the difference of files positive.
pub(super) const MIRRORED: usize = 9 * 17;
/// Squares around a destination whose contents count.
pub(super) const AROUND: usize = 12;
/// Contents of a square: empty, a piece of either side, or beyond the board.
pub(super) const CONTENTS: usize = 2 * PieceKind::COUNT + 2;
/// Classes of the result of an exchange.
pub(super) const EXCHANGES: usize = 12;

/// Sets of kinds in hand.
pub(super) const HANDS: usize = 1 << 7;
/// Classes of the number of attacked squares next to a king.
pub(super) const DANGERS: usize = 5;
/// Relations of a move to the most valuable piece at risk.
pub(super) const RELATIONS: usize = 6;

/// Numbers of squares that a piece reaches, from 0 to the most of a dragon.
pub(super) const MOBILITIES: usize = 21;

const KINDS: usize = PieceKind::COUNT;

/// A table of weights; a move has at most a few entries of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum Table {
    To,
    From,
    ToOwnKing,
    ToEnemyKing,
    FromOwnKing,
    FromEnemyKing,
    Around,
    Attacked,
    Escape,
    Capture,
    Exchange,
    Check,
    CheckFrom,
    Evasion,
    LastOffset,
    LastKind,
    OwnOffset,
    SamePiece,
    Threat,
    Guard,
    EnemyKingZone,
    OwnKingZone,
    Lines,
    Unpromoted,
    InHand,
    AroundFrom,
    FromTo,
    OwnRook,
    EnemyRook,
    OwnKind,
    Fork,
    OwnHand,
    EnemyHand,
    OwnKingDanger,
    EnemyKingDanger,
    AtRisk,
    Mobility,
    MobilityBefore,
    Unguard,
    LeavesLine,
    LastMoverOffset,
    OpeningKing,
}

/// The name of each table, which states its dimensions, and its length.
pub(super) const TABLES: [(&str, usize); 42] = [
    ("to: phase, way to move, destination", PHASES * MOVERS * Square::COUNT),
    ("from: phase, kind, origin", PHASES * KINDS * Square::COUNT),
    ("to-own-king: way to move, offset mirrored", MOVERS * MIRRORED),
    ("to-enemy-king: way to move, offset mirrored", MOVERS * MIRRORED),
    ("from-own-king: kind, offset mirrored", KINDS * MIRRORED),
    ("from-enemy-king: kind, offset mirrored", KINDS * MIRRORED),
    ("around: way to move, place, contents", MOVERS * AROUND * CONTENTS),
    ("attacked: way to move, cheapest attacker, several, guards", MOVERS * Attacker::COUNT * 2 * 3),
    ("escape: kind, cheapest attacker, guarded, safe", KINDS * Attacker::COUNT * 2 * 2),
    ("capture: captured, kind, attacked, of the last move", KINDS * KINDS * 2 * 3),
    ("exchange: way to move, result", MOVERS * EXCHANGES),
    ("check: way to move, safe, adjacent or not direct", MOVERS * 2 * 3),
    ("check-from: way to move, offset from the king mirrored", MOVERS * MIRRORED),
    ("evasion: way to move, safe, captures", MOVERS * 2 * 2),
    ("last-offset: way to move, offset", MOVERS * OFFSETS),
    ("last-kind: last way to move, way to move, distance", MOVERS * MOVERS * 4),
    ("own-offset: same piece, offset", 2 * OFFSETS),
    ("same-piece: kind", KINDS),
    ("threat: kind, target, guarded, attacked before, safe", KINDS * KINDS * 2 * 2 * 2),
    ("guard: kind, target, attacker is a pawn", KINDS * KINDS * 2),
    ("enemy-king-zone: squares attacked, safe, drop", 9 * 2 * 2),
    ("own-king-zone: squares guarded, drop", 9 * 2),
    ("lines: opens an own one, blocks an own one, blocks an enemy one", 3 * MOVERS),
    ("unpromoted: kind", KINDS),
    ("in-hand: kind, count", 7 * 3),
    ("around-from: kind, place, contents", KINDS * AROUND * CONTENTS),
    ("from-to: origin, destination", Square::COUNT * Square::COUNT),
    ("own-rook: way to move, offset mirrored", MOVERS * MIRRORED),
    ("enemy-rook: way to move, offset mirrored", MOVERS * MIRRORED),
    ("own-kind: own way to move before, way to move, distance", MOVERS * MOVERS * 4),
    ("fork: way to move, targets, safe", MOVERS * 3 * 2),
    ("own-hand: way to move, kinds in hand", MOVERS * HANDS),
    ("enemy-hand: way to move, kinds in hand", MOVERS * HANDS),
    ("own-king-danger: attacked squares, way to move, distance", DANGERS * MOVERS * 4),
    ("enemy-king-danger: attacked squares, way to move, distance", DANGERS * MOVERS * 4),
    ("at-risk: kind at risk, relation, way to move, safe", (KINDS + 1) * RELATIONS * MOVERS * 2),
    ("mobility: kind, squares reached", KINDS * MOBILITIES),
    ("mobility-before: kind, squares reached", KINDS * MOBILITIES),
    ("unguard: kind, piece left", KINDS * KINDS),
    ("leaves-line: way to move", MOVERS),
    ("last-mover-offset: last way to move, offset", MOVERS * OFFSETS),
    ("opening-king: way to move, offset from the own king mirrored", MOVERS * MIRRORED),
];

/// The number of weights.
pub(super) const COUNT: usize = starts()[TABLES.len()];

const fn starts() -> [usize; TABLES.len() + 1] {
    let mut starts = [0; TABLES.len() + 1];
    let mut table = 0;
    while table < TABLES.len() {
        starts[table + 1] = starts[table] + TABLES[table].1;
        table += 1;
    }
    starts
}

const STARTS: [usize; TABLES.len() + 1] = starts();

impl Table {
    /// Returns the number of the weight at `entry`.
    #[inline]
    pub(super) fn at(self, entry: usize) -> usize {
        debug_assert!(entry < TABLES[self as usize].1, "{self:?} has no entry {entry}");
        STARTS[self as usize] + entry
    }
}
