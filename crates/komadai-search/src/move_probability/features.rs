//! The features of [`SoftmaxMoves`](super::softmax::SoftmaxMoves): the entries of its tables that
//! belong to a move.

use komadai_core::{Bitboard, Color, Hand, Move, PieceKind, Position, Square, attacks};
use komadai_movegen::exchange::exchange_value;

use super::context::{Attacker, MOVERS, MoveContext, MoveFacts};
use super::tables::{
    AROUND, CONTENTS, DANGERS, EXCHANGES, HANDS, MIRRORED, MOBILITIES, OFFSETS, PHASES, RELATIONS,
    Table,
};

/// The least result of an exchange of each class but the first, in centipawns.
const EXCHANGE_LIMITS: [i32; EXCHANGES - 1] =
    [-1_200, -700, -350, -150, 0, 1, 150, 350, 700, 1_200, 2_000];

/// The board with two more ranks and one more file on each side.
const PADDED_FILE: usize = 13;
const PADDED: usize = 11 * PADDED_FILE;
const BEYOND: u8 = CONTENTS as u8 - 1;

/// The offsets of the squares around a destination, on the padded board: forward is negative.
const PLACES: [isize; AROUND] = [-1, 1, -13, 13, -14, -12, 12, 14, -2, 2, -15, 11];

/// The features of the moves of a position.
pub(super) struct Features<'a> {
    context: MoveContext<'a>,
    phase: usize,
    /// The contents of the squares as the side to move sees them.
    board: [u8; PADDED],
    /// Own pieces that are attacked and not guarded.
    loose: Bitboard,
    /// Own pieces that are attacked and guarded once.
    guarded_once: Bitboard,
    /// The most valuable own piece at risk, and the pieces that attack it.
    at_risk: Option<(Square, PieceKind, Bitboard)>,
    /// The rooks of both sides, if on the board.
    rooks: [Option<usize>; 2],
    hands: [usize; 2],
    dangers: [usize; 2],
}

impl<'a> Features<'a> {
    pub(super) fn new(position: &'a Position) -> Self {
        let context = MoveContext::new(position);
        let in_hand: u32 = Color::ALL.map(|color| position.hand(color).len()).iter().sum();
        let phase = match in_hand {
            0..=2 => 0,
            3..=7 => 1,
            _ => PHASES - 1,
        };
        let mut board = [BEYOND; PADDED];
        for square in Square::ALL {
            board[padded(context.view(square))] = match position.piece_on(square) {
                None => 0,
                Some(piece) if piece.color() == context.us => 1 + piece.kind() as u8,
                Some(piece) => 1 + PieceKind::COUNT as u8 + piece.kind() as u8,
            };
        }
        let guarded = context.own.once() | context.own_king_zone;
        let loose = (position.color(context.us) & context.enemy.once())
            - guarded
            - position.kind(PieceKind::King);
        let sides = [context.us, !context.us];
        let rook = |color| {
            let rooks = position.pieces(color, PieceKind::Rook);
            (rooks | position.pieces(color, PieceKind::Dragon)).first()
        };
        Self {
            phase,
            board,
            loose,
            guarded_once: position.color(context.us)
                & context.enemy.once()
                & (context.own.once() - context.own.twice() - context.own_king_zone),
            at_risk: at_risk(&context, loose),
            rooks: sides.map(|color| rook(color).map(|square| context.view(square))),
            hands: sides.map(|color| kinds_in(position.hand(color))),
            dangers: [
                danger(context.own_king_zone & context.enemy.once()),
                danger(context.enemy_king_zone & context.own.once()),
            ],
            context,
        }
    }

    /// Calls `add` with the number of each feature of a legal move; a number may come twice.
    #[inline]
    pub(super) fn each(&self, m: Move, add: &mut impl FnMut(usize)) {
        let facts = self.context.facts(m);
        self.places(&facts, add);
        self.state(&facts, add);
        self.material(&facts, add);
        self.attacks(&facts, add);
        self.history(&facts, add);
    }

