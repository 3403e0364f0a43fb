//! Tests of the public interface.

mod bundled;
mod making;
mod mending;
mod oracle;
mod text;
