//! Compares whole programs: runs them in turn, several times, and measures time and memory.
//!
//! ```sh
//! cargo run --release --bin commands -- --repeats 5 \
//!     --run komadai='../../target/release/examples/book propagate 1m.db out.db' \
//!     --run other='./other in.db out.db'
//! ```
//!
//! Every program runs once before the measurement, so that the files are in the page cache for all.
//! Ratios refer to the first program.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use clap::Parser;
use wait4::Wait4 as _;

/// Run programs in turn and compare time and memory.
#[derive(Debug, Parser)]
struct Options {
    /// Name and command line for `sh` (repeatable, one per program).
    #[arg(long = "run", required = true, value_name = "NAME=COMMAND", value_parser = named_command)]
    runs: Vec<(String, String)>,
    /// Number of runs of each program.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    repeats: u32,
}

fn named_command(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, command)) if !name.is_empty() && !command.is_empty() => {
            Ok((name.to_owned(), command.to_owned()))
        }
        _ => Err("expected NAME=COMMAND".to_owned()),
    }
}

/// Time and memory of one run.
#[derive(Debug, Clone, Copy)]
struct Sample {
    wall: Duration,
    cpu: Duration,
    /// The largest resident size in bytes.
    memory: u64,
}

fn run(command: &str) -> anyhow::Result<Sample> {
    let started = Instant::now();
    let mut child = Command::new("sh")
        .args(["-c", &format!("exec {command}")])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .context("cannot start sh")?;
    let used = child.wait4().context("cannot wait")?;
    if !used.status.success() {
        bail!("`{command}` failed: {}", used.status);
    }
    let cpu = used.rusage.utime + used.rusage.stime;
    Ok(Sample { wall: started.elapsed(), cpu, memory: used.rusage.maxrss })
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    let mut samples: Vec<Vec<Sample>> = vec![Vec::new(); options.runs.len()];
    for (_, command) in &options.runs {
        run(command)?;
    }
    for _ in 0..options.repeats {
        for ((_, command), samples) in options.runs.iter().zip(&mut samples) {
            samples.push(run(command)?);
        }
    }
    println!("| program | wall s | least | CPU s | MiB | wall ratio | CPU ratio |");
    println!("|---|---|---|---|---|---|---|");
    let first = Medians::of(&samples[0]);
    for ((name, _), samples) in options.runs.iter().zip(&samples) {
        let own = Medians::of(samples);
        println!(
            "| {name} | {:.2} | {:.2} | {:.2} | {} | {:.2} | {:.2} |",
            own.wall,
            own.least,
            own.cpu,
            own.memory >> 20,
            own.wall / first.wall,
            own.cpu / first.cpu,
        );
    }
    println!("\nMedians of {} runs each, in turn.", options.repeats);
    Ok(())
}

/// Medians of all samples in seconds, and the largest memory in bytes.
struct Medians {
    wall: f64,
    least: f64,
    cpu: f64,
    memory: u64,
}

impl Medians {
    fn of(samples: &[Sample]) -> Self {
        let middle = |mut values: Vec<f64>| {
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        };
        let walls: Vec<f64> = samples.iter().map(|sample| sample.wall.as_secs_f64()).collect();
        let least = walls.iter().copied().fold(f64::INFINITY, f64::min);
        let cpu = middle(samples.iter().map(|sample| sample.cpu.as_secs_f64()).collect());
        let memory = samples.iter().map(|sample| sample.memory).max().unwrap_or(0);
        Self { wall: middle(walls), least, cpu, memory }
    }
}
