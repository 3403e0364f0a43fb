//! The error of a static value beside the bound that a search has found.

use komadai_core::Bound;

/// Returns the change that brings a static value to the result of a search, both for the side to
/// move.
///
/// A lower bound says something only if the static value is below it, an upper bound only if it is
/// above:
///
/// | bound of the search | static value | error |
/// |---|---|---|
/// | lower `a` | below `a` | `a − value` |
/// | lower `a` | `a` or more | 0 |
/// | upper `b` | above `b` | `b − value` |
/// | upper `b` | `b` or less | 0 |
/// | exact `v` | any | `v − value` |
///
/// # Examples
///
/// ```
/// use komadai_core::Bound;
/// use komadai_train::methods::tree_error;
///
/// assert_eq!(tree_error(Bound::Lower, 50.0, 20.0), 30.0);
/// assert_eq!(tree_error(Bound::Lower, 50.0, 80.0), 0.0);
/// ```
pub fn tree_error(bound: Bound, searched: f32, value: f32) -> f32 {
    match bound {
        Bound::Exact => searched - value,
        Bound::Lower => (searched - value).max(0.0),
        Bound::Upper => (searched - value).min(0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_of_the_table() {
        let cases = [
            (Bound::Lower, 100.0, 40.0, 60.0),
            (Bound::Lower, 100.0, 100.0, 0.0),
            (Bound::Lower, 100.0, 140.0, 0.0),
            (Bound::Upper, -100.0, -40.0, -60.0),
            (Bound::Upper, -100.0, -100.0, 0.0),
            (Bound::Upper, -100.0, -140.0, 0.0),
            (Bound::Exact, 30.0, 10.0, 20.0),
            (Bound::Exact, 30.0, 50.0, -20.0),
            (Bound::Exact, 30.0, 30.0, 0.0),
        ];
        for (bound, searched, value, expected) in cases {
            assert_eq!(tree_error(bound, searched, value), expected, "{bound:?} {value}");
        }
    }
}
