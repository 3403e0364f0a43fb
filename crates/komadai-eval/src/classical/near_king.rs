//! What happens on the squares near a king: by direction, distance and who attacks them.
//!
//! The window around a king is seven files by six ranks: three files to either side, from three
//! ranks ahead to two behind. Each of its squares is in one of nine states, by how often its owner
//! and the opponent attack it (not at all, once, more). With a weight for each state and place,
//! adding them up square by square would cost a hundred steps a king; here the six bits of each
//! file select the sum from a table, for each of the eight states that are not "nobody".

use komadai_core::{Bitboard, Color, Hand, PieceKind, Position, Square};

use super::Parameters;
use super::groups::Group;
use super::packed::{Packed, Unpacked};
use crate::attack_map::AttackMap;

/// By how many attackers of either side, 3 · own + enemy, "nobody" left out.
pub(crate) const STATES: usize = 8;
/// By what the opponent holds for filling holes: a gold, a silver, anything else but pawns.
pub(crate) const HELD: usize = 8;
/// The king's file and three to the side; both sides are alike.
pub(crate) const FILES: usize = 4;
/// Three ranks ahead of the king to two behind.
pub(crate) const RANKS: usize = 6;

/// The files of a window, from the king's right to its left.
const WIDTH: usize = 2 * FILES - 1;
/// The king's place among the ranks of a window.
const KING_RANK: usize = 3;

/// The squares of a set that lie in a king's window: bit 9 · file + rank, with file 3 the king's own
/// and ranks as the board counts them.
#[inline]
fn window(set: Bitboard, king: Square, color: Color) -> u64 {
    let [low, high] = set.lanes();
    // Three files and three ranks of room, so that the shift back is never negative.
    let roomy = (u128::from(low) | u128::from(high) << 63) << 30;
    (roomy >> (king.index() + 3 - first_rank(color))) as u64 & SQUARES[color][king]
}

/// How many ranks above the king, as the board counts them, a window starts.
#[inline]
const fn first_rank(color: Color) -> usize {
    match color {
        Color::Black => KING_RANK,
        Color::White => RANKS - 1 - KING_RANK,
    }
}

/// `[color][king]`: the window's bits that are squares of the board.
static SQUARES: [[u64; Square::COUNT]; 2] = [squares(Color::Black), squares(Color::White)];

const fn squares(color: Color) -> [u64; Square::COUNT] {
    let mut windows = [0; Square::COUNT];
    let mut king = 0;
    while king < Square::COUNT {
        let mut i = 0;
        while i < WIDTH * RANKS {
            let (file, rank) = (i / RANKS, i % RANKS);
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

/// How many squares of the ring a set has.
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

/// What is seen from one king.
pub(crate) struct View {
    color: Color,
    /// Attacked once or more, and twice or more, by own pieces and by the opponent's.
    own: [u64; 2],
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
        let (own, enemy) = (&maps[color], &maps[!color]);
        Self {
            color,
            own: [own.once, own.twice].map(|set| window(set, king, color)),
            enemy: [enemy.once, enemy.twice].map(|set| window(set, king, color)),
            board: SQUARES[color][king],
            own_pieces: window(position.color(color), king, color),
            held: held(position.hand(!color)),
        }
    }

    /// What the opponent holds, and the squares next to the king that it attacks and only the king
    /// guards.
    #[inline]
    pub(crate) fn holes(&self) -> [usize; 2] {
        [self.held, ring_len(self.enemy[0] & !self.own[0], self.color)]
    }

    /// Squares next to the king where it could go.
    #[inline]
    pub(crate) fn escapes(&self) -> usize {
        ring_len(self.board & !self.enemy[0] & !self.own_pieces, self.color)
    }

    /// `[state − 1]`: the squares in each state.
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

    /// Tells `visit` the weight that each attacked square of the window takes, one by one.
    pub(crate) fn visit(&self, mut visit: impl FnMut(usize)) {
        for (state, mut set) in self.states().into_iter().enumerate() {
            while set != 0 {
                let bit = set.trailing_zeros() as usize;
                set &= set - 1;
                let file = (bit / 9).abs_diff(FILES - 1);
                visit(Group::NearKing.index(&[state, file, rank_from_far(self.color, bit % 9)]));
            }
        }
    }
}

/// What a hand has for filling holes: 1 for a gold, 2 for a silver, 4 for anything else but pawns.
#[inline]
fn held(hand: Hand) -> usize {
    let others = [PieceKind::Lance, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook];
    usize::from(hand.has(PieceKind::Gold))
        | usize::from(hand.has(PieceKind::Silver)) << 1
        | usize::from(others.into_iter().any(|kind| hand.has(kind))) << 2
}

/// The rank as the king's owner sees it, 0 the farthest ahead.
const fn rank_from_far(color: Color, rank: usize) -> usize {
    match color {
        Color::Black => rank,
        Color::White => RANKS - 1 - rank,
    }
}

/// Sums of weights for every pattern of a file.
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

    /// The worth of what is near a king, to its owner.
    #[inline]
    pub(crate) fn worth(&self, view: &View) -> Unpacked {
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
