//! Solution trees as text.

use std::fmt;

use super::{SolutionTree, TreeNode, TreeState};
use crate::composition::options::Convention;

/// The tree, a line for each position, indented by the number of moves.
///
/// A line has the move in USI notation and the plies to the mate. `#` marks a position to which
/// another line refers with `see`.
impl fmt::Display for SolutionTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut is_target = vec![false; self.nodes().len()];
        for node in self.nodes() {
            if let TreeState::SameAs(index) = node.state {
                is_target[index] = true;
            }
        }
        write!(f, "{}, {} plies", self.start(), self.root().plies)?;
        for (index, node) in self.walk().skip(1) {
            let indent = 2 * node.depth as usize;
            write!(f, "\n{:indent$}{}", "", Line { index, node, is_target: is_target[index] })?;
        }
        Ok(())
    }
}

/// One line of the text.
struct Line<'a> {
    index: usize,
    node: &'a TreeNode,
    is_target: bool,
}

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(m) = self.node.m else { return Ok(()) };
        write!(f, "{m}")?;
        match self.node.state {
            TreeState::Mate => f.write_str(" mate")?,
            TreeState::Futile => f.write_str(" futile")?,
            _ => write!(f, " {}", self.node.plies)?,
        }
        if self.is_target {
            write!(f, " #{}", self.index)?;
        }
        match self.node.state {
            TreeState::SameAs(index) => write!(f, " see #{index}"),
            TreeState::Unexpanded => f.write_str(" ..."),
            _ => Ok(()),
        }
    }
}

impl SolutionTree {
    /// Writes the tree as JSON (RFC 8259).
    ///
    /// An object with `sfen`, `convention` (`strict` or `literature`), `plies`, `complete` and the
    /// array `nodes`. A node is an object with `parent` (index, `null` at the root), `move` (USI,
    /// `null` at the root), `plies`, `state` (`expanded`, `mate`, `same`, `futile`, `unexpanded`),
    /// and `same` (index) if the state is `same`. The root is node 0, and parents come before their
    /// children.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Position;
    /// use komadai_problems::composition::{CompositionOptions, SolutionTree};
    ///
    /// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1")?;
    /// let mut json = String::new();
    /// SolutionTree::build(&position, &CompositionOptions::default())?.write_json(&mut json)?;
    /// assert!(json.contains(r#""move":"G*5b","plies":0,"state":"mate""#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_json(&self, out: &mut impl fmt::Write) -> fmt::Result {
        let convention = match self.convention() {
            Convention::Strict => "strict",
            Convention::Literature => "literature",
        };
        // SFEN, USI moves and the words have no character that JSON escapes.
        write!(out, r#"{{"sfen":"{}","convention":"{convention}""#, self.start())?;
        let plies = self.root().plies;
        let complete = self.is_complete();
        write!(out, r#","plies":{plies},"complete":{complete},"nodes":["#)?;
        for (index, node) in self.nodes().iter().enumerate() {
            out.write_str(if index == 0 { "\n" } else { ",\n" })?;
            match node.m {
                Some(m) => write!(out, r#"{{"parent":{},"move":"{m}""#, node.parent)?,
                None => out.write_str(r#"{"parent":null,"move":null"#)?,
            }
            let state = match node.state {
                TreeState::Expanded => "expanded",
                TreeState::Mate => "mate",
                TreeState::SameAs(_) => "same",
                TreeState::Futile => "futile",
                TreeState::Unexpanded => "unexpanded",
            };
            write!(out, r#","plies":{},"state":"{state}""#, node.plies)?;
            if let TreeState::SameAs(same) = node.state {
                write!(out, r#","same":{same}"#)?;
            }
            out.write_str("}")?;
        }
        out.write_str("\n]}\n")
    }
}
