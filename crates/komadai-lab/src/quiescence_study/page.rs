//! The page in Markdown: the paper's tables beside those of the run.

use std::fmt::Write as _;

use crate::quiescence_study::claims::{self, Claim};
use crate::quiescence_study::measure::Setting;
use crate::quiescence_study::paper::{self, BAND_TABLE, RATIOS, REFERENCE_NODES, TABLE};
use crate::quiescence_study::picture;
use crate::quiescence_study::results::{BEST_CLASSES, Band, Cell, Interval, Results, Sample, Sums};

/// A ratio or count whose logarithm is farther from the paper's than this is marked.
const DEVIATES: f64 = 0.2;

/// Returns the page.
pub(crate) fn markdown(setting: &Setting, results: &Results, has_figures: bool) -> String {
    let sample = Sample::new(results);
    let depth = results.main_depth();
    let page = Page { sample: &sample, results, depth };
    let mut text = format!("# Quiescence study\n\n{setting}.\n\n");
    text += &page.counts();
    text += &page.main_table();
    text += &page.ratios();
    text += &page.node_counts();
    text += &page.bands();
    text += &page.claims("Claims of the paper", &claims::of_the_paper(&sample, depth));
    text += &page.claims("Other programs", &claims::of_programs(&sample, depth));
    text += &page.best_moves();
    text += &page.depths();
    if has_figures {
        text += "## Figures\n\n";
        for (file, title) in picture::titles(results) {
            push(&mut text, format_args!("![{title}]({file})\n\n"));
        }
    }
    text
}

struct Page<'a> {
    sample: &'a Sample<'a>,
    results: &'a Results,
    depth: u32,
}

