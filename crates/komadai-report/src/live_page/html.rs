//! A live page as HTML.

use core::fmt;
use std::time::Duration;

use komadai_base::text::grouped;
use komadai_core::Move;
use komadai_kifu::Notation;
use komadai_movegen::MoveGen as _;

use super::parts::{LiveBoard, LivePage, LiveProgress, LiveTable};
use crate::graph::{EvaluationGraph, GraphInPage, graph_style};
use crate::svg::{BoardInPage, SvgArrow, SvgBoard, board_style};
use crate::text::Escaped;

/// Maximum number of moves of a line that are written.
const MOST_MOVES: usize = 12;

impl LivePage {
    /// Returns the style sheet of live pages.
    pub fn style() -> String {
        board_style() + &graph_style() + include_str!("style.css")
    }
}

impl fmt::Display for LivePage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (title, status) = (Escaped(&self.title), Escaped(&self.status));
        writeln!(f, "<header><h1>{title}</h1><p class=\"status\">{status}</p></header>")?;
        if let Some(progress) = &self.progress {
            write!(f, "{progress}")?;
        }
        if !self.figures.is_empty() {
            writeln!(f, "<dl class=\"figures\">")?;
            for (name, value) in &self.figures {
                let (name, value) = (Escaped(name), Escaped(value));
                writeln!(f, "<div><dt>{name}</dt><dd>{value}</dd></div>")?;
            }
            writeln!(f, "</dl>")?;
        }
        if !self.boards.is_empty() {
            writeln!(f, "<section class=\"boards\">")?;
            self.boards.iter().try_for_each(|board| write!(f, "{board}"))?;
            writeln!(f, "</section>")?;
        }
        self.tables.iter().try_for_each(|table| write!(f, "{table}"))?;
        if !self.notes.is_empty() {
            writeln!(f, "<section class=\"notes\"><h2>Notes</h2><ul>")?;
            self.notes.iter().try_for_each(|note| writeln!(f, "<li>{}</li>", Escaped(note)))?;
            writeln!(f, "</ul></section>")?;
        }
        Ok(())
    }
}

impl fmt::Display for LiveProgress {
    /// Writes a bar where the end is known, and a line of text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (done, unit) = (self.done, Escaped(&self.unit));
        writeln!(f, "<section class=\"progress\">")?;
        if let Some(total) = self.total {
            writeln!(
                f,
                "<progress value=\"{}\" max=\"{}\"></progress>",
                done.min(total),
                total.max(1)
            )?;
        }
        let of_total =
            self.total.map_or_else(String::new, |total| format!(" of {}", grouped(total)));
        write!(f, "<p>{}{of_total} {unit}", grouped(done))?;
        if let Some(rate) = self.per_second() {
            write!(f, ", {}", RateText(rate))?;
        }
        write!(f, ", {} passed", TimeText(self.elapsed))?;
        if let Some(left) = self.left().filter(|left| !left.is_zero()) {
            write!(f, ", about {} left", TimeText(left))?;
        }
        writeln!(f, "</p>\n</section>")
    }
}

/// A number of things a second, or a minute or an hour where there are few.
struct RateText(f64);

impl fmt::Display for RateText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            rate @ 10.0.. => write!(f, "{} a second", grouped(rate as u64)),
            rate @ 1.0.. => write!(f, "{rate:.1} a second"),
            rate if 60.0 * rate >= 1.0 => write!(f, "{:.1} a minute", 60.0 * rate),
            rate => write!(f, "{:.1} an hour", 3_600.0 * rate),
        }
    }
}

/// A duration in the two largest units: `2 d 3 h`, `5 min 12 s`.
struct TimeText(Duration);

impl fmt::Display for TimeText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60);
        match (days, hours, minutes) {
            (0, 0, 0) => write!(f, "{seconds} s"),
            (0, 0, _) => write!(f, "{minutes} min {} s", seconds % 60),
            (0, ..) => write!(f, "{hours} h {minutes} min"),
            _ => write!(f, "{days} d {hours} h"),
        }
    }
}

impl LiveBoard {
    /// Returns the first moves of the line, up to one that cannot be made: lines of engines may be
    /// wrong.
    fn shown_line(&self) -> &[Move] {
        let mut position = self.position.clone();
        let mut is_made = |&m: &Move| {
            let is_legal = position.is_legal(m);
            if is_legal {
                position.do_move(m);
            }
            is_legal
        };
        let count = self.line.iter().take(MOST_MOVES).take_while(|m| is_made(m)).count();
        &self.line[..count]
    }
}

