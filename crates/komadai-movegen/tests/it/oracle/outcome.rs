//! The outcome by rule against asking the rules one by one.

use std::cell::Cell;

use komadai_core::Position;
use komadai_movegen::{
    DrawBy, GameRules, MaxMoves, MoveGen, Outcome, Repetition, RepetitionRule, WinBy,
};
use proptest::prelude::*;

use crate::oracle::naive::Naive;
use crate::oracle::positions::{on_positions, runner};
use crate::oracle::repetition::{Game as Past, choose, wandering};

#[test]
fn a_side_without_a_legal_move_has_lost() {
    let (mates, stalemates) = (Cell::new(0), Cell::new(0));
    on_positions(1_000, |position| {
        let naive = Naive::new(&position);
        let in_check = naive.is_attacked_king(naive.side());
        let expected = naive.legal_moves().is_empty().then(|| {
            let count = if in_check { &mates } else { &stalemates };
            count.set(count.get() + 1);
            let by = if in_check { WinBy::Checkmate } else { WinBy::Stalemate };
            Outcome::Win { winner: !position.side(), by }
        });
        prop_assert_eq!(position.outcome(&GameRules::checkmate_only()), expected);
        prop_assert_eq!(position.is_checkmate(), expected.is_some() && in_check);
        Ok(())
    });
    assert!(mates.get() > 5, "{} mates", mates.get());
    for (sfen, by) in [
        ("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 2", WinBy::Checkmate),
        ("k8/2G6/P8/9/9/9/9/9/4K4 w - 2", WinBy::Stalemate),
    ] {
        let position = Position::from_sfen(sfen).unwrap();
        let expected = Outcome::Win { winner: !position.side(), by };
        assert_eq!(position.outcome(&GameRules::default()), Some(expected), "{sfen}");
        assert_eq!(position.is_checkmate(), by == WinBy::Checkmate, "{sfen}");
    }
}

#[test]
fn repetition_comes_after_mate_and_before_the_limit() {
    let seen: [Cell<u32>; 5] = Default::default();
    let run = |((start, choices), max_moves): ((Position, Vec<(u8, u16)>), u32)| {
        let rules = GameRules { max_moves: MaxMoves::new(max_moves), ..GameRules::default() };
        let mut past = Past::new(&start);
        let mut position = start;
        for choice in choices {
            let Some(m) = choose(&position, choice) else { break };
            position.do_move(m);
            past.add(&position);
            let us = position.side();
            let perpetual_check = |winner| Outcome::Win { winner, by: WinBy::PerpetualCheck };
            let (kind, expected) = match past.fourfold() {
                _ if Naive::new(&position).legal_moves().is_empty() => {
                    let by = if position.in_check() { WinBy::Checkmate } else { WinBy::Stalemate };
                    (0, Some(Outcome::Win { winner: !us, by }))
                }
                Repetition::Draw => (1, Some(Outcome::Draw(DrawBy::Repetition))),
                Repetition::Win => (2, Some(perpetual_check(us))),
                Repetition::Lose => (2, Some(perpetual_check(!us))),
                _ if max_moves > 0 && position.ply() > max_moves => {
                    (3, Some(Outcome::Draw(DrawBy::MaxMoves)))
                }
                _ => (4, None),
            };
            prop_assert_eq!(position.outcome(&rules), expected);
            if matches!(kind, 1 | 2) {
                let endless =
                    GameRules { repetition: RepetitionRule::None, max_moves: None, ..rules };
                prop_assert_eq!(position.outcome(&endless), None);
            }
            seen[kind].set(seen[kind].get() + 1);
        }
        Ok(())
    };
    let limit = prop_oneof![Just(0), 1..60u32];
    runner(300).run(&(wandering(), limit), run).unwrap();
    for (kind, count) in ["mate", "draw", "perpetual", "limit", "none"].iter().zip(&seen).skip(1) {
        assert!(count.get() > 20, "{kind} was met only {} times", count.get());
    }
}
