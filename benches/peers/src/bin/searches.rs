//! Compares searches: nodes per second of processor time of USI engines, in turn.
//!
//! ```sh
//! cargo run --release --bin searches -- --rounds 8 --nodes 100000 \
//!     --engine komadai='komadai engine' --option komadai:MateNodes=0 \
//!     --engine other='./other' --option other:BookFile=no_book
//! ```
//!
//! Each round starts every engine, lets it search the positions with `go nodes`, and counts the
//! nodes that it reports and the processor time of its threads, without its start. Ratios are those
//! of the first engine to the others, round by round. Processor time is read from `/proc` (Linux).

use std::fs;
use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::Context as _;
use clap::Parser;

/// Measure the nodes per second of USI engines in turn.
#[derive(Debug, Parser)]
struct Options {
    /// Name and command line for `sh` (repeatable, one per engine)
    #[arg(long = "engine", required = true, value_name = "NAME=COMMAND", value_parser = pair)]
    engines: Vec<(String, String)>,
    /// USI option of the engine of this name (repeatable)
    #[arg(long = "option", value_name = "NAME:OPTION=VALUE", value_parser = engine_option)]
    options: Vec<(String, String, String)>,
    /// Nodes of each search
    #[arg(long, default_value_t = 100_000)]
    nodes: u64,
    /// Number of positions, the first of the bundled openings
    #[arg(long, default_value_t = 12)]
    positions: usize,
    /// Number of rounds
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Size of the hash tables in MiB (`USI_Hash`)
    #[arg(long, default_value_t = 64)]
    hash: u32,
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=…".to_owned()),
    }
}

fn engine_option(text: &str) -> Result<(String, String, String), String> {
    let (engine, rest) = text.split_once(':').ok_or("expected NAME:OPTION=VALUE")?;
    pair(rest).map(|(option, value)| (engine.to_owned(), option, value))
}

/// A running engine.
struct Engine {
    process: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Engine {
    fn start(command: &str) -> anyhow::Result<Self> {
        let mut process = Command::new("sh")
            .args(["-c", &format!("exec {command}")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start sh")?;
        let input = process.stdin.take().context("no pipe to the engine")?;
        let output = process.stdout.take().context("no pipe from the engine")?;
        Ok(Self { process, input, output: BufReader::new(output).lines() })
    }

    /// Sends a command and reads until a line begins with `answer`; returns the last report of
    /// nodes and depth.
    fn ask(&mut self, command: &str, answer: &str) -> anyhow::Result<(u64, u64)> {
        writeln!(self.input, "{command}")?;
        let mut report = (0, 0);
        for line in &mut self.output {
            let line = line?;
            if line.starts_with(answer) {
                return Ok(report);
            }
            if let (Some(nodes), Some(depth)) = (field(&line, "nodes"), field(&line, "depth")) {
                report = (nodes, depth);
            }
        }
        anyhow::bail!("the engine ended before it answered `{command}`")
    }

    /// Returns the processor time of all threads so far, also of those that have ended, in seconds.
    fn seconds(&self) -> anyhow::Result<f64> {
        let text = fs::read_to_string(format!("/proc/{}/stat", self.process.id()))?;
        // The name of the program in brackets may contain blanks.
        let (_, rest) = text.rsplit_once(')').context("unknown form of /proc/PID/stat")?;
        let mut ticks = 0;
        for field in rest.split_ascii_whitespace().skip(11).take(2) {
            ticks += field.parse::<u64>()?;
        }
        Ok(ticks as f64 / TICKS_PER_SECOND)
    }
}

/// The unit of times in `/proc/PID/stat` (`USER_HZ`).
const TICKS_PER_SECOND: f64 = 100.0;

/// Returns the number after a word of an `info` line.
fn field(line: &str, name: &str) -> Option<u64> {
    let mut words = line.strip_prefix("info ")?.split_ascii_whitespace();
    words.find(|&word| word == name)?;
    words.next()?.parse().ok()
}

/// Returns the nodes per second of processor time in one round, and the mean depth.
fn measure(options: &Options, name: &str, command: &str) -> anyhow::Result<(f64, f64)> {
    let mut engine = Engine::start(command)?;
    engine.ask("usi", "usiok")?;
    let own = options.options.iter().filter(|(engine, ..)| engine == name);
    let common = [("Threads", "1".to_owned()), ("USI_Hash", options.hash.to_string())];
    let common = common.iter().map(|(option, value)| (*option, value.as_str()));
    for (option, value) in common.chain(own.map(|(_, option, value)| (&**option, &**value))) {
        writeln!(engine.input, "setoption name {option} value {value}")?;
    }
    engine.ask("isready", "readyok")?;
    let before = engine.seconds()?;
    let (mut nodes, mut depths, mut searches) = (0, 0, 0);
    for sfen in komadai_testdata::openings::sfens().take(options.positions) {
        writeln!(engine.input, "usinewgame\nposition sfen {sfen}")?;
        let report = engine.ask(&format!("go nodes {}", options.nodes), "bestmove")?;
        (nodes, depths, searches) = (nodes + report.0, depths + report.1, searches + 1);
    }
    let seconds = engine.seconds()? - before;
    anyhow::ensure!(nodes > 0 && seconds > 0.0, "{nodes} nodes reported in {seconds} s");
    let rate = nodes as f64 / seconds;
    writeln!(engine.input, "quit")?;
    Ok((rate, depths as f64 / f64::from(searches.max(1))))
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    for (engine, option, _) in &options.options {
        let is_known = options.engines.iter().any(|(name, _)| name == engine);
        anyhow::ensure!(is_known, "option {option} is for `{engine}`, which is no --engine");
    }
    let mut rates: Vec<Vec<f64>> = vec![Vec::new(); options.engines.len()];
    let mut depths = vec![0.0; options.engines.len()];
    for _ in 0..options.rounds {
        for (index, (name, command)) in options.engines.iter().enumerate() {
            let (rate, depth) = measure(&options, name, command).context(name.clone())?;
            rates[index].push(rate);
            depths[index] = depth;
        }
    }
    println!("| engine | thousand nodes/s, median | best | depth | first : this, median | best |");
    println!("|---|---|---|---|---|---|");
    let best = |rates: &[f64]| rates.iter().copied().fold(0.0, f64::max);
    for (((name, _), own), depth) in options.engines.iter().zip(&rates).zip(depths) {
        let ratio = median(rates[0].iter().zip(own).map(|(first, own)| first / own));
        let (middle, own_best) = (median(own.iter().copied()) / 1e3, best(own) / 1e3);
        let of_best = best(&rates[0]) / best(own);
        println!(
            "| {name} | {middle:.0} | {own_best:.0} | {depth:.1} | {ratio:.2} | {of_best:.2} |"
        );
    }
    let Options { rounds, positions, nodes, .. } = options;
    println!("\n{rounds} rounds in turn of {positions} positions with {nodes} nodes.");
    Ok(())
}
