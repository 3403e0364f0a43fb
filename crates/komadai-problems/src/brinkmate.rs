//! Brinkmate (必至): threatmates that no move parries.
//!
//! ```text
//! attack(position, moves):                      the attacker to move
//!     true if the attacker mates by checks
//!     in check: true if defence(after, moves) for an evasion
//!     otherwise, if moves > 0: true if defence(after, moves - 1) for a move
//!
//! defence(position, moves):                     the defender to move
//!     false if the defender is not in check and passing avoids a mate by checks
//!     true if attack(after, moves) for all moves
//! ```
//!
//! 1. A move of the attacker has to give check or to threaten mate, as in composed brinkmate
//!    problems. The defender's pass refutes all others, which are most of them, with one question
//!    to the solver.
//! 2. Answering a check of the defender costs the attacker none of its moves, since it gains
//!    nothing by it. A position that repeats by such checks and answers counts as a failure of the
//!    attacker: only a win in a finite number of moves counts. Results that rely on a repetition
//!    are not stored. The number of such answers in a row is limited; beyond the limit the result
//!    is unknown.
//! 3. A question to the solver that its budget leaves open counts as no mate. The search then
//!    reports no "no brinkmate" that relies on it.

use std::collections::HashMap;

use komadai_core::{Budget, Color, Move, Position, Pv};
use komadai_movegen::{CheckClass, MateLimit, MateResult, MateSolver, MoveGen};

/// Options of [`search`] and [`is_brinkmate`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BrinkmateOptions {
    /// The largest number of the attacker's moves before the brinkmate stands, 1 to 8.
    ///
    /// Each move more takes some hundred to some ten thousand times as long.
    pub moves: u32,
    /// The largest number of nodes of each question to the mate solver.
    pub mate_nodes: u64,
}

impl BrinkmateOptions {
    /// Largest number of moves.
    pub const MAX_MOVES: u32 = 8;
}

impl Default for BrinkmateOptions {
    /// One move, 5,000 nodes.
    fn default() -> Self {
        Self { moves: 1, mate_nodes: 5_000 }
    }
}

/// The result of a search for a brinkmate and its cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrinkmateReport {
    /// The result.
    pub result: BrinkmateResult,
    /// The number of positions visited, those of the mate solver included.
    pub nodes: u64,
    /// The limit that ended an unfinished search; [`MateLimit::Nodes`] also if the result depends
    /// on a question to the mate solver that remained open, or on more checks by the defender than
    /// are followed.
    pub limit: Option<MateLimit>,
    /// The number of questions to the mate solver that remained open.
    pub open_questions: u64,
}

/// The result of a search for a brinkmate.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum BrinkmateResult {
    /// The attacker mates by continuous checks already.
    Mate {
        /// The moves; only the first one, or none, if the solver did not collect them.
        line: Pv,
    },
    /// The attacker forces a brinkmate.
    #[doc(alias = "必至")]
    Brinkmate {
        /// The number of the attacker's moves before the brinkmate stands, answers to checks not
        /// counted; 0 if it stands already or an answer to a check brings it about. No smaller
        /// number suffices, unless the report has open questions.
        moves: u32,
        /// The attacker's moves with the defence that delays the mate longest, up to the mate. The
        /// length is an upper bound, because the mates at the end need not be the shortest ones.
        line: Pv,
        /// The defences against the first move (against the threat, for 0 moves), each with the
        /// continuation up to the mate.
        defences: Vec<Defence>,
    },
    /// The attacker forces no brinkmate within the number of moves.
    NoBrinkmate,
    /// Neither is proven.
    Unknown,
}

/// A defence against a brinkmate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Defence {
    /// The defender's move.
    pub m: Move,
    /// The moves that follow, the last of which mates.
    pub line: Pv,
}

