//! The clock of the platform, and what a search exchanges with JavaScript.
//!
//! A search runs on the only thread that the module has. It looks for a request by a function of
//! JavaScript, every few hundred nodes.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use komadai_base::clock::{Host, install};
use wasm_bindgen::prelude::*;

use crate::usi;

#[wasm_bindgen(raw_module = "./host.js")]
extern "C" {
    /// Milliseconds since a fixed moment.
    fn now() -> f64;

    /// A request to the search that runs, each once: 0 none, 1 `stop`, 2 `ponderhit`.
    fn request() -> u32;

    /// Receives a report of the search that runs.
    pub fn report(text: &str);
}

thread_local! {
    /// The flag of the search that runs.
    static STOP: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
    /// The text of the panic that ended the module.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Prepares the module: its clock, and the text of a panic.
#[wasm_bindgen(start)]
fn start() {
    install(Host {
        now: || Duration::from_secs_f64(now().max(0.0) / 1e3),
        poll: || {
            match request() {
                0 => {}
                1 => {
                    STOP.with_borrow(|stop| {
                        stop.iter().for_each(|stop| stop.store(true, Ordering::Relaxed));
                    });
                    usi::feed("stop");
                }
                _ => usi::feed("ponderhit"),
            }
            usi::poll();
        },
    });
    std::panic::set_hook(Box::new(|panic| {
        PANIC.with(|text| text.replace(panic.to_string()));
    }));
}

/// Returns the text of the panic that ended the module; empty if there was none.
#[wasm_bindgen(js_name = panicText)]
pub fn panic_text() -> String {
    PANIC.with_borrow(String::clone)
}

/// Runs a search with a flag that requests of JavaScript set.
pub fn stoppable<R>(search: impl FnOnce(Arc<AtomicBool>) -> R) -> R {
    let stop = Arc::new(AtomicBool::new(false));
    STOP.set(Some(Arc::clone(&stop)));
    let result = search(stop);
    STOP.set(None);
    result
}
