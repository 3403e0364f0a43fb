//! Every row can be read, and the numbers of rows agree with the documentation.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Debug;
use std::hash::Hash;

use komadai_testdata::books::frontiers::{self, Window};
use komadai_testdata::books::match_games;
use komadai_testdata::books::synthetic::{self, ValueKind};
use komadai_testdata::books::yuuki;
use komadai_testdata::kifu::{End, LineEnd};
use komadai_testdata::rules::Question;
use komadai_testdata::tsume::{Expected, Set};
use komadai_testdata::{
    Outcome, castles, disagreements, games, handicaps, judged, kifu, openings, packed, perft,
    planes, positions, rules, tsume,
};

fn assert_distinct<T: Eq + Hash + Debug>(items: impl IntoIterator<Item = T>) {
    let mut seen = HashSet::new();
    for item in items {
        let text = format!("{item:?}");
        assert!(seen.insert(item), "{text} occurs twice");
    }
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

#[test]
fn perft_has_a_depth_one_row_for_every_two_king_position() {
    let rows: Vec<_> = perft::rows().collect();
    assert_eq!(rows.len(), 538);
    assert_distinct(rows.iter().map(|row| (row.sfen, row.depth)));
    let shallow: HashSet<_> = rows.iter().filter(|r| r.depth == 1).map(|r| r.sfen).collect();
    assert_eq!(shallow.len(), 269);
    assert!(rows.iter().all(|row| shallow.contains(row.sfen)));
    assert_eq!(rows.iter().map(|row| row.nodes).max(), Some(72_280_370));

    assert_eq!(perft::one_king_rows().count(), 38);
    assert_distinct(perft::one_king_rows().map(|row| row.sfen));
}

#[test]
fn perft_constants_and_bench_positions_agree_with_the_rows() {
    for position in positions::bench() {
        for row in perft::rows().filter(|row| row.sfen == position.sfen) {
            assert_eq!(position.perft[row.depth as usize - 1], row.nodes, "{}", position.name);
        }
    }
    assert_distinct(positions::bench().map(|position| position.name));
    assert_eq!(perft::rows().filter(|row| row.sfen == positions::STARTPOS).count(), 2);
    assert_eq!(perft::rows().filter(|row| row.sfen == positions::MAX_MOVES).count(), 2);
}

#[test]
fn disagreements_give_the_right_number_of_moves() {
    assert_eq!(disagreements::rows().count(), 192);
    assert_distinct(disagreements::rows().map(|row| row.sfen));
    let known: BTreeMap<_, _> =
        perft::rows().filter(|row| row.depth == 1).map(|row| (row.sfen, row.nodes)).collect();
    let mut shared = 0;
    for row in disagreements::rows() {
        assert!(row.answers.iter().any(|&answer| answer != row.legal_moves));
        if let Some(&nodes) = known.get(row.sfen) {
            assert_eq!(nodes, u64::from(row.legal_moves), "{}", row.sfen);
            shared += 1;
        }
    }
    assert_eq!(shared, 21);
}

#[test]
fn rules_have_74_cases_of_three_kinds() {
    let count = |kind: fn(Question) -> bool| rules::rows().filter(|c| kind(c.question)).count();
    assert_eq!(count(|question| matches!(question, Question::MoveLegality { .. })), 47);
    assert_eq!(count(|question| matches!(question, Question::Repetition(_))), 13);
    assert_eq!(count(|question| matches!(question, Question::Declaration27 { .. })), 14);
    assert_eq!(rules::rows().count(), 74);
    assert_distinct(rules::rows().map(|case| case.id));
}

#[test]
fn planes_lie_on_the_board_and_moves_have_labels_of_their_own() {
    let rows: Vec<_> = planes::rows().collect();
    assert_eq!(rows.len(), 94);
    assert_distinct(rows.iter().map(|row| row.sfen));
    for row in &rows {
        assert!(row.features1.iter().all(|plane| plane >> 81 == 0), "{}", row.sfen);
        assert!(row.labels.iter().all(|label| *label < 2_187), "{}", row.sfen);
        assert_distinct(row.labels.iter());
    }
    assert_eq!(rows.iter().filter(|row| row.features2[56]).count(), 24);
    assert_eq!(rows.iter().filter(|row| row.sfen.contains(" w ")).count(), 43);
    let entering: Vec<_> = planes::entering_king_rows().collect();
    assert_eq!(entering.len(), 226);
    assert_distinct(entering.iter().map(|row| row.sfen));
    assert_eq!(entering.iter().filter(|row| row.sfen.contains(" w ")).count(), 111);
    // Each plane is set somewhere.
    assert!((0..62).all(|plane| entering.iter().any(|row| row.planes[plane])));
}

#[test]
fn packed_positions_are_distinct_in_both_encodings() {
    assert_eq!(packed::rows().count(), 160);
    assert_eq!(packed::rows().filter(|row| row.source == "startpos").count(), 1);
    assert_eq!(packed::rows().filter(|row| row.source.starts_with("handicap ")).count(), 15);
    assert_eq!(packed::rows().filter(|row| row.source == "play").count(), 144);
    assert_distinct(packed::rows().map(|row| row.packed_sfen));
    assert_distinct(packed::rows().map(|row| row.hcp));
}

#[test]
fn packed_moves_differ_between_the_encodings_where_a_flag_is_set() {
    assert_eq!(packed::move16_rows().count(), 900);
    assert_distinct(packed::move16_rows().map(|row| row.usi));
    let mut drops = HashSet::new();
    for row in packed::move16_rows() {
        let drop = row.usi.contains('*');
        let promotion = row.usi.ends_with('+');
        assert_eq!(row.apery != row.yaneuraou, drop || promotion, "{}", row.usi);
        if drop {
            drops.insert(&row.usi[..1]);
        }
    }
    assert_eq!(drops.len(), 7);
    assert_eq!(packed::move16_rows().filter(|row| row.usi.ends_with('+')).count(), 160);
}

#[test]
fn handicaps_have_distinct_names_and_positions() {
    assert_eq!(handicaps::rows().count(), 16);
    assert_distinct(handicaps::rows().map(|row| row.kif));
    assert_distinct(handicaps::rows().map(|row| row.jkf));
    assert_distinct(handicaps::rows().map(|row| row.sfen));
    assert_eq!(handicaps::rows().next().map(|row| row.sfen), Some(positions::STARTPOS));
}

#[test]
fn kifu_samples_agree_with_their_bytes() {
    assert_eq!(kifu::samples().count(), 59);
    for sample in kifu::samples() {
        let expected = sample.expected;
        assert_eq!(words(sample.main_line), expected.main_moves, "{}", sample.name);
        let has_cr = sample.bytes.contains(&b'\r');
        assert_eq!(has_cr, expected.line_end == LineEnd::CrLf, "{}", sample.name);
        if let Some(word) = expected.end.csa() {
            let mark = format!("%{word}");
            let found = sample.bytes.windows(mark.len()).any(|part| part == mark.as_bytes());
            assert!(found, "{}: {mark}", sample.name);
        }
        let undecided = matches!(expected.end, End::Unmarked | End::Interrupt);
        assert_eq!(expected.winner == Outcome::Unknown, undecided, "{}", sample.name);
    }
}

#[test]
fn castle_pairs_differ_in_the_castle_of_one_side() {
    assert_distinct(castles::templates().map(|template| template.name));
    assert_distinct(castles::templates().map(|template| template.ranks));
    assert_eq!(castles::pairs().count(), 72);
    assert_distinct(castles::pairs().map(|pair| pair.judged.name));
    assert_distinct(castles::pairs().map(|pair| pair.judged.sfens));
    for pair in castles::pairs() {
        for (castle, sfen) in pair.castles.into_iter().zip(pair.judged.sfens) {
            let own = castles::templates().find(|template| template.name == castle);
            let own = own.expect("the castles are templates");
            let is_composed = castles::templates().any(|other| {
                ['b', 'w'].into_iter().any(|turn| match pair.judged.side {
                    'b' => castles::compose(&own, &other, turn) == sfen,
                    _ => castles::compose(&other, &own, turn) == sfen,
                })
            });
            assert!(is_composed, "{}", pair.judged.name);
        }
    }
    assert!(castles::pairs().filter(|pair| pair.judged.side == 'b').count().abs_diff(36) <= 4);
    let anaguma = |pair: &castles::CastlePair| pair.castles.iter().any(|c| c.contains("anaguma"));
    assert!(castles::pairs().filter(anaguma).count() >= 15);
}

#[test]
fn castle_pairs_have_the_sign_of_two_judges_and_none_contradicts() {
    for pair in castles::pairs().map(|pair| pair.judged) {
        let scaled = [1.0, 1.0, 2.8].into_iter().zip(pair.judges).map(|(scale, values)| {
            f64::from(values[pair.better] - values[1 - pair.better]) / scale
        });
        let scaled: Vec<f64> = scaled.collect();
        assert!(scaled.iter().filter(|&&value| value >= 50.0).count() >= 2, "{pair:?}");
        assert!(scaled.iter().all(|&value| value > -25.0), "{pair:?}");
    }
}

#[test]
fn judged_pairs_have_distinct_names_and_the_sign_of_the_judges() {
    assert_eq!(judged::pairs().count(), 25);
    assert_distinct(judged::pairs().map(|pair| pair.name));
    assert_distinct(judged::pairs().map(|pair| pair.sfens));
    for pair in judged::pairs() {
        let agreeing = pair.judges.iter().filter(|v| v[pair.better] > v[1 - pair.better]).count();
        assert!(agreeing >= 2, "{pair:?}");
    }
    for theme in ["activity", "hand", "entering king", "handicap"] {
        assert!(judged::pairs().filter(|pair| pair.theme == theme).count() >= 4, "{theme}");
    }
}

#[test]
fn judged_positions_of_games_are_distinct() {
    assert_eq!(judged::game_positions().count(), 1_000);
    assert_distinct(judged::game_positions().map(|position| position.sfen));
    assert!(judged::game_positions().filter(|row| row.searched.is_some()).count() == 334);
}

#[test]
fn games_have_the_stated_number_of_moves() {
    assert_eq!(games::tournament().count(), 77);
    assert_distinct(games::tournament().map(|game| game.moves));
    for game in games::tournament() {
        assert_eq!(words(game.moves), game.plies as usize, "{game:?}");
    }
    let plies = || games::tournament().map(|game| game.plies);
    assert_eq!((plies().min(), plies().max()), (Some(61), Some(351)));
}

#[test]
fn openings_are_distinct_and_have_the_stated_length() {
    assert_eq!(openings::rows().count(), 200);
    assert_distinct(openings::sfens());
    assert_distinct(openings::move_lists());
    for opening in openings::rows() {
        assert_eq!(words(opening.moves), opening.plies as usize);
        assert!((16..=30).contains(&opening.plies));
        assert!(opening.score_cp.abs() <= 100);
    }
}

/// The numbers of problems of a set by answer: proven length, some length, mate, none, unknown.
fn answers(set: Set) -> [usize; 5] {
    let mut counts = [0; 5];
    for problem in tsume::set(set) {
        let kind = match problem.expected {
            Expected::ShortestMate(plies) | Expected::MateWithin(plies) if plies % 2 == 0 => {
                panic!("{}: a mate of {plies} plies", problem.id)
            }
            Expected::ShortestMate(_) => 0,
            Expected::MateWithin(_) => 1,
            Expected::Mate => 2,
            Expected::NoMate => 3,
            Expected::Unknown => 4,
        };
        counts[kind] += 1;
    }
    counts
}

#[test]
fn tsume_sets_have_the_documented_answers() {
    assert_eq!(answers(Set::ShortSelfplay), [337, 0, 0, 0, 0]);
    assert_eq!(answers(Set::RandomMate), [292, 0, 0, 0, 0]);
    assert_eq!(answers(Set::NoMate), [0, 0, 0, 644, 0]);
    assert_eq!(answers(Set::Realistic), [386, 25, 0, 1239, 40]);
    assert_eq!(answers(Set::Classic), [44, 0, 81, 3, 20]);
    assert_eq!(answers(Set::RegressIssues), [12, 1, 0, 4, 0]);
    for set in Set::ALL {
        assert_distinct(tsume::set(set).map(|problem| problem.id));
        assert_distinct(tsume::set(set).map(|problem| problem.sfen));
    }
}

#[test]
fn tsume_realistic_holds_the_short_problems_with_the_same_answers() {
    let realistic: BTreeMap<_, _> =
        tsume::set(Set::Realistic).map(|problem| (problem.id, problem)).collect();
    for problem in tsume::set(Set::ShortSelfplay) {
        let same = realistic[problem.id];
        assert_eq!((same.sfen, same.expected), (problem.sfen, problem.expected));
    }
}

#[test]
fn tsume_lengths_of_the_literature_are_read_from_the_notes() {
    let first = tsume::set(Set::Classic).next().expect("a problem");
    assert_eq!((first.id, first.literature_plies()), ("muso001", Some(11)));
    let known = tsume::set(Set::Classic).filter_map(|problem| problem.literature_plies());
    assert_eq!(known.count(), 143);
    assert!(tsume::set(Set::NoMate).all(|problem| problem.literature_plies().is_none()));
}

/// The number of positions and of moves in a book in YANEURAOU-DB2016 text.
fn size(book: &str) -> (usize, usize) {
    let entries = book.trim_start_matches('\u{feff}').lines().filter(|line| !line.starts_with('#'));
    let (positions, moves): (Vec<_>, Vec<_>) = entries.partition(|line| line.starts_with("sfen "));
    (positions.len(), moves.len())
}

#[test]
fn synthetic_books_have_the_sizes_of_their_manifest() {
    let sizes: Vec<_> = synthetic::books().map(|book| (book.name, book.positions)).collect();
    assert_eq!(sizes, [("small50", 56), ("perpetual1", 60), ("perpetual3", 90)]);
    for book in synthetic::books() {
        assert_distinct(book.values().map(|row| row.sfen));
        assert_eq!(book.values().count(), book.positions, "{}", book.name);
        assert!(book.values().all(|row| book.input.contains(&format!("sfen {}\n", row.sfen))));
        let listed = book.edges - book.edges_not_listed + book.leaf_moves;
        let all = book.edges + book.leaf_moves;
        assert_eq!(size(book.input), (book.positions, listed), "{}", book.name);
        assert_eq!(size(book.solved), (book.positions, all), "{}", book.name);
        assert_eq!(size(book.yaneuraou), (book.positions, all), "{}", book.name);
    }
}

#[test]
fn synthetic_values_head_the_solved_books() {
    for book in synthetic::books() {
        for row in book.values().filter(|row| row.kind == ValueKind::Leaf) {
            let (_, entry) =
                book.solved.split_once(&format!("sfen {}\n", row.sfen)).expect("every position");
            let best = entry.lines().next().unwrap_or_default();
            let tail = format!(" none {} {}", row.value, row.depth);
            assert!(best.ends_with(&tail), "{}: {}: {best}", book.name, row.sfen);
        }
    }
}

#[test]
fn frontiers_have_the_stated_number_of_positions() {
    assert_eq!(frontiers::rows().count(), 18);
    assert_eq!(frontiers::rows().filter(|frontier| frontier.positions.is_none()).count(), 2);
    assert_distinct(frontiers::rows().map(|f| (f.book_side, f.eval_diff, f.window, f.own_moves)));
    for frontier in frontiers::rows() {
        let Some(positions) = frontier.positions else { continue };
        assert_ne!(frontier.window, Window::Free);
        assert_eq!(positions.len(), frontier.count);
        assert!(positions.is_sorted_by(|a, b| a.sfen < b.sfen));
    }
}

#[test]
fn the_real_book_has_73_positions_in_text_and_73_moves_in_binary() {
    assert_eq!(size(yuuki::YANEURAOU_DB), (73, 73));
    assert_eq!(yuuki::APERY_BIN.len(), 73 * 16);
    assert!(yuuki::SHOGIGUI_KIF.starts_with(b"# ShogiGUI book export"));
    assert_eq!(yuuki::SHOGIGUI_SBK.len(), 4_410);
    assert_eq!(yuuki::GIKOU_BIN.len(), 23_328);
}

#[test]
fn match_games_agree_with_their_statistics() {
    assert_eq!((match_games::games().count(), size(match_games::BOOK).0), (160, 84));
    assert_distinct(match_games::results().map(|row| (row.sfen, row.m)));
    assert!(match_games::results().is_sorted_by_key(|row| (row.sfen, row.m)));
    for row in match_games::results() {
        let [wins, draws, losses] = row.wins_draws_losses;
        let games = wins + draws + losses;
        let is_bad = wins + draws == 0 || 20 * wins + 10 * draws < 6 * games;
        assert_eq!(row.is_suspect, games >= 3 && is_bad, "{row:?}");
    }
    assert_eq!(match_games::targets().count(), 1_188);
    assert_distinct(match_games::targets().map(|row| row.sfen));
    assert!(match_games::targets().is_sorted_by_key(|row| (u32::MAX - row.count, row.sfen)));
}
