//! The bytes of packed positions and moves, as other programs write them.

use komadai_core::{Color, Hcp, Move, PackedError, PackedSfen, PieceKind, Position, Setup, Square};
use proptest::prelude::*;

use crate::random_setup::any_setup;

/// Positions with a piece box and with one king, and what cshogi 1.1.0 packs them to: PackedSfen,
/// then HCP.
const ROWS: [(&str, &str, &str); 13] = [
    // A box between nothing and 38 pieces.
    (
        "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "59241261583f13f1b39c12e17825c223115e89f09c12e15825e2631925c2907e",
        "59240a61b8be0af1736c0a617915c2a3105e85f06c0a61b914e2e39814c2905e",
    ),
    (
        "4k4/9/9/9/9/9/9/9/4K4 b - 1",
        "58240000000000000000008024499224499294524aadb5b6d65a7beffd7afd7e",
        "58240000000000000000008024499224499294524a6badd55a6bbdf7fe78bc5e",
    ),
    (
        "4k4/9/4+P4/9/4b4/9/9/9/4K4 w 2p 1",
        "592400000000503e0100000000a424499224494a29a5d65a5b6badbdf77efd7e",
        "59240000000090be0000000000a424499224494a29a5b5d66aadb5de7b7fbc5e",
    ),
    (
        "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b RB2GS2Nl 1",
        "5824126120113f0b897090088f4420111e12e120111f0b89309432ce797c625a",
        "58240a61a0103f0785b050088f42a0101e0a61a1101f0785308c51cef9fc626a",
    ),
    // One king: the 257th bit is not stored.
    (
        "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
        "a224000000001000000000001c922449922449c61863adb5ce39e7bdf7f9fc7e",
        "a224000000001000000000001c922449922449c618e39c73d65aebbdf7fbfdff",
    ),
    (
        "4k4/9/4P4/9/9/9/9/9/9 b G 1",
        "a224000000001000000000001c499224499224a594526badadb5d6defbf5fafd",
        "a224000000001000000000001c499224499224a594d25a6bb5d65aeffdf178bd",
    ),
    (
        "9/9/9/9/9/9/9/4g4/4K4 w 2G 1",
        "59510000000000bc00000000708e24499224499294524aadb5b6d65afbf5fafd",
        "59510000000000bc00000000708e24499224499294524a6badd55a6bfdf178bd",
    ),
    (
        "7nl/7k1/6+Bpp/9/9/9/9/9/9 b RSrb4g3s3n3l16p 1",
        "a28a51026b027c01000000000000c0f8902449922449c6186bad73ce7bef7d7e",
        "a28a490157017c0200000000000040f9912449922449c618e79cb5d67beffdfe",
    ),
    // The last piece in hand: White's if the order of kinds starts again, Black's if it does not.
    (
        "8k/9/7R1/9/9/9/9/9/9 b RB4G4S4N4L18Pb 1",
        "a200007e000000000000000000000000000000104208a59432c618e79cf3f83c",
        "a200007e000000000000000000000000000000104208638c514a29e79cf3f97d",
    ),
    (
        "8k/9/7R1/9/9/9/9/9/9 b R2B4G4S4N4L18P 1",
        "a200007e000000000000000000000000000000104208a59432c618e79cf3787c",
        "a200007e000000000000000000000000000000104208638c514a29e79cf3f9fc",
    ),
    // The last piece in the box: a rook; a gold, which without its last bit reads as a silver.
    (
        "9/9/9/9/9/9/9/9/8K w 2r2b3g4s4n4l18p 1",
        "11510000000000000000000092244992244932c6186bad75ce39efbdcfe7f7bb",
        "11510000000000000000000092244992244932c618e79cb3d65aefbddfefffdf",
    ),
    (
        "9/9/9/9/9/9/9/9/8K w 2r2b4s4n4l18p 1",
        "11510000000000000000000092244992244932c6186bad75ce399fcfef77efbd",
        "11510000000000000000000092244992244932c618e79cb3d65abfdfffbff7de",
    ),
    // No box at all.
    (
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "58a451220ceb67227e9653221caf447824c22b119e53221ceb6f223e9651220c",
        "58a449210cd757217e8e4d212caf427814c2ab109e4d212cd75f213e8e49210c",
    ),
];

