//! The section on the growth of the book.

use std::io::{self, Write};

use komadai_base::text::grouped;

use super::charts::{Series, lines_over_states};
use super::html::{Day, Page, side_name, value_for_black, window_name};
use crate::book_page::book_state::BookState;
use crate::text::Escaped;

pub(super) fn write(page: &Page<'_>, out: &mut dyn Write) -> io::Result<()> {
    let states = states(page);
    if states.len() < 2 {
        return Ok(());
    }
    writeln!(out, "<section>\n<h2>Growth</h2>")?;
    write_charts(&states, out)?;
    write_table(&states, out)?;
    writeln!(out, "</section>")
}

/// The states of the snapshots, and the present one.
fn states<'p>(page: &Page<'p>) -> Vec<&'p BookState> {
    let mut states: Vec<&BookState> = Vec::new();
    states.extend(page.data.working.iter().flat_map(|working| &working.history));
    states.push(&page.data.now);
    states
}

fn state_name(state: &BookState) -> &str {
    if state.name.is_empty() { "now" } else { &state.name }
}

fn write_charts(states: &[&BookState], out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<&str> = states.iter().map(|state| state_name(state)).collect();
    let series = |name: &str, value: &dyn Fn(&BookState) -> Option<f64>| {
        let points = states.iter().enumerate();
        let points = points.filter_map(|(at, state)| Some((at, value(state)?))).collect();
        Series { name: name.to_owned(), points }
    };
    writeln!(out, "<div class=\"charts\">")?;
    // The scale of a mate value would hide all other values.
    let root = |state: &BookState| Some(f64::from(state.root?.raw().clamp(-3_000, 3_000)));
    let roots = [series("value of the start", &root)];
    out.write_all(lines_over_states("Value of the start, for Black", &names, &roots)?.as_bytes())?;
    let positions = |state: &BookState| Some(state.positions as f64);
    let evaluations = |state: &BookState| Some(state.evaluations? as f64);
    let sizes = [series("positions", &positions), series("evaluations", &evaluations)];
    out.write_all(lines_over_states("Positions and evaluations", &names, &sizes)?.as_bytes())?;
    let shapes =
        states.iter().find_map(|state| Some(&state.frontiers).filter(|all| !all.is_empty()));
    let frontiers: Vec<Series> = shapes
        .into_iter()
        .flatten()
        .enumerate()
        .filter(|(_, shape)| shape.count.side.is_some())
        .map(|(at, shape)| {
            let name =
                format!("{}, {}", side_name(shape.count.side), window_name(shape.count.window));
            series(&name, &|state| Some(state.frontiers.get(at)?.count.positions as f64))
        })
        .collect();
    out.write_all(
        lines_over_states("Frontier: lines that leave the book", &names, &frontiers)?.as_bytes(),
    )?;
    writeln!(out, "</div>")
}

fn write_table(states: &[&BookState], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<div class=\"scroll\"><table>\n<thead><tr><th></th>")?;
    for state in states {
        writeln!(out, "<th>{}</th>", Escaped(state_name(state)))?;
    }
    writeln!(out, "</tr></thead>\n<tbody>")?;
    type Cell = Box<dyn Fn(&BookState) -> Option<String>>;
    let count = |of: fn(&BookState) -> Option<u64>| -> Cell {
        Box::new(move |state| of(state).map(grouped))
    };
    let mut rows: Vec<(String, Cell)> = vec![
        ("day".to_owned(), Box::new(|state| Some(Day(state.when).to_string()))),
        ("generation".to_owned(), Box::new(|state| Some(state.generation?.to_string()))),
        ("positions".to_owned(), count(|state| Some(state.positions))),
        ("moves".to_owned(), count(|state| state.moves)),
        ("evaluations".to_owned(), count(|state| state.evaluations)),
        (
            "value of the start".to_owned(),
            Box::new(|state| Some(value_for_black(state.root?).to_string())),
        ),
    ];
    let shapes = states.last().map(|now| now.frontiers.as_slice()).unwrap_or_default();
    for (at, shape) in shapes.iter().enumerate() {
        let (side, window) = (side_name(shape.count.side), window_name(shape.count.window));
        let name = match shape.count.side {
            Some(_) => format!("frontier: {side}, {window}"),
            None => format!("frontier: {window}"),
        };
        let cell = move |state: &BookState| {
            Some(grouped(state.frontiers.get(at)?.count.positions as u64).to_string())
        };
        rows.push((name, Box::new(cell)));
    }
    for (name, cell) in rows {
        write!(out, "<tr><th>{name}</th>")?;
        for state in states {
            write!(out, "<td>{}</td>", cell(state).unwrap_or_else(|| "–".to_owned()))?;
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tbody>\n</table></div>")
}
