//! A sentence of a source, the numbers that decide it, and the verdict.

use komadai::core::Language;
use komadai_base::text::grouped;

use crate::figure::{Figure, number_text};
use crate::findings::Findings;
use crate::words::{Words, words};

/// The side of a bound on which a number must be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Bound {
    Below(f64),
    Above(f64),
    AtMost(f64),
    Within(f64, f64),
}

impl Bound {
    /// Writes the bound, a long one with this number of decimals.
    fn text(self, decimals: usize) -> String {
        /// The longest number that is written in full.
        const LONGEST: usize = 6;
        let number = |number: f64| {
            let text = number.to_string();
            if text.len() > LONGEST { format!("{number:.decimals$}") } else { text }
        };
        match self {
            Self::Below(bound) => format!("< {}", number(bound)),
            Self::Above(bound) => format!("> {}", number(bound)),
            Self::AtMost(bound) => format!("≤ {}", number(bound)),
            Self::Within(low, high) => format!("∈ [{}, {}]", number(low), number(high)),
        }
    }

    fn verdict(self, figure: &Figure) -> Verdict {
        let Figure { low, high, .. } = *figure;
        let (is_right, is_wrong) = match self {
            Self::Below(bound) => (high < bound, low >= bound),
            Self::Above(bound) => (low > bound, high <= bound),
            Self::AtMost(bound) => (high <= bound, low > bound),
            Self::Within(least, most) => (low >= least && high <= most, high < least || low > most),
        };
        match (is_right, is_wrong) {
            (true, _) => Verdict::Confirmed,
            (_, true) => Verdict::NotConfirmed,
            _ => Verdict::Undecided,
        }
    }
}

/// The result of a claim, the weakest of its tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The intervals of all numbers are on the side of the claim.
    Confirmed,
    /// An interval contains the bound, and none is on the other side.
    Undecided,
    /// An interval is on the other side.
    NotConfirmed,
    /// Nothing was measured: the page names the command that decides.
    NotDecidedHere,
}

impl Verdict {
    pub(crate) const ALL: [Self; 4] =
        [Self::Confirmed, Self::NotConfirmed, Self::Undecided, Self::NotDecidedHere];

    pub(crate) fn words(self) -> Words {
        match self {
            Self::Confirmed => words("confirmed", "確認された"),
            Self::Undecided => words("undecided", "判定できない"),
            Self::NotConfirmed => words("not confirmed", "確認されなかった"),
            Self::NotDecidedHere => words("not decided here", "ここでは判定しない"),
        }
    }

    /// The name in JSON and in the classes of the style sheet.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Undecided => "undecided",
            Self::NotConfirmed => "not-confirmed",
            Self::NotDecidedHere => "not-decided-here",
        }
    }
}

/// A number that a claim is about.
#[derive(Debug, Clone)]
pub(crate) struct Test {
    /// The name of the number in the findings.
    pub(crate) key: String,
    pub(crate) measure: Words,
    pub(crate) bound: Bound,
    /// The number of the source, where it has one.
    pub(crate) theirs: Option<f64>,
    pub(crate) decimals: usize,
}

impl Test {
    pub(crate) fn new(key: impl Into<String>, measure: Words, bound: Bound) -> Self {
        Self { key: key.into(), measure, bound, theirs: None, decimals: 2 }
    }

    pub(crate) fn theirs(self, theirs: impl Into<Option<f64>>) -> Self {
        Self { theirs: theirs.into(), ..self }
    }

    pub(crate) fn decimals(self, decimals: usize) -> Self {
        Self { decimals, ..self }
    }
}

/// A sentence of a source.
#[derive(Debug, Clone)]
pub(crate) struct Claim {
    pub(crate) text: Words,
    /// The place in the source.
    pub(crate) place: Words,
    pub(crate) tests: Vec<Test>,
    /// The command that decides it, where the command of the page does not.
    pub(crate) elsewhere: Option<&'static str>,
    /// A limit of the comparison.
    pub(crate) remark: Option<Words>,
}

impl Claim {
    pub(crate) fn new(text: Words, place: Words, tests: impl Into<Vec<Test>>) -> Self {
        Self { text, place, tests: tests.into(), elsewhere: None, remark: None }
    }

    pub(crate) fn elsewhere(text: Words, place: Words, command: &'static str) -> Self {
        Self { elsewhere: Some(command), ..Self::new(text, place, []) }
    }

    pub(crate) fn or(self, command: &'static str) -> Self {
        Self { elsewhere: Some(command), ..self }
    }

    pub(crate) fn remark(self, remark: Words) -> Self {
        Self { remark: Some(remark), ..self }
    }

