//! One game between two searchers.

use komadai::core::{Analysis, Budget, Color, Position};
use komadai::movegen::{MoveGen, Repetition};
use komadai::search::Searcher;

/// From this many centipawns on, for [`RESIGN_PLIES`] plies without a gap, a game is taken for won.
const RESIGN_CP: i32 = 3_000;
/// Both sides have to agree twice.
const RESIGN_PLIES: u32 = 4;
/// A game that is not over after this many moves is drawn.
const MAX_PLIES: u32 = 320;

/// Plays on from `position` with `nodes` per move; `seen` hears each position with its analysis.
/// Answers who wins, `None` for a draw.
pub(crate) fn play(
    players: [&mut dyn Searcher; 2],
    mut position: Position,
    nodes: u64,
    seen: &mut dyn FnMut(&Position, &Analysis),
) -> Option<Color> {
    let [black, white] = players;
    black.new_game();
    white.new_game();
    let budget = Budget::nodes(nodes);
    // How many plies Black (positive) or White (negative) has been far ahead.
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
            // No legal move, unless the side to move can declare to have won.
            let declares = analysis.score().is_some_and(|score| score.raw() > 0);
            return Some(if declares { side } else { !side });
        };
        seen(&position, &analysis);
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
