//! The rules of pruning, reduction and extension, as pure functions of numbers.
//!
//! Each function takes the inputs of a node and returns a decision; none reads a position or a
//! table. All but [`mate_distance`] are heuristics: they can be wrong, and save more depth
//! elsewhere than they lose here. Margins are centipawns, reductions 1,024ths of a ply.
//!
//! # References
//!
//! - Null move: C. Donninger, "Null move and deep search", ICCA Journal 16(3), 1993; verified: O.
//!   David Tabibi and N. Netanyahu, "Verified null-move pruning", ICGA Journal 25(3), 2002.
//! - Futility: E. Heinz, "Extended futility pruning", ICCA Journal 21(2), 1998; the reverse at the
//!   opponent's node is also known as static null move pruning.
//! - Razoring: J. Birmingham and P. Kent, "Tree-searching and tree-pruning techniques", Advances in
//!   Computer Chess 1, 1977.
//! - ProbCut: M. Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm",
//!   ICCA Journal 18(2), 1995.
//! - Late move reductions and late move pruning: T. Romstad, "An introduction to late move
//!   reductions", 2006 (Glaurung).
//! - Singular extensions: T. Anantharaman, M. Campbell and F. Hsu, "Singular extensions: adding
//!   selectivity to brute-force searching", Artificial Intelligence 43(1), 1990; multi-cut: Y.
//!   Björnsson and T. Marsland, "Multi-cut alpha-beta pruning", Theoretical Computer Science 252,
//!   2001.
//!
//! The forms of the rules, where nothing else is stated, are those that chess programs share today;
//! the chess programming wiki and Stockfish describe them. The margins are our own: see
//! [`Parameters`].

use crate::parameters::Parameters;
use crate::value::{INFINITE, Value, Window, is_decided, mated, mating};

/// The unit of reductions: one ply is this many.
///
/// Parts of a ply add up until they make a whole one. The size is a power of two, so that dividing
/// by it is cheap.
pub(crate) const REDUCTION_UNIT: i32 = 1_024;

/// The last iteration whose margins are the parameters themselves: searches of 20,000 nodes, which
/// chose them, seldom get further.
const LAST_SHORT_ITERATION: i32 = 9;

/// The iteration from which on margins have their full size.
const FULL_MARGIN_ITERATION: i32 = 16;

/// The size of the margins of pruning in an iteration.
///
/// The longer the search, the dearer is a line that a margin has pruned wrongly, and the better can
/// the search afford to keep it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MarginScale {
    /// In 64ths.
    factor: i32,
}

impl MarginScale {
    /// Margins as the parameters state them.
    pub(crate) const SHORT: Self = Self { factor: 64 };

    /// Returns the size of the margins in an iteration.
    pub(crate) fn of_iteration(p: &Parameters, iteration: i32) -> Self {
        let span = FULL_MARGIN_ITERATION - LAST_SHORT_ITERATION;
        let beyond = (iteration - LAST_SHORT_ITERATION).clamp(0, span);
        Self { factor: 64 + 64 * (p.margin_late - 100) * beyond / (100 * span) }
    }

    #[inline]
    pub(crate) const fn of(self, margin: Value) -> Value {
        (margin * self.factor) >> 6
    }
}

/// The inputs of the rules at a node, before any of its moves is searched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PruningInputs {
    pub(crate) window: Window,
    /// Remaining plies.
    pub(crate) depth: i32,
    /// The static evaluation, or the transposition table's value where it is closer to the truth;
    /// meaningless in check.
    pub(crate) evaluation: Value,
    /// True if the static evaluation is higher than at the side's last turn.
    pub(crate) improving: bool,
    /// True if the opponent's last move lost something: the static evaluation is above the opposite
    /// of the one before it.
    pub(crate) opponent_worsening: bool,
    /// The size of the correction of the static evaluation: the larger, the less certain it is.
    pub(crate) correction: Value,
    pub(crate) margins: MarginScale,
}

/// Mate distance pruning: narrows a window to the values that can be reached after `ply` plies,
/// from being mated here to mating with the next move.
///
/// # Errors
///
/// The value, if nothing of the window is left.
#[inline]
pub(crate) fn mate_distance(window: Window, ply: usize) -> Result<Window, Value> {
    let narrowed =
        Window { alpha: window.alpha.max(mated(ply)), beta: window.beta.min(mating(ply + 1)) };
    if narrowed.alpha < narrowed.beta { Ok(narrowed) } else { Err(narrowed.alpha) }
}

