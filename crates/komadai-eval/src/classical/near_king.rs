//! King safety: the squares near a king by direction, distance and attackers.
//!
//! The window around a king is seven files by six ranks: three files to either side, from three
//! ranks ahead to two behind. Each of its squares is in one of nine states, given by the number of
//! own and enemy attackers (none, one, more). Each state and place has a weight. Adding the weights
//! square by square would take about a hundred steps per king. Instead, the six bits of each file
//! are an index into a table of sums, for each of the eight states with an attacker.

use komadai_core::{Bitboard, Color, Hand, PieceKind, Position, Square};

use super::groups::{Group, HELD, STATES, WINDOW_FILES as FILES, WINDOW_RANKS as RANKS};
use super::packed::{Packed, Unpacked};
use super::parameters::Parameters;
use crate::attack_map::AttackMap;

/// Number of files of a window, from the king's right to its left.
const WIDTH: usize = 2 * FILES - 1;
/// The king's rank within its window.
const KING_RANK: usize = 3;

/// Returns the squares of a set that lie in a king's window: bit 9 · file + rank, where file 3 is
/// the king's own and ranks are numbered as on the board.
#[inline]
fn window(set: Bitboard, king: Square, color: Color) -> u64 {
    let [low, high] = set.lanes();
    // Three files and three ranks of room (30 bits), so that the shift to the right is never
    // negative. The mask removes the bits that wrapped around an edge.
    let roomy = (u128::from(low) | u128::from(high) << 63) << 30;
    (roomy >> (king.index() + 3 - first_rank(color))) as u64 & SQUARES[color][king]
}

/// Number of ranks between the first rank of a window, as on the board, and the king.
#[inline]
const fn first_rank(color: Color) -> usize {
    match color {
        Color::Black => KING_RANK,
        Color::White => RANKS - 1 - KING_RANK,
    }
}

/// `[color][king]`: the bits of a window that are squares of the board.
static SQUARES: [[u64; Square::COUNT]; 2] = [squares(Color::Black), squares(Color::White)];

const fn squares(color: Color) -> [u64; Square::COUNT] {
    let mut windows = [0; Square::COUNT];
    let mut king = 0;
    while king < Square::COUNT {
        let mut i = 0;
        while i < WIDTH * RANKS {
            let file = i / RANKS;
            let rank = i % RANKS;
            let files = file as i8 - (FILES as i8 - 1);
            let ranks = rank as i8 - first_rank(color) as i8;
            if Square::ALL[king].offset(files, ranks).is_some() {
                windows[king] |= 1 << (9 * file + rank);
            }
            i += 1;
        }
        king += 1;
    }
    windows
}

/// The eight squares next to the king, as bits of a window.
#[inline]
const fn ring(color: Color) -> u64 {
    let rows = 0b111 << (first_rank(color) - 1);
    let kings_own = 1 << (27 + first_rank(color));
    (rows << 18 | rows << 27 | rows << 36) ^ kings_own
}

/// Number of squares of the ring in a set.
///
/// The nine bits of three files are folded into one table index.
#[inline]
const fn ring_len(set: u64, color: Color) -> usize {
    const LEN: [u8; 512] = {
        let mut len = [0; 512];
        let mut i = 0;
        while i < 512usize {
            len[i] = i.count_ones() as u8;
            i += 1;
        }
        len
    };
    static TABLE: [u8; 512] = LEN;
    let shifted = (set & ring(color)) >> (18 + first_rank(color) - 1);
    TABLE[((shifted | shifted >> 6 | shifted >> 12) & 511) as usize] as usize
}

/// The surroundings of one king.
pub(crate) struct View {
    color: Color,
    /// Squares attacked by own pieces: at least once, at least twice.
    own: [u64; 2],
    /// Squares attacked by the opponent: at least once, at least twice.
    enemy: [u64; 2],
    board: u64,
    own_pieces: u64,
    held: usize,
}

impl View {
    #[inline]
    pub(crate) fn new(
        position: &Position,
        king: Square,
        color: Color,
        maps: &[AttackMap; 2],
    ) -> Self {
        let own = &maps[color];
        let enemy = &maps[!color];
        Self {
            color,
            own: [own.once, own.twice].map(|set| window(set, king, color)),
            enemy: [enemy.once, enemy.twice].map(|set| window(set, king, color)),
            board: SQUARES[color][king],
            own_pieces: window(position.color(color), king, color),
            held: held(position.hand(!color)),
        }
    }

