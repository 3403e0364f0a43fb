use std::collections::HashSet;
use std::sync::LazyLock;

use komadai_core::{Budget, Position, Pv};
use komadai_movegen::{CheckClass, MateReport, MateResult, MateSolver, MoveGen};
use komadai_testdata::tsume::{self, Expected, Set};
use komadai_tsume::{DfPn, DfPnOptions, Goal, PnSearch, Results};
use proptest::prelude::*;

use super::listing::HEADER;
use super::reader::placement;
use super::{CertificateError, CertifyError, Checked, Claim, certify, check};
use crate::tests::oracle::is_mated_within;

const MOST: usize = 20_000;

fn solver(goal: Goal) -> DfPn {
    let options = DfPnOptions { hash_mib: 8, goal, ..DfPnOptions::default() };
    DfPn::new(DfPnOptions { results: Results::Kept, ..options })
}

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"))
}

/// The text of a certificate that the checker has accepted.
fn accepted(sfen: &str, solver: &mut dyn MateSolver, nodes: u64) -> Option<(String, Claim)> {
    let position = position(sfen);
    let certificate = match certify(&position, solver, &Budget::nodes(nodes), MOST) {
        Ok(certificate) => certificate,
        Err(CertifyError::Contradiction { .. }) => panic!("{sfen}: the solver contradicts itself"),
        Err(_) => return None,
    };
    let text = certificate.to_string();
    let checked = check_text(&text).unwrap_or_else(|error| panic!("{sfen}: {error}\n{text}"));
    assert!(checked.position.same_placement(&position), "{sfen}: {text}");
    assert_eq!(checked.claim, certificate.claim(), "{sfen}: {text}");
    assert_eq!(checked.positions, certificate.positions(), "{sfen}: {text}");
    Some((text, checked.claim))
}

fn check_text(text: &str) -> Result<Checked, CertificateError> {
    check(text.as_bytes(), MOST)
}

#[test]
fn all_short_mates_from_games_are_certified_in_their_shortest_length() {
    let mut solver = solver(Goal::ShortestMate);
    let mut certified = 0;
    for problem in tsume::set(Set::ShortSelfplay) {
        let (_, claim) = accepted(problem.sfen, &mut solver, 2_000_000).expect("a short problem");
        let Expected::ShortestMate(plies) = problem.expected else { unreachable!("all proven") };
        assert_eq!(claim, Claim::MateWithin(plies), "{}", problem.id);
        certified += 1;
    }
    assert_eq!(certified, 337);
}

#[test]
fn mates_in_random_compositions_are_certified() {
    let mut solver = solver(Goal::AnyMate);
    let mut certified = 0;
    for problem in tsume::set(Set::RandomMate).step_by(5) {
        let Some((_, claim)) = accepted(problem.sfen, &mut solver, 300_000) else { continue };
        let Expected::ShortestMate(shortest) = problem.expected else { unreachable!("all proven") };
        let Claim::MateWithin(plies) = claim else { panic!("{}: {claim}", problem.id) };
        assert!(plies >= shortest, "{}: {claim}", problem.id);
        certified += 1;
    }
    assert!(certified >= 55, "{certified}");
}

#[test]
fn positions_without_a_mate_are_certified() {
    let mut solver = solver(Goal::AnyMate);
    let problems = tsume::set(Set::NoMate).step_by(24);
    let rules = tsume::set(Set::NoMate).filter(|problem| problem.notes.contains("-dependent"));
    let mut certified = 0;
    let mut asked = 0;
    for problem in problems.chain(rules) {
        asked += 1;
        let Some((_, claim)) = accepted(problem.sfen, &mut solver, 50_000) else { continue };
        assert_eq!(claim, Claim::NoMate, "{}", problem.id);
        certified += 1;
    }
    assert!(certified >= 28, "{certified} of {asked}");
}

#[test]
fn the_tree_search_can_write_certificates_too() {
    let mut certified = 0;
    for set in [Set::ShortSelfplay, Set::NoMate] {
        for problem in tsume::set(set).step_by(12) {
            let found = accepted(problem.sfen, &mut PnSearch::new(64), 50_000);
            certified += u32::from(found.is_some());
        }
    }
    assert!(certified >= 55, "{certified}");
}

