//! The numbers of both sides.

use std::io::{self, Write};

use komadai::Color;
use komadai::analysis::game_analysis::SideSummary;
use komadai_console::format::{padded, width};

use super::game_text::GameText;

/// Writes a row for each side.
pub(super) fn write(out: &mut impl Write, text: &GameText<'_>) -> io::Result<()> {
    let language = text.language;
    let headings = language.choose(
        ["moves", "average loss", "best move", "?!", "?", "??", "missed mates"],
        ["手数", "平均損失", "一致率", "緩手 ?!", "疑問手 ?", "悪手 ??", "詰み逃し"],
    );
    let summaries = Color::ALL.map(|side| (side, text.analysis.summary(side)));
    let widest = Color::ALL.map(|side| width(text.side(side))).into_iter().max().unwrap_or(0);
    writeln!(out)?;
    let heads: String = headings.iter().map(|heading| format!("  {heading}")).collect();
    writeln!(out, "{}{heads}", " ".repeat(widest))?;
    for (side, summary) in summaries {
        let cells = cells(&summary).into_iter().zip(headings);
        let cells: String = cells
            .map(|(cell, heading)| {
                format!("  {}{cell}", " ".repeat(width(heading).saturating_sub(width(&cell))))
            })
            .collect();
        writeln!(out, "{}{cells}", padded(text.side(side), widest))?;
    }
    Ok(())
}

fn cells(summary: &SideSummary) -> [String; 7] {
    let missing = || "-".to_owned();
    [
        summary.moves.to_string(),
        summary.average_loss_cp().map_or_else(missing, |loss| format!("{loss:.0}")),
        summary.agreement().map_or_else(missing, |share| format!("{:.0}%", share * 100.0)),
        summary.inaccuracies.to_string(),
        summary.mistakes.to_string(),
        summary.blunders.to_string(),
        summary.missed_mates.to_string(),
    ]
}
