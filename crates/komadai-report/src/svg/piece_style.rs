//! The characters on pieces.

/// The characters on the pieces of a picture.
///
/// # Examples
///
/// ```
/// use komadai_core::Setup;
/// use komadai_report::{SvgBoard, SvgPieces};
///
/// let board = SvgBoard::new(Setup::hirate());
/// assert!(board.to_string().contains('飛'));
/// assert!(!board.pieces(SvgPieces::Letters).to_string().contains('飛'));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SvgPieces {
    /// One kanji, upside down for the far side, as on real pieces.
    #[default]
    Kanji,
    /// The letters of SFEN, always upright: `R`, promoted `+R`.
    Letters,
}