/// Repetition, the rule of the pawn drop, an attacker in check, and no check at all.
const RULES: [(&str, Claim); 6] = [
    ("9/9/9/9/4k4/9/9/7+R1/9 b - 1", Claim::NoMate),
    ("7nk/9/8G/9/9/9/9/9/9 b P 1", Claim::NoMate),
    ("7nk/9/8G/9/9/9/9/9/9 b L 1", Claim::MateWithin(1)),
    ("4k4/9/4P4/9/9/9/9/9/r3K4 b G 1", Claim::NoMate),
    ("9/9/9/9/9/9/9/9/4K4 b G 1", Claim::NoMate),
    ("9/9/9/9/9/9/4p4/9/4K4 w g 1", Claim::MateWithin(1)),
];

#[test]
fn the_rules_of_mate_are_those_of_the_checker() {
    for (sfen, claim) in RULES {
        let (_, found) = accepted(sfen, &mut solver(Goal::AnyMate), 100_000).expect("an easy one");
        assert_eq!(found, claim, "{sfen}");
    }
}

/// Certificates of some dozen lines, of mates and of no mates.
static SAMPLES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut solver = solver(Goal::AnyMate);
    let mut samples = Vec::new();
    for (set, step) in [(Set::ShortSelfplay, 12), (Set::NoMate, 9)] {
        let sfens = tsume::set(set).step_by(step).map(|problem| problem.sfen);
        // Some rows are no legal positions.
        for sfen in sfens.filter(|sfen| Position::from_sfen(sfen).is_ok()) {
            let Some((text, _)) = accepted(sfen, &mut solver, 5_000) else { continue };
            if (6..60).contains(&text.lines().count()) {
                samples.push(text);
            }
        }
    }
    samples
});

/// The lines of the positions.
fn lines(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    lines[2..lines.len() - 1].to_vec()
}

/// The certificate with other lines of positions and their count.
fn with_lines(text: &str, lines: &[String]) -> String {
    let head: Vec<&str> = text.lines().take(2).collect();
    format!("{}\n{}\nend {}\n", head.join("\n"), lines.join("\n"), lines.len())
}

/// The certificate with one line replaced.
fn with_line(text: &str, index: usize, line: String) -> String {
    let mut lines: Vec<String> = lines(text).into_iter().map(str::to_owned).collect();
    lines[index] = line;
    with_lines(text, &lines)
}

#[test]
fn a_certificate_without_one_of_its_lines_is_rejected() {
    assert!(SAMPLES.len() >= 20, "{}", SAMPLES.len());
    for text in SAMPLES.iter() {
        let root = check_text(text).unwrap().position;
        let lines = lines(text);
        for index in 0..lines.len() {
            let mut fewer: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
            fewer.remove(index);
            match check_text(&with_lines(text, &fewer)) {
                Ok(checked) => {
                    assert_eq!(index, 0, "without {}:\n{text}", lines[index]);
                    assert!(!checked.position.same_placement(&root), "{text}");
                }
                Err(error) => assert!(error.line() >= 3, "{error}"),
            }
            fewer.insert(index, lines[index].to_owned());
            fewer.push(lines[index].to_owned());
            let error = check_text(&with_lines(text, &fewer)).unwrap_err();
            assert!(matches!(error, CertificateError::Unreached { .. }), "{error}");
        }
        for index in 0..text.lines().count() {
            let without = |i: usize| i != index;
            let kept = text.lines().enumerate().filter(|&(i, _)| without(i)).map(|(_, line)| line);
            let cut: Vec<&str> = kept.collect();
            assert!(check_text(&cut.join("\n")).is_err(), "without line {index}:\n{text}");
        }
    }
}

