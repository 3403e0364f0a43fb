//! Pondering on several replies (`Multi_Ponder`).
//!
//! Ordinary pondering is lost if another reply is played than the expected one. Here the time of
//! the opponent is divided among the likeliest replies, which are searched in turn, slice after
//! slice, all with one transposition table. The search after the actual reply then continues at the
//! depth that its slices have reached, whether that reply was the expected one or another of them.
//!
//! 1. A short search of the position before the reply values the replies (MultiPV). The
//!    probability of each follows from its value (softmax, 60 centipawns). The expected reply, on
//!    which the last own search went deepest, comes first and counts twice: it is played in two of
//!    three cases in games of equals.
//! 2. The next slice is for the reply whose probability, divided by the nodes that its position will
//!    have had at the end of the own next search, is largest. Strength grows with the logarithm of
//!    the nodes, so that this is where a node gains most. As the own search adds nodes to whichever
//!    reply is played, a reply that is much less probable than the expected one waits until that has
//!    had several times as many; before any own search, nodes follow the probabilities.
//! 3. A slice lasts until another reply is as urgent, and at least doubles the nodes of its reply,
//!    because it searches the iteration again in which the last one has ended, with the table.
//!
//! Slices are counted in nodes, so that the same nodes give the same searches; the clock only ends
//! them all.
//!
//! Idea: Seiji Shiba, *Offering an effective method to make opening books on computer shogi*, IPSJ
//! SIG Game Informatics, 2018, which names the method and an earlier talk about it. The choice of
//! the replies and their shares are made here.

use komadai_core::{Analysis, Budget, Line, Move, Position};
use komadai_movegen::MoveGen;
use komadai_usi::BestMove;

use crate::request::Choice;
use crate::stochastic_ponder::any_legal_move;

/// Maximum number of nodes of the search that values the replies.
pub(crate) const RANKING_NODES: u64 = 5_000;

/// Number of nodes of the first slice of a reply.
const FIRST_SLICE: u64 = 5_000;

/// Number of nodes of all slices at the first report; each further one comes at twice as many.
const FIRST_REPORT: u64 = 20_000;

/// Factor of the weight of the expected reply.
const EXPECTED: f64 = 2.0;

/// The difference in centipawns that makes a reply e times less probable.
const TEMPERATURE_CP: f64 = 60.0;

/// A search of the positions after several replies.
#[derive(Debug)]
pub(crate) struct MultiPonder {
    /// The expected reply, then the others, the most probable first.
    pub(crate) replies: Vec<PonderedReply>,
    /// Number of nodes that valued the replies.
    pub(crate) ranking_nodes: u64,
    /// Number of nodes that the own next search will probably have.
    own_nodes: u64,
    /// The answer in the position after the expected reply.
    pub(crate) answer: BestMove,
}

/// A reply and the search of the position after it.
#[derive(Debug)]
pub(crate) struct PonderedReply {
    pub(crate) reply: Move,
    pub(crate) position: Position,
    /// The probability among the replies.
    pub(crate) probability: f64,
    /// Number of nodes of all slices.
    pub(crate) nodes: u64,
    /// The depth that the slices have reached, in plies.
    pub(crate) depth: u32,
    /// True if more nodes lead to nothing.
    is_done: bool,
}

/// A part of the search of one reply.
#[derive(Debug)]
pub(crate) struct Slice<'a> {
    pub(crate) position: &'a Position,
    pub(crate) budget: Budget,
    /// The earlier slices of the same reply, if it is the expected one: its reports fit the
    /// position that the GUI has set.
    pub(crate) expected: Option<(u64, u32)>,
}

impl MultiPonder {
    /// Returns the search of at most `count` replies in the position before them: `expected`, and
    /// the best of `ranking`. `unit` is the size of a centipawn of its scores, `own_nodes` the number
    /// of nodes that the own next search will probably have.
    pub(crate) fn new(
        before: &Position,
        expected: Move,
        count: usize,
        ranking: &Analysis,
        unit: f64,
        own_nodes: u64,
    ) -> Self {
        let mut replies = vec![PonderedReply::new(before, expected, EXPECTED)];
        let best = ranking.lines.first().map_or(0, value);
        for line in &ranking.lines {
            let Some(&reply) = line.pv.first() else { continue };
            if reply != expected && replies.len() < count {
                let weight = (f64::from(value(line) - best) / (unit * TEMPERATURE_CP)).exp();
                replies.push(PonderedReply::new(before, reply, weight));
            }
        }
        let sum: f64 = replies.iter().map(|reply| reply.probability).sum();
        replies.iter_mut().for_each(|reply| reply.probability /= sum);
        let answer = any_legal_move(&replies[0].position);
        Self { replies, ranking_nodes: ranking.nodes, own_nodes, answer }
    }

