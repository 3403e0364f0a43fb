//! Evaluations that programs write into the comments of a record.
//!
//! The text of the comments stays as it is: [`parse_analyses`] and
//! [`Record::analyses`](crate::Record::analyses) read it anew.
//!
//! Sources: the comments of floodgate (`'**` in CSA 2.2 and 3.0), and files of ShogiGUI, ShogiHome
//! and other programs.

mod japanese_line;
mod keywords;
mod line;
mod parse;
mod write;

use std::time::Duration;

use komadai_core::{Analysis, Bound, Color, Line as AnalysisLine, Move, Score};

pub use keywords::bound_arrow;
pub use parse::parse_analyses;

/// The value of a position as a program wrote it into a comment.
///
/// # Examples
///
/// ```
/// use komadai_core::{Color, Score};
/// use komadai_kifu::{Line, Tolerance, parse_csa};
///
/// let text = "PI\n+\n+7776FU\n'** 104 -3334FU +2726FU #1234\n";
/// let game = parse_csa(text, Tolerance::Strict)?.records.remove(0);
/// let (ply, analysis) = &game.analyses(Line::Main)[0];
/// assert_eq!((*ply, analysis.black_score), (1, Some(Score::cp(104))));
/// assert_eq!(analysis.score_for(Color::White), Some(Score::cp(-104)));
/// assert_eq!(analysis.nodes, Some(1234));
/// assert_eq!(analysis.pv, ["3c3d".parse()?, "2g2f".parse()?]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RecordAnalysis {
    /// The program whose form the comment has.
    pub source: AnalysisSource,
    /// The value for Black, as all these programs write it, whoever is to move. 30,000 centipawns
    /// and more are a mate of unknown length.
    #[doc(alias = "評価値")]
    pub black_score: Option<Score>,
    /// The relation of the score for Black to the true value.
    pub bound: Bound,
    /// The nominal depth in plies.
    pub depth: Option<u32>,
    /// The length of the longest line searched in plies.
    pub seldepth: Option<u32>,
    /// The number of nodes visited.
    pub nodes: Option<u64>,
    /// The time taken.
    pub time: Option<Duration>,
    /// The moves expected, from the position after the move with the comment. The line ends before
    /// the first move that cannot be read or is illegal.
    #[doc(alias = "読み筋")]
    pub pv: Vec<Move>,
    /// The name of the engine.
    pub engine: Option<String>,
    /// The rank of the line among several, from 1.
    #[doc(alias = "候補")]
    pub rank: Option<u32>,
}

/// The programs whose comments are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum AnalysisSource {
    /// floodgate and programs that follow CSA: `* 104 -3334FU +2726FU #1234`.
    Floodgate,
    /// ShogiGUI, of an engine that plays: `*対局 時間 00:01.2 深さ 15 評価値 35 読み筋 ▲７六歩(77)`.
    ShogiGuiGame,
    /// ShogiGUI, of an analysis of the game: `*解析 0 候補1 … 評価値 207 読み筋 …`.
    ShogiGuiAnalysis,
    /// ShogiHome, of an engine that plays: lines such as `*評価値=-35`, `*読み筋=▲２五歩△８五歩`.
    ShogiHomePlayer,
    /// ShogiHome, of an analysis of the game: `#評価値=-72`.
    ShogiHomeResearch,
    /// Kishin Analytics (棋神アナリティクス): `* … 評価値 35 …`.
    Kishin,
    /// K-Shogi and Piyo Shogi (ぴよ将棋): `#指し手[72]`, `#形勢[-35]`.
    KShogi,
}

impl RecordAnalysis {
    /// Creates an analysis with a source and nothing else.
    pub fn new(source: AnalysisSource) -> Self {
        Self {
            source,
            black_score: None,
            bound: Bound::Exact,
            depth: None,
            seldepth: None,
            nodes: None,
            time: None,
            pv: Vec::new(),
            engine: None,
            rank: None,
        }
    }

    /// Creates the record of the best line of an analysis of a position with `side` to move.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Analysis, Color, Line, Score};
    /// use komadai_kifu::analysis::{AnalysisSource, RecordAnalysis};
    ///
    /// let line = Line::exact(Score::cp(35), "3c3d".parse()?);
    /// let analysis = Analysis { lines: vec![line], ..Analysis::default() };
    /// let noted = RecordAnalysis::from_analysis(AnalysisSource::Floodgate, &analysis, Color::White);
    /// assert_eq!(noted.black_score, Some(Score::cp(-35)));
    /// assert_eq!(noted.to_analysis(Color::White), analysis);
    /// # Ok::<(), komadai_core::UsiError>(())
    /// ```
    pub fn from_analysis(source: AnalysisSource, analysis: &Analysis, side: Color) -> Self {
        let known = |number: u32| (number > 0).then_some(number);
        let best = analysis.lines.first();
        let turned = |line: &AnalysisLine| match side {
            Color::Black => (line.score, line.bound),
            Color::White => (-line.score, !line.bound),
        };
        Self {
            black_score: best.map(|line| turned(line).0),
            bound: best.map_or(Bound::Exact, |line| turned(line).1),
            depth: known(analysis.depth),
            seldepth: known(analysis.seldepth),
            nodes: (analysis.nodes > 0).then_some(analysis.nodes),
            time: (!analysis.time.is_zero()).then_some(analysis.time),
            pv: best.map_or_else(Vec::new, |line| line.pv.to_vec()),
            ..Self::new(source)
        }
    }

    /// Returns the value for a side.
    pub fn score_for(&self, color: Color) -> Option<Score> {
        self.black_score.map(|score| if color == Color::Black { score } else { -score })
    }

    /// Returns the analysis with a value for `side`, the side to move after the move with the
    /// comment. Without a score it has no lines.
    pub fn to_analysis(&self, side: Color) -> Analysis {
        let line = self.score_for(side).map(|score| AnalysisLine {
            depth: self.depth.unwrap_or(0),
            bound: if side == Color::Black { self.bound } else { !self.bound },
            ..AnalysisLine::exact(score, self.pv.as_slice().into())
        });
        Analysis {
            depth: self.depth.unwrap_or(0),
            seldepth: self.seldepth.unwrap_or(0),
            nodes: self.nodes.unwrap_or(0),
            time: self.time.unwrap_or_default(),
            lines: line.into_iter().collect(),
            completed: false,
        }
    }
}
