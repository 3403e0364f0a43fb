//! One game with its referee.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use komadai_base::clock::Instant;
use komadai_core::{Bound, Color, Move, Position, UsiPosition};
use komadai_movegen::MoveGen;
use komadai_movegen::declaration::DeclarationOutcome;
use komadai_usi::{BestMove, GameResult, GoLimits};

use crate::contestant::{Contestant, Reply, Turn};
use crate::cpu_time::CpuLedger;
use crate::ending::{Ending, Verdict};
use crate::fault::{ContestantFault, FaultKind};
use crate::opening::Opening;
use crate::rules::{Agreement, Rules};
use crate::time_control::{GameClock, TimeControl, go_limits};

/// One side of a game.
pub struct Side<'a> {
    /// The player.
    pub contestant: &'a mut dyn Contestant,
    /// Its limits.
    pub control: &'a TimeControl,
}

impl std::fmt::Debug for Side<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Side").field("control", self.control).finish_non_exhaustive()
    }
}

/// A finished game.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
/// use std::time::Duration;
///
/// use komadai_match::{
///     Contestant, ContestantFault, Opening, PlayedGame, Reply, Rules, Side, TimeControl, Turn,
///     play_game,
/// };
/// use komadai_movegen::MoveGen;
/// use komadai_usi::BestMove;
///
/// struct First;
///
/// impl Contestant for First {
///     fn choose(&mut self, turn: &Turn<'_>) -> Result<Reply, ContestantFault> {
///         let best = turn.position.legal_moves()[0];
///         Ok(Reply::new(BestMove::Move { best, ponder: None }, Duration::ZERO))
///     }
/// }
///
/// let (mut black, mut white, control) = (First, First, TimeControl::nodes(1));
/// let sides = [
///     Side { contestant: &mut black, control: &control },
///     Side { contestant: &mut white, control: &control },
/// ];
/// let opening = Opening::from_usi("startpos moves 7g7f")?;
/// let mut rules = Rules::default();
/// rules.max_plies = 5;
/// let game = play_game(0, &opening, sides, &rules, &Arc::default());
/// let PlayedGame { moves, verdict, .. } = game.expect("nothing stops it");
/// assert_eq!((moves.len(), verdict.winner), (4, None));
/// # Ok::<(), komadai_match::OpeningError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlayedGame {
    /// The opening.
    pub opening: UsiPosition,
    /// The moves after the opening.
    pub moves: Vec<PlayedMove>,
    /// The end and the winner.
    pub verdict: Verdict,
    /// Details of the end for a reader, such as an illegal answer or the last output of the engine.
    /// Often empty.
    pub detail: String,
    /// Processor time of each side, Black's first, if it is known.
    pub cpu: [Option<Duration>; 2],
}

/// A move of a game with the report of its player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlayedMove {
    /// The move.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub m: Move,
    /// The time that the move took, as reported to the referee.
    pub elapsed: Duration,
    /// The value that the player reported, in centipawns; see [`Reply::score`].
    pub score: Option<i32>,
    /// The relation of `score` to the value.
    #[cfg_attr(feature = "serde", serde(default))]
    pub bound: Bound,
    /// Number of nodes visited; 0 if unknown.
    pub nodes: u64,
    /// The depth reached in plies; 0 if unknown.
    pub depth: u32,
    /// The depth at the start of the turn in plies; see [`Reply::start_depth`].
    #[cfg_attr(feature = "serde", serde(default))]
    pub start_depth: u32,
    /// True if the player had pondered on the move before this one, false if on another one; `None`
    /// if it had not pondered.
    #[cfg_attr(feature = "serde", serde(default))]
    pub ponder_hit: Option<bool>,
}

