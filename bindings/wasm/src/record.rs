//! Game records.

use std::collections::BTreeMap;

use komadai::core::{Position, UsiPosition};
use komadai::kifu::text::{TextEncoding, TextForm};
use komadai::kifu::{
    Comment, EndKind, GameWriter, HeaderKey, KifuFormat, Outcome, Record, Tolerance, parse_records,
};
use serde_json::Value;
use wasm_bindgen::prelude::*;

use crate::error::{Checked, Code, json, one_of};
use crate::position::{NativePosition, color_name, read_move};
use crate::tree::{Id, Node, ROOT, Tree, position_after};

/// Largest size of a text with games, in bytes. Readers of larger files take them game by game.
const MOST_BYTES: usize = 1 << 26;

/// The names of the formats.
const FORMATS: [(&str, KifuFormat); 6] = [
    ("kif", KifuFormat::Kif),
    ("ki2", KifuFormat::Ki2),
    ("csa", KifuFormat::Csa),
    ("jkf", KifuFormat::Jkf),
    ("usen", KifuFormat::Usen),
    ("usi", KifuFormat::Usi),
];

/// A game with its variations as a tree of nodes.
#[wasm_bindgen]
pub struct NativeRecord {
    tree: Tree,
}

/// Reads all games of a text: KIF, KI2, CSA, JKF, USEN or USI, told by its content, in UTF-8,
/// Shift_JIS or EUC-JP. In the array are objects of `NativeRecord`.
#[wasm_bindgen(js_name = parseRecords)]
pub fn parse_all(
    bytes: &[u8],
    format: Option<String>,
    lenient: bool,
) -> Checked<Vec<NativeRecord>> {
    if bytes.len() > MOST_BYTES {
        let found = bytes.len();
        return Err(Code::Kifu.error(format!("found {found} bytes, expected at most {MOST_BYTES}")));
    }
    let format = format.map(|name| one_of("format", &name, &FORMATS)).transpose()?;
    let Some(format) = format.or_else(|| KifuFormat::detect(bytes)) else {
        let text = "found a text of no known format, expected KIF, KI2, CSA, JKF, USEN or USI";
        return Err(Code::Kifu.error(text));
    };
    let tolerance = if lenient { Tolerance::Lenient } else { Tolerance::Strict };
    let loaded =
        parse_records(bytes, format, tolerance).map_err(|error| Code::Kifu.error(error))?;
    let native = |record| NativeRecord { tree: Tree::new(record) };
    Ok(loaded.records.into_iter().map(native).collect())
}

/// The text of some comments, a line each.
fn comment_text(comments: &[Comment]) -> String {
    let texts: Vec<&str> = comments.iter().map(Comment::text).collect();
    texts.join("\n")
}

/// The word of a key or an end: that of the library, or that of the file for others.
fn word_of(value: Value) -> String {
    match value {
        Value::String(word) => word,
        Value::Object(fields) => fields
            .into_iter()
            .next()
            .map(|(name, value)| match value {
                Value::String(word) => word,
                Value::Object(inner) => {
                    inner.get("reason").and_then(Value::as_str).unwrap_or(&name).to_owned()
                }
                _ => name,
            })
            .unwrap_or_default(),
        _ => String::new(),
    }
}

fn key_name(key: &HeaderKey) -> String {
    word_of(serde_json::to_value(key).expect("a key is a word"))
}

fn key_of(name: &str) -> HeaderKey {
    let known = serde_json::from_value(Value::String(name.to_owned()));
    known.unwrap_or_else(|_| HeaderKey::Custom(name.to_owned()))
}

impl NativeRecord {
    fn node(&self, id: usize) -> Checked<&Node> {
        self.tree.get(id).ok_or_else(|| no_node(id))
    }

    fn start(&self) -> Checked<Position> {
        Position::from_setup_leniently(&self.tree.frame.setup)
            .map_err(|error| Code::Kifu.error(error))
    }

    fn position_at(&self, id: Id) -> Checked<Position> {
        self.node(id)?;
        position_after(self.start()?, &self.tree.path(id))
            .map_err(|error| Code::IllegalMove.error(error))
    }
}

fn no_node(id: usize) -> crate::error::KomadaiError {
    Code::Argument.error(format!("found the node {id}, expected the id of a node of this record"))
}

#[wasm_bindgen]
impl NativeRecord {
    /// Makes a record of a USI position: its start and its moves.
    #[wasm_bindgen(js_name = fromUsi)]
    pub fn from_usi(text: &str) -> Checked<NativeRecord> {
        let game = UsiPosition::from_usi(text).map_err(|error| Code::Sfen.error(error))?;
        let mut record = Record::new(game.setup);
        record.moves = game.moves.into_iter().map(komadai::kifu::RecordMove::new).collect();
        Ok(Self { tree: Tree::new(record) })
    }

    /// The header as JSON.
    pub fn headers(&self) -> String {
        let header = &self.tree.frame.header;
        let entries: Vec<(String, &str)> =
            header.iter().map(|(key, value)| (key_name(key), value)).collect();
        json(&entries)
    }

