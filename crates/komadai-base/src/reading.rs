//! Reading of texts: lines, their faults, and the tolerance of faults.

mod fault;
mod line_reader;
mod tolerance;

pub use fault::{TextFault, TextFaultKind};
pub use line_reader::{BOM, LineReader};
pub use tolerance::{Skipped, Tolerance};
