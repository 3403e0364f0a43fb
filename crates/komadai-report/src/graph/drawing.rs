//! Graphs as SVG.

use core::fmt;

use komadai_core::{Color, Language, Score};

use crate::graph::curve::{At, by_side, runs};
use crate::graph::evaluation_graph::EvaluationGraph;
use crate::graph::labels::{Labels, width};
use crate::graph::point::{GraphPoint, PointMark};
use crate::graph::scale::{GRID_CP, height};
use crate::text::{Escaped, ValueText};
use crate::theme::{PictureHead, Placement};

/// The style sheet of all graphs, with plain values of the light mode before the rules with
/// variables.
const STYLE: &str = include_str!("graph.css");

// All lengths are in units of the picture's own coordinates, which browsers show as CSS pixels.

const LEFT: i32 = 52;
const RIGHT: i32 = 14;
const TOP: i32 = 14;
const TITLE_HEIGHT: i32 = 24;
const LEGEND_HEIGHT: i32 = 20;
const BOTTOM: i32 = 26;

impl fmt::Display for EvaluationGraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_picture(Placement::File, f)
    }
}

/// A graph within an HTML page, which has the style sheet of all graphs.
pub(crate) struct GraphInPage<'a>(pub(crate) &'a EvaluationGraph);

impl fmt::Display for GraphInPage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write_picture(Placement::Page, f)
    }
}

/// Returns the style sheet of all graphs of a page.
pub(crate) fn graph_style() -> String {
    crate::theme::SvgTheme::Auto.style(STYLE)
}

/// The rectangle of the curves, and the number of plies at its right edge.
struct Plot {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
    last: u32,
}

impl Plot {
    fn x(&self, ply: f64) -> f64 {
        self.left + (self.right - self.left) * (ply / f64::from(self.last)).min(1.0)
    }

    fn y(&self, height: f64) -> f64 {
        // Mates keep a distance from the frame.
        let half = (self.bottom - self.top) / 2.0;
        self.top + half - (half - 8.0) * height
    }

    /// Writes a path through points of a curve.
    fn write_points(&self, points: &[At], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, &(ply, height)) in points.iter().enumerate() {
            let blank = ["M", "L", " "][index.min(2)];
            write!(f, "{blank}{:.1} {:.1}", self.x(ply), self.y(height))?;
        }
        Ok(())
    }
}

