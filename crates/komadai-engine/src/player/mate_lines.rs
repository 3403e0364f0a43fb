//! The mating moves of a position: the answer to `go mate`, and with MultiPV the moves that mate as
//! well.

use std::time::Duration;

use komadai_core::{Budget, Move, Position, Pv};
use komadai_movegen::{
    CheckClass, MateLimit, MateReport, MateResult, MateSolver, MoveGen, Repetition,
};

/// The fewest nodes that each check besides the first mating one gets before it counts as
/// undecided. A check gets twice the nodes of the first mate if that is more.
const LEAST_NODES: u64 = 100_000;

/// The nodes of the first attempt at each check. Each later attempt has [`GROWTH`] times as many.
const FIRST_NODES: u64 = 1_000;

/// The ratio of the nodes of an attempt to those of the one before.
const GROWTH: u64 = 8;

/// The result of a search for several mates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatesFound {
    /// The report about the position, with the shortest of the lines. Its nodes and its time are
    /// those of the whole search.
    pub report: MateReport,
    /// A line for each mating move found, shortest mate first. Empty if there is no mate, or no
    /// line of one.
    pub lines: Vec<MateLine>,
}

/// A move that mates, and the moves that follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MateLine {
    /// The moves from the position to the mate.
    pub line: Pv,
    /// The most plies that the mate takes against any defence.
    pub within: u32,
}

/// A search for several mating moves.
pub(crate) struct MateLines<'a> {
    solver: &'a mut dyn MateSolver,
    budget: &'a Budget,
    watch: &'a mut dyn FnMut(&MateReport, &[Move]),
    nodes: u64,
    time: Duration,
}

/// A check whose replies are being tried.
#[derive(Debug)]
struct Candidate {
    m: Move,
    /// The replies that are not mated yet, the first one in work.
    open: Vec<Move>,
    /// The longest mate among the other replies.
    longest: Option<MateLine>,
    is_refuted: bool,
}

impl<'a> MateLines<'a> {
    /// Prepares a search. `watch` sees the nodes of all its parts together.
    pub(crate) fn new(
        solver: &'a mut dyn MateSolver,
        budget: &'a Budget,
        watch: &'a mut dyn FnMut(&MateReport, &[Move]),
    ) -> Self {
        Self { solver, budget, watch, nodes: 0, time: Duration::ZERO }
    }

    /// Searches for up to `count` mating moves.
    ///
    /// The solver ignores the game before the position. A check that would end the game by the
    /// fourth occurrence of a position mates no one: if the solver's line has one, the other checks
    /// are tried in any case.
    pub(crate) fn run(mut self, position: &Position, count: usize) -> MatesFound {
        let mut report = self.solve(position, self.budget.clone(), &[]);
        let mut lines = Vec::new();
        let mut tried = None;
        let mut is_void = false;
        match &report.result {
            MateResult::Mate { line, .. } => {
                tried = line.first().copied();
                is_void = !is_playable(position, line);
                if !is_void {
                    let within = report.mate_within.unwrap_or(line.len() as u32);
                    lines.push(MateLine { line: line.clone(), within });
                }
            }
            // Not even one of the checks mates.
            MateResult::NoMate => return MatesFound { report, lines },
            _ => {}
        }
        // Without a first mate the time is over already.
        if tried.is_some() && (count > 1 || is_void) {
            let cap = LEAST_NODES.max(report.nodes.saturating_mul(2));
            let checks = position.legal_moves().into_iter().filter(|&m| Some(m) != tried);
            lines.extend(self.checks(position, checks, cap).0);
        }
        // Among equals the first mate stays first: it is the one that the report is about.
        lines.sort_by_key(|found| found.within);
        lines.truncate(count.max(1));
        (report.nodes, report.time) = (self.nodes, self.time);
        match lines.first() {
            Some(best) if is_void || Some(best.within) < report.mate_within => {
                let result = MateResult::Mate { line: best.line.clone(), shortest: false };
                (report.result, report.mate_within) = (result, Some(best.within));
            }
            None if is_void => {
                let limit = Some(MateLimit::Method);
                (report.result, report.mate_within, report.limit) =
                    (MateResult::Unknown, None, limit);
            }
            _ => {}
        }
        MatesFound { report, lines }
    }

