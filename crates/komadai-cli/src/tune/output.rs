//! The values of a tuning, as a table with the lines of `setoption`, and as JSON.

use std::io::{self, Write as _};

use komadai::core::Language;
use komadai::matches::{Spsa, SpsaParameter};
use komadai_console::{padded, print_json, stdout, width};
use serde_json::{Value, json};

/// Returns the values now in one line.
pub(super) fn values(tuning: &Spsa) -> String {
    let values = tuning.parameters().iter().zip(tuning.values());
    let values = values.map(|(parameter, value)| format!("{} {value:.1}", parameter.name));
    values.collect::<Vec<_>>().join(", ")
}

/// Prints the values on standard output.
pub(super) fn print(tuning: &Spsa, language: Language, is_json: bool) -> io::Result<()> {
    let (done, steps) = tuning.progress();
    if is_json {
        let parameters =
            tuning.parameters().iter().zip(tuning.values()).map(|(parameter, value)| {
                let SpsaParameter { name, start, min, max, .. } = parameter;
                json!({
                    "name": name,
                    "start": start,
                    "value": value.round(),
                    "exact": value,
                    "min": min,
                    "max": max,
                })
            });
        let parameters = parameters.collect::<Value>();
        return print_json(&json!({ "steps": steps, "done": done, "parameters": parameters }));
    }
    let mut out = stdout();
    match language {
        Language::English => writeln!(out, "{done} of {steps} steps\n")?,
        Language::Japanese => writeln!(out, "{steps} ステップ中 {done}\n")?,
    }
    let heads = language.choose(
        ["name", "start", "tuned", "change", "range"],
        ["名前", "開始値", "調整値", "変化", "範囲"],
    );
    let mut rows = vec![heads.map(str::to_owned)];
    for (parameter, value) in tuning.parameters().iter().zip(tuning.values()) {
        let SpsaParameter { name, start, min, max, .. } = parameter;
        let tuned = value.round();
        rows.push([
            name.clone(),
            format!("{start:.0}"),
            format!("{tuned:.0}"),
            // Adding zero turns −0 into +0.
            format!("{:+.0}", tuned - start + 0.0),
            format!("{min:.0} … {max:.0}"),
        ]);
    }
    let widths = [0, 1, 2, 3].map(|at| rows.iter().map(|row| width(&row[at])).max().unwrap_or(0));
    for row in &rows {
        for (cell, cells) in row.iter().zip(widths) {
            write!(out, "{}  ", padded(cell, cells))?;
        }
        writeln!(out, "{}", row[4])?;
    }
    writeln!(out)?;
    for (parameter, value) in tuning.parameters().iter().zip(tuning.values()) {
        writeln!(out, "setoption name {} value {:.0}", parameter.name, value.round())?;
    }
    Ok(())
}
