//! Two positions and the difference between their evaluations.

use komadai::core::{Color, Move, Position};
use komadai::eval::{Classical, Explanation, ExplanationDifference};
use komadai::networks::explain;
use komadai::nnue::{Network, Nnue};

/// Two positions with their explanations.
pub(super) struct Comparison {
    pub(super) first: Position,
    pub(super) second: Position,
    /// The move that leads from the first position to the second.
    pub(super) m: Option<Move>,
    pub(super) before: Explanation,
    pub(super) after: Explanation,
    pub(super) difference: ExplanationDifference,
    /// The values of the network for Black, before and after.
    pub(super) networks: [i32; 2],
}

impl Comparison {
    /// Compares two positions.
    pub(super) fn new(
        classical: &Classical,
        [first, second]: [Position; 2],
        m: Option<Move>,
    ) -> Self {
        let [before, after] = [&first, &second].map(|position| classical.explain(position));
        let difference = ExplanationDifference::new(&before, &after);
        let nnue = Nnue::new(Network::bundled());
        let networks = [&first, &second].map(|position| explain(&nnue, position).black);
        Self { first, second, m, before, after, difference, networks }
    }

    /// Returns the side for which values are printed: the side to move in the first position.
    pub(super) fn view(&self) -> Color {
        self.first.side()
    }

    /// Returns a value for Black as one for that side.
    pub(super) fn for_view(&self, value: f32) -> f32 {
        if self.view() == Color::Black { value } else { -value }
    }
}
