//! The oracles of the tests, slow and plain on purpose.
//!
//! They share nothing with the solver: checks are all legal moves after which the opponent is in
//! check, and repetition needs no rule, since a mate is what has a number of plies.

use std::collections::HashMap;

use komadai_core::{Color, File, Hand, Piece, PieceKind, Position, Rank, Setup, Square};
use komadai_movegen::MoveGen;

/// The length of the shortest mate of at most `most` plies, by trying everything.
pub(crate) fn shortest_mate(position: &mut Position, most: usize) -> Option<usize> {
    (1..=most).step_by(2).find(|&plies| mates_within(position, plies))
}

fn mates_within(position: &mut Position, plies: usize) -> bool {
    position.legal_moves().into_iter().any(|m| {
        position.do_move(m);
        let mates = position.in_check() && is_mated_within(position, plies - 1);
        position.undo_move();
        mates
    })
}

/// Whether every reply is mated, the last one after `plies`.
pub(crate) fn is_mated_within(position: &mut Position, plies: usize) -> bool {
    let replies = position.legal_moves();
    if plies == 0 {
        return replies.is_empty();
    }
    replies.into_iter().all(|m| {
        position.do_move(m);
        let mated = mates_within(position, plies - 1);
        position.undo_move();
        mated
    })
}

/// The truth about the positions of a graph in which the attacker and the defender move in turn;
/// the first position is the attacker's.
#[derive(Debug)]
pub(crate) struct Truth {
    /// The plies to the mate, if there is one.
    pub(crate) mates: Vec<Option<usize>>,
    /// Whether the defender can make the attacker run out of checks. Where there is neither a mate
    /// nor this, the attacker can repeat positions for ever.
    pub(crate) escapes: Vec<bool>,
}

/// Finds the mates of a graph from the end.
pub(crate) fn solve_graph(successors: &[Vec<usize>], attacks: impl Fn(usize) -> bool) -> Truth {
    let count = successors.len();
    let mut mates: Vec<Option<usize>> = vec![None; count];
    for plies in 0.. {
        let mated = |position: usize| {
            let mut next = successors[position].iter().map(|&next| mates[next].is_some());
            if attacks(position) { next.any(|mated| mated) } else { next.all(|mated| mated) }
        };
        let new: Vec<usize> = (0..count).filter(|&i| mates[i].is_none() && mated(i)).collect();
        if new.is_empty() {
            break;
        }
        for position in new {
            mates[position] = Some(plies);
        }
    }
    let mut escapes = vec![false; count];
    loop {
        let free = |position: usize| {
            let mut next = successors[position].iter().map(|&next| escapes[next]);
            if attacks(position) { next.all(|free| free) } else { next.any(|free| free) }
        };
        let new: Vec<usize> = (0..count).filter(|&i| !escapes[i] && free(i)).collect();
        if new.is_empty() {
            return Truth { mates, escapes };
        }
        for position in new {
            escapes[position] = true;
        }
    }
}

/// Every position that checks and replies can reach, the first one first.
#[derive(Debug)]
pub(crate) struct Graph {
    /// The key of the board and the attacker's hand.
    pub(crate) positions: Vec<(u64, Hand)>,
    pub(crate) truth: Truth,
}

impl Graph {
    /// Lists the positions; `None` if there are more than `most`.
    pub(crate) fn new(position: &Position, most: usize) -> Option<Self> {
        let attacker = position.side();
        let mut positions = vec![position.without_history()];
        let mut numbers = HashMap::from([(position.key(), 0)]);
        let mut successors = Vec::new();
        while let Some(mut position) = positions.get(successors.len()).cloned() {
            let attacks = position.side() == attacker;
            let mut next = Vec::new();
            for m in &position.legal_moves() {
                position.do_move(m);
                if !attacks || position.in_check() {
                    let fresh = positions.len();
                    let number = *numbers.entry(position.key()).or_insert(fresh);
                    if number == fresh {
                        positions.push(position.without_history());
                    }
                    next.push(number);
                }
                position.undo_move();
            }
            successors.push(next);
            if positions.len() > most {
                return None;
            }
        }
        let truth = solve_graph(&successors, |number| positions[number].side() == attacker);
        let keys = |position: &Position| (position.board_key(), position.hand(attacker));
        Some(Self { positions: positions.iter().map(keys).collect(), truth })
    }
}

/// A stream of numbers from a seed: SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast splittable
/// pseudorandom number generators", 2014).
#[derive(Debug, Clone)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

/// A random composition: a king near the edge with a few pieces around it, and some in hand.
/// `None` if the throw of the dice is no position.
pub(crate) fn random_composition(random: &mut Random) -> Option<Position> {
    let mut setup = Setup::empty();
    let rank = random.below(9).min(random.below(9)).min(random.below(9));
    let king = Square::new(File::ALL[random.below(9)], Rank::ALL[rank]);
    setup.board[king] = Some(Piece::WhiteKing);
    for (color, least) in [(Color::Black, 2), (Color::White, 0)] {
        for _ in 0..least + random.below(4) {
            let kind = PieceKind::ALL[random.below(PieceKind::COUNT)];
            put_near(&mut setup, king, color, kind, random);
        }
    }
    if random.below(4) == 0 {
        setup.board[Square::ALL[random.below(81)]].get_or_insert(Piece::BlackKing);
    }
    for (hand, most) in setup.hands.iter_mut().zip([4, 1]) {
        for _ in 0..random.below(most + 1) {
            *hand = hand.with(PieceKind::HAND[random.below(7)], 1);
        }
    }
    Position::from_setup(&setup).ok()
}

/// A random chase: a few strong pieces after a king, nothing in hand. Few positions can be reached,
/// and the attacker can mostly give check for ever.
pub(crate) fn random_chase(random: &mut Random) -> Option<Position> {
    use PieceKind::{Bishop, Dragon, Gold, Horse, Knight, Pawn, ProPawn, Rook, Silver};
    let mut setup = Setup::empty();
    let king = Square::ALL[random.below(81)];
    setup.board[king] = Some(Piece::WhiteKing);
    for _ in 0..1 + random.below(2) {
        let kind = [Dragon, Horse, Rook, Bishop, Gold, ProPawn][random.below(6)];
        put_near(&mut setup, king, Color::Black, kind, random);
    }
    for _ in 0..random.below(4) {
        let kind = [Pawn, Silver, Gold, Knight][random.below(4)];
        put_near(&mut setup, king, Color::White, kind, random);
    }
    Position::from_setup(&setup).ok()
}

/// Puts a piece on an empty square near the king; does nothing if that would be no board.
fn put_near(setup: &mut Setup, king: Square, color: Color, kind: PieceKind, random: &mut Random) {
    let square = king.offset(random.below(5) as i8 - 2, random.below(5) as i8 - 2);
    if let Some(square) = square.filter(|_| kind != PieceKind::King) {
        setup.board[square].get_or_insert(Piece::new(color, kind));
    }
}
