//! The page: one HTML file that needs no other file.

use core::fmt;

use komadai_core::Language;
use komadai_kifu::Notation;

use super::question::{Look, QuizQuestion};
use crate::svg::{SvgPieces, board_style};
use crate::text::Escaped;
use crate::web::{PageHead, footer};

const STYLE: &str = include_str!("style.css");
pub(crate) const SCRIPT: &str =
    concat!(include_str!("../web/live_board.js"), include_str!("script.js"));

/// The SHA-256 of the script in base 64, which the content security policy names.
pub(crate) const SCRIPT_HASH: &str = "/1DMu5x7PPpWGH+nNBm0coYHKQQlHtKrGIJuzB2GyHU=";

/// An HTML page with next-move quizzes (次の一手), written by `Display`: one file without network,
/// fonts or images of its own.
///
/// Each question is a position seen by the side to move. The reader chooses a move by its squares
/// on the board or among some moves, and gets the answer: the values of these moves, and their
/// lines, which can be played on the board. Colours follow the light or dark mode of the reader.
/// Without scripts, the boards, the choices and the answers behind a fold remain. Texts are
/// escaped.
///
/// # Examples
///
/// ```
/// use komadai_core::{Bound, Position, Score};
/// use komadai_report::{QuizChoice, QuizPage, QuizPrompt, QuizQuestion};
///
/// let choice = |m: &str, cp, was_played| -> Result<QuizChoice, komadai_core::UsiError> {
///     let (score, bound) = (Score::cp(cp), Bound::Exact);
///     Ok(QuizChoice { line: vec![m.parse()?], score, bound, was_played })
/// };
/// let mut position = Position::hirate();
/// for m in ["7g7f", "3c3d", "6g6f", "2b6f"] {
///     position.do_move(m.parse()?);
/// }
/// let choices = vec![choice("8h6f", 900, false)?, choice("9g9f", -200, true)?];
/// let question = QuizQuestion { position, prompt: QuizPrompt::Mistake, choices };
/// let title = "Ichiro – Jiro".to_owned();
/// let page = QuizPage { questions: vec![question], ..QuizPage::new(title) }.to_string();
/// assert!(page.contains("data-best=\"8h6f\""));
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[must_use = "a page does nothing until it is written"]
pub struct QuizPage {
    /// The language of the page; English by default.
    pub language: Language,
    /// The notation of moves; by default the Japanese one on Japanese pages, else that of Hodges.
    pub notation: Option<Notation>,
    /// The characters on the pieces; by default kanji on Japanese pages, else letters.
    pub pieces: Option<SvgPieces>,
    /// The heading.
    pub title: String,
    /// The questions, in the order of the page.
    pub questions: Vec<QuizQuestion>,
}

impl QuizPage {
    /// A page without questions, in English.
    pub fn new(title: String) -> Self {
        let (language, notation, pieces) = (Language::English, None, None);
        Self { language, notation, pieces, title, questions: Vec::new() }
    }

    fn look(&self) -> Look {
        let language = self.language;
        let notation = language.choose(Notation::Hodges, Notation::Japanese);
        let pieces = language.choose(SvgPieces::Letters, SvgPieces::Kanji);
        Look {
            language,
            notation: self.notation.unwrap_or(notation),
            pieces: self.pieces.unwrap_or(pieces),
        }
    }
}

impl fmt::Display for QuizPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let language = self.language;
        let count = self.questions.len();
        let about = match (language, count) {
            (Language::English, 1) => "1 question: find the next move".to_owned(),
            (Language::English, _) => format!("{count} questions: find the next move"),
            (Language::Japanese, _) => format!("次の一手　全{count}問"),
        };
        let style = format!("{}{STYLE}", board_style());
        let head = PageHead {
            language,
            title: &self.title,
            description: &about,
            style: &style,
            script_hash: Some(SCRIPT_HASH),
        };
        write!(f, "{head}")?;
        writeln!(f, "<header>\n<h1><bdi>{}</bdi></h1>\n<p>{about}</p>", Escaped(&self.title))?;
        self.write_score(f)?;
        writeln!(f, "</header>\n<main>")?;
        let look = self.look();
        for (number, question) in (1..).zip(&self.questions) {
            question.write(number, &look, f)?;
        }
        writeln!(f, "</main>")?;
        f.write_str(&footer(language, "komadai analyse GAME --quiz PAGE"))?;
        writeln!(f, "<script>{SCRIPT}</script>\n</body>\n</html>")
    }
}

impl QuizPage {
    /// Writes the place of the score, with the words that the script needs.
    fn write_score(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [right, wrong, other, score, again] = self.language.choose(
            ["Right!", "No.", "No, it is none of the best moves.", "right", "Again"],
            ["正解！", "残念。", "残念。候補手にもありません。", "問正解", "もう一度"],
        );
        writeln!(
            f,
            "<p id=\"score\" aria-live=\"polite\" data-right=\"{right}\" data-wrong=\"{wrong}\" \
             data-other=\"{other}\" data-score=\"{score}\" data-again=\"{again}\" hidden></p>"
        )
    }
}
