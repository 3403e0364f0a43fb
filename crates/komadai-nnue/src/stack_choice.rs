//! The choice among the layer stacks of a network by classes of positions.

use core::fmt;

use komadai_core::{Color, Hand, PieceKind, Position};

use crate::features::king_square;

/// The classes of positions, each with a layer stack of its own.
///
/// The number of a stack is `(hands · kings + king) · progress + progress class`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct StackChoice {
    pub(crate) hands: Option<Hands>,
    pub(crate) kings: Option<Kings>,
    /// The number of classes of progress, at least 1.
    pub(crate) progress: u32,
}

/// Classes of one side's hand; the class of a position is a pair of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Hands {
    Hand4,
    Hand16,
    Hand64,
    Hand64z,
    Hand256,
    Hand1024,
}

/// Classes of one king's square as its side sees it; the class of a position is a pair of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kings {
    K3,
    K9,
    K9z,
    K13z,
    K21,
    K29,
}

impl Hands {
    const ALL: [Self; 6] =
        [Self::Hand4, Self::Hand16, Self::Hand64, Self::Hand64z, Self::Hand256, Self::Hand1024];

    const fn name(self) -> &'static str {
        match self {
            Self::Hand4 => "hand4",
            Self::Hand16 => "hand16",
            Self::Hand64 => "hand64",
            Self::Hand64z => "hand64z",
            Self::Hand256 => "hand256",
            Self::Hand1024 => "hand1024",
        }
    }

    /// The number of classes of one hand.
    const fn count(self) -> usize {
        match self {
            Self::Hand4 => 2,
            Self::Hand16 => 4,
            Self::Hand64 | Self::Hand64z => 8,
            Self::Hand256 => 16,
            Self::Hand1024 => 32,
        }
    }

    fn class(self, hand: Hand) -> usize {
        use PieceKind::{Bishop, Gold, Knight, Lance, Pawn, Rook, Silver};
        let count = |kinds: &[PieceKind]| -> u32 { kinds.iter().map(|&k| hand.count(k)).sum() };
        // Bit n of the class says whether the hand holds a piece of the n-th group.
        let groups: &[&[PieceKind]] = match self {
            Self::Hand4 => &[&[Bishop]],
            Self::Hand16 => &[&[Pawn], &[Bishop]],
            Self::Hand64 => &[&[Pawn, Lance, Knight], &[Gold, Silver, Rook], &[Bishop]],
            Self::Hand64z => {
                let weight = count(&[Pawn])
                    + 2 * count(&[Lance, Knight])
                    + 3 * count(&[Silver, Gold])
                    + 5 * count(&[Bishop, Rook]);
                return weight.div_ceil(4).min(7) as usize;
            }
            Self::Hand256 => &[&[Pawn, Lance, Knight], &[Silver, Gold], &[Bishop], &[Rook]],
            Self::Hand1024 => &[&[Pawn], &[Lance, Knight], &[Silver, Gold], &[Bishop], &[Rook]],
        };
        groups.iter().enumerate().map(|(bit, kinds)| usize::from(count(kinds) > 0) << bit).sum()
    }
}

impl Kings {
    const ALL: [Self; 6] = [Self::K3, Self::K9, Self::K9z, Self::K13z, Self::K21, Self::K29];

    const fn name(self) -> &'static str {
        match self {
            Self::K3 => "k3k3",
            Self::K9 => "k9k9",
            Self::K9z => "k9k9z",
            Self::K13z => "k13k13z",
            Self::K21 => "k21k21",
            Self::K29 => "k29k29",
        }
    }

    /// The number of classes of one king.
    const fn count(self) -> usize {
        match self {
            Self::K3 => 3,
            Self::K9 | Self::K9z => 9,
            Self::K13z => 13,
            Self::K21 => 21,
            Self::K29 => 29,
        }
    }

    /// Returns the class of a king as its side sees the board: rank 0 is the far end.
    const fn class(self, file: usize, rank: usize) -> usize {
        match self {
            Self::K3 => rank / 3,
            Self::K9 => rank,
            Self::K9z if rank < 7 => camp(rank),
            Self::K9z => 3 + (rank - 7) * 3 + file / 3,
            Self::K13z if rank < 7 => rank,
            Self::K13z => 7 + (rank - 7) * 3 + file / 3,
            Self::K21 if rank < 7 => camp(rank),
            Self::K21 => 3 + (rank - 7) * 9 + file,
            Self::K29 if rank < 6 => rank / 3,
            Self::K29 => 2 + (rank - 6) * 9 + file,
        }
    }

    fn class_of(self, position: &Position, color: Color) -> usize {
        let king = king_square(position, color);
        let seen = if color == Color::Black { king } else { king.flipped() };
        self.class(seen.file().index(), seen.rank().index())
    }
}

