//! `komadai csa` as its users run it: two of them play on a server in this process.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _, stdin};
use std::net::{TcpListener, TcpStream};
use std::process::Child;
use std::thread;

use komadai::Position;
use komadai::kifu::notation::read_csa_move;
use komadai::kifu::{Outcome, Tolerance, parse_csa};
use komadai_testdata::programs::{play_engine, say};

use crate::{komadai, text};

const SUMMARY: &str = "BEGIN Game_Summary\nProtocol_Version:1.2\nFormat:Shogi 1.0\nGame_ID:g/1\nName+:ONE\nName-:TWO\n\
    Your_Turn:TURN\nTo_Move:+\nBEGIN Time\nTime_Unit:1sec\nTotal_Time:20\nIncrement:1\nEND Time\nBEGIN Position\n\
    PI\n+\nEND Position\nEND Game_Summary\n";

/// A server for one game, which ends after 400 moves. Returns the number of moves.
fn serve(listener: &TcpListener) -> usize {
    let mut players = [(); 2].map(|()| {
        let (stream, _) = listener.accept().unwrap();
        (BufReader::new(stream.try_clone().unwrap()), stream)
    });
    let receive = |player: &mut (BufReader<TcpStream>, TcpStream)| loop {
        let mut line = String::new();
        let read = player.0.read_line(&mut line).unwrap();
        if read == 0 || !line.trim().is_empty() {
            return line.trim_end().to_owned();
        }
    };
    for (player, turn) in players.iter_mut().zip(["+", "-"]) {
        let line = receive(player);
        let name = line.split(' ').nth(1).unwrap();
        let summary = SUMMARY.replace("TURN", turn);
        player.1.write_all(format!("LOGIN:{name} OK\n{summary}").as_bytes()).unwrap();
    }
    players.iter_mut().for_each(|player| assert_eq!(receive(player), "AGREE g/1"));
    let send = |[one, two]: [&str; 2], players: &mut [(_, TcpStream); 2]| {
        players[0].1.write_all(format!("{one}\n").as_bytes()).unwrap();
        players[1].1.write_all(format!("{two}\n").as_bytes()).unwrap();
    };
    send(["START:g/1"; 2], &mut players);
    let (mut position, mut made) = (Position::hirate(), 0);
    loop {
        let side = position.side().index();
        let line = receive(&mut players[side]);
        let word = line.split(',').next().unwrap();
        let results = if side == 0 { ["#LOSE", "#WIN"] } else { ["#WIN", "#LOSE"] };
        match word {
            "%TORYO" => {
                send(["%TORYO,T0\n#RESIGN"; 2], &mut players);
                send(results, &mut players);
                return made;
            }
            "%KACHI" => {
                send(["%KACHI,T0\n#JISHOGI"; 2], &mut players);
                send([results[1], results[0]], &mut players);
                return made;
            }
            _ => {}
        }
        position.do_move(read_csa_move(&position, word).unwrap());
        made += 1;
        let answer = format!("{word},T0");
        send([&answer; 2], &mut players);
        if made == 400 {
            send(["#MAX_MOVES\n#CENSORED"; 2], &mut players);
            return made;
        }
    }
}

#[test]
fn two_engines_play_a_game_on_a_server() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let server = thread::spawn(move || serve(&listener));
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("password"), "test-20-1F,x\n").unwrap();
    let start = |user: &str| -> Child {
        komadai("csa")
            .args(["--port", &port, "--user", user, "--password-file", "password"])
            .args(["--engine", "komadai:EvalFile=<material>,USI_Hash=1", "--nodes", "100"])
            .args(["--records", user])
            .current_dir(folder.path())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap()
    };
    let outputs = ["ONE", "TWO"].map(start).map(|child| child.wait_with_output().unwrap());
    let moves = server.join().unwrap();
    assert!(moves > 20);
    let mut results = Vec::new();
    for (user, output) in ["ONE", "TWO"].iter().zip(&outputs) {
        let messages = text(&output.stderr);
        assert!(output.status.success(), "{messages}");
        assert!(text(&output.stdout).starts_with("1 games: "), "{}", text(&output.stdout));
        assert!(messages.contains("g/1: ONE (Black) and TWO (White)"), "{messages}");
        let record = fs::read(folder.path().join(user).join("g_1.csa")).unwrap();
        let record = parse_csa(record, Tolerance::Strict).unwrap().records.remove(0);
        assert_eq!(record.moves.len(), moves);
        results.push(record.outcome());
    }
    assert_eq!(results[0], results[1]);
    assert!(matches!(results[0], Outcome::Win(_) | Outcome::Draw | Outcome::Unknown));
}

