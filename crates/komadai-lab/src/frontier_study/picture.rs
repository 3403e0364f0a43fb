//! The picture: one row per book.

use plotters::coord::Shift;
use plotters::prelude::*;

use komadai::bookgraph::frontier::{BookSides, OwnMoves, Window};

use komadai_study::frontier::{Count, EVAL_DIFFS, PlyCounts, Rule, RuleCounts, Study};

const PANEL: (u32, u32) = (470, 330);

const FREE: RGBColor = RGBColor(200, 60, 40);
const BLACKS: RGBColor = RGBColor(30, 30, 30);
const WHITES: RGBColor = RGBColor(40, 110, 200);
const REFERENCE: RGBColor = RGBColor(150, 150, 150);

/// A curve of a panel.
struct Curve {
    points: Vec<(f64, f64)>,
    name: &'static str,
    color: RGBColor,
    style: LineStyle,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineStyle {
    Thick,
    Thin,
}

/// Draws all studies as SVG.
pub(crate) fn draw(studies: &[Study]) -> anyhow::Result<String> {
    let mut svg = String::new();
    let size = (PANEL.0 * 3, PANEL.1 * studies.len().max(1) as u32);
    {
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        area.fill(&WHITE)?;
        let panels = area.split_evenly((studies.len().max(1), 3));
        for (study, panels) in studies.iter().zip(panels.chunks(3)) {
            let title = format!("{} ({} positions): to search next", study.name, study.positions);
            panel(&panels[0], &title, "eval_diff (centipawns)", &by_width(study))?;
            let title = format!("{}: visited, eval_diff {}", study.name, study.eval_diff);
            panel(&panels[1], &title, "max ply", &visited(study))?;
            let title = format!("{}: lines, eval_diff {}", study.name, study.eval_diff);
            panel(&panels[2], &title, "max ply", &lines(study))?;
        }
        area.present()?;
    }
    Ok(svg)
}

fn by_width(study: &Study) -> Vec<Curve> {
    let drawn = study.widths.iter().filter(|row| row.rule.own_moves == OwnMoves::First);
    let curve = |row: &RuleCounts| {
        let (name, color, style) = curve_style(row.rule);
        let counts = EVAL_DIFFS.iter().zip(&row.counts);
        let point = |(&diff, count): (&i32, &Count)| (f64::from(diff), count.frontier as f64);
        Curve { points: counts.map(point).collect(), name, color, style }
    };
    drawn.map(curve).collect()
}

fn curve_style(rule: Rule) -> (&'static str, RGBColor, LineStyle) {
    match (rule.window, rule.side) {
        (Window::Free, _) => ("both sides free", FREE, LineStyle::Thick),
        (Window::Best, BookSides::White) => ("White best only", WHITES, LineStyle::Thick),
        (Window::Best, _) => ("Black best only", BLACKS, LineStyle::Thick),
        (Window::Root, BookSides::White) => ("White, from the root", WHITES, LineStyle::Thin),
        (Window::Root, _) => ("Black, from the root", BLACKS, LineStyle::Thin),
    }
}

fn visited(study: &Study) -> Vec<Curve> {
    vec![
        by_ply(study, "both sides free", FREE, |row| row.free as f64),
        by_ply(study, "Black best only", BLACKS, |row| row.best[0] as f64),
        by_ply(study, "White best only", WHITES, |row| row.best[1] as f64),
    ]
}

fn lines(study: &Study) -> Vec<Curve> {
    let root = by_ply(study, "its square root", REFERENCE, |row| row.free_lines.sqrt());
    vec![
        by_ply(study, "both sides free", FREE, |row| row.free_lines),
        Curve { style: LineStyle::Thin, ..root },
        by_ply(study, "Black best only", BLACKS, |row| row.best_lines[0]),
        by_ply(study, "White best only", WHITES, |row| row.best_lines[1]),
    ]
}

fn by_ply(
    study: &Study,
    name: &'static str,
    color: RGBColor,
    count: impl Fn(&PlyCounts) -> f64,
) -> Curve {
    let points = study.plies.iter().map(|row| (f64::from(row.max_ply), count(row))).collect();
    Curve { points, name, color, style: LineStyle::Thick }
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

fn panel(area: &Area<'_>, title: &str, x_name: &str, curves: &[Curve]) -> anyhow::Result<()> {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let right = points().map(|point| point.0).fold(1.0, f64::max);
    // A third of the height is left for the names.
    let top = points().map(|point| point.1).fold(10.0, f64::max).powf(1.55);
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 16))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(60)
        .build_cartesian_2d(0.0..right, (0.8..top).log_scale())?;
    chart
        .configure_mesh()
        .x_desc(x_name)
        .y_desc("how many")
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_label_formatter(&|&count| label(count))
        .light_line_style(TRANSPARENT)
        .draw()?;
    for curve in curves {
        let stroke = if curve.style == LineStyle::Thick { 2 } else { 1 };
        let style = curve.color.stroke_width(stroke);
        let color = curve.color;
        // A logarithm has no zero.
        let shown = curve.points.iter().copied().filter(|point| point.1 > 0.0);
        chart
            .draw_series(LineSeries::new(shown, style).point_size(stroke + 1))?
            .label(curve.name)
            .legend(move |(x, y)| {
                PathElement::new(vec![(x, y), (x + 16, y)], color.stroke_width(stroke))
            });
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(REFERENCE)
        .draw()?;
    Ok(())
}

/// Formats a number of lines or positions, with an exponent if it is large.
fn label(count: f64) -> String {
    if count < 1e6 { format!("{count}") } else { format!("{count:e}") }
}
