//! Files of training records that are damaged, cut off, or of another format.

use std::io::{self, Read};

use komadai_core::{Color, Hcp, Move, PackedError, PackedSfen, PieceKind, Position, Setup, Square};
use komadai_data::records::{
    Hcpe, HcpeReader, HcpeWriter, PackedSfenValue, PsvReader, RecordCheck, RecordFault,
    RecordResult, TrainingError, TrainingFormat, TrainingRecord,
};
use komadai_kifu::Tolerance;
use komadai_movegen::{IllegalMove, MoveGen};

/// Records of games, the first at the start.
fn game(records: usize) -> Vec<PackedSfenValue> {
    let mut position = Position::hirate();
    let mut game = Vec::new();
    while game.len() < records {
        let moves = position.legal_moves();
        if moves.is_empty() {
            position = Position::hirate();
            continue;
        }
        let m = moves[(game.len() * 7 + 3) % moves.len()];
        let result = if game.len() % 2 == 0 { RecordResult::Win } else { RecordResult::Loss };
        game.push(PackedSfenValue::new(&position, game.len() as i16, Some(m), result).unwrap());
        position.do_move(m);
    }
    game
}

fn psv_file(records: &[PackedSfenValue]) -> Vec<u8> {
    records.iter().flat_map(PackedSfenValue::to_bytes).collect()
}

fn hcpe_file(records: &[PackedSfenValue]) -> Vec<u8> {
    records.iter().flat_map(|record| record.to_hcpe().unwrap().to_bytes()).collect()
}

/// The layout of apery_rust: position and move number, value, move, last move number, result.
fn apery_rust_file(records: &[PackedSfenValue]) -> Vec<u8> {
    let bytes = |record: &PackedSfenValue| {
        let hcpe = record.to_hcpe().unwrap().to_bytes();
        [&hcpe[..32], &record.ply.to_le_bytes(), &hcpe[32..36], &[120, 0], &hcpe[36..]].concat()
    };
    records.iter().flat_map(bytes).collect()
}

fn psv_faults(file: &[u8], check: RecordCheck) -> (Vec<String>, usize) {
    let mut records = PsvReader::new(file, Tolerance::Lenient).checking(check);
    let read = records.by_ref().map(Result::unwrap).count();
    (records.skipped().first().iter().map(ToString::to_string).collect(), read)
}

#[test]
fn a_file_that_is_cut_off_is_refused_or_counted() {
    let records = game(4);
    let file = psv_file(&records);
    // One record of another format may be sound up to the cut.
    for length in (0..file.len()).filter(|length| ![38, 42].contains(length)) {
        let whole = length / 40;
        let mut strict = PsvReader::new(&file[..length], Tolerance::Strict);
        for record in &records[..whole] {
            assert_eq!(strict.next().unwrap().unwrap(), *record, "{length}");
        }
        let (faults, read) = psv_faults(&file[..length], RecordCheck::Legality);
        assert_eq!(read, whole);
        if length % 40 == 0 {
            assert!(strict.next().is_none() && faults.is_empty());
            continue;
        }
        let error = strict.next().unwrap().unwrap_err();
        let expected = format!(
            "record {} at byte {}: the file ends after {} of 40 bytes",
            whole + 1,
            whole * 40,
            length % 40
        );
        assert_eq!((error.to_string(), &faults[..]), (expected.clone(), &[expected][..]));
        assert!(strict.next().is_none(), "the reading ends with the error");
    }
    let file = hcpe_file(&records);
    let last = HcpeReader::new(&file[..150], Tolerance::Strict).last().unwrap().unwrap_err();
    assert_eq!(last.to_string(), "record 4 at byte 114: the file ends after 36 of 38 bytes");
}