    /// Searches until the nodes of `budget` are used up, it is stopped, or nothing is left to
    /// search. `on_report` is called now and then and at the end.
    pub(crate) fn run(
        &mut self,
        budget: &Budget,
        search: &mut dyn FnMut(Slice<'_>) -> Choice,
        on_report: &mut dyn FnMut(&Self),
    ) {
        let mut next_report = FIRST_REPORT;
        while !self.is_over(budget)
            && let Some(index) = self.most_urgent()
        {
            let nodes = self.slice_nodes(index);
            self.search_slice(index, budget.clone().less(self.nodes()), nodes, search);
            let searched = self.nodes() - self.ranking_nodes;
            if searched >= next_report || self.is_over(budget) {
                on_report(self);
                next_report = searched.saturating_mul(2);
            }
        }
    }

    /// Returns the reply of which more nodes gain most; of equal ones the first.
    fn most_urgent(&self) -> Option<usize> {
        let open = (0..self.replies.len()).filter(|&index| !self.replies[index].is_done);
        open.reduce(|best, next| {
            let is_more = self.urgency(next) > self.urgency(best);
            if is_more { next } else { best }
        })
    }

    fn urgency(&self, index: usize) -> f64 {
        let reply = &self.replies[index];
        reply.probability / self.own_nodes.saturating_add(reply.nodes).max(1) as f64
    }

    /// Returns the nodes of the next slice of the most urgent reply: at least as many as it has had,
    /// and those after which another one is as urgent.
    fn slice_nodes(&self, index: usize) -> u64 {
        let reply = &self.replies[index];
        let others = (0..self.replies.len()).filter(|&other| other != index);
        let open = others.filter(|&other| !self.replies[other].is_done);
        let next = open.map(|other| self.urgency(other)).fold(0.0, f64::max);
        // The conversion saturates, as where no other reply is open.
        let until_next = (reply.probability / next) as u64;
        let lead = until_next.saturating_sub(self.own_nodes.saturating_add(reply.nodes));
        lead.max(reply.nodes).max(FIRST_SLICE)
    }

    fn search_slice(
        &mut self,
        index: usize,
        rest: Budget,
        nodes: u64,
        search: &mut dyn FnMut(Slice<'_>) -> Choice,
    ) {
        let nodes = rest.nodes.map_or(nodes, |rest| rest.min(nodes));
        let reply = &mut self.replies[index];
        let choice = search(Slice {
            position: &reply.position,
            budget: Budget { nodes: Some(nodes), ..rest },
            expected: (index == 0).then_some((reply.nodes, reply.depth)),
        });
        reply.nodes += choice.analysis.nodes;
        reply.depth = reply.depth.max(choice.analysis.depth);
        reply.is_done = choice.analysis.completed || choice.analysis.nodes == 0;
        if index == 0 {
            self.answer = match choice.best {
                BestMove::Move { best, .. } => BestMove::Move { best, ponder: None },
                other => other,
            };
        }
    }

    /// Returns the number of nodes of all searches.
    pub(crate) fn nodes(&self) -> u64 {
        self.ranking_nodes + self.replies.iter().map(|reply| reply.nodes).sum::<u64>()
    }

    fn is_over(&self, budget: &Budget) -> bool {
        let is_spent = budget.nodes.is_some_and(|nodes| self.nodes() >= nodes);
        is_spent || budget.is_stopped() || self.replies.iter().all(|reply| reply.is_done)
    }

    /// Returns a line of text with the replies, their probabilities and depths.
    pub(crate) fn summary(&self) -> String {
        let text = |reply: &PonderedReply| {
            let PonderedReply { reply, probability, depth, .. } = reply;
            format!("{reply} {:.0}% depth {depth}", 100.0 * probability)
        };
        let replies: Vec<String> = self.replies.iter().map(text).collect();
        format!("multi ponder: {}", replies.join(", "))
    }
}

impl PonderedReply {
    fn new(before: &Position, reply: Move, weight: f64) -> Self {
        let position = before.after(reply);
        let is_done = !position.has_legal_move();
        Self { reply, position, probability: weight, nodes: 0, depth: 0, is_done }
    }
}

fn value(line: &Line) -> i32 {
    line.score.raw()
}

#[cfg(test)]
mod tests {
    use komadai_core::Score;

    use super::*;
    use crate::request::MoveSource;

    fn line(score: i32, pv: &str) -> Line {
        Line::exact(Score::cp(score), pv.parse().expect("moves"))
    }

    fn pondering(expected: &str, count: usize, lines: Vec<Line>, own: u64) -> MultiPonder {
        let before = Position::hirate().after("7g7f".parse().expect("a move"));
        let ranking = Analysis { lines, nodes: 70, ..Analysis::default() };
        MultiPonder::new(&before, expected.parse().expect("a move"), count, &ranking, 1.0, own)
    }

    fn three(own_nodes: u64) -> MultiPonder {
        let lines = vec![line(50, "8c8d 2g2f"), line(50, "3c3d"), line(-10, "4c4d")];
        pondering("3c3d", 3, lines, own_nodes)
    }

    #[test]
    fn the_expected_reply_is_first_and_the_others_follow_by_value() {
        let names = |ponder: &MultiPonder| -> Vec<String> {
            ponder.replies.iter().map(|reply| reply.reply.to_string()).collect()
        };
        let ponder = three(0);
        assert_eq!(names(&ponder), ["3c3d", "8c8d", "4c4d"]);
        let [first, second, third] = &ponder.replies[..] else { panic!("three") };
        assert_eq!(first.probability, 2.0 * second.probability);
        let ratio = third.probability / second.probability;
        assert!((ratio - (-1.0_f64).exp()).abs() < 1e-9, "60 centipawns: {ratio}");
        let sum: f64 = ponder.replies.iter().map(|reply| reply.probability).sum();
        assert!((sum - 1.0).abs() < 1e-9);
        let few = pondering("1c1d", 2, vec![line(50, "8c8d"), line(50, "3c3d")], 0);
        assert_eq!(names(&few), ["1c1d", "8c8d"]);
        assert_eq!(names(&pondering("1c1d", 4, Vec::new(), 0)), ["1c1d"]);
    }

    /// A search that uses its nodes up, or ends after `end` nodes of one position.
    fn fake(slice: &Slice<'_>, end: u64) -> Choice {
        let nodes = slice.budget.nodes.expect("slices have nodes");
        let analysis = Analysis {
            nodes: nodes.min(end),
            depth: nodes.ilog2(),
            completed: nodes > end,
            ..Analysis::default()
        };
        Choice { best: any_legal_move(slice.position), analysis, source: MoveSource::Search }
    }

    #[test]
    fn slices_add_up_to_the_nodes_pondered_and_follow_the_probabilities() {
        for total in [71, 1_000, 20_070, 140_070, 1_000_000] {
            let (mut ponder, mut slices, mut reports) = (three(0), Vec::new(), 0);
            let mut search = |slice: Slice<'_>| {
                slices.push(slice.budget.nodes.expect("slices have nodes"));
                fake(&slice, u64::MAX)
            };
            ponder.run(&Budget::nodes(total), &mut search, &mut |_| reports += 1);
            assert_eq!(70 + slices.iter().sum::<u64>(), total);
            assert_eq!(ponder.nodes(), total);
            assert!(reports > 0 && ponder.replies[0].depth >= ponder.replies[2].depth);
            assert!(slices.len() < 40, "slices grow: {slices:?}");
            if total == 1_000_000 {
                // Each slice doubles the nodes of its reply, so that shares are right within a
                // factor of two.
                for reply in &ponder.replies {
                    let share = reply.nodes as f64 / 1_000_000.0;
                    assert!((0.5..2.0).contains(&(share / reply.probability)), "{reply:?}");
                }
            }
        }
    }

    #[test]
    fn nodes_of_the_own_search_let_the_expected_reply_go_first() {
        let nodes = |own, total| {
            let mut ponder = three(own);
            ponder.run(&Budget::nodes(total), &mut |slice| fake(&slice, u64::MAX), &mut |_| {});
            ponder.replies.iter().map(|reply| reply.nodes).collect::<Vec<_>>()
        };
        // The second reply is half as probable: it waits until the first has had as many nodes as
        // the own search will add to it, in one slice.
        assert_eq!(nodes(100_000, 70_070), [70_000, 0, 0]);
        assert_eq!(three(100_000).slice_nodes(0), 100_000);
        let later = nodes(100_000, 3_000_070);
        assert!(later[0] > later[1] && later[1] > later[2] && later[2] > 0, "{later:?}");
        let ratio = (100_000 + later[0]) as f64 / (100_000 + later[1]) as f64;
        assert!((1.0..4.0).contains(&ratio), "{later:?}");
    }

    #[test]
    fn the_end_of_one_search_leaves_its_nodes_to_the_others() {
        let mut ponder = three(0);
        let second = ponder.replies[1].position.clone();
        let mut search = |slice: Slice<'_>| {
            let end = if *slice.position == second { 100 } else { u64::MAX };
            fake(&slice, end)
        };
        ponder.run(&Budget::nodes(500_000), &mut search, &mut |_| {});
        assert_eq!((ponder.nodes(), ponder.replies[1].nodes), (500_000, 100));
        // Without anything left to search pondering ends before its budget.
        let (mut ponder, mut calls) = (three(0), 0);
        let mut search = |slice: Slice<'_>| {
            calls += 1;
            fake(&slice, 100)
        };
        ponder.run(&Budget::unlimited(), &mut search, &mut |_| {});
        assert_eq!((calls, ponder.nodes()), (3, 370));
        assert!(ponder.replies[0].position.is_legal(match ponder.answer {
            BestMove::Move { best, ponder: None } => best,
            other => panic!("no move but {other}"),
        }));
        let text = ponder.summary();
        assert!(text.starts_with("multi ponder: 3c3d 59% depth "), "{text}");
    }

    #[test]
    fn a_stop_ends_pondering_within_a_round() {
        let mut ponder = three(0);
        let budget = Budget { stop: Some(Default::default()), ..Budget::unlimited() };
        let flag = budget.stop.clone().expect("it has just been set");
        let mut calls = 0;
        let mut search = |slice: Slice<'_>| {
            calls += 1;
            flag.store(calls == 5, std::sync::atomic::Ordering::Relaxed);
            fake(&slice, u64::MAX)
        };
        ponder.run(&budget, &mut search, &mut |_| {});
        assert_eq!(calls, 5);
    }
}
