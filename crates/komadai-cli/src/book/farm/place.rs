//! The place of jobs: a working book, or a queue on a server.

use std::path::PathBuf;

use clap::Args;
use komadai::book::store::Store;
use komadai_farm::{FarmQueue, FarmUrl, UrlError};

use crate::book::farm::access::{Access, host};
use crate::book::files::source::open_store;

/// A queue on a server.
#[derive(Debug, Args)]
pub(super) struct Server {
    /// Address of the queue.
    url: FarmUrl,
    #[command(flatten)]
    pub(super) access: Access,
}

/// The jobs of a working book, or a queue on a server.
#[derive(Debug, Args)]
pub(super) struct Place {
    /// Working book, or address of a queue.
    #[arg(value_name = "BOOK|URL", value_parser = Target::parse)]
    target: Target,
    #[command(flatten)]
    access: Access,
}

#[derive(Debug, Clone)]
enum Target {
    Book(PathBuf),
    Server(Box<FarmUrl>),
}

impl Server {
    /// The address with its password.
    pub(super) fn url(&self) -> anyhow::Result<FarmUrl> {
        self.access.complete(&self.url)
    }

    /// Connects to the queue.
    pub(super) fn open(&self) -> anyhow::Result<FarmQueue> {
        Ok(FarmQueue::open(&self.url()?, host())?)
    }
}

impl Target {
    fn parse(text: &str) -> Result<Self, UrlError> {
        if text.contains("://") {
            return Ok(Self::Server(Box::new(text.parse()?)));
        }
        Ok(Self::Book(text.into()))
    }
}

/// An opened [`Place`].
pub(super) enum Opened {
    Book(Store),
    Server(Box<FarmQueue>),
}

impl Place {
    pub(super) fn open(&self) -> anyhow::Result<Opened> {
        Ok(match &self.target {
            Target::Book(path) => Opened::Book(open_store(path)?),
            Target::Server(url) => {
                Opened::Server(Box::new(FarmQueue::open(&self.access.complete(url)?, host())?))
            }
        })
    }
}
