//! Random positions for the comparison with the reference solvers.

use komadai_core::{Color, File, Piece, PieceKind, Position, Rank, Setup, SplitMix64, Square};

/// Returns a random number below `bound`.
///
/// The remainder keeps the positions that each seed has always stood for; the bounds are far too
/// small for its bias to matter.
pub(crate) fn below(random: &mut SplitMix64, bound: usize) -> usize {
    (random.next_u64() % bound as u64) as usize
}

/// A random composition: a king near the edge, a few pieces around it and some in hand. Returns
/// `None` if the random setup is not a legal position.
pub(crate) fn random_composition(random: &mut SplitMix64) -> Option<Position> {
    let mut setup = Setup::empty();
    let rank = below(random, 9).min(below(random, 9)).min(below(random, 9));
    let king = Square::new(File::ALL[below(random, 9)], Rank::ALL[rank]);
    setup.board[king] = Some(Piece::WhiteKing);
    for (color, least) in [(Color::Black, 2), (Color::White, 0)] {
        for _ in 0..least + below(random, 4) {
            let kind = PieceKind::ALL[below(random, PieceKind::COUNT)];
            put_near(&mut setup, king, color, kind, random);
        }
    }
    if below(random, 4) == 0 {
        setup.board[Square::ALL[below(random, 81)]].get_or_insert(Piece::BlackKing);
    }
    for (hand, most) in setup.hands.iter_mut().zip([4, 1]) {
        for _ in 0..below(random, most + 1) {
            *hand = hand.with(PieceKind::HAND[below(random, 7)], 1);
        }
    }
    Position::from_setup(&setup).ok()
}

/// A random chase: a few strong pieces behind a king, no pieces in hand. Few positions can be
/// reached, and in most of them the attacker can give check for ever.
pub(crate) fn random_chase(random: &mut SplitMix64) -> Option<Position> {
    use PieceKind::{Bishop, Dragon, Gold, Horse, Knight, Pawn, ProPawn, Rook, Silver};
    let mut setup = Setup::empty();
    let king = Square::ALL[below(random, 81)];
    setup.board[king] = Some(Piece::WhiteKing);
    for _ in 0..1 + below(random, 2) {
        let kind = [Dragon, Horse, Rook, Bishop, Gold, ProPawn][below(random, 6)];
        put_near(&mut setup, king, Color::Black, kind, random);
    }
    for _ in 0..below(random, 4) {
        let kind = [Pawn, Silver, Gold, Knight][below(random, 4)];
        put_near(&mut setup, king, Color::White, kind, random);
    }
    Position::from_setup(&setup).ok()
}

/// A random hunt: one attacking piece, in half of the positions with a second one that only guards,
/// and up to two pieces beside the king. Few positions can be reached; mates, escapes and perpetual
/// checks are all frequent.
pub(crate) fn random_hunt(random: &mut SplitMix64) -> Option<Position> {
    use PieceKind::{Dragon, Gold, Horse, Knight, Lance, Pawn, ProPawn, Rook};
    let mut setup = Setup::empty();
    let rank = below(random, 9).min(below(random, 9));
    let king = Square::new(File::ALL[below(random, 9)], Rank::ALL[rank]);
    setup.board[king] = Some(Piece::WhiteKing);
    let hunter = [Dragon, Dragon, Horse, Rook, Gold, ProPawn][below(random, 6)];
    put_near(&mut setup, king, Color::Black, hunter, random);
    if below(random, 2) == 0 {
        let guard = [Pawn, Gold, Knight, Lance][below(random, 4)];
        put_near(&mut setup, king, Color::Black, guard, random);
    }
    for _ in 0..below(random, 3) {
        put_near(&mut setup, king, Color::White, [Pawn, Knight, Lance][below(random, 3)], random);
    }
    Position::from_setup(&setup).ok()
}

/// Puts a piece on an empty square near the king. Does nothing if the square is off the board.
fn put_near(
    setup: &mut Setup,
    king: Square,
    color: Color,
    kind: PieceKind,
    random: &mut SplitMix64,
) {
    let square = king.offset(below(random, 5) as i8 - 2, below(random, 5) as i8 - 2);
    if let Some(square) = square.filter(|_| kind != PieceKind::King) {
        setup.board[square].get_or_insert(Piece::new(color, kind));
    }
}
