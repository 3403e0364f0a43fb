//! From a position to a problem: reduction, extension, judgement.

use komadai_core::{Color, Position, SplitMix64};

use crate::diagram::{Place, as_problem, canonical, places, without};
use crate::judge::{Flaw, Judge, Sieve};
use crate::problem::Problem;
use crate::retro::{Predecessor, predecessors};

/// Limits of a [`Composer`].
///
/// # Examples
///
/// ```
/// use komadai_problems::ComposerOptions;
///
/// let mut options = ComposerOptions::default();
/// options.tries = 0;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ComposerOptions {
    /// Nodes, for each ply, of one question whether a position is a mate. If they do not suffice,
    /// it counts as none.
    pub step_nodes: u64,
    /// Number of positions that are judged to make one problem longer.
    pub tries: u32,
    /// Nodes of the refutation of one check, before a judgement. If they do not suffice, the check
    /// counts as a second solution.
    pub refutation_nodes: u64,
    /// Nodes of a judgement.
    pub judge_nodes: u64,
}

impl Default for ComposerOptions {
    /// 60 nodes for a question and each ply, 80 tries, 400 nodes for a refutation, 60,000 nodes for
    /// a judgement. With more, a few more mates become problems, at a higher price for each
    /// problem.
    fn default() -> Self {
        Self { step_nodes: 60, tries: 80, refutation_nodes: 400, judge_nodes: 60_000 }
    }
}

/// A maker of problems.
///
/// [`compose`](Self::compose) begins with a position in which Black mates, for instance from a
/// game. It takes out pieces as long as the mate stays, tries the positions before it to make the
/// problem longer, and takes out what has become needless. The result has passed [`Judge`]: one
/// solution, no piece left over. The seed decides among possible problems, so that the same input
/// gives the same one. Many positions make none; the [`Flaw`] is the reason.
///
/// It seeks no beauty: [`rating`](Problem::rating) and [`sacrifices`](Problem::sacrifices) sort
/// what it finds. To examine a problem that exists, use [`composition`](crate::composition); to
/// repair one, [`Mender`](crate::Mender).
///
/// # Examples
///
/// ```
/// use komadai_problems::{Composer, ComposerOptions};
/// use komadai_core::Position;
///
/// // From a game: Black to move mates.
/// let game = "1k1p1K1+N1/3r5/l1+B1sB3/ppp6/8p/2PS1p3/L1G1S3P/2S6/4P2+r1 b 3GNLP2nl8p 1";
/// let mut composer = Composer::new(ComposerOptions::default());
/// match composer.compose(&Position::from_sfen(game)?, 7, 1) {
///     Ok(problem) => println!("{problem}"),
///     Err(flaw) => println!("no problem: {flaw}"),
/// }
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug)]
pub struct Composer {
    tries: u32,
    sieve: Sieve,
}

