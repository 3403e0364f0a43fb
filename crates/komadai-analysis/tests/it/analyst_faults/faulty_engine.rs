//! Engines with a fault at one position.

use std::fs::{self, OpenOptions};
use std::io::{BufRead, Write, stderr, stdin, stdout};
use std::path::PathBuf;
use std::process::exit;
use std::thread;

use komadai_core::{Position, UsiPosition};
use komadai_movegen::{MoveGen, play as position_of};
use komadai_testdata::programs::say;

/// The variable with the path of the journal.
pub(crate) const JOURNAL: &str = "KOMADAI_FAULTY_ANALYST_JOURNAL";

/// The move number of the position at which engines fail.
pub(crate) const POISON: u32 = 7;

/// Faults at the poisoned position. With ` once` after the name, they occur at the first attempt
/// only.
pub(crate) const FAULTS: [&str; 11] = [
    "crash",
    "crash in a report",
    "crash in the answer",
    "silence",
    "endless line",
    "too long line",
    "illegal move",
    "move without sense",
    "illegal variation",
    "no value",
    "value without sense",
];

/// Runs as an engine until the end of the input.
pub(crate) fn play(fault: &str) {
    let journal = PathBuf::from(std::env::var_os(JOURNAL).expect("the test names a file"));
    let note = |entry: &str| {
        let file = OpenOptions::new().append(true).create(true).open(&journal);
        let mut file = file.expect("the journal is writable");
        file.write_all(format!("{entry}\n").as_bytes()).expect("the journal is writable");
    };
    note(&format!("started {}", std::process::id()));
    // Not `eprintln!`, which the harness captures.
    let _ = stderr().write_all(b"a known error\n");
    let occurs = || fs::read_to_string(&journal).expect("it exists").contains("poisoned");
    if fault == "crash and stay away" && occurs() {
        exit(3);
    }
    let (fault, once) = fault.strip_suffix(" once").map_or((fault, false), |name| (name, true));
    let mut position = Position::hirate();
    // What is left to say before `readyok`, or after `go`.
    let mut late = None;
    for line in stdin().lock().lines().map_while(Result::ok) {
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "usi" => say("id name Faulty 1.0\nusiok"),
            "isready" => {
                if fault == "answer before readyok" {
                    late.take().into_iter().for_each(say);
                }
                say("readyok");
            }
            "position" => {
                let game = UsiPosition::from_usi(rest).expect("the client sends positions");
                position = position_of(&game).expect("the client sends legal positions");
            }
            "go" => {
                late.take().into_iter().for_each(say);
                let is_poisoned = position.ply() == POISON;
                let is_first = !occurs();
                if is_poisoned {
                    note("poisoned");
                }
                if is_poisoned && (is_first || !once) {
                    fail(fault);
                }
                if fault != "answers alone" {
                    answer(&position);
                    if is_poisoned && is_first {
                        match fault {
                            "two answers" => say("bestmove 2g2f"),
                            "answer before readyok" | "answer after go" => {
                                late = Some("bestmove 2g2f");
                            }
                            _ => {}
                        }
                    }
                }
            }
            "stop" => say(&format!("bestmove {}", position.legal_moves()[0])),
            "quit" if fault == "hang at quit" => hang(),
            "quit" => return,
            _ => {}
        }
    }
}

fn answer(position: &Position) {
    // The best move of the start position, which most tests use, is fixed.
    let preferred = "7g7f".parse().expect("a move");
    let m = if position.is_legal(preferred) { preferred } else { position.legal_moves()[0] };
    say(&format!("info depth 4 score cp 45 nodes 900 pv {m}\nbestmove {m}"));
}

/// Shows the fault, if it is one that ends or replaces the answer.
fn fail(fault: &str) {
    match fault {
        "crash" | "crash and stay away" => exit(3),
        "crash in a report" => {
            print(b"info depth 5 score cp 4");
            exit(3);
        }
        "crash in the answer" => {
            say("info depth 4 score cp 500 pv 7g7f");
            print(b"bestmove 7g7f");
            exit(3);
        }
        "silence" => hang(),
        "endless line" => loop {
            print(&[b'x'; 1 << 16]);
        },
        "too long line" => print(&[b'x'; 2 << 20]),
        "illegal move" => say("info depth 4 score cp 500 pv 7g7f\nbestmove 5a5b+"),
        "move without sense" => say("info depth 4 score cp 500 pv 7g7f\nbestmove e2e4"),
        "illegal variation" => say("info depth 4 score cp 500 pv 5a5b+\nbestmove 7g7f"),
        "no value" => say("info depth 4 pv 7g7f\nbestmove 7g7f"),
        "value without sense" => say("info depth 4 score cp banana pv 7g7f\nbestmove 7g7f"),
        _ => {}
    }
}

fn print(bytes: &[u8]) {
    let mut output = stdout().lock();
    // An error means that the client has closed the pipe; it will then end this process.
    let _ = output.write_all(bytes).and_then(|()| output.flush());
}

/// Does nothing until the process is killed.
fn hang() -> ! {
    loop {
        thread::park();
    }
}
