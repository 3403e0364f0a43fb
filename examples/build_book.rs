//! An opening book from games: moves from the records, values from a search, written as a `.db`.
//!
//! ```text
//! cargo run --release --example build_book
//! cargo run --release --example build_book -- my_book.db
//! ```

use komadai::analysis::{Memory, SearchAnalyst};
use komadai::book::seed_book;
use komadai::bookgraph::DbOptions;
use komadai::kifu::{Tolerance, parse_usi_games};
use komadai::prelude::*;
use komadai::search::SearchOptions;

const GAMES: &str = "startpos moves 7g7f 3c3d 2g2f 8c8d\n\
                     startpos moves 7g7f 8c8d 2g2f 8d8e\n\
                     startpos moves 2g2f 8c8d 2f2e 8d8e\n";

fn main() -> anyhow::Result<()> {
    // Each move of the games gets the value of the position after it. `Memory::Fresh` makes every
    // analysis independent of the others, so that the book is the same on every machine.
    let mut analyst = SearchAnalyst::standard(SearchOptions::default(), Memory::Fresh);
    let games = parse_usi_games(GAMES, Tolerance::Strict)?.records;
    let book = seed_book(games, &mut analyst, &Budget::nodes(500))?;

    // Values follow from the whole book: at the start stands what best play of both sides leads to.
    let start = Position::hirate();
    let line = book.best_line(&start, 10).iter().map(Move::to_string).collect::<Vec<_>>();
    eprintln!("{} positions, best line {}", book.positions(), line.join(" "));
    match std::env::args().nth(1) {
        Some(path) => book.save_db(path, &DbOptions::default())?,
        None => book.write_db(&mut std::io::stdout(), &DbOptions::default())?,
    };
    Ok(())
}
