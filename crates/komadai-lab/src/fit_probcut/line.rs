//! Straight lines through the values of shallow and deep searches.

use komadai::search::{DepthPair, DepthRegression};

/// The largest value of a position that counts, in centipawns: beyond it games are decided, and the
/// values of mates are no evaluations.
const LARGEST: i32 = 3_000;

/// The values of a position in the order of the pairs: of the shallow and of the deep search.
#[derive(Debug)]
pub(crate) struct Valued {
    /// The index of [`DepthPair::bands`].
    pub(crate) band: usize,
    pub(crate) values: Vec<[i32; 2]>,
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

/// Fits a line to each pair of depths and band of progress, and prints them with their errors on
/// other positions.
pub(crate) fn fit(depths: &[(u32, u32)], fitted: &[Valued], held_out: &[Valued]) -> Vec<DepthPair> {
    println!(
        "| pair | progress | positions | slope | offset | deviation | R² | error, other games |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|");
    let mut pairs = Vec::new();
    for (index, &(shallow, deep)) in depths.iter().enumerate() {
        let lines = [0, 1, 2].map(|band| Line::fit(&points(fitted, index, band)));
        for (band, (line, [first, last])) in lines.iter().zip(DepthPair::BANDS).enumerate() {
            let DepthRegression { slope, offset, deviation } = line.by;
            println!(
                "| {shallow}, {deep} | {first}–{last} | {} | {slope:.3} | {offset:.1} | {deviation:.0} | {:.3} | {:.0} |",
                line.points,
                line.determination,
                line.error(&points(held_out, index, band)),
            );
        }
        pairs.push(DepthPair { shallow, deep, bands: lines.map(|line| line.by) });
    }
    println!("\n{} positions for the fit, {} others.", fitted.len(), held_out.len());
    for DepthPair { shallow, deep, bands } in &pairs {
        let [first, middle, last] = bands.map(|by| by.deviation);
        let grows = if first < middle && middle < last { "grows" } else { "does not always grow" };
        println!("{shallow}, {deep}: the deviation {grows} towards the end of the game.");
    }
    pairs
}

/// Reads a pair such as `2-4`, of depths up to `most`.
pub(crate) fn depth_pair(text: &str, most: u32) -> Result<(u32, u32), String> {
    let parsed = text.split_once('-').and_then(|(shallow, deep)| {
        Some((shallow.parse::<u32>().ok()?, deep.parse::<u32>().ok()?))
    });
    parsed
        .filter(|&(shallow, deep)| 0 < shallow && shallow < deep && deep <= most)
        .ok_or_else(|| format!("found {text:?}, expected two depths up to {most}, as 2-4"))
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
        assert_eq!(depth_pair("2-4", 8), Ok((2, 4)));
        for wrong in ["4-2", "2", "2-9", "0-2", "a-b", ""] {
            assert!(depth_pair(wrong, 8).is_err(), "{wrong}");
        }
    }
}
