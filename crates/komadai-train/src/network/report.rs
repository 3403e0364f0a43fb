//! The course and the result of a training.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

/// The losses of a training, with those of evaluations to compare with.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainingReport {
    /// The positions to train with.
    pub training: usize,
    /// The positions held out.
    pub held_out: usize,
    /// The measurements.
    pub points: Vec<LossPoint>,
    /// The measurement with the least loss on the held-out games.
    pub best: Option<LossPoint>,
    /// The loss of the base alone on the held-out games.
    pub base_loss: f64,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;

impl TrainingReport {
    /// Returns the losses over the epochs as a picture (SVG).
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_train::network::TrainingReport;
    ///
    /// let report = TrainingReport {
    ///     training: 1_000,
    ///     held_out: 50,
    ///     points: Vec::new(),
    ///     best: None,
    ///     base_loss: 0.04,
    /// };
    /// assert!(report.to_svg().starts_with("<svg"));
    /// ```
    pub fn to_svg(&self) -> String {
        let frame = Frame::of(self);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
        );
        frame.draw_axes(&mut svg);
        frame.draw_line(
            &mut svg,
            "#c08020",
            "6 4",
            [(0.0, self.base_loss), (frame.epochs, self.base_loss)],
        );
        let of = |loss: fn(&LossPoint) -> f64| {
            self.points.iter().map(move |point| (point.epoch, loss(point)))
        };
        frame.draw_line(&mut svg, "#8090a0", "none", of(|point| point.training_loss));
        frame.draw_line(&mut svg, "#2060c0", "none", of(|point| point.held_out_loss));
        if let Some(best) = self.best {
            let (x, y) = frame.place(best.epoch, best.held_out_loss);
            let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"#2060c0\"/>");
        }
        let best = self.best.map_or(self.base_loss, |best| best.held_out_loss);
        let keys = [
            ("#c08020", format!("base {:.4}", self.base_loss)),
            ("#8090a0", format!("{} positions of training", self.training)),
            ("#2060c0", format!("{} held out, best {best:.4}", self.held_out)),
        ];
        for (index, (color, text)) in keys.into_iter().enumerate() {
            let x = LEFT + 210.0 * index as f64;
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"24\" fill=\"{color}\">{text}</text>");
        }
        svg.push_str("</svg>\n");
        svg
    }
}

/// The ranges of a picture.
struct Frame {
    epochs: f64,
    least: f64,
    most: f64,
}

impl Frame {
    fn of(report: &TrainingReport) -> Self {
        let losses =
            report.points.iter().flat_map(|point| [point.training_loss, point.held_out_loss]);
        let losses = losses.chain([report.base_loss]).filter(|loss| loss.is_finite());
        let (least, most) = losses.fold((f64::INFINITY, 0.0_f64), |(least, most), loss| {
            (least.min(loss), most.max(loss))
        });
        // Losses at the start are several times the later ones, which the picture is for.
        let most = most.min(2.0 * report.base_loss).max(least + 1e-6);
        let epochs = report.points.last().map_or(1.0, |point| point.epoch).max(1e-9);
        Self { epochs, least: (0.9 * least).min(most), most: 1.05 * most }
    }

    fn place(&self, epoch: f64, loss: f64) -> (f64, f64) {
        let share = (loss - self.least) / (self.most - self.least).max(1e-9);
        let x = LEFT + (WIDTH - LEFT - RIGHT) * epoch / self.epochs;
        (x, HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share.clamp(0.0, 1.0))
    }

    fn draw_axes(&self, svg: &mut String) {
        for step in 0..=4 {
            let share = f64::from(step) / 4.0;
            let (epoch, loss) =
                (share * self.epochs, self.least + share * (self.most - self.least));
            let ((x, _), (_, y)) = (self.place(epoch, loss), self.place(0.0, loss));
            let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
            let _ = writeln!(
                svg,
                "<path d=\"M{LEFT} {y:.1}H{right}\" stroke=\"#e0e0e0\"/>\n\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{loss:.4}</text>\n\
                 <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{epoch:.1}</text>",
                LEFT - 6.0,
                y + 4.0,
                bottom + 18.0,
            );
        }
        let (x, y) = (WIDTH / 2.0, HEIGHT - 10.0);
        let _ = writeln!(
            svg,
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">epochs; loss: cross-entropy less \
             the entropy of the targets</text>"
        );
    }

    fn draw_line(
        &self,
        svg: &mut String,
        color: &str,
        dashes: &str,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) {
        let places = points.into_iter().map(|(epoch, loss)| self.place(epoch, loss));
        let places: Vec<String> = places.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" \
             stroke-dasharray=\"{dashes}\"/>",
            places.join(" ")
        );
    }
}

/// A measurement of the loss.
///
/// A loss is a mean cross-entropy in excess of the entropy of the targets: 0 for a network that
/// knows them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LossPoint {
    /// The positions that have been learnt from, each as often as it was seen.
    pub positions: u64,
    /// The epoch, from 0, with its share that has passed.
    pub epoch: f64,
    /// The learning rate.
    pub learning_rate: f32,
    /// The loss on the positions since the measurement before, each before it was learnt from.
    pub training_loss: f64,
    /// The loss on the held-out games.
    pub held_out_loss: f64,
}

impl LossPoint {
    /// Returns whether both losses are finite numbers. If not, no further training can mend the
    /// weights.
    pub fn is_finite(&self) -> bool {
        self.training_loss.is_finite() && self.held_out_loss.is_finite()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(losses: &[f64]) -> TrainingReport {
        let point = |(index, loss): (usize, &f64)| LossPoint {
            positions: index as u64,
            epoch: index as f64,
            learning_rate: 1e-3,
            training_loss: *loss,
            held_out_loss: 1.1 * loss,
        };
        let points: Vec<LossPoint> = losses.iter().enumerate().map(point).collect();
        let best = points.last().copied();
        TrainingReport { training: 9, held_out: 5, points, best, base_loss: 0.04 }
    }

    #[test]
    fn every_course_has_a_picture_within_its_frame() {
        for losses in [&[][..], &[0.03], &[0.3, 0.03, 0.02], &[0.0, 0.0], &[f64::INFINITY, 0.01]] {
            let svg = report(losses).to_svg();
            assert_eq!(svg.matches("<polyline").count(), 3);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            let lines = svg.lines().filter(|line| line.starts_with("<polyline"));
            for line in lines {
                let points = line.split('"').nth(1).unwrap();
                for (x, y) in points.split_whitespace().filter_map(|point| point.split_once(',')) {
                    let (x, y): (f64, f64) = (x.parse().unwrap(), y.parse().unwrap());
                    assert!((LEFT..=WIDTH - RIGHT).contains(&x), "{line}");
                    assert!((TOP..=HEIGHT - BOTTOM).contains(&y), "{line}");
                }
            }
        }
    }

    #[test]
    fn a_lower_loss_is_lower_in_the_picture() {
        let svg = report(&[0.03, 0.02]).to_svg();
        let line = svg.lines().filter(|line| line.starts_with("<polyline")).nth(1).unwrap();
        let points: Vec<&str> = line.split('"').nth(1).unwrap().split(' ').collect();
        let y = |point: &str| point.split_once(',').unwrap().1.parse::<f64>().unwrap();
        assert!(y(points[1]) > y(points[0]), "{line}");
    }
}
