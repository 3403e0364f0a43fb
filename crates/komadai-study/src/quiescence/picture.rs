//! The figures of the paper: nodes against variance, and the best moves by progress.

use plotters::prelude::*;

use crate::quiescence::measure::Setting;
use crate::quiescence::paper::{self, TABLE};
use crate::quiescence::results::{BEST_CLASSES, Band, Results, Sums};

const SIZE: (u32, u32) = (760, 520);
/// The part of it between the axes, about, for the places of names.
const INNER: (f64, f64) = (660.0, 430.0);
/// The height of a name, and the width of its characters, in pixels.
const NAME: (f64, f64) = (11.0, 6.0);

const OURS: RGBColor = RGBColor(0x1f, 0x5f, 0xa8);
const THEIRS: RGBColor = RGBColor(0xc4, 0x57, 0x1b);
/// The classes of figure 9, in the order of [`BEST_CLASSES`].
const CLASS_COLORS: [RGBColor; 6] = [
    RGBColor(0x1f, 0x5f, 0xa8),
    RGBColor(0x5a, 0x9f, 0xd4),
    RGBColor(0x6d, 0x66, 0x5a),
    RGBColor(0x2f, 0x7d, 0x4f),
    RGBColor(0xc4, 0x57, 0x1b),
    RGBColor(0x80, 0x4f, 0xa6),
];

/// A method: its nodes a position, its variance as a part of that of the static evaluation, its name.
type Point = (f64, f64, String);

/// Points of one colour.
struct Series {
    name: &'static str,
    color: RGBColor,
    points: Vec<Point>,
}

/// A picture of nodes and variances.
struct Scatter {
    file: String,
    title: String,
    /// The depth and the part of the games.
    depth: u32,
    bands: Vec<Band>,
    /// The paper's points, which it gives in figures for depth 5 and all positions only.
    has_theirs: bool,
}

/// Returns the scatter pictures: one for each depth, and one for each band at the main depth.
fn scatters(results: &Results) -> Vec<Scatter> {
    let main = results.main_depth();
    let by_depth = results.depths().iter().map(|&depth| Scatter {
        file: format!("figure{depth}.svg"),
        title: format!("Nodes and variance, depth {depth}"),
        depth,
        bands: Band::ALL.to_vec(),
        has_theirs: depth == 5,
    });
    let by_band = [6, 7, 8].into_iter().zip(Band::ALL).map(|(number, band)| Scatter {
        file: format!("figure{number}.svg"),
        title: format!("Nodes and variance, depth {main}, {}", band_name(band)),
        depth: main,
        bands: vec![band],
        has_theirs: false,
    });
    by_depth.filter(|scatter| scatter.depth <= 5).chain(by_band).collect()
}

fn band_name(band: Band) -> &'static str {
    match band {
        Band::Opening => "opening (progress 0 to 4)",
        Band::Middle => "middle game (progress 5 to 9)",
        Band::End => "endgame (progress 10 to 15)",
    }
}

/// The file and title of figure 9.
const BEST_FILE: (&str, &str) = ("figure9.svg", "Classes of the best moves by progress");

/// Draws all figures; returns the names of the files and their content.
pub(crate) fn figures(
    setting: &Setting,
    results: &Results,
) -> anyhow::Result<Vec<(String, String)>> {
    let total = results.total();
    let mut figures = Vec::new();
    for scatter in scatters(results) {
        let mut series = vec![Series {
            name: "this run",
            color: OURS,
            points: points(setting, results, &total, &scatter),
        }];
        if scatter.has_theirs {
            series.push(Series { name: "paper", color: THEIRS, points: paper_points() });
        }
        figures.push((scatter.file, draw_scatter(&scatter.title, &series)?));
    }
    figures.push((BEST_FILE.0.to_owned(), draw_best(&total)?));
    Ok(figures)
}

fn points(setting: &Setting, results: &Results, sums: &Sums, scatter: &Scatter) -> Vec<Point> {
    let Scatter { depth, bands, .. } = scatter;
    let eval = results.method(sums, "Eval", *depth, bands);
    let base = eval.map_or(1.0, |cell| cell.variance());
    let mut points: Vec<Point> = Vec::with_capacity(setting.methods.len() + 1);
    for name in results.names() {
        if let Some(cell) = results.method(sums, name, *depth, bands) {
            points.push((cell.nodes(), cell.variance() / base, name.clone()));
        }
    }
    if let Some(cell) = results.reference(sums, *depth, bands) {
        points.push((cell.nodes(), 0.0, "All".to_owned()));
    }
    points.retain(|(nodes, variance, _)| nodes.is_finite() && variance.is_finite());
    points
}

