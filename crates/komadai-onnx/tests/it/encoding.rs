//! Planes and labels, compared with those that another program has computed.

use komadai_core::{Move, Position, SplitMix64};
use komadai_movegen::MoveGen;
use komadai_onnx::{
    ENTERING_KING_FEATURES, FEATURES1, FEATURES2, LABELS, move_label, write_entering_king_features,
    write_features,
};
use komadai_testdata::planes;

#[test]
fn planes_equal_those_of_dlshogi_bit_for_bit() {
    // What was in the planes before does not matter.
    let (mut features1, mut features2) = ([7.0; FEATURES1 * 81], [7.0; FEATURES2 * 81]);
    for row in planes::rows() {
        let position = Position::from_sfen(row.sfen).unwrap();
        write_features(&position, &mut features1, &mut features2);
        for (plane, expected) in features1.chunks(81).zip(row.features1) {
            let expected: Vec<f32> =
                (0..81).map(|square| (expected >> square & 1) as f32).collect();
            assert_eq!(plane, expected, "{}", row.sfen);
        }
        for (index, (plane, is_set)) in features2.chunks(81).zip(row.features2).enumerate() {
            let expected = f32::from(u8::from(is_set));
            assert!(plane.iter().all(|&x| x == expected), "{}: plane {index}", row.sfen);
        }
    }
}

#[test]
fn labels_equal_those_of_dlshogi() {
    let mut seen = [false; LABELS / 81];
    for row in planes::rows() {
        let position = Position::from_sfen(row.sfen).unwrap();
        let mut moves: Vec<(String, Move)> =
            position.legal_moves().into_iter().map(|m| (m.to_string(), m)).collect();
        moves.sort();
        assert_eq!(moves.len(), row.labels.len(), "{}", row.sfen);
        for ((text, m), label) in moves.into_iter().zip(row.labels) {
            assert_eq!(move_label(position.side(), m), label, "{text} in {}", row.sfen);
            seen[label / 81] = true;
        }
    }
    let missing: Vec<usize> = (0..seen.len()).filter(|&class| !seen[class]).collect();
    assert!(missing.is_empty(), "no position has a move of the classes {missing:?}");
}

#[test]
fn both_colours_see_the_same() {
    let planes_of = |position: &Position| {
        let (mut features1, mut features2) = ([0.0; FEATURES1 * 81], [0.0; FEATURES2 * 81]);
        write_features(position, &mut features1, &mut features2);
        (features1, features2)
    };
    for row in planes::rows() {
        let position = Position::from_sfen(row.sfen).unwrap();
        assert!(planes_of(&position) == planes_of(&position.flipped()), "{}", row.sfen);
    }
}

/// Returns the planes of entering kings that are set, all of whose squares have to be equal.
fn entering_king(position: &Position) -> [bool; ENTERING_KING_FEATURES] {
    let mut planes = [7.0; ENTERING_KING_FEATURES * 81];
    write_entering_king_features(position, &mut planes);
    let (planes, _) = planes.as_chunks::<81>();
    let is_set = |index: usize| {
        let plane = &planes[index];
        assert!(plane == &[0.0; 81] || plane == &[1.0; 81], "plane {index}");
        plane[0] == 1.0
    };
    std::array::from_fn(is_set)
}

/// The same from the text of a position, piece by piece.
fn entering_king_of_text(sfen: &str) -> [bool; ENTERING_KING_FEATURES] {
    let cells: Vec<&str> = sfen.split(' ').collect();
    let mut planes = [false; ENTERING_KING_FEATURES];
    for black in [true, false] {
        let is_own = |c: char| c.is_ascii_alphabetic() && c.is_ascii_uppercase() == black;
        let points = |c: char| if "RrBb".contains(c) { 5 } else { 1 };
        let ranks: Vec<&str> = cells[0].split('/').collect();
        let camp = if black { &ranks[..3] } else { &ranks[6..] }.concat();
        let (kings, men): (Vec<char>, Vec<char>) =
            camp.chars().filter(|c| is_own(*c)).partition(|c| "Kk".contains(*c));
        let mut sum: usize = men.iter().map(|c| points(*c)).sum();
        let mut number = String::new();
        for c in cells[2].chars() {
            if c.is_ascii_digit() {
                number.push(c);
            } else {
                let count = number.parse().unwrap_or(1);
                sum += if is_own(c) { count * points(c) } else { 0 };
                number.clear();
            }
        }
        let goal = if black { 28 } else { 27 };
        let block = &mut planes[if black == (cells[1] == "b") { 0 } else { 31 }..][..31];
        block[0] = !kings.is_empty();
        (1..=10).for_each(|n| block[11 - n] = men.len() == n);
        (0..20).for_each(|lacking| block[11 + lacking] = sum + lacking == goal);
    }
    planes
}

#[test]
fn planes_of_entering_kings_equal_those_of_dlshogi() {
    for row in planes::entering_king_rows() {
        let position = Position::from_sfen(row.sfen).unwrap();
        assert_eq!(entering_king(&position), row.planes, "{}", row.sfen);
        assert_eq!(entering_king_of_text(row.sfen), row.planes, "{}", row.sfen);
    }
}

#[test]
fn planes_of_entering_kings_follow_from_the_text() {
    let mut random = SplitMix64::new(41);
    let mut seen = [false; ENTERING_KING_FEATURES];
    let sfens = planes::entering_king_rows().map(|row| row.sfen);
    for sfen in sfens.chain(planes::rows().map(|row| row.sfen)) {
        let mut position = Position::from_sfen(sfen).unwrap();
        for _ in 0..30 {
            let text = position.to_string();
            let found = entering_king(&position);
            assert_eq!(found, entering_king_of_text(&text), "{text}");
            seen.iter_mut().zip(found).for_each(|(seen, found)| *seen |= found);
            let moves = position.legal_moves();
            let Some(m) = moves.get(random.below(moves.len().max(1) as u64) as usize) else {
                break;
            };
            position.do_move(*m);
        }
    }
    assert_eq!(seen, [true; ENTERING_KING_FEATURES]);
}

#[test]
fn the_colours_need_different_points() {
    // Turned around, the planes are the same but for the point by which White needs less.
    for row in planes::entering_king_rows() {
        let position = Position::from_sfen(row.sfen).unwrap();
        let turned = entering_king(&position.flipped());
        for side in [0, 31] {
            assert_eq!(turned[side..side + 11], row.planes[side..side + 11], "{}", row.sfen);
        }
        let (black, white) = if row.sfen.contains(" b ") { (11, 42) } else { (42, 11) };
        assert_eq!(turned[black..black + 19], row.planes[black + 1..black + 20], "{}", row.sfen);
        assert_eq!(turned[white + 1..white + 20], row.planes[white..white + 19], "{}", row.sfen);
    }
}
