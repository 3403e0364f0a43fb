//! A small engine that keeps the rules, and its faults.

use std::collections::VecDeque;
use std::io::{BufRead as _, stdin};
use std::process::exit;
use std::thread;
use std::time::{Duration, Instant};

use komadai_core::{Position, Pv, Score, UsiPosition};
use komadai_movegen::{MoveGen, PlayError, play as play_moves};
use komadai_testdata::programs::say;
use komadai_usi::{
    BestMove, Checkmate, ClockTimes, Event, GoLimits, Handler, Identity, Info, OptionSpec,
    OptionValue, Session, Tail,
};

/// Runs as an engine until the end of the input.
pub(crate) fn play(fault: &str) {
    if fault == "leaves a process" {
        let child = std::process::Command::new("sleep").arg("60").spawn();
        std::mem::forget(child.expect("sleep is installed"));
    }
    let mut session = Session::new(Toy { varies: fault == "random", ..Toy::default() });
    let mut input = stdin().lock();
    let mut count = Counts::default();
    let mut line = String::new();
    while input.read_line(&mut line).is_ok_and(|length| length > 0) {
        let heard = line.strip_suffix('\n').unwrap_or(&line).to_owned();
        line.clear();
        let Some(heard) = hear(fault, heard, &mut count) else { continue };
        session.feed_line(&heard);
        for message in session.poll() {
            let message = message.to_string();
            speak(fault, &message, &mut count);
            if fault == "dies after an answer" && message.starts_with("bestmove") {
                exit(3);
            }
        }
        if session.has_quit() {
            return;
        }
    }
    if fault == "hangs at the end" || fault == "hangs at the end in a search" && count.searches {
        hang();
    }
}

/// The commands that have been seen so far.
#[derive(Debug, Default)]
struct Counts {
    usi: u32,
    isready: u32,
    /// True after `go infinite`, until `stop`.
    searches: bool,
    /// True after `go` without an answer.
    is_asked: bool,
}

/// Applies the fault to a line from the GUI. `None` is a line that is not heard.
fn hear(fault: &str, line: String, count: &mut Counts) -> Option<String> {
    let word = line.split_ascii_whitespace().next().unwrap_or_default().to_owned();
    count.usi += u32::from(word == "usi");
    count.isready += u32::from(word == "isready");
    match &*word {
        "go" => (count.is_asked, count.searches) = (true, line.contains("infinite")),
        "stop" => count.searches = false,
        _ => {}
    }
    if let Some(place) = fault.strip_prefix("dies at ") {
        let is_there = match place {
            "long games" => {
                line.starts_with("position") && line.len() > 2_000 && line.len() < 9_000
            }
            "long lines" => line.len() >= 64 << 10,
            start => line.starts_with(start),
        };
        if is_there {
            exit(3);
        }
    }
    if let Some((from, to)) = fault.strip_prefix("reads ").and_then(|rest| rest.split_once(" as "))
        && line.starts_with(from)
    {
        count.searches = to.contains("infinite");
        return Some(to.to_owned());
    }
    if fault.strip_prefix("slow at ").is_some_and(|start| line.starts_with(start)) {
        thread::sleep(Duration::from_millis(1_500));
    }
    if fault == "ignores searchmoves" {
        return Some(line.split(" searchmoves").next().unwrap_or_default().to_owned());
    }
    match (fault, &*word) {
        ("mute at usi", "usi") | ("mute at isready", "isready") | ("mute at go", "go") => None,
        ("mute at the second usi", "usi") if count.usi > 1 => None,
        ("mute at the second isready", "isready") if count.isready > 1 => None,
        ("floods", "go") => loop {
            say("info string and so on");
        },
        ("answers stop", "stop") if !count.is_asked => {
            say("bestmove 7g7f");
            None
        }
        ("complains", _) if !KNOWN.contains(&&*word) => {
            say("what?");
            None
        }
        ("deaf to lines with CR", _) if line.ends_with('\r') => None,
        ("deaf to lines with blanks", _) if line.trim().contains("  ") => None,
        ("hangs at quit", "quit") => hang(),
        ("hangs at quit in a search", "quit") if count.searches => hang(),
        _ => Some(line),
    }
}

const KNOWN: [&str; 11] = [
    "usi",
    "isready",
    "setoption",
    "usinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "gameover",
    "quit",
    "e",
];

