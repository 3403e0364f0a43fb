//! Integration tests of the search, one module a subject.

mod bounds;
mod budget;
mod continuation;
mod evaluators;
mod helper_panics;
mod fresh;
mod game_end;
mod horizon;
mod judged;
mod mate_solver;
mod multi_pv;
mod naive;
mod quiescence;
mod scale;
mod selective;
mod rules;
#[cfg(feature = "serde")]
mod serde_settings;
mod shared_table;
mod signature;
mod visitor;
