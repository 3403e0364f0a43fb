//! The declaration of the entering king (入玉宣言, nyugyoku), which ends a game.

use core::fmt;
use core::str::FromStr;

use komadai_core::{Bitboard, Color, Move, PieceKind, Position, Square, attacks};

use crate::legality::is_legal;

/// The rule under which a player whose king has entered the promotion zone may end the game.
///
/// [`Display`](fmt::Display) and [`FromStr`] use the names of the USI option `EnteringKingRule`.
///
/// The point rules have the same four conditions on the declarer's turn: the king stands on the
/// last three ranks; ten other own pieces stand there too; the king is not in check; and those
/// pieces together with the hand have enough points, five for each rook, bishop, dragon and horse,
/// one for any other piece. The rules differ in the number of points, see
/// [`points_to_win`](Self::points_to_win). The caller checks the clock.
///
/// Source: Computer Shogi Association, tournament rules of the World Computer Shogi Championship,
/// for 27 points; Japan Shogi Association, rules of the game (対局規定), 2019, for 24 points.
///
/// # Examples
///
/// ```
/// use komadai_core::Color;
/// use komadai_movegen::DeclarationRule;
///
/// let rule: DeclarationRule = "CSARule24".parse()?;
/// assert_eq!(rule, DeclarationRule::Csa24);
/// assert_eq!((rule.points_to_win(Color::Black), rule.points_to_draw()), (Some(31), Some(24)));
/// # Ok::<(), komadai_movegen::declaration::UnknownDeclarationRule>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
#[doc(alias("入玉宣言法", "宣言法", "nyugyoku"))]
pub enum DeclarationRule {
    /// No declaration.
    None,
    /// The 24-point rule: 31 points win; 24 to 30 points end the game as a draw.
    #[doc(alias = "24点法")]
    Csa24,
    /// The rule [`Csa24`](Self::Csa24), with the handicap that White (上手) gave counted for White.
    Csa24Handicap,
    /// The 27-point rule: Black wins with 28 points, White with 27.
    #[default]
    #[doc(alias = "27点法")]
    Csa27,
    /// The rule [`Csa27`](Self::Csa27), with the handicap that White (上手) gave counted for White.
    Csa27Handicap,
    /// The try rule: a king wins by reaching the square on which the other king started.
    #[doc(alias = "トライルール")]
    Try,
}

impl DeclarationRule {
    /// Every rule.
    pub const ALL: [Self; 6] =
        [Self::None, Self::Csa24, Self::Csa24Handicap, Self::Csa27, Self::Csa27Handicap, Self::Try];

    /// The rule's name in USI.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "NoEnteringKing",
            Self::Csa24 => "CSARule24",
            Self::Csa24Handicap => "CSARule24H",
            Self::Csa27 => "CSARule27",
            Self::Csa27Handicap => "CSARule27H",
            Self::Try => "TryRule",
        }
    }

    /// The points `color` needs to win; `None` for rules without points.
    #[must_use]
    pub const fn points_to_win(self, color: Color) -> Option<u32> {
        match (self, color) {
            (Self::None | Self::Try, _) => None,
            (Self::Csa24 | Self::Csa24Handicap, _) => Some(31),
            (Self::Csa27 | Self::Csa27Handicap, Color::Black) => Some(28),
            (Self::Csa27 | Self::Csa27Handicap, Color::White) => Some(27),
        }
    }

    /// The points that end the game as a draw if they do not win it; `None` for rules without such
    /// a draw.
    #[must_use]
    pub const fn points_to_draw(self) -> Option<u32> {
        match self {
            Self::Csa24 | Self::Csa24Handicap => Some(24),
            _ => None,
        }
    }

    /// Returns whether the pieces that are missing from the game count for White, who gave them.
    const fn counts_handicap(self) -> bool {
        matches!(self, Self::Csa24Handicap | Self::Csa27Handicap)
    }
}

impl fmt::Display for DeclarationRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An error for a text that is not the name of a [`DeclarationRule`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "found {found:?}, expected NoEnteringKing, CSARule24, CSARule24H, CSARule27, CSARule27H or TryRule"
)]
pub struct UnknownDeclarationRule {
    /// The text, cut after 32 characters.
    pub found: String,
}

impl FromStr for DeclarationRule {
    type Err = UnknownDeclarationRule;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|rule| rule.name() == text)
            .ok_or_else(|| UnknownDeclarationRule { found: text.chars().take(32).collect() })
    }
}

