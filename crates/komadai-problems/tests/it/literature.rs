//! Lengths without futile interpositions (無駄合) against those of the literature.
//!
//! The recorded lengths are those of the main lines of 1734 and 1755, not of the longest defence:
//! where the two differ, the recorded line is examined, and the report has to name a shorter mate
//! (早詰) or a longer variation (変長). The slow test takes all problems with a proven length:
//!
//! ```text
//! cargo test --release -p komadai-problems --test it -- literature --ignored --nocapture
//! ```

use komadai_core::{Budget, Move, Position};
use komadai_problems::composition::{self, CompositionOptions, CookKind, Lengths};
use komadai_testdata::tsume::{self, Expected, Problem, Set};

/// A recorded main line that is not as long as the best play of both sides, with a flaw that
/// explains it.
struct Recorded {
    id: &'static str,
    kind: CookKind,
    ply: u32,
    /// From tokoroten/edo_era_tsume_shogi (data: CC0 1.0), files web/problems/*.json.
    line: &'static str,
}

const RECORDED: [Recorded; 12] = [
    Recorded {
        id: "muso038",
        kind: CookKind::LongerVariation,
        ply: 12,
        line: "S*2e 1d2e 4f3e 3f3e N*4f 3e4f 7a3e+ 2c3e 1e2e 3d2c 2e3d 2c3d G*2d",
    },
    Recorded {
        id: "muso039",
        kind: CookKind::LongerVariation,
        ply: 16,
        line: "G*7e 7d7e 6b7c G*7d G*6f 5f6f 5g6f 7e6f B*7e 6f5e 7e6d 5e6e P*6f 6e6f 6d7e 6f7e \
               G*7f 7e7f 7c7d 7f6f 7d6d 6f5g G*4g 5g5h 6d6i",
    },
    Recorded {
        id: "muso042",
        kind: CookKind::LongerVariation,
        ply: 34,
        line: "L*5e 5d5e N*4g 5e5f 9g5g 5f4e 5g4f 4e3d 4f3e 3d4c 3e4d 4c3b 4d4b 3b2c 4b2b 2c3d \
               2b2d 3d4e 2d3e 4e5f 3e5e 5f6g 5e5g 6g7f 5g7g 7f6e 6i5g 6e5d 5h4f 5d4c 4g3e 4c3b \
               3f2d 3b3c 7g7c 3c2d 7c2c 2d3e 2c3d 3e4f 3d4e 4f5g 4e4g",
    },
    Recorded {
        id: "muso050",
        kind: CookKind::LongerVariation,
        ply: 14,
        line: "S*1g 2f1e 1g2f 1e2f S*1e 1d1e 1i1e 2f1e 4b1b+ 1e2f S*1g 2g1g 1b1f 1g1f B*1e 1f1e \
               G*2g",
    },
    Recorded {
        id: "muso055",
        kind: CookKind::LongerVariation,
        ply: 10,
        line: "9h9g 9f8e 9g9f 8e9f 6e7d 7c7d N*8h 9f8e 7g7e 8e7e G*7f",
    },
    Recorded {
        id: "muso071",
        kind: CookKind::LongerVariation,
        ply: 2,
        line: "9f9g 8h7g 9g8h 8i8h+ N*6i 7g8f 5g6h 8h6h R*9f 8f8e P*8f 8e8d 9f9c+ 9b9c 8f8e 8d8c \
               G*8d 9c8d 8e8d 8c8d G*9d 8d8e 9d9e 8e8f 9e9f",
    },
    Recorded {
        id: "muso074",
        kind: CookKind::LongerVariation,
        ply: 2,
        line: "B*2g 1h2h L*2i 1i2i 6g3g 2h3g 4d4f 3g4f S*5e 4f5e B*6f 5f6f 6c5d+ 5e4f G*4g",
    },
    Recorded {
        id: "muso086",
        kind: CookKind::LongerVariation,
        ply: 6,
        line: "2e4g 2i3i 2a2i+ 3i4h 6f5g 4h5g 1b5f+ 5g4h G*4i 6i4i 2i3i 4i3i 5f5g 4h5g G*5h",
    },
    Recorded {
        id: "zuko045",
        kind: CookKind::ShorterMate,
        ply: 33,
        line: "5e7e 8f8g 6g7f 8g9g 7e8f 8e8f N*8i 8f8i+ P*9h 9g8f 7h8h 8i8h P*8g 8h8g 7f7e 8f8e \
               7b9d+ 9e9d P*8f 8g8f 7e7d 8e9e 9c9d 9e9d 7d8c 9d8c G*8d 8c9b 7c8b+ 9b8b 7a8a 8b8a \
               6d7b+ 8a9b B*8c 9b9a 7b8b 9a8b 7i7c+ 8b9a 8c9b+ 9a9b 8d8c 9b9a 8c8b",
    },
    Recorded {
        id: "zuko057",
        kind: CookKind::LongerVariation,
        ply: 58,
        line: "G*6i 6h6i 4i5h 6i5h 3g5i 5h4g P*4h 3h4h 5i4h 4g4h 2h3i 4h4i 3i3h 4i4h 3h4i 4h5i \
               4i4h 5i5h 4h5i 5h6i 5i5h 6i6h 5h6i 6h7i 6i6h 7i7h 6h7i 7h8i 7i7h 8i8h 7h8i 8h9i \
               8i8h 9i8h 1e1h 7g7h+ G*8i 8h7g 1h7h 7g8f 7f7e 8f8e 7e8f 8e8f 7h7e 8f8g P*8h 9g8h \
               8i8h 8g8h L*8i 8h9i 8i8c+ S*8i 1i8i 9i8i S*9h 8i8h P*8i 8h9i S*8h 9i9h P*9i 9h8i \
               7e7i",
    },
    Recorded {
        id: "zuko066",
        kind: CookKind::ShorterMate,
        ply: 3,
        line: "4g3h 2i1h L*1i 1h1i B*8b 8a8b R*2i 1i1h 9b8a P*2g P*1i 1h1g 8a2g 1e2g+ 2i2g 1g1f \
               N*2h 1f1e 2g1g 1e2d 1g1d 2d1d G*2e 1d1c 1a1b 1c1b 2c2b+ 3a2b G*2c 2b2c 3d2c+ 1b2c \
               P*2d 2c3c G*4c 3c2b 4b3b 2b1a S*2b 1a1b 2d2c+ 1b2c 4c3c 2c1b 2b1a+ 1b1c 1a1b 1c1b \
               3b2b 1b1c 3c2c",
    },
    Recorded {
        id: "zuko082",
        kind: CookKind::ShorterMate,
        ply: 3,
        line: "3c4d+ 5d6c 2b5b+ 6c7d 5b6c 6b6c 8d7c+ 7d7c 4d6b 7c7d G*7e 6d7e 7f7e 7d6d 6b7c 6d7c \
               R*7d 7c8b 7d7b+ 8b9a 7b8a",
    },
];

