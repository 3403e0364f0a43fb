//! The parts of a record that a format did not keep.

use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use komadai_core::{Move, SplitMix64};

use crate::comment::Comment;
use crate::end::EndKind;
use crate::header::HeaderKey;
use crate::record::Record;
use crate::record_move::RecordMove;
use crate::text::shorten;
use crate::time_limit::TimeLimit;
use crate::variation::Line;

/// A part of a record that another one lacks, of [`Record::losses`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Loss {
    /// A value of the header is absent or another one.
    Header {
        /// The key.
        key: HeaderKey,
        /// The value.
        value: String,
    },
    /// The start position is another one.
    Start,
    /// The number of the first move, which a start position in SFEN has.
    FirstMoveNumber,
    /// Moves of the game are absent.
    Moves {
        /// The number of moves.
        count: usize,
    },
    /// Variations are absent, whole or in part.
    Variations {
        /// The number of variations.
        count: usize,
    },
    /// Times of moves are absent.
    Times {
        /// The number of times.
        count: usize,
    },
    /// Times of moves are rounded.
    Fractions {
        /// The number of times.
        count: usize,
    },
    /// Comments are absent.
    Comments {
        /// The number of comments, which may have several lines.
        count: usize,
    },
    /// Bookmarks are absent.
    Bookmarks {
        /// The number of bookmarks.
        count: usize,
    },
    /// The end of the game is absent or another one.
    End {
        /// The end.
        kind: EndKind,
    },
}

impl Record {
    /// Returns what of this record `kept` lacks: none if nothing was lost.
    ///
    /// A converter writes a record, reads it back, and compares. The order of variations and of
    /// header entries does not count, and neither do blanks at the ends of texts and the kind of a
    /// comment.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_kifu::{Loss, Tolerance, parse_csa, parse_usi_games};
    ///
    /// let game = parse_csa("PI\n+\n+7776FU\nT12\n'*good\n%TORYO\n", Tolerance::Strict)?.records.remove(0);
    /// let line = game.to_usi_line();
    /// let kept = parse_usi_games(line, Tolerance::Strict)?.records.remove(0);
    /// assert_eq!(game.losses(&kept), [Loss::Times { count: 1 }, Loss::Comments { count: 1 }]);
    /// # Ok::<(), komadai_kifu::KifuError>(())
    /// ```
    pub fn losses(&self, kept: &Record) -> Vec<Loss> {
        let mut losses = Vec::new();
        let limit = TimeLimit::of_header(&self.header);
        // Formats state the same time in other words, and together with the byoyomi.
        let is_limit_kept = limit.is_some() && TimeLimit::of_header(&kept.header) == limit;
        for (key, value) in self.header.iter() {
            let is_kept =
                |(other, kept): (&HeaderKey, &str)| other == key && kept.trim() == value.trim();
            let is_of_limit =
                matches!(key, HeaderKey::TimeLimit | HeaderKey::Byoyomi | HeaderKey::TimeControl);
            let is_in_limit = is_of_limit && is_limit_kept;
            if !is_in_limit && !kept.header.iter().any(is_kept) {
                losses.push(Loss::Header { key: key.clone(), value: value.to_owned() });
            }
        }
        let (own, other) = (&self.setup, &kept.setup);
        if (&own.board, &own.hands, own.side) != (&other.board, &other.hands, other.side) {
            losses.push(Loss::Start);
        } else if own.ply != other.ply {
            losses.push(Loss::FirstMoveNumber);
        }
        losses.extend(Nodes::of(self).losses(&Nodes::of(kept)));
        let end = |record: &Self| record.end.as_ref().map(|end| end.kind.clone());
        if let Some(kind) = end(self).filter(|kind| end(kept).as_ref() != Some(kind)) {
            losses.push(Loss::End { kind });
        }
        losses
    }
}

/// The data of all nodes of a record, each under a key of the moves that lead to it.
struct Nodes<'r> {
    nodes: HashMap<u64, Node<'r>>,
    /// The last node of each line, the main line first.
    ends: Vec<u64>,
    /// The nodes of the main line after the start.
    main: Vec<u64>,
}

/// The data of a node: that of all moves with the same path.
#[derive(Default)]
struct Node<'r> {
    times: Vec<Duration>,
    comments: Vec<&'r str>,
    bookmarks: Vec<&'r str>,
    ends: Vec<&'r EndKind>,
}

