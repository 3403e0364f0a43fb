//! The same function written in two crates.

use std::collections::BTreeMap;

use tidy::source::workspace;

/// The smallest number of tokens of a body that counts: about three lines. Shorter ones are
/// getters.
const MIN_TOKENS: usize = 40;

/// The crate or the top folder of a path.
fn area(path: &str) -> &str {
    let start = if path.starts_with("crates/") { "crates/".len() } else { 0 };
    let end = path[start..].find('/').map_or(path.len(), |length| start + length);
    &path[..end]
}

#[test]
fn no_body_stands_in_two_crates() {
    let mut places: BTreeMap<&str, Vec<(&str, String)>> = BTreeMap::new();
    for file in &workspace().files {
        // Benchmarks of peers and fuzz targets are workspaces of their own.
        let is_own = file.path.starts_with("crates/") || file.path.starts_with("examples/");
        if !is_own || file.path.contains("/tests/") {
            continue;
        }
        for function in &file.functions {
            if function.body.split(' ').count() >= MIN_TOKENS {
                let place = format!("{}:{}: {}", file.path, function.line, function.name);
                places.entry(&function.body).or_default().push((area(&file.path), place));
            }
        }
    }
    let found: Vec<String> = places
        .values()
        .filter(|copies| copies.iter().any(|(area, _)| *area != copies[0].0))
        .map(|copies| {
            copies.iter().map(|(_, place)| place.as_str()).collect::<Vec<_>>().join("\n    ")
        })
        .collect();
    assert!(
        found.is_empty(),
        "{} bodies stand in two crates; write the function once, in the lowest crate that knows its \
         words:\n{}",
        found.len(),
        found.join("\n")
    );
    assert!(places.len() > 1_000, "only {} bodies were compared", places.len());
}