/// Applies the fault to a line of the engine, and prints it.
fn speak(fault: &str, line: &str, count: &mut Counts) {
    let is_answer = line.starts_with("bestmove") || line.starts_with("checkmate");
    if is_answer {
        count.is_asked = false;
    }
    match fault {
        "anonymous" if line.starts_with("id ") => return,
        "answers twice" if is_answer => say(line),
        _ => {}
    }
    if line == "usiok"
        && let Some(option) = fault.strip_prefix("declares ")
    {
        say(option);
    }
    let Some((from, to)) = fault.strip_prefix("prints ").and_then(|rest| rest.split_once(" as "))
    else {
        return say(line);
    };
    match (from, line.find(from)) {
        ("readyok", Some(_)) => say("bestmove 7g7f\nreadyok"),
        // The rest of the line belongs to the word.
        ("bestmove", Some(0)) => say(to),
        ("pv", Some(_)) => match line.find(" pv ") {
            Some(at) => say(&format!("{} {to}", &line[..at])),
            None => say(line),
        },
        ("ponder", Some(at)) => say(&format!("{}{to}", &line[..at])),
        _ => say(&line.replacen(from, to, 1)),
    }
}

/// An engine that looks one move ahead, and sees mates.
#[derive(Debug)]
struct Toy {
    position: Position,
    events: VecDeque<Event>,
    lines: usize,
    varies: bool,
}

impl Default for Toy {
    fn default() -> Self {
        let (events, position) = (VecDeque::new(), Position::hirate());
        Self { position, events, lines: 1, varies: false }
    }
}

impl Handler for Toy {
    type Error = PlayError;

    fn identity(&self) -> Identity {
        Identity::new("Toy", "the komadai developers")
    }

    fn options(&self) -> Vec<OptionSpec> {
        vec![
            OptionSpec::spin("USI_Hash", 16, 1..=1024),
            OptionSpec::check("USI_Ponder", false),
            OptionSpec::spin("MultiPV", 1, 1..=5),
            OptionSpec::combo("Style", "Normal", &["Solid", "Normal"]),
            OptionSpec::filename("BookFile", ""),
            OptionSpec::button("Clear"),
        ]
    }

    fn set_option(&mut self, name: &str, value: OptionValue) -> Result<(), PlayError> {
        if let ("MultiPV", OptionValue::Spin(lines)) = (name, value) {
            self.lines = lines as usize;
        }
        Ok(())
    }

    fn prepare(&mut self) {
        self.events.push_back(Event::Ready);
    }

    fn set_position(&mut self, position: &UsiPosition) -> Result<(), PlayError> {
        self.position = play_moves(position)?;
        Ok(())
    }

    fn go(&mut self, limits: &GoLimits, _: Instant) {
        if limits.mate.is_some() {
            let mate = self.position.mate_in_one();
            let answer =
                mate.map_or(Checkmate::Timeout, |m| Checkmate::Mate([m].into_iter().collect()));
            return self.events.push_back(Event::Checkmate(answer));
        }
        let all = self.position.legal_moves();
        let wanted = |m: &&_| limits.search_moves.is_empty() || limits.search_moves.contains(m);
        let mut moves: Vec<_> = all.iter().filter(wanted).copied().collect();
        if let Some(mate) = self.position.mate_in_one() {
            moves.sort_by_key(|m| *m != mate);
        }
        if self.varies && moves.len() > 1 {
            let turn = std::process::id() as usize % moves.len();
            moves.rotate_left(turn);
        }
        for (rank, &m) in (1..).zip(moves.iter().take(self.lines)) {
            let after = self.position.after(m);
            let reply = after.mate_in_one();
            let score = match reply {
                _ if after.is_checkmate() => Score::mate_in(1),
                Some(_) => Score::mated_in(2),
                None => Score::cp(10),
            };
            let pv: Pv = [m].into_iter().chain(reply).collect();
            self.events.push_back(Event::Info(Info {
                depth: Some(1),
                multi_pv: (self.lines > 1).then_some(rank),
                score: Some(score),
                nodes: Some(moves.len() as u64),
                hash_full: Some(0),
                tail: Tail::Pv(pv),
                ..Info::default()
            }));
        }
        let best = moves.first().map(|&best| {
            let ponder = self.position.after(best).legal_moves().first().copied();
            BestMove::Move { best, ponder }
        });
        self.events.push_back(Event::BestMove(best.unwrap_or(BestMove::Resign)));
    }

    fn stop(&mut self) {}

    fn ponder_hit(&mut self, _: Option<&ClockTimes>, _: Instant) {}

    fn poll(&mut self) -> Option<Event> {
        self.events.pop_front()
    }
}

fn hang() -> ! {
    loop {
        thread::park();
    }
}
