//! Whether all peers do the same work.

use std::fmt;

use komadai_peers::{BenchPosition, Measure};

use crate::peer_process::PeerProcess;

/// A peer whose answer is not the right one.
#[derive(Debug)]
pub(crate) struct Disagreement {
    peer: String,
    measure: Measure,
    position: &'static str,
    expected: u64,
    answer: Result<u64, String>,
}

/// Runs everything once and reports each peer that does not count right.
///
/// Such a peer is timed all the same, with its own count: the reader is told and judges.
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
