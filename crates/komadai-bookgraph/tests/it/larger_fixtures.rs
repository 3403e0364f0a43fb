//! Books of 5,000 to 100,000 positions, which are too large for this repository.
//!
//! `KOMADAI_BOOK_FIXTURES=folder cargo test --release -p komadai-bookgraph --test it --
//! larger_fixtures --ignored --nocapture` reads from the folder every `NAME.db` that has a
//! `NAME.expected.tsv` (columns `sfen`, `value`, `depth`, `kind`) beside it, and every
//! `NAME.frontier.SIDE.diffD.ruleR.tsv`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use komadai_bookfile::Tolerance;
use komadai_bookgraph::frontier::{FrontierOptions, Window};
use komadai_bookgraph::{BookGraph, GraphBuilder};
use komadai_core::{Color, Position};

use crate::propagation::unlisted_edges;

#[test]
#[ignore = "needs fixtures that are not in the repository"]
fn values_and_frontiers_are_exact() {
    let folder = std::env::var_os("KOMADAI_BOOK_FIXTURES").expect("the folder is named");
    let mut books: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|path| path.with_extension("expected.tsv").exists())
        .filter(|path| path.extension().is_some_and(|extension| extension == "db"))
        .collect();
    books.sort();
    assert!(!books.is_empty());
    books.iter().for_each(|path| check_book(path));
}

fn check_book(path: &Path) {
    let mut builder = GraphBuilder::new();
    let started = Instant::now();
    let file = std::fs::File::open(path).unwrap();
    builder.read_db(file, Tolerance::Strict).unwrap();
    let read = started.elapsed();
    let values = builder.finish().unwrap();
    let propagated = started.elapsed() - read;
    println!(
        "{}: {} positions, {} edges ({} not listed); read {read:.1?}, propagated {propagated:.1?}",
        path.display(),
        values.len(),
        values.edges(),
        unlisted_edges(&values),
    );
    let expected = std::fs::read_to_string(path.with_extension("expected.tsv")).unwrap();
    let mut rows = 0;
    for row in expected.lines().skip_while(|line| line.starts_with("sfen\t")) {
        let [sfen, score, plies, kind] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("four columns: {row}");
        };
        let value = values.value(&Position::from_sfen(sfen).unwrap()).unwrap();
        assert_eq!(value.score.raw().to_string(), score, "{sfen}");
        if kind == "leaf" {
            assert_eq!(value.plies.to_string(), plies, "{sfen}");
        }
        rows += 1;
    }
    assert_eq!(rows, values.len());
    check_frontiers(path, &values);
}

fn check_frontiers(path: &Path, values: &BookGraph) {
    let name = path.file_stem().unwrap().to_str().unwrap();
    for file in std::fs::read_dir(path.parent().unwrap()).unwrap() {
        let file = file.unwrap().path();
        let file_name = file.file_name().unwrap().to_str().unwrap().to_owned();
        let Some(walk) = file_name.strip_prefix(&format!("{name}.frontier.")) else { continue };
        let [side, diff, rule, "tsv"] = walk.split('.').collect::<Vec<_>>()[..] else {
            panic!("a side, a difference and a rule: {walk}");
        };
        let side = if side == "b" { Color::Black } else { Color::White };
        let window = if rule == "rule2" { Window::Root } else { Window::Best };
        let frontier = values.frontier(&FrontierOptions {
            eval_diff: diff.strip_prefix("diff").unwrap().parse().unwrap(),
            ..FrontierOptions::new(Position::hirate(), side, window)
        });
        let found: BTreeSet<String> = frontier
            .iter()
            .map(|found| found.position.to_string().rsplit_once(' ').unwrap().0.to_owned())
            .collect();
        let expected: BTreeSet<String> = std::fs::read_to_string(&file)
            .unwrap()
            .lines()
            .skip_while(|line| line.starts_with("sfen\t"))
            .map(|line| line.split('\t').next().unwrap().to_owned())
            .collect();
        assert_eq!(found, expected, "{file_name}");
        println!("{file_name}: {} positions", found.len());
    }
}
