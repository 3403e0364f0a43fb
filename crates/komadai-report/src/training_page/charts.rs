//! Charts of statistics.

use std::io;

use komadai_data::tools::{Calibration, Histogram};
use plotters::element::{Circle, PathElement, Rectangle};
use plotters::style::Color as _;

use crate::charts::{COLORS, builder, figure, set_style, whole_number};

/// The height of the labels below a chart; its axis has no name, because the legend states the
/// unit.
const LABEL_HEIGHT: u32 = 30;
/// The largest number of bars. Narrower ones cannot be told apart.
const MOST_BARS: usize = 64;

/// A bar chart of the bins between two numbers. The first and the last bar contain everything
/// beyond.
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
    figure(title, &legend(&format!("{unit}, {width} a bar")), |area| {
        let mut chart = builder(area, LABEL_HEIGHT)
            .build_cartesian_2d(first as f64..last as f64, 0.0..most * 1.05)?;
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
    let keys = keys
        .iter()
        .enumerate()
        .map(|(color, key)| format!("<span><span class=\"key c{color}\"></span>{key}</span>"));
    let keys: String = keys.collect();
    figure(title, &legend(&keys), |area| {
        let mut chart =
            builder(area, LABEL_HEIGHT).build_cartesian_2d(-3_000.0..3_000.0, 0.0..1.0)?;
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

fn legend(words: &str) -> String {
    format!("<p class=\"legend\">{words}</p>\n")
}