/// The far third of the board, the middle third, the rank before the last two.
const fn camp(rank: usize) -> usize {
    match rank {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    }
}

impl StackChoice {
    /// The usual classes: the thirds of the board in which both kings stand.
    pub(crate) const K3K3: Self = Self { hands: None, kings: Some(Kings::K3), progress: 1 };

    /// Returns the choice with this number of stacks that is taken where a file does not name one;
    /// `None` if there is none. Classes of progress need a model.
    ///
    /// Classes of kings come first, because most networks have them.
    pub(crate) fn assumed(stacks: usize, has_model: bool) -> Option<Self> {
        let kings = || [None].into_iter().chain(Kings::ALL.map(Some));
        let hands = || [None].into_iter().chain(Hands::ALL.map(Some));
        let progresses = if has_model { 2..=32 } else { 1..=1 };
        let all = progresses.flat_map(|progress| {
            hands().flat_map(move |hands| kings().map(move |kings| Self { hands, kings, progress }))
        });
        let fits = |choice: &Self| choice.count() == stacks;
        let usual = Self { progress: (stacks / 9) as u32, ..Self::K3K3 };
        let is_usual = has_model && matches!(usual.progress, 2..=32) && fits(&usual);
        if is_usual { Some(usual) } else { all.into_iter().find(fits) }
    }

    /// The number of stacks.
    pub(crate) fn count(self) -> usize {
        let hands = self.hands.map_or(1, |hands| hands.count() * hands.count());
        let kings = self.kings.map_or(1, |kings| kings.count() * kings.count());
        hands * kings * self.progress as usize
    }

    /// Returns the number of a position's stack. `progress` is in 0 … 255.
    pub(crate) fn index(self, position: &Position, progress: u32) -> usize {
        let us = position.side();
        let them = !position.side();
        let hand = self.hands.map_or(0, |hands| {
            hands.class(position.hand(us)) * hands.count() + hands.class(position.hand(them))
        });
        let (king, kings) = self.kings.map_or((0, 1), |kings| {
            let own = kings.class_of(position, us);
            let other = kings.class_of(position, them);
            (own * kings.count() + other, kings.count() * kings.count())
        });
        (hand * kings + king) * self.progress as usize + (progress * self.progress / 256) as usize
    }

    /// Reads the parts of a name after the widths: `k3k3`, `progress8`, ….
    pub(crate) fn parse<'a>(parts: impl Iterator<Item = &'a str>) -> Option<Self> {
        let mut choice = Self { progress: 1, ..Self::default() };
        for part in parts {
            if let Some(hands) = Hands::ALL.into_iter().find(|hands| hands.name() == part) {
                choice.hands = Some(hands);
            } else if let Some(kings) = Kings::ALL.into_iter().find(|kings| kings.name() == part) {
                choice.kings = Some(kings);
            } else {
                let classes = part.strip_prefix("progress")?.parse().ok()?;
                choice.progress = matches!(classes, 2..=32).then_some(classes)?;
            }
        }
        Some(choice)
    }
}

impl fmt::Display for StackChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(hands) = self.hands {
            write!(f, "_{}", hands.name())?;
        }
        if let Some(kings) = self.kings {
            write!(f, "_{}", kings.name())?;
        }
        if self.progress > 1 {
            write!(f, "_progress{}", self.progress)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_is_used_and_below_the_count() {
        for kings in Kings::ALL {
            let squares = (0..9).flat_map(|file| (0..9).map(move |rank| (file, rank)));
            let mut classes: Vec<usize> =
                squares.map(|(file, rank)| kings.class(file, rank)).collect();
            classes.sort_unstable();
            classes.dedup();
            assert_eq!(classes, (0..kings.count()).collect::<Vec<_>>(), "{kings:?}");
        }
        for hands in Hands::ALL {
            assert_eq!(hands.class(Hand::EMPTY), 0);
            assert_eq!(hands.class(Hand::FULL), hands.count() - 1, "{hands:?}");
        }
    }

    #[test]
    fn names_lead_back() {
        for name in ["", "k3k3", "k3k3_progress8", "hand4_k9k9z_progress3", "hand64z_progress32"] {
            let choice = StackChoice::parse(name.split('_').filter(|part| !part.is_empty()));
            let text = choice.unwrap().to_string();
            assert_eq!(text.trim_start_matches('_'), name);
        }
        for name in ["k4k4", "progress", "progress1", "progress33", "hand"] {
            assert_eq!(StackChoice::parse([name].into_iter()), None, "{name}");
        }
    }
}
