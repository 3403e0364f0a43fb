//! The stacks of a LayerStack network.

use core::fmt;

use crate::stack_rule::StackRule;

/// The stacks of a LayerStack network: their number, the choice among them, and whether each has
/// values of its own for the pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct LayerStacks {
    pub(crate) count: usize,
    pub(crate) rule: StackRule,
    pub(crate) has_psqt: bool,
}

impl LayerStacks {
    /// Reads the parts of a name after the widths: `x9`, `progress8kpabs`, `psqt`.
    pub(crate) fn parse<'a>(mut parts: impl Iterator<Item = &'a str>) -> Option<Self> {
        let count = parts.next()?.strip_prefix('x')?.parse().ok()?;
        let rule = parts.next()?.parse().ok()?;
        let has_psqt = match parts.next() {
            None => false,
            Some("psqt") => true,
            Some(_) => return None,
        };
        parts.next().is_none().then_some(Self { count, rule, has_psqt })
    }
}

impl fmt::Display for LayerStacks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "_x{}_{}", self.count, self.rule)?;
        if self.has_psqt { f.write_str("_psqt") } else { Ok(()) }
    }
}
