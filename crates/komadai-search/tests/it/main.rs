//! Integration tests of the search, one module a subject.

mod budget;
mod evaluators;
mod fresh;
mod game_end;
mod horizon;
mod multi_pv;
mod naive;
mod quiescence;
mod rules;
mod shared_table;
mod signature;
mod visitor;
