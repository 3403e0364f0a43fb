//! The tunable numbers of the search.
//!
//! Numbers without a source were guessed from common practice first; 63 of them were then tuned by
//! `komadai-lab tune-search spsa` with the network of `komadai-weights` (docs/techniques.md).

/// A tunable number of the search: its name, default and range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// The name of the field of [`Parameters`].
    pub name: &'static str,
    /// The value in [`Parameters::default`].
    pub default: i32,
    /// The smallest value of the range for tuning.
    pub min: i32,
    /// The largest value of the range for tuning.
    pub max: i32,
}

/// Defines the struct, its default, and the access by name.
macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident: $default:literal in $min:literal ..= $max:literal;)*) => {
        /// Margins and weights of the search.
        ///
        /// Margins are centipawns, depths plies, reductions 1,024ths of a ply. Every number can be
        /// read and set by name, which a tuner does.
        ///
        /// # Examples
        ///
        /// ```
        /// use komadai_search::Parameters;
        ///
        /// let mut parameters = Parameters::default();
        /// assert!(parameters.set("null_base", 5_000));
        /// assert_eq!(parameters.null_base, 5_000);
        /// assert!(!parameters.set("no_such_name", 5_000));
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct Parameters {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Default for Parameters {
            fn default() -> Self {
                Self::DEFAULT
            }
        }

        impl Parameters {
            /// The [`default`](Self::default), for code that is compiled for it.
            pub(crate) const DEFAULT: Self = Self { $($name: $default,)* };

            /// All parameters, in the order of the fields.
            pub const ALL: &[Parameter] = &[$(Parameter {
                name: stringify!($name), default: $default, min: $min, max: $max,
            },)*];

            /// Returns the value of the parameter with this name.
            pub fn get(&self, name: &str) -> Option<i32> {
                match name {
                    $(stringify!($name) => Some(self.$name),)*
                    _ => None,
                }
            }

            /// Sets the parameter with this name, clamped to its range; returns `false` if there is
            /// none.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value.clamp($min, $max),)*
                    _ => return false,
                }
                true
            }
        }
    };
}

