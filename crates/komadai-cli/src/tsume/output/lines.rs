//! Answers on one line with tabs: id, verdict with moves, nodes, milliseconds, and what else is proven.

use komadai::movegen::MateResult;

use super::{Solved, limit_word, notation, one_line};
use crate::tsume::options::TsumeArgs;

/// Returns the line of an answer with its line end.
pub(super) fn line(solved: &Solved<'_>, arguments: &TsumeArgs) -> String {
    let report = solved.report;
    let notation = notation(arguments);
    let is_bounded = match &report.result {
        MateResult::Mate { shortest, .. } => arguments.shortest && !shortest,
        MateResult::NoMate => false,
        _ => true,
    };
    let verdict = match &report.result {
        MateResult::Mate { line, .. } => {
            let moves = notation.line(solved.position, line);
            let rest = if is_bounded { " not proven shortest" } else { "" };
            format!("mate {} {moves}{rest}", line.len())
        }
        MateResult::MateWithoutLine { first } => {
            let within = report.mate_within.map(|plies| format!(" {plies}")).unwrap_or_default();
            let first = first.map(|m| format!(" {}", notation.name(solved.position, m)));
            format!("mate within{within}{}", first.unwrap_or_default())
        }
        MateResult::NoMate => "nomate".to_owned(),
        _ => "unknown".to_owned(),
    };
    let (id, nodes, ms) = (one_line(solved.id), report.nodes, solved.elapsed.as_millis());
    let mut text = format!("{id}\t{verdict}\tnodes={nodes}\tms={ms}");
    if is_bounded {
        if let Some(limit) = report.limit {
            text += &format!("\tlimit={}", limit_word(limit));
        }
        text += &format!("\tno_mate_within={}", report.no_mate_within);
        if let Some(plies) = report.mate_within {
            text += &format!("\tmate_within={plies}");
        }
    }
    text.push('\n');
    text
}
