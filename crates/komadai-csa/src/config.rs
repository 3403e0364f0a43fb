//! The settings of a client.

use std::fmt;
use std::time::Duration;

use crate::error::CsaError;

/// The settings of a client. The fields are public; [`new`](Self::new) sets the usual times.
#[derive(Clone, PartialEq, Eq)]
pub struct CsaConfig {
    /// The host; by default this machine, `127.0.0.1`.
    pub host: String,
    /// The port; by default 4081.
    pub port: u16,
    /// The name of the player: one word of printable ASCII.
    pub user: String,
    /// The password, one word of printable ASCII; on floodgate with the time control before a
    /// comma.
    pub password: String,
    /// The time for connecting, and for the answer to the log-in.
    pub patience: Duration,
    /// The time without a line of the client after which it sends an empty one. The protocol asks
    /// for at least 30 seconds.
    pub keep_alive: Duration,
    /// The time without any line of the server after which the connection counts as lost.
    pub silence: Duration,
    /// The number of attempts to connect again after a connection was lost, one after the other.
    pub retries: u32,
    /// The pause before the first of them. Each pause is twice the one before it, up to a minute.
    pub pause: Duration,
}

impl CsaConfig {
    /// Creates the settings for a player.
    pub fn new(user: impl Into<String>, password: impl Into<String>) -> Self {
        Self {
            host: "127.0.0.1".to_owned(),
            port: 4081,
            user: user.into(),
            password: password.into(),
            patience: Duration::from_secs(20),
            keep_alive: Duration::from_secs(40),
            silence: Duration::from_secs(24 * 60 * 60),
            retries: 8,
            pause: Duration::from_secs(1),
        }
    }

    /// Returns whether a text can be sent as the name of a player or as a password: one word of
    /// printable ASCII.
    pub fn is_word(text: &str) -> bool {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic())
    }

    /// Checks name and password.
    pub(crate) fn check(&self) -> Result<(), CsaError> {
        if !Self::is_word(&self.user) {
            let found = format!("{:?}", self.user);
            return Err(CsaError::BadWord { what: "name of the player", found });
        }
        if !Self::is_word(&self.password) {
            let found = "another text".to_owned();
            return Err(CsaError::BadWord { what: "password", found });
        }
        Ok(())
    }

    /// Returns host and port.
    pub fn address(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }
}

/// Shows everything but the password.
impl fmt::Debug for CsaConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CsaConfig")
            .field("address", &self.address())
            .field("user", &self.user)
            .field("patience", &self.patience)
            .field("keep_alive", &self.keep_alive)
            .field("silence", &self.silence)
            .field("retries", &self.retries)
            .field("pause", &self.pause)
            .finish_non_exhaustive()
    }
}
