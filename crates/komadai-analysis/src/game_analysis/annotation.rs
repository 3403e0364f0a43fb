//! Analyses as comments of a record.

use komadai_core::Position;
use komadai_kifu::analysis::{AnalysisSource, RecordAnalysis, parse_analyses};
use komadai_kifu::{Comment, KifuFormat, Record};

use super::game_result::GameAnalysis;
use super::ply_analysis::PlyAnalysis;

/// The form of the comments that an analysis is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AnnotationForm {
    /// That of floodgate, for CSA: `'** 104 -3334FU +2726FU #1234`.
    Floodgate,
    /// That of ShogiHome, for KIF, KI2 and JKF: `**評価値=104`, `**読み筋=…`.
    ShogiHome,
}

impl AnnotationForm {
    /// Returns the form for files of a format; `None` for formats without comments.
    pub fn of(format: KifuFormat) -> Option<Self> {
        match format {
            KifuFormat::Csa => Some(Self::Floodgate),
            KifuFormat::Kif | KifuFormat::Ki2 | KifuFormat::Jkf => Some(Self::ShogiHome),
            _ => None,
        }
    }
}

/// The treatment of evaluations that the record has already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum OldAnalyses {
    /// They are kept, before the new ones.
    #[default]
    Keep,
    /// They are removed from the positions that have a new one. Other comments are kept.
    Replace,
}

impl GameAnalysis {
    /// Returns the record with the analysis of each position as comments on it, which
    /// [`Record::analyses`] reads back.
    ///
    /// `record` is the one that was analysed. A comment has the value for Black and the best line;
    /// in the form of floodgate it has no depth, and a mate no length.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::num::NonZero;
    ///
    /// use komadai_analysis::game_analysis::{AnnotationForm, GameAnalyst, OldAnalyses};
    /// use komadai_kifu::{Line, Tolerance, parse_usi_games};
    ///
    /// let games = "startpos moves 7g7f 3c3d";
    /// let record = parse_usi_games(games, Tolerance::Strict)?.records.remove(0);
    /// let mut analyst = GameAnalyst::embedded(NonZero::<usize>::MIN).with_nodes(500);
    /// let analysis = analyst.analyse(&record, |_| {})?;
    /// let annotated = analysis.annotate(&record, AnnotationForm::Floodgate, OldAnalyses::Keep);
    /// assert_eq!(annotated.analyses(Line::Main).len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn annotate(&self, record: &Record, form: AnnotationForm, old: OldAnalyses) -> Record {
        let mut annotated = record.clone();
        let Ok(mut position) = Position::from_setup_leniently(&record.setup) else {
            return annotated;
        };
        let mut made = 0;
        for ply in &self.plies {
            let Some(moves) = record.moves.get(made..ply.ply - 1) else { break };
            moves.iter().for_each(|played| position.do_move(played.m));
            made = ply.ply - 1;
            let new = self.comments(ply, form, &position);
            if new.is_empty() {
                continue;
            }
            let comments = match made.checked_sub(1) {
                Some(last) => &mut annotated.moves[last].comments,
                None => &mut annotated.comments,
            };
            if old == OldAnalyses::Replace {
                comments.retain(|comment| {
                    parse_analyses(std::slice::from_ref(comment), &position).is_empty()
                });
            }
            comments.extend(new);
        }
        annotated
    }

    /// Returns the comments on a position; none without a value.
    fn comments(
        &self,
        ply: &PlyAnalysis,
        form: AnnotationForm,
        position: &Position,
    ) -> Vec<Comment> {
        let source = match form {
            AnnotationForm::Floodgate => AnalysisSource::Floodgate,
            AnnotationForm::ShogiHome => AnalysisSource::ShogiHomePlayer,
        };
        let Some(score) = ply.black_score() else { return Vec::new() };
        let mut analysis = RecordAnalysis::new(source);
        (analysis.black_score, analysis.bound) = (Some(score), ply.black_bound());
        analysis.pv = ply.pv.to_vec();
        analysis.depth = (ply.depth > 0).then_some(ply.depth);
        analysis.nodes = (ply.nodes > 0).then_some(ply.nodes);
        let name = format!("{} {}", self.analyst.name, self.analyst.version);
        analysis.engine = Some(name.trim().to_owned());
        match form {
            AnnotationForm::Floodgate => {
                analysis.to_floodgate_comment(position).into_iter().collect()
            }
            AnnotationForm::ShogiHome => analysis.to_shogihome_comments(position),
        }
    }
}
