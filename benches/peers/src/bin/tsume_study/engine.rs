//! USI engines as solvers, one process each.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::str::FromStr;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use komadai_core::Pv;

use crate::problems::Problem;
use crate::process_clock::process_time;
use crate::solver::{Answer, Solver, Verdict};
use crate::suite::{Goal, SetSpec};

/// A program with its options, as on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EngineSpec {
    name: String,
    /// The command line for `sh`.
    command: String,
    options: Vec<(String, String)>,
}

impl FromStr for EngineSpec {
    type Err = String;

    /// Reads `NAME=COMMAND[,Option=Value…]`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut words = text.split(',');
        let pair = |word: &str| word.split_once('=').map(|(a, b)| (a.to_owned(), b.to_owned()));
        let (name, command) = words
            .next()
            .and_then(pair)
            .filter(|(name, command)| !name.is_empty() && !command.is_empty())
            .ok_or("expected NAME=COMMAND[,Option=Value…]")?;
        let option =
            |word| pair(word).ok_or_else(|| format!("expected Option=Value, not `{word}`"));
        Ok(Self { name, command, options: words.map(option).collect::<Result<_, _>>()? })
    }
}

/// A USI engine that answers `go mate`.
#[derive(Debug)]
pub(crate) struct Engine {
    spec: EngineSpec,
    goal: Goal,
    hash_mib: usize,
    running: Option<Running>,
}

/// A process and the lines that it writes.
#[derive(Debug)]
struct Running {
    process: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

/// Wall-clock time for the start of an engine and for `isready`.
const PATIENCE: Duration = Duration::from_secs(60);

/// Wall-clock time between `stop` and the answer after which an engine is killed.
const STOPPING: Duration = Duration::from_secs(5);

/// An engine is also stopped after this multiple of the limit of processor time in wall-clock time.
const WALL_CLOCK_FACTOR: u32 = 20;

impl Engine {
    /// Describes an engine that searches for one kind of mate. It is started when a set begins.
    pub(crate) fn new(spec: &EngineSpec, goal: Goal, hash_mib: usize) -> Self {
        Self { spec: spec.clone(), goal, hash_mib, running: None }
    }

    fn start(&mut self, set: &SetSpec) -> anyhow::Result<()> {
        self.running = None;
        let mut running = Running::new(&self.spec.command)?;
        running.send("usi")?;
        let known = running.read_until("usiok")?;
        let declares = |name: &str| {
            known.iter().any(|line| line.starts_with(&format!("option name {name} type")))
        };
        let nodes = set.nodes.unwrap_or(0).to_string();
        let hash = self.hash_mib.to_string();
        for (option, value) in [("USI_Hash", hash), ("Threads", "1".into()), ("NodesLimit", nodes)]
        {
            if declares(option) {
                running.send(&format!("setoption name {option} value {value}"))?;
            }
        }
        for (option, value) in &self.spec.options {
            anyhow::ensure!(declares(option), "the engine has no option {option}");
            running.send(&format!("setoption name {option} value {value}"))?;
        }
        running.send("isready")?;
        running.read_until("readyok")?;
        self.running = Some(running);
        Ok(())
    }
}

impl Solver for Engine {
    fn name(&self) -> &str {
        &self.spec.name
    }

    fn takes(&self, goal: Goal) -> bool {
        goal == self.goal
    }

    fn begin(&mut self, set: &SetSpec) -> anyhow::Result<()> {
        self.start(set).with_context(|| format!("engine {}", self.spec.name))
    }

