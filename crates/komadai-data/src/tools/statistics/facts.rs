//! The facts about a record that need its position.

use crate::records::PackedSfenValue;
use komadai_core::{Color, PieceKind, Position};
use komadai_eval::Progress;

use crate::tools::fault::Fault;
use crate::tools::sameness::hash;

/// The facts about a record that need its position.
pub(super) struct Facts {
    pub(super) is_check: bool,
    pub(super) captures: bool,
    pub(super) is_quiet: bool,
    pub(super) has_entered_king: bool,
    pub(super) progress: u8,
    /// The number of pieces in both hands, by kind.
    pub(super) in_hand: [u8; 7],
    /// A hash of the position.
    pub(super) hash: u64,
}

impl Facts {
    pub(super) fn of(record: &PackedSfenValue) -> Result<Self, Fault> {
        let position = record.unpack()?;
        let count = |kind| {
            Color::ALL.into_iter().map(|color| position.hand(color).count(kind)).sum::<u32>() as u8
        };
        Ok(Self {
            is_check: position.in_check(),
            captures: record.best_move.is_some_and(|m| position.piece_on(m.to()).is_some()),
            is_quiet: record.is_quiet(&position),
            has_entered_king: Color::ALL.into_iter().any(|color| has_entered(&position, color)),
            progress: Progress::of(&position).get(),
            in_hand: PieceKind::HAND.map(count),
            hash: hash(record.position, 0),
        })
    }
}

fn has_entered(position: &Position, color: Color) -> bool {
    position.king_square(color).is_some_and(|king| king.is_promotion_zone(color))
}
