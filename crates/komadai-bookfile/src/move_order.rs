//! A total order of moves, for ties.

use komadai_core::Move;

/// A key that sorts moves like their USI texts, so that results do not depend on an order of
/// insertion.
pub fn usi_order(m: Move) -> [u8; 5] {
    let square = |square: komadai_core::Square| {
        [b'1' + square.file().index() as u8, b'a' + square.rank().index() as u8]
    };
    let [to_file, to_rank] = square(m.to());
    let sign = if m.is_promotion() { b'+' } else { 0 };
    let [first, second] = match (m.from(), m.dropped()) {
        (Some(from), _) => square(from),
        (None, dropped) => [dropped.map_or(0, |kind| kind.to_sfen().as_bytes()[0]), b'*'],
    };
    [first, second, to_file, to_rank, sign]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_sorts_like_the_text() {
        let moves: Vec<Move> = (0..=u16::MAX).step_by(7).filter_map(Move::from_bits).collect();
        for pair in moves.windows(2) {
            let texts = (pair[0].to_string(), pair[1].to_string());
            let by_text = texts.0.cmp(&texts.1);
            assert_eq!(usi_order(pair[0]).cmp(&usi_order(pair[1])), by_text, "{texts:?}");
        }
    }
}
