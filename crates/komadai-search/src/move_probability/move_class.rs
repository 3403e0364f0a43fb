//! The classes of moves whose probabilities [`ClassMoves`](super::classes::ClassMoves) counts.

use komadai_core::{Move, PieceKind, Position, Square};
use komadai_movegen::exchange::exchange_value;

use super::context::{Attacker, MoveContext, MoveFacts};
use crate::museum::tesuji::TesujiTable;

/// Classes of one kind of move: one for each combination of the words of its axes.
struct Group {
    name: &'static str,
    axes: &'static [&'static [&'static str]],
}

const SAFE: &[&str] = &["losing", "safe"];
const PLAIN_OR_DROP: &[&str] = &["move", "drop"];
const JUST_BEFORE: &[&str] = &["other", "just-before"];
const VALUES: &[&str] = &["minor", "general", "major"];
const KINDS: &[&str] = &[
    "pawn",
    "lance",
    "knight",
    "silver",
    "bishop",
    "rook",
    "gold",
    "king",
    "tokin",
    "pro-lance",
    "pro-knight",
    "pro-silver",
    "horse",
    "dragon",
];

/// The groups in the order in which a move is tried: it belongs to the first that fits.
const GROUPS: [Group; 11] = [
    Group { name: "evasion", axes: &[&["king", "capture", "move", "drop"], SAFE] },
    Group {
        name: "capture",
        axes: &[
            &["losing", "even", "small-gain", "gain", "large-gain"],
            &["other", "last-mover", "takes-back"],
            &["unpromoted", "promotes"],
            &["quiet", "check"],
        ],
    },
    Group { name: "check", axes: &[PLAIN_OR_DROP, SAFE, &["distant", "adjacent"], JUST_BEFORE] },
    Group { name: "escape", axes: &[VALUES, SAFE, JUST_BEFORE] },
    Group { name: "promotion", axes: &[VALUES, SAFE] },
    Group { name: "tesuji", axes: &[PLAIN_OR_DROP, SAFE] },
    Group { name: "attack", axes: &[VALUES, PLAIN_OR_DROP, JUST_BEFORE] },
    Group { name: "guard", axes: &[PLAIN_OR_DROP, SAFE] },
    Group { name: "pawn-drop", axes: &[PLACES, SAFE] },
    Group {
        name: "drop",
        axes: &[&["lance", "knight", "silver", "bishop", "rook", "gold"], PLACES, SAFE],
    },
    Group {
        name: "quiet",
        axes: &[KINDS, &["backward", "sideways", "forward"], SAFE, JUST_BEFORE],
    },
];

const PLACES: &[&str] = &["near-enemy-king", "near-own-king", "elsewhere"];

const EVASION: usize = 0;
const CAPTURE: usize = 1;
const CHECK: usize = 2;
const ESCAPE: usize = 3;
const PROMOTION: usize = 4;
const TESUJI: usize = 5;
const ATTACK: usize = 6;
const GUARD: usize = 7;
const PAWN_DROP: usize = 8;
const DROP: usize = 9;
const QUIET: usize = 10;

/// The first class of each group, and the number of all.
const STARTS: [usize; GROUPS.len() + 1] = {
    let mut starts = [0; GROUPS.len() + 1];
    let mut group = 0;
    while group < GROUPS.len() {
        let axes = GROUPS[group].axes;
        let mut size = 1;
        let mut axis = 0;
        while axis < axes.len() {
            size *= axes[axis].len();
            axis += 1;
        }
        starts[group + 1] = starts[group] + size;
        group += 1;
    }
    starts
};

/// The number of classes.
pub(super) const CLASSES: usize = STARTS[GROUPS.len()];

/// Returns the names of all classes.
pub(super) fn names() -> Vec<String> {
    let mut names = Vec::with_capacity(CLASSES);
    for group in &GROUPS {
        let mut of_group = vec![group.name.to_owned()];
        for axis in group.axes {
            let with_words = |name: &String| {
                axis.iter().map(|word| format!("{name} {word}")).collect::<Vec<_>>()
            };
            of_group = of_group.iter().flat_map(with_words).collect();
        }
        names.extend(of_group);
    }
    names
}

/// Returns the class at these places on the axes of a group.
fn class<const N: usize>(group: usize, places: [usize; N]) -> usize {
    let axes = GROUPS[group].axes.iter();
    STARTS[group] + axes.zip(places).fold(0, |class, (axis, place)| class * axis.len() + place)
}

/// The classification of the moves of a position.
pub(super) struct Classifier<'a> {
    context: MoveContext<'a>,
    tesuji: &'static TesujiTable,
}

impl<'a> Classifier<'a> {
    pub(super) fn new(position: &'a Position) -> Self {
        Self { context: MoveContext::new(position), tesuji: TesujiTable::bundled() }
    }

