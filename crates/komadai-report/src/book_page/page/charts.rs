//! Charts, drawn by plotters.
//!
//! Charts are drawn in the colours of the light mode. The style sheet of the page replaces each colour by a
//! variable, so charts follow the light or dark mode. Without the style sheet the drawn colours show.

use std::io;

use plotters::backend::SVGBackend;
use plotters::chart::{ChartBuilder, MeshStyle};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{Ranged, ValueFormatter};
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Rectangle};
use plotters::prelude::IntoLogRange;
use plotters::style::{Color as _, IntoFont, RGBColor, ShapeStyle, TextStyle};

use super::html::{Grouped, Signed, Text};
use komadai_book::refresh::{LineFit, ValuePair};

/// A named series of numbers with their places on the x axis.
pub(super) struct Series {
    pub(super) name: String,
    pub(super) points: Vec<(usize, f64)>,
}

/// Counts for the numbers from 0, drawn as bars.
pub(super) struct Bars<'c> {
    pub(super) title: &'c str,
    pub(super) x: &'c str,
    pub(super) counts: &'c [u64],
}

const WIDTH: u32 = 460;
const HEIGHT: u32 = 220;

const INK: RGBColor = RGBColor(0x6d, 0x66, 0x5a);
const GRID: RGBColor = RGBColor(0xdd, 0xd5, 0xc4);
/// Repeated in `style.css` as `--c0` to `--c3`.
const COLORS: [RGBColor; 4] = [
    RGBColor(0x1f, 0x5f, 0xa8),
    RGBColor(0xc4, 0x57, 0x1b),
    RGBColor(0x2f, 0x7d, 0x4f),
    RGBColor(0x80, 0x4f, 0xa6),
];

type Area<'s> = DrawingArea<SVGBackend<'s>, Shift>;
type Drawn = Result<(), DrawingAreaErrorKind<io::Error>>;

/// A chart of series over states of the book; empty if there are fewer than two points.
pub(super) fn lines_over_states(
    title: &str,
    names: &[&str],
    series: &[Series],
) -> io::Result<String> {
    let points = || series.iter().flat_map(|series| &series.points);
    if points().count() < 2 {
        return Ok(String::new());
    }
    let values = points().map(|&(_, value)| value);
    let least = values.clone().fold(0.0, f64::min);
    let most = values.fold(0.0, f64::max);
    let room = ((most - least) * 0.08).max(1.0);
    // Series without negative numbers start at zero.
    let from = if least < 0.0 { least - room } else { 0.0 };
    let last = names.len().saturating_sub(1).max(1);
    let name = |at: &i32| {
        let name = usize::try_from(*at).ok().and_then(|at| names.get(at));
        name.map_or_else(String::new, |name| short_name(name, names.len()))
    };
    figure(title, &legend(series), |area| {
        let x = 0..last as i32;
        let mut chart = builder(area).build_cartesian_2d(x, from..most + room)?;
        let mut mesh = chart.configure_mesh();
        set_style(&mut mesh);
        mesh.x_labels(names.len().min(6)).x_label_formatter(&name);
        mesh.y_label_formatter(&whole_number).draw()?;
        for (number, series) in series.iter().enumerate() {
            let line: Vec<_> =
                series.points.iter().map(|&(at, value)| (at as i32, value)).collect();
            let color = COLORS[number % COLORS.len()];
            chart.draw_series([PathElement::new(line.clone(), color.stroke_width(2))])?;
            let dots = line.into_iter().map(|point| Circle::new(point, 3, color.filled()));
            chart.draw_series(dots)?;
        }
        Ok(())
    })
}

