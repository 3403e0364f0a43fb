//! Self-play on several threads.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use komadai_eval::Evaluator;

use crate::selfplay::{SelfPlayGame, SelfPlayOptions, SelfPlayer};

/// Plays games on several threads until `on_game` breaks or `stop` is set.
///
/// `seed` returns the seed of each game, counted from 0. `on_game` receives the finished games, one after
/// another, in the order in which they end.
///
/// # Examples
///
/// ```
/// use std::num::NonZero;
/// use std::ops::ControlFlow;
/// use std::sync::atomic::AtomicBool;
///
/// use komadai_eval::Material;
/// use komadai_data::{SelfPlayOptions, generate};
///
/// let mut options = SelfPlayOptions::default();
/// options.nodes = 50;
/// let mut positions = 0;
/// let threads = NonZero::new(2).expect("not zero");
/// generate(&Material, &options, threads, &|game| game, &AtomicBool::new(false), &mut |game| {
///     positions += game.positions.len();
///     if positions < 300 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
/// });
/// assert!(positions >= 300);
/// ```
pub fn generate<E: Evaluator>(
    evaluator: &E,
    options: &SelfPlayOptions,
    threads: NonZero<usize>,
    seed: &(dyn Fn(u64) -> u64 + Sync),
    stop: &AtomicBool,
    on_game: &mut (dyn FnMut(SelfPlayGame) -> ControlFlow<()> + Send),
) {
    let next = AtomicU64::new(0);
    // `None` once the caller wants no more games.
    let on_game = Mutex::new(Some(on_game));
    let is_over = AtomicBool::new(false);
    let play = || {
        let mut player = SelfPlayer::new(evaluator, options.clone());
        while !is_over.load(Ordering::Relaxed) && !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(game) = player.play(seed(number), stop) else { return };
            // A caller that panicked gets no more games.
            let Ok(mut receiver) = on_game.lock() else { return };
            let Some(on_game) = receiver.as_mut() else { return };
            if on_game(game).is_break() {
                *receiver = None;
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
}
