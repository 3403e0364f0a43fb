//! Squares coloured by values, with the numbers and a legend.

use core::fmt::{self, Display};

use komadai_core::Square;

/// Values by which the squares of a picture are coloured: green above 0 and red below, the stronger
/// the larger.
///
/// The values are written on the squares; a value of 0 leaves its square as it is.
///
/// # Examples
///
/// ```
/// use komadai_core::{Setup, Square};
/// use komadai_report::{SquareValues, SvgBoard};
///
/// let values = vec![(Square::S28, 31), (Square::S88, -40)];
/// let values = SquareValues { values, legend: "centipawns for Black".to_owned() };
/// let picture = SvgBoard { values: Some(values), ..SvgBoard::new(Setup::hirate()) };
/// assert!(picture.to_string().contains("-40"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SquareValues {
    /// The squares and their values.
    pub values: Vec<(Square, i32)>,
    /// The meaning of the values, below the board.
    pub legend: String,
}

/// Rules of their own, so that pictures without values stay as they are. The halo keeps numbers
/// readable on pieces.
const STYLE: &str = "<style>\n\
    .kd-good{fill:#12823c}\n\
    .kd-bad{fill:#c62318}\n\
    .kd .kd-value{font:600 11px \"Noto Sans\",Helvetica,Arial,sans-serif;fill:#231a10;stroke:#fff6e0;stroke-width:3;stroke-linejoin:round;paint-order:stroke}\n\
    .kd-legend text{font-size:13px}\n\
    </style>";

/// Opacity of the smallest value, and the further opacity of the largest.
const FAINTEST: f64 = 0.06;
const RANGE: f64 = 0.79;

/// Parts of the scale of the legend.
const SWATCHES: i32 = 9;
const SWATCH_WIDTH: i32 = 26;
const SWATCH_HEIGHT: i32 = 12;

impl SquareValues {
    /// Returns the squares with a value other than 0.
    fn shown(&self) -> impl Iterator<Item = (Square, i32)> {
        self.values.iter().copied().filter(|&(_, value)| value != 0)
    }

    /// Returns the largest absolute value, which has the strongest colour.
    fn whole(&self) -> u32 {
        self.values.iter().map(|&(_, value)| value.unsigned_abs()).max().unwrap_or(0)
    }

    /// Writes the colours of the squares, given their centres and their size.
    pub(super) fn write_colours(
        &self,
        f: &mut fmt::Formatter<'_>,
        center: impl Fn(Square) -> (i32, i32),
        (width, height): (i32, i32),
    ) -> fmt::Result {
        writeln!(f, "{STYLE}")?;
        for (square, value) in self.shown() {
            let (x, y) = center(square);
            let part = f64::from(value) / f64::from(self.whole());
            write_colour(f, part, (x - width / 2, y - height / 2), (width, height))?;
        }
        Ok(())
    }

    /// Writes the numbers on the squares, given their places.
    pub(super) fn write_numbers(
        &self,
        f: &mut fmt::Formatter<'_>,
        place: impl Fn(Square) -> (i32, i32),
    ) -> fmt::Result {
        for (square, value) in self.shown() {
            let (x, y) = place(square);
            writeln!(f, r#"<text class="kd-value" x="{x}" y="{y}">{value:+}</text>"#)?;
        }
        Ok(())
    }

    /// Writes the scale of colours and its meaning, centred below a point.
    pub(super) fn write_legend(
        &self,
        f: &mut fmt::Formatter<'_>,
        (x, y): (i32, i32),
        meaning: impl Display,
    ) -> fmt::Result {
        let left = x - SWATCHES * SWATCH_WIDTH / 2;
        writeln!(f, r#"<g class="kd-legend">"#)?;
        for swatch in 0..SWATCHES {
            let part = f64::from(2 * swatch) / f64::from(SWATCHES - 1) - 1.0;
            let corner = (left + swatch * SWATCH_WIDTH, y);
            let (x, y) = corner;
            writeln!(
                f,
                r#"<rect class="kd-board" x="{x}" y="{y}" width="{SWATCH_WIDTH}" height="{SWATCH_HEIGHT}"/>"#
            )?;
            write_colour(f, part, corner, (SWATCH_WIDTH, SWATCH_HEIGHT))?;
        }
        let (whole, right) = (self.whole(), left + SWATCHES * SWATCH_WIDTH);
        let baseline = y + SWATCH_HEIGHT - 1;
        writeln!(f, r#"<text x="{}" y="{baseline}">-{whole}</text>"#, left - 26)?;
        writeln!(f, r#"<text x="{}" y="{baseline}">+{whole}</text>"#, right + 26)?;
        writeln!(f, r#"<text x="{x}" y="{}">{meaning}</text>"#, y + SWATCH_HEIGHT + 19)?;
        writeln!(f, "</g>")
    }
}

/// The values in words, for screen readers.
impl Display for SquareValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(" Values:")?;
        self.shown().try_for_each(|(square, value)| write!(f, " {square} {value:+}"))?;
        f.write_str(".")
    }
}

/// Writes a rectangle with the colour of a part of the largest value, from −1 to 1.
fn write_colour(
    f: &mut fmt::Formatter<'_>,
    part: f64,
    (x, y): (i32, i32),
    (width, height): (i32, i32),
) -> fmt::Result {
    if part == 0.0 {
        return Ok(());
    }
    let class = if part > 0.0 { "kd-good" } else { "kd-bad" };
    let opacity = FAINTEST + RANGE * part.abs();
    writeln!(
        f,
        r#"<rect class="{class}" fill-opacity="{opacity:.2}" x="{x}" y="{y}" width="{width}" height="{height}"/>"#
    )
}
