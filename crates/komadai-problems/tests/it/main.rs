//! Tests of the public interface.

mod bundled;
mod literature;
mod making;
mod mending;
mod oracle;
mod text;
