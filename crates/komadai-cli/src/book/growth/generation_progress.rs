//! The progress of a generation of games.

use komadai::book::GrowEvent;
use komadai::book::arena::MatchReport;
use komadai::book::games::{GameOutcome, WinDrawLoss};
use komadai::book::generation::GenerationEvent;
use komadai_console::{Progress, grow_notes};

/// Shows the progress of a generation.
pub(crate) struct GenerationProgress {
    games: u32,
    is_quiet: bool,
    results: WinDrawLoss,
    progress: Option<Progress>,
}

impl GenerationProgress {
    /// Starts to follow a generation of `games` games.
    pub(crate) fn new(games: u32, is_quiet: bool) -> Self {
        Self { games, is_quiet, results: WinDrawLoss::default(), progress: None }
    }

    /// Handles an event of the generation.
    pub(crate) fn on_event(&mut self, event: GenerationEvent<'_>) {
        match event {
            GenerationEvent::Started { generation, stored } => {
                let left = self.games.saturating_sub(stored);
                self.start_stage(&format!("generation {generation}"), left as usize);
                if stored > 0 {
                    self.print(&format!(
                        "generation {generation}: {stored} games are already stored"
                    ));
                }
            }
            GenerationEvent::Match(MatchReport::Played(game)) => {
                self.results.add(GameOutcome::of(game));
                let results = self.results;
                if let Some(progress) = &mut self.progress {
                    progress.tick(|| results.to_string());
                }
            }
            GenerationEvent::Match(MatchReport::Faulty(faulty)) => {
                let (game, detail) = (&faulty.game, &faulty.detail);
                self.print(&format!("warning: {}: {}: {detail}", game.opponent, game.ending));
            }
            GenerationEvent::Match(MatchReport::Gone { opponent, reason }) => {
                self.print(&format!("warning: {opponent} has left the match: {reason}"));
            }
            GenerationEvent::Extending { positions } => self.start_stage("extending", positions),
            GenerationEvent::Growing(GrowEvent::Analysed { .. }) => {
                if let Some(progress) = &mut self.progress {
                    progress.tick(String::new);
                }
            }
            GenerationEvent::Growing(event) => {
                grow_notes(&event).iter().for_each(|note| self.print(note));
            }
            _ => {}
        }
    }

    /// Ends the progress.
    pub(crate) fn finish(mut self) {
        if let Some(progress) = self.progress.take() {
            progress.finish();
        }
    }

    fn start_stage(&mut self, label: &str, total: usize) {
        if let Some(progress) = self.progress.replace(Progress::new(label, total, self.is_quiet)) {
            progress.finish();
        }
    }

    fn print(&self, text: &str) {
        if let Some(progress) = &self.progress {
            progress.print(text);
        }
    }
}
