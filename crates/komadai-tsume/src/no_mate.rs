//! The ground on which a position is no mate: all checks run out, or a rule saves the defender.
//!
//! A second search relaxes a rule of the first. If it succeeds, the no-mate depends on that rule.

mod escape;
mod perpetual;
use escape::Escape;
use komadai_core::{Budget, Move, Position, Pv};
use komadai_movegen::{CheckClass, MateLimit, MateReport, MateResult, MoveGen, MoveList};
use perpetual::Perpetual;

use crate::dfpn::DfPn;
use crate::game::{PawnDropMate, Tsume, generate_checks_under};
use crate::memory::{Memory, Workspace};
use crate::meter::Meter;
use crate::options::{DfPnOptions, Goal};
use crate::plies::{MAX_PLIES, Plies};
use crate::search::{Outcome, Search};

/// The ground on which a position is no mate.
///
/// A position may have more than one: [`PawnDropMate`](Self::PawnDropMate) is then reported rather
/// than [`Repetition`](Self::Repetition).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoMateGround {
    /// The checks run out: the defender can force a position in which the attacker has no check.
    /// Neither of the two rules matters.
    Exhausted,
    /// Only the pawn-drop-mate rule (打ち歩詰め) saves the defender: there is a mate if the attacker may
    /// mate by dropping a pawn.
    #[doc(alias = "打ち歩詰め")]
    PawnDropMate {
        /// A mate with the relaxed rule; `None` if the budget did not suffice for its moves. The
        /// defender chooses replies with long proofs, not necessarily the longest defence.
        line: Option<Pv>,
    },
    /// Only the rule on repetition (連続王手の千日手) saves the defender: the attacker can give check for
    /// ever.
    ///
    /// From a set of positions, this one included, the attacker always has a check after which each
    /// reply leads to a position of the set; a mate counts as well. The defender can therefore
    /// neither escape nor be forced into mate, and the positions repeat, since there are finitely
    /// many.
    #[doc(alias = "連続王手の千日手")]
    Repetition {
        /// A check with which the attacker can go on for ever.
        first: Move,
    },
    /// Only both rules together save the defender: if the attacker may mate by dropping a pawn and
    /// may repeat positions, the defender cannot escape; either rule alone suffices for the
    /// defender.
    Both {
        /// A check with which the attacker mates or goes on for ever under the relaxed rules.
        first: Move,
    },
}

/// The result of [`ground_of`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoMateReport {
    /// The search under the complete rules.
    pub strict: MateReport,
    /// The ground; `None` if the position is a mate, or if the budget was spent.
    pub ground: Option<NoMateGround>,
    /// The number of positions visited by all searches together.
    pub nodes: u64,
    /// The limit that ended the searches before the ground was found.
    pub limit: Option<MateLimit>,
}

/// Searches for a mate and, if there is none, for the ground.
///
/// Up to four searches share the nodes and the deadline of `budget`; its depth is ignored. They
/// look for: a mate under all rules; an escape from perpetual check if pawn-drop mates are allowed,
/// which makes the ground [`Exhausted`](NoMateGround::Exhausted); a mate by pawn drops; and an
/// escape from perpetual check. The searches use tables of the size in `options`, allocated for
/// this call.
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_tsume::DfPnOptions;
/// use komadai_tsume::no_mate::{NoMateGround, NoMateReport, ground_of};
///
/// let options = DfPnOptions { hash_mib: 1, ..DfPnOptions::default() };
/// let ground = |sfen| -> Result<Option<NoMateGround>, komadai_core::SfenError> {
///     let position = Position::from_sfen(sfen)?;
///     let report: NoMateReport = ground_of(&position, options, &Budget::nodes(100_000));
///     Ok(report.ground)
/// };
/// // Only a dropped pawn would mate.
/// let pawn = ground("7nk/9/8G/9/9/9/9/9/9 b P 1")?;
/// assert_eq!(pawn, Some(NoMateGround::PawnDropMate { line: Some("P*1b".parse().unwrap()) }));
/// // A dragon alone gives check for ever.
/// let dragon = ground("9/9/9/9/4k4/9/9/7+R1/9 b - 1")?;
/// assert!(matches!(dragon, Some(NoMateGround::Repetition { .. })));
/// assert_eq!(ground("4k4/9/9/9/9/9/9/9/9 b G 1")?, Some(NoMateGround::Exhausted));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
pub fn ground_of(position: &Position, options: DfPnOptions, budget: &Budget) -> NoMateReport {
    let mut budget = budget.clone();
    budget.depth = None;
    // The tables of this solver are freed before those of the other searches are allocated.
    let strict = DfPn::new(DfPnOptions { goal: Goal::AnyMate, ..options }).solve_with(
        position,
        &budget,
        CheckClass::All,
        &mut |_| {},
    );
    let mut report =
        NoMateReport { nodes: strict.nodes, limit: strict.limit, ground: None, strict };
    if report.strict.result != MateResult::NoMate {
        return report;
    }
    let position = position.without_history();
    let mut relaxed = Relaxed::new(options, &budget, report.nodes, position);
    report.ground = relaxed.ground();
    report.nodes = relaxed.nodes;
    if report.ground.is_none() {
        let is_spent = budget.is_exhausted(report.nodes);
        report.limit =
            Some(if is_spent { MateLimit::of(&budget, report.nodes) } else { MateLimit::Depth });
    }
    report
}

