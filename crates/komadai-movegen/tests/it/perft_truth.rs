//! The generator counts the same moves as at least three independent programs.
//!
//! The long check, 547,581,517 leaves: `cargo test -p komadai-movegen --release --test it --
//! --ignored perft_truth`.

use std::num::NonZero;
use std::thread::available_parallelism;

use komadai_core::Position;
use komadai_movegen::{
    MoveList, count_legal, generate_legal, perft, perft_divide, perft_full, perft_parallel,
};
use komadai_testdata::perft::{MAX_MOVES, PerftRow, STARTPOS, one_king_rows, rows};
use komadai_testdata::{disagreements, positions};

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"))
}

/// The count of all threads of this machine.
fn counted(position: &Position, depth: u32) -> u64 {
    let threads = available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    perft_parallel(position, depth, threads)
}

fn check(row: PerftRow) {
    let nodes = counted(&position(row.sfen), row.depth);
    assert_eq!(nodes, row.nodes, "depth {} of {}", row.depth, row.sfen);
}

#[test]
fn every_row_with_two_kings() {
    rows().for_each(check);
}

#[test]
fn every_row_with_one_king() {
    one_king_rows().for_each(check);
}

#[test]
fn the_bench_positions_and_the_start_to_depth_5() {
    assert_eq!(counted(&position(positions::MAX_MOVES), 3), MAX_MOVES[2]);
    assert_eq!(counted(&Position::hirate(), 5), STARTPOS[4]);
    for bench in positions::bench() {
        for (depth, &nodes) in (1..=4).zip(bench.perft) {
            check(PerftRow { sfen: bench.sfen, depth, nodes });
        }
    }
}

#[test]
#[ignore = "slow: seconds in an optimised build, a minute without, see the head of this file"]
fn start_position_to_depth_6() {
    assert_eq!(counted(&Position::hirate(), 6), STARTPOS[5]);
}

#[test]
fn every_way_of_counting_agrees() {
    for (depth, nodes) in (0..).zip([&[1][..], &STARTPOS[..4]].concat()) {
        let position = Position::hirate();
        assert_eq!(perft(&position, depth), nodes);
        assert_eq!(perft_full(&position, depth), nodes);
        assert_eq!(counted(&position, depth), nodes);
        if depth > 0 {
            let divided = perft_divide(&position, depth);
            assert_eq!(divided.len(), 30);
            assert_eq!(divided.iter().map(|&(_, nodes)| nodes).sum::<u64>(), nodes);
        }
        assert_eq!(position, Position::hirate(), "perft leaves the position as it was");
    }
}

#[test]
fn mating_pawn_drops_are_omitted_where_other_programs_are_wrong() {
    for row in disagreements::rows() {
        let position = position(row.sfen);
        let mut list = MoveList::new();
        generate_legal(&position, &mut list);
        assert_eq!(list.len(), row.legal_moves as usize, "{}", row.sfen);
        assert_eq!(count_legal(&position), u64::from(row.legal_moves), "{}", row.sfen);
    }
}
