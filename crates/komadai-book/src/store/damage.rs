//! Conversion of redb's panics into errors.
//!
//! redb trusts the pages of a file: it verifies their checksums when a store is checked or repaired, not when
//! it is read. On a damaged page it panics. Here the panic becomes an error, because a damaged file must not
//! end the program. A panic of the caller's own code, which runs between rows, is passed on unchanged.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;

use super::error::{Fault, StoreError};

/// A panic of the caller's code.
struct OfTheCaller(Box<dyn Any + Send>);

/// Runs `f`, which reads or writes a file, and reports a panic as [damage](StoreError::Corrupt).
///
/// Unwinding leaves no partial change, because an unfinished transaction has no effect.
pub(super) fn fenced<T>(f: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|panic| {
        match panic.downcast::<OfTheCaller>() {
            Ok(panic) => resume_unwind(panic.0),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
                let reason = format!("a page is damaged ({})", text.unwrap_or("no details"));
                Err(StoreError::Corrupt { path: PathBuf::new(), reason }.into())
            }
        }
    })
}

/// Runs code of the caller inside [`fenced`]. Its panics are passed on.
pub(super) fn of_the_caller<T>(f: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(f))
        .unwrap_or_else(|panic| resume_unwind(Box::new(OfTheCaller(panic))))
}

/// An iterator of the caller, for use inside [`fenced`]. Its panics are passed on.
pub(super) fn made_by_the_caller<T>(made: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    let mut made = of_the_caller(|| made.into_iter());
    std::iter::from_fn(move || of_the_caller(|| made.next()))
}
