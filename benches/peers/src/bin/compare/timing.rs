//! Alternating batches of equal length.

use komadai_peers::{BenchPosition, Measure};

use crate::peer_process::PeerProcess;
use crate::samples::Samples;

/// Number and length of the batches.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    /// Number of batches per peer.
    pub(crate) repeats: u32,
    /// CPU time of a batch in nanoseconds.
    pub(crate) batch_ns: u64,
}

/// Times one measure in one position. The result has one entry per peer, `None` for a peer that
/// failed.
pub(crate) fn time_position(
    peers: &mut [PeerProcess],
    measure: Measure,
    position: &BenchPosition,
    plan: &Plan,
) -> Vec<Option<Samples>> {
    let iterations: Vec<Option<u64>> = peers
        .iter_mut()
        .map(|peer| calibrate(peer, measure, position, plan.batch_ns).ok())
        .collect();
    let mut samples: Vec<_> =
        iterations.iter().map(|known| known.map(|_| Samples::default())).collect();
    for _ in 0..plan.repeats {
        for ((peer, iterations), samples) in peers.iter_mut().zip(&iterations).zip(&mut samples) {
            if let (Some(iterations), Some(known)) = (*iterations, samples.as_mut()) {
                match peer.run(measure, position, iterations) {
                    Ok(batch) => known.push(batch.rate()),
                    Err(_) => *samples = None,
                }
            }
        }
    }
    samples
}

/// Determines the number of iterations that fill a batch. Its runs also warm the peer up.
fn calibrate(
    peer: &mut PeerProcess,
    measure: Measure,
    position: &BenchPosition,
    batch_ns: u64,
) -> anyhow::Result<u64> {
    let mut iterations = 1;
    loop {
        let cpu_ns = peer.run(measure, position, iterations)?.cpu_ns;
        let fitting = (u128::from(iterations) * u128::from(batch_ns) / u128::from(cpu_ns)) as u64;
        if cpu_ns >= batch_ns / 4 {
            return Ok(fitting.max(1));
        }
        // A short run is an imprecise estimate, so the number grows in bounded steps.
        iterations = fitting.clamp(iterations + 1, iterations * 100);
    }
}
