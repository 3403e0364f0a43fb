//! Records with faults: what is kept, what is said, and the exit codes.

use std::fs;

use tempfile::TempDir;

use crate::{komadai, text};

/// A drop without the piece, and a move after it.
const LOST: &str = "1 ７六歩(77)\n2 ３四歩(33)\n3 ５五角打\n4 ８四歩(83)\n5 投了\n";

/// Black leaves his king in check, and the end states the foul.
const FOUL: &str = "先手：A\n1 ７六歩(77)\n2 ３四歩(33)\n3 ５八金(49)\n4 ７七角成(22)\n5 ２六歩(27)\n\
                    6 反則勝ち\n*王手放置の反則\nまで5手で後手の勝ち\n";

fn folder_with(name: &str, content: impl AsRef<[u8]>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), content).unwrap();
    folder
}

/// Runs a command, and returns the exit code and what was printed.
fn run(folder: &TempDir, line: &str) -> (Option<i32>, String, String) {
    let mut words = line.split(' ');
    let mut command = komadai(words.next().unwrap());
    let output = command.args(words).current_dir(folder.path()).output().unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn the_exit_code_tells_that_moves_of_a_game_are_lost() {
    for line in [
        "convert a.kifu a.csa",
        "kifu stats a.kifu",
        "kifu stats a.kifu --json",
        "page a.kifu a.html",
        "board a.kifu",
        "board a.kifu --svg a.svg",
        "analyse a.kifu --lenient --nodes 100",
        "book import a.kbook a.kifu",
    ] {
        let (code, printed, messages) = run(&folder_with("a.kifu", LOST), line);
        assert_eq!(code, Some(1), "{line}: {printed}{messages}");
        let whole = LOST.replace("５五角打", "２六歩(27)");
        let (code, printed, messages) = run(&folder_with("a.kifu", whole), line);
        assert_eq!(code, Some(0), "{line}: {printed}{messages}");
        assert!(!messages.contains("left out"), "{messages}");
    }
}

#[test]
fn the_end_after_lost_moves_is_kept_and_said() {
    let folder = folder_with("a.kifu", LOST);
    let (_, printed, messages) = run(&folder, "convert a.kifu a.csa");
    assert_eq!(printed, "a.csa: 1 game\n");
    for part in [
        "skipped: a.kifu: line 3, column 3: ply 3, 3 ５五角打, is illegal: Black has no Bishop in hand; \
         the move and 1 more move are left out, the end 投了 is kept\n",
        "lost: 2 moves of games\n",
    ] {
        assert!(messages.contains(part), "{messages}");
    }
    assert!(
        fs::read_to_string(folder.path().join("a.csa")).unwrap().ends_with("-3334FU\n%TORYO\n")
    );
    let (_, printed, _) = run(&folder, "kifu stats a.kifu");
    assert!(printed.contains("resignation"), "{printed}");
    // Moves of a variation are none of the game.
    let folder =
        folder_with("b.kifu", "1 ７六歩(77)\n2 投了\n変化：1手\n1 ２六歩(27)\n2 ５五角打\n");
    assert_eq!(run(&folder, "convert b.kifu b.csa").0, Some(0));
}

#[test]
fn a_foul_that_the_record_states_is_no_fault() {
    let folder = folder_with("a.kifu", FOUL);
    for line in ["convert a.kifu a.csa --strict", "convert a.kifu a.ki2u", "kifu stats a.kifu"] {
        let (code, _, messages) = run(&folder, line);
        assert_eq!((code, messages.as_str()), (Some(0), ""), "{line}");
    }
    let (code, printed, messages) = run(&folder, "analyse a.kifu --nodes 200 --lang en");
    assert_eq!(code, Some(0), "{messages}");
    assert!(printed.contains("P-2f foul") && printed.contains("White wins by a foul"), "{printed}");
    assert!(!messages.contains("illegal"), "{messages}");
    let (code, printed, messages) = run(&folder, "board a.kifu");
    assert_eq!(code, Some(0), "{messages}");
    assert!(printed.contains("|一") && messages.contains("is illegal"), "{printed}{messages}");
    // Without the end, the foul is a fault, but the move is kept.
    let folder = folder_with("b.kifu", FOUL.split("6 反則勝ち").next().unwrap());
    let (code, _, messages) = run(&folder, "convert b.kifu b.csa");
    assert_eq!(code, Some(0));
    assert!(messages.contains("warning: b.kifu: line 6") && messages.contains("the move is kept"));
    assert_eq!(run(&folder, "analyse b.kifu --nodes 200").0, Some(1));
}

#[test]
fn a_composition_with_nine_pawns_on_a_file_is_read() {
    let mut board = "後手の持駒：なし\n".to_owned();
    let ranks = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
    for (number, rank) in ranks.into_iter().enumerate() {
        let last = ["v玉", " ・", " 金"].get(number).unwrap_or(&" ・");
        board += &format!("| ・ ・ ・ ・v歩 ・ ・ ・{last}|{rank}\n");
    }
    board += "先手の持駒：金\n▲１二金打\nまで1手で詰み\n";
    let folder = folder_with("a.ki2u", &board);
    let (code, _, messages) = run(&folder, "convert a.ki2u a.usi");
    assert_eq!(code, Some(0), "{messages}");
    assert!(
        messages.contains("two unpromoted pawns on file 5; the position is kept"),
        "{messages}"
    );
    let line = fs::read_to_string(folder.path().join("a.usi")).unwrap();
    assert!(line.ends_with("b G 1 moves G*1b\n"), "{line}");
    for line in ["page a.ki2u a.html", "board a.ki2u", "analyse a.ki2u --lenient --nodes 100"] {
        let (code, _, messages) = run(&folder, line);
        assert_eq!(code, Some(0), "{line}: {messages}");
    }
    assert_eq!(run(&folder, "convert a.ki2u b.usi --strict").0, Some(1));
    // Books do not take it.
    let (_, printed, messages) = run(&folder, "book import a.kbook a.ki2u");
    assert!(!printed.contains("1 positions"), "{printed}{messages}");
}

#[test]
fn a_missing_file_costs_one_line_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    for line in ["convert no.kif out.csa", "page no.kif out.html", "board no.kif", "analyse no.kif"]
    {
        let (code, printed, messages) = run(&folder, line);
        assert_eq!((code, printed.as_str()), (Some(1), ""), "{line}");
        assert_eq!(messages.lines().count(), 1, "{line}: {messages}");
        assert_eq!(messages.matches("no.kif").count(), 1, "{line}: {messages}");
        assert_eq!(messages.matches("os error 2").count(), 1, "{line}: {messages}");
    }
    let (code, _, messages) = run(&folder, "kifu stats no.kif");
    assert!(code == Some(1) && messages.contains("os error 2"), "{messages}");
    assert!(!folder.path().join("out.csa").exists());
}

