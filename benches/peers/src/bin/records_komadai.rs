//! The peer of `records` for komadai: lenient reading of bytes of any encoding.

use std::fs;

use komadai_kifu::{Tolerance, parse_csa, parse_kif};
use komadai_peers::records::{Format, serve};

fn main() -> std::io::Result<()> {
    serve("komadai", |format, path| {
        let bytes = fs::read(path)?;
        let games = match format {
            Format::Csa => parse_csa(bytes, Tolerance::Lenient)?,
            Format::Kif => parse_kif(bytes, Tolerance::Lenient)?,
        };
        Ok(games.records.iter().map(|game| game.moves.len() as u64).sum())
    })
}
