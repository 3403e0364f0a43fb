//! Arrows for moves.

use core::fmt;

use komadai_core::{Move, PieceKind};

use super::board::SvgBoard;

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

impl SvgBoard {
    pub(super) fn write_arrow(
        &self,
        (m, arrow): (Move, SvgArrow),
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        const HEAD: f64 = 18.0;
        let start = match (m.from(), m.dropped()) {
            (Some(from), _) => self.center(from),
            (None, kind) => self.stand_place(self.setup.side, kind.unwrap_or(PieceKind::Pawn)),
        };
        let end = self.center(m.to());
        let (dx, dy) = (f64::from(end.0 - start.0), f64::from(end.1 - start.1));
        // The squares of a move differ and a stand lies beside the board: the length is not 0.
        let length = dx.hypot(dy);
        let degrees = dy.atan2(dx).to_degrees();
        let neck = length - HEAD;
        let (class, half) = match arrow {
            SvgArrow::Plain => ("", 4),
            SvgArrow::Good => (" kd-arrow-good", 4),
            SvgArrow::Bad => (" kd-arrow-bad", 4),
            SvgArrow::Minor => (" kd-arrow-minor", 2),
        };
        writeln!(
            f,
            r#"<path class="kd-arrow{class}" transform="translate({} {})rotate({degrees:.1})" d="M8-{half}H{neck:.1}V-10L{length:.1} 0 {neck:.1} 10V{half}H8z"/>"#,
            start.0, start.1
        )
    }
}
