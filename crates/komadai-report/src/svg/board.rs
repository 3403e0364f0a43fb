//! The description of a picture.

use komadai_core::{Color, Move, Setup, Square};

use super::square_values::SquareValues;
use crate::theme::SvgTheme;

/// An SVG picture of a board and both hands, written by `Display`.
///
/// # Examples
///
/// ```
/// use komadai_core::{Move, Setup, Square};
/// use komadai_report::SvgBoard;
///
/// let setup = Setup::from_sfen(
///     "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2",
/// )?;
/// let picture = SvgBoard::new(&setup)
///     .last_move(Move::new(Square::S77, Square::S76))
///     .arrow(Move::new(Square::S33, Square::S34))
///     .title("After 1. P-7f")
///     .to_string();
/// assert!(picture.starts_with("<svg xmlns"));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a picture does nothing until it is written"]
pub struct SvgBoard {
    pub(super) setup: Setup,
    pub(super) last_move: Option<Move>,
    pub(super) arrows: Vec<(Move, SvgArrow)>,
    pub(super) bottom: Color,
    pub(super) pieces: SvgPieces,
    pub(super) title: Option<String>,
    pub(super) name: Option<String>,
    pub(super) description: Option<String>,
    pub(super) theme: SvgTheme,
    pub(super) values: Option<SquareValues>,
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
            title: None,
            name: None,
            description: None,
            theme: SvgTheme::Auto,
            values: None,
        }
    }

    /// Marks the move that led to the position: brackets around its destination, and a ring on its
    /// origin.
    pub fn last_move(mut self, m: Move) -> Self {
        self.last_move = Some(m);
        self
    }

    /// Adds an arrow for a move. The arrow of a drop starts at the hand of the side to move.
    ///
    /// Each call adds one more arrow.
    pub fn arrow(self, m: Move) -> Self {
        self.arrow_of(m, SvgArrow::Plain)
    }

    /// Adds an arrow of a class for a move, as [`arrow`](Self::arrow) does.
    pub fn arrow_of(mut self, m: Move, arrow: SvgArrow) -> Self {
        self.arrows.push((m, arrow));
        self
    }

    /// Turns the board by 180 degrees: the side at the top moves to the bottom.
    pub fn flipped(mut self) -> Self {
        self.bottom = !self.bottom;
        self
    }

    /// Sets the characters on the pieces.
    pub fn pieces(mut self, pieces: SvgPieces) -> Self {
        self.pieces = pieces;
        self
    }

    /// Colours squares by values: green above 0 and red below, the stronger the larger. The values
    /// are written on the squares; a value of 0 leaves its square as it is. The legend, below the
    /// board, is the meaning of the values.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Setup, Square};
    /// use komadai_report::SvgBoard;
    ///
    /// let values = [(Square::S28, 31), (Square::S88, -40)];
    /// let picture = SvgBoard::new(Setup::hirate()).square_values(values, "centipawns for Black");
    /// assert!(picture.to_string().contains("-40"));
    /// ```
    pub fn square_values(
        mut self,
        values: impl IntoIterator<Item = (Square, i32)>,
        legend: impl Into<String>,
    ) -> Self {
        self.values = Some(SquareValues::new(values, legend));
        self
    }

    /// Sets the heading, which is drawn above the board and is the accessible name of the picture.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets the accessible name of the picture without a heading; by default it is the title or
    /// "Shogi position".
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Sets the accessible description of the picture. Without it, the description is the side to
    /// move, the position as SFEN, and the marks, in English.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Sets the colours. By default they follow the light or dark mode of the viewer.
    pub fn theme(mut self, theme: SvgTheme) -> Self {
        self.theme = theme;
        self
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
/// let picture = SvgBoard::new(Setup::hirate())
///     .arrow_of("7g7f".parse()?, SvgArrow::Good)
///     .arrow_of("9i9h".parse()?, SvgArrow::Bad)
///     .to_string();
/// assert!(picture.contains("Arrow: 7g7f (good)."));
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