/// Razoring: checks whether a side is so far behind that only captures could save it.
#[inline]
pub(crate) fn razoring(p: &Parameters, inputs: &PruningInputs) -> bool {
    let PruningInputs { window, depth, evaluation, margins, .. } = *inputs;
    let margin = margins.of(p.razor_base + p.razor_square * depth * depth);
    !is_decided(window.alpha) && evaluation + margin < window.alpha
}

/// Reverse futility pruning: returns the value of a shallow node whose evaluation is so far above
/// the window that the rest of the search will not change that.
#[inline]
pub(crate) fn reverse_futility(p: &Parameters, inputs: &PruningInputs) -> Option<Value> {
    let PruningInputs { window, depth, evaluation, margins, .. } = *inputs;
    let discount = if inputs.improving { p.reverse_futility_improving } else { 0 }
        + if inputs.opponent_worsening { p.reverse_futility_worsening } else { 0 };
    let doubt = inputs.correction * p.reverse_futility_correction / 100;
    let margin = (margins.of(p.reverse_futility * depth - discount) + doubt).max(0);
    let holds = depth <= p.reverse_futility_depth
        && !is_decided(window.beta)
        && !is_decided(evaluation)
        && evaluation - margin >= window.beta;
    // The evaluation promises more than a search would find, so it counts one third (Stockfish).
    holds.then_some((2 * window.beta + evaluation) / 3)
}

/// Null move pruning: returns the reduction in plies of the search after a null move; `None` if no
/// null move is tried.
#[inline]
pub(crate) fn null_move_reduction(
    p: &Parameters,
    inputs: &PruningInputs,
    cut_node: bool,
) -> Option<i32> {
    let PruningInputs { window, depth, evaluation, margins, .. } = *inputs;
    let margin = margins.of(p.null_margin + if cut_node { 0 } else { p.null_all });
    if depth < 2 || evaluation < window.beta + margin || is_decided(window.beta) {
        return None;
    }
    // Capped, because an evaluation far above the window does not exclude threats (Stockfish).
    let surplus = REDUCTION_UNIT * (evaluation - window.beta).max(0) / margins.of(p.null_surplus);
    let reduction = p.null_base + depth * p.null_slope + surplus.min(3 * REDUCTION_UNIT);
    Some(reduction / REDUCTION_UNIT)
}

/// ProbCut: returns the value that a capture must reach in a shallow search; `None` if it is not
/// tried.
#[inline]
pub(crate) fn probcut_beta(p: &Parameters, inputs: &PruningInputs) -> Option<Value> {
    let PruningInputs { window, depth, improving, margins, .. } = *inputs;
    let margin = p.probcut_margin - if improving { p.probcut_improving } else { 0 };
    let beta = window.beta + margins.of(margin);
    (depth >= p.probcut_depth && !is_decided(window.beta)).then_some(beta)
}

/// Late move pruning: returns the number of moves after which the remaining quiet moves are pruned.
#[inline]
pub(crate) fn late_move_pruning_count(p: &Parameters, depth: i32, improving: bool) -> usize {
    let enough = p.late_base + depth * depth * p.late_slope / 64;
    // A side whose evaluation falls tries half as many moves (Stockfish).
    (if improving { enough } else { enough / 2 }).max(1) as usize
}

/// Futility pruning: returns the most that a quiet move, searched to `depth` plies, is trusted to
/// reach, if that is not above alpha.
#[inline]
pub(crate) fn futility(p: &Parameters, inputs: &PruningInputs, depth: i32) -> Option<Value> {
    let margin = inputs.margins.of(p.futility_base + p.futility_slope * depth.max(0));
    let most = inputs.evaluation + margin;
    (depth <= p.futility_depth && most <= inputs.window.alpha).then_some(most)
}

/// Futility pruning of a capture that gains `gain`.
#[inline]
pub(crate) fn capture_futility(
    p: &Parameters,
    inputs: &PruningInputs,
    depth: i32,
    gain: i32,
) -> Option<Value> {
    let margin = p.capture_futility_base + p.capture_futility_slope * depth.max(0);
    let most = inputs.evaluation + inputs.margins.of(margin) + gain;
    (depth <= p.capture_futility_depth && most <= inputs.window.alpha).then_some(most)
}

/// Returns the material that a quiet move may lose by exchange and still be searched to `depth`.
#[inline]
pub(crate) fn quiet_see_margin(p: &Parameters, margins: MarginScale, depth: i32) -> i32 {
    margins.of(p.exchange_quiet * depth.max(0) * depth.max(0))
}

