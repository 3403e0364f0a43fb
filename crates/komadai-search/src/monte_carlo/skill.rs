//! Levels of strength: a tree with few results, and a choice among its moves by chance.

use komadai_core::{Analysis, SplitMix64};
use komadai_eval::Evaluator;

use super::{MonteCarlo, MonteCarloOptions, Priors, Proven, RootMove};
use crate::options::SearchOptions;
use crate::searcher::{SearchRequest, Searcher, SearcherState};

/// A strength below the full one: a number of results, and a temperature of the choice of the move.
///
/// A move is chosen with a probability proportional to *n*^(1 / *t*), where *n* are its visits and
/// *t* is the temperature: at 0 it is the most visited move, at 1 a move in proportion to its
/// visits. A proven win is always played, and a proven loss only if there is nothing else.
///
/// # Examples
///
/// ```
/// use komadai_search::monte_carlo::Skill;
///
/// let [weak, strong] = [1, 10].map(|level| Skill::level(level).expect("levels are 1 to 10"));
/// assert!(weak.playouts() < strong.playouts());
/// assert!(weak.temperature() > strong.temperature());
/// assert_eq!(Skill::level(11), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Skill {
    playouts: u64,
    temperature: f32,
}

/// Results and temperature of the levels from 1 on.
///
/// Levels 2 to 6 won by 78, 80, 92, 130 and 144 Elo against the level below, each ± 40, in 300
/// games:
/// `cargo run --release -p komadai-lab -- monte-carlo-study skill --to 6 --games 300 --seed 7`.
/// With other settings of the tree they have to be measured again.
const LEVELS: [(u64, f32); 10] = [
    (8, 1.0),
    (11, 0.85),
    (15, 0.76),
    (20, 0.69),
    (27, 0.63),
    (40, 0.56),
    (70, 0.47),
    (150, 0.35),
    (500, 0.2),
    (3_000, 0.0),
];

impl Skill {
    /// The number of levels.
    pub const LEVELS: u8 = LEVELS.len() as u8;

    /// Returns a strength with this number of results, at least 1, and this temperature, at least
    /// 0.
    pub const fn new(playouts: u64, temperature: f32) -> Self {
        Self { playouts, temperature }
    }

    /// Returns the strength of a level from 1, the weakest, to [`LEVELS`](Self::LEVELS).
    pub fn level(level: u8) -> Option<Self> {
        let &(playouts, temperature) = LEVELS.get(usize::from(level).checked_sub(1)?)?;
        Some(Self { playouts, temperature })
    }

    /// Returns the number of results for each move.
    #[must_use]
    pub const fn playouts(self) -> u64 {
        self.playouts
    }

    /// Returns the temperature of the choice.
    #[must_use]
    pub const fn temperature(self) -> f32 {
        self.temperature
    }

    /// Chooses among moves that are ordered best first. Returns an index, or `None` without moves.
    #[must_use]
    pub fn choose(self, moves: &[RootMove], random: &mut SplitMix64) -> Option<usize> {
        let best = moves.first()?;
        // Moves that lose for certain stand last.
        let is_lost = |root_move: &RootMove| matches!(root_move.proven, Some(Proven::Loss { .. }));
        let open = moves.iter().take_while(|root_move| !is_lost(root_move)).count();
        if best.proven.is_some() || self.temperature <= 0.0 || open == 0 {
            return Some(0);
        }
        let most = moves[..open].iter().map(|root_move| root_move.visits).max().unwrap_or(0).max(1);
        let weight = |root_move: &RootMove| {
            let share = f64::from(root_move.visits) / f64::from(most);
            share.powf(1.0 / f64::from(self.temperature))
        };
        let sum: f64 = moves[..open].iter().map(weight).sum();
        // A fraction of 2⁵³ parts.
        let mut left = sum * (random.below(1 << 53) as f64 / (1_u64 << 53) as f64);
        let chosen = moves[..open].iter().position(|root_move| {
            left -= weight(root_move);
            left < 0.0
        });
        Some(chosen.unwrap_or(0))
    }
}

/// A Monte Carlo tree search at a level of strength.
///
/// The tree is empty before each search, so that the move depends on the position, its number and
/// the seed alone, on one thread. The budget counts as well, if it is smaller.
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_eval::Classical;
/// use komadai_search::Searcher;
/// use komadai_search::monte_carlo::{MonteCarloOptions, Skill, Skilled};
///
/// let skill = Skill::level(3).expect("levels are 1 to 10");
/// let mut searcher = Skilled::new(Classical::default(), MonteCarloOptions::modern(), skill);
/// let analysis = searcher.search(&Position::hirate(), &Budget::unlimited(), &mut |_| {});
/// assert!(analysis.best_move().is_some());
/// ```
#[derive(Debug)]
pub struct Skilled<E> {
    tree: MonteCarlo<E>,
    skill: Skill,
    /// Number of lines of a report; the tree always has one for each move.
    multi_pv: usize,
}

/// Enough memory for the results of every level.
const MAX_HASH_MIB: usize = 16;

