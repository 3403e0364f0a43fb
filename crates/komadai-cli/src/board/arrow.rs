//! Arrows on the command line.

use std::str::FromStr;

use komadai::Move;
use komadai::report::SvgArrow;

/// A move with the class of its arrow: `7g7f` or `7g7f:good`.
#[derive(Debug, Clone, Copy)]
pub(super) struct ArrowArg {
    pub(super) m: Move,
    pub(super) arrow: SvgArrow,
}

impl FromStr for ArrowArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (m, class) = text.split_once(':').unwrap_or((text, "plain"));
        let arrow = match class {
            "plain" => SvgArrow::Plain,
            "good" => SvgArrow::Good,
            "bad" => SvgArrow::Bad,
            "minor" => SvgArrow::Minor,
            other => return Err(format!("found {other:?}, expected plain, good, bad or minor")),
        };
        let m = m.parse().map_err(|error: komadai::core::UsiError| error.to_string())?;
        Ok(Self { m, arrow })
    }
}
