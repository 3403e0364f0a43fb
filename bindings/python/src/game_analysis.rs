//! Analyses of whole games.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use komadai::analysis::game_analysis::{
    AnnotationForm, Effort, GameAnalysis, GameAnalyst, Judgement, OldAnalyses, PlyAnalysis,
};
use komadai::core::{
    Analysis, Analyst, AnalystError, AnalystId, Budget, Color, Language, Move, Position,
};
use komadai::engine::{Aim, MoveRequest, Player, Settings};
use komadai::kifu::{Notation, Record};
use komadai::report::{EvaluationGraph, GraphPoint, PointMark};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::analysis::PyScore;
use crate::board::{THEMES, one_of, read_color};
use crate::errors;
use crate::limit::PyLimit;
use crate::matches::{self, PlayerArg};
use crate::moves::{PyMove, color_name, list, object};
use crate::record::PyGame;
use crate::waiting;

/// The player of this process as an analyst.
struct PlayerAnalyst(Player);

impl Analyst for PlayerAnalyst {
    fn identity(&self) -> AnalystId {
        AnalystId::new("komadai", env!("CARGO_PKG_VERSION"))
    }

    fn analyse(&mut self, position: &Position, budget: &Budget) -> Result<Analysis, AnalystError> {
        let mut request = MoveRequest::new(position, budget.clone());
        request.aim = Aim::Analyse;
        Ok(self.0.choose(&request, &mut |_| {}).analysis)
    }

    fn scale(&self) -> f64 {
        self.0.searcher().scale()
    }

    fn forget(&mut self) {
        self.0.new_game();
    }
}

fn analyst(engine: &PlayerArg, threads: NonZero<usize>) -> PyResult<GameAnalyst> {
    match engine {
        PlayerArg::Usi(engine) => {
            GameAnalyst::usi(&engine.get().config()?, threads).map_err(errors::engine)
        }
        PlayerArg::Embedded(engine) => {
            let settings = Settings { multi_pv: 1, ..engine.get().settings()? };
            let worker = |_| {
                let player = Player::new(settings.clone()).map_err(errors::engine)?;
                Ok(Box::new(PlayerAnalyst(player)) as Box<dyn Analyst>)
            };
            let workers = (0..threads.get()).map(worker).collect::<PyResult<_>>()?;
            Ok(GameAnalyst::new(workers))
        }
    }
}

