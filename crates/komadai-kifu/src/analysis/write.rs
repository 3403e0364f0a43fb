//! Writers of evaluations as comments.

use komadai_core::{Move, Position, Score};

use super::RecordAnalysis;
use super::keywords::bound_arrow;
use crate::comment::Comment;
use crate::notation::Notation;

impl RecordAnalysis {
    /// Returns the analysis as a comment of floodgate, `'** 104 -3334FU +2726FU #1234` in CSA;
    /// `None` without a score. A mate is written as ±30000, and a bound has its arrow at the end:
    /// `#1234 ↑`.
    ///
    /// `after` is the position in which the line begins. The line is cut before an illegal move.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Position, Score};
    /// use komadai_kifu::Comment;
    /// use komadai_kifu::analysis::{AnalysisSource, RecordAnalysis};
    ///
    /// let mut analysis = RecordAnalysis::new(AnalysisSource::Floodgate);
    /// analysis.black_score = Some(Score::cp(104));
    /// analysis.pv = vec!["7g7f".parse()?, "3c3d".parse()?];
    /// let comment = analysis.to_floodgate_comment(&Position::hirate());
    /// assert_eq!(comment, Some(Comment::Note("* 104 +7776FU -3334FU".to_owned())));
    /// # Ok::<(), komadai_core::UsiError>(())
    /// ```
    pub fn to_floodgate_comment(&self, after: &Position) -> Option<Comment> {
        let score = self.black_score?;
        let largest = if score > Score::ZERO { Score::MAX_CP } else { -Score::MAX_CP };
        let mut text = format!("* {}", score.to_cp().unwrap_or(largest));
        for name in Notation::Csa.names(after, self.legal_pv(after)) {
            text += &format!(" {name}");
        }
        if let Some(nodes) = self.nodes {
            text += &format!(" #{nodes}");
        }
        // Readers look for a number at the beginning and for moves after it.
        let arrow = bound_arrow(self.bound);
        if !arrow.is_empty() {
            text += &format!(" {arrow}");
        }
        Some(Comment::Note(text))
    }

    /// Returns the analysis as the comments that ShogiHome writes for a player: `*評価値=104`,
    /// `*読み筋=▲７六歩△３四歩`, `*深さ=8`, `*ノード数=12345`, `*エンジン=…`, and `*詰み=先手勝ち:7手` for a mate. A bound
    /// has its arrow after the value, as in ShogiGUI: `*評価値=104↑` for 104 or more.
    ///
    /// `after` is the position in which the line begins. The line is cut before an illegal move.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Position, Score};
    /// use komadai_kifu::Comment;
    /// use komadai_kifu::analysis::{AnalysisSource, RecordAnalysis};
    ///
    /// let mut analysis = RecordAnalysis::new(AnalysisSource::ShogiHomePlayer);
    /// analysis.black_score = Some(Score::mate_in(7));
    /// analysis.pv = vec!["7g7f".parse()?];
    /// let comments = analysis.to_shogihome_comments(&Position::hirate());
    /// let texts: Vec<&str> = comments.iter().map(Comment::text).collect();
    /// assert_eq!(texts, ["*詰み=先手勝ち:7手", "*読み筋=▲７六歩"]);
    /// # Ok::<(), komadai_core::UsiError>(())
    /// ```
    pub fn to_shogihome_comments(&self, after: &Position) -> Vec<Comment> {
        let mut lines = Vec::new();
        if let Some(score) = self.black_score {
            let arrow = bound_arrow(self.bound);
            lines.push(match score.to_cp() {
                Some(centipawns) => format!("*評価値={centipawns}{arrow}"),
                None => {
                    let winner = if score > Score::ZERO { "先手勝ち" } else { "後手勝ち" };
                    let plies = score.mate_plies().map(|plies| format!(":{}手", plies.abs()));
                    format!("*詰み={winner}{}{arrow}", plies.unwrap_or_default())
                }
            });
        }
        let pv = self.legal_pv(after);
        if !pv.is_empty() {
            lines.push(format!("*読み筋={}", Notation::Japanese.names(after, pv).concat()));
        }
        lines.extend(self.depth.map(|depth| format!("*深さ={depth}")));
        lines.extend(self.nodes.map(|nodes| format!("*ノード数={nodes}")));
        lines.extend(self.engine.as_ref().map(|engine| format!("*エンジン={engine}")));
        lines.into_iter().map(Comment::Note).collect()
    }

    /// The moves of the line before the first illegal one.
    fn legal_pv(&self, after: &Position) -> &[Move] {
        let mut position = after.clone();
        let legal = self.pv.iter().take_while(|&&m| {
            let is_legal = komadai_movegen::is_legal(&position, m);
            if is_legal {
                position.do_move(m);
            }
            is_legal
        });
        let length = legal.count();
        &self.pv[..length]
    }
}
