//! Books of two engines before their release.

use komadai_book::release::{
    EngineSources, deciding_leaves, leaf_sources, newest_engine, other_scales, remedies,
    rescaled_graph,
};
use komadai_book::store::{Change, Store};
use komadai_book::{LoggedAnalysis, WorkingBook};
use komadai_bookgraph::BookGraph;
use komadai_bookgraph::frontier::{BookSides, FrontierOptions, OwnMoves, Window};
use komadai_core::{Analysis, AnalystId, Color, Line, Position, Score};
use komadai_kifu::Tolerance;
use komadai_testdata::books::synthetic;

use crate::sample_games::moves;

/// The engines of the books: the last two are one engine with different tables.
const ENGINES: [(&str, &str); 3] = [("1", ""), ("2", "USI_Hash=4"), ("2", "USI_Hash=64 MultiPV=2")];

fn engine(number: usize) -> AnalystId {
    let (version, options) = ENGINES[number];
    AnalystId { options: options.to_owned(), ..AnalystId::new("engine", version) }
}

/// Returns an analysis of the position after a line: the values of moves by one of the engines.
fn analysed(line: &str, by: usize, nodes: u64, values: &[(&str, i32)]) -> Change {
    let mut position = Position::hirate();
    moves(line).into_iter().for_each(|m| position.do_move(m));
    let exact = |&(m, cp): &(&str, i32)| Line::exact(Score::cp(cp), m.parse().unwrap());
    let lines = values.iter().map(exact).collect();
    let analysis = Analysis { lines, nodes, ..Analysis::default() };
    LoggedAnalysis::new(position.without_history(), analysis, engine(by)).into()
}

/// A book whose first engine is stale after 2g2f, and whose value after 7g7f is nobody's business.
fn two_engines() -> (tempfile::TempDir, WorkingBook) {
    let folder = tempfile::tempdir().unwrap();
    let mut book = WorkingBook::open_or_create(folder.path().join("book.kbook")).unwrap();
    book.merge(&[
        analysed("", 0, 900, &[("2g2f", 40), ("7g7f", 30), ("5g5f", -80)]),
        // Both replies are followed by a window of 30, and the third is not.
        analysed("2g2f", 0, 5_000, &[("8c8d", -35), ("3c3d", -45), ("1c1d", -300)]),
        analysed("2g2f 8c8d", 1, 20_000, &[("2f2e", 50), ("7g7f", 20)]),
        analysed("2g2f 3c3d", 0, 4_000, &[("2f2e", 60)]),
        analysed("7g7f", 2, 30_000, &[("3c3d", -10)]),
    ])
    .unwrap();
    (folder, book)
}

fn black(eval_diff: i32) -> FrontierOptions {
    FrontierOptions {
        eval_diff,
        ..FrontierOptions::new(Position::hirate(), Color::Black, Window::Best)
    }
}

#[test]
fn leaves_have_the_sources_of_their_last_moves() {
    let (_folder, book) = two_engines();
    assert_eq!(newest_engine(book.store()).unwrap(), Some(engine(2)));
    let analysts = book.store().analysts().unwrap();
    let new = EngineSources::among(&analysts, &engine(2));
    assert_eq!((new.len(), EngineSources::among(&analysts, &engine(0)).len()), (2, 1));

    let leaves = deciding_leaves(&book, &black(30)).unwrap();
    let lines: Vec<String> = leaves
        .iter()
        .map(|leaf| {
            let line: Vec<String> = leaf.leaf.line.iter().map(ToString::to_string).collect();
            let value = leaf.value.unwrap();
            format!("{} {} {}", line.join(" "), value.nodes, new.contains(value.analyst))
        })
        .collect();
    assert_eq!(lines, ["2g2f 8c8d 2f2e 20000 true", "2g2f 3c3d 2f2e 4000 false"]);
    let sources: Vec<_> = leaf_sources(&leaves)
        .iter()
        .map(|source| {
            (source.analyst.map(|found| found.index()), source.leaves, source.median_nodes)
        })
        .collect();
    assert_eq!(sources, [(Some(0), 1, 4_000), (Some(1), 1, 20_000)]);

    let stale = remedies(&leaves, |leaf| !leaf.value.is_some_and(|v| new.contains(v.analyst)));
    assert_eq!((stale.len(), &stale[0].leaves[..]), (1, &[1][..]));
    let mut before = Position::hirate();
    moves("2g2f 3c3d").into_iter().for_each(|m| before.do_move(m));
    assert_eq!(stale[0].position.to_string(), before.to_string());
}

#[test]
fn an_analysis_of_the_remedies_leaves_nothing_stale() {
    let (_folder, mut book) = two_engines();
    book.merge(&[analysed("2g2f 3c3d", 2, 50_000, &[("2f2e", 58), ("7g7f", 41)])]).unwrap();
    let new = EngineSources::among(&book.store().analysts().unwrap(), &engine(1));
    let leaves = deciding_leaves(&book, &black(30)).unwrap();
    assert_eq!(leaves.len(), 2);
    assert!(leaves.iter().all(|leaf| new.contains(leaf.value.unwrap().analyst)));
}

