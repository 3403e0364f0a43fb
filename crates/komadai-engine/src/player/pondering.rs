//! Pondering of a player on several replies.

use komadai_base::clock::Instant;
use komadai_core::{Analysis, Budget, Position};

use super::Player;
use crate::multi_ponder::{MultiPonder, RANKING_NODES, Slice};
use crate::request::{Aim, MoveRequest};
use crate::stochastic_ponder::StochasticPonder;

impl Player {
    /// Ponders as the settings ask for, on the caller's thread. The last move of the request's
    /// position is the expected reply.
    pub(crate) fn ponder(&mut self, request: &MoveRequest<'_>) {
        let (several, stochastic) = (self.settings.multi_ponder, self.settings.stochastic_ponder);
        if several > 1 {
            self.ponder_on_several(request, several, &mut |_| {}, &mut |_| {});
            return;
        }
        let before = StochasticPonder::before(request.position).filter(|_| stochastic);
        let Some((_, before)) = before else {
            self.choose(request, &mut |_| {});
            return;
        };
        let mut of_reply = MoveRequest::new(&before, request.budget.clone());
        of_reply.aim = Aim::Analyse;
        of_reply.draw_value = request.draw_value.map(|value| -value);
        self.choose(&of_reply, &mut |_| {});
    }

    /// Ponders on `count` replies. The last move of the request's position is the expected one.
    /// `progress` is called with reports on the position after that one, `on_report` now and
    /// then. `None` if no move has led to the position.
    pub(crate) fn ponder_on_several(
        &mut self,
        request: &MoveRequest<'_>,
        count: usize,
        progress: &mut dyn FnMut(&Analysis),
        on_report: &mut dyn FnMut(&MultiPonder),
    ) -> Option<MultiPonder> {
        let expected = request.position.moves().last().flatten()?;
        let mut before = request.position.clone();
        before.undo_move();
        self.take_memory_back();
        self.pondered.clear();
        let start = Instant::now();
        let ranking = self.rank_replies(&before, request, count);
        let unit = self.searcher.scale();
        let mut ponder = MultiPonder::new(&before, expected, count, &ranking, unit, self.own_nodes);
        let mut search = |slice: Slice<'_>| {
            let mut of_slice = MoveRequest::new(slice.position, slice.budget);
            (of_slice.aim, of_slice.draw_value) = (Aim::Analyse, request.draw_value);
            let choice = self.search_choice(&of_slice, &[], &mut |analysis| {
                // The slice before has reported its last iteration, with which this one begins.
                if let Some((nodes, depth)) = slice.expected
                    && analysis.depth > depth
                {
                    let nodes = analysis.nodes + nodes;
                    progress(&Analysis { nodes, time: start.elapsed(), ..analysis.clone() });
                }
            });
            self.pondered.record(slice.position, choice.analysis.depth);
            choice
        };
        ponder.run(&request.budget, &mut search, on_report);
        Some(ponder)
    }

    /// Values the replies in the position before the expected one by a short search.
    fn rank_replies(
        &mut self,
        before: &Position,
        request: &MoveRequest<'_>,
        count: usize,
    ) -> Analysis {
        // Of a small budget the replies themselves need most.
        let nodes = request.budget.nodes.map_or(RANKING_NODES, |all| RANKING_NODES.min(all / 10));
        let budget = Budget { nodes: Some(nodes), ..request.budget.clone() };
        let mut ranking = MoveRequest::new(before, budget);
        (ranking.aim, ranking.draw_value) = (Aim::Analyse, request.draw_value.map(|value| -value));
        let multi_pv = std::mem::replace(&mut self.options.multi_pv, count);
        self.searcher.set_options(self.options.clone());
        let analysis = self.search_choice(&ranking, &[], &mut |_| {}).analysis;
        self.options.multi_pv = multi_pv;
        self.searcher.set_options(self.options.clone());
        analysis
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::tests::player;

    /// Searches until the iteration of `depth` is finished; returns the depth of the first report
    /// and the number of nodes.
    fn search_to(player: &mut Player, position: &Position, depth: u32) -> (u32, u64) {
        let budget = Budget { depth: Some(depth), ..Budget::unlimited() };
        let request = MoveRequest { aim: Aim::Analyse, ..MoveRequest::new(position, budget) };
        let mut first = None;
        let choice = player.choose(&request, &mut |analysis| {
            first.get_or_insert(analysis.depth);
        });
        (first.expect("an iteration has been finished"), choice.analysis.nodes)
    }

    #[test]
    fn a_search_after_any_of_the_replies_pondered_on_continues_there() {
        let line = "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b";
        let start = Position::hirate();
        let position =
            line.split(' ').fold(start, |position, m| position.after(m.parse().unwrap()));
        let ponder = |player: &mut Player| {
            let request = MoveRequest::new(&position, Budget::nodes(400_000));
            let (mut reports, mut rounds) = (Vec::new(), 0);
            let ponder = player.ponder_on_several(
                &request,
                3,
                &mut |analysis| reports.push((analysis.depth, analysis.nodes)),
                &mut |_| rounds += 1,
            );
            assert!(rounds > 3 && reports.is_sorted(), "{reports:?}");
            ponder.expect("a move has been made")
        };
        let mut first = player(|settings| settings.hash_mib = 16);
        let ponder_first = ponder(&mut first);
        assert_eq!(first.options.multi_pv, 1);
        assert_eq!(ponder_first.replies.len(), 3);
        assert_eq!(ponder_first.replies[0].position, position);
        // A search looks at its budget now and then only.
        assert!((400_000..410_000).contains(&ponder_first.nodes()), "{}", ponder_first.nodes());
        let (mut after, mut alone) = (0, 0);
        for reply in &ponder_first.replies {
            // The iteration that the slices have not finished.
            let depth = reply.depth + 1;
            let mut fresh = player(|settings| settings.hash_mib = 16);
            alone += search_to(&mut fresh, &reply.position, depth).1;
            let mut pondered = player(|settings| settings.hash_mib = 16);
            assert_eq!(ponder(&mut pondered).nodes(), ponder_first.nodes(), "it is repeatable");
            let (begin, nodes) = search_to(&mut pondered, &reply.position, depth);
            assert_eq!(begin, reply.depth);
            after += nodes;
            // What has been pondered on counts for the next move only.
            let mut late = player(|settings| settings.hash_mib = 16);
            ponder(&mut late);
            search_to(&mut late, &Position::hirate(), 1);
            assert_eq!(search_to(&mut late, &reply.position, depth).0, 1);
        }
        let text = format!("{after} nodes after pondering, {alone} alone");
        assert!(2 * after < alone, "{text}");
        assert!(
            first
                .ponder_on_several(
                    &MoveRequest::new(&Position::hirate(), Budget::nodes(1)),
                    3,
                    &mut |_| {},
                    &mut |_| {},
                )
                .is_none()
        );
    }
}
