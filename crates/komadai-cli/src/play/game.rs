//! The game: its record, its clocks and its end.

use std::time::Duration;

use komadai::analysis::match_records::end_kind;
use komadai::core::{Color, Move, Position, UsiPosition};
use komadai::kifu::{Comment, End, EndKind, HeaderKey, Record, RecordMove};
use komadai::matches::{Ending, GameClock, Rules, TimeControl, Verdict, go_limits};
use komadai::usi::GoLimits;

/// A game in progress, or one that has ended.
pub(super) struct Game {
    pub(super) position: Position,
    pub(super) record: Record,
    /// The same game in USI.
    pub(super) usi: UsiPosition,
    /// The number of moves of the record that were made before.
    given: usize,
    clocks: [GameClock; 2],
    /// The clocks before each move of this game.
    before: Vec<[GameClock; 2]>,
    pub(super) rules: Rules,
    pub(super) verdict: Option<Verdict>,
    /// The message of an engine that has failed.
    pub(super) detail: String,
}

impl Game {
    /// Begins a game after the moves that led to a position.
    pub(super) fn new(
        position: Position,
        controls: [TimeControl; 2],
        names: &[String; 2],
        rules: Rules,
    ) -> Self {
        let moves: Vec<Move> = position.moves().flatten().collect();
        let mut start = position.clone();
        while start.undo_move().is_some() {}
        let mut record = Record::new(start.to_setup());
        record.header.set(HeaderKey::Black, names[0].as_str());
        record.header.set(HeaderKey::White, names[1].as_str());
        set_times(&mut record, &controls[0]);
        record.moves.extend(moves.iter().map(|&m| RecordMove::new(m)));
        Self {
            usi: UsiPosition { setup: record.setup.clone(), moves },
            given: record.moves.len(),
            record,
            clocks: controls.map(GameClock::new),
            before: Vec::new(),
            verdict: rules.verdict(&position),
            rules,
            position,
            detail: String::new(),
        }
    }

    /// Returns the limits of the side to move for an engine.
    pub(super) fn limits(&self) -> GoLimits {
        let [black, white] = &self.clocks;
        go_limits([black, white], self.position.side())
    }

    /// Returns the time that the side to move has, or `None` if it is unlimited.
    pub(super) fn allowance(&self) -> Option<Duration> {
        self.clocks[self.position.side().index()].allowance()
    }

    /// Returns the rest of the main time of a side.
    pub(super) fn left(&self, side: Color) -> Duration {
        self.clocks[side.index()].left()
    }

    /// Makes a legal move. One that is later than the clock allows loses the game instead.
    pub(super) fn make(
        &mut self,
        m: Move,
        elapsed: Duration,
        margin: Duration,
        comments: Vec<Comment>,
    ) {
        let side = self.position.side();
        let before = self.clocks.clone();
        if !self.clocks[side.index()].spend(elapsed, margin) {
            return self.end(Verdict::win(!side, Ending::TimeForfeit));
        }
        self.before.push(before);
        // Records have whole seconds.
        let time = Some(Duration::from_secs(elapsed.as_secs()));
        self.record.moves.push(RecordMove { time, comments, ..RecordMove::new(m) });
        self.usi.moves.push(m);
        self.position.do_move(m);
        self.verdict = self.rules.verdict(&self.position);
    }

    /// Ends the game.
    pub(super) fn end(&mut self, verdict: Verdict) {
        self.verdict = Some(verdict);
    }

    /// Takes moves back to the last one of a side, and that one as well. Returns whether there was
    /// one.
    pub(super) fn take_back(&mut self, side: Color) -> bool {
        let last_to_move = self.position.side();
        let own = self.before.len() + usize::from(last_to_move != side);
        if own < 2 {
            return false;
        }
        self.verdict = None;
        self.detail.clear();
        loop {
            let Some(clocks) = self.before.pop() else { return true };
            self.clocks = clocks;
            self.record.moves.pop();
            self.usi.moves.pop();
            self.position.undo_move();
            if self.position.side() == side {
                return true;
            }
        }
    }

    /// Returns the moves of the record that were made in this game, with the number of the first.
    pub(super) fn own_moves(&self) -> (usize, &[RecordMove]) {
        (self.given + 1, &self.record.moves[self.given..])
    }

