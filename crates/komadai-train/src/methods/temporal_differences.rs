//! Sums of temporal differences.

/// Returns for each expected result `p[t]` the change `Σ λ^(j − t) (p[j + 1] − p[j])` over `j ≥ t`,
/// where `result` comes after the last one.
///
/// With λ = 1 it is `result − p[t]`, with λ = 0 the next difference.
///
/// # Examples
///
/// ```
/// use komadai_train::methods::temporal_differences;
///
/// assert_eq!(temporal_differences(&[0.5, 0.75], 1.0, 1.0), [0.5, 0.25]);
/// assert_eq!(temporal_differences(&[0.5, 0.75], 1.0, 0.0), [0.25, 0.25]);
/// ```
pub fn temporal_differences(expected: &[f32], result: f32, lambda: f32) -> Vec<f32> {
    let mut errors = vec![0.0; expected.len()];
    let (mut after, mut sum) = (result, 0.0);
    for (error, now) in errors.iter_mut().zip(expected).rev() {
        sum = lambda * sum + (after - now);
        (*error, after) = (sum, *now);
    }
    errors
}
