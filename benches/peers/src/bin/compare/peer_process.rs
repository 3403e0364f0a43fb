//! The runner's end of the line protocol.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::Context;
use komadai_peers::{BenchPosition, Measure};

/// A peer that runs as a process of its own.
#[derive(Debug)]
pub(crate) struct PeerProcess {
    name: String,
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// What a peer did in one batch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Batch {
    /// Sum of all iterations.
    pub(crate) count: u64,
    /// The peer's CPU time in nanoseconds, at least 1.
    pub(crate) cpu_ns: u64,
}

impl Batch {
    /// Millions of counts a second.
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

    /// The name in the report.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// What the peer says it is: version, compiler, options.
    pub(crate) fn description(&mut self) -> anyhow::Result<String> {
        self.ask("name")
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
        let answer = self.ask(&request)?;
        let (count, cpu_ns) = answer
            .split_once(' ')
            .with_context(|| format!("peer {} answers {answer:?}", self.name))?;
        let parse = |number: &str| {
            number.parse::<u64>().with_context(|| format!("peer {} answers {answer:?}", self.name))
        };
        Ok(Batch { count: parse(count)?, cpu_ns: parse(cpu_ns)?.max(1) })
    }

    /// Sends a line and reads the answer.
    fn ask(&mut self, request: &str) -> anyhow::Result<String> {
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
        // A peer that has already gone cannot be told to; either way it is waited for.
        let _ = writeln!(self.requests, "quit");
        let _ = self.child.wait();
    }
}