/// The problems of both collections whose strict and recorded lengths are known.
fn proven() -> impl Iterator<Item = (Problem, u32, u32)> {
    tsume::set(Set::Classic).filter_map(|problem| match problem.expected {
        Expected::ShortestMate(strict) => Some((problem, strict, problem.literature_plies()?)),
        _ => None,
    })
}

fn position(problem: &Problem) -> Position {
    Position::from_sfen(problem.sfen).expect("a valid position")
}

#[test]
fn recorded_lengths_count_no_futile_interpositions() {
    // The problems that take the fewest nodes; the last one has a futile interposition.
    for id in ["muso077", "zuko092", "zuko002", "zuko042", "zuko018"] {
        let (problem, strict, recorded) = proven().find(|(p, ..)| p.id == id).expect("a problem");
        let lengths = Lengths::of(&position(&problem), &Budget::nodes(500_000)).expect("a mate");
        assert_eq!((lengths.strict, lengths.literature), (Some(strict), Some(recorded)), "{id}");
    }
}

#[test]
#[ignore = "slow: about a minute"]
fn all_recorded_lengths_agree_or_are_explained() {
    let mut equal = 0;
    let mut explained = 0;
    for (problem, strict, recorded) in proven() {
        let id = problem.id;
        let position = position(&problem);
        let lengths = Lengths::of(&position, &Budget::nodes(20_000_000)).expect("a mate");
        assert_eq!(lengths.strict, Some(strict), "{id}");
        let literature = lengths.literature.expect("computed first");
        println!("{id}: strict {strict}, literature {literature}, recorded {recorded}");
        if literature == recorded {
            equal += 1;
            continue;
        }
        let entry = RECORDED.iter().find(|entry| entry.id == id).expect("an explanation");
        let moves = entry.line.split_whitespace();
        let line = moves.map(|m| m.parse::<Move>().expect("a move")).collect();
        let options = CompositionOptions {
            budget: Budget::nodes(20_000_000),
            longer_by: 0,
            intended: line,
            ..CompositionOptions::default()
        };
        let report = composition::analyse(&position, &options).expect("a mate");
        assert_eq!(report.line.len() as u32, recorded, "{id}");
        assert!(report.is_complete(), "{id}");
        let cook = report.cooks_of(entry.kind).find(|cook| cook.ply == entry.ply);
        println!("  {}", cook.unwrap_or_else(|| panic!("{id}: {report}")));
        explained += 1;
    }
    assert_eq!((equal, explained), (31, 12));
}