#[test]
fn what_is_missing_is_named() {
    let run = |arguments: &[&str]| {
        let output = komadai("csa").args(arguments).env_remove("KOMADAI_CSA_PASSWORD").output();
        let output = output.unwrap();
        (output.status.code(), text(&output.stderr))
    };
    let (code, message) = run(&["--user", "A"]);
    assert_eq!(code, Some(1));
    assert!(message.contains("KOMADAI_CSA_PASSWORD"), "{message}");
    assert_eq!(run(&["--password", "x"]).0, Some(2));
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let (code, message) =
        run(&["--user", "A", "--password", "x", "--retries", "0", "--port", &port]);
    assert_eq!(code, Some(1));
    assert!(message.contains(&format!("127.0.0.1:{port}")), "{message}");
}

/// One end of a connection, without the empty lines that keep it alive.
struct Peer(BufReader<TcpStream>, TcpStream);

impl Peer {
    /// Accepts a client, logs it in and starts a game in which it has Black, up to its first move.
    fn begin(listener: &TcpListener, summary: &str) -> (Self, String) {
        let (stream, _) = listener.accept().unwrap();
        let mut peer = Self(BufReader::new(stream.try_clone().unwrap()), stream);
        let name = peer.receive().split(' ').nth(1).unwrap_or_default().to_owned();
        peer.send(&format!("LOGIN:{name} OK\n{}", summary.replace("TURN", "+")));
        assert!(peer.receive().starts_with("AGREE"));
        let id = summary.lines().find_map(|line| line.strip_prefix("Game_ID:")).unwrap();
        peer.send(&format!("START:{id}"));
        let first = peer.receive();
        (peer, first)
    }

    fn send(&mut self, lines: &str) {
        let _ = self.1.write_all(format!("{lines}\n").as_bytes());
    }

    /// The next line; empty if the client has left.
    fn receive(&mut self) -> String {
        loop {
            let mut line = String::new();
            match self.0.read_line(&mut line) {
                Ok(0) | Err(_) => return String::new(),
                Ok(_) if line.trim().is_empty() => {}
                Ok(_) => return line.trim_end().to_owned(),
            }
        }
    }

    /// Confirms a move.
    fn echo(&mut self, sent: &str) {
        let text = sent.split(',').next().unwrap();
        self.send(&format!("{text},T1"));
    }
}

/// A client of a server on this port, which writes its records into `records`.
fn client(port: u16, folder: &std::path::Path) -> std::process::Command {
    client_with(port, folder, "200")
}

fn client_with(port: u16, folder: &std::path::Path, nodes: &str) -> std::process::Command {
    let mut command = komadai("csa");
    command
        .args(["--port", &port.to_string(), "--user", "ONE", "--password", "x"])
        .args(["--engine", "komadai:EvalFile=<material>,USI_Hash=1", "--nodes", nodes])
        .args(["--records", "records"])
        .current_dir(folder)
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    command
}

fn listen() -> (TcpListener, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, port)
}

/// The records of a folder by their names: number of moves, text.
fn records(folder: &std::path::Path) -> Vec<(String, usize, String)> {
    let mut found: Vec<_> = fs::read_dir(folder.join("records"))
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            let text = fs::read_to_string(entry.path()).unwrap();
            let record = parse_csa(&text, Tolerance::Strict).unwrap().records.remove(0);
            (entry.file_name().into_string().unwrap(), record.moves.len(), text)
        })
        .collect();
    found.sort();
    found
}

#[test]
fn a_game_that_the_server_spoils_leaves_its_record() {
    for (fault, moves) in [
        ("MOVE,T1\n-5511OU,T1", 1),
        ("MOVE,T1\n+2625FU,T1", 1),
        ("MOVE,T1\n-\u{fffd}garbage,T", 1),
        ("MOVE,T1\n-3334FU,T1\n-8384FU,T1", 2),
        ("-3334FU,T1", 0),
        ("MOVE,T1\nCLOSE", 1),
    ] {
        let (listener, port) = listen();
        let server = thread::spawn(move || {
            let (mut peer, first) = Peer::begin(&listener, SUMMARY);
            let text = first.split(',').next().unwrap();
            peer.send(&fault.replace("MOVE", text).replace("\nCLOSE", ""));
            if !fault.ends_with("CLOSE") {
                while !peer.receive().is_empty() {}
            }
        });
        let folder = tempfile::tempdir().unwrap();
        let output = client(port, folder.path()).args(["--retries", "0"]).output().unwrap();
        server.join().unwrap();
        let messages = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{fault}: {messages}");
        assert!(messages.contains("broken off: "), "{messages}");
        let records = records(folder.path());
        let [(name, made, text)] = &records[..] else { panic!("{records:?}") };
        assert_eq!((&**name, *made), ("g_1.csa", moves), "{fault}: {messages}");
        assert!(text.contains("\n%CHUDAN\n'*broken off: "), "{text}");
    }
}

