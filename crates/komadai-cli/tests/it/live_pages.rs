//! Pages about work in progress (`--page`).

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{ChildStderr, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::{Running, komadai, text};

/// Limit of all waits.
const PATIENCE: Duration = Duration::from_secs(60);

/// A command that serves a page.
struct Served {
    child: Running,
    /// Kept open, because a command that cannot write its messages ends.
    messages: BufReader<ChildStderr>,
    address: String,
    token: String,
}

impl Served {
    fn start(command: &mut Command) -> Self {
        command.args(["--page", "127.0.0.1:0"]);
        let started =
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        let mut child = Running(started.expect("the program starts"));
        let mut messages = BufReader::new(child.0.stderr.take().expect("it is piped"));
        let mut line = String::new();
        while !line.starts_with("page: ") {
            line.clear();
            let read = messages.read_line(&mut line).expect("messages are UTF-8");
            assert_ne!(read, 0, "it has ended without a page");
        }
        let (address, token) = line
            .trim_end()
            .strip_prefix("page: http://")
            .and_then(|url| url.split_once("/?token="))
            .expect("an address and a token");
        let (address, token) = (address.to_owned(), token.to_owned());
        Self { child, messages, address, token }
    }

    /// Sends a request with the token; returns head and body.
    fn request(&self, line: &str) -> String {
        let Self { address, token, .. } = self;
        let mut stream = TcpStream::connect(address).expect("it listens");
        let head = format!("{line} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n");
        write!(stream, "{head}Authorization: Bearer {token}\r\n\r\n").expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers in UTF-8");
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        answer
    }

    /// Waits until the state meets a condition, and returns it.
    fn state(&self, is_met: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            let answer = self.request("GET /state.json");
            let body = answer.split_once("\r\n\r\n").expect("a body").1;
            let state: Value = serde_json::from_str(body).expect("one JSON object");
            if is_met(&state) {
                return state;
            }
            assert!(start.elapsed() < PATIENCE, "{state}");
            sleep(Duration::from_millis(20));
        }
    }
}

fn done(state: &Value) -> u64 {
    state["progress"]["done"].as_u64().unwrap_or(0)
}

#[test]
fn a_match_shows_its_standing_and_boards_and_can_be_paused() {
    let player = "komadai:USI_Hash=1,MateHash=1,MateNodes=0";
    let mut command = komadai("match");
    command.args(["--first", player, "--second", player, "--name-first", "<A>"]);
    command.args(["--nodes", "200", "--games", "100000", "--concurrency", "1", "--quiet"]);
    let served = Served::start(&mut command);
    let state = served.state(|state| done(state) >= 2 && state["boards"][0]["sfen"].is_string());
    assert_eq!(state["progress"]["total"], 100_000);
    let caption = state["boards"][0]["caption"].as_str().expect("a caption");
    assert!(caption.starts_with("game ") && caption.contains("<A>"), "{caption}");
    assert!(state["tables"][0]["rows"].as_array().is_some_and(|rows| rows.len() >= 2));
    let page = served.request("GET /");
    assert!(page.contains("&lt;A&gt;") && !page.contains("<A>") && page.contains("<svg"));
    // The game being played ends, and no other begins.
    served.request("POST /pause");
    let mut last = done(&served.state(|state| state["is_paused"] == true));
    let start = Instant::now();
    loop {
        sleep(Duration::from_millis(500));
        let now = done(&served.state(|_| true));
        if now == last {
            break;
        }
        last = now;
        assert!(start.elapsed() < PATIENCE, "games go on: {now}");
    }
    served.request("POST /resume");
    served.state(|state| done(state) > last);
}

#[test]
fn self_play_shows_its_positions() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = komadai("train");
    command.arg("generate").arg(folder.path().join("data"));
    command.args(["--nodes", "40", "--threads", "1", "--positions", "100000000"]);
    let served = Served::start(&mut command);
    let state = served.state(|state| done(state) > 100 && state["boards"][0]["sfen"].is_string());
    assert_eq!(state["progress"]["unit"], "positions");
    assert_eq!(state["tables"][0]["title"], "Winners");
}

#[test]
fn a_growing_book_shows_its_line_and_what_is_searched() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = komadai("book");
    command.arg("grow").arg(folder.path().join("book.kbook"));
    command.args(["--nodes", "100", "--positions", "100000", "--processes", "1", "--quiet"]);
    let served = Served::start(command.args(["--hash-mib", "1"]));
    let state = served.state(|state| done(state) > 10 && state["boards"][1]["line"][0].is_string());
    let captions = [0, 1].map(|number| state["boards"][number]["caption"].clone());
    assert_eq!(captions, ["the book's best line", "analyst 1"]);
    assert!(state["boards"][0]["line"][0].is_string(), "{state}");
    assert!(state["tables"][0]["rows"][0][0].is_string(), "{state}");
    // The search being done is finished, and no other begins.
    served.request("POST /pause");
    sleep(Duration::from_millis(500));
    let before = done(&served.state(|state| state["is_paused"] == true));
    sleep(Duration::from_millis(500));
    assert!(done(&served.state(|_| true)) <= before + 1);
    served.request("POST /resume");
    served.state(|state| done(state) > before + 1);
}

#[cfg(unix)]
#[test]
fn a_ladder_follows_matches() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("one-two");
    let mut command = komadai("ladder");
    let mut served = Served::start(command.arg(&out));
    let state = served.state(|state| state["status"] != "");
    assert!(state["status"].as_str().is_some_and(|status| status.contains("one-two")), "{state}");
    let player = "komadai:USI_Hash=1,MateHash=1,MateNodes=0";
    let mut played = komadai("match");
    played.args(["--first", player, "--second", player, "--nodes-first", "20", "--quiet"]);
    played.args(["--nodes-second", "1", "--games", "4", "--name-first", "one", "--out"]).arg(&out);
    assert!(played.output().expect("it starts").status.success());
    // The page may have been made before the last game was over.
    let state = served.state(|state| state["status"] == "4 games of 2 players");
    assert!(state["tables"][1]["rows"][0].is_array(), "{state}");
    let id = served.child.0.id().to_string();
    assert!(Command::new("kill").arg("-INT").arg(id).status().expect("`kill`").success());
    let status = served.child.0.wait().expect("it is our child");
    assert!(status.success(), "{status}");
    let mut rest = String::new();
    served.messages.read_to_string(&mut rest).expect("messages are UTF-8");
    assert!(!rest.contains("error"), "{rest}");
}

#[test]
fn a_page_that_cannot_be_served_ends_the_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let short = folder.path().join("token");
    fs::write(&short, "short\n").expect("the folder is ours");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("it has one").to_string();
    let short = short.display().to_string();
    for (arguments, code, message) in [
        (vec!["--page", address.as_str()], 1, "cannot listen on"),
        (vec!["--page", "127.0.0.1:0", "--page-token", &short], 1, "the token is unsuitable"),
        (vec!["--page", "127.0.0.1:0", "--page-token", "/nowhere/token"], 1, "/nowhere/token"),
        (vec!["--page", "localhost"], 2, "invalid"),
        (vec!["--page-token", &short], 2, "--page"),
    ] {
        let mut command = komadai("match");
        command.args(["--first", "komadai", "--second", "komadai", "--nodes", "1", "--games", "2"]);
        let output = command.args(&arguments).output().expect("it starts");
        let messages = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {messages}");
        assert!(messages.contains(message), "{arguments:?}: {messages}");
    }
}