/// Searches for a brinkmate (必至) by the side to move.
///
/// A brinkmate is a threatmate (詰めろ) that the defender cannot parry: whatever the defender plays, a
/// check included, the attacker mates by continuous checks. The attacker may use up to
/// `options.moves` moves to get there, each of which gives check or threatens mate. Checks by the
/// defender have to be answered and do not count. The smallest number of moves is searched first.
///
/// A defender without a legal move has lost, in check or not. Both kings may be on the board;
/// without the attacker's king the defender has no checks.
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_problems::brinkmate::{
///     self, BrinkmateOptions, BrinkmateReport, BrinkmateResult,
/// };
/// use komadai_tsume::DfPn;
///
/// // A silver beside the king (腹銀) threatens mates on both sides.
/// let position = Position::from_sfen("9/8k/9/8P/9/9/9/9/9 b GS 1")?;
/// let options = BrinkmateOptions::default();
/// let budget = Budget::nodes(1_000_000);
/// let report: BrinkmateReport =
///     brinkmate::search(&mut DfPn::default(), &position, options, &budget);
/// assert!(matches!(report.result, BrinkmateResult::Brinkmate { moves: 1, .. }), "{report:?}");
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[doc(alias("必至", "hisshi"))]
pub fn search<S: MateSolver + ?Sized>(
    solver: &mut S,
    position: &Position,
    options: BrinkmateOptions,
    budget: &Budget,
) -> BrinkmateReport {
    let most = options.moves.clamp(1, BrinkmateOptions::MAX_MOVES);
    let mut search = Search::new(solver, position, position.side(), options, budget);
    match search.mate() {
        Answer::Won(line) => return search.report(BrinkmateResult::Mate { line: line.to_pv() }),
        // A limit found here is found again below.
        Answer::Lost(_) => {}
    }
    // An answer to a check is free, so that a brinkmate may take no further move.
    let is_free = position.in_check();
    for moves in u32::from(!is_free)..=most {
        match search.deepen(|search| search.attack(moves)) {
            Answer::Won(line) => {
                let defences = match line.moves.first() {
                    Some(&first) => {
                        search.position.do_move(first);
                        search.defences(if is_free { moves } else { moves - 1 })
                    }
                    None => Vec::new(),
                };
                let line = line.to_pv();
                return search.report(BrinkmateResult::Brinkmate { moves, line, defences });
            }
            Answer::Lost(_) if search.limit.is_some() => break,
            Answer::Lost(lost) if moves == most && !lost.is_open => {
                return search.report(BrinkmateResult::NoBrinkmate);
            }
            Answer::Lost(_) => {}
        }
    }
    search.report(BrinkmateResult::Unknown)
}

/// Determines whether the side to move, the defender, is in a brinkmate: whether its opponent
/// threatens mate and mates after each of its moves.
///
/// The report has the result [`BrinkmateResult::Brinkmate`] with 0 moves, and as its line the
/// longest defence with the mate. The number of moves in `options` is ignored.
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_problems::brinkmate::{self, BrinkmateOptions, BrinkmateResult};
/// use komadai_tsume::DfPn;
///
/// // White to move can hold the square in front of its king only with the gold in hand.
/// let budget = Budget::nodes(100_000);
/// for (sfen, stands) in [
///     ("4k4/9/4P4/9/9/9/9/9/9 w 2Gg 1", false),
///     ("4k4/9/2G1P1G2/9/9/9/9/9/9 w 2G 1", true),
/// ] {
///     let position = Position::from_sfen(sfen)?;
///     let options = BrinkmateOptions::default();
///     let report = brinkmate::is_brinkmate(&mut DfPn::default(), &position, options, &budget);
///     let is_one = matches!(report.result, BrinkmateResult::Brinkmate { .. });
///     assert_eq!(is_one, stands, "{report:?}");
/// }
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
pub fn is_brinkmate<S: MateSolver + ?Sized>(
    solver: &mut S,
    position: &Position,
    options: BrinkmateOptions,
    budget: &Budget,
) -> BrinkmateReport {
    let mut search = Search::new(solver, position, !position.side(), options, budget);
    match search.deepen(|search| search.defence(0)) {
        Answer::Won(line) => {
            let defences = search.defences(0);
            search.report(BrinkmateResult::Brinkmate { moves: 0, line: line.to_pv(), defences })
        }
        Answer::Lost(lost) if search.limit.is_some() || lost.is_open => {
            search.report(BrinkmateResult::Unknown)
        }
        Answer::Lost(_) => search.report(BrinkmateResult::NoBrinkmate),
    }
}

/// The largest numbers of the attacker's positions on a path, tried one after the other.
///
/// A rook or bishop may give check to a king on an open board dozens of times. A short path finds
/// the answers that end the checks soon.
const PATHS: [usize; 4] = [6, 12, 24, 48];

/// The result for a position.
#[derive(Debug, Clone)]
enum Answer {
    /// The attacker wins with these moves against the longest defence.
    Won(Line),
    Lost(Lost),
}

/// The conditions of a failure of the attacker.
#[derive(Debug, Clone, Copy, Default)]
struct Lost {
    /// True if it relies on an open question to the solver, or on a spent budget.
    is_open: bool,
    /// True if it relies on a repetition of the path.
    is_on_path: bool,
}

impl Lost {
    fn and(self, other: Self) -> Self {
        Self {
            is_open: self.is_open || other.is_open,
            is_on_path: self.is_on_path || other.is_on_path,
        }
    }
}

/// The moves of a win.
#[derive(Debug, Clone, Default)]
struct Line {
    moves: Vec<Move>,
}

impl Line {
    fn after(mut self, m: Move) -> Self {
        self.moves.insert(0, m);
        self
    }

    fn to_pv(&self) -> Pv {
        self.moves.iter().copied().collect()
    }
}

/// Bounds for a position with the attacker to move.
#[derive(Debug, Default)]
struct Known {
    /// The attacker wins with this number of moves or more.
    won: Option<(u32, Line)>,
    /// The attacker fails with this number of moves or fewer.
    lost: Option<u32>,
}

struct Search<'a, S: ?Sized> {
    solver: &'a mut S,
    position: Position,
    attacker: Color,
    options: BrinkmateOptions,
    budget: &'a Budget,
    nodes: u64,
    open_questions: u64,
    /// The limit of the budget, once it is reached.
    limit: Option<MateLimit>,
    known: HashMap<u64, Known>,
    /// The attacker's positions from the root to the current one, with the moves left.
    path: Vec<(u64, u32)>,
    /// The largest length of the path, and true once a path was longer.
    longest_path: usize,
    is_cut: bool,
    /// The last refutation for each number of moves, tried first against other moves.
    refutations: [Option<Move>; BrinkmateOptions::MAX_MOVES as usize + 1],
}

