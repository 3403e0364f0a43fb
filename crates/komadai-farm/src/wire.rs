//! Results as bytes, on their way from the workers through the queue.
//!
//! The first byte is the format. The rest of format 1 is the `Wire` struct in the encoding of
//! postcard (<https://postcard.jamesmunns.com/wire-format>). A format never changes; a new one gets a
//! number of its own.

use std::time::Duration;

use komadai_book::{LoggedAnalysis, Source};
use komadai_bookfile::position_key::{PositionKey, turn};
use komadai_core::{Analysis, AnalystId, Bound, Color, Line, Move, PackedError, Pv, Score};
use serde::{Deserialize, Serialize};

/// The format that [`encode`] writes.
pub const FORMAT: u8 = 1;

/// The greatest length of an encoded result in bytes.
pub const MAX_LENGTH: usize = 64 * 1_024;

/// The reason why a result cannot be encoded or decoded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WireError {
    /// The position does not fit into a key.
    #[error(transparent)]
    Position(#[from] PackedError),
    /// The result is too long.
    #[error("found a result of {found} bytes, expected at most {MAX_LENGTH}")]
    TooLong {
        /// The length in bytes.
        found: usize,
    },
    /// The format is not known, probably because a newer program has written it.
    #[error("found a result of format {found}, expected {FORMAT}")]
    UnknownFormat {
        /// The number of the format.
        found: u8,
    },
    /// The bytes are no result.
    #[error("found a damaged result: {reason}")]
    Damaged {
        /// The fault.
        reason: String,
    },
}

/// A result in format 1. Moves are those of the orientation with Black to move, as the key.
#[derive(Debug, Serialize, Deserialize)]
struct Wire {
    key: [u8; 32],
    /// 0 if Black is to move in the orientation of the result, 1 for White.
    side: u8,
    ply: u32,
    depth: u32,
    seldepth: u32,
    nodes: u64,
    time_ms: u64,
    completed: bool,
    lines: Vec<WireLine>,
    name: String,
    version: String,
    options: String,
    /// 0 a search, 1 the position after the move, 2 a book file.
    source: u8,
    when: u64,
    host: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct WireLine {
    depth: u32,
    score: i32,
    /// 0 an exact value, 1 a lower bound, 2 an upper one.
    bound: u8,
    pv: Vec<u16>,
}

const BOUNDS: [Bound; 3] = [Bound::Exact, Bound::Lower, Bound::Upper];
const SOURCES: [Source; 3] = [Source::Search, Source::Successor, Source::Import];

/// Encodes a result.
///
/// Fractions of milliseconds are omitted, as in books.
///
/// # Errors
///
/// If the position has no key, or the result is longer than [`MAX_LENGTH`].
///
/// # Examples
///
/// ```
/// use komadai_book::LoggedAnalysis;
/// use komadai_core::{Analysis, AnalystId, Position};
/// use komadai_farm::wire;
///
/// let result = LoggedAnalysis::new(Position::hirate(), Analysis::default(), AnalystId::new("engine", "1"));
/// let bytes = wire::encode(&result)?;
/// assert_eq!(bytes[0], wire::FORMAT);
/// assert_eq!(wire::decode(&bytes)?, result);
/// assert_eq!(wire::decode(&[77]), Err(wire::WireError::UnknownFormat { found: 77 }));
/// # Ok::<(), wire::WireError>(())
/// ```
pub fn encode(result: &LoggedAnalysis) -> Result<Vec<u8>, WireError> {
    let LoggedAnalysis { position, analysis, analyst, source, when, host } = result;
    let side = position.side();
    let lines = analysis.lines.iter().map(|line| WireLine {
        depth: line.depth,
        score: line.score.raw(),
        bound: code(&BOUNDS, &line.bound),
        pv: line.pv.iter().map(|&m| turn(m, side).to_bits()).collect(),
    });
    let wire = Wire {
        key: *PositionKey::try_of(position)?.as_bytes(),
        side: code(&Color::ALL, &side),
        ply: position.ply(),
        depth: analysis.depth,
        seldepth: analysis.seldepth,
        nodes: analysis.nodes,
        time_ms: u64::try_from(analysis.time.as_millis()).unwrap_or(u64::MAX),
        completed: analysis.completed,
        lines: lines.collect(),
        name: analyst.name.clone(),
        version: analyst.version.clone(),
        options: analyst.options.clone(),
        source: code(&SOURCES, source),
        when: *when,
        host: host.clone(),
    };
    let bytes = to_bytes(&wire);
    if bytes.len() > MAX_LENGTH {
        return Err(WireError::TooLong { found: bytes.len() });
    }
    Ok(bytes)
}

fn to_bytes(wire: &Wire) -> Vec<u8> {
    let bytes = postcard::to_extend(wire, vec![FORMAT]);
    bytes.expect("a vector grows, and every field has a length")
}

/// Decodes a result.
///
/// The moves may be illegal in the position; a store refuses such a result.
///
/// # Errors
///
/// If the bytes are longer than [`MAX_LENGTH`], of another format, or damaged.
pub fn decode(bytes: &[u8]) -> Result<LoggedAnalysis, WireError> {
    if bytes.len() > MAX_LENGTH {
        return Err(WireError::TooLong { found: bytes.len() });
    }
    match bytes.split_first() {
        None => Err(damaged("no byte")),
        Some((&FORMAT, rest)) => match postcard::take_from_bytes::<Wire>(rest) {
            Err(error) => Err(damaged(error.to_string())),
            Ok((_, rest)) if !rest.is_empty() => {
                Err(damaged(format!("{} bytes after its end", rest.len())))
            }
            Ok((wire, _)) => wire.into_logged(),
        },
        Some((&found, _)) => Err(WireError::UnknownFormat { found }),
    }
}

impl Wire {
    fn into_logged(self) -> Result<LoggedAnalysis, WireError> {
        let side = of_code(&Color::ALL, self.side, "a side")?;
        let key = PositionKey::from_bytes(self.key);
        let position = key.position(side, self.ply).map_err(|error| damaged(error.to_string()))?;
        let lines = self.lines.iter().map(|line| line.to_line(side));
        Ok(LoggedAnalysis {
            position,
            analysis: Analysis {
                depth: self.depth,
                seldepth: self.seldepth,
                nodes: self.nodes,
                time: Duration::from_millis(self.time_ms),
                completed: self.completed,
                lines: lines.collect::<Result<_, _>>()?,
            },
            analyst: AnalystId { name: self.name, version: self.version, options: self.options },
            source: of_code(&SOURCES, self.source, "a source")?,
            when: self.when,
            host: self.host,
        })
    }
}

impl WireLine {
    fn to_line(&self, side: Color) -> Result<Line, WireError> {
        let pv = self.pv.iter().map(|&code| {
            let m =
                Move::from_bits(code).ok_or_else(|| damaged(format!("a move of number {code}")))?;
            Ok(turn(m, side))
        });
        let pv: Pv = pv.collect::<Result<_, WireError>>()?;
        let bound = of_code(&BOUNDS, self.bound, "a bound")?;
        Ok(Line { depth: self.depth, bound, ..Line::exact(Score::from_raw(self.score), pv) })
    }
}

fn code<T: PartialEq>(all: &[T], value: &T) -> u8 {
    let place = all.iter().position(|known| known == value);
    place.expect("the table has every value") as u8
}

fn of_code<T: Copy>(all: &[T], code: u8, what: &str) -> Result<T, WireError> {
    let value = all.get(usize::from(code)).copied();
    value.ok_or_else(|| damaged(format!("{what} of number {code}")))
}

fn damaged(reason: impl Into<String>) -> WireError {
    WireError::Damaged { reason: reason.into() }
}

#[cfg(test)]
mod tests {
    use komadai_core::{Position, SplitMix64};

