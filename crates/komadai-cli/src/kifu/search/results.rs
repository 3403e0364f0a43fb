//! The outputs of a search.

use std::num::NonZero;

use super::extract::Extract;
use super::found::FoundGame;
use super::listing::Listing;
use super::options::Options;

/// The end of a search before its last game.
pub(super) enum Ended {
    /// As many games as were asked for.
    Enough,
    Failed(anyhow::Error),
}

impl<E: Into<anyhow::Error>> From<E> for Ended {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// The outputs of a search.
pub(super) struct Results {
    listing: Listing,
    extract: Option<Extract>,
    limit: u64,
    pub(super) found: u64,
}

impl Results {
    /// Creates the outputs, so that a file that cannot be written is known before the search.
    pub(super) fn new(options: &Options) -> anyhow::Result<Self> {
        Ok(Self {
            listing: Listing::new(options),
            extract: options.to.as_ref().map(|to| Extract::new(to, options.force)).transpose()?,
            limit: options.limit.map_or(u64::MAX, NonZero::get),
            found: 0,
        })
    }

    pub(super) fn add(&mut self, found: FoundGame) -> Result<(), Ended> {
        self.listing.write(&found)?;
        if let Some(extract) = &mut self.extract {
            extract.write(&found)?;
        }
        self.found += 1;
        if self.found < self.limit { Ok(()) } else { Err(Ended::Enough) }
    }

    pub(super) fn finish(self) -> anyhow::Result<()> {
        let Self { listing, extract, found, .. } = self;
        listing.finish(found)?;
        extract.map_or(Ok(()), Extract::finish)
    }
}
