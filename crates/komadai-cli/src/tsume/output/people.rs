//! Answers for people: a diagram, the verdict and the numbered moves.

use komadai::Position;
use komadai::core::Language;
use komadai::kifu::Notation;
use komadai::movegen::MateResult;
use komadai::report::Diagram;

use super::solved::{Solved, limit_word, one_line, plies_of};
use crate::tsume::options::TsumeArgs;

/// Returns an answer as some lines and an empty one.
pub(super) fn text(solved: &Solved<'_>, arguments: &TsumeArgs) -> String {
    let language = arguments.language();
    let (diagram, verdict) = match language {
        Language::Japanese => (Diagram::kanji(solved.position), japanese_verdict(solved)),
        Language::English => (Diagram::letters(solved.position), english_verdict(solved)),
    };
    let notation = arguments.notation(Notation::Hodges);
    let mut text = format!("{}\n{diagram}{verdict}\n", one_line(solved.id));
    for (number, name) in (1..).zip(solved.names(solved.line(), notation)) {
        text += &format!("{number:>3} {name}\n");
    }
    add_extras(&mut text, solved, notation, language);
    text.push('\n');
    text
}

/// Adds what was asked for, under headings.
fn add_extras(text: &mut String, solved: &Solved<'_>, notation: Notation, language: Language) {
    let extras = solved.extras;
    if let Some(all) = &extras.all {
        *text += language.choose("\nfirst moves that mate:", "\n詰む初手：");
        for first in &all.first_moves {
            let name = notation.name(solved.position, first.m);
            *text += &format!("  {name} {}", plies_of(first));
        }
        for &m in &all.undecided {
            *text += &format!("  {} ?", notation.name(solved.position, m));
        }
        *text += language.choose("\nlines:\n", "\n手順：\n");
        match &all.lines {
            Ok(lines) => {
                for line in &lines.lines {
                    *text += &format!("  {}\n", notation.line(solved.position, line));
                }
                if !lines.is_complete {
                    *text += language.choose("  and perhaps others\n", "  ほかにもあり得る\n");
                }
            }
            Err(error) => *text += &format!("  {}\n", error.text(language)),
        }
    }
    match &extras.composition {
        None => {}
        Some(Ok(report)) => {
            let name = |position: &Position, m| notation.name(position, m);
            *text += &format!("\n{}\n", report.text(solved.position, language, name));
        }
        Some(Err(error)) => *text += &format!("\n{}\n", error.text(language)),
    }
    for written in [&extras.tree, &extras.certificate].into_iter().flatten() {
        match written {
            Ok(files) => {
                for file in files {
                    *text += &format!("{}\n", file.display());
                }
            }
            Err(error) => *text += &format!("{error}\n"),
        }
    }
}

fn english_verdict(solved: &Solved<'_>) -> String {
    let report = solved.report;
    let mut text = match &report.result {
        MateResult::Mate { line, .. } if solved.is_shortest() => {
            format!("mate in {} plies, the shortest", line.len())
        }
        MateResult::Mate { line, .. } => {
            format!("mate in {} plies, not proven to be the shortest", line.len())
        }
        MateResult::MateWithoutLine { first } => {
            let within = report.mate_within.map(|plies| format!(" within {plies} plies"));
            let first = first
                .map(|m| format!(", first move {}", Notation::Hodges.name(solved.position, m)));
            format!(
                "mate{}{}, moves not collected",
                within.unwrap_or_default(),
                first.unwrap_or_default()
            )
        }
        MateResult::NoMate => "no mate".to_owned(),
        _ => "unknown".to_owned(),
    };
    if !solved.is_shortest()
        && let Some(plies) = solved.no_mate_within().filter(|&plies| plies > 0)
    {
        text += &format!("; no mate within {plies} plies");
    }
    if let Some(limit) = report.limit {
        text += &format!("; ended by the limit: {}", limit_word(limit));
    }
    text + &format!(" ({} nodes, {} ms)", report.nodes, solved.elapsed.as_millis())
}

fn japanese_verdict(solved: &Solved<'_>) -> String {
    let report = solved.report;
    let mut text = match &report.result {
        MateResult::Mate { line, .. } if solved.is_shortest() => {
            format!("{}手詰（最短）", line.len())
        }
        MateResult::Mate { line, .. } => format!("{}手詰（最短かどうかは未確認）", line.len()),
        MateResult::MateWithoutLine { first } => {
            let within = report.mate_within.map(|plies| format!("{plies}手以内の詰み"));
            let first =
                first.map(|m| format!("、初手{}", Notation::Japanese.name(solved.position, m)));
            format!(
                "{}{}（手順なし）",
                within.unwrap_or_else(|| "詰み".to_owned()),
                first.unwrap_or_default()
            )
        }
        MateResult::NoMate => "不詰".to_owned(),
        _ => "不明".to_owned(),
    };
    if !solved.is_shortest()
        && let Some(plies) = solved.no_mate_within().filter(|&plies| plies > 0)
    {
        text += &format!("、{plies}手以内の詰みはない");
    }
    text + &format!("　{}局面、{}ミリ秒", report.nodes, solved.elapsed.as_millis())
}
