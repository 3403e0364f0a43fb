//! The tables of castles and strategies.

use std::sync::LazyLock;

use crate::formation::formation_set::MAX_FORMATIONS;
use crate::formation::kind::FormationKind;
use crate::formation::shape::Shape;
use crate::formation::triggers::Triggers;

/// All formations, castles first.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) entries: Vec<Entry>,
    /// The number of castles.
    pub(super) castles: usize,
    pub(super) triggers: Triggers,
}

#[derive(Debug)]
pub(super) struct Entry {
    pub(super) kind: FormationKind,
    pub(super) id: &'static str,
    pub(super) japanese: &'static str,
    pub(super) reading: &'static str,
    pub(super) english: &'static str,
    pub(super) aliases: &'static str,
    pub(super) parents: Vec<u16>,
    /// True if both sides get the name when one of them has the shape.
    pub(super) is_shared: bool,
    pub(super) definition: &'static str,
    pub(super) shape: Shape,
    pub(super) last_ply: usize,
    /// The longest way to a formation without parents.
    pub(super) depth: usize,
    pub(super) also_in: &'static str,
}

pub(super) static TABLE: LazyLock<Table> =
    LazyLock::new(|| read().expect("a test reads the same tables"));

/// Reads both tables. The error names the row and the word.
pub(super) fn read() -> Result<Table, String> {
    let files = [
        (FormationKind::Castle, include_str!("castles.tsv")),
        (FormationKind::Strategy, include_str!("strategies.tsv")),
    ];
    let rows: Vec<(FormationKind, Vec<&'static str>)> = files
        .into_iter()
        .flat_map(|(kind, text)| {
            text.lines().skip(1).map(move |row| (kind, row.split('\t').collect()))
        })
        .collect();
    let index = |id: &str| {
        rows.iter().position(|(_, cells)| cells.first() == Some(&id)).map(|found| found as u16)
    };
    let mut entries = Vec::with_capacity(rows.len());
    for (kind, cells) in &rows {
        let &[id, japanese, reading, english, aliases, parents, shared, definition, also_in] =
            cells.as_slice()
        else {
            return Err(format!("{cells:?}: {} cells, expected 9", cells.len()));
        };
        let parent = |name: &str| index(name).ok_or_else(|| format!("{id}: no parent {name}"));
        let parents = parents.split(',').filter(|name| !name.is_empty()).map(parent);
        let shape =
            Shape::read(definition, &index).map_err(|error| format!("{id}: {}", error.word))?;
        entries.push(Entry {
            kind: *kind,
            id,
            japanese,
            reading,
            english,
            aliases,
            parents: parents.collect::<Result<_, String>>()?,
            is_shared: shared == "both",
            definition,
            last_ply: shape.last_ply(),
            shape,
            depth: 0,
            also_in,
        });
    }
    for _ in 0..entries.len() {
        let depths: Vec<usize> = entries.iter().map(|entry| entry.depth).collect();
        for entry in &mut entries {
            let parents = entry.parents.iter();
            entry.depth =
                parents.map(|&parent| depths[usize::from(parent)] + 1).max().unwrap_or_default();
        }
    }
    let castles = entries.iter().filter(|entry| entry.kind == FormationKind::Castle).count();
    if entries.len() > MAX_FORMATIONS {
        return Err(format!("{} rows, expected {MAX_FORMATIONS} at most", entries.len()));
    }
    let triggers = Triggers::new(entries.iter().map(|entry| &entry.shape));
    Ok(Table { entries, castles, triggers })
}
