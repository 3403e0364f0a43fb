//! The runner side of the line protocol.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::Context;
use komadai_peers::{BenchPosition, Measure};

/// A peer in a process of its own.
#[derive(Debug)]
pub(crate) struct PeerProcess {
    name: String,
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// The result of one batch of a peer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Batch {
    /// Sum of the counts of all iterations.
    pub(crate) count: u64,
    /// The peer's CPU time in nanoseconds, at least 1.
    pub(crate) cpu_ns: u64,
}

impl Batch {
    /// Returns the rate in millions of counts per second.
    pub(crate) fn rate(self) -> f64 {
        self.count as f64 * 1e3 / self.cpu_ns as f64
    }
}

impl PeerProcess {
    /// Starts the program at `path`.
    pub(crate) fn start(name: String, path: &Path) -> anyhow::Result<Self> {
        let mut child = Command::new(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("starting peer {name} at {}", path.display()))?;
        let requests = child.stdin.take().expect("stdin is piped");
        let answers = BufReader::new(child.stdout.take().expect("stdout is piped"));
        Ok(Self { name, child, requests, answers })
    }

    /// Returns the name in the report.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Requests the description of the peer: version, compiler, options.
    pub(crate) fn description(&mut self) -> anyhow::Result<String> {
        self.request("name")
    }

    /// Runs one batch of `iterations`.
    pub(crate) fn run(
        &mut self,
        measure: Measure,
        position: &BenchPosition,
        iterations: u64,
    ) -> anyhow::Result<Batch> {
        let sfen = position.sfen;
        let request = if measure.has_depth() {
            format!("{measure} {} {iterations} {sfen}", position.depth(measure))
        } else {
            format!("{measure} {iterations} {sfen}")
        };
        let answer = self.request(&request)?;
        let (count, cpu_ns) = answer
            .split_once(' ')
            .with_context(|| format!("peer {} answers {answer:?}", self.name))?;
        let parse = |number: &str| {
            number.parse::<u64>().with_context(|| format!("peer {} answers {answer:?}", self.name))
        };
        Ok(Batch { count: parse(count)?, cpu_ns: parse(cpu_ns)?.max(1) })
    }

    /// Sends a line and returns the answer.
    fn request(&mut self, request: &str) -> anyhow::Result<String> {
        let gone = || format!("peer {} has stopped", self.name);
        writeln!(self.requests, "{request}").with_context(gone)?;
        self.requests.flush().with_context(gone)?;
        let mut answer = String::new();
        let length = self.answers.read_line(&mut answer).with_context(gone)?;
        anyhow::ensure!(length > 0, gone());
        Ok(answer.trim_end().to_owned())
    }
}

impl Drop for PeerProcess {
    fn drop(&mut self) {
        // The write fails if the peer has already ended. Waiting avoids a zombie process in both
        // cases.
        let _ = writeln!(self.requests, "quit");
        let _ = self.child.wait();
    }
}
