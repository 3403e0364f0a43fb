//! The words that tell pieces of the same kind apart: where a piece comes from, as its owner sees
//! it.

use komadai_core::{Color, Square};

/// Keeps the origins that the letters describe: `U` forwards, `M` sideways, `D` backwards, `C`
/// straight forwards, `L` from the left, `R` from the right. Other letters make no difference.
pub(crate) fn narrow(candidates: &mut Vec<Square>, letters: &str, us: Color, to: Square) {
    let ahead =
        |from: Square| from.rank().from_far_side(us) as i32 - to.rank().from_far_side(us) as i32;
    // Files to the left of the owner count as larger.
    let left = |square: Square| match us {
        Color::Black => square.file().index() as i32,
        Color::White => -(square.file().index() as i32),
    };
    candidates.retain(|&from| {
        letters.chars().all(|letter| match letter {
            'U' => ahead(from) > 0,
            'M' => ahead(from) == 0,
            'D' => ahead(from) < 0,
            'C' => from.file() == to.file() && ahead(from) > 0,
            _ => true,
        })
    });
    let outermost = if letters.contains('L') {
        candidates.iter().copied().max_by_key(|&from| left(from))
    } else if letters.contains('R') {
        candidates.iter().copied().min_by_key(|&from| left(from))
    } else {
        None
    };
    if let Some(outermost) = outermost {
        candidates.retain(|from| from.file() == outermost.file());
    }
}
