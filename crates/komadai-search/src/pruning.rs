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
//! - ProbCut of captures: Stockfish, after M. Buro, "ProbCut: an effective selective extension of
//!   the alpha-beta algorithm", ICCA Journal 18(2), 1995.
//! - Reduction by the probability of moves: after Y. Tsuruoka, D. Yokoyama and T. Chikayama,
//!   "Game-tree search algorithm based on realization probability", ICGA Journal 25(3), 2002.
//! - Late move reductions and late move pruning: T. Romstad, "An introduction to late move
//!   reductions", 2006 (Glaurung).
//! - Singular extensions: T. Anantharaman, M. Campbell and F. Hsu, "Singular extensions: adding
//!   selectivity to brute-force searching", Artificial Intelligence 43(1), 1990; multi-cut: Y.
//!   Björnsson and T. Marsland, "Multi-cut alpha-beta pruning", Theoretical Computer Science 252,
//!   2001.
//!
//! The forms of the rules, where nothing else is stated, are those that chess programs share today;
//! the chess programming wiki describes them. For the origin of the margins see [`Parameters`].

use crate::history::piece_to::CaptureHistory;
use crate::parameters::Parameters;
use crate::value::{Value, Window, is_decided, mated, mating};

/// The unit of reductions: one ply is this many.
///
/// Parts of a ply add up until they make a whole one. The size is a power of two, so that dividing
/// by it is cheap.
pub(crate) const REDUCTION_UNIT: i32 = 1_024;

/// The last iteration that uses the numbers of short searches alone: some 5,000 nodes.
const LAST_EARLY_ITERATION: i32 = 7;

/// The first iteration that uses the numbers of long searches alone: some 80,000 nodes.
const FIRST_LATE_ITERATION: i32 = 12;

/// The place of an iteration between short and long searches, which decides some numbers.
///
/// A long search finds the way back from a move that it has pruned wrongly: a later iteration is
/// deep enough to see why. A short one has no later iteration, and has to look at more moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Earliness(i32);

impl Earliness {
    /// That of the first iterations.
    pub(crate) const FULL: Self = Self(FIRST_LATE_ITERATION - LAST_EARLY_ITERATION);

    pub(crate) fn of_iteration(iteration: i32) -> Self {
        Self((FIRST_LATE_ITERATION - iteration).clamp(0, Self::FULL.0))
    }

    /// Returns a number between that of short and that of long searches.
    #[inline]
    pub(crate) const fn between(self, early: i32, late: i32) -> i32 {
        late + (early - late) * self.0 / Self::FULL.0
    }
}

/// The inputs of the rules at a node, before any of its moves is searched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PruningInputs {
    pub(crate) window: Window,
    /// Remaining plies.
    pub(crate) depth: i32,
    /// The static evaluation; in check that of the side's last turn.
    pub(crate) static_value: Value,
    /// The static evaluation, or the transposition table's value where it is closer to the truth.
    pub(crate) evaluation: Value,
    /// True if the static evaluation is higher than at the side's last turn.
    pub(crate) improving: bool,
    /// The size of the correction of the static evaluation: the larger, the less certain it is.
    pub(crate) correction: Value,
    /// True if the transposition table has no entry of the position.
    pub(crate) is_new: bool,
    pub(crate) earliness: Earliness,
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
    let PruningInputs { window, depth, evaluation, .. } = *inputs;
    let margin = p.razor_base + p.razor_square * depth * depth;
    !is_decided(window.alpha) && evaluation + margin < window.alpha
}

