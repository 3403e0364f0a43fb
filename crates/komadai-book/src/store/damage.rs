//! Conversion of redb's panics into errors.
//!
//! redb trusts the pages of a file: it verifies their checksums when a store is checked, verified
//! or repaired, not when it is read. On a damaged page it panics. Here the panic becomes an error,
//! because a damaged file must not end the program. A panic of the caller's own code goes on
//! unchanged.

use std::any::Any;
use std::cell::Cell;
use std::ops::{Deref, DerefMut};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;

use super::error::{StoreError, StoreFault};

thread_local! {
    /// True while a panic of this thread becomes an error.
    static IS_REPORTING: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether a panic of this thread would become a [`StoreError::Corrupt`].
///
/// Rust prints a message about every panic, also about those that become errors. A program whose
/// output would suffer from it leaves them out by a hook of its own.
///
/// # Examples
///
/// ```
/// use std::panic;
///
/// use komadai_book::store::is_reporting_damage;
///
/// let print = panic::take_hook();
/// panic::set_hook(Box::new(move |info| {
///     if !is_reporting_damage() {
///         print(info);
///     }
/// }));
/// ```
pub fn is_reporting_damage() -> bool {
    // A thread that ends has no such state any more.
    IS_REPORTING.try_with(Cell::get).unwrap_or(false)
}

/// Runs `f`, which reads or writes a file, and reports a panic as [damage](StoreError::Corrupt).
///
/// Unwinding leaves no partial change, because an unfinished transaction has no effect.
pub(super) fn report_damage<T>(f: impl FnOnce() -> Result<T, StoreFault>) -> Result<T, StoreFault> {
    let before = IS_REPORTING.replace(true);
    let result = catch_unwind(AssertUnwindSafe(f));
    // A panic within `run_caller_code` leaves the state that it has set.
    let is_damage = IS_REPORTING.replace(before);
    result.unwrap_or_else(
        |panic| if is_damage { Err(damage_of(panic)) } else { resume_unwind(panic) },
    )
}

/// Runs code of the caller inside [`report_damage`]. Its panics are passed on.
pub(super) fn run_caller_code<T>(f: impl FnOnce() -> T) -> T {
    let before = IS_REPORTING.replace(false);
    let made = f();
    IS_REPORTING.set(before);
    made
}

/// The damage that a panic reports.
///
/// A function of its own, because `report_damage` is compiled for each of its many closures.
#[cold]
fn damage_of(panic: Box<dyn Any + Send>) -> StoreFault {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    let reason = format!("a page is damaged ({})", text.unwrap_or("no details"));
    StoreError::Corrupt { path: PathBuf::new(), reason }.into()
}

/// An open database or a part of it, which is closed without panic.
///
/// After a panic on a damaged page, redb's own closing panics as well. What has been acknowledged
/// is on disk before.
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
