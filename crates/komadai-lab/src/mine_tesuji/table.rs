//! The best sequences as a table.

use std::collections::HashSet;
use std::fmt::Write as _;

use komadai::core::Language;
use komadai::search::{Descriptor, Tesuji, TesujiTable};

use super::counts::{Counts, Seen};

/// The sequences that a table takes, and the comment at its head.
pub(super) struct Choice<'a> {
    /// The largest number of sequences.
    pub(super) most: usize,
    /// The largest distance between the destinations of two moves.
    pub(super) reach: u8,
    /// The smallest count, and the smallest share in percent.
    pub(super) least_count: u32,
    pub(super) least_share: u32,
    pub(super) note: &'a str,
}

/// A sequence that is frequent enough.
struct Found {
    bits: f64,
    seen: Seen,
    percent: u32,
    tesuji: Tesuji,
}

/// Returns the best sequences as a file, one a line.
pub(super) fn of(counts: &Counts, choice: &Choice<'_>) -> anyhow::Result<String> {
    let Choice { most, reach, least_count, least_share, note } = *choice;
    let prior = entropy(counts.after_any.values().copied());
    let mut found = Vec::new();
    for (&(first, second), following) in &counts.after {
        let gain = prior - entropy(following.next.values().map(|seen| seen.count));
        let total = following.total();
        for (&last, &seen) in &following.next {
            let moves: Vec<Descriptor> = first.into_iter().chain([second, last]).collect();
            let is_near = moves[1..].iter().all(|m| m.distance() <= Some(reach));
            let percent = u64::from(seen.count) * 100 / u64::from(total);
            if is_near && seen.count >= least_count && percent >= u64::from(least_share) {
                let tesuji = Tesuji::new(&moves).expect("two or three moves in a row");
                let (bits, percent) = (f64::from(seen.count) * gain, percent as u32);
                found.push(Found { bits, seen, percent, tesuji });
            }
        }
    }
    found.sort_by(|a, b| b.bits.total_cmp(&a.bits));
    // Where the last two moves of three are a sequence by themselves, the first adds nothing.
    let pairs: HashSet<Tesuji> = found.iter().map(|found| found.tesuji).collect();
    found.retain(|found| {
        let mut end: Vec<_> = found.tesuji.moves().skip(1).collect();
        end[0] = end[0].without_offset();
        Tesuji::new(&end).is_none_or(|end| !pairs.contains(&end))
    });
    found.truncate(most);
    let Counts { games, moves, floor, .. } = counts;
    let mut text = format!(
        "# Tesuji: moves that belong together, by what they are and where they go, best first.\n\
         # {note}\n\
         # Mined from {games} games with {moves} moves; {prior:.2} bits a move. Each move goes at most {reach}\n\
         # squares from the one before; played {least_count} times or more, and at least {least_share} % of the times\n\
         # that its beginning was. After each: times, percent, bits gained in all, and the name of its\n\
         # last move, if that has one in half of the cases. No count is too small by more than {floor}.\n",
    );
    for Found { bits, seen, percent, tesuji } in found {
        write!(text, "{tesuji} # {} {percent} {bits:.0}", seen.count)?;
        if let Some(name) = seen.name.filter(|_| 2 * seen.named >= seen.count) {
            let [english, japanese] =
                [Language::English, Language::Japanese].map(|language| name.label(language));
            write!(text, " {japanese} ({english})")?;
        }
        text.push('\n');
    }
    Ok(TesujiTable::file_of(&text)?)
}

/// Returns the entropy in bits, with Miller and Madow's correction for the number of different
/// moves.
fn entropy(counts: impl Iterator<Item = u32> + Clone) -> f64 {
    let total: f64 = counts.clone().map(f64::from).sum();
    let kinds = counts.clone().count() as f64;
    let plain: f64 = counts.map(|count| f64::from(count) / total).map(|p| -p * p.log2()).sum();
    plain + (kinds - 1.0) / (2.0 * std::f64::consts::LN_2 * total)
}
