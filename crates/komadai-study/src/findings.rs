//! Everything that a study has measured, and its file.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use komadai_base::atomic_file;
use komadai_base::file::read_text;

use crate::figure::Figure;

/// The first word of a file.
const MAGIC: &str = "komadai-study";

/// The version of the form of the file.
const FORM: &str = "1";

/// The largest file in bytes. That of the longest study has a hundredth of it.
const MOST_BYTES: u64 = 4 << 20;

/// The measured numbers of a study by their names, and the command that measured them.
///
/// The file of findings has a line for each number, with tabs between its fields:
///
/// ```text
/// komadai-study<TAB>1<TAB>quiescence
/// command<TAB>komadai study quiescence
/// version<TAB>0.1.0
/// figure<TAB>variance SEE<TAB>50546<TAB>42487<TAB>60270<TAB>7649
/// ```
///
/// # Examples
///
/// ```
/// use komadai_study::{Figure, Findings};
///
/// let mut findings = Findings::new("quiescence", "komadai study quiescence");
/// findings.add("variance SEE", Figure { value: 5.0, low: 4.0, high: 6.0, count: 100 });
/// assert_eq!(Findings::parse(&findings.to_text())?, findings);
/// # Ok::<(), komadai_study::FindingsError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Findings {
    source: String,
    command: String,
    version: String,
    texts: BTreeMap<String, String>,
    figures: BTreeMap<String, Figure>,
}

/// A file of findings that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FindingsError {
    /// The file cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// The first line is not that of a file of findings.
    #[error("line 1: found {found:?}, expected komadai-study, the form 1 and the name of a study")]
    Head {
        /// The line.
        found: String,
    },
    /// A line is none of a file of findings.
    #[error("line {line}: found {found:?}, expected {expected}")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// The line or the field.
        found: String,
        /// The right form.
        expected: &'static str,
    },
    /// The findings are those of another study.
    #[error("found the findings of {found:?}, expected those of {expected:?}")]
    OtherStudy {
        /// The study of the file.
        found: String,
        /// The study that was asked for.
        expected: String,
    },
}

impl Findings {
    /// Returns findings without a number.
    pub fn new(source: &str, command: &str) -> Self {
        Self {
            source: source.to_owned(),
            command: command.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            texts: BTreeMap::new(),
            figures: BTreeMap::new(),
        }
    }

    /// The name of the study.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The command that measured the numbers.
    pub(crate) fn command(&self) -> &str {
        &self.command
    }

    /// The version of komadai that measured them.
    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// The numbers in the order of their names.
    pub fn figures(&self) -> impl Iterator<Item = (&str, Figure)> {
        self.figures.iter().map(|(name, figure)| (name.as_str(), *figure))
    }

    /// Returns a number.
    pub(crate) fn get(&self, name: &str) -> Option<Figure> {
        self.figures.get(name).copied()
    }

    /// Adds a number, or replaces it. One that is not finite is left out.
    pub fn add(&mut self, name: impl Into<String>, figure: Figure) {
        let Figure { value, low, high, .. } = figure;
        if [value, low, high].iter().all(|number| number.is_finite()) {
            self.figures.insert(name.into(), figure);
        }
    }

    /// True if the same command and version made both.
    pub(crate) fn is_of_same_run(&self, other: &Self) -> bool {
        self.command == other.command && self.version == other.version
    }

    /// Adds all numbers and texts of a part.
    pub(crate) fn extend(&mut self, part: Self) {
        self.texts.extend(part.texts);
        self.figures.extend(part.figures);
    }

    /// Adds a number if there is one.
    pub(crate) fn add_some(&mut self, name: impl Into<String>, figure: Option<Figure>) {
        if let Some(figure) = figure {
            self.add(name, figure);
        }
    }