    /// Compares the claim with what was measured.
    pub(crate) fn judge(&self, findings: &Findings) -> Judged {
        let figures: Option<Vec<_>> =
            self.tests.iter().map(|test| findings.get(&test.key)).collect();
        let figures = figures.filter(|figures| !figures.is_empty());
        let verdict = figures.as_ref().map_or(Verdict::NotDecidedHere, |figures| {
            let tests = self.tests.iter().zip(figures);
            let verdicts = tests.map(|(test, figure)| test.bound.verdict(figure));
            verdicts.max().unwrap_or(Verdict::NotDecidedHere)
        });
        Judged { claim: self.clone(), figures: figures.unwrap_or_default(), verdict }
    }
}

/// A claim with its verdict and the numbers behind it.
#[derive(Debug, Clone)]
pub struct Judged {
    pub(crate) claim: Claim,
    /// One for each test; none if one is missing.
    pub(crate) figures: Vec<Figure>,
    pub(crate) verdict: Verdict,
}

impl Judged {
    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The sentence of the source.
    pub fn text(&self, language: Language) -> &str {
        self.claim.text.in_language(language)
    }

    pub(crate) fn tests(&self) -> impl Iterator<Item = (&Test, &Figure)> {
        self.claim.tests.iter().zip(&self.figures)
    }

    /// Returns a text for each number: the measure, the number with its interval, the bound, the
    /// size of the sample, and the number of the source.
    pub(crate) fn numbers(&self, language: Language) -> Vec<String> {
        let text = |(test, figure): (&Test, &Figure)| {
            let measure = test.measure.in_language(language);
            let (ours, bound) = (figure.text(test.decimals), test.bound.text(test.decimals));
            let theirs = test.theirs.map_or_else(String::new, |theirs| {
                let source = language.choose("source", "原典");
                format!("; {source} {}", number_text(theirs, test.decimals))
            });
            format!("{measure} {ours} {bound} (n = {}{theirs})", grouped(figure.count))
        };
        self.tests().map(text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(figures: &[(f64, f64, f64)], bound: Bound) -> Verdict {
        let mut findings = Findings::new("a", "b");
        for (index, &(low, value, high)) in figures.iter().enumerate() {
            findings.add(format!("{index}"), Figure { value, low, high, count: 9 });
        }
        let test = |index| Test::new(format!("{index}"), Words::same("x"), bound);
        let tests: Vec<_> = (0..figures.len().max(1)).map(test).collect();
        Claim::new(Words::same("c"), Words::same("p"), tests).judge(&findings).verdict
    }

    #[test]
    fn long_bounds_are_rounded() {
        assert_eq!(Bound::Above(82.0 / 3.0).text(1), "> 27.3");
        assert_eq!(Bound::Below(0.0001).text(2), "< 0.0001");
    }

    #[test]
    fn verdicts_are_those_of_the_intervals() {
        let below = Bound::Below(1.0);
        assert_eq!(judge(&[(0.5, 0.6, 0.9)], below), Verdict::Confirmed);
        assert_eq!(judge(&[(0.5, 0.9, 1.1)], below), Verdict::Undecided);
        assert_eq!(judge(&[(1.1, 1.2, 1.3)], below), Verdict::NotConfirmed);
        assert_eq!(judge(&[(0.5, 0.6, 0.9), (1.1, 1.2, 1.3)], below), Verdict::NotConfirmed);
        assert_eq!(judge(&[(0.5, 0.6, 0.9), (0.9, 1.0, 1.3)], below), Verdict::Undecided);
        assert_eq!(judge(&[(2.0, 2.0, 2.0)], Bound::Above(1.0)), Verdict::Confirmed);
        // A count that equals the bound is not beyond it.
        assert_eq!(judge(&[(1.0, 1.0, 1.0)], Bound::Above(1.0)), Verdict::NotConfirmed);
        assert_eq!(judge(&[(1.0, 1.0, 1.0)], Bound::AtMost(1.0)), Verdict::Confirmed);
        assert_eq!(judge(&[(1.5, 1.5, 1.5)], Bound::AtMost(1.0)), Verdict::NotConfirmed);
        let within = Bound::Within(0.4, 0.6);
        assert_eq!(judge(&[(0.45, 0.5, 0.55)], within), Verdict::Confirmed);
        assert_eq!(judge(&[(0.3, 0.5, 0.55)], within), Verdict::Undecided);
        assert_eq!(judge(&[(0.1, 0.2, 0.3)], within), Verdict::NotConfirmed);
        assert_eq!(judge(&[], below), Verdict::NotDecidedHere);
    }
}