/// Reverse futility pruning: returns the value of a shallow node whose evaluation is so far above
/// the window that the rest of the search will not change that.
///
/// A position that no search has met is mostly off the lines that matter, and pruned sooner.
#[inline]
pub(crate) fn reverse_futility(p: &Parameters, inputs: &PruningInputs) -> Option<Value> {
    let PruningInputs { window, depth, evaluation, .. } = *inputs;
    let ply = p.reverse_futility - if inputs.is_new { p.reverse_futility_new } else { 0 };
    let discount = if inputs.improving { p.reverse_futility_improving } else { 0 };
    let doubt = inputs.correction * p.reverse_futility_correction / 100;
    let margin = (ply * depth - discount + doubt).max(0);
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
pub(crate) fn null_move_reduction(p: &Parameters, inputs: &PruningInputs) -> Option<i32> {
    let PruningInputs { window, depth, static_value, .. } = *inputs;
    let holds = static_value >= window.beta + p.null_margin && !is_decided(window.beta);
    holds.then_some((p.null_base + depth * p.null_slope) / REDUCTION_UNIT)
}

/// ProbCut of captures: returns the value that one must reach in a shallow search; `None` if none is
/// tried.
#[inline]
pub(crate) fn capture_probcut_beta(p: &Parameters, inputs: &PruningInputs) -> Option<Value> {
    let PruningInputs { window, depth, improving, .. } = *inputs;
    let beta = window.beta + p.capture_probcut_margin
        - if improving { p.capture_probcut_improving } else { 0 };
    (depth >= p.capture_probcut_depth && !is_decided(window.beta)).then_some(beta)
}

/// Late move pruning: returns the number of moves after which the remaining quiet moves are pruned.
#[inline]
pub(crate) fn late_move_pruning_count(p: &Parameters, inputs: &PruningInputs) -> usize {
    let PruningInputs { depth, improving, earliness, .. } = *inputs;
    let base = earliness.between(p.early_late_base, p.late_base);
    let slope = earliness.between(p.early_late_slope, p.late_slope);
    let enough = base + depth * depth * slope / 64;
    // A side whose evaluation falls tries half as many moves (Stockfish).
    (if improving { enough } else { enough / 2 }).max(1) as usize
}

/// Futility pruning: returns the most that a quiet move, searched to `depth` plies, is trusted to
/// reach, if that is not above alpha. `is_first` means that no move has raised alpha before.
#[inline]
pub(crate) fn futility(
    p: &Parameters,
    inputs: &PruningInputs,
    depth: i32,
    is_first: bool,
) -> Option<Value> {
    let PruningInputs { window, static_value, .. } = *inputs;
    let most = static_value
        + p.futility_base
        + p.futility_slope * depth
        + if is_first { p.futility_first } else { 0 }
        + if static_value > window.alpha { p.futility_above } else { 0 };
    (depth <= p.futility_depth && most <= window.alpha).then_some(most)
}

/// Futility pruning of a capture that gains `gain` and has this capture history.
#[inline]
pub(crate) fn capture_futility(
    p: &Parameters,
    inputs: &PruningInputs,
    depth: i32,
    gain: i32,
    history: i32,
) -> Option<Value> {
    let PruningInputs { window, static_value, earliness, .. } = *inputs;
    let base = earliness.between(p.early_capture_futility_base, p.capture_futility_base);
    let slope = earliness.between(p.early_capture_futility_slope, p.capture_futility_slope);
    let gain = gain * p.capture_gain / 100 + CaptureHistory::centipawns(history);
    let most = static_value + base + slope * depth + gain;
    (depth <= p.capture_futility_depth && most <= window.alpha).then_some(most)
}

/// Returns the material that a quiet move may lose by exchange and still be searched to `depth`.
#[inline]
pub(crate) fn quiet_see_margin(p: &Parameters, earliness: Earliness, depth: i32) -> i32 {
    let margin = earliness.between(p.early_exchange_quiet, p.exchange_quiet);
    margin * depth.max(0) * depth.max(0)
}

/// Returns the material that a capture or check may lose by exchange and still be searched.
#[inline]
pub(crate) fn capture_see_margin(p: &Parameters, depth: i32, history: i32) -> i32 {
    (p.exchange_capture * depth + CaptureHistory::centipawns(history)).max(0)
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
    let not_improving = if late.improving { 0 } else { product * p.reduction_not_improving / 100 };
    p.reduction_base + product + not_improving
}

/// Reduction by probability: returns the addition to a late move's reduction, in 1,024ths of a ply,
/// by the negative logarithm of the probability that the move is played.
#[inline]
pub(crate) fn probability_reduction(p: &Parameters, nats: f32) -> i32 {
    /// More than any reduction needs: a model may give a move no probability at all.
    const MOST: f32 = 20.0;
    (p.probability_slope as f32 * nats.min(MOST)) as i32 - p.probability_offset
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
pub(crate) fn singular_limit(p: &Parameters, inputs: &PruningInputs, table_value: Value) -> Value {
    let margin = inputs.earliness.between(p.early_singular_margin, p.singular_margin);
    table_value - margin * inputs.depth / 64
}

/// A move of the transposition table that has no alternative.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SingularMove {
    /// True if its node is on the principal variation.
    pub(crate) pv: bool,
    pub(crate) is_capture: bool,
    /// The size of the correction of the static evaluation.
    pub(crate) correction: Value,
}

/// Returns the extension of a singular move in plies; `lead` is the distance of its alternatives
/// below their limit.
///
/// A quiet move that is the only good one is a discovery. A capture often is the only good move
/// because it takes back. Lines of the principal variation grow by themselves, so that three plies
/// are never added there.
#[inline]
pub(crate) fn singular_extension(p: &Parameters, lead: Value, singular: &SingularMove) -> i32 {
    let SingularMove { pv, is_capture, correction } = *singular;
    let lead = lead
        + correction * p.singular_correction / 100
        + if is_capture { 0 } else { p.singular_quiet }
        - if pv { p.singular_pv } else { 0 };
    1 + i32::from(lead > 0) + i32::from(lead > p.singular_triple && !pv)
}

/// Singular extension by information: returns the extension of a singular move in plies by the
/// negative logarithm of the probability that a model gave it.
///
/// That it is the only good move is the less of a surprise, the more probable it was: one that any
/// player makes needs no closer look, and −ln p is the information of learning that another one is
/// right. As above, three plies are never added on the principal variation.
#[inline]
pub(crate) fn information_extension(p: &Parameters, nats: f32, pv: bool) -> i32 {
    let most = if pv { 2.0 } else { 3.0 };
    // A model may give a move no probability at all, and not even a number.
    (p.information_slope as f32 * nats / REDUCTION_UNIT as f32).min(most).max(0.0) as i32
}

/// Returns the history bonus of a move that was best in a search to `depth`.
#[inline]
pub(crate) fn history_bonus(p: &Parameters, earliness: Earliness, depth: i32) -> i32 {
    let slope = earliness.between(p.early_bonus_slope, p.bonus_slope);
    (slope * depth).min(p.bonus_max)
}

/// Returns the history malus of a move that was searched in vain to `depth`; a positive number.
#[inline]
pub(crate) fn history_malus(p: &Parameters, depth: i32) -> i32 {
    (p.malus_slope * depth).min(p.malus_max)
}

#[cfg(test)]
mod tests;
