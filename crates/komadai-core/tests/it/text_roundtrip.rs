//! Written texts read back to the same value, and canonical texts are written unchanged.

use komadai_core::{Handicap, Move, PieceKind, Position, Pv, Score, Setup, Square, UsiPosition};
use komadai_testdata::{handicaps, openings, packed, perft, positions};
use proptest::prelude::*;

use crate::random_setup::any_setup;

#[test]
fn canonical_texts_are_written_as_they_were_read() {
    let bench = positions::bench().into_iter().map(|position| position.sfen);
    let packed = packed::rows().map(|row| row.sfen);
    for sfen in bench.chain(packed).chain(openings::sfens()) {
        assert_eq!(Setup::from_sfen(sfen).unwrap().to_string(), sfen);
        assert_eq!(Position::from_sfen(sfen).unwrap().to_string(), sfen);
        assert_eq!(sfen.parse::<Position>(), Position::from_sfen(sfen));
    }
}

#[test]
fn other_texts_read_back() {
    for row in perft::rows().chain(perft::one_king_rows()) {
        let position = Position::from_sfen(row.sfen).unwrap();
        assert_eq!(position.to_string().parse(), Ok(position), "{}", row.sfen);
    }
}

#[test]
fn the_handicaps_of_records_are_known() {
    let mut rows = 0;
    for (row, handicap) in handicaps::rows().zip(Handicap::ALL) {
        assert_eq!(handicap.kif_name(), row.kif);
        assert_eq!(handicap.jkf_preset(), row.jkf);
        assert_eq!(handicap.sfen(), row.sfen);
        assert_eq!(Handicap::from_setup(&Setup::from_sfen(row.sfen).unwrap()), Some(handicap));
        rows += 1;
    }
    assert_eq!(rows, Handicap::ALL.len());
}

#[test]
fn the_moves_of_openings_lead_to_their_positions() {
    for row in openings::rows() {
        let line = format!("position startpos moves {}", row.moves);
        let game = UsiPosition::from_usi(&line).unwrap();
        assert_eq!(format!("position {game}"), line);
        let mut position = Position::from_setup(&game.setup).unwrap();
        for &m in &game.moves {
            position.do_move(m);
        }
        assert_eq!(position.to_string(), row.sfen);
        assert_eq!(position.to_usi_position(), game);
        assert_eq!(UsiPosition::from(&position), game);
        // A null move starts another list of moves.
        if !position.in_check() {
            position.do_null_move();
            let start = UsiPosition { setup: position.to_setup(), moves: Vec::new() };
            assert_eq!(position.to_usi_position(), start);
        }
    }
}

#[test]
fn moves_of_other_programs_read_and_write() {
    for row in packed::move16_rows() {
        assert_eq!(row.usi.parse::<Move>().unwrap().to_string(), row.usi);
    }
}

fn any_move() -> impl Strategy<Value = Move> {
    (0..9usize, any_square(), any_square()).prop_map(|(form, from, to)| match form {
        kind @ 0..7 => Move::drop(PieceKind::HAND[kind], to),
        _ if from == to => Move::drop(PieceKind::Gold, to),
        7 => Move::promotion(from, to),
        _ => Move::new(from, to),
    })
}

fn any_square() -> impl Strategy<Value = Square> {
    (0..Square::COUNT).prop_map(|index| Square::ALL[index])
}

proptest! {
    #[test]
    fn setups_read_back(setup in any_setup()) {
        let sfen = setup.to_string();
        prop_assert_eq!(Setup::from_sfen(&sfen), Ok(setup.clone()));
        prop_assert_eq!(format!("sfen {sfen}").parse(), Ok(setup));
    }

    #[test]
    fn a_position_writes_what_it_was_read_from(setup in any_setup()) {
        if let Ok(position) = Position::from_setup(&setup) {
            prop_assert_eq!(position.to_string(), setup.to_string());
        }
    }

    #[test]
    fn usi_positions_read_back(
        setup in any_setup(),
        moves in prop::collection::vec(any_move(), 0..300),
    ) {
        let game = UsiPosition { setup, moves };
        let text = game.to_string();
        prop_assert_eq!(UsiPosition::from_usi(&text), Ok(game.clone()));
        prop_assert_eq!(UsiPosition::from_usi(&format!("position {text} resign")).is_ok(),
            !game.moves.is_empty());
    }

    #[test]
    fn lines_and_scores_read_back(
        moves in prop::collection::vec(any_move(), 0..40),
        raw in -32_000..=32_000i32,
    ) {
        let line = Pv::from(&moves[..]);
        prop_assert_eq!(line.to_string().parse(), Ok(line));
        let score = Score::from_raw(raw);
        prop_assert_eq!(score.to_string().parse(), Ok(score));
    }
}
