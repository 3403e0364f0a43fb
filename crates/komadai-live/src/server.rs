//! The server on its own thread.

use std::convert::Infallible;
use std::fmt::Write as _;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, oneshot};

use crate::access::Access;
use crate::page_handle::PageHandle;
use crate::routes::respond;

/// Maximum number of connections at the same time; others wait.
const MOST_CONNECTIONS: usize = 64;

/// Time for the head of a request, and for a connection without one.
const HEAD_TIME: Duration = Duration::from_secs(15);

/// Time after which a connection ends in any case.
const CONNECTION_TIME: Duration = Duration::from_secs(600);

/// Maximum size in bytes of the head of a request.
const MOST_HEAD: usize = 16 * 1024;

/// Pause after a connection could not be accepted, as where the process has too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(200);

/// Minimum length of a token that a user chooses.
const MIN_TOKEN: usize = 8;

/// The address of a server and its token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerOptions {
    /// The address to listen on. Port 0 is any free one.
    pub address: SocketAddr,
    /// The token: at least eight ASCII letters, digits, `-`, `_` and `.`. `None` for a random one.
    pub token: Option<String>,
}

impl ServerOptions {
    /// This address and a random token.
    pub fn new(address: SocketAddr) -> Self {
        Self { address, token: None }
    }
}

/// The reason why a server cannot start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LiveError {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The token is too short or has other characters than those that an address may have.
    #[error(
        "the token is unsuitable, expected at least {MIN_TOKEN} letters, digits, '-', '_', '.'"
    )]
    Token,
    /// The operating system gives no random numbers or no thread.
    #[error("cannot start the page: {0}")]
    System(#[source] io::Error),
}

/// A server of one page. It ends when it is dropped.
#[derive(Debug)]
pub struct LiveServer {
    address: SocketAddr,
    access: Arc<Access>,
    page: PageHandle,
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl LiveServer {
    /// Starts a server with an empty page.
    ///
    /// # Errors
    ///
    /// If the address cannot be listened on, or the token is unsuitable.
    pub fn start(options: &ServerOptions) -> Result<Self, LiveError> {
        let token = match &options.token {
            Some(token) if is_suitable(token) => token.clone(),
            Some(_) => return Err(LiveError::Token),
            None => random_token()?,
        };
        let failed = |source| LiveError::Listen { address: options.address, source };
        let listener = TcpListener::bind(options.address).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let access = Arc::new(Access {
            token,
            is_loopback: address.ip().is_loopback(),
            cookie: format!("komadai_{}", address.port()),
        });
        let page = PageHandle::new();
        let (end, ended) = oneshot::channel();
        let mut builder = tokio::runtime::Builder::new_current_thread();
        let runtime = builder.enable_all().build().map_err(LiveError::System)?;
        let (shared, served) = (Arc::clone(&access), page.clone());
        let thread = thread::Builder::new().name("live page".to_owned());
        let thread = thread
            .spawn(move || runtime.block_on(serve(listener, shared, served, ended)))
            .map_err(LiveError::System)?;
        Ok(Self { address, access, page, end: Some(end), thread: Some(thread) })
    }

    /// Returns a handle to the page.
    pub fn page(&self) -> PageHandle {
        self.page.clone()
    }

    /// The address that the server listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the address of the page with the token, for a browser. Where the server listens on
    /// all addresses of the machine, another machine needs one of them in its place.
    pub fn url(&self) -> String {
        format!("http://{}/?token={}", self.address, self.access.token)
    }
}

impl Drop for LiveServer {
    fn drop(&mut self) {
        if let Some(end) = self.end.take() {
            // The thread may have ended by itself.
            let _ = end.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn is_suitable(token: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    token.len() >= MIN_TOKEN && token.bytes().all(is_plain)
}

fn random_token() -> Result<String, LiveError> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(|error| LiveError::System(io::Error::other(error)))?;
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

/// Accepts connections until `ended`.
async fn serve(
    listener: TcpListener,
    access: Arc<Access>,
    page: PageHandle,
    mut ended: oneshot::Receiver<()>,
) {
    // Fails only outside a runtime.
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    let permits = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let next = async {
            let permit = Arc::clone(&permits).acquire_owned().await;
            (permit, listener.accept().await)
        };
        let (permit, accepted) = tokio::select! {
            _ = &mut ended => return,
            next = next => next,
        };
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        let (access, page) = (Arc::clone(&access), page.clone());
        tokio::spawn(async move {
            let _permit = permit;
            // A connection that takes too long or breaks off concerns nobody else.
            let _ = tokio::time::timeout(CONNECTION_TIME, connection(stream, access, page)).await;
        });
    }
}

/// Answers the requests of a connection.
async fn connection(stream: TcpStream, access: Arc<Access>, page: PageHandle) -> hyper::Result<()> {
    let service = service_fn(|request| {
        let response = respond(&request, &access, &page);
        async move { Ok::<_, Infallible>(response) }
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(MOST_HEAD)
        .serve_connection(TokioIo::new(stream), service)
        .await
}
