//! The squares that the attacker's next check would leave to the king.

use komadai_core::{Bitboard, Hand, PieceKind, attacks};

use super::surroundings::{Surroundings, near_len};

/// The smallest numbers of squares that are left to the king after a safe check of each sort, found
/// without generating moves. `None` without such a check.
///
/// A check is safe if the king's side cannot capture the checking piece, but for pins. Replies
/// other than moves of the king are not considered.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Escapes {
    /// After the drop of a gold next to the king, whether the attacker holds one or not.
    pub(crate) gold: Option<u32>,
    /// Number of squares for that drop.
    pub(crate) gold_squares: u32,
    /// After the drop of a silver, whether the attacker holds one or not.
    pub(crate) silver: Option<u32>,
    /// After a move of a piece on the board to a square next to the king.
    pub(crate) moved: Option<u32>,
    /// Number of those moves; a move with and without promotion counts twice.
    pub(crate) moves: u32,
    /// After the drop of a knight, a rook, a bishop in the attacker's hand.
    pub(crate) knight: Option<u32>,
    pub(crate) rook: Option<u32>,
    pub(crate) bishop: Option<u32>,
    /// True if a lance in hand can be dropped as a safe check.
    pub(crate) lance: bool,
}

impl Escapes {
    pub(crate) fn of(around: &Surroundings, hand: Hand) -> Self {
        let mut found = Self::default();
        found.add_contact_drops(around);
        found.add_moves(around);
        found.add_distant_drops(around, hand);
        found
    }

    /// Golds and silvers on squares next to the king that the attacker supports.
    fn add_contact_drops(&mut self, around: &Surroundings) {
        let empty = Bitboard::ALL - around.occupied;
        let targets = around.zone & around.attacked[0] & empty & around.unguarded();
        let (us, them) = (!around.attacker, around.attacker);
        for square in attacks::gold(us, around.king) & targets {
            self.gold_squares += 1;
            let left = left(around, around.attacked[0], attacks::gold(them, square), square.into());
            lower(&mut self.gold, left);
        }
        for square in attacks::silver(us, around.king) & targets {
            let reach = attacks::silver(them, square);
            lower(&mut self.silver, left(around, around.attacked[0], reach, square.into()));
        }
    }

    /// Pieces on the board that move next to the king and are supported there.
    fn add_moves(&mut self, around: &Surroundings) {
        let king: Bitboard = around.king.into();
        let targets = around.zone
            & around.unguarded()
            & ((around.attacked[1] | around.backed) - around.enemies);
        if targets.is_empty() {
            return;
        }
        let far = Bitboard::far_ranks(around.attacker, 3);
        for attacker in around.attackers() {
            // The squares that this piece alone attacks are no longer attacked after its move.
            let others = around.attacked[0] - (attacker.reach - around.attacked[1]);
            for to in attacker.reach & targets {
                let promoted = attacker.kind.promoted();
                let promoted =
                    promoted.filter(|_| far.contains(to) || far.contains(attacker.square));
                for kind in promoted.into_iter().chain([attacker.kind]) {
                    let to_set: Bitboard = to.into();
                    let occupied = (around.occupied - attacker.square.into() - king) | to_set;
                    let reach = attacks::of(around.attacker, kind, to, occupied);
                    if reach.contains(around.king) {
                        self.moves += 1;
                        lower(&mut self.moved, left(around, others, reach, to_set));
                    }
                }
            }
        }
    }

    /// Pieces in hand that check from squares where the king cannot capture them.
    fn add_distant_drops(&mut self, around: &Surroundings, hand: Hand) {
        let us = !around.attacker;
        let king: Bitboard = around.king.into();
        let empty = (Bitboard::ALL - around.occupied) & around.unguarded();
        // Next to the king a piece needs support.
        let empty = empty - (around.zone - around.attacked[0]);
        let holds = |kind| hand.count(kind) > 0;
        if holds(PieceKind::Knight) && !(attacks::knight(us, around.king) & empty).is_empty() {
            self.knight = Some(near_len(around.free()));
        }
        let rook_lines = attacks::rook(around.king, around.occupied);
        self.lance = holds(PieceKind::Lance)
            && !(rook_lines & attacks::lance_line(us, around.king) & empty).is_empty();
        if holds(PieceKind::Rook) {
            for square in rook_lines & empty {
                let reach = attacks::rook(square, around.occupied - king);
                lower(&mut self.rook, left(around, around.attacked[0], reach, square.into()));
            }
        }
        if holds(PieceKind::Bishop) {
            for square in attacks::bishop(around.king, around.occupied) & empty {
                let reach = attacks::bishop(square, around.occupied - king);
                lower(&mut self.bishop, left(around, around.attacked[0], reach, square.into()));
            }
        }
    }
}

/// Returns the number of squares left to the king if the attacker attacks two sets of squares and
/// stands on `taken`.
fn left(around: &Surroundings, attacked: Bitboard, reach: Bitboard, taken: Bitboard) -> u32 {
    near_len(around.zone - around.own - attacked - reach - taken)
}

fn lower(least: &mut Option<u32>, found: u32) {
    *least = Some(least.map_or(found, |least| least.min(found)));
}
