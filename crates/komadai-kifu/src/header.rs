//! What a record says before its moves: players, event, times.

use komadai_core::Color;

/// The header of a record: keys and values as the file has them, in its order.
///
/// Keys are those of the format: in CSA `N+` and `N-` for the players, `$EVENT`, `$START_TIME` and
/// so on. Keys that no one knows are kept like the others, and written back.
///
/// # Examples
///
/// ```
/// use komadai_core::Color;
/// use komadai_kifu::Header;
///
/// let mut header = Header::default();
/// header.set("N+", "NAKAHARA");
/// header.set("$EVENT", "13th World Computer Shogi Championship");
/// assert_eq!(header.player(Color::Black), Some("NAKAHARA"));
/// assert_eq!(header.player(Color::White), None);
/// assert_eq!(header.event(), Some("13th World Computer Shogi Championship"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Header {
    entries: Vec<(String, String)>,
}

impl Header {
    /// The first value of `key`.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        self.entries.iter().find(|(found, _)| found == key).map(|(_, value)| value.as_str())
    }

    /// Sets the value of `key`, in its old place if there is one.
    pub fn set(&mut self, key: &str, value: impl Into<String>) {
        match self.entries.iter_mut().find(|(found, _)| found == key) {
            Some((_, old)) => *old = value.into(),
            None => self.push(key, value),
        }
    }

    /// Appends a value, whether or not its key is there already.
    pub fn push(&mut self, key: impl Into<String>, value: impl Into<String>) {
        self.entries.push((key.into(), value.into()));
    }

    /// All keys and values in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Whether there is nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The name of the player of `color` (先手, 後手).
    #[must_use]
    pub fn player(&self, color: Color) -> Option<&str> {
        self.get(match color {
            Color::Black => "N+",
            Color::White => "N-",
        })
    }

    /// The event (棋戦).
    #[must_use]
    pub fn event(&self) -> Option<&str> {
        self.get("$EVENT")
    }

    /// When the game began, as the file writes it.
    #[must_use]
    pub fn start_time(&self) -> Option<&str> {
        self.get("$START_TIME")
    }
}
