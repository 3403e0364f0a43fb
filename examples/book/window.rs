//! Windows on the command line.

use clap::ValueEnum;
use komadai::bookgraph::frontier::Window;

/// Which moves the opponent may play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WindowName {
    /// Near the best of the position, and the own side as well.
    Free,
    /// Near the best of the position.
    Best,
    /// Near the value of the root.
    Root,
}

impl From<WindowName> for Window {
    fn from(name: WindowName) -> Self {
        match name {
            WindowName::Free => Self::Free,
            WindowName::Best => Self::Best,
            WindowName::Root => Self::Root,
        }
    }
}
