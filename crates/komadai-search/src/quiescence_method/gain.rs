//! A policy that tries the moves whose expected gain is worth the nodes of their search.

use komadai_core::{Move, PieceKind, Position};
use komadai_eval::Progress;
use komadai_movegen::exchange::capture_value;
use komadai_movegen::{MoveGen, MoveList};

use super::classes::QuiescenceClasses;
use super::policy::{QuiescenceNode, QuiescencePolicy};
use crate::quiescence::threat::Threats;

/// The deed of a move, as far as its gain is concerned. Safe moves lose nothing by exchange.
#[derive(Debug, Clone, Copy)]
enum Deed {
    /// A capture with a positive exchange value.
    WinningCapture,
    EqualCapture,
    LosingCapture,
    /// A safe capture that gives check.
    CaptureWithCheck,
    SafeCheck,
    UnsafeCheck,
    SafePromotion,
    UnsafePromotion,
    /// A safe move of a piece that the opponent could take at a profit.
    SafeEscape,
    UnsafeEscape,
    King,
    Other,
}

/// Number of [`Deed`]s.
const DEEDS: usize = 12;

/// The largest lead of alpha over standing pat, and exchange that count, in centipawns: more
/// makes no difference to what a move can gain.
const LARGEST: i32 = 1_500;

/// The terms of the expected gain of a move in quiescence search: see [`ByGain`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GainTerms([f32; Self::COUNT]);

/// A node whose moves get their terms: the part that they have in common.
#[derive(Debug)]
pub struct GainNode<'a> {
    node: &'a QuiescenceNode<'a>,
    threats: Threats,
    progress: f32,
    /// The lead of alpha over standing pat, in pawns.
    lead: f32,
}

impl<'a> GainNode<'a> {
    /// Looks at a node.
    pub fn new(node: &'a QuiescenceNode<'a>) -> Self {
        let lead = (node.alpha.raw() - node.static_score.raw()).clamp(0, LARGEST);
        // In check a side has no time to see to other threats.
        let threats = if node.position.in_check() {
            Threats::default()
        } else {
            Threats::of(&mut node.position.without_history())
        };
        Self {
            node,
            threats,
            progress: f32::from(Progress::of(node.position).get()),
            lead: lead as f32 / 100.0,
        }
    }

    /// Returns the terms of a legal move.
    pub fn terms(&self, m: Move) -> GainTerms {
        let position = self.node.position;
        let exchange = position.see(m);
        let captured = position.piece_on(m.to()).map_or(0, |piece| capture_value(piece.kind()));
        let is_check = position.gives_check(m);
        let moved = m.from().and_then(|from| position.piece_on(from)).map(|piece| piece.kind());
        let escapes = m.from().is_some_and(|from| self.threats.pieces.contains(from));
        let saved = moved.filter(|_| escapes).map_or(0, capture_value);
        let deed = match exchange {
            0.. if is_check && captured > 0 => Deed::CaptureWithCheck,
            0.. if is_check => Deed::SafeCheck,
            _ if is_check => Deed::UnsafeCheck,
            1.. if captured > 0 => Deed::WinningCapture,
            0 if captured > 0 => Deed::EqualCapture,
            _ if captured > 0 => Deed::LosingCapture,
            0.. if m.is_promotion() => Deed::SafePromotion,
            _ if m.is_promotion() => Deed::UnsafePromotion,
            0.. if escapes => Deed::SafeEscape,
            _ if escapes => Deed::UnsafeEscape,
            _ if moved == Some(PieceKind::King) => Deed::King,
            _ => Deed::Other,
        };
        let mut terms = [0.0; GainTerms::COUNT];
        set_deed(&mut terms, deed, self.node.depth_left);
        let pawns = |value: i32| value.clamp(-LARGEST, LARGEST) as f32 / 100.0;
        let of_check = |value: f32| if is_check { [value, 0.0] } else { [0.0, value] };
        let [near_check, near] = of_check(distance_to_king(position, m));
        let [late_check, late] = of_check(self.progress);
        let rest = &mut terms[GainTerms::OF_DEED * DEEDS..];
        rest.copy_from_slice(&[
            pawns(exchange.max(0)),
            pawns(exchange.min(0)),
            pawns(captured),
            pawns(saved),
            f32::from(u8::from(self.is_recapture(m))),
            near_check,
            near,
            late_check,
            late,
            self.lead,
        ]);
        GainTerms(terms)
    }

    fn is_recapture(&self, m: Move) -> bool {
        self.node.previous_moves().next().flatten().is_some_and(|last| last.to() == m.to())
    }
}

/// Sets the terms of a deed.
fn set_deed(terms: &mut [f32; GainTerms::COUNT], deed: Deed, depth_left: u32) {
    let first = GainTerms::OF_DEED * deed as usize;
    terms[first] = 1.0;
    terms[first + 1] = f32::from(u8::from(depth_left == 1));
    terms[first + 2] = f32::from(u8::from(depth_left.is_multiple_of(2)));
}

/// Returns the number of king's moves from the destination of a move to the opponent's king.
fn distance_to_king(position: &Position, m: Move) -> f32 {
    let king = position.king_square(!position.side()).unwrap_or(m.to());
    let steps = |one: u8, other: u8| one.abs_diff(other);
    let files = steps(king.file() as u8, m.to().file() as u8);
    let ranks = steps(king.rank() as u8, m.to().rank() as u8);
    f32::from(files.max(ranks))
}

impl GainTerms {
    /// Number of terms of each deed: a constant, one for the last ply, one for an even number of
    /// plies left.
    const OF_DEED: usize = 3;

    /// Number of terms.
    pub const COUNT: usize = Self::OF_DEED * DEEDS + 10;

