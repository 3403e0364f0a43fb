//! Descriptions of moves without their place on the board.

use core::fmt;
use core::str::FromStr;

use komadai_core::{Color, Move, PieceKind, Position, Square};

/// The description of a move without its place on the board: the piece, a drop or promotion, the
/// captured piece, and optionally the offset of its destination from that of the move before.
///
/// As text, the piece and the captured piece are letters as in SFEN, `*` marks a drop, `x` a
/// capture, `+` at the end a promotion, and `@right,forward` the offset from the destination of the
/// move before, from the point of view of the player who moves: `P*`, `Sx+P@0,0`, `N+@-1,2`.
///
/// # Examples
///
/// ```
/// use komadai_core::{Position, Square};
/// use komadai_search::Descriptor;
///
/// let position = Position::from_sfen("4k4/9/4S4/9/9/9/9/9/4K4 b G 1")?;
/// let drop = Descriptor::of(&position, "G*5b".parse()?, None).expect("the move is legal");
/// assert_eq!(drop.to_string(), "G*");
/// let after = Descriptor::of(&position, "5c4b+".parse()?, Some(Square::S52));
/// assert_eq!(after, Some("S+@1,0".parse()?));
/// assert_eq!(after.and_then(Descriptor::distance), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Descriptor(u32);

/// The lowest bit of the offset.
///
/// Bits 0–3 hold the piece, 4 a drop, 5 a promotion, 6–9 the captured piece plus one (0 for none),
/// 10–18 the offset plus one (0 for none).
const OFFSET_SHIFT: u32 = 10;

/// Largest number of files and of ranks between two destinations.
const MAX_OFFSET: i8 = 8;
const SPAN: u32 = 2 * MAX_OFFSET as u32 + 1;

/// A text that is not a valid [`Descriptor`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found {found:?}, expected a move such as P*, SxP@0,0 or N+@-1,2")]
pub struct DescriptorError {
    /// The text that was found, cut after 40 characters.
    pub found: String,
}

impl Descriptor {
    /// Number of bits of a descriptor.
    pub(super) const BITS: u32 = 20;

    /// Describes `m`, a move of the side to move, with the offset from `last`, the destination of
    /// the move before it, if that is given.
    ///
    /// `None` if `m` starts on an empty square.
    pub fn of(position: &Position, m: Move, last: Option<Square>) -> Option<Self> {
        let kind = match m.from() {
            None => m.dropped()?,
            Some(from) => position.piece_on(from)?.kind(),
        };
        let captured = position.piece_on(m.to()).map(|piece| piece.kind());
        let offset = last.map(|last| Offset::between(last, m.to(), position.side()));
        Some(Self::new(kind, m, captured, offset))
    }

    pub(super) fn new(
        kind: PieceKind,
        m: Move,
        captured: Option<PieceKind>,
        offset: Option<Offset>,
    ) -> Self {
        Self(
            kind as u32
                | u32::from(m.is_drop()) << 4
                | u32::from(m.is_promotion()) << 5
                | captured.map_or(0, |kind| kind as u32 + 1) << 6
                | offset.map_or(0, Offset::code) << OFFSET_SHIFT,
        )
    }

    /// Returns the same description without an offset.
    #[must_use]
    pub fn without_offset(self) -> Self {
        Self(self.0 & ((1 << OFFSET_SHIFT) - 1))
    }

    /// Checks whether the description has an offset.
    #[must_use]
    pub(crate) fn is_relative(self) -> bool {
        self.0 >> OFFSET_SHIFT != 0
    }

    /// Returns the distance of the move's destination from that of the move before, the larger of
    /// files and ranks; `None` without an offset.
    #[must_use]
    pub fn distance(self) -> Option<u8> {
        self.offset().map(|offset| offset.right.unsigned_abs().max(offset.forward.unsigned_abs()))
    }

    /// Returns the description as a number of fewer than [`BITS`](Self::BITS) bits.
    #[inline]
    pub(super) const fn code(self) -> u64 {
        self.0 as u64
    }

    fn offset(self) -> Option<Offset> {
        let code = (self.0 >> OFFSET_SHIFT).checked_sub(1)?;
        let of = |code: u32| code as i8 - MAX_OFFSET;
        Some(Offset { right: of(code / SPAN), forward: of(code % SPAN) })
    }
}

/// An offset on the board from a player's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Offset {
    right: i8,
    forward: i8,
}

impl Offset {
    #[inline]
    pub(super) fn between(start: Square, end: Square, side: Color) -> Self {
        let right = start.file() as i8 - end.file() as i8;
        let forward = start.rank() as i8 - end.rank() as i8;
        match side {
            Color::Black => Self { right, forward },
            Color::White => Self { right: -right, forward: -forward },
        }
    }

    fn code(self) -> u32 {
        let of = |part: i8| (part + MAX_OFFSET) as u32;
        of(self.right) * SPAN + of(self.forward) + 1
    }
}