    fn solve(&mut self, problem: &Problem, set: &SetSpec) -> anyhow::Result<Answer> {
        // An engine that failed is started again; a second failure in a row ends the study.
        if self.running.is_none() {
            self.begin(set)?;
        }
        let Some(running) = &mut self.running else { anyhow::bail!("no engine") };
        // Without `isready`, with which engines clear their tables: the pages of a table that was
        // just cleared are not in the cache, and that is charged to the problem (KomoringHeights: 6
        // ms instead of 2.5 ms).
        running.send("usinewgame")?;
        let mut answer = running.ask(problem, set)?;
        if let Verdict::Mate { shortest, .. } = &mut answer.verdict {
            *shortest = self.goal == Goal::Shortest;
        }
        if matches!(answer.verdict, Verdict::Failed(_)) {
            self.running = None;
        }
        Ok(answer)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Running {
    fn new(command: &str) -> anyhow::Result<Self> {
        let mut process = Command::new("sh")
            .args(["-c", &format!("exec {command}")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start sh")?;
        let input = process.stdin.take().context("no pipe to the engine")?;
        let output = process.stdout.take().context("no pipe from the engine")?;
        let (sender, lines) = channel();
        // The thread ends with the engine, or when the receiver is dropped.
        std::thread::spawn(move || {
            let lines = BufReader::new(output).lines().map_while(Result::ok);
            for line in lines {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self { process, input, lines })
    }

    fn send(&mut self, line: &str) -> anyhow::Result<()> {
        writeln!(self.input, "{line}").with_context(|| format!("cannot send `{line}`"))
    }

    /// Returns the lines up to one that begins with `word`.
    fn read_until(&mut self, word: &str) -> anyhow::Result<Vec<String>> {
        let mut lines = Vec::new();
        let end = Instant::now() + PATIENCE;
        loop {
            let rest = end.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(rest).with_context(|| format!("no {word}"))?;
            if line.starts_with(word) {
                return Ok(lines);
            }
            lines.push(line);
        }
    }

    /// Lets the engine solve a problem, and measures it until the line `checkmate`.
    fn ask(&mut self, problem: &Problem, set: &SetSpec) -> anyhow::Result<Answer> {
        let pid = self.process.id();
        let (start, begin) = (process_time(pid)?, Instant::now());
        let mut cpu = Duration::ZERO;
        let mut nodes = 0;
        let mut stopped: Option<Instant> = None;
        self.send(&format!("position sfen {}\ngo mate infinite", problem.sfen))?;
        loop {
            let rest = match stopped {
                Some(_) => STOPPING,
                None => set.limit.saturating_sub(cpu).max(Duration::from_millis(1)),
            };
            let line = self.lines.recv_timeout(rest);
            let wall = begin.elapsed();
            // The clock of a process that has just ended cannot be read: the last value remains.
            cpu = process_time(pid).map_or(cpu, |now| now.saturating_sub(start));
            match line {
                Ok(line) => {
                    nodes = count_of_nodes(&line).unwrap_or(0).max(nodes);
                    if let Some(words) = line.strip_prefix("checkmate") {
                        return Ok(Answer { verdict: verdict(words.trim()), nodes, cpu, wall });
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Ok(Answer { verdict: Verdict::Failed("ended"), nodes, cpu, wall });
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            match stopped {
                Some(when) if when.elapsed() >= STOPPING => {
                    return Ok(Answer {
                        verdict: Verdict::Failed("did not stop"),
                        nodes,
                        cpu,
                        wall,
                    });
                }
                Some(_) => {}
                None if cpu >= set.limit || wall >= set.limit * WALL_CLOCK_FACTOR => {
                    self.send("stop")?;
                    stopped = Some(Instant::now());
                }
                None => {}
            }
        }
    }
}

/// Returns the number of nodes of an `info` line.
fn count_of_nodes(line: &str) -> Option<u64> {
    let mut words = line.strip_prefix("info ")?.split_ascii_whitespace();
    words.find(|&word| word == "nodes")?;
    words.next()?.parse().ok()
}

/// Reads the words after `checkmate`.
fn verdict(words: &str) -> Verdict {
    match words {
        "nomate" => Verdict::NoMate,
        "timeout" | "notimplemented" | "none" => Verdict::Unknown,
        "" => Verdict::MateWithoutLine,
        moves => moves.parse::<Pv>().map_or(Verdict::Failed("no moves"), |line| Verdict::Mate {
            line: line.to_vec(),
            shortest: false,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An engine that finds a mate in one, and reports it after `stop` or at once.
    const STUB: &str = r#"sh -c 'while read a b; do case "$a" in
        usi) echo "option name USI_Hash type spin default 1"; echo usiok;;
        isready) echo readyok;; quit) exit;; ANSWER esac; done'"#;

    fn answer(case: &str, limit: &str) -> anyhow::Result<Verdict> {
        let sfen = "4k4/9/4P4/9/9/9/9/9/9 b 2G 1".to_owned();
        let position = komadai_core::Position::from_sfen(&sfen)?;
        let expected = komadai_testdata::tsume::Expected::ShortestMate(1);
        let problem = Problem { id: "one".into(), sfen, position, expected };
        let set: SetSpec = format!("x,limit={limit}").parse().map_err(anyhow::Error::msg)?;
        let command = STUB.replace("ANSWER", case);
        let spec = EngineSpec { name: "stub".into(), command, options: Vec::new() };
        let mut engine = Engine::new(&spec, Goal::Any, 1);
        engine.begin(&set)?;
        Ok(engine.solve(&problem, &set)?.verdict)
    }

    #[test]
    fn answers_are_read() {
        let mate = answer("go) echo info nodes 7; echo checkmate G\\*5b;;", "10").unwrap();
        assert!(matches!(mate, Verdict::Mate { line, shortest: false } if line.len() == 1));
        let none = answer("go) echo checkmate nomate;;", "10").unwrap();
        assert_eq!(none, Verdict::NoMate);
        let unreadable = answer("go) echo checkmate G5b;;", "10").unwrap();
        assert_eq!(unreadable, Verdict::Failed("no moves"));
    }

    #[test]
    fn limits_stop_an_engine_and_its_end_is_noticed() {
        // A sleeping engine uses no processor time, so the wall clock stops it.
        let stopped = answer("stop) echo checkmate timeout;;", "0.01").unwrap();
        assert_eq!(stopped, Verdict::Unknown);
        assert_eq!(answer("go) exit;;", "10").unwrap(), Verdict::Failed("ended"));
    }

    #[test]
    fn unknown_options_are_reported() {
        let spec: EngineSpec = "x=true,A=1".parse().unwrap();
        assert_eq!(spec.options, [("A".to_owned(), "1".to_owned())]);
        assert!("x=".parse::<EngineSpec>().is_err());
        assert!("x=true,A".parse::<EngineSpec>().is_err());
    }

    #[test]
    fn nodes_are_read_from_info_lines() {
        assert_eq!(count_of_nodes("info depth 3 nodes 12 nps 5"), Some(12));
        assert_eq!(count_of_nodes("info string nodes"), None);
        assert_eq!(count_of_nodes("nodes 3"), None);
    }
}
