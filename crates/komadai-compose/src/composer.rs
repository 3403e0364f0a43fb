//! From a position to a problem: reduction, extension, judgement.

use komadai_core::{Budget, Color, Move, Position, SplitMix64};
use komadai_movegen::{MateResult, MateSolver as _, MoveGen as _, MoveList, generate_checks};
use komadai_tsume::{DfPn, DfPnOptions, Results};

use crate::diagram::{Place, as_problem, canonical, places, without};
use crate::judge::{Flaw, Judge};
use crate::problem::Problem;
use crate::retro::{Predecessor, predecessors};

/// Limits of a [`Composer`].
///
/// # Examples
///
/// ```
/// use komadai_compose::ComposerOptions;
///
/// let mut options = ComposerOptions::default();
/// options.tries = 0;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ComposerOptions {
    /// Nodes, for each ply, of one question whether a position is a mate. If they do not suffice, it counts as none.
    pub step_nodes: u64,
    /// Number of predecessors that are judged to make a problem two plies longer.
    pub tries: u32,
    /// Nodes of the refutation of one check, before a judgement. If they do not suffice, the check counts as a second
    /// solution.
    pub refutation_nodes: u64,
    /// Nodes of a judgement.
    pub judge_nodes: u64,
}

impl Default for ComposerOptions {
    /// 60 nodes for a question and each ply, 300 tries, 60,000 nodes for a judgement. Of more, a few more mates become problems,
    /// at a higher price for each problem.
    fn default() -> Self {
        Self { step_nodes: 60, tries: 20, refutation_nodes: 1_000, judge_nodes: 60_000 }
    }
}

/// A maker of problems.
///
/// # Examples
///
/// ```
/// use komadai_compose::{Composer, ComposerOptions};
/// use komadai_core::Position;
///
/// // From a game: Black to move mates.
/// let game = "ln1g3nl/1r1s2gk1/p1pp1p1pp/1p2p4/5P1N1/2P1P1p1P/PP1P1S3/1BG1KG1R1/LN5NL b BSPspp 1";
/// let mut composer = Composer::new(ComposerOptions::default());
/// match composer.compose(&Position::from_sfen(game)?, 7, 1) {
///     Ok(problem) => println!("{problem}"),
///     Err(flaw) => println!("no problem: {flaw}"),
/// }
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug)]
pub struct Composer {
    options: ComposerOptions,
    solver: DfPn,
    judge: Judge,
}

/// The lengths that a reduced position may have.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    /// A mate within so many plies is too short; 0 if none is.
    too_short: u32,
    /// The mate takes at most so many plies.
    most: u32,
}

impl Composer {
    /// The most plies of a mate in a game that becomes a problem before moves are taken back: longer ones rarely have
    /// one solution.
    pub const MOST_FROM_GAMES: u32 = 7;

    /// Creates a composer; it has tables of some MiB.
    #[must_use]
    pub fn new(options: ComposerOptions) -> Self {
        let solver = DfPnOptions::default().with_hash_mib(2).with_results(Results::Kept);
        Self { options, solver: DfPn::new(solver), judge: Judge::new(options.judge_nodes) }
    }

    /// Makes a problem of at most `plies` plies of a position in which the side to move mates.
    ///
    /// The pieces are taken out one by one, in an order that depends on the seed, as long as the rest is a mate of
    /// at most `plies` plies: first the attacker's, so that the mate takes longer, then the defender's, except those
    /// without which it would be shorter. If the result is a problem, checks and replies are taken back (逆算) as
    /// long as it stays one. At last, pieces are taken out that the problem does not need.
    ///
    /// The result depends on the position, the options, the plies and the seed alone. It is
    /// [canonical](crate::canonical).
    ///
    /// # Errors
    ///
    /// The [`Flaw`] of the reduced position.
    pub fn compose(&mut self, position: &Position, plies: u32, seed: u64) -> Result<Problem, Flaw> {
        self.solver.forget();
        let mut random = SplitMix64::new(seed);
        let mut position = as_problem(position).ok_or(Flaw::Sides)?;
        let most = plies.min(Self::MOST_FROM_GAMES);
        if !self.is_mate_within(&position, most) {
            return Err(Flaw::NoMate);
        }
        self.reduce(&mut position, most, &mut random);
        let problem = self.judge(&position)?;
        let problem = self.lengthen(problem, plies, &mut random);
        let mut problem = self.polish(problem);
        let canonical = canonical(&problem.position);
        if !canonical.same_placement(&problem.position) {
            problem.line = problem.line.iter().map(|m| m.mirrored()).collect();
            problem.position = canonical;
        }
        Ok(problem)
    }

    /// Returns true if a short search finds a mate of at most `plies` plies.
    fn is_mate_within(&mut self, position: &Position, plies: u32) -> bool {
        let nodes = self.options.step_nodes * u64::from(plies);
        plies > 0
            && self.solver.solve_mate(position, &Budget::nodes(nodes).with_depth(plies)).is_mate()
    }

