//! Pictures in words.

use core::fmt;

use super::board::SvgBoard;
use crate::text::Escaped;

/// The content of a picture in words, for screen readers.
pub(super) struct Description<'a>(pub(super) &'a SvgBoard);

impl fmt::Display for Description<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = self.0;
        if let Some(text) = &board.description {
            return write!(f, "{}", Escaped(text));
        }
        let setup = &board.setup;
        write!(f, "{:?} to move, move {}. SFEN: {setup}.", setup.side, setup.ply)?;
        if let Some(m) = board.last_move {
            write!(f, " Last move: {m}.")?;
        }
        for (m, arrow) in &board.arrows {
            write!(f, " Arrow: {m}{}.", arrow.words())?;
        }
        if let Some(values) = &board.values {
            write!(f, "{values}")?;
        }
        Ok(())
    }
}
