//! The table of one measure.

use komadai_peers::{BenchPosition, Measure};

use crate::samples::Samples;

/// The layout of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Columns aligned by spaces.
    Plain,
    /// A Markdown table.
    Markdown,
}

/// All peers at all positions of one measure, fastest peer first.
#[derive(Debug)]
pub(crate) struct Report {
    title: String,
    /// The header, then one row per peer.
    rows: Vec<Vec<String>>,
    note: String,
}

impl Report {
    /// Builds the table of `cells[position][peer]`, with ratios to the peer named `reference`.
    pub(crate) fn new(
        measure: Measure,
        peers: &[String],
        positions: &[BenchPosition],
        cells: &[Vec<Option<Samples>>],
        reference: &str,
    ) -> Self {
        let reference_index = peers.iter().position(|name| name == reference);
        let base = |position: usize| cells[position][reference_index?].as_ref();

        let header = std::iter::once("peer".to_owned())
            .chain(positions.iter().map(|position| position.name.to_owned()))
            .chain(std::iter::once("geo. mean".to_owned()));
        let mut ranked: Vec<(f64, Vec<String>)> = Vec::new();
        for (peer, name) in peers.iter().enumerate() {
            let mut row = vec![name.clone()];
            let mut ratios = Vec::new();
            for (position, cell) in cells.iter().enumerate() {
                let ratio = cell[peer].as_ref().zip(base(position)).map(|(own, base)| {
                    let ratio = own.median() / base.median();
                    ratios.push(ratio);
                    ratio
                });
                row.push(cell_text(cell[peer].as_ref(), ratio));
            }
            let mean = geometric_mean(&ratios);
            row.push(mean.map_or("-".to_owned(), |mean| format!("{mean:.2}")));
            ranked.push((mean.unwrap_or(0.0), row));
        }
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));

        Self {
            title: format!(
                "{measure} ({}): M/s median [best] ratio to {reference}",
                measure.unit()
            ),
            rows: std::iter::once(header.collect())
                .chain(ranked.into_iter().map(|(_, row)| row))
                .collect(),
            note: spread_note(cells),
        }
    }

    /// Returns the table as text, without a line break at the end.
    pub(crate) fn render(&self, layout: Layout) -> String {
        let table = match layout {
            Layout::Plain => self.plain(),
            Layout::Markdown => self.markdown(),
        };
        match layout {
            Layout::Plain => format!("{}\n{table}\n{}", self.title, self.note),
            Layout::Markdown => format!("## {}\n\n{table}\n\n{}", self.title, self.note),
        }
    }

    fn plain(&self) -> String {
        let width = |column: usize| self.rows.iter().map(|row| row[column].len()).max();
        let lines = self.rows.iter().map(|row| {
            let padded = row.iter().enumerate().map(|(column, text)| {
                let width = width(column).unwrap_or(0);
                if column == 0 { format!("{text:<width$}") } else { format!("{text:>width$}") }
            });
            padded.collect::<Vec<_>>().join("  ")
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    fn markdown(&self) -> String {
        let line = |row: &Vec<String>| format!("| {} |", row.join(" | "));
        let rule = format!("|{}", "---|".repeat(self.rows[0].len()));
        let mut lines: Vec<String> = self.rows.iter().map(line).collect();
        lines.insert(1, rule);
        lines.join("\n")
    }
}

/// Formats one cell: `126.7 [131.5] 0.74`.
fn cell_text(samples: Option<&Samples>, ratio: Option<f64>) -> String {
    match (samples, ratio) {
        (Some(samples), Some(ratio)) => {
            format!("{:.1} [{:.1}] {ratio:.2}", samples.median(), samples.best())
        }
        (Some(samples), None) => format!("{:.1} [{:.1}]", samples.median(), samples.best()),
        (None, _) => "-".to_owned(),
    }
}

/// Returns the geometric mean, or `None` without values.
fn geometric_mean(ratios: &[f64]) -> Option<f64> {
    let sum: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
    (!ratios.is_empty()).then(|| (sum / ratios.len() as f64).exp())
}

/// Returns the line about the spread of the repeats of a cell; smaller differences are not
/// significant.
fn spread_note(cells: &[Vec<Option<Samples>>]) -> String {
    let mut spreads: Vec<f64> =
        cells.iter().flatten().flatten().map(|samples| samples.spread() * 100.0).collect();
    spreads.sort_by(f64::total_cmp);
    match spreads.as_slice() {
        [] => "no peer could be timed".to_owned(),
        [.., most] => format!(
            "spread of the repeats of a cell: median {:.0} %, most {most:.0} %",
            spreads[spreads.len() / 2]
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use komadai_peers::POSITIONS;

    #[test]
    fn ranks_by_the_mean_ratio_to_the_reference() {
        let samples = |rate: f64| {
            let mut samples = Samples::default();
            samples.push(rate);
            Some(samples)
        };
        let peers = ["slow".to_owned(), "base".to_owned()];
        let cells = [vec![samples(1.0), samples(2.0)], vec![samples(8.0), samples(2.0)]];
        let report = Report::new(Measure::Bulk, &peers, &POSITIONS[..2], &cells, "base");
        assert_eq!(report.rows[1], ["slow", "1.0 [1.0] 0.50", "8.0 [8.0] 4.00", "1.41"]);
        assert_eq!(report.rows[2], ["base", "2.0 [2.0] 1.00", "2.0 [2.0] 1.00", "1.00"]);
    }

    #[test]
    fn a_missing_reference_or_peer_leaves_no_ratio() {
        let peers = ["only".to_owned()];
        let report = Report::new(Measure::Gen, &peers, &POSITIONS[..1], &[vec![None]], "base");
        assert_eq!(report.rows[1], ["only", "-", "-"]);
    }
}
