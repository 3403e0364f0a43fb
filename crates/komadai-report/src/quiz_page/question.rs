//! A question of the page.

use core::fmt;

use komadai_core::{Bound, Color, Language, Move, Position, Score};
use komadai_kifu::Notation;
use komadai_movegen::MoveGen as _;

use crate::svg::{BoardInPage, SvgBoard, SvgPieces};
use crate::text::{Escaped, ValueText};

/// The largest number of moves of a line that are written.
const MOST_MOVES: usize = 10;

/// A position with the moves among which the reader chooses.
#[derive(Debug, Clone, PartialEq)]
pub struct QuizQuestion {
    /// The position, with the game before it.
    pub position: Position,
    /// The reason for the question, which the reader sees.
    pub prompt: QuizPrompt,
    /// The moves to choose from; the first is the solution. They are shown in another order.
    pub choices: Vec<QuizChoice>,
}

/// The reason for a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum QuizPrompt {
    /// The player made a mistake here.
    #[default]
    Mistake,
    /// One move only keeps the game, and the player found it.
    OnlyMove,
}

/// A move to choose.
#[derive(Debug, Clone, PartialEq)]
pub struct QuizChoice {
    /// The move, and the line that is expected after it.
    pub line: Vec<Move>,
    /// The value for the side to move.
    pub score: Score,
    /// The relation of `score` to the value.
    pub bound: Bound,
    /// True for the move of the game.
    pub was_played: bool,
}

/// The appearance of the questions of a page.
pub(super) struct Look {
    pub(super) language: Language,
    pub(super) notation: Notation,
    pub(super) pieces: SvgPieces,
}

impl QuizQuestion {
    /// Writes the question with this number, from 1.
    pub(super) fn write(
        &self,
        number: usize,
        look: &Look,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let (position, language) = (&self.position, look.language);
        let last = position.moves().last().flatten();
        let sfen = position.to_string();
        let sfen = sfen.rsplit_once(' ').map_or(sfen.as_str(), |(before, _)| before);
        let solution = self.choices.first().and_then(|choice| choice.line.first());
        let text = |m: Option<&Move>| m.map_or(String::new(), Move::to_string);
        let legal: Vec<String> = position.legal_moves().iter().map(Move::to_string).collect();
        writeln!(
            f,
            "<article id=\"q{number}\" data-s=\"{}\" data-m=\"{}\" data-best=\"{}\" data-legal=\"{}\">",
            Escaped(sfen),
            text(last.as_ref()),
            text(solution),
            legal.join(" ")
        )?;
        writeln!(f, "<h2>{}</h2>", self.heading(number, language))?;
        writeln!(f, "<p class=\"prompt\">{}</p>", self.prompt.words(language))?;
        let board = SvgBoard {
            last_move: last,
            pieces: look.pieces,
            // The reader sits on the side to move.
            bottom: position.side(),
            name: Some(language.choose("Board", "局面図").to_owned()),
            description: Some(format!("{number}: {sfen}")),
            ..SvgBoard::new(position)
        };
        let style = if look.pieces == SvgPieces::Kanji { "kanji" } else { "letters" };
        writeln!(f, "<div class=\"board\" data-pieces=\"{style}\">{}</div>", BoardInPage(&board))?;
        self.write_choices(look, f)?;
        self.write_answer(look, f)?;
        writeln!(f, "</article>")
    }

    fn heading(&self, number: usize, language: Language) -> String {
        let (ply, side) = (self.position.ply(), self.position.side());
        match language {
            Language::English => format!("{number}. {side:?} to move (move {ply})"),
            Language::Japanese => {
                let side = if side == Color::Black { "先手" } else { "後手" };
                format!("第{number}問　{ply}手目、{side}番")
            }
        }
    }

    /// Writes the moves in an order that does not tell the solution.
    fn write_choices(&self, look: &Look, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut moves: Vec<Move> =
            self.choices.iter().filter_map(|choice| choice.line.first()).copied().collect();
        moves.sort_by_key(Move::to_string);
        writeln!(f, "<p class=\"choices\">")?;
        for m in moves {
            let name = self.names(&[m], look.notation).concat();
            writeln!(f, "<button type=\"button\" data-m=\"{m}\">{}</button>", Escaped(&name))?;
        }
        let [promote, keep] =
            look.language.choose(["promote", "do not promote"], ["成る", "成らない"]);
        writeln!(f, "</p>\n<p class=\"promotion\" hidden>")?;
        writeln!(f, "<button type=\"button\" data-p=\"+\">{promote}</button>")?;
        writeln!(f, "<button type=\"button\" data-p=\"\">{keep}</button>\n</p>")?;
        writeln!(f, "<p class=\"verdict\" aria-live=\"polite\"></p>")
    }

    fn write_answer(&self, look: &Look, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let language = look.language;
        writeln!(f, "<details><summary>{}</summary>\n<ol>", language.choose("Answer", "解答"))?;
        for choice in &self.choices {
            let Some(&m) = choice.line.first() else { continue };
            let (score, bound) = match self.position.side() {
                Color::Black => (choice.score, choice.bound),
                Color::White => (-choice.score, !choice.bound),
            };
            write!(f, "<li data-m=\"{m}\"><span class=\"v\">")?;
            write!(f, "{}{}</span>", bound.sign(), ValueText(score, language))?;
            let shown = &choice.line[..choice.line.len().min(MOST_MOVES)];
            let moves: Vec<String> = shown.iter().map(Move::to_string).collect();
            write!(f, "<span class=\"pv\" data-l=\"{}\">", moves.join(" "))?;
            for name in self.names(shown, look.notation) {
                write!(f, " <span>{}</span>", Escaped(&name))?;
            }
            f.write_str("</span>")?;
            if choice.was_played {
                write!(f, " <em>{}</em>", language.choose("played", "実戦"))?;
            }
            writeln!(f, "</li>")?;
        }
        let words =
            language.choose("Values are for Black, in centipawns.", "評価値は先手から見た値");
        writeln!(f, "</ol>\n<p class=\"note\">{words}</p>\n</details>")
    }

    /// Returns the names of the moves of a line. That of the first one depends on the target of the
    /// move before.
    fn names(&self, line: &[Move], notation: Notation) -> Vec<String> {
        let mut before = self.position.clone();
        match self.position.moves().last().flatten() {
            Some(last) if before.undo_move().is_some() => {
                let all: Vec<Move> = [last].into_iter().chain(line.iter().copied()).collect();
                notation.names(&before, &all).split_off(1)
            }
            _ => notation.names(&self.position, line),
        }
    }
}

impl QuizPrompt {
    fn words(self, language: Language) -> &'static str {
        match self {
            Self::Mistake => language.choose(
                "The player missed the move that is clearly best. Find it.",
                "実戦では最善手を逃しました。はっきり勝る一手は？",
            ),
            Self::OnlyMove => language.choose(
                "One move only keeps the game. Find it.",
                "この一手しかありません。どう指しますか？",
            ),
        }
    }
}
