use komadai_core::{Color, Language, PieceKind, Square};
use komadai_movegen::MoveGen;
use komadai_testdata::{openings, positions, tsume};
use proptest::prelude::*;

use super::*;
use crate::classical::features::features;
use crate::classical::groups::{Group, Weight};
use crate::classical::tests::largest_rounding;
use crate::material::owned;

fn start() -> impl Strategy<Value = Position> {
    let mut sfens: Vec<_> = positions::bench().map(|position| position.sfen).to_vec();
    sfens.extend(openings::sfens().take(10));
    // Tsume problems have one king.
    sfens.extend(tsume::set(tsume::Set::Classic).map(|problem| problem.sfen).take(8));
    prop::sample::select(sfens).prop_map(|sfen| Position::from_sfen(sfen).unwrap())
}

/// The game of random moves from a position: all of its positions.
fn game(mut position: Position, choices: &[u16]) -> Vec<Position> {
    let mut seen = vec![position.clone()];
    for &choice in choices {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position.do_move(moves[usize::from(choice) % moves.len()]);
        seen.push(position.clone());
    }
    seen
}

fn check(classical: &Classical, position: &Position) -> Result<(), TestCaseError> {
    let explanation = classical.explain(position);
    let black = owned(position.side(), classical.evaluate_position(position).raw()) as f32;
    let sum = explanation.sum();
    prop_assert!((sum - black).abs() < largest_rounding(position), "{sum} and {black}");
    prop_assert_eq!(explanation.score(), classical.evaluate_position(position));
    let by_group: f32 = Group::ALL
        .into_iter()
        .flat_map(|group| Color::ALL.map(|color| explanation.group_value(group, color)))
        .sum();
    prop_assert!((by_group - sum).abs() < 0.1);
    for term in explanation.terms() {
        prop_assert_eq!(term.times > 0.0, term.owner == Color::Black, "{:?}", term);
        let piece = term.square.and_then(|square| position.piece_on(square));
        if let (Some(kind), Some(_)) = (term.kind, term.square) {
            let piece = piece.map(|piece| (piece.color(), piece.kind()));
            prop_assert_eq!(piece, Some((term.owner, kind)), "{:?}", term);
        }
        for language in [Language::English, Language::Japanese] {
            prop_assert!(!term.label(language).is_empty());
        }
    }
    let features = features(position).evaluate(&classical.tables.parameters);
    prop_assert!((features - sum).abs() < 0.1, "{features} and {sum}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn terms_add_up_to_the_evaluation(start in start(), choices in prop::collection::vec(any::<u16>(), 0..60)) {
        let classical = Classical::default();
        for position in game(start, &choices) {
            check(&classical, &position)?;
        }
    }

    #[test]
    fn both_colours_have_the_same_terms(start in start(), choices in prop::collection::vec(any::<u16>(), 0..40)) {
        let classical = Classical::default();
        let position = game(start, &choices).pop().unwrap();
        let here = classical.explain(&position);
        let there = classical.explain(&position.flipped());
        let key = |term: &Term| {
            let square = term.square.map(Square::index);
            (term.index, term.owner.index(), square, term.king.map(Square::index))
        };
        let mut here: Vec<Term> = here.terms().to_vec();
        let mut there: Vec<Term> = there.terms().iter().map(|term| Term {
            owner: !term.owner,
            square: term.square.map(Square::flipped),
            king: term.king.map(Square::flipped),
            ..*term
        }).collect();
        here.sort_by_key(key);
        there.sort_by_key(key);
        prop_assert_eq!(here.len(), there.len());
        for (here, there) in here.iter().zip(&there) {
            prop_assert_eq!(key(here), key(there));
            prop_assert!((here.value + there.value).abs() < 0.01);
        }
    }

    #[test]
    fn changes_add_up_to_the_difference(start in start(), choices in prop::collection::vec(any::<u16>(), 1..60)) {
        let classical = Classical::default();
        let seen = game(start, &choices);
        for (first, second) in seen.iter().zip(&seen[1..]).chain([(&seen[0], &seen[seen.len() - 1])]) {
            let (before, after) = (classical.explain(first), classical.explain(second));
            let difference = classical.explain_difference(first, second);
            let expected = after.sum() - before.sum();
            prop_assert!((difference.sum() - expected).abs() < 0.1);
            let count = |term: fn(&TermChange) -> Option<Term>| difference.changes().iter().filter_map(term).count();
            prop_assert_eq!(count(|change| change.before), before.terms().len());
            prop_assert_eq!(count(|change| change.after), after.terms().len());
            for group in Group::ALL {
                for color in Color::ALL {
                    let expected = after.group_value(group, color) - before.group_value(group, color);
                    prop_assert!((difference.group_value(group, color) - expected).abs() < 0.1);
                }
            }
        }
    }
}

#[test]
fn positions_without_kings_are_explained() {
    for sfen in ["9/9/9/9/9/9/9/9/4K4 b - 1", "4k4/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1"] {
        let position = Position::from_sfen(sfen).unwrap();
        check(&Classical::default(), &position).unwrap();
        let start = Position::hirate();
        let difference = Classical::default().explain_difference(&position, &start);
        assert!(!difference.changes().is_empty());
    }
}

