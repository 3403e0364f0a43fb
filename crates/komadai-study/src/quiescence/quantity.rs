//! The numbers of the paper's claims: their names, and their values in a run and in the paper.

use komadai::search::QuiescenceClasses;

use crate::claim::{Bound, Test};
use crate::figure::Figure;
use crate::quiescence::paper::{self, BAND_TABLE};
use crate::quiescence::results::{Band, Cell, Sample, Sums};
use crate::statistics::pearson;
use crate::words::Words;

/// The two measures of a method.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Measure {
    Variance,
    Nodes,
}

impl Measure {
    fn of(self, cell: &Cell) -> f64 {
        match self {
            Self::Variance => cell.variance(),
            Self::Nodes => cell.nodes(),
        }
    }

    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Variance => ("variance", "分散"),
            Self::Nodes => ("nodes", "ノード数"),
        }
    }
}

/// A number that a claim is about.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Quantity {
    /// A measure of a method to that of another one.
    Ratio(Measure, &'static str, &'static str),
    /// The variance of a method to that of the static evaluation in a part of the games.
    InBand(&'static str, Band),
    /// The variance of a method to that of the static evaluation, in a part of the games to that in
    /// others.
    Shift(&'static str, Band, &'static [Band]),
    /// The variance of a method in the opening to that in the rest.
    OpeningToRest(&'static str),
    /// The correlation of the logarithm of the nodes with the variance, over methods.
    Straightness(&'static str, &'static str, &'static [&'static str]),
    /// The share of a class among the best moves, in the endgame to that in the opening.
    BestShare(&'static str, QuiescenceClasses),
}

/// The name of a part of the games.
pub(crate) fn band_words(bands: &[Band]) -> (&'static str, &'static str) {
    match bands {
        [Band::Opening] => ("opening", "序盤"),
        [Band::Middle] => ("middle game", "中盤"),
        [Band::End] => ("endgame", "終盤"),
        _ => ("rest", "序盤以外"),
    }
}

impl Quantity {
    /// Returns the name, in English also the key of the findings.
    pub(crate) fn words(self) -> Words {
        let (english, japanese) = match self {
            Self::Ratio(measure, name, base) => {
                let (english, japanese) = measure.words();
                (format!("{english} {name} : {base}"), format!("{japanese} {name} : {base}"))
            }
            Self::InBand(name, band) => {
                let (english, japanese) = band_words(&[band]);
                (
                    format!("variance {name} : Eval, {english}"),
                    format!("分散 {name} : Eval、{japanese}"),
                )
            }
            Self::Shift(name, first, second) => {
                let (first, first_ja) = band_words(&[first]);
                let (second, second_ja) = band_words(second);
                (
                    format!("variance {name} : Eval, {first} : {second}"),
                    format!("分散 {name} : Eval、{first_ja} : {second_ja}"),
                )
            }
            Self::OpeningToRest(name) => (
                format!("variance {name}, opening : rest"),
                format!("分散 {name}、序盤 : 序盤以外"),
            ),
            Self::Straightness(what, what_ja, _) => (
                format!("correlation of ln nodes and variance, {what}"),
                format!("ノード数の対数と分散の相関、{what_ja}"),
            ),
            Self::BestShare(name, _) => (
                format!("share of {name} among the best moves, endgame : opening"),
                format!("最善手に占める {name} の割合、終盤 : 序盤"),
            ),
        };
        Words::new(english, japanese)
    }

    pub(crate) fn key(self) -> String {
        self.words().in_language(komadai::core::Language::English).to_owned()
    }

    /// Returns the number in a run; `None` if it has not all methods.
    pub(crate) fn of(self, sample: &Sample<'_>, depth: u32) -> Option<Figure> {
        let cell = |sums: &Sums, name: &str, bands: &[Band]| {
            sample.results.method(sums, name, depth, bands)
        };
        let relative = |sums: &Sums, name: &str, bands: &[Band]| {
            Some(cell(sums, name, bands)?.variance() / cell(sums, "Eval", bands)?.variance())
        };
        sample.interval(|sums| match self {
            Self::Ratio(measure, name, base) => {
                let of = |name| Some(measure.of(&cell(sums, name, &Band::ALL)?));
                Some(of(name)? / of(base)?)
            }
            Self::InBand(name, band) => relative(sums, name, &[band]),
            Self::Shift(name, first, second) => {
                Some(relative(sums, name, &[first])? / relative(sums, name, second)?)
            }
            Self::OpeningToRest(name) => {
                let variance = |bands: &[Band]| Some(cell(sums, name, bands)?.variance());
                Some(variance(&[Band::Opening])? / variance(&Band::REST)?)
            }
            Self::Straightness(_, _, names) => {
                let point = |name: &&str| {
                    let cell = cell(sums, name, &Band::ALL)?;
                    Some((cell.nodes().ln(), cell.variance()))
                };
                Some(pearson(&names.iter().map(point).collect::<Option<Vec<_>>>()?))
            }
            Self::BestShare(_, class) => {
                Some(sums.best(10..16).share(class) / sums.best(0..5).share(class))
            }
        })
    }

    /// Returns the number by the paper's tables, where they have it.
    fn theirs(self) -> Option<f64> {
        let row = |name: &str| Some(BAND_TABLE.into_iter().find(|(known, _)| *known == name)?.1);
        match self {
            Self::Ratio(measure, name, base) => {
                let (row, base) = (paper::find(name)?, paper::find(base)?);
                Some(match measure {
                    Measure::Variance => row.variance / base.variance,
                    Measure::Nodes => row.nodes() / base.nodes(),
                })
            }
            Self::Shift(name, Band::Opening, second) if second == Band::REST => {
                let (row, eval) = (row(name)?, row("Eval")?);
                Some(row[1] / eval[1] / (row[2] / eval[2]))
            }
            Self::OpeningToRest(name) => {
                let [_, opening, rest] = row(name)?;
                Some(opening / rest)
            }
            Self::Straightness(_, _, names) => {
                let point =
                    |name: &&str| paper::find(name).map(|row| (row.nodes().ln(), row.variance));
                Some(pearson(&names.iter().map(point).collect::<Option<Vec<_>>>()?))
            }
            Self::InBand(..) | Self::Shift(..) | Self::BestShare(..) => None,
        }
    }

    pub(crate) fn test(self, bound: Bound) -> Test {
        Test::new(self.key(), self.words(), bound).theirs(self.theirs())
    }
}

/// Returns a ratio of variances.
pub(crate) fn variance(name: &'static str, base: &'static str) -> Quantity {
    Quantity::Ratio(Measure::Variance, name, base)
}

/// Returns a ratio of nodes.
pub(crate) fn nodes(name: &'static str, base: &'static str) -> Quantity {
    Quantity::Ratio(Measure::Nodes, name, base)
}
