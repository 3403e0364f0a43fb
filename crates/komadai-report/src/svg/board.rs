//! The description of a picture.

use komadai_core::{Color, Move, Setup};

use super::square_values::SquareValues;
use crate::theme::SvgTheme;

/// An SVG picture of a board and both hands, written by `Display`.
///
/// The picture is one document without scripts, fonts or images of its own, which a browser shows
/// from a file as well as within a page. Its colours follow the light or dark mode of the viewer,
/// because a picture does not know the page around it; a [theme](Self::theme) fixes them. Screen
/// readers get a name and a description.
///
/// All fields but the position have defaults, so that a picture is a literal with what differs. A
/// [`Setup`] may break rules of the game, and is drawn nevertheless: problems without a king of the
/// attacker and faulty records can be shown. For a terminal there is [`Diagram`](crate::Diagram),
/// for a whole game [`GamePage`](crate::GamePage).
///
/// # Examples
///
/// ```
/// use komadai_core::{Move, Setup, Square};
/// use komadai_report::{SvgArrow, SvgBoard};
///
/// let setup = Setup::from_sfen(
///     "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2",
/// )?;
/// let picture = SvgBoard {
///     last_move: Some(Move::new(Square::S77, Square::S76)),
///     arrows: vec![(Move::new(Square::S33, Square::S34), SvgArrow::Good)],
///     title: Some("After 1. P-7f".to_owned()),
///     ..SvgBoard::new(&setup)
/// };
/// assert!(picture.to_string().starts_with("<svg xmlns"));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a picture does nothing until it is written"]
pub struct SvgBoard {
    /// The position.
    pub setup: Setup,
    /// The move that led to the position, marked by brackets around its destination and a ring on
    /// its origin.
    pub last_move: Option<Move>,
    /// Moves as arrows. The arrow of a drop starts at the hand of the side to move.
    pub arrows: Vec<(Move, SvgArrow)>,
    /// The side at the bottom; Black by default.
    pub bottom: Color,
    /// The characters on the pieces.
    pub pieces: SvgPieces,
    /// The places of the hands.
    pub stands: SvgStands,
    /// The heading, which is drawn above the board and is the accessible name of the picture.
    pub title: Option<String>,
    /// The accessible name of the picture without a heading; by default it is the title or "Shogi
    /// position".
    pub name: Option<String>,
    /// The accessible description of the picture. Without it, the description is the side to move,
    /// the position as SFEN, and the marks, in English.
    pub description: Option<String>,
    /// The colours. By default they follow the light or dark mode of the viewer.
    pub theme: SvgTheme,
    /// Values by which squares are coloured.
    pub values: Option<SquareValues>,
}

impl SvgBoard {
    /// A picture of a setup or a position, with Black at the bottom and kanji on the pieces.
    pub fn new(setup: impl Into<Setup>) -> Self {
        Self {
            setup: setup.into(),
            last_move: None,
            arrows: Vec::new(),
            bottom: Color::Black,
            pieces: SvgPieces::Kanji,
            stands: SvgStands::Sides,
            title: None,
            name: None,
            description: None,
            theme: SvgTheme::Auto,
            values: None,
        }
    }
}

/// The class of an arrow, which decides its colour and shape.
///
/// # Examples
///
/// ```
/// use komadai_core::Setup;
/// use komadai_report::{SvgArrow, SvgBoard};
///
/// let arrows = vec![("7g7f".parse()?, SvgArrow::Good), ("9i9h".parse()?, SvgArrow::Bad)];
/// let picture = SvgBoard { arrows, ..SvgBoard::new(Setup::hirate()) };
/// assert!(picture.to_string().contains("Arrow: 7g7f (good)."));
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SvgArrow {
    /// A filled arrow in blue.
    #[default]
    Plain,
    /// A good move: a filled arrow in green.
    Good,
    /// A bad move: the outline of an arrow in red.
    Bad,
    /// A move of less interest: a thin arrow in grey.
    Minor,
}

impl SvgArrow {
    /// The class in words, for screen readers; none for a plain arrow.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Good => " (good)",
            Self::Bad => " (bad)",
            Self::Minor => " (minor)",
        }
    }
}

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
/// let letters = SvgBoard { pieces: SvgPieces::Letters, ..board };
/// assert!(!letters.to_string().contains('飛'));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SvgPieces {
    /// One kanji, upside down for the far side, as on real pieces.
    #[default]
    Kanji,
    /// The letters of SFEN, always upright: `R`, promoted `+R`.
    Letters,
}

/// The places of the hands in a picture.
///
/// # Examples
///
/// ```
/// use komadai_core::Setup;
/// use komadai_report::{SvgBoard, SvgStands};
///
/// let board = SvgBoard::new(Setup::hirate());
/// assert!(board.to_string().contains("width=\"644\""));
/// let narrow = SvgBoard { stands: SvgStands::Rows, ..board };
/// assert!(narrow.to_string().contains("width=\"450\""));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SvgStands {
    /// Stands beside the board, as on a table.
    #[default]
    Sides,
    /// Rows above and below the board, so that the squares are larger on a narrow screen.
    Rows,
}