fn bytes(hex: &str) -> [u8; 32] {
    core::array::from_fn(|index| u8::from_str_radix(&hex[2 * index..2 * index + 2], 16).unwrap())
}

/// Returns whether the setup is a position, and checks that the position packs to the same bytes.
fn packs_as_position(setup: &Setup) -> bool {
    let Ok(position) = Position::from_setup(setup) else { return false };
    let turned = setup.flipped();
    assert_eq!(PackedSfen::of(&position), PackedSfen::from_setup(setup), "{position}");
    assert_eq!(Hcp::of(&position), Hcp::from_setup(setup), "{position}");
    assert_eq!(PackedSfen::of_flipped(&position), PackedSfen::from_setup(&turned), "{position}");
    assert_eq!(Hcp::of_flipped(&position), Hcp::from_setup(&turned), "{position}");
    true
}

#[test]
fn positions_are_packed_as_their_setups_from_either_side() {
    let rows = komadai_testdata::packed::rows().map(|row| row.sfen.to_owned());
    let sfens = rows.chain(ROWS.iter().map(|row| row.0.to_owned()));
    let setups = sfens.map(|sfen| Setup::from_sfen(&sfen).unwrap());
    assert_eq!(setups.filter(packs_as_position).count(), 160 + ROWS.len() - 2);
    // With one king the bit that is lost may be needed from one side only.
    for sfen in
        ["8k/9/7R1/9/9/9/9/9/9 b 2B4G4S4N4L18Pr 1", "8k/9/7R1/9/9/9/9/9/9 b r2b4g4s4n4l18p 1"]
    {
        assert!(packs_as_position(&Setup::from_sfen(sfen).unwrap()), "{sfen}");
    }
}

fn assert_packs(sfen: &str, packed_sfen: [u8; 32], hcp: [u8; 32]) {
    let setup = Setup { ply: 1, ..Setup::from_sfen(sfen).unwrap() };
    assert_eq!(PackedSfen::from_setup(&setup), Ok(PackedSfen::from_bytes(packed_sfen)), "{sfen}");
    assert_eq!(Hcp::from_setup(&setup), Ok(Hcp::from_bytes(hcp)), "{sfen}");
    assert_eq!(PackedSfen::from_bytes(packed_sfen).to_setup().as_ref(), Ok(&setup), "{sfen}");
    assert_eq!(Hcp::from_bytes(hcp).to_setup().as_ref(), Ok(&setup), "{sfen}");
    let kings = setup.board.iter().flatten().filter(|piece| piece.kind() == PieceKind::King);
    let has_both = kings.count() == 2;
    assert_eq!(PackedSfen::from_bytes(packed_sfen).has_both_kings(), has_both, "{sfen}");
    assert_eq!(Hcp::from_bytes(hcp).has_both_kings(), has_both, "{sfen}");
}

#[test]
fn positions_of_play_and_handicaps_have_the_bytes_of_other_programs() {
    let mut rows = 0;
    for row in komadai_testdata::packed::rows() {
        assert_packs(row.sfen, row.packed_sfen, row.hcp);
        rows += 1;
    }
    assert_eq!(rows, 160);
}

#[test]
fn piece_boxes_and_missing_kings_have_the_bytes_of_cshogi() {
    for (sfen, packed_sfen, hcp) in ROWS {
        assert_packs(sfen, bytes(packed_sfen), bytes(hcp));
    }
}

#[test]
fn moves_have_the_bits_of_other_programs() {
    let mut rows = 0;
    for row in komadai_testdata::packed::move16_rows() {
        let m: Move = row.usi.parse().unwrap();
        assert_eq!((m.to_bits(), m.to_apery_bits()), (row.yaneuraou, row.apery), "{m}");
        assert_eq!(Move::from_bits(row.yaneuraou), Some(m));
        assert_eq!(Move::from_apery_bits(row.apery), Some(m));
        rows += 1;
    }
    assert_eq!(rows, 900);
}

