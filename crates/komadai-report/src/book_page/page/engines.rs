//! The section on engines and their disagreements.

use std::io::{self, Write};

use komadai_base::text::grouped;
use komadai_book::refresh::ScaleShift;
use komadai_book::store::ViewPolicy;
use komadai_core::{AnalystId, Language};

use super::charts::scatter;
use super::html::{Day, Page, Signed, folded_sfen, place, shortened};
use crate::book_page::disagreements::EnginePair;
use crate::book_page::working_data::WorkingData;
use crate::text::Escaped;

pub(super) fn write(page: &Page<'_>, working: &WorkingData, out: &mut dyn Write) -> io::Result<()> {
    let counts = match &working.policy {
        ViewPolicy::Newest => page.say("the newest evaluation", "最新の評価").to_owned(),
        ViewPolicy::MostNodes => {
            page.say("the evaluation with most nodes", "ノード数の最も多い評価").to_owned()
        }
        ViewPolicy::Deepest => page.say("the deepest evaluation", "最も深い評価").to_owned(),
        ViewPolicy::Mean => page
            .say(
                "the mean of the newest evaluations of the engines",
                "各エンジンの最新の評価の平均",
            )
            .to_owned(),
        ViewPolicy::Prefer(id) => {
            let id = name(id);
            page.say(
                format!("the evaluation of {id}, or else the newest"),
                format!("{id} の評価、なければ最新の評価"),
            )
        }
        _ => page
            .say("the evaluation that the policy of the book chooses", "定跡の方針が選ぶ評価")
            .to_owned(),
    };
    let heading = page.say("Where it comes from", "評価の出どころ");
    let text = page.say(
        format!("Of several evaluations of a move, {counts} counts."),
        format!("一つの指し手に複数の評価があるときは、{counts}を使います。"),
    );
    writeln!(out, "<section>\n<h2>{heading}</h2>\n<p>{text}</p>")?;
    write_mix(page, working, out)?;
    for (number, pair) in (1..).zip(&working.pairs) {
        write_pair(page, pair, number, out)?;
    }
    write_inputs(page, working, out)?;
    writeln!(out, "</section>")
}

fn name(id: &AnalystId) -> String {
    Escaped(&shortened(&id.to_string())).to_string()
}

fn write_mix(page: &Page<'_>, working: &WorkingData, out: &mut dyn Write) -> io::Result<()> {
    let heads = page.say(
        ["engine", "values that count", "share", "evaluations", "positions", "nodes", "from", "to"],
        ["エンジン", "使われる値", "割合", "評価の数", "局面", "ノード", "最初", "最後"],
    );
    let heads: String = heads.iter().map(|head| format!("<th>{head}</th>")).collect();
    writeln!(out, "<div class=\"scroll\"><table>\n<thead><tr>{heads}</tr></thead>\n<tbody>")?;
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
        let more = working.all_engines - working.engines.len();
        let text = page.say(format!("and {more} more"), format!("ほか {more}"));
        writeln!(out, "<p>{text}</p>")?;
    }
    Ok(())
}

fn write_pair(
    page: &Page<'_>,
    pair: &EnginePair,
    number: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (one, other) = (name(&pair.one), name(&pair.other));
    writeln!(out, "<h3>{one}{}{other}</h3>", page.say(" and ", " と "))?;
    let moves = page.words().counted(pair.moves, "move", "手");
    let both = page
        .say(format!("Both have valued {moves}."), format!("両者とも評価した指し手は {moves}。"));
    writeln!(out, "<p>{both} {}</p>", scale(pair.shift.as_ref(), page.language()))?;
    // A picture of too few moves shows nothing.
    if pair.shift.is_some() {
        let title = page.say(
            "Values of the same moves, for the side that moves",
            "同じ指し手の評価値（手番側から）",
        );
        let axes = [&pair.one, &pair.other].map(|id| shortened(&id.to_string()));
        let line = pair.shift.map(|shift| shift.robust);
        out.write_all(scatter(title, &axes, &pair.sample, line, page.language())?.as_bytes())?;
    }
    if pair.furthest.is_empty() {
        return Ok(());
    }
    let [summary, position, m] = page.say(
        ["where they are furthest apart", "position", "move"],
        ["評価の差が大きい局面", "局面", "指し手"],
    );
    writeln!(
        out,
        "<details><summary>{summary}</summary>\n<div class=\"scroll\"><table>\n<thead><tr>\
         <th>{position}</th><th>{m}</th><th>{one}</th><th>{other}</th></tr></thead>\n<tbody>"
    )?;
    for (row, apart) in (1..).zip(&pair.furthest) {
        let values = [apart.one, apart.other].map(|value| page.words().value(value).to_string());
        let [first, second] = &values;
        let text =
            format!("{} {}", page.names().text(&apart.position, apart.m), values.join(" / "));
        let id = format!("apart-{number}-{row}");
        let ply = apart.position.ply();
        writeln!(
            out,
            "<tr{}><th><a href=\"#{id}\">{}</a>{}</th><td>{}</td><td>{first}</td><td>{second}</td></tr>",
            place(&id, &apart.position, &[apart.m], &text),
            page.say(format!("move {ply}"), format!("{ply}手目")),
            folded_sfen(&apart.position),
            page.names().of(&apart.position, apart.m),
        )?;
    }
    writeln!(out, "</tbody>\n</table></div></details>")
}

/// A sentence on the relation of both scales.
fn scale(shift: Option<&ScaleShift>, language: Language) -> String {
    let Some(ScaleShift { robust, correlation, .. }) = shift else {
        return language
            .choose("That is too few to compare their scales.", "尺度の比較には少なすぎます。")
            .to_owned();
    };
    let (slope, correlation) = (positive_zero(robust.slope), positive_zero(*correlation));
    let (by, spread) = (Signed(robust.intercept), robust.spread);
    match language {
        Language::English => format!(
            "The second’s values are about {slope:.2} times the first’s, {by} centipawns, give or take \
             {spread:.0} (correlation {correlation:.2})."
        ),
        Language::Japanese => format!(
            "後者の値は前者のおよそ {slope:.2} 倍に {by}、ばらつき {spread:.0}（相関 {correlation:.2}）。"
        ),
    }
}

/// Replaces small numbers by 0, so that none is shown as −0.00.
fn positive_zero(number: f64) -> f64 {
    if number.abs() < 0.005 { 0.0 } else { number }
}

fn write_inputs(page: &Page<'_>, working: &WorkingData, out: &mut dyn Write) -> io::Result<()> {
    if working.inputs.is_empty() {
        return Ok(());
    }
    writeln!(out, "<h3>{}</h3>\n<ul>", page.say("Sources", "入力"))?;
    for input in &working.inputs {
        let games = match input.games {
            0 => String::new(),
            games => page.say(", ", "、").to_owned() + &page.words().games(games),
        };
        writeln!(out, "<li>{}{games}</li>", Escaped(&shortened(&input.name)))?;
    }
    if working.all_inputs > working.inputs.len() {
        let more = working.all_inputs - working.inputs.len();
        let text = page.say(format!("{more} before them"), format!("それ以前に {more}"));
        writeln!(out, "<li>{text}</li>")?;
    }
    writeln!(out, "</ul>")
}