fn paper_points() -> Vec<Point> {
    let all = (paper::REFERENCE_NODES / paper::POSITIONS, 0.0, "All".to_owned());
    let base = paper::find("Eval").map_or(1.0, |row| row.variance);
    let rows = TABLE.iter().map(|row| (row.nodes(), row.variance / base, row.name.to_owned()));
    rows.chain([all]).collect()
}

/// Returns the vertical places of names beside their points, in pixels, so that no two overlap.
fn name_offsets(points: &[&Point], right: f64, top: f64) -> Vec<i32> {
    let width = (right / 0.8).ln();
    let place = |point: &Point| {
        ((point.0 / 0.8).ln() / width * INNER.0, (1.0 - point.1 / top) * INNER.1 - NAME.0 / 2.0)
    };
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&a, &b| points[b].1.total_cmp(&points[a].1));
    let mut offsets = vec![0; points.len()];
    let mut placed: Vec<(f64, f64, f64)> = Vec::new();
    for index in order {
        let (x, natural) = place(points[index]);
        let end = x + NAME.1 * points[index].2.len() as f64 + NAME.1;
        let mut y = natural;
        while placed
            .iter()
            .any(|&(left, right, other)| left < end && x < right && (other - y).abs() < NAME.0)
        {
            y += 1.0;
        }
        placed.push((x, end, y));
        offsets[index] = (y - natural - NAME.0 / 2.0) as i32;
    }
    offsets
}

fn draw_scatter(title: &str, series: &[Series]) -> anyhow::Result<String> {
    let points = || series.iter().flat_map(|series| &series.points);
    let right = points().map(|point| point.0).fold(10.0, f64::max) * 3.0;
    let top = points().map(|point| point.1).fold(1.0, f64::max) * 1.1;
    let mut offsets = name_offsets(&points().collect::<Vec<_>>(), right, top).into_iter();
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption(title, ("sans-serif", 18))
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(60)
            .build_cartesian_2d((0.8..right).log_scale(), 0.0..top)?;
        chart
            .configure_mesh()
            .x_desc("nodes a position")
            .y_desc("variance of the difference; static evaluation 1")
            .x_label_formatter(&|nodes| format!("{nodes}"))
            .y_label_formatter(&|variance| format!("{variance:.1}"))
            .light_line_style(TRANSPARENT)
            .draw()?;
        for Series { name, color, points } in series {
            let color = *color;
            let style = ("sans-serif", 13).into_font().color(&color);
            let mark = |(point, offset): (&Point, i32)| {
                let (nodes, variance, method) = point;
                EmptyElement::at((*nodes, *variance))
                    + Circle::new((0, 0), 3, color.filled())
                    + Text::new(method.clone(), (5, offset), style.clone())
            };
            let places: Vec<_> = offsets.by_ref().take(points.len()).collect();
            chart
                .draw_series(points.iter().zip(places).map(mark))?
                .label(*name)
                .legend(move |(x, y)| Circle::new((x + 8, y), 3, color.filled()));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .background_style(WHITE.mix(0.8))
            .draw()?;
        area.present()?;
    }
    Ok(svg)
}

fn draw_best(sums: &Sums) -> anyhow::Result<String> {
    let shares = |class| {
        let at = move |progress: usize| {
            let best = sums.best([progress]);
            (best.moves > 0.0).then(|| (progress as f64, 100.0 * best.share(class)))
        };
        (0..16).filter_map(at)
    };
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption(BEST_FILE.1, ("sans-serif", 18))
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(60)
            .build_cartesian_2d(0.0..15.0, 0.0..100.0)?;
        chart
            .configure_mesh()
            .x_desc("progress")
            .y_desc("percent of the best moves")
            .light_line_style(TRANSPARENT)
            .draw()?;
        for (class, color) in BEST_CLASSES.into_iter().zip(CLASS_COLORS) {
            let style = color.stroke_width(2);
            chart
                .draw_series(LineSeries::new(shares(class), style).point_size(3))?
                .label(class.to_string())
                .legend(move |(x, y)| PathElement::new(vec![(x, y), (x + 16, y)], style));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE.mix(0.8))
            .draw()?;
        area.present()?;
    }
    Ok(svg)
}
