//! The rules of a match.

use std::time::Duration;

use komadai_core::Position;
use komadai_movegen::declaration::try_square;
use komadai_movegen::{DeclarationRule, DrawBy, GameRules, MaxMoves, MoveGen, Outcome, WinBy};

use crate::ending::{Ending, Verdict};

/// The rules of a match beyond those of the game.
///
/// # Examples
///
/// ```
/// use komadai_match::Rules;
///
/// let mut rules = Rules::default();
/// rules.max_plies = 256;
/// assert!(rules.adjudication.is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Rules {
    /// Number of moves after which a game is a draw, including the moves of the opening; 0 for no
    /// limit.
    pub max_plies: u32,
    /// The rule for declaring a win.
    pub declaration: DeclarationRule,
    /// The condition for ending a game early, if there is one.
    pub adjudication: Option<Adjudication>,
    /// Tolerance for a move that is later than the clock allows.
    pub margin: Duration,
    /// Time after which a contestant without a clock counts as hanging.
    pub patience: Duration,
}

/// The condition for an adjudication: for some moves in a row, the values of both sides agree on
/// the winner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Adjudication {
    /// Minimum absolute value, in centipawns.
    pub score_cp: i32,
    /// Number of moves of each side.
    pub moves: u32,
}

impl Default for Rules {
    /// Returns a draw after 320 moves, the 27-point rule, no adjudication, a margin of one second
    /// and a patience of one minute.
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
    /// Returns the verdict if the game is over before the side to move acts.
    ///
    /// A mate has priority over all other endings, then the try under the [try
    /// rule](DeclarationRule::Try), then a repetition over the maximum number of moves.
    pub fn verdict(&self, position: &Position) -> Option<Verdict> {
        let outcome = position.outcome(&self.game_rules());
        let ending = match outcome {
            Some(Outcome::Win { by: WinBy::PerpetualCheck, .. }) => Ending::PerpetualCheck,
            // The other wins by rule: a side without a legal move has lost.
            Some(Outcome::Win { winner, .. }) => {
                return Some(Verdict::win(winner, Ending::Checkmate));
            }
            Some(Outcome::Draw(DrawBy::Repetition)) => Ending::Repetition,
            Some(Outcome::Draw(_)) => Ending::MaxMoves,
            None => return self.verdict_of_try(position),
        };
        let by_rule = Verdict { winner: outcome.and_then(|outcome| outcome.winner()), ending };
        Some(self.verdict_of_try(position).unwrap_or(by_rule))
    }

    /// Returns the verdict if the last move was a try and the rules know tries.
    fn verdict_of_try(&self, position: &Position) -> Option<Verdict> {
        let mover = !position.side();
        let goal = try_square(mover);
        let has_tried = self.declaration == DeclarationRule::Try
            && position.king_square(mover) == Some(goal)
            && position.moves().last().flatten().is_some_and(|last| last.to() == goal);
        has_tried.then_some(Verdict::win(mover, Ending::Try))
    }

    /// Returns the rules by which a game ends, without those of the match.
    pub fn game_rules(&self) -> GameRules {
        GameRules {
            declaration: self.declaration,
            max_moves: MaxMoves::new(self.max_plies),
            ..GameRules::default()
        }
    }
}

/// The most that is kept of the margin for the reaction of an engine to `stop`.
const LONGEST_REACTION: Duration = Duration::from_secs(1);

impl Rules {
    /// Returns the time after which a contestant that may think for `allowed` is told to stop. An
    /// engine that obeys is in time: half of the margin is for its delays before, and the other
    /// half for its reaction.
    pub(crate) fn stop_after(&self, allowed: Duration) -> Duration {
        let reaction = (self.margin / 2).min(LONGEST_REACTION);
        allowed.saturating_add(self.margin - reaction)
    }
}

/// The recent values of both sides, for adjudication.
#[derive(Debug, Clone, Default)]
pub(crate) struct Agreement {
    /// For each side, the number of its last moves in a row with a winning, or a losing, value.
    winning: [u32; 2],
    losing: [u32; 2],
}

