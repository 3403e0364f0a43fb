//! The making of a player from its settings, and its changes to other ones.

use std::path::Path;
use std::sync::Arc;

use komadai_core::SplitMix64;
use komadai_search::{SearchOptions, TesujiTable};

use super::mate_plan::MatePlan;
use super::pondered_depths::PonderedDepths;
use super::resources::add_refusal;
use super::{Player, PlayerError};
use crate::evaluation::LoadedEvaluation;
use crate::machine::{affordable_hash_mib, usable_threads};
use crate::opening_book::OpeningBook;
use crate::parts::Parts;
use crate::search_mode::SearcherKind;
use crate::settings::Settings;
use crate::tesuji_file::{TesujiError, read_tesuji};

impl Player {
    /// Returns a player with these settings and the [parts](Parts) of the embedded player.
    ///
    /// # Errors
    ///
    /// If book, evaluation or a table of tesuji cannot be read, or a setting contradicts the preset.
    pub fn new(settings: Settings) -> Result<Self, PlayerError> {
        Self::with_parts(Parts::default(), settings)
    }

    /// Returns a player with these parts and settings.
    ///
    /// # Errors
    ///
    /// If book, evaluation or a table of tesuji cannot be read, or a setting contradicts the preset.
    pub fn with_parts(parts: Parts, settings: Settings) -> Result<Self, PlayerError> {
        let mut player = Self::despite_book(parts, settings)?;
        player.book_fault.take().map_or(Ok(player), |fault| Err(fault.into()))
    }

    /// Returns a player with these parts and settings. If the book cannot be read, the player has
    /// none, and [`book_fault`](Self::book_fault) is the reason: without its book a player is as
    /// strong as before, while with another evaluation it would be a different one.
    pub(crate) fn despite_book(parts: Parts, settings: Settings) -> Result<Self, PlayerError> {
        let settings = settings.with_preset()?;
        let mut evaluation = LoadedEvaluation::default();
        if parts.has_evaluations {
            evaluation =
                evaluation.renewed(settings.evaluation_source(), settings.eval_reading())?;
        }
        let tesuji = read_tesuji_of(&settings)?;
        let mut player = Self::without_book(parts, settings, evaluation, tesuji);
        player.load_books();
        Ok(player)
    }

    fn without_book(
        parts: Parts,
        settings: Settings,
        evaluation: LoadedEvaluation,
        tesuji: Option<Arc<TesujiTable>>,
    ) -> Self {
        let mut shortage = Vec::new();
        let hash_mib = affordable_hash_mib("USI_Hash", settings.hash_mib, 0, &mut shortage);
        let threads = usable_threads(settings.threads, &mut shortage);
        let options = settings.search_options(hash_mib, threads);
        let kind = settings.searcher_kind(&evaluation.evaluation, tesuji.as_ref());
        let searcher = parts.searcher(&kind, options.clone());
        let mate_mib = affordable_hash_mib("MateHash", settings.mate_hash_mib, 0, &mut shortage);
        add_refusal(&*searcher, &options, &mut shortage);
        let solver = parts.solver(&settings.solver_options(mate_mib));
        let random = SplitMix64::new(settings.seed);
        Self {
            parts,
            settings,
            evaluation,
            tesuji,
            searcher,
            kind,
            options,
            solver,
            plan: MatePlan::default(),
            pondered: PonderedDepths::default(),
            own_nodes: 0,
            lends_memory: false,
            books: Vec::new(),
            book_fault: None,
            random,
            is_fresh: true,
            shortage,
        }
    }

    /// Changes the settings. Parts whose settings stay the same keep what they have learned. The
    /// file of the evaluation is read again if it has changed.
    ///
    /// # Errors
    ///
    /// If the evaluation or a table of tesuji cannot be read, or a setting contradicts the preset.
    /// Nothing has changed then: the player keeps its old evaluation and all its settings. If the
    /// book cannot be read. The player then has no book; the other settings are in force.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), PlayerError> {
        self.set_settings_despite_book(settings)?;
        self.book_fault.take().map_or(Ok(()), |fault| Err(fault.into()))
    }

    /// Changes the settings as [`set_settings`](Self::set_settings) does, but an error of the book
    /// becomes the [`book_fault`](Self::book_fault).
    pub(crate) fn set_settings_despite_book(
        &mut self,
        settings: Settings,
    ) -> Result<(), PlayerError> {
        let settings = settings.with_preset()?;
        let tesuji = read_tesuji_of(&settings)?;
        if self.parts.has_evaluations {
            let source = settings.evaluation_source();
            self.evaluation = self.evaluation.renewed(source, settings.eval_reading())?;
        }
        self.tesuji = tesuji;
        self.set_other_settings(settings);
        Ok(())
    }

    /// Changes the settings, which have the evaluation and the tesuji of the present ones. Their
    /// files are not looked at. An error of the book becomes the [`book_fault`](Self::book_fault).
    pub(crate) fn set_other_settings(&mut self, settings: Settings) {
        self.take_memory_back();
        self.shortage.clear();
        let in_use = self.searcher.state().memory_mib;
        let resized = settings.hash_mib != self.settings.hash_mib;
        let hash_mib = match resized {
            true => affordable_hash_mib("USI_Hash", settings.hash_mib, in_use, &mut self.shortage),
            false => self.options.hash_mib,
        };
        let threads = match settings.threads != self.settings.threads {
            true => usable_threads(settings.threads, &mut self.shortage),
            false => self.options.threads,
        };
        let kind = settings.searcher_kind(&self.evaluation.evaluation, self.tesuji.as_ref());
        self.set_searcher(kind, settings.search_options(hash_mib, threads));
        if resized {
            add_refusal(&*self.searcher, &self.options, &mut self.shortage);
        }
        let mate_mib = settings.mate_hash_mib;
        if (mate_mib, settings.shortest_mate)
            != (self.settings.mate_hash_mib, self.settings.shortest_mate)
        {
            let in_use = self.solver.memory_bytes() >> 20;
            let mib = affordable_hash_mib("MateHash", mate_mib, in_use, &mut self.shortage);
            self.solver = self.parts.solver(&settings.solver_options(mib));
        }
        if settings.seed != self.settings.seed {
            self.random = SplitMix64::new(settings.seed);
        }
        let paths: Vec<&Path> = self.books.iter().map(OpeningBook::path).collect();
        let has_books = paths == settings.book_paths()
            && self.books.iter().all(|book| book.reading() == settings.book_reading);
        self.settings = settings;
        let had_fault = self.book_fault.take().is_some();
        if !has_books || had_fault {
            // The old books are closed before the new ones are read: they may not fit into memory
            // together.
            self.books.clear();
            self.load_books();
        }
    }

    /// Hands the options to the searcher, or makes another one if its kind changes.
    fn set_searcher(&mut self, kind: SearcherKind, options: SearchOptions) {
        self.options = options.clone();
        let is_heeded = self.parts.has_kinds || self.parts.has_evaluations;
        if kind == self.kind || !is_heeded {
            self.searcher.set_options(options);
            return;
        }
        // The old searcher returns its memory first: both may not fit.
        self.searcher.set_options(SearchOptions { hash_mib: 1, ..options.clone() });
        self.searcher = self.parts.searcher(&kind, options);
        (self.kind, self.is_fresh) = (kind, true);
    }
}

/// Reads the table of tesuji that the settings name, if they do.
fn read_tesuji_of(settings: &Settings) -> Result<Option<Arc<TesujiTable>>, TesujiError> {
    let table = settings.tesuji_path().map(|path| read_tesuji(&path)).transpose()?;
    Ok(table.map(Arc::new))
}