impl fmt::Display for Descriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = |index: u32| PieceKind::ALL[index as usize].to_sfen();
        f.write_str(kind(self.0 & 15))?;
        if self.0 >> 4 & 1 != 0 {
            f.write_str("*")?;
        }
        if let Some(captured) = (self.0 >> 6 & 15).checked_sub(1) {
            write!(f, "x{}", kind(captured))?;
        }
        if self.0 >> 5 & 1 != 0 {
            f.write_str("+")?;
        }
        match self.offset() {
            Some(Offset { right, forward }) => write!(f, "@{right},{forward}"),
            None => Ok(()),
        }
    }
}

impl FromStr for Descriptor {
    type Err = DescriptorError;

    fn from_str(text: &str) -> Result<Self, DescriptorError> {
        read(text).ok_or_else(|| DescriptorError { found: text.chars().take(40).collect() })
    }
}

fn read(text: &str) -> Option<Descriptor> {
    let (text, offset) = match text.split_once('@') {
        None => (text, None),
        Some((text, offset)) => (text, Some(read_offset(offset)?)),
    };
    let (kind, text) = read_kind(text)?;
    let (is_drop, text) = marked(text, '*');
    let (captured, text) = match text.strip_prefix('x') {
        None => (None, text),
        Some(text) => read_kind(text).map(|(kind, text)| (Some(kind), text))?,
    };
    let (promotes, text) = marked(text, '+');
    let may_be_dropped = kind.is_hand_kind() && captured.is_none() && !promotes;
    let is_possible = (!is_drop || may_be_dropped) && (!promotes || kind.can_promote());
    if !text.is_empty() || !is_possible {
        return None;
    }
    Some(Descriptor(
        kind as u32
            | u32::from(is_drop) << 4
            | u32::from(promotes) << 5
            | captured.map_or(0, |kind| kind as u32 + 1) << 6
            | offset.map_or(0, Offset::code) << OFFSET_SHIFT,
    ))
}

fn read_kind(text: &str) -> Option<(PieceKind, &str)> {
    let (is_promoted, text) = marked(text, '+');
    let letter = text.chars().next().filter(char::is_ascii_uppercase)?;
    let kind = PieceKind::from_sfen_letter(letter)?;
    let kind = if is_promoted { kind.promoted()? } else { kind };
    Some((kind, &text[1..]))
}

fn read_offset(text: &str) -> Option<Offset> {
    let (right, forward) = text.split_once(',')?;
    let number =
        |text: &str| text.parse().ok().filter(|part| (-MAX_OFFSET..=MAX_OFFSET).contains(part));
    Some(Offset { right: number(right)?, forward: number(forward)? })
}

fn marked(text: &str, mark: char) -> (bool, &str) {
    match text.strip_prefix(mark) {
        Some(rest) => (true, rest),
        None => (false, text),
    }
}

#[cfg(test)]
mod tests {
    use komadai_movegen::MoveGen;
    use komadai_testdata::openings;

    use super::*;

    #[test]
    fn text_and_descriptor_agree() {
        for text in ["P*", "SxP@0,0", "N+@-1,2", "+Rx+B@8,-8", "Px+P+@0,1", "K@1,1", "+P"] {
            assert_eq!(text.parse::<Descriptor>().unwrap().to_string(), text);
        }
        for sfen in openings::sfens().take(20) {
            let position = Position::from_sfen(sfen).unwrap();
            for m in position.legal_moves() {
                for last in [None, Some(Square::S11), Some(Square::S99)] {
                    let descriptor = Descriptor::of(&position, m, last).unwrap();
                    assert_eq!(descriptor.to_string().parse(), Ok(descriptor));
                    assert!(descriptor.code() < 1 << Descriptor::BITS);
                    assert_eq!(descriptor.is_relative(), last.is_some());
                    assert_eq!(
                        Some(descriptor.without_offset()),
                        Descriptor::of(&position, m, None)
                    );
                }
            }
        }
    }

    #[test]
    fn invalid_texts_are_refused() {
        let wrong = [
            "", "@0,0", "X", "p*", "+G", "P**", "P*xP", "P*+", "+P*", "G+", "+P+", "K*", "Sx",
            "S@", "S@1", "S@9,0", "S@0,-9", "S@0,0,0", "S@a,b", "S@0,0 ", "歩", "P歩", "P@+300,0",
        ];
        for text in wrong {
            let error = text.parse::<Descriptor>().expect_err(text);
            assert_eq!(error.found, text);
        }
    }

    #[test]
    fn both_sides_have_the_same_descriptions() {
        let sfen = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1";
        let position = Position::from_sfen(sfen).unwrap();
        let m: Move = "8h2b+".parse().unwrap();
        let descriptor = Descriptor::of(&position, m, Some(Square::S34));
        assert_eq!(descriptor.unwrap().to_string(), "BxB+@1,2");
        let last = Some(Square::S34.flipped());
        assert_eq!(Descriptor::of(&position.flipped(), m.flipped(), last), descriptor);
    }

    #[test]
    fn moves_from_empty_squares_have_no_description() {
        let position = Position::hirate();
        assert_eq!(Descriptor::of(&position, Move::new(Square::S55, Square::S54), None), None);
    }
}
