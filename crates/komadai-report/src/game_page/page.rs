//! The page: one HTML file that needs no other file.

use core::fmt;
use std::collections::BTreeMap;

use komadai_core::{Color, Language};
use komadai_kifu::{KifuFormat, Line, Notation, Record};

use super::head::{self, name, side_names, title_of};
use super::lines::Lines;
use super::moves::Moves;
use super::sides::{SideFigures, Sides};
use crate::graph::{EvaluationGraph, GraphInPage, GraphPoint, graph_style, mark_losses};
use crate::svg::{BoardInPage, SvgBoard, SvgPieces, board_style};
use crate::text::Escaped;
use crate::web::{PageHead, board_buttons, button, footer};

const STYLE: &str = include_str!("style.css");
pub(crate) const SCRIPT: &str =
    concat!(include_str!("../web/live_board.js"), include_str!("script.js"));

/// The SHA-256 of the script in base 64, which the content security policy names.
pub(crate) const SCRIPT_HASH: &str = "T0wjRzFq0EHat0x7pqRFw/JNl6wcIpXWljGjAW3raJc=";

/// An HTML page about one game, written by `Display`: one file without network, fonts or images of
/// its own.
///
/// It shows the players, the play of both sides in figures, the board with both hands, the moves
/// with times, evaluations, comments and variations, and the graph of the evaluations. Buttons,
/// keys, a slider, clicks on moves and in the graph replay the game; the board can be turned. A
/// marked move has an arrow for the better one, and the moves of an expected line show its
/// positions. The address follows the move; position and game can be copied. Colours follow the
/// light or dark mode of the reader. Without scripts, the start position and the list of the moves
/// remain. Texts of the record are escaped.
///
/// Evaluations are those in the comments of the record
/// ([`Record::analyses`](komadai_kifu::Record::analyses)), or [`points`](Self::points), because an
/// analysis has more to say than a comment holds. A record with a move that cannot be made has a
/// page, too: the move is listed, without a board.
///
/// One position is drawn by [`SvgBoard`], the curve alone by [`EvaluationGraph`].
///
/// # Examples
///
/// ```
/// use komadai_kifu::{Tolerance, parse_kif};
/// use komadai_core::Language;
/// use komadai_report::GamePage;
///
/// let text = "先手：一郎\n後手：<b>\n1 ７六歩(77) ( 0:01/)\n2 ３四歩(33) ( 0:02/)\n3 投了\n";
/// let game = parse_kif(text, Tolerance::Strict)?.records.remove(0);
/// let page = GamePage { language: Language::Japanese, ..GamePage::new(&game) }.to_string();
/// assert!(page.contains("<title>一郎 対 &lt;b&gt;</title>"));
/// assert!(page.contains("2手で後手の勝ち"));
/// # Ok::<(), komadai_kifu::KifuError>(())
/// ```
#[derive(Debug, Clone)]
#[must_use = "a page does nothing until it is written"]
pub struct GamePage<'r> {
    /// The game.
    pub record: &'r Record,
    /// The language of the page; English by default.
    pub language: Language,
    /// The notation of moves; by default the Japanese one on Japanese pages, else that of Hodges.
    pub notation: Option<Notation>,
    /// The characters on the pieces; by default kanji on Japanese pages, else letters.
    pub pieces: Option<SvgPieces>,
    /// The heading; by default the names of the players.
    pub title: Option<String>,
    /// The evaluations of the moves of the game, in place of those in its comments. Marks of the
    /// points are kept; moves are marked by [`mark_losses`] if no point has a mark.
    pub points: Option<Vec<GraphPoint>>,
    /// The figures of Black and White that an analysis knows beyond the evaluations.
    pub sides: Option<[SideFigures; 2]>,
}

impl<'r> GamePage<'r> {
    /// A page about a game, in English.
    pub fn new(record: &'r Record) -> Self {
        let language = Language::English;
        let (notation, pieces, title, points, sides) = (None, None, None, None, None);
        Self { record, language, notation, pieces, title, points, sides }
    }
}

impl fmt::Display for GamePage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let language = self.language;
        let notation = language.choose(Notation::Hodges, Notation::Japanese);
        let mut lines = Lines::new(self.record, self.notation.unwrap_or(notation));
        let points = self.take_points(&mut lines);
        let title = self.title.clone().unwrap_or_else(|| title_of(self.record, language));
        self.write_beginning(&title, f)?;
        head::write(self.record, &title, language, f)?;
        writeln!(f, "<main>")?;
        let (record, figures) = (self.record, self.sides);
        Sides { record, points: &points, figures, language }.write(f)?;
        writeln!(f, "<section class=\"play\">")?;
        self.write_board(f)?;
        let has_mistakes = points.iter().any(|point| point.mark.is_some());
        self.write_controls(has_mistakes, f)?;
        self.write_share(&lines, f)?;
        let (heading, moves) = language.choose(("Moves", "moves"), ("指し手", "moves"));
        writeln!(
            f,
            "</section>\n<section class=\"{moves}\">\n<h2>{heading}</h2>\n<div class=\"list\">"
        )?;
        Moves { record: self.record, lines: &lines, language }.write(f)?;
        writeln!(f, "</div>\n</section>")?;
        self.write_graph(points, f)?;
        writeln!(f, "</main>")?;
        f.write_str(&footer(language, "komadai analyse GAME --html PAGE"))?;
        writeln!(f, "<script>{SCRIPT}</script>\n</body>\n</html>")
    }
}

