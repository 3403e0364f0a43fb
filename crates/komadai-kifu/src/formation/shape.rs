//! Shapes: conditions on a position and its past, read from the words of a table.

use komadai_core::{Bitboard, Color, File, PieceKind, Position, Rank, Square};

use crate::formation::formation_set::FormationSet;
use crate::formation::past::Past;

/// Alternative lists of conditions.
#[derive(Debug)]
pub(super) struct Shape {
    alternatives: Vec<Conditions>,
}

#[derive(Debug)]
struct Conditions {
    plies: (usize, usize),
    all: Vec<Condition>,
}

/// One condition, or its opposite if it is not `wanted`.
#[derive(Debug)]
struct Condition {
    wanted: bool,
    test: Test,
}

#[derive(Debug)]
enum Test {
    /// A piece of a kind on one of the squares.
    Piece(Pieces),
    /// A piece of a kind has been there.
    Stood(Pieces),
    /// All of the squares are empty.
    Empty(Seen),
    /// At least so many pieces of a kind in a hand.
    Hand(Owner, PieceKind, u32),
    /// The side made the first move.
    First,
    /// This side is to move. Only patterns of positions have it, because a move that reads no square
    /// of a shape would change it.
    Turn(Owner),
    /// The side has the name with this index.
    After(u16),
}

#[derive(Debug)]
struct Pieces {
    owner: Owner,
    kinds: Vec<PieceKind>,
    squares: Seen,
    /// True if dropped pieces count.
    with_dropped: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Side,
    Opponent,
}

impl Owner {
    fn color(self, side: Color) -> Color {
        if self == Self::Side { side } else { !side }
    }
}

/// Squares as Black and as White see them.
#[derive(Debug, Clone, Copy)]
struct Seen([Bitboard; 2]);

impl Seen {
    fn new(squares: Bitboard) -> Self {
        Self([squares, squares.flipped()])
    }

    fn by(self, side: Color) -> Bitboard {
        self.0[side.index()]
    }
}

/// A position of a game as one side sees it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment<'a> {
    pub(super) position: &'a Position,
    pub(super) past: &'a Past,
    pub(super) ply: usize,
    pub(super) side: Color,
    /// The formations whose names the side has.
    pub(super) has: &'a FormationSet,
}

/// A word that is not understood, with its place in bytes.
#[derive(Debug)]
pub(super) struct WordError {
    pub(super) word: String,
    pub(super) at: usize,
}

/// Something that a shape depends on, as Black sees it.
#[derive(Debug)]
pub(super) enum Read<'s> {
    /// The pieces of some kinds, of either side, on some squares.
    Pieces(&'s [PieceKind], Bitboard),
    Empty(Bitboard),
    Hands,
    /// The first ply at which an alternative may stand.
    Ply(usize),
    /// A name of the same side.
    After(u16),
}

impl Shape {
    /// Reads a shape. `index` gives the index of a formation by its id.
    pub(super) fn read(text: &str, index: &dyn Fn(&str) -> Option<u16>) -> Result<Self, WordError> {
        let place = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
        let alternatives = text.split(" | ").map(|words| {
            let mut conditions = Conditions { plies: (0, usize::MAX), all: Vec::new() };
            for word in words.split_whitespace() {
                conditions
                    .read(word, index)
                    .ok_or_else(|| WordError { word: word.to_owned(), at: place(word) })?;
            }
            Ok(conditions)
        });
        Ok(Self { alternatives: alternatives.collect::<Result<_, WordError>>()? })
    }

    /// The last ply at which the shape can fit.
    pub(super) fn last_ply(&self) -> usize {
        self.alternatives.iter().map(|conditions| conditions.plies.1).max().unwrap_or_default()
    }

