//! Pseudo search extension (疑似探索延長): a penalty for moves that only push a loss over the horizon.
//!
//! A line A, B, C is best at a shallow node, and the pair A, B is of a delaying kind: A offers
//! material that B takes at once, or A is a check and B its answer. If C leads to a better position
//! without A and B, these two moves gave material away for two plies of time: a threat that C does
//! not parry has only been delayed. When C itself is searched, to the same depth, the search sees
//! two plies more of the threat, so it prefers A. The rule:
//!
//! ```text
//! A raised alpha at a node of depth 3 to delay_depth, and
//!   A captures nothing, and B takes the piece or A gives check, and
//!   C is legal without A and B, goes elsewhere and captures the same kind of piece or nothing, and
//!   static(C) ≥ max(static(A, B, C), value(A)) + delay_margin:      value(A) −= delay_penalty
//! ```
//!
//! Static evaluations are taken without a further reply. A piece that C leaves hanging also hangs
//! after A and B, so the difference of the two evaluations is the cost of A and B. A sacrifice that
//! the search sees to pay has a higher value than C alone, and gets no penalty; a sacrifice that
//! pays beyond the horizon does. A search of C to the remaining depth of the line, in place of the
//! static evaluation, hardly ever found a delay: a single reply is enough to show what A has
//! delayed.
//!
//! The penalty belongs to A in this position, independent of the moves before, so that values in
//! the transposition table stay true to their positions. B and C come from the transposition table;
//! where it has no B, B is the only reply or the first capture of the piece that A moved. Without
//! the transposition table there is no penalty.
//!
//! The technique works as intended and gains nothing here, so it is off by default. In 1,888
//! positions of 77 tournament games, there are 32 searches to depth 4 whose line starts with such
//! an offer and whose move a search to depth 10 finds 80 centipawns worse than its own choice; the
//! penalty reduces them to 9. But it also reduces the offers that the deeper search does not
//! refute, from 18 to 4. Offering a pawn (叩きの歩) is too often right in shogi. Its strength is
//! measured in `docs/techniques.md`, with the others.
//!
//! Source: the appeal document of ym-shogi, which names H. Yamashita's YSS as its source: "when
//! A→B→C is judged best and A→B is a combination prone to the horizon effect, compare with the
//! value of playing C without those two moves". The kinds, depths and sizes are our own.

use komadai_core::{Move, Piece, Position};
use komadai_eval::Evaluator;
use komadai_movegen::MoveGen;

use crate::settings::Settings;
use crate::techniques::Techniques;
use crate::value::{Value, is_decided};
use crate::worker::Worker;

