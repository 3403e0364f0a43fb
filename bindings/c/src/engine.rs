//! The engine: book, mate solver and search.

use std::ffi::{c_char, c_void};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError, mpsc};
use std::thread;

use komadai::core::{Analysis as Found, Bound, Line as FoundLine};
use komadai::engine::{Aim, Choice as Chosen, MoveRequest, Player, Settings};
use komadai::usi::BestMove;

use crate::limit::Limit;
use crate::moves::{NO_MOVE, number};
use crate::pointers::{free, give, give_box, shared, text};
use crate::position::Position;
use crate::status::{Fault, Status, call};

/// Stack of the thread that searches: a line may have hundreds of moves, and the threads of an app
/// have small stacks.
const STACK: usize = 32 << 20;

/// An engine. It makes one search at a time; `komadai_engine_stop` may be called on any thread.
pub struct Engine {
    player: Mutex<Player>,
    /// The flag that ends the search in progress.
    stop: Mutex<Arc<AtomicBool>>,
}

/// The unit of a value.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScoreKind {
    /// Centipawns for the side to move.
    Centipawns = 0,
    /// Plies to mate, negative if the side to move is mated.
    Mate = 1,
}

/// The exactness of a value.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScoreBound {
    /// The value.
    Exact = 0,
    /// The value is at least this.
    Lower = 1,
    /// The value is at most this.
    Upper = 2,
}

/// A line of a search.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Line {
    /// The unit of the value.
    pub kind: ScoreKind,
    /// The value for the side to move.
    pub value: i32,
    /// The exactness of the value.
    pub bound: ScoreBound,
    /// The depth of the search of this line, in plies.
    pub depth: u32,
    /// The moves.
    pub moves: *const u16,
    /// The number of moves.
    pub length: usize,
}

/// The state of a search: its lines, the best first. It is valid during the call that gets it.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Analysis {
    /// The depth of the last finished iteration, in plies.
    pub depth: u32,
    /// The depth of the longest line, in plies.
    pub seldepth: u32,
    /// The number of nodes.
    pub nodes: u64,
    /// Milliseconds.
    pub time_ms: u64,
    /// The lines.
    pub lines: *const Line,
    /// The number of lines.
    pub line_count: usize,
}

/// A function that gets the state of a search after each iteration, and once more at its end.
/// It runs on the thread that called `komadai_engine_search`; false ends the search. It must
/// not throw.
pub type OnAnalysis = Option<unsafe extern "C" fn(*mut c_void, *const Analysis) -> bool>;

/// The decision of an engine.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChoiceKind {
    /// A move.
    Move = 0,
    /// The engine resigns, or has no legal move.
    Resign = 1,
    /// The engine declares a win (入玉宣言).
    Win = 2,
}

/// The choice of an engine.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    /// A move, a resignation or a declaration.
    pub kind: ChoiceKind,
    /// The move, or 0.
    pub best: u16,
    /// The expected reply, or 0.
    pub ponder: u16,
    /// The number of nodes of mate solver and search.
    pub nodes: u64,
}

/// Writes a new engine with a table of 64 MiB and one thread. `network` is the file of a network of
/// another program (nn.bin) or a folder with one; null for the network inside the library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn komadai_engine_new(
    network: *const c_char,
    out: *mut *mut Engine,
) -> Status {
    call(|| {
        let mut settings = Settings { hash_mib: 64, ..Settings::default() };
        if !network.is_null() {
            // SAFETY: the caller's promise.
            let path = PathBuf::from(unsafe { text(network, "the path of the network") }?);
            if path.is_dir() {
                settings.eval_directory = Some(path);
            } else {
                settings.eval_file = Some(path);
            }
        }
        let player = Player::new(settings).map_err(Fault::of(Status::Engine))?;
        let engine = Engine { player: Mutex::new(player), stop: Mutex::default() };
        // SAFETY: the caller's promise.
        unsafe { give_box(out, engine) }
    })
}

/// Frees an engine, which must not be searching. Null is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn komadai_engine_free(engine: *mut Engine) {
    // SAFETY: the caller's promise.
    unsafe { free(engine) };
}

impl Engine {
    fn player(&self) -> Result<MutexGuard<'_, Player>, Fault> {
        match self.player.try_lock() {
            Ok(player) => Ok(player),
            Err(TryLockError::WouldBlock) => Err(Fault::new(
                Status::Busy,
                "the engine is searching: it makes one search at a time",
            )),
            Err(TryLockError::Poisoned(_)) => Err(Fault::new(
                Status::Failed,
                "an earlier search of this engine has failed: make a new engine",
            )),
        }
    }
}

/// Sets a USI option: "USI_Hash", "Threads", "MultiPV", "SkillLevel" and all others of the engine,
/// with its value as text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn komadai_engine_set(
    engine: *const Engine,
    name: *const c_char,
    value: *const c_char,
) -> Status {
    call(|| {
        // SAFETY: the caller's promise.
        let engine = unsafe { shared(engine, "the engine") }?;
        // SAFETY: the caller's promise.
        let name = unsafe { text(name, "the name of the option") }?;
        // SAFETY: the caller's promise.
        let value = unsafe { text(value, "the value of the option") }?;
        let mut player = engine.player()?;
        let mut settings = player.settings().clone();
        settings.set_text(name, value).map_err(Fault::of(Status::BadText))?;
        player.set_settings(settings).map_err(Fault::of(Status::Engine))
    })
}