    /// Returns the things that the shape depends on, besides its last ply.
    pub(super) fn reads(&self) -> impl Iterator<Item = Read<'_>> {
        self.alternatives.iter().flat_map(|conditions| {
            let first = (conditions.plies.0 > 0).then_some(Read::Ply(conditions.plies.0));
            let reads = conditions.all.iter().filter_map(|condition| condition.test.read());
            reads.chain(first)
        })
    }

    pub(super) fn fits(&self, moment: &Moment<'_>) -> bool {
        self.alternatives.iter().any(|conditions| conditions.fit(moment))
    }
}

impl Conditions {
    fn fit(&self, moment: &Moment<'_>) -> bool {
        (self.plies.0..=self.plies.1).contains(&moment.ply)
            && self.all.iter().all(|condition| condition.test.holds(moment) == condition.wanted)
    }

    fn read(&mut self, word: &str, index: &dyn Fn(&str) -> Option<u16>) -> Option<()> {
        let (wanted, rest) = word.strip_prefix('!').map_or((true, word), |rest| (false, rest));
        let mut push = |wanted, test| self.all.push(Condition { wanted, test });
        match rest {
            "static" => push(!wanted, Test::Piece(own_rook("R5*/6*/7*/8*/9*")?)),
            "ranging" => {
                let home = Bitboard::far_ranks(Color::White, 4);
                push(wanted, Test::Piece(own_rook("R5*/6*/7*/8*/9*")?.within(home)));
            }
            "vs-static" => push(!wanted, Test::Piece(pieces("r1*/2*/3*/4*/5*")?)),
            "vs-ranging" => {
                let home = Bitboard::far_ranks(Color::Black, 4);
                push(wanted, Test::Piece(pieces("r1*/2*/3*/4*/5*")?.within(home)));
            }
            "first" => push(wanted, Test::First),
            "second" => push(!wanted, Test::First),
            _ => {
                if let Some(plies) = rest.strip_prefix("ply") {
                    self.plies = limits(plies, self.plies)?;
                    return wanted.then_some(());
                }
                let test = if let Some(id) = rest.strip_prefix("after:") {
                    Test::After(index(id)?)
                } else if let Some(held) = rest.strip_prefix("hand:") {
                    held_pieces(held)?
                } else if let Some(color) = rest.strip_prefix("turn:") {
                    match color {
                        "b" => Test::Turn(Owner::Side),
                        "w" => Test::Turn(Owner::Opponent),
                        _ => return None,
                    }
                } else if let Some(list) = rest.strip_prefix('.') {
                    Test::Empty(Seen::new(squares(list)?))
                } else if let Some(stood) = rest.strip_prefix('@') {
                    Test::Stood(pieces(stood)?)
                } else {
                    let mut found = pieces(rest)?;
                    let may_be_dropped = [PieceKind::Pawn, PieceKind::Bishop];
                    found.with_dropped = !wanted
                        || found.owner == Owner::Opponent
                        || found.kinds.iter().any(|kind| may_be_dropped.contains(kind));
                    Test::Piece(found)
                };
                push(wanted, test);
            }
        }
        Some(())
    }
}

impl Test {
    fn read(&self) -> Option<Read<'_>> {
        Some(match self {
            Self::Piece(pieces) | Self::Stood(pieces) => {
                Read::Pieces(&pieces.kinds, pieces.squares.by(Color::Black))
            }
            Self::Empty(squares) => Read::Empty(squares.by(Color::Black)),
            Self::Hand(..) => Read::Hands,
            Self::First | Self::Turn(_) => return None,
            Self::After(index) => Read::After(*index),
        })
    }

    fn holds(&self, moment: &Moment<'_>) -> bool {
        let Moment { position, past, side, .. } = *moment;
        match self {
            Self::Piece(Pieces { owner, kinds, squares, with_dropped }) => {
                let mut squares = squares.by(side);
                if !with_dropped {
                    squares = squares - past.dropped();
                }
                let color = owner.color(side);
                kinds.iter().any(|&kind| !position.pieces(color, kind).is_disjoint(squares))
            }
            Self::Stood(Pieces { owner, kinds, squares, .. }) => {
                let (color, squares) = (owner.color(side), squares.by(side));
                kinds.iter().any(|&kind| !past.stood(color, kind).is_disjoint(squares))
            }
            Self::Empty(squares) => position.occupied().is_disjoint(squares.by(side)),
            Self::Hand(owner, kind, count) => {
                position.hand(owner.color(side)).count(*kind) >= *count
            }
            Self::First => past.first == side,
            Self::Turn(owner) => position.side() == owner.color(side),
            Self::After(index) => moment.has.contains(usize::from(*index)),
        }
    }
}

