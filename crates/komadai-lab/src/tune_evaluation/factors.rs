//! Factors: what the weights of a table have in common.
//!
//! A weight is its start value, plus the factors of its row, column and distance, plus a part of
//! its own. Rarely visited cells of a table have too few samples for a value of their own, which is
//! why their own part is shrunk to zero and the factors remain.

use std::collections::HashMap;

use komadai::core::PieceKind;
use komadai::eval::{Group, PARAMETER_COUNT};

/// The factors of all weights.
#[derive(Debug)]
pub(crate) struct Factors {
    /// `[weight]`: its factors, as numbers below [`Factors::count`].
    of: Vec<Vec<usize>>,
    pub(crate) count: usize,
}

/// A property that several weights of a group share: its name and values.
type Property = (&'static str, [usize; 3]);

impl Factors {
    pub(crate) fn new() -> Self {
        let mut numbers: HashMap<(u8, Property), usize> = HashMap::new();
        let mut of = vec![Vec::new(); PARAMETER_COUNT];
        for group in Group::ALL {
            for index in group.range() {
                for property in properties(group, &place(group, index)) {
                    let next = numbers.len();
                    of[index].push(*numbers.entry((group as u8, property)).or_insert(next));
                }
            }
        }
        Self { of, count: numbers.len() }
    }

    /// The factors of a weight.
    pub(crate) fn of(&self, index: usize) -> &[usize] {
        &self.of[index]
    }
}

/// The place of a weight in the shape of its group.
fn place(group: Group, index: usize) -> Vec<usize> {
    let mut rest = index - group.first();
    let mut place: Vec<usize> = group
        .shape()
        .iter()
        .rev()
        .map(|&length| {
            let here = rest % length;
            rest /= length;
            here
        })
        .collect();
    place.reverse();
    place
}

fn properties(group: Group, place: &[usize]) -> Vec<Property> {
    match (group, place) {
        (Group::Square, &[kind, file, rank]) => vec![
            ("file", [kind, file, 0]),
            ("rank", [kind, rank, 0]),
            ("mover", [mover(kind), file, rank]),
        ],
        (Group::OwnKing | Group::EnemyKing, &[kind, files, ranks]) => {
            let [across, along] = [files.abs_diff(4), ranks.abs_diff(8)];
            vec![
                ("distance", [kind, across.max(along), 0]),
                ("files", [kind, files, 0]),
                ("ranks", [kind, ranks, 0]),
                ("place", [kind, across, ranks]),
                ("mover", [mover(kind), files, ranks]),
            ]
        }
        (Group::NearKing, &[state, files, ranks]) => vec![
            ("distance", [state, files.max(ranks.abs_diff(3)), 0]),
            ("ranks", [state, ranks, 0]),
        ],
        (Group::Hole, &[held, count]) => vec![("held", [held, 0, 0]), ("count", [count, 0, 0])],
        (Group::Threat, &[_, kind, LOOSE]) => vec![("kind", [kind, LOOSE, 0])],
        (Group::Threat, &[turn, kind, contact]) => {
            vec![("contact", [turn, contact, 0]), ("kind", [kind, contact, 0])]
        }
        _ => Vec::new(),
    }
}

/// The contact of a piece that is neither attacked nor guarded. Half of all pieces are loose, so a
/// factor for the turn would be a second weight of the right to move.
const LOOSE: usize = 3;

/// A number for the way a kind moves: the promoted minor pieces move as a gold.
fn mover(kind: usize) -> usize {
    match PieceKind::ALL[kind] {
        PieceKind::ProPawn | PieceKind::ProLance | PieceKind::ProKnight | PieceKind::ProSilver => {
            PieceKind::Gold.index()
        }
        _ => kind,
    }
}