impl Agreement {
    /// Records a value of a side. Returns whether both sides agree that this side loses.
    pub(crate) fn record(&mut self, side: usize, score: Option<i32>, rule: Adjudication) -> bool {
        let streak = |holds: bool, before: u32| if holds { before + 1 } else { 0 };
        let score = score.unwrap_or(0);
        self.winning[side] = streak(score >= rule.score_cp, self.winning[side]);
        self.losing[side] = streak(score <= -rule.score_cp, self.losing[side]);
        self.losing[side] >= rule.moves && self.winning[1 - side] >= rule.moves
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::{Color, UsiPosition};
    use komadai_movegen::play;

    use super::*;

    fn verdict(game: &str, max_plies: u32) -> Option<Verdict> {
        let position = play(&UsiPosition::from_usi(game).unwrap()).unwrap();
        Rules { max_plies, ..Rules::default() }.verdict(&position)
    }

    #[test]
    fn every_end_by_rule_is_seen() {
        assert_eq!(verdict("startpos", 320), None);
        let mate = "4k4/9/4P4/9/9/9/9/9/4K4 b G 320 moves G*5b";
        assert_eq!(verdict(mate, 320), Some(Verdict::win(Color::Black, Ending::Checkmate)));
        let cycle = "5i5h 5a5b 5h5i 5b5a ".repeat(3);
        let bare = format!("4k4/9/9/9/9/9/9/9/4K4 b - 1 moves {cycle}");
        assert_eq!(verdict(&bare, 12), Some(Verdict::draw(Ending::Repetition)));
        assert_eq!(verdict(&bare[..bare.len() - 6], 320), None);
        assert_eq!(verdict("startpos moves 7g7f", 2), None);
        assert_eq!(verdict("startpos moves 7g7f 3c3d", 2), Some(Verdict::draw(Ending::MaxMoves)));
        assert_eq!(verdict("startpos moves 7g7f 3c3d", 0), None);
    }

    #[test]
    fn a_try_ends_the_game_where_the_rules_know_it() {
        let verdict_by = |declaration, game: &str| {
            let position = play(&UsiPosition::from_usi(game).unwrap()).unwrap();
            Rules { declaration, ..Rules::default() }.verdict(&position)
        };
        let black = "sfen 9/4K4/9/9/9/9/9/9/8k b - 1 moves";
        let white = "sfen 8K/9/9/9/9/9/9/4k4/9 w - 1 moves";
        let by_try = |winner| Some(Verdict::win(winner, Ending::Try));
        for (game, expected) in [
            (format!("{black} 5b5a"), by_try(Color::Black)),
            (format!("{black} 5b4a 1i1h 4a5a"), by_try(Color::Black)),
            (format!("{white} 5h5i"), by_try(Color::White)),
            (format!("{black} 5b4a"), None),
            (format!("{white} 5h5g"), None),
            // A king that has stood there from the start has not reached it.
            ("sfen 4K4/9/9/9/9/9/9/9/8k b P 1 moves P*5e".to_owned(), None),
            ("sfen 4K4/9/9/9/9/9/9/9/8k b P 1".to_owned(), None),
            // The other pieces, and the own first square, count for nothing.
            ("sfen 9/4G4/9/9/9/9/9/9/4K3k b - 1 moves 5b5a".to_owned(), None),
            ("sfen 9/9/9/9/9/9/9/4K4/8k b - 1 moves 5h5i".to_owned(), None),
        ] {
            assert_eq!(verdict_by(DeclarationRule::Try, &game), expected, "{game}");
            for rule in
                DeclarationRule::ALL.into_iter().filter(|&rule| rule != DeclarationRule::Try)
            {
                assert_eq!(verdict_by(rule, &game), None, "{rule}: {game}");
            }
        }
        // A try with the last move that the rules allow wins.
        let rules = Rules { declaration: DeclarationRule::Try, max_plies: 1, ..Rules::default() };
        let position = play(&UsiPosition::from_usi(&format!("{black} 5b5a")).unwrap()).unwrap();
        assert_eq!(rules.verdict(&position), by_try(Color::Black));
    }

    #[test]
    fn perpetual_check_loses_whoever_is_to_move() {
        // Black's rook gives check on the second and first rank in turn, for ever.
        let cycle = "4b4a 5b5a 4a4b 5a5b ".repeat(3);
        let game = format!("9/4Rk3/9/9/9/9/9/9/4K4 w - 1 moves {cycle}");
        let expected = Some(Verdict::win(Color::White, Ending::PerpetualCheck));
        assert_eq!(verdict(&game, 320), expected);
        assert_eq!(verdict(&game, 12), expected, "the limit of moves does not save it");
        assert_eq!(verdict(game.trim_end().strip_suffix(" 5a5b").unwrap(), 320), None);
    }

    #[test]
    fn an_engine_that_is_told_to_stop_has_time_to_react() {
        let after = |allowed, margin| {
            let margin = Duration::from_millis(margin);
            let rules = Rules { margin, ..Rules::default() };
            rules.stop_after(Duration::from_millis(allowed)).as_millis()
        };
        assert_eq!(after(3_000, 0), 3_000);
        assert_eq!(after(3_000, 1_000), 3_500);
        assert_eq!(after(0, 50), 25);
        assert_eq!(after(100, 60_000), 59_100);
    }

    #[test]
    fn a_game_is_adjudicated_when_both_agree_for_long_enough() {
        let rule = Adjudication { score_cp: 1_000, moves: 2 };
        let mut agreement = Agreement::default();
        let mut note = |side, score| agreement.record(side, score, rule);
        assert!(!note(0, Some(1_000)) && !note(1, Some(-1_000)));
        assert!(!note(0, Some(900)) && !note(1, Some(-2_000)), "one side has doubts");
        assert!(!note(0, Some(1_200)) && !note(1, None), "one side is silent");
        assert!(!note(0, Some(1_200)) && !note(1, Some(-1_500)));
        assert!(!note(0, Some(31_999)) && note(1, Some(-31_998)));
    }
}
