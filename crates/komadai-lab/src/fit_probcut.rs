//! Fits the predictions of ProbCut: the values of deep quiescence searches as linear functions of
//! those of shallow ones, by the progress of the game.
//!
//! ```text
//! cargo run --release -p komadai-lab -- fit-probcut
//! ```

use clap::Args;
use komadai::eval::Progress;
use komadai::prelude::*;
use komadai::search::{DepthRegression, ProbCut, QuiescenceClasses};
use rayon::prelude::*;

use crate::quiescence_positions::{bundled, searcher, selected};

/// Fit the predictions by which ProbCut cuts nodes of quiescence search, and report their errors on
/// games that the fit has not seen. Values are in centipawns for the side to move.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  fit-probcut --classes All --pairs 1-3,2-4 --every 4")]
pub(crate) struct Arguments {
    /// Classes of moves.
    #[arg(long, default_value = "SKEP")]
    classes: QuiescenceClasses,
    /// Pairs of a shallow and a deep number of plies.
    #[arg(long, value_delimiter = ',', value_parser = depth_pair,
          default_values = ["1-3", "2-4", "3-5", "4-6", "3-7", "4-8"])]
    pairs: Vec<(u32, u32)>,
    /// One position in this number is used, of those from move 30 on that are not in check. Every
    /// second bundled game is for the fit, the others are for the errors.
    #[arg(long, default_value_t = 1)]
    every: usize,
}

fn depth_pair(text: &str) -> Result<(u32, u32), String> {
    let parsed = text.split_once('-').and_then(|(shallow, deep)| {
        Some((shallow.parse::<u32>().ok()?, deep.parse::<u32>().ok()?))
    });
    parsed
        .filter(|(shallow, deep)| shallow < deep && *deep <= 8)
        .ok_or_else(|| format!("found {text:?}, expected two depths up to 8, as 2-4"))
}

/// The largest value of a position that counts, in centipawns: beyond it games are decided, and the
/// values of mates are no evaluations.
const LARGEST: i32 = 3_000;

/// The values of a position in the order of the pairs' depths.
struct Valued {
    band: usize,
    values: Vec<[i32; 2]>,
}

/// A straight line through points, and how well it describes them.
struct Line {
    by: DepthRegression,
    /// The share of the variance that it explains.
    determination: f64,
    points: usize,
}

impl Line {
    /// Returns the line of least squares.
    fn fit(points: &[[f64; 2]]) -> Self {
        let count = points.len() as f64;
        let mean = |of: fn(&[f64; 2]) -> f64| points.iter().map(of).sum::<f64>() / count;
        let (x, y) = (mean(|p| p[0]), mean(|p| p[1]));
        let sum = |of: &dyn Fn(&[f64; 2]) -> f64| points.iter().map(of).sum::<f64>();
        let xx = sum(&|p| (p[0] - x).powi(2));
        let yy = sum(&|p| (p[1] - y).powi(2));
        let xy = sum(&|p| (p[0] - x) * (p[1] - y));
        let slope = xy / xx;
        let rest = (yy - slope * xy).max(0.0);
        let by = DepthRegression {
            slope: slope as f32,
            offset: (y - slope * x) as f32,
            deviation: (rest / count).sqrt() as f32,
        };
        Self { by, determination: 1.0 - rest / yy, points: points.len() }
    }

    /// Returns the root of the mean square of the errors on other points.
    fn error(&self, points: &[[f64; 2]]) -> f64 {
        let error =
            |[x, y]: &[f64; 2]| y - f64::from(self.by.slope) * x - f64::from(self.by.offset);
        let squares = points.iter().map(|point| error(point).powi(2)).sum::<f64>();
        (squares / points.len() as f64).sqrt()
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let fitted = valued(arguments, 0);
    let held_out = valued(arguments, 1);
    println!(
        "| pair | progress | positions | slope | offset | deviation | R² | error, other games |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|");
    let mut text = String::new();
    for (index, (shallow, deep)) in arguments.pairs.iter().enumerate() {
        let mut bands = Vec::new();
        for (band, name) in ["0–4", "5–9", "10–15"].into_iter().enumerate() {
            let line = Line::fit(&points(&fitted, index, band));
            let DepthRegression { slope, offset, deviation } = line.by;
            println!(
                "| {shallow}, {deep} | {name} | {} | {slope:.3} | {offset:.1} | {deviation:.0} | {:.3} | {:.0} |",
                line.points,
                line.determination,
                line.error(&points(&held_out, index, band)),
            );
            bands.push(format!("regression({slope:.3}, {offset:.1}, {deviation:.1})"));
        }
        text += &format!("    pair({shallow}, {deep}, [{}]),\n", bands.join(", "));
    }
    println!("\n{} positions for the fit, {} others.\n\n{text}", fitted.len(), held_out.len());
    Ok(())
}

/// Returns the values of both searches of every pair in positions of every second game.
fn valued(arguments: &Arguments, remainder: usize) -> Vec<Valued> {
    let value = |position: &Position, depth: u32| {
        let analysis = searcher(selected(arguments.classes, depth)).quiescence(position);
        analysis.score().map_or(i32::MAX, Score::raw)
    };
    let of_position = |position: &Position| Valued {
        band: ProbCut::band(Progress::of(position)),
        values: arguments
            .pairs
            .iter()
            .map(|&(shallow, deep)| [value(position, shallow), value(position, deep)])
            .collect(),
    };
    bundled(remainder, arguments.every).par_iter().map(of_position).collect()
}

/// Returns the values of a pair in positions of a band that are not decided.
fn points(valued: &[Valued], pair: usize, band: usize) -> Vec<[f64; 2]> {
    let of_band = valued.iter().filter(|valued| valued.band == band);
    let values = of_band.map(|valued| valued.values[pair]);
    let open =
        values.filter(|values| values.iter().all(|value| (-LARGEST..=LARGEST).contains(value)));
    open.map(|values| values.map(f64::from)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_with_alternating_errors_is_found() {
        let points: Vec<_> = (0..1_000)
            .map(f64::from)
            .map(|x| [x, 0.8 * x + 20.0 + if x as i64 % 2 == 0 { 5.0 } else { -5.0 }])
            .collect();
        let line = Line::fit(&points);
        assert!((line.by.slope - 0.8).abs() < 1e-3 && (line.by.offset - 20.0).abs() < 0.1);
        assert!((line.by.deviation - 5.0).abs() < 0.01 && line.determination > 0.99);
        assert!((line.error(&points) - 5.0).abs() < 0.01);
    }

    #[test]
    fn pairs_are_a_shallow_and_a_deep_depth() {
        assert_eq!(depth_pair("2-4"), Ok((2, 4)));
        for wrong in ["4-2", "2", "2-9", "a-b", ""] {
            assert!(depth_pair(wrong).is_err(), "{wrong}");
        }
    }
}
