use std::collections::{BTreeMap, BTreeSet};

use komadai_movegen::MoveGen as _;
use komadai_testdata::games;

use super::TesujiName::*;
use super::*;

fn position(board: &str, hand: &str) -> Position {
    Position::from_sfen(&format!("{board} b {hand} 1")).unwrap()
}

fn names(position: &Position, m: &str) -> Vec<TesujiName> {
    let m: Move = m.parse().unwrap();
    assert!(position.is_legal(m), "{position} {m}");
    let names: Vec<TesujiName> = TesujiName::of(position, m).collect();
    let flipped = position.without_history().flipped();
    let plain: Vec<TesujiName> = TesujiName::of(&position.without_history(), m).collect();
    assert_eq!(TesujiName::of(&flipped, m.flipped()).collect::<Vec<_>>(), plain);
    names
}

/// A board for each name, a move that has it, and those beside it that do not.
#[test]
fn each_name_has_its_form() {
    let king_and = |middle: &str| format!("4k4/{middle}/9/9/9/9/9/4K4");
    let third = |rank: &str| king_and(&format!("9/{rank}"));
    for (board, hand, m, expected) in [
        (third("7p1"), "P", "P*2d", &[CombiningPawn][..]),
        (third("9"), "P", "P*2d", &[DanglingPawn]),
        (third("9"), "P", "P*2b", &[DanglingPawn]),
        (third("9"), "P", "P*2e", &[]),
        (third("7s1"), "P", "P*2d", &[StrikingPawn]),
        (third("7l1"), "P", "P*2d", &[StrikingPawn]),
        (third("7S1"), "P", "P*2d", &[]),
        (third("7n1"), "P", "P*2d", &[PawnAtKnightHead]),
        ("4k4/9/7n1/9/7P1/9/9/9/4K4".to_owned(), "-", "2e2d", &[PawnAtKnightHead]),
        (third("3g1s3"), "P", "P*5d", &[DanglingPawn, FocalPawn]),
        (third("3g5"), "P", "P*5d", &[DanglingPawn]),
        ("4k4/9/9/9/9/9/9/3G5/4K4".to_owned(), "P", "P*6i", &[AnchoredPawn]),
        ("4k4/9/9/9/9/9/9/3S5/4K4".to_owned(), "P", "P*6i", &[]),
        ("8k/4g1r2/9/9/9/9/9/9/4K4".to_owned(), "S", "S*4a", &[SplittingSilver]),
        ("8k/4g1s2/9/9/9/9/9/9/4K4".to_owned(), "S", "S*4a", &[]),
        ("8k/4g1r2/9/9/9/9/9/9/4K4".to_owned(), "G", "G*4a", &[]),
        (third("7n1"), "S", "S*2d", &[SilverAtKnightHead]),
        (third("3g1r3"), "N", "N*5e", &[KnightFork]),
        (third("3p1r3"), "N", "N*5e", &[]),
        ("7k1/9/7r1/9/9/9/9/9/4K4".to_owned(), "L", "L*2f", &[LanceSkewer]),
        ("7k1/9/7p1/9/9/9/9/9/4K4".to_owned(), "L", "L*2f", &[]),
        ("7k1/9/7G1/7r1/9/9/9/9/4K4".to_owned(), "L", "L*2f", &[]),
        ("k8/7b1/9/3s5/9/9/9/7R1/4K4".to_owned(), "-", "2h2d", &[CrossRook]),
        ("k5g2/7b1/9/3s5/9/9/9/7R1/4K4".to_owned(), "-", "2h2d", &[]),
        ("k8/7b1/9/3p5/9/9/9/7R1/4K4".to_owned(), "-", "2h2d", &[]),
        ("2r3k2/9/9/9/9/9/9/9/4K4".to_owned(), "B", "B*5c", &[CheckAndRook]),
        ("1r4k2/9/9/9/9/9/9/9/4K4".to_owned(), "B", "B*5c", &[]),
        (third("4P4"), "G", "G*5b", &[GoldAtHead]),
        (third("9"), "G", "G*5b", &[]),
        ("9/4k4/9/9/9/9/9/9/4K4".to_owned(), "S", "S*4b", &[SilverAtBelly]),
        ("9/4k4/9/9/9/9/9/9/4K4".to_owned(), "S", "S*4a", &[]),
        ("9/4k4/9/9/9/9/9/9/4K4".to_owned(), "G", "G*5a", &[GoldAtTail]),
        ("9/4k4/9/9/9/9/9/9/4K4".to_owned(), "G", "G*4b", &[]),
    ] {
        assert_eq!(names(&position(&board, hand), m), expected, "{board} {m}");
    }
}

#[test]
fn a_joining_pawn_needs_the_capture_before() {
    let mut position = position("4k4/9/2p6/9/2P6/9/9/9/4K4", "2P");
    for m in ["7e7d", "7c7d"] {
        position.do_move(m.parse().unwrap());
    }
    assert_eq!(names(&position, "P*7e"), [JoiningPawn]);
    assert_eq!(names(&position.without_history(), "P*7e"), [CombiningPawn]);
    position.do_move("5i5h".parse().unwrap());
    position.do_move("5a5b".parse().unwrap());
    assert_eq!(names(&position, "P*7e"), [CombiningPawn]);
}

#[test]
fn games_have_most_names_and_both_sides_the_same() {
    let mut counts: BTreeMap<TesujiName, u32> = BTreeMap::new();
    let (mut moves, mut named) = (0, 0);
    for game in games::tournament() {
        let mut position = Position::hirate();
        for m in game.moves.split(' ') {
            let m: Move = m.parse().unwrap();
            let found: Vec<TesujiName> = TesujiName::of(&position, m).collect();
            let (alone, flipped) = (position.without_history(), position.flipped());
            let alone: Vec<TesujiName> = TesujiName::of(&alone, m).collect();
            let other = TesujiName::of(&flipped.without_history(), m.flipped());
            assert_eq!(other.collect::<Vec<_>>(), alone, "{position} {m}");
            found.iter().for_each(|name| *counts.entry(*name).or_default() += 1);
            (moves, named) = (moves + 1, named + usize::from(!found.is_empty()));
            position.do_move(m);
        }
    }
    assert!(counts.len() >= 14, "{counts:?}");
    // A name that every tenth move had would say nothing.
    assert!(named * 10 < moves && named * 50 > moves, "{named} of {moves}: {counts:?}");
}

#[test]
fn names_differ_and_impossible_moves_have_none() {
    let of = |label: fn(TesujiName) -> &'static str| {
        TesujiName::ALL.map(label).into_iter().collect::<BTreeSet<_>>().len()
    };
    assert_eq!(of(|name| name.label(Language::English)), TesujiName::ALL.len());
    assert_eq!(of(|name| name.label(Language::Japanese)), TesujiName::ALL.len());
    assert_eq!(of(TesujiName::name), TesujiName::ALL.len());
    for m in ["P*5e", "5e5d", "3c3d", "2h8h", "8h2b+", "G*5i", "5i4h+"] {
        let found = TesujiName::of(&Position::hirate(), m.parse().unwrap());
        assert_eq!(found.count(), 0, "{m}");
    }
}
