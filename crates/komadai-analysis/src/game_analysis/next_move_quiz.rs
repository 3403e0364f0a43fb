//! Next-move quizzes (次の一手) from the positions of an analysed game.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use komadai_core::{
    Analysis, Analyst, AnalystError, Bound, Budget, Line, Move, Position, Pv, Score,
};
use komadai_kifu::Record;
use komadai_movegen::MoveGen as _;

use super::game_analyst::GameAnalyst;
use super::game_result::GameAnalysis;
use super::judgement::Judgement;
use super::ply_analysis::PlyAnalysis;

/// Number of lines that are compared.
const LINES: NonZero<u16> = NonZero::new(3).expect("3 is not 0");

/// The lead of the solution over the second move in a position where a mistake was made: that by
/// which a move is marked `?`.
const LEAD_OVER_MISTAKE: f64 = 0.1;

/// The lead of an only move: that by which a move is marked `??`.
const LEAD_OF_ONLY_MOVE: f64 = 0.2;

/// The probabilities of winning between which a game is open. In others every move wins or loses.
const OPEN: std::ops::RangeInclusive<f64> = 0.15..=0.9;

/// Positions with fewer legal moves are no question.
const FEWEST_MOVES: usize = 5;

/// A position of a game in which one move is clearly better than all others.
///
/// [`GameAnalyst::next_move_quizzes`] finds them.
#[derive(Debug, Clone, PartialEq)]
#[doc(alias = "次の一手")]
pub struct NextMoveQuiz {
    /// The number of the move played, from 1.
    pub ply: usize,
    /// The position, with the game before it.
    pub position: Position,
    /// The reason for the question.
    pub reason: QuizReason,
    /// The best lines, the highest value first, which is the solution; two at least. Values are
    /// those for the side to move.
    pub lines: Vec<Line>,
    /// The line of the move that was played.
    pub played: Line,
    /// The probability of winning by which the solution leads the second line, 0 to 1.
    pub lead: f64,
}

/// The reason why a position is a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum QuizReason {
    /// The move played was a mistake, and one move was clearly better than the second.
    Mistake,
    /// The player found the only move that keeps the game.
    OnlyMove,
}

/// A position that may be a question.
struct Candidate<'g> {
    position: Position,
    ply: &'g PlyAnalysis,
    after: &'g PlyAnalysis,
    played: Move,
    reason: QuizReason,
}

impl GameAnalyst {
    /// Searches the positions of an analysed game in which one move is clearly better than the
    /// second: those where a mistake was made, and those where the best move was played and all
    /// others lose much. The result is in the order of the game.
    ///
    /// Each position in question is searched again for three lines, with the effort of the
    /// analysis and without what was learned before, so that the result does not depend on the
    /// number of workers. `progress` gets the numbers of positions searched and to search. After
    /// the stop flag the quizzes found so far are returned.
    ///
    /// # Errors
    ///
    /// If no position could be searched, because the engine failed or gives one line only.
    ///
    /// # Panics
    ///
    /// Panics if an analyst does.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::num::NonZero;
    ///
    /// use komadai_analysis::game_analysis::{GameAnalyst, NextMoveQuiz, QuizReason};
    /// use komadai_kifu::{Tolerance, parse_usi_games};
    ///
    /// // White leaves the bishop in the lurch, which Black does not see.
    /// let game = "startpos moves 7g7f 3c3d 6g6f 2b6f 9g9f 6f3c";
    /// let record = parse_usi_games(game, Tolerance::Strict)?.records.remove(0);
    /// let mut analyst = GameAnalyst::embedded(NonZero::<usize>::MIN).with_nodes(3_000);
    /// let analysis = analyst.analyse(&record, |_| {})?;
    /// let quizzes = analyst.next_move_quizzes(&record, &analysis, |_, _| {})?;
    /// let quiz: &NextMoveQuiz = quizzes.iter().find(|quiz| quiz.ply == 5).ok_or("a question")?;
    /// assert_eq!(quiz.reason, QuizReason::Mistake);
    /// assert_eq!(quiz.lines[0].pv[0], "8h6f".parse()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn next_move_quizzes(
        &mut self,
        record: &Record,
        analysis: &GameAnalysis,
        mut progress: impl FnMut(usize, usize),
    ) -> Result<Vec<NextMoveQuiz>, AnalystError> {
        let candidates = &candidates(record, analysis);
        let work = &self.work();
        let next = &AtomicUsize::new(0);
        let (sender, results) = mpsc::channel();
        let mut quizzes = Vec::new();
        let (mut done, mut failed, mut failure) = (0, 0, None);
        thread::scope(|scope| {
            for analyst in &mut self.workers {
                let sender = sender.clone();
                scope.spawn(move || {
                    loop {
                        // Relaxed: the counter orders nothing but itself.
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(candidate) = candidates.get(index) else { break };
                        let budget = work.budget_now();
                        let found = search(analyst, &candidate.position, &budget);
                        if budget.is_stopped() || sender.send((index, found)).is_err() {
                            break;
                        }
                    }
                    // It has analysed with this number before.
                    let _ = analyst.set_lines(None);
                });
            }
            // The results end when the last thread drops its sender.
            drop(sender);
            for (index, found) in results {
                done += 1;
                match found {
                    Ok(found) => {
                        let quiz = candidates[index].quiz(&found, analysis);
                        quizzes.extend(quiz.map(|quiz| (index, quiz)));
                    }
                    Err(error) => {
                        failed += 1;
                        failure.get_or_insert(error);
                    }
                }
                progress(done, candidates.len());
            }
        });
        if let Some(error) = failure.filter(|_| failed == done) {
            return Err(error);
        }
        quizzes.sort_by_key(|(index, _)| *index);
        Ok(quizzes.into_iter().map(|(_, quiz)| quiz).collect())
    }
}

