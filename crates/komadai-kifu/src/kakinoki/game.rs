//! A game of KIF or KI2 that is being read, with its variations.

use std::iter;
use std::time::Duration;

use komadai_core::{Color, Move, Square};

use super::ends::{completed, end_of, end_of_summary, names_side};
use super::keys::key_of;
use super::line::{SharedLine, shared_line};
use super::start::{HANDICAP_COLUMN, Start};
use crate::board::{Board, Foul};
use crate::comment::Comment;
use crate::end::{End, EndKind, Outcome};
use crate::error::KifuError;
use crate::header::{Header, HeaderKey};
use crate::record::Record;
use crate::record_move::RecordMove;
use crate::text::lines::{Cut, CutLine, TextSize};
use crate::text::shorten;
use crate::variation::{Line, Variation};
use komadai_base::reading::TextFault;

/// Largest number of moves in one game with its variations.
const MAX_MOVES: usize = 200_000;

/// Largest number of variations in one game.
const MAX_VARIATIONS: usize = 100_000;

/// Largest number of moves that are made once more to reach the starts of variations.
const MAX_REPLAYED: usize = 20_000_000;

/// A game that is being read.
#[derive(Debug, Default)]
pub(crate) struct KakinokiGame {
    header: Header,
    pub(crate) start: Start,
    /// Comments before the first move.
    comments: Vec<Comment>,
    bookmark: Option<String>,
    play: Option<Play>,
    text_size: TextSize,
    /// True after a line other than a remark.
    pub(crate) has_begun: bool,
    /// True after a move of KI2 with the sign of its side.
    pub(crate) has_signs: bool,
    /// Set for a game with other rules, which is left out: true after its header.
    pub(crate) refused: Option<bool>,
}

/// The moves so far, and the place among them.
#[derive(Debug)]
struct Play {
    board: Board,
    record: Record,
    /// The line that is being read, after the lines that it leaves, outermost first.
    path: Vec<Line>,
    /// The part that is left out after a move that could not be made: it refers to an unknown
    /// board.
    cut: Option<Cut>,
    /// The fault of the last move, a foul that was made. It is none if the end of the line states
    /// the foul.
    foul: Option<KifuError>,
    /// The lines of which moves are left out.
    lost: Vec<Line>,
    moves: usize,
    replayed: usize,
}

impl KakinokiGame {
    /// Notes a line of a game that is left out. Returns true if it is one with moves.
    pub(crate) fn leave_out(&mut self, line: &str) -> bool {
        let shared = shared_line(line);
        let is_after_header =
            matches!(shared, None | Some(SharedLine::Summary(_) | SharedLine::Variation(_)));
        self.refused = Some(is_after_header || self.refused == Some(true));
        shared.is_none()
    }

    /// Returns true if moves have been read.
    pub(crate) fn is_in_play(&self) -> bool {
        self.play.is_some()
    }

    /// Returns the side to move by the text, which may have moves that could not be made; also
    /// before the first move.
    pub(crate) fn side_to_move(&self) -> Color {
        let start = || self.start.finish().0.side;
        self.play.as_ref().map_or_else(start, Play::stated_side)
    }

    /// Returns true if moves of this line have to be skipped, because one could not be made.
    pub(crate) fn is_cut(&self) -> bool {
        self.play.as_ref().is_some_and(|play| play.cut.is_some())
    }

    /// Notes the fault of the last move, a foul that was made. Play must have begun.
    pub(crate) fn hold_foul(&mut self, fault: KifuError) {
        self.play().foul = Some(fault);
    }

    /// Returns the fault of the last move, unless the end of the line states the foul.
    pub(crate) fn take_foul(&mut self) -> Option<KifuError> {
        let play = self.play.as_mut()?;
        let (foul, side) = (play.foul.take()?, play.board.side());
        let end = play.record.end_of(play.line());
        (!end.is_some_and(|end| end.kind.punishes_last_move(side))).then_some(foul)
    }

    /// Leaves out a move of the line that is being read, after the one that could not be made.
    pub(crate) fn leave_out_move(&mut self) {
        if let Some(cut) = &mut self.play().cut {
            cut.moves += 1;
        }
    }

