//! The features of the predictor that need no move generation.

use komadai_core::{Bitboard, Color, Move, PieceKind, Position, attacks};

use super::escapes::Escapes;
use super::numbers::Numbers;
use super::surroundings::{RING, Surroundings, near_len};

/// Numbers about the last move and the king of the side to move, from which
/// [`LogisticThreatmate`](super::LogisticThreatmate) predicts whether the move was a threatmate.
///
/// The king is that of the side to move; the attackers are the pieces of the other side. All are
/// computed from sets of squares, without generating moves.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_eval::ThreatmateFeatures;
///
/// let mut position = Position::hirate();
/// for m in ["7g7f", "3c3d", "8h2b+"] {
///     position.do_move(m.parse()?);
/// }
/// let features = ThreatmateFeatures::of(&position).expect("a move was made, without check");
/// assert_eq!(features.value("captures a bishop"), Some(1.0));
/// assert_eq!(features.value("attacks a neighbour"), Some(0.0));
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ThreatmateFeatures([f32; Self::COUNT]);

impl ThreatmateFeatures {
    /// Number of features, the constant 1 included.
    pub const COUNT: usize = 104;

    /// The groups of features: name, and names of its features, in the order of the values.
    pub const GROUPS: [(&'static str, &'static [&'static str]); 9] = [
        ("constant", &["constant"]),
        (
            "capture",
            &[
                "captures a pawn",
                "captures a lance",
                "captures a knight",
                "captures a silver",
                "captures a gold",
                "captures a bishop",
                "captures a rook",
            ],
        ),
        (
            "move",
            &[
                "attacks a neighbour",
                "neighbours attacked by the piece",
                "drop",
                "promotion",
                "parries a check",
                "distance 1",
                "distance 2",
                "distance 3",
                "distance 4",
            ],
        ),
        (
            "king",
            &[
                "at an edge",
                "in a corner",
                "rank 1",
                "rank 2",
                "rank 3",
                "rank 4",
                "rank 5 or more",
                "rank 7 or more",
                "files from the centre",
            ],
        ),
        (
            "neighbours",
            &[
                "golds",
                "silvers",
                "own pieces",
                "enemies",
                "attacked",
                "attacked twice",
                "attacked three times",
                "attacked twice or backed",
                "attacked without a guard",
                "guarded",
                "guarded twice",
                "attacked twice, guarded once",
                "squares for drops",
                "squares for moves",
                "free",
                "free: 0",
                "free: 1",
                "free: 2",
                "free beyond",
                "free beyond: 0",
            ],
        ),
        (
            "ring",
            &[
                "ring attacked",
                "ring attacked twice",
                "ring attacked three times",
                "ring guarded",
                "ring guarded twice",
                "ring own pieces",
                "ring own golds and silvers",
                "ring enemies",
                "ring enemy golds",
                "ring enemy silvers",
                "attackers",
                "attackers: 1 or more",
                "attackers: 2 or more",
                "attackers: 3 or more",
            ],
        ),
        (
            "hand",
            &[
                "pawn",
                "3 pawns",
                "lance",
                "2 lances",
                "knight",
                "2 knights",
                "silver",
                "2 silvers",
                "gold",
                "2 golds",
                "3 golds",
                "bishop",
                "2 bishops",
                "rook",
                "2 rooks",
                "pieces in hand",
                "1 piece",
                "2 pieces",
                "3 pieces",
            ],
        ),
        (
            "escapes after drops",
            &[
                "safe squares for a gold",
                "gold: 0",
                "gold: 1",
                "gold: 2",
                "gold held: 0",
                "gold held: 1",
                "gold held: 2",
                "silver: 0",
                "silver: 1",
                "silver: 2",
                "silver held: 0",
                "silver held: 1",
                "silver held: 2",
                "knight held: 0",
                "knight held: 1",
                "rook held: 0",
                "rook held: 1",
                "rook held: 2",
                "bishop held: 0",
                "bishop held: 1",
                "lance held",
            ],
        ),
        ("escapes after moves", &["safe moves", "move: 0", "move: 1", "move: 2"]),
    ];

    /// Computes the features of the position after a move. Returns `None` in check, after a null
    /// move, and without a last move or a king.
    pub fn of(position: &Position) -> Option<Self> {
        let mut values = [0.0; Self::COUNT];
        fill(&mut values, position).then_some(Self(values))
    }

    /// Returns the numbers, the constant 1 first.
    #[must_use]
    pub const fn to_array(self) -> [f32; Self::COUNT] {
        self.0
    }

    /// Returns the names in the order of the numbers.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::GROUPS.iter().flat_map(|(_, names)| names.iter().copied())
    }

    /// Returns the number of a name; `None` if no feature has it.
    pub fn value(&self, name: &str) -> Option<f32> {
        Self::names().zip(self.0).find(|(found, _)| *found == name).map(|(_, value)| value)
    }
}

type Cheap<'v> = Numbers<'v, { ThreatmateFeatures::COUNT }>;

/// Fills in the features. Returns false for positions without any.
pub(super) fn fill(values: &mut [f32; ThreatmateFeatures::COUNT], position: &Position) -> bool {
    let Some(last) = position.current().last_move() else { return false };
    if position.in_check() {
        return false;
    }
    let Some(king) = position.king_square(position.side()) else { return false };
    let around = Surroundings::of(position, position.side(), king);
    let mut numbers = Numbers::new(values);
    numbers.push(1.0);
    add_capture(&mut numbers, position);
    add_move(&mut numbers, position, &around, last);
    add_attack(&mut numbers, position, &around);
    numbers.finish();
    true
}

/// The groups of features about a king and the hand of its attacker, in their order among
/// [`ThreatmateFeatures::GROUPS`]: all but those about the last move.
pub(crate) const ATTACK_GROUPS: &[(&str, &[&str])] = ThreatmateFeatures::GROUPS.split_at(3).1;

/// Number of features of [`ATTACK_GROUPS`].
pub(crate) const ATTACK_FEATURES: usize = {
    let mut count = 0;
    let mut group = 0;
    while group < ATTACK_GROUPS.len() {
        count += ATTACK_GROUPS[group].1.len();
        group += 1;
    }
    count
};

/// Adds the features of [`ATTACK_GROUPS`].
#[inline]
pub(crate) fn add_attack<const N: usize>(
    numbers: &mut Numbers<'_, N>,
    position: &Position,
    around: &Surroundings,
) {
    add_king(numbers, around);
    add_neighbours(numbers, position, around);
    add_ring(numbers, position, around);
    add_hand(numbers, position, around);
    add_escapes(numbers, position, around);
}

/// The kinds that can be held, in the order of the features.
const KINDS: [PieceKind; 7] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Gold,
    PieceKind::Bishop,
    PieceKind::Rook,
];