    /// Returns the class of a legal move.
    pub(super) fn class(&self, m: Move) -> usize {
        let context = &self.context;
        let facts = context.facts(m);
        let safe = usize::from(facts.is_safe());
        let drop = usize::from(facts.from.is_none());
        if context.position.in_check() {
            let by = match (facts.kind, facts.captured) {
                (PieceKind::King, _) if drop == 0 => 0,
                (_, Some(_)) => 1,
                _ => 2 + drop,
            };
            return class(EVASION, [by, safe]);
        }
        if facts.captured.is_some() {
            return self.capture(&facts);
        }
        let near_last = context.last.is_some_and(|last| last.to.distance(facts.to) <= 1);
        if facts.gives_check {
            let adjacent = usize::from(context.enemy_king_zone.contains(facts.to));
            return class(CHECK, [drop, safe, adjacent, near_last.into()]);
        }
        if facts.is_in_danger {
            let by_last = facts.from.is_some_and(|from| self.last_piece_attacks(from));
            return class(ESCAPE, [value(facts.kind), safe, by_last.into()]);
        }
        if facts.is_promotion {
            return class(PROMOTION, [value(facts.kind), safe]);
        }
        if self.tesuji.is_completed(context.position, m) {
            return class(TESUJI, [drop, safe]);
        }
        if facts.is_safe()
            && let Some((target, square)) = self.target(&facts)
        {
            let just_before = context.last.is_some_and(|last| last.to == square);
            return class(ATTACK, [value(target), drop, just_before.into()]);
        }
        if self.guards_loose_piece(&facts) {
            return class(GUARD, [drop, safe]);
        }
        if facts.from.is_none() {
            return self.drop(&facts);
        }
        let direction = self.direction(&facts);
        class(QUIET, [facts.kind as usize, direction, safe, near_last.into()])
    }

    fn capture(&self, facts: &MoveFacts) -> usize {
        let gain = match facts.exchange {
            ..0 => 0,
            0 => 1,
            1..=250 => 2,
            251..=1_100 => 3,
            _ => 4,
        };
        let of_last = match self.context.last {
            Some(last) if last.to == facts.to => 1 + usize::from(last.captured),
            _ => 0,
        };
        class(CAPTURE, [gain, of_last, facts.is_promotion.into(), facts.gives_check.into()])
    }

    fn drop(&self, facts: &MoveFacts) -> usize {
        let is_near = |king: Option<Square>| king.is_some_and(|king| king.distance(facts.to) <= 2);
        let place = if is_near(self.context.enemy_king) {
            0
        } else if is_near(self.context.own_king) {
            1
        } else {
            2
        };
        let safe = usize::from(facts.is_safe());
        match facts.kind {
            PieceKind::Pawn => class(PAWN_DROP, [place, safe]),
            kind => class(DROP, [kind as usize - 1, place, safe]),
        }
    }

    fn direction(&self, facts: &MoveFacts) -> usize {
        let from_far_side = |square: Square| square.rank().from_far_side(self.context.us);
        let before = facts.from.map_or(0, from_far_side);
        1 + usize::from(from_far_side(facts.to) < before)
            - usize::from(from_far_side(facts.to) > before)
    }

    /// Returns whether the piece that moved last attacks a square.
    fn last_piece_attacks(&self, square: Square) -> bool {
        let position = self.context.position;
        let attackers = || position.attackers_to(!self.context.us, square, self.context.occupied);
        self.context.last.is_some_and(|last| attackers().contains(last.to))
    }

    /// Returns the most valuable piece of the opponent that the moved piece attacks and that is
    /// worth more or not guarded.
    fn target(&self, facts: &MoveFacts) -> Option<(PieceKind, Square)> {
        let (context, position) = (&self.context, self.context.position);
        let guarded = context.enemy.once() | context.enemy_king_zone;
        let targets = (facts.reach & position.color(!context.us))
            - position.kind(PieceKind::King)
            - position.kind(PieceKind::Pawn);
        let kinds = targets.iter().filter_map(|square| {
            let kind = position.piece_on(square)?.kind();
            let is_better = exchange_value(kind) > exchange_value(facts.after);
            (is_better || !guarded.contains(square)).then_some((kind, square))
        });
        kinds.max_by_key(|&(kind, square)| (exchange_value(kind), square))
    }

    /// Returns whether the piece comes to guard another one that is attacked and not guarded.
    fn guards_loose_piece(&self, facts: &MoveFacts) -> bool {
        let (context, position) = (&self.context, self.context.position);
        let own = facts.reach & position.color(context.us) & context.enemy.once();
        let loose = own - context.own.once() - context.own_king_zone;
        let pieces = loose - position.kind(PieceKind::King);
        pieces.iter().any(|square| context.attacker(square) != Attacker::None)
    }
}

/// Returns the class of the value of a piece.
fn value(kind: PieceKind) -> usize {
    match exchange_value(kind) {
        ..400 => 0,
        400..700 => 1,
        _ => 2,
    }
}
