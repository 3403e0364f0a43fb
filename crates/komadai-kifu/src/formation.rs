//! Names of castles and strategies (囲い・戦法) in games.
//!
//! The definitions are two tables, `formation/castles.tsv` and `formation/strategies.tsv`. A shape is
//! written from the side's own view, as if the side were Black: `K2h/3i S3h G4i !S5g` is the king on
//! 2h or 3i, a silver on 3h, a gold on 4i and no silver on 5g. The grammar:
//!
//! | word | condition |
//! |---|---|
//! | `S3h`, `GS7h`, `+B2b` | a piece of the side, of one of the kinds, on the square |
//! | `K2h/3i`, `R5*`, `R*g`, `R*` | on one of several squares, on a file, on a rank, anywhere |
//! | `p3d` | the same of the opponent, in lower case |
//! | `!S7g` | no such piece there; `!` negates most words |
//! | `.7g/7h` | empty squares |
//! | `@R2f` | a piece of the kind has stood there before, or stands there |
//! | `hand:B`, `hand:2p` | a piece in the side's hand, at least two pawns in the opponent's |
//! | `static`, `ranging` | no rook of the side on the files 5 to 9; one there on its last four ranks |
//! | `vs-static`, `vs-ranging` | the same of the opponent |
//! | `ply<=30`, `ply>=14`, `ply=2` | the number of moves since the start of the record |
//! | `first`, `second` | the side made the first move of the record, or the other side |
//! | `after:kakugawari` | the side was given that name before |
//! | a bar | separates alternative shapes |
//!
//! [`BoardPattern`] reads the same words, and `turn:b` or `turn:w` for the side to move, for a search of
//! positions.
//!
//! A piece that was dropped fills no place of a shape, unless it is a pawn or a bishop: silver and
//! gold dropped beside a king are a defence, not a castle.

mod formation_set;
mod kind;
mod past;
mod pattern;
mod shape;
mod triggers;
mod table;
mod name;
mod walk;

use komadai_core::{Color, Handicap, Language};

pub use kind::FormationKind;
pub use name::{Formation, Named};
pub use pattern::{BoardPattern, PatternError};

use crate::formation::walk::Walk;
use crate::record::Record;

/// The castles and strategies of a game.
///
/// The moves are replayed once, and each move is followed by a comparison with the shapes that read
/// one of its squares: time is proportional to the number of moves. Strategies are those of games that start from the even position or from a handicap; a
/// record from another position has castles only. Moves after an illegal one are not read.
///
/// # Examples
///
/// ```
/// use komadai_core::{Color, Language};
/// use komadai_kifu::formation::Formations;
/// use komadai_kifu::{Tolerance, parse_usi_games};
///
/// let moves = "7g7f 8c8d 2h6h 8d8e 8h7g 6a5b 5i4h 5a4b 4h3h 4b3b 3h2h 1c1d 1g1f 7a6b 3i3h 3c3d \
///              6g6f 5c5d 6i5h 3a4b 9g9f 9c9d 7i7h 6c6d";
/// let games = parse_usi_games(&format!("startpos moves {moves}\n"), Tolerance::Strict)?;
/// let found = Formations::of(&games.records[0]);
/// let black = found.names().iter().filter(|named| named.side == Color::Black);
/// let black: Vec<_> = black.map(|named| (named.ply, named.formation.japanese())).collect();
/// let castles = [(15, "片美濃囲い"), (19, "美濃囲い")];
/// assert_eq!(black, [(3, "四間飛車"), castles[0], (17, "ノーマル四間飛車"), castles[1]]);
/// assert_eq!(found.strategies(Color::White), []);
/// assert_eq!(
///     found.line(Language::Japanese).as_deref(),
///     Some("先手：ノーマル四間飛車、美濃囲い　後手：舟囲い")
/// );
/// # Ok::<(), komadai_kifu::KifuError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Formations {
    names: Vec<Named>,
    castles: [Option<Formation>; 2],
    /// True if White gives a handicap, which changes the Japanese names of the sides.
    is_handicap: bool,
}

impl Formations {
    /// Finds the formations of a game.
    pub fn of(record: &Record) -> Self {
        let mut walk = Walk::new(record);
        walk.run(record);
        let castles = walk.standing_longest();
        let handicap = Handicap::from_setup(&record.setup);
        let is_handicap = handicap.is_some_and(|handicap| handicap != Handicap::Hirate);
        Self { names: walk.into_names(), castles, is_handicap }
    }

    /// Returns all names by the plies at which they were reached, also those that were refined
    /// later: first 片美濃囲い, then 美濃囲い.
    pub fn names(&self) -> &[Named] {
        &self.names
    }

    /// Returns the castle in which a player's king has stood longest: of the positions after the
    /// moves 20 to 80, the castle of most of them, of several the later one.
    ///
    /// A king that has not moved counts, as 居玉, only without any other castle. `None` for a player
    /// without a castle, and for both in a shorter game.
    pub fn castle(&self, side: Color) -> Option<Formation> {
        self.castles[side.index()]
    }

    /// Returns the strategies of a side by the plies at which they were reached, without those that
    /// another one refines.
    pub fn strategies(&self, side: Color) -> Vec<Formation> {
        let of_side = self.names.iter().filter(|named| named.side == side);
        let all: Vec<Formation> = of_side
            .map(|named| named.formation)
            .filter(|formation| formation.kind() == FormationKind::Strategy)
            .collect();
        let is_refined = |formation| all.iter().any(|other: &Formation| other.refines(formation));
        all.iter().copied().filter(|&formation| !is_refined(formation)).collect()
    }

    /// Returns the strategies and the castle of both sides as one line of text:
    /// `Black: fourth-file rook, mino; White: boat`. `None` if neither side has any.
    pub fn line(&self, language: Language) -> Option<String> {
        let comma = language.choose(", ", "、");
        let sides = Color::ALL.into_iter().filter_map(|side| {
            let labels = self.strategies(side).into_iter().chain(self.castle(side));
            let labels: Vec<&str> = labels.map(|formation| formation.label(language)).collect();
            let japanese = if self.is_handicap {
                ["下手：", "上手："]
            } else {
                ["先手：", "後手："]
            };
            let name = language.choose(["Black: ", "White: "], japanese)[side.index()];
            (!labels.is_empty()).then(|| format!("{name}{}", labels.join(comma)))
        });
        let sides: Vec<String> = sides.collect();
        (!sides.is_empty()).then(|| sides.join(language.choose("; ", "　")))
    }
}

#[cfg(test)]
mod tests;
