//! The sample of positions by which evaluations are scaled.

use komadai_core::{PackedSfen, Position};
use komadai_eval::{Classical, Evaluator, Material, from_fn, scale};
use komadai_testdata::games;

/// Number of places in each game, evenly spaced from the opening to the end.
const PLACES: usize = 6;

/// Returns the sample: positions without check of each tournament game, packed.
fn expected() -> Vec<u8> {
    let mut bytes = Vec::new();
    for game in games::tournament() {
        let moves: Vec<&str> = game.moves.split(' ').collect();
        let mut position = Position::hirate();
        let place = |index: usize| (2 * index + 1) * moves.len() / (2 * PLACES);
        let mut next = 0;
        for (ply, text) in moves.iter().enumerate() {
            if next < PLACES && ply >= place(next) && !position.in_check() {
                let packed = PackedSfen::of(&position).expect("both kings are there");
                bytes.extend_from_slice(packed.as_bytes());
                next += 1;
            }
            position.do_move(text.parse().expect("the games are legal"));
        }
    }
    bytes
}

#[test]
fn the_sample_comes_from_the_tournament_games() {
    let bytes: Vec<u8> = scale::sample()
        .iter()
        .flat_map(|position| *PackedSfen::of(position).expect("both kings are there").as_bytes())
        .collect();
    assert_eq!(bytes.len() / 32, expected().len() / 32);
    assert!(bytes == expected(), "`write_the_sample` writes the file anew");
}

#[test]
#[ignore = "writes the file of the sample"]
fn write_the_sample() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/scale/sample.bin");
    std::fs::write(path, expected()).expect("the folder is writable");
}

#[test]
fn scales_follow_the_values() {
    let times = |factor: i32| {
        let classical = Classical::default();
        from_fn(move |position: &Position| factor * classical.evaluate_position(position).raw())
    };
    let single = times(1).scale();
    assert_eq!(single, Classical::default().scale());
    for factor in [2, 4] {
        let ratio = times(factor).scale() / single;
        assert!((ratio - f64::from(factor)).abs() < 0.01, "{factor}: {ratio}");
    }
    for known in [Classical::default().scale(), Material.scale()] {
        assert!((0.9..1.1).contains(&known), "{known}");
    }
    assert_eq!(from_fn(|_: &Position| 0).scale(), 1.0, "no spread, no scale");
}
