//! Pseudo search extension (疑似探索延長): moves that only push what comes anyway over the horizon.
//!
//! A line A, B, C is best at a shallow node, and the pair A, B is of a kind that delays: A offers
//! material that B takes at once, or A is a check and B its answer. If C leads to a better position
//! without A and B, these two moves gave material away for two plies of time: what C does not parry
//! has only been put off. When C itself is searched, to the same depth, the search sees two plies
//! more of that, so it prefers A. The rule:
//!
//! ```text
//! A raised alpha at a node of depth 3 to delay_depth, and
//!   A captures nothing, and B takes the piece or A gives check, and
//!   C is legal without A and B, goes elsewhere and captures the same kind of piece or nothing, and
//!   static(C) ≥ max(static(A, B, C), value(A)) + delay_margin:      value(A) −= delay_penalty
//! ```
//!
//! Static values are taken without a further reply, and what C leaves hanging hangs with A and B as
//! well, so that their difference is what A and B cost. A sacrifice that the search knows to pay is
//! worth more than C alone, and is left in peace; one that pays beyond the horizon is not. Searching C
//! to the depth that was left in the line, in place of judging it, hardly ever found a delay: a reply
//! is enough to see what A has put off.
//!
//! The penalty belongs to A in this position, whatever came before, so that values in the
//! transposition table stay true to their positions. B and C are what the table knows; where it knows
//! no B, the only reply or the first capture of the piece that A moved. Without the table nothing is
//! found.
//!
//! It does what it is for but costs strength here, so it is off: in 1,888 positions of 77 tournament
//! games, searches to depth 4 that start with such an offer and that a search to depth 10 finds 80
//! centipawns worse than its own choice fall from 32 to 9, but those it finds no such fault with fall
//! from 18 to 4. Offering a pawn (叩きの歩) is too often right in shogi. In 300 games at 5,000 nodes a
//! move the side that used it was 42 Elo weaker (95 %: 3 to 82); with a penalty of 60, 6 weaker (95 %:
//! 45 weaker to 33 stronger).
//!
//! Source: the appeal document of ym-shogi, which names H. Yamashita's YSS as its source: "when A→B→C
//! is judged best and A→B is a combination prone to the horizon effect, compare with the value of
//! playing C without those two moves". The kinds, depths and sizes are our own.

use komadai_core::{Move, Piece, Position};
use komadai_eval::Evaluator;
use komadai_movegen::MoveGen;

use crate::Techniques;
use crate::value::{Value, is_decided};
use crate::worker::Worker;

impl<E: Evaluator> Worker<'_, E> {
    /// Whether `delay`, which is worth `value` at a node of this depth, only delays what comes
    /// anyway. Returns with everything as it was.
    pub(crate) fn only_delays(&mut self, delay: Move, value: Value, depth: i32) -> bool {
        let p = self.parameters();
        if !self.uses(Techniques::PSEUDO_SEARCH_EXTENSION)
            || !(3..=p.delay_depth).contains(&depth)
            || is_decided(value)
            || self.position.piece_on(delay.to()).is_some()
        {
            return false;
        }
        let Some(pair) = self.delaying_pair(delay) else { return false };
        let DelayingPair { reply, third } = pair;
        let without = -self.evaluate_after(&[third]);
        let with = -self.evaluate_after(&[delay, reply, third]);
        without >= with.max(value) + p.delay_margin
    }

    /// What the evaluator says after some moves, for the side to move then.
    fn evaluate_after(&mut self, moves: &[Move]) -> Value {
        for &m in moves {
            self.evaluator.do_move(&mut self.position, m, &mut self.state);
        }
        let value = self.evaluate();
        for _ in moves {
            self.undo_move();
        }
        value
    }

    /// The move C after the pair A, B, if the pair is of a delaying kind and C makes sense without it.
    fn delaying_pair(&mut self, delay: Move) -> Option<DelayingPair> {
        // Only keys are looked at on the way, so the evaluator need not know.
        self.position.do_move(delay);
        let reply = self.reply_to_delay(delay);
        let mut third = None;
        if let Some(reply) = reply {
            self.position.do_move(reply);
            third = self.table_move().map(|m| (m, captured(&self.position, m)));
            self.position.undo_move();
        }
        self.position.undo_move();
        let (third, taken) = third?;
        let makes_sense = third.to() != delay.to()
            && captured(&self.position, third).map(Piece::kind) == taken.map(Piece::kind)
            && self.position.is_legal(third);
        makes_sense.then_some(DelayingPair { reply: reply?, third })
    }

    /// The reply B that makes a pair with the last move, `delay`, of a delaying kind.
    fn reply_to_delay(&self, delay: Move) -> Option<Move> {
        let known = self.table_move();
        let takes = |m: &Move| m.to() == delay.to();
        if self.position.in_check() {
            return known.or_else(|| {
                let replies = self.position.legal_moves();
                let only = replies.len() == 1;
                replies.into_iter().find(|m| only || takes(m))
            });
        }
        match known {
            Some(_) => known.filter(takes),
            None => self.position.legal_moves().into_iter().find(takes),
        }
    }

    /// The best move that the table knows, if it is legal.
    fn table_move(&self) -> Option<Move> {
        let best = self.table.probe(self.position.key())?.best?;
        (self.uses(Techniques::TABLE) && self.position.is_legal(best)).then_some(best)
    }
}

