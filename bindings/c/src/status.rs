//! Results of calls.

use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The result of a call. `komadai_last_error` tells more about a failure.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It has done its work.
    Ok = 0,
    /// An argument that may not be null is null.
    Null = 1,
    /// A text is not UTF-8, or is no position, move, notation, or option.
    BadText = 2,
    /// A number is out of its range.
    OutOfRange = 3,
    /// A move breaks a rule, or there is none to take back.
    IllegalMove = 4,
    /// The engine cannot be made or set, or cannot search this position.
    Engine = 5,
    /// The engine is searching for another thread.
    Busy = 6,
    /// The library has failed: please report it.
    Failed = 7,
}

/// A failure with its text.
pub struct Fault {
    status: Status,
    text: String,
}

impl Fault {
    /// The fault of this kind with the text of an error.
    pub fn new(status: Status, text: impl Display) -> Self {
        Self { status, text: text.to_string() }
    }

    /// The makers of faults of one kind, for `map_err`.
    pub fn of<E: Display>(status: Status) -> impl FnOnce(E) -> Self {
        move |error| Self::new(status, error)
    }
}

/// The fault of a number that is no value of its type.
pub fn out_of_range(what: &str, found: impl Display, expected: &str) -> Fault {
    Fault::new(Status::OutOfRange, format!("{what}: found {found}, expected {expected}"))
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::new(CString::default());
}

/// The text of the last failure on this thread, in UTF-8; empty if there was none. It is valid
/// until the next failure on this thread and is not to be freed.
#[unsafe(no_mangle)]
pub extern "C" fn komadai_last_error() -> *const c_char {
    LAST.with_borrow(|text| text.as_ptr())
}

/// Does the work of a call. Its fault, or a panic, becomes the status and the last error.
pub fn call(work: impl FnOnce() -> Result<(), Fault>) -> Status {
    // What a panic leaves half done is behind a lock, which notices it.
    let done = catch_unwind(AssertUnwindSafe(work));
    let fault = match done {
        Ok(Ok(())) => return Status::Ok,
        Ok(Err(fault)) => fault,
        Err(_) => Fault::new(Status::Failed, "the library has failed: please report it"),
    };
    let text = CString::new(fault.text.replace('\0', "\u{fffd}")).unwrap_or_default();
    LAST.with(|last| last.replace(text));
    fault.status
}
