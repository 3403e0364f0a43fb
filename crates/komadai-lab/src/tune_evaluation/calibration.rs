//! The relation between scores and results of games.

use crate::tune_evaluation::row::sigmoid;
use crate::tune_evaluation::sample::Sample;

/// Prints the share of wins of the side to move by score, beside the share that `scale`
/// implies.
pub(crate) fn calibrate(samples: &[Sample], scale: f32) {
    println!("score   samples  won    expected");
    for from in (-1_000..1_000).step_by(250) {
        let within = |s: &&Sample| (from..from + 250).contains(&i32::from(s.score));
        let (count, sum) = samples
            .iter()
            .filter(within)
            .fold((0u32, 0.0), |(count, sum), s| (count + 1, sum + won(s.result)));
        let expected = sigmoid((from as f32 + 125.0) / scale);
        println!("{from:>5}  {count:>8}  {:.3}  {expected:.3}", sum / count.max(1) as f32);
    }
}

/// Converts a result to a share of a win.
pub(crate) fn won(result: i8) -> f32 {
    (f32::from(result) + 1.0) / 2.0
}
