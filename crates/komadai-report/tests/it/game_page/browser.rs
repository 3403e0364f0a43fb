//! The page in a browser: its script replays games and draws the boards that this crate draws.

use std::fs;

use komadai_core::{Color, Language, Move, Setup};
use komadai_kifu::{Record, Tolerance, parse_csa, parse_kif};
use komadai_report::{GamePage, SvgBoard, SvgPieces};
use komadai_testdata::kifu;

use super::page::hostile;
use crate::chromium::{checked, outcome, run};

/// The pictures of all positions of a game.
fn boards(record: &Record, pieces: SvgPieces) -> Vec<SvgBoard> {
    let mut boards: Vec<(Setup, Option<Move>)> = vec![(record.setup.clone(), None)];
    for step in record.positions().unwrap() {
        let (position, played) = step.unwrap();
        boards.push((position.after(played.m).to_setup(), Some(played.m)));
    }
    let picture = |(setup, last): (Setup, Option<Move>)| SvgBoard {
        pieces,
        last_move: last,
        ..SvgBoard::new(setup)
    };
    boards.into_iter().map(picture).collect()
}

/// The page with the check and the expected boards.
fn checked_page(record: &Record, language: Language, pieces: SvgPieces) -> String {
    let page = GamePage { language, ..GamePage::new(record) }.to_string();
    let boards = boards(record, pieces);
    let all = |boards: Vec<SvgBoard>| boards.iter().map(SvgBoard::to_string).collect::<String>();
    let flip = |board: &SvgBoard| SvgBoard { bottom: Color::White, ..board.clone() };
    let flipped = boards.iter().map(flip).collect();
    let expected = format!(
        "<div class=\"expected\" hidden>{}</div><div class=\"expected-flipped\" hidden>{}</div>",
        all(boards),
        all(flipped)
    );
    checked(&page, &expected, include_str!("browser.js"))
}

fn games() -> Vec<(&'static str, Record)> {
    let csa = ["skc__csa_floodgate.csa", "skc__csa_WCSC32_F7_NBS_DLS.csa"];
    let csa = csa.map(|name| {
        let sample = kifu::samples().find(|sample| sample.name == name).unwrap();
        (name, parse_csa(sample.bytes, Tolerance::Lenient).unwrap().records.remove(0))
    });
    let kif = ["kfj__kif_henka.kif"].map(|name| {
        let sample = kifu::kif_samples().find(|sample| sample.name == name).unwrap();
        (name, parse_kif(sample.bytes, Tolerance::Lenient).unwrap().records.remove(0))
    });
    csa.into_iter().chain(kif).chain([("hostile texts", hostile())]).collect()
}

#[test]
#[ignore = "needs Chromium"]
fn games_are_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    for (name, record) in games() {
        for (language, pieces) in
            [(Language::Japanese, SvgPieces::Kanji), (Language::English, SvgPieces::Letters)]
        {
            fs::write(&path, checked_page(&record, language, pieces)).unwrap();
            let (document, log) = run(&path, "");
            let expected = format!("fine, {} positions", record.moves.len() + 1);
            assert_eq!(outcome(&document), expected, "{name}: {log}");
            assert!(!log.contains("CONSOLE"), "{name}: {log}");
        }
    }
}

#[test]
#[ignore = "needs Chromium"]
fn the_policy_permits_the_script_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    let (_, record) = games().remove(0);
    let page = GamePage::new(&record).to_string();
    fs::write(&path, &page).unwrap();
    let (document, log) = run(&path, "");
    assert!(document.contains("<html lang=\"en\" class=\"js\">"), "{log}");
    assert!(!log.contains("CONSOLE"), "{log}");
    let other = "<script>document.title = 'changed'</script></body>";
    fs::write(&path, page.replace("</body>", other)).unwrap();
    let (document, log) = run(&path, "");
    assert!(!document.contains("<title>changed</title>"), "{document}");
    assert!(log.contains("CONSOLE") && log.contains("Content Security Policy"), "{log}");
}
