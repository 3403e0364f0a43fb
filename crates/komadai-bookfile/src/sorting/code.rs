//! The encoding of records in temporary files: all data but the position.
//!
//! ```text
//! flags u8 · [ply u32] · [games, black_wins, white_wins u32] · comment · moves · evals
//! move: bits u16 · flags u8 · [ponder u16] · [score i32] · [depth u16] · [count u32] · comment
//! eval: score i32 · depth u32 · seldepth u32 · nodes u64 · variation · engine
//! text: length · UTF-8
//! ```
//!
//! Numbers are little-endian. Lengths and counts are groups of seven bits, the lowest first, all
//! but the last with the eighth bit set. The bytes do not outlive the process that wrote them. They
//! are decoded with all checks nevertheless, as another process may have overwritten the file.

use komadai_core::{Move, Position, Score};

use crate::record::{BookRecord, MoveMark, RecordEval, RecordMove, RecordResults};

const HAS_PLY: u8 = 1;
const HAS_RESULTS: u8 = 2;

const HAS_PONDER: u8 = 1;
const HAS_SCORE: u8 = 2;
const HAS_DEPTH: u8 = 4;
const HAS_COUNT: u8 = 8;
/// The lowest bit of the mark, which is 0 for none.
const MARK_SHIFT: u32 = 4;

const MARKS: [MoveMark; 4] = [MoveMark::Forced, MoveMark::Good, MoveMark::Bad, MoveMark::Blunder];

/// Appends everything but the position.
pub(super) fn encode(record: &BookRecord, bytes: &mut Vec<u8>) {
    let BookRecord { position: _, ply, moves, comment, results, evals } = record;
    bytes.push(flag(ply, HAS_PLY) | flag(results, HAS_RESULTS));
    ply.iter().for_each(|ply| bytes.extend(ply.to_le_bytes()));
    if let Some(RecordResults { games, black_wins, white_wins }) = results {
        for number in [games, black_wins, white_wins] {
            bytes.extend(number.to_le_bytes());
        }
    }
    encode_text(comment, bytes);
    encode_length(moves.len(), bytes);
    encode_length(evals.len(), bytes);
    moves.iter().for_each(|listed| encode_move(listed, bytes));
    evals.iter().for_each(|eval| encode_eval(eval, bytes));
}

/// Reads the bytes that [`encode`] wrote. `position` makes the position from the move number.
pub(super) fn decode(
    mut bytes: &[u8],
    position: impl FnOnce(Option<u32>) -> Option<Position>,
) -> Option<BookRecord> {
    let bytes = &mut bytes;
    let [flags] = take(bytes)?;
    let ply = decode_if(flags, HAS_PLY, || take(bytes).map(u32::from_le_bytes))?;
    let results = decode_if(flags, HAS_RESULTS, || {
        let mut number = || take(bytes).map(u32::from_le_bytes);
        Some(RecordResults { games: number()?, black_wins: number()?, white_wins: number()? })
    })?;
    let comment = decode_text(bytes)?;
    let moves = decode_length(bytes)?;
    let evals = decode_length(bytes)?;
    // No memory is reserved for the counts, which may be damaged: each item must be present.
    let moves = (0..moves).map(|_| decode_move(bytes)).collect::<Option<Vec<_>>>()?;
    let evals = (0..evals).map(|_| decode_eval(bytes)).collect::<Option<Vec<_>>>()?;
    let position = position(ply)?;
    bytes.is_empty().then_some(BookRecord { position, ply, moves, comment, results, evals })
}

fn encode_move(listed: &RecordMove, bytes: &mut Vec<u8>) {
    let RecordMove { m, ponder, score, depth, count, mark, comment } = listed;
    bytes.extend(m.to_bits().to_le_bytes());
    let mark = mark.map_or(0, |mark| 1 + mark as u8) << MARK_SHIFT;
    let numbers = flag(score, HAS_SCORE) | flag(depth, HAS_DEPTH) | flag(count, HAS_COUNT);
    bytes.push(flag(ponder, HAS_PONDER) | numbers | mark);
    ponder.iter().for_each(|ponder| bytes.extend(ponder.to_bits().to_le_bytes()));
    score.iter().for_each(|score| bytes.extend(score.raw().to_le_bytes()));
    depth.iter().for_each(|depth| bytes.extend(depth.to_le_bytes()));
    count.iter().for_each(|count| bytes.extend(count.to_le_bytes()));
    encode_text(comment, bytes);
}