    /// Returns the terms as an array.
    pub fn to_array(self) -> [f32; Self::COUNT] {
        self.0
    }
}

/// A policy that tries a move if its expected gain is worth the nodes of its search.
///
/// The gain of a move is what its search adds to the value of the node above alpha: beyond standing
/// pat and, for moves that win no material by exchange, beyond the captures that do. Its expectation
/// is the exponential of a weighted sum of [`GainTerms`]: what the move does, its exchange value,
/// the piece that it takes or saves, the distance to the opponent's king, the progress of the game,
/// the plies left, the lead of alpha over standing pat. The weights are fitted to searches of all
/// moves; docs/quiescence.md compares the policy with fixed sets of classes.
///
/// A choice by the information of the position is the proposal of S. Takeuchi, T. Kaneko and K.
/// Yamaguchi (see [`QuiescenceClasses`]); terms and fit are our own.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
///
/// use komadai_core::Position;
/// use komadai_eval::Classical;
/// use komadai_search::{AlphaBeta, ByGain, Quiescence, SearchOptions, SelectedQuiescence};
///
/// let sfen = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
/// let position = Position::from_sfen(sfen)?;
/// let nodes = |least| {
///     let policy = ByGain { least, ..ByGain::FITTED };
///     let selected = SelectedQuiescence::new(Arc::new(policy), 4);
///     let quiescence = Quiescence::Selected(selected);
///     let options = SearchOptions { quiescence, ..SearchOptions::default() };
///     AlphaBeta::new(Classical::default(), options).quiescence(&position).nodes
/// };
/// assert!(nodes(2.0) < nodes(0.1));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ByGain {
    /// The weights of the [`GainTerms`]; the sum is the logarithm of the expected gain in pawns.
    pub weights: [f32; GainTerms::COUNT],
    /// The logarithm of the nodes of a move's search, by the plies left after it; the last one
    /// holds for all above.
    pub costs: [f32; 5],
    /// The least expected gain of a move for each node of its search, in centipawns.
    pub least: f32,
}

impl ByGain {
    /// The weights that `komadai-lab fit-gain` has fitted to every second bundled game, with a
    /// `least` gain whose search takes about as many nodes as one of all captures.
    #[rustfmt::skip]
    pub const FITTED: Self = Self {
        weights: [
            // A constant of each deed, at the last ply, with an even number of plies left.
            -0.424, 0.356, 0.124, // winning capture
            -1.333, 1.720, 0.166, // equal capture
            -1.524, 2.905, -1.063, // losing capture
            -0.994, -0.278, -0.042, // capture with check
            0.597, -0.877, -0.640, // safe check
            -0.880, -3.500, -0.754, // unsafe check
            -1.633, 0.999, 0.726, // safe promotion
            -0.812, 1.534, -2.166, // unsafe promotion
            -2.429, -0.041, -1.302, // safe escape
            -3.150, 0.749, -1.179, // unsafe escape
            -3.793, -1.169, -1.354, // king
            -4.883, 0.218, -1.430, // other
            0.074, // exchange value, if positive
            0.170, // exchange value, if negative
            0.103, // captured piece
            0.035, // saved piece
            0.894, // recapture
            -0.674, // distance to the king, of a check
            -0.141, // distance to the king, of others
            0.080, // progress, of a check
            -0.093, // progress, of others
            -0.210, // lead of alpha
        ],
        costs: [0.054, 2.247, 2.375, 3.181, 3.039],
        least: 1.0,
    };

    /// Returns whether a move with these terms is worth its search.
    fn is_worth(&self, terms: &GainTerms, depth_left: u32) -> bool {
        let gain: f32 = terms.0.iter().zip(&self.weights).map(|(term, weight)| term * weight).sum();
        gain >= self.needed(depth_left)
    }

    /// Returns the logarithm of the gain in pawns that is worth a search.
    fn needed(&self, depth_left: u32) -> f32 {
        let plies = (depth_left.max(1) - 1) as usize;
        self.costs[plies.min(self.costs.len() - 1)] + (self.least / 100.0).ln()
    }

    /// Returns whether a quiet move that neither escapes nor gives check can be worth its search.
    fn tries_quiet_moves(&self, depth_left: u32) -> bool {
        let [exchange_loss, near, late, lead] =
            [1, 6, 8, 9].map(|index| self.weights[GainTerms::OF_DEED * DEEDS + index]);
        // Otherwise these terms only lower the sum: the first is negative.
        let may_rise = exchange_loss < 0.0 || near > 0.0 || late > 0.0 || lead > 0.0;
        let constant = |deed: Deed| {
            let mut terms = [0.0; GainTerms::COUNT];
            set_deed(&mut terms, deed, depth_left);
            GainTerms(terms)
        };
        let is_worth = |deed| self.is_worth(&constant(deed), depth_left);
        may_rise || is_worth(Deed::King) || is_worth(Deed::Other)
    }
}

impl Default for ByGain {
    fn default() -> Self {
        Self::FITTED
    }
}

impl QuiescencePolicy for ByGain {
    fn classes(&self, node: &QuiescenceNode<'_>) -> QuiescenceClasses {
        use QuiescenceClasses as Class;
        if self.tries_quiet_moves(node.depth_left) {
            Class::ALL
        } else {
            Class::CAPTURE | Class::PROMOTE | Class::CHECK | Class::ESCAPE
        }
    }

    fn select(&self, node: &QuiescenceNode<'_>, moves: MoveList) -> MoveList {
        if moves.is_empty() {
            return moves;
        }
        let common = GainNode::new(node);
        let mut chosen = MoveList::new();
        for m in moves {
            if self.is_worth(&common.terms(m), node.depth_left) {
                chosen.push(m);
            }
        }
        chosen
    }
}
