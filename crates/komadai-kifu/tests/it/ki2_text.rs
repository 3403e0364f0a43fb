//! KI2 as people write it: other text before and between the moves.

use komadai_kifu::{GameReader, KifuFormat, Tolerance, parse_ki2};

/// Returns the games in USI, and the faults.
fn read(text: &str) -> (Vec<String>, Vec<String>) {
    let loaded = parse_ki2(text, Tolerance::Lenient).unwrap();
    let games = loaded.records.iter().map(|record| record.to_usi_line()).collect();
    assert_eq!(loaded.skipped.lost_moves(), 0, "{text}");
    (games, loaded.skipped.first().iter().map(ToString::to_string).collect())
}

#[test]
fn other_text_between_moves_is_a_fault_each_and_cuts_nothing() {
    const GAME: &str = "startpos moves 7g7f 3c3d 2g2f 8c8d resign";
    for (text, faults) in [
        // Punctuation.
        ("▲７六歩、△３四歩、▲２六歩、△８四歩、投了", 4),
        ("▲７六歩，△３四歩。▲２六歩！△８四歩　投了", 3),
        ("☗７六歩！？☖３四歩…☗２六歩──☖８四歩 投了", 3),
        ("▼７六歩・▽３四歩→▼２六歩▽８四歩\n投了", 2),
        // Figure references.
        ("▲７六歩△３四歩（第１図）▲２六歩△８四歩\n投了", 1),
        ("▲７六歩△３四歩【図】▲２六歩△８四歩（途中図） 投了", 2),
        ("▲７六歩△３四歩\n第１図以下の指し手\n▲２六歩△８四歩\nまで4手で後手の勝ち", 1),
        ("▲７六歩△３四歩\n第１図以下の指し手　▲２六歩△８四歩\n投了", 1),
        ("▲７六歩△３四歩\n（第１図以下の指し手）\n▲２六歩△８四歩\n投了", 1),
        ("▲７六歩△３四歩\n以下の指し手：▲２六歩△８四歩\n投了", 1),
        ("初手からの指し手\n▲７六歩△３四歩▲２六歩△８四歩\n投了", 1),
        ("先手：A\n初手から　▲７六歩△３四歩▲２六歩△８四歩\n投了", 1),
        ("▲７六歩△３四歩▲２六歩\n第２図は▲２六歩まで\n△８四歩\n投了", 1),
        // Times.
        ("▲７六歩(0:01)△３四歩(0:02)▲２六歩(1:00)△８四歩(0:03)投了", 4),
        ("▲７六歩（1分）△３四歩［2分］▲２六歩△８四歩 投了", 2),
        ("▲７六歩 0:01 △３四歩 0:01 ▲２六歩△８四歩 投了", 2),
        ("▲７六歩0:01\n△３四歩\n▲２六歩△８四歩 投了", 1),
        // An end that is glued to the last move.
        ("▲７六歩△３四歩▲２六歩△８四歩まで4手で後手の勝ち", 1),
        ("▲７六歩△３四歩▲２六歩△８四歩、まで、後手の勝ち", 2),
        ("▲７六歩△３四歩▲２六歩△８四歩迄4手で後手の勝ち", 1),
        ("▲７六歩△３四歩▲２六歩△８四歩投了", 0),
        ("▲７六歩△３四歩▲２六歩△８四歩 投了まで4手で後手の勝ち", 0),
        // Numbers, blanks after the signs, sentences with other moves.
        ("1.▲７六歩 2.△３四歩 3.▲２六歩 4.△８四歩 投了", 4),
        ("①▲７六歩②△３四歩③▲２六歩④△８四歩 投了", 4),
        ("▲ ７六歩　△　３四歩 ▲２六歩△８四歩 投了", 0),
        ("▲７六歩△３四歩（△８四歩もある）▲２六歩△８四歩 投了", 1),
        ("▲７六歩△３四歩\nここで▲６六歩も有力である。\n▲２六歩△８四歩 投了", 1),
        ("▲７六歩と突いた将棋。\n▲７六歩△３四歩▲２六歩△８四歩 投了", 1),
        ("▲７六歩△３四歩は自然で▲２六歩△８四歩 投了", 1),
        // Without signs.
        ("７六歩、３四歩、２六歩、８四歩、投了", 4),
        ("７六歩 ３四歩（図） ２六歩 ８四歩\n投了", 1),
    ] {
        let (games, found) = read(text);
        assert_eq!(games, [GAME], "{text}\n{found:#?}");
        assert_eq!(found.len(), faults, "{text}\n{found:#?}");
        let strict = parse_ki2(text, Tolerance::Strict);
        assert_eq!(strict.is_ok(), faults == 0, "{text}");
    }
}

#[test]
fn the_fault_states_the_text_and_its_place() {
    let (_, faults) = read("▲７六歩（第1図）△３四歩");
    let expected = "line 1, column 5: found \"（第1図）\", expected a move such as ▲７六歩, or an end such as 投了";
    assert_eq!(faults, [expected]);
}