impl<'a, S: MateSolver + ?Sized> Search<'a, S> {
    fn new(
        solver: &'a mut S,
        position: &Position,
        attacker: Color,
        options: BrinkmateOptions,
        budget: &'a Budget,
    ) -> Self {
        Self {
            solver,
            position: position.without_history(),
            attacker,
            options,
            budget,
            nodes: 0,
            open_questions: 0,
            limit: None,
            known: HashMap::new(),
            path: Vec::new(),
            longest_path: PATHS[0],
            is_cut: false,
            refutations: [None; BrinkmateOptions::MAX_MOVES as usize + 1],
        }
    }

    fn report(&self, result: BrinkmateResult) -> BrinkmateReport {
        let is_unknown = result == BrinkmateResult::Unknown;
        let limit = is_unknown.then(|| self.limit.unwrap_or(MateLimit::Nodes));
        BrinkmateReport { result, nodes: self.nodes, limit, open_questions: self.open_questions }
    }

    /// Returns true if the budget is spent, and notes the limit.
    fn is_spent(&mut self) -> bool {
        if self.limit.is_none() && self.budget.is_exhausted(self.nodes) {
            self.limit = Some(MateLimit::of(self.budget, self.nodes));
        }
        self.limit.is_some()
    }

    /// Runs a search with longer and longer paths until none is cut off.
    fn deepen(&mut self, search: impl Fn(&mut Self) -> Answer) -> Answer {
        let mut answer = Answer::Lost(Lost { is_open: true, is_on_path: false });
        for longest in PATHS {
            (self.longest_path, self.is_cut) = (longest, false);
            answer = search(self);
            if !self.is_cut || self.limit.is_some() || matches!(answer, Answer::Won(_)) {
                break;
            }
        }
        answer
    }

