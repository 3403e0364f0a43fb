//! Turning or mirroring the board changes only the names of the squares.

use std::collections::BTreeSet;

use komadai_core::{Move, Position};
use komadai_movegen::{DeclarationRule, MoveGen};
use proptest::prelude::*;

use crate::oracle::positions::on_positions;

/// Compares a position with its image, in which a move `m` is `image_of(m)`.
fn compare(
    position: &Position,
    image: &Position,
    image_of: impl Fn(Move) -> Move,
) -> Result<(), TestCaseError> {
    let moves = position.legal_moves();
    let expected: BTreeSet<Move> = moves.iter().copied().map(&image_of).collect();
    let generated: BTreeSet<Move> = image.legal_moves().iter().copied().collect();
    prop_assert_eq!(generated, expected);
    for m in &moves {
        prop_assert_eq!(position.gives_check(m), image.gives_check(image_of(m)), "{}", m);
    }
    prop_assert_eq!(position.mate_in_one().is_some(), image.mate_in_one().is_some());
    prop_assert_eq!(position.checkers().len(), image.checkers().len());
    Ok(())
}

#[test]
fn turned_by_180_degrees() {
    on_positions(250, |position| {
        compare(&position, &position.flipped(), Move::flipped)?;
        // 24 points ask the same of both sides.
        let rule = DeclarationRule::Csa24;
        let (here, there) = (position.declaration(rule), position.flipped().declaration(rule));
        prop_assert_eq!((here.outcome, here.points), (there.outcome, there.points));
        Ok(())
    });
}

#[test]
fn mirrored_left_to_right() {
    on_positions(250, |position| compare(&position, &position.mirrored(), Move::mirrored));
}