#[test]
fn positions_with_most_leaves_come_first_and_a_missing_root_is_its_own_remedy() {
    let (_folder, mut book) = two_engines();
    book.merge(&[analysed("2g2f 3c3d", 0, 4_000, &[("7g7f", 60), ("2f2e", 60)])]).unwrap();
    let options = FrontierOptions {
        roots: vec![Position::hirate(), Position::hirate().after("9g9f".parse().unwrap())],
        own_moves: OwnMoves::AllBest,
        ..black(30)
    };
    let leaves = deciding_leaves(&book, &options).unwrap();
    assert_eq!(leaves.len(), 4);
    let all = remedies(&leaves, |_| true);
    let leaves_of: Vec<usize> = all.iter().map(|remedy| remedy.leaves.len()).collect();
    assert_eq!(leaves_of, [2, 1, 1]);
    let root = all.iter().find(|remedy| leaves[remedy.leaves[0]].leaf.line.is_empty()).unwrap();
    assert_eq!(root.position.to_string(), options.roots[1].to_string());
    assert!(leaves[root.leaves[0]].value.is_none());
}

#[test]
fn best_lines_end_in_leaves_with_the_value_of_the_root() {
    for fixture in synthetic::books() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::create(folder.path().join("book.kbook")).unwrap();
        let graph = BookGraph::from_db(fixture.input.as_bytes(), Tolerance::Strict).unwrap();
        let analyst = AnalystId::new("engine", "1");
        for record in graph.records() {
            store.merge_batch(&Change::of_record(&record, &analyst)).unwrap();
        }
        let book = WorkingBook::of_store(store).unwrap();
        let mut decided = 0;
        for record in graph.records() {
            let root = record.position;
            let Some(value) = book.graph().value(&root) else { continue };
            let options = FrontierOptions {
                eval_diff: 0,
                own_moves: OwnMoves::AllBest,
                ..FrontierOptions::new(root.clone(), BookSides::Both, Window::Best)
            };
            for leaf in deciding_leaves(&book, &options).unwrap() {
                let score = leaf.value.expect("a move that leaves the book has a value").score;
                let is_of_root = leaf.before.side() == root.side();
                assert_eq!(if is_of_root { score } else { -score }, value.score, "{leaf:?}");
                decided += 1;
            }
        }
        assert!(decided > 0 || fixture.name != "small50", "{}", fixture.name);
    }
}

#[test]
fn another_scale_changes_the_best_move_where_both_kinds_of_values_meet() {
    let (_folder, mut book) = two_engines();
    // The new engine doubles: 40 becomes 80, and so on.
    let pairs: Vec<(&str, i32)> =
        vec![("9g9f", -40), ("1g1f", -20), ("4g4f", 0), ("3g3f", 10), ("6g6f", 15)];
    let doubled: Vec<(&str, i32)> = pairs.iter().map(|&(m, cp)| (m, 2 * cp)).collect();
    let line = "2g2f 1c1d";
    book.merge(&[analysed(line, 0, 900, &pairs)]).unwrap();
    book.merge(&[analysed(line, 1, 900, &doubled)]).unwrap();
    let analysts = book.store().analysts().unwrap();
    let new = EngineSources::among(&analysts, &engine(1));
    let scales = other_scales(book.store(), &new).unwrap();
    assert_eq!((scales.len(), scales[0].analyst.index()), (1, 0));
    let line = scales[0].scale.unwrap().robust;
    assert!((line.slope - 2.0).abs() < 1e-9 && line.intercept.abs() < 1e-9, "{line:?}");

    let then = rescaled_graph(book.store(), &scales).unwrap();
    let value = |graph: &BookGraph, line: &str| {
        let mut position = Position::hirate();
        moves(line).into_iter().for_each(|m| position.do_move(m));
        graph.value(&position).unwrap().score
    };
    // Old values double, new ones stay: White's better reply is now the other one.
    assert_eq!(value(book.graph(), "2g2f 3c3d"), Score::cp(60));
    assert_eq!(value(&then, "2g2f 3c3d"), Score::cp(120));
    assert_eq!(value(&then, "2g2f 8c8d"), Score::cp(50));
    assert_eq!(value(&then, "7g7f"), Score::cp(-10));
    // Sources without a common move have no scale, and nothing changes.
    let (_folder, book) = two_engines();
    let scales = other_scales(book.store(), &new).unwrap();
    assert!(scales[0].scale.is_none());
    let same = rescaled_graph(book.store(), &scales).unwrap();
    assert!(same.records().eq(book.store().graph().unwrap().records()));
}

#[test]
fn a_book_without_searches_has_no_engine() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(folder.path().join("book.kbook")).unwrap();
    assert_eq!(newest_engine(&store).unwrap(), None);
    store.add_games(&Position::hirate(), "7g7f".parse().unwrap(), 3).unwrap();
    assert_eq!(newest_engine(&store).unwrap(), None);
    let book = WorkingBook::of_store(store).unwrap();
    let leaves = deciding_leaves(&book, &black(30)).unwrap();
    assert_eq!((leaves.len(), leaves[0].value), (1, None));
}
