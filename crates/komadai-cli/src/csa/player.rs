//! The player of games on a server: an engine of a match.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use komadai::csa::{
    Action, Answer, ClockState, CsaError, CsaPlayer, Event, FinishedGame, GameSummary, Turn,
};
use komadai::kifu::{CsaVersion, CsaWriteOptions, Notation, RecordMove};
use komadai::matches::{Contestant, ContestantFault, Turn as Request};
use komadai::movegen::MoveGen as _;
use komadai::usi::{BestMove, ClockTimes, GameResult, GoLimits};
use komadai::{Color, Move, Position, Score, UsiPosition};
use komadai_base::text::printable;
use komadai_console::{create_folder, note, write_file};

/// The values from which on an engine reports a mate.
const MATE: i32 = 30_000;

/// Largest number of characters of an identifier that become the name of a file. Systems allow 255
/// bytes.
const MAX_NAME: usize = 200;

/// The time after which an engine without a clock counts as hanging.
const HANGING: Duration = Duration::from_secs(600);

/// An engine on a server. Prints what happens, and writes records.
pub(super) struct Player {
    engine: Box<dyn Contestant>,
    margin: Duration,
    nodes: Option<u64>,
    records: Option<PathBuf>,
    /// The file of the game in play.
    path: Option<PathBuf>,
    games: usize,
    position: Position,
    game: UsiPosition,
    color: Color,
    /// The reply that the last own move expects.
    expected: Option<Move>,
    /// A fault at the start of pondering, to be reported in the next turn.
    ponder_fault: Option<ContestantFault>,
    /// The first fault of writing a record, which must not disturb the games.
    fault: Option<anyhow::Error>,
}

impl Player {
    pub(super) fn new(
        engine: Box<dyn Contestant>,
        margin: Duration,
        nodes: Option<u64>,
        records: Option<PathBuf>,
    ) -> anyhow::Result<Self> {
        if let Some(folder) = &records {
            create_folder(folder)?;
        }
        let position = Position::hirate();
        let game = UsiPosition { setup: position.to_setup(), moves: Vec::new() };
        Ok(Self {
            engine,
            margin,
            nodes,
            records,
            path: None,
            games: 0,
            position,
            game,
            color: Color::Black,
            expected: None,
            ponder_fault: None,
            fault: None,
        })
    }

    /// Returns the first fault of writing a record.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        self.fault.map_or(Ok(()), Err)
    }

    /// The limits of a move: the server's clock less the margin.
    fn limits(&self, clock: &ClockState) -> GoLimits {
        let mut limits = GoLimits { nodes: self.nodes, ..GoLimits::default() };
        if clock.rules(self.color).is_limited {
            let mut sides = Color::ALL.map(|color| clock.side(color));
            let own = &mut sides[self.color.index()];
            *own = own.keeping_back(self.margin);
            let byoyomi = own.byoyomi;
            limits.clock = Some(ClockTimes {
                main: sides.map(|side| side.rest),
                byoyomi,
                increment: sides.map(|side| side.increment),
            });
        }
        limits
    }

    /// The time after which the engine is told to stop. It is longer than the time that the engine
    /// was told, and an engine that obeys at once is still in time: each has half of the margin.
    fn patience(&self, clock: &ClockState) -> Duration {
        let Some(allowance) = clock.allowance(self.color) else { return HANGING };
        allowance.saturating_sub(self.margin.min(allowance / 2) / 2)
    }

    /// Writes the record of a game, whole or so far. The first fault is told and kept.
    fn write(&mut self, game: &FinishedGame) {
        if let Err(fault) = self.try_write(game)
            && self.fault.is_none()
        {
            note!("{fault:#}");
            self.fault = Some(fault);
        }
    }

    fn try_write(&mut self, game: &FinishedGame) -> anyhow::Result<()> {
        let Some(folder) = &self.records else { return Ok(()) };
        let path = self.path.get_or_insert_with(|| new_path(folder, game));
        let mut options = CsaWriteOptions::default();
        if game.record.moves.iter().any(has_fraction) {
            // Version 2.2 has whole seconds only.
            options.version = CsaVersion::V3_0;
        }
        let text = game.record.to_csa_with(&options)?;
        write_file(path, text)
    }
}

