//! Small charts.

use std::io::{self, Write};

use komadai::Color;

const WIDTH: i32 = 460;
const HEIGHT: i32 = 120;
const LEFT: i32 = 40;
const BOTTOM: i32 = 22;
const TOP: i32 = 10;

/// A line through numbers, one a round.
pub(super) fn write_line(out: &mut impl Write, title: &str, numbers: &[i32]) -> io::Result<()> {
    let (Some(&least), Some(&most)) = (numbers.iter().min(), numbers.iter().max()) else {
        return Ok(());
    };
    // A little room, and never nothing, above and below.
    let (least, most) = (least.min(0) - 5, most.max(0) + 5);
    let plot = HEIGHT - TOP - BOTTOM;
    let y = |number: i32| TOP + plot * (most - number) / (most - least);
    let last = (numbers.len() as i32 - 1).max(1);
    let x = |index: usize| LEFT + (WIDTH - LEFT - 10) * index as i32 / last;
    begin(out, title)?;
    writeln!(out, "<path class=\"axis\" d=\"M{LEFT} {0}H{WIDTH}\"/>", y(0))?;
    let mut labels = vec![least + 5, 0, most - 5];
    labels.dedup();
    for number in labels {
        let (x, y) = (LEFT - 6, y(number) + 4);
        writeln!(out, "<text class=\"y\" x=\"{x}\" y=\"{y}\">{}</text>", signed(number))?;
    }
    let points: Vec<String> = numbers
        .iter()
        .enumerate()
        .map(|(index, &number)| format!("{},{}", x(index), y(number)))
        .collect();
    writeln!(out, "<polyline class=\"line\" points=\"{}\"/>", points.join(" "))?;
    if let Some(&number) = numbers.last() {
        let (x, y) = (x(numbers.len() - 1), y(number));
        writeln!(out, "<circle class=\"dot\" cx=\"{x}\" cy=\"{y}\" r=\"3.5\"/>")?;
    }
    let rounds = numbers.len() - 1;
    writeln!(out, "<text x=\"{LEFT}\" y=\"{}\">first search</text>", HEIGHT - 6)?;
    writeln!(out, "<text class=\"end\" x=\"{WIDTH}\" y=\"{}\">round {rounds}</text>", HEIGHT - 6)?;
    writeln!(out, "</svg>\n</figure>")
}

/// Bars of the number of lines of each length.
pub(super) fn write_lengths(
    out: &mut impl Write,
    side: Color,
    lengths: &[usize],
) -> io::Result<()> {
    let Some(&most) = lengths.iter().max().filter(|&&most| most > 0) else { return Ok(()) };
    begin(out, &format!("Lines of {side:?}’s book by their number of moves"))?;
    let plot = HEIGHT - TOP - BOTTOM;
    let columns = lengths.len().saturating_sub(1).max(8) as i32;
    let step = (WIDTH - LEFT) / columns;
    let base = TOP + plot;
    writeln!(out, "<path class=\"axis\" d=\"M{LEFT} {base}H{WIDTH}\"/>")?;
    for (length, &count) in lengths.iter().enumerate().skip(1) {
        let height = (plot * count as i32 + most as i32 - 1) / most as i32;
        let x = LEFT + (length as i32 - 1) * step;
        let (y, width) = (base - height, (step - 3).max(2));
        if count > 0 {
            writeln!(
                out,
                "<rect class=\"bar {side:?}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" \
                 height=\"{height}\" rx=\"2\"><title>{count} lines of {length} moves</title></rect>",
            )?;
        }
        if step >= 16 || length % 5 == 0 {
            let (x, y) = (x + width / 2, HEIGHT - 6);
            writeln!(out, "<text class=\"x\" x=\"{x}\" y=\"{y}\">{length}</text>")?;
        }
    }
    writeln!(out, "<text class=\"y\" x=\"{}\" y=\"{}\">{most}</text>", LEFT - 6, TOP + 8)?;
    writeln!(out, "</svg>\n</figure>")
}

fn begin(out: &mut impl Write, title: &str) -> io::Result<()> {
    writeln!(out, "<figure class=\"chart\">\n<figcaption>{title}</figcaption>")?;
    writeln!(out, "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\"><title>{title}</title>",)
}

fn signed(number: i32) -> String {
    if number == 0 { "0".to_owned() } else { format!("{number:+}") }
}