parameters! {
    /// Half the width of the first aspiration window.
    aspiration: 66 in 5..=150;
    /// Half the width of the first aspiration window from iteration 8 on, in percent of that in
    /// iteration 4; it changes steadily between them.
    aspiration_late: 100 in 15..=150;
    /// Part of the centre of the first aspiration window that the centres of earlier iterations
    /// make, in percent; the last value makes the rest.
    aspiration_memory: 0 in 0..=80;
    /// Part of the aspiration window that is kept above alpha after a fail-low, in percent.
    aspiration_kept: 50 in 0..=100;
    /// Largest number of plies that an iteration loses by searches that failed high.
    aspiration_plies: 0 in 0..=4;
    /// All margins of pruning: their size in iteration 16 and later, in percent; they grow from
    /// iteration 9 on.
    margin_late: 100 in 100..=250;
    /// Transposition table: plies by which an entry above the window must be deeper than a node
    /// that it cuts off.
    table_high_depth: 0 in 0..=2;
    /// Transposition table: largest depth at which entries cut off only nodes that are expected to
    /// end on that side of the window.
    table_agreement_depth: 0 in 0..=10;
    /// Transposition table: malus of the previous move, if it was an early quiet one, after a
    /// cutoff above the window, in percent.
    table_malus: 0 in 0..=200;
    /// Razoring: margin below the window besides its term in depth.
    razor_base: 370 in 100..=900;
    /// Razoring: margin per squared ply of depth.
    razor_square: 103 in 50..=500;
    /// Reverse futility: margin per ply.
    reverse_futility: 68 in 30..=200;
    /// Reverse futility: discount on the margin if the side is improving.
    reverse_futility_improving: 19 in 0..=200;
    /// Reverse futility: discount on the margin if the opponent's last move was worse than its
    /// static evaluation.
    reverse_futility_worsening: 0 in 0..=150;
    /// Reverse futility: 1 if nodes with a quiet table move are cut off too.
    reverse_futility_quiet: 1 in 0..=1;
    /// Reverse futility: part of the size of the correction of the static evaluation by which the
    /// margin is wider, in percent.
    reverse_futility_correction: 0 in 0..=200;
    /// Reverse futility: largest depth.
    reverse_futility_depth: 11 in 3..=16;
    /// Two-ply futility: distance of the quiescence value from the window.
    two_ply_futility: 400 in 100..=1000;
    /// Null move: reduction besides its terms in depth and surplus.
    null_base: 4232 in 2048..=7168;
    /// Null move: reduction per ply of depth.
    null_slope: 340 in 150..=600;
    /// Null move: distance above the window that the evaluation must have.
    null_margin: 82 in -200..=200;
    /// Null move: further distance at nodes that are not expected to be cut off.
    null_all: 16 in 0..=400;
    /// Null move: surplus over the window for each further ply of reduction.
    null_surplus: 206 in 80..=500;
    /// Null move: smallest depth at which its success is verified.
    null_verified: 14 in 6..=30;
    /// ProbCut: smallest depth.
    probcut_depth: 4 in 3..=10;
    /// ProbCut: distance above the window that a capture must reach.
    probcut_margin: 169 in 80..=450;
    /// ProbCut: discount on this distance if the side is improving.
    probcut_improving: 82 in 0..=200;
    /// ProbCut: distance above the window of an entry of the transposition table.
    probcut_table: 450 in 150..=800;
    /// Correction history: weight in percent.
    correction_weight: 105 in 0..=250;
    /// Correction history: weight of the opponent's last move with the side's move four plies
    /// before, in percent of the weight of the last pair of moves.
    correction_fourth: 0 in 0..=200;
    /// Internal iterative deepening and reduction: smallest depth.
    iterative_depth: 5 in 3..=10;
    /// Hindsight reduction: evaluation that the previous move must have lost.
    hindsight_margin: 241 in 50..=500;
    /// Principal variation of the last iteration: 1 if its nodes are searched without reduction for
    /// a missing table move and without pruning of quiet moves.
    follow_line: 0 in 0..=1;
    /// Late move pruning: number of moves searched at every depth before quiet moves are pruned.
    late_base: 8 in 1..=10;
    /// Late move pruning: number of further moves per squared ply of depth, in 64ths.
    late_slope: 117 in 16..=256;
    /// Futility: margin of quiet moves besides its term in depth.
    futility_base: 79 in 20..=300;
    /// Futility: margin of quiet moves per ply.
    futility_slope: 75 in 40..=250;
    /// Futility: largest depth of quiet moves.
    futility_depth: 10 in 3..=16;
    /// Futility of captures: margin besides its term in depth.
    capture_futility_base: 350 in 80..=500;
    /// Futility of captures: margin per ply.
    capture_futility_slope: 216 in 80..=500;
    /// Futility of captures: largest depth.
    capture_futility_depth: 6 in 3..=12;
    /// Exchange pruning: loss that a quiet move may have per squared ply of depth.
    exchange_quiet: 47 in 8..=90;
    /// Exchange pruning: loss that a capture or check may have per ply.
    exchange_capture: 224 in 50..=320;
    /// History pruning: negative continuation history per ply below which a quiet move is pruned.
    history_pruning: 3166 in 1000..=9000;
    /// Pruning of quiet moves: continuation history that counts as a ply of depth.
    history_ply: 2815 in 1500..=9000;
    /// Pruning of quiet moves: continuation history of a move about which nothing is known.
    history_offset: -1921 in -3000..=3000;
    /// Late move reduction: weight of the product of the logarithms of depth and move number.
    reduction_slope: 385 in 250..=900;
    /// Late move reduction: constant part.
    reduction_base: 1080 in 0..=1600;
    /// Late move reduction: increase if the side is not improving.
    reduction_not_improving: 166 in 0..=1200;
    /// Late move reduction: increase of the weight of the product if the side is not improving, in
    /// percent.
    reduction_not_improving_slope: 0 in 0..=100;
    /// Late move reduction: increase at expected cut nodes.
    reduction_cut: 1768 in 400..=3600;
    /// Late move reduction: further increase at expected cut nodes without a table move.
    reduction_cut_no_move: 0 in 0..=2000;
    /// Late move reduction: increase at nodes where no move is expected to raise alpha, in percent
    /// of the reduction over the depth plus one.
    reduction_all: 0 in 0..=200;
    /// Late move reduction: decrease at nodes that are or were on a principal variation.
    reduction_pv: 1398 in 200..=2600;
    /// Late move reduction: further decrease on the principal variation.
    reduction_pv_node: 455 in -500..=2000;
    /// Late move reduction: further decrease near a principal variation if the table's value is
    /// above alpha.
    reduction_pv_value: 0 in -500..=2000;
    /// Late move reduction: further decrease near a principal variation if the table's search was
    /// as deep as the node.
    reduction_pv_depth: 0 in -500..=2000;
    /// Late move reduction: increase of that decrease at expected cut nodes.
    reduction_pv_depth_cut: 0 in -500..=2000;
    /// Late move reduction: decrease at the root.
    reduction_root: 1168 in 0..=2600;
    /// Late move reduction: increase once a move has raised alpha.
    reduction_raised: 171 in -500..=2500;
    /// Late move reduction: increase per move before.
    reduction_index: -13 in -40..=60;
    /// Late move reduction: increase if the table's move is a capture.
    reduction_table_capture: 559 in 0..=2000;
    /// Late move reduction: increase if the next ply had several cutoffs.
    reduction_cutoffs: 382 in 0..=2000;
    /// Late move reduction: decrease for a check.
    reduction_check: 1010 in 0..=2400;
    /// Late move reduction: decrease for a killer or counter move.
    reduction_killer: 558 in 0..=2400;
    /// Late move reduction: decrease per centipawn of the correction of the static evaluation.
    reduction_correction: 0 in 0..=32;
    /// Late move reduction: history that counts as a ply.
    reduction_history: 8389 in 3000..=20000;
    /// After a reduced search: distance above the best value that adds a ply.
    deeper_margin: 20 in 10..=150;
    /// After a reduced search: distance above the best value below which a ply is saved.
    shallower_margin: 16 in 0..=60;
    /// Singular extension: smallest depth.
    singular_depth: 5 in 4..=12;
    /// Singular extension: margin below the table's value, in 64ths of a centipawn per ply.
    singular_margin: 137 in 30..=300;
    /// Singular extension: distance of the alternatives below the margin for two plies; below 0
    /// every singular move gets them.
    singular_double: 34 in -250..=120;
    /// Singular extension: increase of this distance on the principal variation.
    singular_double_pv: 266 in 0..=500;
    /// Singular extension: further distance for three plies.
    singular_triple: 185 in 0..=400;
    /// Singular extension: increase of the distance for three plies on the principal variation.
    singular_triple_pv: 300 in 0..=600;
    /// Singular extension: increase of the distance for two plies for a capture or promotion.
    singular_tactical: 0 in 0..=400;
    /// Singular extension: part of the size of the correction of the static evaluation by which the
    /// distance for two plies is shorter, in percent.
    singular_correction: 0 in 0..=200;
    /// Singular extension: smallest extension for which the other moves of the node are searched a
    /// ply deeper too; 4 for none.
    singular_node: 4 in 1..=4;
    /// Pseudo search extension: largest depth of a node whose best move is tested.
    delay_depth: 6 in 3..=12;
    /// Pseudo search extension: gain of the line without the delaying moves.
    delay_margin: 100 in 0..=300;
    /// Pseudo search extension: penalty of a delaying move.
    delay_penalty: 200 in 20..=1000;
    /// Delta pruning: distance below the window that a capture may keep.
    delta_margin: 177 in 60..=400;
    /// Quiescence: number of captures searched before only recaptures are.
    quiescence_captures: 1 in 0..=10;
    /// Quiescence: number of evasions searched before quiet ones are skipped, once one holds.
    quiescence_evasions: 2 in 1..=10;
    /// Butterfly history: bonus per centipawn by which a quiet move raised the static evaluation.
    difference_weight: 13 in 0..=30;
    /// Butterfly history: part that is kept from one search of a game to the next, in percent.
    history_kept: 27 in 0..=100;
    /// Histories: bonus of the best move per ply of depth.
    bonus_slope: 266 in 50..=320;
    /// Histories: largest bonus.
    bonus_max: 1353 in 700..=3200;
    /// Histories: malus of the other searched moves per ply of depth.
    malus_slope: 163 in 60..=600;
    /// Histories: largest malus.
    malus_max: 984 in 700..=3200;
    /// Move ordering: negative history score below which quiet moves come after losing captures.
    bad_quiet: 8350 in 1000..=20000;
    /// Move ordering: bonus of quiet moves that give check without losing material.
    check_order: 13623 in 0..=20000;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_has_its_name_and_range() {
        for parameter in Parameters::ALL {
            let Parameter { name, default, min, max } = *parameter;
            assert!(min <= default && default <= max && min < max, "{name}");
            let mut parameters = Parameters::default();
            assert_eq!(parameters.get(name), Some(default));
            for (requested, expected) in [(min - 1, min), (max + 1, max), (default, default)] {
                assert!(parameters.set(name, requested));
                assert_eq!(parameters.get(name), Some(expected), "{name}");
            }
            assert_eq!(parameters, Parameters::default(), "{name} changes nothing else");
        }
        assert_eq!(Parameters::default().get("none"), None);
    }
}
