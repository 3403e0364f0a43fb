//! The defender's replies to a check, with the distance to the mate after each, and hints.

use komadai_core::{Budget, Color, Move, PieceKind, Position, Pv, Square};
use komadai_movegen::{CheckClass, MateResult, MateSolver, MoveGen};

/// Returns all legal replies of the side to move, each with the attacker's mate after it, the most
/// stubborn reply first.
///
/// `position` is one in which the attacker has just given check; the function itself does not
/// require that. Every reply gets the nodes of `budget`; its deadline and stop flag hold for all of
/// them. The distances are exact if the solver finds shortest mates, as
/// [`DfPn`](komadai_tsume::DfPn) does with
/// [`Goal::ShortestMate`](komadai_tsume::Goal::ShortestMate).
///
/// The order is: replies that escape from mate; replies for which the budget did not suffice; and
/// replies that are mated, the longest mate first. Equal ones are ordered by these rules:
///
/// 1. fewer pieces left in the attacker's hand after the mate, as the defender of a composed
///    problem chooses (駒余り);
/// 2. moves on the board before drops;
/// 3. the smaller number [`Move::to_bits`], an arbitrary but fixed order.
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_problems::defence::{self, Resistance};
/// use komadai_tsume::{DfPn, DfPnOptions, Goal};
///
/// let mut solver = DfPn::new(DfPnOptions { goal: Goal::ShortestMate, ..DfPnOptions::default() });
/// let position = Position::from_sfen("8k/7G1/7P1/9/9/9/9/9/9 w G 1")?;
/// let resistance: Resistance =
///     defence::resistance(&mut solver, &position, &Budget::nodes(10_000));
/// assert_eq!(resistance.plies_to_mate(), Some(0), "the gold mates");
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
pub fn resistance<S: MateSolver + ?Sized>(
    solver: &mut S,
    position: &Position,
    budget: &Budget,
) -> Resistance {
    let attacker = !position.side();
    let mut replies = Vec::new();
    let mut nodes = 0;
    for m in position.legal_moves() {
        let after = position.after(m);
        let report = solver.solve(&after, budget, CheckClass::All);
        nodes += report.nodes;
        let no_mate_within = report.no_mate_within;
        let outcome = match report.result {
            MateResult::Mate { line, shortest } => {
                ReplyOutcome::Mated { plies: line.len() as u32, exact: shortest, line }
            }
            MateResult::NoMate => ReplyOutcome::Escapes,
            _ => match report.mate_within {
                Some(plies) => ReplyOutcome::Mated { plies, exact: false, line: Pv::new() },
                None => ReplyOutcome::Unknown { no_mate_within },
            },
        };
        let leftover = outcome.leftover(&after, attacker);
        replies.push((leftover, Reply { m, outcome }));
    }
    // A fixed order of equal replies, so that the report does not depend on that of the generator.
    replies.sort_by_key(|(leftover, reply)| {
        let m = reply.m;
        (reply.outcome.rank(), *leftover, m.is_drop(), m.to_bits())
    });
    Resistance { replies: replies.into_iter().map(|(_, reply)| reply).collect(), nodes }
}

/// The replies to a check: see [`resistance`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resistance {
    /// All legal replies, the most stubborn first. Empty if the defender is mated.
    pub replies: Vec<Reply>,
    /// The number of positions that the solver visited.
    pub nodes: u64,
}

impl Resistance {
    /// Returns the most stubborn reply; `None` if there is no legal reply.
    pub fn best(&self) -> Option<&Reply> {
        self.replies.first()
    }

    /// Returns the number of plies after which the defender is mated, the reply included: 0 for a
    /// defender without a reply, `None` unless a mate is proven after each reply.
    pub fn plies_to_mate(&self) -> Option<u32> {
        match self.best() {
            None => Some(0),
            Some(Reply { outcome: ReplyOutcome::Mated { plies, .. }, .. }) => Some(plies + 1),
            Some(_) => None,
        }
    }

    /// Returns true if [`plies_to_mate`](Self::plies_to_mate) is the distance with best play by
    /// both sides, and not only an upper bound.
    pub fn is_exact(&self) -> bool {
        // A reply with an inexact distance may be shorter than stated, but not longer; the longest
        // one decides.
        match self.best() {
            None => true,
            Some(Reply { outcome: ReplyOutcome::Mated { exact, .. }, .. }) => *exact,
            Some(_) => false,
        }
    }
}

