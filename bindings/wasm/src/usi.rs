//! The USI engine, line in and line out, on the thread of the caller.
//!
//! A line that starts a search returns after the search. Meanwhile the lines of the engine leave by
//! the host's function for reports, and `stop` and `ponderhit` come in as requests (see host.rs).

use std::cell::{Cell, RefCell};

use komadai::engine::{DetachedPlayer, Evaluation, Parts, Settings, UsiEngine};
use komadai::nnue::{Network, Nnue};
use komadai::usi::{Session, Waker};
use wasm_bindgen::prelude::*;

use crate::engine::HASH_MIB;
use crate::error::{Checked, Code};
use crate::host::report;

thread_local! {
    /// The dialogue. It is no field of the object, because the player's waker must reach it.
    static SESSION: RefCell<Option<Session<UsiEngine>>> = const { RefCell::new(None) };
    static POLLS: Cell<u32> = const { Cell::new(0) };
}

/// Number of polls of a search between two looks of the engine at its clock, about five
/// milliseconds.
const POLLS_A_LOOK: u32 = 8;

/// A USI engine. A module has one at most.
#[wasm_bindgen]
pub struct NativeUsi {
    player: DetachedPlayer,
}

#[wasm_bindgen]
impl NativeUsi {
    /// Starts the engine, with the bundled network or that of a file's bytes.
    pub fn create(network: Option<Vec<u8>>) -> Checked<NativeUsi> {
        let settings =
            Settings { hash_mib: HASH_MIB, mate_hash_mib: HASH_MIB, ..Settings::default() };
        let mut builder = UsiEngine::builder().settings(settings);
        if let Some(bytes) = network {
            let network =
                Network::from_bytes(&bytes).map_err(|error| Code::Network.error(error))?;
            let evaluation = Evaluation::Network(Nnue::new(network));
            builder = builder.parts(Parts::default().with_evaluation(&evaluation));
        }
        let (engine, player) = builder.build_detached(Waker::new(|| {
            deliver();
        }));
        SESSION.set(Some(Session::new(engine)));
        Ok(Self { player })
    }

    /// Takes a line, and works until there is nothing more to do for it.
    pub fn line(&mut self, line: &str) {
        feed(line);
        while self.player.work() | deliver() {}
    }
}

/// Hands a line to the engine, unless it is working at one.
pub fn feed(line: &str) {
    with_session(|session| session.feed_line(line));
}

/// Lets the engine look at its clock now and then during a search.
pub fn poll() {
    let polls = POLLS.get().wrapping_add(1);
    POLLS.set(polls);
    if polls.is_multiple_of(POLLS_A_LOOK) {
        deliver();
    }
}

/// Reports the lines that the engine has to say. Returns true if there was one.
fn deliver() -> bool {
    let messages = with_session(Session::poll).unwrap_or_default();
    messages.iter().for_each(|message| report(&message.to_string()));
    !messages.is_empty()
}

/// The engine reads the clock, which calls the host, so that it may be in use.
fn with_session<R>(action: impl FnOnce(&mut Session<UsiEngine>) -> R) -> Option<R> {
    SESSION.with(|session| {
        let mut session = session.try_borrow_mut().ok()?;
        session.as_mut().map(action)
    })
}