/// The number of nodes of the first proof-number search for an escape. Each later one gets
/// [`GROWTH`] times as many nodes as the one before, and the search for perpetual check after it a
/// quarter.
const FIRST_SHARE: u64 = 1 << 14;
const GROWTH: u64 = 4;

/// The largest number of nodes of a search for perpetual check: it needs about 300 bytes a node.
const MOST_POSITIONS: u64 = 1 << 20;

/// The searches with relaxed rules.
struct Relaxed<'a> {
    memory: Memory,
    work: Workspace,
    budget: &'a Budget,
    /// The number of nodes visited, those of the strict search included.
    nodes: u64,
    position: Position,
}

impl<'a> Relaxed<'a> {
    fn new(options: DfPnOptions, budget: &'a Budget, nodes: u64, position: Position) -> Self {
        let bytes = options.hash_mib.clamp(1, DfPnOptions::MAX_HASH_MIB).saturating_mul(1 << 20);
        let memory = Memory::new(bytes - bytes / 8);
        let work = Workspace::new(bytes / 8);
        Self { memory, work, budget, nodes, position }
    }

    /// Returns the ground, or `None` if the budget is spent.
    fn ground(&mut self) -> Option<NoMateGround> {
        // Without both rules first: an escape even then is the most frequent case.
        let Some(first) = self.perpetual_check(PawnDropMate::Allowed)? else {
            return Some(NoMateGround::Exhausted);
        };
        self.forget();
        if let Some(plies) = self.mate_by_pawn_drops(Plies::new(MAX_PLIES))? {
            return Some(NoMateGround::PawnDropMate { line: self.line(plies) });
        }
        Some(match self.perpetual_check(PawnDropMate::Forbidden)? {
            Some(first) => NoMateGround::Repetition { first },
            None => NoMateGround::Both { first },
        })
    }

    /// Empties the tables, whose results hold under other rules.
    fn forget(&mut self) {
        self.memory.next_generation();
        self.work.forget();
    }

