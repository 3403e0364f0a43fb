//! The numbers of positions that the frontier rules of a growing book select, and the effect of a
//! new engine.
//!
//! Source: やねうらお, 新ペタショック定跡の定跡生成アルゴリズムについて, 2025.

mod book;
mod options;
mod measure;
mod grown;
mod page;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub use crate::frontier::measure::{Count, EVAL_DIFFS, PlyCounts, Rule, RuleCounts, Study};
pub use crate::frontier::options::FrontierStudyOptions;
pub(crate) use crate::frontier::page::{NAME, page};

use crate::findings::Findings;
use crate::frontier::book::{Book, graph_of};

impl FrontierStudyOptions {
    /// Counts the positions of all books. `command` is the one that the page names.
    ///
    /// # Errors
    ///
    /// If a book cannot be read or grown, and if `stop` ended the study.
    pub fn measure(&self, command: &str, stop: &Arc<AtomicBool>) -> anyhow::Result<Findings> {
        let books = if self.books.is_empty() {
            grown::books(self, stop)?
        } else {
            let book = |path: &PathBuf| {
                Ok(Book { study: Study::of_file(path, self.eval_diff)?, refreshed: None })
            };
            self.books.iter().map(book).collect::<anyhow::Result<_>>()?
        };
        Ok(page::findings(&books, self, command))
    }
}

impl Study {
    /// Counts the positions of a book in YaneuraOu's format.
    ///
    /// # Errors
    ///
    /// If the book cannot be read.
    pub fn of_file(path: &Path, eval_diff: i32) -> anyhow::Result<Self> {
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned());
        Ok(Self::of(&name.unwrap_or_default(), &graph_of(path)?, eval_diff))
    }
}
