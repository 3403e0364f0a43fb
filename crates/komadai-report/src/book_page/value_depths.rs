//! The distances of the leaves that decide values.

use komadai_bookgraph::{Basis, BookGraph};
use rayon::prelude::*;

/// The numbers of positions by the number of plies until best play leaves the book.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ValueDepths {
    /// The number of positions for each number of plies, from 0.
    pub by_plies: Vec<u64>,
    /// The number of positions whose value is a draw by endless play.
    pub repetitions: u64,
    /// The number of positions whose value rests on perpetual check.
    pub perpetual_checks: u64,
    /// The number of positions without a value.
    pub without_value: u64,
}

impl ValueDepths {
    /// Counts every position once, in the orientation in which it was added.
    pub fn of(graph: &BookGraph) -> Self {
        let add = |mut depths: Self, number: u32| {
            if let Some(value) = graph.value_at(number) {
                match value.basis {
                    Basis::Leaf => depths.add(value.plies.into(), 1),
                    Basis::Repetition => depths.repetitions += 1,
                    Basis::PerpetualCheck => depths.perpetual_checks += 1,
                }
            }
            depths
        };
        let counted = graph.numbers().into_par_iter().fold(Self::default, add);
        let depths = counted.reduce(Self::default, Self::plus);
        let without_value = (graph.positions() - graph.len()) as u64;
        Self { without_value, ..depths }
    }

    fn add(&mut self, plies: usize, positions: u64) {
        if self.by_plies.len() <= plies {
            self.by_plies.resize(plies + 1, 0);
        }
        self.by_plies[plies] += positions;
    }

    fn plus(mut self, other: Self) -> Self {
        for (plies, positions) in other.by_plies.into_iter().enumerate() {
            self.add(plies, positions);
        }
        self.repetitions += other.repetitions;
        self.perpetual_checks += other.perpetual_checks;
        self
    }
}
