//! The header of a record: players, event, times.

use komadai_core::Color;

/// A key of a header, independent of the formats.
///
/// Each format has words of its own for these keys: [`Black`](Self::Black) is `N+` in CSA, 先手 in
/// KIF and, in games with a handicap, 下手. A key that only one format has keeps its word in
/// [`Custom`](Self::Custom).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum HeaderKey {
    /// The player of the black pieces (先手, 下手).
    #[doc(alias("先手", "下手"))]
    Black,
    /// The player of the white pieces (後手, 上手).
    #[doc(alias("後手", "上手"))]
    White,
    /// The event (棋戦).
    #[doc(alias = "棋戦")]
    Event,
    /// The title of the record (表題).
    Title,
    /// The place of the game (場所).
    Site,
    /// The date of the game (対局日).
    Date,
    /// The time at which the game started (開始日時).
    StartTime,
    /// The time at which the game ended (終了日時).
    EndTime,
    /// The opening (戦型).
    #[doc(alias = "戦型")]
    Opening,
    /// The time for the game in words of the format (持ち時間; `$TIME_LIMIT` in CSA 2.2).
    #[doc(alias = "持ち時間")]
    TimeLimit,
    /// The time for the game in seconds, `main+byoyomi+increment` (`$TIME` in CSA 3.0).
    TimeControl,
    /// The time of Black in seconds, if the players have different times (`$TIME+` in CSA 3.0).
    BlackTimeControl,
    /// The time of White in seconds (`$TIME-` in CSA 3.0).
    WhiteTimeControl,
    /// The time for each move after the time of the game has been used (秒読み).
    #[doc(alias = "秒読み")]
    Byoyomi,
    /// The time that the players used (消費時間).
    TimeUsed,
    /// The number of moves after which the game is a draw (`$MAX_MOVES` in CSA 3.0).
    MaxMoves,
    /// The rule of the impasse (`$JISHOGI` in CSA 3.0).
    ImpasseRule,
    /// The place of publication (掲載).
    Published,
    /// Remarks on the game (備考; `$NOTE` in CSA 3.0), which may have several lines.
    Note,
    /// The number of a mate problem (作品番号).
    ProblemNumber,
    /// The name of a mate problem (作品名).
    ProblemName,
    /// The composer of a mate problem (作者).
    Composer,
    /// The source of a mate problem (出典).
    Source,
    /// Any other key, as the file has it.
    Custom(String),
}

impl HeaderKey {
    /// Returns the key of the player of `color`.
    pub fn player(color: Color) -> Self {
        match color {
            Color::Black => Self::Black,
            Color::White => Self::White,
        }
    }
}

/// The header of a record: keys and values of the file, in its order.
///
/// Keys that the library does not know are kept as [`HeaderKey::Custom`] and written back like the
/// others.
///
/// # Examples
///
/// ```
/// use komadai_core::Color;
/// use komadai_kifu::{Header, HeaderKey};
///
/// let mut header = Header::default();
/// header.set(HeaderKey::Black, "NAKAHARA");
/// header.set(HeaderKey::Event, "13th World Computer Shogi Championship");
/// assert_eq!(header.player(Color::Black), Some("NAKAHARA"));
/// assert_eq!(header.player(Color::White), None);
/// assert_eq!(header.event(), Some("13th World Computer Shogi Championship"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Header {
    entries: Vec<(HeaderKey, String)>,
}

impl Header {
    /// Returns the first value of `key`.
    pub fn get(&self, key: &HeaderKey) -> Option<&str> {
        self.entries.iter().find(|(found, _)| found == key).map(|(_, value)| value.as_str())
    }

    /// Returns the first value of a key that is not among the known ones.
    pub fn custom(&self, key: &str) -> Option<&str> {
        let is_key = |found: &HeaderKey| matches!(found, HeaderKey::Custom(word) if word == key);
        self.entries.iter().find(|(found, _)| is_key(found)).map(|(_, value)| value.as_str())
    }

    /// Sets the value of `key`. An existing key keeps its place, a new one is appended.
    pub fn set(&mut self, key: HeaderKey, value: impl Into<String>) {
        match self.entries.iter_mut().find(|(found, _)| *found == key) {
            Some((_, old)) => *old = value.into(),
            None => self.push(key, value),
        }
    }

    /// Appends a value, even if the key exists already.
    pub fn push(&mut self, key: HeaderKey, value: impl Into<String>) {
        self.entries.push((key, value.into()));
    }

    /// Returns all keys and values in order.
    pub fn iter(&self) -> impl Iterator<Item = (&HeaderKey, &str)> {
        self.entries.iter().map(|(key, value)| (key, value.as_str()))
    }

    /// Returns true if there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the name of the player of `color`.
    pub fn player(&self, color: Color) -> Option<&str> {
        self.get(&HeaderKey::player(color))
    }

    /// Returns the event (棋戦).
    pub fn event(&self) -> Option<&str> {
        self.get(&HeaderKey::Event)
    }
}
