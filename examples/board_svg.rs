//! Draws a game as an SVG picture: the board before its last move, which is an arrow, with the move
//! before that marked.
//!
//! ```text
//! cargo run --example board_svg > docs/board.svg                    # the picture of the README
//! cargo run --example board_svg -- startpos moves 7g7f 3c3d 2g2f > board.svg
//! ```

use anyhow::Context as _;
use komadai::report::SvgArrow;
use komadai::{SvgBoard, UsiPosition, movegen};

/// The position of Yokofudori (横歩取り), in which Black takes the side pawn.
const YOKOFUDORI: &str = "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d \
                          8e8f 8g8f 8b8f 2d3d";

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let line = if words.is_empty() { YOKOFUDORI.to_owned() } else { words.join(" ") };
    let mut game = UsiPosition::from_usi(&line)?;
    let next = game.moves.pop().context("expected at least one move")?;
    let position = movegen::play(&game)?;
    let picture = SvgBoard {
        last_move: game.moves.last().copied(),
        arrows: vec![(next, SvgArrow::Plain)],
        title: words.is_empty().then(|| "Yokofudori: 15. Rx3d".to_owned()),
        ..SvgBoard::new(&position)
    };
    print!("{picture}");
    Ok(())
}
