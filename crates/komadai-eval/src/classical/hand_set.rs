//! The weights before tuning.

use komadai_core::{PieceKind, Square};

use super::groups::Group;
use super::near_king::{FILES, HELD, RANKS, STATES};
use super::{Parameters, Weight};
use crate::Material;

/// Round numbers of common sense, from which tuning starts and towards which it is drawn.
pub(super) fn parameters() -> Parameters {
    let mut parameters = Parameters::zero();
    let mut set = |group: Group, place: &[usize], early: f32, late: f32| {
        let [early, late] = [early, late].map(|cp| (cp * Parameters::UNIT as f32).round() as i16);
        parameters.set(group.index(place), Weight { early, late });
    };
    for kind in PieceKind::ALL {
        let value = Material::board_value(kind) as f32;
        set(Group::Piece, &[kind.index()], value, value);
        for square in Square::ALL.into_iter().filter(|square| square.file().index() < 5) {
            let (file, rank) = (square.file().index(), square.rank().index());
            let [early, late] = placed(kind, file, rank);
            set(Group::Square, &[kind.index(), file, rank], early, late);
        }
        // Hanging, cheaply attacked, guarded, loose.
        for (contact, part) in [0.06, 0.04, 0.01, 0.01].into_iter().enumerate() {
            for turn in 0..2 {
                // The opponent to move takes at once.
                let worth = -value * part * (turn + 1) as f32;
                set(Group::Threat, &[turn, kind.index(), contact], worth, worth);
            }
        }
    }
    for (kind, hand_kind) in PieceKind::HAND.into_iter().enumerate() {
        let value = Material::hand_value(hand_kind) as f32;
        for nth in 0..3 {
            set(Group::Hand, &[kind, nth], value, value);
        }
    }
    for state in 0..STATES {
        let (own, enemy) = ((state + 1) / 3, (state + 1) % 3);
        for file in 0..FILES {
            for rank in 0..RANKS {
                let ahead = 3 - rank as i32;
                let distance = file.max(ahead.unsigned_abs() as usize).clamp(1, 3) - 1;
                let guarded = [0.0, [20.0, 8.0, 3.0][distance], [28.0, 12.0, 4.0][distance]][own];
                let attacked = [0.0, [22.0, 14.0, 6.0][distance], [40.0, 22.0, 8.0][distance]];
                // Attacks from the front come first, those from behind late if at all.
                let front = if ahead > 0 { 1.1 } else { 0.8 };
                let worth = guarded - attacked[enemy] * front;
                set(Group::NearKing, &[state, file, rank], worth * 0.8, worth * 1.2);
            }
        }
    }
    const HOLES: [f32; 9] = [0.0, -10.0, -30.0, -60.0, -95.0, -130.0, -160.0, -185.0, -205.0];
    const ESCAPES: [f32; 9] = [-30.0, -15.0, -5.0, 0.0, 3.0, 5.0, 6.0, 7.0, 8.0];
    for count in 0..9 {
        for held in 0..HELD {
            let help = 1.0 + held.count_ones() as f32 / 2.0;
            set(Group::Hole, &[held, count], HOLES[count] * help, HOLES[count] * 1.5 * help);
        }
        set(Group::Escape, &[count], ESCAPES[count], ESCAPES[count] * 2.5);
    }
    for castle in 0..Group::Castle.len() {
        set(Group::Castle, &[castle], 15.0, 0.0);
    }
    for turn in 0..2 {
        set(Group::SecondThreat, &[turn], -10.0, -10.0);
    }
    set(Group::Tempo, &[0], 20.0, 40.0);
    parameters
}

/// What a piece gains by standing there, early and late, in centipawns.
fn placed(kind: PieceKind, from_edge: usize, rank: usize) -> [f32; 2] {
    let both = |value: f32| [value, value];
    match kind {
        // A king on the way to the other side is in the most danger in the middle.
        PieceKind::King => {
            const RANK: [f32; 9] = [40.0, 30.0, 0.0, -50.0, -70.0, -60.0, -40.0, 10.0, 15.0];
            const FILE: [f32; 5] = [5.0, 10.0, 0.0, -10.0, -15.0];
            both(RANK[rank] + if rank >= 6 { FILE[from_edge] } else { 0.0 })
        }
        // Generals that are left on the last rank do little; those that run ahead leave the king.
        PieceKind::Gold => both([0.0, 5.0, 5.0, 0.0, -5.0, -10.0, -5.0, 5.0, 0.0][rank]),
        PieceKind::Silver => both([-10.0, 0.0, 5.0, 5.0, 8.0, 8.0, 5.0, 3.0, -8.0][rank]),
        PieceKind::Knight => both([0.0, 0.0, 10.0, 5.0, 0.0, -5.0, 5.0, 0.0, 0.0][rank]),
        PieceKind::Pawn => both([0.0, 5.0, 10.0, 12.0, 10.0, 8.0, 0.0, 0.0, 0.0][rank]),
        _ => both(0.0),
    }
}
