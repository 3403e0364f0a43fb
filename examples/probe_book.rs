//! A position looked up in a book file that is not loaded: `.db`, `.ybb` or Apery's `.bin`.
//!
//! ```text
//! cargo run --example probe_book
//! cargo run --example probe_book -- my_book.db 7g7f 3c3d
//! ```

use anyhow::Context as _;
use komadai::bookfile::{DbProbe, PlyMatch, open_probe};
use komadai::kifu::{Notation, Tolerance};
use komadai::prelude::*;

/// A small book, for a run without arguments.
const BOOK: &str = "#YANEURAOU-DB2016 1.00\n\
    sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
    2g2f 8c8d 38 20\n\
    7g7f 3c3d 35 20\n";

fn main() -> anyhow::Result<()> {
    let mut words = std::env::args().skip(1);
    let book: Box<dyn BookProbe> = match words.next() {
        // The format is recognised by the name and the content. The file may have gigabytes: a
        // search reads only the parts that it compares.
        Some(path) => open_probe(path)?,
        // The same for a `.db` book in memory, with any move numbers.
        None => Box::new(DbProbe::new(BOOK, PlyMatch::Ignored, Tolerance::Strict)?),
    };
    let mut position = Position::hirate();
    for word in words {
        position.try_move(word.parse()?)?;
    }

    // Books have each position in one orientation. A probe also finds it with the colours
    // exchanged, and turns the moves back.
    let record = book.probe(&position)?.context("the book does not have this position")?;
    for listed in &record.moves {
        let score = listed.score.map_or("–".to_owned(), |score| score.to_string());
        println!("{} {score}", Notation::Japanese.name(&position, listed.m));
    }
    Ok(())
}