/// A reply to a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The move.
    pub m: Move,
    /// The mate after it.
    pub outcome: ReplyOutcome,
}

/// The consequence of a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReplyOutcome {
    /// The attacker has no mate: the reply refutes the check.
    Escapes,
    /// The budget did not suffice.
    Unknown {
        /// No mate within this many plies after the reply exists; 0 if nothing is proven.
        no_mate_within: u32,
    },
    /// The attacker mates.
    Mated {
        /// The number of plies after the reply.
        plies: u32,
        /// True if no shorter mate exists.
        exact: bool,
        /// The moves after the reply; empty if the budget did not suffice to collect them.
        line: Pv,
    },
}

impl ReplyOutcome {
    /// Returns the place in the order of stubbornness, smallest first.
    fn rank(&self) -> (u8, u32) {
        match self {
            Self::Escapes => (0, 0),
            Self::Unknown { no_mate_within } => (1, u32::MAX - no_mate_within),
            Self::Mated { plies, .. } => (2, u32::MAX - plies),
        }
    }

    /// Returns the number of pieces in the attacker's hand at the end of the line.
    fn leftover(&self, after_reply: &Position, attacker: Color) -> u32 {
        let Self::Mated { line, .. } = self else { return 0 };
        let mut position = after_reply.without_history();
        for &m in line {
            position.do_move(m);
        }
        position.hand(attacker).len()
    }
}

/// Returns a hint for a person who looks for the mate; `None` if no mate was found.
///
/// The hint is taken from a mate of the solver, so that several people may be given different first
/// moves only if the solver or its budget differs.
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, PieceKind, Position};
/// use komadai_problems::defence;
/// use komadai_tsume::DfPn;
///
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1")?;
/// let hint = defence::hint(&mut DfPn::default(), &position, &Budget::nodes(1_000));
/// let hint = hint.ok_or("a mate in one")?;
/// assert_eq!((hint.plies, hint.exact), (1, true));
/// assert_eq!(hint.piece(), defence::HintPiece::InHand(PieceKind::Gold));
/// assert_eq!(hint.first_move, "G*5b".parse()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn hint<S: MateSolver + ?Sized>(
    solver: &mut S,
    position: &Position,
    budget: &Budget,
) -> Option<Hint> {
    let report = solver.solve(position, budget, CheckClass::All);
    match report.result {
        MateResult::Mate { line, shortest } => {
            let first_move = *line.first()?;
            Some(Hint { plies: line.len() as u32, exact: shortest, first_move })
        }
        MateResult::MateWithoutLine { first } => {
            Some(Hint { plies: report.mate_within?, exact: false, first_move: first? })
        }
        _ => None,
    }
}

/// A hint: the length, the piece to move, or the first move, for the caller to disclose step by
/// step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hint {
    /// The length of the mate in plies.
    pub plies: u32,
    /// True if no shorter mate exists.
    pub exact: bool,
    /// The first move of the mate.
    pub first_move: Move,
}

impl Hint {
    /// Returns the piece to move, without its destination.
    pub fn piece(&self) -> HintPiece {
        match (self.first_move.from(), self.first_move.dropped()) {
            (_, Some(kind)) => HintPiece::InHand(kind),
            (Some(square), None) => HintPiece::OnBoard(square),
            (None, None) => unreachable!("a move without an origin is a drop"),
        }
    }
}

/// The piece that makes the first move of a mate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HintPiece {
    /// The piece on this square.
    OnBoard(Square),
    /// A piece of this kind in the attacker's hand.
    InHand(PieceKind),
}

#[cfg(test)]
mod tests {
    use komadai_core::SplitMix64;
    use komadai_movegen::MateInOne;
    use komadai_tsume::{DfPn, DfPnOptions, Goal};

    use super::*;
    use crate::tests::oracle::{is_mated_within, shortest_mate};
    use crate::tests::random_positions::random_composition;

