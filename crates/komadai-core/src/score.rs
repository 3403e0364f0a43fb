//! Values of positions.

use core::fmt;
use core::ops::{Add, Neg, Sub};
use core::str::FromStr;

use crate::cursor::{Cursor, shorten};
use crate::usi::UsiError;

/// The value of a position for the side to move: centipawns, or a distance to mate.
///
/// One number orders all values: being mated sooner is worst, then being mated later, centipawns,
/// mating later, mating sooner.
///
/// | numbers | meaning |
/// |---|---|
/// | −30,000 … 30,000 | centipawns, positive is good for the side to move |
/// | 32,000 − n | the side to move mates in n plies, 0 ≤ n ≤ 1,998 |
/// | −32,000 + n | the side to move is mated in n plies |
/// | ±30,001 | a mate whose length is not known |
/// | ±32,001 | the open ends of a search window; no value of a position |
///
/// Plies are counted as in USI: `mate 5` is five plies, the mover's first and last move included.
/// All conversions from and to USI text are in this module.
///
/// # Examples
///
/// ```
/// use komadai_core::Score;
///
/// assert!(Score::mate_in(3) > Score::mate_in(5));
/// assert!(Score::mate_in(1_525) > Score::cp(9_999));
/// assert_eq!(-Score::cp(35), Score::cp(-35));
/// assert_eq!(Score::mated_in(4).to_string(), "mate -4");
/// assert_eq!("cp 35".parse(), Ok(Score::cp(35)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[repr(transparent)]
pub struct Score(i32);

impl Score {
    /// An even position.
    pub const ZERO: Self = Self(0);

    /// A mate in 0 plies: the side to move has just mated. `-MATE` is the value of being
    /// checkmated.
    pub const MATE: Self = Self(32_000);

    /// The open end of a search window, above every value.
    pub const INFINITE: Self = Self(32_001);

    /// The largest number of centipawns.
    pub const MAX_CP: i32 = 30_000;

    /// The longest mate whose length a score can represent. The longest known problem takes 1,525
    /// plies.
    pub const MAX_MATE_PLIES: u32 = 1_998;

    /// A mate by the side to move in an unknown number of plies, below all other mates.
    pub const MATE_OF_UNKNOWN_LENGTH: Self = Self(Self::MAX_CP + 1);

    /// Makes a value in centipawns, clamped to ±[`MAX_CP`](Self::MAX_CP).
    #[inline]
    pub const fn cp(centipawns: i32) -> Self {
        if centipawns > Self::MAX_CP {
            Self(Self::MAX_CP)
        } else if centipawns < -Self::MAX_CP {
            Self(-Self::MAX_CP)
        } else {
            Self(centipawns)
        }
    }

    /// Makes the value of a mate by the side to move in this many plies; above
    /// [`MAX_MATE_PLIES`](Self::MAX_MATE_PLIES) the length is lost.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Score;
    ///
    /// assert!(Score::mate_in(3) > Score::mate_in(5));
    /// let longest = Score::mate_in(Score::MAX_MATE_PLIES);
    /// assert!(longest > Score::MATE_OF_UNKNOWN_LENGTH);
    /// assert_eq!(Score::mate_in(Score::MAX_MATE_PLIES + 1), Score::MATE_OF_UNKNOWN_LENGTH);
    /// ```
    #[inline]
    pub const fn mate_in(plies: u32) -> Self {
        if plies > Self::MAX_MATE_PLIES {
            Self::MATE_OF_UNKNOWN_LENGTH
        } else {
            Self(Self::MATE.0 - plies as i32)
        }
    }

    /// Makes the value of being mated in this many plies, 0 for checkmate on the board.
    #[inline]
    pub const fn mated_in(plies: u32) -> Self {
        Self(-Self::mate_in(plies).0)
    }

    /// The score with this number (see the table above), clamped to ±[`INFINITE`](Self::INFINITE).
    #[inline]
    pub const fn from_raw(raw: i32) -> Self {
        if raw > Self::INFINITE.0 {
            Self::INFINITE
        } else if raw < -Self::INFINITE.0 {
            Self(-Self::INFINITE.0)
        } else {
            Self(raw)
        }
    }

    /// The score's number.
    #[must_use]
    #[inline]
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// Returns whether the score is a mate by either side.
    #[must_use]
    #[inline]
    pub const fn is_mate(self) -> bool {
        let size = self.0.abs();
        size > Self::MAX_CP && size <= Self::MATE.0
    }

    /// The centipawns, or `None` for a mate or an infinite score.
    #[must_use]
    #[inline]
    pub const fn to_cp(self) -> Option<i32> {
        if self.0.abs() <= Self::MAX_CP { Some(self.0) } else { None }
    }

