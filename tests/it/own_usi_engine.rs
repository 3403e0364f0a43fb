//! The example `own_usi_engine` as a GUI runs it.

use std::io::{BufRead, BufReader, Write as _};
use std::process::{Child, ChildStdout, Stdio};

use komadai::prelude::*;
use komadai::usi::{BestMove, EngineMessage};
use komadai_testdata::programs::example;

struct Gui {
    engine: Child,
    output: BufReader<ChildStdout>,
}

impl Gui {
    fn say(&mut self, lines: &[&str]) {
        let input = self.engine.stdin.as_mut().expect("it is piped");
        lines.iter().for_each(|line| writeln!(input, "{line}").expect("the engine reads"));
    }

    /// Reads lines up to the first one with this beginning.
    fn read_until(&mut self, beginning: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while !lines.last().is_some_and(|line: &String| line.starts_with(beginning)) {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).expect("output is UTF-8");
            assert!(read > 0, "the engine has ended; it said {lines:?}");
            lines.push(line.trim_end().to_owned());
        }
        lines
    }

    fn best_move(&mut self) -> (Option<Move>, Vec<String>) {
        let lines = self.read_until("bestmove");
        let EngineMessage::BestMove(BestMove::Move { best, ponder }) =
            lines.last().expect("there is a line").parse().expect("a message")
        else {
            panic!("no move: {lines:?}")
        };
        assert!(Position::hirate().is_legal(best), "{best}");
        (ponder, lines)
    }
}

#[test]
fn it_plays_and_ponders_under_its_own_name() {
    let mut engine = example("own_usi_engine")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let output = BufReader::new(engine.stdout.take().expect("it is piped"));
    let mut gui = Gui { engine, output };
    gui.say(&["usi"]);
    let hello = gui.read_until("usiok");
    assert!(hello.contains(&"id name Two guards 1.0".to_owned()), "{hello:?}");
    assert!(hello.contains(&"id author a reader of the examples".to_owned()), "{hello:?}");
    assert!(hello.iter().any(|line| line.starts_with("option name BookFile ")), "{hello:?}");

    gui.say(&["setoption name USI_Hash value 1", "setoption name USI_Ponder value true"]);
    gui.say(&["isready", "usinewgame", "position startpos", "go nodes 20000"]);
    let (ponder, _) = gui.best_move();
    assert!(ponder.is_some(), "it names a reply to ponder on");

    // The answer comes after the hit, not before.
    gui.say(&["position startpos", "go ponder btime 1000 wtime 1000 byoyomi 200"]);
    let thoughts = gui.read_until("info depth");
    assert!(!thoughts.iter().any(|line| line.starts_with("bestmove")), "{thoughts:?}");
    gui.say(&["ponderhit"]);
    gui.best_move();

    gui.say(&["position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "go nodes 1000"]);
    let mate = gui.read_until("bestmove");
    assert_eq!(mate.last().map(String::as_str), Some("bestmove G*5b"), "{mate:?}");
    gui.say(&["quit"]);
    assert!(gui.engine.wait().expect("it ends").success());
}
