//! Help for composers: pieces that a problem does not need, and pieces that remove a cook.

use komadai_core::{Color, Move, Piece, PieceKind, Position, Square};
use komadai_movegen::MoveGen as _;

use crate::composition::MAX_LENGTH;
use crate::diagram::{Place, places, with_piece, without};
use crate::judge::{Flaw, Judge, Sieve, flawed_moves};
use crate::problem::Problem;

/// A piece of a problem, and what the position is without it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removal {
    /// The place of the piece.
    pub place: Place,
    /// The judgement without the piece.
    pub without: Result<Problem, Flaw>,
}

impl Removal {
    /// Returns true if the problem of `plies` plies keeps its length and its one solution without
    /// the piece.
    pub fn is_needless(&self, plies: u32) -> bool {
        self.without.as_ref().is_ok_and(|problem| problem.plies() == plies)
    }
}

/// A piece that makes a problem of a position with a flaw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// The square of the new piece.
    pub square: Square,
    /// The new piece.
    pub piece: Piece,
    /// The problem with the piece.
    pub problem: Problem,
}

/// A helper of composers.
///
/// # Examples
///
/// ```
/// use komadai_problems::{Flaw, Mender};
/// use komadai_core::Position;
///
/// let mut mender = Mender::new(100_000);
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b GL2r2b3g4s4n3l17p 1")?;
/// assert_eq!(mender.judge(&position).err(), Some(Flaw::Leftover));
/// let removals = mender.removals(&position);
/// let places: Vec<_> = removals.iter().map(|removal| removal.place.to_string()).collect();
/// assert_eq!(places, ["L*", "G*", "5c"]);
/// assert!(removals[0].without.is_ok(), "the lance is not needed");
/// assert_eq!(removals[1].without, Err(Flaw::NoMate));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug)]
pub struct Mender {
    judge: Judge,
    sieve: Sieve,
}

impl Mender {
    /// Creates a helper that spends at most this many nodes on each judgement.
    pub fn new(nodes: u64) -> Self {
        /// Nodes for each ply of a search for a mate.
        const STEP_NODES: u64 = 2_000;
        let mut judge = Judge::new(nodes);
        judge.plies = 1..=MAX_LENGTH;
        let mut of_sieve = Judge::new(nodes);
        of_sieve.plies = 1..=MAX_LENGTH;
        Self { judge, sieve: Sieve::new(STEP_NODES, nodes / 10, of_sieve) }
    }

    /// Judges the position, of any length.
    ///
    /// # Errors
    ///
    /// The first [`Flaw`].
    pub fn judge(&mut self, position: &Position) -> Result<Problem, Flaw> {
        self.judge.examine(position)
    }

    /// Returns each piece but the defender's king and hand, with the judgement of the position
    /// without it. The pieces that are taken out go to the defender's hand.
    pub fn removals(&mut self, position: &Position) -> Vec<Removal> {
        let mut removals = Vec::new();
        for place in places(position) {
            if let Some(reduced) = without(position, &[place]) {
                removals.push(Removal { place, without: self.judge.examine(&reduced) });
            }
        }
        removals
    }

    /// Returns the pieces of either side from the defender's hand that make a problem with one
    /// solution of a position whose first flaw is a cook: those that keep the length first. A
    /// repair may change the solution. A piece after which both moves at the first cook still mate
    /// is passed over. Squares that are more than `distance` files or ranks from the defender's
    /// king are not tried.
    ///
    /// # Errors
    ///
    /// The flaw if it is no cook; without a flaw there is no repair.
    pub fn repairs(&mut self, position: &Position, distance: u32) -> Result<Vec<Repair>, Flaw> {
        match self.judge.examine(position) {
            Ok(_) => return Ok(Vec::new()),
            Err(Flaw::Cook { .. }) => {}
            Err(flaw) => return Err(flaw),
        }
        let report = self.judge.report(position)?;
        let plies = report.line.len() as u32;
        let cook = flawed_moves(&report).min_by_key(|cook| cook.ply);
        let cook = cook.and_then(|cook| {
            let (before, rest) = report.line.split_at(cook.ply as usize - 1);
            Some((before, [*rest.first()?, *cook.moves.first()?]))
        });
        let mut repairs = Vec::new();
        for (square, piece) in additions(position, distance) {
            let Some(with) = with_piece(position, piece, square) else { continue };
            // Most pieces leave the first cook as it is, which is faster to see than to judge.
            if cook.is_some_and(|(before, moves)| self.both_mate(&with, before, moves)) {
                continue;
            }
            if let Ok(problem) = self.sieve.judge(&with) {
                repairs.push(Repair { square, piece, problem });
            }
        }
        self.sieve.forget();
        repairs.sort_by_key(|repair| repair.problem.plies().abs_diff(plies));
        Ok(repairs)
    }

    /// Returns true if the attacker mates by either move after the others, as far as short searches
    /// see.
    fn both_mate(&mut self, position: &Position, before: &[Move], moves: [Move; 2]) -> bool {
        let mut position = position.clone();
        for &m in before {
            if !position.is_legal(m) {
                return false;
            }
            position.do_move(m);
        }
        moves.into_iter().all(|m| {
            position.is_legal(m)
                && position.after(m).in_check()
                && !self.sieve.is_refuted(&position, m)
        })
    }
}

/// Returns the empty squares near the defender's king, each with every piece of the defender's hand
/// in either color and promoted or not.
fn additions(position: &Position, distance: u32) -> Vec<(Square, Piece)> {
    let hand = position.hand(Color::White);
    let king = position.king_square(Color::White);
    let is_near = |&square: &Square| {
        king.is_some_and(|king| u32::from(square.distance(king)) <= distance)
            && position.piece_on(square).is_none()
    };
    let kinds = PieceKind::ALL.into_iter().filter(|kind| *kind != PieceKind::King);
    let pieces: Vec<Piece> = kinds
        .filter(|kind| hand.has(kind.unpromoted()))
        .flat_map(|kind| [Color::White, Color::Black].map(|color| Piece::new(color, kind)))
        .collect();
    let squares = Square::ALL.into_iter().filter(is_near);
    squares.flat_map(|square| pieces.iter().map(move |&piece| (square, piece))).collect()
}
