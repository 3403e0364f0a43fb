//! The board that shows the moves of the page, which a script changes.

use std::io::{self, Write};

use super::html::Page;
use crate::svg::{BoardInPage, SvgBoard};
use crate::text::Escaped;
use crate::web::board_buttons;

/// The script of the page.
pub(crate) const SCRIPT: &str =
    concat!(include_str!("../../web/live_board.js"), include_str!("script.js"));

/// The SHA-256 of the script in base 64, which the content security policy names.
pub(crate) const SCRIPT_HASH: &str = "Df0emu7JFrd9mIm2UJCJBosfL19PIs/zHyoTBZEuL+M=";

/// Writes the board at the start of all lines. Without the script it stays there, without buttons.
pub(super) fn write(page: &Page<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (language, root) = (page.language(), &page.data.root);
    let [name, start, next, keys] = language.choose(
        [
            "Board",
            "Start",
            "then:",
            "Click a move. Keys: ← → Home End, n and p for other moves, f turns the board",
        ],
        [
            "局面図",
            "開始局面",
            "次の手：",
            "指し手をクリックすると表示します。キー：← → Home End、n・p 別の手、f 盤を反転",
        ],
    );
    let sfen = root.to_string();
    let board = SvgBoard {
        pieces: page.pieces(),
        name: Some(name.to_owned()),
        description: Some(sfen.clone()),
        ..SvgBoard::new(root)
    };
    let style = language.choose("letters", "kanji");
    writeln!(
        out,
        "<aside>\n<div id=\"board\" data-pieces=\"{style}\" data-s=\"{}\" data-start=\"{start}\" \
         data-next=\"{next}\">\n{}</div>",
        Escaped(&sfen),
        BoardInPage(&board)
    )?;
    writeln!(
        out,
        "<div id=\"controls\" hidden>\n{}<p class=\"keys\">{keys}</p>\n</div>\n\
         <div id=\"note\" aria-live=\"polite\"></div>",
        board_buttons(language)
    )?;
    let [sfen, link, done] = language.choose(
        ["Copy SFEN", "Copy link", "copied"],
        ["SFEN をコピー", "リンクをコピー", "コピーしました"],
    );
    writeln!(
        out,
        "<div id=\"share\" data-done=\"{done}\" hidden>\n\
         <button id=\"copy-sfen\" type=\"button\">{sfen}</button>\n\
         <button id=\"copy-link\" type=\"button\">{link}</button>\n</div>\n</aside>"
    )
}