    /// Searches for up to `count` mates that begin with one of these legal moves.
    pub(crate) fn run_among(
        mut self,
        position: &Position,
        among: &[Move],
        count: usize,
    ) -> MatesFound {
        // Each move is searched for itself, with all of the budget: none of them need mate.
        let (mut lines, is_decided) = self.checks(position, among.iter().copied(), u64::MAX);
        lines.sort_by_key(|found| found.within);
        lines.truncate(count.max(1));
        let (result, mate_within, limit) = match lines.first() {
            Some(best) => {
                let result = MateResult::Mate { line: best.line.clone(), shortest: false };
                (result, Some(best.within), None)
            }
            None if is_decided => (MateResult::NoMate, None, None),
            None => (MateResult::Unknown, None, Some(MateLimit::Method)),
        };
        let mut report = MateReport::new(result, self.nodes);
        (report.mate_within, report.limit, report.time) = (mate_within, limit, self.time);
        MatesFound { report, lines }
    }

    /// Returns the lines of those of these legal moves that mate, as far as `cap` nodes each
    /// suffice, and whether it is certain that the others do not.
    fn checks(
        &mut self,
        position: &Position,
        moves: impl Iterator<Item = Move>,
        cap: u64,
    ) -> (Vec<MateLine>, bool) {
        let mut open: Vec<Candidate> = moves
            .filter(|&m| position.gives_check(m))
            .filter(|&m| position.after(m).repetition() == Repetition::None)
            .map(|m| Candidate::new(position, m))
            .collect();
        let mut is_certain = true;
        let mut lines = Vec::new();
        let mut nodes = FIRST_NODES;
        while !open.is_empty() && !self.is_spent() {
            for candidate in &mut open {
                self.try_replies(position, candidate, nodes);
            }
            for found in open.iter().filter_map(Candidate::line) {
                if is_playable(position, &found.line) {
                    lines.push(found);
                } else {
                    // Another line may mate.
                    is_certain = false;
                }
            }
            open.retain(|candidate| !candidate.is_refuted && !candidate.open.is_empty());
            if nodes >= cap {
                break;
            }
            nodes = nodes.saturating_mul(GROWTH).min(cap);
        }
        (lines, is_certain && open.is_empty())
    }

    /// Tries the open replies to a check with this number of nodes, until one is not mated.
    fn try_replies(&mut self, position: &Position, candidate: &mut Candidate, nodes: u64) {
        let after = position.without_history().after(candidate.m);
        let end = self.nodes.saturating_add(nodes);
        while let Some(&reply) = candidate.open.last() {
            let left = end.saturating_sub(self.nodes);
            if left == 0 || self.is_spent() {
                return;
            }
            let budget = self.part(left);
            let report = self.solve(&after.after(reply), budget, &[candidate.m, reply]);
            match report.result {
                MateResult::Mate { line, .. } => {
                    let within = report.mate_within.unwrap_or(line.len() as u32);
                    candidate
                        .add(MateLine { line: Pv::from_parts(reply, &line), within: within + 1 });
                    candidate.open.pop();
                }
                MateResult::NoMate => {
                    candidate.is_refuted = true;
                    return;
                }
                _ => return,
            }
        }
    }

    /// Returns the rest of the budget, at most this number of nodes of it.
    fn part(&self, nodes: u64) -> Budget {
        let left = self.budget.nodes.map_or(u64::MAX, |most| most.saturating_sub(self.nodes));
        let mut part = Budget { nodes: Some(nodes.min(left)), ..self.budget.clone() };
        // A limit of the plies of a mate counts from the position, two plies before.
        part.depth = part.depth.map(|depth| depth.saturating_sub(2));
        part
    }

    fn is_spent(&self) -> bool {
        self.budget.is_exhausted(self.nodes)
    }

