//! What is told of a generation while it goes on.

use komadai::book::GrowEvent;
use komadai::book::arena::MatchReport;
use komadai::book::games::{GameOutcome, WinDrawLoss};
use komadai::book::generation::GenerationEvent;

use crate::progress::Progress;

/// Follows a generation.
pub(crate) struct MatchTold {
    games: u32,
    is_quiet: bool,
    results: WinDrawLoss,
    progress: Option<Progress>,
}

impl MatchTold {
    pub(crate) fn new(games: u32, is_quiet: bool) -> Self {
        Self { games, is_quiet, results: WinDrawLoss::default(), progress: None }
    }

    pub(crate) fn hear(&mut self, event: GenerationEvent<'_>) {
        match event {
            GenerationEvent::Begins { generation, stored } => {
                let left = self.games.saturating_sub(stored);
                self.begin(&format!("generation {generation}"), left as usize);
                if stored > 0 {
                    self.say(&format!(
                        "generation {generation}: {stored} games are stored already"
                    ));
                }
            }
            GenerationEvent::Heard(MatchReport::Played(game)) => {
                self.results.add(GameOutcome::of(game));
                let results = self.results;
                if let Some(progress) = &mut self.progress {
                    progress.tick(|| results.to_string());
                }
            }
            GenerationEvent::Heard(MatchReport::Faulty(faulty)) => {
                let (game, detail) = (&faulty.game, &faulty.detail);
                self.say(&format!("warning: {}: {}: {detail}", game.opponent, game.ending));
            }
            GenerationEvent::Heard(MatchReport::Gone { opponent, reason }) => {
                self.say(&format!("warning: {opponent} plays no more: {reason}"));
            }
            GenerationEvent::Extends { positions } => self.begin("extending", positions),
            GenerationEvent::Grows(GrowEvent::Analysed { .. }) => {
                if let Some(progress) = &mut self.progress {
                    progress.tick(String::new);
                }
            }
            GenerationEvent::Grows(GrowEvent::Failed { position, reason }) => {
                self.say(&format!("warning: {position}: {reason}"));
            }
            GenerationEvent::Grows(GrowEvent::Dismissed { analyst, reason }) => {
                self.say(&format!("warning: analyst {analyst} gets no more work: {reason}"));
            }
            _ => {}
        }
    }

    pub(crate) fn finish(mut self) {
        if let Some(progress) = self.progress.take() {
            progress.finish();
        }
    }

    fn begin(&mut self, label: &str, total: usize) {
        if let Some(progress) = self.progress.replace(Progress::new(label, total, self.is_quiet)) {
            progress.finish();
        }
    }

    fn say(&self, text: &str) {
        if let Some(progress) = &self.progress {
            progress.say(text);
        }
    }
}
