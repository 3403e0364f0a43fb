//! Sizes of the weight tables, shared by the list of weights and the code that reads them.

/// States of a square near a king: 3 · own + enemy attackers, each counted to two, without the
/// state of no attackers.
pub(crate) const STATES: usize = 8;

/// Sets of pieces that the opponent holds for drops into holes: a gold, a silver, any other piece
/// but a pawn.
pub(crate) const HELD: usize = 8;

/// Distances in files within the window around a king: its own file and three to the side. Both
/// sides share their weights.
pub(crate) const WINDOW_FILES: usize = 4;

/// Ranks of the window around a king, from three ranks ahead to two behind.
pub(crate) const WINDOW_RANKS: usize = 6;

/// Files of a square relative to a king, from four towards the nearer edge to eight towards the
/// middle.
pub(crate) const RELATION_FILES: usize = 13;

/// Ranks of a square relative to a king, from eight ahead to eight behind.
pub(crate) const RELATION_RANKS: usize = 17;