fn decode_move(bytes: &mut &[u8]) -> Option<RecordMove> {
    let decode_bits = |bytes: &mut &[u8]| Move::from_bits(u16::from_le_bytes(take(bytes)?));
    let m = decode_bits(bytes)?;
    let [flags] = take(bytes)?;
    let mark = match flags >> MARK_SHIFT {
        0 => None,
        number => Some(*MARKS.get(usize::from(number) - 1)?),
    };
    Some(RecordMove {
        m,
        ponder: decode_if(flags, HAS_PONDER, || decode_bits(bytes))?,
        score: decode_if(flags, HAS_SCORE, || decode_score(bytes))?,
        depth: decode_if(flags, HAS_DEPTH, || take(bytes).map(u16::from_le_bytes))?,
        count: decode_if(flags, HAS_COUNT, || take(bytes).map(u32::from_le_bytes))?,
        mark,
        comment: decode_text(bytes)?,
    })
}

fn encode_eval(eval: &RecordEval, bytes: &mut Vec<u8>) {
    let RecordEval { score, depth, seldepth, nodes, variation, engine } = eval;
    bytes.extend(score.raw().to_le_bytes());
    bytes.extend(depth.to_le_bytes());
    bytes.extend(seldepth.to_le_bytes());
    bytes.extend(nodes.to_le_bytes());
    encode_text(variation, bytes);
    encode_text(engine, bytes);
}

fn decode_eval(bytes: &mut &[u8]) -> Option<RecordEval> {
    Some(RecordEval {
        score: decode_score(bytes)?,
        depth: u32::from_le_bytes(take(bytes)?),
        seldepth: u32::from_le_bytes(take(bytes)?),
        nodes: u64::from_le_bytes(take(bytes)?),
        variation: decode_text(bytes)?,
        engine: decode_text(bytes)?,
    })
}

fn decode_score(bytes: &mut &[u8]) -> Option<Score> {
    take(bytes).map(i32::from_le_bytes).map(Score::from_raw)
}

fn encode_text(text: &str, bytes: &mut Vec<u8>) {
    encode_length(text.len(), bytes);
    bytes.extend(text.as_bytes());
}

fn decode_text(bytes: &mut &[u8]) -> Option<String> {
    let length = decode_length(bytes)?;
    let text = bytes.split_off(..length)?;
    str::from_utf8(text).ok().map(str::to_owned)
}

fn encode_length(length: usize, bytes: &mut Vec<u8>) {
    let mut rest = length;
    while rest > 0x7f {
        bytes.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
}

fn decode_length(bytes: &mut &[u8]) -> Option<usize> {
    let mut length = 0;
    for shift in (0..usize::BITS).step_by(7) {
        let [byte] = take(bytes)?;
        length |= usize::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(length);
        }
    }
    None
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*taken)
}

fn flag<T>(value: &Option<T>, flag: u8) -> u8 {
    if value.is_some() { flag } else { 0 }
}

/// The value if its flag is set. The outer `None` means that the bytes are damaged.
fn decode_if<T>(flags: u8, flag: u8, decode: impl FnOnce() -> Option<T>) -> Option<Option<T>> {
    if flags & flag == 0 { Some(None) } else { decode().map(Some) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> BookRecord {
        let m = |text: &str| text.parse::<Move>().unwrap();
        let full = RecordMove {
            ponder: Some(m("3c3d")),
            score: Some(-Score::INFINITE),
            depth: Some(u16::MAX),
            count: Some(u32::MAX),
            mark: Some(MoveMark::Blunder),
            comment: "歩".repeat(100),
            ..RecordMove::new(m("7g7f"))
        };
        let eval = RecordEval {
            score: Score::MATE,
            depth: 1,
            seldepth: 2,
            nodes: u64::MAX,
            variation: "7g7f".to_owned(),
            engine: "\n".to_owned(),
        };
        BookRecord {
            ply: Some(u32::MAX),
            moves: vec![RecordMove::new(m("2g2f")), full],
            comment: "x".repeat(20_000),
            results: Some(RecordResults { games: 3, black_wins: 2, white_wins: 1 }),
            evals: vec![eval.clone(), eval],
            ..BookRecord::new(Position::hirate())
        }
    }

    fn decoded(bytes: &[u8]) -> Option<BookRecord> {
        decode(bytes, |_| Some(Position::hirate()))
    }

    #[test]
    fn everything_is_kept_and_nothing_damaged_is_trusted() {
        let record = record();
        let mut bytes = Vec::new();
        encode(&record, &mut bytes);
        assert_eq!(decoded(&bytes), Some(record));
        for length in 0..bytes.len() {
            assert_eq!(decoded(&bytes[..length]), None, "{length}");
        }
        for at in 0..bytes.len() {
            for bits in [0x01, 0x80, 0xff] {
                let mut damaged = bytes.clone();
                damaged[at] ^= bits;
                // The result may differ, but must not panic or exceed the bytes.
                let _ = decoded(&damaged);
            }
        }
        bytes.push(0);
        assert_eq!(decoded(&bytes), None);
    }
}
