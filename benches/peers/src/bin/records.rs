//! Compares readers of game records: games and megabytes per second of processor time, in turn.
//!
//! ```sh
//! cargo run --release --bin records -- --files 5000 --rounds 7 [--external NAME=COMMAND]
//! ```
//!
//! The files are made in a temporary folder from the bundled samples and games: half CSA, half KIF,
//! half of the latter in Shift_JIS. Each peer reads all files of a format, one file at a time on
//! one thread; the rounds alternate. Any program that implements the protocol of
//! `komadai_peers::records::serve` can take part.

use std::fs;
use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::Context as _;
use clap::Parser;
use komadai_kifu::text::{TextEncoding, TextForm};
use komadai_kifu::{KifuFormat, Record, Tolerance, parse_csa, parse_kif, parse_usi_games};
use komadai_peers::records::Format;
use komadai_testdata::{games, kifu};

/// Measure readers of game records in turn.
#[derive(Debug, Parser)]
struct Options {
    /// Number of files, half CSA and half KIF
    #[arg(long, default_value_t = 5_000)]
    files: usize,
    /// Number of rounds
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Another peer: its name and its command line for `sh` (repeatable)
    #[arg(long, value_name = "NAME=COMMAND")]
    external: Vec<String>,
}

/// A running peer.
struct Reader {
    name: String,
    process: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Drop for Reader {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Reader {
    fn start(name: &str, command: &mut Command) -> anyhow::Result<Self> {
        let process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut process = process.with_context(|| format!("cannot start {name}"))?;
        let input = process.stdin.take().context("no pipe to the peer")?;
        let output = process.stdout.take().context("no pipe from the peer")?;
        Ok(Self { name: name.to_owned(), process, input, output: BufReader::new(output).lines() })
    }

    /// Reads all files of a list: the files read, their moves, the seconds.
    fn read(&mut self, format: Format, list: &Path) -> anyhow::Result<(u64, u64, f64)> {
        writeln!(self.input, "{format} {}", list.display())?;
        let line = self.output.next().context("the peer ended")??;
        let numbers: Vec<u64> = line.split(' ').map_while(|word| word.parse().ok()).collect();
        match numbers[..] {
            [files, moves, ns] => Ok((files, moves, ns as f64 / 1e9)),
            _ => anyhow::bail!("{}: {line}", self.name),
        }
    }
}

/// The texts that files are made from.
fn texts(format: Format) -> anyhow::Result<Vec<Vec<u8>>> {
    let lines: String =
        games::tournament().map(|game| format!("startpos moves {}\n", game.moves)).collect();
    let played = parse_usi_games(lines, Tolerance::Strict)?.records;
    let mut texts = Vec::new();
    let is_usual = |games: &[Record]| matches!(games, [game] if game.moves.len() >= 40);
    match format {
        Format::Csa => {
            for sample in kifu::samples() {
                let read = parse_csa(sample.bytes, Tolerance::Strict);
                if read.is_ok_and(|read| is_usual(&read.records)) {
                    texts.push(sample.bytes.to_vec());
                }
            }
            for game in played {
                texts.push(game.to_csa()?.into_bytes());
            }
        }
        Format::Kif => {
            for sample in kifu::kif_samples() {
                let read = parse_kif(sample.bytes, Tolerance::Strict);
                if read.is_ok_and(|read| is_usual(&read.records)) {
                    texts.push(sample.bytes.to_vec());
                }
            }
            for (index, game) in played.iter().enumerate() {
                let encoding = [TextEncoding::Utf8, TextEncoding::ShiftJis][index % 2];
                texts.push(TextForm::new(encoding).encode(&game.to_text(KifuFormat::Kif)?)?);
            }
        }
    }
    Ok(texts)
}

/// Writes the files and their list; returns the list and the number of bytes.
fn make(format: Format, files: usize, folder: &Path) -> anyhow::Result<(PathBuf, usize)> {
    let texts = texts(format)?;
    let (mut list, mut bytes) = (String::new(), 0);
    for (number, text) in (0..files).zip(texts.iter().cycle()) {
        let path = folder.join(format!("{number}.{format}"));
        fs::write(&path, text)?;
        bytes += text.len();
        list += &format!("{}\n", path.display());
    }
    let path = folder.join(format!("{format}.list"));
    fs::write(&path, list)?;
    Ok((path, bytes))
}

/// The games that a peer read, and the time that it took.
#[derive(Debug, Clone, Default)]
struct Count {
    files: usize,
    bytes: usize,
    read: u64,
    moves: u64,
    /// By round.
    seconds: Vec<f64>,
}

impl Count {
    fn add(&mut self, other: &Self) {
        self.files += other.files;
        self.bytes += other.bytes;
        self.read += other.read;
        self.moves += other.moves;
        self.seconds.resize(other.seconds.len(), 0.0);
        self.seconds.iter_mut().zip(&other.seconds).for_each(|(sum, more)| *sum += more);
    }
}

/// Prints a row for each peer; ratios refer to the first, round by round.
fn print(format: &str, peers: &[Reader], counts: &[Count]) {
    for (peer, count) in peers.iter().zip(counts) {
        let own = median(count.seconds.iter().copied());
        let ratios = count.seconds.iter().zip(&counts[0].seconds).map(|(own, first)| own / first);
        let Count { files, read, moves, .. } = count;
        let (rate, ratio) = (*files as f64 / own, median(ratios));
        let megabytes = count.bytes as f64 / own / 1e6;
        println!(
            "| {format} | {} | {read} of {files} | {moves} | {rate:.0} | {megabytes:.1} | {ratio:.2} |",
            peer.name
        );
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    let folder = tempfile::tempdir()?;
    let program = std::env::current_exe()?;
    let mut peers = Vec::new();
    for name in ["komadai", "rsshogi"] {
        let path = program.with_file_name(format!("records_{name}"));
        peers.push(Reader::start(name, &mut Command::new(path))?);
    }
    for external in &options.external {
        let (name, command) = external.split_once('=').context("expected NAME=COMMAND")?;
        let command = format!("exec {command}");
        peers.push(Reader::start(name, Command::new("sh").args(["-c", &command]))?);
    }
    println!("| format | peer | files read | moves | games/s | MB/s | komadai : this |");
    println!("|---|---|---|---|---|---|---|");
    let mut both = vec![Count::default(); peers.len()];
    for format in Format::ALL {
        let (list, bytes) = make(format, options.files / 2, folder.path())?;
        let mut counts = vec![Count::default(); peers.len()];
        for _ in 0..options.rounds {
            for (peer, count) in peers.iter_mut().zip(&mut counts) {
                let (read, moves, seconds) = peer.read(format, &list)?;
                (count.read, count.moves) = (read, moves);
                count.seconds.push(seconds);
            }
        }
        for (sum, count) in both.iter_mut().zip(&mut counts) {
            (count.files, count.bytes) = (options.files / 2, bytes);
            sum.add(count);
        }
        print(&format.to_string(), &peers, &counts);
    }
    print("both", &peers, &both);
    let Options { rounds, files, .. } = options;
    println!("\n{files} files, {rounds} rounds in turn, medians; processor time.");
    Ok(())
}