impl Page<'_> {
    fn cell(&self, sums: &Sums, name: &str, bands: &[Band]) -> Option<Cell> {
        self.results.method(sums, name, self.depth, bands)
    }

    fn counts(&self) -> String {
        let total = &self.sample.total;
        let mut text = String::new();
        let reference = self.results.reference(total, self.depth, &Band::ALL);
        if let Some(cell) = reference {
            push(
                &mut text,
                format_args!(
                    "{} games, {:.0} positions; {:.0} of them without a decided value of the \
                     reference, at depth {}.\n\n",
                    self.results.games(),
                    cell.positions,
                    cell.count,
                    self.depth,
                ),
            );
        }
        text
    }

    fn main_table(&self) -> String {
        let mut text = format!(
            "## Tables 2 and 3, depth {}\n\nMean and variance of the difference to the reference in \
             centipawns, nodes a position.\n\n\
             | method | mean | paper | variance | paper | nodes | paper |\n\
             |---|---:|---:|---:|---:|---:|---:|\n",
            self.depth
        );
        for name in self.results.names() {
            let value = |f: fn(&Cell) -> f64| {
                self.sample.interval(|sums| Some(f(&self.cell(sums, name, &Band::ALL)?)))
            };
            let paper = paper::find(name);
            let mean = cell(value(Cell::mean), 0);
            let variance = cell(value(Cell::variance), 0);
            let nodes = self.cell(&self.sample.total, name, &Band::ALL).map(|cell| cell.nodes());
            push(
                &mut text,
                format_args!(
                    "| {name} | {mean} | {} | {variance} | {} | {} | {} |\n",
                    plain(paper.map(|row| row.mean), 0),
                    plain(paper.map(|row| row.variance), 0),
                    plain(nodes, 1),
                    plain(paper.map(|row| row.nodes()), 1),
                ),
            );
        }
        let reference = self.results.reference(&self.sample.total, self.depth, &Band::ALL);
        push(
            &mut text,
            format_args!(
                "| All (reference) | – | – | – | – | {} | {} |\n\n",
                plain(reference.map(|cell| cell.nodes()), 1),
                plain(Some(REFERENCE_NODES / paper::POSITIONS), 1),
            ),
        );
        text
    }

    fn ratios(&self) -> String {
        let mut text = "## Ratios of variances\n\n| ratio | this run | paper | ln | |\n\
                        |---|---:|---:|---:|---|\n"
            .to_owned();
        let mut squares = Vec::new();
        for (name, base) in RATIOS {
            let ours = self.sample.interval(|sums| {
                let variance = |name| Some(self.cell(sums, name, &Band::ALL)?.variance());
                Some(variance(name)? / variance(base)?)
            });
            let (Some(ours), Some(row), Some(base_row)) =
                (ours, paper::find(name), paper::find(base))
            else {
                continue;
            };
            let theirs = row.variance / base_row.variance;
            let logarithm = (ours.value / theirs).ln();
            squares.push(logarithm * logarithm);
            push(
                &mut text,
                format_args!(
                    "| {name} : {base} | {} | {theirs:.2} | {logarithm:+.2} | {} |\n",
                    cell(Some(ours), 2),
                    mark(logarithm)
                ),
            );
        }
        push(&mut text, format_args!("\n{}\n\n", root_mean_square(&squares, "ratios", 0.2)));
        text
    }

    fn node_counts(&self) -> String {
        let total = &self.sample.total;
        let methods = TABLE.iter().filter_map(|row| {
            let ours = self.cell(total, row.name, &Band::ALL)?.nodes();
            Some((row.name, ours, row.nodes()))
        });
        let reference = self.results.reference(total, self.depth, &Band::ALL);
        let all = reference.map(|c| ("All", c.nodes(), REFERENCE_NODES / paper::POSITIONS));
        let counts: Vec<_> = methods.chain(all).collect();
        let logarithms: Vec<f64> =
            counts.iter().map(|(_, ours, theirs)| (ours / theirs).ln()).collect();
        let common = logarithms.iter().sum::<f64>() / logarithms.len() as f64;
        let mut text = format!(
            "## Node counts\n\nNodes a position, compared after a common factor of {:.2}.\n\n\
             | method | this run | paper | ln | |\n|---|---:|---:|---:|---|\n",
            common.exp()
        );
        let mut squares = Vec::new();
        for ((name, ours, theirs), logarithm) in counts.iter().zip(&logarithms) {
            let rest = logarithm - common;
            squares.push(rest * rest);
            push(
                &mut text,
                format_args!(
                    "| {name} | {ours:.1} | {theirs:.1} | {rest:+.2} | {} |\n",
                    mark(rest)
                ),
            );
        }
        push(&mut text, format_args!("\n{}\n\n", root_mean_square(&squares, "counts", 0.65)));
        text
    }

    fn bands(&self) -> String {
        let mut text = "## Table 4: by progress\n\n| method | opening | paper | rest | paper | \
                        opening : rest | paper |\n|---|---:|---:|---:|---:|---:|---:|\n"
            .to_owned();
        for (name, [_, opening, rest]) in BAND_TABLE {
            let variance = |bands: &[Band]| {
                self.sample.interval(|sums| Some(self.cell(sums, name, bands)?.variance()))
            };
            let ratio = self.sample.interval(|sums| {
                let variance = |bands: &[Band]| Some(self.cell(sums, name, bands)?.variance());
                Some(variance(&[Band::Opening])? / variance(&Band::REST)?)
            });
            push(
                &mut text,
                format_args!(
                    "| {name} | {} | {opening:.0} | {} | {rest:.0} | {} | {:.2} |\n",
                    cell(variance(&[Band::Opening]), 0),
                    cell(variance(&Band::REST), 0),
                    cell(ratio, 2),
                    opening / rest,
                ),
            );
        }
        text + "\n"
    }

    fn claims(&self, title: &str, claims: &[Claim]) -> String {
        let mut text = format!("## {title}\n\n");
        for claim in claims {
            let (verdict, numbers) = (claim.verdict(), claim.numbers());
            push(&mut text, format_args!("- {}: **{verdict}**. {numbers}\n", claim.text));
        }
        text + "\n"
    }

    fn best_moves(&self) -> String {
        let mut text = "## Best moves of the reference (figure 9)\n\nShares in percent of the \
                        positions in which it moves; a move may belong to several classes.\n\n\
                        | progress | positions | stands pat |"
            .to_owned();
        BEST_CLASSES.iter().for_each(|class| push(&mut text, format_args!(" {class} |")));
        text += "\n|---|---:|---:|";
        BEST_CLASSES.iter().for_each(|_| text += "---:|");
        text += "\n";
        for (name, range) in [("0–4", 0..5), ("5–9", 5..10), ("10–15", 10..16)] {
            let best = self.sample.total.best(range);
            let all = best.moves + best.standing;
            push(
                &mut text,
                format_args!("| {name} | {all:.0} | {:.1} |", 100.0 * best.standing / all),
            );
            for class in BEST_CLASSES {
                push(&mut text, format_args!(" {:.1} |", 100.0 * best.share(class)));
            }
            text += "\n";
        }
        text + "\n"
    }

    fn depths(&self) -> String {
        let depths = self.results.depths();
        let mut text = "## All depths\n\nVariance, and nodes a position.\n\n| method |".to_owned();
        depths.iter().for_each(|depth| push(&mut text, format_args!(" {depth} |")));
        text += "\n|---|";
        depths.iter().for_each(|_| text += "---:|");
        text += "\n";
        for name in self.results.names() {
            push(&mut text, format_args!("| {name} |"));
            for &depth in depths {
                let found = self.results.method(&self.sample.total, name, depth, &Band::ALL);
                if let Some(cell) = found {
                    let (variance, nodes) = (cell.variance(), cell.nodes());
                    push(&mut text, format_args!(" {variance:.0}, {nodes:.1} |"));
                }
            }
            text += "\n";
        }
        text += "| All (reference) |";
        for &depth in depths {
            let found = self.results.reference(&self.sample.total, depth, &Band::ALL);
            push(&mut text, format_args!(" {} |", plain(found.map(|cell| cell.nodes()), 1)));
        }
        text + "\n\n"
    }
}

fn mark(logarithm: f64) -> &'static str {
    if logarithm.abs() > DEVIATES { "deviates" } else { "" }
}

fn root_mean_square(squares: &[f64], what: &str, goal: f64) -> String {
    let root = (squares.iter().sum::<f64>() / squares.len() as f64).sqrt();
    format!(
        "Root mean square of the logarithms of {} {what}: {root:.2} (goal {goal}).",
        squares.len()
    )
}

/// Formats a number with its interval.
fn cell(interval: Option<Interval>, decimals: usize) -> String {
    interval.map_or_else(
        || "–".to_owned(),
        |Interval { value, low, high }| {
            format!("{value:.decimals$} [{low:.decimals$}, {high:.decimals$}]")
        },
    )
}

fn plain(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.decimals$}"))
}

fn push(text: &mut String, what: std::fmt::Arguments<'_>) {
    text.write_fmt(what).expect("writing to a string does not fail");
}
