//! Pondering on all replies (`Stochastic_Ponder`).
//!
//! Ordinary pondering bets on one reply. Where the bet is often lost, it is better to think about the
//! position before that reply: whatever is played then, the transposition table knows something about
//! it. What the GUI sees must fit the position that it has set, though, in which the reply has been
//! made: scores are turned, and lines of play are shown if they begin with the reply.

use komadai_core::{Move, Position, Pv};
use komadai_movegen::MoveGen;
use komadai_usi::{BestMove, Info, Tail};

/// A search of the position before the reply that is expected.
#[derive(Debug)]
pub(crate) struct Guess {
    reply: Move,
    /// What to answer should the GUI ask for it, once the search is done.
    pub(crate) answer: Option<BestMove>,
    pub(crate) is_stopped: bool,
}

impl Guess {
    /// The guess that leads to `position`, and the position before it. None if it has not come about
    /// by a move.
    pub(crate) fn before(position: &Position) -> Option<(Self, Position)> {
        let reply = position.moves().last().flatten()?;
        let mut before = position.clone();
        before.undo_move();
        Some((Self { reply, answer: None, is_stopped: false }, before))
    }

    /// What is said about the position before the reply, as said about the one after it.
    pub(crate) fn turned(&self, info: Info) -> Info {
        let less = |plies: Option<u32>| plies.map(|plies| plies.saturating_sub(1));
        let tail = match info.tail {
            Tail::Pv(pv) => self.rest(&pv).map_or(Tail::None, Tail::Pv),
            other => other,
        };
        Info {
            depth: less(info.depth),
            seldepth: less(info.seldepth),
            score: info.score.map(|score| (-score).to_ply(1)),
            bound: !info.bound,
            tail,
            ..info
        }
    }

    /// The line after the reply, if the line begins with it and goes on.
    fn rest(&self, pv: &Pv) -> Option<Pv> {
        let (&first, rest) = pv.split_first()?;
        (first == self.reply && !rest.is_empty()).then(|| rest.into())
    }

    /// A legal answer for the position after the reply: GUIs ignore it, but must have one.
    pub(crate) fn answer(&self, found: BestMove, position: &Position) -> BestMove {
        let expected = match found {
            BestMove::Move { best, ponder } if best == self.reply => ponder,
            _ => None,
        };
        match expected.filter(|&m| position.is_legal(m)) {
            Some(best) => BestMove::Move { best, ponder: None },
            None => some_move(position),
        }
    }
}

/// Any legal move: what is left when there is nothing to choose with.
pub(crate) fn some_move(position: &Position) -> BestMove {
    let best = position.legal_moves().first().copied();
    best.map_or(BestMove::Resign, |best| BestMove::Move { best, ponder: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guess() -> (Guess, Position, Position) {
        let after = Position::hirate().after("7g7f".parse().expect("a move"));
        let (guess, before) = Guess::before(&after).expect("a move has been made");
        (guess, before, after)
    }

    #[test]
    fn the_reply_is_taken_back() {
        let (guess, before, _) = guess();
        assert_eq!(before, Position::hirate());
        assert_eq!(guess.reply.to_string(), "7g7f");
        assert!(Guess::before(&Position::hirate()).is_none());
    }

    #[test]
    fn what_is_said_fits_the_position_after_the_reply() {
        let turned = |text| guess().0.turned(Info::from_usi(text)).to_string();
        assert_eq!(
            turned("depth 5 seldepth 9 score cp 30 lowerbound nodes 7 pv 7g7f 3c3d 2g2f"),
            "depth 4 seldepth 8 score cp -30 upperbound nodes 7 pv 3c3d 2g2f"
        );
        assert_eq!(turned("depth 5 score mate 3 pv 2g2f 3c3d"), "depth 4 score mate -2");
        assert_eq!(turned("depth 0 pv 7g7f"), "depth 0");
        assert_eq!(turned("string hello"), "string hello");
    }

    #[test]
    fn an_answer_is_legal_after_the_reply() {
        let (guess, _, after) = guess();
        let found = |text: &str, ponder: Option<&str>| BestMove::Move {
            best: text.parse().expect("a move"),
            ponder: ponder.map(|m| m.parse().expect("a move")),
        };
        let answer = |found| match guess.answer(found, &after) {
            BestMove::Move { best, ponder: None } => best,
            other => panic!("no move but {other}"),
        };
        assert_eq!(answer(found("7g7f", Some("3c3d"))).to_string(), "3c3d");
        for other in [
            found("7g7f", None),
            found("7g7f", Some("2g2f")),
            found("2g2f", Some("3c3d")),
            BestMove::Resign,
        ] {
            assert!(after.is_legal(answer(other)), "{other}");
        }
    }
}
