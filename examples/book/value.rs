//! Values on the terminal.

use komadai::Score;

/// A value with its sign: `+35`, `-mate 12`, or `?` if it is not known.
pub(crate) fn value(score: Option<Score>) -> String {
    let Some(score) = score else { return "?".to_owned() };
    match (score.to_cp(), score.mate_plies()) {
        (Some(0), _) => "0".to_owned(),
        (Some(cp), _) => format!("{cp:+}"),
        (None, Some(plies)) if score.raw() > 0 => format!("+mate {plies}"),
        (None, Some(plies)) => format!("-mate {}", plies.abs()),
        (None, None) => score.raw().to_string(),
    }
}