    /// Calls the solver for the position after the moves `path` of the position asked for.
    fn solve(&mut self, position: &Position, budget: Budget, path: &[Move]) -> MateReport {
        let Self { solver, watch, nodes: before, time, .. } = self;
        let (nodes, plies) = (*before, path.len() as u32);
        let mut shown = |report: &MateReport, line: &[Move]| {
            let line: Vec<Move> = path.iter().chain(line).copied().collect();
            // The mate of another check is not that of the position.
            let mate_within = report.mate_within.filter(|_| plies == 0);
            watch(
                &MateReport { nodes: nodes + report.nodes, mate_within, ..report.clone() },
                &line,
            );
        };
        let report = solver.solve_watched(position, &budget, CheckClass::All, &mut shown);
        // Short calls have no reports of their own.
        shown(&report, &[]);
        *before += report.nodes;
        *time += report.time;
        report
    }
}

impl Candidate {
    fn new(position: &Position, m: Move) -> Self {
        let open = position.without_history().after(m).legal_moves().into_iter().collect();
        Self { m, open, longest: None, is_refuted: false }
    }

    /// Adds the mate of a reply, which starts with the reply.
    fn add(&mut self, mate: MateLine) {
        if self.longest.as_ref().is_none_or(|longest| longest.within < mate.within) {
            self.longest = Some(mate);
        }
    }

    /// Returns the line of a check all replies to which are mated.
    fn line(&self) -> Option<MateLine> {
        if self.is_refuted || !self.open.is_empty() {
            return None;
        }
        let (rest, within) = match &self.longest {
            Some(longest) => (&longest.line[..], longest.within),
            None => (&[][..], 0),
        };
        Some(MateLine { line: Pv::from_parts(self.m, rest), within: within + 1 })
    }
}

/// Checks that no move of a mate ends the game by repetition, with the game before the position.
fn is_playable(position: &Position, line: &[Move]) -> bool {
    if position.history().is_empty() {
        return true;
    }
    let mut position = position.clone();
    let (mate, moves) = match line.split_last() {
        Some(split) => split,
        None => return false,
    };
    for &m in moves {
        position.do_move(m);
        if position.repetition() != Repetition::None {
            return false;
        }
    }
    position.is_legal(*mate)
}

#[cfg(test)]
mod tests {
    use komadai_core::UsiPosition;
    use komadai_movegen::play;
    use komadai_testdata::tsume::{Set, set};
    use komadai_tsume::{DfPn, DfPnOptions, Goal, Results, is_mating_line};

    use super::*;

    fn solver(goal: Goal) -> DfPn {
        let options = DfPnOptions { hash_mib: 8, goal, ..DfPnOptions::default() };
        DfPn::new(DfPnOptions { results: Results::Kept, ..options })
    }

    fn mates(
        solver: &mut impl MateSolver,
        position: &Position,
        budget: &Budget,
        count: usize,
    ) -> MatesFound {
        solver.forget();
        MateLines::new(solver, budget, &mut |_, _| {}).run(position, count)
    }

    /// Returns whether the side to move mates within `plies`, by trying everything.
    fn is_mate(position: &Position, plies: u32) -> bool {
        position.legal_moves().into_iter().any(|m| mates_by(position, m, plies))
    }

    fn mates_by(position: &Position, m: Move, plies: u32) -> bool {
        if !position.gives_check(m) {
            return false;
        }
        let after = position.after(m);
        let replies = after.legal_moves();
        replies.is_empty()
            || plies >= 3
                && replies.into_iter().all(|reply| is_mate(&after.after(reply), plies - 2))
    }

    #[test]
    fn all_mating_moves_are_found() {
        let mut solver = solver(Goal::ShortestMate);
        let (mut positions, mut several) = (0, 0);
        for problem in set(Set::ShortSelfplay) {
            let position = Position::from_sfen(problem.sfen).expect("a position");
            if !is_mate(&position, 3) {
                continue;
            }
            let found = mates(&mut solver, &position, &Budget::nodes(300_000), 600);
            assert!(found.lines.is_sorted_by_key(|mate| mate.within));
            for mate in &found.lines {
                assert!(
                    is_mating_line(&position, &mate.line) && mate.within % 2 == 1,
                    "{position}"
                );
            }
            let first = &found.lines[0];
            assert_eq!(
                found.report.result,
                MateResult::Mate { line: first.line.clone(), shortest: true }
            );
            for m in position.legal_moves() {
                let by_it = found.lines.iter().find(|mate| mate.line[0] == m);
                let plies = [1, 3].into_iter().find(|&plies| mates_by(&position, m, plies));
                match (by_it, plies) {
                    (Some(mate), Some(plies)) => {
                        assert_eq!(mate.within, plies, "{m} in {position}")
                    }
                    (Some(mate), None) => assert!(mate.within > 3, "{m} in {position}"),
                    (None, plies) => assert_eq!(plies, None, "{m} in {position}"),
                }
            }
            (positions, several) = (positions + 1, several + usize::from(found.lines.len() > 1));
            if positions == 20 {
                break;
            }
        }
        assert!(positions == 20 && several > 5, "{positions}, {several}");
    }