    /// Sets an entry of the header.
    #[wasm_bindgen(js_name = setHeader)]
    pub fn set_header(&mut self, name: &str, value: &str) {
        self.tree.frame.header.set(key_of(name), value);
    }

    /// The start position as SFEN.
    #[wasm_bindgen(js_name = initialSfen)]
    pub fn initial_sfen(&self) -> String {
        self.tree.frame.setup.to_string()
    }

    /// The nodes after a node.
    pub fn children(&self, id: usize) -> Checked<Vec<usize>> {
        Ok(self.node(id)?.children.clone())
    }

    /// The node before a node.
    pub fn parent(&self, id: usize) -> Checked<Option<usize>> {
        let parent = self.node(id)?.parent;
        Ok((id != ROOT).then_some(parent))
    }

    /// The move of a node.
    #[wasm_bindgen(js_name = moveOf)]
    pub fn move_of(&self, id: usize) -> Checked<Option<String>> {
        Ok(self.node(id)?.played.as_ref().map(|played| played.m.to_string()))
    }

    /// The comment on the position of a node.
    pub fn comment(&self, id: usize) -> Checked<String> {
        let played = self.node(id)?.played.as_ref();
        Ok(comment_text(played.map_or(&self.tree.frame.comments, |played| &played.comments)))
    }

    /// Replaces the comment of a node; an empty text removes it.
    #[wasm_bindgen(js_name = setComment)]
    pub fn set_comment(&mut self, id: usize, text: &str) -> Checked<()> {
        let comments = text.lines().map(|line| Comment::Note(line.to_owned())).collect();
        let node = self.tree.get_mut(id).ok_or_else(|| no_node(id))?;
        match &mut node.played {
            Some(played) => played.comments = comments,
            None => self.tree.frame.comments = comments,
        }
        Ok(())
    }

    /// The seconds that the move of a node took.
    pub fn time(&self, id: usize) -> Checked<Option<f64>> {
        let played = self.node(id)?.played.as_ref();
        Ok(played.and_then(|played| played.time).map(|time| time.as_secs_f64()))
    }

    /// The end mark at a node.
    pub fn end(&self, id: usize) -> Checked<Option<String>> {
        let end = self.node(id)?.ends.first();
        Ok(end.map(|end| match &end.kind {
            EndKind::Other(word) => word.clone(),
            kind => word_of(serde_json::to_value(kind).expect("an end is a word")),
        }))
    }

    /// The nodes of the game.
    #[wasm_bindgen(js_name = mainLine)]
    pub fn main_line(&self) -> Vec<usize> {
        self.tree.main_line()
    }

    /// The moves from the start to a node.
    pub fn path(&self, id: usize) -> Checked<Vec<String>> {
        self.node(id)?;
        Ok(crate::position::usi_of(&self.tree.path(id)))
    }

    /// The position of a node, with the moves that led to it.
    pub fn position(&self, id: usize) -> Checked<NativePosition> {
        Ok(NativePosition { position: self.position_at(id)? })
    }

    /// "black", "white" or "draw", if the record says how the game ended.
    pub fn result(&self) -> Option<String> {
        match self.tree.to_record().outcome() {
            Outcome::Win(winner) => Some(color_name(winner).to_owned()),
            Outcome::Draw => Some("draw".to_owned()),
            Outcome::Unknown => None,
        }
    }

    /// Adds a legal move after a node, or finds it there. Returns its node.
    pub fn add(&mut self, id: usize, usi: &str) -> Checked<usize> {
        let m = read_move(usi)?;
        let position = self.position_at(id)?;
        let is_legal = komadai::movegen::check_legality(&position, m);
        is_legal.map_err(|error| Code::IllegalMove.error(error))?;
        Ok(self.tree.add(id, m))
    }

    /// Removes a node with all after it.
    pub fn remove(&mut self, id: usize) -> Checked<()> {
        if id == ROOT {
            return Err(Code::Argument.error("the root cannot be removed"));
        }
        self.node(id)?;
        self.tree.remove(id);
        Ok(())
    }

    /// Makes a node the first child of its parent.
    pub fn promote(&mut self, id: usize) -> Checked<()> {
        self.node(id)?;
        self.tree.promote(id);
        Ok(())
    }

    /// The text of the record, and what the format cannot hold, as JSON.
    pub fn text(&self, format: &str) -> Checked<String> {
        let format = one_of("format", format, &FORMATS)?;
        let mut writer = GameWriter::new(Vec::new(), format, TextForm::new(TextEncoding::Utf8));
        let lost = writer.write(&self.tree.to_record()).map_err(|error| Code::Kifu.error(error))?;
        let lost: Vec<String> = lost.iter().map(ToString::to_string).collect();
        let text = String::from_utf8_lossy(&writer.into_inner()).into_owned();
        Ok(json(&BTreeMap::from([
            ("text", Value::String(text)),
            ("lost", serde_json::to_value(lost).expect("texts")),
        ])))
    }
}