    /// Runs a search with at most `most` of the remaining nodes.
    fn run<T>(
        &mut self,
        most: u64,
        search: impl FnOnce(&Memory, &mut Workspace, &mut Meter<'_>, &mut Position) -> T,
    ) -> T {
        let left =
            self.budget.nodes.map_or(most, |nodes| most.min(nodes.saturating_sub(self.nodes)));
        let budget = Budget { nodes: Some(left), ..self.budget.clone() };
        let mut silence = |_: &_| {};
        let mut meter = Meter::new(&budget, &mut silence);
        let found = search(&self.memory, &mut self.work, &mut meter, &mut self.position);
        self.nodes += meter.nodes();
        found
    }

    /// Returns the number of plies of a mate within `limit` that may use pawn drops, `Some(None)`
    /// if there is none, and `None` if that is not decided.
    fn mate_by_pawn_drops(&mut self, limit: Plies) -> Option<Option<Plies>> {
        match self.search_with_pawn_drops(limit) {
            Outcome::Proven(plies, _) => Some(Some(plies)),
            Outcome::Disproven(Plies::UNLIMITED) => Some(None),
            Outcome::Disproven(_) | Outcome::Spent => None,
        }
    }

    fn search_with_pawn_drops(&mut self, limit: Plies) -> Outcome {
        self.run(u64::MAX, |memory, work, meter, position| {
            let search = Search::new(memory, work, meter, Tsume::with_pawn_drop_mates(position));
            // Without the look-up at the root, the outcome has the first move.
            search.run_without_lookup(limit)
        })
    }

    /// Returns the moves of a mate within `plies` that uses a pawn drop.
    fn line(&mut self, plies: Plies) -> Option<Pv> {
        let root = self.position.clone();
        let line = self.line_from_here(plies);
        self.position = root;
        line
    }

    fn line_from_here(&mut self, mut plies: Plies) -> Option<Pv> {
        let mut line = Pv::new();
        loop {
            let Outcome::Proven(within, Some(check)) = self.search_with_pawn_drops(plies) else {
                return None;
            };
            self.position.do_move(check);
            line.push(check);
            let rest = within.shorter().shorter();
            // The longest proof stands for the best defence, which would take more searches to
            // find.
            let mut hardest = None;
            for reply in self.position.legal_moves() {
                self.position.do_move(reply);
                let proven = self.mate_by_pawn_drops(rest);
                self.position.undo_move();
                let plies = proven.flatten()?;
                if hardest.is_none_or(|(_, most)| plies > most) {
                    hardest = Some((reply, plies));
                }
            }
            let Some((reply, longest)) = hardest else { return Some(line) };
            self.position.do_move(reply);
            line.push(reply);
            plies = longest;
        }
    }

    /// Returns a check after which the defender cannot escape from further checks, `Some(None)` if
    /// there is none, and `None` if that is not decided.
    ///
    /// Two methods alternate with growing numbers of nodes. The proof-number search finds nearly
    /// all escapes, and quickly. It fails if a few pieces chase the king through many positions,
    /// all of which repeat on many paths; these are what [`perpetual`] is for.
    fn perpetual_check(&mut self, rule: PawnDropMate) -> Option<Option<Move>> {
        self.forget();
        let mut share = FIRST_SHARE;
        while !self.budget.is_exhausted(self.nodes) {
            let by_proof = self.run(share, |memory, work, meter, position| {
                perpetual_check_by_proof((memory, work), meter, position, rule)
            });
            if by_proof != Perpetual::Spent {
                return decided(by_proof);
            }
            let most = (share / GROWTH).min(MOST_POSITIONS);
            let by_graph =
                self.run(most, |_, _, meter, position| perpetual::search(position, rule, meter));
            if by_graph != Perpetual::Spent {
                return decided(by_graph);
            }
            share = share.saturating_mul(GROWTH);
        }
        None
    }
}

/// Returns the first check, if the result is perpetual check, `Some(None)` for an escape.
fn decided(result: Perpetual) -> Option<Option<Move>> {
    match result {
        Perpetual::Check(first) => Some(Some(first)),
        Perpetual::Escape => Some(None),
        Perpetual::Spent => None,
    }
}

/// Searches for a check after which no proof of an escape exists.
fn perpetual_check_by_proof(
    (memory, work): (&Memory, &mut Workspace),
    meter: &mut Meter<'_>,
    position: &mut Position,
    rule: PawnDropMate,
) -> Perpetual {
    let mut checks = MoveList::new();
    generate_checks_under(rule, position, &mut checks);
    let mut undecided = false;
    for check in checks {
        position.do_move(check);
        let search = Search::new(memory, &mut *work, meter, Escape::new(position, rule));
        let outcome = search.run(Plies::new(MAX_PLIES));
        position.undo_move();
        match outcome {
            Outcome::Proven(..) => {}
            Outcome::Disproven(Plies::UNLIMITED) => return Perpetual::Check(check),
            Outcome::Disproven(_) => undecided = true,
            Outcome::Spent => return Perpetual::Spent,
        }
    }
    if undecided { Perpetual::Spent } else { Perpetual::Escape }
}

#[cfg(test)]
mod tests;
