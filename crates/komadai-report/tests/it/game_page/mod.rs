//! Pages about games.

mod browser;
mod page;
mod points;