    use super::*;

    fn sample(position: Position) -> LoggedAnalysis {
        let moves =
            |text: &str| text.split(' ').map(|m| m.parse::<Move>().unwrap()).collect::<Pv>();
        let first = Line { depth: 12, ..Line::exact(Score::cp(-35), moves("3c3d 2g2f 8c8d")) };
        let second = Line { bound: Bound::Upper, ..Line::exact(Score::mated_in(9), moves("8c8d")) };
        let analysis = Analysis {
            depth: 12,
            seldepth: 20,
            nodes: 123_456,
            time: Duration::from_millis(789),
            completed: true,
            lines: vec![first, second],
        };
        let analyst = AnalystId { options: "Threads=1".into(), ..AnalystId::new("engine", "1.2") };
        LoggedAnalysis {
            when: 1_700_000_000,
            host: "worker@host".into(),
            ..LoggedAnalysis::new(position, analysis, analyst)
        }
    }

    /// The position after 7g7f, White to move.
    fn after_one_move() -> Position {
        Position::hirate().after("7g7f".parse().unwrap()).without_history()
    }

    /// These bytes must never change: queues and spool files contain them.
    const GOLDEN: &str = "\
0158a451220ceb67227e9693241caf447824c22b119e53221ceb6f223e9651220c01020c14c0c407950601020c\
450003bb3cc2418e0f00edf30302018e0f06656e67696e6503312e3209546872656164733d310080e2cfaa060b\
776f726b657240686f7374";

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn format_one_is_frozen() {
        let sample = sample(after_one_move());
        let bytes = encode(&sample).unwrap();
        assert_eq!(hex(&bytes), GOLDEN);
        assert_eq!(decode(&bytes).unwrap(), sample);
    }

    #[test]
    fn every_value_survives() {
        for (bound, source) in BOUNDS.into_iter().zip(SOURCES) {
            let mut result = sample(after_one_move());
            result.analysis.lines[0].bound = bound;
            result.source = source;
            assert_eq!(decode(&encode(&result).unwrap()).unwrap(), result);
        }
        let empty =
            LoggedAnalysis::new(Position::hirate(), Analysis::default(), AnalystId::default());
        assert_eq!(decode(&encode(&empty).unwrap()).unwrap(), empty);
    }

    #[test]
    fn damaged_bytes_are_refused() {
        let bytes = encode(&sample(after_one_move())).unwrap();
        for length in 0..bytes.len() {
            let error = decode(&bytes[..length]).unwrap_err();
            assert!(matches!(error, WireError::Damaged { .. }), "{length}: {error}");
        }
        let longer = [&bytes[..], &[0]].concat();
        let after_its_end = "found a damaged result: 1 bytes after its end";
        assert_eq!(decode(&longer).unwrap_err().to_string(), after_its_end);
        // Any other damage is an error or another result, never a panic.
        let mut random = SplitMix64::new(7);
        for _ in 0..20_000 {
            let mut bytes = bytes.clone();
            for _ in 0..=random.below(3) {
                let at = 1 + random.below(bytes.len() as u64 - 1) as usize;
                bytes[at] = random.next_u64() as u8;
            }
            let _ = decode(&bytes);
        }
    }

    #[test]
    fn what_is_too_long_is_refused() {
        let mut result = sample(after_one_move());
        result.analysis.lines = vec![result.analysis.lines[0].clone(); 9_000];
        let error = encode(&result).unwrap_err();
        let WireError::TooLong { found } = error else { panic!("{error}") };
        assert!(found > MAX_LENGTH);
        let long = vec![FORMAT; MAX_LENGTH + 1];
        assert_eq!(decode(&long), Err(WireError::TooLong { found: MAX_LENGTH + 1 }));
    }
}
