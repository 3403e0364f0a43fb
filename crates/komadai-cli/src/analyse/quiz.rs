//! The page of next-move quizzes (次の一手) of an analysed game.

use std::cmp::Reverse;
use std::path::Path;

use anyhow::Context as _;
use komadai::analysis::game_analysis::{GameAnalyst, NextMoveQuiz, QuizReason};
use komadai::core::Line;
use komadai::report::{QuizChoice, QuizPage, QuizPrompt, QuizQuestion};
use komadai_console::{Progress, note, write_file};

use super::game_text::GameText;

/// The largest number of questions of a page.
const MOST_QUESTIONS: usize = 12;

/// Searches the questions of a game and writes their page.
pub(super) fn write(
    path: &Path,
    analyst: &mut GameAnalyst,
    text: &GameText<'_>,
    is_quiet: bool,
) -> anyhow::Result<()> {
    let mut progress: Option<Progress> = None;
    let quizzes = analyst.next_move_quizzes(text.record, text.analysis, |_, total| {
        let bar = progress.get_or_insert_with(|| Progress::new("quiz", total, is_quiet));
        bar.tick(String::new);
    });
    if let Some(progress) = progress {
        progress.finish();
    }
    let quizzes = quizzes.context("--quiz")?;
    if quizzes.is_empty() {
        let place = path.display();
        note!("{place}: not written: no position of the game has one clearly best move");
        return Ok(());
    }
    let page = QuizPage {
        language: text.language.of_texts(),
        notation: Some(text.notation),
        questions: chosen(quizzes).iter().map(question).collect(),
        ..QuizPage::new(text.title())
    };
    write_file(path, page.to_string())?;
    note!("{}: written, {} questions", path.display(), page.questions.len());
    Ok(())
}

/// Returns the clearest questions in the order of the game, mistakes before only moves.
fn chosen(mut quizzes: Vec<NextMoveQuiz>) -> Vec<NextMoveQuiz> {
    quizzes.sort_by_key(|quiz| {
        // Probabilities in steps that can be compared.
        (quiz.reason == QuizReason::OnlyMove, Reverse((1e6 * quiz.lead) as u64))
    });
    quizzes.truncate(MOST_QUESTIONS);
    quizzes.sort_by_key(|quiz| quiz.ply);
    quizzes
}

fn question(quiz: &NextMoveQuiz) -> QuizQuestion {
    let played = quiz.played.pv.first();
    let choice = |line: &Line| QuizChoice {
        line: line.pv.to_vec(),
        score: line.score,
        bound: line.bound,
        was_played: line.pv.first() == played,
    };
    let mut choices: Vec<QuizChoice> = quiz.lines.iter().map(choice).collect();
    if choices.iter().all(|choice| !choice.was_played) {
        choices.push(choice(&quiz.played));
    }
    let prompt = match quiz.reason {
        QuizReason::Mistake => QuizPrompt::Mistake,
        QuizReason::OnlyMove => QuizPrompt::OnlyMove,
    };
    QuizQuestion { position: quiz.position.clone(), prompt, choices }
}