/// What follows a delaying move: its answer B, and the move C that comes after both.
#[derive(Debug, Clone, Copy)]
struct DelayingPair {
    reply: Move,
    third: Move,
}

/// What a move captures.
fn captured(position: &Position, m: Move) -> Option<Piece> {
    position.piece_on(m.to())
}

#[cfg(test)]
mod tests {
    use komadai_core::{Bound, Budget, Score};
    use komadai_eval::Classical;

    use super::*;
    use crate::history::History;
    use crate::meter::Meter;
    use crate::{Entry, SearchOptions, TranspositionTable};

    /// A pawn to offer, a rook to go on with.
    const OFFER: &str = "4k4/9/4p4/9/9/9/9/7R1/4K4 b P 1";

    /// A line, what it is thought to be worth, and the depth at which it is met.
    struct Case {
        sfen: &'static str,
        line: [&'static str; 3],
        value: Value,
        depth: i32,
    }

    const DELAY: Case = Case { sfen: OFFER, line: ["P*5d", "5c5d", "2h2b+"], value: 0, depth: 3 };

    /// Whether the first move only delays, if the table knows what follows.
    fn only_delays(case: &Case) -> bool {
        let position = Position::from_sfen(case.sfen).unwrap();
        let line = case.line.map(|m| m.parse::<Move>().unwrap());
        let techniques = Techniques::default() | Techniques::PSEUDO_SEARCH_EXTENSION;
        let options = SearchOptions { techniques, ..SearchOptions::default() };
        let (table, budget) = (TranspositionTable::new(1), Budget::unlimited());
        let after = |moves: &[Move]| {
            moves.iter().fold(position.clone(), |position, &m| position.after(m)).key()
        };
        let (score, bound) = (Score::ZERO, Bound::Exact);
        let entry = Entry { best: None, score, static_score: None, depth: 1, bound, pv: false };
        table.store(after(&line[..2]), Entry { best: Some(line[2]), ..entry });
        let history = History::new();
        let meter = Meter::new(&budget);
        let evaluator = Classical::default();
        let mut worker = Worker::new(&evaluator, &table, &options, &history, meter, &position);
        let before = worker.evaluate();
        let answer = worker.only_delays(line[0], case.value, case.depth);
        assert_eq!(worker.position, position);
        assert_eq!(worker.evaluate(), before);
        answer
    }

    #[test]
    fn a_pawn_given_for_nothing_delays() {
        assert!(only_delays(&DELAY));
    }

    #[test]
    fn a_check_that_gives_a_piece_away_delays() {
        let sfen = "4k4/9/9/9/9/9/9/7R1/4K4 b G 1";
        assert!(only_delays(&Case { sfen, line: ["G*5b", "5a5b", "2h2c+"], ..DELAY }));
    }

    #[test]
    fn a_sacrifice_that_pays_does_not() {
        assert!(!only_delays(&Case { value: 5_000, ..DELAY }));
    }

    #[test]
    fn nodes_too_deep_or_too_shallow_are_left_alone() {
        for depth in [1, 2, 30] {
            assert!(!only_delays(&Case { depth, ..DELAY }));
        }
    }

    #[test]
    fn an_exchange_is_no_delay() {
        let sfen = "4k4/9/4p4/9/9/9/9/4R4/3K5 b P 1";
        let line = ["P*5d", "5c5d", "5h5d"];
        assert!(!only_delays(&Case { sfen, line, ..DELAY }));
        let takes = "4k4/9/4s4/4p4/4P4/9/9/7R1/4K4 b P 1";
        assert!(!only_delays(&Case { sfen: takes, line: ["5e5d", "5c5d", "2h2b+"], ..DELAY }));
    }

    #[test]
    fn a_move_that_needs_the_other_two_is_no_proof() {
        // Only once the pawn has left may the rook go there.
        let sfen = "4k4/9/4p4/9/9/9/9/4R4/3K5 b P 1";
        let line = ["P*4d", "5c5d", "5h5d"];
        assert!(!only_delays(&Case { sfen, line, ..DELAY }));
    }
}
