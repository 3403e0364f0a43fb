//! A plot of new values against old ones, as a picture of its own.

use std::io;

use komadai_book::refresh::{LineFit, ScaleShift, ValuePair};
use plotters::prelude::*;

use crate::charts::Drawn;

/// Maximum number of points drawn. More points overlap, and enlarge the file.
const MAX_POINTS: usize = 5_000;

/// Width and height of the plot in pixels.
const SIZE: (u32, u32) = (760, 700);

/// Draws the pairs of an old and a new engine, both fitted lines, and the line of an unchanged
/// scale as SVG. `names` are those of the old and the new engine.
///
/// # Errors
///
/// Returns an error if plotters cannot draw the picture.
pub fn scale_plot(
    pairs: &[ValuePair],
    shift: Option<&ScaleShift>,
    names: &[String; 2],
) -> io::Result<String> {
    let mut svg = String::new();
    draw(&mut svg, pairs, shift, names).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(svg)
}

fn draw(
    svg: &mut String,
    pairs: &[ValuePair],
    shift: Option<&ScaleShift>,
    names: &[String; 2],
) -> Drawn {
    let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let range = range(pairs);
    let mut chart = ChartBuilder::on(&area)
        .caption("Values of the same moves (centipawns)", ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(56)
        .build_cartesian_2d(range.clone(), range.clone())?;
    let [old, new] = names;
    chart.configure_mesh().x_desc(old.as_str()).y_desc(new.as_str()).draw()?;
    let step = pairs.len().div_ceil(MAX_POINTS).max(1);
    let points = pairs.iter().step_by(step);
    let is_inside = |pair: &&ValuePair| range.contains(&pair.old) && range.contains(&pair.new);
    let style = BLUE.mix(0.35).filled();
    chart.draw_series(
        points.filter(is_inside).map(|pair| Circle::new((pair.old, pair.new), 2, style)),
    )?;
    let ends = [range.start, range.end];
    let same = LineFit { slope: 1.0, intercept: 0.0, spread: 0.0 };
    let mut lines = vec![("no change", same, BLACK.mix(0.4))];
    if let Some(shift) = shift {
        lines.push(("least squares", shift.least_squares, RED.to_rgba()));
        lines.push(("robust", shift.robust, GREEN.to_rgba()));
    }
    for (name, line, color) in lines {
        let ends = ends.map(|old| (old, line.apply(old)));
        let label = format!("{name}: {:.1} + {:.3} × old", line.intercept, line.slope);
        chart
            .draw_series(LineSeries::new(ends, color.stroke_width(2)))?
            .label(label)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .draw()?;
    area.present()
}

/// Returns a range, the same for both axes, that contains at least 99 % of the values.
fn range(pairs: &[ValuePair]) -> std::ops::Range<f64> {
    let mut sizes: Vec<f64> =
        pairs.iter().flat_map(|pair| [pair.old.abs(), pair.new.abs()]).collect();
    sizes.sort_by(f64::total_cmp);
    let most = sizes.get(sizes.len().saturating_sub(1) * 99 / 100).copied().unwrap_or(0.0);
    let most = (1.1 * most).max(100.0);
    -most..most
}