/// The result of a declaration by the side to move, and the facts that decide it.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_movegen::declaration::DeclarationObstacle;
/// use komadai_movegen::{DeclarationRule, MoveGen};
///
/// let position = Position::from_sfen("K+P+P+P+P+P+P+P+B/+R+R+B6/9/9/9/9/9/9/4k4 b - 1")?;
/// let report = position.declaration(DeclarationRule::Csa27);
/// assert!(!report.wins());
/// let obstacles: Vec<_> = report.obstacles().collect();
/// assert_eq!(obstacles, [DeclarationObstacle::TooFewPoints { points: 27, needed: 28 }]);
/// assert_eq!(obstacles[0].to_string(), "27 points, but 28 are needed");
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[doc(alias("入玉宣言", "宣言勝ち", "nyugyoku"))]
pub struct DeclarationReport {
    /// The rule that was applied.
    pub rule: DeclarationRule,
    /// The side to move, which declares.
    pub color: Color,
    /// The result of the declaration.
    pub outcome: DeclarationOutcome,
    /// True if the declarer's king stands on the last three ranks.
    pub king_entered: bool,
    /// True if that king is in check.
    pub in_check: bool,
    /// The number of the declarer's pieces on the last three ranks, without the king.
    pub pieces_in_zone: u32,
    /// The points of those pieces and of the hand, including the handicap.
    pub points: u32,
    /// The part of `points` that comes from pieces given as a handicap.
    pub handicap_points: u32,
    /// The points needed to win; `None` for rules without points.
    pub points_needed: Option<u32>,
    /// The king's legal move that wins under the try rule.
    pub try_move: Option<Move>,
}

/// The result of a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeclarationOutcome {
    /// The declarer wins.
    Win,
    /// The game is a draw (持将棋, jishogi).
    Draw,
    /// The conditions are not met; a player who declares nevertheless loses.
    Refused,
}

/// The number of pieces besides the king that must stand on the last three ranks.
const PIECES_NEEDED: u32 = 10;

impl DeclarationReport {
    /// Returns whether the declaration wins.
    pub fn wins(&self) -> bool {
        self.outcome == DeclarationOutcome::Win
    }

    /// The conditions for a win that are not met, one by one.
    pub fn obstacles(&self) -> impl Iterator<Item = DeclarationObstacle> + use<> {
        use DeclarationObstacle as Obstacle;
        let by_points = self.points_needed.is_some();
        let points_needed = self.points_needed.unwrap_or(0);
        let pieces = self.pieces_in_zone;
        [
            (self.rule == DeclarationRule::None).then_some(Obstacle::NoSuchRule),
            (self.rule == DeclarationRule::Try && !self.wins()).then_some(Obstacle::NoTry),
            (by_points && !self.king_entered).then_some(Obstacle::KingNotEntered),
            (by_points && self.in_check).then_some(Obstacle::InCheck),
            (by_points && pieces < PIECES_NEEDED)
                .then_some(Obstacle::TooFewPieces { pieces, needed: PIECES_NEEDED }),
            (self.points < points_needed)
                .then_some(Obstacle::TooFewPoints { points: self.points, needed: points_needed }),
        ]
        .into_iter()
        .flatten()
    }
}

/// One reason why a declaration does not win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DeclarationObstacle {
    /// The game is played without declarations.
    NoSuchRule,
    /// The king neither stands on the other king's first square nor can step there.
    NoTry,
    /// The king does not stand on the last three ranks, or there is none.
    KingNotEntered,
    /// The king is in check.
    InCheck,
    /// Too few pieces stand on the last three ranks.
    TooFewPieces {
        /// The number found.
        pieces: u32,
        /// The number needed.
        needed: u32,
    },
    /// There are too few points.
    TooFewPoints {
        /// The number found.
        points: u32,
        /// The number needed.
        needed: u32,
    },
}

impl fmt::Display for DeclarationObstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchRule => f.write_str("the game is played without declarations"),
            Self::NoTry => f.write_str("the king cannot reach the other king's first square"),
            Self::KingNotEntered => f.write_str("the king is not on the last three ranks"),
            Self::InCheck => f.write_str("the king is in check"),
            Self::TooFewPieces { pieces, needed } => {
                write!(f, "{pieces} pieces on the last three ranks, but {needed} are needed")
            }
            Self::TooFewPoints { points, needed } => {
                write!(f, "{points} points, but {needed} are needed")
            }
        }
    }
}

