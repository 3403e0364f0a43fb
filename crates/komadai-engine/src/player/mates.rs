//! The player's mates: those of `go mate`, and those that are played out.

use std::time::Duration;

use komadai_base::clock::Instant;
use komadai_core::{Budget, Move, Position};
use komadai_movegen::{CheckClass, MateReport, MateSolver, MoveGen as _};
use komadai_search::{SearchOptions, Searcher};
use komadai_usi::BestMove;

use super::Player;
use super::main_search::reply;
use super::mate_lines::{MateLines, MatesFound};
use super::mate_plan::Known;
use crate::machine::affordable_hash_mib;
use crate::mate_search::MateSearchResult;
use crate::request::{Choice, MoveRequest, MoveSource, mate_analysis};

/// The least time until the deadline of a search for mates with which the memory of the searcher is
/// lent to the solver. Giving gigabytes back to the system takes a while.
const LEAST_TIME_TO_LEND: Duration = Duration::from_secs(1);

impl Player {
    /// Searches for a forced mate.
    ///
    /// As long as the player is asked for nothing else since it was made or since
    /// [`new_game`](Self::new_game), the solver has as much memory as the searcher would have
    /// (`USI_Hash`), if that is more than its own, and the searcher has none.
    pub fn find_mate(&mut self, position: &Position, budget: &Budget) -> MateReport {
        self.prepare_for_mates(budget);
        self.solver.solve(position, budget, CheckClass::All)
    }

