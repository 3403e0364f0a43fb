//! The experiments in small, and planted results.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use komadai::core::Language;

use crate::claim::{Judged, Verdict};
use crate::figure::Figure;
use crate::findings::Findings;
use crate::glossary::{GlossaryOptions, castles, page, small};

fn verdict(findings: &Findings, text: &str) -> Verdict {
    let page = page(findings);
    let is_meant = |one: &&Judged| one.text(Language::English).contains(text);
    page.claims().find(is_meant).expect(text).verdict()
}

#[test]
fn castles_keys_and_points_have_known_answers() {
    let mut findings = Findings::new("glossary", "x");
    castles::measure(&mut findings);
    assert_eq!(verdict(&findings, "into the castle"), Verdict::Confirmed);
    let steps = findings.get("falling steps").unwrap();
    assert_eq!((steps.value, steps.count), (0.0, 32));
    small::points(&mut findings);
    assert_eq!(verdict(&findings, "approximates π"), Verdict::Confirmed);
    small::keys(&mut findings);
    assert_eq!(verdict(&findings, "64 bits"), Verdict::Confirmed);
    // Planted: a fall on the way, and a key in a hundred that is not alone.
    findings.add("falling steps", Figure::exact(2.0, 34));
    assert_eq!(verdict(&findings, "into the castle"), Verdict::NotConfirmed);
    findings.add("equal keys", Figure::share(1_000, 100_000).unwrap());
    assert_eq!(verdict(&findings, "64 bits"), Verdict::NotConfirmed);
}

#[test]
fn a_small_study_decides_all_that_it_measures_and_continues() {
    let folder = tempfile::tempdir().unwrap();
    let stop = Arc::<AtomicBool>::default();
    let options = GlossaryOptions {
        folder: folder.path().to_owned(),
        positions: 3,
        depth: 3,
        nodes: 300,
        problems: 12,
        threads: NonZero::new(2).unwrap(),
    };
    let findings = options.measure("x", &stop).unwrap();
    let page = page(&findings);
    let open = page.claims().filter(|one| one.verdict() == Verdict::NotDecidedHere).count();
    assert_eq!(open, 4, "{}", page.markdown(Language::English));
    // What is done is read, so that a stop changes nothing; another command begins anew.
    stop.store(true, Ordering::Relaxed);
    assert_eq!(options.measure("x", &stop).unwrap(), findings);
    assert!(options.measure("y", &stop).is_err());
}