    /// Ends the part that is left out, and returns it.
    pub(crate) fn take_cut(&mut self) -> Option<Cut> {
        self.play.as_mut()?.cut.take()
    }

    /// Returns true if texts are left out: those after a move that could not be made belong to
    /// positions that the record does not have, until the line ends.
    pub(crate) fn leaves_out_texts(&self) -> bool {
        self.play.as_ref().is_some_and(|play| {
            let has_end = play.record.end_of(play.line()).is_some();
            play.cut.as_ref().is_some_and(|cut| cut.of == CutLine::UnknownVariation || !has_end)
        })
    }

    pub(crate) fn add_header(
        &mut self,
        line: u64,
        word: &str,
        value: &str,
    ) -> Result<(), KifuError> {
        self.text_size.add(line, word.len() + value.len())?;
        self.header.push(key_of(word), value);
        Ok(())
    }

    /// Adds a comment to the last move, or to its end mark.
    pub(crate) fn add_comment(&mut self, line: u64, comment: Comment) -> Result<(), KifuError> {
        self.text_size.add(line, comment.text().len())?;
        let comments = match &mut self.play {
            None => &mut self.comments,
            Some(play) => play.comments(),
        };
        comments.push(comment);
        Ok(())
    }

    /// Names the position after the last move.
    pub(crate) fn set_bookmark(&mut self, line: u64, name: &str) -> Result<(), KifuError> {
        self.text_size.add(line, name.len())?;
        let bookmark = match &mut self.play {
            None => &mut self.bookmark,
            Some(play) => match play.place() {
                Some((line, index)) => &mut play.record.moves_of_mut(line)[index].bookmark,
                None => &mut play.record.bookmark,
            },
        };
        *bookmark = Some(name.to_owned());
        Ok(())
    }

    /// Sets up the start position, before the first move. The game is usable in spite of an error.
    pub(crate) fn begin_play(&mut self, line: u64) -> Result<(), KifuError> {
        if self.play.is_some() {
            return Ok(());
        }
        let (setup, is_whole) = self.start.finish();
        let (board, validity) = Board::new(setup.clone());
        let mut record = Record::new(setup);
        record.comments = std::mem::take(&mut self.comments);
        record.bookmark = self.bookmark.take();
        let path = vec![Line::Main];
        self.play = Some(Play {
            board,
            record,
            path,
            cut: None,
            foul: None,
            lost: Vec::new(),
            moves: 0,
            replayed: 0,
        });
        let (fault_line, column) =
            self.start.unknown_line().map_or((line, 1), |line| (line, HANDICAP_COLUMN));
        is_whole
            .map_err(|fault| TextFault::syntax(fault_line, column, fault.found, fault.expected))?;
        validity.map_err(|error| KifuError::StartPosition { line, error })
    }

    fn play(&mut self) -> &mut Play {
        self.play.as_mut().expect("play has begun")
    }

    /// The board before the next move. Play must have begun.
    pub(crate) fn board(&mut self) -> &Board {
        &self.play().board
    }

    /// The number of the next move. Play must have begun.
    pub(crate) fn next_ply(&mut self) -> usize {
        let play = self.play();
        let line = play.line();
        play.record.first_ply(line) + play.record.moves_of(line).len()
    }

    /// Returns true if the line that is being read has ended. Play must have begun.
    pub(crate) fn has_ended(&mut self) -> bool {
        let play = self.play();
        play.record.end_of(play.line()).is_some()
    }

    /// Returns the target of the last move. Play must have begun.
    pub(crate) fn last_target(&mut self) -> Option<Square> {
        self.play().board.last_move().map(Move::to)
    }