fn add_capture(numbers: &mut Cheap<'_>, position: &Position) {
    let captured = position.current().captured().map(|piece| piece.kind().unpromoted());
    for kind in KINDS {
        numbers.flag(captured == Some(kind));
    }
}

fn add_move(numbers: &mut Cheap<'_>, position: &Position, around: &Surroundings, last: Move) {
    let without_king = around.occupied - around.king.into();
    let reach = position.piece_on(last.to()).map_or(Bitboard::EMPTY, |piece| {
        attacks::of(around.attacker, piece.kind(), last.to(), without_king)
    });
    let touched = near_len(reach & around.zone);
    numbers.flag(touched > 0);
    numbers.count(touched);
    numbers.flag(last.from().is_none());
    numbers.flag(last.is_promotion());
    numbers.flag(position.history().last().is_some_and(|before| !before.checkers().is_empty()));
    let (to, king) = (last.to(), around.king);
    let files = to.file().index().abs_diff(king.file().index());
    let ranks = to.rank().index().abs_diff(king.rank().index());
    numbers.one_of(files.max(ranks) as u32, [1, 2, 3, 4]);
}

fn add_king<const N: usize>(numbers: &mut Numbers<'_, N>, around: &Surroundings) {
    numbers.one_of(near_len(around.zone), [5, 3]);
    // Ranks from the edge of the king's own side.
    let rank = match around.attacker {
        Color::White => 8 - around.king.rank().index(),
        Color::Black => around.king.rank().index(),
    } as u32;
    numbers.one_of(rank, [0, 1, 2, 3]);
    numbers.at_least(rank, [4, 6]);
    numbers.count(around.king.file().index().abs_diff(4) as u32);
}