#[test]
fn a_packed_position_shows_its_bytes() {
    let packed = PackedSfen::from_setup(&Setup::hirate()).unwrap();
    assert_eq!(format!("{packed:?}"), format!("PackedSfen({})", ROWS[12].1));
}

#[test]
fn positions_are_unpacked_with_their_side_and_move_number() {
    for row in komadai_testdata::packed::rows() {
        let setup = Setup { ply: 77, ..Setup::from_sfen(row.sfen).unwrap() };
        let position = Position::from_setup(&setup).unwrap();
        let (psfen, hcp) = (PackedSfen::from_bytes(row.packed_sfen), Hcp::from_bytes(row.hcp));
        assert_eq!((psfen.side(), hcp.side()), (setup.side, setup.side));
        assert_eq!(psfen.position_at(77).as_ref(), Ok(&position), "{}", row.sfen);
        assert_eq!(hcp.position_at(77).as_ref(), Ok(&position), "{}", row.sfen);
        assert_eq!(psfen.position().unwrap().ply(), 1);
    }
}

#[test]
fn a_setup_that_breaks_a_rule_is_packed_but_no_position() {
    let setup = Setup::from_sfen("4k4/9/9/9/4P4/9/4P4/9/4K4 b - 1").unwrap();
    let nifu = PackedError::BreaksRule(Position::from_setup(&setup).unwrap_err());
    assert_eq!(PackedSfen::from_setup(&setup).unwrap().position(), Err(nifu));
    assert_eq!(Hcp::from_setup(&setup).unwrap().position(), Err(nifu));
    assert!(nifu.to_string().ends_with("two unpromoted pawns on file 5"), "{nifu}");
}

#[test]
fn what_does_not_fit_is_refused() {
    for (sfen, error) in [
        ("9/9/9/9/9/9/9/9/9 b - 1", PackedError::NoKing),
        ("4k4/9/9/9/9/9/9/9/3KK4 b - 1", PackedError::TwoKings { color: Color::Black }),
        (
            "4k4/9/9/9/9/9/9/9/4K4 b R2r 1",
            PackedError::TooManyPieces { kind: PieceKind::Rook, count: 3, most: 2 },
        ),
        (
            "4k4/4+P4/9/9/9/9/9/9/4K4 b 9P9p 1",
            PackedError::TooManyPieces { kind: PieceKind::Pawn, count: 19, most: 18 },
        ),
        // White's only piece in hand is the stream's last and could as well be Black's.
        ("8k/9/7R1/9/9/9/9/9/9 b 2B4G4S4N4L18Pr 1", PackedError::LastBitLost),
    ] {
        let setup = Setup::from_sfen(sfen).unwrap();
        assert_eq!(PackedSfen::from_setup(&setup), Err(error), "{sfen}");
        assert_eq!(Hcp::from_setup(&setup), Err(error), "{sfen}");
    }
}

/// A stream of codes (value, bits), the rest zero.
fn stream(codes: &[(u8, u32)]) -> [u8; 32] {
    let mut bytes = [0; 32];
    let bits = codes.iter().flat_map(|&(code, bits)| (0..bits).map(move |bit| code >> bit & 1));
    for (index, bit) in bits.enumerate().take(256) {
        bytes[index / 8] |= bit << (index % 8);
    }
    bytes
}

fn assert_no_position(codes: &[(u8, u32)], error: PackedError) {
    let bytes = stream(codes);
    assert_eq!(PackedSfen::from_bytes(bytes).to_setup(), Err(error));
    assert_eq!(Hcp::from_bytes(bytes).to_setup(), Err(error));
}

