//! The part of a picture that differs from the one before.

use crate::picture::Picture;

/// A rectangle of pixels: its left and top edge, width and height.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChangedArea {
    pub(crate) left: u32,
    pub(crate) top: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl ChangedArea {
    /// Returns the smallest area that holds all differences of two pictures of one size: one pixel
    /// if there are none, because formats know no empty picture.
    pub(crate) fn between(before: Option<&Picture>, now: &Picture) -> Self {
        let (width, height) = now.size();
        let Some(before) = before else { return Self { left: 0, top: 0, width, height } };
        let differs = |y: &u32| before.row(*y) != now.row(*y);
        let Some(top) = (0..height).find(differs) else {
            return Self { left: 0, top: 0, width: 1, height: 1 };
        };
        let bottom = (top..height).rev().find(differs).unwrap_or(top);
        let (mut left, mut right) = (width - 1, 0);
        for y in top..=bottom {
            let (one, other) = (before.row(y), now.row(y));
            for x in (0..width).filter(|&x| one[x as usize] != other[x as usize]) {
                (left, right) = (left.min(x), right.max(x));
            }
        }
        Self { left, top, width: right + 1 - left, height: bottom + 1 - top }
    }

    /// Returns the parts of the rows of a picture within the area.
    pub(crate) fn rows(self, picture: &Picture) -> impl Iterator<Item = &[[u8; 3]]> {
        let columns = self.left as usize..(self.left + self.width) as usize;
        (self.top..self.top + self.height).map(move |y| &picture.row(y)[columns.clone()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(dots: &[(u32, u32)]) -> Picture {
        let mut pixels = vec![[0; 3]; 12];
        dots.iter().for_each(|&(x, y)| pixels[(y * 4 + x) as usize] = [9; 3]);
        Picture::new((4, 3), pixels)
    }

    #[test]
    fn areas_hold_all_differences() {
        let area = |one: &[_], other: &[_]| {
            let area = ChangedArea::between(Some(&picture(one)), &picture(other));
            (area.left, area.top, area.width, area.height)
        };
        assert_eq!(area(&[(1, 1)], &[(1, 1)]), (0, 0, 1, 1));
        assert_eq!(area(&[], &[(3, 2)]), (3, 2, 1, 1));
        assert_eq!(area(&[(0, 2)], &[(3, 1)]), (0, 1, 4, 2));
        let all = ChangedArea::between(None, &picture(&[]));
        assert_eq!((all.width, all.height, all.rows(&picture(&[(0, 0)])).count()), (4, 3, 3));
    }
}
