//! The HTML document around the content of a page, and its JSON.

use komadai_report::{LiveBoard, LivePage, LiveProgress, LiveTable};
use serde_json::{Value, json};

use crate::page_handle::PageHandle;

/// The script, which replaces the content and sends the actions.
pub(crate) const SCRIPT: &str = include_str!("script.js");

/// The field for the line that is searched first.
const WISH: &str = "<form id=\"wish\"><label>Search first what follows \
                    <input name=\"line\" size=\"40\" maxlength=\"4000\" \
                    placeholder=\"startpos moves 7g7f 3c3d\"></label> <button>Wish</button> \
                    <output></output></form>";

/// Returns the document with the content of a page. Without scripts it loads itself again every ten
/// seconds.
pub(crate) fn document(handle: &PageHandle, may_act: bool) -> String {
    let page = handle.snapshot();
    let title = escaped(&page.title);
    let (action, label) =
        if handle.is_paused() { ("resume", "Resume") } else { ("pause", "Pause") };
    let mut actions = String::new();
    if may_act {
        let wish = if handle.accepts_wishes() { WISH } else { "" };
        let button = format!("<button id=\"action\" data-action=\"{action}\">{label}</button>");
        actions = format!("<nav>{button}{wish}</nav>\n");
    }
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <noscript><meta http-equiv=\"refresh\" content=\"10\"></noscript>\n\
         <title>{title}</title>\n<meta name=\"description\" content=\"{title}\">\n<link rel=\"stylesheet\" href=\"/style.css\">\n\
         <link rel=\"icon\" href=\"data:,\">\n</head>\n<body>\n{actions}<main id=\"content\">\n{page}</main>\n\
         <footer><p class=\"status\" id=\"link\"></p><p>komadai {version}</p></footer>\n<script src=\"/script.js\"></script>\n\
         </body>\n</html>\n"
    )
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns a page as JSON.
pub(crate) fn to_json(page: &LivePage, is_paused: bool) -> Value {
    let LivePage { title, status, progress, figures, boards, tables, notes } = page;
    let figures = figures.iter().map(|(name, value)| json!({ "name": name, "value": value }));
    json!({
        "title": title,
        "status": status,
        "is_paused": is_paused,
        "progress": progress.as_ref().map(progress_json),
        "figures": figures.collect::<Vec<_>>(),
        "boards": boards.iter().map(board_json).collect::<Vec<_>>(),
        "tables": tables.iter().map(table_json).collect::<Vec<_>>(),
        "notes": notes,
    })
}

fn progress_json(progress: &LiveProgress) -> Value {
    json!({
        "done": progress.done,
        "total": progress.total,
        "unit": progress.unit,
        "before": progress.before,
        "elapsed_s": progress.elapsed.as_secs_f64(),
        "per_second": progress.per_second(),
        "left_s": progress.left().map(|left| left.as_secs_f64()),
    })
}

fn board_json(board: &LiveBoard) -> Value {
    json!({
        "caption": board.caption,
        "sfen": board.position.to_string(),
        "last_move": board.last_move.map(|m| m.to_string()),
        "line": board.line.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "remark": board.remark,
    })
}

fn table_json(table: &LiveTable) -> Value {
    json!({ "title": table.title, "columns": table.columns, "rows": table.rows })
}
