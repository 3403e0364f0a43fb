//! Castles (囲い) in games.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use komadai_core::{Color, Language, PieceKind, Position, Square};

use crate::record::Record;

/// A castle (囲い): the squares of a king and the pieces that guard it.
///
/// Each wing has its own: a castle of the right wing is not recognised on the left.
///
/// # Examples
///
/// ```
/// use komadai_core::{Color, Position};
/// use komadai_kifu::statistics::Castle;
///
/// let board = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2PP4P/PPBSPPPP1/3RG1SK1/LN3G1NL";
/// let position = Position::from_sfen(&format!("{board} b - 1"))?;
/// let castle = Castle::of(&position, Color::Black).expect("a castle");
/// assert_eq!((castle.name(), castle.japanese()), ("mino", "美濃囲い"));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Castle(u8);

struct Entry {
    name: &'static str,
    japanese: &'static str,
    /// The pieces of Black.
    pieces: Vec<(PieceKind, Square)>,
}

/// The castles; of two that fit the earlier one counts.
static TABLE: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let rows = include_str!("castles.tsv").lines().skip(1);
    rows.map(|row| entry(row).expect("a test reads the same table")).collect()
});

fn entry(row: &'static str) -> Option<Entry> {
    let mut cells = row.split('\t');
    let (name, japanese, pieces) = (cells.next()?, cells.next()?, cells.next()?);
    let piece = |word: &str| {
        let kind = PieceKind::from_sfen_letter(word.chars().next()?)?;
        Some((kind, word.get(1..)?.parse().ok()?))
    };
    let pieces = pieces.split(' ').map(piece).collect::<Option<_>>()?;
    Some(Entry { name, japanese, pieces })
}

/// The plies before which and after which a castle is not counted: it is being built, or the fight
/// has begun.
const FIRST_PLY: usize = 20;
const LAST_PLY: usize = 80;