/// Returns the result of a declaration by the side to move under `rule`.
///
/// Under the [try rule](DeclarationRule::Try) the declaration wins if the king stands on the square
/// on which the other king starts an even game, or has a legal move to it.
///
/// Under the handicap rules, all pieces missing from a full set (54 points) count as given by
/// White.
pub fn declaration(position: &Position, rule: DeclarationRule) -> DeclarationReport {
    let color = position.side();
    let zone = Bitboard::far_ranks(color, 3);
    let king = position.king_square(color);
    let handicap_points =
        if rule.counts_handicap() && color == Color::White { missing_points(position) } else { 0 };
    let mut report = DeclarationReport {
        rule,
        color,
        outcome: DeclarationOutcome::Refused,
        king_entered: king.is_some_and(|king| zone.contains(king)),
        in_check: position.in_check(),
        pieces_in_zone: men(position, color, zone).len(),
        points: points(position, color, zone) + handicap_points,
        handicap_points,
        points_needed: rule.points_to_win(color),
        try_move: None,
    };
    if rule == DeclarationRule::Try {
        report.try_move = king.and_then(|king| try_move(position, king));
    }
    report.outcome = outcome(&report, king);
    report
}

fn outcome(report: &DeclarationReport, king: Option<Square>) -> DeclarationOutcome {
    if report.rule == DeclarationRule::Try {
        let arrived = king == Some(try_square(report.color)) && !report.in_check;
        return if arrived || report.try_move.is_some() {
            DeclarationOutcome::Win
        } else {
            DeclarationOutcome::Refused
        };
    }
    let entered = report.king_entered && !report.in_check;
    if !entered || report.pieces_in_zone < PIECES_NEEDED {
        return DeclarationOutcome::Refused;
    }
    let reaches = |needed: Option<u32>| needed.is_some_and(|needed| report.points >= needed);
    if reaches(report.points_needed) {
        DeclarationOutcome::Win
    } else if reaches(report.rule.points_to_draw()) {
        DeclarationOutcome::Draw
    } else {
        DeclarationOutcome::Refused
    }
}

/// The pieces of `color` within `zone` other than the king.
fn men(position: &Position, color: Color, zone: Bitboard) -> Bitboard {
    (position.color(color) & zone) - position.kind(PieceKind::King)
}

/// The points of `color`'s hand and of its pieces within `zone`.
fn points(position: &Position, color: Color, zone: Bitboard) -> u32 {
    use PieceKind::{Bishop, Dragon, Horse, Rook};
    let big = [Bishop, Rook, Horse, Dragon]
        .into_iter()
        .fold(Bitboard::EMPTY, |set, kind| set | position.kind(kind));
    // Each piece has one point, and each big piece four more.
    let men = men(position, color, zone);
    let hand = position.hand(color);
    let big_in_hand = hand.count(Bishop) + hand.count(Rook);
    men.len() + hand.len() + 4 * ((men & big).len() + big_in_hand)
}

/// The points of the pieces of a full set that are missing from this position.
fn missing_points(position: &Position) -> u32 {
    // 34 small pieces at 1 point, and two rooks and two bishops at 5 points.
    const FULL_SET: u32 = 54;
    let present: u32 =
        Color::ALL.into_iter().map(|color| points(position, color, Bitboard::ALL)).sum();
    FULL_SET.saturating_sub(present)
}

/// The square on which the opponent's king starts an even game, the goal of `color` under the try
/// rule.
pub const fn try_square(color: Color) -> Square {
    match color {
        Color::Black => Square::S51,
        Color::White => Square::S59,
    }
}

