//! Searches of one position by one or several threads.

use komadai_core::Position;
use komadai_movegen::CheckClass;

use crate::game::Tsume;
use crate::memory::{Memory, Workspace};
use crate::meter::{MateProgress, Meter, Team};
use crate::plies::Plies;
use crate::search::{Outcome, Search};

/// The means of a search.
#[derive(Debug)]
pub(crate) struct Prover<'a, 'b> {
    pub(crate) memory: &'a Memory,
    /// One a thread, at least one.
    pub(crate) works: &'a mut [Workspace],
    pub(crate) meter: &'a mut Meter<'b>,
    pub(crate) checks: CheckClass,
}

/// Number of nodes that one thread visits before others join it. A smaller search ends before
/// threads would have started.
const NODES_ALONE: u64 = 10_000;

impl Prover<'_, '_> {
    /// Proves or disproves a mate within `limit` plies. Gives up at the end of the budget.
    pub(crate) fn prove(&mut self, position: &mut Position, limit: Plies) -> Outcome {
        let alone = match self.works {
            [] | [_] => u64::MAX,
            _ => self.meter.nodes().saturating_add(NODES_ALONE),
        };
        match self.prove_up_to(position, limit, alone) {
            Outcome::Spent if self.works.len() > 1 && !self.meter.is_spent() => {
                self.prove_together(position, limit)
            }
            outcome => outcome,
        }
    }

    /// Proves or disproves with one thread. Gives up as soon as the number of nodes has reached
    /// `most_nodes`.
    pub(crate) fn prove_up_to(
        &mut self,
        position: &mut Position,
        limit: Plies,
        most_nodes: u64,
    ) -> Outcome {
        let Some(work) = self.works.first_mut() else { return Outcome::Spent };
        let game = Tsume::new(position, self.checks);
        if let Some(known) = Search::new(self.memory, work, self.meter, game).known(limit) {
            return known;
        }
        let game = Tsume::new(position, self.checks);
        Search::new(self.memory, work, self.meter, game).run_up_to(limit, most_nodes)
    }

    /// Proves or disproves with all threads, the first of which has the result of all.
    fn prove_together(&mut self, position: &Position, limit: Plies) -> Outcome {
        let &mut Self { memory, ref mut works, ref mut meter, checks } = self;
        let team = &Team::after(meter.nodes());
        let search = |work: &mut Workspace, meter: &mut Meter<'_>| {
            let mut position = position.clone();
            let game = Tsume::new(&mut position, checks);
            let outcome = Search::new(memory, work, meter, game).shared().run_without_lookup(limit);
            if outcome != Outcome::Spent {
                team.end();
            }
            outcome
        };
        let Some((own, others)) = works.split_first_mut() else { return Outcome::Spent };
        let outcomes = std::thread::scope(|scope| {
            let helpers: Vec<_> = others
                .iter_mut()
                .filter_map(|work| {
                    let budget = meter.budget();
                    let helper = move || {
                        let silence = &mut |_: &MateProgress| {};
                        let mut meter = Meter::of_team(budget, team, silence);
                        let outcome = search(work, &mut meter);
                        meter.tell_team();
                        outcome
                    };
                    // Where the system has no more threads, or none at all, those that exist search
                    // on.
                    std::thread::Builder::new().spawn_scoped(scope, helper).ok()
                })
                .collect();
            let own = meter.with_team(team, |meter| search(own, meter));
            let others = helpers.into_iter().map(|helper| match helper.join() {
                Ok(outcome) => outcome,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            std::iter::once(own).chain(others).collect::<Vec<_>>()
        });
        meter.note_team(team);
        outcomes.into_iter().find(|outcome| *outcome != Outcome::Spent).unwrap_or(Outcome::Spent)
    }
}