/// The smallest depth at which the three moves of a line are all searched by the node.
const MIN_DEPTH: i32 = 3;

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Returns the penalty of a move with this value at a node of this depth: `delay_penalty` if
    /// the move only delays a loss, 0 otherwise.
    ///
    /// Position and evaluation are as before afterwards.
    pub(crate) fn pseudo_search_penalty(&mut self, m: Move, value: Value, depth: i32) -> Value {
        if self.is_delay(m, value, depth) { self.parameters().delay_penalty } else { 0 }
    }

    fn is_delay(&mut self, delay: Move, value: Value, depth: i32) -> bool {
        if S::IS_FIXED {
            return false;
        }
        let p = self.parameters();
        if !self.uses(Techniques::PSEUDO_SEARCH_EXTENSION)
            || !(MIN_DEPTH..=p.delay_depth).contains(&depth)
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

    /// Returns the evaluator's value after some moves, for the side to move then.
    fn evaluate_after(&mut self, moves: &[Move]) -> Value {
        for &m in moves {
            self.do_uncounted_move(m);
        }
        let value = self.evaluate();
        for _ in moves {
            self.undo_move();
        }
        value
    }

    /// Returns the moves B and C after A, if A, B is of a delaying kind and C makes sense without
    /// both.
    fn delaying_pair(&mut self, delay: Move) -> Option<DelayingPair> {
        // Only keys are needed on the way, so the evaluator's state need not follow.
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

    /// Returns the reply B that makes a pair of a delaying kind with the last move, `delay`.
    fn reply_to_delay(&self, delay: Move) -> Option<Move> {
        let table_move = self.table_move();
        let takes = |m: &Move| m.to() == delay.to();
        if self.position.in_check() {
            return table_move.or_else(|| {
                let replies = self.position.legal_moves();
                let only = replies.len() == 1;
                replies.into_iter().find(|m| only || takes(m))
            });
        }
        match table_move {
            Some(_) => table_move.filter(takes),
            None => self.position.legal_moves().into_iter().find(takes),
        }
    }

    /// Returns the best move of the transposition table, if it is legal.
    fn table_move(&self) -> Option<Move> {
        let best = self.table.probe(self.position.key())?.best?;
        (self.uses(Techniques::TABLE) && self.position.is_legal(best)).then_some(best)
    }
}

/// The continuation of a delaying move: its answer B, and the move C that comes after both.
#[derive(Debug, Clone, Copy)]
struct DelayingPair {
    reply: Move,
    third: Move,
}

/// Returns the piece that a move captures.
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
    use crate::options::SearchOptions;
    use crate::scaled::Scaled;
    use crate::transposition_table::TranspositionTable;
    use crate::transposition_table::entry::Entry;

    /// A position with a pawn to offer and a rook to continue with.
    const OFFER: &str = "4k4/9/4p4/9/9/9/9/7R1/4K4 b P 1";

    /// A line, its value by the search, and the depth of the node.
    struct Case {
        sfen: &'static str,
        line: [&'static str; 3],
        value: Value,
        depth: i32,
    }

    const DELAY: Case = Case { sfen: OFFER, line: ["P*5d", "5c5d", "2h2b+"], value: 0, depth: 3 };

    /// Checks whether the first move gets a penalty, when the transposition table holds the rest.
    fn is_penalised(case: &Case) -> bool {
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
        let mut history = History::new();
        let meter = Meter::new(&budget);
        let evaluator = Scaled::unscaled(Classical::default());
        let mut worker =
            Worker::new(&evaluator, &table, &options, history.first(), meter, &position);
        let before = worker.evaluate();
        let penalty = worker.pseudo_search_penalty(line[0], case.value, case.depth);
        assert_eq!(worker.position, position);
        assert_eq!(worker.evaluate(), before);
        penalty > 0
    }

    #[test]
    fn a_pawn_given_for_nothing_is_penalised() {
        assert!(is_penalised(&DELAY));
    }

    #[test]
    fn a_check_that_gives_a_piece_away_is_penalised() {
        let sfen = "4k4/9/9/9/9/9/9/7R1/4K4 b G 1";
        assert!(is_penalised(&Case { sfen, line: ["G*5b", "5a5b", "2h2c+"], ..DELAY }));
    }

    #[test]
    fn a_sacrifice_that_pays_is_not_penalised() {
        assert!(!is_penalised(&Case { value: 5_000, ..DELAY }));
    }

    #[test]
    fn too_deep_and_too_shallow_nodes_have_no_penalty() {
        for depth in [1, 2, 30] {
            assert!(!is_penalised(&Case { depth, ..DELAY }));
        }
    }

    #[test]
    fn an_exchange_is_no_delay() {
        let sfen = "4k4/9/4p4/9/9/9/9/4R4/3K5 b P 1";
        let line = ["P*5d", "5c5d", "5h5d"];
        assert!(!is_penalised(&Case { sfen, line, ..DELAY }));
        let takes = "4k4/9/4s4/4p4/4P4/9/9/7R1/4K4 b P 1";
        assert!(!is_penalised(&Case { sfen: takes, line: ["5e5d", "5c5d", "2h2b+"], ..DELAY }));
    }

    #[test]
    fn a_move_that_needs_the_other_two_is_no_proof() {
        // Only once the pawn has left may the rook go there.
        let sfen = "4k4/9/4p4/9/9/9/9/4R4/3K5 b P 1";
        let line = ["P*4d", "5c5d", "5h5d"];
        assert!(!is_penalised(&Case { sfen, line, ..DELAY }));
    }
}
