//! Moves as people read them.

use komadai_core::{Color, Move, Piece, PieceKind, Position, Square};
use komadai_movegen::MoveGen;

/// How a single move is written for people.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_kifu::MoveNotation;
///
/// let start = Position::hirate();
/// let name = |notation: MoveNotation, m: &str| Ok::<_, komadai_core::UsiError>(notation.name(&start, m.parse()?));
/// assert_eq!(name(MoveNotation::Japanese, "7g7f")?, "▲７六歩");
/// assert_eq!(name(MoveNotation::Japanese, "4i5h")?, "▲５八金(49)");
/// assert_eq!(name(MoveNotation::Western, "7g7f")?, "P-76");
/// assert_eq!(name(MoveNotation::Western, "4i5h")?, "G49-58");
/// assert_eq!(name(MoveNotation::Usi, "4i5h")?, "4i5h");
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MoveNotation {
    /// As Japanese records have it: `▲７六歩`, `△３三角不成`, `▲５五角打`. Where several pieces of the
    /// kind could go there, the origin follows in digits as in KIF: `▲５八金(49)`.
    #[default]
    Japanese,
    /// As western books have it, squares in digits: `P-76`, `Bx33=`, `B*55`, `G49-58`.
    Western,
    /// As engines have it: `7g7f`, `8h3c+`, `B*5e`.
    Usi,
}

impl MoveNotation {
    /// A legal move of `position`. Of any other move the name may be wrong.
    #[must_use]
    pub fn name(self, position: &Position, m: Move) -> String {
        match self {
            Self::Japanese => japanese(position, m),
            Self::Western => western(position, m),
            Self::Usi => m.to_string(),
        }
    }
}

fn japanese(position: &Position, m: Move) -> String {
    let side = if position.side() == Color::Black { '▲' } else { '△' };
    let to = japanese_square(m.to());
    let kind = mover(position, m);
    let rivals = has_rivals(position, m, kind);
    let Some(from) = m.from() else {
        let drop = if rivals { "打" } else { "" };
        return format!("{side}{to}{}{drop}", kind_name(kind));
    };
    let promotion = if m.is_promotion() {
        "成"
    } else if may_promote(position, m, kind) {
        "不成"
    } else {
        ""
    };
    let origin = if rivals { format!("({})", digits(from)) } else { String::new() };
    format!("{side}{to}{}{promotion}{origin}", kind_name(kind))
}

fn western(position: &Position, m: Move) -> String {
    let kind = mover(position, m);
    let (letter, to) = (kind.to_sfen(), digits(m.to()));
    let Some(from) = m.from() else { return format!("{letter}*{to}") };
    let origin = if has_rivals(position, m, kind) { digits(from) } else { String::new() };
    let goes = if position.piece_on(m.to()).is_some() { 'x' } else { '-' };
    let promotion = if m.is_promotion() {
        "+"
    } else if may_promote(position, m, kind) {
        "="
    } else {
        ""
    };
    format!("{letter}{origin}{goes}{to}{promotion}")
}

/// The kind that moves, as it stands before the move.
fn mover(position: &Position, m: Move) -> PieceKind {
    let on_board = m.from().and_then(|from| position.piece_on(from)).map(Piece::kind);
    m.dropped().or(on_board).unwrap_or(PieceKind::Pawn)
}

/// Whether another piece of the kind on the board could go to the same square.
fn has_rivals(position: &Position, m: Move, kind: PieceKind) -> bool {
    position.legal_moves().iter().any(|other| {
        other.to() == m.to()
            && other.from() != m.from()
            && other.from().is_some()
            && mover(position, *other) == kind
    })
}

fn may_promote(position: &Position, m: Move, kind: PieceKind) -> bool {
    let is_zone = |square: Square| square.is_promotion_zone(position.side());
    kind.can_promote() && m.from().is_some_and(|from| is_zone(from) || is_zone(m.to()))
}

fn japanese_square(square: Square) -> String {
    const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
    const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
    [FILES[square.file().index()], RANKS[square.rank().index()]].iter().collect()
}

fn digits(square: Square) -> String {
    format!("{}{}", square.file().index() + 1, square.rank().index() + 1)
}

/// The kind in one kanji or two, as moves are written.
fn kind_name(kind: PieceKind) -> String {
    match kind {
        PieceKind::ProLance | PieceKind::ProKnight | PieceKind::ProSilver => {
            format!("成{}", kind.unpromoted().to_kanji())
        }
        kind => kind.to_kanji().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(sfen: &str, m: &str) -> [String; 2] {
        let position = Position::from_sfen(sfen).unwrap();
        let m = m.parse().unwrap();
        assert!(position.is_legal(m), "{m}");
        [MoveNotation::Japanese, MoveNotation::Western].map(|notation| notation.name(&position, m))
    }

    #[test]
    fn each_kind_of_move_has_its_signs() {
        let sfen = "4k4/9/2p6/9/4B4/6+s2/1R1S1S3/9/4K4 b BGs 1";
        // Promotion, its refusal, captures.
        assert_eq!(names(sfen, "5e7c+"), ["▲７三角成", "Bx73+"]);
        assert_eq!(names(sfen, "5e7c"), ["▲７三角不成", "Bx73="]);
        // Two silvers reach 5f, one of them 3f.
        assert_eq!(names(sfen, "6g5f"), ["▲５六銀(67)", "S67-56"]);
        assert_eq!(names(sfen, "4g3f"), ["▲３六銀", "Sx36"]);
        // A drop is told apart only from a piece that could go there.
        assert_eq!(names(sfen, "B*4d"), ["▲４四角打", "B*44"]);
        assert_eq!(names(sfen, "B*2a"), ["▲２一角", "B*21"]);
        let white = sfen.replace(" b ", " w ");
        assert_eq!(names(&white, "3f4g"), ["△４七成銀", "+Sx47"]);
        assert_eq!(names(&white, "S*5b"), ["△５二銀", "S*52"]);
    }

    #[test]
    fn no_two_legal_moves_have_the_same_name() {
        let sfens = [
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "4k4/9/2p6/9/4B4/6+s2/1R1S1S3/9/4K4 b BGs 1",
        ];
        for sfen in sfens {
            let position = Position::from_sfen(sfen).unwrap();
            for notation in [MoveNotation::Japanese, MoveNotation::Western, MoveNotation::Usi] {
                let moves = position.legal_moves();
                let names: std::collections::BTreeSet<String> =
                    moves.iter().map(|&m| notation.name(&position, m)).collect();
                assert_eq!(names.len(), moves.len(), "{notation:?} {sfen}");
            }
        }
    }
}