    /// Returns the record with its end.
    pub(super) fn to_record(&self) -> Record {
        let mut record = self.record.clone();
        let kind = match self.verdict {
            Some(verdict) => end_kind(verdict, record.side_at_end()),
            None => EndKind::Interrupt,
        };
        let mut end = End::new(kind);
        if !self.detail.is_empty() {
            end.comments.push(Comment::Remark(self.detail.clone()));
        }
        record.end = Some(end);
        record
    }
}

/// Notes the clock in the words of records.
fn set_times(record: &mut Record, control: &TimeControl) {
    let [main, byoyomi, increment] =
        [control.main, control.byoyomi, control.increment].map(|time| time.as_secs());
    if main > 0 || increment > 0 {
        let mut words = match (main / 60, main % 60) {
            (minutes, 0) => format!("{minutes}分"),
            (minutes, seconds) => format!("{}:{:02}:{seconds:02}", minutes / 60, minutes % 60),
        };
        if increment > 0 {
            words += &format!(" フィッシャー {increment}秒");
        }
        record.header.set(HeaderKey::TimeLimit, words);
    }
    if byoyomi > 0 {
        record.header.set(HeaderKey::Byoyomi, format!("{byoyomi}秒"));
    }
}

#[cfg(test)]
mod tests {
    use komadai::kifu::{CsaVersion, CsaWriteOptions};

    use super::*;

    fn game(main: u64) -> Game {
        let control = TimeControl { main: Duration::from_secs(main), ..TimeControl::default() };
        let controls = [control.clone(), control];
        Game::new(Position::hirate(), controls, &["a", "b"].map(str::to_owned), Rules::default())
    }

    fn make(game: &mut Game, m: &str, seconds: u64) {
        game.make(m.parse().unwrap(), Duration::from_secs(seconds), Duration::ZERO, Vec::new());
    }

    #[test]
    fn moves_are_taken_back_with_their_times() {
        let mut game = game(100);
        assert!(!game.take_back(Color::Black) && !game.take_back(Color::White));
        for (m, seconds) in [("7g7f", 10), ("3c3d", 20), ("2g2f", 30), ("8c8d", 40)] {
            make(&mut game, m, seconds);
        }
        assert_eq!(Color::ALL.map(|side| game.left(side).as_secs()), [60, 40]);
        assert!(game.take_back(Color::Black));
        assert_eq!(Color::ALL.map(|side| game.left(side).as_secs()), [90, 80]);
        assert_eq!(game.usi.to_string(), "startpos moves 7g7f 3c3d");
        // White's own last move, although it is Black's turn.
        assert!(game.take_back(Color::White));
        assert_eq!(game.usi.to_string(), "startpos moves 7g7f");
        assert!(!game.take_back(Color::White), "White has made no move any more");
        assert!(game.take_back(Color::Black));
        assert_eq!((game.position.clone(), game.record.moves.len()), (Position::hirate(), 0));
    }

    #[test]
    fn the_clock_is_written_in_records() {
        let seconds = |time| Duration::from_secs(time);
        for ([main, byoyomi, increment], csa) in [
            ([600, 30, 0], "$TIME_LIMIT:00:10+30"),
            ([0, 30, 0], "$TIME_LIMIT:00:00+30"),
            ([60, 0, 5], "$TIME:60+0+5"),
            ([90, 10, 0], "$TIME:90+10+0"),
        ] {
            let control = TimeControl {
                main: seconds(main),
                byoyomi: seconds(byoyomi),
                increment: seconds(increment),
                ..TimeControl::default()
            };
            let mut record = Record::new(Position::hirate().to_setup());
            set_times(&mut record, &control);
            let is_v3 = csa.starts_with("$TIME:");
            let version = if is_v3 { CsaVersion::V3_0 } else { CsaVersion::V2_2 };
            let options = CsaWriteOptions { version, ..CsaWriteOptions::default() };
            let text = record.to_csa_with(&options).unwrap();
            assert!(text.contains(&format!("{csa}\n")), "{text}");
        }
    }

    #[test]
    fn a_late_move_is_not_made() {
        let mut game = game(5);
        make(&mut game, "7g7f", 5);
        make(&mut game, "3c3d", 6);
        assert_eq!(game.verdict, Some(Verdict::win(Color::Black, Ending::TimeForfeit)));
        assert_eq!(game.usi.moves.len(), 1);
        let record = game.to_record();
        assert_eq!(record.end.map(|end| end.kind), Some(EndKind::TimeUp));
        assert_eq!(record.header.get(&HeaderKey::TimeLimit), Some("0:00:05"));
        assert_eq!(game.limits().to_string(), "btime 0 wtime 0 byoyomi 0");
    }
}