impl EvaluationGraph {
    fn write_picture(&self, placement: Placement, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (width, height) = self.pixels();
        let title = self.language.choose("Evaluations of the game", "評価値グラフ");
        let title = Escaped(self.title.as_deref().unwrap_or(title)).to_string();
        let description = Description(self).to_string();
        let head = PictureHead {
            class: "kg",
            size: (width, height),
            title: &title,
            description: &Escaped(&description).to_string(),
            style: &self.theme.style(STYLE),
        };
        head.write(placement, f)?;
        writeln!(f, r#"<rect class="kg-page" width="{width}" height="{height}"/>"#)?;
        if self.title.is_some() {
            writeln!(f, r#"<text class="kg-title" x="{}" y="24">{title}</text>"#, width / 2)?;
        }
        let plot = self.plot();
        self.write_grid(&plot, f)?;
        self.write_curves(&plot, f)?;
        self.write_marks(&plot, f)?;
        if let Some(ply) = self.cursor {
            let (x, top, bottom) = (plot.x(f64::from(ply)), plot.top, plot.bottom);
            writeln!(f, r#"<path class="kg-cursor" d="M{x:.1} {top}V{bottom}"/>"#)?;
        }
        f.write_str("</svg>\n")
    }

    fn plot(&self) -> Plot {
        let (width, height) = self.pixels();
        let title = if self.title.is_some() { TITLE_HEIGHT } else { 0 };
        let legend = if self.second.is_some() { LEGEND_HEIGHT } else { 0 };
        let second = self.second.iter().flat_map(|second| &second.points);
        let last = self.points.iter().chain(second).map(|point| point.ply).max();
        Plot {
            left: f64::from(LEFT),
            top: f64::from(TOP + title + legend),
            right: f64::from(width - RIGHT),
            bottom: f64::from(height - BOTTOM),
            last: last.unwrap_or(0).max(1),
        }
    }

    fn write_grid(&self, plot: &Plot, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Plot { left, top, right, bottom, last } = *plot;
        writeln!(
            f,
            r#"<rect class="kg-plot" x="{left}" y="{top}" width="{}" height="{}" data-last="{last}"/>"#,
            right - left,
            bottom - top
        )?;
        let values = GRID_CP.into_iter().flat_map(|cp| [Score::cp(cp), Score::cp(-cp)]);
        let mates = [Score::MATE_OF_UNKNOWN_LENGTH, -Score::MATE_OF_UNKNOWN_LENGTH];
        f.write_str(r#"<path class="kg-grid" d=""#)?;
        for score in values.clone().chain(mates) {
            write!(f, "M{left} {:.1}H{right}", plot.y(height(score)))?;
        }
        let step = u64::from(ply_step(last));
        let plies = || (0..=u64::from(last)).step_by(step as usize);
        for ply in plies() {
            write!(f, "M{:.1} {top}V{bottom}", plot.x(ply as f64))?;
        }
        writeln!(f, "\"/>")?;
        let zero = plot.y(0.0);
        writeln!(f, r#"<path class="kg-zero" d="M{left} {zero:.1}H{right}"/>"#)?;
        for score in values.chain(mates).chain([Score::ZERO]) {
            let (y, text) = (plot.y(height(score)) + 4.0, ValueText(score, self.language));
            writeln!(f, r#"<text class="kg-end" x="{}" y="{y:.1}">{text}</text>"#, left - 6.0)?;
        }
        for ply in plies() {
            let (x, y) = (plot.x(ply as f64), bottom + 16.0);
            writeln!(f, r#"<text class="kg-mid" x="{x:.1}" y="{y:.1}">{ply}</text>"#)?;
        }
        let sides = self.language.choose(["▲ Black", "△ White"], ["▲ 先手", "△ 後手"]);
        for (side, y) in sides.into_iter().zip([top + 22.0, bottom - 14.0]) {
            writeln!(f, r#"<text x="{}" y="{y}">{side}</text>"#, left + 7.0)?;
        }
        if self.points.iter().all(|point| point.score.is_none()) && self.second.is_none() {
            let text = self.language.choose("no evaluations", "評価値なし");
            let (x, y) = ((left + right) / 2.0, zero - 8.0);
            writeln!(f, r#"<text class="kg-mid" x="{x}" y="{y:.1}">{text}</text>"#)?;
        }
        Ok(())
    }

    fn write_curves(&self, plot: &Plot, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runs_of_first = runs(&self.points);
        let parts: Vec<(Color, Vec<At>)> =
            runs_of_first.iter().flat_map(|run| by_side(run)).collect();
        for (side, class) in [(Color::Black, "kg-black"), (Color::White, "kg-white")] {
            let parts = || parts.iter().filter(|(of, _)| *of == side).map(|(_, part)| part);
            if parts().next().is_none() {
                continue;
            }
            write!(f, r#"<path class="{class}" d=""#)?;
            for part in parts() {
                let ends =
                    [part.first(), part.last()].map(|end| end.map_or(0.0, |at| plot.x(at.0)));
                plot.write_points(part, f)?;
                write!(f, "L{:.1} {zero:.1}H{:.1}z", ends[1], ends[0], zero = plot.y(0.0))?;
            }
            write!(f, "\"/>\n<path class=\"{class}-line\" d=\"")?;
            for part in parts() {
                plot.write_points(part, f)?;
                if let [(ply, height)] = part[..] {
                    // A point alone: round line caps make a dot.
                    write!(f, "L{:.1} {:.1}", plot.x(ply), plot.y(height))?;
                }
            }
            writeln!(f, "\"/>")?;
        }
        let Some(second) = &self.second else { return Ok(()) };
        f.write_str(r#"<path class="kg-second" d=""#)?;
        runs(&second.points).iter().try_for_each(|run| plot.write_points(run, f))?;
        writeln!(f, "\"/>")?;
        self.write_legend(plot, &second.names, f)
    }

    fn write_legend(
        &self,
        plot: &Plot,
        names: &[String; 2],
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let y = plot.top - 10.0;
        let second = plot.left + 46.0 + width(&names[0]);
        for (x, class, name) in
            [(plot.left, "kg-black-line", &names[0]), (second, "kg-second", &names[1])]
        {
            writeln!(f, r#"<path class="{class}" d="M{x:.1} {y:.1}h22"/>"#)?;
            let (x, y, name) = (x + 27.0, y + 4.0, Escaped(name));
            writeln!(f, r#"<text x="{x:.1}" y="{y:.1}">{name}</text>"#)?;
        }
        Ok(())
    }

    fn write_marks(&self, plot: &Plot, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let marked: Vec<(PointMark, &GraphPoint, Score)> = sorted(&self.points)
            .into_iter()
            .filter_map(|point| Some((point.mark?, point, point.score?)))
            .collect();
        for &(mark, point, score) in &marked {
            let (x, y) = (plot.x(f64::from(point.ply)), plot.y(height(score)));
            let (class, radius) = match mark {
                PointMark::Blunder => ("kg-dot", "4.5"),
                PointMark::Mistake => ("kg-dot", "3.2"),
                PointMark::Inaccuracy => ("kg-hollow", "2.6"),
            };
            let name = PointName(point).to_string();
            let (name, value) = (Escaped(&name), ValueText(score, self.language));
            writeln!(
                f,
                r#"<circle class="{class}" cx="{x:.1}" cy="{y:.1}" r="{radius}"><title>{name}{} {}{value}</title></circle>"#,
                mark.signs(),
                point.bound.sign()
            )?;
        }
        let place =
            |point: &GraphPoint, score| (plot.x(f64::from(point.ply)), plot.y(height(score)));
        let mut labels = Labels::new((plot.left, plot.top, plot.right, plot.bottom));
        marked.iter().for_each(|&(_, point, score)| labels.take_dot(place(point, score)));
        for (_, point, score) in
            marked.into_iter().filter(|(mark, _, _)| *mark == PointMark::Blunder)
        {
            let name = PointName(point).to_string();
            let at = place(point, score);
            if let Some((x, y)) = labels.place(at, &name) {
                let name = Escaped(&name);
                writeln!(f, r#"<text class="kg-label" x="{x:.1}" y="{y:.1}">{name}</text>"#)?;
            }
        }
        Ok(())
    }
}

/// Returns the distance of the labels of plies: 1, 2 or 5 times a power of ten, for at most eleven
/// labels.
fn ply_step(last: u32) -> u32 {
    let powers = (0..10).map(|power| 10_u32.pow(power));
    let mut steps = powers.flat_map(|power| [1, 2, 5].map(|digit| power.saturating_mul(digit)));
    steps.find(|step| last / step <= 10).unwrap_or(u32::MAX)
}

/// Returns points in the order of their plies.
fn sorted(points: &[GraphPoint]) -> Vec<&GraphPoint> {
    let mut points: Vec<&GraphPoint> = points.iter().collect();
    points.sort_by_key(|point| point.ply);
    points
}

/// The largest number of blunders that are listed.
const MOST_LISTED: usize = 12;

/// The content of a graph in words, not escaped.
pub(super) struct Description<'a>(pub(super) &'a EvaluationGraph);

impl fmt::Display for Description<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(EvaluationGraph { points, language, .. }) = *self;
        let points = sorted(points);
        let scores = || points.iter().filter_map(|point| Some((point.score?, point.bound.sign())));
        let score = |&(score, _): &(Score, _)| score;
        let (Some(least), Some(most), Some(last)) =
            (scores().min_by_key(score), scores().max_by_key(score), scores().next_back())
        else {
            return f.write_str(language.choose("No evaluations.", "評価値なし。"));
        };
        let count = scores().count();
        let text = |(score, sign)| format!("{sign}{}", ValueText(score, *language));
        let (least, most, last) = (text(least), text(most), text(last));
        match language {
            Language::English => write!(
                f,
                "{count} evaluations for Black: from {least} to {most}, {last} at the end."
            )?,
            Language::Japanese => {
                write!(f, "先手から見た評価値{count}個。最小 {least}、最大 {most}、最後 {last}。")?
            }
        }
        let mut blunders = points.iter().filter(|point| point.mark == Some(PointMark::Blunder));
        for (index, point) in blunders.by_ref().take(MOST_LISTED).enumerate() {
            f.write_str(match index {
                0 => language.choose(" Blunders: ", "悪手："),
                _ => language.choose(", ", "、"),
            })?;
            write!(f, "{}", PointName(point))?;
        }
        if blunders.next().is_some() {
            f.write_str(" …")?;
        }
        Ok(())
    }
}

/// The ply and the move of a point: `58 ▲５八金右`.
pub(super) struct PointName<'a>(pub(super) &'a GraphPoint);

impl fmt::Display for PointName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.ply)?;
        match &self.0.label {
            Some(label) => write!(f, " {label}"),
            None => Ok(()),
        }
    }
}
