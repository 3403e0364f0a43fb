//! The search of a player, and the parts of an answer that it shares with book and mates.

use std::collections::HashMap;

use komadai_core::{Analysis, Move, Position};
use komadai_movegen::{DeclarationReport, MoveGen};
use komadai_search::{SearchOptions, SearchRequest, Searcher};
use komadai_usi::BestMove;

use super::pondered_depths::PonderedDepths;
use crate::request::{Choice, MoveRequest, MoveSource};
use crate::settings::Settings;

/// The searcher of a player with its options.
pub(super) struct MainSearch<'a> {
    pub(super) settings: &'a Settings,
    pub(super) searcher: &'a mut dyn Searcher,
    pub(super) pondered: &'a PonderedDepths,
    pub(super) options: &'a mut SearchOptions,
}

impl MainSearch<'_> {
    pub(super) fn choose(
        &mut self,
        request: &MoveRequest<'_>,
        among: &[Move],
        progress: &mut dyn FnMut(&Analysis),
    ) -> Choice {
        let MoveRequest { position, budget, .. } = request;
        self.set_draw_value(draw_value(self.settings, request));
        let mut lines = ReportedLines::default();
        let mut watch = |analysis: &Analysis| {
            lines.add(analysis);
            progress(analysis);
        };
        let among = (!among.is_empty()).then_some(among);
        let first_depth = self.pondered.first_depth(position);
        let request = SearchRequest { position, among, budget, first_depth };
        let mut analysis = self.searcher.run(&request, &mut watch);
        if let Some(line) = analysis.lines.first_mut()
            && let &[best] = &line.pv[..]
        {
            // The limit has ended the search just after this move had failed high.
            let reply = self.searcher.expected_reply(position, best);
            line.pv.extend(reply.or_else(|| lines.reply_to(position, best)));
        }
        let best = match (analysis.lines.first(), analysis.best_move()) {
            (Some(line), _) if line.score.raw() <= -self.settings.resign_value => BestMove::Resign,
            (Some(line), Some(best)) => {
                BestMove::Move { best, ponder: reply(self.settings, line.pv.get(1).copied()) }
            }
            // A line without a move is that of a declaration.
            _ => declare(&position.declaration(self.settings.declaration)),
        };
        Choice { best, analysis, source: MoveSource::Search }
    }

    /// Sets the value of a draw. The searcher keeps what it has learned.
    fn set_draw_value(&mut self, draw_value: i32) {
        if self.options.draw_value != draw_value {
            self.options.draw_value = draw_value;
            self.searcher.set_options(self.options.clone());
        }
    }
}

/// The last reported replies, by the moves that they answer.
#[derive(Debug, Default)]
struct ReportedLines(HashMap<Move, Move>);

impl ReportedLines {
    fn add(&mut self, analysis: &Analysis) {
        for line in &analysis.lines {
            if let &[first, reply, ..] = &line.pv[..] {
                self.0.insert(first, reply);
            }
        }
    }

    fn reply_to(&self, position: &Position, m: Move) -> Option<Move> {
        self.0.get(&m).copied().filter(|&reply| position.after(m).is_legal(reply))
    }
}

/// Returns the value of a draw for the side to move, in centipawns.
pub(super) fn draw_value(settings: &Settings, request: &MoveRequest<'_>) -> i32 {
    let by_settings = || settings.draw.value(request.position.side(), None);
    request.draw_value.unwrap_or_else(by_settings)
}

/// Returns the reply to ponder on, if the settings ask for one.
pub(super) fn reply(settings: &Settings, reply: Option<Move>) -> Option<Move> {
    reply.filter(|_| settings.ponders)
}

/// Returns the answer that claims a win: a move under the try rule, otherwise the declaration.
pub(super) fn declare(declaration: &DeclarationReport) -> BestMove {
    match declaration.try_move {
        Some(best) => BestMove::Move { best, ponder: None },
        None if declaration.wins() => BestMove::Win,
        None => BestMove::Resign,
    }
}
