//! The peer side of the line protocol.

use std::hint::black_box;
use std::io::{self, BufRead, Write};

use anyhow::{Context, anyhow};
use cpu_time::ProcessTime;

use crate::measure::Measure;
use crate::peer::Peer;

/// Answers requests on standard input until `quit` or the end of the input.
///
/// `description` is the answer to `name`. The answer to an invalid request is a line `error …`; the
/// next request is then read.
///
/// # Errors
///
/// If standard input or output fails.
pub fn serve<P: Peer>(description: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        match line.trim() {
            "quit" => break,
            "name" => writeln!(output, "{description}")?,
            request => match answer::<P>(request) {
                Ok(Timed { count, cpu_ns }) => writeln!(output, "{count} {cpu_ns}")?,
                Err(error) => writeln!(output, "error {error:#}")?,
            },
        }
        output.flush()?;
    }
    Ok(())
}

/// The result of one request.
struct Timed {
    /// Sum over all iterations.
    count: u64,
    /// CPU time of this process for the work alone, in nanoseconds.
    cpu_ns: u128,
}

/// Does the work of one request line.
fn answer<P: Peer>(line: &str) -> anyhow::Result<Timed> {
    let Request { measure, depth, iterations, sfen } = Request::parse(line)?;
    let mut peer =
        P::from_sfen(sfen).map_err(|error| anyhow!("{error}")).context("position not accepted")?;

    let start = ProcessTime::now();
    let count = repeat(iterations, || {
        let peer = black_box(&mut peer);
        match measure {
            Measure::Bulk => peer.bulk(depth),
            Measure::Full => peer.full(depth),
            Measure::Gen => peer.generate(),
            Measure::DoDo => peer.do_undo(),
        }
    });
    Ok(Timed { count, cpu_ns: start.elapsed().as_nanos() })
}

/// Sums the results of calling `work` `iterations` times.
fn repeat(iterations: u64, mut work: impl FnMut() -> u64) -> u64 {
    (0..iterations).map(|_| work()).sum()
}

/// A request to do some work.
#[derive(Debug, PartialEq, Eq)]
struct Request<'a> {
    measure: Measure,
    /// At least 1; 1 for a measure without depth.
    depth: u32,
    iterations: u64,
    sfen: &'a str,
}

impl<'a> Request<'a> {
    /// Parses `bulk|full <depth> <iterations> <sfen>` or `gen|dodo <iterations> <sfen>`.
    fn parse(line: &'a str) -> anyhow::Result<Self> {
        let (word, rest) = next_word(line)?;
        let measure: Measure = word.parse().map_err(anyhow::Error::msg)?;
        let (depth, rest) = if measure.has_depth() { next_word(rest)? } else { ("1", rest) };
        let (iterations, sfen) = next_word(rest)?;
        let depth = depth.parse().context("depth")?;
        anyhow::ensure!(depth >= 1, "depth must be at least 1");
        let iterations = iterations.parse().context("iterations")?;
        Ok(Self { measure, depth, iterations, sfen: sfen.trim() })
    }
}

/// Splits off the first word.
fn next_word(text: &str) -> anyhow::Result<(&str, &str)> {
    text.trim_start().split_once(' ').ok_or_else(|| anyhow!("incomplete request"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_with_depth() {
        let request = Request::parse("full 4 10 9/9/9/9/9/9/9/9/9 b - 1").unwrap();
        let sfen = "9/9/9/9/9/9/9/9/9 b - 1";
        assert_eq!(request, Request { measure: Measure::Full, depth: 4, iterations: 10, sfen });
    }

    #[test]
    fn a_request_without_depth() {
        let request = Request::parse("gen 7 4k4/9/9 b - 1").unwrap();
        assert_eq!((request.measure, request.iterations), (Measure::Gen, 7));
        assert_eq!(request.sfen, "4k4/9/9 b - 1");
    }

    #[test]
    fn malformed_requests_are_errors() {
        for line in ["", "bulk", "bulk 3", "bulk 0 1 sfen b - 1", "gen x y", "fly 1 2 3"] {
            assert!(Request::parse(line).is_err(), "{line:?}");
        }
    }
}