#[test]
fn a_damaged_move_is_no_text_between_moves() {
    for (text, moves, lost) in [
        ("▲７六歩△３四歩▲〓六歩△８四歩▲２五歩\n投了", 2, 3),
        ("▲７六歩△３〓歩▲２六歩", 1, 2),
        ("▲７六歩△３四　▲２六歩", 1, 2),
        ("▲７六歩△５二金、▲２六歩", 1, 2),
        ("７六歩 ３〓歩 ２六歩", 1, 2),
    ] {
        let loaded = parse_ki2(text, Tolerance::Lenient).unwrap();
        let found = (loaded.records[0].moves.len(), loaded.skipped.lost_moves());
        assert_eq!(found, (moves, lost), "{text}: {}", loaded.skipped);
    }
}

#[test]
fn a_foreword_of_any_length_hides_no_moves() {
    let foreword = "*観戦記　対局室の様子をお伝えします。両対局者が入室し、駒を並べ終えた。\n";
    let remark = "# ----------------------------------------------------------------------\n";
    let prose = "対局室の様子をお伝えします。両対局者が入室し、駒を並べ終えた。\n";
    let one_line = format!("備考：{}\n", "長い備考。".repeat(2_000));
    for count in [1, 100, 400, 10_000] {
        for (text, format) in [
            (format!("先手：A\n{}▲７六歩△３四歩\n", foreword.repeat(count)), KifuFormat::Ki2),
            (format!("{}▲７六歩△３四歩\n", foreword.repeat(count)), KifuFormat::Ki2),
            (format!("{}▲７六歩△３四歩\n", remark.repeat(count)), KifuFormat::Ki2),
            (format!("{}{one_line}▲７六歩△３四歩\n", remark.repeat(count)), KifuFormat::Ki2),
            (format!("{}▲７六歩△３四歩\n", prose.repeat(count)), KifuFormat::Ki2),
            (format!("{}1 ７六歩(77)\n2 ３四歩(33)\n", foreword.repeat(count)), KifuFormat::Kif),
            (format!("{}startpos moves 7g7f 3c3d\n", remark.repeat(count)), KifuFormat::Usi),
        ] {
            let mut games = GameReader::new(text.as_bytes(), Tolerance::Lenient).unwrap();
            assert_eq!(games.format(), format, "{count}");
            let game = games.next().unwrap().unwrap();
            assert_eq!(game.to_usi().to_string(), "startpos moves 7g7f 3c3d", "{count}");
            assert!(games.next().is_none());
        }
    }
}

#[test]
fn the_ending_decides_between_forms_without_moves() {
    for (name, is_ki2) in [("a.ki2", true), ("b.ki2u", true), ("c.KI2.gz", true), ("d.kif", false)]
    {
        let games =
            GameReader::named("手合割：平手\n".as_bytes(), name, Tolerance::Strict).unwrap();
        assert_eq!(games.format() == KifuFormat::Ki2, is_ki2, "{name}");
        assert_eq!(games.count(), 1);
    }
    // Moves after other text, without a line of their own.
    for (name, text) in [
        ("a.txt", "初手から▲７六歩△３四歩▲６六歩\nまで3手で中断\n"),
        ("a.ki2", "１図から▲７六歩\n△３四歩、▲６六歩 まで3手\n"),
        ("a.ki2u", "局面は初手から。▲７六歩\n△３四歩▲６六歩\n"),
    ] {
        let mut games = GameReader::named(text.as_bytes(), name, Tolerance::Lenient).unwrap();
        assert_eq!(games.next().unwrap().unwrap().moves.len(), 3, "{text}");
    }
    // The text counts more than a wrong name.
    let games = GameReader::named("1 ７六歩(77)\n".as_bytes(), "a.ki2", Tolerance::Strict).unwrap();
    assert_eq!(games.format(), KifuFormat::Kif);
    for text in ["Dear Sir,\n▲", "%PDF-1.4\n%\u{e2}\n1 0 obj\n", "\u{0}\u{1}\u{2}"] {
        for name in ["a.ki2", "a.kif", "a.csa", "a"] {
            let games = GameReader::named(text.as_bytes(), name, Tolerance::Lenient);
            let found = games.map_or_else(|_| Vec::new(), Iterator::collect);
            assert!(found.is_empty(), "{name} {text} {found:?}");
        }
    }
}

/// A source that yields a few bytes at a time, as a pipe may.
#[test]
fn the_format_does_not_depend_on_the_size_of_reads() {
    let text = "# 棋譜\n先手：A\n*注\n▲７六歩△３四歩\n";
    for size in 1..text.len() {
        let source = std::io::BufReader::with_capacity(size, text.as_bytes());
        let mut games = GameReader::new(source, Tolerance::Strict).unwrap();
        assert_eq!(games.format(), KifuFormat::Ki2, "{size}");
        assert_eq!(games.next().unwrap().unwrap().moves.len(), 2);
    }
}
