//! Outlines of characters: those of the crate, and those of a font that the caller gives.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::OnceLock;

use ttf_parser::{Face, OutlineBuilder};

use crate::error::ImageError;

/// The outlines of the crate; a header of several lines ends with an empty one.
const TABLE: &str = include_str!("outlines.txt");

/// A character as a path in thousandths of the font size, from the left end of its baseline.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Outline {
    pub(crate) width: f64,
    pub(crate) path: String,
}

/// The outlines that a painter uses.
#[derive(Debug, Default)]
pub(crate) struct Outlines {
    font: Option<Vec<u8>>,
}

impl Outlines {
    /// Takes the characters that the crate lacks from a font file.
    pub(crate) fn with_font(font: Vec<u8>) -> Result<Self, ImageError> {
        Face::parse(&font, 0).map_err(|error| ImageError::BadFont { reason: error.to_string() })?;
        Ok(Self { font: Some(font) })
    }

    /// Returns the outline of a character; `None` if there is none.
    pub(crate) fn of(&self, c: char) -> Option<Outline> {
        if let Some(&(width, path)) = table().get(&c) {
            return Some(Outline { width, path: path.to_owned() });
        }
        of_font(self.font.as_deref()?, c)
    }
}

/// Returns the widths and paths of the characters of the crate.
fn table() -> &'static HashMap<char, (f64, &'static str)> {
    static OUTLINES: OnceLock<HashMap<char, (f64, &'static str)>> = OnceLock::new();
    OUTLINES.get_or_init(|| {
        let lines = TABLE.split_once("\n\n").map_or("", |(_, lines)| lines);
        lines.lines().filter_map(read_line).collect()
    })
}

/// Reads a character, its width and its path, which are separated by blanks.
fn read_line(line: &'static str) -> Option<(char, (f64, &'static str))> {
    let mut chars = line.chars();
    let c = chars.next()?;
    let (width, path) = chars.as_str().strip_prefix(' ')?.split_once(' ')?;
    Some((c, (width.parse().ok()?, path)))
}

/// Returns the outline of a character of a font file.
fn of_font(font: &[u8], c: char) -> Option<Outline> {
    let face = Face::parse(font, 0).ok()?;
    let glyph = face.glyph_index(c)?;
    let scale = 1_000.0 / f32::from(face.units_per_em());
    let width = f64::from(f32::from(face.glyph_hor_advance(glyph)?) * scale);
    let mut path = PathText { path: String::new(), scale };
    // A character without an outline, such as a blank, has an empty path.
    face.outline_glyph(glyph, &mut path);
    Some(Outline { width, path: path.path })
}

/// The path of a glyph in the syntax of SVG, whose y axis points down.
struct PathText {
    path: String,
    scale: f32,
}

impl PathText {
    fn push(&mut self, command: char, numbers: &[f32]) {
        self.path.push(command);
        for pair in numbers.chunks_exact(2) {
            let (x, y) = (pair[0] * self.scale, -pair[1] * self.scale);
            write!(self.path, " {x:.1} {y:.1}").expect("a string takes every text");
        }
    }
}

impl OutlineBuilder for PathText {
    fn move_to(&mut self, x: f32, y: f32) {
        self.push('M', &[x, y]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.push('L', &[x, y]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.push('Q', &[x1, y1, x, y]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.push('C', &[x1, y1, x2, y2, x, y]);
    }

    fn close(&mut self) {
        self.path.push('z');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_an_outline() {
        let lines = TABLE.split_once("\n\n").unwrap().1;
        assert_eq!(table().len(), lines.lines().count());
        for (c, (width, path)) in table() {
            assert!((200.0..=1_200.0).contains(width), "{c}: {width}");
            let allowed = |c: char| c.is_ascii_digit() || "mlhvcz -".contains(c);
            assert!(path.chars().all(allowed), "{c}: {path}");
            assert_eq!(path.is_empty(), c.is_whitespace(), "{c}");
        }
    }

    #[test]
    fn characters_of_boards_and_moves_have_outlines() {
        let outlines = Outlines::default();
        let ascii: String = (' '..='~').collect();
        let kanji = "歩香桂銀角飛金玉王と杏圭全馬龍成不打右左上直引寄行入同　一二三四五六七八九先後手下なし";
        let signs = "▲△☗☖×−–≥≤…０１２３４５６７８９評価値詰投了";
        for c in [&ascii, kanji, signs].into_iter().flat_map(str::chars) {
            assert!(outlines.of(c).is_some(), "no outline of {c}");
        }
        assert_eq!(outlines.of('鬱'), None);
    }

    #[test]
    fn bytes_that_are_no_font_are_refused() {
        for bytes in [vec![], vec![0; 64], b"OTTO\0\x01\0\0\0\0\0\0".to_vec(), vec![0xff; 4_096]] {
            let error = Outlines::with_font(bytes).unwrap_err().to_string();
            assert!(error.starts_with("found no TrueType or OpenType font: "), "{error}");
        }
    }
}
