//! Means, variances and nodes of the methods, with intervals over games.

use komadai::core::SplitMix64;
use komadai::search::QuiescenceClasses;

use crate::figure::Figure;
use crate::quiescence::measure::{Measured, Setting};

/// The largest evaluation. Values beyond it are mates or decided by a rule, which have no distance
/// in centipawns; positions with such a value count for nodes alone.
const DECIDED: i32 = 20_000;

/// The number of resamples of an interval.
const RESAMPLES: usize = 1_000;

/// A part of the game by its progress, with the bounds of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Band {
    /// Progress up to 4.
    Opening,
    /// Progress from 5 to 9.
    Middle,
    /// Progress from 10.
    End,
}

impl Band {
    pub(crate) const ALL: [Self; 3] = [Self::Opening, Self::Middle, Self::End];
    /// The paper's "rest": all but the opening.
    pub(crate) const REST: [Self; 2] = [Self::Middle, Self::End];

    fn of(progress: u8) -> Self {
        match progress {
            ..=4 => Self::Opening,
            5..=9 => Self::Middle,
            10.. => Self::End,
        }
    }
}

/// The sums of one method over some positions.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cell {
    /// Positions, decided ones included.
    pub(crate) positions: f64,
    nodes: f64,
    /// Positions with a difference.
    pub(crate) count: f64,
    sum: f64,
    squares: f64,
}

impl Cell {
    fn add(&mut self, other: &Self) {
        self.positions += other.positions;
        self.nodes += other.nodes;
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// Returns the mean difference to the reference in centipawns.
    pub(crate) fn mean(&self) -> f64 {
        self.sum / self.count
    }

    /// Returns the variance of the difference.
    pub(crate) fn variance(&self) -> f64 {
        self.squares / self.count - self.mean() * self.mean()
    }

    /// Returns the nodes a position.
    pub(crate) fn nodes(&self) -> f64 {
        self.nodes / self.positions
    }
}

/// The classes of figure 9, in the order of its counts.
pub(crate) const BEST_CLASSES: [QuiescenceClasses; 6] = [
    QuiescenceClasses::SEE,
    QuiescenceClasses::CAPTURE,
    QuiescenceClasses::KING,
    QuiescenceClasses::ESCAPE,
    QuiescenceClasses::PROMOTE,
    QuiescenceClasses::CHECK,
];

/// The best moves of the reference at one progress.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BestMoves {
    /// Positions in which the reference does not stand pat.
    pub(crate) moves: f64,
    /// Positions in which it does.
    pub(crate) standing: f64,
    /// Moves of each of the [`BEST_CLASSES`].
    classes: [f64; BEST_CLASSES.len()],
}

impl BestMoves {
    fn add(&mut self, other: &Self) {
        self.moves += other.moves;
        self.standing += other.standing;
        for (sum, other) in self.classes.iter_mut().zip(other.classes) {
            *sum += other;
        }
    }

    /// Returns the part of the best moves that belong to a class.
    pub(crate) fn share(&self, class: QuiescenceClasses) -> f64 {
        let index = BEST_CLASSES.iter().position(|&other| other == class);
        index.map_or(f64::NAN, |index| self.classes[index] / self.moves)
    }
}

/// The sums of some games.
#[derive(Debug, Clone)]
pub(crate) struct Sums {
    /// `[search][band]`, the searches in the order of [`Measured::found`].
    cells: Vec<[Cell; 3]>,
    /// By progress.
    best: [BestMoves; 16],
}

impl Sums {
    fn new(searches: usize) -> Self {
        Self { cells: vec![Default::default(); searches], best: Default::default() }
    }

    fn add(&mut self, other: &Self) {
        for (bands, others) in self.cells.iter_mut().zip(&other.cells) {
            bands.iter_mut().zip(others).for_each(|(cell, other)| cell.add(other));
        }
        self.best.iter_mut().zip(&other.best).for_each(|(best, other)| best.add(other));
    }

    /// Returns the best moves at some values of the progress.
    pub(crate) fn best(&self, progress: impl IntoIterator<Item = usize>) -> BestMoves {
        let mut sum = BestMoves::default();
        progress.into_iter().for_each(|progress| sum.add(&self.best[progress]));
        sum
    }
}

/// The sums of all games, and where they are found.
#[derive(Debug)]
pub(crate) struct Results {
    depths: Vec<u32>,
    names: Vec<String>,
    games: Vec<Sums>,
}

impl Results {
    pub(crate) fn new(setting: &Setting, games: usize) -> Self {
        Self {
            depths: setting.depths.0.clone(),
            names: setting.methods.iter().map(ToString::to_string).collect(),
            games: vec![Sums::new(setting.searches()); games],
        }
    }

