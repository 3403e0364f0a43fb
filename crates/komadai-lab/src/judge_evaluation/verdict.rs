//! The common verdict of the judges about a pair of positions.

use komadai::prelude::*;

use crate::judge_evaluation::judge::JudgeKind;
use crate::judge_evaluation::opinions::Opinions;

/// Smallest difference by which a judge prefers a position, in centipawns.
const PREFERS: f64 = 50.0;

/// Smallest difference by which a judge contradicts the others, in centipawns.
const CONTRADICTS: f64 = 25.0;

/// Largest difference within a pair of the same material, in centipawns. A judge with a larger one
/// has found a win of material in one of the positions.
pub(crate) const SAME_MATERIAL: f64 = 600.0;

/// The preference on which at least two judges agree and that none contradicts.
#[derive(Debug, Clone)]
pub(crate) struct Verdict {
    /// The value of each position by each judge, in the judge's scale, for the side under test.
    values: [[i32; 2]; 3],
    /// 1 if the first position is better, −1 if the second is.
    sign: i32,
}

impl Verdict {
    pub(crate) const HEADER: &'static str =
        "sign\tyaneuraou_first\tyaneuraou_second\tfairy_first\tfairy_second\tgps_first\tgps_second";

    /// Returns the verdict of the judges, if there is one and both positions are quiet. `sides` are
    /// the sides to move; `tested` is the side for which the positions are compared. Where the
    /// material differs, `most` is `None`, and a judge may see a decided game.
    pub(crate) fn of(
        sfens: &[String; 2],
        sides: [Color; 2],
        tested: Color,
        most: Option<f64>,
        opinions: &Opinions,
    ) -> Option<Self> {
        let mut values = [[0; 2]; 3];
        for (place, sfen) in sfens.iter().enumerate() {
            let position = Position::from_sfen(sfen).ok()?;
            let all = opinions.all(sfen)?;
            let is_quiet = |m: Move| !m.is_promotion() && position.piece_on(m.to()).is_none();
            let quiet = all.iter().all(|opinion| opinion.best.map_or(most.is_none(), is_quiet));
            if position.in_check() || !quiet {
                return None;
            }
            for (judge, opinion) in all.iter().enumerate() {
                let own = sides[place] == tested;
                values[judge][place] = if own { opinion.value } else { -opinion.value };
            }
        }
        let undecided = Self { values, sign: 0 };
        let differences = undecided.differences();
        if differences.iter().any(|difference| most.is_some_and(|most| difference.abs() > most)) {
            return None;
        }
        let agreed = |sign: &i32| {
            let signed = differences.map(|difference| difference * f64::from(*sign));
            signed.iter().filter(|&&value| value >= PREFERS).count() >= 2
                && signed.iter().all(|&value| value > -CONTRADICTS)
        };
        let sign = [1, -1].into_iter().find(agreed)?;
        Some(Self { sign, ..undecided })
    }

    /// Returns how much better the first position is, in centipawns.
    fn differences(&self) -> [f64; 3] {
        JudgeKind::OTHERS.map(|judge| {
            let [first, second] = self.values[judge as usize];
            f64::from(first - second) / judge.scale()
        })
    }

    /// Returns the second largest of the preferences in centipawns: two judges agree by this much.
    pub(crate) fn margin(&self) -> f64 {
        let mut sorted = self.differences().map(|difference| difference * f64::from(self.sign));
        sorted.sort_by(f64::total_cmp);
        sorted[1]
    }

    /// Returns the cells below [`HEADER`](Self::HEADER).
    pub(crate) fn cells(&self) -> String {
        let values: Vec<String> = self.values.iter().flatten().map(i32::to_string).collect();
        format!("{}\t{}", self.sign, values.join("\t"))
    }
}
