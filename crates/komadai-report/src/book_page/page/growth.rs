//! The section on the growth of the book.

use std::io::{self, Write};

use komadai_base::text::grouped;

use super::charts::{Series, lines_over_states};
use super::html::{Day, Page};
use crate::book_page::book_state::BookState;
use crate::book_page::working_data::WorkingData;
use crate::text::Escaped;

/// The least number of earlier states. Fewer points show no course.
const FEWEST_STATES: usize = 3;

pub(super) fn write(page: &Page<'_>, working: &WorkingData, out: &mut dyn Write) -> io::Result<()> {
    if working.history.len() < FEWEST_STATES {
        return Ok(());
    }
    let states: Vec<&BookState> = working.history.iter().chain([&page.data.now]).collect();
    writeln!(out, "<section>\n<h2>{}</h2>", page.say("Growth", "成長"))?;
    write_charts(page, &states, out)?;
    write_table(page, &states, out)?;
    writeln!(out, "</section>")
}

fn state_name<'s>(page: &Page<'_>, state: &'s BookState) -> &'s str {
    if state.name.is_empty() { page.say("now", "現在") } else { &state.name }
}

fn write_charts(page: &Page<'_>, states: &[&BookState], out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<&str> = states.iter().map(|state| state_name(page, state)).collect();
    let series = |name: &str, value: &dyn Fn(&BookState) -> Option<f64>| {
        let points = states.iter().enumerate();
        let points = points.filter_map(|(at, state)| Some((at, value(state)?))).collect();
        Series { name: name.to_owned(), points }
    };
    writeln!(out, "<div class=\"charts\">")?;
    // The scale of a mate value would hide all other values.
    let root = |state: &BookState| Some(f64::from(state.root?.raw().clamp(-3_000, 3_000)));
    let roots = [series(page.say("value of the start", "開始局面の評価値"), &root)];
    let title = page.say("Value of the start, for Black", "開始局面の評価値（先手）");
    out.write_all(lines_over_states(title, &names, &roots)?.as_bytes())?;
    let positions = |state: &BookState| Some(state.positions as f64);
    let evaluations = |state: &BookState| Some(state.evaluations? as f64);
    let labels = page.say(["positions", "evaluations"], ["局面", "評価の数"]);
    let sizes = [series(labels[0], &positions), series(labels[1], &evaluations)];
    let title = page.say("Positions and evaluations", "局面と評価の数");
    out.write_all(lines_over_states(title, &names, &sizes)?.as_bytes())?;
    let shapes =
        states.iter().find_map(|state| Some(&state.frontiers).filter(|all| !all.is_empty()));
    let frontiers: Vec<Series> = shapes
        .into_iter()
        .flatten()
        .enumerate()
        .filter(|(_, shape)| shape.count.side.is_some())
        .map(|(at, shape)| {
            let words = page.words();
            let side = words.side_name(shape.count.side);
            let name =
                format!("{side}{}{}", page.say(", ", "、"), words.window_name(shape.count.window));
            series(&name, &|state| Some(state.frontiers.get(at)?.count.positions as f64))
        })
        .collect();
    let title = page.say("Frontier: lines that leave the book", "フロンティア：定跡を外れる手順");
    out.write_all(lines_over_states(title, &names, &frontiers)?.as_bytes())?;
    writeln!(out, "</div>")
}

fn write_table(page: &Page<'_>, states: &[&BookState], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<div class=\"scroll\"><table>\n<thead><tr><th></th>")?;
    for state in states {
        writeln!(out, "<th>{}</th>", Escaped(state_name(page, state)))?;
    }
    writeln!(out, "</tr></thead>\n<tbody>")?;
    for (name, cell) in rows(page, states) {
        let cells: Vec<Option<String>> = states.iter().map(|state| cell(state)).collect();
        // Rows without any number are left out.
        if cells.iter().any(Option::is_some) {
            let cells: String = cells
                .into_iter()
                .map(|cell| format!("<td>{}</td>", cell.unwrap_or_default()))
                .collect();
            writeln!(out, "<tr><th>{name}</th>{cells}</tr>")?;
        }
    }
    writeln!(out, "</tbody>\n</table></div>")
}

/// The text of a row for a state; `None` if it is not known.
type Cell<'p> = Box<dyn Fn(&BookState) -> Option<String> + 'p>;

fn rows<'p>(page: &'p Page<'_>, states: &[&BookState]) -> Vec<(String, Cell<'p>)> {
    let words = page.words();
    let count = |of: fn(&BookState) -> Option<u64>| -> Cell<'p> {
        Box::new(move |state| of(state).map(grouped))
    };
    let [day, generation, positions, moves, evaluations, root] = page.say(
        ["day", "generation", "positions", "moves", "evaluations", "value of the start"],
        ["日付", "世代", "局面", "指し手", "評価の数", "開始局面の評価値"],
    );
    let mut rows: Vec<(String, Cell<'p>)> = vec![
        (day.to_owned(), Box::new(|state| (state.when > 0).then(|| Day(state.when).to_string()))),
        (generation.to_owned(), Box::new(|state| Some(state.generation?.to_string()))),
        (positions.to_owned(), count(|state| Some(state.positions))),
        (moves.to_owned(), count(|state| state.moves)),
        (evaluations.to_owned(), count(|state| state.evaluations)),
        (root.to_owned(), Box::new(move |state| Some(words.value(state.root?).to_string()))),
    ];
    let shapes = states.last().map(|now| now.frontiers.as_slice()).unwrap_or_default();
    let [frontier, comma] = page.say(["frontier: ", ", "], ["フロンティア：", "、"]);
    for (at, shape) in shapes.iter().enumerate() {
        let window = words.window_name(shape.count.window);
        let name = match shape.count.side {
            Some(_) => format!("{frontier}{}{comma}{window}", words.side_name(shape.count.side)),
            None => format!("{frontier}{window}"),
        };
        let cell =
            move |state: &BookState| Some(grouped(state.frontiers.get(at)?.count.positions as u64));
        rows.push((name, Box::new(cell)));
    }
    rows
}
