//! Training records: the bytes of other programs, and round trips.

use komadai_core::{Hcp, Move, PackedSfen, Position, Setup, Square};
use komadai_data::records::{
    Hcpe, HcpeReader, HcpeWriter, PackedSfenValue, PsvReader, PsvWriter, RecordFault, RecordResult,
};
use komadai_kifu::{Outcome, Tolerance};
use komadai_movegen::MoveGen;
use komadai_testdata::packed;
use proptest::prelude::*;

use crate::random_play::{incomplete, reached};

/// Score, move, move number, result; the last bytes of PSV and of HCPE.
type RecordRow = (i16, Option<Move>, u16, RecordResult, [u8; 8], [u8; 6]);

const RESULTS: [RecordResult; 3] = [RecordResult::Loss, RecordResult::Draw, RecordResult::Win];

#[test]
fn records_have_the_bytes_of_their_definition() {
    // White to move in the first position of play, so that HCPE's winner differs from the sign.
    let row = packed::rows().find(|row| row.source == "play" && row.sfen.contains(" w ")).unwrap();
    let position = Position::from_sfen(row.sfen).unwrap();
    let drop = Some(Move::drop(komadai_core::PieceKind::Gold, Square::S19));
    let promotion = Some(Move::promotion(Square::S88, Square::S22));
    let rows: [RecordRow; 4] = [
        (
            0x1234,
            drop,
            0x0156,
            RecordResult::Win,
            [0x34, 0x12, 0x88, 0x43, 0x56, 0x01, 0x01, 0],
            [0x34, 0x12, 0x88, 0x2b, 2, 0],
        ),
        (
            -2,
            promotion,
            1,
            RecordResult::Loss,
            [0xfe, 0xff, 0x0a, 0xa3, 0x01, 0x00, 0xff, 0],
            [0xfe, 0xff, 0x0a, 0x63, 1, 0],
        ),
        (
            i16::MIN,
            None,
            u16::MAX,
            RecordResult::Draw,
            [0x00, 0x80, 0, 0, 0xff, 0xff, 0, 0],
            [0x00, 0x80, 0, 0, 0, 0],
        ),
        (
            i16::MAX,
            Some(Move::new(Square::S77, Square::S76)),
            0,
            RecordResult::Draw,
            [0xff, 0x7f, 0x3b, 0x1e, 0, 0, 0, 0],
            [0xff, 0x7f, 0x3b, 0x1e, 0, 0],
        ),
    ];
    for (score, best_move, ply, result, psv_end, hcpe_end) in rows {
        let psv = PackedSfenValue::new(&position, score, best_move, result).unwrap();
        assert_eq!(u32::from(psv.ply), position.ply());
        let psv = PackedSfenValue { ply, ..psv };
        let hcpe = Hcpe::new(&position, score, best_move, result).unwrap();
        let psv_bytes: [u8; 40] = [&row.packed_sfen[..], &psv_end].concat().try_into().unwrap();
        let hcpe_bytes: [u8; 38] = [&row.hcp[..], &hcpe_end].concat().try_into().unwrap();
        assert_eq!((psv.to_bytes(), hcpe.to_bytes()), (psv_bytes, hcpe_bytes));
        assert_eq!(PackedSfenValue::from_bytes(&psv_bytes), Ok(psv));
        assert_eq!(Hcpe::from_bytes(&hcpe_bytes), Ok(hcpe));
    }
}