#[test]
fn damaged_fields_are_named_with_their_place() {
    let records = game(6);
    let mut file = psv_file(&records);
    file[40 + 38] = 2;
    file[80 + 38] = 0xfe;
    file[120 + 34..][..2].copy_from_slice(&127u16.to_le_bytes()); // from 1一 to square 127
    file[160 + 34..][..2].copy_from_slice(&0xc0ffu16.to_le_bytes()); // a drop with promotion
    file[200 + 39] = 7; // padding
    let expected = [
        "record 2 at byte 40: the result 2, expected 1, 0 or -1",
        "record 3 at byte 80: the result -2, expected 1, 0 or -1",
        "record 4 at byte 120: the bits 0x007f represent no move",
        "record 5 at byte 160: the bits 0xc0ff represent no move",
    ];
    let (faults, read) = psv_faults(&file, RecordCheck::Fields);
    assert_eq!((&faults[..], read), (&expected.map(str::to_owned)[..], 2));
    let mut strict = PsvReader::new(&file[..], Tolerance::Strict);
    assert!(strict.next().unwrap().is_ok());
    assert_eq!(strict.next().unwrap().unwrap_err().to_string(), expected[0]);
    assert!(strict.next().is_none());

    let mut file = hcpe_file(&records);
    file[38 + 36] = 3;
    file[76 + 34..][..2].copy_from_slice(&(88u16 << 7).to_le_bytes()); // an eighth kind
    let mut lenient = HcpeReader::new(&file[..], Tolerance::Lenient);
    assert_eq!(lenient.by_ref().count(), 4);
    assert_eq!(
        lenient.skipped().to_string(),
        "record 2 at byte 38: the result 3, expected 0, 1 or 2\n\
         record 3 at byte 76: the bits 0x2c00 represent no move\n",
    );
    assert_eq!(lenient.number(), 6);
}

/// The fault that each level of checks finds in a record with this position and move.
fn faults_of(position: PackedSfen, best_move: Option<Move>) -> [Option<RecordFault>; 3] {
    let record =
        PackedSfenValue { position, score: 0, best_move, ply: 1, result: RecordResult::Draw };
    let levels = [RecordCheck::Fields, RecordCheck::Position, RecordCheck::Legality];
    levels.map(|check| record.validate(check).err())
}

#[test]
fn damaged_positions_are_named() {
    let start = *PackedSfen::of(&Position::hirate()).unwrap().as_bytes();
    let changed = |changes: &[(usize, u8)]| {
        let mut bytes = start;
        changes.iter().for_each(|&(at, byte)| bytes[at] = byte);
        PackedSfen::from_bytes(bytes)
    };
    let pawns = PackedError::TooManyPieces { kind: PieceKind::Pawn, count: 54, most: 18 };
    let mut lone_kings = [0; 32];
    lone_kings[..2].copy_from_slice(&start[..2]); // without a box, as old encoders wrote it
    let nifu = Setup::from_sfen("4k4/9/9/9/4P4/9/4P4/9/4K4 b - 1").unwrap();
    let nifu_error = Position::from_setup(&nifu).unwrap_err();
    for (position, error) in [
        (changed(&[(0, 0xff)]), PackedError::BadKingSquare { color: Color::Black, found: 127 }),
        (changed(&[(1, 90)]), PackedError::BadKingSquare { color: Color::White, found: 90 }),
        (changed(&[(1, 44)]), PackedError::SharedKingSquare { square: Square::S59 }),
        (PackedSfen::from_bytes(lone_kings), pawns),
        (PackedSfen::from_setup(&nifu).unwrap(), PackedError::BreaksRule(nifu_error)),
    ] {
        let fault = Some(RecordFault::Position(error));
        assert_eq!(faults_of(position, None), [None, fault, fault], "{position:?}");
    }
}

#[test]
fn impossible_and_illegal_moves_are_named() {
    let position = Position::hirate();
    let packed = PackedSfen::of(&position).unwrap();
    for (m, reason) in [
        ("5e5d", IllegalMove::NoPiece { square: Square::S55 }),
        ("P*5e", IllegalMove::NotInHand { color: Color::Black, kind: PieceKind::Pawn }),
    ] {
        let m: Move = m.parse().unwrap();
        let fault = Some(RecordFault::IllegalMove { m, reason });
        assert_eq!(faults_of(packed, Some(m)), [None, fault, fault]);
    }
    for (m, is_possible) in [("3c3d", false), ("9i9g", false), ("7g7e", true), ("7g7f+", true)] {
        let [fields, possible, legal] = faults_of(packed, Some(m.parse().unwrap()));
        assert_eq!((fields, possible.is_none(), legal.is_some()), (None, is_possible, true), "{m}");
    }
    let held = Position::from_sfen("4k4/9/9/9/4p4/9/9/9/4K4 b P 1").unwrap();
    let drop = faults_of(PackedSfen::of(&held).unwrap(), Some("P*5e".parse().unwrap()));
    assert!(drop[0].is_none() && drop[1].is_some() && drop[2].is_some());
}