impl fmt::Display for LiveBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.shown_line();
        let board = SvgBoard {
            last_move: self.last_move,
            arrows: line.first().map(|&m| (m, SvgArrow::Plain)).into_iter().collect(),
            name: Some(self.caption.clone()),
            ..SvgBoard::new(&self.position)
        };
        let caption = Escaped(&self.caption);
        writeln!(f, "<figure class=\"board\">\n<figcaption><b>{caption}</b></figcaption>")?;
        write!(f, "{}", BoardInPage(&board))?;
        if !self.remark.is_empty() {
            writeln!(f, "<p>{}</p>", Escaped(&self.remark))?;
        }
        if !line.is_empty() {
            let names = Notation::Japanese.names(&self.position, line);
            let names: Vec<String> =
                names.iter().map(|name| format!("<span>{}</span>", Escaped(name))).collect();
            writeln!(f, "<p class=\"line\" lang=\"ja\">{}</p>", names.join(" "))?;
        }
        let second = self.second.clone();
        let values = self.values.len() + second.as_ref().map_or(0, |second| second.points.len());
        if values > 1 {
            let graph = EvaluationGraph {
                size: (480, 160),
                second,
                ..EvaluationGraph::new(self.values.clone())
            };
            write!(f, "{}", GraphInPage(&graph))?;
        }
        let sfen = self.position.to_string();
        writeln!(
            f,
            "<details><summary>SFEN</summary><code>{}</code></details>\n</figure>",
            Escaped(&sfen)
        )
    }
}

impl fmt::Display for LiveTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "<section>\n<h2>{}</h2>\n<div class=\"scroll\"><table>", Escaped(&self.title))?;
        if !self.columns.is_empty() {
            write!(f, "<thead><tr>")?;
            self.columns.iter().try_for_each(|name| write!(f, "<th>{}</th>", Escaped(name)))?;
            writeln!(f, "</tr></thead>")?;
        }
        writeln!(f, "<tbody>")?;
        for row in &self.rows {
            write!(f, "<tr>")?;
            for (index, cell) in row.iter().enumerate() {
                let (tag, cell) = (if index == 0 { "th" } else { "td" }, Escaped(cell));
                write!(f, "<{tag}>{cell}</{tag}>")?;
            }
            writeln!(f, "</tr>")?;
        }
        writeln!(f, "</tbody></table></div>\n</section>")
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::{Position, Score};

    use super::*;
    use crate::graph::GraphPoint;

    #[test]
    fn amounts_of_work_have_rates_and_ends() {
        let progress = |done, before, seconds| LiveProgress {
            done,
            before,
            total: Some(1_000),
            elapsed: Duration::from_secs(seconds),
            ..LiveProgress::new("games")
        };
        let text = |progress: LiveProgress| progress.to_string();
        assert!(text(progress(0, 0, 0)).contains("<p>0 of 1,000 games, 0 s passed</p>"));
        let half = text(progress(500, 400, 50));
        assert!(
            half.contains("500 of 1,000 games, 2.0 a second, 50 s passed, about 4 min 10 s left")
        );
        assert!(half.contains("<progress value=\"500\" max=\"1000\">"));
        let slow = text(progress(1, 0, 7_200));
        assert!(slow.contains("0.5 an hour, 2 h 0 min passed, about 83 d 6 h left"), "{slow}");
        assert!(!text(progress(1_000, 0, 10)).contains("left"));
        // More than was asked for, and no end at all.
        assert!(text(progress(2_000, 0, 10)).contains("value=\"1000\" max=\"1000\""));
        let endless = LiveProgress { done: 5, ..LiveProgress::new("<games>") };
        assert!(text(endless).contains("<p>5 &lt;games&gt;, 0 s passed</p>"));
    }

    #[test]
    fn a_board_shows_the_line_and_survives_moves_that_cannot_be_made() {
        let start = Position::hirate();
        let moves = |texts: &[&str]| texts.iter().map(|m| m.parse().expect("a move")).collect();
        let mut board = LiveBoard::new("<game>", &start.after("7g7f".parse().expect("a move")));
        board.line = moves(&["3c3d", "2g2f"]);
        board.values = vec![GraphPoint::new(0, None), GraphPoint::new(1, Some(Score::cp(30)))];
        let html = board.to_string();
        assert!(html.contains("&lt;game&gt;") && html.contains("3四歩") | html.contains("３四歩"));
        assert!(html.contains("Arrow: 3c3d"), "{html}");
        assert_eq!(html.matches("<svg").count(), 2);
        assert!(!html.contains(" style=") && !html.contains("<script"));
        board.line = moves(&["1a1b", "5e5d", "G*5e"]);
        assert!(!board.to_string().is_empty());
        board.line = moves(&["5e5d"]);
        assert!(!board.to_string().contains("Arrow"));
    }

    #[test]
    fn texts_are_escaped_everywhere() {
        let bad = || "<b>\"&".to_owned();
        let page = LivePage {
            title: bad(),
            status: bad(),
            progress: Some(LiveProgress::new(&bad())),
            figures: vec![(bad(), bad())],
            boards: vec![LiveBoard {
                remark: bad(),
                ..LiveBoard::new(&bad(), &Position::hirate())
            }],
            tables: vec![LiveTable { title: bad(), columns: vec![bad()], rows: vec![vec![bad()]] }],
            notes: vec![bad()],
        };
        let html = page.to_string();
        assert!(!html.contains("<b>\"") && html.matches("&lt;b&gt;&quot;&amp;").count() >= 11);
    }
}
