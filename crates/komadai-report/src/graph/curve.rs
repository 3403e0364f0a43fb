//! Values as curves.

use komadai_core::Color;

use super::point::GraphPoint;
use super::scale::height;

/// The largest distance in plies of points that are joined. Records of engine games often hold the
/// values of one player only, at every second ply.
const MAX_JOINED: u32 = 2;

/// A ply, which may lie between two moves, and the height of the value there, from −1 to 1.
pub(super) type At = (f64, f64);

/// Returns the parts of a curve without gaps, in the order of plies.
pub(super) fn runs(points: &[GraphPoint]) -> Vec<Vec<At>> {
    let mut runs: Vec<Vec<At>> = Vec::new();
    let mut last = None;
    let mut valued: Vec<(u32, f64)> =
        points.iter().filter_map(|point| Some((point.ply, height(point.score?)))).collect();
    valued.sort_by_key(|&(ply, _)| ply);
    for (ply, height) in valued {
        let at = (f64::from(ply), height);
        let is_joined = last.is_some_and(|last| ply - last <= MAX_JOINED);
        match runs.last_mut().filter(|_| is_joined) {
            Some(run) => run.push(at),
            None => runs.push(vec![at]),
        }
        last = Some(ply);
    }
    runs
}

/// Splits a run where it crosses zero into parts with the side that leads in them.
pub(super) fn by_side(run: &[At]) -> Vec<(Color, Vec<At>)> {
    let mut parts: Vec<(Color, Vec<At>)> = Vec::new();
    for &(ply, height) in run {
        let side = if height < 0.0 { Color::White } else { Color::Black };
        let Some((last_side, part)) = parts.last_mut() else {
            parts.push((side, vec![(ply, height)]));
            continue;
        };
        if *last_side == side {
            part.push((ply, height));
            continue;
        }
        let (from, before) = part.last().copied().unwrap_or((ply, height));
        let crossing = (from + (ply - from) * before / (before - height), 0.0);
        part.push(crossing);
        parts.push((side, vec![crossing, (ply, height)]));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use komadai_core::Score;

    #[test]
    fn gaps_of_more_than_one_ply_break_the_curve() {
        let plies = [9, 0, 1, 3, 6, 7];
        let points = plies.map(|ply| GraphPoint::new(ply, Some(Score::ZERO)));
        let plies: Vec<Vec<f64>> =
            runs(&points).iter().map(|run| run.iter().map(|at| at.0).collect()).collect();
        assert_eq!(plies, [vec![0.0, 1.0, 3.0], vec![6.0, 7.0, 9.0]]);
        assert!(runs(&[GraphPoint::new(1, None)]).is_empty());
    }

    #[test]
    fn curves_are_cut_where_they_cross_zero() {
        let parts = by_side(&[(0.0, 0.5), (1.0, 0.0), (2.0, -0.5), (3.0, 0.5)]);
        let expected = [
            (Color::Black, vec![(0.0, 0.5), (1.0, 0.0), (1.0, 0.0)]),
            (Color::White, vec![(1.0, 0.0), (2.0, -0.5), (2.5, 0.0)]),
            (Color::Black, vec![(2.5, 0.0), (3.0, 0.5)]),
        ];
        assert_eq!(parts, expected);
        assert!(by_side(&[]).is_empty());
    }
}
