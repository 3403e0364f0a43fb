//! The rules that a referee applies.

use std::time::Duration;

use komadai_core::Position;
use komadai_movegen::{DeclarationRule, MaxMoves, MoveGen, Repetition};

use crate::ending::{Ending, Verdict};

/// The rules of a match beyond those of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// The number of moves after which a game is a draw, those before the opening position
    /// included; 0 for no limit.
    pub max_plies: u32,
    /// The rule for declaring a win.
    pub declaration: DeclarationRule,
    /// When to end a game early; `None` for never.
    pub adjudication: Option<Adjudication>,
    /// How much later than the clock allows a move may be.
    pub margin: Duration,
    /// How long a contestant without a clock may think before it counts as hanging.
    pub patience: Duration,
}

/// A game ends when both sides have agreed for some moves in a row that one side wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Adjudication {
    /// From which value on: centipawns.
    pub score_cp: i32,
    /// For how many moves of each side.
    pub moves: u32,
}

impl Default for Rules {
    /// A draw after 320 moves, declarations under the 27 point rule, no adjudication, a margin of a
    /// second, a minute of patience.
    fn default() -> Self {
        Self {
            max_plies: 320,
            declaration: DeclarationRule::default(),
            adjudication: None,
            margin: Duration::from_secs(1),
            patience: Duration::from_secs(60),
        }
    }
}

impl Rules {
    /// Whether the game is over before the side to move does anything.
    ///
    /// A mate goes before everything, repetition before the limit of moves.
    #[must_use]
    pub fn judge(&self, position: &Position) -> Option<Verdict> {
        let us = position.side();
        if !position.has_legal_move() {
            return Some(Verdict::win(!us, Ending::Checkmate));
        }
        match position.repetition() {
            Repetition::Draw => return Some(Verdict::draw(Ending::Repetition)),
            Repetition::Win => return Some(Verdict::win(us, Ending::PerpetualCheck)),
            Repetition::Lose => return Some(Verdict::win(!us, Ending::PerpetualCheck)),
            _ => {}
        }
        let is_reached = MaxMoves::new(self.max_plies).is_some_and(|max| max.is_reached(position));
        is_reached.then_some(Verdict::draw(Ending::MaxMoves))
    }
}

/// What both sides have said about the game lately.
#[derive(Debug, Clone, Default)]
pub(crate) struct Agreement {
    /// By side: for how many moves in a row it has said that it wins, or that it loses.
    winning: [u32; 2],
    losing: [u32; 2],
}

impl Agreement {
    /// Takes note of a side's value. Answers whether that side is agreed to lose.
    pub(crate) fn note(&mut self, side: usize, score: Option<i32>, rule: Adjudication) -> bool {
        let says = |holds: bool, before: u32| if holds { before + 1 } else { 0 };
        let score = score.unwrap_or(0);
        self.winning[side] = says(score >= rule.score_cp, self.winning[side]);
        self.losing[side] = says(score <= -rule.score_cp, self.losing[side]);
        self.losing[side] >= rule.moves && self.winning[1 - side] >= rule.moves
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::{Color, UsiPosition};
    use komadai_movegen::play;

    use super::*;

    fn judge(game: &str, max_plies: u32) -> Option<Verdict> {
        let position = play(&UsiPosition::from_usi(game).unwrap()).unwrap();
        Rules { max_plies, ..Rules::default() }.judge(&position)
    }

    #[test]
    fn every_end_by_rule_is_seen() {
        assert_eq!(judge("startpos", 320), None);
        let mate = "4k4/9/4P4/9/9/9/9/9/4K4 b G 320 moves G*5b";
        assert_eq!(judge(mate, 320), Some(Verdict::win(Color::Black, Ending::Checkmate)));
        let cycle = "5i5h 5a5b 5h5i 5b5a ".repeat(3);
        let bare = format!("4k4/9/9/9/9/9/9/9/4K4 b - 1 moves {cycle}");
        assert_eq!(judge(&bare, 12), Some(Verdict::draw(Ending::Repetition)));
        assert_eq!(judge(&bare[..bare.len() - 6], 320), None);
        assert_eq!(judge("startpos moves 7g7f", 2), None);
        assert_eq!(judge("startpos moves 7g7f 3c3d", 2), Some(Verdict::draw(Ending::MaxMoves)));
        assert_eq!(judge("startpos moves 7g7f 3c3d", 0), None);
    }

    #[test]
    fn perpetual_check_loses_whoever_is_to_move() {
        // Black's rook gives check on the second and first rank in turn, for ever.
        let cycle = "4b4a 5b5a 4a4b 5a5b ".repeat(3);
        let game = format!("9/4Rk3/9/9/9/9/9/9/4K4 w - 1 moves {cycle}");
        let verdict = Some(Verdict::win(Color::White, Ending::PerpetualCheck));
        assert_eq!(judge(&game, 320), verdict);
        assert_eq!(judge(&game, 12), verdict, "the limit of moves does not save it");
        assert_eq!(judge(game.trim_end().strip_suffix(" 5a5b").unwrap(), 320), None);
    }

    #[test]
    fn a_game_is_adjudicated_when_both_agree_for_long_enough() {
        let rule = Adjudication { score_cp: 1_000, moves: 2 };
        let mut agreement = Agreement::default();
        let mut note = |side, score| agreement.note(side, score, rule);
        assert!(!note(0, Some(1_000)) && !note(1, Some(-1_000)));
        assert!(!note(0, Some(900)) && !note(1, Some(-2_000)), "one side has doubts");
        assert!(!note(0, Some(1_200)) && !note(1, None), "one side is silent");
        assert!(!note(0, Some(1_200)) && !note(1, Some(-1_500)));
        assert!(!note(0, Some(31_999)) && note(1, Some(-31_998)));
    }
}