/// Plays one game. The first of `sides` is Black. Returns `None` if `stop` was set before the end.
///
/// A fault of a contestant ends the game. The caller has to [restart](Contestant::restart) it.
/// `number` is the number of the game in its match.
pub fn play_game<'a>(
    number: usize,
    opening: &Opening,
    sides: [Side<'a>; 2],
    rules: &'a Rules,
    stop: &'a Arc<AtomicBool>,
) -> Option<PlayedGame> {
    let clocks =
        [GameClock::new(sides[0].control.clone()), GameClock::new(sides[1].control.clone())];
    let referee = Referee {
        contestants: sides.map(|side| side.contestant),
        clocks,
        position: opening.position.clone(),
        game: opening.game.clone(),
        moves: Vec::new(),
        expected: [None; 2],
        agreement: Agreement::default(),
        rules,
        stop,
    };
    referee.play(number)
}

/// A game in progress.
struct Referee<'a> {
    contestants: [&'a mut dyn Contestant; 2],
    clocks: [GameClock; 2],
    position: Position,
    game: UsiPosition,
    moves: Vec<PlayedMove>,
    /// The replies on which the sides ponder.
    expected: [Option<Move>; 2],
    agreement: Agreement,
    rules: &'a Rules,
    stop: &'a Arc<AtomicBool>,
}

/// The end of a game.
struct Finish {
    verdict: Verdict,
    detail: String,
}