impl Pieces {
    fn within(self, area: Bitboard) -> Self {
        Self { squares: Seen::new(self.squares.by(Color::Black) & area), ..self }
    }
}

fn owner(letter: char) -> Owner {
    if letter.is_ascii_uppercase() { Owner::Side } else { Owner::Opponent }
}

fn own_rook(word: &str) -> Option<Pieces> {
    Some(Pieces { with_dropped: true, ..pieces(word)? })
}

/// Pieces in hand: `B`, or at least two pawns `2P`.
fn held_pieces(text: &str) -> Option<Test> {
    let letter = text.chars().next_back()?;
    let kind = PieceKind::from_sfen_letter(letter.to_ascii_uppercase())?;
    let number = &text[..text.len() - letter.len_utf8()];
    let count = if number.is_empty() { 1 } else { number.parse().ok()? };
    let is_possible = kind.is_hand_kind() && (1..=PieceKind::TOTALS[kind.index()]).contains(&count);
    is_possible.then(|| Test::Hand(owner(letter), kind, count))
}

/// Kinds and squares: `GS7h/8h`.
fn pieces(word: &str) -> Option<Pieces> {
    let mut kinds = Vec::new();
    let mut letters = word.char_indices().peekable();
    let mut is_promoted = false;
    let mut owned = None;
    while let Some(&(at, letter)) = letters.peek() {
        if letter == '+' {
            is_promoted = true;
        } else if letter.is_ascii_alphabetic() && letter != '*' {
            let kind = PieceKind::from_sfen_letter(letter.to_ascii_uppercase())?;
            kinds.push(if is_promoted { kind.promoted()? } else { kind });
            is_promoted = false;
            owned = Some(owner(letter));
        } else {
            let squares = Seen::new(squares(word.get(at..)?)?);
            return Some(Pieces { owner: owned?, kinds, squares, with_dropped: true });
        }
        letters.next();
    }
    None
}

/// Squares, files (`5*`), ranks (`*g`) or all (`*`), separated by slashes.
fn squares(list: &str) -> Option<Bitboard> {
    list.split('/').try_fold(Bitboard::EMPTY, |sum, one| {
        let more = if one == "*" {
            Bitboard::ALL
        } else if let Some(file) = one.strip_suffix('*') {
            let digit = file.parse::<usize>().ok()?;
            Bitboard::file(*File::ALL.get(digit.checked_sub(1)?)?)
        } else if let Some(rank) = one.strip_prefix('*') {
            let letter = rank.bytes().next()?;
            Bitboard::rank(*Rank::ALL.get(usize::from(letter.checked_sub(b'a')?))?)
        } else {
            Bitboard::from_square(one.parse::<Square>().ok()?)
        };
        Some(sum | more)
    })
}

/// The limits of plies with `<=30`, `>=14` or `=2` added.
fn limits(text: &str, (from, to): (usize, usize)) -> Option<(usize, usize)> {
    if let Some(last) = text.strip_prefix("<=") {
        return Some((from, to.min(last.parse().ok()?)));
    }
    if let Some(first) = text.strip_prefix(">=") {
        return Some((from.max(first.parse().ok()?), to));
    }
    let ply = text.strip_prefix('=')?.parse().ok()?;
    Some((ply, ply))
}
