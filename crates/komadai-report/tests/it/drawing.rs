//! Every bundled position can be drawn, with any move marked in it.

use komadai_core::{Color, Move, Setup};
use komadai_report::{Diagram, SvgArrow, SvgBoard, SvgPieces};
use komadai_testdata::tsume::{self, Set};
use komadai_testdata::{openings, packed};

/// Positions from games, handicaps, and tsume problems with one king and full hands.
fn setups() -> impl Iterator<Item = Setup> {
    let games = openings::sfens().chain(packed::rows().map(|row| row.sfen));
    let problems = tsume::set(Set::Classic).chain(tsume::set(Set::RandomMate));
    games
        .chain(problems.map(|problem| problem.sfen))
        .map(|sfen| Setup::from_sfen(sfen).expect("the data is well formed"))
        // A setup need not be a legal position.
        .chain([Setup::empty()])
}

/// Board moves, promotions and drops; most of them are illegal in the position they meet.
fn moves() -> impl Iterator<Item = Move> {
    let moves: Vec<Move> = packed::move16_rows()
        .map(|row| row.usi.parse().expect("the data is well formed"))
        .collect();
    moves.into_iter().cycle()
}

#[test]
fn boards_can_be_drawn() {
    let mut drawn = 0;
    for (setup, m) in setups().zip(moves()) {
        assert_eq!(Diagram::kanji(&setup).to_string().matches('|').count(), 18, "{setup}");
        assert_eq!(Diagram::letters(&setup).to_string().matches('|').count(), 18, "{setup}");
        for pieces in [SvgPieces::Kanji, SvgPieces::Letters] {
            let board = SvgBoard {
                pieces,
                last_move: Some(m),
                arrows: vec![(m, SvgArrow::Plain)],
                title: Some("<&>".to_owned()),
                ..SvgBoard::new(&setup)
            };
            let flipped = SvgBoard { bottom: Color::White, ..board.clone() };
            for picture in [board.to_string(), flipped.to_string()] {
                let tags = (picture.matches('<').count(), picture.matches('>').count());
                assert_eq!(tags.0, tags.1, "{setup} {m}");
                assert!(!picture.contains("NaN"), "{setup} {m}");
            }
        }
        drawn += 1;
    }
    assert!(drawn > 700, "{drawn}");
}
