//! The report of a working book, against its states as it grew.

use std::collections::BTreeSet;

use komadai_book::games::{
    BookUse, GameResults, GameWalk, PruneOptions, UseGrouping, UseOptions, UseTable, WinDrawLoss,
};
use komadai_book::store::StoreError;
use komadai_core::{Color, Position, Score};
use komadai_movegen::check_legality;
use komadai_report::book_page::{ReportData, ReportOptions};

use super::grown_book::{GrownBook, for_black, without_number};

const SEEDS: std::ops::Range<u64> = 0..10;

fn everything() -> ReportOptions {
    ReportOptions { max_rows: 10_000, ..ReportOptions::default() }
}

fn report(grown: &GrownBook, options: &ReportOptions) -> ReportData {
    ReportData::of_working_book(&grown.book, options).unwrap()
}

#[test]
fn past_states_are_reported() {
    for seed in SEEDS {
        let grown = GrownBook::new(seed);
        let data = report(&grown, &everything());
        let working = data.working.unwrap();
        let reported = working.history.iter().map(|state| {
            (state.name.clone(), state.positions, state.evaluations, state.root, state.valued)
        });
        let reported: Vec<_> = reported.collect();
        let expected = grown.moments.iter().map(|moment| {
            let (positions, valued) = (moment.positions, moment.values.len() as u64);
            (moment.name.clone(), positions, Some(moment.evaluations), moment.root, Some(valued))
        });
        assert_eq!(reported, expected.collect::<Vec<_>>());
        let now = grown.moment("");
        assert_eq!(data.now.positions, now.positions);
        assert_eq!((data.now.evaluations, data.now.root), (Some(now.evaluations), now.root));
        // Each state has its own frontiers.
        assert!(working.history.iter().all(|state| state.frontiers.len() == 5));
    }
}

#[test]
fn without_the_effort_the_past_is_what_snapshots_remember() {
    let grown = GrownBook::new(1);
    let figures = vec![(komadai_report::book_page::ROOT_FIGURE.to_owned(), -77)];
    let name = "marked".to_owned();
    let marked = komadai_book::store::NewSnapshot { name, when: 5, generation: 9, figures };
    grown.book.store().take_snapshot(&marked).unwrap();
    let options =
        ReportOptions { max_derived_positions: 0, max_states: 2, ..ReportOptions::default() };
    let working = report(&grown, &options).working.unwrap();
    let reported: Vec<_> = working.history.iter().map(|state| state.name.as_str()).collect();
    assert_eq!(reported, ["round 2", "marked"]);
    // The compared one is computed in any case.
    assert_eq!(working.history[0].root, grown.moments[2].root);
    assert_eq!((working.history[1].root, working.history[1].valued), (Some(Score::cp(-77)), None));
    assert_eq!((working.history[1].when, working.history[1].generation), (5, Some(9)));
    let since = Some("round 0".to_owned());
    let working = report(&grown, &ReportOptions { since, ..options.clone() }).working.unwrap();
    assert_eq!(working.history.len(), 3);
    assert_eq!(working.changes.unwrap().since, "round 0");
    let since = Some("never".to_owned());
    let error = ReportData::of_working_book(&grown.book, &ReportOptions { since, ..options });
    assert!(matches!(
        error,
        Err(StoreError::NoSnapshot { name }) if name == "never"
    ));
}

#[test]
fn changes_are_reported_where_they_originate() {
    let mut passed_on = 0;
    for seed in SEEDS {
        let grown = GrownBook::new(seed);
        for earlier in &grown.moments {
            let options = ReportOptions { since: Some(earlier.name.clone()), ..everything() };
            let changes = report(&grown, &options).working.unwrap().changes.unwrap();
            let now = grown.moment("");
            let both = now.values.iter().filter(|(name, _)| earlier.values.contains_key(*name));
            let both: Vec<_> = both.collect();
            assert_eq!(changes.compared, both.len() as u64);
            let gained = now.values.len() - both.len();
            assert_eq!(changes.gained, gained as u64);
            assert_eq!(changes.lost, (earlier.values.len() - both.len()) as u64);
            let differ: Vec<_> =
                both.iter().filter(|(name, value)| earlier.values[*name] != **value).collect();
            assert_eq!(changes.changed, differ.len() as u64);
            let size = |before: Score, after: Score| {
                let [before, after] = [before, after].map(|score| score.raw().clamp(-3_000, 3_000));
                before.abs_diff(after)
            };
            let sizes: Vec<u32> =
                changes.biggest.iter().map(|change| size(change.before, change.after)).collect();
            assert!(sizes.is_sorted_by(|a, b| a >= b));
            let mut reported = BTreeSet::new();
            for change in &changes.biggest {
                let name = without_number(&change.position);
                assert_eq!(
                    (change.before, change.after),
                    (earlier.values[&name], now.values[&name])
                );
                assert_eq!(
                    change.best_after,
                    Some(grown.book.graph().moves(&change.position)[0].m)
                );
                reported.insert(name);
            }
            // All other positions have changed exactly as the position after their best move.
            for (name, after) in differ.iter().filter(|(name, _)| !reported.contains(*name)) {
                let position = Position::from_sfen(&format!("{name} 1")).unwrap();
                let next = position.after(grown.book.graph().moves(&position)[0].m);
                let next_score = grown.book.graph().value(&next).unwrap().score;
                assert_eq!(for_black(next_score, next.side()), **after);
                passed_on += 1;
            }
        }
    }
    assert!(passed_on > 10, "the books have changes that are passed on ({passed_on})");
}

