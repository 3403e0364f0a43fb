//! The bytes of a game in a file of games: its end and its content.
//!
//! Sources: `.pack` is a format of GenSfen in YaneuraOu-ScriptCollection
//! (<https://github.com/yaneurao/YaneuraOu-ScriptCollection>); HCPE3 of dlshogi's
//! `cppshogi/cppshogi.h` (<https://github.com/TadaoYamaoka/DeepLearningShogi>); sbinpack 2 of
//! rsshogi, `docs/book/src/reference/sbinpack.md` (<https://github.com/nyoki-mtl/rsshogi>).

use komadai_core::{Color, Hcp, Move, PackedSfen, PieceKind, Position, Square};
use komadai_kifu::Outcome;
use komadai_movegen::MoveGen as _;

use super::error::RecordFault;
use super::format::TrainingFormat;
#[cfg(feature = "tools")]
use super::game::record_of;
use super::game::{
    Candidate, HCPE3_CANDIDATE, HCPE3_HEAD, HCPE3_MOVE, MOST_CANDIDATES, MOST_MOVES, TrainingEnd,
    TrainingGame, TrainingMove, outcome_of,
};
#[cfg(feature = "tools")]
use super::psv::PackedSfenValue;

/// The first bytes of a part of an sbinpack file.
pub(super) const SBINPACK_MAGIC: &[u8; 4] = b"SBN2";
/// Number of bytes of the start of a game of sbinpack.
const STEM: usize = 38;

/// The beginning of the unread bytes of a file of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Frame {
    /// A whole game.
    Game { bytes: usize, records: usize },
    /// Bytes between games.
    Between { bytes: usize },
    /// The game needs more bytes than there are.
    More,
}

/// A fault in a game: the number of the move, from 1, or `None` outside of moves; the offset in the
/// game; and the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GameFault {
    pub(super) ply: Option<u32>,
    pub(super) at: usize,
    pub(super) fault: RecordFault,
}

impl GameFault {
    fn outside(at: usize, fault: RecordFault) -> Self {
        Self { ply: None, at, fault }
    }
}

/// The outcome, the kind of the end and the start of a game.
struct Head {
    start: Position,
    outcome: Outcome,
    end: TrainingEnd,
}

/// Finds the ends of the games in a file.
#[derive(Debug, Clone)]
pub(super) struct Framer {
    format: TrainingFormat,
    /// Number of bytes left of the part of an sbinpack file.
    part: u64,
}

impl Framer {
    pub(super) fn new(format: TrainingFormat) -> Self {
        Self { format, part: 0 }
    }

    /// Finds the end of the game that begins with the first byte.
    pub(super) fn next(&mut self, bytes: &[u8]) -> Result<Frame, GameFault> {
        let frame = match self.format {
            TrainingFormat::Hcpe3 => hcpe3_frame(bytes),
            TrainingFormat::Sbinpack => self.sbinpack_frame(bytes),
            _ => pack_frame(bytes),
        }?;
        if self.format == TrainingFormat::Sbinpack {
            self.take(bytes, frame)?;
        }
        Ok(frame)
    }

    fn sbinpack_frame(&self, bytes: &[u8]) -> Result<Frame, GameFault> {
        if self.part > 0 {
            return sbinpack_chain(bytes);
        }
        let known = bytes.len().min(SBINPACK_MAGIC.len());
        if bytes[..known] != SBINPACK_MAGIC[..known] {
            return Err(GameFault::outside(0, RecordFault::Magic));
        }
        Ok(if bytes.len() < 8 { Frame::More } else { Frame::Between { bytes: 8 } })
    }

    /// Counts the bytes of a part.
    fn take(&mut self, bytes: &[u8], frame: Frame) -> Result<(), GameFault> {
        match frame {
            Frame::More => {}
            Frame::Between { .. } => self.part = u64::from(number(bytes, 4).unwrap_or_default()),
            Frame::Game { bytes, .. } => {
                let left = self.part.checked_sub(bytes as u64);
                self.part = left.ok_or(GameFault::outside(0, RecordFault::Part))?;
            }
        }
        Ok(())
    }
}