/// Forgets everything learned from earlier searches.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn komadai_engine_new_game(engine: *const Engine) -> Status {
    call(|| {
        // SAFETY: the caller's promise.
        unsafe { shared(engine, "the engine") }?.player()?.new_game();
        Ok(())
    })
}

/// Writes the static value of a position in centipawns for the side to move.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn komadai_engine_evaluate(
    engine: *const Engine,
    position: *const Position,
    out: *mut i32,
) -> Status {
    call(|| {
        // SAFETY: the caller's promise.
        let position = unsafe { shared(position, "the position") }?;
        // SAFETY: the caller's promise.
        let player = unsafe { shared(engine, "the engine") }?.player()?;
        // SAFETY: the caller's promise.
        unsafe { give(out, player.evaluation().value(&position.0)) }
    })
}

/// Ends the search that another thread waits for. It returns what it has found.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn komadai_engine_stop(engine: *const Engine) -> Status {
    call(|| {
        // SAFETY: the caller's promise.
        let engine = unsafe { shared(engine, "the engine") }?;
        let stop = engine.stop.lock().unwrap_or_else(PoisonError::into_inner);
        stop.store(true, Ordering::Relaxed);
        Ok(())
    })
}

/// Searches for a move to play, or with `analyse` for the values of the best lines without book and
/// mate solver. `on_analysis` may be null; `user` is passed to it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn komadai_engine_search(
    engine: *const Engine,
    position: *const Position,
    limit: Limit,
    analyse: bool,
    on_analysis: OnAnalysis,
    user: *mut c_void,
    out: *mut Choice,
) -> Status {
    call(|| {
        // SAFETY: the caller's promise.
        let engine = unsafe { shared(engine, "the engine") }?;
        // SAFETY: the caller's promise.
        let position = unsafe { shared(position, "the position") }?;
        let mut tell = |found: &Found| match on_analysis {
            // SAFETY: the caller's promise: the function takes these arguments.
            Some(on_analysis) => with_analysis(found, |told| unsafe { on_analysis(user, told) }),
            None => true,
        };
        let choice = search(engine, position, &limit, analyse, &mut tell)?;
        tell(&choice.analysis);
        let (kind, ponder) = match choice.best {
            BestMove::Move { ponder, .. } => (ChoiceKind::Move, ponder),
            BestMove::Resign => (ChoiceKind::Resign, None),
            BestMove::Win => (ChoiceKind::Win, None),
        };
        let best = choice.best.to_move().map_or(NO_MOVE, |m| m.to_bits());
        let nodes = choice.analysis.nodes;
        // SAFETY: the caller's promise.
        unsafe { give(out, Choice { kind, best, ponder: number(ponder), nodes }) }
    })
}

/// Searches on a thread of its own, and tells what it finds on this one.
fn search(
    engine: &Engine,
    position: &Position,
    limit: &Limit,
    analyse: bool,
    tell: &mut dyn FnMut(&Found) -> bool,
) -> Result<Chosen, Fault> {
    let mut player = engine.player()?;
    let stop = Arc::new(AtomicBool::new(false));
    *engine.stop.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&stop);
    let mut request = MoveRequest::new(&position.0, limit.budget(&stop));
    request.aim = if analyse { Aim::Analyse } else { Aim::Play };
    let player = &mut *player;
    let (sender, news) = mpsc::channel();
    let work = move || {
        player.choose(&request, &mut |found: &Found| {
            // The receiver is there as long as the search.
            let _ = sender.send(found.clone());
        })
    };
    thread::scope(|scope| {
        let thread = thread::Builder::new().name("komadai".to_owned()).stack_size(STACK);
        let worker = thread.spawn_scoped(scope, work).map_err(Fault::of(Status::Engine))?;
        for found in news {
            if !tell(&found) {
                stop.store(true, Ordering::Relaxed);
            }
        }
        worker
            .join()
            .map_err(|_| Fault::new(Status::Failed, "the search has failed: please report it"))
    })
}

/// Shows an analysis in the form of C.
fn with_analysis(found: &Found, show: impl FnOnce(*const Analysis) -> bool) -> bool {
    let moves: Vec<Vec<u16>> =
        found.lines.iter().map(|line| line.pv.iter().map(|m| m.to_bits()).collect()).collect();
    let lines: Vec<Line> =
        found.lines.iter().zip(&moves).map(|(line, moves)| in_c(line, moves)).collect();
    let analysis = Analysis {
        depth: found.depth,
        seldepth: found.seldepth,
        nodes: found.nodes,
        time_ms: u64::try_from(found.time.as_millis()).unwrap_or(u64::MAX),
        lines: lines.as_ptr(),
        line_count: lines.len(),
    };
    show(&analysis)
}

fn in_c(line: &FoundLine, moves: &[u16]) -> Line {
    let (kind, value) = match (line.score.to_cp(), line.score.mate_plies()) {
        (None, Some(plies)) => (ScoreKind::Mate, plies),
        (cp, _) => (ScoreKind::Centipawns, cp.unwrap_or_default()),
    };
    let bound = match line.bound {
        Bound::Exact => ScoreBound::Exact,
        Bound::Lower => ScoreBound::Lower,
        Bound::Upper => ScoreBound::Upper,
    };
    Line { kind, value, bound, depth: line.depth, moves: moves.as_ptr(), length: moves.len() }
}
