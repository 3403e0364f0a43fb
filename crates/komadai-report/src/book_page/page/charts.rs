//! Charts of numbers of a book.

use std::io;

use komadai_book::refresh::{LineFit, ValuePair};
use komadai_core::Language;
use plotters::element::{Circle, PathElement, Rectangle};
use plotters::prelude::IntoLogRange;
use plotters::style::Color as _;

use super::html::Signed;
use crate::charts::{COLORS, INK, builder, figure, set_style, whole_number};
use crate::text::Escaped;

/// The height of the labels below a chart, with the name of the axis.
const LABEL_HEIGHT: u32 = 36;

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
        let mut chart = builder(area, LABEL_HEIGHT).build_cartesian_2d(x, from..most + room)?;
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
        let mut chart = builder(area, LABEL_HEIGHT).build_cartesian_2d(0..last as i32, y)?;
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
pub(super) fn bars(Bars { title, x, counts }: &Bars<'_>, language: Language) -> io::Result<String> {
    const MOST_BARS: usize = 48;
    let used = counts.len() - counts.iter().rev().take_while(|&&count| count == 0).count();
    if used == 0 {
        return Ok(String::new());
    }
    let width = used.div_ceil(MOST_BARS);
    let sums: Vec<u64> = counts[..used].chunks(width).map(|bin| bin.iter().sum()).collect();
    let most = sums.iter().max().copied().unwrap_or(0).max(1) as f64;
    let grouped = language.choose(format!("{x}, {width} a bar"), format!("{x}（{width} ごと）"));
    let unit = if width == 1 { (*x).to_owned() } else { grouped };
    // The label of a single number is below the middle of its bar, the first of a group below its
    // left end.
    let shift = if width == 1 { 0.5 } else { 0.0 };
    figure(title, "", |area| {
        let end = (sums.len() * width).max(4) as f64 - shift;
        let mut chart =
            builder(area, LABEL_HEIGHT).build_cartesian_2d(-shift..end, 0.0..most * 1.05)?;
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
    language: Language,
) -> io::Result<String> {
    /// The largest number of points. More points overlap.
    const MOST_POINTS: usize = 600;
    let mut sizes: Vec<f64> =
        pairs.iter().flat_map(|pair| [pair.old.abs(), pair.new.abs()]).collect();
    if sizes.is_empty() {
        return Ok(String::new());
    }
    // The axes end at the 98th percentile: a few lost positions would crowd all others into the
    // middle.
    let at = (sizes.len() - 1) * 98 / 100;
    let (_, &mut end, _) = sizes.select_nth_unstable_by(at, f64::total_cmp);
    let end = (end * 1.1).max(50.0);
    let step = pairs.len().div_ceil(MOST_POINTS);
    let [across, up] = language.choose(["across: ", "up: "], ["横：", "縦："]);
    let legend = format!(
        "<p class=\"legend\">{across}{}<br>{up}{}</p>",
        Escaped(&axes[0]),
        Escaped(&axes[1])
    );
    figure(title, &legend, |area| {
        let mut chart = builder(area, LABEL_HEIGHT).build_cartesian_2d(-end..end, -end..end)?;
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

fn legend(series: &[Series]) -> String {
    if series.len() < 2 {
        return String::new();
    }
    let keys = series.iter().enumerate().map(|(number, series)| {
        let color = number % COLORS.len();
        format!("<span><span class=\"key c{color}\"></span>{}</span>", Escaped(&series.name))
    });
    format!("<p class=\"legend\">{}</p>\n", keys.collect::<Vec<_>>().join(" "))
}

/// Shortens a name to fit below an axis with `count` names. It keeps both ends, because names of a
/// series differ at their ends.
fn short_name(name: &str, count: usize) -> String {
    let most = (48 / count.clamp(1, 6)).max(8);
    let chars: Vec<char> = name.chars().collect();
    if chars.len() <= most {
        return name.to_owned();
    }
    let (head, tail) = (most / 2 - 1, most / 2);
    chars[..head].iter().chain(&['…']).chain(&chars[chars.len() - tail..]).collect()
}