    /// Asks the solver for a mate by the attacker, who is to move.
    fn mate(&mut self) -> Answer {
        if self.is_spent() {
            return Answer::Lost(Lost { is_open: true, is_on_path: false });
        }
        let left = self.budget.nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(self.nodes));
        let nodes = Some(self.options.mate_nodes.min(left));
        let budget = Budget { nodes, depth: None, ..self.budget.clone() };
        let report = self.solver.solve(&self.position, &budget, CheckClass::All);
        self.nodes += report.nodes;
        match report.result {
            MateResult::Mate { line, .. } => Answer::Won(Line { moves: line.to_vec() }),
            MateResult::MateWithoutLine { first } => {
                Answer::Won(Line { moves: first.into_iter().collect() })
            }
            MateResult::NoMate => Answer::Lost(Lost::default()),
            _ => {
                self.open_questions += 1;
                Answer::Lost(Lost { is_open: true, is_on_path: false })
            }
        }
    }

    /// Searches the position on the board with the attacker to move.
    fn attack(&mut self, moves: u32) -> Answer {
        debug_assert_eq!(self.position.side(), self.attacker);
        let key = self.position.key();
        if let Some(known) = self.known.get(&key) {
            match known {
                Known { won: Some((with, line)), .. } if *with <= moves => {
                    return Answer::Won(line.clone());
                }
                Known { lost: Some(with), .. } if moves <= *with => {
                    return Answer::Lost(Lost::default());
                }
                _ => {}
            }
        }
        // The same position with another number of moves left is another question, no repetition.
        if self.path.contains(&(key, moves)) {
            return Answer::Lost(Lost { is_open: false, is_on_path: true });
        }
        if self.path.len() >= self.longest_path {
            self.is_cut = true;
            return Answer::Lost(Lost { is_open: true, is_on_path: false });
        }
        if self.is_spent() {
            return Answer::Lost(Lost { is_open: true, is_on_path: false });
        }
        self.nodes += 1;
        self.path.push((key, moves));
        let answer = self.attack_unknown(moves);
        self.path.pop();
        // A failure that relies on the path or on an open question need not hold elsewhere.
        let known = self.known.entry(key).or_default();
        match &answer {
            Answer::Won(line) => known.won = Some((moves, line.clone())),
            Answer::Lost(lost) if !lost.is_open && !lost.is_on_path => known.lost = Some(moves),
            Answer::Lost(_) => {}
        }
        answer
    }

    fn attack_unknown(&mut self, moves: u32) -> Answer {
        let mut lost = match self.mate() {
            Answer::Lost(lost) => lost,
            won => return won,
        };
        // An answer to a check is free (point 2).
        let left = match (self.position.in_check(), moves.checked_sub(1)) {
            (true, _) => moves,
            (false, Some(left)) => left,
            (false, None) => return Answer::Lost(lost),
        };
        for m in self.moves_near_king() {
            self.position.do_move(m);
            let answer = self.defence(left);
            self.position.undo_move();
            match answer {
                Answer::Won(line) => return Answer::Won(line.after(m)),
                Answer::Lost(other) => lost = lost.and(other),
            }
            if self.limit.is_some() {
                break;
            }
        }
        Answer::Lost(lost)
    }

    /// Returns the attacker's moves, those that end near the defender's king first.
    fn moves_near_king(&self) -> Vec<Move> {
        let mut moves: Vec<Move> = self.position.legal_moves().into_iter().collect();
        if let Some(king) = self.position.king_square(!self.attacker) {
            moves.sort_by_key(|m| king.distance(m.to()));
        }
        moves
    }

    /// Searches the position on the board with the defender to move.
    fn defence(&mut self, moves: u32) -> Answer {
        let mut longest = Line::default();
        if !self.position.in_check() {
            // If passing avoids the mate, the last move has threatened none (point 1).
            self.position.do_null_move();
            let threat = self.mate();
            self.position.undo_null_move();
            if let Answer::Lost(lost) = threat {
                return Answer::Lost(lost);
            }
        }
        self.nodes += 1;
        let mut replies: Vec<Move> = self.position.legal_moves().into_iter().collect();
        // One reply refutes most of the attacker's moves, so that it is tried first.
        let refutation = self.refutations[moves as usize];
        if let Some(index) = replies.iter().position(|&m| Some(m) == refutation) {
            replies.swap(0, index);
        }
        for m in replies {
            self.position.do_move(m);
            let answer = self.attack(moves);
            self.position.undo_move();
            match answer {
                Answer::Won(line) if line.moves.len() >= longest.moves.len() => {
                    longest = line.after(m);
                }
                Answer::Won(_) => {}
                Answer::Lost(lost) => {
                    self.refutations[moves as usize] = Some(m);
                    return Answer::Lost(lost);
                }
            }
        }
        Answer::Won(longest)
    }

    /// Lists the defences of a position that is won for the attacker, who has so many moves left.
    fn defences(&mut self, moves: u32) -> Vec<Defence> {
        let mut defences = Vec::new();
        for m in self.position.legal_moves() {
            self.position.do_move(m);
            let answer = self.attack(moves);
            self.position.undo_move();
            if let Answer::Won(line) = answer {
                defences.push(Defence { m, line: line.to_pv() });
            }
        }
        defences.sort_by_key(|defence| std::cmp::Reverse(defence.line.len()));
        defences
    }
}

#[cfg(test)]
mod tests;
