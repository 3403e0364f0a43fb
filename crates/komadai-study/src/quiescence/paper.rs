//! The figures of the paper.

/// A row of tables 2 and 3, at depth 5.
///
/// The paper heads the second column "std.dev"; by its text and size it is the variance.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) mean: f64,
    pub(crate) variance: f64,
    /// Over all positions.
    nodes: f64,
}

impl Row {
    /// Returns the nodes a position.
    pub(crate) fn nodes(&self) -> f64 {
        self.nodes / POSITIONS
    }
}

/// The number of positions: of 1,000 games, from move 30 on.
pub(crate) const POSITIONS: f64 = 83_631.0;

/// Nodes of the reference, All.
pub(crate) const REFERENCE_NODES: f64 = 976_379_285.0;

const fn row(name: &'static str, mean: f64, variance: f64, nodes: f64) -> Row {
    Row { name, mean, variance, nodes }
}

/// Tables 2 and 3.
pub(crate) const TABLE: [Row; 12] = [
    row("Eval", -2_433.47, 199_156.38, 83_631.0),
    row("SEE", -27.73, 91_671.75, 729_561.0),
    row("Capture", 490.43, 77_737.00, 2_580_038.0),
    row("King", 361.77, 179_778.89, 411_554.0),
    row("Escape", 1_549.51, 140_139.31, 7_248_201.0),
    row("Promote", -3_717.29, 228_665.21, 595_642.0),
    row("SKEP", 770.57, 58_271.28, 24_671_407.0),
    row("SEE+Escape", 331.58, 70_370.71, 12_759_303.0),
    row("Check", -1_467.41, 182_957.99, 674_805.0),
    row("Threatmate", -1_286.51, 190_128.08, 119_078.0),
    row("SEE+Check", -140.65, 87_127.92, 2_015_238.0),
    row("SEE+Threatmate", -70.29, 89_809.63, 1_456_588.0),
];

/// A row of table 4: variances in total, in the opening and in the rest.
pub(crate) type BandRow = (&'static str, [f64; 3]);

/// Table 4. Its totals are not those of table 3, and for some rows not between opening and rest.
pub(crate) const BAND_TABLE: [BandRow; 7] = [
    ("Eval", [189_382.12, 220_138.41, 184_151.29]),
    ("SEE", [101_149.59, 84_969.95, 64_248.63]),
    ("King", [178_104.66, 193_898.38, 149_782.49]),
    ("Escape", [151_701.28, 134_384.09, 101_810.33]),
    ("Promote", [260_466.35, 200_792.88, 142_326.39]),
    ("SKEP", [63_601.63, 55_726.25, 39_717.09]),
    ("SEE+Escape", [77_483.85, 64_984.82, 51_041.61]),
];

/// The ratios of variances by which a setting is compared with that of the paper: a class alone to
/// the static evaluation, a set with captures to the captures that win material.
pub(crate) const RATIOS: [(&str, &str); 11] = [
    ("SEE", "Eval"),
    ("King", "Eval"),
    ("Escape", "Eval"),
    ("Promote", "Eval"),
    ("Check", "Eval"),
    ("Threatmate", "Eval"),
    ("Capture", "SEE"),
    ("SKEP", "SEE"),
    ("SEE+Escape", "SEE"),
    ("SEE+Check", "SEE"),
    ("SEE+Threatmate", "SEE"),
];

/// The default rows of the study: those of the paper, the programs that it names, further unions
/// for its figures, and the methods of this workspace.
pub const ROWS: [&str; 31] = [
    "Eval",
    "SEE",
    "Capture",
    "King",
    "Escape",
    "Promote",
    "SKEP",
    "SEE+Escape",
    "Check",
    "Threatmate",
    "SEE+Check",
    "SEE+Threatmate",
    "SEE+King",
    "SEE+Promote",
    "SEE+Escape+Promote",
    "Capture+Escape",
    "Capture+Promote",
    "SKEP+Threatmate",
    "QuietPromote",
    "SEE+King+Escape+QuietPromote",
    "Safe",
    "Bonanza",
    "Kfend",
    "Yss",
    "Tacos",
    "SKEP+ProbCut",
    "All+ProbCut",
    "Rating",
    "Dynamic",
    "TwoStage",
    "Standard",
];

/// Returns the row of a method.
pub(crate) fn find(name: &str) -> Option<Row> {
    TABLE.into_iter().find(|row| row.name.eq_ignore_ascii_case(name))
}
