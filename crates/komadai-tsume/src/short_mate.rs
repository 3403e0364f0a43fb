//! Mates of very few plies, by plain search without a table.
//!
//! A quiescence search or the labelling of training data asks for a mate in 1, 3 or 5 plies at
//! every position, which is cheaper than a solver with a table.

use komadai_core::{Move, Position};
use komadai_movegen::mate::mate_in_one;
use komadai_movegen::{MoveGen, MoveList, generate_checks};

/// Returns the first move of a mate by the side to move within `plies` plies, if there is one.
///
/// The result is exact: all checks and all replies are tried. An even number of plies is rounded
/// down, and the moves that the function does are undone. The first move belongs to a mate that is
/// as short as the result of [`shortest_plies`] says.
///
/// Time: about the number of checks times the number of replies, to the power of half the plies.
/// Larger questions than 5 plies are for [`DfPn`](crate::DfPn).
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_tsume::short_mate;
///
/// let mut position = Position::from_sfen("8k/9/5Gn+P1/9/9/9/9/9/9 b Lnp 1")?;
/// assert_eq!(short_mate::first_move(&mut position, 1), None);
/// assert!(short_mate::first_move(&mut position, 3).is_some());
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
pub fn first_move(position: &mut Position, plies: u32) -> Option<Move> {
    lengths(plies).find_map(|plies| mate_in_exactly(position, plies))
}

/// Returns the length of the shortest mate by the side to move within `plies` plies, if there is
/// one.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_tsume::short_mate;
///
/// let mut position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1")?;
/// assert_eq!(short_mate::shortest_plies(&mut position, 5), Some(1));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
pub fn shortest_plies(position: &mut Position, plies: u32) -> Option<u32> {
    lengths(plies).find(|&plies| mate_in_exactly(position, plies).is_some())
}

/// Returns true if the side to move mates within `plies` plies: see [`first_move`].
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_tsume::short_mate::is_mate_in;
///
/// let position = Position::from_sfen("8k/9/5Gn+P1/9/9/9/9/9/9 b Lnp 1")?;
/// assert!(!is_mate_in(&position, 1) && is_mate_in(&position, 3));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
pub fn is_mate_in(position: &Position, plies: u32) -> bool {
    match plies {
        0 => false,
        1 | 2 => mate_in_one(position).is_some(),
        _ => first_move(&mut position.without_history(), plies).is_some(),
    }
}

/// The odd numbers up to `plies`.
fn lengths(plies: u32) -> impl Iterator<Item = u32> {
    (1..=plies).step_by(2)
}

/// Returns the first move of a mate within `plies` plies, an odd number. The caller has excluded
/// shorter mates at this position, though not at the later ones.
fn mate_in_exactly(position: &mut Position, plies: u32) -> Option<Move> {
    if plies <= 1 {
        return mate_in_one(position);
    }
    let mut checks = MoveList::new();
    generate_checks(position, &mut checks);
    checks.into_iter().find(|&m| {
        position.do_move(m);
        let mated = is_mated_within(position, plies - 2);
        position.undo_move();
        mated
    })
}

/// Returns true if the side to move, in check, is mated within `plies` plies after each reply.
fn is_mated_within(position: &mut Position, plies: u32) -> bool {
    position.legal_moves().into_iter().all(|reply| {
        position.do_move(reply);
        let mates = first_move(position, plies).is_some();
        position.undo_move();
        mates
    })
}

#[cfg(test)]
mod tests {
    use komadai_core::SplitMix64;

    use super::*;
    use crate::tests::oracle::shortest_mate;
    use crate::tests::random_positions::random_composition;

    #[test]
    fn the_lengths_are_those_of_the_oracle() {
        let mut by_length = [0; 6];
        for seed in 0..2_000 {
            let Some(position) = random_composition(&mut SplitMix64::new(seed)) else { continue };
            let mut moving = position.clone();
            let expected = shortest_mate(&mut moving.clone(), 5).map(|plies| plies as u32);
            assert_eq!(shortest_plies(&mut moving, 5), expected, "{position}");
            for plies in 0..=5 {
                let within = expected.is_some_and(|mate| mate <= plies);
                assert_eq!(is_mate_in(&position, plies), within, "{position} {plies}");
                assert_eq!(first_move(&mut moving, plies).is_some(), within, "{position} {plies}");
            }
            assert_eq!(moving.key(), position.key(), "all moves are undone");
            by_length[expected.unwrap_or(0) as usize] += 1;
        }
        assert!(by_length[1] > 20 && by_length[3] > 20 && by_length[5] > 5, "{by_length:?}");
    }
}