fn try_move(position: &Position, king: Square) -> Option<Move> {
    let to = try_square(position.side());
    let m = attacks::king(king).contains(to).then(|| Move::new(king, to))?;
    is_legal(position, m).then_some(m)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(sfen: &str, rule: DeclarationRule) -> DeclarationReport {
        declaration(&Position::from_sfen(sfen).unwrap(), rule)
    }

    #[test]
    fn names_lead_back() {
        for rule in DeclarationRule::ALL {
            assert_eq!(rule.to_string().parse(), Ok(rule));
        }
        let error = "csarule27".parse::<DeclarationRule>().unwrap_err();
        assert_eq!(error.found, "csarule27");
        assert_eq!("x".repeat(99).parse::<DeclarationRule>().unwrap_err().found.len(), 32);
    }

    #[test]
    fn twenty_four_points_draw_and_thirty_one_win() {
        // Ten pieces in the zone, and a hand that makes up the rest.
        for (hand, points, outcome) in [
            ("2R3P", 23, DeclarationOutcome::Refused),
            ("2R4P", 24, DeclarationOutcome::Draw),
            ("2RB5P", 30, DeclarationOutcome::Draw),
            ("2RB6P", 31, DeclarationOutcome::Win),
        ] {
            let sfen = format!("KGGGGSSSS/+N+N7/9/9/9/9/9/9/4k4 b {hand} 1");
            let report = report(&sfen, DeclarationRule::Csa24);
            assert_eq!((report.points, report.outcome), (points, outcome));
            assert_eq!(report.pieces_in_zone, 10);
            assert_eq!(report.obstacles().next().is_some(), outcome != DeclarationOutcome::Win);
        }
    }

    #[test]
    fn a_handicap_counts_for_the_side_that_gave_it() {
        // Twelve tokin, a rook, a gold and a silver: 19 of a full set's 54 points.
        let white = "4K4/9/9/9/9/9/9/5+p+p+p+p/k+p+p+p+p+p+p+p+p w rgs 1";
        let plain = report(white, DeclarationRule::Csa27);
        assert_eq!((plain.points, plain.outcome), (19, DeclarationOutcome::Refused));
        let full_set = report(white, DeclarationRule::Csa27Handicap);
        assert_eq!((full_set.handicap_points, full_set.points), (35, 54));
        assert_eq!(full_set.outcome, DeclarationOutcome::Win);

        // Black receives no points for missing pieces.
        let black = "K+P+P+P+P+P+P+P+P/+P+P+P+P5/9/9/9/9/9/9/4k4 b RGS 1";
        for rule in [DeclarationRule::Csa27Handicap, DeclarationRule::Csa24Handicap] {
            let report = report(black, rule);
            assert_eq!((report.handicap_points, report.points), (0, 19));
        }
    }

    #[test]
    fn the_two_piece_handicap_gives_ten_points() {
        let sfen = komadai_core::Handicap::TwoPiece.sfen();
        let report = report(sfen, DeclarationRule::Csa24Handicap);
        assert_eq!(report.handicap_points, 10);
        assert_eq!(report.color, Color::White);
    }

    #[test]
    fn the_try_rule_asks_for_a_square() {
        for (sfen, try_move, wins) in [
            ("9/4K4/9/9/9/9/9/9/k8 b - 1", Some("5b5a"), true),
            ("4K4/9/9/9/9/9/9/9/k8 b - 1", None, true),
            ("4K3r/9/9/9/9/9/9/9/k8 b G 1", None, false),
            ("8r/4K4/9/9/9/9/9/9/k8 b - 1", None, false),
            ("9/9/4K4/9/9/9/9/9/k8 b - 1", None, false),
            ("8K/9/9/9/9/9/9/3k5/9 w - 1", Some("6h5i"), true),
            ("9/9/9/9/9/9/9/9/k8 b - 1", None, false),
        ] {
            let report = report(sfen, DeclarationRule::Try);
            assert_eq!(report.try_move, try_move.map(|usi| usi.parse().unwrap()), "{sfen}");
            assert_eq!(report.wins(), wins, "{sfen}");
            let obstacles: Vec<_> = report.obstacles().collect();
            let expected = if wins { &[][..] } else { &[DeclarationObstacle::NoTry] };
            assert_eq!(obstacles, expected, "{sfen}");
        }
    }

    #[test]
    fn everything_that_is_missing_is_named() {
        let report = report("4k4/9/9/9/4r4/9/9/9/4K4 b 2P 1", DeclarationRule::Csa27);
        let obstacles: Vec<_> = report.obstacles().map(|obstacle| obstacle.to_string()).collect();
        let expected = [
            "the king is not on the last three ranks",
            "the king is in check",
            "0 pieces on the last three ranks, but 10 are needed",
            "2 points, but 28 are needed",
        ];
        assert_eq!(obstacles, expected);

        let none = super::declaration(&Position::hirate(), DeclarationRule::None);
        assert_eq!(none.obstacles().collect::<Vec<_>>(), [DeclarationObstacle::NoSuchRule]);
        assert!(!none.wins());
    }
}