fn add_neighbours<const N: usize>(
    numbers: &mut Numbers<'_, N>,
    position: &Position,
    around: &Surroundings,
) {
    let Surroundings { zone, own, enemies, attacked, guarded, backed, .. } = *around;
    let [once, twice, thrice] = attacked;
    let support = twice | backed;
    let sets = [
        own & position.gold_movers(),
        own & position.kind(PieceKind::Silver),
        own,
        enemies,
        once,
        twice,
        thrice,
        support,
        once - guarded[0],
        guarded[0],
        guarded[1],
        (twice & guarded[0]) - guarded[1],
        once & (around.unguarded() - around.occupied),
        once & support & (around.unguarded() - enemies),
    ];
    numbers.sizes(sets.map(|set| zone & set));
    let free = around.free();
    let free_count = near_len(free);
    numbers.count(free_count);
    numbers.one_of(free_count, [0, 1, 2]);
    let mut beyond = Bitboard::EMPTY;
    for square in free {
        beyond |= attacks::king(square);
    }
    let beyond = near_len(beyond - own - once - zone - around.king.into());
    numbers.count(beyond.min(8));
    numbers.flag(beyond == 0);
}

fn add_ring<const N: usize>(
    numbers: &mut Numbers<'_, N>,
    position: &Position,
    around: &Surroundings,
) {
    let ring = RING[around.king];
    let Surroundings { own, enemies, attacked: [once, twice, thrice], guarded, .. } = *around;
    let (golds, silvers) = (position.gold_movers(), position.kind(PieceKind::Silver));
    let sets = [
        once,
        twice,
        thrice,
        guarded[0],
        guarded[1],
        own,
        own & (golds | silvers),
        enemies,
        enemies & golds,
        enemies & silvers,
    ];
    numbers.sizes(sets.map(|set| ring & set));
    let attackers = around.attacker_count();
    numbers.count(attackers);
    numbers.at_least(attackers, [1, 2, 3]);
}

fn add_hand<const N: usize>(
    numbers: &mut Numbers<'_, N>,
    position: &Position,
    around: &Surroundings,
) {
    let hand = position.hand(around.attacker);
    numbers.at_least(hand.count(PieceKind::Pawn), [1, 3]);
    let mut pieces = 0;
    for kind in &KINDS[1..] {
        let count = hand.count(*kind);
        pieces += count;
        numbers.at_least(count, [1, 2]);
        if *kind == PieceKind::Gold {
            numbers.flag(count >= 3);
        }
    }
    numbers.count(pieces.min(6));
    numbers.at_least(pieces, [1, 2, 3]);
}

fn add_escapes<const N: usize>(
    numbers: &mut Numbers<'_, N>,
    position: &Position,
    around: &Surroundings,
) {
    let hand = position.hand(around.attacker);
    let escapes = Escapes::of(around, hand);
    let held = |kind, least: Option<u32>| least.filter(|_| hand.count(kind) > 0);
    numbers.count(escapes.gold_squares);
    numbers.least(escapes.gold, [0, 1, 2]);
    numbers.least(held(PieceKind::Gold, escapes.gold), [0, 1, 2]);
    numbers.least(escapes.silver, [0, 1, 2]);
    numbers.least(held(PieceKind::Silver, escapes.silver), [0, 1, 2]);
    numbers.least(escapes.knight, [0, 1]);
    numbers.least(escapes.rook, [0, 1, 2]);
    numbers.least(escapes.bishop, [0, 1]);
    numbers.flag(escapes.lance);
    numbers.count(escapes.moves.min(4));
    numbers.least(escapes.moved, [0, 1, 2]);
}
