//! The rules by which a search leaves out or shortens work, as plain functions of plain numbers.
//!
//! Each takes what a node knows and returns a decision; none looks at a position or at a table. All
//! but [`mate_distance`] can be wrong: they save more depth elsewhere than they lose here. Margins
//! are centipawns.
//!
//! # References
//!
//! - Null move: C. Donninger, "Null move and deep search", ICCA Journal 16(3), 1993.
//! - Futility: E. Heinz, "Extended futility pruning", ICCA Journal 21(2), 1998; the reverse at the
//!   opponent's node is also known as static null move pruning.
//! - Late move reductions and late move pruning: T. Romstad, "An introduction to late move
//!   reductions", 2006 (Glaurung).

use crate::value::{INFINITE, Value, Window, is_decided, mated, mating};

/// What the rules know of a node of which no move has been tried yet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outlook {
    pub(crate) window: Window,
    /// Plies to go.
    pub(crate) depth: i32,
    /// The static value; only of nodes that are not in check.
    pub(crate) static_value: Value,
    /// Whether the static value is higher than at the side's last turn.
    pub(crate) improving: bool,
}

/// Narrows a window to what can still be reached after `ply` plies: being mated here at worst,
/// mating with the next move at best. `Err` with the value if nothing is left.
pub(crate) fn mate_distance(window: Window, ply: usize) -> Result<Window, Value> {
    let narrowed =
        Window { alpha: window.alpha.max(mated(ply)), beta: window.beta.min(mating(ply + 1)) };
    if narrowed.alpha < narrowed.beta { Ok(narrowed) } else { Err(narrowed.alpha) }
}

/// Whether a side is so well off that the rest of a shallow search will not change it.
pub(crate) fn reverse_futility(outlook: &Outlook) -> bool {
    let Outlook { window, depth, static_value, improving } = *outlook;
    let margin = 130 * (depth - i32::from(improving)).max(0);
    depth <= 7
        && !is_decided(window.beta)
        && !is_decided(static_value)
        && static_value - margin >= window.beta
}

/// By how much the search after a null move is shortened; `None` if passing proves nothing.
pub(crate) fn null_move(outlook: &Outlook) -> Option<i32> {
    let Outlook { window, depth, static_value, .. } = *outlook;
    if depth < 2 || static_value < window.beta || is_decided(window.beta) {
        return None;
    }
    Some(3 + depth / 4 + ((static_value - window.beta) / 250).min(3))
}

/// Whether so many moves have been tried that the quiet ones left are not worth trying.
pub(crate) fn late_move(outlook: &Outlook, tried: usize) -> bool {
    let Outlook { depth, improving, .. } = *outlook;
    let enough = 4 + depth * depth;
    depth <= 6 && tried as i32 >= if improving { enough } else { enough / 2 }
}

/// The most a quiet move, searched to `depth` plies, is trusted to reach; `None` if that is worth
/// searching for.
pub(crate) fn futility(outlook: &Outlook, depth: i32) -> Option<Value> {
    let most = outlook.static_value + 150 + 130 * depth.max(0);
    (depth <= 6 && most <= outlook.window.alpha).then_some(most)
}

/// What a move may lose by exchange and still be searched; `None` far from the leaves.
pub(crate) fn exchange_allowance(depth: i32, quiet: bool) -> Option<i32> {
    let allowance = if quiet { 35 * depth * depth } else { 120 * depth };
    (depth <= 7).then_some(allowance)
}

/// What the reduction of a late move depends on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LateMove {
    /// Plies to go at the node.
    pub(crate) depth: i32,
    /// Moves tried before.
    pub(crate) tried: usize,
    /// Whether the node is on the principal variation.
    pub(crate) pv: bool,
    /// Whether the static value is higher than at the side's last turn.
    pub(crate) improving: bool,
    /// Whether the move gives check.
    pub(crate) checks: bool,
    /// The move's history, in −1,024 … 1,024; 0 for captures and promotions.
    pub(crate) history: i32,
}

/// By how many plies the first search of a late move is shortened.
pub(crate) fn late_move_reduction(late: &LateMove) -> i32 {
    if late.depth < 2 || late.tried < 2 {
        return 0;
    }
    let mut sixteenths =
        log2_sixteenths(late.depth as u32) * log2_sixteenths(late.tried as u32) / 64 + 4;
    sixteenths -= late.history / 48;
    sixteenths -= if late.pv { 16 } else { 0 };
    sixteenths -= if late.improving { 8 } else { 0 };
    sixteenths -= if late.checks { 16 } else { 0 };
    (sixteenths / 16).clamp(0, late.depth - 1)
}

/// The binary logarithm in sixteenths, straight lines between powers of two.
const fn log2_sixteenths(x: u32) -> i32 {
    let power = x.ilog2();
    (16 * power + (((x << 4) >> power) & 15)) as i32
}

/// Whether a check is searched a ply deeper: not one that loses material, and not when the line is
/// already twice as long as the iteration is deep.
pub(crate) fn check_extension(ply: usize, iteration: i32, loses_material: bool) -> bool {
    !loses_material && (ply as i32) < 2 * iteration
}

