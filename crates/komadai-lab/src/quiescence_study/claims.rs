//! The claims of the paper's text, tested on this run.

use std::fmt;

use komadai::search::QuiescenceClasses;

use crate::quiescence_study::paper::{self, BAND_TABLE};
use crate::quiescence_study::results::{Band, Cell, Interval, Sample, Sums};

/// The side of a bound on which a number must be.
#[derive(Debug, Clone, Copy)]
enum Side {
    Below(f64),
    Above(f64),
}

/// A number that a claim is about.
#[derive(Debug)]
struct Condition {
    what: String,
    /// The number by the paper's tables, where they have it.
    theirs: Option<f64>,
    ours: Interval,
    side: Side,
}

/// The result of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The intervals of all numbers are on the side of the claim.
    Confirmed,
    /// An interval contains the bound, and none is on the other side.
    Undecided,
    /// An interval is on the other side.
    Contradicted,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Confirmed => "confirmed",
            Self::Undecided => "not (undecided)",
            Self::Contradicted => "not (contradicted)",
        })
    }
}

/// A sentence with the numbers that decide it.
#[derive(Debug)]
pub(crate) struct Claim {
    pub(crate) text: &'static str,
    conditions: Vec<Condition>,
}

impl Claim {
    pub(crate) fn verdict(&self) -> Verdict {
        let verdicts = self.conditions.iter().map(Condition::verdict);
        verdicts.fold(Verdict::Confirmed, |all, one| match (all, one) {
            (Verdict::Contradicted, _) | (_, Verdict::Contradicted) => Verdict::Contradicted,
            (Verdict::Undecided, _) | (_, Verdict::Undecided) => Verdict::Undecided,
            _ => Verdict::Confirmed,
        })
    }

    /// Returns the numbers: ours with its interval, and the paper's.
    pub(crate) fn numbers(&self) -> String {
        let texts: Vec<_> = self.conditions.iter().map(ToString::to_string).collect();
        texts.join("; ")
    }
}

impl Condition {
    fn verdict(&self) -> Verdict {
        let Interval { low, high, .. } = self.ours;
        let (is_right, is_wrong) = match self.side {
            Side::Below(bound) => (high < bound, low > bound),
            Side::Above(bound) => (low > bound, high < bound),
        };
        match (is_right, is_wrong) {
            (true, _) => Verdict::Confirmed,
            (_, true) => Verdict::Contradicted,
            _ => Verdict::Undecided,
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Interval { value, low, high } = self.ours;
        let (sign, bound) = match self.side {
            Side::Below(bound) => ('<', bound),
            Side::Above(bound) => ('>', bound),
        };
        write!(f, "{} {value:.2} [{low:.2}, {high:.2}] {sign} {bound}", self.what)?;
        match self.theirs {
            Some(theirs) => write!(f, " (paper {theirs:.2})"),
            None => Ok(()),
        }
    }
}

/// The two measures of a method.
#[derive(Debug, Clone, Copy)]
enum Measure {
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
}

/// The sample and the depth of the claims.
struct Tester<'a> {
    sample: &'a Sample<'a>,
    depth: u32,
}

/// A claim whose numbers may be missing, because the study has not all methods.
type Conditions = Option<Vec<Condition>>;

