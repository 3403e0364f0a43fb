//! The tunable numbers of the search.
//!
//! Most of them began as those of YaneuraOu 9.70 on the scale of this search, those of short
//! searches (`early_…`) as numbers tuned by `komadai-lab tune-search spsa`. `tune-search compare`
//! then decided by games which ones are needed, and some of the values (docs/techniques.md).

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
    /// Half the width of the first aspiration window of a value near 0, in short searches.
    early_aspiration: 40 in 1..=150;
    /// Half the width of the first aspiration window of a value near 0.
    aspiration: 4 in 1..=60;
    /// Part of the mean change of the value by which the first window is wider, in percent.
    aspiration_unrest: 80 in 0..=200;
    /// Transposition table: largest depth at which entries cut off only nodes that are expected to
    /// end on that side of the window.
    table_agreement_depth: 5 in 0..=10;
    /// Razoring: margin below the window besides its term in depth.
    razor_base: 353 in 100..=900;
    /// Razoring: margin per squared ply of depth.
    razor_square: 215 in 50..=500;
    /// Reverse futility: margin per ply.
    reverse_futility: 53 in 20..=200;
    /// Reverse futility: discount on the margin per ply if the transposition table has no entry.
    reverse_futility_new: 15 in 0..=60;
    /// Reverse futility: discount if the side is improving.
    reverse_futility_improving: 120 in 0..=400;
    /// Reverse futility: part of the size of the correction of the static evaluation by which the
    /// margin is wider, in percent.
    reverse_futility_correction: 73 in 0..=200;
    /// Reverse futility: largest depth.
    reverse_futility_depth: 14 in 3..=20;
    /// Two-ply futility: distance of the quiescence value from the window.
    two_ply_futility: 400 in 100..=1000;
    /// Null move: reduction besides its term in depth.
    null_base: 7168 in 2048..=9216;
    /// Null move: reduction per ply of depth.
    null_slope: 342 in 150..=600;
    /// Null move: distance above the window that the static evaluation must have.
    null_margin: 170 in -200..=600;
    /// Null move: smallest depth at which its success is verified.
    null_verified: 16 in 6..=30;
    /// ProbCut of captures: smallest depth.
    capture_probcut_depth: 3 in 3..=10;
    /// ProbCut of captures: distance above the window that a capture must reach.
    capture_probcut_margin: 157 in 60..=450;
    /// ProbCut of captures: discount on this distance if the side is improving.
    capture_probcut_improving: 43 in 0..=200;
    /// ProbCut by the table: distance above the window of an entry.
    table_probcut_margin: 292 in 100..=800;
    /// ProbCut by regression: number of standard deviations by which the predicted value has to be
    /// outside the window, in hundredths.
    regression_probcut_confidence: 150 in 25..=400;
    /// Correction history: weight in percent.
    correction_weight: 105 in 0..=250;
    /// Internal iterative deepening and reduction: smallest depth.
    iterative_depth: 6 in 3..=10;
    /// Hindsight reduction: evaluation that the previous move must have lost.
    hindsight_margin: 122 in 20..=500;
    /// Late move pruning: number of moves searched at every depth before quiet moves are pruned,
    /// in short searches.
    early_late_base: 8 in 1..=20;
    /// Late move pruning: number of moves searched at every depth before quiet moves are pruned.
    late_base: 3 in 1..=10;
    /// Late move pruning: number of further moves per squared ply of depth, in 64ths, in short
    /// searches.
    early_late_slope: 110 in 16..=256;
    /// Late move pruning: number of further moves per squared ply of depth, in 64ths.
    late_slope: 64 in 16..=256;
    /// Futility: margin of quiet moves besides its other terms.
    futility_base: 30 in 0..=300;
    /// Futility: further margin before a move has raised alpha.
    futility_first: 106 in 0..=300;
    /// Futility: margin of quiet moves per ply.
    futility_slope: 84 in 40..=250;
    /// Futility: further margin if the static evaluation is above alpha.
    futility_above: 60 in 0..=200;
    /// Futility: largest depth of quiet moves.
    futility_depth: 12 in 3..=16;
    /// Futility of captures: margin besides its other terms, in short searches.
    early_capture_futility_base: 250 in 20..=500;
    /// Futility of captures: margin besides its other terms.
    capture_futility_base: 92 in 20..=500;
    /// Futility of captures: margin per ply, in short searches.
    early_capture_futility_slope: 220 in 60..=500;
    /// Futility of captures: margin per ply.
    capture_futility_slope: 157 in 60..=500;
    /// Futility of captures: largest depth.
    capture_futility_depth: 6 in 3..=12;
    /// Futility: part of the exchange value of a captured piece that counts, in percent.
    ///
    /// A capture may be taken back, and a network values pieces by what they do.
    capture_gain: 40 in 10..=100;
    /// Exchange pruning: loss that a quiet move may have per squared ply of depth, in short
    /// searches.
    early_exchange_quiet: 40 in 8..=150;
    /// Exchange pruning: loss that a quiet move may have per squared ply of depth.
    exchange_quiet: 56 in 8..=150;
    /// Exchange pruning: loss that a capture or check may have per ply.
    exchange_capture: 371 in 50..=600;
    /// History pruning: negative history per ply below which a quiet move is pruned, in short
    /// searches.
    early_history_pruning: 6000 in 1000..=9000;
    /// History pruning: negative history per ply below which a quiet move is pruned.
    history_pruning: 4097 in 1000..=9000;
    /// Pruning of quiet moves: history that counts as a ply of depth.
    history_ply: 3220 in 1500..=9000;
    /// Late move reduction: weight of the product of the logarithms of depth and move number.
    reduction_slope: 448 in 250..=900;
    /// Late move reduction: constant part that pruning counts with too.
    reduction_base: 1133 in 0..=2400;
    /// Late move reduction: further constant part.
    reduction_offset: 800 in -1000..=2400;
    /// Late move reduction: increase of the weight of the product if the side is not improving, in
    /// percent.
    reduction_not_improving: 40 in 0..=100;
    /// Late move reduction: increase at expected cut nodes.
    reduction_cut: 3300 in 400..=6000;
    /// Late move reduction: decrease at nodes that are or were on a principal variation.
    reduction_pv: 1806 in 200..=4600;
    /// Late move reduction: further decrease on the principal variation.
    reduction_pv_node: 973 in -500..=3000;
    /// Late move reduction: further decrease near a principal variation if the table's value is
    /// above alpha.
    reduction_pv_value: 905 in -500..=3000;
    /// Late move reduction: further decrease near a principal variation if the table's search was
    /// as deep as the node.
    reduction_pv_depth: 935 in -500..=3000;
    /// Late move reduction: increase if the table's move is a capture.
    reduction_table_capture: 1054 in 0..=3000;
    /// Late move reduction: increase if the next ply had three cutoffs.
    reduction_cutoffs: 1400 in 0..=3000;
    /// Late move reduction: history that counts as a ply.
    reduction_history: 9800 in 3000..=20000;
    /// Late move reduction: decrease of the table's move.
    reduction_table_move: 2239 in 0..=5000;
    /// Late move reduction: further increase at expected cut nodes without a table move.
    reduction_no_move: 1057 in 0..=3000;
    /// Reduction by probability: smallest depth.
    probability_depth: 6 in 3..=16;
    /// Reduction by probability: increase per nat of −ln p, for a move of probability p.
    probability_slope: 256 in 0..=1024;
    /// Reduction by probability: decrease of every move.
    probability_offset: 1024 in 0..=6000;
    /// First move: reduction beyond which it is searched a ply less deep.
    first_reduced: 4628 in 1000..=9000;
    /// After a reduced search: distance above the best value that adds a ply.
    deeper_margin: 34 in 5..=150;
    /// After a reduced search above alpha: bonus of the move in the continuation history.
    research_bonus: 1426 in 0..=4000;
    /// Plies by which the moves after one that has raised alpha are searched less deep.
    raised_plies: 2 in 0..=3;
    /// Singular extension: smallest depth.
    singular_depth: 6 in 4..=12;
    /// Singular extension: margin below the table's value, in 64ths of a centipawn per ply, in
    /// short searches.
    early_singular_margin: 100 in 10..=300;
    /// Singular extension: margin below the table's value, in 64ths of a centipawn per ply.
    singular_margin: 49 in 10..=300;
    /// Singular extension: lead over the alternatives that a move does not need for two plies if it
    /// is quiet.
    singular_quiet: 150 in 0..=400;
    /// Singular extension: lead that it needs more on the principal variation.
    singular_pv: 170 in 0..=500;
    /// Singular extension: further lead for three plies, off the principal variation.
    singular_triple: 25 in 0..=400;
    /// Singular extension: part of the size of the correction of the static evaluation that counts
    /// as a lead, in percent.
    singular_correction: 62 in 0..=200;
    /// Singular extension by information: 1,024ths of a ply for each nat of −ln p, for a singular
    /// move of probability p.
    information_slope: 1024 in 0..=4096;
    /// Pseudo search extension: largest depth of a node whose best move is tested.
    delay_depth: 6 in 3..=12;
    /// Pseudo search extension: gain of the line without the delaying moves.
    delay_margin: 100 in 0..=300;
    /// Pseudo search extension: penalty of a delaying move.
    delay_penalty: 200 in 20..=1000;
    /// Quiescence: distance below the window that a capture may keep.
    delta_margin: 230 in 60..=400;
    /// Quiescence: loss that a capture may have.
    quiescence_exchange: 162 in 0..=400;
    /// Quiescence: number of captures searched before only recaptures and checks are.
    quiescence_captures: 2 in 0..=10;
    /// Quiescence: number of evasions searched before quiet ones are skipped, once one holds, in
    /// short searches.
    early_quiescence_evasions: 2 in 1..=10;
    /// Quiescence: number of evasions searched before quiet ones are skipped, once one holds.
    quiescence_evasions: 1 in 1..=10;
    /// Histories: bonus per centipawn by which a quiet move changes the static evaluation for the
    /// better, beyond the usual, in tenths.
    difference_weight: 140 in 0..=300;
    /// Histories: centipawns that a quiet move usually loses.
    difference_usual: 40 in -50..=150;
    /// Butterfly history: part that is kept from one search of a game to the next, in percent.
    history_kept: 27 in 0..=100;
    /// Histories: bonus of the best move per ply of depth, in short searches.
    early_bonus_slope: 270 in 50..=320;
    /// Histories: bonus of the best move per ply of depth.
    bonus_slope: 130 in 50..=320;
    /// Histories: largest bonus.
    bonus_max: 1529 in 700..=3200;
    /// Histories: increase of the bonus of a move that holds, in percent for each reason to be
    /// surprised.
    surprise: 100 in 0..=400;
    /// Histories: bonus of the table's move after a cutoff by the table, in percent of that after a
    /// search.
    table_share: 60 in 0..=200;
    /// Histories: malus of the other searched moves per ply of depth.
    malus_slope: 900 in 60..=1500;
    /// Histories: largest malus.
    malus_max: 2122 in 700..=3200;
    /// Move ordering: negative history score below which quiet moves come after losing captures.
    bad_quiet: 8909 in 1000..=20000;
    /// Move ordering: bonus of quiet moves that give check without losing much material.
    check_order: 16384 in 0..=20000;
    /// Move ordering: loss that such a check may have.
    check_exchange: 167 in 0..=400;
    /// Move ordering: score of a capture from which on it may lose by exchange and come before the
    /// quiet moves.
    capture_level: 226 in 0..=1000;
    /// Move ordering: part of the score beyond that level that such a capture may lose, in percent.
    capture_exchange: 39 in 0..=100;
    /// Mate solver after a prediction: smallest logarithm of the odds of a mate, in hundredths.
    mate_log_odds: -220 in -700..=700;
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