    #[test]
    fn the_number_of_lines_and_the_nodes_are_limited() {
        let mut solver = solver(Goal::AnyMate);
        for problem in set(Set::ShortSelfplay).take(6) {
            let position = Position::from_sfen(problem.sfen).expect("a position");
            let all = mates(&mut solver, &position, &Budget::unlimited(), 600);
            let two = mates(&mut solver, &position, &Budget::unlimited(), 2);
            assert_eq!(two.lines, all.lines[..all.lines.len().min(2)]);
            let few = Budget::nodes(all.report.nodes / 2);
            let mut most = 0;
            let mut watch = |report: &MateReport, _: &[Move]| most = report.nodes;
            let found = MateLines::new(&mut solver, &few, &mut watch).run(&position, 600);
            assert!(found.report.nodes <= all.report.nodes / 2, "{found:?}");
            assert_eq!(most, found.report.nodes);
        }
    }

    /// Claims this line as the mate of the position with this key; other positions are solved.
    struct Claims(Pv, u64, DfPn);

    impl MateSolver for Claims {
        fn solve(&mut self, position: &Position, budget: &Budget, class: CheckClass) -> MateReport {
            if position.key() == self.1 {
                let line = self.0.clone();
                return MateReport::new(MateResult::Mate { line, shortest: false }, 1);
            }
            self.2.solve(position, budget, class)
        }
    }

    /// White's king has gone back and forth between 1a and 2a, chased by the rook: Black's next
    /// check with it would be the fourth of the same.
    fn chased(board: &str) -> Position {
        let moves = "1a2a 1e2e 2a1a 2e1e ".repeat(2) + "1a2a 1e2e 2a1a";
        let game =
            UsiPosition::from_usi(&format!("sfen {board} 1 moves {moves}")).expect("a position");
        play(&game).expect("all moves are legal")
    }

    #[test]
    fn a_mate_that_the_repetition_prevents_is_replaced_or_dropped() {
        // Without the game before, the rook's check mates in three.
        let claim: Pv = "2e1e 1a2a G*2b".parse().expect("moves");
        let position = chased("8k/9/9/6N2/8R/9/9/9/8K w G");
        assert!(is_mating_line(&position, &claim));
        assert!(
            is_playable(&position.without_history(), &claim) && !is_playable(&position, &claim)
        );
        let mut claims = Claims(claim.clone(), position.key(), solver(Goal::AnyMate));
        let found = mates(&mut claims, &position, &Budget::unlimited(), 1);
        let line = &found.lines[0].line;
        assert!(line.len() == 1 && is_mating_line(&position, line), "{line}");
        let result = MateResult::Mate { line: line.clone(), shortest: false };
        assert_eq!((&found.report.result, found.report.mate_within), (&result, Some(1)));
        // The claim stays where no position has occurred before.
        let found = mates(&mut claims, &position.without_history(), &Budget::unlimited(), 1);
        assert_eq!(found.lines[0].line, claim);

        // No other check is left.
        let position = chased("8k/9/9/9/8R/9/9/9/8K w -");
        let mut claims = Claims(claim, position.key(), solver(Goal::AnyMate));
        let found = mates(&mut claims, &position, &Budget::unlimited(), 2);
        assert_eq!((found.report.result, found.lines), (MateResult::Unknown, Vec::new()));
        assert_eq!((found.report.mate_within, found.report.limit), (None, Some(MateLimit::Method)));
    }
}