/// Returns true if the time of a move is no whole number of seconds.
fn has_fraction(played: &RecordMove) -> bool {
    played.time.is_some_and(|time| time.subsec_nanos() > 0)
}

/// A file for a game that does not exist yet: a server may use an identifier again.
fn new_path(folder: &Path, game: &FinishedGame) -> PathBuf {
    let name = game.record.header.event().unwrap_or_default();
    let name: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || "-_+".contains(c) { c } else { '_' })
        .take(MAX_NAME)
        .collect();
    let mut path = folder.join(format!("{name}.csa"));
    let mut number = 2;
    while path.exists() {
        path = folder.join(format!("{name}-{number}.csa"));
        number += 1;
    }
    path
}

impl CsaPlayer for Player {
    fn accept(&mut self, game: &GameSummary) -> Result<bool, Box<dyn Error + Send + Sync>> {
        let names = Color::ALL.map(|color| printable(game.name(color)));
        note!("{}: {} (Black) and {} (White)", printable(&game.id), names[0], names[1]);
        self.game = game.record.to_usi();
        self.position = Position::from_setup(&game.record.setup)?;
        self.game.moves.iter().for_each(|&m| self.position.do_move(m));
        self.color = game.color;
        (self.expected, self.ponder_fault) = (None, None);
        self.engine.new_game(self.games)?;
        Ok(true)
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Box<dyn Error + Send + Sync>> {
        let limits = self.limits(turn.clock);
        let allowed = self.patience(turn.clock);
        let request = Request {
            position: turn.position,
            game: &self.game,
            limits: &limits,
            deadline: Instant::now() + allowed,
            stop: &Arc::clone(turn.stop),
        };
        let reply = self.ponder_fault.take().map_or_else(|| self.engine.choose(&request), Err);
        let reply = match reply {
            Ok(reply) => reply,
            // After the end of the game the answer does not matter.
            Err(fault) => {
                self.engine.restart()?;
                return Err(fault.into());
            }
        };
        self.expected = None;
        let action = match reply.best {
            BestMove::Move { best, ponder } => {
                self.expected = ponder;
                Action::Move(best)
            }
            BestMove::Win => Action::DeclareWin,
            _ => Action::Resign,
        };
        let mut answer = Answer::new(action);
        answer.line = reply.line;
        answer.score = reply.score.map(|value| match value {
            MATE.. => Score::mate_in(1),
            value if value <= -MATE => Score::mated_in(1),
            value => Score::cp(value),
        });
        Ok(answer)
    }

    fn ponder(&mut self, turn: &Turn<'_>) {
        let reply = self.expected.take().filter(|&reply| turn.position.is_legal(reply));
        let Some(reply) = reply else { return };
        let mut game = self.game.clone();
        game.moves.push(reply);
        let limits = GoLimits { ponder: true, ..self.limits(turn.clock) };
        let request = Request {
            position: &turn.position.after(reply),
            game: &game,
            limits: &limits,
            deadline: Instant::now() + self.patience(turn.clock),
            stop: turn.stop,
        };
        self.ponder_fault = self.engine.ponder(&request).err();
    }

    fn see(&mut self, event: &Event) {
        match event {
            Event::Moved { color, m, time, sent } => {
                let seconds =
                    time.map_or(String::new(), |time| format!(" {} s", time.as_secs_f64()));
                let number = self.position.ply();
                if let Some(sent) = sent {
                    let [sent, made] = [sent, m].map(|m| Notation::Csa.name(&self.position, *m));
                    note!("the server made {made} of our move {sent}");
                    // The reply was expected to another move.
                    self.expected = None;
                }
                note!("{number:4} {}{seconds}", Notation::Csa.name(&self.position, *m));
                debug_assert_eq!(*color, self.position.side());
                self.position.do_move(*m);
                self.game.moves.push(*m);
            }
            Event::OfferedAnother { id } => {
                note!(
                    "the server offers another game, {}, before the first has begun",
                    printable(id)
                );
            }
            Event::Rejected { by } => note!("the game was rejected by {}", printable(by)),
            Event::Other(line) => note!("server: {}", printable(line)),
            _ => {}
        }
    }

    fn game_so_far(&mut self, game: &FinishedGame) {
        self.write(game);
    }

    fn logs_in_again(&mut self, error: &CsaError) {
        note!("{}; logging in again", printable(&error.to_string()));
    }

    fn game_over(&mut self, game: &FinishedGame) {
        self.games += 1;
        let result = match game.result {
            Some(komadai::csa::GameResult::Win) => ("won", GameResult::Win),
            Some(komadai::csa::GameResult::Lose) => ("lost", GameResult::Lose),
            Some(komadai::csa::GameResult::Draw) => ("drawn", GameResult::Draw),
            Some(_) => ("without a result", GameResult::Draw),
            None => ("broken off", GameResult::Lose),
        };
        let reason = game.reason.as_ref().map(|reason| format!(", {reason:?}")).unwrap_or_default();
        let fault = game.fault.as_ref().map(|fault| format!(": {fault}")).unwrap_or_default();
        note!("{}{fault}{reason}, {} moves", result.0, game.record.moves.len());
        self.engine.game_over(result.1);
        self.write(game);
        self.path = None;
    }
}

#[cfg(test)]
mod tests {
    use komadai::csa::TimeRules;
    use komadai::matches::Reply;

