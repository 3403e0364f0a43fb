//! The graph and the page of an analysed game.

use std::path::{Path, PathBuf};

use komadai::Color;
use komadai::analysis::game_analysis::{AnnotationForm, Judgement, OldAnalyses, PlyAnalysis};
use komadai::report::{EvaluationGraph, GamePage, GraphPoint, PointMark, SideFigures};
use komadai_console::{check_is_new, note, write_file};

use super::game_text::GameText;
use super::options::AnalyseArgs;
use super::record_output::annotated;

/// The pictures to write.
pub(super) struct Pictures {
    graph: Option<PathBuf>,
    page: Option<PathBuf>,
}

impl Pictures {
    /// Returns the pictures that the arguments ask for.
    pub(super) fn new(arguments: &AnalyseArgs) -> anyhow::Result<Self> {
        let pictures = Self { graph: arguments.graph.clone(), page: arguments.html.clone() };
        let all = [&pictures.graph, &pictures.page, &arguments.quiz];
        for path in all.into_iter().flatten() {
            check_is_new(path, arguments.force)?;
        }
        Ok(pictures)
    }

    /// Writes the pictures.
    pub(super) fn write(&self, text: &GameText<'_>) -> anyhow::Result<()> {
        let language = text.language.of_texts();
        if let Some(path) = &self.graph {
            let title = Some(text.title());
            let graph = EvaluationGraph { language, title, ..EvaluationGraph::new(points(text)) };
            write(path, &graph.to_string())?;
        }
        if let Some(path) = &self.page {
            write(path, &page(text))?;
        }
        Ok(())
    }
}

/// Returns the page of an analysed game.
pub(super) fn page(text: &GameText<'_>) -> String {
    let record = annotated(text, AnnotationForm::ShogiHome, OldAnalyses::Replace);
    let (notation, points) = (Some(text.notation), Some(points(text)));
    let language = text.language.of_texts();
    let sides = Some(Color::ALL.map(|side| {
        let summary = text.analysis.summary(side);
        SideFigures { average_loss_cp: summary.average_loss_cp(), agreement: summary.agreement() }
    }));
    GamePage { language, notation, points, sides, ..GamePage::new(&record) }.to_string()
}

/// Returns the values after each move, with the names and marks of the moves.
fn points(text: &GameText<'_>) -> Vec<GraphPoint> {
    let start = text.moves.first().map(|row| point(row.ply.ply - 1, row.ply));
    let after = text.moves.iter().map(|row| {
        let mark = match row.ply.judgement {
            Some(Judgement::Inaccuracy) => Some(PointMark::Inaccuracy),
            Some(Judgement::Mistake) => Some(PointMark::Mistake),
            Some(Judgement::Blunder) => Some(PointMark::Blunder),
            _ => None,
        };
        GraphPoint { mark, label: Some(row.name.clone()), ..point(row.ply.ply, row.after) }
    });
    start.into_iter().chain(after).collect()
}

fn point(plies: usize, found: &PlyAnalysis) -> GraphPoint {
    let plies = u32::try_from(plies).unwrap_or(u32::MAX);
    GraphPoint { bound: found.black_bound(), ..GraphPoint::new(plies, found.black_score()) }
}

/// Writes a file, completely or not at all.
fn write(path: &Path, picture: &str) -> anyhow::Result<()> {
    write_file(path, picture)?;
    note!("{}: written", path.display());
    Ok(())
}
