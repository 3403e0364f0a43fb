//! Random dialogues with the engine: lines made from bytes, and properties that hold for all of
//! them.
//!
//! The fuzz target `usi_dialogue` uses this file as well.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use komadai_engine::UsiEngine;
use komadai_usi::{EngineMessage, GuiCommand, Handler, Session, Waker};

/// Time limit for an answer that is due at once. It is long because the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(120);

/// Games and positions of all kinds. The second half is invalid, or over before the last move.
const POSITIONS: &[&str] = &[
    "startpos",
    "startpos moves 7g7f 3c3d 8h2b+ 3a2b",
    "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
    "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves 5i5h",
    "sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1 moves 5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i 5b5a",
    "sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1",
    "sfen 8k/9/7+R1/9/9/9/9/9/K8 w - 1",
    "sfen R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    "sfen K+P+P+P+P+P+P+P+B/+R+R+B6/9/9/9/9/9/9/4k4 b P 1",
    "sfen 4k4/9/9/9/9/9/9/9/9 b RG 319",
    "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "",
    "startpos moves 7g7f 7g7f 3c3d",
    "startpos moves 7g7f 7x",
    "sfen 9/9/9/9/9/9/9/9/9 b - 1",
    "sfen kk7/9/9/9/9/9/9/9/8K b - 1",
    "sfen 4k4/4R4/9/9/9/9/9/9/4K4 b - 1",
];

/// Arguments of `go`, with `#` for a number.
const LIMITS: &[&str] = &[
    "",
    "infinite",
    "ponder",
    "ponder depth #",
    "ponder btime # wtime #",
    "btime # wtime #",
    "btime # wtime # byoyomi #",
    "btime # wtime # binc # winc #",
    "byoyomi #",
    "nodes #",
    "depth #",
    "movetime #",
    "rtime #",
    "mate #",
    "mate infinite",
    "mate nodes #",
    "ponder nodes #",
    "infinite depth #",
    "nodes # searchmoves 7g7f P*5e 5i5h",
    "searchmoves",
    "btime wtime byoyomi",
];

const NUMBERS: &[&str] =
    &["0", "1", "2", "3", "10", "50", "300", "5000", "-1", "x", "99999999999999999999", ""];

/// Options and values, without those that take minutes or gigabytes.
const OPTIONS: &[(&str, &[&str])] = &[
    ("USI_Hash", &["1", "2", "0", "x", ""]),
    ("MateHash", &["1", "2"]),
    ("USI_Ponder", &["true", "false", "maybe"]),
    ("Stochastic_Ponder", &["true", "false"]),
    ("Threads", &["1", "2", "0"]),
    ("MultiPV", &["1", "3", "593"]),
    ("SearchMode", &["AlphaBeta", "MonteCarlo", "Both", "NoSuchMode"]),
    ("SkillLevel", &["0", "1", "10", "11"]),
    ("PvInterval", &["0", "300"]),
    ("ResignValue", &["1", "99999"]),
    ("MaxMovesToDraw", &["0", "1", "320"]),
    ("EnteringKingRule", &["TryRule", "CSARule27", "NoEnteringKing", "NoSuchRule"]),
    ("NodesLimit", &["0", "100"]),
    ("DepthLimit", &["0", "2"]),
    ("MateNodes", &["0", "1000"]),
    ("NetworkDelay2", &["0", "1120"]),
    ("DrawValueByClock", &["true", "false"]),
    ("DrawValueBlack", &["-15000", "0", "15000"]),
    ("BookFile", &["no_book", "/no/such/book.db", "", "<empty>"]),
    ("BookOnTheFly", &["true", "false"]),
    ("UseNullMove", &["true", "false"]),
    ("UseTable", &["true", "false"]),
    ("ShortestMate", &["true", "false"]),
    ("RandomSeed", &["1", "7"]),
    ("NoSuchOption", &["1"]),
];

/// Options that take only the values above.
const COSTLY: &[&str] = &["USI_Hash", "MateHash", "Threads", "BookFile", "BookDir"];

const PLAIN: &[&str] = &[
    "usi",
    "isready",
    "usinewgame",
    "stop",
    "ponderhit",
    "ponderhit btime 0 wtime 0 byoyomi 20",
    "ponderhit btime 100 wtime 100",
    "gameover win",
    "gameover",
    "",
    "  ",
    "xyzzy",
    "go go go",
    "position",
    "setoption",
    "setoption name",
    "setoption name Threads",
];

/// Choices from bytes; 0 at their end.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn byte(&mut self) -> u8 {
        let (&first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        first
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[usize::from(self.byte()) % all.len()]
    }
}