#[test]
fn positions_of_other_programs_are_read_written_and_converted() {
    let mut rows = 0;
    for row in packed::rows() {
        let setup = Setup { ply: 77, ..Setup::from_sfen(row.sfen).unwrap() };
        let position = Position::from_setup(&setup).unwrap();
        let psv = PackedSfenValue::new(&position, 5, None, RecordResult::Win).unwrap();
        let hcpe = Hcpe::new(&position, 5, None, RecordResult::Win).unwrap();
        assert_eq!(psv.position, PackedSfen::from_bytes(row.packed_sfen), "{}", row.sfen);
        assert_eq!(hcpe.position, Hcp::from_bytes(row.hcp), "{}", row.sfen);
        assert_eq!((psv.to_hcpe(), hcpe.to_psv(77)), (Ok(hcpe), Ok(psv)), "{}", row.sfen);
        assert_eq!(psv.check(), Ok(position.clone()));
        assert!(hcpe.check().unwrap().same_placement(&position));
        rows += 1;
    }
    assert_eq!(rows, 160);
}

#[test]
fn moves_of_other_programs_are_read_and_written() {
    let position = Position::hirate();
    let mut rows = 0;
    for row in packed::move16_rows() {
        let best_move = Some(row.usi.parse().unwrap());
        let psv = PackedSfenValue::new(&position, 0, best_move, RecordResult::Draw).unwrap();
        let hcpe = Hcpe::new(&position, 0, best_move, RecordResult::Draw).unwrap();
        assert_eq!(psv.to_bytes()[34..36], row.yaneuraou.to_le_bytes(), "{}", row.usi);
        assert_eq!(hcpe.to_bytes()[34..36], row.apery.to_le_bytes(), "{}", row.usi);
        assert_eq!(PackedSfenValue::from_bytes(&psv.to_bytes()), Ok(psv));
        assert_eq!(Hcpe::from_bytes(&hcpe.to_bytes()), Ok(hcpe));
        rows += 1;
    }
    assert_eq!(rows, 900);
}

#[test]
fn results_turn_with_the_side() {
    use komadai_core::Color::{Black, White};
    for (outcome, black, white) in [
        (Outcome::Win(Black), RecordResult::Win, RecordResult::Loss),
        (Outcome::Win(White), RecordResult::Loss, RecordResult::Win),
        (Outcome::Draw, RecordResult::Draw, RecordResult::Draw),
    ] {
        for (side, result) in [(Black, black), (White, white)] {
            assert_eq!(RecordResult::of(outcome, side), Some(result));
            assert_eq!(result.outcome(side), outcome);
        }
    }
    assert_eq!(RecordResult::of(Outcome::Unknown, Black), None);
}

#[test]
fn long_files_come_back_record_by_record() {
    // More than two blocks of the reader.
    let start = Position::hirate();
    let record = |score| PackedSfenValue::new(&start, score, None, RecordResult::Draw).unwrap();
    let records: Vec<PackedSfenValue> = (0..5_000).map(record).collect();
    let mut file = PsvWriter::new(Vec::new());
    let mut other = HcpeWriter::new(Vec::new());
    for record in &records {
        file.write(record).unwrap();
        other.write(&record.to_hcpe().unwrap()).unwrap();
    }
    let (bytes, other) = (file.finish().unwrap(), other.finish().unwrap());
    assert_eq!((bytes.len(), other.len()), (5_000 * 40, 5_000 * 38));
    let mut read = PsvReader::new(&bytes[..], Tolerance::Strict);
    assert_eq!(read.by_ref().map(Result::unwrap).collect::<Vec<_>>(), records);
    assert_eq!((read.number(), read.next().is_none()), (5_000, true));
    let read = HcpeReader::new(&other[..], Tolerance::Strict);
    let converted = read.map(|record| record.unwrap().to_psv(1).unwrap());
    assert_eq!(converted.collect::<Vec<_>>(), records);
}

/// A legal move of the position, or none.
fn some_move(position: &Position, choice: u16) -> Option<Move> {
    let moves = position.legal_moves();
    moves.get(usize::from(choice) % (moves.len() + 1)).copied()
}

