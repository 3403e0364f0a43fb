//! The peer of `records` for the crate `rsshogi`: its readers of bytes, which detect the encoding.

use std::fs;

use komadai_peers::records::{Format, serve};
use rsshogi::records::{parse_csa_bytes, parse_kif_bytes};

fn main() -> std::io::Result<()> {
    serve("rsshogi", |format, path| {
        let bytes = fs::read(path)?;
        let game = match format {
            Format::Csa => parse_csa_bytes(&bytes)?,
            Format::Kif => parse_kif_bytes(&bytes)?,
        };
        Ok(game.main_moves().count() as u64)
    })
}
