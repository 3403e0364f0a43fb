//! The check that all peers count correctly.

use std::fmt;

use komadai_peers::{BenchPosition, Measure};

use crate::peer_process::PeerProcess;

/// A wrong answer of a peer.
#[derive(Debug)]
pub(crate) struct Disagreement {
    peer: String,
    measure: Measure,
    position: &'static str,
    expected: u64,
    answer: Result<u64, String>,
}

/// Runs every measure once in every position and returns the wrong counts.
///
/// A peer with a wrong count is still timed, by its own count; the output lists it.
pub(crate) fn check(
    peers: &mut [PeerProcess],
    measures: &[Measure],
    positions: &[BenchPosition],
) -> Vec<Disagreement> {
    let mut found = Vec::new();
    for &measure in measures {
        for position in positions {
            let expected = position.expected(measure);
            for peer in peers.iter_mut() {
                let answer = peer.run(measure, position, 1).map(|batch| batch.count);
                if answer.as_ref().ok() != Some(&expected) {
                    found.push(Disagreement {
                        peer: peer.name().to_owned(),
                        measure,
                        position: position.name,
                        expected,
                        answer: answer.map_err(|error| format!("{error:#}")),
                    });
                }
            }
        }
    }
    found
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { peer, measure, position, expected, answer } = self;
        write!(f, "{peer}, {measure} {position}: ")?;
        match answer {
            Ok(count) => write!(f, "{count}, should be {expected}"),
            Err(error) => write!(f, "{error}"),
        }
    }
}
