//! The address of a queue.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use komadai_base::file::first_line;

/// The address of a queue on a PostgreSQL server.
///
/// ```text
/// postgres://USER@HOST[:PORT]/DATABASE[?KEY=VALUE[&KEY=VALUE …]]
/// ```
///
/// | key | value | default |
/// |---|---|---|
/// | `host` | the folder of the server's socket, if no host stands before the path | |
/// | `schema` | the schema of the queue; a server may have several | `komadai` |
/// | `sslmode` | `verify-full` (encrypted, with a checked certificate and name) or `disable` | `verify-full` with `sslrootcert`, otherwise `disable` |
/// | `sslrootcert` | a file with the certificates (PEM) that the server's is checked against | |
///
/// Other machines can read a connection without encryption. It is made to this machine only, unless
/// [`allow_plain_network`](Self::allow_plain_network) permits others, for private networks such as a VPN.
///
/// An address has no password, because the arguments of programs are visible to all users of a machine:
/// [`with_password_file`](Self::with_password_file) and [`with_password`](Self::with_password) add one.
///
/// # Examples
///
/// ```
/// use komadai_farm::{FarmUrl, UrlError};
///
/// let url: FarmUrl = "postgres://anna@localhost/books?schema=komadai_white".parse()?;
/// assert_eq!((url.user(), url.schema()), ("anna", "komadai_white"));
/// let socket: FarmUrl = "postgres://anna@/books?host=/run/postgresql".parse()?;
/// assert_eq!(socket.to_string(), "postgres://anna@/books?host=/run/postgresql");
/// let error = "postgres://anna:secret@localhost/books".parse::<FarmUrl>().unwrap_err();
/// assert_eq!(error, UrlError::Password);
/// # Ok::<(), UrlError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct FarmUrl {
    pub(crate) host: Host,
    pub(crate) port: u16,
    user: String,
    database: String,
    schema: String,
    /// The file with the root certificates; `None` for a connection without encryption.
    pub(crate) root_certificates: Option<PathBuf>,
    allows_plain_network: bool,
    pub(crate) password: Option<String>,
}

/// The place of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Host {
    /// The folder of a socket.
    Socket(PathBuf),
    /// A name or an address.
    Network(String),
}

/// The reason why a text is no address of a queue.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UrlError {
    /// The text does not start with the protocol.
    #[error("found {found:?}, expected an address that starts with postgres://")]
    Scheme {
        /// The text.
        found: String,
    },
    /// The address has a password.
    #[error(
        "the address has a password, which all users of the machine can read; expected one in a file or in the \
         environment"
    )]
    Password,
    /// A part is missing.
    #[error("the address has no {part}, expected postgres://USER@HOST/DATABASE")]
    Missing {
        /// The name of the part.
        part: &'static str,
    },
    /// A part has an invalid value.
    #[error("{part} {found:?}, expected {expected}")]
    Invalid {
        /// The name of the part.
        part: String,
        /// The value.
        found: String,
        /// The values that are valid.
        expected: &'static str,
    },
    /// A key that addresses do not have.
    #[error("unknown key {key:?}, expected host, schema, sslmode or sslrootcert")]
    UnknownKey {
        /// The key.
        key: String,
    },
    /// The password cannot be read.
    #[error("the password in {}: {reason}", path.display())]
    PasswordFile {
        /// The path of the file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
}

/// The greatest length of a password in bytes.
const MAX_PASSWORD: u64 = 4_096;

/// The length of the longest schema. With the ending of a role it is a name of PostgreSQL, 63 bytes.
const MAX_SCHEMA: usize = 40;

impl FarmUrl {
    /// The name of the login role.
    pub fn user(&self) -> &str {
        &self.user
    }

    /// The name of the database.
    pub fn database(&self) -> &str {
        &self.database
    }

    /// The name of the schema, the beginning of the names of the queue's roles.
    pub fn schema(&self) -> &str {
        &self.schema
    }

    /// The same address with a password.
    #[must_use]
    pub fn with_password(self, password: impl Into<String>) -> Self {
        Self { password: Some(password.into()), ..self }
    }

    /// The same address with the password in the first line of a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn with_password_file(self, path: impl AsRef<Path>) -> Result<Self, UrlError> {
        let path = path.as_ref();
        let password = first_line(path, MAX_PASSWORD).map_err(|error| UrlError::PasswordFile {
            path: path.to_owned(),
            reason: error.to_string(),
        })?;
        Ok(self.with_password(password))
    }

    /// The same address, for a connection without encryption even to other machines: for networks that
    /// nobody else can read.
    #[must_use]
    pub fn allow_plain_network(self) -> Self {
        Self { allows_plain_network: true, ..self }
    }

    /// The same address for another user, without a password.
    #[must_use]
    pub fn for_user(self, user: impl Into<String>) -> Self {
        Self { user: user.into(), password: None, ..self }
    }

    /// Returns whether the connection may be made as it is.
    pub(crate) fn is_permitted(&self) -> bool {
        self.root_certificates.is_some() || self.allows_plain_network || self.host.is_this_machine()
    }
}

