//! An HTML page that lists analysed games.

use core::fmt;

use komadai_core::Language;

use crate::text::Escaped;
use crate::web::{PageHead, footer};

/// A page that lists games with their results and the mistakes of both sides, written by `Display`:
/// one file without script, network, fonts or images.
///
/// Each game is a link to its own page, such as a [`GamePage`](crate::GamePage). Texts are escaped.
///
/// # Examples
///
/// ```
/// use komadai_report::{GamesPage, ListedGame, ListedSide};
///
/// let black = ListedSide { name: "Ichiro <1>".to_owned(), ..ListedSide::default() };
/// let game = ListedGame { page: "a b.html".to_owned(), black, ..ListedGame::default() };
/// let page = GamesPage { title: "Our club".to_owned(), games: vec![game], ..GamesPage::default() };
/// let text = page.to_string();
/// assert!(text.contains("<a href=\"a%20b.html\">") && text.contains("Ichiro &lt;1&gt;"));
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
#[must_use = "a page does nothing until it is written"]
pub struct GamesPage {
    /// The language; English by default.
    pub language: Language,
    /// The heading.
    pub title: String,
    /// The games, in the order of the page.
    pub games: Vec<ListedGame>,
    /// The command that makes such a page, for its footer.
    pub command: String,
}

/// A game of the list.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ListedGame {
    /// The path of its page, relative to the list, with `/` between folders.
    pub page: String,
    /// The date in words, empty if it is not known.
    pub date: String,
    /// The result in words.
    pub result: String,
    /// The number of moves.
    pub moves: usize,
    /// The player of the black pieces.
    pub black: ListedSide,
    /// The player of the white pieces.
    pub white: ListedSide,
}

/// A player of a game of the list.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ListedSide {
    /// The name, empty if it is not known.
    pub name: String,
    /// True for the winner.
    pub has_won: bool,
    /// The average loss of a move in centipawns.
    pub average_loss: Option<f64>,
    /// The numbers of inaccuracies (?!), mistakes (?) and blunders (??).
    pub marks: [usize; 3],
}

const STYLE: &str = include_str!("games_page/style.css");

impl fmt::Display for GamesPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { language, title, games, command } = self;
        let count = language.choose(format!("{} games", games.len()), format!("{}局", games.len()));
        let description = format!("{title}: {count}");
        let head = PageHead {
            language: *language,
            title,
            description: &description,
            style: STYLE,
            script_hash: None,
        };
        let title = Escaped(title);
        writeln!(
            f,
            "{head}<header><h1><bdi>{title}</bdi></h1><p>{count}</p></header>\n<main>\n<div><table>"
        )?;
        let heads = language.choose(
            ["game", "date", "result", "moves", "player", "average loss", "?!", "?", "??"],
            ["対局", "日付", "結果", "手数", "対局者", "平均損失", "?!", "?", "??"],
        );
        let heads: String =
            heads.iter().map(|head| format!("<th scope=\"col\">{head}</th>")).collect();
        writeln!(f, "<thead><tr>{heads}</tr></thead>")?;
        for game in games {
            game.write(*language, f)?;
        }
        let footer = footer(*language, command);
        write!(f, "</table></div>\n</main>\n{footer}</body>\n</html>\n")
    }
}

impl ListedGame {
    fn write(&self, language: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { page, date, result, moves, black, white } = self;
        let name = page.strip_suffix(".html").unwrap_or(page);
        write!(
            f,
            "<tbody>\n<tr><th scope=\"row\" rowspan=\"2\"><a href=\"{}\"><bdi>{}</bdi></a></th>\
             <td rowspan=\"2\">{}</td><td rowspan=\"2\">{}</td><td rowspan=\"2\">{moves}</td>",
            Escaped(&address(page)),
            Escaped(name),
            Escaped(date),
            Escaped(result),
        )?;
        black.write(language.choose("Black", "先手"), f)?;
        f.write_str("</tr>\n<tr>")?;
        white.write(language.choose("White", "後手"), f)?;
        f.write_str("</tr>\n</tbody>\n")
    }
}

impl ListedSide {
    fn write(&self, side: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.name.trim().is_empty() { side } else { self.name.trim() };
        let won = if self.has_won { " class=\"won\"" } else { "" };
        let loss = self.average_loss.map_or("–".to_owned(), |loss| format!("{loss:.0}"));
        write!(f, "<td{won}><bdi>{}</bdi></td><td>{loss}</td>", Escaped(name))?;
        self.marks.iter().try_for_each(|count| write!(f, "<td>{count}</td>"))
    }
}

/// Returns the path of a page as an address: a link is not cut at `?`, `#` or blanks, and a name
/// with a colon is no scheme.
fn address(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~/".contains(&byte);
    let part = |byte: u8| {
        if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }
    };
    path.bytes().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_addresses_and_texts_are_escaped() {
        let won = ListedSide {
            name: "<b>".to_owned(),
            has_won: true,
            average_loss: Some(41.6),
            marks: [3, 2, 1],
        };
        let game = ListedGame {
            page: "sub/a#1?.html".to_owned(),
            date: "2026-11-30".to_owned(),
            result: "Black wins".to_owned(),
            moves: 99,
            black: won,
            ..ListedGame::default()
        };
        let page = GamesPage {
            language: Language::Japanese,
            title: "大会 & 例会".to_owned(),
            games: vec![game],
            command: "komadai analyse".to_owned(),
        };
        let text = page.to_string();
        for part in [
            "<html lang=\"ja\">",
            "<title>大会 &amp; 例会</title>",
            "href=\"sub/a%231%3F.html\"",
            "<td class=\"won\"><bdi>&lt;b&gt;</bdi></td><td>42</td><td>3</td><td>2</td><td>1</td>",
            "<td><bdi>後手</bdi></td><td>–</td>",
            "<td rowspan=\"2\">99</td>",
        ] {
            assert!(text.contains(part), "no {part} in {text}");
        }
        assert!(!text.contains("<script"));
    }
}
