//! Self-play on several threads.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use komadai_eval::Evaluator;

use crate::selfplay::{SelfPlayGame, SelfPlayOptions, SelfPlayer};

/// Plays games on several threads until `on_game` breaks or fails, or `stop` is set.
///
/// `seed` returns the seed of each game, counted from 0. `on_game` receives the finished games, one
/// after another, in the order in which they end.
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
/// generate(&Material, &options, threads, &|game| game, &AtomicBool::new(false), &mut |game| {
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
    seed: &(dyn Fn(u64) -> u64 + Sync),
    stop: &AtomicBool,
    on_game: &mut (dyn FnMut(SelfPlayGame) -> Result<ControlFlow<()>, E> + Send),
) -> Result<(), E> {
    let next = AtomicU64::new(0);
    // The result is known once the caller wants no more games.
    let on_game = Mutex::new((on_game, None));
    let is_over = AtomicBool::new(false);
    let play = || {
        let mut player = SelfPlayer::new(evaluator, options.clone());
        while !is_over.load(Ordering::Relaxed) && !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(game) = player.play(seed(number), stop) else { return };
            // A caller that panicked gets no more games.
            let Ok(mut receiver) = on_game.lock() else { return };
            let (on_game, result) = &mut *receiver;
            if result.is_some() {
                return;
            }
            match on_game(game) {
                Ok(ControlFlow::Continue(())) => continue,
                Ok(ControlFlow::Break(())) => *result = Some(Ok(())),
                Err(error) => *result = Some(Err(error)),
            }
            is_over.store(true, Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.get() {
            scope.spawn(play);
        }
        play();
    });
    // A panic of a thread has been passed on by the scope.
    on_game.into_inner().ok().and_then(|(_, result)| result).unwrap_or(Ok(()))
}