impl Tester<'_> {
    fn cell(&self, sums: &Sums, name: &str, bands: &[Band]) -> Option<Cell> {
        self.sample.results.method(sums, name, self.depth, bands)
    }

    fn ratio(&self, measure: Measure, name: &str, base: &str, side: Side) -> Option<Condition> {
        let ours = self.sample.interval(|sums| {
            let of = |name| Some(measure.of(&self.cell(sums, name, &Band::ALL)?));
            Some(of(name)? / of(base)?)
        })?;
        let theirs = match (paper::find(name), paper::find(base)) {
            (Some(row), Some(base)) => Some(match measure {
                Measure::Variance => row.variance / base.variance,
                Measure::Nodes => row.nodes() / base.nodes(),
            }),
            _ => None,
        };
        let measure = match measure {
            Measure::Variance => "variance",
            Measure::Nodes => "nodes",
        };
        Some(Condition { what: format!("{measure} {name} : {base}"), theirs, ours, side })
    }

    fn variance(&self, name: &str, base: &str, side: Side) -> Option<Condition> {
        self.ratio(Measure::Variance, name, base, side)
    }

    fn nodes(&self, name: &str, base: &str, side: Side) -> Option<Condition> {
        self.ratio(Measure::Nodes, name, base, side)
    }

    /// Returns the variance of a method to that of the static evaluation in a part of the games.
    fn in_band(&self, name: &str, band: Band, side: Side) -> Option<Condition> {
        let ours = self.sample.interval(|sums| {
            let variance = |name| Some(self.cell(sums, name, &[band])?.variance());
            Some(variance(name)? / variance("Eval")?)
        })?;
        let what = format!("variance {name} : Eval, {band:?}");
        Some(Condition { what, theirs: None, ours, side })
    }

    /// Returns the variance of a method to that of the static evaluation, in `first` to that in
    /// `second`.
    fn shift(&self, name: &str, first: Band, second: &[Band], side: Side) -> Option<Condition> {
        let ours = self.sample.interval(|sums| {
            let relative = |bands: &[Band]| {
                let variance = |name| Some(self.cell(sums, name, bands)?.variance());
                Some(variance(name)? / variance("Eval")?)
            };
            Some(relative(&[first])? / relative(second)?)
        })?;
        let row = |name: &str| BAND_TABLE.into_iter().find(|(known, _)| *known == name);
        let theirs = match (row(name), row("Eval"), second == Band::REST) {
            (Some((_, row)), Some((_, eval)), true) => Some(row[1] / eval[1] / (row[2] / eval[2])),
            _ => None,
        };
        let what = format!("variance {name} : Eval, {first:?} : {}", bands_name(second));
        Some(Condition { what, theirs, ours, side })
    }

    fn opening_to_rest(&self, name: &str) -> Option<Condition> {
        let ours = self.sample.interval(|sums| {
            let variance = |bands: &[Band]| Some(self.cell(sums, name, bands)?.variance());
            Some(variance(&[Band::Opening])? / variance(&Band::REST)?)
        })?;
        let row = BAND_TABLE.into_iter().find(|(known, _)| *known == name);
        let theirs = row.map(|(_, [_, opening, rest])| opening / rest);
        let what = format!("{name} {:?} : rest", Band::Opening);
        Some(Condition { what, theirs, ours, side: Side::Above(1.0) })
    }

    /// Returns the correlation of the logarithm of the nodes with the variance, over methods.
    fn straightness(&self, what: &str, names: &[&str]) -> Option<Condition> {
        let ours = self.sample.interval(|sums| {
            let point = |name: &&str| {
                let cell = self.cell(sums, name, &Band::ALL)?;
                Some((cell.nodes().ln(), cell.variance()))
            };
            let points = names.iter().map(point).collect::<Option<Vec<_>>>()?;
            Some(crate::statistics::pearson(&points))
        })?;
        let what = format!("correlation of ln nodes and variance, {what}");
        let paper = |name: &&str| paper::find(name).map(|row| (row.nodes().ln(), row.variance));
        let theirs = names.iter().map(paper).collect::<Option<Vec<_>>>();
        let theirs = theirs.map(|points| crate::statistics::pearson(&points));
        Some(Condition { what, theirs, ours, side: Side::Below(-0.9) })
    }

    /// Returns the share of a class among the best moves, in the endgame to that in the opening.
    fn best_share(&self, class: QuiescenceClasses, side: Side) -> Option<Condition> {
        let ours = self
            .sample
            .interval(|sums| Some(sums.best(10..16).share(class) / sums.best(0..5).share(class)))?;
        let what = format!("share of {class} in the end : opening");
        Some(Condition { what, theirs: None, ours, side })
    }
}

fn bands_name(bands: &[Band]) -> String {
    if bands == Band::REST {
        return "rest".to_owned();
    }
    bands.iter().map(|band| format!("{band:?}")).collect::<Vec<_>>().join(" and ")
}

/// The bound for "the difference of the variances is small" between Check and Threatmate with SEE:
/// the paper's is 3 %.
const SMALL: f64 = 1.1;