#[test]
fn damage_within_the_position_is_counted_if_it_is_checked() {
    let records = game(100);
    let mut file = psv_file(&records);
    (0..100).step_by(10).for_each(|record| file[record * 40] ^= 0xf0);
    assert_eq!(psv_faults(&file, RecordCheck::Fields), (vec![], 100));
    let (faults, read) = psv_faults(&file, RecordCheck::Position);
    assert_eq!(faults.len() + read, 100);
    assert!(faults.len() >= 8, "{faults:#?}");
    assert!(faults[0].starts_with("record 1 at byte 0: "), "{}", faults[0]);
}

#[test]
fn a_file_of_another_format_is_refused_by_its_name() {
    for count in [1, 2, 3, 19, 40, 3_000] {
        let records = game(count);
        let files = [
            (TrainingFormat::Psv, psv_file(&records)),
            (TrainingFormat::Hcpe, hcpe_file(&records)),
            (TrainingFormat::AperyRust, apery_rust_file(&records)),
        ];
        for (format, file) in files {
            let detected = TrainingFormat::detect(&file, Some(file.len() as u64));
            assert_eq!(detected, Some(format), "{count}");
            for tolerance in [Tolerance::Strict, Tolerance::Lenient] {
                refuses::<PackedSfenValue>(&file, format, tolerance);
                refuses::<Hcpe>(&file, format, tolerance);
            }
        }
    }
    let file = apery_rust_file(&game(5));
    let error = HcpeReader::new(&file[..], Tolerance::Strict).next().unwrap().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the file is of the format HuffmanCodedPositionAndEval of apery_rust (records of 42 bytes), \
         expected HCPE (records of 38 bytes)"
    );
}

fn refuses<T: TrainingRecord>(file: &[u8], format: TrainingFormat, tolerance: Tolerance) {
    let mut reader = komadai_data::records::TrainingReader::<_, T>::new(file, tolerance);
    let first = reader.next().expect("the file is not empty");
    match first {
        Ok(_) => assert_eq!(format, T::FORMAT),
        Err(TrainingError::WrongFormat { found, expected }) => {
            assert_eq!((found, expected), (format, T::FORMAT));
            assert!(found != expected && reader.next().is_none());
        }
        Err(error) => panic!("{format} read as {}: {error}", T::FORMAT),
    }
}

#[test]
fn the_length_decides_if_nothing_else_does() {
    let detect = |length: usize| TrainingFormat::detect(&vec![0xff; length], Some(length as u64));
    assert_eq!(detect(420), Some(TrainingFormat::AperyRust));
    assert_eq!(detect(380), Some(TrainingFormat::Hcpe));
    assert_eq!(detect(400), Some(TrainingFormat::Psv));
    assert_eq!(detect(840), None, "twenty-one records of PSV or twenty of apery_rust");
    assert_eq!(detect(41), None);
    assert_eq!(detect(38), None, "perhaps the start of another record");
    assert_eq!(detect(0), None);
    assert_eq!(TrainingFormat::detect(&[0xff; 380], None), None);
}

#[test]
fn the_length_decides_between_formats_with_sound_records() {
    let (psv, hcpe) = (psv_file(&game(2)), hcpe_file(&game(1)));
    // The first position is one in either variant, and no second record can be tried.
    assert_eq!(TrainingFormat::detect(&psv[..42], Some(42)), Some(TrainingFormat::AperyRust));
    assert_eq!(TrainingFormat::detect(&psv[..42], Some(80)), Some(TrainingFormat::Psv));
    // Whole records of either format, but none of PSV in the part that is known.
    assert_eq!(TrainingFormat::detect(&hcpe, Some(38 * 40)), Some(TrainingFormat::Hcpe));
}

#[test]
fn a_file_with_much_damage_keeps_its_format() {
    let records = game(400);
    let mut file = psv_file(&records);
    for record in (0..400).filter(|record| record % 7 != 0) {
        file[record * 40 + 38] = 100;
    }
    let (faults, read) = psv_faults(&file, RecordCheck::Fields);
    assert_eq!((faults.len(), read), (100, 58));
    let file = vec![0xff; 400];
    assert_eq!(psv_faults(&file, RecordCheck::Fields).0.len(), 10);
}

/// A source that returns few bytes at once, is interrupted now and then, and fails at the end.
struct Hesitant<'a> {
    bytes: &'a [u8],
    calls: usize,
    ends_with_failure: bool,
}

