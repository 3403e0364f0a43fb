//! The sums of the last position for each class of squares of a king.
//!
//! Named after R. Finny, who used such a table in Koivisto; called so in programs for chess.

use komadai_core::{Bitboard, Color, Hand, Piece, PieceKind, Position, Square};

use crate::aligned::Aligned;
use crate::bona_piece::Term;
use crate::features::{Attackers, Features, king_square};
use crate::kernels::Accumulate;
use crate::network::Network;
use crate::row_lists::RowLists;

/// `[view][class]`: the sums of a position, with the position.
///
/// A search meets few classes, so that each takes memory at its first use: a short search asks the
/// system for no pages that it does not touch.
#[derive(Debug, Clone)]
pub(crate) struct KingCache {
    entries: Box<[Option<Box<Entry>>; 2 * Square::COUNT]>,
}

#[derive(Debug, Clone)]
struct Entry {
    snapshot: Snapshot,
    sums: Aligned<i16>,
}

impl Default for KingCache {
    fn default() -> Self {
        Self { entries: Box::new([const { None }; 2 * Square::COUNT]) }
    }
}

/// The pieces whose features a sum contains.
#[derive(Debug, Clone, Copy)]
struct Snapshot {
    board: [Option<Piece>; Square::COUNT],
    /// The squares of Black's pieces, and those of each kind: by them changes are found.
    black: Bitboard,
    kinds: [Bitboard; PieceKind::COUNT],
    /// Zero in a set of features that does not count them.
    attackers: [Attackers; Square::COUNT],
    hands: [Hand; 2],
    /// The number of features for pieces that are not in the game.
    missing: i32,
}

impl Snapshot {
    const EMPTY: Self = Self {
        board: [None; Square::COUNT],
        black: Bitboard::EMPTY,
        kinds: [Bitboard::EMPTY; PieceKind::COUNT],
        attackers: [Attackers::NONE; Square::COUNT],
        hands: [Hand::EMPTY; 2],
        missing: 0,
    };
}

impl KingCache {
    /// Computes the sums of a view from the biases, for a position that is evaluated once.
    pub(crate) fn compute(
        network: &Network,
        position: &Position,
        color: Color,
        to: &mut [i16],
        rows: &mut RowLists,
    ) {
        let king = king_square(position, color);
        let features = Features::new(network.architecture().features(), color, king);
        rows.clear();
        let mut nothing = Snapshot::EMPTY;
        nothing.advance(network, position, &features, rows);
        let (from, weights, rows) = (network.biases(), network.weights(), rows.rows());
        network.chosen().run(Accumulate { to, from, weights, rows });
    }

    /// Computes the sums of a view: from the position in the cache, which is then replaced.
    pub(crate) fn refresh(
        &mut self,
        network: &Network,
        position: &Position,
        color: Color,
        to: &mut [i16],
        rows: &mut RowLists,
    ) {
        let king = king_square(position, color);
        let set = network.architecture().features();
        let index = color.index() * Square::COUNT + set.king_class(color, king);
        let Entry { snapshot, sums } = &mut **self.entries[index].get_or_insert_with(|| {
            let sums = Aligned::from_slice(network.biases());
            Box::new(Entry { snapshot: Snapshot::EMPTY, sums })
        });
        let features = Features::new(set, color, king);
        rows.clear();
        snapshot.advance(network, position, &features, rows);
        let (weights, rows) = (network.weights(), rows.rows());
        network.chosen().run(Accumulate { to, from: sums, weights, rows });
        sums.copy_from_slice(to);
    }
}

impl Snapshot {
    /// Collects the features that distinguish a position from this one, and becomes it.
    fn advance(
        &mut self,
        network: &Network,
        position: &Position,
        features: &Features,
        rows: &mut RowLists,
    ) {
        let architecture = network.architecture();
        let width = architecture.stored_width();
        let mut add = |term: Term, attackers: Attackers, is_added: bool| {
            let indices = [features.attacked_index(term, attackers), features.second_index(term)];
            for index in indices.into_iter().flatten() {
                rows.add(index * width, is_added);
            }
        };
        let mut changed = self.black ^ position.color(Color::Black);
        self.black = position.color(Color::Black);
        for kind in PieceKind::ALL {
            changed |= self.kinds[kind] ^ position.kind(kind);
            self.kinds[kind] = position.kind(kind);
        }
        let attackers = features.count_attackers().then(|| Attackers::of(position));
        if let Some(attackers) = &attackers {
            let differ = |square: &Square| self.attackers[*square] != attackers[*square];
            changed |= Square::ALL.into_iter().filter(differ).collect();
        }
        for square in changed {
            let (before, after) = (self.board[square], position.piece_on(square));
            if let Some(piece) = before {
                add(Term::Board(piece, square), self.attackers[square], false);
            }
            if let Some(attackers) = &attackers {
                self.attackers[square] = attackers[square];
            }
            if let Some(piece) = after {
                add(Term::Board(piece, square), self.attackers[square], true);
            }
            self.board[square] = after;
        }
        let on_board = position.occupied().len() - position.kind(PieceKind::King).len();
        let mut pieces = on_board as i32;
        for color in Color::ALL {
            let before = self.hands[color];
            let after = position.hand(color);
            pieces += after.len() as i32;
            for kind in PieceKind::HAND {
                let before = before.count(kind);
                let after = after.count(kind);
                for count in before.min(after) + 1..=before.max(after) {
                    add(Term::Hand(color, kind, count), Attackers::NONE, after > before);
                }
            }
            self.hands[color] = after;
        }
        // Every piece but the kings is one of 38.
        let missing = if architecture.has_missing_pieces() { 38 - pieces } else { 0 };
        for _ in 0..missing.abs_diff(self.missing) {
            rows.add(features.missing() * width, missing > self.missing);
        }
        self.missing = missing;
    }
}
