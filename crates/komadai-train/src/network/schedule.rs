//! The learning rate over time.

/// The learning rate after a share of the training: half a wave of the cosine from `first` to
/// `last`.
pub(super) fn learning_rate([first, last]: [f32; 2], done: u64, all: u64) -> f32 {
    let share = done.min(all) as f64 / all.max(1) as f64;
    let fall = (1.0 + cosine_of_half_turns(share)) / 2.0;
    (f64::from(last) + f64::from(first - last) * fall) as f32
}

/// The cosine of `turns` · π for a number from 0 to 1, by its power series. It has the same bits on
/// every machine, which that of the system has not.
fn cosine_of_half_turns(turns: f64) -> f64 {
    // Near zero the series of the sine needs few terms.
    let x = (0.5 - turns) * std::f64::consts::PI;
    let series = (1..=12).rev().fold(1.0, |sum, term| {
        let term = f64::from(2 * term);
        1.0 - x * x * sum / (term * (term + 1.0))
    });
    x * series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_falls_like_a_cosine() {
        for step in 0..=1_000 {
            let turns = f64::from(step) / 1_000.0;
            let expected = (turns * std::f64::consts::PI).cos();
            assert!((cosine_of_half_turns(turns) - expected).abs() < 1e-14, "{turns}");
        }
        let rate = |done| learning_rate([1e-3, 1e-5], done, 200);
        assert_eq!([rate(0), rate(200), rate(300)], [1e-3, 1e-5, 1e-5]);
        assert!((rate(100) - 5.05e-4).abs() < 1e-8);
        assert!((1..=200).all(|done| rate(done) < rate(done - 1)));
    }
}