#[test]
fn broken_bytes_are_refused_with_the_reason() {
    let kings = [(0, 1), (44, 7), (36, 7)];
    let then =
        |code: (u8, u32), times: usize| [&kings[..], &[(0, 1); 79], &vec![code; times]].concat();
    assert_no_position(
        &[(0, 1), (90, 7)],
        PackedError::BadKingSquare { color: Color::Black, found: 90 },
    );
    assert_no_position(
        &[(0, 1), (80, 7), (127, 7)],
        PackedError::BadKingSquare { color: Color::White, found: 127 },
    );
    assert_no_position(
        &[(1, 1), (44, 7), (44, 7)],
        PackedError::SharedKingSquare { square: Square::S59 },
    );
    assert_no_position(&[(0, 1), (81, 7), (81, 7)], PackedError::NoKing);
    // An omitted box, as by old encoders, reads as pawns.
    assert_no_position(
        &kings,
        PackedError::TooManyPieces { kind: PieceKind::Pawn, count: 54, most: 18 },
    );
    // A promoted pawn of White's is no piece in hand and none in the box.
    assert_no_position(&then((0b110, 3), 1), PackedError::BadCode { at: 94 });
    // 33 lances of 5 bits after 94 bits.
    assert_no_position(&then((0b00001, 5), 33), PackedError::BadLength { end: 259, expected: 256 });
    // Rooks of Black all over the board: 15 + 30 · 8 bits are stored, the last one reads as a pawn
    // of 4 bits, and the 48 squares behind the end as empty.
    let rooks = [&kings[..], &[(0b0011_1111, 8); 79]].concat();
    assert_no_position(&rooks, PackedError::BadLength { end: 307, expected: 256 });
}

proptest! {
    #[test]
    fn random_positions_come_back_or_are_refused_for_a_lost_bit(
        setup in any_setup(),
    ) {
        let setup = Setup { ply: 1, ..setup };
        let kings = setup.count(PieceKind::King);
        match PackedSfen::from_setup(&setup) {
            Ok(packed) => prop_assert_eq!(packed.to_setup(), Ok(setup.clone())),
            Err(error) => prop_assert_eq!(error, refusal(kings)),
        }
        match Hcp::from_setup(&setup) {
            Ok(packed) => prop_assert_eq!(packed.to_setup(), Ok(setup)),
            Err(error) => prop_assert_eq!(error, refusal(kings)),
        }
    }

    #[test]
    fn a_position_is_unpacked_as_from_its_setup(setup in any_setup()) {
        let position = Position::from_setup(&setup).map_err(PackedError::BreaksRule);
        if let Ok(packed) = PackedSfen::from_setup(&setup) {
            prop_assert_eq!(packed.position_at(setup.ply), position.clone());
        }
        if let Ok(packed) = Hcp::from_setup(&setup) {
            prop_assert_eq!(packed.position_at(setup.ply), position);
        }
    }

    #[test]
    fn changed_bytes_never_panic_and_what_is_read_packs_again(
        setup in any_setup(),
        changes in prop::collection::vec((0..32usize, any::<u8>()), 1..4),
    ) {
        let Ok(packed) = PackedSfen::from_setup(&setup) else { return Ok(()) };
        let mut bytes = *packed.as_bytes();
        for (at, byte) in changes {
            bytes[at] = byte;
        }
        if let Ok(read) = PackedSfen::from_bytes(bytes).to_setup() {
            for kind in PieceKind::HAND {
                prop_assert!(read.count(kind) <= PieceKind::TOTALS[kind.index()]);
            }
            if let Ok(again) = PackedSfen::from_setup(&read) {
                prop_assert_eq!(again.to_setup(), Ok(read));
            }
        }
        if let Ok(read) = Hcp::from_bytes(bytes).to_setup()
            && let Ok(again) = Hcp::from_setup(&read)
        {
            prop_assert_eq!(again.to_setup(), Ok(read));
        }
    }

    #[test]
    fn random_bytes_never_panic(bytes in any::<[u8; 32]>()) {
        let _ = PackedSfen::from_bytes(bytes).to_setup();
        let _ = Hcp::from_bytes(bytes).to_setup();
    }
}

/// The only error of packing a setup with legal numbers of pieces and this many kings.
fn refusal(kings: u32) -> PackedError {
    match kings {
        0 => PackedError::NoKing,
        1 => PackedError::LastBitLost,
        _ => unreachable!("a position with both kings always fits"),
    }
}