    use super::*;

    struct NoEngine;

    impl Contestant for NoEngine {
        fn choose(&mut self, _: &Request<'_>) -> Result<Reply, ContestantFault> {
            Ok(Reply::new(BestMove::Resign, Duration::ZERO))
        }
    }

    fn rules([total, increment, byoyomi]: [u64; 3]) -> TimeRules {
        let mut rules = TimeRules::default();
        [rules.total, rules.increment, rules.byoyomi] =
            [total, increment, byoyomi].map(Duration::from_secs);
        rules.is_limited = true;
        rules
    }

    #[test]
    fn an_engine_is_told_what_it_may_use_and_stopped_only_after_that() {
        // Total time, increment and byoyomi in seconds, and the margin; seconds that the server
        // counted for earlier moves; what the engine is told, and when it is stopped.
        type Game<'g> = ([u64; 3], u64, &'g [u64], &'g str, u64);
        let games: [Game<'_>; 11] = [
            ([0, 3, 0], 0, &[], "btime 0 wtime 0 binc 3000 winc 3000", 3_000),
            ([0, 3, 0], 1_000, &[], "btime 0 wtime 0 binc 2000 winc 3000", 2_500),
            ([0, 3, 0], 1_000, &[2], "btime 0 wtime 0 binc 3000 winc 3000", 3_500),
            ([0, 3, 0], 1_000, &[2, 4], "btime 0 wtime 0 binc 2000 winc 3000", 2_500),
            ([1, 4, 0], 1_000, &[4], "btime 0 wtime 1000 binc 4000 winc 4000", 4_500),
            ([4, 3, 0], 500, &[], "btime 3500 wtime 4000 binc 3000 winc 3000", 6_750),
            ([4, 0, 3], 1_000, &[], "btime 4000 wtime 4000 byoyomi 2000", 6_500),
            ([4, 0, 3], 1_000, &[6], "btime 0 wtime 4000 byoyomi 2000", 2_500),
            ([0, 0, 1], 1_000, &[], "btime 0 wtime 0 byoyomi 500", 750),
            ([300, 0, 0], 1_000, &[10], "btime 289000 wtime 300000 byoyomi 0", 289_500),
            ([0, 1, 0], 1_000, &[], "btime 0 wtime 0 binc 500 winc 1000", 750),
        ];
        for (control, margin, counted, told, stopped) in games {
            let margin = Duration::from_millis(margin);
            let player = Player::new(Box::new(NoEngine), margin, None, None).unwrap();
            let mut clock = ClockState::new([rules(control), rules(control)]);
            for &seconds in counted {
                clock.spend(Color::Black, Duration::from_secs(seconds));
            }
            let limits = player.limits(&clock);
            assert_eq!(limits.to_string(), told, "{control:?} {margin:?}");
            let patience = player.patience(&clock);
            assert_eq!(patience, Duration::from_millis(stopped), "{control:?} {margin:?}");
            let available = limits.clock.unwrap().side(Color::Black).available();
            assert!(available <= patience, "{control:?}");
        }
        let player = Player::new(Box::new(NoEngine), Duration::ZERO, Some(5), None).unwrap();
        let unlimited = ClockState::new([TimeRules::default(), TimeRules::default()]);
        assert_eq!(player.limits(&unlimited).to_string(), "nodes 5");
        assert_eq!(player.patience(&unlimited), HANGING);
    }
}
