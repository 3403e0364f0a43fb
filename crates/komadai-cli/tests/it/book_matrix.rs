//! Every subcommand of `komadai book` on every malformed file of a generated matrix.
//!
//! `cargo test -p komadai-cli --test it -- --ignored --nocapture every_subcommand` runs the program
//! some nine thousand times.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{Read, Seek};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use komadai::core::SplitMix64;
use komadai_testdata::books::synthetic;
use komadai_testdata::books::yuuki;
use komadai_testdata::kifu::samples;
use tempfile::TempDir;

use crate::{Running, komadai, text};

const LIMIT: Duration = Duration::from_secs(20);

/// The subcommands, with `IN` in place of the malformed file. Names with `out` are outputs;
/// `good.db` and `good.kbook` are sound.
const COMMANDS: &[&str] = &[
    "info IN",
    "info IN --json",
    "probe IN",
    "probe IN --values --json",
    "convert IN out.db",
    "convert IN out.ybb --strict",
    "convert IN out.sbk",
    "convert IN out.bin",
    "sort IN out.db --memory-mib 1",
    "sort IN out.db --strict",
    "merge IN good.db out.db",
    "merge good.db IN out.db --rule union-last",
    "validate IN",
    "validate IN --json",
    "propagate IN out.db",
    "propagate IN out.db --shrink",
    "next IN",
    "next good.db --rival IN --order probability",
    "frontier-diff IN --before good.db",
    "frontier-diff good.db --before IN",
    "frontier-diff IN --since first",
    "refutations IN",
    "rejoin IN",
    "unsolved IN good.csa",
    "unsolved good.db IN",
    "opponent IN good.db",
    "opponent good.db IN",
    "next good.db --start-positions IN",
    "traps IN",
    "traps good.db --rival IN --html out.html",
    "grow IN --nodes 20 --positions 1 --quiet",
    "match IN --player ENGINE --opponent self=ENGINE --nodes 5 --games 1 --generations 1 --max-plies 4 \
     --extend-nodes 5 --extend-turns 1 --quiet",
    "match good.kbook --player ENGINE --opponent self=ENGINE --openings IN --nodes 5 --games 1 \
     --generations 1 --max-plies 4 --no-extend --quiet",
    "branches IN --ply 1",
    "branches IN --ply 2 --moves 7g7f --html out.html",
    "report IN --out out.html",
    "import IN good.db",
    "import out.kbook IN",
    "import out.kbook IN --strict",
    "sources IN",
    "refresh IN --engine engine",
    "policy IN",
    "policy IN most-nodes",
    "prune IN",
    "prune IN --auto",
    "prune good.kbook --apply IN",
    "undo IN --list",
    "undo IN --last",
    "snapshot IN",
    "snapshot IN now",
    "queue export IN out.txt --count 3 --nodes 20",
    "worker IN out.log --threads 1 --quiet",
    "worker good.jobs IN --threads 1 --quiet",
    "log export IN out.log",
    "log import out.kbook IN",
    "log import good.kbook IN --strict",
    "check IN",
    "compact IN",
];

/// A file that has been changed.
struct Malformed {
    name: String,
    content: Vec<u8>,
}

/// The sound files.
struct Sound {
    db: &'static str,
    csa: &'static [u8],
    kbook: Vec<u8>,
    jobs: Vec<u8>,
    others: Vec<(&'static str, Vec<u8>)>,
}

impl Sound {
    fn new() -> Self {
        let book = synthetic::books().find(|book| book.name == "small50").expect("it is bundled");
        let csa = samples().next().expect("they are bundled").bytes;
        let place = tempfile::tempdir().expect("a folder");
        fs::write(place.path().join("a.db"), book.input).expect("it can be written");
        for line in [
            "convert a.db a.ybb",
            "import a.kbook a.db",
            "snapshot a.kbook first",
            "log export a.kbook a.log",
            "queue export a.kbook a.jobs --count 3 --nodes 20",
        ] {
            let run = komadai("book").args(line.split(' ')).current_dir(&place).output();
            assert!(run.expect("it starts").status.success(), "{line}");
        }
        let read = |name: &str| fs::read(place.path().join(name)).expect("it has been made");
        let others = vec![
            ("ybb", read("a.ybb")),
            ("log", read("a.log")),
            ("jobs", read("a.jobs")),
            ("bin", yuuki::APERY_BIN.to_vec()),
            ("sbk", yuuki::SHOGIGUI_SBK.to_vec()),
            ("kif", yuuki::SHOGIGUI_KIF.to_vec()),
        ];
        Self { db: book.input, csa, kbook: read("a.kbook"), jobs: read("a.jobs"), others }
    }

