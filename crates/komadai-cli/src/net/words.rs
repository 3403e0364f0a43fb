//! Numbers of reports as text.

use komadai::networks::{DataCounts, Estimate};
use komadai_console::grouped;

/// A share with its interval in percent: `61.2 % [60.1, 62.3]`.
pub(super) fn percent(found: Option<Estimate>) -> String {
    found.map_or("–".to_owned(), |Estimate { value, low, high }| {
        let [value, low, high] = [value, low, high].map(|share| 100.0 * share);
        format!("{value:.1} % [{low:.1}, {high:.1}]")
    })
}

/// A number with its interval.
pub(super) fn number(found: Option<Estimate>, digits: usize) -> String {
    found.map_or("–".to_owned(), |Estimate { value, low, high }| {
        format!("{value:.digits$} [{low:.digits$}, {high:.digits$}]")
    })
}

/// The numbers of positions and of those that were left out.
pub(super) fn counts(data: &DataCounts) -> String {
    let mut text = format!("{} of {} records", grouped(data.positions), grouped(data.records));
    for (count, what) in
        [(data.in_check, "in check"), (data.not_chosen, "not chosen"), (data.damaged, "damaged")]
    {
        if count > 0 {
            text += &format!(", {} {what}", grouped(count));
        }
    }
    text
}
