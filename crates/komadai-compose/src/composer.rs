//! From a position to a problem: reduction, extension, judgement.

use komadai_core::{Budget, Color, Move, Position, SplitMix64};
use komadai_movegen::{MateSolver as _, MoveGen as _, MoveList, generate_checks};
use komadai_tsume::{DfPn, DfPnOptions, Results};

use crate::diagram::{Place, as_problem, canonical, places, without};
use crate::judge::{Flaw, Judge};
use crate::problem::Problem;
use crate::retro::predecessors;

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
    /// Number of predecessors that are tried to make a problem longer.
    pub tries: u32,
    /// Nodes of a judgement.
    pub judge_nodes: u64,
}

impl Default for ComposerOptions {
    /// 200 nodes for a question and each ply, 60 tries, 150,000 nodes for a judgement: a third of the mates in
    /// games becomes a problem, at 0.06 s for each mate (2026-11-25, one virtual processor).
    fn default() -> Self {
        Self { step_nodes: 200, tries: 60, judge_nodes: 150_000 }
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
        if !self.is_mate_within(&position, plies) {
            return Err(Flaw::NoMate);
        }
        self.reduce(&mut position, plies, &mut random);
        let problem = self.judge(&position)?;
        let mut tries = self.options.tries;
        let problem = self.lengthen(problem, plies, &mut random, &mut tries);
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

    /// Takes back checks and replies until the problem has `plies` plies, depth first. If the limit of tries comes
    /// first, returns the longest problem so far.
    fn lengthen(
        &mut self,
        problem: Problem,
        plies: u32,
        random: &mut SplitMix64,
        tries: &mut u32,
    ) -> Problem {
        let mut longest = problem;
        if longest.plies() + 2 > plies {
            return longest;
        }
        let own = longest.plies();
        let mut before = predecessors(&longest.position);
        random.shuffle(&mut before);
        for position in before {
            if *tries == 0 || longest.plies() + 2 > plies {
                break;
            }
            *tries -= 1;
            if let Some(longer) = self.longer(&position, own) {
                let longer = self.lengthen(longer, plies, random, tries);
                if longer.plies() > longest.plies() {
                    longest = longer;
                }
            }
        }
        longest
    }

    /// Returns the problem of this position if it is one and two plies longer than `plies`.
    fn longer(&mut self, position: &Position, plies: u32) -> Option<Problem> {
        if self.is_mate_within(position, plies) || !self.is_mate_within(position, plies + 2) {
            return None;
        }
        self.judge(position).ok().filter(|problem| problem.plies() == plies + 2)
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

    /// Judges a position, after a quick look for a second first move that mates.
    fn judge(&mut self, position: &Position) -> Result<Problem, Flaw> {
        let mut checks = MoveList::new();
        generate_checks(position, &mut checks);
        let mating = checks.into_iter().filter(|&m| self.mates_after(position, m));
        if mating.take(2).count() > 1 {
            return Err(Flaw::Cook { ply: 1 });
        }
        self.judge.examine(position)
    }

    /// Returns true if short searches find a mate after each reply to the check.
    fn mates_after(&mut self, position: &Position, m: Move) -> bool {
        /// Nodes of the search after one reply.
        const NODES: u64 = 500;
        let after = position.after(m);
        let replies = after.legal_moves();
        let budget = Budget::nodes(NODES);
        replies.into_iter().all(|reply| {
            self.solver.solve_mate(&after.after(reply), &budget).is_mate()
        })
    }
}
