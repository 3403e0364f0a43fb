//! Statistics of training data, as text and as an HTML page with charts.
//!
//! Both show the same numbers: those that the tools of [`komadai_data`] found in one pass over the
//! records.

mod charts;
mod numbers;

use std::io;

use komadai_base::text::grouped;
use komadai_data::tools::{Histogram, Statistics};

use crate::text::Escaped;
use charts::{bars, calibration};
use numbers::{Section, sections};

pub use numbers::statistics_text;

/// The scale that trainers of shogi networks commonly assume, in centipawns.
const USUAL_SCALE: f64 = 600.0;

/// Returns statistics of the training data with these names as one HTML page that needs no other
/// file.
///
/// # Errors
///
/// Returns an error if plotters cannot draw a chart.
pub fn statistics_page(found: &Statistics, names: &str) -> io::Result<String> {
    let tables: String = sections(found).iter().map(table).collect();
    let records = grouped(found.records);
    let name = Escaped(names);
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Training data: {name}</title>\n<style>\n{}</style>\n</head>\n<body>\n\
         <header><h1>Training data</h1><p>{name}: {records} records</p></header>\n\
         <main>\n<div class=\"grid\">\n{}</div>\n<div class=\"grid\">\n{tables}</div>\n</main>\n\
         </body>\n</html>\n",
        include_str!("training_page/style.css"),
        charts(found)?,
    ))
}

fn charts(found: &Statistics) -> io::Result<String> {
    let mut charts = String::new();
    if let Some(fitted) = &found.calibration {
        let title = "Results of the side to move against scores";
        charts += &calibration(title, fitted, USUAL_SCALE)?;
    }
    let score = &found.scores.histogram;
    charts += &bars("Scores", "centipawns", score, [-3_000, 3_000])?;
    charts +=
        &bars("Lengths of games", "records", &found.games.lengths, range(&found.games.lengths))?;
    charts += &bars("Move numbers", "move", &found.plies, range(&found.plies))?;
    charts += &bars("Progress", "0 opening, 15 endgame", &found.progress, [0, 16])?;
    charts += &bars("Pieces in both hands", "pieces", &found.pieces_in_hand, [0, 39])?;
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
