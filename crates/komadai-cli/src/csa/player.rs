//! The player of games on a server: an engine of a match.

use std::error::Error;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use komadai::bookfile::atomic_file::write_atomically;
use komadai::csa::{
    Action, Answer, ClockState, CsaPlayer, Event, FinishedGame, GameSummary, TimeRules, Turn,
};
use komadai::kifu::Notation;
use komadai::matches::{Contestant, Turn as Request};
use komadai::usi::{BestMove, ClockTimes, GameResult, GoLimits};
use komadai::{Color, Position, Score, UsiPosition};
use komadai_console::note;

/// The values from which on an engine reports a mate.
const MATE: i32 = 30_000;

/// The time after which an engine without a clock counts as hanging.
const HANGING: Duration = Duration::from_secs(600);

/// An engine on a server. Prints what happens, and writes records.
pub(super) struct Player {
    engine: Box<dyn Contestant>,
    margin: Duration,
    nodes: Option<u64>,
    records: Option<PathBuf>,
    games: usize,
    position: Position,
    game: UsiPosition,
    color: Color,
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
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot create {}", folder.display()))?;
        }
        let position = Position::hirate();
        let game = UsiPosition { setup: position.to_setup(), moves: Vec::new() };
        let (games, color, fault) = (0, Color::Black, None);
        Ok(Self { engine, margin, nodes, records, games, position, game, color, fault })
    }

    /// Returns the first fault of writing a record.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        self.fault.map_or(Ok(()), Err)
    }

    /// The limits of a move: the server's clock less the margin.
    fn limits(&self, clock: &ClockState) -> GoLimits {
        let mut limits = GoLimits::default();
        limits.nodes = self.nodes;
        let rules = Color::ALL.map(|color| clock.rules(color));
        if rules[self.color.index()].is_limited {
            let byoyomi = rules[self.color.index()].byoyomi;
            // The margin is taken from what is used last.
            let (from_byoyomi, from_main) = if byoyomi > self.margin {
                (self.margin, Duration::ZERO)
            } else {
                (Duration::ZERO, self.margin)
            };
            let main = Color::ALL.map(|color| clock.left(color).saturating_sub(from_main));
            let increments = rules.map(|rules: &TimeRules| rules.increment);
            limits.clock = Some(
                ClockTimes::main(main)
                    .with_byoyomi(byoyomi - from_byoyomi)
                    .with_increment(increments),
            );
        }
        limits
    }

    fn write(&self, game: &FinishedGame) -> anyhow::Result<()> {
        let Some(folder) = &self.records else { return Ok(()) };
        let name = game.record.header.event().unwrap_or_default();
        let name: String = name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || "-_+".contains(c) { c } else { '_' })
            .collect();
        let mut path = folder.join(format!("{name}.csa"));
        // A server may use an identifier again.
        let mut number = 2;
        while path.exists() {
            path = folder.join(format!("{name}-{number}.csa"));
            number += 1;
        }
        let text = game.record.to_csa()?;
        write_atomically(&path, |out| out.write_all(text.as_bytes()))
            .with_context(|| format!("cannot write {}", path.display()))
    }
}

impl CsaPlayer for Player {
    fn accept(&mut self, game: &GameSummary) -> Result<bool, Box<dyn Error + Send + Sync>> {
        let names = Color::ALL.map(|color| game.name(color));
        note!("{}: {} (Black) and {} (White)", game.id, names[0], names[1]);
        self.game = game.record.to_usi();
        self.position = Position::from_setup(&game.record.setup)?;
        self.game.moves.iter().for_each(|&m| self.position.do_move(m));
        self.color = game.color;
        self.engine.new_game(self.games)?;
        Ok(true)
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Box<dyn Error + Send + Sync>> {
        let limits = self.limits(turn.clock);
        let allowed = turn.clock.allowance(self.color).unwrap_or(HANGING);
        let request = Request {
            position: turn.position,
            game: &self.game,
            limits: &limits,
            deadline: Instant::now() + allowed,
            stop: &Arc::clone(turn.stop),
        };
        let reply = match self.engine.choose(&request) {
            Ok(reply) => reply,
            // After the end of the game the answer does not matter.
            Err(fault) => {
                self.engine.restart()?;
                return Err(fault.into());
            }
        };
        let action = match reply.best {
            BestMove::Move { best, .. } => Action::Move(best),
            BestMove::Win => Action::DeclareWin,
            _ => Action::Resign,
        };
        let mut answer = Answer::new(action);
        answer.score = reply.score.map(|value| match value {
            MATE.. => Score::mate_in(1),
            value if value <= -MATE => Score::mated_in(1),
            value => Score::cp(value),
        });
        Ok(answer)
    }

    fn see(&mut self, event: &Event) {
        match event {
            Event::Moved { color, m, time } => {
                let seconds = time.map_or(String::new(), |time| format!(" {} s", time.as_secs()));
                let number = self.position.ply();
                note!("{number:4} {}{seconds}", Notation::Csa.name(&self.position, *m));
                debug_assert_eq!(*color, self.position.side());
                self.position.do_move(*m);
                self.game.moves.push(*m);
            }
            Event::Rejected { by } => note!("the game was rejected by {by}"),
            Event::Other(line) => note!("server: {line}"),
            _ => {}
        }
    }

    fn game_over(&mut self, game: &FinishedGame) {
        self.games += 1;
        let result = match game.result {
            Some(komadai::csa::GameResult::Win) => ("won", GameResult::Win),
            Some(komadai::csa::GameResult::Lose) => ("lost", GameResult::Lose),
            Some(komadai::csa::GameResult::Draw) => ("drawn", GameResult::Draw),
            Some(_) => ("without a result", GameResult::Draw),
            None => ("broken off: the connection was lost", GameResult::Lose),
        };
        let reason = game.reason.as_ref().map(|reason| format!(", {reason:?}")).unwrap_or_default();
        note!("{}{reason}, {} moves", result.0, game.record.moves.len());
        self.engine.game_over(result.1);
        if let Err(fault) = self.write(game) {
            note!("{fault:#}");
            self.fault.get_or_insert(fault);
        }
    }
}
