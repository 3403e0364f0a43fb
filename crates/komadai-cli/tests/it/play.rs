//! Games and problems that are played by lines of standard input.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use komadai::Color;
use komadai::kifu::{EndKind, HeaderKey, Outcome, Record};

use crate::{Running, komadai, text};

/// The weakest level, which makes the same moves every time.
const LEVEL: [&str; 4] = ["--level", "1", "--seed", "1"];

fn command(folder: &Path, program: &str, arguments: &[&str]) -> Command {
    let mut command = komadai(program);
    command.args(arguments).current_dir(folder).env("LC_ALL", "C");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs a command with these lines of input, and returns its output.
fn converse(folder: &Path, program: &str, arguments: &[&str], lines: &str) -> Output {
    let mut child = command(folder, program, arguments).spawn().expect("the program starts");
    // A program that refuses its arguments reads nothing.
    let _ = child.stdin.take().expect("it is piped").write_all(lines.as_bytes());
    child.wait_with_output().expect("it ends")
}

/// Plays a game, and returns what was printed.
fn play(folder: &Path, arguments: &[&str], lines: &str) -> String {
    let output = converse(folder, "play", arguments, lines);
    let messages = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {messages}");
    text(&output.stdout)
}

fn assert_all(printed: &str, parts: &[&str]) {
    for part in parts {
        assert!(printed.contains(part), "no {part:?} in {printed}");
    }
}

#[test]
fn a_whole_game_is_played_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let lines = "help\n7g7f\nmoves\ncomment a plan\n２六歩\nP-2e\nflip\nresign\n";
    let arguments = [&LEVEL[..], &["--save", "game.csa", "--name", "Ichiro"]].concat();
    let printed = play(folder.path(), &arguments, lines);
    assert_all(
        &printed,
        &[
            "You play Black against komadai level 1.",
            "declare a win",
            "1. P-7f\n",
            "\n2. ",
            "   1 P-7f  0:00\n",
            "noted",
            "3. P-2f\n",
            "5. P-2e\n",
            "The game is over after 6 moves: you lose (resignation).",
            "game.csa: saved. Analyse it: komadai analyse game.csa --html game.html",
        ],
    );
    // The board turned: rank i is at the top.
    assert!(printed.contains("  1  2  3  4  5  6  7  8  9\n+---------------------------+\n| L"));
    let game = Record::open(folder.path().join("game.csa")).unwrap();
    assert_eq!(game.header.get(&HeaderKey::Black), Some("Ichiro"));
    assert_eq!(game.header.get(&HeaderKey::White), Some("komadai level 1"));
    assert_eq!((game.moves.len(), game.outcome()), (6, Outcome::Win(Color::White)));
    assert!(game.moves.iter().all(|played| played.time.is_some()));
    let comments = |ply: usize| game.moves[ply - 1].comments.iter().map(|comment| comment.text());
    assert!(comments(2).any(|comment| comment == "a plan"));
    assert!(comments(4).any(|comment| comment.starts_with("* ")), "the value of the engine");
    // The same seed, the same game.
    let again = [&LEVEL[..], &["--save", "again.csa", "--name", "Ichiro"]].concat();
    play(folder.path(), &again, lines);
    let moves = |game: &Record| game.to_usi();
    assert_eq!(moves(&Record::open(folder.path().join("again.csa")).unwrap()), moves(&game));
}

#[test]
fn illegal_moves_are_refused_by_their_rule_and_taken_back_moves_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let lines = "7g7e\n8h2b+\nhello\n58金\nundo\n7g7f\n２六歩\nundo\n6g6f\nsave a.kif\nquit\n";
    let printed = play(folder.path(), &LEVEL, lines);
    assert_all(
        &printed,
        &[
            "7g7e: a Pawn on 7g does not go to 7e",
            "8h2b+: the piece on 7g is in the way from 8h to 2b",
            "hello: neither a move (7g7f, P-7f, ７六歩) nor a command",
            "58金: found \"58金\", which is any of the moves from",
            "You have made no move yet.",
            "3. P-2f\n",
            "3. P-6f\n",
            "a.kif: saved.",
        ],
    );
    let game = Record::open(folder.path().join("a.kif")).unwrap();
    assert_eq!(game.end.map(|end| end.kind), Some(EndKind::Interrupt));
    assert_eq!((game.moves.len(), game.moves[2].m.to_string().as_str()), (4, "6g6f"));
    let japanese = [&LEVEL[..], &["--lang", "ja"]].concat();
    let printed =
        play(folder.path(), &japanese, "77歩\n7g7e\nヘルプ\n76歩\n投了\n保存 b.kifu\n終了\n");
    assert_all(
        &printed,
        &[
            "あなたは先手、相手はkomadai レベル1",
            "７七へそのように動ける歩はありません",
            "７七の歩は７五へは動けません",
            "待った          自分の最後の手を戻す",
            "1. ▲７六歩\n",
            "後手の持駒：なし",
            "2手で終局：あなたの負け（投了）",
            "b.kifu：保存しました。解析：komadai analyse b.kifu --html b.html",
        ],
    );
}

