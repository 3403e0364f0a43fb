//! Moves of nodes of quiescence searches, with what they gain and what their search costs.

use std::sync::{Arc, Mutex, PoisonError};

use komadai::core::SplitMix64;
use komadai::movegen::{MoveClass, MoveList, generate_class};
use komadai::prelude::*;
use komadai::search::{
    ByGain, GainNode, GainTerms, QuiescenceClasses, QuiescenceNode, QuiescencePolicy,
};
use rayon::prelude::*;

use crate::quiescence_positions::{searcher, selected};

/// The largest gain that counts, in pawns: a mate is no more than the second largest piece.
const LARGEST: f64 = 6.0;

/// A move of a node.
pub(super) struct Sample {
    terms: GainTerms,
    /// In pawns.
    gain: f64,
    /// Plies left after the move.
    plies: usize,
    /// The nodes of its search.
    nodes: u64,
}

impl Sample {
    pub(super) fn row(&self) -> (Vec<f64>, f64) {
        (self.terms.to_array().map(f64::from).to_vec(), self.gain)
    }
}

/// Returns the mean logarithms of the nodes by the plies left.
pub(super) fn costs(samples: &[Sample]) -> [f32; 5] {
    let mut costs = [0.0; 5];
    for plies in 0..costs.len() {
        let of_plies = samples.iter().filter(|sample| sample.plies == plies);
        let (count, sum) = of_plies
            .fold((0, 0.0), |(count, sum), sample| (count + 1, sum + (sample.nodes as f64).ln()));
        // Beyond the depth of the searches the costs do not grow: nothing is known of them.
        costs[plies] = if count > 0 { (sum / f64::from(count)) as f32 } else { costs[plies - 1] };
    }
    costs
}

/// A node of a search, without its moves.
#[derive(Debug, Clone)]
struct Visited {
    position: Position,
    static_score: Score,
    alpha: Score,
    beta: Score,
    depth_left: u32,
    plies: u32,
}

/// A policy of fixed classes that keeps some of its nodes.
#[derive(Debug)]
struct Recorder {
    share: f64,
    random: Mutex<SplitMix64>,
    nodes: Arc<Mutex<Vec<Visited>>>,
}

impl QuiescencePolicy for Recorder {
    fn classes(&self, node: &QuiescenceNode<'_>) -> QuiescenceClasses {
        let mut random = self.random.lock().unwrap_or_else(PoisonError::into_inner);
        if node.plies == 0 || (random.below(1_000) as f64) < 1_000.0 * self.share {
            let QuiescenceNode { static_score, alpha, beta, depth_left, plies, .. } = *node;
            let position = node.position.clone();
            let visited = Visited { position, static_score, alpha, beta, depth_left, plies };
            self.nodes.lock().unwrap_or_else(PoisonError::into_inner).push(visited);
        }
        // Sets with much of what a good policy tries, so that its nodes are among those judged.
        QuiescenceClasses::SKEP | QuiescenceClasses::THREATMATE
    }
}

/// Searches the positions and judges all moves of some of the nodes.
pub(super) fn collect(positions: &[Position], depth: u32, share: f64) -> Vec<Sample> {
    let judge = |(number, position): (u64, &Position)| {
        let nodes = Arc::new(Mutex::new(Vec::new()));
        let random = Mutex::new(SplitMix64::new(number));
        let recorder = Recorder { share, random, nodes: Arc::clone(&nodes) };
        searcher(selected(recorder, depth)).quiescence(position);
        let nodes = std::mem::take(&mut *nodes.lock().unwrap_or_else(PoisonError::into_inner));
        nodes.into_iter().flat_map(Visited::samples).collect::<Vec<_>>()
    };
    let numbered: Vec<(u64, &Position)> = (0..).zip(positions).collect();
    numbered.into_par_iter().flat_map_iter(judge).collect()
}

impl Visited {
    /// Judges all moves by searches of all moves.
    fn samples(mut self) -> Vec<Sample> {
        let plies = self.depth_left - 1;
        let mut judge = searcher(selected(QuiescenceClasses::ALL, plies));
        let cheap =
            QuiescenceClasses::CAPTURE | QuiescenceClasses::PROMOTE | QuiescenceClasses::THREATMATE;
        let mut cost = searcher(selected(cheap, plies));
        let mut moves = MoveList::new();
        generate_class(&self.position, MoveClass::ALL | MoveClass::USEFUL, &mut moves);
        let mut judged = Vec::new();
        for m in moves {
            self.position.do_move(m);
            let score = judge.quiescence(&self.position).score().unwrap_or(-Score::INFINITE);
            let nodes = cost.quiescence(&self.position).nodes;
            self.position.undo_move();
            judged.push((m, -score, nodes));
        }
        let stand = self.static_score.max(self.alpha);
        let wins =
            |m: Move| self.position.piece_on(m.to()).is_some() && self.position.see_at_least(m, 1);
        let captures = judged.iter().filter(|(m, ..)| wins(*m)).map(|&(_, score, _)| score);
        let after_captures = captures.fold(stand, Score::max);
        let node = QuiescenceNode {
            position: &self.position,
            static_score: self.static_score,
            alpha: self.alpha,
            beta: self.beta,
            depth_left: self.depth_left,
            plies: self.plies,
            threatmate_log_odds: f32::NEG_INFINITY,
        };
        let common = GainNode::new(&node);
        let sample = |&(m, score, nodes): &(Move, Score, u64)| {
            let without = if wins(m) { stand } else { after_captures };
            let gain = f64::from(score.raw() - without.raw()) / 100.0;
            let terms = common.terms(m);
            Sample { terms, gain: gain.clamp(0.0, LARGEST), plies: plies as usize, nodes }
        };
        judged.iter().map(sample).collect()
    }
}

/// Returns the policy with another least gain.
pub(super) fn with_least(policy: &ByGain, least: f32) -> ByGain {
    ByGain { least, ..*policy }
}
