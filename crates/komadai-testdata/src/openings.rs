//! Balanced openings for matches between engines.

/// An opening position and the moves that lead to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Opening {
    /// The position.
    pub sfen: &'static str,
    /// The moves from the start position in USI notation, separated by single spaces.
    pub moves: &'static str,
    /// The number of moves, 16 to 30.
    pub plies: u32,
    /// The value by the engine that made the opening: centipawns, positive is good for the side to
    /// move, from −100 to 100.
    pub score_cp: i32,
}

static POSITIONS: &str = include_str!("../data/openings/openings.txt");
static MOVES: &str = include_str!("../data/openings/openings_moves.txt");

/// 200 distinct openings; a fair match plays each with both colours.
///
/// # Examples
///
/// ```
/// use komadai_testdata::openings;
///
/// assert!(openings::rows().all(|opening| opening.score_cp.abs() <= 100));
/// ```
pub fn rows() -> impl Iterator<Item = Opening> {
    POSITIONS
        .lines()
        .zip(MOVES.lines())
        .zip(1..)
        .map(|((position, moves), line)| opening(position, moves).unwrap_or_else(|| reject(line)))
}

/// The positions of [`rows`] as SFEN.
pub fn sfens() -> impl Iterator<Item = &'static str> {
    rows().map(|opening| opening.sfen)
}

/// The moves of [`rows`], as after `position startpos moves` in USI.
pub fn move_lists() -> impl Iterator<Item = &'static str> {
    rows().map(|opening| opening.moves)
}

/// Reads `sfen …  # cp=C plies=P` and `startpos moves …`.
fn opening(position: &'static str, moves: &'static str) -> Option<Opening> {
    let (sfen, remark) = position.strip_prefix("sfen ")?.split_once("  # ")?;
    let (score, plies) = remark.strip_prefix("cp=")?.split_once(" plies=")?;
    Some(Opening {
        sfen,
        moves: moves.strip_prefix("startpos moves ")?,
        plies: plies.parse().ok()?,
        score_cp: score.parse().ok()?,
    })
}

fn reject(line: usize) -> ! {
    panic!("openings/openings.txt or openings_moves.txt:{line}: malformed line")
}
