//! The rules by which a search leaves out or shortens work, as plain functions of plain numbers.
//!
//! Each takes what a node knows and returns a decision; none looks at a position or at a table. All
//! but [`mate_distance`] can be wrong: they save more depth elsewhere than they lose here. Margins
//! are centipawns, reductions 1,024ths of a ply.
//!
//! # References
//!
//! - Null move: C. Donninger, "Null move and deep search", ICCA Journal 16(3), 1993; verified: O. David
//!   Tabibi and N. Netanyahu, "Verified null-move pruning", ICGA Journal 25(3), 2002.
//! - Futility: E. Heinz, "Extended futility pruning", ICCA Journal 21(2), 1998; the reverse at the
//!   opponent's node is also known as static null move pruning.
//! - Razoring: J. Birmingham and P. Kent, "Tree-searching and tree-pruning techniques", Advances in
//!   Computer Chess 1, 1977.
//! - ProbCut: M. Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm", ICCA
//!   Journal 18(2), 1995.
//! - Late move reductions and late move pruning: T. Romstad, "An introduction to late move
//!   reductions", 2006 (Glaurung).
//! - Singular extensions: T. Anantharaman, M. Campbell and F. Hsu, "Singular extensions: adding
//!   selectivity to brute-force searching", Artificial Intelligence 43(1), 1990; multi-cut: Y. Björnsson
//!   and T. Marsland, "Multi-cut alpha-beta pruning", Theoretical Computer Science 252, 2001.

use crate::Parameters;
use crate::value::{INFINITE, Value, Window, is_decided, mated, mating};

/// A ply, as reductions are counted.
pub(crate) const PLY: i32 = 1_024;

/// What the rules know of a node of which no move has been tried yet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outlook {
    pub(crate) window: Window,
    /// Plies to go.
    pub(crate) depth: i32,
    /// The static value, or what is known better; only of nodes that are not in check.
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

/// Whether a side is so far behind that only captures could save it.
pub(crate) fn razoring(p: &Parameters, outlook: &Outlook) -> bool {
    let Outlook { window, depth, static_value, .. } = *outlook;
    !is_decided(window.alpha)
        && static_value + p.razor_base + p.razor_square * depth * depth < window.alpha
}

/// The value of a side so well off that the rest of a shallow search will not change it.
pub(crate) fn reverse_futility(p: &Parameters, outlook: &Outlook) -> Option<Value> {
    let Outlook { window, depth, static_value, improving } = *outlook;
    let discount = if improving { p.reverse_futility_improving } else { 0 };
    let margin = (p.reverse_futility * depth - discount).max(0);
    let holds = depth <= p.reverse_futility_depth
        && !is_decided(window.beta)
        && !is_decided(static_value)
        && static_value - margin >= window.beta;
    holds.then_some((2 * window.beta + static_value) / 3)
}

/// How far a quiescence value may be from the window two plies before the leaves and still be
/// searched on.
pub(crate) fn two_ply_futility(p: &Parameters, depth: i32) -> Option<Value> {
    (depth <= 2).then_some(p.two_ply_futility)
}

/// By how many plies the search after a null move is shortened; `None` if passing proves nothing.
pub(crate) fn null_move(p: &Parameters, outlook: &Outlook) -> Option<i32> {
    let Outlook { window, depth, static_value, .. } = *outlook;
    if depth < 2 || static_value < window.beta || is_decided(window.beta) {
        return None;
    }
    let surplus = ((static_value - window.beta) / p.null_surplus).min(3);
    Some(p.null_base + depth / p.null_depth + surplus)
}

/// The same in its older form: two plies, or three when six or more are left.
pub(crate) fn classical_null_move(outlook: &Outlook) -> Option<i32> {
    let Outlook { window, depth, .. } = *outlook;
    (depth >= 2 && !is_decided(window.beta)).then_some(if depth >= 6 { 4 } else { 3 })
}

/// The value that a capture must reach for ProbCut; `None` if it is not tried.
pub(crate) fn probcut(p: &Parameters, outlook: &Outlook) -> Option<Value> {
    let Outlook { window, depth, improving, .. } = *outlook;
    let beta = window.beta + p.probcut_margin - if improving { p.probcut_improving } else { 0 };
    (depth >= p.probcut_depth && !is_decided(window.beta)).then_some(beta)
}

/// How many moves are tried before the quiet ones left are not worth trying.
pub(crate) fn late_move_count(p: &Parameters, depth: i32, improving: bool) -> usize {
    let enough = p.late_base + depth * depth;
    (if improving { enough } else { enough / 2 }).max(1) as usize
}