fn search(
    analyst: &mut dyn Analyst,
    position: &Position,
    budget: &Budget,
) -> Result<Analysis, AnalystError> {
    analyst.set_lines(Some(LINES))?;
    analyst.forget();
    analyst.analyse(position, budget)
}

/// Returns the positions in question.
fn candidates<'g>(record: &Record, analysis: &'g GameAnalysis) -> Vec<Candidate<'g>> {
    let Ok(mut position) = Position::from_setup_leniently(&record.setup) else { return Vec::new() };
    let mut made = 0;
    let mut candidates = Vec::new();
    for (ply, after) in analysis.moves() {
        let Some(played) = ply.played else { break };
        for before in &record.moves[made..ply.ply - 1] {
            position.do_move(before.m);
        }
        made = ply.ply - 1;
        if let Some(reason) = reason(&position, ply, after, analysis) {
            candidates.push(Candidate { position: position.clone(), ply, after, played, reason });
        }
    }
    candidates
}

/// Returns the reason why a position may be a question, without a search.
fn reason(
    position: &Position,
    ply: &PlyAnalysis,
    after: &PlyAnalysis,
    analysis: &GameAnalysis,
) -> Option<QuizReason> {
    let rate = |score: Score| analysis.win_probability(score);
    let value = rate(ply.score?);
    if position.legal_moves().len() < FEWEST_MOVES {
        return None;
    }
    // Values that are bounds judge no move, and the search for several lines decides.
    let seems_lost = || after.score.is_some_and(|after| value - rate(-after) >= LEAD_OVER_MISTAKE);
    let is_mistake = match ply.judgement {
        Some(judgement) => judgement >= Judgement::Mistake,
        None => seems_lost(),
    };
    if is_mistake || ply.missed_mate {
        return Some(QuizReason::Mistake);
    }
    // To take back is no question.
    let last = position.moves().last().flatten().map(Move::to);
    let takes_back = ply.played.map(Move::to) == last;
    (ply.is_best() && OPEN.contains(&value) && !takes_back).then_some(QuizReason::OnlyMove)
}

impl Candidate<'_> {
    /// Returns the question, if one move leads clearly.
    fn quiz(&self, found: &Analysis, analysis: &GameAnalysis) -> Option<NextMoveQuiz> {
        let lines: Vec<Line> =
            found.by_score().into_iter().filter(|line| !line.pv.is_empty()).cloned().collect();
        let [best, second, ..] = &lines[..] else { return None };
        if best.bound == Bound::Upper || second.bound == Bound::Lower {
            return None;
        }
        let rate = |score: Score| analysis.win_probability(score);
        let lead = rate(best.score) - rate(second.score);
        let played = self.played_line(&lines)?;
        let is_solution = best.pv.first() == Some(&self.played);
        let is_question = match self.reason {
            QuizReason::Mistake => {
                let loss = rate(best.score) - rate(played.score);
                let is_lost = loss >= LEAD_OVER_MISTAKE && played.bound != Bound::Lower;
                !is_solution && lead >= LEAD_OVER_MISTAKE && is_lost
            }
            QuizReason::OnlyMove => is_solution && lead >= LEAD_OF_ONLY_MOVE,
        };
        let (ply, reason, position) = (self.ply.ply, self.reason, self.position.clone());
        is_question.then(|| NextMoveQuiz { ply, position, reason, played, lead, lines })
    }

    /// Returns the line of the move played: that of the search, or that of the position after it.
    fn played_line(&self, lines: &[Line]) -> Option<Line> {
        if let Some(line) = lines.iter().find(|line| line.pv.first() == Some(&self.played)) {
            return Some(line.clone());
        }
        let (score, bound) = (-self.after.score?, !self.after.bound);
        let pv: Pv = std::iter::once(self.played).chain(self.after.pv.iter().copied()).collect();
        Some(Line { depth: self.after.depth + 1, score, bound, pv })
    }
}
