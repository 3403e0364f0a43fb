//! The trait of additional knowledge about the order of moves.

use komadai_core::{Move, Position};

/// Additional knowledge about the order of moves, such as a predictor of moves that was learned
/// from games.
///
/// [`AlphaBeta::set_move_order`](crate::AlphaBeta::set_move_order) hands it to a search. It changes
/// the order only, but pruning and reductions depend on the order: a move that is ordered late is
/// searched less deep. All methods return 0 by default, which changes nothing.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
///
/// use komadai_core::{Budget, Move, PieceKind, Position};
/// use komadai_eval::Material;
/// use komadai_search::{AlphaBeta, MoveOrder, SearchOptions, Searcher};
///
/// /// Prefers to move the rook: the ranging rook (振り飛車) or the static one.
/// struct RookFirst;
///
/// impl MoveOrder for RookFirst {
///     fn root(&self, position: &Position, m: Move) -> i32 {
///         let piece = m.from().and_then(|from| position.piece_on(from));
///         i32::from(piece.is_some_and(|piece| piece.kind() == PieceKind::Rook))
///     }
/// }
///
/// let mut searcher = AlphaBeta::new(Material, SearchOptions::default());
/// searcher.set_move_order(Some(Arc::new(RookFirst)));
/// // All moves have the same material value after one ply: the first one stays.
/// let budget = Budget::depth(1);
/// let analysis = searcher.search(&Position::hirate(), &budget, &mut |_| {});
/// let best = analysis.best_move().expect("there are legal moves");
/// assert_eq!(best.from(), Some("2h".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait MoveOrder: Send + Sync {
    /// Returns the score of a root move, the highest first. It decides the order of the first
    /// iteration, and later the order of moves without a result of their own.
    fn root(&self, position: &Position, m: Move) -> i32 {
        let _ = (position, m);
        0
    }

    /// Returns what is added to the ordering score of a quiet move, which captures
    /// nothing.
    ///
    /// The scale is that of the history tables: the sum of all of them is seldom beyond ±30,000. A
    /// large negative sum places a move behind the captures that lose material. Called for every
    /// quiet move of every node that comes to its quiet moves, so it should take less than a
    /// microsecond.
    fn quiet(&self, position: &Position, m: Move) -> i32 {
        let _ = (position, m);
        0
    }
}