    /// Makes the next move of the line. A foul that can be made on the board has been made.
    pub(crate) fn make_move(
        &mut self,
        line: u64,
        m: Move,
        time: Option<Duration>,
    ) -> Result<Result<(), Foul>, KifuError> {
        let play = self.play();
        if play.moves == MAX_MOVES {
            return Err(KifuError::GameTooLong { line, what: "moves", limit: MAX_MOVES });
        }
        let made = play.board.play(m);
        if made.as_ref().err().is_none_or(|foul| foul.was_made) {
            play.moves += 1;
            let line = play.line();
            // Unlike `push`, this writes the move in its place, not by way of the stack.
            // After a foul, the board may have made the move without its promotion.
            let m = match play.board.position() {
                Some(_) => m,
                None => play.board.last_move().unwrap_or(m),
            };
            let played = iter::once(m).map(|m| RecordMove { time, ..RecordMove::new(m) });
            play.record.moves_of_mut(line).extend(played);
        }
        Ok(made)
    }

    /// Leaves out the moves of this line from here on. Play must have begun.
    pub(crate) fn cut(&mut self, mut cut: Cut) {
        let play = self.play();
        cut.of = if play.line() == Line::Main { CutLine::Game } else { CutLine::Variation };
        play.cut = Some(cut);
        play.lost.push(play.line());
    }

    /// Leaves out a variation without a move that it begins from. Play must have begun.
    pub(crate) fn cut_variation(&mut self, mut cut: Cut) {
        (cut.of, cut.moves) = (CutLine::UnknownVariation, 0);
        self.play().cut = Some(cut);
    }

    /// Ends the line that is being read with a word in the place of a move. Play must have begun.
    pub(crate) fn end(&mut self, word: &str, time: Option<Duration>) {
        let kind = end_of(word, self.side_to_move());
        self.set_end(kind.unwrap_or_else(|| EndKind::Other(word.to_owned())), word, time);
    }

    fn set_end(&mut self, kind: EndKind, word: &str, time: Option<Duration>) {
        let play = self.play();
        let (line, side) = (play.line(), play.board.side());
        // Without a move, a variation is no line that could have an end.
        let is_lost = play.record.moves_of(line).is_empty() && line != Line::Main;
        if play.cut.as_ref().is_some_and(|cut| is_lost || cut.of == CutLine::UnknownVariation) {
            return;
        }
        let mut end = End::new(kind.of_player(play.stated_side(), side, reason_of(word)));
        end.time = time;
        *play.record.end_of_mut(line) = Some(end);
        if let Some(cut) = &mut play.cut {
            cut.end = Some(shorten(word));
        }
    }

    /// Ends the line that is being read by its last line, which may follow an end mark. Play must
    /// have begun.
    pub(crate) fn end_by_summary(&mut self, summary: &str) {
        let stated = self.side_to_move();
        let Some(kind) = end_of_summary(summary, stated) else { return };
        let outcome = kind.outcome(stated);
        let play = self.play();
        let (line, side) = (play.line(), play.board.side());
        let Some(end) = play.record.end_of_mut(line) else {
            return self.set_end(kind, summary, None);
        };
        match (&play.cut, outcome) {
            (None, _) => end.kind = completed(&end.kind, kind, side),
            (Some(cut), _) if cut.of == CutLine::UnknownVariation => {}
            // A name is certain, whereas the side to move after moves that could not be made may
            // not be.
            (Some(_), Outcome::Win(winner)) if names_side(summary) => {
                if end.kind.outcome(side) != outcome {
                    end.kind = end.kind.clone().won_by(winner, side, reason_of(summary));
                }
            }
            (Some(_), _) => {}
        }
    }

    /// Begins a variation in place of move `ply` of the last line that has one of this number.
    ///
    /// Returns false if there is none: a line has no moves before it.
    pub(crate) fn begin_variation(&mut self, line: u64, ply: usize) -> Result<bool, KifuError> {
        let play = self.play();
        play.drop_empty_variations();
        if play.record.variations.len() == MAX_VARIATIONS {
            let what = "variations";
            return Err(KifuError::GameTooLong { line, what, limit: MAX_VARIATIONS });
        }
        play.begin_variation(line, ply)
    }

    /// Returns the record. The second value is the fault of a start position that no move has
    /// followed.
    pub(crate) fn finish(mut self, line: u64) -> (Record, Result<(), KifuError>) {
        let validity = self.begin_play(line);
        let mut play = self.play.take().expect("play has begun");
        play.drop_empty_variations();
        let mut record = play.record;
        record.header = self.header;
        if let Some(word) = self.start.unknown_handicap.take() {
            record.header.push(HeaderKey::Custom("手合割".to_owned()), word);
        }
        (record, validity)
    }
}

