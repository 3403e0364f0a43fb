//! Answers on one line with tabs: id, verdict with moves, nodes, milliseconds, and what else is
//! proven.

use komadai::kifu::Notation;
use komadai::movegen::MateResult;
use komadai::problems::composition::CompositionReport;

use super::solved::{Solved, limit_word, notation, one_line, plies_of};
use crate::tsume::options::TsumeArgs;

/// Returns the line of an answer with its line end.
pub(super) fn line(solved: &Solved<'_>, arguments: &TsumeArgs) -> String {
    let report = solved.report;
    let notation = notation(arguments);
    let is_bounded = match &report.result {
        MateResult::Mate { .. } => arguments.shortest && !solved.is_shortest(),
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
    add_extras(&mut text, solved, notation);
    text.push('\n');
    text
}

/// Adds a column for each first move, line, flaw and file.
fn add_extras(text: &mut String, solved: &Solved<'_>, notation: Notation) {
    let extras = solved.extras;
    let name = |m| notation.name(solved.position, m);
    if let Some(all) = &extras.all {
        for first in &all.first_moves {
            *text += &format!("\tfirst={} {}", name(first.m), plies_of(first));
        }
        for &m in &all.undecided {
            *text += &format!("\tundecided={}", name(m));
        }
        match &all.lines {
            Ok(lines) => {
                for line in &lines.lines {
                    *text += &format!("\tline={}", notation.line(solved.position, line));
                }
                if !lines.is_complete {
                    *text += "\tlines=incomplete";
                }
            }
            Err(error) => *text += &format!("\tlines={error}"),
        }
    }
    match &extras.composition {
        None => {}
        Some(Err(error)) => *text += &format!("\tcomposition={error}"),
        Some(Ok(report)) => {
            *text += &format!("\tcomposition={}", soundness(report));
            for cook in &report.cooks {
                *text += &format!("\tcook={cook}");
            }
        }
    }
    for (kind, written) in [("tree", &extras.tree), ("certificate", &extras.certificate)] {
        match written {
            None => {}
            Some(Err(error)) => *text += &format!("\t{kind}={error}"),
            Some(Ok(files)) => {
                for file in files {
                    *text += &format!("\t{kind}={}", one_line(&file.display().to_string()));
                }
            }
        }
    }
}

/// Returns the word for the soundness of a composition.
pub(super) fn soundness(report: &CompositionReport) -> &'static str {
    match (report.is_complete(), report.is_sound()) {
        (false, _) => "incomplete",
        (true, true) => "sound",
        (true, false) => "not sound",
    }
}