#[test]
fn the_next_game_is_played_after_one_that_was_broken_off() {
    let (listener, port) = listen();
    let server = thread::spawn(move || {
        let (mut peer, _) = Peer::begin(&listener, SUMMARY);
        peer.send("-5511OU,T1");
        while !peer.receive().is_empty() {}
        let (mut peer, first) = Peer::begin(&listener, SUMMARY);
        peer.echo(&first);
        peer.send("%TORYO,T1\n#RESIGN\n#WIN");
        peer.receive()
    });
    let folder = tempfile::tempdir().unwrap();
    let output = client(port, folder.path()).args(["--games", "2"]).output().unwrap();
    assert_eq!(server.join().unwrap(), "LOGOUT");
    let messages = text(&output.stderr);
    assert!(messages.contains("logging in again"), "{messages}");
    assert_eq!(output.status.code(), Some(1), "{messages}");
    let table = "2 games: 1 won, 0 drawn, 0 lost, 1 broken off\n";
    assert_eq!(text(&output.stdout), table);
    let names: Vec<_> =
        records(folder.path()).into_iter().map(|(name, moves, _)| (name, moves)).collect();
    assert_eq!(names, [("g_1-2.csa".to_owned(), 1), ("g_1.csa".to_owned(), 0)]);
}

/// Checks whether this program, and with it those that it starts, was told to survive the end of a
/// terminal, as by `nohup`.
fn ignores_hangups() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask & 1 == 1))
}

#[cfg(unix)]
#[test]
fn the_record_of_a_game_outlives_signals() {
    for (signal, code) in
        [("-INT", Some(130)), ("-TERM", Some(130)), ("-KILL", None), ("-HUP", None)]
    {
        if signal == "-HUP" && ignores_hangups() {
            continue;
        }
        let (listener, port) = listen();
        let (told, waits) = std::sync::mpsc::channel();
        let server = thread::spawn(move || {
            let (mut peer, first) = Peer::begin(&listener, SUMMARY);
            peer.echo(&first);
            peer.send("-3334FU,T1");
            let second = peer.receive();
            // The record of the moves so far is written before the next one is thought about.
            told.send(()).unwrap();
            (second, peer.receive())
        });
        let folder = tempfile::tempdir().unwrap();
        let child = client(port, folder.path()).spawn().unwrap();
        waits.recv().unwrap();
        let sent =
            std::process::Command::new("kill").arg(signal).arg(child.id().to_string()).status();
        assert!(sent.unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), code, "{signal}: {}", text(&output.stderr));
        assert_eq!(server.join().unwrap().1, "", "{signal}");
        let records = records(folder.path());
        let [(name, moves, text)] = &records[..] else { panic!("{records:?}") };
        assert_eq!((&**name, *moves), ("g_1.csa", 2), "{signal}");
        assert!(text.contains("\n-3334FU\nT1\n%CHUDAN\n"), "{text}");
    }
}

#[test]
fn own_moves_have_the_expected_reply_and_times_their_fractions() {
    let (listener, port) = listen();
    let server = thread::spawn(move || {
        let (mut peer, first) = Peer::begin(&listener, SUMMARY);
        let made = first.split(',').next().unwrap();
        peer.send(&format!("{made},T1.250\n%TORYO,T2\n#RESIGN\n#WIN"));
        first
    });
    let folder = tempfile::tempdir().unwrap();
    let output = client_with(port, folder.path(), "5000").output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let first = server.join().unwrap();
    let (_, comment) = first.split_once(",'* ").expect(&first);
    let words: Vec<_> = comment.split(' ').collect();
    assert!(words[0].parse::<i32>().is_ok() && words.len() > 1, "{first}");
    assert!(words[1].starts_with('-') && words[1].len() == 7, "{first}");
    let records = records(folder.path());
    assert!(records[0].2.contains(&format!("\nT1.25\n'** {comment}\n")), "{}", records[0].2);
}

