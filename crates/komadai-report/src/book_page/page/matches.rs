//! The section on games with the book.

use std::io::{self, Write};

use komadai_base::text::grouped;
use komadai_book::games::{UseGroup, UseTable};

use super::charts::{Series, lines_over_states};
use super::html::{Page, Results, Signed, points, shortened};
use crate::book_page::match_data::MatchData;
use crate::book_page::working_data::WorkingData;
use crate::text::Escaped;

pub(super) fn write(page: &Page<'_>, working: &WorkingData, out: &mut dyn Write) -> io::Result<()> {
    let Some(matches) = &working.matches else { return Ok(()) };
    let games = page.words().games(matches.games);
    let results = Results(matches.results);
    writeln!(out, "<section>\n<h2>{}</h2>", page.say("Games with the book", "定跡を使った対局"))?;
    let text = page.say(
        format!("{games}, for the side with the book {results}."),
        format!("{games}、定跡側の成績 {results}。"),
    );
    writeln!(out, "<p>{text}")?;
    if matches.unusable > 0 {
        let unusable = grouped(matches.unusable);
        let text = page.say(
            format!("{unusable} are not counted, because their moves or clocks are invalid."),
            format!("指し手や時計に誤りのある {unusable} 局は数えていません。"),
        );
        writeln!(out, "{text}")?;
    }
    writeln!(out, "</p>")?;
    write_charts(page, matches, out)?;
    // Games of one generation have the figures that stand above.
    if matches.by_generation.groups.len() > 1 {
        write_table(page, page.say("generation", "世代"), &matches.by_generation, out)?;
    }
    writeln!(out, "<details><summary>{}</summary>", page.say("by opponent", "相手ごと"))?;
    write_table(page, page.say("opponent", "相手"), &matches.by_opponent, out)?;
    let left_out = matches.opponents.saturating_sub(matches.by_opponent.groups.len());
    if left_out > 0 {
        let text = page.say(format!("and {left_out} more"), format!("ほか {left_out}"));
        writeln!(out, "<p>{text}</p>")?;
    }
    writeln!(out, "</details>\n</section>")
}

fn write_charts(page: &Page<'_>, matches: &MatchData, out: &mut dyn Write) -> io::Result<()> {
    let groups = &matches.by_generation.groups;
    if groups.len() < 2 {
        return Ok(());
    }
    let names: Vec<String> = groups.iter().map(|group| group_name(page, group)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let series = |name: &str, value: &dyn Fn(&UseGroup) -> Option<f64>| {
        let points = groups.iter().enumerate();
        let points = points.filter_map(|(at, group)| Some((at, value(group)?))).collect();
        Series { name: name.to_owned(), points }
    };
    writeln!(out, "<div class=\"charts\">")?;
    let lengths = [
        series(page.say("mean", "平均"), &|group| Some(group.mean_length)),
        series(page.say("longest", "最長"), &|group| Some(group.longest.into())),
    ];
    let title = page.say("Moves in the book, by generation", "世代ごとの定跡の手数");
    out.write_all(lines_over_states(title, &names, &lengths)?.as_bytes())?;
    let shares = [
        series(page.say("points", "得点率"), &|group| Some(100.0 * group.results.rate()?)),
        series(page.say("left the book ahead", "有利で定跡を出た割合"), &|group| {
            (group.scored > 0).then(|| 100.0 * f64::from(group.ahead) / f64::from(group.scored))
        }),
    ];
    let title = page.say("Share in per cent, by generation", "世代ごとの割合（%）");
    out.write_all(lines_over_states(title, &names, &shares)?.as_bytes())?;
    writeln!(out, "</div>")
}

fn group_name(page: &Page<'_>, group: &UseGroup) -> String {
    match (&group.generation, &group.opponent) {
        (Some(generation), _) => generation.to_string(),
        (None, Some(opponent)) => shortened(opponent),
        (None, None) => page.say("all", "全部").to_owned(),
    }
}

fn write_table(
    page: &Page<'_>,
    what: &str,
    table: &UseTable,
    out: &mut dyn Write,
) -> io::Result<()> {
    let heads = page.say(
        [
            "wins-draws-losses",
            "points (95 %)",
            "moves in book",
            "longest",
            "left ahead",
            "own value then",
            "own first thought",
            "opponent’s",
            "time won",
        ],
        [
            "勝-分-負",
            "得点率（95 %）",
            "定跡の手数",
            "最長",
            "有利で出た数",
            "そのときの評価値",
            "自分が考え始めた手",
            "相手が考え始めた手",
            "得した時間",
        ],
    );
    let heads: String = heads.iter().map(|head| format!("<th>{head}</th>")).collect();
    writeln!(
        out,
        "<div class=\"scroll\"><table>\n<thead><tr><th>{what}</th>{heads}</tr></thead>\n<tbody>"
    )?;
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    let mean = |mean: Option<f64>| or_dash(mean.map(|mean| format!("{mean:.1}")));
    for group in &table.groups {
        writeln!(
            out,
            "<tr><th>{}</th><td>{}</td><td>{}</td><td>{:.1}</td><td>{}</td><td>{} / {}</td>\
             <td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            Escaped(&group_name(page, group)),
            group.results,
            points(&group.results),
            group.mean_length,
            group.longest,
            group.ahead,
            group.scored,
            or_dash(group.mean_score.map(|score| Signed(score).to_string())),
            mean(group.own_thought_at),
            mean(group.opponent_thought_at),
            or_dash(group.mean_lead_ms.map(|lead| {
                page.say(format!("{:.1} s", lead / 1_000.0), format!("{:.1} 秒", lead / 1_000.0))
            })),
        )?;
    }
    writeln!(out, "</tbody>\n</table></div>")
}