/// The key of the start position.
const START: u64 = 0;

fn key_after(key: u64, m: Move) -> u64 {
    SplitMix64::mix(key ^ (u64::from(m.to_bits()) << 1 | 1))
}

impl<'r> Nodes<'r> {
    fn of(record: &'r Record) -> Self {
        let mut nodes = Self { nodes: HashMap::new(), ends: Vec::new(), main: Vec::new() };
        let start = nodes.nodes.entry(START).or_default();
        start.comments.extend(record.comments.iter().map(Comment::text));
        start.bookmarks.extend(record.bookmark.as_deref());
        let mut keys = vec![nodes.add_line(START, &record.moves)];
        nodes.main.clone_from(&keys[0]);
        nodes.add_end(record, Line::Main, keys[0].last().copied().unwrap_or(START));
        for (index, variation) in record.variations.iter().enumerate() {
            let line = Line::Variation(index);
            let parent = match variation.parent {
                Line::Main => 0,
                Line::Variation(parent) => parent + 1,
            };
            // The node before the first move of the variation; what was made by hand may have none.
            let first = record.first_ply(variation.parent);
            let before = match (keys.get(parent), variation.ply.checked_sub(first + 1)) {
                (Some(parent), Some(index)) => parent.get(index).copied(),
                (Some(_), None) if variation.ply == first && first == 1 => Some(START),
                _ => None,
            };
            let added = match before {
                Some(before) => nodes.add_line(before, &variation.moves),
                None => Vec::new(),
            };
            nodes.add_end(record, line, added.last().copied().or(before).unwrap_or(START));
            keys.push(added);
        }
        nodes
    }

    fn add_line(&mut self, before: u64, moves: &'r [RecordMove]) -> Vec<u64> {
        let mut key = before;
        let mut add = |played: &'r RecordMove| {
            key = key_after(key, played.m);
            let node = self.nodes.entry(key).or_default();
            node.times.extend(played.time);
            node.comments.extend(played.comments.iter().map(Comment::text));
            node.bookmarks.extend(played.bookmark.as_deref());
            key
        };
        moves.iter().map(&mut add).collect()
    }

    /// Adds the comments of an end mark, and the last node of a line.
    fn add_end(&mut self, record: &'r Record, line: Line, last: u64) {
        self.ends.push(last);
        if let Some(end) = record.end_of(line) {
            let node = self.nodes.entry(last).or_default();
            if line != Line::Main {
                node.ends.push(&end.kind);
            }
            node.times.extend(end.time);
            node.comments.extend(end.comments.iter().map(Comment::text));
        }
    }

    fn losses(&self, kept: &Self) -> Vec<Loss> {
        let absent = |key: &&u64| !kept.nodes.contains_key(*key);
        let moves = self.main.iter().filter(absent).count();
        let nothing = Node::default();
        let is_cut = |key: &&u64| match kept.nodes.get(*key) {
            Some(other) => self.nodes[*key].ends.iter().any(|end| !other.ends.contains(end)),
            None => true,
        };
        let variations = self.ends[1..].iter().filter(is_cut).count();
        let (mut times, mut fractions, mut comments, mut bookmarks) = (0, 0, 0, 0);
        for (key, node) in &self.nodes {
            let other = kept.nodes.get(key).unwrap_or(&nothing);
            for time in node.times.iter().filter(|time| !other.times.contains(time)) {
                let is_cut = other.times.iter().any(|other| other.as_secs() == time.as_secs());
                // Formats that write a time after each move have zero for none.
                times += usize::from(!is_cut && !time.is_zero());
                fractions += usize::from(is_cut);
            }
            comments += lacking(&node.comments, &other.comments);
            let named =
                |name: &&str| other.bookmarks.iter().any(|kept| one_line(kept) == one_line(name));
            bookmarks += node.bookmarks.iter().filter(|name| !named(name)).count();
        }
        [
            Loss::Moves { count: moves },
            Loss::Variations { count: variations },
            Loss::Times { count: times },
            Loss::Fractions { count: fractions },
            Loss::Comments { count: comments },
            Loss::Bookmarks { count: bookmarks },
        ]
        .into_iter()
        .filter(|loss| loss.count() > 0)
        .collect()
    }
}

