//! The candidates of the castle suite: all pairs of similar armies against the same opposing army.

use komadai::prelude::*;
use komadai_testdata::castles::{self, Template};

use crate::judge_evaluation::opinions::Opinions;
use crate::judge_evaluation::verdict::{SAME_MATERIAL, Verdict};

/// The opposing armies of each group: the wing of the rook, and whether the bishops are on the
/// board.
const OPPONENTS: [(&str, bool, &str); 4] = [
    (
        "ranging",
        true,
        "boat with bishop, left mino with bishop, silver crown with bishop, anaguma with bishop, \
         elmo with bishop, gangi with bishop",
    ),
    ("static", true, "mino, high mino, silver crown, ranging anaguma, third-file mino, gold mino"),
    ("ranging", false, "boat, left mino, left silver crown, static anaguma, millennium, elmo"),
    (
        "static",
        false,
        "mino without bishop, silver crown without bishop, anaguma without bishop, yagura, \
         reclining silver in the castle, gangi",
    ),
];

/// Largest number of squares in which the two armies of a pair may differ.
const MAX_DIFFERENCE: usize = 12;

/// One army against another.
struct Placed {
    own: Template,
    sfen: String,
}

/// Two armies of one side against the same army.
pub(crate) struct Pair {
    pub(crate) name: String,
    pub(crate) color: Color,
    pub(crate) castles: [&'static str; 2],
    pub(crate) sfens: [String; 2],
    pub(crate) verdict: Verdict,
}

/// All armies of a group against one opposing army.
pub(crate) struct Context {
    opponent: &'static str,
    color: Color,
    side: Color,
    armies: Vec<Placed>,
}

/// Returns the armies of each group against each of its opponents.
pub(crate) fn contexts() -> Vec<Context> {
    OPPONENTS.into_iter().flat_map(contexts_of).collect()
}

fn contexts_of((rook, has_bishop, opponents): (&str, bool, &'static str)) -> Vec<Context> {
    let own: Vec<Template> = castles::templates()
        .filter(|own| own.rook == rook && own.ranks.contains('B') == has_bishop)
        .collect();
    let context = |(index, opponent): (usize, &'static str)| {
        let other = castles::templates().find(|other| other.name == opponent);
        let other = other.expect("the opposing armies are templates");
        // Both colours, and both sides to move, take turns.
        let (color, side) = (Color::ALL[index % 2], Color::ALL[index / 2 % 2]);
        let armies =
            own.iter().map(|&own| Placed { own, sfen: compose(&own, &other, color, side) });
        Context { opponent, color, side, armies: armies.collect() }
    };
    opponents.split(", ").enumerate().map(context).collect()
}

fn compose(own: &Template, other: &Template, color: Color, side: Color) -> String {
    let side = if side == Color::Black { 'b' } else { 'w' };
    match color {
        Color::Black => castles::compose(own, other, side),
        Color::White => castles::compose(other, own, side),
    }
}

impl Context {
    /// The positions to ask the judges about.
    pub(crate) fn sfens(&self) -> impl Iterator<Item = &str> {
        self.armies.iter().map(|army| army.sfen.as_str())
    }

    /// Returns the pairs on which the judges agree.
    pub(crate) fn pairs(&self, opinions: &Opinions) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for (index, first) in self.armies.iter().enumerate() {
            for second in &self.armies[index + 1..] {
                if !is_similar(&first.own, &second.own) {
                    continue;
                }
                let sfens = [first.sfen.clone(), second.sfen.clone()];
                let (sides, most) = ([self.side; 2], Some(SAME_MATERIAL));
                let Some(verdict) = Verdict::of(&sfens, sides, self.color, most, opinions) else {
                    continue;
                };
                let castles = [first.own.name, second.own.name];
                let turn = if self.side == self.color { "to move" } else { "waiting" };
                let name =
                    format!("{}, {}, against {}, {turn}", castles[0], castles[1], self.opponent);
                pairs.push(Pair { name, color: self.color, castles, sfens, verdict });
            }
        }
        pairs
    }
}

/// Returns whether two armies differ in few squares, and not in the rook's square unless one of
/// them is a right king, whose rook belongs to the castle.
fn is_similar(first: &Template, second: &Template) -> bool {
    let [a, b] = [squares(first), squares(second)];
    let rook = |squares: &[char]| squares.iter().position(|&piece| piece == 'R');
    let right_king = [first, second].iter().any(|own| own.name == "right king");
    let differing = a.iter().zip(&b).filter(|(a, b)| a != b).count();
    differing <= MAX_DIFFERENCE && (right_king || rook(&a) == rook(&b))
}

/// Returns the 36 squares of an army, empty ones as blanks.
fn squares(army: &Template) -> Vec<char> {
    let expand = |c: char| match c.to_digit(10) {
        Some(empty) => vec![' '; empty as usize],
        None => vec![c],
    };
    army.ranks.chars().filter(|&c| c != '/').flat_map(expand).collect()
}
