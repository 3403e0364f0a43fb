//! The rules that a move breaks, in words of both languages.

use komadai::core::{Color, Language, Square};
use komadai::movegen::IllegalMove;

/// Returns the reason why a move is illegal.
pub(super) fn reason(fault: &IllegalMove, language: Language) -> String {
    match language {
        Language::English => fault.to_string(),
        Language::Japanese => in_japanese(fault),
    }
}

/// Returns the name of a square: ７六.
pub(crate) fn square(square: Square) -> String {
    const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
    const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
    [FILES[square.file().index()], RANKS[square.rank().index()]].iter().collect()
}

fn in_japanese(fault: &IllegalMove) -> String {
    let side = |color| if color == Color::Black { "先手" } else { "後手" };
    match *fault {
        IllegalMove::NoPiece { square: at } => format!("{}に駒がありません", square(at)),
        IllegalMove::NotYourPiece { piece, square: at } => {
            format!("{}の{}は{}の駒です", square(at), piece.kind().to_kanji(), side(piece.color()))
        }
        IllegalMove::OwnPieceOnTarget { piece, square: at } => {
            format!("{}には自分の{}があります", square(at), piece.kind().to_kanji())
        }
        IllegalMove::CapturesKing { square: at, .. } => format!("{}の玉を取る手です", square(at)),
        IllegalMove::CannotReach { piece, from, to } => {
            let kind = piece.kind().to_kanji();
            format!("{}の{kind}は{}へは動けません", square(from), square(to))
        }
        IllegalMove::Blocked { from, to, by } => {
            format!("{}から{}への途中の{}に駒があります", square(from), square(to), square(by))
        }
        IllegalMove::CannotPromote { piece } => {
            format!("{}は成れません", piece.kind().to_kanji())
        }
        IllegalMove::OutsidePromotionZone { from, to } => {
            format!("{}も{}も敵陣ではないので成れません", square(from), square(to))
        }
        IllegalMove::MustPromote { piece, square: at } => format!(
            "行き所のない駒：{}の{}は成らなければなりません",
            square(at),
            piece.kind().to_kanji()
        ),
        IllegalMove::KingIntoCheck { square: at, attacker } => {
            format!("{}は{}の駒が利いていて、玉は行けません", square(at), square(attacker))
        }
        IllegalMove::NotInHand { color, kind } => {
            format!("{}の持駒に{}はありません", side(color), kind.to_kanji())
        }
        IllegalMove::Occupied { piece, square: at } => {
            format!("{}には{}があって打てません", square(at), piece.kind().to_kanji())
        }
        IllegalMove::DeadDrop { kind, square: at } => {
            format!("行き所のない駒：{}に{}は打てません", square(at), kind.to_kanji())
        }
        IllegalMove::Nifu { square: at, pawn } => {
            format!("二歩です：{}と同じ筋の{}に歩があります", square(at), square(pawn))
        }
        IllegalMove::LeavesKingInCheck { king, checker } => {
            format!("王手放置です：{}の玉に{}の駒の王手が残ります", square(king), square(checker))
        }
        IllegalMove::DoubleCheck { first, second, .. } => format!(
            "両王手です：{}と{}からの王手には玉が動くしかありません",
            square(first),
            square(second)
        ),
        IllegalMove::Pinned { from, pinner, .. } => {
            format!("{}の駒を動かすと、{}の駒で玉に王手がかかります", square(from), square(pinner))
        }
        IllegalMove::PawnDropMate { square: at, .. } => {
            format!("打ち歩詰めです：{}歩で玉が詰みます", square(at))
        }
        _ => fault.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use komadai::core::Position;
    use komadai::movegen::check_legality;

    use super::*;

    #[test]
    fn the_rules_are_named_in_japanese() {
        for (sfen, m, expected) in [
            ("4k4/9/9/9/9/9/4P4/9/4K4 b P 1", "P*5d", "二歩です：５四と同じ筋の５七に歩があります"),
            ("7nk/9/8S/9/9/9/9/9/4K4 b P 1", "P*1b", "打ち歩詰めです：１二歩で玉が詰みます"),
            ("4k4/9/4r4/9/9/9/9/4S4/4K4 b - 1", "5h6g", "５八の駒を動かすと、５三の駒"),
            ("4k4/9/9/9/9/9/9/4r4/4K4 b P 1", "P*1e", "王手放置です：５九の玉に５八の駒"),
            ("4k4/9/9/9/9/9/9/9/4K4 b N 1", "N*1b", "行き所のない駒：１二に桂は打てません"),
            ("4k4/P8/9/9/9/9/9/9/4K4 b - 1", "9b9a", "行き所のない駒：９一の歩は成らなければ"),
            ("4k4/9/9/9/9/9/9/9/4K4 b - 1", "P*1e", "先手の持駒に歩はありません"),
        ] {
            let position = Position::from_sfen(sfen).unwrap();
            let fault = check_legality(&position, m.parse().unwrap()).unwrap_err();
            let words = reason(&fault, Language::Japanese);
            assert!(words.starts_with(expected), "{m}: {words}");
            assert_eq!(reason(&fault, Language::English), fault.to_string());
        }
    }
}
