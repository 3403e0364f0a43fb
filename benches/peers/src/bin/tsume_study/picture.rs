//! The picture of a set: problems decided over processor time.

use std::fmt::Write as _;

use crate::figures::{Figures, milliseconds};
use crate::record::Row;
use crate::suite::SetSpec;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 150.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 44.0;

/// The colours of the curves for light and for dark surroundings; further curves begin again.
const COLORS: [(&str, &str); 6] = [
    ("#1f5fa8", "#6cadf5"),
    ("#c4571b", "#f0894a"),
    ("#3d7d2c", "#86c96f"),
    ("#804fa6", "#c39be6"),
    ("#8a7a12", "#d8c24a"),
    ("#6d665a", "#a89f8f"),
];

/// Returns the picture as SVG, or `None` if no results are there.
pub(crate) fn picture(rows: &[Row], set: &SetSpec) -> Option<String> {
    let all = Figures::of_set(rows, &set.to_string());
    let count = all.first()?.rows().len();
    let axes = Axes::new(&all, count, milliseconds(set.limit));
    let mut svg = head(set, count);
    axes.draw(&mut svg);
    for (index, figures) in all.iter().enumerate() {
        axes.curve(&mut svg, index, figures);
    }
    svg += "</svg>\n";
    Some(svg)
}

fn head(set: &SetSpec, count: usize) -> String {
    let mut style = String::from(
        ".tp{fill:#fbf8f2}.tf{fill:#fffdf8;stroke:#ddd5c4}.tg{stroke:#ddd5c4}.tc{fill:none;stroke-width:2}\
         .ts text{font:12px system-ui,sans-serif;fill:#6d665a}.ts .tt{font-size:15px;fill:#23201b}",
    );
    let mut dark = String::from(
        ".tp{fill:#1c1a17}.tf{fill:#171512;stroke:#3a352d}.tg{stroke:#3a352d}.ts text{fill:#a89f8f}\
         .ts .tt{fill:#ebe5d8}",
    );
    // Writing to a string cannot fail.
    for (index, (on_light, on_dark)) in COLORS.iter().enumerate() {
        let _ = write!(style, ".c{index}{{stroke:{on_light}}}.ts .l{index}{{fill:{on_light}}}");
        let _ = write!(dark, ".c{index}{{stroke:{on_dark}}}.ts .l{index}{{fill:{on_dark}}}");
    }
    let title = format!("{set}: problems decided within a processor time, of {count}");
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ts\" role=\"img\" viewBox=\"0 0 {WIDTH} {HEIGHT}\">\n\
         <title>{title}</title>\n\
         <style>{style}@media (prefers-color-scheme:dark){{{dark}}}</style>\n\
         <rect class=\"tp\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n\
         <text class=\"tt\" x=\"{LEFT}\" y=\"24\">{title}</text>\n"
    )
}

/// A logarithmic axis of milliseconds, a linear one of problems.
struct Axes {
    /// Powers of ten at the ends of the axis of times.
    decades: (i32, i32),
    count: usize,
}

impl Axes {
    fn new(all: &[Figures<'_>], count: usize, limit_ms: f64) -> Self {
        let first = all.iter().filter_map(|figures| figures.decided_ms().first().copied());
        let first = first.fold(limit_ms, f64::min).max(1e-3);
        let longest = all.iter().filter_map(|figures| figures.decided_ms().last().copied());
        let longest = longest.fold(0.0, f64::max).max(first);
        let low = first.log10().floor() as i32;
        Self { decades: (low, (longest.log10().ceil() as i32).max(low + 1)), count }
    }

    fn x(&self, ms: f64) -> f64 {
        let (low, high) = self.decades;
        let part = (ms.log10() - f64::from(low)) / f64::from(high - low);
        LEFT + (WIDTH - LEFT - RIGHT) * part.clamp(0.0, 1.0)
    }

    fn y(&self, decided: usize) -> f64 {
        HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * decided as f64 / self.count.max(1) as f64
    }

    fn draw(&self, svg: &mut String) {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        let (width, height) = (right - LEFT, bottom - TOP);
        let _ = writeln!(
            svg,
            "<rect class=\"tf\" x=\"{LEFT}\" y=\"{TOP}\" width=\"{width}\" height=\"{height}\"/>"
        );
        for decade in self.decades.0..=self.decades.1 {
            let x = self.x(10f64.powi(decade));
            let time = match decade {
                ..-3 => format!("{} ns", 10u32.pow((decade + 6).max(0).unsigned_abs())),
                -3..0 => format!("{} µs", 10u32.pow((decade + 3).unsigned_abs())),
                0..3 => format!("{} ms", 10u32.pow(decade.unsigned_abs())),
                _ => format!("{} s", 10u32.pow((decade - 3).unsigned_abs())),
            };
            let _ = writeln!(
                svg,
                "<path class=\"tg\" d=\"M{x:.1} {TOP}V{bottom}\"/><text x=\"{x:.1}\" y=\"{:.1}\" \
                 text-anchor=\"middle\">{time}</text>",
                bottom + 20.0,
            );
        }
        for quarter in 0..=4 {
            let decided = self.count * quarter / 4;
            let y = self.y(decided);
            let _ = writeln!(
                svg,
                "<path class=\"tg\" d=\"M{LEFT} {y:.1}H{right}\"/><text x=\"{:.1}\" y=\"{:.1}\" \
                 text-anchor=\"end\">{decided}</text>",
                LEFT - 8.0,
                y + 4.0,
            );
        }
    }

    fn curve(&self, svg: &mut String, index: usize, figures: &Figures<'_>) {
        let times = figures.decided_ms();
        let mut path = format!("M{LEFT} {:.1}", self.y(0));
        for (before, &ms) in times.iter().enumerate() {
            let _ = write!(path, "H{:.1}V{:.1}", self.x(ms), self.y(before + 1));
        }
        let _ = write!(path, "H{}", WIDTH - RIGHT);
        let color = index % COLORS.len();
        // The names stand below each other at the right, in the order of the table.
        let y = TOP + 14.0 + 20.0 * index as f64;
        let x = WIDTH - RIGHT + 10.0;
        let (name, decided) = (escaped(figures.solver), times.len());
        let _ = writeln!(
            svg,
            "<path class=\"tc c{color}\" d=\"{path}\"/>\n\
             <text class=\"l{color}\" x=\"{x}\" y=\"{y}\">{name} ({decided})</text>"
        );
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::judge::Judgement;

    #[test]
    fn each_decided_problem_is_one_step() {
        let row = |id: &str, judgement, ms| Row {
            set: "s".into(),
            solver: "a<b".into(),
            id: id.into(),
            known_plies: None,
            judgement,
            plies: None,
            is_claimed_shortest: false,
            nodes: 1,
            cpu: Duration::from_millis(ms),
            wall: None,
            line: String::new(),
        };
        let rows = [
            row("1", Judgement::Mate, 1),
            row("2", Judgement::Mate, 100),
            row("3", Judgement::Undecided, 10_000),
        ];
        let svg = picture(&rows, &"s".parse().unwrap()).unwrap();
        assert!(svg.contains("a&lt;b (2)"));
        let path = svg.split("class=\"tc c0\"").nth(1).and_then(|rest| rest.split("\"/>").next());
        assert_eq!(path.map(|path| path.matches('V').count()), Some(2));
        assert_eq!(picture(&rows, &"t".parse().unwrap()), None);
    }
}