/// The most plies of a mate in a game that becomes a problem before moves are taken back, because
/// longer ones rarely have one solution.
const MOST_FROM_GAMES: u32 = 7;

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
    pub fn new(options: ComposerOptions) -> Self {
        let judge = Judge::new(options.judge_nodes);
        let sieve = Sieve::new(options.step_nodes, options.refutation_nodes, judge);
        Self { tries: options.tries, sieve }
    }

    /// Makes a problem of at most `plies` plies of a position in which the side to move mates.
    ///
    /// The pieces are taken out one by one, in an order that depends on the seed, as long as the
    /// rest is a mate of at most `plies` plies: first the attacker's, so that the mate takes
    /// longer, then the defender's, except those without which it would be shorter. If the result
    /// is a problem, checks and replies are taken back (逆算) as long as it stays one. At last,
    /// pieces are taken out that the problem does not need.
    ///
    /// The result depends on the position, the options, the plies and the seed alone. It is
    /// [canonical](crate::canonical).
    ///
    /// # Errors
    ///
    /// The [`Flaw`] of the reduced position.
    pub fn compose(&mut self, position: &Position, plies: u32, seed: u64) -> Result<Problem, Flaw> {
        self.sieve.forget();
        let mut random = SplitMix64::new(seed);
        let mut position = as_problem(position).ok_or(Flaw::Sides)?;
        let most = plies.min(MOST_FROM_GAMES);
        if !self.sieve.is_mate_within(&position, most) {
            return Err(Flaw::NoMate);
        }
        self.reduce(&mut position, most, &mut random);
        let problem = self.sieve.judge(&position)?;
        let mut left = self.tries;
        let problem = self.lengthen(problem, plies, &mut random, &mut left);
        let problem = self.polish(problem);
        let canonical = canonical(&problem.position);
        if canonical.same_placement(&problem.position) {
            return Ok(problem);
        }
        // Of several longest defences the main line has the first one, which is another in the
        // mirror.
        self.sieve.judge(&canonical)
    }

    /// Takes out pieces as long as the rest is a mate: first all that are far from the king, then
    /// one at a time.
    fn reduce(&mut self, position: &mut Position, most: u32, random: &mut SplitMix64) {
        let any = Bounds { too_short: 0, most };
        let king = position.king_square(Color::White);
        for distance in [4, 3] {
            let mut far = places(position);
            far.retain(|place| match *place {
                Place::Board(square) => king.is_some_and(|king| square.distance(king) >= distance),
                Place::Hand(_) => false,
            });
            self.take_out(position, &far, any);
        }
        // Without some of the defender's pieces, the mate may need fewer of the attacker's.
        for _ in 0..2 {
            let own = position.color(Color::Black);
            let (attackers, defenders): (Vec<_>, Vec<_>) =
                places(position).into_iter().partition(|place| match *place {
                    Place::Hand(_) => true,
                    Place::Board(square) => own.contains(square),
                });
            let is_reduced = self.take_out_each(position, attackers, any, random);
            let lengths = (1..=most).step_by(2);
            let length = lengths.into_iter().find(|&n| self.sieve.is_mate_within(position, n));
            let too_short = length.unwrap_or(most).saturating_sub(2);
            let same = Bounds { too_short, most };
            if !self.take_out_each(position, defenders, same, random) && !is_reduced {
                break;
            }
        }
    }

    /// Takes out one piece after another, in random order, if the rest stays a mate. Returns true
    /// if there was one.
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
        let is_mate = self.sieve.is_mate_within(&reduced, bounds.most)
            && !self.sieve.is_mate_within(&reduced, bounds.too_short);
        if is_mate {
            *position = reduced;
        }
        is_mate
    }

    /// Takes back checks and replies, depth first, until the problem has `plies` plies or `left`
    /// positions have been judged. Returns the longest problem.
    fn lengthen(
        &mut self,
        problem: Problem,
        plies: u32,
        random: &mut SplitMix64,
        left: &mut u32,
    ) -> Problem {
        let own = problem.plies();
        let mut longest = problem;
        if own + 2 > plies {
            return longest;
        }
        let mut before = predecessors(&longest.position);
        random.shuffle(&mut before);
        // A first move that captures nothing is the better one.
        before.sort_by_key(|before| before.is_capture);
        for Predecessor { position, .. } in before {
            if *left == 0 || longest.plies() + 2 > plies {
                break;
            }
            if self.sieve.is_mate_within(&position, own)
                || !self.sieve.is_mate_within(&position, own + 2)
            {
                continue;
            }
            *left -= 1;
            if let Ok(longer) = self.sieve.judge(&position)
                && longer.plies() == own + 2
            {
                let longer = self.lengthen(longer, plies, random, left);
                if longer.plies() > longest.plies() {
                    longest = longer;
                }
            }
        }
        longest
    }

    /// Takes out pieces that the problem does not need: without them it keeps its length and its
    /// only solution.
    fn polish(&mut self, mut problem: Problem) -> Problem {
        for place in places(&problem.position).into_iter().rev() {
            let Some(reduced) = without(&problem.position, &[place]) else { continue };
            if !self.sieve.is_mate_within(&reduced, problem.plies()) {
                continue;
            }
            match self.sieve.judge(&reduced) {
                Ok(reduced) if reduced.plies() == problem.plies() => problem = reduced,
                _ => {}
            }
        }
        problem
    }
}
