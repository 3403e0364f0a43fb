//! The searches of one position.

use std::fmt;
use std::str::FromStr;

use anyhow::{Context as _, ensure};
use clap::ValueEnum;
use komadai::core::Language;
use komadai::eval::{Classical, Progress};
use komadai::movegen::DeclarationRule;
use komadai::prelude::*;
use komadai::search::{
    AlphaBeta, InCheck, Quiescence, QuiescenceClasses, SearchOptions, SelectedQuiescence,
    Techniques,
};

use crate::positions::{CheckPositions, StudyPosition};

/// The search to which the others are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Reference {
    /// Quiescence search over all moves, with standing pat; in check all evasions.
    StandPat,
    /// Full-width search to the same depth, without quiescence.
    Full,
}

/// The moves that the searches over classes try in check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MovesInCheck {
    /// Those of the classes, with standing pat.
    Classes,
    /// All evasions, without standing pat.
    Evasions,
}

/// Depths in plies, in ascending order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Depths(pub(crate) Vec<u32>);

/// The greatest depth: the reference grows twentyfold with every two plies.
const MAX_DEPTH: u32 = 8;

impl FromStr for Depths {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let depth = |text: &str| -> anyhow::Result<u32> {
            let depth = text.trim().parse().with_context(|| format!("found {text:?}"))?;
            ensure!((1..=MAX_DEPTH).contains(&depth), "found {depth}, expected 1 to {MAX_DEPTH}");
            Ok(depth)
        };
        let mut depths = Vec::new();
        for part in text.split(',') {
            match part.split_once('-') {
                Some((first, last)) => depths.extend(depth(first)?..=depth(last)?),
                None => depths.push(depth(part)?),
            }
        }
        depths.sort_unstable();
        depths.dedup();
        ensure!(!depths.is_empty(), "found no depth in {text:?}");
        Ok(Self(depths))
    }
}

impl fmt::Display for Depths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let depths: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&depths.join(","))
    }
}

/// The searches that are compared, and their positions.
#[derive(Debug, Clone)]
pub(crate) struct Setting {
    pub(crate) reference: Reference,
    pub(crate) in_check: MovesInCheck,
    pub(crate) checks: CheckPositions,
    pub(crate) depths: Depths,
    pub(crate) methods: Vec<Quiescence>,
}

impl Setting {
    /// Returns the searches and positions as a text, without the methods.
    pub(crate) fn in_language(&self, language: Language) -> String {
        let of = |english, japanese| language.choose(english, japanese);
        let reference = match self.reference {
            Reference::StandPat => of(
                "the reference searches all moves and may stand pat, in check all evasions",
                "基準は stand pat のある全ての手の探索（王手されていれば全ての応手）",
            ),
            Reference::Full => {
                of("the reference is full width without quiescence", "基準は静止探索のない全幅探索")
            }
        };
        let in_check = match self.in_check {
            MovesInCheck::Classes => of(
                "in check the methods try the moves of their classes and may stand pat",
                "王手されている局面でも各手法は自分の種類の手と stand pat を試す",
            ),
            MovesInCheck::Evasions => of(
                "in check the methods try all evasions",
                "王手されている局面では各手法が全ての応手を試す",
            ),
        };
        let checks = match self.checks {
            CheckPositions::In => of("positions in check included", "王手されている局面を含む"),
            CheckPositions::Out => of("positions in check left out", "王手されている局面を除く"),
        };
        [reference, in_check, checks].join(of("; ", "、"))
    }

    /// Returns the number of searches of a position.
    pub(crate) fn searches(&self) -> usize {
        self.depths.0.len() * (1 + self.methods.len())
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reference = match self.reference {
            Reference::StandPat => "all moves and standing pat, in check all evasions",
            Reference::Full => "full width without quiescence",
        };
        let in_check = match self.in_check {
            MovesInCheck::Classes => "the moves of their classes, with standing pat",
            MovesInCheck::Evasions => "all evasions",
        };
        let checks = match self.checks {
            CheckPositions::In => "included",
            CheckPositions::Out => "left out",
        };
        write!(f, "reference: {reference}; methods in check: {in_check}; ")?;
        write!(f, "positions in check: {checks}; depths: {:?}; methods: ", self.depths.0)?;
        for (index, method) in self.methods.iter().enumerate() {
            write!(f, "{}{method}", if index > 0 { " " } else { "" })?;
        }
        Ok(())
    }
}

/// A value and the nodes of its search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Found {
    /// In centipawns for the side to move.
    pub(crate) value: i32,
    pub(crate) nodes: u64,
}

/// The results of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Measured {
    pub(crate) game: usize,
    /// 0 to 15.
    pub(crate) progress: u8,
    /// The classes of the best move of the reference at the greatest depth; `None` where it stands
    /// pat.
    pub(crate) best: Option<QuiescenceClasses>,
    /// For each depth the reference, then the methods.
    pub(crate) found: Vec<Found>,
}

