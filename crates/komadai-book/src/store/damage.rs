//! Conversion of redb's panics into errors.
//!
//! redb trusts the pages of a file: it verifies their checksums when a store is checked, verified or repaired,
//! not when it is read. On a damaged page it panics. Here the panic becomes an error, because a damaged file must not
//! end the program, and its message is not printed. A panic of the caller's own code, which runs between rows,
//! is printed and passed on unchanged.

use std::any::Any;
use std::cell::Cell;
use std::ops::{Deref, DerefMut};
use std::panic::{self, AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::Once;
use std::thread;

use super::error::{StoreError, StoreFault};

/// A panic of the caller's code.
struct CallerPanic(Box<dyn Any + Send>);

thread_local! {
    /// True while a panic of this thread becomes an error.
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

/// The time in which panics of this thread are printed or not; its end restores the state before.
struct Panics {
    was_quiet: bool,
}

impl Panics {
    fn not_printed() -> Self {
        install_hook();
        Self { was_quiet: IS_QUIET.replace(true) }
    }

    fn printed() -> Self {
        Self { was_quiet: IS_QUIET.replace(false) }
    }
}

impl Drop for Panics {
    fn drop(&mut self) {
        IS_QUIET.set(self.was_quiet);
    }
}

/// Puts a filter before the hook that prints panics, once a process. All other panics reach that hook.
fn install_hook() {
    static INSTALLED: Once = Once::new();
    // The hook cannot be changed while the thread unwinds.
    if INSTALLED.is_completed() || thread::panicking() {
        return;
    }
    INSTALLED.call_once(|| {
        let printing = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // A thread that ends has no such state any more.
            if !IS_QUIET.try_with(Cell::get).unwrap_or(false) {
                printing(info);
            }
        }));
    });
}

/// Runs `f`, which reads or writes a file, and reports a panic as [damage](StoreError::Corrupt).
///
/// Unwinding leaves no partial change, because an unfinished transaction has no effect.
pub(super) fn report_damage<T>(f: impl FnOnce() -> Result<T, StoreFault>) -> Result<T, StoreFault> {
    let _panics = Panics::not_printed();
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|panic| Err(damage_of(panic)))
}

/// An open database, which is closed without panic.
///
/// After a panic on a damaged page, redb's own closing panics as well. What has been acknowledged is on disk
/// before.
pub(crate) struct Closing<T>(Option<T>);

impl<T> Closing<T> {
    pub(super) fn new(database: T) -> Self {
        Self(Some(database))
    }
}

impl<T> Deref for Closing<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_ref().expect("it is open until it is dropped")
    }
}

impl<T> DerefMut for Closing<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_mut().expect("it is open until it is dropped")
    }
}

impl<T> Drop for Closing<T> {
    fn drop(&mut self) {
        let database = self.0.take();
        // The damage has been reported by the operation that met it.
        let _ = report_damage(|| {
            drop(database);
            Ok(())
        });
    }
}

/// The damage that a panic reports. A panic of the caller's code is passed on.
///
/// A function of its own, because `report_damage` is compiled for each of its many closures.
#[cold]
fn damage_of(panic: Box<dyn Any + Send>) -> StoreFault {
    match panic.downcast::<CallerPanic>() {
        Ok(panic) => resume_unwind(panic.0),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            let reason = format!("a page is damaged ({})", text.unwrap_or("no details"));
            StoreError::Corrupt { path: PathBuf::new(), reason }.into()
        }
    }
}

/// Runs code of the caller inside [`report_damage`]. Its panics are passed on.
pub(super) fn run_caller_code<T>(f: impl FnOnce() -> T) -> T {
    let _panics = Panics::printed();
    catch_unwind(AssertUnwindSafe(f))
        .unwrap_or_else(|panic| resume_unwind(Box::new(CallerPanic(panic))))
}

/// An iterator of the caller, for use inside [`report_damage`]. Its panics are passed on.
pub(super) fn caller_items<T>(made: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    let mut made = run_caller_code(|| made.into_iter());
    std::iter::from_fn(move || run_caller_code(|| made.next()))
}