    /// Returns a text, such as the name of a book.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.texts.get(name).map(String::as_str)
    }

    /// Adds a text. Tabs and line breaks become blanks.
    pub(crate) fn add_text(&mut self, name: &str, text: &str) {
        self.texts.insert(name.to_owned(), text.replace(['\t', '\n', '\r'], " "));
    }

    /// Returns the text of the file.
    pub fn to_text(&self) -> String {
        let head = [
            format!("{MAGIC}\t{FORM}\t{}\n", self.source),
            format!("command\t{}\n", self.command.replace(['\t', '\n', '\r'], " ")),
            format!("version\t{}\n", self.version),
        ];
        let texts = self.texts.iter().map(|(name, value)| format!("text\t{name}\t{value}\n"));
        let figures = self.figures.iter().map(|(name, figure)| {
            let Figure { value, low, high, count } = figure;
            format!("figure\t{name}\t{value}\t{low}\t{high}\t{count}\n")
        });
        head.into_iter().chain(texts).chain(figures).collect()
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    ///
    /// Returns the first line that is none of a file of findings.
    pub fn parse(text: &str) -> Result<Self, FindingsError> {
        let mut lines = text.lines().zip(1..);
        let (head, _) = lines.next().unwrap_or_default();
        let source = match head.split('\t').collect::<Vec<_>>()[..] {
            [MAGIC, FORM, source] => source,
            _ => return Err(FindingsError::Head { found: head.chars().take(80).collect() }),
        };
        let mut findings = Self { version: String::new(), ..Self::new(source, "") };
        for (line, number) in lines {
            let fault = |expected| FindingsError::Line {
                line: number,
                found: line.chars().take(120).collect(),
                expected,
            };
            match line.split('\t').collect::<Vec<_>>()[..] {
                ["command", command] => command.clone_into(&mut findings.command),
                ["version", version] => version.clone_into(&mut findings.version),
                ["text", name, value] => findings.add_text(name, value),
                ["figure", name, value, low, high, count] => {
                    let real = |text: &str| text.parse().ok().filter(|real: &f64| real.is_finite());
                    let numbers = (real(value), real(low), real(high), count.parse().ok());
                    let (Some(value), Some(low), Some(high), Some(count)) = numbers else {
                        return Err(fault("figure, name, value, low, high and count"));
                    };
                    if !(low <= value && value <= high) {
                        return Err(fault("an interval that contains the value"));
                    }
                    findings.add(name, Figure { value, low, high, count });
                }
                _ => return Err(fault("command, version, text or figure, and its fields")),
            }
        }
        Ok(findings)
    }

    /// Reads a file of findings of a study.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is damaged, or belongs to another study.
    pub fn read(path: &Path, source: &str) -> Result<Self, FindingsError> {
        let text = read_text(path, MOST_BYTES)
            .map_err(|error| FindingsError::Read { path: path.to_owned(), error })?;
        let findings = Self::parse(&text)?;
        if findings.source == source {
            Ok(findings)
        } else {
            let (found, expected) = (findings.source, source.to_owned());
            Err(FindingsError::OtherStudy { found, expected })
        }
    }

    /// Writes the file.
    ///
    /// # Errors
    ///
    /// Returns the error of the file system.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        atomic_file::write(path, self.to_text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_files_give_the_place_and_the_right_form() {
        let good = "komadai-study\t1\tfrontier\ncommand\tx\nversion\t0\nfigure\ta\t1\t0\t2\t3\n";
        let findings = Findings::parse(good).expect("findings");
        assert_eq!(findings.to_text(), good);
        for (from, to, expected) in [
            ("komadai-study", "other", "line 1: found \"other"),
            ("\t1\tfrontier", "\t2\tfrontier", "line 1: "),
            ("figure\ta\t1", "figure\ta\tx", "line 4: found \"figure\\ta\\tx"),
            ("\t1\t0\t2\t3", "\t1\t0\t2", "line 4: "),
            ("\t1\t0\t2\t3", "\t1\t0\tinf\t3", "line 4: "),
            ("\t1\t0\t2\t3", "\t3\t0\t2\t3", "expected an interval that contains the value"),
            ("version\t0", "versoin\t0", "line 3: found \"versoin\\t0\", expected command"),
        ] {
            let error = Findings::parse(&good.replacen(from, to, 1)).expect_err(to).to_string();
            assert!(error.contains(expected), "{to}: {error}");
        }
        assert!(Findings::parse("").expect_err("empty").to_string().starts_with("line 1: "));
    }

    #[test]
    fn findings_of_another_study_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.tsv");
        Findings::new("hybrid", "x").write(&path).expect("a file");
        let error = Findings::read(&path, "shiba").expect_err("another study").to_string();
        assert_eq!(error, "found the findings of \"hybrid\", expected those of \"shiba\"");
        let error = Findings::read(&folder.path().join("b"), "shiba").expect_err("no file");
        assert!(error.to_string().starts_with("cannot read "), "{error}");
    }

    #[test]
    fn what_is_not_finite_is_no_figure() {
        let mut findings = Findings::new("a", "b");
        findings.add("c", Figure { value: f64::NAN, low: 0.0, high: 1.0, count: 1 });
        assert_eq!(findings.figures().count(), 0);
    }
}
