//! The books of a player and the choice of a move from them.

use komadai_core::Score;
use komadai_usi::BestMove;

use super::Player;
use super::main_search::{draw_value, reply};
use crate::opening_book::{OpeningBook, OpeningBookError};
use crate::request::{Choice, MoveRequest, MoveSource};

impl Player {
    /// The books, in the order in which they are asked.
    pub fn books(&self) -> &[OpeningBook] {
        &self.books
    }

    /// The first error of a book since the settings were set. A file that is probed on disk may
    /// turn out to be damaged or out of order, also when it is read again for new settings. After
    /// an error a book is not used any more.
    pub fn book_fault(&self) -> Option<&OpeningBookError> {
        self.book_fault.as_ref()
    }

    pub(super) fn load_books(&mut self) {
        for path in self.settings.book_paths() {
            match OpeningBook::open_with(self.parts.open_book, &path, self.settings.book_reading) {
                Ok(book) => self.books.push(book),
                Err(fault) => {
                    self.book_fault.get_or_insert(fault);
                }
            }
        }
    }

    pub(super) fn book_choice(&mut self, request: &MoveRequest<'_>) -> Option<Choice> {
        let draw = Score::cp(draw_value(&self.settings, request));
        let policy = &self.settings.book_policy;
        let mut found = None;
        let (random, fault) = (&mut self.random, &mut self.book_fault);
        self.books.retain(|book| {
            if found.is_none() {
                match book.choose(request.position, policy, draw, random) {
                    Ok(chosen) => found = chosen,
                    Err(error) => {
                        fault.get_or_insert(error);
                        return false;
                    }
                }
            }
            true
        });
        let found = found?;
        let best = BestMove::Move { best: found.m, ponder: reply(&self.settings, found.ponder) };
        let source = MoveSource::Book { choices: found.choices };
        Some(Choice { best, analysis: found.analysis, source })
    }
}
