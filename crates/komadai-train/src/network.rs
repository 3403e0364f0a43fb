//! Training of networks on the processor.
//!
//! [`Trainer`] makes a network from a [`TrainingSet`]. There are two [kinds](TrainingArchitecture):
//! a [compact network](komadai_nnue::CompactWeights) adds to another evaluation, its
//! [base](TrainingBase), what it has learnt from positions with scores; a network HalfKP, which
//! YaneuraOu reads, learns the whole value. With `p` the expected result that the network predicts
//! and `t` that of the score, mixed with the result of the game, the trainer lowers the mean
//! cross-entropy `-t ln p - (1 - t) ln (1 - p)` by Adam. What remains above the entropy of the
//! targets is the loss of all reports: 0 is perfect, and [`TrainingSet::judge`] gives that of any
//! other evaluation.
//!
//! # A step
//!
//! ```text
//! batch          positions of all games, shuffled, then sorted by the zones of both kings
//! each thread    decodes its positions into terms, adds their weights (16-bit, as they will be played with),
//!                computes output, loss, and the gradient of each view's sums
//! each thread    for its terms: adds the gradients of all views that have the row, changes the row by Adam,
//!                and rounds it again
//! ```
//!
//! The weights of a row belong to one thread, and the order of each sum is that of the batch, so
//! that the number of threads changes no bit. Nothing but additions, products, quotients and square
//! roots is used, whose results are defined to the last bit; so no machine changes one either.
//!
//! # Rounding
//!
//! In a compact network the first layer is rounded to 1/255 and the output layer to 1/64 after
//! every step, and the gradient is that at the rounded weights. In a network HalfKP the first layer
//! is rounded to 1/127, hidden layers to 1/64, and their activations down to 1/127, as evaluators
//! do; gradients pass through. So the loss of the reports is the loss of the exported network.
//!
//! Training a compact network without rounding and rounding once at the end gave the same loss
//! within the spread of seeds (0.0% to 1.5% of it, four seeds at a width of 64, 230,000 positions),
//! with sums of twice the size.
//!
//! # Speed
//!
//! On a shared machine of 2026 (AMD EPYC), 220,000 to 270,000 positions a second of processor time
//! with a width of 64, 140,000 to 170,000 with a width of 128, and 24,000 with HalfKP of width 256;
//! a search makes some hundreds of positions in that time. A build for AVX2 is a tenth to a third
//! faster, which is no reason for a second version of each loop and unsafe code.

mod lanes;
mod terms;
mod error;
pub(crate) mod sample;
pub(crate) mod training_set;
mod options;
pub(crate) mod target;
mod rows;
mod progress;
mod head;
mod weights;
mod compact_head;
mod half_kp_layers;
mod half_kp_head;
mod batch;
mod step;
mod report;
mod checkpoint;
pub(crate) mod judgement;
mod training;
mod start;
mod trainer;

pub use error::TrainingError;
pub use judgement::Judgement;
pub use options::{TrainingArchitecture, TrainingBase, TrainingOptions};
pub use report::{LossPoint, TrainingReport};
pub use trainer::Trainer;
pub use training_set::TrainingSet;

#[cfg(test)]
mod tests;
