//! The header of a record: players, event, times.

use komadai_core::Color;

/// The header of a record: keys and values of the file, in its order.
///
/// Keys are those of the format: in CSA `N+` and `N-` for the players, `$EVENT`, `$START_TIME` and
/// so on. Unknown keys are kept and written back like the others.
///
/// # Examples
///
/// ```
/// use komadai_core::Color;
/// use komadai_kifu::Header;
///
/// let mut header = Header::default();
/// header.set_player(Color::Black, "NAKAHARA");
/// header.set_event("13th World Computer Shogi Championship");
/// assert_eq!(header.get("N+"), Some("NAKAHARA"));
/// assert_eq!(header.player(Color::Black), Some("NAKAHARA"));
/// assert_eq!(header.player(Color::White), None);
/// assert_eq!(header.event(), Some("13th World Computer Shogi Championship"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Header {
    entries: Vec<(String, String)>,
}

impl Header {
    /// Returns the first value of `key`.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        self.entries.iter().find(|(found, _)| found == key).map(|(_, value)| value.as_str())
    }

    /// Sets the value of `key`. An existing key keeps its place, a new one is appended.
    pub fn set(&mut self, key: &str, value: impl Into<String>) {
        match self.entries.iter_mut().find(|(found, _)| found == key) {
            Some((_, old)) => *old = value.into(),
            None => self.push(key, value),
        }
    }

    /// Appends a value, even if the key exists already.
    pub fn push(&mut self, key: impl Into<String>, value: impl Into<String>) {
        self.entries.push((key.into(), value.into()));
    }

    /// Returns all keys and values in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Returns true if there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the name of the player of `color` (先手, 後手).
    #[must_use]
    pub fn player(&self, color: Color) -> Option<&str> {
        self.get(match color {
            Color::Black => "N+",
            Color::White => "N-",
        })
    }

    /// Sets the name of the player of `color`.
    pub fn set_player(&mut self, color: Color, name: impl Into<String>) {
        self.set(
            match color {
                Color::Black => "N+",
                Color::White => "N-",
            },
            name,
        );
    }

    /// Returns the event (棋戦).
    #[must_use]
    pub fn event(&self) -> Option<&str> {
        self.get("$EVENT")
    }

    /// Sets the event.
    pub fn set_event(&mut self, event: impl Into<String>) {
        self.set("$EVENT", event);
    }

    /// Returns the start time of the game, as the file has it.
    #[must_use]
    pub fn start_time(&self) -> Option<&str> {
        self.get("$START_TIME")
    }
}
