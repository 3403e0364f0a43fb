//! The section on frontiers: the positions at which the book ends.

use std::io::{self, Write};

use komadai_base::text::grouped;

use super::charts::{Bars, Series, bars, steps};
use super::html::{Page, side_name, window_name};
use crate::book_page::frontier_size::FrontierCount;

pub(super) fn write(page: &Page<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<section>\n<h2>Where the book ends</h2>")?;
    writeln!(
        out,
        "<p>On these lines one side plays its best moves and the other any move of the window, until the book \
         ends. The positions there are the frontier; a wider window has more of \
         them.</p>\n\
         <div class=\"charts\">"
    )?;
    write_steps(page, out)?;
    for shape in &page.data.now.frontiers {
        if shape.count.window == page.data.window && shape.count.side.is_some() {
            let title =
                format!("Lines of {} by their number of moves", side_name(shape.count.side));
            let picture = bars(&Bars { title: &title, x: "moves", counts: &shape.lengths })?;
            out.write_all(picture.as_bytes())?;
        }
    }
    let depths = &page.data.depths;
    let title = "Positions by the plies of best play to the end of the book";
    let picture = bars(&Bars { title, x: "plies", counts: &depths.by_plies })?;
    out.write_all(picture.as_bytes())?;
    writeln!(out, "</div>")?;
    let rest: Vec<String> = [
        (depths.repetitions, "end in repetition"),
        (depths.perpetual_checks, "in perpetual check"),
        (depths.without_value, "have no value"),
    ]
    .iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, what)| format!("{} {what}", grouped(*count)))
    .collect();
    if !rest.is_empty() {
        writeln!(out, "<p>Of the other positions {}.</p>", rest.join(", "))?;
    }
    write_table(page, out)?;
    writeln!(out, "</section>")
}

fn write_steps(page: &Page<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut all: Vec<Series> = Vec::new();
    let mut last = None;
    for count in &page.data.frontier_steps {
        if last.replace((count.window, count.side)) != Some((count.window, count.side)) {
            let name = format!("{}, {}", side_name(count.side), window_name(count.window));
            all.push(Series { name, points: Vec::new() });
        }
        if let (Some(series), Ok(diff)) = (all.last_mut(), usize::try_from(count.eval_diff)) {
            series.points.push((diff, count.positions as f64));
        }
    }
    let title = "Lines that leave the book, by the width of the window";
    out.write_all(steps(title, "centipawns", &all)?.as_bytes())
}

fn write_table(page: &Page<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<details><summary>in numbers</summary>\n<div class=\"scroll\"><table>")?;
    writeln!(
        out,
        "<thead><tr><th>window</th><th>width</th><th>lines that leave the book</th>\
         <th>positions on the way</th></tr></thead>\n<tbody>"
    )?;
    let mut row = |count: &FrontierCount| {
        let side = count.side.map_or_else(String::new, |_| format!("{}, ", side_name(count.side)));
        let (window, width) = (window_name(count.window), count.eval_diff);
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