/// Returns the claims of the paper that the methods of the study can decide, in its order.
pub(crate) fn of_the_paper(sample: &Sample<'_>, depth: u32) -> Vec<Claim> {
    use QuiescenceClasses as Class;
    use Side::{Above, Below};
    let t = Tester { sample, depth };
    let singles = ["King", "Escape", "Promote", "Check", "Threatmate"];
    let unions = ["SKEP", "SEE+Escape", "SEE+Check", "SEE+Threatmate"];
    let line = ["SEE", "SEE+Threatmate", "SEE+Check", "SEE+Escape", "SKEP"];
    let more = ["SEE", "Capture", "SEE+King", "SEE+Promote", "SEE+Escape", "SEE+Escape+Promote"];
    let claims: Vec<(&'static str, Conditions)> = vec![
        (
            "Threatmate alone searches fewer nodes than Check, but its variance is larger",
            both(
                t.nodes("Threatmate", "Check", Below(1.0)),
                t.variance("Threatmate", "Check", Above(1.0)),
            ),
        ),
        (
            "With SEE, Threatmate searches about two thirds of the nodes of Check, and the difference \
             of the variances is small",
            both(
                t.nodes("SEE+Threatmate", "SEE+Check", Below(1.0)),
                t.variance("SEE+Threatmate", "SEE+Check", Below(SMALL)),
            ),
        ),
        (
            "SKEP, which reads most moves, has the smallest variance",
            ["SEE", "Capture", "SEE+Escape", "SEE+Check", "SEE+Threatmate"]
                .into_iter()
                .map(|other| t.variance("SKEP", other, Below(1.0)))
                .collect(),
        ),
        (
            "Captures are effective: Capture and SEE have smaller variances than every other class",
            singles.iter().map(|other| t.variance("SEE", other, Below(1.0))).collect(),
        ),
        (
            "Escape alone is not suited: many nodes, and a variance that is not small",
            both(t.nodes("Escape", "SEE", Above(1.0)), t.variance("Escape", "SEE", Above(1.0))),
        ),
        (
            "Together with SEE, Escape costs more and the variance becomes smaller",
            both(
                t.nodes("SEE+Escape", "SEE", Above(1.0)),
                t.variance("SEE+Escape", "SEE", Below(1.0)),
            ),
        ),
        (
            "Most variances are larger in the opening than in the rest",
            BAND_TABLE.iter().map(|(name, _)| t.opening_to_rest(name)).collect(),
        ),
        (
            "Promote is more effective in the rest than in the opening",
            t.shift("Promote", Band::Opening, &Band::REST, Above(1.0)).map(|one| vec![one]),
        ),
        (
            "King is more effective in the opening than later",
            t.shift("King", Band::Opening, &Band::REST, Below(1.0)).map(|one| vec![one]),
        ),
        (
            "Each class added to SEE adds nodes and takes variance away",
            unions
                .iter()
                .flat_map(|union| {
                    [t.nodes(union, "SEE", Above(1.0)), t.variance(union, "SEE", Below(1.0))]
                })
                .collect(),
        ),
        (
            "SEE and Capture with further classes lie on a nearly straight line of log nodes and \
             variance",
            both(t.straightness("rows of the tables", &line), t.straightness("more unions", &more)),
        ),
        (
            "Promote gets better as the game goes on",
            both(
                t.shift("Promote", Band::Opening, &[Band::Middle], Above(1.0)),
                t.shift("Promote", Band::Middle, &[Band::End], Above(1.0)),
            ),
        ),
        (
            "Promote is effective in the middle game and in the endgame",
            both(
                t.in_band("Promote", Band::Middle, Below(1.0)),
                t.in_band("Promote", Band::End, Below(1.0)),
            ),
        ),
        (
            "Towards the end Escape becomes rarer among the best moves, Check and Promote more frequent",
            [
                t.best_share(Class::ESCAPE, Below(1.0)),
                t.best_share(Class::CHECK, Above(1.0)),
                t.best_share(Class::PROMOTE, Above(1.0)),
            ]
            .into_iter()
            .collect(),
        ),
    ];
    collect(claims)
}

/// Returns our own claims, about the programs that the paper names and the method for playing.
pub(crate) fn of_programs(sample: &Sample<'_>, depth: u32) -> Vec<Claim> {
    use Side::Below;
    let t = Tester { sample, depth };
    collect(vec![
        (
            "Bonanza's moves are better than SKEP at fewer nodes",
            both(t.variance("Bonanza", "SKEP", Below(1.0)), t.nodes("Bonanza", "SKEP", Below(1.0))),
        ),
        (
            "The method of this workspace for playing (Standard) is better than SKEP at fewer nodes",
            both(
                t.variance("Standard", "SKEP", Below(1.0)),
                t.nodes("Standard", "SKEP", Below(1.0)),
            ),
        ),
        (
            "Captures that lose nothing (Safe) are better than those that win (SEE)",
            t.variance("Safe", "SEE", Below(1.0)).map(|one| vec![one]),
        ),
        (
            "Threats against own pieces (Kfend) make SEE better",
            t.variance("Kfend", "SEE", Below(1.0)).map(|one| vec![one]),
        ),
        (
            "Two plies of captures and the best exchange (Yss) are better than SEE",
            t.variance("Yss", "SEE", Below(1.0)).map(|one| vec![one]),
        ),
        (
            "The most valuable piece to capture (Tacos) makes the static evaluation better",
            t.variance("Tacos", "Eval", Below(1.0)).map(|one| vec![one]),
        ),
        (
            "ProbCut saves nodes of SKEP, and the difference of the variances is small",
            both(
                t.nodes("SKEP+ProbCut", "SKEP", Below(1.0)),
                t.variance("SKEP+ProbCut", "SKEP", Below(1.1)),
            ),
        ),
    ])
}

fn both(first: Option<Condition>, second: Option<Condition>) -> Conditions {
    Some(vec![first?, second?])
}

fn collect(claims: Vec<(&'static str, Conditions)>) -> Vec<Claim> {
    let claim = |(text, conditions): (_, Conditions)| Some(Claim { text, conditions: conditions? });
    claims.into_iter().filter_map(claim).collect()
}