    /// Origin and destination, and the pieces around it.
    #[inline]
    fn places(&self, facts: &MoveFacts, add: &mut impl FnMut(usize)) {
        let mover = facts.mover;
        let kind = facts.kind as usize;
        let to = self.context.view(facts.to);
        add(Table::To.at((self.phase * MOVERS + mover) * Square::COUNT + to));
        let kings = [self.context.own_king, self.context.enemy_king];
        let kings = kings.map(|king| king.map(|king| self.context.view(king)));
        if let Some(king) = kings[0] {
            let entry = mover * MIRRORED + mirrored(king, to);
            add(Table::ToOwnKing.at(entry));
            if self.phase == 0 {
                add(Table::OpeningKing.at(entry));
            }
        }
        if let Some(king) = kings[1] {
            add(Table::ToEnemyKing.at(mover * MIRRORED + mirrored(king, to)));
        }
        if let Some(from) = facts.from {
            let from = self.context.view(from);
            add(Table::From.at((self.phase * PieceKind::COUNT + kind) * Square::COUNT + from));
            if let Some(king) = kings[0] {
                add(Table::FromOwnKing.at(kind * MIRRORED + mirrored(king, from)));
            }
            if let Some(king) = kings[1] {
                add(Table::FromEnemyKing.at(kind * MIRRORED + mirrored(king, from)));
            }
            add(Table::FromTo.at(from * Square::COUNT + to));
            let centre = padded(from);
            for (place, offset) in PLACES.into_iter().enumerate() {
                let contents = self.board[centre.wrapping_add_signed(offset)];
                let place = kind * AROUND + place;
                add(Table::AroundFrom.at(place * CONTENTS + usize::from(contents)));
            }
        }
        for (rook, table) in self.rooks.into_iter().zip([Table::OwnRook, Table::EnemyRook]) {
            if let Some(rook) = rook {
                add(table.at(mover * MIRRORED + mirrored(rook, to)));
            }
        }
        let centre = padded(to);
        for (place, offset) in PLACES.into_iter().enumerate() {
            let contents = self.board[centre.wrapping_add_signed(offset)];
            add(Table::Around.at((mover * AROUND + place) * CONTENTS + usize::from(contents)));
        }
    }

    /// Pieces in hand, the danger for both kings, and for the most valuable piece at risk.
    #[inline]
    fn state(&self, facts: &MoveFacts, add: &mut impl FnMut(usize)) {
        let context = &self.context;
        let mover = facts.mover;
        add(Table::OwnHand.at(mover * HANDS + self.hands[0]));
        add(Table::EnemyHand.at(mover * HANDS + self.hands[1]));
        if let Some(king) = context.own_king {
            let entry = (self.dangers[0] * MOVERS + mover) * 4 + distance(king, facts.to);
            add(Table::OwnKingDanger.at(entry));
        }
        if let Some(king) = context.enemy_king {
            let entry = (self.dangers[1] * MOVERS + mover) * 4 + distance(king, facts.to);
            add(Table::EnemyKingDanger.at(entry));
        }
        let (kind, relation) = match self.at_risk {
            None => (0, RELATIONS - 1),
            Some((square, kind, attackers)) => {
                let relation = if facts.from == Some(square) {
                    0
                } else if attackers.contains(facts.to) {
                    1
                } else if facts.reach.contains(square) {
                    2
                } else if facts.gives_check {
                    3
                } else if facts.captured.is_some() {
                    4
                } else {
                    5
                };
                (1 + kind as usize, relation)
            }
        };
        let entry = (kind * RELATIONS + relation) * MOVERS + mover;
        add(Table::AtRisk.at(entry * 2 + usize::from(facts.is_safe())));
    }