impl<E: Evaluator> Skilled<E> {
    /// Returns a searcher with at most 16 MiB. The limit of results of `options` does not count,
    /// nor its priors and advantages: the levels are those of [`Priors::Weights`].
    pub fn new(evaluator: E, options: MonteCarloOptions, skill: Skill) -> Self {
        let mut options = options;
        let multi_pv = options.search.multi_pv;
        options.playouts = Some(skill.playouts.max(1));
        options.priors = Priors::Weights;
        options.advantages = None;
        options.search = all_lines(options.search);
        Self { tree: MonteCarlo::new(evaluator, options), skill, multi_pv }
    }

    /// Returns the tree search.
    pub fn tree(&self) -> &MonteCarlo<E> {
        &self.tree
    }
}

fn all_lines(options: SearchOptions) -> SearchOptions {
    let hash_mib = options.hash_mib.min(MAX_HASH_MIB);
    SearchOptions { hash_mib, multi_pv: usize::MAX, ..options }
}

impl<E: Evaluator> Searcher for Skilled<E> {
    fn run(
        &mut self,
        request: &SearchRequest<'_>,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        self.tree.new_game();
        let count = self.multi_pv.max(1);
        let mut progress = |analysis: &Analysis| {
            let mut analysis = analysis.clone();
            analysis.lines.truncate(count);
            progress(&analysis);
        };
        let mut analysis = self.tree.run(request, &mut progress);
        let position = request.position;
        // The number of the move tells positions apart that recur.
        let seed = self.tree.options().seed.wrapping_add(u64::from(position.ply()) << 32);
        let mut random = SplitMix64::new(seed ^ position.key());
        let chosen = self.skill.choose(self.tree.root_moves(), &mut random);
        let chosen = chosen.map(|index| self.tree.root_moves()[index].m);
        if let Some(at) = analysis.lines.iter().position(|line| line.pv.first() == chosen.as_ref())
        {
            let line = analysis.lines.remove(at);
            analysis.depth = line.depth;
            analysis.lines.insert(0, line);
        }
        analysis.lines.truncate(count);
        analysis
    }

    fn scale(&self) -> f64 {
        self.tree.scale()
    }

    fn new_game(&mut self) {
        self.tree.new_game();
    }

    fn set_options(&mut self, options: SearchOptions) {
        self.multi_pv = options.multi_pv;
        self.tree.set_options(all_lines(options));
    }

    fn state(&self) -> SearcherState {
        self.tree.state()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use komadai_core::{Budget, Position};
    use komadai_eval::Classical;

    use super::*;

    fn moves(visits: &[u32]) -> Vec<RootMove> {
        let names = ["7g7f", "2g2f", "5g5f", "1g1f"];
        let all = names.iter().zip(visits);
        all.map(|(m, &visits)| RootMove::new(m.parse().unwrap(), visits, 0.5)).collect()
    }

    fn counts(skill: Skill, moves: &[RootMove]) -> Vec<u32> {
        let mut random = SplitMix64::new(1);
        let mut counts = vec![0; moves.len()];
        (0..10_000).for_each(|_| counts[skill.choose(moves, &mut random).unwrap()] += 1);
        counts
    }

    #[test]
    fn the_choice_follows_the_visits_and_the_temperature() {
        let moves = moves(&[60, 30, 10, 0]);
        let close = |counts: Vec<u32>, expected: [u32; 4]| {
            assert!(
                counts
                    .iter()
                    .zip(expected)
                    .all(|(&found, expected)| found.abs_diff(expected) < 200),
                "{counts:?}"
            );
        };
        close(counts(Skill::new(100, 1.0), &moves), [6_000, 3_000, 1_000, 0]);
        // Squares: 3600, 900 and 100 of 4600.
        close(counts(Skill::new(100, 0.5), &moves), [7_826, 1_957, 217, 0]);
        assert_eq!(counts(Skill::new(100, 0.0), &moves), [10_000, 0, 0, 0]);
    }

    #[test]
    fn wins_are_played_and_losses_avoided() {
        let hot = Skill::new(100, 5.0);
        let mut moves = moves(&[5, 60, 60]);
        moves[0].proven = Some(Proven::Win { plies: 3 });
        assert_eq!(counts(hot, &moves), [10_000, 0, 0]);
        moves[0].proven = None;
        moves[2].proven = Some(Proven::Loss { plies: 2 });
        assert_eq!(counts(hot, &moves)[2], 0);
        moves[..2].iter_mut().for_each(|m| m.proven = Some(Proven::Loss { plies: 2 }));
        assert_eq!(counts(hot, &moves), [10_000, 0, 0]);
        assert_eq!(hot.choose(&[], &mut SplitMix64::new(1)), None);
    }

    #[test]
    fn a_level_plays_several_moves_and_the_same_with_the_same_seed() {
        let position = Position::hirate();
        let play = |seed| {
            let mut options = MonteCarloOptions::modern();
            options.seed = seed;
            let skill = Skill::level(1).unwrap();
            let mut searcher = Skilled::new(Classical::default(), options, skill);
            let mut search = || searcher.search(&position, &Budget::unlimited(), &mut |_| {});
            let (first, second) = (search(), search());
            assert_eq!(first.lines, second.lines);
            assert_eq!(first.lines.len(), 1);
            first.best_move().unwrap()
        };
        let mut counts = BTreeMap::new();
        (0..50).for_each(|seed| *counts.entry(play(seed)).or_insert(0) += 1);
        assert!(counts.len() > 1, "{counts:?}");
    }
}