#[test]
fn ends_by_rule_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let game = |position: &str, more: &[&str], lines: &str| {
        play(folder.path(), &[&[position], &LEVEL[..], more].concat(), lines)
    };
    let mate = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
    let printed = game(mate, &["--save", "mate.kif"], "hint\nG*5b\n");
    assert_all(&printed, &["G*5b  (value for Black: Black mates in 1", "you win (checkmate)"]);
    let record = Record::open(folder.path().join("mate.kif")).unwrap();
    assert_eq!(record.end.map(|end| end.kind), Some(EndKind::Checkmate));
    assert_eq!(record.moves[0].comments.len(), 1, "the hint");

    let entered = "K+P+P+P+P+P+P+P+B/+R+R+B6/9/9/9/9/9/9/4k4 b P 1";
    let printed = game(entered, &["--save", "won.csa"], "declare\n");
    assert_all(&printed, &["You can declare a win: `declare`.", "you win (declaration)"]);
    let record = Record::open(folder.path().join("won.csa")).unwrap();
    assert_eq!(record.end.map(|end| end.kind), Some(EndKind::EnteringKingWin));
    let printed = game("startpos", &[], "declare\n");
    assert_all(&printed, &["Not allowed: king not entered, 0 of 10 pieces", "of 28 points."]);

    // White to move is mated if it does nothing.
    let threat = "4k4/9/4P4/9/9/9/9/9/4K4 w G 1";
    let white = game(threat, &["--side", "white"], "");
    assert_all(&white, &["You play White", "Threatmate: without a defence you are mated in 1."]);
    let quiet = game(threat, &["--side", "white", "--no-warnings"], "");
    assert!(!quiet.contains("Threatmate"), "{quiet}");
    let mated = game("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", &["--side", "white"], "5a4a\n");
    assert_all(
        &mated,
        &["after 0 moves: you lose (checkmate)", "5a4a: the king would be in check"],
    );
}

/// An engine that makes these moves in turn, whatever happens.
#[cfg(unix)]
fn scripted(folder: &Path, moves: &str) -> String {
    let script = format!(
        "#!/bin/sh\nset -- {moves}\nwhile read -r line; do case \"$line\" in\n\
         usi) echo 'id name Scripted'; echo usiok;;\nisready) echo readyok;;\n\
         go*) echo \"info depth 3 score cp 40 pv $1\"; echo \"bestmove $1\"; shift;;\n\
         quit) exit 0;;\nesac; done\n"
    );
    let path = folder.join("engine.sh");
    fs::write(&path, script).unwrap();
    format!("sh {}", path.display())
}

#[test]
#[cfg(unix)]
fn any_usi_engine_plays() {
    let folder = tempfile::tempdir().unwrap();
    let bare = "4k4/9/9/9/9/9/9/9/4K4 b - 1";
    let lines = "5i5h\n5h5i\n".repeat(6);
    let engine = scripted(folder.path(), &"5a5b 5b5a ".repeat(6));
    let with = |more: &[&'static str]| [&[bare, "--engine", engine.as_str()], more].concat();
    let printed = play(folder.path(), &with(&["--save", "draw.csa"]), &lines);
    assert_all(&printed, &["You play Black against Scripted", "12 moves: a draw (repetition)"]);
    let record = Record::open(folder.path().join("draw.csa")).unwrap();
    assert_eq!(record.end.map(|end| end.kind), Some(EndKind::Repetition));
    assert_eq!(record.moves[1].comments[0].text(), "* -40");

    let resigns = scripted(folder.path(), "resign");
    let printed = play(folder.path(), &["--engine", &resigns], "7g7f\n");
    assert_all(&printed, &["after 1 move: you win (resignation)"]);
    let cheats = scripted(folder.path(), "7g7f");
    let printed = play(folder.path(), &["--engine", &cheats], "7g7f\n");
    assert_all(&printed, &["you win (illegal move)"]);
    let refused = ["--engine", "/nowhere/engine"];
    let output = converse(folder.path(), "play", &refused, "");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("--engine \"/nowhere/engine\""));
}

#[test]
fn starts_are_positions_games_and_handicaps() {
    let folder = tempfile::tempdir().unwrap();
    let printed = play(
        folder.path(),
        &[&LEVEL[..], &["--handicap", "二枚落ち", "--lang", "ja", "--save", "a.kif"]].concat(),
        "",
    );
    assert_all(&printed, &["あなたは下手", "\n1. △", "a.kif：保存しました"]);
    let game = Record::open(folder.path().join("a.kif")).unwrap();
    assert_eq!(game.moves.len(), 1);
    // It goes on from the file, with the other side.
    let arguments = [&["a.kif", "--ply", "1"], &LEVEL[..], &["--side", "black"]].concat();
    let printed = play(folder.path(), &arguments, "moves\n7g7f\n");
    assert_all(&printed, &["   1 ", "2. P-7f\n", "\n3. "]);
    for (arguments, code, expected) in [
        (&["--handicap", "queen"][..], 2, "rook-lance"),
        (&["-"], 2, "standard input has the moves"),
        (&["9/9 b - 1"], 2, "ranks"),
        (&["--level", "11"], 2, "11"),
        (&["--level", "3", "--engine", "x"], 2, "cannot be used with"),
        (&["--save", "a.txt"], 2, "expected the ending .kif"),
        (&["--save", "a.kif"], 1, "a.kif exists; --force replaces it"),
        (&["--save", "no/a.kif"], 1, "no/a.kif"),
    ] {
        let output = converse(folder.path(), "play", arguments, "7g7f\n");
        let messages = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {messages}");
        assert!(messages.contains(expected), "{arguments:?}: {messages}");
    }
}

