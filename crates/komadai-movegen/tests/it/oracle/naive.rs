//! The rules of shogi, written to be read: a board of squares, rays walked step by step, and moves
//! tried one by one. Shares nothing with the crates but the names of squares, pieces and moves.

use std::collections::BTreeSet;

use komadai_core::{Color, Move, PieceKind, Position, Square};

/// A board, the hands, the side to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Naive {
    board: [Option<(Color, PieceKind)>; 81],
    hands: [[u32; 7]; 2],
    side: Color,
}

impl Naive {
    pub(crate) fn new(position: &Position) -> Self {
        let setup = position.to_setup();
        let hand = |color: Color| PieceKind::HAND.map(|kind| setup.hands[color].count(kind));
        Self {
            board: setup.board.map(|piece| piece.map(|piece| (piece.color(), piece.kind()))),
            hands: Color::ALL.map(hand),
            side: setup.side,
        }
    }

    pub(crate) fn side(&self) -> Color {
        self.side
    }

    pub(crate) fn piece_on(&self, square: Square) -> Option<(Color, PieceKind)> {
        self.board[square.index()]
    }

    /// The squares on which `color` has pieces.
    pub(crate) fn squares_of(&self, color: Color) -> impl Iterator<Item = Square> + '_ {
        Square::ALL.into_iter().filter(move |&s| self.piece_on(s).is_some_and(|p| p.0 == color))
    }

    /// Every legal move.
    pub(crate) fn legal_moves(&self) -> BTreeSet<Move> {
        self.candidates().into_iter().filter(|&m| self.is_legal_candidate(m)).collect()
    }

    /// All moves of the pieces, including those that leave the king in check and pawn-drop mates.
    fn candidates(&self) -> Vec<Move> {
        let mut candidates = Vec::new();
        for from in self.squares_of(self.side) {
            let (_, kind) = self.board[from.index()].unwrap();
            for to in self.reach(from) {
                if self.piece_on(to).is_some_and(|(color, _)| color == self.side) {
                    continue;
                }
                if !is_stuck(self.side, kind, to) {
                    candidates.push(Move::new(from, to));
                }
                if may_promote(self.side, kind, from, to) {
                    candidates.push(Move::promotion(from, to));
                }
            }
        }
        for kind in PieceKind::HAND {
            if self.hands[self.side.index()][kind.index()] == 0 {
                continue;
            }
            for to in Square::ALL {
                let second_pawn = kind == PieceKind::Pawn && self.has_pawn_on_file_of(to);
                if self.piece_on(to).is_none() && !is_stuck(self.side, kind, to) && !second_pawn {
                    candidates.push(Move::drop(kind, to));
                }
            }
        }
        candidates
    }

    fn is_legal_candidate(&self, m: Move) -> bool {
        let after = self.after(m);
        if after.is_attacked_king(self.side) {
            return false;
        }
        // A pawn drop must not be checkmate.
        m.dropped() != Some(PieceKind::Pawn)
            || !after.is_attacked_king(after.side)
            || !after.legal_moves().is_empty()
    }

    fn has_pawn_on_file_of(&self, square: Square) -> bool {
        Square::ALL.into_iter().any(|other| {
            other.file() == square.file()
                && self.piece_on(other) == Some((self.side, PieceKind::Pawn))
        })
    }

    /// Returns whether `color` has a king and the opponent attacks it.
    pub(crate) fn is_attacked_king(&self, color: Color) -> bool {
        self.king(color).is_some_and(|king| self.attackers(!color, king).next().is_some())
    }

    pub(crate) fn king(&self, color: Color) -> Option<Square> {
        Square::ALL.into_iter().find(|&s| self.piece_on(s) == Some((color, PieceKind::King)))
    }

    /// The squares of the pieces of `color` that attack `target`.
    pub(crate) fn attackers(
        &self,
        color: Color,
        target: Square,
    ) -> impl Iterator<Item = Square> + '_ {
        self.squares_of(color).filter(move |&from| self.reach(from).contains(&target))
    }

    /// The squares the piece on `from` reaches, up to and including the first piece in its way.
    fn reach(&self, from: Square) -> Vec<Square> {
        let (color, kind) = self.piece_on(from).unwrap();
        let mut reached = Vec::new();
        for (files, ranks, slides) in directions(kind) {
            let ranks = if color == Color::Black { ranks } else { -ranks };
            let mut at = from;
            while let Some(next) = walk(at, files, ranks) {
                reached.push(next);
                if !slides || self.piece_on(next).is_some() {
                    break;
                }
                at = next;
            }
        }
        reached
    }

    /// The board after a move, without a test of its legality.
    pub(crate) fn after(&self, m: Move) -> Self {
        let mut next = self.clone();
        let to = m.to();
        if let Some((_, taken)) = self.piece_on(to)
            && taken != PieceKind::King
        {
            next.hands[self.side.index()][taken.unpromoted().index()] += 1;
        }
        let placed = match m.from() {
            Some(from) => next.board[from.index()].take().unwrap().1,
            None => {
                let kind = m.dropped().unwrap();
                next.hands[self.side.index()][kind.index()] -= 1;
                kind
            }
        };
        let placed = if m.is_promotion() { placed.promoted().unwrap() } else { placed };
        next.board[to.index()] = Some((self.side, placed));
        next.side = !self.side;
        next
    }

    /// The board without the piece on `square`.
    pub(crate) fn without(&self, square: Square) -> Self {
        let mut next = self.clone();
        next.board[square.index()] = None;
        next
    }
}