/// The most a quiet move, searched to `depth` plies, is trusted to reach; `None` if that is worth
/// searching for.
pub(crate) fn futility(p: &Parameters, outlook: &Outlook, depth: i32) -> Option<Value> {
    let most = outlook.static_value + p.futility_base + p.futility_slope * depth.max(0);
    (depth <= p.futility_depth && most <= outlook.window.alpha).then_some(most)
}

/// The same for a capture that gains `gain`.
pub(crate) fn capture_futility(
    p: &Parameters,
    outlook: &Outlook,
    depth: i32,
    gain: i32,
) -> Option<Value> {
    let margin = p.capture_futility_base + p.capture_futility_slope * depth.max(0);
    let most = outlook.static_value + margin + gain;
    (depth <= p.capture_futility_depth && most <= outlook.window.alpha).then_some(most)
}

/// What a quiet move may lose by exchange and still be searched to `depth`.
pub(crate) fn quiet_allowance(p: &Parameters, depth: i32) -> i32 {
    p.exchange_quiet * depth.max(0) * depth.max(0)
}

/// What a capture or check with this history may lose by exchange and still be searched.
pub(crate) fn capture_allowance(p: &Parameters, depth: i32, history: i32) -> i32 {
    (p.exchange_capture * depth + history / 32).max(0)
}

/// What the reduction of a late move depends on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LateMove {
    /// Plies to go at the node.
    pub(crate) depth: i32,
    /// Moves tried before.
    pub(crate) tried: usize,
    /// Whether the static value is higher than at the side's last turn.
    pub(crate) improving: bool,
}

/// By how much the first search of a late move is shortened, as far as depth and order tell.
pub(crate) fn late_move_reduction(p: &Parameters, late: &LateMove) -> i32 {
    if late.tried == 0 {
        return 0;
    }
    let logs = log2_sixteenths(late.depth.max(1) as u32) * log2_sixteenths(late.tried as u32 + 1);
    let calm = if late.improving { 0 } else { p.reduction_not_improving };
    p.reduction_base + logs * p.reduction_slope / 512 + calm
}

/// The binary logarithm in sixteenths, straight lines between powers of two.
const fn log2_sixteenths(x: u32) -> i32 {
    let power = x.ilog2();
    (16 * power + (((x << 4) >> power) & 15)) as i32
}

/// Whether a check is searched a ply deeper: not one that loses material, and not when the line is
/// already twice as long as the iteration is deep.
pub(crate) fn check_extension(ply: usize, iteration: i32, loses_material: bool) -> bool {
    !loses_material && is_within_extension_budget(ply, iteration)
}

/// Whether a line is less than twice as long as the iteration is deep, so that it may be extended.
pub(crate) fn is_within_extension_budget(ply: usize, iteration: i32) -> bool {
    (ply as i32) < 2 * iteration
}

/// The value the alternatives to a move must stay below for it to be singular.
pub(crate) fn singular_beta(p: &Parameters, table_value: Value, depth: i32, pv: bool) -> Value {
    let margin = p.singular_margin + if pv { p.singular_margin / 2 } else { 0 };
    table_value - margin * depth / 64
}

/// By how many plies a singular move is extended, when its alternatives reach `value` only.
pub(crate) fn singular_extension(p: &Parameters, beta: Value, value: Value, pv: bool) -> i32 {
    let double = p.singular_double + if pv { p.singular_double_pv } else { 0 };
    let triple = double + p.singular_triple + if pv { p.singular_triple_pv } else { 0 };
    1 + i32::from(value < beta - double) + i32::from(value < beta - triple)
}

/// The most a capture is trusted to reach in quiescence; `None` if that is worth searching for.
///
/// `gain` is what it takes and promotes.
pub(crate) fn delta(p: &Parameters, stand_pat: Value, gain: i32, alpha: Value) -> Option<Value> {
    let most = stand_pat.saturating_add(gain + p.delta_margin).min(INFINITE);
    (most <= alpha).then_some(most)
}

/// What a good move earns.
pub(crate) fn bonus(p: &Parameters, depth: i32) -> i32 {
    (p.bonus_slope * depth).min(p.bonus_max)
}

/// What a move tried in vain loses.
pub(crate) fn malus(p: &Parameters, depth: i32) -> i32 {
    (p.malus_slope * depth).min(p.malus_max)
}

#[cfg(test)]
mod tests;
