//! Damage that redb meets with a panic.
//!
//! redb trusts the pages of a file: their checksums are looked at when a store is checked or brought in
//! order, not whenever it is read. Of a page that is none it panics, which no one could handle
//! to whom a file was given; here it becomes an error. A panic of the caller's own code, which is called
//! between rows, goes on as it is.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;

use super::error::{Fault, StoreError};

/// A panic that is the caller's.
struct OfTheCaller(Box<dyn Any + Send>);

/// What reads or writes a file. If it panics, the file is [damaged](StoreError::Corrupt).
///
/// Nothing half-done is seen afterwards: a transaction that did not end is as if it had not begun.
pub(super) fn fenced<T>(f: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|panic| {
        match panic.downcast::<OfTheCaller>() {
            Ok(panic) => resume_unwind(panic.0),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
                let reason =
                    format!("a page is in disorder ({})", text.unwrap_or("no more is known"));
                Err(StoreError::Corrupt { path: PathBuf::new(), reason }.into())
            }
        }
    })
}

/// What the caller does in the midst of what is [`fenced`].
pub(super) fn of_the_caller<T>(f: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(f))
        .unwrap_or_else(|panic| resume_unwind(Box::new(OfTheCaller(panic))))
}

/// What the caller makes in the midst of what is [`fenced`].
pub(super) fn made_by_the_caller<T>(made: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    let mut made = of_the_caller(|| made.into_iter());
    std::iter::from_fn(move || of_the_caller(|| made.next()))
}
