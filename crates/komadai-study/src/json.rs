//! A page as JSON.

use komadai::core::Language;
use serde_json::{Value, json};

use crate::claim::{Bound, Judged};
use crate::findings::Findings;
use crate::page::Page;

/// Returns the findings and the claims of a page.
///
/// The object has `source`, `command`, `version`, `figures` by name (`value`, `low`, `high`,
/// `count`) and `claims` (`text`, `place`, `verdict`, `tests`).
pub fn to_json(page: &Page, findings: &Findings, language: Language) -> Value {
    let figure = |(name, figure): (&str, crate::figure::Figure)| {
        let crate::figure::Figure { value, low, high, count } = figure;
        (name.to_owned(), json!({ "value": value, "low": low, "high": high, "count": count }))
    };
    let figures: serde_json::Map<String, Value> = findings.figures().map(figure).collect();
    let claims: Vec<Value> = page.claims().map(|judged| claim(judged, language)).collect();
    json!({
        "source": page.source,
        "command": page.command,
        "version": page.version,
        "figures": figures,
        "claims": claims,
    })
}

fn claim(judged: &Judged, language: Language) -> Value {
    let tests: Vec<Value> = judged
        .tests()
        .map(|(test, figure)| {
            let (below, above) = match test.bound {
                Bound::Below(bound) | Bound::AtMost(bound) => (Some(bound), None),
                Bound::Above(bound) => (None, Some(bound)),
                Bound::Within(low, high) => (Some(high), Some(low)),
            };
            json!({
                "figure": test.key,
                "value": figure.value,
                "low": figure.low,
                "high": figure.high,
                "count": figure.count,
                "below": below,
                "above": above,
                "source": test.theirs,
            })
        })
        .collect();
    json!({
        "text": judged.text(language),
        "place": judged.claim.place.in_language(language),
        "verdict": judged.verdict.name(),
        "tests": tests,
        "command": judged.claim.elsewhere,
    })
}
