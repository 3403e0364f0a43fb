//! Statistics of training data, as text and as an HTML page with charts.
//!
//! Both show the same numbers: those that the tools of [`komadai_data`] found in one pass over the
//! records.

mod numbers;

use std::io;

use komadai_base::text::grouped;
use komadai_core::Language;
use komadai_data::tools::{Calibration, Histogram, Statistics};
pub use numbers::statistics_text;
use numbers::{Section, sections};
use plotters::element::{Circle, PathElement, Rectangle};
use plotters::style::Color as _;

use crate::charts::{COLORS, builder, figure, set_style, whole_number};
use crate::text::Escaped;
use crate::web::{PageHead, footer};

/// The scale that trainers of shogi networks commonly assume, in centipawns.
const USUAL_SCALE: f64 = 600.0;

/// Returns statistics of the training data with these names as one HTML page that needs no other
/// file.
///
/// # Errors
///
/// Returns an error if plotters cannot draw a chart.
pub fn statistics_page(found: &Statistics, names: &str, language: Language) -> io::Result<String> {
    let tables: String = sections(found, language).iter().map(table).collect();
    let records = grouped(found.records);
    let [heading, colon] = language.choose(["Training data", ": "], ["学習データ", "："]);
    let description = language
        .choose(format!("{names}: {records} records"), format!("{names}：{records} レコード"));
    let head = PageHead {
        language,
        title: &format!("{heading}{colon}{names}"),
        description: &description,
        style: include_str!("training_page/style.css"),
        script_hash: None,
    };
    Ok(format!(
        "{head}<header><h1>{heading}</h1><p>{}</p></header>\n\
         <main>\n<div class=\"grid\">\n{}</div>\n<div class=\"grid\">\n{tables}</div>\n</main>\n\
         {}</body>\n</html>\n",
        Escaped(&description),
        charts(found, language)?,
        footer(language, "komadai train statistics DATA --html PAGE"),
    ))
}

fn charts(found: &Statistics, language: Language) -> io::Result<String> {
    let mut charts = String::new();
    if let Some(fitted) = &found.calibration {
        charts += &calibration(fitted, USUAL_SCALE, language)?;
    }
    let words = language.choose(
        [
            ("Scores", "centipawns"),
            ("Lengths of games", "records"),
            ("Move numbers", "move"),
            ("Progress", "0 opening, 15 endgame"),
            ("Pieces in both hands", "pieces"),
        ],
        [
            ("評価値", "センチポーン"),
            ("対局の長さ", "レコード"),
            ("手数", "手"),
            ("進行度", "0 が序盤、15 が終盤"),
            ("両者の持駒の数", "枚"),
        ],
    );
    let lengths = &found.games.lengths;
    let histograms = [
        (&found.scores.histogram, [-3_000, 3_000]),
        (lengths, range(lengths)),
        (&found.plies, range(&found.plies)),
        (&found.progress, [0, 16]),
        (&found.pieces_in_hand, [0, 39]),
    ];
    for ((title, unit), (histogram, range)) in words.into_iter().zip(histograms) {
        charts += &bars(title, unit, histogram, range, language)?;
    }
    Ok(charts)
}

/// Returns 0 and the end of the last bin, with room for a bar.
fn range(histogram: &Histogram) -> [i64; 2] {
    let end = histogram.start() + histogram.width() * histogram.counts().len() as i64;
    [0, end.clamp(histogram.width(), 1_000)]
}

fn table(section: &Section) -> String {
    let mut rows = String::new();
    for (name, value) in &section.rows {
        rows += &format!("<tr><th>{name}</th><td>{value}</td></tr>\n");
    }
    format!("<section><h2>{}</h2>\n<table>\n{rows}</table></section>\n", section.title)
}

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
    language: Language,
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
    let unit =
        language.choose(format!("{unit}, {width} a bar"), format!("{unit}、棒ごとに {width}"));
    figure(title, &legend(&unit), |area| {
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
pub(super) fn calibration(
    found: &Calibration,
    usual: f64,
    language: Language,
) -> io::Result<String> {
    let title =
        language.choose("Results of the side to move against scores", "評価値と手番側の勝率");
    let keys = [
        language.choose(
            format!("data ({} bins)", found.bins.len()),
            format!("データ（{} 区間）", found.bins.len()),
        ),
        language.choose(format!("scale {:.0}", found.scale), format!("尺度 {:.0}", found.scale)),
        language.choose(format!("scale {usual:.0}"), format!("尺度 {usual:.0}")),
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