/// Returns the number of texts that are not among the others, line by line and without blanks at
/// the ends.
fn lacking(texts: &[&str], others: &[&str]) -> usize {
    let others: Vec<&str> = others.iter().flat_map(|text| lines(text)).collect();
    texts.iter().filter(|text| !lines(text).all(|line| others.contains(&line))).count()
}

/// Returns a name without line ends, which become blanks in some formats.
fn one_line(name: &str) -> String {
    name.replace(['\r', '\n'], " ").trim().to_owned()
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\r', '\n']).map(str::trim)
}

impl Loss {
    fn count(&self) -> usize {
        match self {
            Self::Moves { count }
            | Self::Variations { count }
            | Self::Times { count }
            | Self::Fractions { count }
            | Self::Comments { count }
            | Self::Bookmarks { count } => *count,
            _ => 1,
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.count() == 1 { "" } else { "s" };
        match self {
            Self::Header { key: HeaderKey::Custom(key), value } => {
                write!(f, "header {}: {}", shorten(key), shorten(value))
            }
            Self::Header { key, value } => write!(f, "header {key:?}: {}", shorten(value)),
            Self::Start => f.write_str("the start position"),
            Self::FirstMoveNumber => f.write_str("the number of the first move"),
            Self::Moves { count } => write!(f, "{count} move{plural} of the game"),
            Self::Variations { count } => write!(f, "{count} variation{plural}"),
            Self::Times { count } => write!(f, "{count} time{plural} of moves"),
            Self::Fractions { count } => write!(f, "fractions of a second in {count} time{plural}"),
            Self::Comments { count } => write!(f, "{count} comment{plural}"),
            Self::Bookmarks { count } => write!(f, "{count} bookmark{plural}"),
            Self::End { kind } => write!(f, "the end of the game, {kind:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::end::End;

    fn game(moves: &[&str]) -> Record {
        let mut record = Record::new(komadai_core::Setup::hirate());
        record.moves = moves.iter().map(|m| RecordMove::new(m.parse().unwrap())).collect();
        record
    }

    fn full() -> Record {
        let mut record = game(&["7g7f", "3c3d", "2g2f"]);
        record.header.push(HeaderKey::Black, "A");
        record.comments.push(Comment::Note("start".to_owned()));
        record.moves[0].time = Some(Duration::from_millis(1_500));
        record.moves[1].time = Some(Duration::from_secs(3));
        record.moves[1].comments.push(Comment::Note("one\ntwo".to_owned()));
        record.moves[2].bookmark = Some("here".to_owned());
        record.end = Some(End::new(EndKind::Resign));
        let line = record.add_variation(Line::Main, 2).unwrap();
        record.moves_of_mut(line).push(RecordMove::new("8c8d".parse().unwrap()));
        let deeper = record.add_variation(line, 3).unwrap();
        record.moves_of_mut(deeper).push(RecordMove::new("2g2f".parse().unwrap()));
        let first = record.add_variation(Line::Main, 1).unwrap();
        record.moves_of_mut(first).push(RecordMove::new("2g2f".parse().unwrap()));
        record
    }

    #[test]
    fn nothing_is_lost_to_itself() {
        assert_eq!(full().losses(&full()), []);
    }

    #[test]
    fn the_order_of_variations_and_the_lines_of_comments_do_not_count() {
        let mut other = full();
        let first = other.variations.remove(2);
        other.variations.insert(0, first);
        other.variations[2].parent = Line::Variation(1);
        other.moves[1].comments =
            ["one", "two "].map(|text| Comment::Remark(text.to_owned())).to_vec();
        assert_eq!(full().losses(&other), []);
    }

    #[test]
    fn everything_lost_is_named() {
        let losses = full().losses(&game(&["7g7f"]));
        let texts: Vec<String> = losses.iter().map(Loss::to_string).collect();
        assert_eq!(
            texts,
            [
                "header Black: A",
                "2 moves of the game",
                "3 variations",
                "2 times of moves",
                "2 comments",
                "1 bookmark",
                "the end of the game, Resign",
            ]
        );
        let mut cut = full();
        cut.moves[0].time = Some(Duration::from_secs(1));
        assert_eq!(full().losses(&cut), [Loss::Fractions { count: 1 }]);
    }
}
