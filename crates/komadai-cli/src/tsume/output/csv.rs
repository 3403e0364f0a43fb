//! Answers as rows of a table (RFC 4180).

use komadai::kifu::Notation;

use super::{Solved, limit_word, one_line};
use crate::tsume::options::TsumeArgs;
use crate::tsume::output::json::result_word;

/// The names of the columns.
pub(in crate::tsume) const HEADER: &str =
    "id,result,plies,shortest,moves,names,first,mate_within,no_mate_within,limit,nodes,ms,sfen\n";

/// Returns the row of an answer with its line end.
pub(super) fn row(solved: &Solved<'_>, arguments: &TsumeArgs) -> String {
    let report = solved.report;
    let line = solved.line();
    let number = |plies: Option<u32>| plies.map(|plies| plies.to_string()).unwrap_or_default();
    let names = match arguments.japanese {
        true => Notation::Japanese.line(solved.position, line),
        false => String::new(),
    };
    let fields = [
        field(&one_line(solved.id)),
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
    fields.join(",") + "\n"
}

/// Returns a field, in quotes if it needs them.
fn field(text: &str) -> String {
    match text.contains([',', '"']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
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
