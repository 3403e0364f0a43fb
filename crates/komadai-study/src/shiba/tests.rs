//! Planted generations of games.

use komadai::book::games::{BookUse, GameOutcome};
use komadai::core::{Color, Language};

use crate::claim::{Judged, Verdict};
use crate::shiba::{Generation, findings, of_generations, page, paper};

/// Returns a generation of games with these lengths of the book and these wins of ten.
fn generation(number: u32, length: u32, wins: usize) -> Generation {
    let game = |index: usize| BookUse {
        opponent: "other".to_owned(),
        generation: number,
        book_side: Color::Black,
        outcome: if index % 10 < wins { GameOutcome::Win } else { GameOutcome::Loss },
        length: length + index as u32 % 3,
        left_at: Some(length + 1),
        own_thought_at: Some(length + 1 + index as u32 % 3),
        opponent_thought_at: Some(2),
        score: Some(if wins > 5 { 100 } else { -500 }),
        lead_ms: None,
    };
    Generation {
        games: (0..60).map(game).collect(),
        positions: 1_000 * u64::from(number + 1),
        deleted: 1,
    }
}

fn verdicts(generations: &[Generation]) -> impl Fn(&str) -> Verdict {
    let page = page(&of_generations(generations, "x"));
    move |text| {
        let is_meant = |one: &&Judged| one.text(Language::English).contains(text);
        page.claims().find(is_meant).expect(text).verdict()
    }
}

#[test]
fn growth_and_results_are_judged_by_the_games() {
    let grows = [(6, 5), (14, 8), (22, 9), (30, 10)];
    let good: Vec<_> =
        (0..).zip(grows).map(|(number, (length, wins))| generation(number, length, wins)).collect();
    let verdict = verdicts(&good);
    for text in [
        "monotonically",
        "At best",
        "lasts longer",
        "spends time first",
        "clearly worse",
        "improve",
        "90 %",
        "very short",
    ] {
        assert_eq!(verdict(text), Verdict::Confirmed, "{text}");
    }
    assert_eq!(verdict("Multi Ponder"), Verdict::NotDecidedHere);
    let falls = [(30, 9), (12, 3)];
    let bad: Vec<_> =
        (0..).zip(falls).map(|(number, (length, wins))| generation(number, length, wins)).collect();
    let verdict = verdicts(&bad);
    for text in ["monotonically", "lasts longer", "clearly worse", "improve", "90 %"] {
        assert_eq!(verdict(text), Verdict::NotConfirmed, "{text}");
    }
}

#[test]
fn the_paper_s_means_are_those_of_its_tables() {
    assert!((paper::mean_own(&paper::TABLE_1) - 30.67).abs() < 0.01);
    assert!((paper::mean_own(&paper::TABLE_2) - 27.33).abs() < 0.01);
    assert!((paper::wins() - 0.96).abs() < 1e-9);
}

#[test]
fn a_file_that_is_no_book_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.kbook");
    std::fs::write(&path, "no book").unwrap();
    let error = format!("{:#}", findings(&path, "x").unwrap_err());
    assert!(error.contains("a.kbook"), "{error}");
}
