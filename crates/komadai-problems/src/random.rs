//! Random positions to make problems of.

use komadai_core::{Color, File, Piece, PieceKind, Position, Rank, Setup, SplitMix64, Square};

use crate::diagram::fill_hand;

/// An endless supply of random positions: a king near the edge, two to seven pieces of either side
/// around it and some in the attacker's hand. Most of them are no mates.
///
/// # Examples
///
/// ```
/// use komadai_problems::RandomPositions;
///
/// let positions: Vec<_> = RandomPositions::new(7).take(3).collect();
/// assert_eq!(positions, RandomPositions::new(7).take(3).collect::<Vec<_>>());
/// ```
#[derive(Debug, Clone)]
pub struct RandomPositions {
    random: SplitMix64,
}

impl RandomPositions {
    /// Creates the supply of a seed; the same seed gives the same positions.
    pub const fn new(seed: u64) -> Self {
        Self { random: SplitMix64::new(seed) }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound as u64) as usize
    }

    fn setup(&mut self) -> Setup {
        let mut setup = Setup::empty();
        let rank = self.below(9).min(self.below(9)).min(self.below(9));
        let king = Square::new(File::ALL[self.below(9)], Rank::ALL[rank]);
        setup.board[king] = Some(Piece::WhiteKing);
        for (color, least) in [(Color::Black, 2), (Color::White, 1)] {
            for _ in 0..least + self.below(4) {
                let kind = PieceKind::ALL[self.below(PieceKind::COUNT)];
                let files = self.below(5) as i8 - 2;
                let ranks = self.below(5) as i8 - 2;
                let square = king.offset(files, ranks).filter(|_| kind != PieceKind::King);
                if let Some(square) = square {
                    setup.board[square].get_or_insert(Piece::new(color, kind));
                }
            }
        }
        for _ in 0..self.below(4) {
            let kind = PieceKind::HAND[self.below(PieceKind::HAND.len())];
            // The game has at least two pieces of each kind.
            let held = setup.hands[0].count(kind);
            setup.hands[0] = setup.hands[0].with(kind, (held + 1).min(2));
        }
        fill_hand(&mut setup);
        setup
    }
}

impl Iterator for RandomPositions {
    type Item = Position;

    fn next(&mut self) -> Option<Position> {
        loop {
            let setup = self.setup();
            if let Ok(position) = Position::from_setup(&setup) {
                return Some(position);
            }
        }
    }
}
