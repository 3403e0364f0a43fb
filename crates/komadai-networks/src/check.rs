//! The soundness of a network: its units, its arithmetic, and its judgement where it is known.

use komadai_core::{Position, Score};
use komadai_eval::Evaluator as _;
use komadai_nnue::{Activations, Inspector, Nnue, SumBits};
use rayon::prelude::*;
use serde::Serialize;

use crate::castles::{CastleJudgement, castle_judgements};
use crate::entered_kings::{EnteredKings, entered_kings};
use crate::units::{LayerUnits, UnitCounts};

/// The soundness of a network on some positions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NetworkCheck {
    /// The number of positions.
    pub positions: u64,
    /// The units of the layers.
    pub layers: Vec<LayerUnits>,
    /// The sums of the first layer.
    pub sums: SumCheck,
    /// The values of positions that are equal to the eye.
    pub symmetry: Symmetry,
    /// The share of positions whose value is as large as values can be.
    pub at_limit: f64,
    /// The values of castles beside those of the same army at home.
    pub castles: Vec<CastleJudgement>,
    /// Positions in which both kings have entered the other camp.
    pub entered_kings: EnteredKings,
}

/// The sums of the first layer, which programs compute in 16 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct SumCheck {
    /// The smallest sum in 32 bits; in a stacked network of YaneuraOu, which doubles them, the
    /// doubled one.
    pub min: i32,
    /// The largest sum.
    pub max: i32,
    /// The number of positions with a sum that does not fit 16 bits.
    pub overflows: u64,
    /// The number of positions whose output is another one with sums of 32 bits.
    pub changed: u64,
}

/// The values of turned and of mirrored positions.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Symmetry {
    /// The number of positions that have another value when the board is turned and the sides are
    /// exchanged: a fault of the program, as every network sees both sides alike.
    pub turned_differ: u64,
    /// The mean difference in centipawns to the position with left and right exchanged.
    pub mirrored_mean: f64,
    /// The largest such difference.
    pub mirrored_max: i32,
}

/// The findings of some positions.
#[derive(Debug, Clone, Default)]
struct Findings {
    units: UnitCounts,
    sums: SumCheck,
    turned_differ: u64,
    mirrored_sum: u64,
    mirrored_max: i32,
    at_limit: u64,
}

/// The number of positions after which the progress is reported.
const STEP: usize = 256;

/// Checks a network on positions, none of which should be in check. `on_progress` gets the number of
/// positions that are done.
///
/// It computes plainly, some thousand positions a second. The castles and most positions of entered
/// kings are always the same.
///
/// # Examples
///
/// ```
/// use komadai_eval::scale::sample;
/// use komadai_networks::check;
/// use komadai_nnue::{Network, Nnue};
///
/// let nnue = Nnue::new(Network::random("kp_32x2-8-8".parse()?, 1));
/// let found = check(&nnue, &sample()[..20], &mut |_| ());
/// assert_eq!((found.positions, found.symmetry.turned_differ, found.sums.overflows), (20, 0, 0));
/// assert_eq!(found.layers[0].units, 32);
/// # Ok::<(), komadai_nnue::UnknownArchitecture>(())
/// ```
pub fn check(
    nnue: &Nnue,
    positions: &[Position],
    on_progress: &mut dyn FnMut(usize),
) -> NetworkCheck {
    let inspector = Inspector::new(nnue.network());
    let mut found = Findings::default();
    let mut done = 0;
    for part in positions.chunks(STEP) {
        let of_part = part
            .par_iter()
            .fold(Findings::default, |found, position| found.with(nnue, &inspector, position))
            .reduce(Findings::default, Findings::and);
        found = found.and(of_part);
        done += part.len();
        on_progress(done);
    }
    let count = positions.len().max(1) as f64;
    NetworkCheck {
        positions: positions.len() as u64,
        layers: found.units.layers(),
        sums: found.sums,
        symmetry: Symmetry {
            turned_differ: found.turned_differ,
            mirrored_mean: found.mirrored_sum as f64 / count,
            mirrored_max: found.mirrored_max,
        },
        at_limit: found.at_limit as f64 / count,
        castles: castle_judgements(nnue),
        entered_kings: entered_kings(nnue, positions),
    }
}

impl Findings {
    fn with(mut self, nnue: &Nnue, inspector: &Inspector<'_>, position: &Position) -> Self {
        let found = inspector.activations(position, SumBits::Sixteen);
        let limit = Activations::first_limit(nnue.network().architecture());
        self.units.add(&found, limit);
        self.sums = self.sums.and(SumCheck::of(inspector, position, &found));
        let value = |position: &Position| nnue.evaluate_position(position).raw();
        let own = value(position);
        let mirrored = (value(&position.mirrored()) - own).abs();
        self.turned_differ += u64::from(value(&position.flipped()) != own);
        self.mirrored_sum += u64::from(mirrored.unsigned_abs());
        self.mirrored_max = self.mirrored_max.max(mirrored);
        self.at_limit += u64::from(own.abs() >= Score::MAX_CP);
        self
    }

    fn and(self, other: Self) -> Self {
        Self {
            units: self.units.and(other.units),
            sums: self.sums.and(other.sums),
            turned_differ: self.turned_differ + other.turned_differ,
            mirrored_sum: self.mirrored_sum + other.mirrored_sum,
            mirrored_max: self.mirrored_max.max(other.mirrored_max),
            at_limit: self.at_limit + other.at_limit,
        }
    }
}

impl SumCheck {
    fn of(inspector: &Inspector<'_>, position: &Position, found: &Activations) -> Self {
        let overflows = found.overflows();
        let changed =
            overflows && inspector.activations(position, SumBits::ThirtyTwo).output != found.output;
        let sums = || found.sums.iter().flatten().copied();
        Self {
            min: sums().min().unwrap_or(0),
            max: sums().max().unwrap_or(0),
            overflows: u64::from(overflows),
            changed: u64::from(changed),
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
            overflows: self.overflows + other.overflows,
            changed: self.changed + other.changed,
        }
    }
}
