//! Solution trees in files: as text, JSON, KIF with branches, and pictures of the main line.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use komadai::kifu::Notation;
use komadai::problems::composition::{CompositionOptions, SolutionTree};
use komadai::report::SvgBoard;
use komadai::{Move, Position};
use komadai_base::atomic_file::write_atomically;
use komadai_base::file::with_ending;

use super::tree_record::{main_line, record};
use super::written::Written;
use crate::tsume::options::{TreeFormat, TsumeArgs};

/// Writes the tree of a problem in all forms that were asked for. The inner error is the reason why
/// there is no tree.
pub(super) fn write(
    position: &Position,
    options: &CompositionOptions,
    arguments: &TsumeArgs,
    path: &Path,
) -> anyhow::Result<Written> {
    let tree = match SolutionTree::build(position, options) {
        Ok(tree) => tree,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let mut written = Vec::new();
    for format in &arguments.tree_format {
        let (ending, text) = match format {
            TreeFormat::Text => (".txt", format!("{tree}\n")),
            TreeFormat::Json => {
                let mut text = String::new();
                tree.write_json(&mut text).expect("a string takes any text");
                (".json", text)
            }
            TreeFormat::Kif => {
                let kif = record(&tree).to_kif().context("the moves of a tree are legal")?;
                (".kifu", kif)
            }
            TreeFormat::Svg => {
                written.extend(write_pictures(position, &main_line(&tree), arguments, path)?);
                continue;
            }
        };
        written.push(write_file(with_ending(path, ending), &text)?);
    }
    Ok(Ok(written))
}

/// Writes a picture of the position before the first move and after each move of a line.
fn write_pictures(
    start: &Position,
    line: &[Move],
    arguments: &TsumeArgs,
    path: &Path,
) -> anyhow::Result<Vec<PathBuf>> {
    let notation = if arguments.japanese { Notation::Japanese } else { Notation::Hodges };
    let names = notation.names(start, line);
    let digits = line.len().to_string().len();
    let mut position = start.clone();
    let mut pictures = vec![SvgBoard::new(&position)];
    for (number, (&m, name)) in (1..).zip(line.iter().zip(names)) {
        position.do_move(m);
        let title = format!("{number}  {name}");
        pictures.push(SvgBoard::new(&position).last_move(m).title(title));
    }
    let name = |ply: usize| with_ending(path, &format!(".{ply:0digits$}.svg"));
    let all = pictures.iter().enumerate();
    all.map(|(ply, picture)| write_file(name(ply), &picture.to_string())).collect()
}

fn write_file(path: PathBuf, text: &str) -> anyhow::Result<PathBuf> {
    write_atomically(&path, |out| out.write_all(text.as_bytes()))
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}