#[test]
fn a_mate_is_rejected_with_any_other_number_of_plies() {
    let mut changed = 0;
    for text in SAMPLES.iter().filter(|text| text.contains("claim mate")) {
        let Claim::MateWithin(longest) = check_text(text).unwrap().claim else { unreachable!() };
        for (index, line) in lines(text).into_iter().enumerate() {
            let (position, rest) = line.split_once(": ").unwrap();
            let (plies, m) = rest.split_once(' ').unwrap();
            let plies: u32 = plies.parse().unwrap();
            // As many plies as the first position has are too many for any other.
            let too_many = if index == 0 { longest + 1 } else { longest };
            for wrong in [plies - 1, plies.saturating_sub(2), 0, too_many, too_many + 100] {
                let mutated = with_line(text, index, format!("{position}: {wrong} {m}"));
                check_text(&mutated).expect_err(&mutated);
                changed += 1;
            }
        }
        let weaker = text.replace(&format!("claim mate {longest}"), "claim mate 1000000000");
        assert_eq!(check_text(&weaker).unwrap().claim, Claim::MateWithin(1_000_000_000));
        let stronger = text.replace(&format!("claim mate {longest}"), "claim mate 1");
        assert!(matches!(check_text(&stronger), Err(CertificateError::TooManyPlies { .. })));
    }
    assert!(changed >= 500, "{changed}");
}

#[test]
fn a_mate_is_accepted_with_another_move_only_if_that_mates_as_well() {
    let mut accepted = 0;
    let mut rejected = 0;
    for text in SAMPLES.iter().filter(|text| text.contains("claim mate")) {
        for (index, line) in lines(text).into_iter().enumerate() {
            let (sfen, rest) = line.split_once(": ").unwrap();
            let (plies, m) = rest.split_once(' ').unwrap();
            let mut at = position(sfen);
            for other in at.legal_moves().into_iter().filter(|other| other.to_string() != m) {
                let mutated = with_line(text, index, format!("{sfen}: {plies} {other}"));
                if check_text(&mutated).is_err() {
                    rejected += 1;
                    continue;
                }
                at.do_move(other);
                assert!(at.in_check(), "{mutated}");
                assert!(is_mated_within(&mut at, plies.parse::<usize>().unwrap() - 1), "{mutated}");
                at.undo_move();
                accepted += 1;
            }
        }
    }
    assert!(accepted >= 5 && rejected > 1_000, "{accepted} accepted, {rejected} rejected");
}

#[test]
fn a_proof_of_no_mate_needs_a_reply_to_each_check_that_stays_in_it() {
    let mut accepted = 0;
    let mut rejected = 0;
    for text in SAMPLES.iter().filter(|text| text.contains("claim nomate")) {
        let lines = lines(text);
        let listed: HashSet<&str> =
            lines.iter().map(|line| line.split_once(':').unwrap().0).collect();
        for (index, line) in lines.iter().enumerate() {
            let (sfen, rest) = line.split_once(':').unwrap();
            let pairs: Pv = rest.parse().unwrap();
            let surplus = with_line(text, index, format!("{sfen}:{rest} 1a1b 1b1a"));
            let error = check_text(&surplus).unwrap_err();
            assert!(matches!(error, CertificateError::SurplusReplies { .. }), "{error}");
            for (number, pair) in pairs.chunks(2).enumerate() {
                let mut fewer: Vec<String> = pairs.iter().map(ToString::to_string).collect();
                fewer.drain(2 * number..2 * number + 2);
                let mutated = with_line(text, index, format!("{sfen}: {}", fewer.join(" ")));
                let error = check_text(&mutated).unwrap_err();
                assert!(matches!(error, CertificateError::Unanswered { .. }), "{error}");
                let mut at = position(sfen);
                at.do_move(pair[0]);
                for other in at.legal_moves().into_iter().filter(|&other| other != pair[1]) {
                    let mut moves: Vec<String> = pairs.iter().map(ToString::to_string).collect();
                    moves[2 * number + 1] = other.to_string();
                    let mutated = with_line(text, index, format!("{sfen}: {}", moves.join(" ")));
                    if check_text(&mutated).is_ok() {
                        let after = placement(&at.after(other));
                        assert!(listed.contains(&after[..]), "{mutated}");
                        accepted += 1;
                    } else {
                        rejected += 1;
                    }
                }
            }
        }
    }
    assert!(accepted >= 15 && rejected >= 1_000, "{accepted} accepted, {rejected} rejected");
}

