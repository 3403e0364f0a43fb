//! The rules decide every known case like the programs that agree on it.

use komadai_core::{Move, Position, UsiPosition};
use komadai_movegen::{
    DeclarationRule, DrawBy, Game, GameRules, IllegalMove, MoveGen, Outcome, Repetition, WinBy,
    play,
};
use komadai_testdata::rules::{self, Question, RuleCase};

fn cases(filter: fn(&Question) -> bool) -> Vec<RuleCase> {
    rules::rows().filter(|case| filter(&case.question)).collect()
}

fn position(case: &RuleCase) -> Position {
    Position::from_sfen(case.position).unwrap_or_else(|error| panic!("{}: {error}", case.id))
}

#[test]
fn move_legality() {
    let cases = cases(|question| matches!(question, Question::MoveLegality { .. }));
    assert_eq!(cases.len(), 47);
    for case in cases {
        let Question::MoveLegality { usi, legal } = case.question else { unreachable!() };
        let position = position(&case);
        let m: Move = usi.parse().unwrap();
        assert_eq!(position.is_legal(m), legal, "{}: {}", case.id, case.note);
        assert_eq!(position.check_legality(m).is_ok(), legal, "{}: {}", case.id, case.note);
        assert_eq!(position.legal_moves().contains(&m), legal, "{}: {}", case.id, case.note);
    }
}

/// The reason why a move is illegal, for the cases with the reason in their name.
#[test]
fn reasons() {
    let mut pawn_drop_mates = 0;
    for case in cases(|question| matches!(question, Question::MoveLegality { legal: false, .. })) {
        let Question::MoveLegality { usi, .. } = case.question else { unreachable!() };
        let reason = position(&case).check_legality(usi.parse().unwrap()).unwrap_err();
        let (family, _) = case.id.split_once('-').unwrap();
        let expected = match (family, case.id) {
            ("uchi", "uchi-07") => matches!(reason, IllegalMove::Occupied { .. }),
            ("uchi", _) => {
                pawn_drop_mates += 1;
                matches!(reason, IllegalMove::PawnDropMate { .. })
            }
            ("nifu", _) => matches!(reason, IllegalMove::Nifu { .. }),
            ("dead", _) => matches!(reason, IllegalMove::DeadDrop { .. }),
            ("promo", "promo-10") => matches!(reason, IllegalMove::CannotPromote { .. }),
            ("promo", "promo-11") => matches!(reason, IllegalMove::OutsidePromotionZone { .. }),
            ("promo", _) => matches!(reason, IllegalMove::MustPromote { .. }),
            ("pin", _) => matches!(reason, IllegalMove::Pinned { .. }),
            ("eva", "eva-02") => matches!(reason, IllegalMove::LeavesKingInCheck { .. }),
            ("eva", "eva-03") | ("king", _) => matches!(reason, IllegalMove::KingIntoCheck { .. }),
            ("eva", "eva-05") => matches!(reason, IllegalMove::DoubleCheck { .. }),
            ("eva", "eva-08") => matches!(reason, IllegalMove::Pinned { .. }),
            _ => panic!("{} is a case without an expected reason", case.id),
        };
        assert!(expected, "{}: {reason}", case.id);
    }
    assert!(pawn_drop_mates >= 6);
}

#[test]
fn fourfold_repetition() {
    let cases = cases(|question| matches!(question, Question::Repetition(_)));
    assert_eq!(cases.len(), 13);
    for case in cases {
        let Question::Repetition(answer) = case.question else { unreachable!() };
        let expected = match answer {
            rules::Repetition::None => Repetition::None,
            rules::Repetition::Draw => Repetition::Draw,
            rules::Repetition::Win => Repetition::Win,
            rules::Repetition::Lose => Repetition::Lose,
        };
        let position = play(&UsiPosition::from_usi(case.position).unwrap()).unwrap();
        assert_eq!(position.repetition(), expected, "{}: {}", case.id, case.note);

        let us = position.side();
        let perpetual_check = |winner| Outcome::Win { winner, by: WinBy::PerpetualCheck };
        let outcome = match answer {
            rules::Repetition::None => None,
            rules::Repetition::Draw => Some(Outcome::Draw(DrawBy::Repetition)),
            rules::Repetition::Win => Some(perpetual_check(us)),
            rules::Repetition::Lose => Some(perpetual_check(!us)),
        };
        assert_eq!(position.outcome(&GameRules::default()), outcome, "{}", case.id);
        assert_eq!(position.outcome(&GameRules::checkmate_only()), None, "{}", case.id);
    }
}

/// The repetition inside a search, as in the notes of the same cases.
#[test]
fn repetition_in_search() {
    for (id, expected) in [
        ("rep-02", Repetition::Draw),
        ("rep-03", Repetition::Draw),
        ("rep-06", Repetition::Lose),
        ("rep-11", Repetition::Inferior),
    ] {
        let case = rules::rows().find(|case| case.id == id).unwrap();
        let position = play(&UsiPosition::from_usi(case.position).unwrap()).unwrap();
        let plies = position.history().len();
        assert_eq!(position.search_repetition(plies + 1), expected, "{id}");
        assert_eq!(position.search_repetition(0), Repetition::None, "{id}");
    }
}

#[test]
fn declaration_by_27_points() {
    let cases = cases(|question| matches!(question, Question::Declaration27 { .. }));
    assert_eq!(cases.len(), 14);
    for case in cases {
        let Question::Declaration27 { wins } = case.question else { unreachable!() };
        let report = position(&case).declaration(DeclarationRule::Csa27);
        assert_eq!(report.wins(), wins, "{}: {} {report:?}", case.id, case.note);
        assert_eq!(report.obstacles().next().is_none(), wins, "{}", case.id);

        let mut game = Game::new(position(&case), GameRules::default());
        assert_eq!(game.outcome(), None, "{}: a declaration is a claim", case.id);
        assert_eq!(game.can_declare(), wins, "{}", case.id);
        let declared = Outcome::Win { winner: report.color, by: WinBy::Declaration };
        assert_eq!(game.declare().ok(), wins.then_some(declared), "{}", case.id);
        assert_eq!(game.outcome(), wins.then_some(declared), "{}", case.id);
    }
}
