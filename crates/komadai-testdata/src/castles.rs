//! Castles (囲い): whole armies of one side, positions composed of two of them, and pairs of
//! positions on whose better castle other engines agree.

use crate::judged::JudgedPair;
use crate::table::{Table, table};

/// The army of one side with its castle: 20 pieces, on four ranks or in hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Template {
    /// The name in English, unique.
    pub name: &'static str,
    /// The name in Japanese.
    pub ja: &'static str,
    /// The wing of the rook: `static` (居飛車) or `ranging` (振り飛車).
    pub rook: &'static str,
    /// The ranks 6 to 9 of Black as in an SFEN. A bishop that is not on them is in hand.
    pub ranks: &'static str,
}

static TEMPLATES: Table<4> =
    table!("../../komadai-data/src/selfplay/castles.tsv", ["name", "ja", "rook", "ranks"]);

/// Templates of castles, open and closed, with and without a bishop on the board.
///
/// # Examples
///
/// ```
/// use komadai_testdata::castles;
///
/// let mino = castles::templates().find(|template| template.name == "mino").expect("a template");
/// assert_eq!(mino.ja, "美濃囲い");
/// assert_eq!(
///     castles::compose(&mino, &mino, 'b'),
///     "ln1g3nl/1ks1gr3/1ppppsbpp/p4pp2/9/2PP4P/PPBSPPPP1/3RG1SK1/LN3G1NL b - 1"
/// );
/// ```
pub fn templates() -> impl Iterator<Item = Template> {
    TEMPLATES.rows().map(|row| {
        let [name, ja, rook, ranks] = row.cells;
        Template { name, ja, rook, ranks }
    })
}

/// Composes the SFEN of a position from the army of Black and the army of White. `side` is the side
/// to move, `b` or `w`.
pub fn compose(black: &Template, white: &Template, side: char) -> String {
    // A board rotated by 180 degrees is its text read backwards.
    let rotated: String = white.ranks.chars().rev().map(|c| c.to_ascii_lowercase()).collect();
    let in_hand = |template: &Template, bishop| (!template.ranks.contains('B')).then_some(bishop);
    let mut hands: String =
        [in_hand(black, 'B'), in_hand(white, 'b')].into_iter().flatten().collect();
    if hands.is_empty() {
        hands.push('-');
    }
    format!("{rotated}/9/{} {side} {hands} 1", black.ranks)
}

/// Two positions that differ in the castle of one side only, and the verdict of three engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CastlePair {
    /// The names of the [`Template`]s under test.
    pub castles: [&'static str; 2],
    /// The positions and their values. The name consists of both castles, the opposing army and the
    /// turn.
    pub judged: JudgedPair,
}

static PAIRS: Table<13> = table!(
    "evaluation/castles.tsv",
    [
        "name",
        "first_castle",
        "second_castle",
        "first",
        "second",
        "side",
        "sign",
        "yaneuraou_first",
        "yaneuraou_second",
        "fairy_first",
        "fairy_second",
        "gps_first",
        "gps_second"
    ]
);

/// 72 pairs of quiet positions. At least two of three engines prefer the same position of a pair by
/// half a pawn or more, and none prefers the other one.
///
/// # Examples
///
/// ```
/// use komadai_testdata::castles;
///
/// let pair = castles::pairs()
///     .find(|pair| pair.castles == ["mino", "silver crown"])
///     .expect("a pair of the two castles");
/// assert_eq!(pair.castles[pair.judged.better], "silver crown");
/// ```
pub fn pairs() -> impl Iterator<Item = CastlePair> {
    PAIRS.rows().map(|row| {
        let [name, first_castle, second_castle, judged @ ..] = row.cells;
        CastlePair {
            castles: [first_castle, second_castle],
            judged: JudgedPair::new(&row, "castle", name, judged),
        }
    })
}