/// A chart of counts over a number on a logarithmic scale; 0 is drawn as 1. Empty without points.
pub(super) fn steps(title: &str, unit: &str, series: &[Series]) -> io::Result<String> {
    let points = || series.iter().flat_map(|series| &series.points);
    let Some(last) = points().map(|&(at, _)| at).max().filter(|&last| last > 0) else {
        return Ok(String::new());
    };
    let most = points().map(|&(_, count)| count).fold(10.0, f64::max);
    figure(title, &legend(series), |area| {
        let y = (1.0..most * 1.3).log_scale();
        let mut chart = builder(area).build_cartesian_2d(0..last as i32, y)?;
        let mut mesh = chart.configure_mesh();
        set_style(&mut mesh);
        mesh.x_labels(7).x_desc(unit).y_labels(5);
        mesh.y_label_formatter(&whole_number).draw()?;
        for (number, series) in series.iter().enumerate() {
            let points = series.points.iter();
            let line: Vec<_> = points.map(|&(at, count)| (at as i32, count.max(1.0))).collect();
            let color = COLORS[number % COLORS.len()];
            chart.draw_series([PathElement::new(line.clone(), color.stroke_width(2))])?;
            let dots = line.into_iter().map(|point| Circle::new(point, 3, color.filled()));
            chart.draw_series(dots)?;
        }
        Ok(())
    })
}

/// A bar chart of counts, which are summed in groups if there are too many.
pub(super) fn bars(Bars { title, x, counts }: &Bars<'_>) -> io::Result<String> {
    const MOST_BARS: usize = 48;
    let used = counts.len() - counts.iter().rev().take_while(|&&count| count == 0).count();
    if used == 0 {
        return Ok(String::new());
    }
    let width = used.div_ceil(MOST_BARS);
    let sums: Vec<u64> = counts[..used].chunks(width).map(|bin| bin.iter().sum()).collect();
    let most = sums.iter().max().copied().unwrap_or(0).max(1) as f64;
    let unit = if width == 1 { (*x).to_owned() } else { format!("{x}, {width} a bar") };
    // The label of a single number is below the middle of its bar, the first of a group below its left end.
    let shift = if width == 1 { 0.5 } else { 0.0 };
    figure(title, "", |area| {
        let end = (sums.len() * width).max(4) as f64 - shift;
        let mut chart = builder(area).build_cartesian_2d(-shift..end, 0.0..most * 1.05)?;
        let mut mesh = chart.configure_mesh();
        set_style(&mut mesh);
        mesh.disable_x_mesh().x_labels(8).x_desc(unit.as_str()).y_labels(5);
        mesh.x_label_formatter(&whole_number).y_label_formatter(&whole_number).draw()?;
        let counted = sums.iter().enumerate().filter(|(_, count)| **count > 0);
        chart.draw_series(counted.map(|(bin, &count)| {
            let left = (bin * width) as f64 - shift;
            let gap = 0.08 * width as f64;
            let corners = [(left + gap, count as f64), (left + width as f64 - gap, 0.0)];
            Rectangle::new(corners, COLORS[0].filled())
        }))?;
        Ok(())
    })
}