impl Host {
    fn is_this_machine(&self) -> bool {
        match self {
            Self::Socket(_) => true,
            Self::Network(name) => {
                name.eq_ignore_ascii_case("localhost")
                    || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
            }
        }
    }
}

impl FromStr for FarmUrl {
    type Err = UrlError;

    fn from_str(text: &str) -> Result<Self, UrlError> {
        let rest =
            ["postgres://", "postgresql://"].iter().find_map(|start| text.strip_prefix(start));
        let rest = rest.ok_or_else(|| UrlError::Scheme { found: without_password(text) })?;
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, database) =
            rest.split_once('/').ok_or(UrlError::Missing { part: "database" })?;
        let (user, host) = authority.rsplit_once('@').ok_or(UrlError::Missing { part: "user" })?;
        if user.contains(':') {
            return Err(UrlError::Password);
        }
        let user = decoded("user", user)?;
        let database = decoded("database", database)?;
        for (part, value) in [("user", &user), ("database", &database)] {
            if value.is_empty() {
                return Err(UrlError::Missing { part });
            }
        }
        let (name, port) = host_and_port(host)?;
        let mut url = Self {
            host: Host::Network(decoded("host", name)?),
            port,
            user,
            database,
            schema: "komadai".to_owned(),
            root_certificates: None,
            allows_plain_network: false,
            password: None,
        };
        let mut mode = None;
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            let value = decoded(key, value)?;
            match key {
                "host" if name.is_empty() && value.starts_with('/') => {
                    url.host = Host::Socket(value.into())
                }
                "host" => {
                    let expected = "the folder of a socket, from / on, and no host before the path";
                    return Err(invalid(key, value, expected));
                }
                "schema" => url.schema = checked_schema(value)?,
                "sslmode" => mode = Some(value),
                "sslrootcert" => url.root_certificates = Some(value.into()),
                "password" => return Err(UrlError::Password),
                _ => return Err(UrlError::UnknownKey { key: key.to_owned() }),
            }
        }
        if url.host == Host::Network(String::new()) {
            return Err(UrlError::Missing { part: "host" });
        }
        match (mode.as_deref(), &url.root_certificates) {
            (None, _) | (Some("verify-full"), Some(_)) | (Some("disable"), None) => Ok(url),
            (Some("verify-full"), None) => {
                let expected = "a file with the certificates as sslrootcert";
                Err(invalid("sslmode", "verify-full", expected))
            }
            (Some(mode), _) => {
                let expected = "verify-full with sslrootcert, or disable without";
                Err(invalid("sslmode", mode, expected))
            }
        }
    }
}

/// Shows the address without its password.
impl fmt::Display for FarmUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "postgres://{}@", encoded(&self.user))?;
        let mut pairs = Vec::new();
        match &self.host {
            Host::Socket(folder) => pairs.push(("host", folder.to_string_lossy().into_owned())),
            Host::Network(name) if name.contains(':') => write!(f, "[{name}]")?,
            Host::Network(name) => f.write_str(&encoded(name))?,
        }
        if self.port != DEFAULT_PORT {
            write!(f, ":{}", self.port)?;
        }
        write!(f, "/{}", encoded(&self.database))?;
        if self.schema != "komadai" {
            pairs.push(("schema", self.schema.clone()));
        }
        if let Some(path) = &self.root_certificates {
            pairs.push(("sslrootcert", path.to_string_lossy().into_owned()));
        }
        for (number, (key, value)) in pairs.iter().enumerate() {
            let sign = if number == 0 { '?' } else { '&' };
            write!(f, "{sign}{key}={}", encoded(value))?;
        }
        Ok(())
    }
}

/// Shows no password.
impl fmt::Debug for FarmUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FarmUrl").field(&self.to_string()).finish()
    }
}

const DEFAULT_PORT: u16 = 5432;

/// The host and the port of `HOST`, `HOST:PORT` or `[ADDRESS]:PORT`.
fn host_and_port(text: &str) -> Result<(&str, u16), UrlError> {
    let (name, port) = match text.strip_prefix('[') {
        Some(rest) => {
            let (name, rest) =
                rest.split_once(']').ok_or_else(|| invalid("host", text, "[ADDRESS]"))?;
            (name, rest.strip_prefix(':').or(if rest.is_empty() { Some("") } else { None }))
        }
        None => match text.split_once(':') {
            Some((name, port)) => (name, Some(port)),
            None => (text, Some("")),
        },
    };
    match port {
        Some("") => Ok((name, DEFAULT_PORT)),
        Some(port) if port.parse::<u16>().is_ok_and(|port| port > 0) => {
            Ok((name, port.parse().expect("it is a number")))
        }
        _ => Err(invalid("port", port.unwrap_or(text), "a number from 1 to 65535")),
    }
}

/// A name that needs no quotes in SQL: it becomes part of the functions of the schema.
fn checked_schema(name: String) -> Result<String, UrlError> {
    let is_valid = name.len() <= MAX_SCHEMA
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && !name.starts_with("pg_")
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if is_valid {
        return Ok(name);
    }
    Err(invalid("schema", name, "at most 40 of a-z, 0-9 and _, a letter first, not pg_"))
}

