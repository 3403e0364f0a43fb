//! The classes of arrows.

/// The class of an arrow, which decides its colour and shape.
///
/// # Examples
///
/// ```
/// use komadai_core::Setup;
/// use komadai_report::{SvgArrow, SvgBoard};
///
/// let picture = SvgBoard::new(Setup::hirate())
///     .arrow_of("7g7f".parse()?, SvgArrow::Good)
///     .arrow_of("9i9h".parse()?, SvgArrow::Bad)
///     .to_string();
/// assert!(picture.contains("Arrow: 7g7f (good)."));
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SvgArrow {
    /// A filled arrow in blue.
    #[default]
    Plain,
    /// A good move: a filled arrow in green.
    Good,
    /// A bad move: the outline of an arrow in red.
    Bad,
    /// A move of less interest: a thin arrow in grey.
    Minor,
}

impl SvgArrow {
    /// The class in words, for screen readers; none for a plain arrow.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Good => " (good)",
            Self::Bad => " (bad)",
            Self::Minor => " (minor)",
        }
    }
}
