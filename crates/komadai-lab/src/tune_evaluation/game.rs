//! One game between two searchers.

use komadai::core::Analysis;
use komadai::movegen::Repetition;
use komadai::prelude::*;

/// Score in centipawns: a game counts as won if one side is ahead by this much for [`RESIGN_PLIES`]
/// plies in a row.
const RESIGN_CP: i32 = 3_000;
/// Number of plies for [`RESIGN_CP`]: both sides have to agree twice.
const RESIGN_PLIES: u32 = 4;
/// Number of moves after which a game is a draw.
const MAX_PLIES: u32 = 320;

/// Plays a game from `position` with `nodes` per move and calls `on_analysis` with each position
/// and its analysis. Returns the winner, or `None` for a draw.
pub(crate) fn play(
    players: [&mut dyn Searcher; 2],
    mut position: Position,
    nodes: u64,
    on_analysis: &mut dyn FnMut(&Position, &Analysis),
) -> Option<Color> {
    let [black, white] = players;
    black.new_game();
    white.new_game();
    let budget = Budget::nodes(nodes);
    // Number of plies in a row for which Black (positive) or White (negative) has been far ahead.
    let mut ahead = 0i32;
    while position.ply() < MAX_PLIES {
        let side = position.side();
        match position.repetition() {
            Repetition::None => {}
            Repetition::Win => return Some(side),
            Repetition::Lose => return Some(!side),
            _ => return None,
        }
        let player: &mut dyn Searcher = match side {
            Color::Black => &mut *black,
            Color::White => &mut *white,
        };
        let analysis = player.search(&position, &budget, &mut |_| {});
        let Some(m) = analysis.best_move() else {
            // No best move: checkmate, or the side to move can declare a win (入玉宣言).
            let declares = analysis.score().is_some_and(|score| score.raw() > 0);
            return Some(if declares { side } else { !side });
        };
        on_analysis(&position, &analysis);
        let score = analysis.score().map_or(0, |score| score.raw());
        let black_score = if side == Color::Black { score } else { -score };
        ahead = match black_score {
            RESIGN_CP.. => ahead.max(0) + 1,
            _ if black_score <= -RESIGN_CP => ahead.min(0) - 1,
            _ => 0,
        };
        if ahead.unsigned_abs() >= RESIGN_PLIES {
            return Some(if ahead > 0 { Color::Black } else { Color::White });
        }
        position.do_move(m);
    }
    None
}
