//! The experiments in small, planted results, and logs.

use std::num::NonZero;
use std::sync::Arc;

use komadai::core::Language;

use crate::claim::{Judged, Verdict};
use crate::figure::Figure;
use crate::findings::Findings;
use crate::hybrid::{HybridOptions, log, page};

fn verdict(findings: &Findings, text: &str) -> Verdict {
    let page = page(findings);
    let is_meant = |one: &&Judged| one.text(Language::English).contains(text);
    page.claims().find(is_meant).expect(text).verdict()
}

#[test]
fn a_small_study_measures_what_the_page_shows() {
    let folder = tempfile::tempdir().unwrap();
    let options = HybridOptions {
        folder: folder.path().to_owned(),
        positions: 3,
        nodes: 300,
        referee: 2,
        problems: 4,
        log: None,
        threads: NonZero::new(2).unwrap(),
    };
    let findings = options.measure("x", &Arc::default()).unwrap();
    let page = page(&findings);
    let open = page.claims().filter(|one| one.verdict() == Verdict::NotDecidedHere).count();
    assert_eq!(open, 4, "{}", page.markdown(Language::English));
    assert_eq!(verdict(&findings, "Below the root"), Verdict::Confirmed);
}

#[test]
fn logs_decide_games_and_damaged_ones_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hybrid.log");
    let game = |index: usize, half: u8| format!("game\tym2012\tym2012,mean\tx\t{index}\t{half}\n");
    let games = |half: u8| -> String { (0..40).map(|index| game(index, half)).collect() };
    let measured = |text: &str| {
        std::fs::write(&path, text).unwrap();
        let mut findings = Findings::new("hybrid", "x");
        log::measure(&path, &mut findings).map(|()| findings)
    };
    let text = "The rate of the best child";
    assert_eq!(verdict(&measured(&games(2)).unwrap(), text), Verdict::Confirmed);
    assert_eq!(verdict(&measured(&games(0)).unwrap(), text), Verdict::NotConfirmed);
    assert_eq!(verdict(&measured("position\ta\tb\n").unwrap(), text), Verdict::NotDecidedHere);
    let error = measured(&(games(1) + &game(40, 3))).unwrap_err().to_string();
    assert!(error.contains("line 41: found"), "{error}");
}

#[test]
fn gains_decide_the_claims_about_positions() {
    let mut findings = Findings::new("hybrid", "x");
    let mut add = |key: &str, low, high| {
        let value = (low + high) / 2.0;
        findings.add(key, Figure { value, low, high, count: 100 });
    };
    add("ym2012 gain ahead", 5.0, 60.0);
    add("ym2012 gain all", -30.0, -5.0);
    add("tree alone", -20.0, 3.0);
    assert_eq!(verdict(&findings, "It helps in positions"), Verdict::Confirmed);
    assert_eq!(verdict(&findings, "Both together"), Verdict::NotConfirmed);
    assert_eq!(verdict(&findings, "Tree search alone"), Verdict::Undecided);
}
