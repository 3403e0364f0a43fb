//! Where a square lies from a king.

use komadai_core::Square;

use super::groups::Group;

/// From four files towards the nearer edge to eight towards the middle.
pub(crate) const FILES: usize = 13;
/// From eight ranks ahead to eight behind.
pub(crate) const RANKS: usize = 17;

/// The files and ranks from a king to a square, as places in a [`Group`]'s shape.
///
/// Both squares as the piece's owner sees them. Files count from the king towards its nearer edge or
/// towards the middle. A king on the middle file has no nearer edge: then both readings are given,
/// and each counts half.
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

/// The indices of the two weights, half of each of which counts for a piece of `kind`.
pub(crate) fn indices(group: Group, kind: usize, king: Square, square: Square) -> [usize; 2] {
    relations(king, square).map(|[files, ranks]| group.index(&[kind, files, ranks]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn left_and_right_are_alike() {
        for king in Square::ALL {
            for square in Square::ALL {
                let mut here = relations(king, square);
                let mut there = relations(king.mirrored(), square.mirrored());
                here.sort_unstable();
                there.sort_unstable();
                assert_eq!(here, there);
                assert!(here.iter().all(|&[files, ranks]| files < FILES && ranks < RANKS));
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
