//! `komadai csa` as its users run it: two of them play on a server in this process.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Child;
use std::thread;

use komadai::Position;
use komadai::kifu::{Outcome, Tolerance, parse_csa, read_csa_move};

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