impl GamePage<'_> {
    /// Returns the points of the game with the names of moves, and gives their values and marks to
    /// the nodes.
    fn take_points(&self, lines: &mut Lines<'_>) -> Vec<GraphPoint> {
        let main = lines.lines.iter().find(|line| line.line == Line::Main);
        let ids = 0..main.map_or(1, |line| line.nodes.end);
        let given: Option<BTreeMap<u32, &GraphPoint>> = self
            .points
            .as_ref()
            .map(|points| points.iter().map(|point| (point.ply, point)).collect());
        let mut points = Vec::new();
        for (ply, id) in (0_u32..).zip(ids.clone()) {
            let node = &lines.nodes[id];
            let mut point = match &given {
                None => GraphPoint { bound: node.bound, ..GraphPoint::new(ply, node.score) },
                Some(given) => match given.get(&ply) {
                    Some(&point) => point.clone(),
                    None => GraphPoint::new(ply, None),
                },
            };
            if point.label.is_none() && ply > 0 {
                point.label = Some(node.name.clone());
            }
            points.push(point);
        }
        if points.iter().all(|point| point.mark.is_none()) {
            mark_losses(&mut points, self.record.setup.side);
        }
        for (id, point) in ids.zip(&points) {
            (lines.nodes[id].score, lines.nodes[id].bound) = (point.score, point.bound);
            lines.nodes[id].mark = point.mark;
        }
        points
    }

    fn write_beginning(&self, title: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let description = head::summary(self.record, self.language);
        let style = format!("{}{}{STYLE}", board_style(), graph_style());
        let head = PageHead {
            language: self.language,
            title,
            description: &description,
            style: &style,
            script_hash: Some(SCRIPT_HASH),
        };
        write!(f, "{head}")
    }

    fn write_board(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pieces = self.language.choose(SvgPieces::Letters, SvgPieces::Kanji);
        let pieces = self.pieces.unwrap_or(pieces);
        let board = SvgBoard {
            pieces,
            name: Some(self.language.choose("Board", "局面図").to_owned()),
            description: Some(self.record.setup.to_string()),
            ..SvgBoard::new(&self.record.setup)
        };
        let style = if pieces == SvgPieces::Kanji { "kanji" } else { "letters" };
        writeln!(f, "<div id=\"board\" data-pieces=\"{style}\">")?;
        self.write_player(Color::White, f)?;
        write!(f, "{}", BoardInPage(&board))?;
        self.write_player(Color::Black, f)?;
        writeln!(f, "</div>")
    }

    fn write_player(&self, color: Color, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sides = side_names(self.record, self.language);
        let (class, sign) = [("black", "▲"), ("white", "△")][color.index()];
        let name = name(self.record, color).unwrap_or(sides[color.index()]);
        writeln!(f, "<p class=\"player {class}\">{sign} <bdi>{}</bdi></p>", Escaped(name))
    }

    /// Writes the buttons, the slider and what can be copied, which the script shows.
    fn write_controls(&self, has_mistakes: bool, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<div id=\"controls\" hidden>\n{}", board_buttons(self.language))?;
        if has_mistakes {
            let words =
                self.language.choose(["Mistake before", "Next mistake"], ["前の悪手", "次の悪手"]);
            for (id, sign, word) in [("worse", "◀?", words[0]), ("bad", "?▶", words[1])] {
                f.write_str(&button(id, sign, word))?;
            }
        }
        let last = self.record.moves.len();
        writeln!(
            f,
            "<input id=\"slider\" type=\"range\" min=\"0\" max=\"{last}\" value=\"0\" aria-label=\"{}\">",
            self.language.choose("Move number", "手数")
        )?;
        let keys = self.language.choose(
            "Keys: ← → Home End, n and p for mistakes, f turns the board, space plays",
            "キー：← → Home End、n・p 次・前の悪手、f 盤を反転、スペースで再生",
        );
        writeln!(f, "<p class=\"keys\">{keys}</p>\n</div>")?;
        writeln!(f, "<div id=\"note\" aria-live=\"polite\"></div>")
    }

    /// Writes what copies the position and the game.
    fn write_share(&self, lines: &Lines<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [sfen, link, copy, save, done] = self.language.choose(
            ["Copy SFEN", "Copy link", "Copy KIF", "Save KIF", "copied"],
            ["SFEN をコピー", "リンクをコピー", "KIF をコピー", "KIF を保存", "コピーしました"],
        );
        let kif = lines.without_evaluations(self.record).to_text(KifuFormat::Kif).ok();
        writeln!(f, "<div id=\"share\" data-done=\"{done}\" hidden>")?;
        let buttons = [("copy-sfen", sfen), ("copy-link", link), ("copy-kif", copy)];
        for (id, word) in buttons.into_iter().take(2 + usize::from(kif.is_some())) {
            writeln!(f, "<button id=\"{id}\" type=\"button\">{word}</button>")?;
        }
        if let Some(kif) = kif {
            writeln!(
                f,
                "<a id=\"save-kif\" download=\"game.kif\">{save}</a>\n<pre id=\"kif\" hidden>"
            )?;
            for line in kif.lines() {
                writeln!(f, "{}", Escaped(line))?;
            }
            writeln!(f, "</pre>")?;
        }
        writeln!(f, "</div>")
    }

    fn write_graph(&self, points: Vec<GraphPoint>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if points.iter().all(|point| point.score.is_none()) {
            return Ok(());
        }
        let heading = self.language.choose("Evaluations", "評価値");
        let graph = EvaluationGraph {
            language: self.language,
            size: (1_000, 260),
            cursor: Some(0),
            ..EvaluationGraph::new(points)
        };
        writeln!(f, "<section class=\"graph\">\n<h2>{heading}</h2>")?;
        writeln!(f, "<div id=\"graph\">{}</div>\n</section>", GraphInPage(&graph))
    }
}
