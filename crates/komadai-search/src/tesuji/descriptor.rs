//! Moves without their place on the board.

use core::fmt;
use core::str::FromStr;

use komadai_core::{Color, Move, PieceKind, Position, Square};

/// What a move is, apart from where on the board: the piece, whether it is dropped or promotes, what
/// it captures, and where it goes, seen from where the move before it went.
///
/// As text, the piece and the captured piece are letters as in SFEN, `*` marks a drop, `x` a
/// capture, `+` at the end a promotion, and `@right,forward` the way from the destination of the move
/// before, seen by the player who moves: `P*`, `Sx+P@0,0`, `N+@-1,2`.
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
/// assert_eq!(after.and_then(Descriptor::reach), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Descriptor(u32);

/// Bits 0–3 the piece, 4 a drop, 5 a promotion, 6–9 the captured piece and one (0 for none), 10–18
/// the way from the last destination and one (0 for none given).
const WAY: u32 = 10;

/// A move ends at most eight files and ranks away from the last one.
const REACH: i8 = 8;
const SPAN: u32 = 2 * REACH as u32 + 1;

/// Why a text is no [`Descriptor`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found {found:?}, expected a move such as P*, SxP@0,0 or N+@-1,2")]
pub struct DescriptorError {
    /// What was found.
    pub found: String,
}

impl Descriptor {
    /// How many bits a descriptor takes.
    pub(super) const BITS: u32 = 20;

    /// Describes `m`, which the side to move may make; `last` is where the move before it went, if
    /// that is to count.
    ///
    /// `None` if `m` starts on an empty square.
    #[must_use]
    pub fn of(position: &Position, m: Move, last: Option<Square>) -> Option<Self> {
        let kind = match m.from() {
            None => m.dropped()?,
            Some(from) => position.piece_on(from)?.kind(),
        };
        let captured = position.piece_on(m.to()).map(|piece| piece.kind());
        let way = last.map(|last| Way::between(last, m.to(), position.side()));
        Some(Self::new(kind, m, captured, way))
    }

    pub(super) fn new(
        kind: PieceKind,
        m: Move,
        captured: Option<PieceKind>,
        way: Option<Way>,
    ) -> Self {
        Self(
            kind as u32
                | u32::from(m.is_drop()) << 4
                | u32::from(m.is_promotion()) << 5
                | captured.map_or(0, |kind| kind as u32 + 1) << 6
                | way.map_or(0, Way::code) << WAY,
        )
    }

    /// The same move, whatever came before it.
    #[must_use]
    pub fn alone(self) -> Self {
        Self(self.0 & ((1 << WAY) - 1))
    }

    /// Whether it says where the move goes, seen from the one before.
    #[must_use]
    pub fn is_relative(self) -> bool {
        self.0 >> WAY != 0
    }

    /// How many files or ranks, whichever are more, lie between the move's destination and that of
    /// the one before; `None` if it does not say.
    #[must_use]
    pub fn reach(self) -> Option<u8> {
        self.way().map(|way| way.right.unsigned_abs().max(way.forward.unsigned_abs()))
    }

    /// Fewer than [`BITS`](Self::BITS) bits.
    #[inline]
    pub(super) const fn code(self) -> u64 {
        self.0 as u64
    }

    fn way(self) -> Option<Way> {
        let code = (self.0 >> WAY).checked_sub(1)?;
        let of = |code: u32| code as i8 - REACH;
        Some(Way { right: of(code / SPAN), forward: of(code % SPAN) })
    }
}

/// A way over the board as a player sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Way {
    right: i8,
    forward: i8,
}

impl Way {
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
        let of = |part: i8| (part + REACH) as u32;
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
        match self.way() {
            Some(Way { right, forward }) => write!(f, "@{right},{forward}"),
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
    let (text, way) = match text.split_once('@') {
        None => (text, None),
        Some((text, way)) => (text, Some(read_way(way)?)),
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
            | way.map_or(0, Way::code) << WAY,
    ))
}

fn read_kind(text: &str) -> Option<(PieceKind, &str)> {
    let (is_promoted, text) = marked(text, '+');
    let letter = text.chars().next().filter(char::is_ascii_uppercase)?;
    let kind = PieceKind::from_sfen_letter(letter)?;
    let kind = if is_promoted { kind.promoted()? } else { kind };
    Some((kind, &text[1..]))
}

fn read_way(text: &str) -> Option<Way> {
    let (right, forward) = text.split_once(',')?;
    let number = |text: &str| text.parse().ok().filter(|part| (-REACH..=REACH).contains(part));
    Some(Way { right: number(right)?, forward: number(forward)? })
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
                    assert_eq!(Some(descriptor.alone()), Descriptor::of(&position, m, None));
                }
            }
        }
    }

    #[test]
    fn what_is_no_move_is_refused() {
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
    fn both_sides_see_the_same() {
        let sfen = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1";
        let position = Position::from_sfen(sfen).unwrap();
        let m: Move = "8h2b+".parse().unwrap();
        let descriptor = Descriptor::of(&position, m, Some(Square::S34));
        assert_eq!(descriptor.unwrap().to_string(), "BxB+@1,2");
        let last = Some(Square::S34.flipped());
        assert_eq!(Descriptor::of(&position.flipped(), m.flipped(), last), descriptor);
    }

    #[test]
    fn moves_of_nothing_have_no_description() {
        let position = Position::hirate();
        assert_eq!(Descriptor::of(&position, Move::new(Square::S55, Square::S54), None), None);
    }
}