    #[test]
    fn the_distances_and_the_order_are_those_of_the_oracle() {
        let options =
            DfPnOptions { hash_mib: 1, goal: Goal::ShortestMate, ..DfPnOptions::default() };
        let mut solver = DfPn::new(options);
        let mut mated = 0;
        let mut refuted = 0;
        let mut ties = 0;
        for seed in 0..250 {
            let Some(start) = random_composition(&mut SplitMix64::new(seed)) else { continue };
            let checks = start.legal_moves().into_iter().filter(|&m| start.gives_check(m));
            for check in checks.take(3) {
                let position = start.after(check);
                let resistance = resistance(&mut solver, &position, &Budget::nodes(2_000));
                assert_eq!(resistance.replies.len(), position.legal_moves().len());
                let rank = |reply: &Reply| reply.outcome.rank();
                assert!(resistance.replies.is_sorted_by_key(rank), "{resistance:?}");
                ties +=
                    resistance.replies.windows(2).filter(|p| rank(&p[0]) == rank(&p[1])).count();
                for reply in &resistance.replies {
                    let truth = shortest_mate(&mut position.after(reply.m), 3);
                    match &reply.outcome {
                        ReplyOutcome::Escapes => {
                            assert_eq!(truth, None, "{position} {reply:?}");
                            refuted += 1;
                        }
                        ReplyOutcome::Mated { plies, exact: true, .. } => {
                            let plies = *plies as usize;
                            assert!(truth.map_or(plies > 3, |truth| truth == plies), "{position}");
                        }
                        _ => assert_eq!(truth, None, "short mates are found: {position} {reply:?}"),
                    }
                }
                let Some(plies) = resistance.plies_to_mate() else { continue };
                if resistance.is_exact() && plies <= 4 {
                    let within = |plies| is_mated_within(&mut position.clone(), plies as usize);
                    assert!(within(plies) && (plies == 0 || !within(plies - 2)), "{position}");
                    mated += 1;
                }
            }
        }
        assert!(mated > 5 && refuted > 50 && ties > 20, "{mated} {refuted} {ties}");
    }

    #[test]
    fn an_escape_comes_first_and_a_spent_budget_proves_nothing() {
        // The king may take the undefended gold.
        let position = Position::from_sfen("8k/7G1/9/9/9/9/9/9/9 w G 1").unwrap();
        let all = resistance(&mut DfPn::default(), &position, &Budget::nodes(10_000));
        assert_eq!(all.best().map(|reply| reply.m), Some("1a2b".parse().unwrap()));
        assert_eq!(all.best().map(|reply| &reply.outcome), Some(&ReplyOutcome::Escapes));
        assert_eq!((all.plies_to_mate(), all.is_exact()), (None, false));
        let none = resistance(&mut DfPn::default(), &position, &Budget::nodes(0));
        assert!(none.replies.iter().all(|r| matches!(r.outcome, ReplyOutcome::Unknown { .. })));
    }

    #[test]
    fn equal_mates_are_ordered_by_the_pieces_left_over() {
        // Whatever White interposes, taking it with the rook mates or leaves a piece in hand.
        let options =
            DfPnOptions { hash_mib: 1, goal: Goal::ShortestMate, ..DfPnOptions::default() };
        let position = Position::from_sfen("4k3R/9/3+P1+P3/9/9/9/9/9/9 w - 1").unwrap();
        let all = resistance(&mut DfPn::new(options), &position, &Budget::nodes(10_000));
        assert_eq!(all.plies_to_mate(), Some(0), "{all:?}");
        let position = Position::from_sfen("4k3R/9/3+P1+P3/9/9/9/9/9/9 w pg 1").unwrap();
        let all = resistance(&mut DfPn::new(options), &position, &Budget::nodes(10_000));
        assert!(all.replies.iter().all(|reply| reply.m.is_drop()), "{all:?}");
        assert!(all.is_exact() && all.plies_to_mate() == Some(2), "{all:?}");
    }

    #[test]
    fn a_hint_needs_a_mate() {
        let mate = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap();
        assert!(hint(&mut MateInOne, &mate, &Budget::unlimited()).is_some());
        let none = Position::from_sfen("4k4/9/9/9/9/9/9/9/9 b G 1").unwrap();
        assert_eq!(hint(&mut DfPn::default(), &none, &Budget::nodes(1_000)), None);
        let board = Position::from_sfen("4k4/9/3GK4/9/9/9/9/9/9 b - 1").unwrap();
        let hint = hint(&mut DfPn::default(), &board, &Budget::nodes(1_000)).unwrap();
        assert_eq!(hint.piece(), HintPiece::OnBoard(Square::S63));
    }
}
