//! The files of a problem: its solution tree as text, JSON, KIF with branches and pictures of the main
//! line, and the proof of its answer.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use komadai::kifu::Notation;
use komadai::problems::certificate::{certify, check};
use komadai::problems::composition::{CompositionOptions, SolutionTree};
use komadai::report::SvgBoard;
use komadai::tsume::DfPn;
use komadai::{Budget, Move, Position};
use komadai_base::file::with_ending;
use komadai_console::write_file;

use crate::tsume::extras::tree_record::{main_line, record};
use crate::tsume::options::{TreeFormat, TsumeArgs};

/// The files that have been written, or the reason why there are none.
pub(in crate::tsume) type Written = Result<Vec<PathBuf>, String>;

/// Writes the tree of a problem in all forms that were asked for. The inner error is the reason why
/// there is no tree.
pub(super) fn write_tree(
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
        written.push(write_to(with_ending(path, ending), &text)?);
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
    let notation = arguments.notation(Notation::Hodges);
    let names = notation.names(start, line);
    let digits = line.len().to_string().len();
    let mut position = start.clone();
    let mut pictures = vec![SvgBoard::new(&position)];
    for (number, (&m, name)) in (1..).zip(line.iter().zip(names)) {
        position.do_move(m);
        let title = Some(format!("{number}  {name}"));
        pictures.push(SvgBoard { last_move: Some(m), title, ..SvgBoard::new(&position) });
    }
    let name = |ply: usize| with_ending(path, &format!(".{ply:0digits$}.svg"));
    let all = pictures.iter().enumerate();
    all.map(|(ply, picture)| write_to(name(ply), &picture.to_string())).collect()
}

fn write_to(path: PathBuf, text: &str) -> anyhow::Result<PathBuf> {
    write_file(&path, text)?;
    Ok(path)
}

/// Writes the proof of what the solver answers about a position, after an independent check. The
/// inner error is the reason why there is no proof.
pub(super) fn write_proof(
    position: &Position,
    dfpn: &mut DfPn,
    budget: &Budget,
    max_positions: usize,
    path: &Path,
) -> anyhow::Result<Written> {
    let text = match certify(position, dfpn, budget, max_positions) {
        Ok(certificate) => certificate.to_string(),
        Err(error) => return Ok(Err(error.to_string())),
    };
    if let Err(error) = check(text.as_bytes(), max_positions) {
        return Ok(Err(format!("the checker refuses the proof: {error}")));
    }
    Ok(Ok(vec![write_to(with_ending(path, ".proof.txt"), &text)?]))
}