/// Returns the reason of a win by the word for an end; a last line is no reason.
fn reason_of(word: &str) -> &str {
    if word.starts_with("まで") { "勝ち" } else { word }
}

impl Play {
    fn line(&self) -> Line {
        self.path.last().copied().unwrap_or_default()
    }

    /// Leaves out the variations read last that have neither a move nor an end.
    fn drop_empty_variations(&mut self) {
        let is_empty = |last: &Variation| last.moves.is_empty() && last.end.is_none();
        while self.record.variations.last().is_some_and(is_empty) {
            self.record.variations.pop();
            let count = self.record.variations.len();
            self.path.retain(|&line| line != Line::Variation(count));
        }
    }

    fn stated_side(&self) -> Color {
        let side = self.board.side();
        if self.cut.as_ref().is_some_and(|cut| !cut.moves.is_multiple_of(2)) { !side } else { side }
    }

    /// Returns the line and the index of the last move: before the first move of a variation, that
    /// of the move before it; `None` for the start.
    fn place(&self) -> Option<(Line, usize)> {
        let line = self.line();
        if let Some(last) = self.record.moves_of(line).len().checked_sub(1) {
            return Some((line, last));
        }
        let Line::Variation(index) = line else { return None };
        let Variation { parent, ply, .. } = self.record.variations[index];
        Some((parent, ply.checked_sub(self.record.first_ply(parent) + 1)?))
    }

    fn comments(&mut self) -> &mut Vec<Comment> {
        let line = self.line();
        if self.record.end_of(line).is_some() {
            return &mut self.record.end_of_mut(line).as_mut().expect("just seen").comments;
        }
        match self.place() {
            Some((line, index)) => &mut self.record.moves_of_mut(line)[index].comments,
            None => &mut self.record.comments,
        }
    }

    fn begin_variation(&mut self, line: u64, ply: usize) -> Result<bool, KifuError> {
        // The innermost line that has begun before this move.
        let mut kept = self.path.len();
        while kept > 1 && self.record.first_ply(self.path[kept - 1]) >= ply {
            kept -= 1;
        }
        // A line that ends before this move is left for those outside of it.
        while !self.reaches(self.path[kept - 1], ply) {
            if kept == 1 {
                return Ok(false);
            }
            kept -= 1;
        }
        let parent = self.path[kept - 1];
        let left = self.path.get(kept).map_or(usize::MAX, |&line| self.record.first_ply(line));
        let common = left.min(ply) - 1;
        while self.board.made() > common {
            self.board.undo();
        }
        let first = self.record.first_ply(parent);
        let moves = self.record.moves_of(parent);
        let missing = &moves[(self.board.made() + 1).saturating_sub(first)..ply - first];
        self.replayed += missing.len();
        if self.replayed > MAX_REPLAYED {
            let what = "moves before variations";
            return Err(KifuError::GameTooLong { line, what, limit: MAX_REPLAYED });
        }
        for played in missing {
            // A foul has been reported when it was read.
            let _ = self.board.play(played.m);
        }
        self.path.truncate(kept);
        // Some programs write a later part of a line in this way.
        if !self.is_continued(parent, ply) {
            let variation = self.record.add_variation(parent, ply);
            self.path.push(variation.expect("the line reaches the move"));
        }
        Ok(true)
    }

    /// Returns true if a line has a move of this number, or ends before it.
    fn reaches(&self, line: Line, ply: usize) -> bool {
        let first = self.record.first_ply(line);
        (first..=first + self.record.moves_of(line).len()).contains(&ply)
    }

    /// Returns true if nothing else stands in a line at this move, behind its last one.
    fn is_continued(&self, line: Line, ply: usize) -> bool {
        ply == self.record.first_ply(line) + self.record.moves_of(line).len()
            && self.record.end_of(line).is_none()
            && self.record.alternatives(line, ply).next().is_none()
            && !self.lost.contains(&line)
    }
}