    /// Takes out pieces as long as the rest is a mate: first all that are far from the king, then one at a time.
    fn reduce(&mut self, position: &mut Position, most: u32, random: &mut SplitMix64) {
        let any = Bounds { too_short: 0, most };
        let king = position.king_square(Color::White);
        for distance in [4, 3] {
            let is_far = |place: &Place| match *place {
                Place::Board(square) => king.is_some_and(|king| square.distance(king) >= distance),
                Place::Hand(_) => false,
            };
            let far: Vec<Place> = places(position).into_iter().filter(is_far).collect();
            self.take_out(position, &far, any);
        }
        // Without some of the defender's pieces, the mate may need fewer of the attacker's.
        for _ in 0..2 {
            let all = places(position);
            let is_attackers = |place: &Place| match *place {
                Place::Hand(_) => true,
                Place::Board(square) => position.color(Color::Black).contains(square),
            };
            let (attackers, defenders): (Vec<_>, Vec<_>) = all.into_iter().partition(is_attackers);
            let is_reduced = self.take_out_each(position, attackers, any, random);
            let lengths = (1..=most).step_by(2);
            let length = lengths.into_iter().find(|&n| self.is_mate_within(position, n));
            let too_short = length.unwrap_or(most).saturating_sub(2);
            let same = Bounds { too_short, most };
            if !self.take_out_each(position, defenders, same, random) && !is_reduced {
                break;
            }
        }
    }

    /// Takes out one piece after another, in random order, if the rest stays a mate. Returns true if there was one.
    fn take_out_each(
        &mut self,
        position: &mut Position,
        mut places: Vec<Place>,
        bounds: Bounds,
        random: &mut SplitMix64,
    ) -> bool {
        random.shuffle(&mut places);
        let mut is_reduced = false;
        for place in places {
            // A hand may have several pieces of a kind.
            while self.take_out(position, &[place], bounds) {
                is_reduced = true;
            }
        }
        is_reduced
    }

    /// Takes out the pieces if they are there and the rest is a mate within the bounds.
    fn take_out(&mut self, position: &mut Position, places: &[Place], bounds: Bounds) -> bool {
        if places.is_empty() {
            return false;
        }
        let Some(reduced) = without(position, places) else { return false };
        let is_mate = self.is_mate_within(&reduced, bounds.most)
            && !self.is_mate_within(&reduced, bounds.too_short);
        if is_mate {
            *position = reduced;
        }
        is_mate
    }

    /// Takes back checks and replies until the problem has `plies` plies or no predecessor is one.
    fn lengthen(&mut self, mut problem: Problem, plies: u32, random: &mut SplitMix64) -> Problem {
        while problem.plies() + 2 <= plies {
            let Some(longer) = self.longer(&problem, random) else { break };
            problem = longer;
        }
        problem
    }

    /// Returns a problem that is two plies longer.
    fn longer(&mut self, problem: &Problem, random: &mut SplitMix64) -> Option<Problem> {
        let plies = problem.plies();
        let mut before = predecessors(&problem.position);
        random.shuffle(&mut before);
        // A first move that captures nothing is the better one.
        before.sort_by_key(|before| before.is_capture);
        let mut judged = 0;
        for Predecessor { position, .. } in before {
            if self.is_mate_within(&position, plies) || !self.is_mate_within(&position, plies + 2) {
                continue;
            }
            if let Ok(longer) = self.judge(&position) && longer.plies() == plies + 2 {
                return Some(longer);
            }
            judged += 1;
            if judged == self.options.tries {
                break;
            }
        }
        None
    }

    /// Takes out pieces that the problem does not need: without them it keeps its length and its only solution.
    fn polish(&mut self, mut problem: Problem) -> Problem {
        for place in places(&problem.position).into_iter().rev() {
            let Some(reduced) = without(&problem.position, &[place]) else { continue };
            if !self.is_mate_within(&reduced, problem.plies()) {
                continue;
            }
            match self.judge(&reduced) {
                Ok(reduced) if reduced.plies() == problem.plies() => problem = reduced,
                _ => {}
            }
        }
        problem
    }

    /// Judges a position, after a quick look whether all checks but one are refuted.
    fn judge(&mut self, position: &Position) -> Result<Problem, Flaw> {
        let mut checks = MoveList::new();
        generate_checks(position, &mut checks);
        let open = checks.into_iter().filter(|&m| !self.is_refuted(position, m));
        if open.take(2).count() > 1 {
            return Err(Flaw::Cook { ply: 1 });
        }
        self.judge.examine(position)
    }

    /// Returns true if short searches find a reply to the check after which there is no mate.
    fn is_refuted(&mut self, position: &Position, m: Move) -> bool {
        /// Nodes of a first look at each reply: most refutations are simple.
        const FIRST_LOOK: u64 = 40;
        let after = position.after(m);
        let mut open = Vec::new();
        for reply in &after.legal_moves() {
            let next = after.after(reply);
            match self.solver.solve_mate(&next, &Budget::nodes(FIRST_LOOK)).result {
                MateResult::NoMate => return true,
                MateResult::Mate { .. } => {}
                _ => open.push(next),
            }
        }
        let mut left = self.options.refutation_nodes;
        open.iter().any(|next| {
            let report = self.solver.solve_mate(next, &Budget::nodes(left));
            left = left.saturating_sub(report.nodes);
            report.result == MateResult::NoMate
        })
    }
}