/// The searchers of a thread.
#[derive(Debug)]
pub(crate) struct Measurer {
    setting: Setting,
    /// In the order of [`Measured::found`].
    searchers: Vec<Searching>,
}

#[derive(Debug)]
struct Searching {
    searcher: AlphaBeta<Classical>,
    /// For a full-width search.
    depth: Option<u32>,
}

impl Measurer {
    pub(crate) fn new(setting: &Setting) -> Self {
        let mut searchers = Vec::with_capacity(setting.searches());
        for &depth in &setting.depths.0 {
            searchers.push(match setting.reference {
                Reference::StandPat => quiescence(&all_moves(depth)),
                Reference::Full => Searching {
                    searcher: searcher(Techniques::SOUND, Quiescence::Standard),
                    depth: Some(depth),
                },
            });
            let methods = setting.methods.iter();
            searchers.extend(
                methods.map(|method| quiescence(&at_depth(method, depth, setting.in_check))),
            );
        }
        Self { setting: setting.clone(), searchers }
    }

    pub(crate) fn measure(&mut self, position: &StudyPosition) -> Measured {
        let StudyPosition { game, position } = position;
        let last_reference = self.searchers.len() - 1 - self.setting.methods.len();
        let mut best = None;
        let mut found = Vec::with_capacity(self.searchers.len());
        for (index, Searching { searcher, depth }) in self.searchers.iter_mut().enumerate() {
            let analysis = match depth {
                Some(depth) => {
                    // The table of the position before would make fewer nodes.
                    searcher.new_game();
                    searcher.search(position, &Budget::depth(*depth), &mut |_| {})
                }
                None => searcher.quiescence(position),
            };
            // A position without a legal move is none of the study, so there is a score.
            let value = analysis.score().map_or(0, |score| score.raw());
            found.push(Found { value, nodes: analysis.nodes });
            if index == last_reference {
                best = analysis.best_move().map(|m| classes_of(position, m));
            }
        }
        Measured { game: *game, progress: Progress::of(position).get(), best, found }
    }
}

/// Returns the quiescence search over all moves; in check all evasions.
fn all_moves(depth: u32) -> Quiescence {
    let all = std::sync::Arc::new(QuiescenceClasses::ALL);
    let selected = SelectedQuiescence::new(all, depth);
    Quiescence::Selected(selected.with_in_check(InCheck::EvasionsWithinDepth))
}

/// Returns a method to this depth. `Standard` and `TwoStage` have their own depth.
fn at_depth(method: &Quiescence, depth: u32, in_check: MovesInCheck) -> Quiescence {
    let in_check = match in_check {
        MovesInCheck::Classes => InCheck::Classes,
        MovesInCheck::Evasions => InCheck::Evasions,
    };
    match method {
        Quiescence::Selected(selected) => {
            let selected = SelectedQuiescence::clone(selected);
            Quiescence::Selected(selected.with_depth(depth).with_in_check(in_check))
        }
        other => other.clone(),
    }
}

fn quiescence(method: &Quiescence) -> Searching {
    // The standard method needs its own pruning; the others ignore it.
    let pruning = Techniques::EXCHANGE | Techniques::DELTA | Techniques::FEW_CAPTURES;
    // Without a table and histories, results do not depend on the positions before.
    Searching { searcher: searcher(Techniques::QUIESCENCE | pruning, method.clone()), depth: None }
}

fn searcher(techniques: Techniques, quiescence: Quiescence) -> AlphaBeta<Classical> {
    let options = SearchOptions {
        hash_mib: 1,
        techniques,
        quiescence,
        declaration: DeclarationRule::None,
        ..SearchOptions::default()
    };
    let evaluator: Classical = Default::default();
    AlphaBeta::new(evaluator, options)
}

/// Returns the classes to which a move belongs, of those in the paper's figure 9.
fn classes_of(position: &Position, m: Move) -> QuiescenceClasses {
    use QuiescenceClasses as Class;
    let captures = position.piece_on(m.to()).is_some();
    let moved = m.from().and_then(|from| position.piece_on(from));
    let is_attacked = m.from().is_some_and(|from| {
        !position.attackers_to(!position.side(), from, position.occupied()).is_empty()
    });
    let belongs = [
        (Class::CAPTURE, captures),
        (Class::SEE, captures && position.see(m) > 0),
        (Class::KING, moved.is_some_and(|piece| piece.kind() == PieceKind::King)),
        (Class::ESCAPE, is_attacked),
        (Class::PROMOTE, m.is_promotion()),
        (Class::CHECK, position.gives_check(m)),
    ];
    belongs.into_iter().filter(|(_, belongs)| *belongs).map(|(class, _)| class).collect()
}
