//! Random games.

use komadai_core::{Color, Move, Position, SplitMix64};
use komadai_movegen::{MoveGen, MoveList, Repetition, generate_legal};

use super::move_weights::{MoveContext, PlayoutHistory, weight};
use super::options::{Playout, PlayoutLearning, PlayoutMoves};
use crate::history::piece_to::PieceTo;

/// A player of random games, one for each thread.
#[derive(Debug)]
pub(super) struct Player {
    pub(super) random: SplitMix64,
    history: PlayoutHistory,
    list: MoveList,
    /// Sums of the weights of the moves of a position.
    sums: Vec<u32>,
    /// The moves of the game: the side, the move, and its index in the history.
    made: Vec<(Color, Move, usize)>,
}

/// The end of a random game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Won(Color),
    Drawn,
    /// The number of moves was reached.
    Open,
}

impl Player {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            random: SplitMix64::new(seed),
            history: PlayoutHistory::new(),
            list: MoveList::new(),
            sums: Vec::new(),
            made: Vec::new(),
        }
    }

    /// Forgets the moves of the last game.
    pub(super) fn forget(&mut self) {
        self.made.clear();
    }

    /// Plays on from a position, which is in its last state afterwards. Returns how the game ended
    /// and the number of moves made.
    pub(super) fn play(&mut self, position: &mut Position, playout: &Playout) -> (End, u32) {
        self.forget();
        let most = playout.plies.unwrap_or(Playout::LONGEST).min(Playout::LONGEST);
        for plies in 0..most {
            match position.repetition() {
                Repetition::None => {}
                Repetition::Win => return (End::Won(position.side()), plies),
                Repetition::Lose => return (End::Won(!position.side()), plies),
                _ => return (End::Drawn, plies),
            }
            self.list.clear();
            generate_legal(position, &mut self.list);
            if self.list.is_empty() {
                return (End::Won(!position.side()), plies);
            }
            let m = self.choose(position, playout.moves);
            self.made.push((position.side(), m, PieceTo::of(position, m).index()));
            position.do_move(m);
        }
        (if playout.plies.is_some() { End::Open } else { End::Drawn }, most)
    }

    /// Changes the history after a game. `line` are the sides and indices of the moves before it,
    /// in the tree.
    pub(super) fn learn(
        &mut self,
        winner: Color,
        line: impl Iterator<Item = (Color, usize)>,
        learning: PlayoutLearning,
    ) {
        let made = self.made.iter().map(|&(side, _, index)| (side, index));
        let (line, loss) = match learning {
            PlayoutLearning::Winner => (Some(line), 0),
            PlayoutLearning::Both => (None, -PlayoutHistory::CREDIT),
        };
        for (side, index) in line.into_iter().flatten().chain(made) {
            let goal = if side == winner { PlayoutHistory::CREDIT } else { loss };
            self.history.approach(index, goal);
        }
    }

    /// Returns the moves of the last game and their sides.
    pub(super) fn moves(&self) -> impl Iterator<Item = (Color, Move)> {
        self.made.iter().map(|&(side, m, _)| (side, m))
    }

    fn choose(&mut self, position: &Position, moves: PlayoutMoves) -> Move {
        let count = self.list.len() as u64;
        match moves {
            PlayoutMoves::Uniform => self.list[self.random.below(count) as usize],
            PlayoutMoves::BestOf(tries) => {
                let context = MoveContext::new(position);
                let mut best = None;
                for _ in 0..tries.max(1) {
                    let m = self.list[self.random.below(count) as usize];
                    let (score, piece_to) = context.scored(m);
                    let score = score + self.history.score(piece_to.index());
                    if best.is_none_or(|(_, most)| score > most) {
                        best = Some((m, score));
                    }
                }
                best.map_or(self.list[0], |(m, _)| m)
            }
            PlayoutMoves::Roulette => {
                let context = MoveContext::new(position);
                self.sums.clear();
                let mut sum = 0u32;
                for m in &self.list {
                    let (score, piece_to) = context.scored(m);
                    let score = score + self.history.score(piece_to.index());
                    sum = sum.saturating_add(weight(score));
                    self.sums.push(sum);
                }
                self.list[roulette(&self.sums, &mut self.random)]
            }
        }
    }
}

/// Returns an index with a probability proportional to its weight, given the sums of the weights.
pub(super) fn roulette(sums: &[u32], random: &mut SplitMix64) -> usize {
    let total = sums.last().copied().unwrap_or(1);
    let ball = random.below(u64::from(total)) as u32;
    sums.partition_point(|&sum| sum <= ball).min(sums.len().saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wheel_gives_each_weight_its_share() {
        // The example of the source: weights 100, 50 and 20 give 10 : 5 : 2.
        let sums = [100, 150, 170];
        let mut random = SplitMix64::new(5);
        let mut seen = [0u32; 3];
        (0..170_000).for_each(|_| seen[roulette(&sums, &mut random)] += 1);
        let expected = [100_000.0, 50_000.0, 20_000.0];
        let chi_square: f64 = seen
            .iter()
            .zip(expected)
            .map(|(&count, expected)| (f64::from(count) - expected).powi(2) / expected)
            .sum();
        // 13.8 is exceeded in one of a thousand tries.
        assert!(chi_square < 13.8, "{seen:?}");
    }

    #[test]
    fn a_game_to_the_end_ends_by_the_rules() {
        let playout = Playout {
            moves: PlayoutMoves::Roulette,
            plies: None,
            judge: super::super::options::Judge::Sign { draw_cp: 0 },
            learning: PlayoutLearning::Winner,
        };
        let mut player = Player::new(3);
        let mut decided = 0;
        for _ in 0..20 {
            let mut position = Position::hirate();
            let (end, plies) = player.play(&mut position, &playout);
            assert_eq!(position.history().len(), plies as usize);
            if let End::Won(winner) = end {
                decided += 1;
                let is_over = !position.has_legal_move() && position.side() == !winner;
                assert!(is_over || position.repetition() != Repetition::None);
                player.learn(winner, std::iter::empty(), playout.learning);
            }
        }
        assert!(decided >= 15, "{decided} of 20 games were decided");
    }

    #[test]
    fn all_moves_of_the_winner_are_credited() {
        let mut position = Position::hirate();
        let [first, second] = ["7g7f", "3c3d"].map(|m| m.parse::<Move>().unwrap());
        let made: Vec<(Color, usize)> = [first, second]
            .into_iter()
            .map(|m| {
                let made = (position.side(), PieceTo::of(&position, m).index());
                position.do_move(m);
                made
            })
            .collect();
        let playout = Playout {
            moves: PlayoutMoves::Roulette,
            plies: Some(2),
            judge: super::super::options::Judge::Sign { draw_cp: 0 },
            learning: PlayoutLearning::Winner,
        };
        let scores = |learning| {
            let mut player = Player::new(3);
            player.play(&mut position.clone(), &playout);
            let game: Vec<usize> = player.made.iter().map(|&(_, _, index)| index).collect();
            for _ in 0..500 {
                player.learn(Color::Black, made.iter().copied(), learning);
            }
            [made[0].1, made[1].1, game[0], game[1]].map(|index| player.history.score(index))
        };
        // Black moves first and third.
        assert_eq!(scores(PlayoutLearning::Winner), [15, 0, 15, 0]);
        assert_eq!(scores(PlayoutLearning::Both), [0, 0, 15, -15]);
    }
}
