//! Planes and labels, compared with those that another program has computed.

use komadai_core::{Move, Position};
use komadai_movegen::MoveGen;
use komadai_onnx::{FEATURES1, FEATURES2, LABELS, move_label, write_features};
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
