//! The native part of the Python package `komadai`.

mod architecture;
mod board;
mod book;
mod book_graph;
mod book_values;
mod data;
mod engine;
mod errors;
mod game_analysis;
mod limit;
mod matches;
mod mate;
mod moves;
mod network;
mod paths;
mod record;
mod record_files;
mod rows;
mod analysis;
mod root_move;
mod time_control;
mod training;
mod usi_engine;
mod usi_options;
mod waiting;

use pyo3::prelude::*;

/// Adds all classes, functions and exceptions.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    errors::add_to(module)?;
    module.add_class::<moves::PyMove>()?;
    module.add_class::<board::PyBoard>()?;
    module.add_class::<board::PyOutcome>()?;
    module.add_class::<record::PyGame>()?;
    module.add_class::<record::PyGameMove>()?;
    module.add_class::<record_files::PyRecordFiles>()?;
    module.add_class::<record_files::PyFileGame>()?;
    module.add_class::<limit::PyLimit>()?;
    module.add_class::<analysis::PyScore>()?;
    module.add_class::<analysis::PyLine>()?;
    module.add_class::<analysis::PyAnalysis>()?;
    module.add_class::<root_move::PyRootMove>()?;
    module.add_class::<engine::PyEngine>()?;
    module.add_class::<engine::PyPlayResult>()?;
    module.add_class::<usi_engine::PyUsiEngine>()?;
    module.add_class::<time_control::PyTimeControl>()?;
    module.add_class::<matches::PyMatchResult>()?;
    module.add_class::<matches::PyElo>()?;
    module.add_class::<mate::PyMateResult>()?;
    module.add_class::<mate::PyProblemReport>()?;
    module.add_class::<book::PyBook>()?;
    module.add_class::<book::PyBookMove>()?;
    module.add_class::<book_graph::PyBookGraph>()?;
    module.add_class::<book_values::PyBookValue>()?;
    module.add_class::<book_values::PyGraphMove>()?;
    module.add_class::<book_values::PyFrontierPosition>()?;
    module.add_class::<architecture::PyArchitecture>()?;
    module.add_class::<network::PyNetwork>()?;
    module.add_function(wrap_pyfunction!(mate::solve_mate, module)?)?;
    module.add_function(wrap_pyfunction!(mate::check_problem, module)?)?;
    module.add_class::<game_analysis::PyGameAnalysis>()?;
    module.add_class::<game_analysis::PyMoveAnalysis>()?;
    module.add_function(wrap_pyfunction!(game_analysis::analyse_game, module)?)?;
    module.add_function(wrap_pyfunction!(matches::play_match, module)?)?;
    module.add_function(wrap_pyfunction!(matches::bundled_openings, module)?)?;
    module.add_function(wrap_pyfunction!(record::read_games, module)?)?;
    module.add_function(wrap_pyfunction!(record::parse_games, module)?)?;
    training::add_to(module)?;
    data::add_to(module)
}
