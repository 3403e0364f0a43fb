//! A conformance report as text and as JSON.

use std::io::{self, Write};

use komadai::core::Language;
use komadai::usi::conformance::{ConformanceReport, Evidence, Finding, Outcome};
use komadai_console::padded;
use serde_json::{Value, json};

/// Writes a line a check, those of failed ones with the rule and its source, and the sums.
pub(super) fn write(
    out: &mut impl Write,
    report: &ConformanceReport,
    language: Language,
    only_failed: bool,
) -> io::Result<()> {
    let identity = &report.identity;
    if !identity.name.is_empty() {
        writeln!(out, "{} ({})\n", identity.name, identity.author)?;
    }
    for finding in report.findings() {
        if !only_failed || finding.outcome == Outcome::Fail {
            write_finding(out, finding, language)?;
        }
    }
    let count = |outcome| report.count(outcome);
    let (pass, fail) = (count(Outcome::Pass), count(Outcome::Fail));
    let (other, notes) = (count(Outcome::NotApplicable), count(Outcome::Note));
    match language {
        Language::English => {
            writeln!(out, "\n{pass} passed, {fail} failed, {other} not applicable, {notes} notes")
        }
        Language::Japanese => {
            writeln!(out, "\n合格 {pass}、不合格 {fail}、対象外 {other}、参考 {notes}")
        }
    }
}

fn write_finding(out: &mut impl Write, finding: &Finding, language: Language) -> io::Result<()> {
    let word = match finding.outcome {
        Outcome::Pass => language.choose("pass", "合格"),
        Outcome::Fail => language.choose("FAIL", "不合格"),
        Outcome::NotApplicable => language.choose("n/a", "対象外"),
        Outcome::Note => language.choose("note", "参考"),
    };
    let found = texts(&finding.found, language);
    let (word, id) = (padded(word, 6), padded(finding.check.id(), 22));
    writeln!(out, "{word} {id} {}", found.first().copied().unwrap_or_default())?;
    let indented = |out: &mut dyn Write, text: &str| writeln!(out, "{}{text}", " ".repeat(30));
    for more in found.iter().skip(1) {
        indented(out, more)?;
    }
    if finding.outcome == Outcome::Fail {
        let label = language.choose("expected: ", "規則：");
        indented(out, &format!("{label}{}", finding.check.rule(language)))?;
        indented(
            out,
            &format!("{}{}", language.choose("source: ", "出典："), finding.check.source()),
        )?;
    }
    Ok(())
}

fn texts(found: &[Evidence], language: Language) -> Vec<&str> {
    found.iter().map(|found| found.text(language)).collect()
}

/// Returns the report as a JSON object.
pub(super) fn json(report: &ConformanceReport, language: Language) -> Value {
    let checks = report.findings().iter().map(|finding| {
        json!({
            "id": finding.check.id(),
            "result": finding.outcome.word(),
            "expected": finding.check.rule(language),
            "found": texts(&finding.found, language),
            "source": finding.check.source(),
        })
    });
    json!({
        "name": report.identity.name,
        "author": report.identity.author,
        "passed": report.count(Outcome::Pass),
        "failed": report.count(Outcome::Fail),
        "not_applicable": report.count(Outcome::NotApplicable),
        "notes": report.count(Outcome::Note),
        "checks": checks.collect::<Value>(),
    })
}
