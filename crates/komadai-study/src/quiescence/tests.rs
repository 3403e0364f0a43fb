//! The study on a few positions.

use std::num::NonZero;

use komadai::core::Language;
use komadai::search::Quiescence;

use crate::claim::{Judged, Verdict};
use crate::positions::{CheckPositions, Choice, Positions};
use crate::quiescence::measure::{
    Depths, Found, Measured, Measurer, MovesInCheck, Reference, Setting,
};
use crate::quiescence::results::{Band, Results, Sample};
use crate::quiescence::working_file::WorkingFile;
use crate::quiescence::{FIRST_MOVE, page, paper, picture};

fn setting(names: &[&str], depths: &str) -> Setting {
    Setting {
        reference: Reference::StandPat,
        in_check: MovesInCheck::Classes,
        checks: CheckPositions::In,
        depths: depths.parse().unwrap(),
        methods: names.iter().map(|name| name.parse().unwrap()).collect(),
    }
}

fn positions(every: u32) -> Positions {
    let every = NonZero::new(every).unwrap();
    let choice = Choice { first: FIRST_MOVE, every, checks: CheckPositions::In };
    Positions::read(&[], choice).unwrap()
}

#[test]
fn depths_are_lists_and_ranges() {
    assert_eq!("1-5".parse::<Depths>().unwrap().0, [1, 2, 3, 4, 5]);
    assert_eq!("5,3,3-4".parse::<Depths>().unwrap().0, [3, 4, 5]);
    for text in ["", "0", "1-", "5-3", "9", "a"] {
        assert!(text.parse::<Depths>().is_err(), "{text}");
    }
}

#[test]
fn the_default_rows_have_the_paper_s_rows_and_every_program() {
    for row in paper::TABLE {
        assert!(paper::ROWS.contains(&row.name), "{}", row.name);
    }
    for name in paper::ROWS {
        assert_eq!(name.parse::<Quiescence>().unwrap().to_string(), name);
    }
}

/// A search over all moves that stands pat where the reference does has no difference to it.
#[test]
fn all_moves_differ_from_the_reference_in_check_alone() {
    let setting = setting(&["All", "Eval"], "2");
    let mut measurer = Measurer::new(&setting);
    let mut equal = 0;
    for position in positions(200).iter() {
        let measured = measurer.measure(&position);
        let [truth, all, eval] = measured.found[..] else { panic!("{measured:?}") };
        assert_eq!(eval.nodes, 1);
        assert!(all.nodes > 1 && truth.nodes > 1);
        equal += usize::from(all.value == truth.value);
    }
    assert!(equal > 20, "{equal}");
}

/// Plain numbers by hand: the variance of the differences 1, 3, 5 is 8/3.
#[test]
fn sums_are_means_and_variances() {
    let setting = setting(&["Eval"], "1");
    let mut results = Results::new(&setting, 2);
    let mut measured = {
        let position = positions(1).iter().next().unwrap();
        Measurer::new(&setting).measure(&position)
    };
    for (index, value) in [1, 3, 5, 30_000].into_iter().enumerate() {
        measured.game = index % 2;
        measured.progress = [0, 7, 15, 15][index];
        measured.found = vec![Found { value: 0, nodes: 10 }, Found { value, nodes: 1 }];
        results.add(&measured);
    }
    let total = results.total();
    let cell = results.method(&total, "eval", 1, &Band::ALL).unwrap();
    assert!((cell.mean() - 3.0).abs() < 1e-9 && (cell.variance() - 8.0 / 3.0).abs() < 1e-9);
    assert_eq!((cell.positions, cell.count, cell.nodes()), (4.0, 3.0, 1.0));
    let rest = results.method(&total, "Eval", 1, &Band::REST).unwrap();
    assert!((rest.mean() - 4.0).abs() < 1e-9);
    assert!(results.method(&total, "SEE", 1, &Band::ALL).is_none());
    let sample = Sample::new(&results);
    let mean = |sums: &_| Some(results.method(sums, "Eval", 1, &Band::ALL)?.mean());
    let interval = sample.interval(mean).unwrap();
    assert!(interval.low <= interval.value && interval.value <= interval.high);
}