    /// The distance to mate in plies: positive if the side to move mates, negative if it is
    /// mated, 0 for both ±[`MATE`](Self::MATE).
    ///
    /// `None` if the score is not a mate or its length is unknown.
    #[must_use]
    pub const fn mate_plies(self) -> Option<i32> {
        let size = self.0.abs();
        if !self.is_mate() || size == Self::MATE_OF_UNKNOWN_LENGTH.0 {
            None
        } else if self.0 > 0 {
            Some(Self::MATE.0 - size)
        } else {
            Some(size - Self::MATE.0)
        }
    }

    /// Converts a score relative to the root to one relative to the node `ply` plies below it.
    ///
    /// Distances to mate shrink by `ply`. A search stores scores in its transposition table in this
    /// form.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Score;
    ///
    /// assert_eq!(Score::mate_in(9).to_ply(4), Score::mate_in(5));
    /// assert_eq!(Score::mate_in(5).from_ply(4), Score::mate_in(9));
    /// assert_eq!(Score::cp(70).to_ply(4), Score::cp(70));
    /// ```
    #[must_use]
    #[inline]
    pub const fn to_ply(self, ply: u32) -> Self {
        match self.mate_plies() {
            None => self,
            Some(_) if self.0 > 0 => Self::mate_in(self.plies_to_mate().saturating_sub(ply)),
            Some(_) => Self::mated_in(self.plies_to_mate().saturating_sub(ply)),
        }
    }

    /// Converts a score relative to the node `ply` plies below the root to one relative to the
    /// root: the reverse of [`to_ply`](Self::to_ply).
    #[must_use]
    #[inline]
    pub const fn from_ply(self, ply: u32) -> Self {
        match self.mate_plies() {
            None => self,
            Some(_) if self.0 > 0 => Self::mate_in(self.plies_to_mate().saturating_add(ply)),
            Some(_) => Self::mated_in(self.plies_to_mate().saturating_add(ply)),
        }
    }

    /// The length of a mate of known length, by either side.
    const fn plies_to_mate(self) -> u32 {
        Self::MATE.0.abs_diff(self.0.abs())
    }
}

/// The same value for the other side.
impl Neg for Score {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// Adds centipawns, staying within ±[`Score::MAX_CP`]; mates and infinite scores do not change.
impl Add<i32> for Score {
    type Output = Self;

    #[inline]
    fn add(self, centipawns: i32) -> Self {
        match self.to_cp() {
            Some(own) => Self::cp(own.saturating_add(centipawns)),
            None => self,
        }
    }
}

/// Subtracts centipawns, staying within ±[`Score::MAX_CP`]; mates and infinite scores do not
/// change.
impl Sub<i32> for Score {
    type Output = Self;

    #[inline]
    fn sub(self, centipawns: i32) -> Self {
        match self.to_cp() {
            Some(own) => Self::cp(own.saturating_sub(centipawns)),
            None => self,
        }
    }
}

/// USI, as after the word `score`: `cp 35`, `mate 5`, `mate -4`, `mate -0` when checkmated,
/// `mate +` and `mate -` for an unknown length. An infinite score, which a report should
/// not contain, is written as `cp 32001`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        match self.mate_plies() {
            Some(_) => write!(f, "mate {sign}{}", self.plies_to_mate()),
            None if self.is_mate() && self.0 > 0 => f.write_str("mate +"),
            None if self.is_mate() => f.write_str("mate -"),
            None => write!(f, "cp {}", self.0),
        }
    }
}

impl FromStr for Score {
    type Err = UsiError;

    /// Reads the output of [`Display`](fmt::Display) and the variants that engines write: `mate 0`
    /// and `mate +0` are [`Score::MATE`], `mate -0` is its negative, numbers may have a `+`, and
    /// numbers out of range are clamped.
    fn from_str(text: &str) -> Result<Self, UsiError> {
        let mut cursor = Cursor::new(text);
        let is_mate = cursor.eat("mate");
        if !is_mate && !cursor.eat("cp") {
            return Err(bad_score(cursor.next_token(), text));
        }
        let token = cursor.next_token();
        let Some(score) = token.and_then(|(number, _)| parse_number(is_mate, number)) else {
            return Err(bad_score(token, text));
        };
        match cursor.next_token() {
            None => Ok(score),
            extra => Err(bad_score(extra, text)),
        }
    }
}

