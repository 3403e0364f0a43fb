//! The places of labels, which do not overlap.

/// Height of a line of text.
const HEIGHT: f64 = 14.0;

/// Half of the side of the square around a dot that labels leave free.
const DOT: f64 = 4.0;

/// Distances from the point to the baseline of its label, best first.
const OFFSETS: [f64; 6] = [-9.0, 19.0, -25.0, 35.0, -41.0, 51.0];

/// A rectangle: left, top, right, bottom.
pub(super) type Area = (f64, f64, f64, f64);

/// The places that are taken within a plot.
pub(super) struct Labels {
    plot: Area,
    taken: Vec<Area>,
}

impl Labels {
    pub(super) fn new(plot: Area) -> Self {
        Self { plot, taken: Vec::new() }
    }

    /// Takes the place of a dot.
    pub(super) fn take_dot(&mut self, (x, y): (f64, f64)) {
        self.taken.push((x - DOT, y - DOT, x + DOT, y + DOT));
    }

    /// Takes a place for a text near a point and returns the middle of its baseline; `None` if
    /// there is no room.
    pub(super) fn place(&mut self, (x, y): (f64, f64), text: &str) -> Option<(f64, f64)> {
        let (left, top, right, bottom) = self.plot;
        let half = width(text) / 2.0 + 2.0;
        if 2.0 * half > right - left {
            return None;
        }
        let x = x.clamp(left + half, right - half);
        for offset in OFFSETS {
            let y = y + offset;
            let area = (x - half, y - HEIGHT + 3.0, x + half, y + 3.0);
            let is_inside = area.1 >= top && area.3 <= bottom;
            if is_inside && !self.taken.iter().any(|&other| overlap(area, other)) {
                self.taken.push(area);
                return Some((x, y));
            }
        }
        None
    }
}

fn overlap(one: Area, other: Area) -> bool {
    one.0 < other.2 && other.0 < one.2 && one.1 < other.3 && other.1 < one.3
}

/// Returns the estimated width of a text of 11 pixels: fonts differ, and labels keep a distance.
pub(super) fn width(text: &str) -> f64 {
    text.chars().map(|c| if c.is_ascii() { 6.4 } else { 11.2 }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_do_not_cover_each_other_and_stay_in_the_plot() {
        let mut labels = Labels::new((0.0, 0.0, 300.0, 100.0));
        let places: Vec<_> =
            (0..200).map(|x| labels.place((x as f64, 50.0), "58 ▲５八金右")).collect();
        let placed = places.iter().flatten().count();
        assert!((6..40).contains(&placed), "{placed}");
        for (index, &one) in labels.taken.iter().enumerate() {
            assert!(one.0 >= 0.0 && one.1 >= 0.0 && one.2 <= 300.0 && one.3 <= 100.0);
            assert!(!labels.taken[..index].iter().any(|&other| overlap(one, other)));
        }
        assert_eq!(labels.place((0.0, 0.0), &"長".repeat(100)), None);
    }
}
