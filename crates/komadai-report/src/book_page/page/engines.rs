//! The section on engines and their disagreements.

use std::io::{self, Write};

use komadai_base::text::grouped;
use komadai_book::refresh::ScaleShift;
use komadai_book::store::ViewPolicy;
use komadai_core::AnalystId;

use super::charts::scatter;
use super::html::{Day, Page, Signed, counted, shortened, value_for_black, write_board};
use crate::book_page::disagreements::EnginePair;
use crate::book_page::working_data::WorkingData;
use crate::text::Escaped;

pub(super) fn write(page: &Page<'_>, working: &WorkingData, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<section>\n<h2>Where it comes from</h2>")?;
    let counts = match &working.policy {
        ViewPolicy::Newest => "the newest evaluation".to_owned(),
        ViewPolicy::MostNodes => "the evaluation with most nodes".to_owned(),
        ViewPolicy::Deepest => "the deepest evaluation".to_owned(),
        ViewPolicy::Mean => "the mean of the newest evaluations of the engines".to_owned(),
        ViewPolicy::Prefer(id) => {
            format!("the evaluation of {}, or else the newest", name(id))
        }
        _ => "the evaluation that the policy of the book chooses".to_owned(),
    };
    writeln!(out, "<p>Of several evaluations of a move, {counts} counts.</p>")?;
    write_mix(working, out)?;
    for pair in &working.pairs {
        write_pair(page, pair, out)?;
    }
    write_inputs(working, out)?;
    writeln!(out, "</section>")
}

fn name(id: &AnalystId) -> String {
    Escaped(&shortened(&id.to_string())).to_string()
}

fn write_mix(working: &WorkingData, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "<div class=\"scroll\"><table>\n<thead><tr><th>engine</th><th>values that count</th>\
         <th>share</th><th>evaluations</th><th>positions</th><th>nodes</th><th>from</th>\
         <th>to</th></tr></thead>\n<tbody>"
    )?;
    for engine in &working.engines {
        let (first, last) = engine.first_and_last.unwrap_or((0, 0));
        writeln!(
            out,
            "<tr><th>{}</th><td>{}</td><td class=\"bar\" style=\"--share:{:.0}%\">{:.1} %</td>\
             <td>{}</td><td>{}</td><td>{}</td><td class=\"day\">{}</td><td class=\"day\">{}</td></tr>",
            name(&engine.analyst),
            grouped(engine.view_moves),
            100.0 * engine.view_share,
            100.0 * engine.view_share,
            grouped(engine.evaluations),
            grouped(engine.positions),
            grouped(engine.nodes),
            Day(first),
            Day(last),
        )?;
    }
    writeln!(out, "</tbody>\n</table></div>")?;
    if working.all_engines > working.engines.len() {
        writeln!(out, "<p>and {} more</p>", working.all_engines - working.engines.len())?;
    }
    Ok(())
}

fn write_pair(page: &Page<'_>, pair: &EnginePair, out: &mut dyn Write) -> io::Result<()> {
    let (one, other) = (name(&pair.one), name(&pair.other));
    writeln!(out, "<h3>{one} and {other}</h3>")?;
    let moves = counted(pair.moves, "move");
    writeln!(out, "<p>Both have valued {moves}. {}</p>", scale(pair.shift.as_ref()))?;
    // A picture of too few moves shows nothing.
    if pair.shift.is_some() {
        write_pictures(page, pair, out)?;
    }
    if pair.furthest.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "<details><summary>where they are furthest apart</summary>\n<div class=\"scroll\"><table>\n\
         <thead><tr><th>position</th><th>move</th><th>{one}</th><th>{other}</th></tr></thead>\n<tbody>"
    )?;
    for apart in &pair.furthest {
        writeln!(
            out,
            "<tr><th><code>{}</code></th><td>{}</td><td>{}</td><td>{}</td></tr>",
            Escaped(&apart.position.to_string()),
            page.names.of(&apart.position, apart.m),
            value_for_black(apart.one),
            value_for_black(apart.other),
        )?;
    }
    writeln!(out, "</tbody>\n</table></div></details>")
}

/// Writes the chart of the values of both, and the move with the largest difference.
fn write_pictures(page: &Page<'_>, pair: &EnginePair, out: &mut dyn Write) -> io::Result<()> {
    let (one, other) = (name(&pair.one), name(&pair.other));
    writeln!(out, "<div class=\"split\">")?;
    let title = "Values of the same moves, for the side that moves";
    let axes = [&pair.one, &pair.other].map(|id| shortened(&id.to_string()));
    let line = pair.shift.map(|shift| shift.robust);
    out.write_all(scatter(title, &axes, &pair.sample, line)?.as_bytes())?;
    if let Some(worst) = pair.furthest.first() {
        let caption = format!(
            "<b>{}</b>: {one} {}, {other} {}",
            page.names.of(&worst.position, worst.m),
            value_for_black(worst.one),
            value_for_black(worst.other)
        );
        write_board(out, &worst.position, None, &[worst.m], &caption)?;
    }
    writeln!(out, "</div>")
}

/// A sentence on the relation of both scales.
fn scale(shift: Option<&ScaleShift>) -> String {
    let Some(ScaleShift { robust, correlation, .. }) = shift else {
        return "That is too few to compare their scales.".to_owned();
    };
    format!(
        "The second’s values are about {:.2} times the first’s, {} centipawns, give or take {:.0} \
         (correlation {:.2}).",
        positive_zero(robust.slope),
        Signed(robust.intercept),
        robust.spread,
        positive_zero(*correlation),
    )
}

/// Replaces small numbers by 0, so that none is shown as −0.00.
fn positive_zero(number: f64) -> f64 {
    if number.abs() < 0.005 { 0.0 } else { number }
}

fn write_inputs(working: &WorkingData, out: &mut dyn Write) -> io::Result<()> {
    if working.inputs.is_empty() {
        return Ok(());
    }
    writeln!(out, "<h3>Sources</h3>\n<ul>")?;
    for input in &working.inputs {
        let games = match input.games {
            0 => String::new(),
            games => format!(", {}", counted(games, "game")),
        };
        writeln!(out, "<li>{}{games}</li>", Escaped(&shortened(&input.name)))?;
    }
    if working.all_inputs > working.inputs.len() {
        writeln!(out, "<li>{} before them</li>", working.all_inputs - working.inputs.len())?;
    }
    writeln!(out, "</ul>")
}
