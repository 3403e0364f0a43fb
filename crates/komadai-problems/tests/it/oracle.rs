//! A plain search for mates by the definition, without the solvers of the library.

use std::collections::HashMap;

use komadai_core::{Color, Position};
use komadai_movegen::MoveGen as _;

/// Mates of the attacker, Black, by trying all checks and all replies.
#[derive(Debug, Default)]
pub(crate) struct Oracle {
    /// By position: it is a mate within the first number of plies, and not within the second.
    known: HashMap<String, (u32, u32)>,
}

impl Oracle {
    /// Returns true if the attacker, who moves, mates within so many plies.
    pub(crate) fn is_mate_within(&mut self, position: &Position, plies: u32) -> bool {
        assert_eq!(position.side(), Color::Black);
        if plies == 0 {
            return false;
        }
        let key = position.without_history().to_string();
        let (within, not_within) = self.known.get(&key).copied().unwrap_or((u32::MAX, 0));
        if within <= plies || plies <= not_within {
            return within <= plies;
        }
        let checks = position.legal_moves();
        let is_mate = checks
            .into_iter()
            .map(|m| position.after(m))
            .any(|after| after.in_check() && self.is_mated_within(&after, plies - 1));
        let entry = self.known.entry(key).or_insert((u32::MAX, 0));
        if is_mate {
            entry.0 = entry.0.min(plies);
        } else {
            entry.1 = entry.1.max(plies);
        }
        is_mate
    }

    /// Returns true if the defender, who is in check, is mated within so many plies.
    pub(crate) fn is_mated_within(&mut self, position: &Position, plies: u32) -> bool {
        let replies = position.legal_moves();
        replies
            .into_iter()
            .all(|reply| plies > 0 && self.is_mate_within(&position.after(reply), plies - 1))
    }
}
