//! Charts of statistics as SVG, drawn by plotters.
//!
//! They are drawn in the colours of the light mode; the style sheet of the page replaces these in dark mode.

use std::io;

use komadai::data::tools::{Calibration, Histogram};
use komadai_console::format::grouped;
use plotters::backend::SVGBackend;
use plotters::chart::{ChartBuilder, MeshStyle};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{Ranged, ValueFormatter};
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea as _};
use plotters::element::{Circle, PathElement, Rectangle};
use plotters::style::{Color as _, IntoFont as _, RGBColor, ShapeStyle, TextStyle};

const WIDTH: u32 = 460;
const HEIGHT: u32 = 220;
/// The largest number of bars. Narrower ones cannot be told apart.
const MOST_BARS: usize = 64;

const INK: RGBColor = RGBColor(0x6d, 0x66, 0x5a);
const GRID: RGBColor = RGBColor(0xdd, 0xd5, 0xc4);
/// Repeated in `page.css`, as the two above.
const COLORS: [RGBColor; 3] =
    [RGBColor(0x1f, 0x5f, 0xa8), RGBColor(0xc4, 0x57, 0x1b), RGBColor(0x2f, 0x7d, 0x4f)];

type Area<'s> = DrawingArea<SVGBackend<'s>, Shift>;
type Drawn = Result<(), DrawingAreaErrorKind<io::Error>>;

/// A bar chart of the bins between two numbers. The first and the last bar contain everything beyond.
pub(super) fn bars(
    title: &str,
    unit: &str,
    histogram: &Histogram,
    [first, last]: [i64; 2],
) -> io::Result<String> {
    let width = bar_width(histogram.width(), last - first);
    let mut sums = vec![0_u64; ((last - first) / width).max(1) as usize];
    let ends = [0, sums.len() as i64 - 1];
    for (index, count) in histogram.counts().iter().enumerate() {
        let number = histogram.start() + index as i64 * histogram.width();
        let bar = (number - first).div_euclid(width).clamp(ends[0], ends[1]);
        sums[bar as usize] += count;
    }
    let most = sums.iter().max().copied().unwrap_or(0).max(1) as f64;
    figure(title, &format!("{unit}, {width} a bar"), |area| {
        let mut chart =
            builder(area).build_cartesian_2d(first as f64..last as f64, 0.0..most * 1.05)?;
        let mut mesh = chart.configure_mesh();
        set_style(&mut mesh);
        mesh.disable_x_mesh().x_labels(8).y_labels(5);
        mesh.x_label_formatter(&whole_number).y_label_formatter(&whole_number).draw()?;
        let bars = sums.iter().enumerate().filter(|(_, count)| **count > 0);
        chart.draw_series(bars.map(|(bar, &count)| {
            let (left, width) = (first as f64 + bar as f64 * width as f64, width as f64);
            let corners = [(left + 0.06 * width, count as f64), (left + 0.94 * width, 0.0)];
            Rectangle::new(corners, COLORS[0].filled())
        }))?;
        Ok(())
    })
}

/// Returns the width of a bar: a multiple of that of a bin, so that there are not too many bars.
fn bar_width(bin: i64, range: i64) -> i64 {
    let steps = [1, 2, 5, 10, 20, 50, 100];
    let fits = |step: &i64| range / (bin * step) <= MOST_BARS as i64;
    bin * steps.into_iter().find(fits).unwrap_or(100)
}

/// Results against scores, with the curves of the fitted scale and of the usual one.
pub(super) fn calibration(title: &str, found: &Calibration, usual: f64) -> io::Result<String> {
    let keys = [
        format!("data ({} bins)", found.bins.len()),
        format!("scale {:.0}", found.scale),
        format!("scale {usual:.0}"),
    ];
    let legend = keys
        .iter()
        .enumerate()
        .map(|(color, key)| format!("<span><span class=\"key c{color}\"></span>{key}</span>"));
    let legend: String = legend.collect();
    figure(title, &legend, |area| {
        let mut chart = builder(area).build_cartesian_2d(-3_000.0..3_000.0, 0.0..1.0)?;
        let mut mesh = chart.configure_mesh();
        set_style(&mut mesh);
        mesh.x_labels(7).y_labels(5).x_label_formatter(&whole_number);
        mesh.y_label_formatter(&|value: &f64| format!("{value:.1}")).draw()?;
        for (scale, color) in [(usual, COLORS[2]), (found.scale, COLORS[1])] {
            let scores = (-60..=60).map(|step| f64::from(step) * 50.0);
            let curve = scores.map(|score| (score, 1.0 / (1.0 + (-score / scale).exp())));
            let curve: Vec<(f64, f64)> = curve.collect();
            chart.draw_series([PathElement::new(curve, color.stroke_width(2))])?;
        }
        let points = found.bins.iter().map(|bin| (bin.score, bin.result));
        chart.draw_series(points.map(|point| Circle::new(point, 3, COLORS[0].filled())))?;
        Ok(())
    })
}

/// Draws a picture with its heading and legend.
fn figure(title: &str, legend: &str, draw: impl FnOnce(&Area<'_>) -> Drawn) -> io::Result<String> {
    let mut picture = String::new();
    {
        let area = SVGBackend::with_string(&mut picture, (WIDTH, HEIGHT)).into_drawing_area();
        let drawn = draw(&area).and_then(|()| area.present());
        drawn.map_err(|error| io::Error::other(error.to_string()))?;
    }
    // Within a page no name space is needed, and the style sheet defines the size.
    let begin = picture.find('>').map_or(0, |end| end + 1);
    Ok(format!(
        "<figure class=\"chart\">\n<figcaption>{title}</figcaption>\n<p class=\"legend\">{legend}</p>\n\
         <svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\"><title>{title}</title>{}</figure>\n",
        &picture[begin..]
    ))
}

fn builder<'a, 's>(area: &'a Area<'s>) -> ChartBuilder<'a, 's, SVGBackend<'s>> {
    let mut builder = ChartBuilder::on(area);
    builder.margin(6).margin_right(18).x_label_area_size(30).y_label_area_size(52);
    builder
}

/// Sets the style that all charts share.
fn set_style<X, Y>(mesh: &mut MeshStyle<'_, '_, X, Y, SVGBackend<'_>>)
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
fn whole_number(value: &f64) -> String {
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
