//! Files of games: HCPE3, `.pack` and sbinpack.
//!
//! Files that cshogi 1.1.0 and rsshogi 1.7.0 read as the same games, and files of rsshogi that are
//! the same bytes, had the bytes that these writers and the test's encoder of sbinpack make.

use komadai_core::{Color, Move, PackedSfen, Position, SplitMix64};
use komadai_data::records::{
    Candidate, GameWriteError, TrainingEnd, TrainingError, TrainingFormat, TrainingGame,
    TrainingGameReader, TrainingMove,
};
use komadai_kifu::{Outcome, Tolerance};
use komadai_movegen::MoveGen as _;

const FORMATS: [TrainingFormat; 3] =
    [TrainingFormat::Pack, TrainingFormat::Hcpe3, TrainingFormat::Sbinpack];

/// Games of random legal moves; every fifth begins later.
pub(crate) fn random_games(count: u64, seed: u64) -> Vec<TrainingGame> {
    let mut random = SplitMix64::new(seed);
    (0..count).map(|game| random_game(game, &mut random)).collect()
}

fn random_game(game: u64, random: &mut SplitMix64) -> TrainingGame {
    let choose = |position: &Position, random: &mut SplitMix64| {
        let moves = position.legal_moves();
        moves.get(random.below(moves.len().max(1) as u64) as usize).copied()
    };
    let mut position = Position::hirate();
    if game % 5 == 4 {
        (0..8).filter_map(|_| choose(&position, random).map(|m| position.do_move(m))).count();
        position = Position::from_setup(&position.to_setup()).unwrap();
    }
    let (start, mut moves) = (position.clone(), Vec::new());
    for _ in 0..20 + random.below(60) {
        let Some(m) = choose(&position, random) else { break };
        moves.push(TrainingMove::new(m, random.below(4_000) as i16 - 2_000));
        position.do_move(m);
    }
    let outcome = [Outcome::Draw, Outcome::Win(Color::Black), Outcome::Win(Color::White)];
    let outcome = outcome[random.below(3) as usize];
    let end = match outcome {
        Outcome::Draw => TrainingEnd::MoveLimit,
        _ => TrainingEnd::Resignation,
    };
    TrainingGame { start, outcome, end, moves }
}

pub(crate) fn file(format: TrainingFormat, games: &[TrainingGame]) -> Vec<u8> {
    let bytes = |game: &TrainingGame| match format {
        TrainingFormat::Pack => game.to_pack().unwrap(),
        TrainingFormat::Hcpe3 => game.to_hcpe3().unwrap(),
        _ => sbinpack(game),
    };
    games.iter().flat_map(bytes).collect()
}

/// A part of an sbinpack file with one game: the definition word by word.
fn sbinpack(game: &TrainingGame) -> Vec<u8> {
    let code: u16 = match game.outcome {
        Outcome::Win(Color::Black) => 0,
        Outcome::Win(Color::White) => 1,
        _ => 6,
    };
    let mut chain = PackedSfen::of(&game.start).unwrap().as_bytes().to_vec();
    let first = &game.moves[0];
    chain.extend(first.score.to_le_bytes());
    chain.extend(first.played.to_bits().to_le_bytes());
    chain.extend((code << 10 | game.start.ply() as u16).to_le_bytes());
    chain.extend([3, 7, 7, 7]);
    chain.extend((game.moves.len() as u16).to_le_bytes());
    let (mut position, mut before) = (game.start.clone(), i32::from(first.score));
    for (index, TrainingMove { played, score, .. }) in game.moves.iter().enumerate() {
        let ordered = ordered(&position);
        varint(&mut chain, ordered.iter().position(|m| m == played).unwrap() as u32);
        let seen = if index % 2 == 0 { i32::from(*score) } else { -i32::from(*score) };
        let difference = seen - before;
        varint(&mut chain, (difference << 1 ^ difference >> 31).cast_unsigned());
        before = seen;
        position.do_move(*played);
    }
    [b"SBN2", &(chain.len() as u32).to_le_bytes()[..], &chain].concat()
}