#[test]
fn a_clock_runs_out_while_nobody_types() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [&LEVEL[..], &["--byoyomi", "0.3", "--save", "late.csa"]].concat();
    let mut child = command(folder.path(), "play", &arguments).spawn().unwrap();
    let input = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(input);
    assert_all(
        &text(&output.stdout),
        &["time: 0:00+0.3, opponent 0:00+0.3", "you lose (time forfeit)"],
    );
    let record = Record::open(folder.path().join("late.csa")).unwrap();
    assert_eq!(record.end.map(|end| end.kind), Some(EndKind::TimeUp));
}

#[test]
#[cfg(unix)]
fn ctrl_c_keeps_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.kif");
    let arguments = [&LEVEL[..], &["--save", "game.kif"]].concat();
    let mut child = Running(command(folder.path(), "play", &arguments).spawn().unwrap());
    // It stays open: waiting for the program would close it.
    let mut input = child.0.stdin.take().unwrap();
    input.write_all(b"7g7f\n").unwrap();
    // Both moves are on disk before anything else happens.
    let begin = Instant::now();
    while !Record::open(&path).is_ok_and(|game| game.moves.len() == 2) {
        assert!(begin.elapsed() < Duration::from_secs(60), "the game is not kept");
        sleep(Duration::from_millis(20));
    }
    let kill = Command::new("kill").arg("-INT").arg(child.0.id().to_string()).status();
    assert!(kill.unwrap().success());
    assert_eq!(child.0.wait().unwrap().code(), Some(130));
    let game = Record::open(&path).unwrap();
    assert_eq!(game.moves.len(), 2);
    assert_eq!(game.end.map(|end| end.kind), Some(EndKind::Interrupt));
}

/// Two problems with one solution, of 3 and of 7 plies, from the bundled ones.
const SHORT: &str = "+B2g5/2k6/1p1p5/9/9/9/9/9/9 b S2rb3g3s4n4l16p 1";
const LONG: &str = "2+R3G2/4S1G1k/6ppp/9/9/9/9/9/9 b r2b2g3s4n4l15p 1";

#[test]
fn wrong_checks_are_refuted_and_the_mate_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let lines = "9a8a\n9a9b\n9a9z\nhint\nhint\nsolution\nS*8a\nundo\nS*7c\nundo\n７三銀\n9a8b\n";
    let output = converse(folder.path(), "tsume", &[SHORT, "--play"], lines);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_all(
        &text(&output.stdout),
        &[
            "Mate in 3. Give check",
            "No mate any more after +B-8a: the defender escapes by K-6b. Try again.",
            "+B-9b gives no check, and every move of the attacker has to.",
            "9a9z: neither a move",
            "The mate in 3 begins with a Silver in hand.\nS*7c\nS*7c K-7a +B-8b\n",
            "No mate any more after S*8a: the defender escapes by K-6b.",
            "You have made no move yet.",
            "S*7c K-7a\n",
            "+B-8b mates: solved in 3 plies, 2 mistakes.\nS*7c K-7a +B-8b\n",
        ],
    );
    let lines = "22金\n21金\n11金\n21龍\n";
    let output = converse(folder.path(), "tsume", &[LONG, "--play", "--lang", "ja"], lines);
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{printed}");
    assert_all(
        &printed,
        &[
            "7手詰。王手をかけてください",
            "まで7手詰。正解です（間違い0回）\n▲２二金 △同玉 ▲２一金 △１二玉 ▲１一金 △２二玉 ▲２一龍",
        ],
    );
}

#[test]
fn problems_that_cannot_be_played_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let none = "4k4/9/9/9/9/9/9/9/9 b G 1";
    for (arguments, code, expected) in [
        (&[SHORT, "--play"][..], 1, "Not solved."),
        (&[none, "--play"], 1, "There is no mate."),
        (&[LONG, "--play", "--nodes", "2"], 1, "no answer within --nodes"),
        (&["-", "--play"], 2, "standard input has the moves"),
        (&[SHORT, "--play", "--all"], 2, "cannot be used with"),
        (&[SHORT, "--play", "--solver", "pn"], 2, "--play needs --solver df-pn"),
    ] {
        let output = converse(folder.path(), "tsume", arguments, "");
        let printed = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {printed}");
        assert!(printed.contains(expected), "{arguments:?}: {printed}");
    }
}