impl Referee<'_> {
    fn play(mut self, number: usize) -> Option<PlayedGame> {
        let failure = self.prepare(number);
        // Opened after the preparation: clearing a large table is not part of the game.
        let mut ledger = CpuLedger::open(self.contestants.each_ref().map(|c| c.cpu_clock()));
        let finish = match failure {
            Some(_) if self.stop.load(Ordering::Relaxed) => return None,
            Some(finish) => finish,
            None => self.play_moves(&mut ledger)?,
        };
        let cpu = ledger.close();
        for color in Color::ALL {
            self.contestants[color as usize].game_over(result_for(finish.verdict, color));
        }
        let mut opening = self.game;
        opening.moves.truncate(opening.moves.len() - self.moves.len());
        let Finish { verdict, detail } = finish;
        Some(PlayedGame { opening, moves: self.moves, verdict, detail, cpu })
    }

    /// Prepares both contestants. Returns the end of the game if one of them fails.
    fn prepare(&mut self, number: usize) -> Option<Finish> {
        Color::ALL.into_iter().find_map(|color| {
            let fault = self.contestants[color as usize].new_game(number).err()?;
            Some(Finish::by_fault(color, fault))
        })
    }

    /// Plays until the game is over. Returns `None` if it is stopped.
    fn play_moves(&mut self, ledger: &mut CpuLedger) -> Option<Finish> {
        loop {
            if let Some(verdict) = self.rules.verdict(&self.position) {
                return Some(Finish { verdict, detail: String::new() });
            }
            ledger.turn(self.position.side() as usize);
            let reply = self.request_move();
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            if let Err(finish) = reply.and_then(|reply| self.accept(&reply)) {
                return Some(finish);
            }
        }
    }

    fn request_move(&mut self) -> Result<Reply, Finish> {
        let us = self.position.side();
        let limits = go_limits([&self.clocks[0], &self.clocks[1]], us);
        let allowance = self.clocks[us as usize].allowance();
        let turn = Turn {
            position: &self.position,
            game: &self.game,
            limits: &limits,
            deadline: self.deadline(us),
            stop: self.stop,
        };
        let reply = self.contestants[us as usize].choose(&turn);
        let reply = reply.map_err(|fault| Finish::by_fault(us, fault))?;
        if allowance.is_none() && reply.elapsed > self.rules.patience {
            let waited = format!("answered after {} ms only", reply.elapsed.as_millis());
            return Err(Finish::by_fault(us, ContestantFault::new(FaultKind::Hang, waited)));
        }
        Ok(reply)
    }

    /// The time at which `us` is told to stop if its turn begins now.
    fn deadline(&self, us: Color) -> Instant {
        let allowance = self.clocks[us as usize].allowance();
        let wait = allowance.map_or(self.rules.patience, |time| self.rules.stop_after(time));
        let start = Instant::now();
        // `checked_add` fails for times beyond the range of `Instant`. A year is no less patient.
        start.checked_add(wait).unwrap_or(start + Duration::from_secs(31_536_000))
    }

    /// Lets the side that has just moved ponder on the reply that it expects, unless that would end
    /// the game.
    fn offer_ponder(&mut self, us: Color, reply: Option<Move>) -> Result<(), Finish> {
        let Some(reply) = reply.filter(|&reply| self.position.is_legal(reply)) else {
            return Ok(());
        };
        let mut position = self.position.clone();
        position.do_move(reply);
        if self.rules.verdict(&position).is_some() {
            return Ok(());
        }
        let mut game = self.game.clone();
        game.moves.push(reply);
        let limits = GoLimits { ponder: true, ..go_limits([&self.clocks[0], &self.clocks[1]], us) };
        let deadline = self.deadline(us);
        let turn =
            Turn { position: &position, game: &game, limits: &limits, deadline, stop: self.stop };
        let ponders = self.contestants[us as usize].ponder(&turn);
        let ponders = ponders.map_err(|fault| Finish::by_fault(us, fault))?;
        self.expected[us as usize] = ponders.then_some(reply);
        Ok(())
    }

    /// Makes the move that was answered, or ends the game.
    fn accept(&mut self, reply: &Reply) -> Result<(), Finish> {
        let us = self.position.side();
        if !self.clocks[us as usize].spend(reply.elapsed, self.rules.margin) {
            let verdict = Verdict::win(!us, Ending::TimeForfeit);
            let took = format!("{} took {} ms", reply.best, reply.elapsed.as_millis());
            return Err(Finish { verdict, detail: took });
        }
        let (m, expected) = match reply.best {
            BestMove::Move { best, ponder } => (best, ponder),
            BestMove::Resign => return Err(Finish::plain(!us, Ending::Resignation)),
            BestMove::Win => return Err(self.check_declaration()),
        };
        if let Err(reason) = self.position.check_legality(m) {
            let detail = format!("{m} in `position {}`: {reason}", self.game);
            return Err(Finish::by_fault(us, ContestantFault::new(FaultKind::IllegalMove, detail)));
        }
        let before = self.game.moves.last().copied();
        let ponder_hit = self.expected[us as usize].take().map(|reply| Some(reply) == before);
        self.position.do_move(m);
        self.game.moves.push(m);
        let &Reply { elapsed, score, bound, nodes, depth, start_depth, .. } = reply;
        self.moves.push(PlayedMove {
            m,
            elapsed,
            score,
            bound,
            nodes,
            depth,
            start_depth,
            ponder_hit,
        });
        self.adjudicate(us, score)?;
        if self.rules.verdict(&self.position).is_none() {
            self.offer_ponder(us, expected)?;
        }
        Ok(())
    }

    fn check_declaration(&self) -> Finish {
        let us = self.position.side();
        let report = self.position.declaration(self.rules.declaration);
        match report.outcome {
            DeclarationOutcome::Win => return Finish::plain(us, Ending::Declaration),
            DeclarationOutcome::Draw => {
                let verdict = Verdict::draw(Ending::Declaration);
                return Finish { verdict, detail: format!("{} points", report.points) };
            }
            DeclarationOutcome::Refused => {}
        }
        let reasons: Vec<String> = report.obstacles().map(|reason| reason.to_string()).collect();
        let detail = format!("in `position {}`: {}", self.game, reasons.join("; "));
        Finish::by_fault(us, ContestantFault::new(FaultKind::FalseDeclaration, detail))
    }

    fn adjudicate(&mut self, us: Color, score: Option<i32>) -> Result<(), Finish> {
        let Some(rule) = self.rules.adjudication else { return Ok(()) };
        // A game that the rules end needs no adjudication, but the value must be recorded in any
        // case.
        let is_over = self.rules.verdict(&self.position).is_some();
        if !self.agreement.record(us as usize, score, rule) || is_over {
            return Ok(());
        }
        Err(Finish::plain(!us, Ending::Adjudication))
    }
}

impl Finish {
    fn plain(winner: Color, ending: Ending) -> Self {
        Self { verdict: Verdict::win(winner, ending), detail: String::new() }
    }

    fn by_fault(loser: Color, fault: ContestantFault) -> Self {
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
