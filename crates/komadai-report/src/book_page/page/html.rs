//! Numbers and values as HTML.

use core::fmt;
use std::io::{self, Write};

use komadai_base::text::{grouped, shorten};
use komadai_book::clock::UtcTime;
use komadai_book::games::WinDrawLoss;
use komadai_bookgraph::frontier::Window;
use komadai_core::{Color, Language, Move, Position, Score};
use komadai_kifu::Notation;

use crate::book_page::data::ReportData;
use crate::svg::{BoardInPage, SvgArrow, SvgBoard, board_style};
use crate::text::{Escaped, ValueText};

/// Writes the beginning of a page, up to the start of its body.
pub(super) fn begin(title: &str, out: &mut dyn Write) -> io::Result<()> {
    let title = Escaped(title);
    writeln!(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    let viewport = "width=device-width, initial-scale=1";
    writeln!(out, "<meta name=\"viewport\" content=\"{viewport}\">")?;
    writeln!(out, "<title>{title}</title>")?;
    let style = include_str!("style.css");
    writeln!(out, "<style>\n{}{style}</style>\n</head>\n<body>", board_style())
}

/// Writes the end of a page.
pub(super) fn end(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "</body>\n</html>")
}

/// Formats a number of things: `1 line`, `2 lines`.
pub(super) fn counted(count: u64, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", grouped(count))
}

/// Shortens a text to fit into a table.
pub(super) fn shortened(text: &str) -> String {
    shorten(text, 120)
}

/// Returns a value for Black with its sign.
pub(super) fn value_for_black(value: Score) -> ValueText {
    ValueText(value, Language::English)
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

/// The name of the side of a book.
pub(super) fn side_name(side: Option<Color>) -> &'static str {
    match side {
        Some(Color::Black) => "Black’s book",
        Some(Color::White) => "White’s book",
        None => "both sides alike",
    }
}

/// The name of a window.
pub(super) fn window_name(window: Window) -> &'static str {
    match window {
        Window::Free => "both sides free",
        Window::Best => "near the best move",
        Window::Root => "near the start’s value",
    }
}
/// Writes a board with a caption in HTML; `last` is the last move.
pub(super) fn write_board(
    out: &mut dyn Write,
    position: &Position,
    last: Option<Move>,
    arrows: &[Move],
    caption: &str,
) -> io::Result<()> {
    let arrows = arrows.iter().map(|&m| (m, SvgArrow::Plain)).collect();
    let board = SvgBoard { last_move: last, arrows, ..SvgBoard::new(position) };
    writeln!(out, "<figure class=\"board\">\n{}<figcaption>{caption}", BoardInPage(&board))?;
    writeln!(
        out,
        "<details><summary>SFEN</summary><code>{}</code></details></figcaption>\n</figure>",
        Escaped(&position.to_string())
    )
}

/// The report to be written, and the names of moves.
#[derive(Clone, Copy)]
pub(super) struct Page<'d> {
    pub(super) data: &'d ReportData,
    pub(super) names: Names,
}

/// The notation of moves on the page.
#[derive(Clone, Copy)]
pub(super) struct Names {
    notation: Notation,
}

impl Names {
    pub(super) fn new(notation: Notation) -> Self {
        Self { notation }
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
        let worth = |score| value_for_black(score).to_string();
        assert_eq!(worth(Score::cp(-35)), "−35");
        assert_eq!(worth(Score::cp(7)), "+7");
        assert_eq!(worth(Score::ZERO), "0");
        assert_eq!(worth(Score::mated_in(4)), "−mate 4");
        assert_eq!(worth(Score::MATE_OF_UNKNOWN_LENGTH), "+mate");
        assert_eq!([-0.4, -1.6, 2.2].map(|n| Signed(n).to_string()).join(" "), "0 −2 +2");
        assert_eq!(counted(1, "game") + &counted(1_000, " move"), "1 game1,000  moves");
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
