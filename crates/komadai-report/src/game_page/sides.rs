//! The play of both sides in figures.

use core::fmt;

use komadai_core::{Color, Language};
use komadai_kifu::Record;

use super::head::{name, side_names};
use crate::graph::{GraphPoint, PointMark, losses};
use crate::text::Escaped;

/// The figures of a side that the values of a game alone do not tell.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SideFigures {
    /// The average loss of a move against the best one, in centipawns.
    pub average_loss_cp: Option<f64>,
    /// The share of the moves that were the best ones, 0 to 1.
    pub agreement: Option<f64>,
}

/// The table about both sides.
pub(super) struct Sides<'p> {
    pub(super) record: &'p Record,
    /// One for each position of the game; the index is the number of its node.
    pub(super) points: &'p [GraphPoint],
    pub(super) figures: Option<[SideFigures; 2]>,
    pub(super) language: Language,
}

/// The play of a side as the values tell it.
#[derive(Default)]
struct Play {
    /// The sum of the accuracies of the moves, each from 0 to 100, and their number.
    accuracy: f64,
    moves: u32,
    /// The number of moves with each mark, the mildest first.
    marks: [u32; 3],
    /// The first move with one of the two graver marks.
    first_mistake: Option<usize>,
}

/// Returns the accuracy of a move that lost this share of the winning probability, 0 to 100.
///
/// The curve is that of Lichess (lichess.org/page/accuracy): 100 without loss, 64 for a loss of a
/// tenth, 0 from 0.8 on.
fn accuracy(loss: f64) -> f64 {
    (103.1668 * (-4.354 * loss.max(0.0)).exp() - 3.1669).clamp(0.0, 100.0)
}

impl Sides<'_> {
    fn play(&self) -> [Play; 2] {
        let first = self.record.setup.side;
        let mover = |ply: u32| if ply % 2 == 1 { first } else { !first };
        let mut play: [Play; 2] = Default::default();
        for (index, loss) in losses(self.points, first) {
            let side = &mut play[mover(self.points[index].ply).index()];
            side.accuracy += accuracy(loss);
            side.moves += 1;
        }
        for (id, point) in self.points.iter().enumerate() {
            let Some(mark) = point.mark else { continue };
            let side = &mut play[mover(point.ply).index()];
            let grade = match mark {
                PointMark::Inaccuracy => 0,
                PointMark::Mistake => 1,
                PointMark::Blunder => 2,
            };
            side.marks[grade] += 1;
            if grade > 0 {
                side.first_mistake = side.first_mistake.or(Some(id));
            }
        }
        play
    }

    /// Writes the table, if the values of two successive positions are known.
    pub(super) fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let play = self.play();
        if play.iter().all(|side| side.moves == 0) {
            return Ok(());
        }
        let heading = self.language.choose("Both sides", "両者の成績");
        let accuracy = self.language.choose("accuracy", "精度");
        let explained = self.language.choose(
            "100 for moves that lose no winning chances; the average, by the curve of Lichess",
            "勝率を落とさない手を 100 とした平均（Lichess の曲線）",
        );
        write!(
            f,
            "<section class=\"sides\">\n<h2>{heading}</h2>\n<div class=\"wide\"><table>\n<tr><td></td>"
        )?;
        write!(f, "<th scope=\"col\" title=\"{explained}\">{accuracy}</th>")?;
        if self.figures.is_some() {
            let columns = [("average loss", "平均損失"), ("agreement", "一致率")];
            for (english, japanese) in columns {
                let word = self.language.choose(english, japanese);
                write!(f, "<th scope=\"col\">{word}</th>")?;
            }
        }
        let marks = [
            ("?!", "inaccuracies", "緩手"),
            ("?", "mistakes", "疑問手"),
            ("??", "blunders", "悪手"),
        ];
        for (signs, english, japanese) in marks {
            let word = self.language.choose(english, japanese);
            write!(f, "<th scope=\"col\" title=\"{word}\">{signs}</th>")?;
        }
        writeln!(f, "<td></td></tr>")?;
        for color in Color::ALL {
            self.write_side(color, &play[color.index()], f)?;
        }
        writeln!(f, "</table></div>\n</section>")
    }

    fn write_side(&self, color: Color, play: &Play, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = ["▲", "△"][color.index()];
        let side = side_names(self.record, self.language)[color.index()];
        let player = Escaped(name(self.record, color).unwrap_or(side));
        write!(f, "<tr><th scope=\"row\">{sign} <bdi>{player}</bdi></th>")?;
        if play.moves == 0 {
            write!(f, "<td>–</td>")?;
        } else {
            let accuracy = play.accuracy / f64::from(play.moves);
            write!(
                f,
                "<td><meter min=\"0\" max=\"100\" value=\"{accuracy:.1}\"></meter> {accuracy:.1}</td>"
            )?;
        }
        if let Some(figures) = self.figures {
            let SideFigures { average_loss_cp, agreement } = figures[color.index()];
            match average_loss_cp {
                Some(loss) => write!(f, "<td>{loss:.0}</td>")?,
                None => write!(f, "<td>–</td>")?,
            }
            match agreement {
                Some(share) => write!(f, "<td>{:.0} %</td>", 100.0 * share)?,
                None => write!(f, "<td>–</td>")?,
            }
        }
        for count in play.marks {
            write!(f, "<td>{count}</td>")?;
        }
        match play.first_mistake {
            Some(id) => {
                let word = self.language.choose("first mistake: ", "最初の疑問手：");
                let ply = self.points[id].ply;
                let last = self.language.choose("", "手目");
                writeln!(f, "<td><a href=\"#n{id}\">{word}{ply}{last}</a></td></tr>")
            }
            None => writeln!(f, "<td></td></tr>"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_falls_with_the_loss() {
        let values = [-0.1, 0.0, 0.05, 0.1, 0.5, 1.0].map(|loss| accuracy(loss).round());
        assert_eq!(values, [100.0, 100.0, 80.0, 64.0, 9.0, 0.0]);
    }
}
