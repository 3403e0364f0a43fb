//! Numbers, values and moves as HTML.

use core::fmt;
use std::io::{self, Write};

use komadai_base::text::{grouped, shorten};
use komadai_book::clock::UtcTime;
use komadai_book::games::WinDrawLoss;
use komadai_bookgraph::frontier::Window;
use komadai_core::{Color, Language, Move, Position, Score};
use komadai_kifu::Notation;

use crate::book_page::data::ReportData;
use crate::book_page::look::PageLook;
use crate::svg::{BoardInPage, SvgArrow, SvgBoard, SvgPieces, board_style};
use crate::text::{Escaped, ValueText};
use crate::web::{PageHead, footer};

/// Writes the beginning of a page, up to the start of its body.
pub(super) fn begin(
    look: &PageLook,
    title: &str,
    description: &str,
    script_hash: Option<&str>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let style = format!("{}{}", board_style(), include_str!("style.css"));
    let language = look.language;
    let head = PageHead { language, title, description, style: &style, script_hash };
    write!(out, "{head}")
}

/// Writes the end of a page, with its script.
pub(super) fn end(look: &PageLook, script: Option<&str>, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{}", footer(look.language, &look.command))?;
    if let Some(script) = script {
        writeln!(out, "<script>{script}</script>")?;
    }
    writeln!(out, "</body>\n</html>")
}

/// Shortens a text to fit into a table.
pub(super) fn shortened(text: &str) -> String {
    shorten(text, 120)
}

/// A difference of values, formatted with its sign.
pub(super) struct Signed(pub(super) f64);

impl fmt::Display for Signed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounded = self.0.round();
        match rounded {
            0.0 => f.write_str("0"),
            below if below < 0.0 => write!(f, "−{}", -below),
            above => write!(f, "+{above}"),
        }
    }
}

/// Results with the share of points; empty without games.
pub(super) struct Results(pub(super) WinDrawLoss);

impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.rate() {
            None => Ok(()),
            Some(rate) => write!(f, "{} ({:.0} %)", self.0, 100.0 * rate),
        }
    }
}

/// Returns the share of points with its 95 % interval; a dash without games.
pub(super) fn points(results: &WinDrawLoss) -> String {
    let share = results.rate().zip(results.interval());
    share.map_or_else(
        || "–".to_owned(),
        |(rate, [low, high])| {
            format!("{:.0} % ({:.0}–{:.0})", 100.0 * rate, 100.0 * low, 100.0 * high)
        },
    )
}

/// A day from seconds since the start of 1970; a dash if unknown.
pub(super) struct Day(pub(super) u64);

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            return f.write_str("–");
        }
        f.write_str(&UtcTime::of(self.0).date())
    }
}

/// The words of a page.
#[derive(Clone, Copy)]
pub(super) struct Words(pub(super) Language);

impl Words {
    /// Formats a number of things: `1 line`, `2 lines`, `2本`.
    pub(super) fn counted(self, count: u64, english: &str, japanese: &str) -> String {
        let plural = if count == 1 { "" } else { "s" };
        let number = grouped(count);
        self.0.choose(format!("{number} {english}{plural}"), format!("{number}{japanese}"))
    }

    /// Formats a number of games.
    pub(super) fn games(self, count: u64) -> String {
        self.counted(count, "game", "局")
    }

    /// Returns a value for Black with its sign.
    pub(super) fn value(self, value: Score) -> ValueText {
        ValueText(value, self.0)
    }

    /// The name of the side of a book.
    pub(super) fn side_name(self, side: Option<Color>) -> &'static str {
        match side {
            Some(Color::Black) => self.0.choose("Black’s book", "先手の定跡"),
            Some(Color::White) => self.0.choose("White’s book", "後手の定跡"),
            None => self.0.choose("both sides alike", "両者同条件"),
        }
    }

    /// The name of a window.
    pub(super) fn window_name(self, window: Window) -> &'static str {
        match window {
            Window::Free => self.0.choose("both sides free", "両者自由"),
            Window::Best => self.0.choose("near the best move", "最善手との差が小さい手"),
            Window::Root => {
                self.0.choose("near the start’s value", "開始局面の評価との差が小さい手")
            }
        }
    }
}

/// The report to be written, and the names of moves.
#[derive(Clone, Copy)]
pub(super) struct Page<'d> {
    pub(super) data: &'d ReportData,
    pub(super) look: &'d PageLook,
}

impl Page<'_> {
    pub(super) fn language(&self) -> Language {
        self.look.language
    }

    pub(super) fn words(&self) -> Words {
        Words(self.look.language)
    }

    pub(super) fn names(&self) -> Names {
        Names::new(self.look)
    }

    pub(super) fn pieces(&self) -> SvgPieces {
        pieces(self.look.language)
    }

    /// Chooses the words of the language.
    pub(super) fn say<T>(&self, english: T, japanese: T) -> T {
        self.look.language.choose(english, japanese)
    }

    /// The moves of a line from the root, each of which the script can show on the board.
    pub(super) fn line(&self, moves: &[Move], attributes: &str) -> String {
        let usi: Vec<String> = moves.iter().map(ToString::to_string).collect();
        let names = self.names().line(&self.data.root, moves);
        format!("<span class=\"line\" data-l=\"{}\"{attributes}>{names}</span>", usi.join(" "))
    }
}