fn varint(bytes: &mut Vec<u8>, mut value: u32) {
    while value > 127 {
        bytes.push(value as u8 | 128);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// The legal moves in the order of sbinpack, compared key by key.
fn ordered(position: &Position) -> Vec<Move> {
    let side = position.side();
    let square = |square: komadai_core::Square| {
        let seen = if side == Color::Black { square } else { square.flipped() };
        let (file, rank) = (seen as usize / 9 + 1, seen as usize % 9 + 1);
        (rank, [5, 4, 6, 3, 7, 2, 8, 1, 9].iter().position(|&central| central == file).unwrap())
    };
    let piece = |m: Move| {
        let letter = match (m.from(), m.dropped()) {
            (Some(from), _) => position.piece_on(from).unwrap().kind(),
            (None, dropped) => dropped.unwrap(),
        };
        use komadai_core::PieceKind::*;
        let order = [
            Pawn, Lance, Knight, Silver, Gold, Bishop, Rook, King, ProPawn, ProLance, ProKnight,
            ProSilver, Horse, Dragon,
        ];
        order.iter().position(|&kind| kind == letter).unwrap()
    };
    let mut moves: Vec<Move> = position.legal_moves().iter().copied().collect();
    moves.sort_by_key(|&m| {
        let captures = position.piece_on(m.to()).is_some();
        let from = m.from().map(square);
        (m.from().is_none(), captures, m.is_promotion(), piece(m), square(m.to()), from)
    });
    moves
}

fn read(format: TrainingFormat, bytes: &[u8]) -> Vec<TrainingGame> {
    let games = TrainingGameReader::new(bytes, format, Tolerance::Strict);
    games.map(|game| game.unwrap()).collect()
}

/// The games as HCPE3 has them: with one candidate each, and all from move 1.
fn as_hcpe3(games: &[TrainingGame]) -> Vec<TrainingGame> {
    let mut games = games.to_vec();
    for game in &mut games {
        let setup = komadai_core::Setup { ply: 1, ..game.start.to_setup() };
        game.start = Position::from_setup(&setup).unwrap();
        for played in &mut game.moves {
            played.candidates = vec![Candidate { m: played.played, visits: 1 }];
        }
    }
    games
}

#[test]
fn games_come_back_in_every_format() {
    let games = random_games(40, 1);
    assert_eq!(read(FORMATS[0], &file(FORMATS[0], &games)), games);
    assert_eq!(read(FORMATS[1], &file(FORMATS[1], &games)), as_hcpe3(&games));
    assert_eq!(read(FORMATS[2], &file(FORMATS[2], &games)), games);
}

#[test]
fn a_small_pack_and_hcpe3_have_the_bytes_of_their_definitions() {
    // rsshogi writes these bytes for the same game.
    let moves = vec![
        TrainingMove::new("7g7f".parse().unwrap(), 120),
        TrainingMove::new("3c3d".parse().unwrap(), -80),
    ];
    let (start, outcome) = (Position::hirate(), Outcome::Win(Color::Black));
    let game = TrainingGame { start, outcome, end: TrainingEnd::Resignation, moves };
    let pack = [1, 0x3b, 0x1e, 0x78, 0, 0x15, 0x0a, 0xb0, 0xff, 0x81, 0, 0];
    assert_eq!(game.to_pack().unwrap(), pack);
    let hcpe3 = game.to_hcpe3().unwrap();
    assert_eq!(hcpe3[32..36], [2, 0, 1, 0]);
    assert_eq!(hcpe3[36..46], [0x3b, 0x1e, 0x78, 0, 1, 0, 0x3b, 0x1e, 1, 0]);
    let unknown = TrainingGame { outcome: Outcome::Unknown, ..game };
    assert_eq!(unknown.to_pack(), Err(GameWriteError::Unknown));
    assert_eq!(unknown.records().count(), 0);
}

#[test]
fn positions_without_candidates_are_not_learnt_from() {
    let mut game = random_games(1, 2).remove(0);
    game.moves[3].is_labelled = false;
    game.moves[5].candidates = vec![
        Candidate { m: game.moves[5].played, visits: 7 },
        Candidate { m: game.moves[5].played, visits: 9 },
    ];
    let back = read(TrainingFormat::Hcpe3, &game.to_hcpe3().unwrap()).remove(0);
    assert_eq!(back.moves[5], game.moves[5]);
    assert_eq!(back.records().count(), game.moves.len() - 1);
    assert!(game.records().eq(back.records()));
}

#[test]
fn files_of_games_are_recognised_by_their_content() {
    for count in [1, 2, 30] {
        let games = random_games(count, 3);
        for format in FORMATS {
            let mut bytes = file(format, &games);
            let length = Some(bytes.len() as u64);
            assert_eq!(TrainingFormat::detect(&bytes, length), Some(format), "{count}");
            bytes.truncate(400);
            assert_eq!(TrainingFormat::detect(&bytes, length), Some(format), "{count}, cut");
        }
        let psv: Vec<u8> =
            games.iter().flat_map(TrainingGame::records).flat_map(|r| r.to_bytes()).collect();
        assert_eq!(TrainingFormat::detect(&psv, None), Some(TrainingFormat::Psv));
    }
    // One position, and a game that is damaged early.
    let mut game = random_games(1, 4).remove(0);
    let bytes = game.to_pack().unwrap();
    let damaged = [&bytes[..13], &[0xff, 0xff], &bytes[15..]].concat();
    assert_eq!(TrainingFormat::detect(&damaged, None), Some(TrainingFormat::Pack));
    game.moves.truncate(1);
    assert_eq!(
        TrainingFormat::detect(&game.to_hcpe3().unwrap(), Some(46)),
        Some(TrainingFormat::Hcpe3)
    );
}

fn errors(format: TrainingFormat, bytes: &[u8]) -> (Vec<String>, usize) {
    let mut games = TrainingGameReader::new(bytes, format, Tolerance::Lenient);
    let mut faults = Vec::new();
    let sound =
        games.by_ref().filter_map(|game| game.map_err(|fault| faults.push(fault.to_string())).ok());
    let sound = sound.count();
    faults.extend(games.skipped().to_string().lines().map(str::to_owned));
    (faults, sound)
}

#[test]
fn an_illegal_move_is_named_by_game_and_byte() {
    let games = random_games(6, 5);
    for format in FORMATS {
        let before = file(format, &games[..2]).len();
        let mut bytes = file(format, &games);
        let (at, named) = match format {
            TrainingFormat::Pack => (before + 1 + 4 * 4, "move 5"),
            TrainingFormat::Hcpe3 => (before + 36 + 4 * 10, "move 5"),
            _ => (before + 8 + 42 + 2, "move "),
        };
        // A pawn dropped on 1a, or a move beyond the last legal one.
        match format {
            TrainingFormat::Sbinpack => bytes[at] = 127,
            _ => bytes[at..at + 2].copy_from_slice(&[0x80, 0x28]),
        }
        let (faults, sound) = errors(format, &bytes);
        let expected = format!(
            "game 3 at byte {}",
            if format == TrainingFormat::Sbinpack { before + 8 } else { before }
        );
        assert!(
            faults[0].starts_with(&expected) && faults[0].contains(named),
            "{format}: {faults:?}"
        );
        let strict = TrainingGameReader::new(&bytes[..], format, Tolerance::Strict);
        let results: Vec<_> = strict.collect();
        assert_eq!(results.len(), 3, "{format}");
        assert!(matches!(results[2], Err(TrainingError::Game(_))));
        // Only in a pack the end of the game may be wrong as well.
        let is_pack = format == TrainingFormat::Pack;
        assert_eq!(faults[0].ends_with("; nothing after it can be read"), is_pack, "{faults:?}");
        assert_eq!(sound, if is_pack { 2 } else { 5 }, "{format}: {faults:?}");
    }
}

#[test]
fn a_file_that_ends_in_a_game_is_cut_off() {
    let games = random_games(3, 6);
    for format in FORMATS {
        let bytes = file(format, &games);
        let last = file(format, &games[..2]).len();
        for cut in [last + 1, last + 20, bytes.len() - 1] {
            let (faults, sound) = errors(format, &bytes[..cut]);
            assert_eq!((faults.len(), sound), (1, 2), "{format}: {faults:?}");
            assert!(faults[0].contains("the file ends after "), "{faults:?}");
        }
    }
}

#[test]
fn no_bytes_make_a_reader_panic() {
    let mut random = SplitMix64::new(7);
    let games = random_games(4, 8);
    for format in FORMATS {
        let sound = file(format, &games);
        for _ in 0..300 {
            let mut bytes = sound.clone();
            for _ in 0..1 + random.below(6) {
                let at = random.below(bytes.len() as u64) as usize;
                bytes[at] = random.next_u64() as u8;
            }
            bytes.truncate(random.below(bytes.len() as u64 + 1) as usize);
            errors(format, &bytes);
            let _ = TrainingFormat::detect(&bytes, None);
        }
    }
}
