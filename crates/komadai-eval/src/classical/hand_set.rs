//! Weights set by hand, before tuning.

use komadai_core::{PieceKind, Square};

use super::castle::CASTLE_COUNT;
use super::groups::{Group, HELD, STATES, WINDOW_FILES, WINDOW_RANKS, Weight};
use super::parameters::Parameters;
use crate::material::Material;

impl Parameters {
    /// Returns weights set by hand: round numbers from which tuning starts and towards which it is
    /// regularised.
    pub fn hand_set() -> Self {
        let mut parameters = Self::zero();
        set_pieces(&mut parameters);
        set_hands(&mut parameters);
        set_near_king(&mut parameters);
        set_holes_and_escapes(&mut parameters);
        for (castle, value) in CASTLE_VALUES.into_iter().enumerate() {
            set(&mut parameters, Group::Castle, &[castle], value, 0.0);
        }
        for turn in 0..2 {
            set(&mut parameters, Group::SecondThreat, &[turn], -10.0, -10.0);
        }
        set(&mut parameters, Group::Tempo, &[0], 20.0, 40.0);
        parameters
    }
}

/// `[castle]`: values at which the sum over all castles never falls along the textbook sequences of
/// moves into each. A king on its way into a deep castle leaves the shallow ones, so a deep castle
/// is worth more than all that it passes.
const CASTLE_VALUES: [f32; CASTLE_COUNT] = [8.0, 12.0, 30.0, 2.0, 3.0, 3.0];

/// Sets one weight, given in centipawns.
fn set(parameters: &mut Parameters, group: Group, place: &[usize], early: f32, late: f32) {
    let [early, late] = [early, late].map(|cp| (cp * Parameters::UNIT as f32).round() as i16);
    parameters.set(group.index(place), Weight { early, late });
}

fn set_pieces(parameters: &mut Parameters) {
    for kind in PieceKind::ALL {
        let value = Material::board_value(kind) as f32;
        set(parameters, Group::Piece, &[kind.index()], value, value);
        for square in Square::ALL.into_iter().filter(|square| square.file().index() < 5) {
            let file = square.file().index();
            let rank = square.rank().index();
            let [early, late] = square_value(kind, file, rank);
            set(parameters, Group::Square, &[kind.index(), file, rank], early, late);
        }
        // Hanging, cheaply attacked, guarded, loose: parts of the value of the piece.
        for (contact, part) in [0.06, 0.04, 0.01, 0.01].into_iter().enumerate() {
            for turn in 0..2 {
                // Twice as much if the opponent is to move and can capture at once.
                let cost = -value * part * (turn + 1) as f32;
                set(parameters, Group::Threat, &[turn, kind.index(), contact], cost, cost);
            }
        }
    }
}

fn set_hands(parameters: &mut Parameters) {
    for (kind, hand_kind) in PieceKind::HAND.into_iter().enumerate() {
        let value = Material::hand_value(hand_kind) as f32;
        for nth in 0..3 {
            set(parameters, Group::Hand, &[kind, nth], value, value);
        }
    }
}

fn set_near_king(parameters: &mut Parameters) {
    for state in 0..STATES {
        // The state without attackers has no weight, hence the 1.
        let own = (state + 1) / 3;
        let enemy = (state + 1) % 3;
        for file in 0..WINDOW_FILES {
            for rank in 0..WINDOW_RANKS {
                let ahead = 3 - rank as i32;
                let distance = file.max(ahead.unsigned_abs() as usize).clamp(1, 3) - 1;
                let guarded = [0.0, [20.0, 8.0, 3.0][distance], [28.0, 12.0, 4.0][distance]][own];
                let attacked = [0.0, [22.0, 14.0, 6.0][distance], [40.0, 22.0, 8.0][distance]];
                // Attacks from the front come earlier in a game than those from behind.
                let front = if ahead > 0 { 1.1 } else { 0.8 };
                let value = guarded - attacked[enemy] * front;
                set(parameters, Group::NearKing, &[state, file, rank], value * 0.8, value * 1.2);
            }
        }
    }
}

fn set_holes_and_escapes(parameters: &mut Parameters) {
    const HOLES: [f32; 9] = [0.0, -10.0, -30.0, -60.0, -95.0, -130.0, -160.0, -185.0, -205.0];
    const ESCAPES: [f32; 9] = [-30.0, -15.0, -5.0, 0.0, 3.0, 5.0, 6.0, 7.0, 8.0];
    for count in 0..9 {
        for held in 0..HELD {
            let help = 1.0 + held.count_ones() as f32 / 2.0;
            let early = HOLES[count] * help;
            let late = HOLES[count] * 1.5 * help;
            set(parameters, Group::Hole, &[held, count], early, late);
        }
        set(parameters, Group::Escape, &[count], ESCAPES[count], ESCAPES[count] * 2.5);
    }
}

/// Returns the value of a square for a piece, early and late, in centipawns.
fn square_value(kind: PieceKind, from_edge: usize, rank: usize) -> [f32; 2] {
    let both = |value: f32| [value, value];
    match kind {
        // A king on its way to the opponent's camp (入玉) is in the most danger in the middle.
        PieceKind::King => {
            const RANK: [f32; 9] = [40.0, 30.0, 0.0, -50.0, -70.0, -60.0, -40.0, 10.0, 15.0];
            const FILE: [f32; 5] = [5.0, 10.0, 0.0, -10.0, -15.0];
            both(RANK[rank] + if rank >= 6 { FILE[from_edge] } else { 0.0 })
        }
        // Generals on the last rank have little effect, and generals far ahead do not guard the
        // king.
        PieceKind::Gold => both([0.0, 5.0, 5.0, 0.0, -5.0, -10.0, -5.0, 5.0, 0.0][rank]),
        PieceKind::Silver => both([-10.0, 0.0, 5.0, 5.0, 8.0, 8.0, 5.0, 3.0, -8.0][rank]),
        PieceKind::Knight => both([0.0, 0.0, 10.0, 5.0, 0.0, -5.0, 5.0, 0.0, 0.0][rank]),
        PieceKind::Pawn => both([0.0, 5.0, 10.0, 12.0, 10.0, 8.0, 0.0, 0.0, 0.0][rank]),
        _ => both(0.0),
    }
}
