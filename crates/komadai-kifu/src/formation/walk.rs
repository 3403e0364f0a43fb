//! The walk along a game that finds its formations.

use std::cmp::Reverse;

use komadai_core::{Color, Position, Setup};
use komadai_movegen::check_legality;

use crate::formation::formation_set::FormationSet;
use crate::formation::name::{Formation, Named};
use crate::formation::past::Past;
use crate::formation::shape::Moment;
use crate::formation::table::TABLE;
use crate::record::Record;

/// The plies before which and after which a standing castle is not counted: it is being built, or
/// the fight has begun.
const FIRST_PLY: usize = 20;
const LAST_PLY: usize = 80;

/// The id of the castle that is no castle: the king on its square.
const BARE_KING: &str = "igyoku";

#[derive(Debug)]
pub(super) struct Walk {
    names: Vec<Named>,
    sides: [SideWalk; 2],
    /// True if the game has an opening: it starts from the even position or a handicap.
    has_opening: bool,
}

/// The knowledge of one side.
#[derive(Debug)]
struct SideWalk {
    /// The formations that the side has had.
    has: FormationSet,
    /// The castles whose shapes stand.
    standing: FormationSet,
    /// The formations that may have changed.
    due: FormationSet,
    /// By castle: the number of positions in which it was the castle of the side, and the last of
    /// them.
    stood: Vec<(u32, usize)>,
}

impl Walk {
    pub(super) fn new(record: &Record) -> Self {
        let side = || SideWalk {
            has: FormationSet::default(),
            standing: FormationSet::default(),
            due: FormationSet::ALL,
            stood: vec![(0, 0); TABLE.castles],
        };
        let sides = [side(), side()];
        Self { names: Vec::new(), sides, has_opening: is_opening(&record.setup) }
    }

    /// Replays the game up to its end or to the first illegal move.
    pub(super) fn run(&mut self, record: &Record) {
        let Ok(mut position) = Position::from_setup_leniently(&record.setup) else { return };
        let mut past = Past::new(&position);
        self.look(&position, &past, 0);
        for (index, played) in record.moves.iter().enumerate() {
            if check_legality(&position, played.m).is_err() {
                break;
            }
            let changed = TABLE.triggers.of_move(&position, played.m);
            for (side, changed) in self.sides.iter_mut().zip(changed) {
                side.due.add(&changed);
            }
            past.add(&position, played.m);
            position.do_move(played.m);
            self.look(&position, &past, index + 1);
        }
    }

    fn look(&mut self, position: &Position, past: &Past, ply: usize) {
        for side in Color::ALL {
            TABLE.triggers.at_ply(ply, &mut self.sides[side.index()].due);
        }
        // A name can make others due, of both sides.
        loop {
            let known = self.names.len();
            for side in Color::ALL {
                self.compare_due(position, past, ply, side);
            }
            if self.names.len() == known {
                break;
            }
        }
        for side in Color::ALL {
            self.count_standing(ply, side);
        }
    }

    fn compare_due(&mut self, position: &Position, past: &Past, ply: usize, side: Color) {
        let end = if self.has_opening { TABLE.entries.len() } else { TABLE.castles };
        let mut start = 0;
        while let Some(index) = self.sides[side.index()].due.next(start).filter(|&due| due < end) {
            start = index + 1;
            self.sides[side.index()].due.remove(index);
            self.compare(position, past, ply, (index, side));
        }
    }

    fn compare(
        &mut self,
        position: &Position,
        past: &Past,
        ply: usize,
        (index, side): (usize, Color),
    ) {
        let entry = &TABLE.entries[index];
        let SideWalk { has, standing, .. } = &mut self.sides[side.index()];
        let is_known = has.contains(index);
        let is_castle = index < TABLE.castles;
        // A castle that fell may stand again.
        if is_known && !is_castle || ply > entry.last_ply {
            return;
        }
        let fits = entry.shape.fits(&Moment { position, past, ply, side, has });
        if fits && is_castle {
            standing.insert(index);
        } else {
            standing.remove(index);
        }
        if fits && !is_known {
            self.add(index, side, ply);
            if entry.is_shared && !self.sides[(!side).index()].has.contains(index) {
                self.add(index, !side, ply);
            }
        }
    }

    fn count_standing(&mut self, ply: usize, side: Color) {
        let SideWalk { standing, stood, .. } = &mut self.sides[side.index()];
        let rank = |&index: &usize| {
            let entry = &TABLE.entries[index];
            (entry.id != BARE_KING, entry.depth, Reverse(index))
        };
        if !(FIRST_PLY..=LAST_PLY).contains(&ply) {
            return;
        }
        if let Some(castle) = standing.iter().max_by_key(rank) {
            let (count, last) = &mut stood[castle];
            (*count, *last) = (*count + 1, ply);
        }
    }

    fn add(&mut self, index: usize, side: Color, ply: usize) {
        let SideWalk { has, due, .. } = &mut self.sides[side.index()];
        has.insert(index);
        TABLE.triggers.after_name(index, due);
        self.names.push(Named { formation: Formation(index as u16), side, ply });
    }

    /// The castle of each side that has stood longest, of several the later one.
    pub(super) fn standing_longest(&self) -> [Option<Formation>; 2] {
        let longest = |stood: &Vec<(u32, usize)>| {
            let found = stood.iter().enumerate().filter(|(_, (count, _))| *count > 0);
            let rank = |(index, found): &(usize, &(u32, usize))| {
                (TABLE.entries[*index].id != BARE_KING, **found)
            };
            found.max_by_key(rank).map(|(index, _)| Formation(index as u16))
        };
        [longest(&self.sides[0].stood), longest(&self.sides[1].stood)]
    }

    pub(super) fn into_names(mut self) -> Vec<Named> {
        self.names.sort_by_key(|named| (named.ply, named.side, named.formation));
        self.names
    }
}

/// Checks whether a game starts here: from the even position, or from one without some of its pieces.
fn is_opening(setup: &Setup) -> bool {
    let even = Setup::hirate();
    let mut squares = setup.board.iter().zip(&even.board);
    squares.all(|(piece, even)| piece.is_none() || piece == even)
        && setup.hands.iter().all(|hand| hand.is_empty())
}