/// The characters on the pieces of a page.
fn pieces(language: Language) -> SvgPieces {
    language.choose(SvgPieces::Letters, SvgPieces::Kanji)
}

/// Writes a board with a caption in HTML; `last` is the last move.
pub(super) fn write_board(
    out: &mut dyn Write,
    language: Language,
    position: &Position,
    last: Option<Move>,
    arrows: &[Move],
    caption: &str,
) -> io::Result<()> {
    let arrows = arrows.iter().map(|&m| (m, SvgArrow::Plain)).collect();
    let board =
        SvgBoard { last_move: last, arrows, pieces: pieces(language), ..SvgBoard::new(position) };
    writeln!(
        out,
        "<figure class=\"board\">\n{}<figcaption>{caption}{}</figcaption>\n</figure>",
        BoardInPage(&board),
        folded_sfen(position)
    )
}

/// Returns the SFEN of a position, folded.
pub(super) fn folded_sfen(position: &Position) -> String {
    let sfen = position.to_string();
    format!("<details><summary>SFEN</summary><code>{}</code></details>", Escaped(&sfen))
}

/// Returns the attributes of an element whose position the script shows on the board: an identifier
/// for the address, the arrows and a text.
pub(super) fn place(id: &str, position: &Position, arrows: &[Move], text: &str) -> String {
    let arrows: Vec<String> = arrows.iter().map(ToString::to_string).collect();
    let (sfen, text) = (position.to_string(), Escaped(text));
    format!(" id=\"{id}\" data-s=\"{}\"{}", Escaped(&sfen), shown_with(&arrows.join(" "), &text))
}

/// Returns the attributes for arrows and a text below the board.
pub(super) fn shown_with(arrows: &str, text: &dyn fmt::Display) -> String {
    let arrows = if arrows.is_empty() { String::new() } else { format!(" data-a=\"{arrows}\"") };
    format!("{arrows} data-t=\"{text}\"")
}

/// The notation of moves on the page.
#[derive(Clone, Copy)]
pub(super) struct Names {
    notation: Notation,
}

impl Names {
    pub(super) fn new(look: &PageLook) -> Self {
        Self { notation: look.notation }
    }

    /// One move as text, not escaped.
    pub(super) fn text(self, position: &Position, m: Move) -> String {
        self.notation.name(position, m)
    }

    /// One move.
    pub(super) fn of(self, position: &Position, m: Move) -> String {
        self.span(&self.notation.name(position, m))
    }

    /// One move, or a dash.
    pub(super) fn of_some(self, position: &Position, m: Option<Move>) -> String {
        m.map_or_else(|| "–".to_owned(), |m| self.of(position, m))
    }

    /// The moves of a line from `start`.
    pub(super) fn line(self, start: &Position, moves: &[Move]) -> String {
        let names = self.notation.names(start, moves);
        names.iter().map(|name| self.span(name)).collect::<Vec<_>>().join(" ")
    }

    fn span(self, name: &str) -> String {
        let lang = if self.notation.is_japanese() { " lang=\"ja\"" } else { "" };
        format!("<span class=\"m\"{lang}>{name}</span>")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_numbers_are_valid_html() {
        let (english, japanese) = (Words(Language::English), Words(Language::Japanese));
        let worth = |score| english.value(score).to_string();
        assert_eq!(worth(Score::cp(-35)), "−35");
        assert_eq!(worth(Score::cp(7)), "+7");
        assert_eq!(worth(Score::ZERO), "0");
        assert_eq!(worth(Score::mated_in(4)), "−mate 4");
        assert_eq!(worth(Score::MATE_OF_UNKNOWN_LENGTH), "+mate");
        assert_eq!(japanese.value(Score::mated_in(4)).to_string(), "−詰 4手");
        assert_eq!([-0.4, -1.6, 2.2].map(|n| Signed(n).to_string()).join(" "), "0 −2 +2");
        assert_eq!(english.games(1) + &english.games(1_000), "1 game1,000 games");
        assert_eq!(japanese.games(1_000), "1,000局");
        assert_eq!(shortened(&"歩".repeat(200)).chars().count(), 121);
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        let day = |seconds: u64| Day(seconds).to_string();
        assert_eq!(day(0), "–");
        assert_eq!(day(1), "1970-01-01");
        assert_eq!(day(951_782_400), "2000-02-29");
        assert_eq!(day(951_868_800), "2000-03-01");
        assert_eq!(day(1_700_000_000), "2023-11-14");
        assert_eq!(day(1_735_689_599), "2024-12-31");
        assert_eq!(day(4_107_542_400), "2100-03-01");
        // An impossible time is still written.
        assert!(day(u64::MAX).len() >= 10);
    }
}
