//! The games in a log of `komadai-lab hybrid-study`.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context as _;
use komadai_base::file::read_text;

use crate::figure::Figure;
use crate::findings::Findings;

/// The largest log in bytes.
const MOST_BYTES: u64 = 256 << 20;

/// Adds the points of the first player in pairs of games with the same opening: those of the best
/// child against the mean, and those of hybrids against alpha-beta.
pub(super) fn measure(path: &Path, found: &mut Findings) -> anyhow::Result<()> {
    let text =
        read_text(path, MOST_BYTES).with_context(|| format!("cannot read {}", path.display()))?;
    let mut games: BTreeMap<&str, BTreeMap<usize, f64>> = BTreeMap::new();
    for (line, number) in text.lines().zip(1..) {
        let Some(game) = line.strip_prefix("game\t") else { continue };
        let mut parts = game.rsplitn(3, '\t');
        let points =
            parts.next().and_then(|half| half.parse::<u8>().ok()).filter(|half| *half <= 2);
        let index = parts.next().and_then(|index| index.parse::<usize>().ok());
        let (Some(points), Some(index), Some(name)) = (points, index, parts.next()) else {
            anyhow::bail!(
                "{}, line {number}: found {line:?}, expected game, players, number and half points",
                path.display()
            );
        };
        games.entry(name).or_default().insert(index, f64::from(points) / 2.0);
    }
    let mut add = |key: &str, is_meant: &dyn Fn(&str) -> bool| {
        let mut pairs = Vec::new();
        for (_, points) in games.iter().filter(|(name, _)| is_meant(name)) {
            for (index, first) in points.iter().filter(|(index, _)| index.is_multiple_of(2)) {
                if let Some(second) = points.get(&(index + 1)) {
                    pairs.push((first + second) / 2.0);
                }
            }
        }
        found.add_some(key, Figure::mean_of(&pairs));
    };
    add("best child", &|name| name.starts_with("ym2012\t"));
    add("games of the hybrid", &|name| name.starts_with("hybrid ") && name.contains("threads=2"));
    Ok(())
}
