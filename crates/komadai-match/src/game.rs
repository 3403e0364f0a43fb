//! One game, refereed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use komadai_core::{Color, Move, Position, SplitMix64, UsiError, UsiPosition};
use komadai_movegen::{MoveGen, PlayError, play};
use komadai_usi::{BestMove, GameResult};

use crate::contestant::{Contestant, Reply, Turn};
use crate::cpu_time::CpuLedger;
use crate::ending::{Ending, Verdict};
use crate::fault::{Fault, FaultKind};
use crate::rules::{Agreement, Rules};
use crate::time_control::{Clock, TimeControl, go_limits};

/// Where a game begins: a position with the moves that led to it, all of them legal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    game: UsiPosition,
    position: Position,
}

/// Why a text is no opening.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningError {
    /// It is not what follows `position` in USI.
    #[error(transparent)]
    Usi(#[from] UsiError),
    /// It cannot be played.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// The game would be over before it begins.
    #[error("the game is over at once: {0}")]
    Over(Ending),
}

impl Opening {
    /// Reads `startpos moves …` or `sfen … moves …`.
    ///
    /// # Errors
    ///
    /// If it cannot be read, a move is illegal, or the game is over at the end of it.
    pub fn from_usi(text: &str) -> Result<Self, OpeningError> {
        Self::new(UsiPosition::from_usi(text)?)
    }

    /// The opening of these moves.
    ///
    /// # Errors
    ///
    /// If a move is illegal, or the game is over at the end of it.
    pub fn new(game: UsiPosition) -> Result<Self, OpeningError> {
        let position = play(&game)?;
        let unlimited = Rules { max_plies: 0, ..Rules::default() };
        match unlimited.judge(&position) {
            Some(verdict) => Err(OpeningError::Over(verdict.ending)),
            None => Ok(Self { game, position }),
        }
    }

    /// The same opening with this many random moves after it, fewer if the game would be over.
    #[must_use]
    pub fn extended(&self, plies: u32, seed: u64) -> Self {
        let mut extended = self.clone();
        let mut random = SplitMix64::new(seed);
        for _ in 0..plies {
            let moves = extended.position.legal_moves();
            let m = moves[random.below(moves.len() as u64) as usize];
            let mut game = extended.game.clone();
            game.moves.push(m);
            match Self::new(game) {
                Ok(longer) => extended = longer,
                Err(_) => break,
            }
        }
        extended
    }

    /// Start and moves.
    #[must_use]
    pub fn game(&self) -> &UsiPosition {
        &self.game
    }

    /// The position in which the players take over.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }
}

/// One side of a game.
pub struct Side<'a> {
    /// Who plays it.
    pub contestant: &'a mut dyn Contestant,
    /// What it may spend.
    pub control: &'a TimeControl,
}

impl std::fmt::Debug for Side<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Side").field("control", self.control).finish_non_exhaustive()
    }
}

/// A finished game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// Where it began.
    pub opening: UsiPosition,
    /// What was played from there.
    pub moves: Vec<PlayedMove>,
    /// How it ended.
    pub verdict: Verdict,
    /// More about the end, for a person: what was answered, what the engine said last. Often empty.
    pub detail: String,
    /// The processor time that each side used, Black's first, if it is known.
    pub cpu: [Option<Duration>; 2],
}

/// A move of a game, with what its player said about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedMove {
    /// The move.
    pub m: Move,
    /// The time that it took, as the referee saw it.
    pub elapsed: Duration,
    /// What the position was worth to the player, in centipawns; see [`Reply::score`].
    pub score: Option<i32>,
    /// The nodes visited; 0 if unknown.
    pub nodes: u64,
    /// The depth reached; 0 if unknown.
    pub depth: u32,
}

/// Plays one game, Black's side first. `None` if `stop` was set before it was over.
///
/// A fault of a contestant ends the game; [restarting](Contestant::restart) it is up to the caller.
/// `number` is that of the game in its match.
pub fn play_game<'a>(
    number: usize,
    opening: &Opening,
    sides: [Side<'a>; 2],
    rules: &'a Rules,
    stop: &'a Arc<AtomicBool>,
) -> Option<Game> {
    let clocks = [Clock::new(sides[0].control.clone()), Clock::new(sides[1].control.clone())];
    let table = Table {
        contestants: sides.map(|side| side.contestant),
        clocks,
        position: opening.position.clone(),
        game: opening.game.clone(),
        moves: Vec::new(),
        agreement: Agreement::default(),
        rules,
        stop,
    };
    table.play(number)
}

/// A game that is going on.
struct Table<'a> {
    contestants: [&'a mut dyn Contestant; 2],
    clocks: [Clock; 2],
    position: Position,
    game: UsiPosition,
    moves: Vec<PlayedMove>,
    agreement: Agreement,
    rules: &'a Rules,
    stop: &'a Arc<AtomicBool>,
}

/// An end that a contestant brought about.
struct Finish {
    verdict: Verdict,
    detail: String,
}

