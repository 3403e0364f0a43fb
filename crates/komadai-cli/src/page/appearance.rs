//! The appearance of pages and graphs about games.

use clap::{Args, ValueEnum};
use komadai::core::Language;
use komadai::kifu::{Notation, Record};
use komadai::report::{EvaluationGraph, GamePage, game_points};

use crate::board::Style;

/// The options of pages and graphs about games.
#[derive(Debug, Args)]
pub(crate) struct Appearance {
    /// Language of page and graph.
    #[arg(long, value_enum, default_value_t = Lang::En)]
    lang: Lang,
    /// Notation of moves: usi, japanese (▲７六歩), kif (▲７六歩(77)), hodges (P-7f) or hosking (P76). By
    /// default japanese on Japanese pages, else hodges.
    #[arg(long)]
    notation: Option<Notation>,
    /// Characters on the pieces; by default kanji on Japanese pages, else letters.
    #[arg(long, value_enum)]
    style: Option<Style>,
    /// Heading in place of the names of the players.
    #[arg(long)]
    title: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Lang {
    /// English.
    En,
    /// Japanese.
    Ja,
}

impl Appearance {
    /// Returns the page about a game.
    pub(crate) fn page<'r>(&self, record: &'r Record) -> GamePage<'r> {
        let mut page = GamePage::new(record).language(self.language()).notation(self.notation());
        if let Some(style) = self.style {
            page = page.pieces(style.pieces());
        }
        match &self.title {
            Some(title) => page.title(title),
            None => page,
        }
    }

    /// Returns the graph of the evaluations in the comments of a game.
    pub(crate) fn graph(&self, record: &Record) -> EvaluationGraph {
        let graph = EvaluationGraph::new(game_points(record, self.notation()));
        let graph = graph.language(self.language());
        match &self.title {
            Some(title) => graph.title(title),
            None => graph,
        }
    }

    fn language(&self) -> Language {
        match self.lang {
            Lang::En => Language::English,
            Lang::Ja => Language::Japanese,
        }
    }

    /// Returns the notation of moves.
    pub(crate) fn notation(&self) -> Notation {
        self.notation.unwrap_or(match self.lang {
            Lang::En => Notation::Hodges,
            Lang::Ja => Notation::Japanese,
        })
    }
}
