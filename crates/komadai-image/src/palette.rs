//! The colours of a picture of a GIF file, at most 256.

use std::cmp::Reverse;
use std::collections::HashMap;

/// The largest number of colours beside the one that stands for a pixel without change.
const MOST: usize = 255;

/// Colours, and the index of each.
#[derive(Debug)]
pub(crate) struct Palette {
    colours: Vec<[u8; 3]>,
    index: HashMap<[u8; 3], u8>,
}

impl Palette {
    /// Chooses colours of these pixels, the most frequent ones first, that are as far from each
    /// other as their number demands. Others get the nearest of them: they are at the edges of
    /// characters, where a slightly different one is not seen.
    pub(crate) fn of<'p>(pixels: impl Iterator<Item = &'p [u8; 3]>) -> Self {
        let mut counts: HashMap<[u8; 3], u32> = HashMap::new();
        pixels.for_each(|&pixel| *counts.entry(pixel).or_default() += 1);
        let mut by_count: Vec<([u8; 3], u32)> = counts.into_iter().collect();
        by_count.sort_by_key(|&(colour, count)| (Reverse(count), colour));
        let all: Vec<[u8; 3]> = by_count.into_iter().map(|(colour, _)| colour).collect();
        let colours = (0..).find_map(|apart: u32| chosen(&all, apart)).unwrap_or_default();
        let index = all.iter().map(|&colour| (colour, nearest(&colours, colour).0)).collect();
        Self { colours, index }
    }

    /// Returns the index of a colour of the pixels.
    pub(crate) fn index(&self, colour: [u8; 3]) -> u8 {
        self.index.get(&colour).copied().unwrap_or(0)
    }

    /// Returns the index that stands for a pixel without change.
    pub(crate) fn unchanged(&self) -> u8 {
        self.colours.len() as u8
    }

    /// Returns the colours, the last of which stands for no change.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.colours.iter().chain([&[0; 3]]).flatten().copied().collect()
    }
}

/// Returns the colours that have no earlier one within a distance; `None` if these are too many.
fn chosen(all: &[[u8; 3]], apart: u32) -> Option<Vec<[u8; 3]>> {
    let mut colours = Vec::new();
    for &colour in all {
        if apart == 0 || colours.is_empty() || nearest(&colours, colour).1 > apart.pow(2) {
            colours.push(colour);
        }
        if colours.len() > MOST {
            return None;
        }
    }
    Some(colours)
}

/// Returns the index of the nearest colour, and the square of its distance.
fn nearest(colours: &[[u8; 3]], colour: [u8; 3]) -> (u8, u32) {
    let distance = |other: &[u8; 3]| {
        let sides = other.iter().zip(colour).map(|(&one, other)| u32::from(one.abs_diff(other)));
        sides.map(|side| side.pow(2)).sum::<u32>()
    };
    let found = (0..).zip(colours.iter().map(distance)).min_by_key(|&(_, distance)| distance);
    found.unwrap_or((0, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_colours_are_exact_and_others_near() {
        let few = [[1, 2, 3], [9, 9, 9], [1, 2, 3]];
        let palette = Palette::of(few.iter());
        assert_eq!(palette.bytes(), [1, 2, 3, 9, 9, 9, 0, 0, 0]);
        assert_eq!((palette.index([9, 9, 9]), palette.unchanged()), (1, 2));

        let grey = (0..=255_u8).map(|value| [value; 3]);
        let many: Vec<[u8; 3]> = grey.collect();
        let palette = Palette::of(many.iter());
        // One colour is too many: neighbours share one.
        assert!((128..=255).contains(&palette.unchanged()), "{}", palette.unchanged());
        for value in 0..=255_u8 {
            let found = usize::from(palette.index([value; 3]));
            assert!(palette.bytes()[3 * found].abs_diff(value) <= 1, "{value}");
        }
    }
}