    /// Searches for up to `count` moves that mate, and shows `watch` the state of the search now
    /// and then: what is proven about the position, the nodes so far, and the moves to the position
    /// being searched.
    ///
    /// A mate that the rule of repetition prevents, with the game before the position, is not
    /// counted.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Budget, Position};
    /// use komadai_engine::{Player, Settings};
    ///
    /// let mut settings = Settings::default();
    /// (settings.hash_mib, settings.mate_hash_mib) = (1, 1);
    /// let mut player = Player::new(settings)?;
    /// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1")?;
    /// let mates = player.find_mates(&position, &Budget::unlimited(), 3, &mut |_, _| {});
    /// assert_eq!(mates.lines[0].line.to_string(), "G*5b");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_mates(
        &mut self,
        position: &Position,
        budget: &Budget,
        count: usize,
        watch: &mut dyn FnMut(&MateReport, &[Move]),
    ) -> MatesFound {
        self.find_mates_among(position, &[], budget, count, watch)
    }

    /// Searches as [`find_mates`](Self::find_mates) does, but only for mates that begin with one of
    /// the moves `among` (USI `searchmoves`). Illegal moves among them are ignored; without any
    /// other, all moves count.
    pub(crate) fn find_mates_among(
        &mut self,
        position: &Position,
        among: &[Move],
        budget: &Budget,
        count: usize,
        watch: &mut dyn FnMut(&MateReport, &[Move]),
    ) -> MatesFound {
        self.prepare_for_mates(budget);
        let legal = position.legal_moves().into_iter();
        let among: Vec<Move> = legal.filter(|m| among.contains(m)).collect();
        let search = MateLines::new(&mut *self.solver, budget, watch);
        if among.is_empty() {
            search.run(position, count)
        } else {
            search.run_among(position, &among, count)
        }
    }

    /// Prepares a search for mates with this budget, and returns the solver's memory in bytes.
    pub(crate) fn memory_for_mates(&mut self, budget: &Budget) -> usize {
        self.prepare_for_mates(budget);
        self.solver.memory_bytes()
    }

    /// Forgets the mate that is being played out, and lends the memory of an idle searcher to the
    /// solver.
    fn prepare_for_mates(&mut self, budget: &Budget) {
        self.plan.clear();
        let now = Instant::now();
        let is_urgent = budget.deadline.is_some_and(|end| end < now + LEAST_TIME_TO_LEND);
        if self.is_fresh && !self.lends_memory && !is_urgent {
            self.lend_memory();
        }
        self.solver.forget();
    }

    fn lend_memory(&mut self) {
        let mib = self.options.hash_mib;
        if mib <= self.settings.mate_hash_mib {
            return;
        }
        self.searcher.set_options(SearchOptions { hash_mib: 1, ..self.options.clone() });
        let in_use = self.solver.memory_bytes() >> 20;
        let mib = affordable_hash_mib("USI_Hash", mib, in_use, &mut self.shortage);
        self.solver = self.parts.solver(&self.settings.solver_options(mib));
        self.lends_memory = true;
    }

    /// Takes the memory that [`lend_memory`](Self::lend_memory) has given to the solver back for
    /// the searcher.
    pub(super) fn take_memory_back(&mut self) {
        if std::mem::take(&mut self.lends_memory) {
            let mib = self.settings.mate_hash_mib;
            self.solver = self.parts.solver(&self.settings.solver_options(mib));
            self.searcher.set_options(self.options.clone());
        }
    }

    /// Continues the mate of an earlier turn, if there is one.
    pub(super) fn planned_choice(&mut self, request: &MoveRequest<'_>) -> Option<Choice> {
        let position = request.position;
        let Some(known) = self.plan.look_up(position).filter(|_| self.settings.multi_pv <= 1)
        else {
            // What was found in earlier turns would make the choice depend on them.
            self.solver.forget();
            self.plan.clear();
            return None;
        };
        let mut mate_search = self.split().0;
        let mate = match known {
            Known::Mate { line, within } => {
                let first = line.first().copied();
                let is_playable =
                    first.is_some_and(|first| mate_search.is_playable(position, first, within));
                let line = is_playable.then_some(line);
                MateSearchResult { line, is_complete: true, within, ..MateSearchResult::default() }
            }
            Known::Within(within) => mate_search.known(request, within),
        };
        self.mate_choice(position, &mate)
    }

    /// Returns the move of a mate that has been found, and remembers the mate.
    pub(super) fn mate_choice(
        &mut self,
        position: &Position,
        mate: &MateSearchResult,
    ) -> Option<Choice> {
        let line = mate.line.as_ref()?;
        let best = *line.first()?;
        match mate.is_complete {
            true => self.plan.add(position, line, mate.within),
            false => self.plan.add_first(position, best, mate.within),
        }
        let ponder = reply(&self.settings, line.get(1).copied());
        let analysis = mate_analysis(line, mate.within, mate.nodes, mate.time);
        Some(Choice { best: BestMove::Move { best, ponder }, analysis, source: MoveSource::Mate })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::tests::player;
    use crate::settings::Settings;

    #[test]
    fn a_player_asked_only_for_mates_lends_the_memory_of_the_search() {
        let mut player = player(|settings| settings.hash_mib = 8);
        let sizes = |player: &Player| {
            (player.searcher.state().memory_mib, player.solver.memory_bytes().div_ceil(1 << 20))
        };
        let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").expect("a position");
        assert_eq!(sizes(&player), (8, 1));
        let soon = Budget { deadline: Some(Instant::now()), ..Budget::unlimited() };
        player.find_mate(&position, &soon);
        assert_eq!(sizes(&player), (8, 1), "there is no time for it");
        for _ in 0..2 {
            assert!(player.find_mate(&position, &Budget::nodes(1_000)).is_mate());
            assert_eq!(sizes(&player), (1, 8));
        }
        // A search takes its memory back, and keeps it until a new game.
        player.choose(&MoveRequest::new(&Position::hirate(), Budget::nodes(100)), &mut |_| {});
        assert_eq!(sizes(&player), (8, 1));
        player.find_mate(&position, &Budget::nodes(1_000));
        assert_eq!(sizes(&player), (8, 1));
        player.new_game();
        player.find_mate(&position, &Budget::nodes(1_000));
        assert_eq!(sizes(&player), (1, 8));
        // Settings count for the sizes in play.
        let settings = Settings { hash_mib: 4, ..player.settings().clone() };
        player.set_settings(settings).expect("no book can fail");
        assert_eq!(sizes(&player), (4, 1));
    }
}
