//! The keys that identify positions in Apery's books.

use komadai_core::{Color, PieceKind, Position, Square};

use super::mt19937_64::Mt19937_64;

/// The key of a position in Apery's books.
///
/// It covers the board, the side to move and the hand of that side, but not the opponent's hand.
/// With all forty pieces in play the opponent's hand follows from the rest; in a handicap game it
/// need not.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::apery::apery_key;
/// use komadai_core::Position;
///
/// assert_eq!(apery_key(&Position::hirate()), 0xeebe_8ee7_e1ad_7e15);
/// ```
pub fn apery_key(position: &Position) -> u64 {
    let mut key = if position.side() == Color::White { KEYS.white_to_move } else { 0 };
    let pieces = position.occupied().into_iter().map(|square| (square, position.piece_on(square)));
    for (square, piece) in pieces {
        let Some(piece) = piece else { continue };
        // Black's kinds have the numbers 1 to 14 in the order of ours, White's are 16 higher.
        let number = piece.kind().index() + 1 + 16 * (piece.color() as usize);
        key ^= KEYS.pieces[number][square.index()];
    }
    let hand = position.hand(position.side());
    for (keys, kind) in KEYS.hand.iter().zip(HAND_ORDER) {
        key ^= keys[hand.count(kind) as usize];
    }
    key
}

const PIECES: usize = 31;

/// The order in which the random numbers of hands are drawn.
const HAND_ORDER: [PieceKind; 7] = PieceKind::BY_VALUE;

struct Keys {
    /// `[piece][square]`. No piece has the number 0, but the keys of that row are drawn as well:
    /// each later key depends on the count of numbers drawn before.
    pieces: [[u64; Square::COUNT]; PIECES],
    /// `[kind][count]`, kinds in [`HAND_ORDER`].
    hand: [[u64; 19]; 7],
    white_to_move: u64,
}

static KEYS: Keys = Keys::new();

impl Keys {
    const fn new() -> Self {
        let mut random = Mt19937_64::new(Mt19937_64::DEFAULT_SEED);
        let mut keys =
            Self { pieces: [[0; Square::COUNT]; PIECES], hand: [[0; 19]; 7], white_to_move: 0 };
        let mut index = 0;
        while index < PIECES * Square::COUNT {
            keys.pieces[index / Square::COUNT][index % Square::COUNT] = random.next();
            index += 1;
        }
        let mut index = 0;
        while index < 7 * 19 {
            keys.hand[index / 19][index % 19] = random.next();
            index += 1;
        }
        keys.white_to_move = random.next();
        keys
    }
}