/// A scatter chart of values by two engines, with the fitted line.
pub(super) fn scatter(
    title: &str,
    axes: &[String; 2],
    pairs: &[ValuePair],
    line: Option<LineFit>,
) -> io::Result<String> {
    /// The largest number of points. More points overlap.
    const MOST_POINTS: usize = 600;
    let mut sizes: Vec<f64> =
        pairs.iter().flat_map(|pair| [pair.old.abs(), pair.new.abs()]).collect();
    if sizes.is_empty() {
        return Ok(String::new());
    }
    // The axes end at the 98th percentile: a few lost positions would crowd all others into the middle.
    let at = (sizes.len() - 1) * 98 / 100;
    let (_, &mut end, _) = sizes.select_nth_unstable_by(at, f64::total_cmp);
    let end = (end * 1.1).max(50.0);
    let step = pairs.len().div_ceil(MOST_POINTS);
    let legend =
        format!("<p class=\"legend\">across: {}<br>up: {}</p>", Text(&axes[0]), Text(&axes[1]));
    figure(title, &legend, |area| {
        let mut chart = builder(area).build_cartesian_2d(-end..end, -end..end)?;
        let mut mesh = chart.configure_mesh();
        set_style(&mut mesh);
        mesh.x_labels(7).y_labels(5).x_label_formatter(&|value: &f64| Signed(*value).to_string());
        mesh.y_label_formatter(&|value: &f64| Signed(*value).to_string()).draw()?;
        let is_inside = |&(x, y): &(f64, f64)| x.abs() <= end && y.abs() <= end;
        let points = pairs.iter().step_by(step).map(|pair| (pair.old, pair.new));
        let dots = points.filter(is_inside);
        chart.draw_series(dots.map(|point| Circle::new(point, 2, COLORS[0].mix(0.45).filled())))?;
        chart
            .draw_series([PathElement::new(vec![(-end, -end), (end, end)], INK.stroke_width(1))])?;
        if let Some(line) = line {
            let steps = (-50..=50).map(|step| end * f64::from(step) / 50.0);
            let fitted: Vec<_> =
                steps.map(|old| (old, line.apply(old))).filter(is_inside).collect();
            chart.draw_series([PathElement::new(fitted, COLORS[1].stroke_width(2))])?;
        }
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
    let title = Text(title);
    Ok(format!(
        "<figure class=\"chart\">\n<figcaption>{title}</figcaption>\n{legend}\
         <svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\"><title>{title}</title>{}</figure>\n",
        &picture[begin..]
    ))
}

fn legend(series: &[Series]) -> String {
    if series.len() < 2 {
        return String::new();
    }
    let keys = series.iter().enumerate().map(|(number, series)| {
        let color = number % COLORS.len();
        format!("<span><span class=\"key c{color}\"></span>{}</span>", Text(&series.name))
    });
    format!("<p class=\"legend\">{}</p>\n", keys.collect::<Vec<_>>().join(" "))
}

fn builder<'a, 's>(area: &'a Area<'s>) -> ChartBuilder<'a, 's, SVGBackend<'s>> {
    let mut builder = ChartBuilder::on(area);
    builder.margin(6).margin_right(18).x_label_area_size(36).y_label_area_size(52);
    builder
}

/// Sets the style that all charts share.
fn set_style<X, Y>(mesh: &mut MeshStyle<'_, '_, X, Y, SVGBackend<'_>>)
where
    X: Ranged + ValueFormatter<X::ValueType>,
    Y: Ranged + ValueFormatter<Y::ValueType>,
{
    mesh.light_line_style(ShapeStyle { color: GRID.mix(0.0), filled: false, stroke_width: 1 })
        .bold_line_style(GRID)
        .axis_style(GRID)
        .label_style(text());
}

fn text() -> TextStyle<'static> {
    // The font size of plotters is 1.24 times that of CSS.
    ("sans-serif", 15).into_font().color(&INK)
}

/// The label of a number at an axis; empty for fractions.
fn whole_number(value: &f64) -> String {
    if (value - value.round()).abs() > 1e-6 {
        return String::new();
    }
    let size = value.abs().round() as u64;
    let number = match size {
        0..10_000 => Grouped(size).to_string(),
        10_000..1_000_000 => format!("{}k", Grouped(size / 1_000)),
        _ => format!("{:.1}M", size as f64 / 1e6),
    };
    if *value <= -0.5 { format!("−{number}") } else { number }
}

/// Shortens a name to fit below an axis with `count` names. It keeps both ends, because names of a series
/// differ at their ends.
fn short_name(name: &str, count: usize) -> String {
    let most = (48 / count.clamp(1, 6)).max(8);
    let chars: Vec<char> = name.chars().collect();
    if chars.len() <= most {
        return name.to_owned();
    }
    let (head, tail) = (most / 2 - 1, most / 2);
    chars[..head].iter().chain(&['…']).chain(&chars[chars.len() - tail..]).collect()
}