/// Returns the material that a capture or check may lose by exchange and still be searched.
#[inline]
pub(crate) fn capture_see_margin(p: &Parameters, inputs: &PruningInputs, history: i32) -> i32 {
    // The whole range of the capture history, 10,240, is worth 320 centipawns (form of Stockfish).
    (inputs.margins.of(p.exchange_capture * inputs.depth) + history / 32).max(0)
}

/// The inputs of the late move reduction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LateMove {
    /// Remaining plies at the node.
    pub(crate) depth: i32,
    /// The index of the move in the order of its node.
    pub(crate) index: usize,
    /// True if the static evaluation is higher than at the side's last turn.
    pub(crate) improving: bool,
}

/// Late move reduction: returns the reduction by depth and move order, in 1,024ths of a ply.
///
/// Source of the form, a product of two logarithms: Stockfish.
#[inline]
pub(crate) fn late_move_reduction(p: &Parameters, late: &LateMove) -> i32 {
    if late.index == 0 {
        return 0;
    }
    let logs = log2_sixteenths(late.depth.max(1) as usize) * log2_sixteenths(late.index + 1);
    // The product is in 256ths: a slope of 2,048 would be a ply for each whole unit of it.
    let product = logs * p.reduction_slope / 512;
    let not_improving = if late.improving {
        0
    } else {
        p.reduction_not_improving + product * p.reduction_not_improving_slope / 100
    };
    let order = late.index as i32 * p.reduction_index;
    p.reduction_base + product + order + not_improving
}

/// Returns the binary logarithm in sixteenths, interpolated linearly between powers of two.
#[inline]
const fn log2_sixteenths(x: usize) -> i32 {
    /// More than the moves of a position and the plies of a search.
    const SIZE: usize = 1 << 10;
    const LOGS: [u8; SIZE] = {
        let mut logs = [0; SIZE];
        let mut x = 1;
        while x < SIZE {
            let power = x.ilog2() as usize;
            logs[x] = (16 * power + (((x << 4) >> power) & 15)) as u8;
            x += 1;
        }
        logs
    };
    LOGS[x % SIZE] as i32
}

/// Checks whether a line may be extended: until it is twice as long as the iteration is deep.
#[inline]
pub(crate) fn is_within_extension_budget(ply: usize, iteration: i32) -> bool {
    (ply as i32) < 2 * iteration
}

/// Singular extension: returns the value that all alternatives to a move must stay below for it to
/// be singular.
#[inline]
pub(crate) fn singular_beta(p: &Parameters, table_value: Value, depth: i32, pv: bool) -> Value {
    // On the principal variation a singular move must stand out half as far again.
    let margin = p.singular_margin + if pv { p.singular_margin / 2 } else { 0 };
    table_value - margin * depth / 64
}

/// A move of the transposition table that has no alternative.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SingularMove {
    /// True if its node is on the principal variation.
    pub(crate) pv: bool,
    /// True if it captures or promotes.
    pub(crate) is_tactical: bool,
    /// The size of the correction of the static evaluation.
    pub(crate) correction: Value,
}

/// Returns the extension of a singular move in plies, when its alternatives reach only `value`,
/// which is below `beta`.
#[inline]
pub(crate) fn singular_extension(
    p: &Parameters,
    beta: Value,
    value: Value,
    singular: SingularMove,
) -> i32 {
    let SingularMove { pv, is_tactical, correction } = singular;
    let double = p.singular_double
        + if pv { p.singular_double_pv } else { 0 }
        + if is_tactical { p.singular_tactical } else { 0 }
        - correction * p.singular_correction / 100;
    let triple = double + p.singular_triple + if pv { p.singular_triple_pv } else { 0 };
    1 + i32::from(value < beta - double) + i32::from(value < beta - triple)
}

/// Delta pruning: returns the most that a capture is trusted to reach in quiescence, if that is not
/// above alpha.
///
/// `gain` is the value of the captured piece and of the promotion.
#[inline]
pub(crate) fn delta_pruning(
    margin: Value,
    stand_pat: Value,
    gain: i32,
    alpha: Value,
) -> Option<Value> {
    let most = stand_pat.saturating_add(gain + margin).min(INFINITE);
    (most <= alpha).then_some(most)
}

/// Returns the history bonus of a move that was best in a search to `depth`.
#[inline]
pub(crate) fn history_bonus(p: &Parameters, depth: i32) -> i32 {
    (p.bonus_slope * depth).min(p.bonus_max)
}

/// Returns the history malus of a move that was searched in vain to `depth`; a positive number.
#[inline]
pub(crate) fn history_malus(p: &Parameters, depth: i32) -> i32 {
    (p.malus_slope * depth).min(p.malus_max)
}

#[cfg(test)]
mod tests;
