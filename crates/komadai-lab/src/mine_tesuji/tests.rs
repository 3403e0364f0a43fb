use std::collections::BTreeMap;
use std::fs;

use clap::Parser;
use komadai::search::{Tesuji, TesujiTable};
use komadai_testdata::games;

use super::*;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    arguments: Arguments,
}

fn mine(words: &[&str]) -> anyhow::Result<()> {
    let words = [&["mine-tesuji", "--least-share", "10"], words].concat();
    run(&Line::parse_from(words).arguments)
}

#[test]
fn a_table_is_that_of_one_run_after_an_interruption() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let lines = |range: std::ops::Range<usize>| {
        let games = games::tournament().skip(range.start).take(range.len());
        games.map(|game| format!("startpos moves {}\n", game.moves)).collect::<String>()
    };
    let (a, b, state) = (path("a.usi"), path("b.usi"), path("counts.txt"));
    fs::write(&a, lines(0..20)).unwrap();
    fs::write(&b, lines(20..40)).unwrap();
    let (whole, parts) = (path("whole.txt"), path("parts.txt"));
    mine(&["--no-bundled", "--out", &whole, &a, &b]).unwrap();
    mine(&["--no-bundled", "--state", &state, "--out", &parts, &a]).unwrap();
    assert_ne!(fs::read(&whole).unwrap(), fs::read(&parts).unwrap());
    mine(&["--no-bundled", "--state", &state, "--out", &parts, &a, &b]).unwrap();
    assert_eq!(fs::read(&whole).unwrap(), fs::read(&parts).unwrap());
    let table = TesujiTable::read(&fs::read(&whole).unwrap()).unwrap();
    assert!(table.len() > 10);
    let taking_back: Tesuji =
        Tesuji::new(&["BxB+".parse().unwrap(), "Sx+B@0,0".parse().unwrap()]).unwrap();
    let text = fs::read_to_string(&whole).unwrap();
    assert!(text.contains(&format!("\n{taking_back} # ")), "{text}");
    assert!(text.contains("の歩 ("), "some sequence has a name: {text}");
    // A file that has changed is not counted again.
    fs::write(&a, lines(0..21)).unwrap();
    let error = mine(&["--no-bundled", "--state", &state, "--out", &parts, &a]).unwrap_err();
    assert!(error.to_string().contains("as when it was counted"), "{error}");
    assert!(mine(&["--no-bundled", "--note", "a\nb"]).is_err());
    let error = mine(&["--no-bundled"]).unwrap_err();
    assert_eq!(error.to_string(), "found no game with a move, expected at least one");
    assert!(mine(&["--no-bundled", &path("missing.usi")]).is_err());
}

/// With little memory no count is too large, and none too small by more than the floor.
#[test]
fn bounded_counts_are_within_their_error() {
    let mut exact = Counts::new(usize::MAX);
    let mut bounded = Counts::new(4_000);
    for game in bundled() {
        exact.add(&game);
        bounded.add(&game);
        assert!(bounded.entries <= 4_000);
    }
    assert_eq!(exact.floor, 0);
    assert!(bounded.floor > 0 && bounded.after.len() < exact.after.len());
    let counts = |counts: &Counts| -> BTreeMap<_, u32> {
        let each = counts.after.iter();
        each.flat_map(|(before, following)| {
            following.next.iter().map(|(&next, seen)| ((*before, next), seen.count))
        })
        .collect()
    };
    let (all, kept) = (counts(&exact), counts(&bounded));
    for (sequence, count) in &all {
        let found = kept.get(sequence).copied().unwrap_or(0);
        assert!(found <= *count && found + bounded.floor >= *count, "{sequence:?} {found} {count}");
    }
}
