//! The buttons of a board that a script changes (`live_board.js`).

use komadai_core::Language;

/// Returns a button: its identifier, its sign, and its name for those who do not see the sign.
pub(crate) fn button(id: &str, sign: &str, name: &str) -> String {
    format!(
        "<button id=\"{id}\" type=\"button\" aria-label=\"{name}\" title=\"{name}\">{sign}</button>\n"
    )
}

/// Returns the buttons that go through a line of moves and turn the board.
pub(crate) fn board_buttons(language: Language) -> String {
    let names = language.choose(
        ["First position", "Back", "Next", "Last position", "Turn the board"],
        ["最初の局面", "一手戻る", "一手進む", "最後の局面", "盤を反転"],
    );
    let signs = [("first", "|◀"), ("back", "◀"), ("next", "▶"), ("last", "▶|"), ("flip", "⇅")];
    signs.into_iter().zip(names).map(|((id, sign), name)| button(id, sign, name)).collect()
}
