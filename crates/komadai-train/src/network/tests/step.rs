//! A step beside its definition.

use komadai_nnue::PieceTerm;

use super::support::samples;
use crate::network::batch::{Entry, Part};
use crate::network::compact_head::{CompactHead, CompactShape};
use crate::network::half_kp_head::HalfKpHead;
use crate::network::head::Head;
use crate::network::lanes::Lanes;
use crate::network::progress::Progress;
use crate::network::rows::{Rows, Step};
use crate::network::step::{Workers, gather};
use crate::network::target::Target;
use crate::network::weights::Weights;

const TARGET: Target = Target { result_share: 0.0, score_scale: 600.0 };

/// Compares the mean of a row's gradients after one step with a tenth of its gradient.
fn assert_mean(rows: &Rows, row: usize, tile: usize, gradient: &Lanes) {
    let means = rows.means[row * rows.tiles + tile].0;
    for (mean, gradient) in means.into_iter().zip(gradient.0) {
        let difference = (mean - 0.1 * gradient).abs();
        assert!(difference <= 1e-5 * gradient.abs() + 1e-9, "{row} {tile}: {mean} {gradient}");
    }
}

#[test]
fn each_row_gets_its_own_gradient() {
    compare::<CompactHead>(CompactShape { classes: 1, progress: Progress::default() });
    compare::<HalfKpHead>(8_640.0);
}

fn compare<H: Head>(shape: H::Shape) {
    let samples = samples(300, 4);
    let mut weights: Weights<H> = Weights::random(96, shape, 3);
    let entry = |sample| Entry { sample, is_mirrored: sample % 3 == 0 };
    let entries: Vec<Entry> = (0..samples.len() as u32).map(entry).collect();
    let mut part = Part::default();
    part.compute(&samples, &entries, TARGET, &weights.rounded, samples.len());
    let parts = [part];

    let (before, step) = (weights.clone(), Step { rate: 1e-2, decay: 0.0, shared_decay: 0.0 });
    Workers::new(2).learn(&mut weights, &samples, entries.into_iter(), TARGET, step);
    let mut gradient = Lanes::ZERO;
    for term in 0..PieceTerm::COUNT {
        for tile in 0..3 {
            let mut shared = Lanes::ZERO;
            for row in term * H::ZONES..(term + 1) * H::ZONES {
                gather(&mut gradient, &parts, row, tile);
                assert_mean(&weights.zoned, row, tile, &gradient);
                shared.add(&gradient);
            }
            assert_mean(&weights.shared, term, tile, &shared);
        }
    }
    let is_seen = |row: usize| !parts[0].views(row).is_empty();
    let mut changed = 0;
    for row in 0..PieceTerm::COUNT * H::ZONES {
        assert_eq!(weights.zoned.steps[row], u32::from(is_seen(row)));
        let tiles = row * 3..row * 3 + 3;
        let is_changed = weights.zoned.weights[tiles.clone()] != before.zoned.weights[tiles];
        assert!(is_seen(row) || !is_changed);
        changed += usize::from(is_changed);
    }
    assert!(changed > 500, "{changed}");
    // The rounded weights are those of the sums.
    let rounded = weights.rounded.clone();
    weights.restore_rounded();
    assert!(weights.rounded == rounded && rounded != before.rounded);
}
