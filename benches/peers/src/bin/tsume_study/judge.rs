//! The comparison of an answer with the rules and the known facts.

use komadai_testdata::tsume::Expected;
use komadai_tsume::is_mating_line;

use crate::problems::Problem;
use crate::solver::Verdict;

/// The quality of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Judgement {
    /// A mate whose line is as long as the proven shortest mate.
    Shortest,
    /// A mate whose line is longer, or shorter because the defender did not play the longest
    /// defence, or whose shortest length is not proven.
    Mate,
    /// No mate, and none is known.
    NoMate,
    /// No answer within the limits.
    Undecided,
    /// A mate of a position without one.
    FalseMate,
    /// No mate of a position with one.
    FalseNoMate,
    /// The claim to be the shortest mate, with a wrong length.
    WrongLength,
    /// A line with an illegal move, a move of the attacker without check, or no mate at its end.
    BadLine,
    /// A crash, or no answer after `stop`.
    Failed,
}

impl Judgement {
    const ALL: [(Self, &'static str); 9] = [
        (Self::Shortest, "shortest"),
        (Self::Mate, "mate"),
        (Self::NoMate, "nomate"),
        (Self::Undecided, "undecided"),
        (Self::FalseMate, "FALSE-MATE"),
        (Self::FalseNoMate, "FALSE-NOMATE"),
        (Self::WrongLength, "WRONG-LENGTH"),
        (Self::BadLine, "BAD-LINE"),
        (Self::Failed, "FAILED"),
    ];

    /// Returns the word in the table of results.
    pub(crate) fn word(self) -> &'static str {
        Self::ALL.iter().find(|(known, _)| *known == self).map_or("?", |(_, word)| word)
    }

    /// Returns the judgement with this word.
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == word).map(|&(judgement, _)| judgement)
    }

    /// Returns true for a right answer that decides the problem.
    pub(crate) fn is_decided(self) -> bool {
        matches!(self, Self::Shortest | Self::Mate | Self::NoMate)
    }

    /// Returns true for a wrong answer.
    pub(crate) fn is_false(self) -> bool {
        !self.is_decided() && self != Self::Undecided
    }
}

/// Judges an answer. Every line is replayed by the rules of this project.
pub(crate) fn judge(problem: &Problem, verdict: &Verdict) -> Judgement {
    let expected = problem.expected;
    let is_mate_known = !matches!(expected, Expected::NoMate | Expected::Unknown);
    match verdict {
        Verdict::Unknown => Judgement::Undecided,
        Verdict::Failed(_) => Judgement::Failed,
        Verdict::NoMate if is_mate_known => Judgement::FalseNoMate,
        Verdict::NoMate => Judgement::NoMate,
        Verdict::Mate { .. } | Verdict::MateWithoutLine if expected == Expected::NoMate => {
            Judgement::FalseMate
        }
        Verdict::MateWithoutLine => Judgement::Mate,
        Verdict::Mate { line, .. } if !is_mating_line(&problem.position, line) => {
            Judgement::BadLine
        }
        Verdict::Mate { line, shortest } => {
            let plies = line.len() as u32;
            match expected {
                Expected::ShortestMate(known) if known == plies => Judgement::Shortest,
                Expected::ShortestMate(_) if *shortest => Judgement::WrongLength,
                Expected::MateWithin(known) if *shortest && plies > known => Judgement::WrongLength,
                _ => Judgement::Mate,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use komadai_core::{Position, Pv};

    fn judged(expected: Expected, verdict: &Verdict) -> Judgement {
        let sfen = "4k4/9/4P4/9/9/9/9/9/9 b 2G 1".to_owned();
        let position = Position::from_sfen(&sfen).unwrap();
        judge(&Problem { id: String::new(), sfen, position, expected }, verdict)
    }

    fn mate(line: &str, shortest: bool) -> Verdict {
        Verdict::Mate { line: line.parse::<Pv>().unwrap().to_vec(), shortest }
    }

    #[test]
    fn claims_are_held_against_the_facts() {
        let (one, three) = (Expected::ShortestMate(1), Expected::ShortestMate(3));
        let right = mate("G*5b", true);
        assert_eq!(judged(one, &right), Judgement::Shortest);
        assert_eq!(judged(three, &right), Judgement::WrongLength);
        assert_eq!(judged(three, &mate("G*5b", false)), Judgement::Mate);
        assert_eq!(judged(Expected::NoMate, &right), Judgement::FalseMate);
        assert_eq!(judged(Expected::NoMate, &Verdict::NoMate), Judgement::NoMate);
        assert_eq!(judged(Expected::Mate, &Verdict::NoMate), Judgement::FalseNoMate);
        assert_eq!(judged(Expected::Unknown, &Verdict::NoMate), Judgement::NoMate);
    }

    #[test]
    fn lines_are_replayed() {
        let one = Expected::ShortestMate(1);
        assert_eq!(judged(one, &mate("G*4b", false)), Judgement::BadLine, "the king can take");
        assert_eq!(judged(one, &mate("5c5b", false)), Judgement::BadLine, "no mate");
        assert_eq!(judged(one, &mate("G*9a", false)), Judgement::BadLine, "no check");
    }

    #[test]
    fn words_round_trip() {
        for (judgement, word) in Judgement::ALL {
            assert_eq!(judgement.word(), word);
            assert_eq!(Judgement::from_word(word), Some(judgement));
        }
    }
}