/// The most a capture is trusted to reach in quiescence; `None` if that is worth searching for.
///
/// `gain` is what it takes and promotes.
pub(crate) fn delta(stand_pat: Value, gain: i32, alpha: Value) -> Option<Value> {
    let most = stand_pat.saturating_add(gain + 200).min(INFINITE);
    (most <= alpha).then_some(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outlook(beta: Value, depth: i32, static_value: Value) -> Outlook {
        Outlook { window: Window::zero(beta - 1), depth, static_value, improving: false }
    }

    #[test]
    fn mate_distance_keeps_what_can_be_reached() {
        assert_eq!(mate_distance(Window::FULL, 4), Ok(Window { alpha: mated(4), beta: mating(5) }));
        let inside = Window { alpha: -10, beta: 10 };
        assert_eq!(mate_distance(inside, 4), Ok(inside));
        // A mate in 3 from the root is known; from ply 4 on nothing beats it.
        let window = Window { alpha: mating(3), beta: INFINITE };
        assert_eq!(mate_distance(window, 4), Err(mating(3)));
        assert_eq!(mate_distance(window.reversed(), 4), Err(mated(4)));
        // Mating at ply 3 or earlier is still open at ply 2 for a side that has a mate in 5.
        assert!(mate_distance(Window { alpha: mating(5), beta: INFINITE }, 2).is_ok());
    }

    #[test]
    fn reverse_futility_wants_more_the_more_can_still_happen() {
        assert!(reverse_futility(&outlook(100, 1, 300)));
        assert!(!reverse_futility(&outlook(100, 3, 300)));
        assert!(!reverse_futility(&outlook(100, 20, 9_000)));
        assert!(!reverse_futility(&outlook(mated(9), 1, 300)));
        let improving = Outlook { improving: true, ..outlook(100, 2, 300) };
        assert!(reverse_futility(&improving) && !reverse_futility(&outlook(100, 2, 300)));
    }

    #[test]
    fn null_moves_are_tried_above_the_window_and_reduced_by_depth() {
        assert_eq!(null_move(&outlook(100, 10, 99)), None);
        assert_eq!(null_move(&outlook(100, 1, 500)), None);
        assert_eq!(null_move(&outlook(mating(5), 10, 15_000)), None);
        let shallow = null_move(&outlook(100, 4, 100)).unwrap();
        let deep = null_move(&outlook(100, 12, 100)).unwrap();
        let surplus = null_move(&outlook(100, 12, 2_000)).unwrap();
        assert!(shallow < deep && deep < surplus);
    }

    #[test]
    fn late_moves_are_left_out_only_near_the_leaves() {
        assert!(!late_move(&outlook(0, 1, 0), 1));
        assert!(late_move(&outlook(0, 1, 0), 4));
        assert!(!late_move(&outlook(0, 5, 0), 4));
        assert!(!late_move(&outlook(0, 9, 0), 500));
        let improving = Outlook { improving: true, ..outlook(0, 3, 0) };
        assert!(late_move(&outlook(0, 3, 0), 8) && !late_move(&improving, 8));
    }

    #[test]
    fn futility_trusts_deeper_searches_with_more() {
        assert_eq!(futility(&outlook(1_001, 3, 600), 0), Some(750));
        assert_eq!(futility(&outlook(1_001, 3, 600), 3), None);
        assert_eq!(futility(&outlook(mated(4), 3, 600), 0), None);
        assert_eq!(futility(&outlook(15_001, 9, 0), 9), None);
    }

    #[test]
    fn exchanges_may_lose_more_the_more_depth_is_left() {
        assert!(exchange_allowance(1, true) < exchange_allowance(3, true));
        assert!(exchange_allowance(1, true) < exchange_allowance(1, false));
        assert_eq!(exchange_allowance(12, true), None);
    }

    #[test]
    fn reductions_grow_with_depth_and_order_and_never_reach_the_leaves() {
        let late = LateMove {
            depth: 8,
            tried: 16,
            pv: false,
            improving: false,
            checks: false,
            history: 0,
        };
        let usual = late_move_reduction(&late);
        assert!((2..=4).contains(&usual), "{usual}");
        assert!(late_move_reduction(&LateMove { depth: 16, tried: 40, ..late }) > usual);
        assert!(late_move_reduction(&LateMove { pv: true, ..late }) < usual);
        assert!(late_move_reduction(&LateMove { checks: true, ..late }) < usual);
        assert!(late_move_reduction(&LateMove { history: 1_024, ..late }) < usual);
        assert!(late_move_reduction(&LateMove { history: -1_024, ..late }) > usual);
        assert_eq!(late_move_reduction(&LateMove { tried: 1, ..late }), 0);
        for depth in 2..=40 {
            for tried in 2..=593 {
                let worst = LateMove { depth, tried, history: -1_024, ..late };
                assert!((0..depth).contains(&late_move_reduction(&worst)));
            }
        }
    }

    #[test]
    fn logarithms_are_right_at_powers_of_two_and_grow_between() {
        for power in 0..10 {
            assert_eq!(log2_sixteenths(1 << power), 16 * power);
        }
        assert!((1..1_000).all(|x| log2_sixteenths(x) <= log2_sixteenths(x + 1)));
    }

    #[test]
    fn checks_are_extended_unless_they_lose_or_go_on_for_ever() {
        assert!(check_extension(7, 6, false));
        assert!(!check_extension(7, 6, true));
        assert!(!check_extension(12, 6, false));
    }

    #[test]
    fn delta_leaves_out_captures_that_cannot_matter() {
        assert_eq!(delta(0, 200, 1_000), Some(400));
        assert_eq!(delta(0, 900, 1_000), None);
        assert_eq!(delta(0, 900, mating(3)), Some(1_100), "captures do not mate");
        assert_eq!(delta(-20_000, 0, mated(3)), None);
    }
}