#[test]
fn a_position_does_not_differ_from_itself() {
    let start = Position::hirate();
    let difference = Classical::default().explain_difference(&start, &start);
    assert!(difference.changes().iter().all(|change| change.value() == 0.0));
    assert!(difference.changes().iter().all(|change| change.before == change.after));
    assert_eq!(difference.by_square(), [0.0; Square::COUNT]);
}

/// A position in which Black's king can step from 2h into the corner of an anaguma.
const BEFORE_THE_CORNER: &str =
    "lnsgk2nl/1r4gs1/p1ppppbpp/1p4p2/9/2PP5/PPBSPPPPP/2R3SKL/LN1G1G1N1 b - 1";

#[test]
fn one_wrong_weight_is_found_by_a_step_of_the_king() {
    let before = Position::from_sfen(BEFORE_THE_CORNER).unwrap();
    let after = before.after("2h1i".parse().unwrap());
    let changed = Classical::new(&Parameters::hand_set()).explain_difference(&before, &after);
    assert!(changed.sum().abs() < 300.0, "{}", changed.sum());
    let here = Classical::default().explain(&after);
    let tested = |group| move |term: &&Term| term.group == group && term.owner == Color::White;
    // A pawn far from the king, as the regression had learned it, and the king's own square.
    let far_pawn = here
        .terms()
        .iter()
        .filter(tested(Group::EnemyKing))
        .find(|term| term.kind == Some(PieceKind::Pawn) && term.square == Some(Square::S93));
    let corner = Group::Square.index(&[PieceKind::King.index(), 0, 8]);
    for (wrong, cp) in [(far_pawn.unwrap().index, 300), (corner, -400)] {
        let mut parameters = Parameters::hand_set();
        parameters.set(wrong, Weight::constant(cp * Parameters::UNIT as i16));
        let difference = Classical::new(&parameters).explain_difference(&before, &after);
        assert!(difference.sum() < changed.sum() - 250.0);
        let largest = difference.changes()[0];
        assert_eq!(largest.after.map(|term| term.index), Some(wrong), "{largest:?}");
        assert!(largest.value() < -250.0);
    }
}

#[test]
fn a_piece_that_moves_keeps_its_terms() {
    let before = Position::from_sfen(BEFORE_THE_CORNER).unwrap();
    let after = before.after("2h1i".parse().unwrap());
    let difference = Classical::default().explain_difference(&before, &after);
    let square = |term: Option<Term>| term.and_then(|term| term.square);
    let king = |change: &&TermChange| {
        let term = change.after.or(change.before).unwrap();
        change.group == Group::Square
            && term.kind == Some(PieceKind::King)
            && change.owner == Color::Black
    };
    let found: Vec<_> = difference.changes().iter().filter(king).collect();
    assert_eq!(found.len(), 1);
    assert_eq!(
        (square(found[0].before), square(found[0].after)),
        (Some(Square::S28), Some(Square::S19))
    );
    assert_eq!(found[0].place(), Some(Square::S19));
    assert_eq!(found[0].label(Language::English), "K 2h → 1i");
    assert_eq!(found[0].label(Language::Japanese), "玉 ２八 → １九");
    let labels: Vec<_> =
        difference.changes().iter().map(|change| change.label(Language::English)).collect();
    for expected in ["P 9c, enemy king 2h → 1i", "king 2h → 1i, squares 2 → 1", "side to move"]
    {
        assert!(labels.iter().any(|label| label == expected), "no {expected} in {labels:#?}");
    }
}

#[test]
fn terms_have_names_in_both_languages() {
    let position = Position::from_sfen("4k4/9/4s4/9/9/9/4S4/9/4K4 b Pp 1").unwrap();
    let explanation = Classical::default().explain(&position);
    let label = |group, language| {
        let mut terms = explanation.terms().iter();
        terms.find(|term| term.group == group).map(|term| term.label(language)).unwrap()
    };
    for (group, english, japanese) in [
        (Group::Square, "S 5c", "銀 ５三"),
        (Group::OwnKing, "S 5g, king 5i", "銀 ５七、自玉 ５九"),
        (Group::EnemyKing, "S 5c, enemy king 5i", "銀 ５三、敵玉 ５九"),
        (Group::Hand, "P in hand, first", "歩 持ち駒、1枚目"),
        (Group::HandAttack, "P in hand, enemy king 5a", "歩 持ち駒、敵玉 ５一"),
        (Group::PawnFiles, "files 9", "筋 9"),
        (Group::Escape, "king 5i, squares 5", "自玉 ５九、マス 5"),
        (Group::Threat, "S 5g, loose", "銀 ５七、浮き駒"),
        (Group::Tempo, "side to move", "手番の側"),
    ] {
        let mut found = vec![label(group, Language::English), label(group, Language::Japanese)];
        if group == Group::Square {
            let mut terms = explanation.terms().iter();
            let term = terms.find(|term| term.square == Some(Square::S53) && term.group == group);
            found = [Language::English, Language::Japanese]
                .map(|language| term.unwrap().label(language))
                .to_vec();
        }
        assert_eq!(found, [english, japanese], "{group:?}");
    }
}