    /// Captures, exchanges, promotions and drops.
    #[inline]
    fn material(&self, facts: &MoveFacts, add: &mut impl FnMut(usize)) {
        let mover = facts.mover;
        let kind = facts.kind as usize;
        let is_safe = usize::from(facts.is_safe());
        let result = EXCHANGE_LIMITS.iter().filter(|&&limit| facts.exchange >= limit).count();
        add(Table::Exchange.at(mover * EXCHANGES + result));
        if let Some(captured) = facts.captured {
            let attacked = usize::from(facts.attacker != Attacker::None);
            let of_last = match self.context.last {
                Some(last) if last.to == facts.to => 1 + usize::from(last.captured),
                _ => 0,
            };
            let pair = captured as usize * PieceKind::COUNT + kind;
            add(Table::Capture.at((pair * 2 + attacked) * 3 + of_last));
        }
        if facts.stays_unpromoted(self.context.us) {
            add(Table::Unpromoted.at(kind));
        }
        if facts.from.is_none() {
            let count = self.context.position.hand(self.context.us).count(facts.kind).clamp(1, 3);
            add(Table::InHand.at(mover * 3 + count as usize - 1));
        }
        if self.context.position.in_check() {
            let captures = usize::from(facts.captured.is_some());
            add(Table::Evasion.at((mover * 2 + is_safe) * 2 + captures));
        }
    }

    /// Attacks on the piece, and by it on its destination.
    #[inline]
    fn attacks(&self, facts: &MoveFacts, add: &mut impl FnMut(usize)) {
        let context = &self.context;
        let position = context.position;
        let mover = facts.mover;
        let kind = facts.kind as usize;
        let after = facts.after as usize;
        let is_safe = usize::from(facts.is_safe());
        let is_drop = usize::from(facts.from.is_none());
        let attacked = mover * Attacker::COUNT + facts.attacker as usize;
        let several = usize::from(context.enemy.twice().contains(facts.to));
        add(Table::Attacked.at((attacked * 2 + several) * 3 + facts.guards));
        if facts.threat != Attacker::None {
            let threat = kind * Attacker::COUNT + facts.threat as usize;
            add(Table::Escape.at((threat * 2 + usize::from(facts.is_guarded)) * 2 + is_safe));
        }
        if facts.gives_check {
            let place = if facts.is_direct_check {
                usize::from(context.enemy_king_zone.contains(facts.to))
            } else {
                2
            };
            add(Table::Check.at((mover * 2 + is_safe) * 3 + place));
            if let Some(king) = context.enemy_king {
                let offset = mirrored(context.view(king), context.view(facts.to));
                add(Table::CheckFrom.at(mover * MIRRORED + offset));
            }
        }
        let targets = facts.reach & position.color(!context.us);
        let guarded = context.enemy.once() | context.enemy_king_zone;
        let mut forked = usize::from(facts.is_direct_check);
        for square in targets - position.kind(PieceKind::King) {
            let Some(piece) = position.piece_on(square) else { continue };
            let pair = after * PieceKind::COUNT + piece.kind() as usize;
            let guarded = usize::from(guarded.contains(square));
            let before = usize::from(context.own.once().contains(square));
            add(Table::Threat.at(((pair * 2 + guarded) * 2 + before) * 2 + is_safe));
            let is_better = exchange_value(piece.kind()) > exchange_value(facts.after);
            forked += usize::from(is_better || guarded == 0);
        }
        add(Table::Fork.at((mover * 3 + forked.min(2)) * 2 + is_safe));
        for square in facts.reach & self.loose {
            let Some(piece) = position.piece_on(square) else { continue };
            let pair = after * PieceKind::COUNT + piece.kind() as usize;
            let by_pawn = usize::from(context.enemy.by_pawn().contains(square));
            add(Table::Guard.at(pair * 2 + by_pawn));
        }
        let count = |zone: Bitboard| (facts.reach & zone).len().min(8) as usize;
        let enemy_zone = count(context.enemy_king_zone);
        add(Table::EnemyKingZone.at((enemy_zone * 2 + is_safe) * 2 + is_drop));
        add(Table::OwnKingZone.at(count(context.own_king_zone) * 2 + is_drop));
        add(Table::Mobility.at(after * MOBILITIES + mobility(facts.reach)));
        if let Some(from) = facts.from {
            let before = attacks::of(context.us, facts.kind, from, context.occupied);
            add(Table::MobilityBefore.at(kind * MOBILITIES + mobility(before)));
            for square in before & (self.guarded_once - facts.reach) {
                let Some(piece) = position.piece_on(square) else { continue };
                add(Table::Unguard.at(kind * PieceKind::COUNT + piece.kind() as usize));
            }
            if context.own_lines.contains(from) {
                add(Table::Lines.at(mover));
            }
            if context.enemy_lines.contains(from) {
                add(Table::LeavesLine.at(mover));
            }
        }
        if context.own_lines.contains(facts.to) {
            add(Table::Lines.at(MOVERS + mover));
        }
        if context.enemy_lines.contains(facts.to) {
            add(Table::Lines.at(2 * MOVERS + mover));
        }
    }

