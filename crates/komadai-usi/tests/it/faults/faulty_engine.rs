//! Engines with one fault each. Each records the number of its process in a file.

use std::fs::OpenOptions;
use std::io::{BufRead, Write, stderr, stdin, stdout};
use std::process::exit;
use std::thread;
use std::time::Duration;

use komadai_testdata::programs::say;

/// The variable with the path of the file of process numbers.
pub(crate) const PROCESSES: &str = "KOMADAI_FAULTY_ENGINE_PROCESSES";

/// Almost the longest line that is allowed.
const MEGABYTE: usize = (1 << 20) - 100;

/// Runs as an engine until the end of the input.
pub(crate) fn play(fault: &str) {
    record_process();
    match fault {
        "crash at start" => crash(),
        "flood at start" => loop {
            say("hello");
        },
        "megabytes at start" => loop {
            say(&"x".repeat(MEGABYTE));
        },
        "endless line at start" => endless_line(),
        "drip at start" => loop {
            say("info string loading");
            thread::sleep(Duration::from_millis(10));
        },
        "stderr flood" => print_to_stderr(100_000),
        _ => {}
    }
    let mut searches = 0;
    for line in stdin().lock().lines().map_while(Result::ok) {
        match (fault, line.split(' ').next().unwrap_or_default()) {
            ("silent at usi", "usi")
            | ("silent at isready", "isready")
            | ("silent at go", "go") => hang(),
            ("crash at usi", "usi") | ("crash at isready", "isready") | ("crash at go", "go") => {
                crash()
            }
            ("options for ever", "usi") => loop {
                say(&format!("option name Text type string default {}", "x".repeat(100_000)));
            },
            ("long name", "usi") => {
                say(&format!("id name {}\nid author {0}\nusiok", "名".repeat(MEGABYTE / 3 - 10)));
            }
            (_, "usi") => say("id name Faulty 1.0\nusiok"),
            ("belated answer", "isready") if searches > 0 => say("bestmove 2g2f\nreadyok"),
            (_, "isready") => say("readyok"),
            (_, "go") => {
                searches += 1;
                answer(fault);
            }
            ("flood", "stop") => {}
            (_, "stop") => say("bestmove 7g7f"),
            ("hang at quit", "quit") => hang(),
            ("flood at quit", "quit") => loop {
                say("info string still here");
            },
            (_, "quit") => return,
            _ => {}
        }
    }
    // Wrapper scripts and engines without a check of their input outlive it.
    if fault == "hang at the end" {
        hang();
    }
}

fn answer(fault: &str) {
    match fault {
        "slow" => {
            for depth in 1..20 {
                say(&format!("info depth {depth} score cp 35 pv 7g7f"));
                thread::sleep(Duration::from_millis(20));
            }
        }
        "garbage" => {
            print(
                b"\xff\xfe\x00 \x83\x8a\n\n\r\n\xf0\x9f\ninfo\ninfo \xff depth\ninfo depth depth\n",
            );
            print(b"info score\ninfo pv\ninfo pv \x00\nid\noption\noption name\nusiok\nreadyok\n");
            print(b"position startpos\ngo infinite\nquit\nbest move\nBESTMOVE 2g2f\n\xbestmove 2g2f\n");
        }
        "nonsense values" => {
            say("info depth 99999999999 score cp banana pv 2g2f\ninfo multipv 0 score mate x");
            say("info depth -3 multipv 4000000000 score cp 5 pv 2g2f\ninfo score cp 1e9 pv 2g2f");
            say("info depth 3 score cp 99999999999999999999 nodes -1 time x nps nps pv 7g7f");
        }
        "illegal variations" => {
            say("info depth 3 multipv 1 score cp 7 pv 7g7f 3c3d 7g7f 3c3d");
            say("info depth 3 multipv 2 score cp 6 pv 5a5b 7g7f");
            say("info depth 3 multipv 3 score cp 5 pv e2e4");
        }
        "long variation" => {
            let there_and_back = " 4i5h 4a5b 5h4i 5b4a";
            let moves = there_and_back.repeat(MEGABYTE / there_and_back.len() - 3);
            say(&format!("info depth 9 score cp 1 pv{moves}"));
        }
        "too long line" => print(&[b'x'; 2 << 20]),
        "endless line" => endless_line(),
        "flood" => loop {
            say("info depth 1 score cp 1 pv 7g7f");
        },
        "many lines" => {
            let lines = "info depth 1 score cp 1 pv 2g2f\ninfo string hello\n".repeat(30_000);
            print(lines.as_bytes());
        }
        "megabytes" => {
            for _ in 0..50 {
                say(&format!("info string {}", "x".repeat(MEGABYTE)));
            }
        }
        "crash in a report" => {
            print(b"info depth 5 score cp 1");
            crash();
        }
        "crash in the answer" => {
            print(b"bestmove 7g7f");
            crash();
        }
        "stderr flood" => print_to_stderr(100_000),
        _ => {}
    }
    say("info depth 2 score cp 35 nodes 120 pv 7g7f 3c3d");
    match fault {
        "two answers" => say("bestmove 7g7f\nbestmove 2g2f"),
        "illegal move" => say("bestmove 5a5b"),
        "move without sense" => say("bestmove e2e4"),
        "crash after the answer" => {
            say("bestmove 7g7f");
            crash();
        }
        _ => say("bestmove 7g7f ponder 3c3d"),
    }
}

fn record_process() {
    let Some(file) = std::env::var_os(PROCESSES) else { return };
    let mut file = OpenOptions::new().append(true).create(true).open(file).expect("it is writable");
    file.write_all(format!("{}\n", std::process::id()).as_bytes()).expect("it is writable");
}

fn print(bytes: &[u8]) {
    let mut output = stdout().lock();
    // An error means that the client has closed the pipe; it will then end this process.
    let _ = output.write_all(bytes).and_then(|()| output.flush());
}

fn endless_line() -> ! {
    loop {
        print(&[b'x'; 1 << 16]);
    }
}

fn print_to_stderr(lines: usize) {
    let mut text = String::new();
    for line in 0..lines {
        text += &format!("warning {line}: a line of some length that nobody reads\n");
    }
    // Not `eprintln!`, which the harness captures.
    let _ = stderr().write_all(text.as_bytes());
}

fn crash() -> ! {
    let _ = stderr().write_all(b"loading\n\ncannot read nn.bin\nout of tea\ngood bye");
    exit(3);
}

/// Does nothing until the process is killed.
fn hang() -> ! {
    loop {
        thread::park();
    }
}