impl Read for Hesitant<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.calls.is_multiple_of(3) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        if self.bytes.is_empty() && self.ends_with_failure {
            return Err(io::Error::other("the disk is gone"));
        }
        let most = (self.calls % 97).min(buffer.len());
        self.bytes.read(&mut buffer[..most.max(1)])
    }
}

#[test]
fn sources_may_hesitate_and_fail_after_the_last_whole_record() {
    let records = game(300);
    let file = psv_file(&records);
    let hesitant = Hesitant { bytes: &file, calls: 0, ends_with_failure: false };
    let read = PsvReader::new(hesitant, Tolerance::Strict).map(Result::unwrap);
    assert_eq!(read.collect::<Vec<_>>(), records);

    for tolerance in [Tolerance::Strict, Tolerance::Lenient] {
        let bytes = &file[..40 * 250 + 11];
        let hesitant = Hesitant { bytes, calls: 0, ends_with_failure: true };
        let mut reader = PsvReader::new(hesitant, tolerance);
        let read: Vec<_> = reader.by_ref().take(250).map(Result::unwrap).collect();
        assert_eq!(read, records[..250]);
        let error = reader.next().unwrap().unwrap_err();
        let TrainingError::Io { record: 251, offset: 10_000, ref error } = error else {
            panic!("{error}")
        };
        assert_eq!(error.to_string(), "the disk is gone");
        assert!(reader.next().is_none());
    }
}

#[test]
fn a_missing_file_and_an_empty_one_have_no_records() {
    let missing = PsvReader::open("/nonexistent/records.psv", Tolerance::Lenient);
    assert!(matches!(missing, Err(TrainingError::Io { record: 1, offset: 0, .. })));
    assert!(PsvReader::new(io::empty(), Tolerance::Strict).next().is_none());
    assert!(HcpeReader::new(io::empty(), Tolerance::Strict).next().is_none());
}

#[test]
fn slices_of_another_length_are_refused() {
    for length in [0, 37, 39, 80] {
        let bytes = vec![0; length];
        let fault = |expected| Some(RecordFault::Length { found: length, expected });
        assert_eq!(PackedSfenValue::from_slice(&bytes).err(), fault(40));
        assert_eq!(Hcpe::from_slice(&bytes).err(), fault(38));
    }
    assert_eq!(TrainingFormat::Psv.record_bytes(), Some(PackedSfenValue::BYTES));
    assert_eq!(TrainingFormat::Hcpe.record_bytes(), Some(Hcpe::BYTES));
}

#[test]
fn a_file_on_disk_is_opened_and_its_length_known() {
    let folder = tempfile::tempdir().unwrap();
    let records = game(3);
    let open = |bytes: &[u8]| {
        let path = folder.path().join("records");
        std::fs::write(&path, bytes).unwrap();
        PsvReader::open(path, Tolerance::Strict).unwrap()
    };
    let read = open(&psv_file(&records)).map(Result::unwrap);
    assert_eq!(read.collect::<Vec<_>>(), records);
    let other = open(&hcpe_file(&records)).next().unwrap().unwrap_err();
    assert!(matches!(other, TrainingError::WrongFormat { found: TrainingFormat::Hcpe, .. }));
    let other = open(&[0xff; 42 * 1_000]).next().unwrap().unwrap_err();
    assert!(matches!(other, TrainingError::Damaged { .. }), "also a multiple of 40: {other}");
    let other = open(&[0xff; 42 * 1_001]).next().unwrap().unwrap_err();
    assert!(matches!(other, TrainingError::WrongFormat { found: TrainingFormat::AperyRust, .. }));
}

/// A destination that is full after this many bytes.
struct Full(usize);

impl io::Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or_else(|| io::Error::other("full"))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_reported_at_the_end_at_the_latest() {
    let record = Hcpe { position: Hcp::from_bytes([0; 32]), ..game(1)[0].to_hcpe().unwrap() };
    let mut file = HcpeWriter::new(Full(100));
    (0..10).for_each(|_| file.write(&record).unwrap());
    assert_eq!(file.number(), 10);
    assert!(file.finish().is_err());
    // A destination with a buffer of its own writes that one, too.
    let mut file = HcpeWriter::new(io::BufWriter::new(Full(100)));
    (0..10).for_each(|_| file.write(&record).unwrap());
    assert!(file.finish().is_err());
    let mut file = HcpeWriter::new(Full(380));
    (0..10).for_each(|_| file.write(&record).unwrap());
    assert!(file.finish().is_ok());
}
