//! The sums of the last position for each class of squares of a king.
//!
//! Named after R. Finny, who used such a table in Koivisto; called so in programs for chess.

use komadai_core::{Color, Hand, Piece, PieceKind, Position, Square};

use crate::aligned::Aligned;
use crate::bona_piece::Term;
use crate::features::{Attackers, Features, king_square};
use crate::kernels::Accumulate;
use crate::network::Network;
use crate::row_lists::RowLists;

/// `[view][class]`: the sums of a position, with the position.
#[derive(Debug, Clone, Default)]
pub(crate) struct KingCache {
    /// Empty until the first use.
    snapshots: Vec<Snapshot>,
    /// `[view][class][output]`.
    sums: Aligned<i16>,
}

/// The pieces whose features a sum contains.
#[derive(Debug, Clone, Copy)]
struct Snapshot {
    board: [Option<Piece>; Square::COUNT],
    /// Zero in a set of features that does not count them.
    attackers: [Attackers; Square::COUNT],
    hands: [Hand; 2],
    /// The number of features for pieces that are not in the game.
    missing: i32,
    /// False if the sums are not even the biases.
    is_begun: bool,
}

impl Snapshot {
    const EMPTY: Self = Self {
        board: [None; Square::COUNT],
        attackers: [Attackers::NONE; Square::COUNT],
        hands: [Hand::EMPTY; 2],
        missing: 0,
        is_begun: false,
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
        let width = to.len();
        if self.snapshots.is_empty() {
            self.snapshots = vec![Snapshot::EMPTY; 2 * Square::COUNT];
            self.sums = Aligned::zeroed(2 * Square::COUNT * width);
        }
        let king = king_square(position, color);
        let set = network.architecture().features();
        let index = color.index() * Square::COUNT + set.king_class(color, king);
        let (snapshot, sums) =
            (&mut self.snapshots[index], &mut self.sums[index * width..][..width]);
        if !snapshot.is_begun {
            sums.copy_from_slice(network.biases());
            snapshot.is_begun = true;
        }
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
        let mut add = |term: Term, attackers: Attackers, times: i32| {
            let indices = [features.attacked_index(term, attackers), features.second_index(term)];
            for index in indices.into_iter().flatten() {
                rows.add(index * width, times);
            }
        };
        let mut pieces = 0;
        let attackers = if features.count_attackers() {
            Attackers::of(position)
        } else {
            [Attackers::NONE; Square::COUNT]
        };
        for square in Square::ALL {
            let old = self.attackers[square];
            let new = attackers[square];
            let before = self.board[square];
            let after = position.piece_on(square);
            pieces += i32::from(after.is_some_and(|piece| piece.kind() != PieceKind::King));
            if before != after || old != new {
                before.into_iter().for_each(|piece| add(Term::Board(piece, square), old, -1));
                after.into_iter().for_each(|piece| add(Term::Board(piece, square), new, 1));
                self.board[square] = after;
            }
        }
        for color in Color::ALL {
            let before = self.hands[color];
            let after = position.hand(color);
            pieces += after.len() as i32;
            for kind in PieceKind::HAND {
                let before = before.count(kind);
                let after = after.count(kind);
                let mut add = |count, times| {
                    add(Term::Hand(color, kind, count), Attackers::NONE, times);
                };
                (before + 1..=after).for_each(|count| add(count, 1));
                (after + 1..=before).for_each(|count| add(count, -1));
            }
            self.hands[color] = after;
        }
        self.attackers = attackers;
        // Every piece but the kings is one of 38.
        let missing = if architecture.has_missing_pieces() { 38 - pieces } else { 0 };
        rows.add(features.missing() * width, missing - self.missing);
        self.missing = missing;
    }
}
