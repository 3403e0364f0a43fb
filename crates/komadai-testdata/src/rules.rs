//! Questions about single rules, each with its answer.

use crate::table::{Row, Table, table};

/// A question about the rules of shogi and its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RuleCase {
    /// A short name such as `uchi-02`, unique.
    pub id: &'static str,
    /// The position: an SFEN, or for a [`Question::Repetition`] what follows the word `position`
    /// in USI (`startpos moves …` or `sfen … moves …`).
    pub position: &'static str,
    /// The question and its answer.
    pub question: Question,
    /// The programs that give this answer, separated by commas.
    pub agree: &'static str,
    /// The programs that give another answer, separated by commas; often empty.
    pub disagree: &'static str,
    /// A remark on the case; may be empty.
    pub note: &'static str,
}

/// A question about a position with its correct answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Question {
    /// The legality of a move of the side to move.
    MoveLegality {
        /// The move in USI notation.
        usi: &'static str,
        /// True if the move is legal.
        legal: bool,
    },
    /// The result by repetition after the moves of the position.
    Repetition(Repetition),
    /// A declaration of the side to move by the 27-point rule of the Computer Shogi Association.
    ///
    /// Black needs 28 points, White 27.
    Declaration27 {
        /// True if the declaration wins.
        wins: bool,
    },
}

/// The result by the fourfold repetition rule (千日手), for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Repetition {
    /// The game continues: the position has occurred fewer than four times.
    None,
    /// A draw.
    Draw,
    /// The side to move wins: the opponent has given check on every move of the repetition.
    Win,
    /// The side to move loses: it has given check on every move of the repetition (連続王手の千日手).
    Lose,
}

static CASES: Table<8> = table!(
    "movegen/rules.tsv",
    ["id", "kind", "position", "query", "expected", "agree", "disagree", "note"]
);

/// 74 cases: 47 moves, 13 repetitions and 14 declarations.
///
/// # Examples
///
/// ```
/// use komadai_testdata::rules::{self, Question};
///
/// let case = rules::rows().find(|case| case.id == "nifu-01").expect("a case of two pawns");
/// assert_eq!(case.question, Question::MoveLegality { usi: "P*5h", legal: false });
/// ```
pub fn rows() -> impl Iterator<Item = RuleCase> {
    CASES.rows().map(|row| {
        let [id, _, position, _, _, agree, disagree, note] = row.cells;
        RuleCase { id, position, question: question(&row), agree, disagree, note }
    })
}

fn question(row: &Row<8>) -> Question {
    let [_, kind, _, query, expected, ..] = row.cells;
    match (kind, expected) {
        ("move_legality", "legal") => Question::MoveLegality { usi: query, legal: true },
        ("move_legality", "illegal") => Question::MoveLegality { usi: query, legal: false },
        ("repetition", "none") => Question::Repetition(Repetition::None),
        ("repetition", "draw") => Question::Repetition(Repetition::Draw),
        ("repetition", "win") => Question::Repetition(Repetition::Win),
        ("repetition", "lose") => Question::Repetition(Repetition::Lose),
        ("declaration_csa27", "true") => Question::Declaration27 { wins: true },
        ("declaration_csa27", "false") => Question::Declaration27 { wins: false },
        _ => row.reject(expected),
    }
}
