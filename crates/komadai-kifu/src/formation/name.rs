//! Castles and strategies by their names.

use std::cmp::Reverse;
use std::fmt;

use komadai_core::{Color, Language, Position};

use crate::formation::formation_set::FormationSet;
use crate::formation::kind::FormationKind;
use crate::formation::past::Past;
use crate::formation::shape::Moment;
use crate::formation::table::{Entry, TABLE};

/// A castle or a strategy with a name.
///
/// Names are facts; the shapes are definitions of this crate, in tables beside its source. Other
/// programs draw some lines elsewhere; `docs/formations.md` compares them.
///
/// # Examples
///
/// ```
/// use komadai_core::{Color, Handicap, Language, Position};
/// use komadai_kifu::formation::{Formation, FormationKind};
///
/// let board = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2PP4P/PPBSPPPP1/3RG1SK1/LN3G1NL";
/// let position = Position::from_sfen(&format!("{board} b - 1"))?;
/// let castle = Formation::castle_of(&position, Color::Black).expect("a castle");
/// assert_eq!((castle.id(), castle.label(Language::Japanese)), ("mino", "美濃囲い"));
///
/// let fourth = Formation::by_name("四間飛車").expect("a strategy");
/// assert_eq!((fourth.kind(), fourth.reading()), (FormationKind::Strategy, "しけんびしゃ"));
/// assert_eq!(fourth.to_string(), "fourth-file rook");
/// assert!(Formation::all().count() > 200);
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Formation(pub(super) u16);

impl Formation {
    /// Returns all formations, castles first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..TABLE.entries.len()).map(|index| Self(index as u16))
    }

    /// Returns the formation with this name: its id, or a name or alias in either language.
    ///
    /// A castle and a strategy may share a name (`右玉`): the strategy has it as its main name and is
    /// returned.
    pub fn by_name(name: &str) -> Option<Self> {
        let is_main = |formation: &Self| {
            [formation.id(), formation.japanese(), formation.english()].contains(&name)
        };
        Self::all().find(is_main).or_else(|| {
            Self::all().find(|formation| formation.aliases().any(|alias| alias == name))
        })
    }

    /// Returns the most refined castle whose shape the pieces of a side have.
    ///
    /// Castles that need a game, such as 居玉, are not found in a position. `None` if no shape fits.
    pub fn castle_of(position: &Position, color: Color) -> Option<Self> {
        let (past, has) = (Past::new(position), FormationSet::default());
        let moment = Moment { position, past: &past, ply: 0, side: color, has: &has };
        let fitting = (0..TABLE.castles).filter(|&index| TABLE.entries[index].shape.fits(&moment));
        // Of several the earlier one of the table.
        fitting
            .max_by_key(|&index| (TABLE.entries[index].depth, Reverse(index)))
            .map(|index| Self(index as u16))
    }

    /// Returns whether it is a castle or a strategy.
    pub fn kind(self) -> FormationKind {
        self.entry().kind
    }

    /// Returns the identifier, which stays the same between versions: `taka-mino`.
    pub fn id(self) -> &'static str {
        self.entry().id
    }

    /// Returns the name in English, that of players where there is one.
    pub fn english(self) -> &'static str {
        self.entry().english
    }

    /// Returns the name in Japanese.
    pub fn japanese(self) -> &'static str {
        self.entry().japanese
    }

    /// Returns the reading of the Japanese name in kana.
    pub fn reading(self) -> &'static str {
        self.entry().reading
    }

    /// Returns the name in a language.
    pub fn label(self, language: Language) -> &'static str {
        language.choose(self.english(), self.japanese())
    }

    /// Returns other Japanese names.
    pub fn aliases(self) -> impl Iterator<Item = &'static str> {
        self.entry().aliases.split(',').filter(|alias| !alias.is_empty())
    }

    /// Returns the formations of which this one is a refinement, nearest first: that of 高美濃囲い is
    /// 美濃囲い, and the one of 美濃囲い 片美濃囲い.
    pub fn parents(self) -> impl Iterator<Item = Self> {
        self.entry().parents.iter().map(|&parent| Self(parent))
    }

    /// Returns whether this is a refinement of another formation, directly or not.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_kifu::formation::Formation;
    ///
    /// let named = |name| Formation::by_name(name).expect("a name of the table");
    /// assert!(named("銀冠").refines(named("美濃囲い")));
    /// assert!(!named("美濃囲い").refines(named("銀冠")));
    /// assert!(named("銀冠").parents().any(|parent| parent == named("片銀冠")));
    /// ```
    pub fn refines(self, other: Self) -> bool {
        self.parents().any(|parent| parent == other || parent.refines(other))
    }

    /// Returns the definition, in the words of the table.
    pub fn definition(self) -> &'static str {
        self.entry().definition
    }

    /// Returns the projects whose tables have the name, too, separated by commas; empty for the few
    /// that are common in writing only.
    pub fn also_in(self) -> &'static str {
        self.entry().also_in
    }

    pub(super) fn entry(self) -> &'static Entry {
        &TABLE.entries[usize::from(self.0)]
    }
}

impl fmt::Display for Formation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.english())
    }
}

impl fmt::Debug for Formation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Formation({})", self.id())
    }
}

/// A formation that a side reached in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Named {
    /// The castle or strategy.
    pub formation: Formation,
    /// The side that has it.
    pub side: Color,
    /// The number of moves after which the shape first stood; 0 is the start of the record.
    pub ply: usize,
}
