//! The arguments of programs that show their progress on a page.

use std::net::SocketAddr;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use komadai_base::file::read_text;
use komadai_console::note;
use komadai_live::{LiveServer, ServerOptions};

/// Maximum size in bytes of a file with a token.
const MOST_TOKEN: u64 = 4_096;

#[derive(Debug, Args)]
pub(crate) struct PageArgs {
    /// Serve a page that shows the progress at an address, such as 127.0.0.1:8080 (port 0 for any
    /// free one). Without the printed token a page on 127.0.0.1 may be read and not paused, one on
    /// another address not even read. The page has no TLS.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) page: Option<SocketAddr>,
    /// File with the token of the page; by default a random one.
    #[arg(long, value_name = "FILE", requires = "page")]
    pub(crate) page_token: Option<PathBuf>,
}

impl PageArgs {
    /// Starts the page, if there is to be one, and prints its address.
    pub(crate) fn start(&self) -> anyhow::Result<Option<LiveServer>> {
        let Some(address) = self.page else { return Ok(None) };
        let token = match &self.page_token {
            None => None,
            Some(path) => {
                let named = || format!("--page-token {}", path.display());
                Some(read_text(path, MOST_TOKEN).with_context(named)?.trim().to_owned())
            }
        };
        let server = LiveServer::start(&ServerOptions { address, token }).context("--page")?;
        note!("page: {}", server.url());
        Ok(Some(server))
    }
}