    fn malformed(&self) -> Vec<Malformed> {
        let mut files = Vec::new();
        let texts = [("db", self.db.as_bytes()), ("csa", self.csa)];
        let others = self.others.iter().map(|(extension, content)| (*extension, &content[..]));
        for (extension, sound) in
            texts.into_iter().chain([("kbook", &self.kbook[..])]).chain(others)
        {
            for (kind, content) in variants(sound) {
                files.push(Malformed { name: format!("{kind}.{extension}"), content });
            }
        }
        files
    }
}

/// The malformed variants of a file, with their names.
fn variants(sound: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut random = SplitMix64::new(sound.len() as u64);
    let mut below = |end: usize| (random.next_u64() % end as u64) as usize;
    let mut made = vec![("empty".to_owned(), Vec::new())];
    let ends = [1, 7, 63, sound.len() / 4, sound.len() / 2, sound.len() - 1];
    made.extend(ends.map(|end| (format!("cut{end}"), sound[..end.min(sound.len())].to_vec())));
    for flips in [1, 1, 8, 64] {
        let mut bytes = sound.to_vec();
        // Half of the flips are in the head of the file.
        for flip in 0..flips {
            let end = if flip % 2 == 0 { sound.len() } else { sound.len().min(256) };
            bytes[below(end)] ^= 1 << below(8);
        }
        made.push((format!("flipped{flips}-{}", made.len()), bytes));
    }
    let magic = sound.len().min(16);
    for (name, fill) in [("zeros", 0), ("letters", b'x')] {
        made.push((name.to_owned(), [&vec![fill; magic], &sound[magic..]].concat()));
    }
    for at in [4, 8, 12, 16, 24, 32, 64] {
        let mut bytes = sound.to_vec();
        if let Some(count) = bytes.get_mut(at..at + 4) {
            count.copy_from_slice(&[0xff, 0xff, 0xff, 0x7f]);
            made.push((format!("huge{at}"), bytes));
        }
    }
    let wide = sound.iter().flat_map(|&byte| [byte, 0]);
    made.push(("utf16".to_owned(), [0xff, 0xfe].into_iter().chain(wide).collect()));
    let (head, tail) = sound.split_at(sound.len() / 3);
    made.push(("shiftjis".to_owned(), [head, b"\x8f\xab\x8a\xfc\xff\0", tail].concat()));
    made.push(("twice".to_owned(), [sound, sound].concat()));
    made
}

/// Runs a subcommand in a new folder; returns what is wrong with the run.
fn run(sound: &Sound, file: &Malformed, line: &str) -> Result<(), String> {
    let place = TempDir::new().expect("a folder");
    let temporary = TempDir::new().expect("a folder");
    let write = |name: &str, content: &[u8]| {
        fs::write(place.path().join(name), content).expect("it can be written");
    };
    write(&file.name, &file.content);
    for (name, content) in [
        ("good.db", sound.db.as_bytes()),
        ("good.csa", sound.csa),
        ("good.kbook", &sound.kbook[..]),
        ("good.jobs", &sound.jobs[..]),
    ] {
        if line.contains(name) {
            write(name, content);
        }
    }
    let before = names(place.path());
    let engine = concat!(env!("CARGO_BIN_EXE_komadai"), " engine");
    let arguments = line.split_ascii_whitespace().map(|argument| match argument {
        "IN" => file.name.clone(),
        other => other.replace("ENGINE", engine),
    });
    let mut command = komadai("book");
    command.args(arguments).current_dir(&place).env("TMPDIR", temporary.path());
    let printed = finish(&mut command)?;
    if printed.contains("panicked") || printed.contains("RUST_BACKTRACE") {
        return Err(format!("a panic: {printed}"));
    }
    let after = names(place.path());
    let left: Vec<_> = after.difference(&before).filter(|name| !name.starts_with("out.")).collect();
    if !left.is_empty() || !names(temporary.path()).is_empty() {
        return Err(format!("left behind: {left:?} {:?}", names(temporary.path())));
    }
    Ok(())
}

/// Waits for the end of a program within the limit, and returns its output, or what is wrong.
fn finish(command: &mut Command) -> Result<String, String> {
    let mut out = tempfile::tempfile().expect("a file");
    let copy = |file: &File| file.try_clone().expect("a handle");
    command.stdin(Stdio::null()).stdout(copy(&out)).stderr(copy(&out));
    let mut running = Running(command.spawn().expect("it starts"));
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    let status = loop {
        match running.0.try_wait().expect("it can be waited for") {
            Some(status) => break status,
            None if start.elapsed() > LIMIT => return Err("no end".to_owned()),
            None => std::thread::sleep(pause),
        }
        pause = (pause * 2).min(Duration::from_millis(50));
    };
    let mut printed = Vec::new();
    out.rewind().and_then(|()| out.read_to_end(&mut printed)).expect("it can be read");
    let printed = text(&printed);
    match status.code() {
        // Otherwise the command line above is wrong.
        Some(0..=2) if !printed.contains("Usage: ") => Ok(printed),
        _ => Err(format!("{status}: {printed}")),
    }
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    entries
        .map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned())
        .collect()
}

#[test]
#[ignore = "eleven thousand runs of the program"]
fn every_subcommand_reports_every_malformed_file() {
    let sound = Sound::new();
    let files = sound.malformed();
    let (mut runs, mut wrong) = (0, Vec::new());
    for line in COMMANDS {
        for file in &files {
            runs += 1;
            if let Err(reason) = run(&sound, file, line) {
                eprintln!("{line} with {}: {reason}", file.name);
                wrong.push(format!("{line} with {}: {reason}", file.name));
            }
        }
        eprintln!("{line}: {} wrong so far", wrong.len());
    }
    println!("{runs} runs with {} files", files.len());
    assert!(wrong.is_empty(), "{} of {runs} runs:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn subcommands_report_some_malformed_files() {
    let sound = Sound::new();
    let files = sound.malformed();
    for (number, line) in COMMANDS.iter().enumerate() {
        let file = &files[number * 37 % files.len()];
        run(&sound, file, line).unwrap_or_else(|reason| panic!("{line} {}: {reason}", file.name));
    }
}
