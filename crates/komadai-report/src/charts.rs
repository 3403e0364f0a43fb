//! The frame of charts, which plotters draws: size, colours, axes, heading and legend.
//!
//! Charts are drawn in the colours of the light mode. The style sheet of the page replaces each
//! colour by a variable, so charts follow the light or dark mode. Without the style sheet the drawn
//! colours show.

use std::io;

use plotters::backend::SVGBackend;
use plotters::chart::{ChartBuilder, MeshStyle};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{Ranged, ValueFormatter};
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::style::{Color as _, IntoFont, RGBColor, ShapeStyle, TextStyle};

use komadai_base::text::grouped;

use crate::text::Escaped;

const WIDTH: u32 = 460;
const HEIGHT: u32 = 220;

pub(crate) const INK: RGBColor = RGBColor(0x6d, 0x66, 0x5a);
const GRID: RGBColor = RGBColor(0xdd, 0xd5, 0xc4);
/// Repeated in the style sheets as `--c0` to `--c3`.
pub(crate) const COLORS: [RGBColor; 4] = [
    RGBColor(0x1f, 0x5f, 0xa8),
    RGBColor(0xc4, 0x57, 0x1b),
    RGBColor(0x2f, 0x7d, 0x4f),
    RGBColor(0x80, 0x4f, 0xa6),
];

pub(crate) type Area<'s> = DrawingArea<SVGBackend<'s>, Shift>;
pub(crate) type Drawn = Result<(), DrawingAreaErrorKind<io::Error>>;

/// Draws a picture with its heading and its legend, which is HTML.
pub(crate) fn figure(
    title: &str,
    legend: &str,
    draw: impl FnOnce(&Area<'_>) -> Drawn,
) -> io::Result<String> {
    let mut picture = String::new();
    {
        let area = SVGBackend::with_string(&mut picture, (WIDTH, HEIGHT)).into_drawing_area();
        let drawn = draw(&area).and_then(|()| area.present());
        drawn.map_err(|error| io::Error::other(error.to_string()))?;
    }
    // Within a page no name space is needed, and the style sheet defines the size.
    let begin = picture.find('>').map_or(0, |end| end + 1);
    let title = Escaped(title);
    Ok(format!(
        "<figure class=\"chart\">\n<figcaption>{title}</figcaption>\n{legend}\
         <svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\"><title>{title}</title>{}</figure>\n",
        &picture[begin..]
    ))
}

/// Returns a chart with margins, and room for the labels below it and on its left.
pub(crate) fn builder<'a, 's>(
    area: &'a Area<'s>,
    label_height: u32,
) -> ChartBuilder<'a, 's, SVGBackend<'s>> {
    let mut builder = ChartBuilder::on(area);
    builder.margin(6).margin_right(18).x_label_area_size(label_height).y_label_area_size(52);
    builder
}

/// Sets the style that all charts share.
pub(crate) fn set_style<X, Y>(mesh: &mut MeshStyle<'_, '_, X, Y, SVGBackend<'_>>)
where
    X: Ranged + ValueFormatter<X::ValueType>,
    Y: Ranged + ValueFormatter<Y::ValueType>,
{
    // The font size of plotters is 1.24 times that of CSS.
    let text: TextStyle<'static> = ("sans-serif", 15).into_font().color(&INK);
    mesh.light_line_style(ShapeStyle { color: GRID.mix(0.0), filled: false, stroke_width: 1 })
        .bold_line_style(GRID)
        .axis_style(GRID)
        .label_style(text);
}

/// The label of a number at an axis; empty for fractions.
pub(crate) fn whole_number(value: &f64) -> String {
    if (value - value.round()).abs() > 1e-6 {
        return String::new();
    }
    let size = value.abs().round() as u64;
    let number = match size {
        0..10_000 => grouped(size),
        10_000..1_000_000 => format!("{}k", grouped(size / 1_000)),
        _ => format!("{:.1}M", size as f64 / 1e6),
    };
    if *value <= -0.5 { format!("−{number}") } else { number }
}