/// The variable that makes this test program an engine.
const BEHAVIOUR: &str = "KOMADAI_SILENT_ENGINE";

/// Never answers `go`, nor `stop`.
#[test]
fn silent_engine() {
    play_engine(BEHAVIOUR, |_| {
        for line in stdin().lock().lines().map_while(Result::ok) {
            match &*line {
                "usi" => say("id name Silent\nusiok"),
                "isready" => say("readyok"),
                "quit" => return,
                _ => {}
            }
        }
    });
}

/// The variable that makes this test program an engine, with the file for what it receives.
const PONDERING: &str = "KOMADAI_CSA_PONDERING_ENGINE";

/// Makes three moves with their expected replies: after each search it has had to wait for.
#[test]
fn pondering_engine() {
    play_engine(PONDERING, |log| {
        let mut log = fs::File::create(log).unwrap();
        let mut answers = ["7g7f ponder 3c3d", "2g2f ponder 8c8d", "6i7h ponder 4a3b"].into_iter();
        let mut is_pondering = false;
        for line in stdin().lock().lines().map_while(Result::ok) {
            writeln!(log, "{line}").unwrap();
            match line.split(' ').next().unwrap_or_default() {
                "usi" => say("id name Pondering\nusiok"),
                "isready" => say("readyok"),
                "go" if line.starts_with("go ponder") => is_pondering = true,
                "stop" if is_pondering => {
                    is_pondering = false;
                    say("bestmove resign");
                }
                "go" | "ponderhit" => {
                    is_pondering = false;
                    say(&format!("bestmove {}", answers.next().unwrap_or("resign")));
                }
                "quit" => return,
                _ => {}
            }
        }
    });
}