fn invalid(part: &str, found: impl Into<String>, expected: &'static str) -> UrlError {
    UrlError::Invalid { part: part.to_owned(), found: found.into(), expected }
}

/// The text for a message, in which nothing between `:` and `@` may stand.
fn without_password(text: &str) -> String {
    match text.rsplit_once('@') {
        Some((_, rest)) => format!("…@{rest}"),
        None => text.to_owned(),
    }
}

/// Decodes `%41` and so on.
fn decoded(part: &str, text: &str) -> Result<String, UrlError> {
    let fault = || invalid(part, text, "UTF-8, with % before two hexadecimal digits");
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || char::from(rest.next()?).to_digit(16);
        let high = digit().ok_or_else(fault)?;
        let low = digit().ok_or_else(fault)?;
        bytes.push((high * 16 + low) as u8);
    }
    if bytes.contains(&0) {
        return Err(fault());
    }
    String::from_utf8(bytes).map_err(|_| fault())
}

fn encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded += &format!("%{byte:02X}");
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> FarmUrl {
        text.parse().unwrap()
    }

    #[test]
    fn addresses_are_read_and_shown() {
        for text in [
            "postgres://a@localhost/books",
            "postgres://a@db.example.org:5433/books?schema=komadai_white&sslrootcert=/etc/ca.pem",
            "postgres://a%20b%40c@[::1]:6000/b%3Fc",
            "postgres://a@/books?host=/run/postgre%20sql",
        ] {
            assert_eq!(url(text).to_string(), text);
            assert_eq!(url(&url(text).to_string()), url(text));
        }
        let read = url("postgresql://a@h/b?sslmode=disable&schema=x_1");
        assert_eq!(
            (read.user(), read.database(), read.schema(), read.port),
            ("a", "b", "x_1", 5432)
        );
        assert_eq!(url("postgres://a%20b%40c@[::1]:6000/b%3Fc").user(), "a b@c");
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in [
            "",
            "mysql://a@h/b",
            "postgres://h/b",
            "postgres://a@h",
            "postgres://a@h/",
            "postgres://@h/b",
            "postgres://a@/b",
            "postgres://a@h:0/b",
            "postgres://a@h:70000/b",
            "postgres://a@h:x/b",
            "postgres://a@[::1/b",
            "postgres://a@[::1]x/b",
            "postgres://a@h/b?sslmode=verify-full",
            "postgres://a@h/b?sslmode=require",
            "postgres://a@h/b?sslmode=disable&sslrootcert=/ca.pem",
            "postgres://a@h/b?host=/tmp",
            "postgres://a@/b?host=tmp",
            "postgres://a@h/b?colour=red",
            "postgres://a@h/b?schema=x;drop",
            "postgres://a@h/b?schema=Big",
            "postgres://a@h/b?schema=pg_x",
            "postgres://a@h/b?schema=",
            "postgres://%zz@h/b",
            "postgres://%4",
            "postgres://%00@h/b",
            "postgres://%ff@h/b",
        ] {
            assert!(text.parse::<FarmUrl>().is_err(), "{text}");
        }
        let long = format!("postgres://a@h/b?schema={}", "x".repeat(41));
        assert!(long.parse::<FarmUrl>().is_err());
    }

    #[test]
    fn no_message_shows_a_password() {
        for text in
            ["postgres://a:geheim@h/b", "postgres://a@h/b?password=geheim", "pg://a:geheim@h/b"]
        {
            let error = text.parse::<FarmUrl>().unwrap_err();
            assert!(!error.to_string().contains("geheim"), "{error}");
        }
        let with = url("postgres://a@h/b").with_password("geheim");
        assert!(!format!("{with} {with:?}").contains("geheim"));
    }

    #[test]
    fn a_network_needs_encryption_or_leave() {
        for (text, is_permitted) in [
            ("postgres://a@localhost/b", true),
            ("postgres://a@127.0.0.1/b", true),
            ("postgres://a@[::1]/b", true),
            ("postgres://a@/b?host=/run/postgresql", true),
            ("postgres://a@localhost.example.org/b", false),
            ("postgres://a@192.168.1.5/b", false),
            ("postgres://a@h/b?sslmode=disable", false),
            ("postgres://a@h/b?sslrootcert=/ca.pem", true),
        ] {
            assert_eq!(url(text).is_permitted(), is_permitted, "{text}");
            assert!(url(text).allow_plain_network().is_permitted(), "{text}");
        }
    }

    #[test]
    fn a_password_is_the_first_line_of_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("password");
        std::fs::write(&path, "geheim\nmore\n").unwrap();
        let with = url("postgres://a@h/b").with_password_file(&path).unwrap();
        assert_eq!(with.password.as_deref(), Some("geheim"));
        let missing = url("postgres://a@h/b").with_password_file(folder.path().join("x"));
        assert!(matches!(missing, Err(UrlError::PasswordFile { .. })));
    }
}
