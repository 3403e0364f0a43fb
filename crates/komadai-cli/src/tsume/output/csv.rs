//! Answers as rows of a table (RFC 4180).

use komadai::core::Language;
use komadai::kifu::Notation;

use super::lines::soundness;
use super::solved::{Solved, limit_word, one_line, plies_of};
use crate::tsume::extras::FirstMove;
use crate::tsume::options::TsumeArgs;
use crate::tsume::output::json::result_word;

/// The names of the columns.
pub(in crate::tsume) const HEADER: &str = "id,result,plies,shortest,moves,names,first,mate_within,no_mate_within,limit,nodes,ms,sfen,\
     first_moves,lines,composition,cooks,files\n";

/// Returns the row of an answer with its line end.
pub(super) fn row(solved: &Solved<'_>, arguments: &TsumeArgs) -> String {
    let report = solved.report;
    let line = solved.line();
    let number = |plies: Option<u32>| plies.map(|plies| plies.to_string()).unwrap_or_default();
    let names = if arguments.language() == Language::Japanese {
        Notation::Japanese.line(solved.position, line)
    } else {
        String::new()
    };
    let fields = [
        field(&id(solved.id)),
        result_word(solved).to_owned(),
        number((!line.is_empty()).then_some(line.len() as u32)),
        if line.is_empty() { String::new() } else { solved.is_shortest().to_string() },
        Notation::Usi.line(solved.position, line),
        names,
        solved.first().map(|m| m.to_string()).unwrap_or_default(),
        number(report.mate_within),
        number(solved.no_mate_within()),
        report.limit.map(limit_word).unwrap_or_default().to_owned(),
        report.nodes.to_string(),
        solved.elapsed.as_millis().to_string(),
        solved.position.to_string(),
    ];
    let extras = extras(solved).map(|text| field(&one_line(&text)));
    fields.into_iter().chain(extras).collect::<Vec<_>>().join(",") + "\n"
}

/// Returns the columns of additions: parts are separated by ` / `.
fn extras(solved: &Solved<'_>) -> [String; 5] {
    let extras = solved.extras;
    let (mut first_moves, mut lines) = (Vec::new(), Vec::new());
    if let Some(all) = &extras.all {
        let first_move = |first: &FirstMove| format!("{} {}", first.m, plies_of(first));
        first_moves = all.first_moves.iter().map(first_move).collect();
        first_moves.extend(all.undecided.iter().map(|m| format!("{m} ?")));
        lines = match &all.lines {
            Ok(lines) => {
                lines.lines.iter().map(|line| Notation::Usi.line(solved.position, line)).collect()
            }
            Err(error) => vec![error.to_string()],
        };
    }
    let (composition, cooks) = match &extras.composition {
        None => (String::new(), Vec::new()),
        Some(Err(error)) => (error.to_string(), Vec::new()),
        Some(Ok(report)) => {
            (soundness(report).to_owned(), report.cooks.iter().map(ToString::to_string).collect())
        }
    };
    let files: Vec<String> = extras.files().map(|file| file.display().to_string()).collect();
    let joined = |parts: Vec<String>| parts.join(" / ");
    [joined(first_moves), joined(lines), composition, joined(cooks), no_formula(joined(files))]
}

/// Returns an id as rows have it. An apostrophe stands before one that spreadsheets would take for
/// a formula.
pub(super) fn id(id: &str) -> String {
    // The id of a problem without one is a hyphen.
    if id == "-" { id.to_owned() } else { no_formula(one_line(id)) }
}

/// Returns a foreign text with an apostrophe before it if spreadsheets would take it for a formula.
/// Some pass over spaces, and some take wide signs as well.
fn no_formula(text: String) -> String {
    let starts = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
    if text.trim_start().starts_with(starts) { format!("'{text}") } else { text }
}

/// Returns a field, in quotes if it needs them.
fn field(text: &str) -> String {
    if text.contains([',', '"']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// Returns the first field of a row; `None` if there is no other.
pub(super) fn first_field(row: &str) -> Option<String> {
    let Some(quoted) = row.strip_prefix('"') else {
        return row.split_once(',').map(|(id, _)| id.to_owned());
    };
    let mut field = String::new();
    let mut rest = quoted;
    loop {
        let (before, after) = rest.split_once('"')?;
        field.push_str(before);
        match after.strip_prefix('"') {
            Some(after) => {
                field.push('"');
                rest = after;
            }
            None => return after.starts_with(',').then_some(field),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_id_is_a_formula() {
        for (text, expected) in [
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("--", "'--"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "' =1"),
            ("\r\n=1", "'  =1"),
            ("  =1", "'  =1"),
            ("\u{3000}=1", "'\u{3000}=1"),
            ("＝1", "'＝1"),
            ("－1", "'－1"),
            ("=HYPERLINK(\"http://x\",\"y\")", "'=HYPERLINK(\"http://x\",\"y\")"),
            ("-", "-"),
            ("", ""),
            ("a=1", "a=1"),
            ("7-12", "7-12"),
            ("'=1", "'=1"),
        ] {
            assert_eq!(id(text), expected, "{text:?}");
            assert_eq!(first_field(&format!("{},x", field(&id(text)))).as_deref(), Some(expected));
        }
    }
}