/// Returns the four bytes at this place as a number.
fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Returns the two bytes at this place as a number.
fn word(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn signed(bytes: &[u8], at: usize) -> Option<i16> {
    word(bytes, at).map(u16::cast_signed)
}

/// Returns the number of bytes before the moves of a game of `.pack`.
fn pack_head(bytes: &[u8]) -> Result<Option<usize>, GameFault> {
    match bytes.first() {
        None => Ok(None),
        Some(1) => Ok(Some(1)),
        Some(0) => Ok(Some(35)),
        Some(&found) => Err(GameFault::outside(0, RecordFault::Start { found })),
    }
}

/// Returns the winner that two equal squares stand for at the end of a game of `.pack`.
fn pack_winner(bits: u16) -> Option<u16> {
    (bits >> 7 == bits & 127).then_some(bits & 127)
}

fn pack_frame(bytes: &[u8]) -> Result<Frame, GameFault> {
    let Some(head) = pack_head(bytes)? else { return Ok(Frame::More) };
    for ply in 0..=MOST_MOVES {
        let at = head + 4 * ply;
        let Some(bits) = word(bytes, at) else { return Ok(Frame::More) };
        if let Some(winner) = pack_winner(bits) {
            if winner > 2 {
                let fault = RecordFault::End { bits };
                return Err(GameFault { ply: Some(ply as u32 + 1), at, fault });
            }
            let is_whole = bytes.len() >= at + 3;
            return Ok(if is_whole {
                Frame::Game { bytes: at + 3, records: ply }
            } else {
                Frame::More
            });
        }
    }
    Err(GameFault::outside(0, RecordFault::GameLength { most: MOST_MOVES }))
}

fn hcpe3_frame(bytes: &[u8]) -> Result<Frame, GameFault> {
    let Some(moves) = word(bytes, 32) else { return Ok(Frame::More) };
    let (mut at, mut records) = (HCPE3_HEAD, 0);
    for ply in 1..=u32::from(moves) {
        let Some(candidates) = word(bytes, at + 4) else { return Ok(Frame::More) };
        if candidates > MOST_CANDIDATES {
            let fault = RecordFault::Candidates { found: candidates, most: MOST_CANDIDATES };
            return Err(GameFault { ply: Some(ply), at, fault });
        }
        records += usize::from(candidates > 0);
        at += HCPE3_MOVE + HCPE3_CANDIDATE * usize::from(candidates);
    }
    Ok(if bytes.len() < at { Frame::More } else { Frame::Game { bytes: at, records } })
}

/// Finds the end of a chain of sbinpack: a start and the moves from it.
fn sbinpack_chain(bytes: &[u8]) -> Result<Frame, GameFault> {
    let (Some(&notes), Some(result)) = (bytes.get(STEM), word(bytes, 36)) else {
        return Ok(Frame::More);
    };
    if notes > 127 {
        return Err(GameFault::outside(STEM, RecordFault::Metadata { found: notes }));
    }
    let mut at = STEM + 1 + usize::from(notes);
    let Some(moves) = word(bytes, at) else { return Ok(Frame::More) };
    at += 2;
    for ply in 1..=u32::from(moves) {
        for _ in 0..2 {
            let length = match bytes.get(at..).map(varint) {
                Some(Ok((_, length))) => length,
                None | Some(Err(Varint::Cut)) => return Ok(Frame::More),
                Some(Err(Varint::TooLong)) => {
                    return Err(GameFault { ply: Some(ply), at, fault: RecordFault::Number });
                }
            };
            at += length;
        }
    }
    let is_known =
        sbinpack_outcome(result >> 10).is_some_and(|(outcome, _)| outcome != Outcome::Unknown);
    Ok(Frame::Game { bytes: at, records: if is_known { moves.into() } else { 0 } })
}

/// The reason why bytes are no number of variable length.
enum Varint {
    Cut,
    TooLong,
}

/// Reads a number of seven bits a byte (ULEB128), and returns the number of its bytes.
fn varint(bytes: &[u8]) -> Result<(u32, usize), Varint> {
    let mut value = 0;
    for (index, &byte) in bytes.iter().take(5).enumerate() {
        let bits = u32::from(byte & 127);
        if index == 4 && byte > 15 {
            return Err(Varint::TooLong);
        }
        value |= bits << (7 * index);
        if byte < 128 {
            return Ok((value, index + 1));
        }
    }
    Err(if bytes.len() < 5 { Varint::Cut } else { Varint::TooLong })
}

/// Returns the outcome of a code of sbinpack; `None` for a code that it does not have.
fn sbinpack_outcome(code: u16) -> Option<(Outcome, TrainingEnd)> {
    let (outcome, end) = match code {
        0 | 8 | 12 | 16 => (Outcome::Win(Color::Black), TrainingEnd::Resignation),
        1 | 9 | 13 | 17 => (Outcome::Win(Color::White), TrainingEnd::Resignation),
        4 => (Outcome::Win(Color::Black), TrainingEnd::Declaration),
        5 => (Outcome::Win(Color::White), TrainingEnd::Declaration),
        20 => (Outcome::Win(Color::Black), TrainingEnd::Other),
        21 => (Outcome::Win(Color::White), TrainingEnd::Other),
        2 => (Outcome::Draw, TrainingEnd::Repetition),
        6 => (Outcome::Draw, TrainingEnd::MoveLimit),
        10 | 14 => (Outcome::Draw, TrainingEnd::Other),
        3 | 7 | 11 => (Outcome::Unknown, TrainingEnd::Other),
        _ => return None,
    };
    Some((outcome, end))
}

/// Reads the game of these bytes, as a [`Framer`] has found it.
pub(super) fn read_game(format: TrainingFormat, bytes: &[u8]) -> Result<TrainingGame, GameFault> {
    let mut moves = Vec::new();
    let Head { start, outcome, end } = visit(format, bytes, |_, _, played| moves.push(played))?;
    Ok(TrainingGame { start, outcome, end, moves })
}

/// Reads the records of the game of these bytes.
#[cfg(feature = "tools")]
pub(super) fn read_records(
    format: TrainingFormat,
    bytes: &[u8],
    take: &mut dyn FnMut(PackedSfenValue),
) -> Result<(), GameFault> {
    visit(format, bytes, |position, outcome, played| {
        if played.is_labelled
            && let Some(record) = record_of(position, played.played, played.score, outcome)
        {
            take(record);
        }
    })?;
    Ok(())
}

/// Counts the legal moves at the start of these bytes, which need not be a whole game.
pub(super) fn count_legal(format: TrainingFormat, bytes: &[u8]) -> usize {
    let mut moves = 0;
    let _ = visit(format, bytes, |_, _, _| moves += 1);
    moves
}

/// Calls `take` with each position, the outcome of the game and the move that was played.
fn visit(
    format: TrainingFormat,
    bytes: &[u8],
    take: impl FnMut(&Position, Outcome, TrainingMove),
) -> Result<Head, GameFault> {
    match format {
        TrainingFormat::Hcpe3 => visit_hcpe3(bytes, take),
        TrainingFormat::Sbinpack => visit_sbinpack(bytes, take),
        _ => visit_pack(bytes, take),
    }
}

/// Returns the fault of bytes that end too early.
fn cut(bytes: &[u8]) -> GameFault {
    GameFault::outside(bytes.len(), RecordFault::Cut { found: bytes.len() as u64 })
}

fn apery_move(bits: u16) -> Result<Move, RecordFault> {
    Move::from_apery_bits(bits).ok_or(RecordFault::Move { bits })
}

fn visit_pack(
    bytes: &[u8],
    mut take: impl FnMut(&Position, Outcome, TrainingMove),
) -> Result<Head, GameFault> {
    let head = pack_head(bytes)?.ok_or_else(|| cut(bytes))?;
    let mut position = if head == 1 {
        Position::hirate()
    } else {
        let packed =
            bytes.get(1..).and_then(|rest| rest.first_chunk()).ok_or_else(|| cut(bytes))?;
        let ply = word(bytes, 33).ok_or_else(|| cut(bytes))?;
        let start = Hcp::from_bytes(*packed).position_at(ply.into());
        start.map_err(|error| GameFault::outside(1, error.into()))?
    };
    // The frame of a whole game ends with the result and the kind of the end.
    let (winner, reason) = match bytes {
        [.., low, high, reason] if bytes.len() >= head + 3 => {
            (pack_winner(u16::from_le_bytes([*low, *high])), *reason)
        }
        _ => (None, 0),
    };
    let outcome = winner.and_then(|winner| outcome_of(winner as u8)).unwrap_or(Outcome::Unknown);
    let end = match reason {
        0 => TrainingEnd::Resignation,
        1 => TrainingEnd::Repetition,
        2 => TrainingEnd::MoveLimit,
        10 | 12 => TrainingEnd::Declaration,
        _ => TrainingEnd::Other,
    };
    let start = position.clone();
    for ply in 0.. {
        let at = head + 4 * ply;
        let bits = word(bytes, at).ok_or_else(|| cut(bytes))?;
        if pack_winner(bits).is_some() {
            break;
        }
        let score = signed(bytes, at + 2).ok_or_else(|| cut(bytes))?;
        let place = |fault| GameFault { ply: Some(ply as u32 + 1), at, fault };
        let played = apery_move(bits).map_err(place)?;
        let before = TrainingMove::new(played, score);
        // The record is made before the move is done, but only of a legal one.
        position
            .check_legality(played)
            .map_err(|reason| place(RecordFault::IllegalMove { m: played, reason }))?;
        take(&position, outcome, before);
        position.do_move(played);
    }
    Ok(Head { start, outcome, end })
}

fn visit_hcpe3(
    bytes: &[u8],
    mut take: impl FnMut(&Position, Outcome, TrainingMove),
) -> Result<Head, GameFault> {
    let Some((packed, rest)) = bytes.split_first_chunk() else { return Err(cut(bytes)) };
    let &[low, high, result, _opponent, ..] = rest else { return Err(cut(bytes)) };
    let start = Hcp::from_bytes(*packed).position();
    let start = start.map_err(|error| GameFault::outside(0, error.into()))?;
    let fault = RecordFault::Result { found: result.into(), expected: "0, 1 or 2 in two bits" };
    let outcome = outcome_of(result & 3).ok_or(GameFault::outside(34, fault))?;
    let end = match result >> 2 & 7 {
        0 => TrainingEnd::Resignation,
        bits if bits & 1 != 0 => TrainingEnd::Repetition,
        bits if bits & 2 != 0 => TrainingEnd::Declaration,
        _ => TrainingEnd::MoveLimit,
    };
    let mut position = start.clone();
    let mut at = HCPE3_HEAD;
    for ply in 1..=u32::from(u16::from_le_bytes([low, high])) {
        let place = |fault| GameFault { ply: Some(ply), at, fault };
        let (Some(bits), Some(score), Some(count)) =
            (word(bytes, at), signed(bytes, at + 2), word(bytes, at + 4))
        else {
            return Err(cut(bytes));
        };
        let length = HCPE3_CANDIDATE * usize::from(count);
        let candidates = bytes.get(at + HCPE3_MOVE..).and_then(|rest| rest.get(..length));
        let candidates = candidates.ok_or_else(|| cut(bytes))?.as_chunks::<HCPE3_CANDIDATE>().0;
        let candidate = |&[m0, m1, v0, v1]: &[u8; HCPE3_CANDIDATE]| {
            let m = apery_move(u16::from_le_bytes([m0, m1]))?;
            Ok(Candidate { m, visits: u16::from_le_bytes([v0, v1]) })
        };
        let candidates: Result<Vec<_>, _> = candidates.iter().map(candidate).collect();
        let played = apery_move(bits).map_err(place)?;
        position
            .check_legality(played)
            .map_err(|reason| place(RecordFault::IllegalMove { m: played, reason }))?;
        let candidates = candidates.map_err(place)?;
        take(
            &position,
            outcome,
            TrainingMove { played, score, is_labelled: count > 0, candidates },
        );
        position.do_move(played);
        at += HCPE3_MOVE + length;
    }
    Ok(Head { start, outcome, end })
}

fn visit_sbinpack(
    bytes: &[u8],
    mut take: impl FnMut(&Position, Outcome, TrainingMove),
) -> Result<Head, GameFault> {
    let Some((packed, stem)) = bytes.split_first_chunk() else { return Err(cut(bytes)) };
    let (Some(stem_score), Some(result), Some(&notes)) =
        (signed(stem, 0), word(stem, 4), bytes.get(STEM))
    else {
        return Err(cut(bytes));
    };
    let start = PackedSfen::from_bytes(*packed).position_at(u32::from(result & 1_023));
    let start = start.map_err(|error| GameFault::outside(0, error.into()))?;
    let found = (result >> 10) as i16;
    let fault = RecordFault::Result { found, expected: "0 to 14, 16, 17, 20 or 21" };
    let (outcome, end) = sbinpack_outcome(result >> 10).ok_or(GameFault::outside(36, fault))?;
    let mut at = STEM + 1 + usize::from(notes);
    let moves = word(bytes, at).ok_or_else(|| cut(bytes))?;
    at += 2;
    let mut position = start.clone();
    // The score of the position before, for the side to move of the start.
    let mut score = i32::from(stem_score);
    let mut order = Order::default();
    for ply in 1..=u32::from(moves) {
        let place = |fault| GameFault { ply: Some(ply), at, fault };
        let read = |at: usize| match bytes.get(at..).map(varint) {
            Some(Ok(found)) => Ok(found),
            None | Some(Err(Varint::Cut)) => Err(cut(bytes)),
            Some(Err(Varint::TooLong)) => Err(place(RecordFault::Number)),
        };
        let (index, length) = read(at)?;
        let (difference, more) = read(at + length)?;
        let played = order.nth(&position, index).map_err(place)?;
        score = score.wrapping_add((difference >> 1).cast_signed() ^ -((difference & 1) as i32));
        let own = if ply % 2 == 1 { score } else { score.wrapping_neg() };
        let own = own.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        take(&position, outcome, TrainingMove::new(played, own));
        position.do_move(played);
        at += length + more;
    }
    Ok(Head { start, outcome, end })
}

/// The order in which sbinpack numbers the legal moves of a position.
#[derive(Default)]
struct Order(Vec<(u32, Move)>);

impl Order {
    /// Returns the legal move with this number, from 0.
    fn nth(&mut self, position: &Position, index: u32) -> Result<Move, RecordFault> {
        let legal = position.legal_moves();
        self.0.clear();
        self.0.extend(legal.iter().map(|&m| (order_key(position, m), m)));
        let (found, count) = (index as usize, self.0.len());
        if found >= count {
            return Err(RecordFault::MoveIndex { found: index, count: count as u32 });
        }
        let (_, (_, m), _) = self.0.select_nth_unstable_by_key(found, |(key, _)| *key);
        Ok(*m)
    }
}

/// The place of a file in the order: the central ones first.
const CENTRAL: [u32; 9] = [7, 5, 3, 1, 0, 2, 4, 6, 8];

/// Returns the place of a move in the order of sbinpack: board moves before drops, moves without
/// captures first, without promotions first, by piece, target and origin as the mover sees them.
fn order_key(position: &Position, m: Move) -> u32 {
    let side = position.side();
    let square = |square: Square| {
        let seen = if side == Color::Black { square as u32 } else { 80 - square as u32 };
        (seen % 9) << 4 | CENTRAL[(seen / 9) as usize]
    };
    let (piece, from) = match (m.from(), m.dropped()) {
        (Some(from), _) => {
            let kind = position.piece_on(from).map_or(PieceKind::Pawn, |piece| piece.kind());
            (piece_order(kind), square(from))
        }
        (None, dropped) => (piece_order(dropped.unwrap_or(PieceKind::Pawn)), 0),
    };
    let is_drop = u32::from(m.from().is_none());
    let captures = u32::from(position.piece_on(m.to()).is_some());
    let promotes = u32::from(m.is_promotion());
    is_drop << 22 | captures << 21 | promotes << 20 | piece << 16 | square(m.to()) << 8 | from
}

fn piece_order(kind: PieceKind) -> u32 {
    match kind {
        PieceKind::Pawn => 0,
        PieceKind::Lance => 1,
        PieceKind::Knight => 2,
        PieceKind::Silver => 3,
        PieceKind::Gold => 4,
        PieceKind::Bishop => 5,
        PieceKind::Rook => 6,
        PieceKind::King => 7,
        PieceKind::ProPawn => 8,
        PieceKind::ProLance => 9,
        PieceKind::ProKnight => 10,
        PieceKind::ProSilver => 11,
        PieceKind::Horse => 12,
        PieceKind::Dragon => 13,
    }
}
