//! The numbers of the search that can be tuned from outside.

/// One tunable number of the search: its name, its default and the range to try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// As in [`Parameters`].
    pub name: &'static str,
    /// The value it has in [`Parameters::default`].
    pub default: i32,
    /// The smallest value worth trying.
    pub min: i32,
    /// The largest value worth trying.
    pub max: i32,
}

/// Makes the struct, its default, and access by name.
macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident: $default:literal in $min:literal ..= $max:literal;)*) => {
        /// Margins and weights of the search.
        ///
        /// Margins are centipawns, depths plies, reductions 1,024ths of a ply. Every number can be
        /// read and set by name, so that a tuner need not know them.
        ///
        /// # Examples
        ///
        /// ```
        /// use komadai_search::Parameters;
        ///
        /// let mut parameters = Parameters::default();
        /// assert!(parameters.set("null_base", 5));
        /// assert_eq!(parameters.null_base, 5);
        /// assert!(!parameters.set("no_such_name", 5));
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct Parameters {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Default for Parameters {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        impl Parameters {
            /// All of them, in the order of the fields.
            pub const ALL: &[Parameter] = &[$(Parameter {
                name: stringify!($name), default: $default, min: $min, max: $max,
            },)*];

            /// The value of the parameter with this name.
            #[must_use]
            pub fn get(&self, name: &str) -> Option<i32> {
                match name {
                    $(stringify!($name) => Some(self.$name),)*
                    _ => None,
                }
            }

            /// Sets the parameter with this name, within its range; `false` if there is none.
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
    /// The half width of the first aspiration window.
    aspiration: 80 in 5..=150;
    /// Razoring: what a node with a depth of one must be behind to be given up to quiescence.
    razor_base: 400 in 100..=900;
    /// Razoring: how much more for the depth squared.
    razor_square: 145 in 50..=500;
    /// Reverse futility: the margin per ply.
    reverse_futility: 70 in 30..=200;
    /// Reverse futility: the margin's discount if the side is improving.
    reverse_futility_improving: 65 in 0..=200;
    /// Reverse futility: the deepest node.
    reverse_futility_depth: 10 in 3..=16;
    /// Null move: the reduction besides its terms in depth and surplus.
    null_base: 3 in 2..=7;
    /// Null move: plies for each further ply of reduction.
    null_depth: 3 in 2..=6;
    /// Null move: surplus over the window for each further ply of reduction.
    null_surplus: 205 in 80..=500;
    /// Null move: the depth from which its success is verified.
    null_verified: 14 in 6..=30;
    /// ProbCut: how far above the window a capture must lead.
    probcut_margin: 195 in 80..=450;
    /// ProbCut: the same for what the table already knows.
    probcut_table: 295 in 150..=800;
    /// Late moves: tried at any depth before quiet moves are left out.
    late_base: 7 in 1..=10;
    /// Futility: the margin of quiet moves at no depth.
    futility_base: 60 in 20..=300;
    /// Futility: its growth per ply.
    futility_slope: 100 in 40..=250;
    /// Futility of captures: the margin at no depth.
    capture_futility_base: 315 in 80..=500;
    /// Futility of captures: its growth per ply.
    capture_futility_slope: 265 in 80..=500;
    /// What a quiet move may lose by exchange, for the depth squared.
    exchange_quiet: 40 in 8..=90;
    /// What a capture or check may lose by exchange, per ply.
    exchange_capture: 165 in 50..=320;
    /// How bad a quiet move's history as an answer must be, per ply, to be left out.
    history_pruning: 3200 in 1000..=9000;
    /// How much history of a quiet move is worth a ply, before it is pruned.
    history_ply: 3000 in 1500..=9000;
    /// Late move reduction: the product of the logarithms' weight.
    reduction_slope: 385 in 250..=900;
    /// Late move reduction: its constant part.
    reduction_base: 660 in 0..=1600;
    /// Late move reduction: more if the side is not improving.
    reduction_not_improving: 160 in 0..=1200;
    /// Late move reduction: more at nodes expected to be cut off.
    reduction_cut: 1880 in 400..=3600;
    /// Late move reduction: less on the principal variation or where it has been.
    reduction_pv: 1040 in 200..=2600;
    /// Late move reduction: more if the table's move is a capture.
    reduction_table_capture: 920 in 0..=2000;
    /// Late move reduction: more if the next ply was cut off often.
    reduction_cutoffs: 460 in 0..=2000;
    /// Late move reduction: less for a check.
    reduction_check: 1120 in 0..=2400;
    /// Late move reduction: less for a killer or counter move.
    reduction_killer: 840 in 0..=2400;
    /// Late move reduction: history worth a ply.
    reduction_history: 9000 in 3000..=20000;
    /// After a reduced search: search deeper if it is this much above the best.
    deeper_margin: 35 in 10..=150;
    /// Singular extension: the margin below the table's value, in 64ths of a centipawn per ply.
    singular_margin: 110 in 30..=300;
    /// Singular extension: how far below the margin the others must be for two plies.
    singular_double: 25 in 0..=120;
    /// Pseudo search extension: the deepest node at which delays are looked for.
    delay_depth: 6 in 3..=12;
    /// Pseudo search extension: how much better a line must be without the delay.
    delay_margin: 100 in 0..=300;
    /// Pseudo search extension: what a delay costs.
    delay_penalty: 200 in 20..=1000;
    /// Quiescence: what a capture may be short of the window.
    delta_margin: 140 in 60..=400;
    /// The least difference of evaluations that teaches the order of moves, as a divisor.
    difference_weight: 10 in 0..=30;
    /// The bonus of a good move per ply.
    bonus_slope: 170 in 50..=320;
    /// The most a bonus can be.
    bonus_max: 1700 in 700..=3200;
    /// The blame of a move that was tried in vain, per ply.
    malus_slope: 70 in 60..=600;
    /// The most a blame can be.
    malus_max: 1500 in 700..=3200;
    /// Quiet moves below this history come after losing captures.
    bad_quiet: 10200 in 1000..=20000;
    /// The bonus in the order of quiet moves that give check without losing.
    check_order: 10900 in 0..=20000;
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
            for (asked, got) in [(min - 1, min), (max + 1, max), (default, default)] {
                assert!(parameters.set(name, asked));
                assert_eq!(parameters.get(name), Some(got), "{name}");
            }
            assert_eq!(parameters, Parameters::default(), "{name} changes nothing else");
        }
        assert_eq!(Parameters::default().get("none"), None);
    }
}