/// Returns the next line, chosen by the bytes.
fn line(choices: &mut Choices<'_>) -> String {
    match choices.byte() % 16 {
        0..=3 => choices.of(PLAIN).to_owned(),
        4..=6 => format!("position {}", choices.of(POSITIONS)),
        7..=10 => {
            let text = choices.of(LIMITS);
            let mut line = String::from("go ");
            for (index, part) in text.split('#').enumerate() {
                if index > 0 {
                    line += choices.of(NUMBERS);
                }
                line += part;
            }
            line
        }
        11 => choices.of(&["stop", "ponderhit"]).to_owned(),
        12 | 13 => {
            let (name, values) = choices.of(OPTIONS);
            format!("setoption name {name} value {}", choices.of(values))
        }
        14 if choices.byte() == 7 => "quit".to_owned(),
        _ => {
            let length = usize::from(choices.byte() % 64).min(choices.0.len());
            let (text, rest) = choices.0.split_at(length);
            choices.0 = rest;
            String::from_utf8_lossy(text).into_owned()
        }
    }
}

/// Returns whether the line takes acceptable time and memory.
fn is_affordable(line: &str) -> bool {
    let Ok(GuiCommand::SetOption { name, value }) = line.parse() else { return true };
    let is_costly = COSTLY.iter().any(|costly| name.eq_ignore_ascii_case(costly));
    let is_ours = |value: &str| {
        OPTIONS.iter().any(|(known, values)| {
            name.eq_ignore_ascii_case(known) && values.contains(&value.trim_ascii())
        })
    };
    !is_costly || value.is_none_or(|value| is_ours(&value))
}

/// The kind of an expected answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    BestMove,
    Checkmate,
}

/// An engine and its pending answers.
struct Talk {
    session: Session<UsiEngine>,
    woken: Receiver<()>,
    owed: VecDeque<Kind>,
    /// All lines, for the report of a failure.
    transcript: Vec<String>,
}

impl Talk {
    fn new() -> Self {
        let (wake, woken) = channel();
        let mut engine = UsiEngine::new();
        engine.set_waker(Waker::new(move || {
            let _ = wake.send(());
        }));
        let session = Session::new(engine);
        let mut talk = Self { session, woken, owed: VecDeque::new(), transcript: Vec::new() };
        talk.say("setoption name USI_Hash value 1");
        talk.say("setoption name MateHash value 1");
        talk
    }

    fn say(&mut self, line: &str) {
        if !self.session.has_quit()
            && let Ok(GuiCommand::Go(limits)) = line.parse()
        {
            let kind = if limits.mate.is_some() { Kind::Checkmate } else { Kind::BestMove };
            self.owed.push_back(kind);
        }
        self.transcript.push(format!("> {line}"));
        self.session.feed_line(line);
    }

    /// Reads the output. Each answer must have been pending.
    fn listen(&mut self) {
        for message in self.session.poll() {
            let text = message.to_string();
            assert!(!text.contains(['\n', '\r']), "{text:?}");
            let kind = match message {
                EngineMessage::BestMove(_) => Some(Kind::BestMove),
                EngineMessage::Checkmate(_) => Some(Kind::Checkmate),
                _ => None,
            };
            self.transcript.push(format!("< {text}"));
            if let Some(kind) = kind {
                assert_eq!(self.owed.pop_front(), Some(kind), "{:#?}", self.transcript);
            }
        }
    }

    fn wait(&mut self, time: Duration) {
        let _ = self.woken.recv_timeout(time);
        self.listen();
    }

    /// Waits for a while, or until the engine is idle.
    fn listen_for(&mut self, time: Duration) {
        let start = Instant::now();
        while self.session.is_busy() && start.elapsed() < time {
            self.wait(time / 4);
        }
    }

    /// Ends the running job. No answer may then be pending, unless the engine has quit.
    fn end(mut self) {
        let start = Instant::now();
        while self.session.is_busy() {
            assert!(start.elapsed() < PATIENCE, "it hangs: {:#?}", self.transcript);
            self.session.feed_line("stop");
            self.wait(Duration::from_millis(1));
        }
        self.listen();
        assert!(self.session.has_quit() || self.owed.is_empty(), "{:#?}", self.transcript);
    }
}

/// Runs the dialogue chosen by the bytes. Panics if the engine violates the protocol.
pub(crate) fn converse(bytes: &[u8]) {
    const MOST_LINES: usize = 40;
    let mut choices = Choices(bytes);
    let mut talk = Talk::new();
    if choices.byte() % 2 == 1 {
        talk.say("setoption name Stochastic_Ponder value true");
    }
    for _ in 0..MOST_LINES {
        if choices.0.is_empty() {
            break;
        }
        let line = line(&mut choices);
        if is_affordable(&line) {
            talk.say(&line);
        }
        match choices.byte() % 8 {
            0..=3 => {}
            4 => talk.listen(),
            5 | 6 => talk.wait(Duration::from_millis(2)),
            _ => talk.listen_for(Duration::from_millis(4)),
        }
    }
    talk.end();
}
