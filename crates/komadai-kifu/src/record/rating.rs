//! The ratings that floodgate writes into its records.

use komadai_core::Color;

use super::Record;

impl Record {
    /// Returns the rating of a player from a comment of floodgate, `black_rate:name:3382.0`, before
    /// the first move; `None` if there is none.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Color;
    /// use komadai_kifu::{Tolerance, parse_csa};
    ///
    /// let text = "'black_rate:A+0123:3382.5\nPI\n+\n+7776FU\n";
    /// let game = parse_csa(text, Tolerance::Strict)?.records.remove(0);
    /// assert_eq!((game.rating(Color::Black), game.rating(Color::White)), (Some(3382.5), None));
    /// # Ok::<(), komadai_kifu::KifuError>(())
    /// ```
    pub fn rating(&self, color: Color) -> Option<f64> {
        let key = match color {
            Color::Black => "black_rate:",
            Color::White => "white_rate:",
        };
        let stated = self.comments.iter().find_map(|comment| comment.text().strip_prefix(key))?;
        // The name may contain colons, so the number is the text after the last one.
        let number = stated.rsplit(':').next()?.trim().parse().ok()?;
        f64::is_finite(number).then_some(number)
    }
}