#[test]
fn the_examples_of_the_documentation_are_accepted() {
    let source = include_str!("../certificate.rs");
    let text: Vec<&str> = source.lines().filter_map(|line| line.strip_prefix("//! ")).collect();
    let blocks = text.split(|&line| line == "```text" || line == "```");
    let examples: Vec<_> = blocks.filter(|block| block.first() == Some(&HEADER)).collect();
    let claims: Vec<_> =
        examples.iter().map(|lines| check_text(&lines.join("\n")).unwrap().claim).collect();
    assert_eq!(claims, [Claim::MateWithin(3), Claim::NoMate]);
}

#[test]
fn faults_of_the_text_are_named_with_their_line() {
    let good = "komadai-certificate 1\nclaim mate 1\n4k4/9/4P4/9/9/9/9/9/9 b G: 1 G*5b\nend 1\n";
    assert!(check_text(good).is_ok());
    assert!(check_text(&good.replace('\n', "\r\n")).is_ok());
    assert!(check_text(&format!("\u{feff}{good}")).is_ok(), "a byte order mark is skipped");
    assert!(check_text(&good.replace("claim", "\u{feff}claim")).is_err());
    let long = "x".repeat(20_000);
    let cases = [
        ("komadai-certificate 1", "komadai-certificate 2", 1, "expected komadai-certificate 1"),
        ("claim mate 1", "claim mate", 2, "claim nomate"),
        ("claim mate 1", "claim mate +1", 2, "claim nomate"),
        ("claim mate 1", "claim mate 99999999999", 2, "claim nomate"),
        ("4k4/9", "4k5/9", 3, "10 squares"),
        (" b G:", " b G", 3, "a position and a colon"),
        (" b G:", " b G 1:", 3, "board, side and hands"),
        (" b G:", " x G:", 3, "as the side to move"),
        ("1 G*5b", "", 3, "number of plies"),
        ("1 G*5b", "0 G*5b", 3, "1 or more"),
        ("1 G*5b", "1", 3, "plies and one move"),
        ("1 G*5b", "1 G*5b G*4b", 3, "plies and one move"),
        ("G*5b", "G*5x", 3, "USI notation"),
        ("G*5b", "resign", 3, "USI notation"),
        ("G*5b", "R*5b", 3, "not a legal move"),
        ("G*5b", "G*1i", 3, "does not give check"),
        ("G*5b", "G*6b", 3, "used up"),
        ("1 G*5b", "2 G*5b", 3, "expected one within 1"),
        ("end 1", "end 2", 4, "states 2"),
        ("end 1", "end", 4, "a position and a colon"),
        ("end 1", "end -1", 4, "the number of positions"),
        ("end 1\n", "end 1\nend 1\n", 5, "nothing more"),
        ("end 1\n", "", 4, "another line"),
        ("end 1", "ｅｎｄ", 4, "ASCII"),
        ("end 1", &long, 4, "longer than 16384 bytes"),
    ];
    for (from, to, line, message) in cases {
        let text = good.replacen(from, to, 1);
        assert_ne!(text, good, "{from}");
        let error = check_text(&text).expect_err(&text);
        assert_eq!(error.line(), line, "{error}");
        assert!(error.to_string().contains(message), "{error}: expected {message}");
    }
    let empty = "komadai-certificate 1\nclaim nomate\nend 0\n";
    assert!(check_text(empty).unwrap_err().to_string().contains("expected a position"));
}

