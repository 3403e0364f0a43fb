//! Values of networks whose weights are functions of a seed.

/// The values of one network in the positions of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetworkValues {
    /// The architecture, by the name that YaneuraOu gives it, or `layerstack_…`.
    pub architecture: &'static str,
    /// Positions and values for the side to move, the network's output divided by 16 toward zero.
    pub values: Vec<(&'static str, i32)>,
}

/// The seed of every network.
pub const SEED: u64 = 20_261_121;

const TEXT: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/networks/expected.tsv"));

/// Networks with the values that YaneuraOu prints, or rshogi for LayerStack networks: positions of games, handicaps, kings in the
/// other camp, and few pieces.
///
/// # Panics
///
/// Panics if the table is malformed, which is a bug of this crate.
///
/// # Examples
///
/// ```
/// use komadai_testdata::networks;
///
/// let classical = networks::networks().next().expect("the table has columns");
/// assert_eq!(classical.architecture, "halfkp_256x2-32-32");
/// assert_eq!(classical.values[0].1, -921);
/// ```
pub fn networks() -> impl Iterator<Item = NetworkValues> {
    let header = TEXT.lines().next().unwrap_or_default();
    header.split('\t').enumerate().skip(1).map(|(column, architecture)| {
        let value = |(line, text): (usize, &'static str)| {
            let sfen = text.split('\t').next()?;
            let cell = text.split('\t').nth(column).filter(|cell| !cell.is_empty())?;
            let value = cell.parse();
            Some((sfen, value.unwrap_or_else(|_| panic!("line {}: {cell}", line + 1))))
        };
        let values = TEXT.lines().enumerate().skip(1).filter_map(value).collect();
        NetworkValues { architecture, values }
    })
}
