//! The place of a square relative to a king.

use komadai_core::Square;

use super::groups::Group;

/// Returns the files and ranks from a king to a square, as places in a [`Group`]'s shape.
///
/// Both squares are from the point of view of the piece's owner. Files count from the king towards
/// its nearer edge or towards the middle. A king on the middle file has no nearer edge: in that
/// case the two results are the two directions, and each counts half. Otherwise the two results are
/// equal.
pub(crate) fn relations(king: Square, square: Square) -> [[usize; 2]; 2] {
    let ranks = 8 + square.rank().index() - king.rank().index();
    let from_right = 4 + square.file().index() as i32 - king.file().index() as i32;
    let from_left = 4 + king.file().index() as i32 - square.file().index() as i32;
    let read = |files: i32| [files as usize, ranks];
    match king.file().index() {
        0..4 => [read(from_right); 2],
        4 => [read(from_right), read(from_left)],
        _ => [read(from_left); 2],
    }
}

/// Returns the indices of two weights for a piece of `kind`; half of each counts.
pub(crate) fn indices(group: Group, kind: usize, king: Square, square: Square) -> [usize; 2] {
    relations(king, square).map(|[files, ranks]| group.index(&[kind, files, ranks]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classical::shape::{RELATION_FILES, RELATION_RANKS};

    #[test]
    fn mirrored_squares_have_the_same_relation() {
        for king in Square::ALL {
            for square in Square::ALL {
                let mut here = relations(king, square);
                let mut there = relations(king.mirrored(), square.mirrored());
                here.sort_unstable();
                there.sort_unstable();
                assert_eq!(here, there);
                assert!(
                    here.iter()
                        .all(|&[files, ranks]| files < RELATION_FILES && ranks < RELATION_RANKS)
                );
            }
        }
    }

    #[test]
    fn files_count_from_the_edge() {
        // A king on 2八; a gold on 4九 is two files towards the middle and one rank behind.
        assert_eq!(relations(Square::S28, Square::S49)[0], [6, 9]);
        assert_eq!(relations(Square::S88, Square::S69)[0], [6, 9]);
    }
}
