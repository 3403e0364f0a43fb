//! Moves for readers: ▲７六歩(77), as KIF records have them.

use komadai::{Color, Move, Piece, PieceKind, Position, Square};

const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// The moves of a line from `start`.
pub(crate) fn line(start: &Position, moves: &[Move]) -> String {
    let mut position = start.clone();
    let mut names = Vec::new();
    for &m in moves {
        names.push(name(&position, m));
        position.do_move(m);
    }
    names.join(" ")
}

/// One move.
pub(crate) fn name(position: &Position, m: Move) -> String {
    let side = if position.side() == Color::Black { '▲' } else { '△' };
    let to = square(m.to());
    match (m.from(), m.dropped()) {
        (Some(from), _) => {
            let kind = position.piece_on(from).map_or(PieceKind::Pawn, Piece::kind);
            let promotes = if m.is_promotion() { "成" } else { "" };
            let (file, rank) = (from.file().index() + 1, from.rank().index() + 1);
            format!("{side}{to}{}{promotes}({file}{rank})", kind_name(kind))
        }
        (None, kind) => {
            format!("{side}{to}{}打", kind_name(kind.unwrap_or(PieceKind::Pawn)))
        }
    }
}

fn square(square: Square) -> String {
    let file = char::from_u32('１' as u32 + square.file().index() as u32).unwrap_or('？');
    format!("{file}{}", RANKS[square.rank().index()])
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

/// A value with its sign, for Black.
pub(crate) fn value_for_black(score: komadai::Score, side: Color) -> String {
    let score = if side == Color::Black { score } else { -score };
    match (score.to_cp(), score.mate_plies()) {
        (Some(0), _) => "0".to_owned(),
        (Some(cp), _) => format!("{cp:+}"),
        (None, Some(plies)) if score.raw() > 0 => format!("+mate {plies}"),
        (None, Some(plies)) => format!("−mate {}", -plies),
        (None, None) => score.to_string(),
    }
}
