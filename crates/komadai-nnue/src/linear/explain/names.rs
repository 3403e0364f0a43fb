//! Names of terms, in English and in Japanese.

use komadai_core::{Color, Language, Piece, PieceKind, Square};

use super::change::LinearTermChange;
use super::{LinearPiece, LinearTerm, TermKing};
use crate::linear::groups::FeatureGroups;

impl FeatureGroups {
    /// Returns the name of a single group for people; that of several ones is their
    /// [`Display`](core::fmt::Display) form.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Language;
    /// use komadai_nnue::linear::FeatureGroups;
    ///
    /// assert_eq!(FeatureGroups::PP.label(Language::Japanese), "二駒関係");
    /// ```
    #[must_use]
    pub fn label(self, language: Language) -> String {
        let [english, japanese] = match self {
            Self::P => ["piece and square", "駒の位置"],
            Self::KP => ["king and piece", "玉と駒の関係"],
            Self::PP => ["two pieces", "二駒関係"],
            Self::KSS => ["king zone and two pieces", "玉の区域と二駒"],
            Self::V => ["value of the kind", "駒の種類の価値"],
            several => return several.to_string(),
        };
        language.choose(english, japanese).to_owned()
    }
}

impl LinearTerm {
    /// Returns the name of the term within its group, for people: its king, and its pieces with
    /// their squares.
    pub fn label(&self, language: Language) -> String {
        let pieces = self.pieces.iter().map(|piece| piece.label(language));
        joined(self.king.map(|king| king_label(king, language)), pieces, language)
    }
}

impl LinearTermChange {
    /// Returns the name of the term with its change: `Black S 7g → 6f, Black G 7h`. A term of one
    /// position alone has the name that it has there.
    pub fn label(&self, language: Language) -> String {
        let (before, after) = match (&self.before, &self.after) {
            (Some(before), Some(after)) => (before, after),
            (Some(term), None) | (None, Some(term)) => return term.label(language),
            (None, None) => return String::new(),
        };
        let king = before.king.zip(after.king).map(|(old, new)| {
            arrow(king_label(old, language), square_label(old.1, language), new.1, language)
        });
        let aligned = aligned(&before.pieces, &after.pieces);
        let pieces = before.pieces.iter().zip(&aligned).map(|(old, new)| {
            match (old.piece == new.piece, old.square, new.square) {
                (true, Some(from), Some(to)) => {
                    arrow(old.label(language), square_label(from, language), to, language)
                }
                (true, None, None) if old.nth == new.nth => old.label(language),
                _ => format!("{} → {}", old.label(language), new.label(language)),
            }
        });
        joined(king, pieces, language)
    }
}

/// Returns the pieces after a change in the order of those before it.
fn aligned(before: &[LinearPiece], after: &[LinearPiece]) -> Vec<LinearPiece> {
    fn likeness(a: &LinearPiece, b: &LinearPiece) -> u32 {
        let is_same_kind = a.piece.color() == b.piece.color()
            && a.piece.kind().unpromoted() == b.piece.kind().unpromoted();
        2 * u32::from(a == b) + u32::from(is_same_kind)
    }
    match (before, after) {
        ([a, b], [c, d]) if likeness(a, d) + likeness(b, c) > likeness(a, c) + likeness(b, d) => {
            vec![*d, *c]
        }
        _ => after.to_vec(),
    }
}

/// Returns the name of something that stays on its square or moves to another one.
fn arrow(name: String, from: String, to: Square, language: Language) -> String {
    let to = square_label(to, language);
    if from == to { name } else { format!("{name} → {to}") }
}

fn joined(
    king: Option<String>,
    pieces: impl Iterator<Item = String>,
    language: Language,
) -> String {
    let pieces: Vec<String> = pieces.collect();
    let pieces = pieces.join(language.choose(", ", "、"));
    match king {
        Some(king) => king + language.choose(": ", "：") + &pieces,
        None => pieces,
    }
}

fn king_label((color, square): TermKing, language: Language) -> String {
    let piece = Piece::new(color, PieceKind::King);
    LinearPiece { piece, square: Some(square), nth: 0 }.label(language)
}

impl LinearPiece {
    /// Returns the name of the piece with its owner and its square: `Black S 7g`, `▲銀７七`.
    fn label(&self, language: Language) -> String {
        let (color, kind) = (self.piece.color(), self.piece.kind());
        let place = match self.square {
            Some(square) => square_label(square, language),
            None => match language {
                Language::English => format!("in hand, number {}", self.nth),
                Language::Japanese => format!("持ち駒{}枚目", self.nth),
            },
        };
        match language {
            Language::English => format!("{color:?} {} {place}", kind.to_sfen()),
            Language::Japanese => {
                let sign = if color == Color::Black { '▲' } else { '△' };
                format!("{sign}{}{place}", kind.to_kanji())
            }
        }
    }
}

/// The numbers of files and ranks in Japanese.
const NUMBERS: [[char; 2]; 9] = [
    ['１', '一'],
    ['２', '二'],
    ['３', '三'],
    ['４', '四'],
    ['５', '五'],
    ['６', '六'],
    ['７', '七'],
    ['８', '八'],
    ['９', '九'],
];

fn square_label(square: Square, language: Language) -> String {
    let [file, rank] = [square.file().index(), square.rank().index()];
    match language {
        Language::English => square.to_string(),
        Language::Japanese => format!("{}{}", NUMBERS[file][0], NUMBERS[rank][1]),
    }
}
