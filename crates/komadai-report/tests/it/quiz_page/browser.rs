//! The page in a browser: moves are chosen by squares and by buttons.

use std::fs;

use komadai_core::Language;

use super::page::page;
use crate::chromium::{checked, outcome, run};

#[test]
#[ignore = "needs Chromium"]
fn questions_are_answered() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("quiz.html");
    for language in [Language::English, Language::Japanese] {
        let text = page(language).to_string();
        fs::write(&path, checked(&text, "", include_str!("browser.js"))).unwrap();
        let (document, log) = run(&path, "");
        assert_eq!(outcome(&document), "fine", "{log}");
        assert!(!log.contains("CONSOLE"), "{log}");
    }
}

#[test]
#[ignore = "needs Chromium"]
fn the_policy_permits_the_script() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("quiz.html");
    fs::write(&path, page(Language::English).to_string()).unwrap();
    let (document, log) = run(&path, "");
    assert!(document.contains("<html lang=\"en\" class=\"js\">"), "{log}");
    assert!(!log.contains("CONSOLE"), "{log}");
}