    /// Returns the index of the opponent's hand, and the number of holes: squares next to the king
    /// that the opponent attacks and only the king guards.
    #[inline]
    pub(crate) fn holes(&self) -> [usize; 2] {
        [self.held, ring_len(self.enemy[0] & !self.own[0], self.color)]
    }

    /// Returns the number of squares next to the king to which it could move.
    #[inline]
    pub(crate) fn escapes(&self) -> usize {
        ring_len(self.board & !self.enemy[0] & !self.own_pieces, self.color)
    }

    /// Returns the squares in each state: `[state − 1]`.
    #[inline]
    fn states(&self) -> [u64; STATES] {
        let by_count = |[once, twice]: [u64; 2]| [self.board & !once, once & !twice, twice];
        let [o, e] = [by_count(self.own), by_count(self.enemy)];
        [
            o[0] & e[1],
            o[0] & e[2],
            o[1] & e[0],
            o[1] & e[1],
            o[1] & e[2],
            o[2] & e[0],
            o[2] & e[1],
            o[2] & e[2],
        ]
    }

    /// Calls `visit` for each attacked square of the window, with the index of its weight and the
    /// files and ranks from the king to it.
    pub(crate) fn visit(&self, mut visit: impl FnMut(usize, i8, i8)) {
        for (state, mut set) in self.states().into_iter().enumerate() {
            while set != 0 {
                let bit = set.trailing_zeros() as usize;
                set &= set - 1;
                let file = (bit / 9).abs_diff(FILES - 1);
                let index =
                    Group::NearKing.index(&[state, file, rank_from_far(self.color, bit % 9)]);
                let files = (bit / 9) as i8 - (FILES as i8 - 1);
                visit(index, files, (bit % 9) as i8 - first_rank(self.color) as i8);
            }
        }
    }
}

/// Returns the index of a hand by its pieces for drops into holes: 1 for a gold, 2 for a silver, 4
/// for any other piece but a pawn, added up.
#[inline]
fn held(hand: Hand) -> usize {
    let others = [PieceKind::Lance, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook];
    usize::from(hand.has(PieceKind::Gold))
        | usize::from(hand.has(PieceKind::Silver)) << 1
        | usize::from(others.into_iter().any(|kind| hand.has(kind))) << 2
}

/// Returns the rank from the point of view of the king's owner, 0 the farthest ahead.
const fn rank_from_far(color: Color, rank: usize) -> usize {
    match color {
        Color::Black => rank,
        Color::White => RANKS - 1 - rank,
    }
}

/// Precomputed sums of weights for every pattern of a file.
pub(crate) struct NearKing {
    /// `[color][state − 1][files][pattern]`.
    sums: Box<[[[[Packed; 1 << RANKS]; FILES]; STATES]; 2]>,
    /// `[held][count]`.
    holes: [[Packed; 9]; HELD],
    escapes: [Packed; 9],
}

impl NearKing {
    pub(crate) fn new(parameters: &Parameters) -> Self {
        let get = |index| Packed::from(parameters.get(index));
        let sum = |color, state, file, pattern: usize| {
            let of_rank = |rank| Group::NearKing.index(&[state, file, rank_from_far(color, rank)]);
            let ranks = (0..RANKS).filter(|rank| pattern >> rank & 1 == 1);
            ranks.map(|rank| get(of_rank(rank))).fold(Packed::default(), Packed::plus)
        };
        let mut sums = Box::new([[[[Packed::default(); 1 << RANKS]; FILES]; STATES]; 2]);
        for color in Color::ALL {
            for state in 0..STATES {
                for file in 0..FILES {
                    sums[color][state][file] =
                        core::array::from_fn(|pattern| sum(color, state, file, pattern));
                }
            }
        }
        let holes = core::array::from_fn(|held| {
            core::array::from_fn(|count| get(Group::Hole.index(&[held, count])))
        });
        let escapes = core::array::from_fn(|count| get(Group::Escape.index(&[count])));
        Self { sums, holes, escapes }
    }

    /// Returns the value of a king's surroundings for its owner.
    #[inline]
    pub(crate) fn value(&self, view: &View) -> Unpacked {
        let [held, holes] = view.holes();
        let mut sum = self.holes[held][holes].plus(self.escapes[view.escapes()]);
        for (set, sums) in view.states().into_iter().zip(&self.sums[view.color]) {
            for file in 0..WIDTH {
                let pattern = (set >> (9 * file)) as usize & ((1 << RANKS) - 1);
                sum = sum.plus(sums[file.abs_diff(FILES - 1)][pattern]);
            }
        }
        sum.unpack()
    }
}
