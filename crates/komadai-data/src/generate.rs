//! Self-play on several threads.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use komadai_eval::Evaluator;

use crate::selfplay::{SelfPlayGame, SelfPlayOptions, SelfPlayer};

/// Plays games on several threads until `seed` has no more, `on_game` breaks or fails, or `stop` is
/// set.
///
/// `seed` returns the seed of each game, counted from 0, and `None` after the last one. `on_game`
/// receives the games one after another, in the order of their numbers, so that what it receives
/// does not depend on the number of threads. Only after `stop` are games missing: those that were
/// being played.
///
/// # Errors
///
/// Returns the error of `on_game`.
///
/// # Examples
///
/// ```
/// use std::convert::Infallible;
/// use std::num::NonZero;
/// use std::ops::ControlFlow;
/// use std::sync::atomic::AtomicBool;
///
/// use komadai_eval::Material;
/// use komadai_data::{SelfPlayOptions, generate};
///
/// let options = SelfPlayOptions { nodes: 50, ..SelfPlayOptions::default() };
/// let mut positions = 0;
/// let threads = NonZero::new(2).expect("not zero");
/// let stop = AtomicBool::new(false);
/// generate(&Material, &options, threads, &|game| Some(game), &stop, &mut |game| {
///     positions += game.positions.len();
///     let is_enough = positions >= 300;
///     Ok::<_, Infallible>(if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
/// })?;
/// assert!(positions >= 300);
/// # Ok::<(), Infallible>(())
/// ```
pub fn generate<V: Evaluator, E: Send>(
    evaluator: &V,
    options: &SelfPlayOptions,
    threads: NonZero<usize>,
    seed: &(dyn Fn(u64) -> Option<u64> + Sync),
    stop: &AtomicBool,
    on_game: &mut (dyn FnMut(SelfPlayGame) -> Result<ControlFlow<()>, E> + Send),
) -> Result<(), E> {
    let next = AtomicU64::new(0);
    let receiver = Mutex::new(Receiver { on_game, next: 0, early: BTreeMap::new(), result: None });
    let is_over = AtomicBool::new(false);
    let play = || {
        let mut player = SelfPlayer::new(evaluator, options.clone());
        while !is_over.load(Ordering::Relaxed) && !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(game) = seed(number).and_then(|seed| player.play(seed, stop)) else { return };
            // A caller that panicked gets no more games.
            let Ok(mut receiver) = receiver.lock() else { return };
            if receiver.receive(number, game) {
                is_over.store(true, Ordering::Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.get() {
            scope.spawn(play);
        }
        play();
    });
    // A panic of a thread has been passed on by the scope.
    receiver.into_inner().map_or(Ok(()), Receiver::finish)
}

/// The order of finished games, and the function that receives them.
struct Receiver<'f, E> {
    on_game: &'f mut (dyn FnMut(SelfPlayGame) -> Result<ControlFlow<()>, E> + Send),
    /// The number of the game that is received next.
    next: u64,
    /// Games that have ended before the next one.
    early: BTreeMap<u64, SelfPlayGame>,
    /// It is known once the function wants no more games.
    result: Option<Result<(), E>>,
}

impl<E> Receiver<'_, E> {
    /// Takes a game that has ended. Returns whether no more games are wanted.
    fn receive(&mut self, number: u64, game: SelfPlayGame) -> bool {
        self.early.insert(number, game);
        while self.result.is_none()
            && let Some(game) = self.early.remove(&self.next)
        {
            self.next += 1;
            self.pass_on(game);
        }
        self.result.is_some()
    }

    fn pass_on(&mut self, game: SelfPlayGame) {
        match (self.on_game)(game) {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(())) => self.result = Some(Ok(())),
            Err(error) => self.result = Some(Err(error)),
        }
    }

    /// Passes on the games that wait for others, which were stopped.
    fn finish(mut self) -> Result<(), E> {
        while self.result.is_none()
            && let Some((_, game)) = self.early.pop_first()
        {
            self.pass_on(game);
        }
        self.result.unwrap_or(Ok(()))
    }
}