impl Castle {
    /// Returns all castles, the more special ones before those that they contain.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..TABLE.len()).map(|index| Self(index as u8))
    }

    /// Returns the castle of a side. `None` if no castle fits.
    pub fn of(position: &Position, color: Color) -> Option<Self> {
        Self::all().find(|castle| castle.fits(position, color))
    }

    /// Returns the castle in which each player's king has stood longest, Black's first: of the
    /// positions after the moves 20 to 80, the castle of most of them, of several the later one.
    ///
    /// A king that has not moved counts as a castle, the bare king, only without any other.
    /// `None` for a player without a castle, and for both in a shorter game.
    pub fn of_game(record: &Record) -> [Option<Self>; 2] {
        // `[color][castle]`: number of positions, and the last of them.
        let mut stood = [vec![(0_u32, 0_usize); TABLE.len()], vec![(0, 0); TABLE.len()]];
        let mut ply = 0;
        // The moves before an illegal one are as good as any.
        let _ = record.replay(|position, _| {
            if (FIRST_PLY..=LAST_PLY).contains(&ply) {
                for color in Color::ALL {
                    if let Some(castle) = Self::of(position, color) {
                        let (count, last) = &mut stood[color.index()][usize::from(castle.0)];
                        (*count, *last) = (*count + 1, ply);
                    }
                }
            }
            ply += 1;
            if ply > LAST_PLY { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        stood.map(|stood| {
            let named = Self::all().zip(stood).filter(|(_, (count, _))| *count > 0);
            named
                .max_by_key(|&(castle, found)| (!castle.is_bare(), found))
                .map(|(castle, _)| castle)
        })
    }

    /// Returns the name in English.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// Returns the name in Japanese.
    pub fn japanese(self) -> &'static str {
        self.entry().japanese
    }

    /// Returns the name in a language.
    pub fn label(self, language: Language) -> &'static str {
        language.choose(self.name(), self.japanese())
    }

    fn entry(self) -> &'static Entry {
        &TABLE[usize::from(self.0)]
    }

    /// Returns whether only the king makes the castle.
    fn is_bare(self) -> bool {
        self.entry().pieces.len() == 1
    }

    fn fits(self, position: &Position, color: Color) -> bool {
        self.entry().pieces.iter().all(|&(kind, square)| {
            let square = if color == Color::Black { square } else { square.flipped() };
            position.pieces(color, kind).contains(square)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use komadai_base::reading::Tolerance;
    use komadai_testdata::{castles, games};

    use super::*;
    use crate::record_reader::parse_usi_games;

    #[test]
    fn the_table_has_each_castle_once_and_special_ones_first() {
        let names: BTreeSet<&str> = Castle::all().map(Castle::name).collect();
        assert_eq!(names.len(), TABLE.len());
        let rows = include_str!("castles.tsv").lines().count();
        assert_eq!((rows, names.len()), (TABLE.len() + 1, TABLE.len()));
        for (index, entry) in TABLE.iter().enumerate() {
            let contains =
                |other: &&Entry| other.pieces.iter().all(|piece| entry.pieces.contains(piece));
            let earlier = TABLE[..index].iter().find(contains);
            assert!(earlier.is_none(), "{} hides {}", earlier.unwrap().name, entry.name);
        }
    }

    /// The armies that self-play starts with, and the castles found in them.
    #[test]
    fn templates_are_recognised_on_both_sides() {
        let expected = [
            ("mino", "mino"),
            ("high mino", "high mino"),
            ("silver crown", "silver crown"),
            ("gold mino", "gold mino"),
            ("half mino", "half mino"),
            ("diamond mino", "diamond mino"),
            ("ranging anaguma", "ranging anaguma"),
            ("central rook mino", "half mino"),
            ("bare king", "bare king"),
            ("left mino", "left mino"),
            ("left silver crown", "left silver crown"),
            ("static anaguma", "static anaguma"),
            ("elmo", "elmo"),
            ("yagura", "yagura"),
            ("kikusui", "kikusui"),
            ("millennium", "millennium"),
            ("gangi", "gangi"),
            ("double-wing gangi", "double-wing gangi"),
        ];
        let template = |name: &str| {
            castles::templates().find(|template| template.name == name).expect("a template")
        };
        for (name, castle) in expected {
            let sfen = castles::compose(&template(name), &template("mino"), 'b');
            let position = Position::from_sfen(&sfen).unwrap();
            let of = |position: &Position, color| Castle::of(position, color).map(Castle::name);
            assert_eq!(of(&position, Color::Black), Some(castle), "{name}");
            assert_eq!(of(&position, Color::White), Some("mino"), "{name}");
            assert_eq!(of(&position.flipped(), Color::White), Some(castle), "{name}");
        }
        // No army of the templates is without a castle, but for kings on the way.
        let position =
            |name| Position::from_sfen(&castles::compose(&template(name), &template("mino"), 'b'));
        let on_the_way = position("ranging king on the way").unwrap();
        assert_eq!(Castle::of(&on_the_way, Color::Black), None);
    }

    #[test]
    fn the_castle_of_a_game_is_that_of_most_positions() {
        let moves = "7g7f 8c8d 2h6h 8d8e 8h7g 6a5b 5i4h 5a4b 4h3h 4b3b 3h2h 1c1d 1g1f 7a6b 3i3h 3c3d \
                     4g4f 5c5d 6i5h 3a4b 9g9f 9c9d 7i7h 6c6d";
        let of = |moves: &str| {
            let text = format!("startpos moves {moves} resign\n");
            let records = parse_usi_games(&text, Tolerance::Strict).unwrap().records;
            Castle::of_game(&records[0]).map(|castle| castle.map(Castle::name))
        };
        assert_eq!(of(moves), [Some("mino"), Some("boat")]);
        assert_eq!(of("7g7f 3c3d"), [None, None]);
        let mut found: BTreeSet<&str> = BTreeSet::new();
        for game in games::tournament() {
            found.extend(of(game.moves).into_iter().flatten());
        }
        assert!(found.len() >= 8, "{found:?}");
    }
}