    /// Adds a position; one of a game beyond the number of games is ignored.
    pub(crate) fn add(&mut self, measured: &Measured) {
        let Some(sums) = self.games.get_mut(measured.game) else { return };
        let band = Band::of(measured.progress) as usize;
        let at_depth = 1 + self.names.len();
        for (index, found) in measured.found.iter().enumerate() {
            let truth = measured.found[index - index % at_depth].value;
            let cell = &mut sums.cells[index][band];
            cell.positions += 1.0;
            cell.nodes += found.nodes as f64;
            if truth.abs() < DECIDED && found.value.abs() < DECIDED {
                let difference = f64::from(found.value - truth);
                cell.count += 1.0;
                cell.sum += difference;
                cell.squares += difference * difference;
            }
        }
        let best = &mut sums.best[usize::from(measured.progress)];
        match measured.best {
            None => best.standing += 1.0,
            Some(classes) => {
                best.moves += 1.0;
                for (count, class) in best.classes.iter_mut().zip(BEST_CLASSES) {
                    *count += f64::from(u8::from(classes.contains(class)));
                }
            }
        }
    }

    /// Returns the number of games with a position.
    pub(crate) fn games(&self) -> usize {
        self.games.iter().filter(|game| game.cells[0].iter().any(|c| c.positions > 0.0)).count()
    }

    pub(crate) fn depths(&self) -> &[u32] {
        &self.depths
    }

    /// Returns the paper's depth, or the greatest one where the study does not have it.
    pub(crate) fn main_depth(&self) -> u32 {
        *self.depths.iter().find(|&&depth| depth == 5).or(self.depths.last()).unwrap_or(&5)
    }

    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the sums of all games.
    pub(crate) fn total(&self) -> Sums {
        let mut total = Sums::new(self.depths.len() * (1 + self.names.len()));
        self.games.iter().for_each(|game| total.add(game));
        total
    }

    /// Returns the sums of as many games drawn with replacement, several times.
    ///
    /// Positions of one game are alike, so that whole games are drawn. Source: B. Efron, "Bootstrap
    /// methods: another look at the jackknife", Annals of Statistics 7, 1979.
    pub(crate) fn resamples(&self) -> Vec<Sums> {
        let mut random = SplitMix64::new(1);
        let games = self.games.len();
        let resample = |_| {
            let mut total = Sums::new(self.depths.len() * (1 + self.names.len()));
            for _ in 0..games {
                total.add(&self.games[random.below(games as u64) as usize]);
            }
            total
        };
        (0..RESAMPLES).map(resample).collect()
    }

    /// Returns the sums of the reference at a depth.
    pub(crate) fn reference(&self, sums: &Sums, depth: u32, bands: &[Band]) -> Option<Cell> {
        self.cell(sums, depth, 0, bands)
    }

    /// Returns the sums of a method at a depth; `None` if the study has no such method.
    pub(crate) fn method(
        &self,
        sums: &Sums,
        name: &str,
        depth: u32,
        bands: &[Band],
    ) -> Option<Cell> {
        let index = self.names.iter().position(|known| known.eq_ignore_ascii_case(name))?;
        self.cell(sums, depth, index + 1, bands)
    }

    fn cell(&self, sums: &Sums, depth: u32, search: usize, bands: &[Band]) -> Option<Cell> {
        let place = self.depths.iter().position(|&known| known == depth)?;
        let cells = &sums.cells[place * (1 + self.names.len()) + search];
        let mut sum = Cell::default();
        bands.iter().for_each(|&band| sum.add(&cells[band as usize]));
        Some(sum)
    }
}

/// All games and their resamples, for values with intervals.
#[derive(Debug)]
pub(crate) struct Sample<'a> {
    pub(crate) results: &'a Results,
    pub(crate) total: Sums,
    resamples: Vec<Sums>,
}

impl<'a> Sample<'a> {
    pub(crate) fn new(results: &'a Results) -> Self {
        Self { results, total: results.total(), resamples: results.resamples() }
    }

    /// Returns a value of the sums with its 95 % interval by the bootstrap over games; `None` where
    /// it does not exist.
    pub(crate) fn interval(&self, value: impl Fn(&Sums) -> Option<f64>) -> Option<Figure> {
        let exact = value(&self.total).filter(|value| value.is_finite())?;
        let mut values: Vec<f64> =
            self.resamples.iter().filter_map(value).filter(|value| value.is_finite()).collect();
        values.sort_by(f64::total_cmp);
        let at = |part: f64| values.get((part * values.len() as f64) as usize).copied();
        // The resamples of few games may all lie on one side.
        let (low, high) = (at(0.025)?.min(exact), at(0.975)?.max(exact));
        Some(Figure { value: exact, low, high, count: self.positions() })
    }

    /// Returns the number of positions without a decided value of the reference.
    fn positions(&self) -> u64 {
        let depth = self.results.main_depth();
        let cell = self.results.reference(&self.total, depth, &Band::ALL);
        cell.map_or(0, |cell| cell.count as u64)
    }
}
