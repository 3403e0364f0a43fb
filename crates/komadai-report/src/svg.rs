//! Positions as SVG pictures.
//!
//! A picture is one SVG document without scripts or fonts, so that several pictures can stand in
//! one page; its two identifiers, of its name and its description, are made of a hash of both.
//! Colours are CSS variables (`--kd-board`, `--kd-face`, `--kd-mark`, …) with one set for light and
//! one for dark surroundings; a page can override them on `svg.kd`. Viewers without support for
//! variables (librsvg, resvg, CairoSVG) use the light set as plain values: the rules with variables
//! stand behind `@supports`, which those viewers skip. No information depends on colour alone:
//! promoted pieces have glyphs of their own, the last move is marked by shapes, and the side to
//! move by a pointer.

mod board;
mod drawing;
mod grid;
mod pieces;
mod square_values;
#[cfg(test)]
mod tests;

pub use board::{SvgArrow, SvgBoard, SvgPieces, SvgStands};
pub(crate) use drawing::{BoardInPage, board_style};
pub use square_values::SquareValues;
