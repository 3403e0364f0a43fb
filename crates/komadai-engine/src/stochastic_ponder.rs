//! Pondering on all replies (`Stochastic_Ponder`).
//!
//! Ordinary pondering searches the position after one expected reply. Where that reply is often not
//! played, it is better to search the position before it: the transposition table then has entries
//! for every reply. The output must still fit the position that the GUI has set, in which the
//! expected reply has been made. Scores are therefore negated, and only lines that begin with that
//! reply are shown.

use komadai_core::{Move, Position, Pv};
use komadai_movegen::MoveGen;
use komadai_usi::{BestMove, Info, Tail};

/// A ponder search of the position before the expected reply.
#[derive(Debug)]
pub(crate) struct StochasticPonder {
    reply: Move,
}

impl StochasticPonder {
    /// Returns the ponder search for `position` and the position before its last move. `None` if
    /// the position was not reached by a move.
    pub(crate) fn before(position: &Position) -> Option<(Self, Position)> {
        let reply = position.moves().last().flatten()?;
        let mut before = position.clone();
        before.undo_move();
        Some((Self { reply }, before))
    }

    /// Converts a report about the position before the reply into one about the position after it.
    pub(crate) fn convert(&self, mut info: Info) -> Info {
        let less = |plies: Option<u32>| plies.map(|plies| plies.saturating_sub(1));
        info.tail = match info.tail {
            Tail::Pv(pv) => self.rest(&pv).map_or(Tail::None, Tail::Pv),
            Tail::Resign | Tail::Win => Tail::None,
            other => other,
        };
        info.depth = less(info.depth);
        info.seldepth = less(info.seldepth);
        info.score = info.score.map(|score| (-score).to_ply(1));
        info.bound = !info.bound;
        info
    }

    /// Returns the part of the line after the reply, if the line begins with the reply and
    /// continues.
    fn rest(&self, pv: &Pv) -> Option<Pv> {
        let (&first, rest) = pv.split_first()?;
        (first == self.reply && !rest.is_empty()).then(|| rest.into())
    }

    /// Returns a legal answer for the position after the reply. GUIs ignore it but require one.
    pub(crate) fn answer(&self, found: BestMove, position: &Position) -> BestMove {
        let expected = match found {
            BestMove::Move { best, ponder } if best == self.reply => ponder,
            _ => None,
        };
        match expected.filter(|&m| position.is_legal(m)) {
            Some(best) => BestMove::Move { best, ponder: None },
            None => any_legal_move(position),
        }
    }
}

/// Returns any legal move, for answers without a search.
pub(crate) fn any_legal_move(position: &Position) -> BestMove {
    let best = position.legal_moves().first().copied();
    best.map_or(BestMove::Resign, |best| BestMove::Move { best, ponder: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ponder() -> (StochasticPonder, Position, Position) {
        let after = Position::hirate().after("7g7f".parse().expect("a move"));
        let (ponder, before) = StochasticPonder::before(&after).expect("a move has been made");
        (ponder, before, after)
    }

    #[test]
    fn the_reply_is_taken_back() {
        let (ponder, before, _) = ponder();
        assert_eq!(before, Position::hirate());
        assert_eq!(ponder.reply.to_string(), "7g7f");
        assert!(StochasticPonder::before(&Position::hirate()).is_none());
    }

    #[test]
    fn reports_fit_the_position_after_the_reply() {
        let turned = |text| ponder().0.convert(Info::from_usi(text)).to_string();
        assert_eq!(
            turned("depth 5 seldepth 9 score cp 30 lowerbound nodes 7 pv 7g7f 3c3d 2g2f"),
            "depth 4 seldepth 8 score cp -30 upperbound nodes 7 pv 3c3d 2g2f"
        );
        assert_eq!(turned("depth 5 score mate 3 pv 2g2f 3c3d"), "depth 4 score mate -2");
        assert_eq!(turned("depth 0 pv 7g7f"), "depth 0");
        assert_eq!(turned("depth 0 score cp 30000 pv win"), "depth 0 score cp -30000");
        assert_eq!(turned("string hello"), "string hello");
    }

    #[test]
    fn an_answer_is_legal_after_the_reply() {
        let (search, _, after) = ponder();
        let found = |text: &str, ponder: Option<&str>| BestMove::Move {
            best: text.parse().expect("a move"),
            ponder: ponder.map(|m| m.parse().expect("a move")),
        };
        let answer = |found| match search.answer(found, &after) {
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