fn parse_number(is_mate: bool, number: &str) -> Option<Score> {
    let (sign, digits) = match number.as_bytes().first()? {
        b'-' => (-1, &number[1..]),
        b'+' => (1, &number[1..]),
        _ => (1, number),
    };
    if is_mate && digits.is_empty() {
        return Some(Score(sign * Score::MATE_OF_UNKNOWN_LENGTH.0));
    }
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // A number of too many digits is clamped like every other number out of range.
    let size = digits.parse::<i32>().unwrap_or(i32::MAX);
    let positive = if is_mate { Score::mate_in(size.unsigned_abs()) } else { Score::cp(size) };
    Some(Score(sign * positive.0))
}

fn bad_score(token: Option<(&str, usize)>, text: &str) -> UsiError {
    let (token, at) = token.unwrap_or(("", text.len()));
    UsiError::BadScore { token: shorten(token), at }
}

const _: () = assert!(size_of::<Score>() == 4);
const _: () = assert!(
    Score::mate_in(Score::MAX_MATE_PLIES).0 == Score::MATE_OF_UNKNOWN_LENGTH.0 + 1,
    "every number above the centipawns is a mate"
);

#[cfg(test)]
mod tests {
    use super::*;

    fn every_score() -> impl Iterator<Item = Score> {
        (-Score::INFINITE.0..=Score::INFINITE.0).map(Score::from_raw)
    }

    #[test]
    fn every_score_but_the_infinite_reads_back() {
        for score in every_score().filter(|score| score.0.abs() <= Score::MATE.0) {
            assert_eq!(score.to_string().parse(), Ok(score));
        }
    }

    #[test]
    fn every_score_is_centipawns_or_a_mate_or_infinite() {
        for score in every_score() {
            let infinite = score.0.abs() == Score::INFINITE.0;
            assert_eq!(score.to_cp().is_some() as u8 + score.is_mate() as u8 + infinite as u8, 1);
            assert_eq!(score.mate_plies(), (-score).mate_plies().map(|plies| -plies));
            assert_eq!(score.is_mate(), (-score).is_mate());
        }
    }

    #[test]
    fn what_engines_write_is_read() {
        for (text, score) in [
            ("mate +", Score::MATE_OF_UNKNOWN_LENGTH),
            ("mate -", -Score::MATE_OF_UNKNOWN_LENGTH),
            ("mate 0", Score::MATE),
            ("mate +0", Score::MATE),
            ("mate -0", -Score::MATE),
            ("mate +5", Score::mate_in(5)),
            (" mate  -4 ", Score::mated_in(4)),
            ("mate 99999999999999999999", Score::MATE_OF_UNKNOWN_LENGTH),
            ("cp -0", Score::ZERO),
            ("cp +12", Score::cp(12)),
            ("cp 32000", Score::cp(30_000)),
            ("cp -99999999999999999999", Score::cp(-30_000)),
        ] {
            assert_eq!(text.parse(), Ok(score), "{text}");
        }
    }

    #[test]
    fn other_text_is_refused() {
        for (text, token, at) in [
            ("", "", 0),
            ("cp", "", 2),
            ("cp x", "x", 3),
            ("cp +", "+", 3),
            ("cp 1 2", "2", 5),
            ("mate five", "five", 5),
            ("mate 1.5", "1.5", 5),
            ("score cp 1", "score", 0),
            ("cp ５", "５", 3),
        ] {
            let error = UsiError::BadScore { token: token.into(), at };
            assert_eq!(text.parse::<Score>(), Err(error), "{text}");
        }
    }

    #[test]
    fn mates_move_with_the_ply_and_nothing_else_does() {
        for score in every_score() {
            for ply in [0, 1, 7, 246] {
                let below = score.to_ply(ply);
                match score.mate_plies() {
                    Some(plies) if plies.unsigned_abs() >= ply => {
                        assert_eq!(below.from_ply(ply), score);
                        assert_eq!(
                            below.mate_plies().unwrap().unsigned_abs() + ply,
                            plies.unsigned_abs()
                        );
                    }
                    Some(_) => assert_eq!(below.0.abs(), Score::MATE.0),
                    None => assert_eq!((below, score.from_ply(ply)), (score, score)),
                }
            }
        }
        assert_eq!(Score::mate_in(1_998).from_ply(1), Score::MATE_OF_UNKNOWN_LENGTH);
        assert_eq!(Score::mated_in(3).from_ply(u32::MAX), -Score::MATE_OF_UNKNOWN_LENGTH);
    }

    #[test]
    fn margins_never_turn_centipawns_into_mates() {
        assert_eq!(Score::cp(29_950) + 100, Score::cp(30_000));
        assert_eq!(Score::cp(-29_950) - i32::MAX, Score::cp(-30_000));
        assert_eq!(Score::cp(7) - i32::MIN, Score::cp(30_000));
        assert_eq!(Score::mate_in(3) - 500, Score::mate_in(3));
        assert_eq!(-Score::INFINITE + 500, -Score::INFINITE);
    }
}
