//! States of books and frontiers as JSON. Values are centipawns for Black, or mates in USI
//! notation; moves are in USI notation.

use komadai::bookgraph::frontier::Window;
use komadai::report::book_page::{BookState, FrontierCount, FrontierShape};
use komadai::{Color, Move, Score};
use serde_json::{Value, json};

/// Returns the state of a book.
pub fn state(state: &BookState) -> Value {
    json!({
        "name": state.name,
        "when": state.when,
        "generation": state.generation,
        "positions": state.positions,
        "valued": state.valued,
        "moves": state.moves,
        "evaluations": state.evaluations,
        "value": state.root.map(score),
        "best_line": usi(&state.best_line),
        "frontiers": state.frontiers.iter().map(shape).collect::<Value>(),
    })
}

fn shape(shape: &FrontierShape) -> Value {
    let mut value = count(&shape.count);
    value["lengths"] = json!(shape.lengths);
    value["longest"] = json!(usi(&shape.longest));
    value
}

/// Returns the size of a frontier.
pub fn count(count: &FrontierCount) -> Value {
    json!({
        "window": window_word(count.window),
        "side": count.side.map(side_word),
        "eval_diff": count.eval_diff,
        "size": count.positions,
        "visited": count.visited,
    })
}

/// Returns a value.
pub fn score(score: Score) -> Value {
    score.to_cp().map_or_else(|| json!(score.to_string()), |cp| json!(cp))
}

/// Returns the moves of a line.
fn usi(line: &[Move]) -> Vec<String> {
    line.iter().map(ToString::to_string).collect()
}

/// Returns the name of a window.
fn window_word(window: Window) -> &'static str {
    match window {
        Window::Free => "free",
        Window::Best => "best",
        Window::Root => "root",
    }
}

/// Returns the name of a side.
pub fn side_word(side: Color) -> &'static str {
    match side {
        Color::Black => "black",
        Color::White => "white",
    }
}