#[test]
fn limits_end_writing_and_checking() {
    let sfen = "7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1";
    let write = |nodes, most| {
        let budget = Budget::nodes(nodes);
        certify(&position(sfen), &mut solver(Goal::AnyMate), &budget, most)
    };
    let certificate = write(5_000_000, MOST).unwrap();
    let positions = certificate.positions();
    let text = certificate.to_string();
    assert_eq!(check(text.as_bytes(), positions).unwrap().positions, positions);
    let error = check(text.as_bytes(), positions - 1).unwrap_err();
    assert!(matches!(error, CertificateError::TooManyPositions { .. }), "{error}");
    assert_eq!(write(5_000_000, 5), Err(CertifyError::TooManyPositions { limit: 5 }));
    for nodes in [0, 3, 10] {
        let error = write(nodes, MOST).unwrap_err();
        assert!(matches!(error, CertifyError::Undecided { .. }), "{nodes}: {error}");
    }
}

/// A solver that says the same about every position.
struct Always(MateResult);

impl MateSolver for Always {
    fn solve(&mut self, _: &Position, _: &Budget, _: CheckClass) -> MateReport {
        MateReport::new(self.0.clone(), 1)
    }
}

#[test]
fn a_solver_that_is_wrong_gets_no_accepted_certificate() {
    let budget = Budget::unlimited();
    let mut blind = Always(MateResult::NoMate);
    let mate = position("4k4/9/4P4/9/9/9/9/9/9 b G 1");
    let error = certify(&mate, &mut blind, &budget, MOST).unwrap_err();
    assert!(matches!(error, CertifyError::Contradiction { .. }), "{error}");
    // In a mate in three, the solver is right about none of the replies, but the closure fails.
    let later = tsume::set(Set::ShortSelfplay).filter(|p| p.expected == Expected::ShortestMate(3));
    for problem in later {
        match certify(&position(problem.sfen), &mut blind, &budget, MOST) {
            Ok(certificate) => panic!("{}: {certificate}", problem.id),
            Err(error) => assert!(matches!(error, CertifyError::Contradiction { .. }), "{error}"),
        }
    }
    let line = "G*4b".parse().unwrap();
    let mut boastful = Always(MateResult::Mate { line, shortest: true });
    let error = certify(&mate, &mut boastful, &budget, MOST).unwrap_err();
    assert!(matches!(error, CertifyError::Contradiction { .. }), "{error}");
    let line = "G*1i".parse().unwrap();
    let mut quiet = Always(MateResult::Mate { line, shortest: false });
    if let Ok(certificate) = certify(&mate, &mut quiet, &budget, MOST) {
        check_text(&certificate.to_string()).unwrap_err();
    }
}

/// Lines that are near those of a certificate.
fn any_line() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("komadai-certificate 1".to_owned()),
        Just("claim nomate".to_owned()),
        "claim mate [0-9]{1,2}",
        "end [0-9]",
        "4k4/9/4P4/9/9/9/9/9/9 [bw] (G|2G|-): ([0-9] )?(G\\*[456]b|5c5b\\+?|5a5b){0,3}",
        "[ -~]{0,60}",
        any::<String>(),
    ]
}

proptest! {
    #[test]
    fn no_text_makes_the_checker_panic(lines in prop::collection::vec(any_line(), 0..8)) {
        let _ = check_text(&lines.join("\n"));
        let with_head = format!("komadai-certificate 1\nclaim mate 1\n{}", lines.join("\n"));
        let _ = check_text(&with_head);
    }

    /// A changed byte leaves a claim that is true, or is rejected.
    #[test]
    fn a_changed_byte_makes_no_false_claim(at in 0_usize..1_000, byte in b' '..=b'~') {
        let sfen = "9/4k4/9/4P4/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1";
        let (text, _) = accepted(sfen, &mut solver(Goal::ShortestMate), 100_000).expect("easy");
        let mut bytes = text.into_bytes();
        let at = at % bytes.len();
        bytes[at] = byte;
        if let Ok(checked) = check(&bytes[..], MOST) {
            let budget = Budget::nodes(100_000);
            let report = solver(Goal::ShortestMate).solve_mate(&checked.position, &budget);
            match checked.claim {
                Claim::MateWithin(plies) => prop_assert!(report.mate_within.unwrap() <= plies),
                Claim::NoMate => prop_assert_eq!(report.result, MateResult::NoMate),
            }
        }
    }
}
