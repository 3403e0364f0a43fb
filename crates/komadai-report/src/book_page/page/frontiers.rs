//! The section on frontiers: the positions at which the book ends.

use std::io::{self, Write};

use komadai_base::text::grouped;

use super::charts::{Bars, Series, bars, steps};
use super::html::Page;
use crate::book_page::frontier_size::FrontierCount;

pub(super) fn write(page: &Page<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (heading, text) = page.say(
        (
            "Where the book ends",
            "On these lines one side plays its best moves and the other any move of the window, until \
             the book ends. The positions there are the frontier; a wider window has more of them.",
        ),
        (
            "定跡の終わり",
            "一方が最善手、他方が範囲内の手を指し続け、定跡が終わるまでの手順です。その終わりの局面が\
             フロンティア（次に調べる局面）で、範囲を広げると増えます。",
        ),
    );
    writeln!(out, "<section>\n<h2>{heading}</h2>\n<p>{text}</p>\n<div class=\"charts\">")?;
    write_steps(page, out)?;
    for shape in &page.data.now.frontiers {
        if shape.count.window == page.data.window && shape.count.side.is_some() {
            let side = page.words().side_name(shape.count.side);
            let title = page.say(
                format!("Lines of {side} by their number of moves"),
                format!("{side}の手順の長さ"),
            );
            let x = page.say("moves", "手数");
            let picture =
                bars(&Bars { title: &title, x, counts: &shape.lengths }, page.language())?;
            out.write_all(picture.as_bytes())?;
        }
    }
    let depths = &page.data.depths;
    let title = page.say(
        "Positions by the plies of best play to the end of the book",
        "最善手順で定跡が終わるまでの手数と局面数",
    );
    let x = page.say("plies", "手数");
    let picture = bars(&Bars { title, x, counts: &depths.by_plies }, page.language())?;
    out.write_all(picture.as_bytes())?;
    writeln!(out, "</div>")?;
    let rest: Vec<String> = [
        (depths.repetitions, page.say("end in repetition", "千日手")),
        (depths.perpetual_checks, page.say("in perpetual check", "連続王手の千日手")),
        (depths.without_value, page.say("have no value", "評価値なし")),
    ]
    .iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, what)| {
        let count = grouped(*count);
        page.say(format!("{count} {what}"), format!("{what} {count}"))
    })
    .collect();
    if !rest.is_empty() {
        let text = page.say(
            format!("Of the other positions {}.", rest.join(", ")),
            format!("ほかの局面：{}。", rest.join("、")),
        );
        writeln!(out, "<p>{text}</p>")?;
    }
    write_table(page, out)?;
    writeln!(out, "</section>")
}

fn write_steps(page: &Page<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut all: Vec<Series> = Vec::new();
    let mut last = None;
    for count in &page.data.frontier_steps {
        if last.replace((count.window, count.side)) != Some((count.window, count.side)) {
            let words = page.words();
            let (side, window) = (words.side_name(count.side), words.window_name(count.window));
            let name = format!("{side}{}{window}", page.say(", ", "、"));
            all.push(Series { name, points: Vec::new() });
        }
        if let (Some(series), Ok(diff)) = (all.last_mut(), usize::try_from(count.eval_diff)) {
            series.points.push((diff, count.positions as f64));
        }
    }
    let (title, unit) = page.say(
        ("Lines that leave the book, by the width of the window", "centipawns"),
        ("範囲の幅と、定跡を外れる手順の数", "評価値の差"),
    );
    out.write_all(steps(title, unit, &all)?.as_bytes())
}

fn write_table(page: &Page<'_>, out: &mut dyn Write) -> io::Result<()> {
    let [summary, window, width, lines, visited] = page.say(
        ["in numbers", "window", "width", "lines that leave the book", "positions on the way"],
        ["表で見る", "範囲", "幅", "定跡を外れる手順", "途中の局面"],
    );
    writeln!(
        out,
        "<details><summary>{summary}</summary>\n<div class=\"scroll\"><table>\n\
         <thead><tr><th>{window}</th><th>{width}</th><th>{lines}</th><th>{visited}</th></tr></thead>\n\
         <tbody>"
    )?;
    let words = page.words();
    let comma = page.say(", ", "、");
    let mut row = |count: &FrontierCount| {
        let side = |_| format!("{}{comma}", words.side_name(count.side));
        let side = count.side.map_or_else(String::new, side);
        let (window, width) = (words.window_name(count.window), count.eval_diff);
        let (lines, visited) = (grouped(count.positions as u64), grouped(count.visited as u64));
        writeln!(
            out,
            "<tr><th>{side}{window}</th><td>{width}</td><td>{lines}</td><td>{visited}</td></tr>"
        )
    };
    let free = page.data.now.frontiers.iter().map(|shape| &shape.count);
    free.filter(|count| count.side.is_none()).try_for_each(&mut row)?;
    page.data.frontier_steps.iter().try_for_each(&mut row)?;
    writeln!(out, "</tbody>\n</table></div></details>")
}
