//! The C interface of komadai: positions, moves, search, mates and pictures.
//!
//! `include/komadai.h` is made from these functions. Each returns a [`Status`] or cannot fail;
//! texts of errors are those of the library. No panic crosses the border.
//!
//! # Safety
//!
//! The promise of a caller, for each function: pointers are null or valid, texts end with NUL,
//! arrays have room for the stated number of values. What a function takes as `const` is not
//! changed by another thread meanwhile, what it changes is not used by another thread. Null is
//! refused, unless it has a meaning.

mod engine;
mod limit;
mod mate;
mod moves;
mod picture;
mod pointers;
mod position;
mod status;

pub use engine::{Analysis, Choice, ChoiceKind, Engine, Line, OnAnalysis, ScoreBound, ScoreKind};
pub use limit::Limit;
pub use mate::{Goal, Mate, MateStatus};
pub use picture::Theme;
pub use position::{Color, Outcome, OutcomeKind, Position};
pub use status::Status;

use std::ffi::{CStr, c_char};

/// The number of this interface. It changes when a program has to be compiled again.
pub const ABI: u32 = 1;

/// The number of the interface of the library that runs: a program compares it with `KOMADAI_ABI`.
#[unsafe(no_mangle)]
pub extern "C" fn komadai_abi() -> u32 {
    ABI
}

/// The version of the library: `"0.1.0"`.
#[unsafe(no_mangle)]
pub extern "C" fn komadai_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => panic!("a version has no NUL"),
        };
    VERSION.as_ptr()
}