#[test]
fn a_stopped_study_continues_with_the_same_results() {
    let setting = setting(&["Eval", "SEE"], "1,2");
    let positions = positions(400);
    let folder = tempfile::tempdir().unwrap();
    let mut measurer = Measurer::new(&setting);
    let measured: Vec<_> = positions.iter().map(|p| measurer.measure(&p)).collect();
    let head = positions.identity();
    let mut file = WorkingFile::open(folder.path(), &head, &setting, |_| panic!()).unwrap();
    measured.iter().take(3).for_each(|measured| file.append(measured).unwrap());
    drop(file);
    // A killed process leaves a part of a line.
    let path = folder.path().join("positions.csv");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, &text[..text.len() - 2]).unwrap();
    let mut found = Vec::new();
    let file = WorkingFile::open(folder.path(), &head, &setting, |m| found.push(m)).unwrap();
    assert_eq!((file.lines(), &found[..]), (2, &measured[..2]));
    drop(file);
    let other = WorkingFile::open(folder.path(), "another", &setting, |_| ());
    assert!(other.unwrap_err().to_string().contains("another study"));
    std::fs::write(&path, text.replacen("\n0,", "\nx,", 1)).unwrap();
    let error = WorkingFile::open(folder.path(), &head, &setting, |_| ()).unwrap_err();
    assert!(error.to_string().starts_with("line 3"), "{error}");
}

#[test]
fn the_page_has_tables_claims_and_figures() {
    let setting = setting(&paper::ROWS, "1,2");
    let positions = positions(150);
    let mut results = Results::new(&setting, positions.games());
    let mut measurer = Measurer::new(&setting);
    positions.iter().for_each(|position| results.add(&measurer.measure(&position)));
    let findings = page::findings(&setting, &results, "command");
    let page = page::page(&findings);
    let text = page.markdown(Language::English);
    for row in paper::TABLE {
        assert!(text.contains(&format!("\n| {} |", row.name)), "{text}");
    }
    assert!(text.contains("## All depths"));
    // So few positions have no best move of some class in the opening.
    let decided = |one: &&Judged| one.verdict() != Verdict::NotDecidedHere;
    assert!(page.claims().filter(decided).count() >= 13 + 7, "{text}");
    // Nearly no position is a sample in which little can be decided, and much is undecided.
    assert!(page.claims().any(|one| one.verdict() == Verdict::Undecided), "{text}");
    let figures = picture::figures(&setting, &results).unwrap();
    assert_eq!(figures.len(), 2 + 3 + 1);
    for (name, svg) in figures {
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{name}");
    }
}

/// Planted results: SEE has twice the variance of Eval, so that captures are not effective.
#[test]
fn a_claim_that_the_data_contradict_is_not_confirmed() {
    let verdict = |see: i32| {
        let setting =
            setting(&["Eval", "SEE", "King", "Escape", "Promote", "Check", "Threatmate"], "5");
        let mut results = Results::new(&setting, 40);
        for index in 0..400 {
            let sign = if index % 2 == 0 { 1 } else { -1 };
            let noise = sign * (100 + index % 7);
            let mut found = vec![Found { value: noise, nodes: 5 }; 8];
            found[0] = Found { value: 0, nodes: 100 };
            found[2].value = noise * see / 100;
            let game = index as usize % 40;
            results.add(&Measured { game, progress: (index % 16) as u8, best: None, found });
        }
        let findings = page::findings(&setting, &results, "command");
        let page = page::page(&findings);
        let captures = |one: &&Judged| one.text(Language::English).starts_with("Captures are");
        page.claims().find(captures).unwrap().verdict()
    };
    assert_eq!(verdict(70), Verdict::Confirmed);
    assert_eq!(verdict(140), Verdict::NotConfirmed);
}