#[test]
fn engines_are_compared_as_the_log_says() {
    for seed in SEEDS {
        let grown = GrownBook::new(seed);
        let working = report(&grown, &everything()).working.unwrap();
        let mut engines = working.engines.clone();
        engines.sort_by(|a, b| a.analyst.cmp(&b.analyst));
        let mut shares = grown.book.store().sources().unwrap();
        shares.sort_by(|a, b| a.analyst.cmp(&b.analyst));
        assert_eq!(engines, shares);
        assert!(!working.pairs.is_empty());
        for pair in &working.pairs {
            let expected = grown.book.store().value_pairs(&pair.one, &pair.other).unwrap();
            assert_eq!(pair.sample, expected);
            assert_eq!(pair.moves, expected.len() as u64);
            assert_eq!(pair.shift, komadai_book::refresh::fit_scale(&expected));
            let mut distances: Vec<u32> = expected
                .iter()
                .map(|values| (values.old as i32).abs_diff(values.new as i32))
                .filter(|&distance| distance > 0)
                .collect();
            distances.sort_by_key(|&distance| std::cmp::Reverse(distance));
            let reported =
                pair.furthest.iter().map(|apart| apart.one.raw().abs_diff(apart.other.raw()));
            assert_eq!(reported.collect::<Vec<_>>(), distances);
            for apart in &pair.furthest {
                assert!(check_legality(&apart.position, apart.m).is_ok());
                for (id, reported) in [(&pair.one, apart.one), (&pair.other, apart.other)] {
                    let said = grown.book.store().analyses(&apart.position).unwrap();
                    let last = said.iter().filter(|entry| entry.analysis.analyst == *id);
                    let scores = last.flat_map(|entry| {
                        let turned = entry.analysis.position.side() != apart.position.side();
                        let m = if turned { apart.m.flipped() } else { apart.m };
                        let lines = entry.analysis.analysis.lines.iter();
                        lines.filter(move |line| line.pv.first() == Some(&m)).map(|line| line.score)
                    });
                    let side = apart.position.side();
                    assert!(scores.into_iter().any(|score| for_black(score, side) == reported));
                }
            }
        }
        let few = ReportOptions { max_rows: 2, ..everything() };
        for (pair, all) in report(&grown, &few).working.unwrap().pairs.iter().zip(&working.pairs) {
            assert_eq!(pair.furthest[..], all.furthest[..all.furthest.len().min(2)]);
        }
    }
}

#[test]
fn games_are_counted_in_the_lines_they_came_through() {
    let mut counted = 0;
    for seed in SEEDS {
        let grown = GrownBook::new(seed);
        let data = report(&grown, &everything());
        for first in &data.first_moves {
            let made = grown.games.iter().filter(|game| game.moves.first() == Some(&first.m));
            let won = |color| made.clone().filter(|game| game.winner == Some(color)).count() as u32;
            let (wins, losses) = (won(Color::Black), won(Color::White));
            let draws = made.clone().count() as u32 - wins - losses;
            assert_eq!(first.results, WinDrawLoss { wins, draws, losses });
        }
        for line in data.lines.iter().flat_map(|lines| &lines.moves) {
            for answer in &line.next {
                let made = grown.games.iter().filter(|game| {
                    // Other ways to the same position are two plies long at least.
                    game.moves.get(..2) == Some(&[line.m, answer.m])
                });
                let won = made.clone().filter(|game| game.winner == Some(Color::Black)).count();
                assert_eq!(answer.results.games(), made.count() as u64);
                assert_eq!(answer.results.wins, won as u32);
                counted += won;
            }
        }
    }
    assert!(counted > 10, "games came through the lines ({counted})");
}

#[test]
fn matches_and_deletions_are_those_of_the_book() {
    let mut candidates = 0;
    for seed in SEEDS {
        let grown = GrownBook::new(seed);
        let graph = grown.book.graph();
        let (mut results, mut uses) = (GameResults::new(), Vec::new());
        for (number, game) in (0..).zip(&grown.games) {
            if let Ok(used) = BookUse::of(game, &UseOptions::default()) {
                results.add(number, game, &GameWalk::new(game, graph).unwrap());
                uses.push(used);
            }
        }
        let working = report(&grown, &everything()).working.unwrap();
        let matches = working.matches.unwrap();
        assert_eq!((matches.games, matches.unusable), (40, 1));
        assert_eq!(matches.by_generation, UseTable::new(&uses, UseGrouping::Generation));
        assert_eq!(matches.opponents, 2);
        let by_opponent = UseTable::new(&uses, UseGrouping::Opponent);
        assert!(by_opponent.groups.iter().all(|group| matches.by_opponent.groups.contains(group)));
        let mut expected = results.prune_candidates(&PruneOptions::default());
        assert_eq!(matches.all_candidates, expected.len());
        expected.retain(|candidate| !matches.candidates.contains(candidate));
        assert_eq!(expected, []);
        candidates += matches.all_candidates;
        let deletions = working.deletions;
        let all = grown.book.store().tombstones().unwrap();
        assert_eq!(deletions.in_force + deletions.undone, all.len());
        assert_eq!(deletions.undone, 1);
        assert!(deletions.latest.iter().rev().eq(&all));
    }
    assert!(candidates > 5, "some moves lose games ({candidates})");
}