impl Table<'_> {
    fn play(mut self, number: usize) -> Option<Game> {
        let begun = self.begin(number);
        // Getting ready is not counted, clearing a large table least of all.
        let mut ledger = CpuLedger::open(self.contestants.each_ref().map(|c| c.cpu_clock()));
        let finish = match begun {
            Some(_) if self.stop.load(Ordering::Relaxed) => return None,
            Some(finish) => finish,
            None => self.play_on(&mut ledger)?,
        };
        let cpu = ledger.close();
        for color in Color::ALL {
            self.contestants[color as usize].game_over(result_for(finish.verdict, color));
        }
        let mut opening = self.game;
        opening.moves.truncate(opening.moves.len() - self.moves.len());
        let Finish { verdict, detail } = finish;
        Some(Game { opening, moves: self.moves, verdict, detail, cpu })
    }

    fn begin(&mut self, number: usize) -> Option<Finish> {
        Color::ALL.into_iter().find_map(|color| {
            let fault = self.contestants[color as usize].new_game(number).err()?;
            Some(Finish::by_fault(color, fault))
        })
    }

    /// Plays until the game is over; `None` if it is broken off.
    fn play_on(&mut self, ledger: &mut CpuLedger) -> Option<Finish> {
        loop {
            if let Some(verdict) = self.rules.judge(&self.position) {
                return Some(Finish { verdict, detail: String::new() });
            }
            ledger.turn(self.position.side() as usize);
            let reply = self.ask();
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            if let Err(finish) = reply.and_then(|reply| self.accept(&reply)) {
                return Some(finish);
            }
        }
    }

    fn ask(&mut self) -> Result<Reply, Finish> {
        let us = self.position.side();
        let limits = go_limits([&self.clocks[0], &self.clocks[1]], us);
        let allowance = self.clocks[us as usize].allowance();
        let wait = allowance.map_or(self.rules.patience, |time| time + self.rules.margin);
        let asked = Instant::now();
        let turn = Turn {
            position: &self.position,
            game: &self.game,
            limits: &limits,
            // A time beyond all clocks is as good as a year.
            deadline: asked.checked_add(wait).unwrap_or(asked + Duration::from_secs(31_536_000)),
            stop: self.stop,
        };
        let reply = self.contestants[us as usize].choose(&turn);
        let reply = reply.map_err(|fault| Finish::by_fault(us, fault))?;
        if allowance.is_none() && reply.elapsed > self.rules.patience {
            let waited = format!("answered after {} ms only", reply.elapsed.as_millis());
            return Err(Finish::by_fault(us, Fault::new(FaultKind::Hang, waited)));
        }
        Ok(reply)
    }

    /// Does what was answered, or ends the game over it.
    fn accept(&mut self, reply: &Reply) -> Result<(), Finish> {
        let us = self.position.side();
        if !self.clocks[us as usize].spend(reply.elapsed, self.rules.margin) {
            let verdict = Verdict::win(!us, Ending::TimeForfeit);
            let took = format!("{} took {} ms", reply.best, reply.elapsed.as_millis());
            return Err(Finish { verdict, detail: took });
        }
        let m = match reply.best {
            BestMove::Move { best, .. } => best,
            BestMove::Resign => return Err(Finish::plain(!us, Ending::Resignation)),
            BestMove::Win => return Err(self.judge_declaration()),
        };
        if let Err(reason) = self.position.check_legality(m) {
            let detail = format!("{m} in `position {}`: {reason}", self.game);
            return Err(Finish::by_fault(us, Fault::new(FaultKind::IllegalMove, detail)));
        }
        self.position.do_move(m);
        self.game.moves.push(m);
        let &Reply { elapsed, score, nodes, depth, .. } = reply;
        self.moves.push(PlayedMove { m, elapsed, score, nodes, depth });
        self.adjudicate(us, score)
    }

    fn judge_declaration(&self) -> Finish {
        let us = self.position.side();
        let report = self.position.declaration(self.rules.declaration);
        if report.wins() {
            return Finish::plain(us, Ending::Declaration);
        }
        let reasons: Vec<String> = report.obstacles().map(|reason| reason.to_string()).collect();
        let detail = format!("in `position {}`: {}", self.game, reasons.join("; "));
        Finish::by_fault(us, Fault::new(FaultKind::FalseDeclaration, detail))
    }

    fn adjudicate(&mut self, us: Color, score: Option<i32>) -> Result<(), Finish> {
        let Some(rule) = self.rules.adjudication else { return Ok(()) };
        // A mate or a draw on the board needs nobody's opinion.
        let is_over = self.rules.judge(&self.position).is_some();
        if !self.agreement.note(us as usize, score, rule) || is_over {
            return Ok(());
        }
        Err(Finish::plain(!us, Ending::Adjudication))
    }
}

impl Finish {
    fn plain(winner: Color, ending: Ending) -> Self {
        Self { verdict: Verdict::win(winner, ending), detail: String::new() }
    }

    fn by_fault(loser: Color, fault: Fault) -> Self {
        let verdict = Verdict::win(!loser, Ending::Fault(fault.kind));
        Self { verdict, detail: fault.detail }
    }
}

fn result_for(verdict: Verdict, color: Color) -> GameResult {
    match verdict.winner {
        None => GameResult::Draw,
        Some(winner) if winner == color => GameResult::Win,
        Some(_) => GameResult::Lose,
    }
}