#[test]
fn a_file_of_another_kind_is_no_game() {
    for (name, bytes, reason) in [
        ("a.csa", &b"%PDF-1.4\n%\xe2\xe3\n1 0 obj\n"[..], "expected a record in CSA"),
        ("a.7z", &b"7z\xbc\xaf\x27\x1c\0\x04\0\0\0\0"[..], "a.7z: "),
        ("a.tar.xz", &b"\xfd7zXZ\0\0\x04\xe6"[..], "a file compressed by xz: unpack it first"),
        ("a.lzh", &b"\x1c\xa9-lh5-\x9d\x02\0\0"[..], "an LHA archive: unpack it first"),
        ("a.kif", &b"Rar!\x1a\x07\x01\0"[..], "a RAR archive: unpack it first"),
    ] {
        let folder = folder_with(name, bytes);
        let (code, printed, messages) = run(&folder, &format!("convert {name} out.kif"));
        assert_eq!((code, printed.as_str()), (Some(1), ""), "{name}");
        assert!(messages.contains(reason) && messages.lines().count() == 1, "{messages}");
        assert!(!messages.contains('\u{fffd}') || name == "a.csa", "{messages}");
    }
}

#[test]
fn standard_output_takes_a_record() {
    let folder = folder_with("a.kifu", "*注\n1 ７六歩(77)\n2 投了\n");
    let (code, printed, messages) = run(&folder, "convert a.kifu - --to usi");
    assert_eq!((code, printed.as_str()), (Some(0), "startpos moves 7g7f resign\n"));
    assert!(messages.contains("lost: 1 comment"), "{messages}");
    for (format, part) in
        [("csa", "+7776FU"), ("kif", "７六歩(77)"), ("ki2", "▲７六歩"), ("jkf", "\"FU\"")]
    {
        let (code, printed, _) = run(&folder, &format!("convert a.kifu - --to {format}"));
        assert!(code == Some(0) && printed.contains(part), "{printed}");
    }
    assert_eq!(run(&folder, "convert a.kifu -").0, Some(2), "no format");
    assert_eq!(run(&folder, "convert a.kifu a.txt --to csa").0, Some(0));
    assert!(fs::read_to_string(folder.path().join("a.txt")).unwrap().contains("+7776FU"));
}

#[test]
fn long_headers_are_cut_in_messages() {
    let text = format!("備考：{}\n1 ７六歩(77)\n", "長い備考。".repeat(1_000));
    let (_, printed, _) = run(&folder_with("a.kifu", text), "convert a.kifu a.usi");
    assert!(printed.contains("lost: header Note: 長い備考。") && printed.len() < 400, "{printed}");
}

#[test]
fn positions_from_addresses_are_read() {
    let folder = tempfile::tempdir().unwrap();
    for word in ["4k4/9/9/9/9/9/9/9/4K4_b_G_1", "4k4/9/9/9/9/9/9/9/4K4%20b%20G%201"] {
        let (code, printed, messages) = run(&folder, &format!("board {word}"));
        assert!(code == Some(0) && printed.contains("金"), "{messages}");
    }
}

#[test]
fn variations_that_an_import_does_not_read_are_counted() {
    let text = "1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n変化：2手\n2 ８四歩(83)\n3 ６八銀(79)\n";
    let (code, _, messages) = run(&folder_with("a.kifu", text), "book import a.kbook a.kifu");
    assert_eq!(code, Some(0), "{messages}");
    assert!(messages.contains("note: 1 variation of games not read"), "{messages}");
}

#[test]
fn a_side_without_a_king_is_not_mated() {
    // The only moves of Black's problem are wrong, and he runs out of moves.
    let folder = folder_with("a.usi", "sfen 8k/9/9/9/9/9/9/9/9 b G 1 moves G*9i 1a1b\n");
    let (code, printed, messages) = run(&folder, "analyse a.usi --nodes 2000 --lang en");
    assert_eq!(code, Some(0), "{messages}");
    assert!(!printed.contains("-mate"), "{printed}");
}
