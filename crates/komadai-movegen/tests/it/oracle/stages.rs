//! Each class contains the moves of its definition, and the kinds partition the legal moves.

use std::collections::BTreeSet;

use komadai_core::{Move, PieceKind, Position};
use komadai_movegen::stages::generate_class_into;
use komadai_movegen::{Count, MoveClass, MoveGen, MoveList, generate_class, generate_useful};
use proptest::prelude::*;

use crate::oracle::naive::{Naive, far_rank, may_promote};
use crate::oracle::positions::on_positions;

/// Returns whether the legal move `m` belongs to `class` by its definition.
fn belongs(naive: &Naive, m: Move, class: MoveClass) -> bool {
    let captures = naive.piece_on(m.to()).is_some();
    let kind = if m.is_drop() {
        MoveClass::DROPS
    } else if captures {
        MoveClass::CAPTURES
    } else if m.is_promotion() {
        MoveClass::PROMOTIONS
    } else {
        MoveClass::QUIETS
    };
    let no_kinds = !class.intersects(MoveClass::ALL);
    let after = naive.after(m);
    (class.contains(kind) || no_kinds && !class.is_empty())
        && (!class.contains(MoveClass::CHECKS) || after.is_attacked_king(after.side()))
        && (!class.contains(MoveClass::USEFUL) || !is_pointless(naive, m))
}

/// A pawn, bishop or rook that could promote and does not; a lance on the last two ranks.
fn is_pointless(naive: &Naive, m: Move) -> bool {
    let Some(from) = m.from().filter(|_| !m.is_promotion()) else { return false };
    let (color, kind) = naive.piece_on(from).unwrap();
    match kind {
        PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook => {
            may_promote(color, kind, from, m.to())
        }
        PieceKind::Lance => far_rank(color, m.to()) <= 2,
        _ => false,
    }
}

fn generated(position: &Position, class: MoveClass) -> Vec<Move> {
    let mut list = MoveList::new();
    generate_class(position, class, &mut list);
    list.to_vec()
}

#[test]
fn every_class_holds_the_moves_it_names() {
    on_positions(150, |position| {
        let naive = Naive::new(&position);
        let legal = position.legal_moves();
        for class in (0..=u8::MAX).filter_map(MoveClass::from_bits) {
            let moves = generated(&position, class);
            let set: BTreeSet<Move> = moves.iter().copied().collect();
            prop_assert_eq!(set.len(), moves.len(), "a move is written twice in {:?}", class);
            let expected: BTreeSet<Move> =
                legal.iter().copied().filter(|&m| belongs(&naive, m, class)).collect();
            prop_assert_eq!(set, expected, "{:?}", class);

            let mut count = Count(0);
            prop_assert!(generate_class_into(&position, class, &mut count).is_continue());
            prop_assert_eq!(count.0, moves.len() as u64, "{:?}", class);
        }
        Ok(())
    });
}

#[test]
fn the_four_kinds_are_disjoint_and_complete() {
    on_positions(300, |position| {
        let kinds =
            [MoveClass::CAPTURES, MoveClass::PROMOTIONS, MoveClass::QUIETS, MoveClass::DROPS];
        let mut together: Vec<Move> =
            kinds.into_iter().flat_map(|kind| generated(&position, kind)).collect();
        together.sort_unstable();
        let mut legal = position.legal_moves().to_vec();
        legal.sort_unstable();
        prop_assert_eq!(together, legal);
        Ok(())
    });
}

#[test]
fn the_useful_moves_are_a_class() {
    on_positions(300, |position| {
        let mut list = MoveList::new();
        generate_useful(&position, &mut list);
        let mut useful = list.to_vec();
        useful.sort_unstable();
        let mut class = generated(&position, MoveClass::USEFUL);
        class.sort_unstable();
        prop_assert_eq!(useful, class);
        Ok(())
    });
}

#[test]
fn non_promotions_are_told_apart() {
    // One of each that can promote: pawn 9c, lance 8d, knight 7e, silver 6d, bishop 5d, rook 1d.
    let sfen = "k8/9/P8/1L1SB3R/2N6/9/9/9/K8 b - 1";
    let position = Position::from_sfen(sfen).unwrap();
    let has = |class, usi: &str| generated(&position, class).contains(&usi.parse().unwrap());
    for (usi, useful) in [
        ("9c9b", false),
        ("8d8c", true),
        ("8d8b", false),
        ("7e6c", true),
        ("6d6c", true),
        ("5d4c", false),
        ("1d1a", false),
        ("5d6e", true),
    ] {
        assert!(has(MoveClass::ALL, usi), "{usi}");
        assert_eq!(has(MoveClass::USEFUL, usi), useful, "{usi}");
    }
}