    /// The last two moves.
    #[inline]
    fn history(&self, facts: &MoveFacts, add: &mut impl FnMut(usize)) {
        let mover = facts.mover;
        let to = self.context.view(facts.to);
        if let Some(last) = self.context.last {
            let offset = offset(self.context.view(last.to), to);
            add(Table::LastOffset.at(mover * OFFSETS + offset));
            add(Table::LastMoverOffset.at(last.mover * OFFSETS + offset));
            let distance = distance(last.to, facts.to);
            add(Table::LastKind.at((last.mover * MOVERS + mover) * 4 + distance));
        }
        if let Some((own, before)) = self.context.own_last {
            add(Table::OwnKind.at((before * MOVERS + mover) * 4 + distance(own, facts.to)));
            let same = facts.from == Some(own);
            let offset = offset(self.context.view(own), to);
            add(Table::OwnOffset.at(usize::from(same) * OFFSETS + offset));
            if same {
                add(Table::SamePiece.at(facts.kind as usize));
            }
        }
    }
}

/// Returns the place of a square on the padded board.
#[inline]
fn padded(square: usize) -> usize {
    (square / 9 + 1) * PADDED_FILE + square % 9 + 2
}

/// Returns the number of the difference of files and ranks from one square to another.
#[inline]
fn offset(from: usize, to: usize) -> usize {
    (to / 9 + 8 - from / 9) * 17 + (to % 9 + 8 - from % 9)
}

/// Returns the same, with the files counted away from the first square.
#[inline]
fn mirrored(from: usize, to: usize) -> usize {
    (to / 9).abs_diff(from / 9) * 17 + (to % 9 + 8 - from % 9)
}

/// Returns the class of the distance between two squares.
#[inline]
fn distance(a: Square, b: Square) -> usize {
    match a.distance(b) {
        0..=1 => 0,
        2 => 1,
        3..=4 => 2,
        _ => 3,
    }
}

/// Returns the number of squares that a piece reaches.
#[inline]
fn mobility(reach: Bitboard) -> usize {
    (reach.len() as usize).min(MOBILITIES - 1)
}

/// Returns the set of kinds in a hand.
fn kinds_in(hand: Hand) -> usize {
    hand.iter().fold(0, |set, (kind, _)| set | 1 << kind as usize)
}

/// Returns the class of the number of squares that are attacked next to a king.
fn danger(attacked: Bitboard) -> usize {
    match attacked.len() {
        few @ 0..=2 => few as usize,
        3..=4 => 3,
        _ => DANGERS - 1,
    }
}

/// Returns the most valuable own piece that is attacked without a guard or by a cheaper piece.
fn at_risk(context: &MoveContext<'_>, loose: Bitboard) -> Option<(Square, PieceKind, Bitboard)> {
    let position = context.position;
    let attacked = position.color(context.us) & context.enemy.once();
    let kind = |square| position.piece_on(square).map(|piece| piece.kind());
    let pieces = (attacked - position.kind(PieceKind::King)).iter();
    let at_risk = pieces.filter_map(|square| {
        let kind = kind(square)?;
        let is_chased = context.attacker(square).is_cheaper_than(kind);
        (is_chased || loose.contains(square)).then_some((exchange_value(kind), square, kind))
    });
    let (_, square, kind) = at_risk.max_by_key(|&(value, ..)| value)?;
    Some((square, kind, position.attackers_to(!context.us, square, context.occupied)))
}
