//! The page: one HTML file that needs no other file.

use core::fmt;

use komadai_core::Color;
use komadai_kifu::Notation;

use super::{ExplorerMove, ExplorerPage, ExplorerPosition, GameCounts};
use crate::svg::{BoardInPage, SvgBoard, SvgPieces, board_style};
use crate::text::Escaped;
use crate::web::{PageHead, board_buttons, footer};

const STYLE: &str = include_str!("style.css");

pub(crate) const SCRIPT: &str =
    concat!(include_str!("../web/live_board.js"), include_str!("script.js"));

/// The SHA-256 of the script in base 64, which the content security policy names.
pub(crate) const SCRIPT_HASH: &str = "d+WIc+TTNdXZpVYjeDpK/rBMXX6ZCtAa0txmAwQr1OE=";

impl fmt::Display for ExplorerPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { language, title, positions, .. } = self;
        let games = positions.first().map_or(0, |first| first.counts.games);
        let count = language.choose(
            format!("{games} games, {} positions", positions.len()),
            format!("{games}局、{}局面", positions.len()),
        );
        let description = format!("{title}: {count}");
        let style = format!("{}{STYLE}", board_style());
        let script_hash = Some(SCRIPT_HASH);
        let language = *language;
        let head =
            PageHead { language, title, description: &description, style: &style, script_hash };
        write!(f, "{head}")?;
        writeln!(
            f,
            "<header><h1><bdi>{}</bdi></h1><p>{count}</p></header>\n<main>",
            Escaped(title)
        )?;
        self.write_board(f)?;
        writeln!(f, "<section class=\"tables\">")?;
        for (number, position) in positions.iter().enumerate() {
            self.write_position(number, position, f)?;
        }
        let unread = language.choose(
            "No table of this position: too few games, or too many moves from the first one.",
            "この局面の表はありません（対局が少ないか、手数が多いため）。",
        );
        writeln!(f, "<p id=\"none\" hidden>{unread}</p>\n</section>\n</main>")?;
        f.write_str(&footer(language, "komadai kifu explore GAMES --html PAGE"))?;
        writeln!(f, "<script>{SCRIPT}</script>\n</body>\n</html>")
    }
}

impl ExplorerPage {
    fn notation(&self) -> Notation {
        self.notation.unwrap_or(self.language.choose(Notation::Hodges, Notation::Japanese))
    }

    /// Writes the board at the first position. Without the script it stays there, without buttons.
    fn write_board(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let language = self.language;
        let Some(first) = self.positions.first() else { return Ok(()) };
        let [name, start, keys] = language.choose(
            ["Board", "Start", "Keys: ← → Home End, n and p for other moves, f turns the board"],
            ["局面図", "開始局面", "キー：← → Home End、n・p 別の手、f 盤を反転"],
        );
        let pieces = self.pieces.unwrap_or(language.choose(SvgPieces::Letters, SvgPieces::Kanji));
        let style = if pieces == SvgPieces::Kanji { "kanji" } else { "letters" };
        let sfen = first.position.to_string();
        let board = SvgBoard {
            pieces,
            name: Some(name.to_owned()),
            description: Some(sfen.clone()),
            ..SvgBoard::new(&first.position)
        };
        writeln!(
            f,
            "<section class=\"play\">\n\
             <div id=\"board\" data-pieces=\"{style}\" data-s=\"{}\" data-start=\"{start}\">\n{}</div>",
            Escaped(&sfen),
            BoardInPage(&board)
        )?;
        let [sfen, link, done] = language.choose(
            ["Copy SFEN", "Copy link", "copied"],
            ["SFEN をコピー", "リンクをコピー", "コピーしました"],
        );
        writeln!(
            f,
            "<div id=\"controls\" hidden>\n{}<p class=\"keys\">{keys}</p>\n</div>\n\
             <p id=\"note\" aria-live=\"polite\"></p>\n\
             <div id=\"share\" data-done=\"{done}\" hidden>\n\
             <button id=\"copy-sfen\" type=\"button\">{sfen}</button>\n\
             <button id=\"copy-link\" type=\"button\">{link}</button>\n</div>\n</section>",
            board_buttons(language)
        )
    }

    fn write_position(
        &self,
        number: usize,
        one: &ExplorerPosition,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let language = self.language;
        let games = language
            .choose(format!("{} games", one.counts.games), format!("{}局", one.counts.games));
        let side = match one.position.side() {
            Color::Black => language.choose("Black to move", "先手番"),
            Color::White => language.choose("White to move", "後手番"),
        };
        writeln!(
            f,
            "<article id=\"p{number}\" class=\"position\">\n<h2>{games}<small>{side}</small></h2>"
        )?;
        let heads = language.choose(
            ["move", "games", "", "Black", "draw", "White", "year", "moves"],
            ["指し手", "対局", "", "先手", "引分", "後手", "年", "手数"],
        );
        let heads: String =
            heads.iter().map(|head| format!("<th scope=\"col\">{head}</th>")).collect();
        writeln!(f, "<div class=\"wide\"><table>\n<thead><tr>{heads}</tr></thead>\n<tbody>")?;
        for known in &one.moves {
            let name = self.notation().name(&one.position, known.m);
            known.write(&name, one.counts.games, f)?;
        }
        if one.ended > 0 {
            let words = language.choose("end of the game", "終局");
            writeln!(
                f,
                "<tr><th scope=\"row\" class=\"end\">{words}</th><td>{}</td><td colspan=\"6\"></td></tr>",
                one.ended
            )?;
        }
        writeln!(f, "</tbody>\n</table></div>\n</article>")
    }
}

impl ExplorerMove {
    fn write(&self, name: &str, all: u64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Escaped(name);
        write!(f, "<tr data-m=\"{}\"><th scope=\"row\">", self.m)?;
        match self.next {
            Some(next) => write!(f, "<a href=\"#p{next}\">{name}</a>")?,
            None => write!(f, "<span>{name}</span>")?,
        }
        let GameCounts { games, black, draws, white } = self.counts;
        let share = 100.0 * games as f64 / all.max(1) as f64;
        write!(f, "</th><td>{games}</td><td>{share:.1} %</td>")?;
        let decided = black + draws + white;
        for count in [black, draws, white] {
            match decided {
                0 => write!(f, "<td>–</td>")?,
                _ => write!(f, "<td>{:.1} %</td>", 100.0 * count as f64 / decided as f64)?,
            }
        }
        for mean in [self.year, self.plies] {
            match mean {
                Some(mean) => write!(f, "<td>{mean:.0}</td>")?,
                None => write!(f, "<td>–</td>")?,
            }
        }
        writeln!(f, "</tr>")
    }
}
