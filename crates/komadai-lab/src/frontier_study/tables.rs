//! The tables in Markdown.

use std::fmt::Write as _;

use komadai::bookgraph::frontier::{BookSides, OwnMoves, Window};

use komadai_study::frontier::{EVAL_DIFFS, Rule, Study};

/// Returns the tables of a book.
pub(crate) fn markdown(study: &Study) -> String {
    let Study { name, positions, moves, eval_diff, .. } = study;
    let mut text = format!("## {name}: {positions} positions with values, {moves} moves\n\n");
    text += "Positions to search next / positions visited, by `eval_diff`:\n\n| window | book side | own moves |";
    EVAL_DIFFS.iter().for_each(|diff| push(&mut text, format_args!(" {diff} |")));
    text += "\n|---|---|---|";
    EVAL_DIFFS.iter().for_each(|_| text += "---:|");
    text += "\n";
    for row in &study.widths {
        push(&mut text, format_args!("| {} |", rule_cells(row.rule)));
        for count in &row.counts {
            push(&mut text, format_args!(" {} / {} |", count.frontier, count.visited));
        }
        text += "\n";
    }
    push(&mut text, format_args!("\nUp to a move number, `eval_diff` {eval_diff}:\n\n"));
    text += "| max ply | positions: both free | Black best only | White best only | lines: both free \
             | its square root | Black best only | White best only | exponents |\n\
             |---:|---:|---:|---:|---:|---:|---:|---:|---:|\n";
    for row in &study.plies {
        let [black, white] = row.best_lines;
        let exponents = if row.free_lines > 1.0 {
            let free = row.free_lines.ln();
            format!("{:.2}, {:.2}", black.ln() / free, white.ln() / free)
        } else {
            "–".to_owned()
        };
        let root = row.free_lines.sqrt();
        push(
            &mut text,
            format_args!(
                "| {} | {} | {} | {} | {} | {} | {} | {} | {exponents} |\n",
                row.max_ply,
                row.free,
                row.best[0],
                row.best[1],
                short(row.free_lines),
                short(root),
                short(black),
                short(white),
            ),
        );
    }
    text += "\n";
    text
}

/// Formats a number of lines, with four digits if it is large.
fn short(lines: f64) -> String {
    if lines < 1e7 { format!("{lines:.0}") } else { format!("{lines:.3e}") }
}

fn push(text: &mut String, what: std::fmt::Arguments<'_>) {
    text.write_fmt(what).expect("writing to a string does not fail");
}

fn rule_cells(rule: Rule) -> String {
    let own = match rule.own_moves {
        OwnMoves::First => "first",
        OwnMoves::AllBest => "all best",
    };
    match rule.window {
        Window::Free => "free | – | –".to_owned(),
        Window::Best => format!("best | {} | {own}", side_name(rule.side)),
        Window::Root => format!("root | {} | {own}", side_name(rule.side)),
    }
}

fn side_name(side: BookSides) -> &'static str {
    match side {
        BookSides::Black => "Black",
        BookSides::White => "White",
        BookSides::Both => "both",
    }
}
