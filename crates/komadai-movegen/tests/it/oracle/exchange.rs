//! Static exchange evaluation against captures in turn on a naive board.

use std::collections::BTreeSet;

use komadai_core::{Color, Move, PieceKind, Position, Square};
use komadai_movegen::MoveGen;
use komadai_movegen::exchange::{capture_value, exchange_value};
use proptest::prelude::*;

use crate::oracle::naive::{Naive, may_promote, walk};
use crate::oracle::positions::on_positions;

/// The best gain of the side to move by starting to capture on `square`, or 0.
fn best_capture(naive: &Naive, square: Square, excluded: &BTreeSet<Square>) -> i32 {
    let side = naive.side();
    let kind_on = |square| naive.piece_on(square).unwrap().1;
    let takers = naive.attackers(side, square).filter(|from| !excluded.contains(from));
    let Some(from) = takers.min_by_key(|&from| {
        let kind = kind_on(from);
        (exchange_value(kind), kind, from)
    }) else {
        return 0;
    };
    let kind = kind_on(from);
    // A king does not step into an attack.
    if kind == PieceKind::King && naive.attackers(!side, square).next().is_some() {
        return 0;
    }
    let promotes = may_promote(side, kind, from, square);
    let m = if promotes { Move::promotion(from, square) } else { Move::new(from, square) };
    let promotion = if promotes { gain_of_promotion(kind) } else { 0 };
    let gain = capture_value(kind_on(square)) + promotion;
    (gain - best_capture(&naive.after(m), square, excluded)).max(0)
}

fn gain_of_promotion(kind: PieceKind) -> i32 {
    exchange_value(kind.promoted().unwrap()) - exchange_value(kind)
}

fn oracle(position: &Position, m: Move) -> i32 {
    let naive = Naive::new(position);
    let captured = naive.piece_on(m.to()).map_or(0, |(_, kind)| capture_value(kind));
    let promotion = match m.from() {
        Some(from) if m.is_promotion() => gain_of_promotion(naive.piece_on(from).unwrap().1),
        _ => 0,
    };
    let excluded = pinned_across(&naive, m.to());
    captured + promotion - best_capture(&naive.after(m), m.to(), &excluded)
}

/// The pieces of both sides that may not leave a line which `square` is not on.
fn pinned_across(naive: &Naive, square: Square) -> BTreeSet<Square> {
    let mut pinned = BTreeSet::new();
    for color in Color::ALL {
        let Some(king) = naive.king(color) else { continue };
        let attackers = |naive: &Naive| naive.attackers(!color, king).count();
        for from in naive.squares_of(color).filter(|&from| from != king) {
            let opened = attackers(&naive.without(from)) > attackers(naive);
            if opened && !is_in_line(king, from, square) {
                pinned.insert(from);
            }
        }
    }
    pinned
}

/// Returns whether `square` is on the line through `a` and `b`, in either direction.
fn is_in_line(a: Square, b: Square, square: Square) -> bool {
    let directions = [(0, 1), (1, 0), (1, 1), (1, -1)];
    let line = |(files, ranks): (i32, i32)| -> Vec<Square> {
        (-8..=8).filter_map(|n| walk(a, files * n, ranks * n)).collect()
    };
    directions.into_iter().map(line).any(|line| line.contains(&b) && line.contains(&square))
}

#[test]
fn exchanges_are_what_taking_in_turn_gives() {
    on_positions(250, |position| {
        for m in &position.legal_moves() {
            let exact = position.see(m);
            prop_assert_eq!(exact, oracle(&position, m), "{}", m);
            for threshold in [exact - 1, exact, exact + 1, -100, 0, 1, 200, i32::MIN, i32::MAX] {
                let reached = position.see_at_least(m, threshold);
                prop_assert_eq!(reached, exact >= threshold, "{} {}", m, threshold);
            }
        }
        Ok(())
    });
}

#[test]
fn known_exchanges() {
    use PieceKind::{Bishop, Horse, Pawn, ProPawn, Rook, Silver};
    let value = exchange_value;
    for (what, sfen, usi, expected) in [
        ("nothing happens", "4k4/9/9/9/9/9/9/9/4K4 b G 1", "G*5h", 0),
        ("a dropped rook is lost", "4k4/9/9/9/9/9/9/9/4K4 b R 1", "R*5b", -2 * value(Rook)),
        (
            "a guarded silver for a pawn",
            "4k4/9/5g3/4p4/4S4/9/9/9/4K4 b - 1",
            "5e5d",
            2 * value(Pawn) - 2 * value(Silver),
        ),
        (
            "the gold stays, because of the rook behind the silver",
            "4k4/9/5g3/4p4/4S4/4R4/9/9/K8 b - 1",
            "5e5d",
            2 * value(Pawn),
        ),
        (
            "a pinned gold does not guard",
            "4k4/9/4g4/5p3/5S3/9/4R4/9/K8 b - 1",
            "4e4d",
            2 * value(Pawn),
        ),
        (
            "a tokin gives but a pawn",
            "4k4/9/9/4+p4/4G4/9/9/9/K8 b - 1",
            "5e5d",
            value(ProPawn) + value(Pawn),
        ),
        ("promotion with the capture", "4k4/9/9/9/9/2b6/1B7/9/K8 b - 1", "8g7f", 2 * value(Bishop)),
        (
            "promotion deep in the zone",
            "4k4/9/9/9/4B4/9/9/9/4K4 b - 1",
            "5e1a+",
            value(Horse) - value(Bishop),
        ),
    ] {
        let position = Position::from_sfen(sfen).unwrap();
        let m = usi.parse().unwrap();
        assert_eq!(oracle(&position, m), expected, "{what}, by the oracle");
        assert_eq!(position.see(m), expected, "{what}");
    }
}