proptest! {
    #[test]
    fn records_of_random_positions_come_back(
        position in prop_oneof![reached(), incomplete()],
        (choice, score, result) in (any::<u16>(), any::<i16>(), prop::sample::select(&RESULTS)),
    ) {
        let best_move = some_move(&position, choice);
        let psv = PackedSfenValue::new(&position, score, best_move, result).unwrap();
        let hcpe = Hcpe::new(&position, score, best_move, result).unwrap();
        prop_assert_eq!(PackedSfenValue::from_bytes(&psv.to_bytes()), Ok(psv));
        prop_assert_eq!(Hcpe::from_bytes(&hcpe.to_bytes()), Ok(hcpe));
        prop_assert_eq!(psv.to_hcpe(), Ok(hcpe));
        prop_assert_eq!(hcpe.to_psv(psv.ply), Ok(psv));
        prop_assert_eq!(psv.unpack(), Ok(position.clone()));
        prop_assert_eq!(psv.check(), Ok(position.clone()));
        let numberless = Position::from_setup(&Setup { ply: 1, ..position.to_setup() }).unwrap();
        prop_assert_eq!(hcpe.check(), Ok(numberless));
    }

    #[test]
    fn a_move_is_checked_by_the_rules(position in reached(), bits in any::<u16>()) {
        let Some(m) = Move::from_bits(bits) else { return Ok(()) };
        let psv = PackedSfenValue::new(&position, 0, Some(m), RecordResult::Draw).unwrap();
        let hcpe = psv.to_hcpe().unwrap();
        let reason = position.check_legality(m).err();
        let fault = reason.map(|reason| RecordFault::IllegalMove { m, reason });
        prop_assert_eq!((psv.check().err(), hcpe.check().err()), (fault, fault));
        prop_assert_eq!(psv.unpack().err(), hcpe.unpack().err());
        // What is possible is never less than what is legal.
        prop_assert!(psv.unpack().is_ok() || fault.is_some());
    }

    #[test]
    fn arbitrary_bytes_never_panic_and_keep_their_fields(bytes in any::<[u8; 40]>()) {
        let small = |byte: u8| if byte < 128 { byte % 4 } else { byte };
        let mut psv = bytes;
        psv[38] = small(bytes[38]);
        psv[39] = 0;
        if let Ok(record) = PackedSfenValue::from_bytes(&psv) {
            prop_assert_eq!(record.to_bytes(), psv);
            prop_assert!(record.unpack().is_ok() || record.check().is_err());
            let _ = record.to_hcpe();
        }
        let mut hcpe: [u8; 38] = *bytes.first_chunk().unwrap();
        hcpe[36] = small(bytes[38]);
        hcpe[37] = 0;
        if let Ok(record) = Hcpe::from_bytes(&hcpe) {
            prop_assert_eq!(record.to_bytes(), hcpe);
            prop_assert!(record.unpack().is_ok() || record.check().is_err());
            let _ = record.to_psv(1);
        }
    }

    #[test]
    fn damaged_records_never_panic(
        position in reached(),
        choice in any::<u16>(),
        damage in prop::collection::vec((0..40usize, any::<u8>()), 1..5),
    ) {
        let best_move = some_move(&position, choice);
        let psv = PackedSfenValue::new(&position, 0, best_move, RecordResult::Draw).unwrap();
        let (mut psv, mut hcpe) = (psv.to_bytes(), psv.to_hcpe().unwrap().to_bytes());
        for (at, byte) in damage {
            psv[at] = byte;
            hcpe[at % 38] = byte;
        }
        if let Ok(record) = PackedSfenValue::from_bytes(&psv) {
            if let Ok(position) = record.check() {
                let packed = PackedSfen::of(&position).unwrap();
                prop_assert_eq!(packed.position_at(record.ply.into()), Ok(position));
            }
            prop_assert!(record.unpack().is_ok() || record.check().is_err());
        }
        if let Ok(record) = Hcpe::from_bytes(&hcpe) {
            if let Ok(position) = record.check() {
                prop_assert_eq!(Hcp::of(&position).unwrap().position(), Ok(position));
            }
            prop_assert!(record.unpack().is_ok() || record.check().is_err());
        }
    }
}