#[test]
fn an_engine_ponders_while_its_opponent_thinks() {
    let (listener, port) = listen();
    let server = thread::spawn(move || {
        let (mut peer, first) = Peer::begin(&listener, SUMMARY);
        // Two seconds are counted for the first move, one for the others, and none for what is
        // pondered.
        peer.send("+7776FU,T2");
        thread::sleep(std::time::Duration::from_millis(1_200));
        peer.send("-3334FU,T1");
        let second = peer.receive();
        peer.echo(&second);
        peer.send("-4344FU,T1");
        let third = peer.receive();
        peer.echo(&third);
        peer.send("%TORYO,T1\n#RESIGN\n#WIN");
        peer.receive();
        [first, second, third]
    });
    let folder = tempfile::tempdir().unwrap();
    let test = std::env::current_exe().unwrap();
    let engine = format!("'{}' csa::pondering_engine --exact --test-threads=2", test.display());
    let mut command = komadai("csa");
    command
        .args(["--port", &port.to_string(), "--user", "ONE", "--password", "x", "--retries", "0"])
        .args(["--engine", &engine, "--ponder", "--margin", "500"])
        .env(PONDERING, folder.path().join("log"))
        .current_dir(folder.path());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(server.join().unwrap(), ["+7776FU", "+2726FU", "+6978KI"]);
    let log = fs::read_to_string(folder.path().join("log")).unwrap();
    let lines: Vec<_> = log.lines().filter(|line| !line.starts_with("isready")).collect();
    let expected = [
        "usi",
        "setoption name USI_Ponder value true",
        "usinewgame",
        "position startpos",
        "go btime 19500 wtime 20000 binc 1000 winc 1000",
        "position startpos moves 7g7f 3c3d",
        "go ponder btime 18500 wtime 20000 binc 1000 winc 1000",
        "ponderhit",
        "position startpos moves 7g7f 3c3d 2g2f 8c8d",
        "go ponder btime 18500 wtime 20000 binc 1000 winc 1000",
        "stop",
        "position startpos moves 7g7f 3c3d 2g2f 4c4d",
        "go btime 18500 wtime 20000 binc 1000 winc 1000",
        "position startpos moves 7g7f 3c3d 2g2f 4c4d 6i7h 4a3b",
        "go ponder btime 18500 wtime 20000 binc 1000 winc 1000",
        // The opponent has resigned.
        "stop",
        "gameover win",
        "quit",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn the_embedded_player_ponders_in_a_process_of_its_own() {
    let (listener, port) = listen();
    let server = thread::spawn(move || {
        let (mut peer, first) = Peer::begin(&listener, SUMMARY);
        peer.echo(&first);
        peer.send("-3334FU,T1");
        let second = peer.receive();
        peer.echo(&second);
        peer.send("%TORYO,T1\n#RESIGN\n#WIN");
        peer.receive()
    });
    let folder = tempfile::tempdir().unwrap();
    let output = client(port, folder.path()).arg("--ponder").output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(server.join().unwrap(), "LOGOUT");
    assert_eq!(records(folder.path())[0].1, 3);
}

#[test]
#[ignore = "waits until an engine counts as hanging, ten seconds"]
fn an_engine_that_stays_silent_resigns_soon_after_its_clock_has_run_out() {
    let summary = SUMMARY.replace("Total_Time:20\nIncrement:1", "Total_Time:1\nByoyomi:1");
    let (listener, port) = listen();
    let server = thread::spawn(move || {
        let (mut peer, first) = Peer::begin(&listener, &summary);
        peer.send("%TORYO,T9\n#RESIGN\n#LOSE");
        peer.receive();
        first
    });
    let folder = tempfile::tempdir().unwrap();
    let test = std::env::current_exe().unwrap();
    let engine = format!("'{}' csa::silent_engine --exact --test-threads=2", test.display());
    let mut command = komadai("csa");
    command
        .args(["--port", &port.to_string(), "--user", "ONE", "--password", "x", "--retries", "0"])
        .args(["--engine", &engine, "--records", "records"])
        .env(BEHAVIOUR, "silent")
        .current_dir(folder.path());
    let started = std::time::Instant::now();
    let output = command.output().unwrap();
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("no answer to `go`"), "{}", text(&output.stderr));
    assert_eq!(server.join().unwrap(), "%TORYO");
    assert!(records(folder.path())[0].2.contains("\n%TORYO\n"));
}

#[test]
fn nothing_that_a_terminal_obeys_comes_from_the_server() {
    let summary = SUMMARY
        .replace("Name-:TWO", "Name-:\u{1b}]0;pwned\u{7}\u{202e}x\u{9b}2J")
        .replace("Game_ID:g/1", "Game_ID:g\u{1b}[31m");
    let (listener, port) = listen();
    let server = thread::spawn(move || {
        let (mut peer, first) = Peer::begin(&listener, &summary);
        peer.echo(&first);
        peer.send("hello \u{1b}[2J\n-\u{1b}[31m,T1");
        while !peer.receive().is_empty() {}
    });
    let folder = tempfile::tempdir().unwrap();
    let output = client(port, folder.path()).args(["--retries", "0"]).output().unwrap();
    server.join().unwrap();
    let messages = text(&output.stderr) + &text(&output.stdout);
    assert!(messages.contains("server: hello \u{fffd}[2J"), "{messages}");
    let is_obeyed = |c: char| komadai_base::text::is_unprintable(c) && c != '\n';
    assert!(!messages.contains(is_obeyed), "{messages:?}");
}

#[test]
fn names_and_passwords_that_are_no_words_are_bad_usage() {
    let run = |arguments: &[&str]| {
        let output = komadai("csa").args(arguments).args(["--retries", "0"]).output().unwrap();
        (output.status.code(), text(&output.stderr))
    };
    for word in ["u x", "u\nLOGOUT", "", "羽生", " u", "u\t"] {
        let (code, message) = run(&["--password", "x", "--user", word]);
        assert_eq!(code, Some(2), "{message}");
        assert!(message.contains("expected one word of printable ASCII"), "{message}");
        let (code, message) = run(&["--user", "u", "--password", word]);
        assert_eq!(code, Some(2), "{message}");
        assert!(word.is_empty() || !message.contains(word), "{message}");
    }
}

#[cfg(unix)]
#[test]
fn a_password_file_is_a_file_with_a_short_first_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).into_os_string().into_string().unwrap();
    fs::write(path("long"), "a".repeat(1 << 20)).unwrap();
    fs::write(path("two words"), "a b\n").unwrap();
    fs::write(path("empty"), "").unwrap();
    let made = std::process::Command::new("mkfifo").arg(path("fifo")).status();
    assert!(made.unwrap().success());
    for (file, reason) in [
        ("/dev/zero".to_owned(), "expected a regular file"),
        (path("fifo"), "expected a regular file"),
        (path("."), "expected a regular file"),
        (path("long"), "at most 1024 bytes"),
        (path("two words"), "not one word"),
        (path("empty"), "not one word"),
        (path("missing"), "cannot read"),
    ] {
        let arguments = ["--user", "u", "--retries", "0", "--password-file", &file];
        let output = komadai("csa").args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{file}");
        assert!(text(&output.stderr).contains(reason), "{file}: {}", text(&output.stderr));
    }
}
