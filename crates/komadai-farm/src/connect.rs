//! Connections to the server.

use std::path::Path;
use std::time::Duration;

use komadai_book::queue::QueueError;
use postgres::config::SslMode;
use postgres::{Client, Config, NoTls};

use crate::error::{Fault, refused};
use crate::url::{FarmUrl, Host};

/// The time within which a connection must be made.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The time after which a silent connection is probed.
const KEEPALIVE_IDLE: Duration = Duration::from_secs(30);

/// The time between probes of a silent connection. It ends after three without an answer.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(10);

/// The time within which sent bytes must be acknowledged (on Linux).
const USER_TIMEOUT: Duration = Duration::from_secs(60);

/// Limits of the server for statements, in milliseconds: none of ours takes long. And its own probes: without them the
/// session of a machine that has vanished holds its locks, and counts as a connection of its role, for two hours.
const LIMITS: &str = "-c statement_timeout=30000 -c lock_timeout=5000 -c idle_in_transaction_session_timeout=10000 \
     -c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3 -c tcp_user_timeout=60000";

/// Connects to the server.
pub(crate) fn connect(url: &FarmUrl) -> Result<Client, QueueError> {
    if !url.is_permitted() {
        let reason = format!(
            "everybody on the way can read a connection to {url}; expected sslrootcert, or leave for a plain network (--plain-network)"
        );
        return Err(refused(reason));
    }
    let mut config = Config::new();
    match &url.host {
        #[cfg(unix)]
        Host::Socket(folder) => config.host_path(folder),
        #[cfg(not(unix))]
        Host::Socket(_) => return Err(refused("this system has no sockets in folders")),
        Host::Network(name) => config.host(name),
    };
    config
        .port(url.port)
        .user(url.user())
        .dbname(url.database())
        .application_name(concat!("komadai-farm ", env!("CARGO_PKG_VERSION")))
        .options(&format!("{LIMITS} -c search_path={}", url.schema()))
        .connect_timeout(CONNECT_TIMEOUT)
        .keepalives_idle(KEEPALIVE_IDLE)
        .keepalives_interval(KEEPALIVE_INTERVAL)
        .keepalives_retries(3)
        .tcp_user_timeout(USER_TIMEOUT);
    if let Some(password) = &url.password {
        config.password(password);
    }
    let Some(root_certificates) = &url.root_certificates else {
        config.ssl_mode(SslMode::Disable);
        return Ok(config.connect(NoTls).map_err(Fault::from)?);
    };
    config.ssl_mode(SslMode::Require);
    encrypted(&config, root_certificates)
}

#[cfg(feature = "tls")]
fn encrypted(config: &Config, root_certificates: &Path) -> Result<Client, QueueError> {
    let connector = crate::tls::connector(root_certificates).map_err(refused)?;
    Ok(config.connect(connector).map_err(Fault::from)?)
}

#[cfg(not(feature = "tls"))]
fn encrypted(_: &Config, root_certificates: &Path) -> Result<Client, QueueError> {
    let path = root_certificates.display();
    Err(refused(format!("this program was built without TLS and cannot use {path}")))
}
