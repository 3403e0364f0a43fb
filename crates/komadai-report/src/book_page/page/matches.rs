//! The section on games with the book.

use std::io::{self, Write};

use komadai_base::text::grouped;
use komadai_book::games::{UseGroup, UseTable};

use super::charts::{Series, lines_over_states};
use super::html::{Page, Results, Signed, counted, points, shortened};
use crate::book_page::match_data::MatchData;
use crate::book_page::working_data::WorkingData;
use crate::text::Escaped;

pub(super) fn write(_: &Page<'_>, working: &WorkingData, out: &mut dyn Write) -> io::Result<()> {
    let Some(matches) = &working.matches else { return Ok(()) };
    writeln!(out, "<section>\n<h2>Games with the book</h2>")?;
    let games = counted(matches.games, "game");
    let results = Results(matches.results);
    writeln!(out, "<p>{games}, for the side with the book {results}.")?;
    if matches.unusable > 0 {
        writeln!(
            out,
            "{} are not counted, because their moves or clocks are invalid.",
            grouped(matches.unusable)
        )?;
    }
    writeln!(out, "</p>")?;
    write_charts(matches, out)?;
    write_table("generation", &matches.by_generation, out)?;
    writeln!(out, "<details><summary>by opponent</summary>")?;
    write_table("opponent", &matches.by_opponent, out)?;
    let left_out = matches.opponents.saturating_sub(matches.by_opponent.groups.len());
    if left_out > 0 {
        writeln!(out, "<p>and {left_out} more</p>")?;
    }
    writeln!(out, "</details>\n</section>")
}

fn write_charts(matches: &MatchData, out: &mut dyn Write) -> io::Result<()> {
    let groups = &matches.by_generation.groups;
    if groups.len() < 2 {
        return Ok(());
    }
    let names: Vec<String> = groups.iter().map(group_name).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let series = |name: &str, value: &dyn Fn(&UseGroup) -> Option<f64>| {
        let points = groups.iter().enumerate();
        let points = points.filter_map(|(at, group)| Some((at, value(group)?))).collect();
        Series { name: name.to_owned(), points }
    };
    writeln!(out, "<div class=\"charts\">")?;
    let lengths = [
        series("mean", &|group| Some(group.mean_length)),
        series("longest", &|group| Some(group.longest.into())),
    ];
    let title = "Moves in the book, by generation";
    out.write_all(lines_over_states(title, &names, &lengths)?.as_bytes())?;
    let shares = [
        series("points", &|group| Some(100.0 * group.results.rate()?)),
        series("left the book ahead", &|group| {
            (group.scored > 0).then(|| 100.0 * f64::from(group.ahead) / f64::from(group.scored))
        }),
    ];
    let title = "Share in per cent, by generation";
    out.write_all(lines_over_states(title, &names, &shares)?.as_bytes())?;
    writeln!(out, "</div>")
}

fn group_name(group: &UseGroup) -> String {
    match (&group.generation, &group.opponent) {
        (Some(generation), _) => generation.to_string(),
        (None, Some(opponent)) => shortened(opponent),
        (None, None) => "all".to_owned(),
    }
}

fn write_table(what: &str, table: &UseTable, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "<div class=\"scroll\"><table>\n<thead><tr><th>{what}</th><th>wins-draws-losses</th>\
         <th>points (95 %)</th><th>moves in book</th><th>longest</th><th>left ahead</th>\
         <th>own value then</th><th>own first thought</th><th>opponent’s</th><th>time won</th>\
         </tr></thead>\n<tbody>"
    )?;
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    let mean = |mean: Option<f64>| or_dash(mean.map(|mean| format!("{mean:.1}")));
    for group in &table.groups {
        writeln!(
            out,
            "<tr><th>{}</th><td>{}</td><td>{}</td><td>{:.1}</td><td>{}</td><td>{} of {}</td>\
             <td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            Escaped(&group_name(group)),
            group.results,
            points(&group.results),
            group.mean_length,
            group.longest,
            group.ahead,
            group.scored,
            or_dash(group.mean_score.map(|score| Signed(score).to_string())),
            mean(group.own_thought_at),
            mean(group.opponent_thought_at),
            or_dash(group.mean_lead_ms.map(|lead| format!("{:.1} s", lead / 1_000.0))),
        )?;
    }
    writeln!(out, "</tbody>\n</table></div>")
}