/// Analyses every position of a game and judges every move.
///
/// engine is an Engine or a UsiEngine; threads of its kind are made, and the result does not depend
/// on their number. limit has one of nodes, depth and time, for each position; nodes end a search
/// between two iterations, so that values are exact. mate_nodes limits the mate solver's questions
/// at each position, 0 for none. on_progress is called with the numbers of finished and of all
/// positions.
#[pyfunction]
#[pyo3(signature = (game, engine, limit, *, threads=1, mate_nodes=20_000, on_progress=None))]
pub fn analyse_game(
    py: Python<'_>,
    game: &PyGame,
    engine: PlayerArg,
    limit: &PyLimit,
    threads: usize,
    mate_nodes: u64,
    on_progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyGameAnalysis> {
    let budget = limit.budget(&Arc::default());
    let effort = match (budget.least_nodes(), budget.depth, limit.duration()) {
        (Some(nodes), None, None) => Effort::Nodes(nodes),
        (None, Some(depth), None) => Effort::Depth(depth),
        (None, None, Some(time)) => Effort::Time(time),
        _ => return Err(errors::value("found several limits, expected nodes, depth or time")),
    };
    let threads = matches::threads(threads)?;
    let mut analyst = analyst(&engine, threads)?;
    let stop: Arc<AtomicBool> = Arc::default();
    (analyst.effort, analyst.mate_nodes, analyst.stop) = (effort, mate_nodes, Arc::clone(&stop));
    let record = Arc::clone(game.record());
    let analysis = waiting::run(
        py,
        &stop,
        |news| {
            analyst.analyse(&record, |progress| {
                // The receiver is there as long as this thread.
                let _ = news.send((progress.done, progress.total));
            })
        },
        |_, progress| match on_progress {
            Some(on_progress) => on_progress.call1(progress).map(|_| ()),
            None => Ok(()),
        },
    )?;
    let analysis = analysis.map_err(errors::kifu)?;
    if let Some(error) = analysis.plies.iter().find_map(|ply| ply.failure.as_ref()) {
        return Err(errors::engine(error));
    }
    let moves: Vec<Move> = analysis.plies.iter().filter_map(|ply| ply.played).collect();
    let start = Position::from_setup_leniently(&record.setup).map_err(errors::kifu)?;
    let names = Notation::Japanese.names(&start, &moves);
    Ok(PyGameAnalysis { analysis: Arc::new(analysis), record, names })
}

/// The analysis of a game. In a notebook: the graph of its values.
#[pyclass(name = "GameAnalysis", module = "komadai", frozen)]
pub struct PyGameAnalysis {
    analysis: Arc<GameAnalysis>,
    record: Arc<Record>,
    names: Vec<String>,
}

impl PyGameAnalysis {
    fn point(ply: &PlyAnalysis) -> GraphPoint {
        let plies = u32::try_from(ply.ply - 1).unwrap_or(u32::MAX);
        GraphPoint { bound: ply.black_bound(), ..GraphPoint::new(plies, ply.black_score()) }
    }
}

#[pymethods]
impl PyGameAnalysis {
    /// The moves of the game with what was found about them.
    #[getter]
    fn moves(&self) -> Vec<PyMoveAnalysis> {
        let numbers = 0..self.names.len();
        let of = |index| PyMoveAnalysis {
            analysis: Arc::clone(&self.analysis),
            index,
            name: self.names[index].clone(),
        };
        numbers.map(of).collect()
    }

    /// The moves that are "inaccuracy", "mistake" or "blunder", those that lose most first.
    fn mistakes(&self) -> Vec<PyMoveAnalysis> {
        let mut moves = self.moves();
        moves.retain(|m| m.ply().judgement >= Some(Judgement::Inaccuracy));
        let loss = |m: &PyMoveAnalysis| m.ply().loss_probability.unwrap_or_default();
        moves.sort_by(|a, b| loss(b).total_cmp(&loss(a)));
        moves
    }

    /// The values of all positions for Black in centipawns, the start first; None for an unknown
    /// one. Bounded to ±3000, a mate is ±4000, so that a plot is readable.
    #[getter]
    fn values(&self) -> Vec<Option<i32>> {
        let bounded = komadai::analysis::game_analysis::bounded_cp;
        self.analysis.plies.iter().map(|ply| ply.black_score().map(bounded)).collect()
    }

    /// The numbers of a side: {"moves", "average_loss_cp", "agreement" (share of best moves), "best",
    /// "inaccuracies", "mistakes", "blunders", "missed_mates"}.
    fn summary<'py>(&self, py: Python<'py>, color: &str) -> PyResult<Bound<'py, PyDict>> {
        let summary = self.analysis.summary(read_color(color)?);
        let found = PyDict::new(py);
        found.set_item("moves", summary.moves)?;
        found.set_item("average_loss_cp", summary.average_loss_cp())?;
        found.set_item("agreement", summary.agreement())?;
        found.set_item("best", summary.best)?;
        found.set_item("inaccuracies", summary.inaccuracies)?;
        found.set_item("mistakes", summary.mistakes)?;
        found.set_item("blunders", summary.blunders)?;
        found.set_item("missed_mates", summary.missed_mates)?;
        Ok(found)
    }

    /// The graph of the values as SVG: theme "auto", "light" or "dark", language "en" or "ja".
    #[pyo3(signature = (*, theme="auto", language="en", title=None))]
    fn graph_svg(&self, theme: &str, language: &str, title: Option<String>) -> PyResult<String> {
        let languages = [("en", Language::English), ("ja", Language::Japanese)];
        let start = self.analysis.plies.first().map(Self::point);
        let after = self.analysis.moves().zip(&self.names).map(|((ply, after), name)| {
            let mark = match ply.judgement {
                Some(Judgement::Inaccuracy) => Some(PointMark::Inaccuracy),
                Some(Judgement::Mistake) => Some(PointMark::Mistake),
                Some(Judgement::Blunder) => Some(PointMark::Blunder),
                _ => None,
            };
            GraphPoint { mark, label: Some(name.clone()), ..Self::point(after) }
        });
        let graph = EvaluationGraph {
            title,
            theme: one_of("theme", theme, &THEMES)?,
            language: one_of("language", language, &languages)?,
            ..EvaluationGraph::new(start.into_iter().chain(after))
        };
        Ok(graph.to_string())
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.graph_svg("auto", "en", None)
    }

    /// The game with the values and best lines as comments, in the form of ShogiHome.
    fn annotated(&self) -> PyGame {
        let form = AnnotationForm::ShogiHome;
        PyGame::new(self.analysis.annotate(&self.record, form, OldAnalyses::Replace))
    }

    fn __repr__(&self) -> String {
        format!("<GameAnalysis: {} moves>", self.names.len())
    }
}

