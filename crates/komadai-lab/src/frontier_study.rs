//! Counts the positions of a book that each frontier rule selects. With a one-sided window the
//! number of lines is about the square root of that with a window for both sides, as in alpha-beta
//! search.
//!
//! ```console
//! cargo run --release -p komadai-lab -- frontier-study --book target/grow_book/book.db --svg frontier.svg
//! ```
//!
//! Prints tables in Markdown: the positions to search next and the positions visited, by window,
//! width, side and own moves; and the positions visited and the lines up to each move number. With
//! `--svg` it draws both. Without `--book` it uses a bundled book of fifty positions.

mod picture;
mod tables;
#[cfg(test)]
mod tests;

use std::io::Cursor;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use komadai::bookgraph::GraphBuilder;
use komadai::kifu::Tolerance;
use komadai_base::atomic_file::write_atomically;
use komadai_study::frontier::Study;
use komadai_testdata::books::synthetic;

/// Count the positions of books that each frontier rule selects.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: frontier-study --book target/grow_book/book.db --svg frontier.svg"
)]
pub(crate) struct Arguments {
    /// Book in YaneuraOu's format; may be given several times.
    #[arg(long)]
    book: Vec<PathBuf>,
    /// Width of the window in centipawns for the counts by move number.
    #[arg(long, default_value_t = 30)]
    eval_diff: i32,
    /// File to write the picture to.
    #[arg(long)]
    svg: Option<PathBuf>,
}

pub(crate) fn run(options: &Arguments) -> anyhow::Result<()> {
    let studies = studies(options)?;
    for study in &studies {
        print!("{}", tables::markdown(study));
    }
    if let Some(path) = &options.svg {
        let svg = picture::draw(&studies)?;
        write_atomically(path, |out| std::io::Write::write_all(out, svg.as_bytes()))?;
        println!("{}", path.display());
    }
    Ok(())
}

/// Returns the study of each book, or that of a bundled one.
fn studies(options: &Arguments) -> anyhow::Result<Vec<Study>> {
    if options.book.is_empty() {
        let fixture = synthetic::books().find(|book| book.name == "small50");
        let text = fixture.context("the book is bundled")?.input;
        let mut builder = GraphBuilder::new();
        builder.read_db(Cursor::new(text), Tolerance::Lenient)?;
        return Ok(vec![Study::of("small50", &builder.finish()?, options.eval_diff)]);
    }
    options.book.iter().map(|path| Study::of_file(path, options.eval_diff)).collect()
}