/// Returns whether a piece that moves from `from` to `to` may promote.
pub(crate) fn may_promote(color: Color, kind: PieceKind, from: Square, to: Square) -> bool {
    kind.promoted().is_some() && (far_rank(color, from) <= 3 || far_rank(color, to) <= 3)
}

/// The rank as `color` counts it from the far side, 1 to 9.
pub(crate) fn far_rank(color: Color, square: Square) -> usize {
    let rank = square.index() % 9 + 1;
    if color == Color::Black { rank } else { 10 - rank }
}

/// Returns whether a piece on that square could never move again.
fn is_stuck(color: Color, kind: PieceKind, square: Square) -> bool {
    match kind {
        PieceKind::Pawn | PieceKind::Lance => far_rank(color, square) == 1,
        PieceKind::Knight => far_rank(color, square) <= 2,
        _ => false,
    }
}

/// The square at this distance in files to the left and ranks down, if it is on the board.
pub(crate) fn walk(square: Square, files: i32, ranks: i32) -> Option<Square> {
    let file = (square.index() / 9) as i32 + files;
    let rank = (square.index() % 9) as i32 + ranks;
    let on_board = (0..9).contains(&file) && (0..9).contains(&rank);
    on_board.then(|| Square::ALL[(file * 9 + rank) as usize])
}

/// The moves of each kind for Black: files to the left, ranks down, and whether the piece slides.
fn directions(kind: PieceKind) -> Vec<(i32, i32, bool)> {
    const STRAIGHT: [(i32, i32); 4] = [(0, -1), (0, 1), (1, 0), (-1, 0)];
    const DIAGONAL: [(i32, i32); 4] = [(1, -1), (-1, -1), (1, 1), (-1, 1)];
    let steps = |steps: &[(i32, i32)], slides| -> Vec<_> {
        steps.iter().map(|&(files, ranks)| (files, ranks, slides)).collect()
    };
    match kind {
        PieceKind::Pawn => steps(&[(0, -1)], false),
        PieceKind::Lance => steps(&[(0, -1)], true),
        PieceKind::Knight => steps(&[(1, -2), (-1, -2)], false),
        PieceKind::Silver => steps(&[(0, -1), (1, -1), (-1, -1), (1, 1), (-1, 1)], false),
        PieceKind::Gold
        | PieceKind::ProPawn
        | PieceKind::ProLance
        | PieceKind::ProKnight
        | PieceKind::ProSilver => {
            steps(&[(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1)], false)
        }
        PieceKind::King => [steps(&STRAIGHT, false), steps(&DIAGONAL, false)].concat(),
        PieceKind::Bishop => steps(&DIAGONAL, true),
        PieceKind::Rook => steps(&STRAIGHT, true),
        PieceKind::Horse => [steps(&DIAGONAL, true), steps(&STRAIGHT, false)].concat(),
        PieceKind::Dragon => [steps(&STRAIGHT, true), steps(&DIAGONAL, false)].concat(),
    }
}