/// A move of an analysed game.
#[pyclass(name = "MoveAnalysis", module = "komadai", frozen)]
pub struct PyMoveAnalysis {
    analysis: Arc<GameAnalysis>,
    index: usize,
    name: String,
}

impl PyMoveAnalysis {
    fn ply(&self) -> &PlyAnalysis {
        &self.analysis.plies[self.index]
    }
}

#[pymethods]
impl PyMoveAnalysis {
    /// The number of the move, from 1; `game.board(number - 1)` is the position before it.
    #[getter]
    fn number(&self) -> usize {
        self.ply().ply
    }

    /// The side that made the move: "black" or "white".
    #[getter]
    fn color<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        color_name(py, self.ply().side)
    }

    /// The move.
    #[getter]
    fn r#move<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMove>> {
        object(py, self.ply().played.expect("every move of the list was played"))
    }

    /// The Japanese name of the move.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The value before the move, for the side that makes it; None if it is unknown.
    #[getter]
    fn score(&self) -> Option<PyScore> {
        self.ply().score.map(PyScore)
    }

    /// The best line instead of the move.
    #[getter]
    fn pv<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        list(py, &self.ply().pv)
    }

    /// The best move.
    #[getter]
    fn best_move<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyMove>>> {
        self.ply().best_move().map(|m| object(py, m)).transpose()
    }

    /// "best", "good", "inaccuracy" (緩手), "mistake" (疑問手), "blunder" (悪手); None if the values
    /// do not tell.
    #[getter]
    fn judgement(&self) -> Option<&'static str> {
        self.ply().judgement.map(|judgement| match judgement {
            Judgement::Best => "best",
            Judgement::Good => "good",
            Judgement::Inaccuracy => "inaccuracy",
            Judgement::Mistake => "mistake",
            _ => "blunder",
        })
    }

    /// The value that the move loses, in centipawns; None if the values do not tell.
    #[getter]
    fn loss_cp(&self) -> Option<i32> {
        self.ply().loss_cp
    }

    /// The probability of winning that the move loses, 0 to 1.
    #[getter]
    fn loss_probability(&self) -> Option<f64> {
        self.ply().loss_probability
    }

    /// The mate that the side to move had, proved; None if the solver proved none.
    #[getter]
    fn mate<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyList>>> {
        self.ply().mate.as_ref().map(|mate| list(py, mate)).transpose()
    }

    /// True if the side had a proved mate and the move kept none.
    #[getter]
    fn missed_mate(&self) -> bool {
        self.ply().missed_mate
    }

    fn __repr__(&self) -> String {
        let mark = self.ply().judgement.map_or("", Judgement::mark);
        let side = if self.ply().side == Color::Black { "black" } else { "white" };
        format!("<MoveAnalysis: {}. {side} {}{mark}>", self.ply().ply, self.name)
    }
}
