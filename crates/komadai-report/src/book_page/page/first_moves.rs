//! The section on the moves of the root.

use std::io::{self, Write};

use komadai_base::text::grouped;
use komadai_bookgraph::Basis;

use super::html::{Page, Results};

pub(super) fn write(page: &Page<'_>, out: &mut dyn Write) -> io::Result<()> {
    let data = page.data;
    if data.first_moves.is_empty() {
        return Ok(());
    }
    let [heading, m, value, follow, counted, stored] = page.say(
        [
            "First moves",
            "move",
            "value for Black",
            "book moves to follow",
            "counted games",
            "stored games: wins-draws-losses and points of Black",
        ],
        [
            "初手",
            "指し手",
            "評価値（先手）",
            "続く定跡の手数",
            "数えた対局",
            "保存された対局：先手の勝-分-負と得点率",
        ],
    );
    writeln!(out, "<section>\n<h2>{heading}</h2>\n<div class=\"scroll\"><table>")?;
    writeln!(
        out,
        "<thead><tr><th>{m}</th><th>{value}</th><th>{follow}</th><th>{counted}</th><th>{stored}</th>\
         </tr></thead>\n<tbody>"
    )?;
    for first in &data.first_moves {
        let follow = match first.basis {
            Basis::Leaf => first.plies.to_string(),
            Basis::Repetition => page.say("endless", "千日手").to_owned(),
            Basis::PerpetualCheck => page.say("endless checks", "連続王手").to_owned(),
        };
        writeln!(
            out,
            "<tr><th>{}</th><td>{}</td><td>{follow}</td><td>{}</td><td>{}</td></tr>",
            page.line(&[first.m], ""),
            page.words().value(first.value),
            grouped(first.games.into()),
            Results(first.results),
        )?;
    }
    writeln!(out, "</tbody>\n</table></div>\n</section>")
}
