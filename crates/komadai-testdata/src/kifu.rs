//! Files of game records, and the contents that a reader should find in them.

use crate::outcome::Outcome;
use crate::table::{Row, Table, table};

/// A record file and its contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sample {
    /// The file name.
    pub name: &'static str,
    /// The unchanged bytes of the file, in its own encoding.
    pub bytes: &'static [u8],
    /// The expected contents; those of the first game if the file has several.
    pub expected: Expected,
    /// The main line in USI notation, separated by single spaces; may be empty.
    pub main_line: &'static str,
}

/// The contents that a reader should find in a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Expected {
    /// The actual encoding of the file.
    pub encoding: Encoding,
    /// The line ends of the file.
    pub line_end: LineEnd,
    /// The name of the black player (先手); empty if the file has none.
    pub black: &'static str,
    /// The name of the white player (後手); empty if the file has none.
    pub white: &'static str,
    /// The start position.
    pub initial_sfen: &'static str,
    /// The number of moves of the main line.
    pub main_moves: usize,
    /// The end mark of the main line.
    pub end: End,
    /// The winner.
    pub winner: Outcome,
    /// The number of variations.
    pub variations: usize,
    /// The number of moves of the game and its variations.
    pub move_nodes: usize,
    /// The number of nodes with a comment; an engine's remark (`'**` in CSA) counts as one.
    pub comment_nodes: usize,
    /// The number of nodes with a time; the end mark counts as a node.
    pub timed_nodes: usize,
    /// The position after the main line; its move number is always 1.
    pub final_sfen: &'static str,
    /// A remark on the peculiarities of the file; often empty.
    pub note: &'static str,
}

/// The character encoding of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// Bytes below 128 only: valid in every encoding.
    Ascii,
    /// UTF-8 without a byte order mark.
    Utf8,
    /// UTF-8 after a byte order mark.
    Utf8Bom,
    /// Shift_JIS, in its Windows form (code page 932).
    ShiftJis,
    /// EUC-JP, the encoding of old archives.
    EucJp,
}

/// The line ends of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LineEnd {
    /// A line feed.
    Lf,
    /// A carriage return and a line feed.
    CrLf,
}

/// The end mark of a main line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum End {
    /// No end mark: the file stops after a move.
    Unmarked,
    /// Resignation (投了).
    Resign,
    /// Broken off (中断).
    Interrupt,
    /// Checkmate (詰み).
    Checkmate,
    /// Fourfold repetition (千日手).
    Repetition,
    /// Time used up by the side to move (切れ負け).
    TimeUp,
    /// The side to move has declared a win (入玉勝ち).
    DeclaredWin,
    /// A draw by impasse (持将棋).
    Impasse,
    /// The side to move has broken a rule (反則負け).
    IllegalLoss,
    /// Another word.
    Other(&'static str),
}

impl End {
    /// The end mark in CSA, without its percent sign.
    pub fn csa(self) -> Option<&'static str> {
        match self {
            End::Unmarked => None,
            End::Resign => Some("TORYO"),
            End::Interrupt => Some("CHUDAN"),
            End::Checkmate => Some("TSUMI"),
            End::Repetition => Some("SENNICHITE"),
            End::TimeUp => Some("TIME_UP"),
            End::DeclaredWin => Some("KACHI"),
            End::Impasse => Some("JISHOGI"),
            End::IllegalLoss => Some("ILLEGAL_MOVE"),
            End::Other(_) => None,
        }
    }
}

static EXPECTED: Table<22> = table!(
    "kifu/expected.tsv",
    [
        "file",
        "format",
        "encoding",
        "eol",
        "bytes",
        "black",
        "white",
        "initial_sfen",
        "main_moves",
        "end",
        "end_csa",
        "winner",
        "variations",
        "move_nodes",
        "comment_nodes",
        "timed_nodes",
        "main_line_legal",
        "final_sfen",
        "agree_jkf",
        "agree_cshogi",
        "agree_pyshogi",
        "note"
    ]
);
static MAIN_LINES: Table<2> = table!("kifu/mainline.tsv", ["file", "usi_moves"]);

/// 59 CSA files, sorted by name: versions 1 to 3, four encodings, handicaps, set-up positions, and
/// the peculiarities of real files.
///
/// # Examples
///
/// ```
/// use komadai_testdata::kifu::{self, Encoding};
///
/// let old = kifu::samples()
///     .find(|sample| sample.expected.encoding == Encoding::EucJp)
///     .expect("a file from an old archive");
/// assert!(str::from_utf8(old.bytes).is_err());
/// assert_eq!(old.expected.black, "gps");
/// ```
pub fn samples() -> impl Iterator<Item = Sample> {
    samples_of(FILES, &[".csa"])
}

/// 12 JKF files, sorted by name: complete and minimal moves, forks, times and comments.
///
/// # Examples
///
/// ```
/// use komadai_testdata::kifu;
///
/// assert!(kifu::jkf_samples().any(|sample| sample.expected.variations == 3));
/// ```
pub fn jkf_samples() -> impl Iterator<Item = Sample> {
    samples_of(JKF_FILES, &[".jkf"])
}

/// 77 KIF files, sorted by name: Shift_JIS and UTF-8, diagrams, handicaps, mate problems,
/// variations and fouls.
///
/// # Examples
///
/// ```
/// use komadai_testdata::kifu;
///
/// assert!(kifu::kif_samples().any(|sample| sample.expected.variations == 5));
/// ```
pub fn kif_samples() -> impl Iterator<Item = Sample> {
    samples_of(KIF_FILES, &[".kif", ".kifu"])
}

/// 47 KI2 files, sorted by name, in Shift_JIS and UTF-8.
///
/// # Examples
///
/// ```
/// use komadai_testdata::kifu;
///
/// assert!(kifu::ki2_samples().all(|sample| sample.expected.timed_nodes == 0));
/// ```
pub fn ki2_samples() -> impl Iterator<Item = Sample> {
    samples_of(KI2_FILES, &[".ki2", ".ki2u"])
}

/// The files of one format, whose names have one of these endings.
fn samples_of(
    files: &'static [(&'static str, &'static [u8])],
    endings: &'static [&'static str],
) -> impl Iterator<Item = Sample> {
    let is_wanted = |name: &str| endings.iter().any(|ending| name.ends_with(ending));
    let rows = EXPECTED.rows().filter(move |row| is_wanted(row.cells[0]));
    let lines = MAIN_LINES.rows().filter(move |line| is_wanted(line.cells[0]));
    files.iter().zip(rows).zip(lines).map(|((&(name, bytes), row), line)| {
        let [line_name, main_line] = line.cells;
        if row.cells[0] != name {
            row.reject(row.cells[0]);
        }
        if line_name != name {
            line.reject(line_name);
        }
        Sample { name, bytes, expected: expected(&row), main_line }
    })
}

fn expected(row: &Row<22>) -> Expected {
    let [_, _, encoding, eol, _, black, white, initial_sfen, main_moves, end, _, rest @ ..] =
        row.cells;
    let [winner, variations, move_nodes, comment_nodes, timed_nodes, _, final_sfen, _, _, _, note] =
        rest;
    Expected {
        encoding: match encoding {
            "ascii" => Encoding::Ascii,
            "utf-8" => Encoding::Utf8,
            "utf-8-bom" => Encoding::Utf8Bom,
            "shift_jis" => Encoding::ShiftJis,
            "euc-jp" => Encoding::EucJp,
            _ => row.reject(encoding),
        },
        line_end: match eol {
            "LF" => LineEnd::Lf,
            "CRLF" => LineEnd::CrLf,
            _ => row.reject(eol),
        },
        black,
        white,
        initial_sfen,
        main_moves: row.number(main_moves),
        end: match end {
            "" => End::Unmarked,
            "resign" => End::Resign,
            "interrupt" => End::Interrupt,
            "mate" => End::Checkmate,
            "repetitionDraw" => End::Repetition,
            "timeout" => End::TimeUp,
            "enteringOfKing" => End::DeclaredWin,
            "impass" => End::Impasse,
            "foulLose" => End::IllegalLoss,
            "封じ手" | "49手詰" => End::Other(end),
            _ => row.reject(end),
        },
        winner: match winner {
            "b" => Outcome::BlackWins,
            "w" => Outcome::WhiteWins,
            "draw" => Outcome::Draw,
            "none" => Outcome::Unknown,
            _ => row.reject(winner),
        },
        variations: row.number(variations),
        move_nodes: row.number(move_nodes),
        comment_nodes: row.number(comment_nodes),
        timed_nodes: row.number(timed_nodes),
        final_sfen,
        note,
    }
}

/// Embeds sample files, each with its name.
macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_bytes!(concat!("../data/kifu/samples/", $name)))),+]
    };
}

static FILES: &[(&str, &[u8])] = files![
    "csars__v1.csa",
    "csars__v2.csa",
    "csars__v2_1.csa",
    "csars__v2_2.csa",
    "gen__02.csa",
    "gen__03.csa",
    "gen__04.csa",
    "gen__07.csa",
    "gen__08.csa",
    "gen__09.csa",
    "gen__12.csa",
    "gen__13.csa",
    "gen__14.csa",
    "gen__17.csa",
    "gen__18.csa",
    "gen__19.csa",
    "gen__22.csa",
    "gen__23.csa",
    "gen__24.csa",
    "gen__27.csa",
    "gen__28.csa",
    "gen__29.csa",
    "gen__32.csa",
    "gen__33.csa",
    "gen__34.csa",
    "gen__37.csa",
    "gen__38.csa",
    "gen__39.csa",
    "gen__42.csa",
    "gen__43.csa",
    "gen__44.csa",
    "gen__47.csa",
    "hand__csa_collapsed.csa",
    "hand__csa_comma.csa",
    "hand__csa_multi.csa",
    "hand__csa_tsume_al.csa",
    "hand__csa_v3_full.csa",
    "kfj__csa_2005_GPS_K-SHOGI.csa",
    "kfj__csa_2005_YAMADA_GPS.csa",
    "kfj__csa_8mai.csa",
    "kfj__csa_8mai_hirate.csa",
    "kfj__csa_chudan.csa",
    "kfj__csa_example.csa",
    "kfj__csa_formal.csa",
    "kfj__csa_noeol.csa",
    "kfj__csa_v2.csa",
    "shome__book_source_src03.csa",
    "shome__conversion_input_csa-sjis.csa",
    "shome__conversion_output_all-to-csa_v3_csa-sjis.csa",
    "shome__conversion_output_all-to-csa_v3_ki2-sjis.csa",
    "shome__conversion_output_all-to-csa_v3_ki2u-utf8.csa",
    "shome__conversion_output_all-to-csa_v3_kifu-utf8.csa",
    "skc__csa_WCSC32_F7_NBS_DLS.csa",
    "skc__csa_floodgate.csa",
    "skc__csa_initial_hi.csa",
    "skc__csa_initial_hirate.csa",
    "skc__csa_initial_ka.csa",
    "skc__csa_initial_ky.csa",
    "skc__csa_v22.csa",
];

static JKF_FILES: &[(&str, &[u8])] = files![
    "gen__04.jkf",
    "gen__08.jkf",
    "gen__12.jkf",
    "gen__24.jkf",
    "gen__28.jkf",
    "gen__32.jkf",
    "gen__44.jkf",
    "kfj__jkf_same_move_minimal.jkf",
    "shome__e2e_29_record.jkf",
    "tss__jkf_sample01.jkf",
    "tss__jkf_sample03.jkf",
    "tss__jkf_sample05.jkf",
];

static KIF_FILES: &[(&str, &[u8])] = files![
    "gen__02.kifu",
    "gen__03.kif",
    "gen__04.kifu",
    "gen__07.kif",
    "gen__08.kifu",
    "gen__09.kif",
    "gen__12.kifu",
    "gen__13.kif",
    "gen__14.kifu",
    "gen__17.kif",
    "gen__18.kifu",
    "gen__19.kif",
    "gen__22.kifu",
    "gen__23.kif",
    "gen__24.kifu",
    "gen__27.kif",
    "gen__28.kifu",
    "gen__29.kif",
    "gen__32.kifu",
    "gen__33.kif",
    "gen__34.kifu",
    "gen__37.kif",
    "gen__38.kifu",
    "gen__39.kif",
    "gen__42.kifu",
    "gen__43.kif",
    "gen__44.kifu",
    "gen__47.kif",
    "hand__kif_bom.kif",
    "hand__kif_tsume.kifu",
    "kfj__kif_32ryu-cumbersome.kif",
    "kfj__kif_8mai.kif",
    "kfj__kif_chudan.kif",
    "kfj__kif_henka.kif",
    "kfj__kif_last-fork.kifu",
    "kfj__kif_last_comment.kif",
    "kfj__kif_noeol.kif",
    "kfj__kif_taichitsume.kif",
    "shome__book_source-with-score_src02.kifu",
    "shome__book_source_src02.kifu",
    "shome__conversion_input_kif-sjis.kif",
    "shome__conversion_input_kifu-utf8.kifu",
    "shome__conversion_input_sub01_kif-sjis.kif",
    "shome__conversion_input_sub01_sub0101_kif-sjis.kif",
    "shome__conversion_input_sub02_kif-sjis.kif",
    "shome__conversion_output_ki2u-to-kifu_skip_ki2u-utf8.kifu",
    "shome__e2e_11_record.kifu",
    "shome__e2e_12_record.kifu",
    "shome__e2e_13_record.kifu",
    "shome__e2e_14_record.kifu",
    "shome__e2e_15_record.kifu",
    "shome__e2e_18_record.kifu",
    "shome__e2e_19_record.kifu",
    "shome__e2e_1_record.kifu",
    "shome__e2e_20_record.kifu",
    "shome__e2e_21_record.kifu",
    "shome__e2e_22_record.kifu",
    "shome__e2e_24_record.kifu",
    "shome__e2e_28_record.kif",
    "shome__e2e_30_record.kifu",
    "shome__e2e_31_record.kifu",
    "shome__e2e_33_record-1.kifu",
    "shome__e2e_33_record-2.kifu",
    "shome__e2e_34_record-1.kifu",
    "shome__e2e_34_record-2.kifu",
    "shome__e2e_6_record.kifu",
    "shome__e2e_7_record.kifu",
    "shome__e2e_8_record.kifu",
    "shome__encoding_sjis.kif",
    "shome__encoding_utf8.kif",
    "skc__kif_Shogidokoro.kif",
    "skc__kif_Shogidokoro.kifu",
    "skc__kif_forks.kif",
    "skc__kif_forks.kifu",
    "skc__kif_piyo-shogi_KY.kif",
    "skc__kif_piyo-shogi_KY.kifu",
    "tss__sample_sample.kifu",
];

static KI2_FILES: &[(&str, &[u8])] = files![
    "gen__02.ki2",
    "gen__03.ki2",
    "gen__04.ki2u",
    "gen__07.ki2",
    "gen__08.ki2u",
    "gen__09.ki2u",
    "gen__12.ki2u",
    "gen__13.ki2u",
    "gen__14.ki2",
    "gen__17.ki2u",
    "gen__18.ki2",
    "gen__19.ki2",
    "gen__22.ki2",
    "gen__23.ki2",
    "gen__24.ki2u",
    "gen__27.ki2",
    "gen__28.ki2u",
    "gen__29.ki2u",
    "gen__32.ki2u",
    "gen__33.ki2u",
    "gen__34.ki2",
    "gen__37.ki2u",
    "gen__38.ki2",
    "gen__39.ki2",
    "gen__42.ki2",
    "gen__43.ki2",
    "gen__44.ki2u",
    "gen__47.ki2",
    "hand__ki2_mixed.ki2u",
    "kfj__ki2_8mai.ki2",
    "kfj__ki2_8mai.ki2u",
    "kfj__ki2_chudan.ki2",
    "kfj__ki2_fuujite.ki2u",
    "kfj__ki2_kobayashi_kinsho196702.ki2",
    "kfj__ki2_noeol.ki2",
    "shome__book_source_src01.ki2",
    "shome__conversion_input_ki2-sjis.ki2",
    "shome__conversion_input_ki2u-utf8.ki2u",
    "shome__conversion_output_csa-to-ki2-utf8_csa-sjis.ki2",
    "shome__conversion_output_csa-to-ki2_csa-sjis.ki2",
    "shome__conversion_output_sfen-to-ki2_record_000001.ki2u",
    "shome__conversion_output_sfen-to-ki2_record_000002.ki2u",
    "shome__conversion_output_sfen-to-ki2_record_000003.ki2u",
    "shome__encoding_sjis.ki2",
    "shome__encoding_utf8.ki2",
    "skc__ki2_simple.ki2",
    "skc__ki2_simple.ki2u",
];

#[cfg(test)]
mod tests {
    use super::{EXPECTED, jkf_samples, samples};

    #[test]
    fn columns_that_samples_do_not_show_agree_with_it() {
        for (sample, format) in
            samples().map(|s| (s, "CSA")).chain(jkf_samples().map(|s| (s, "JKF")))
        {
            let row = EXPECTED.rows().find(|row| row.cells[0] == sample.name);
            let row = row.expect("every sample has a row");
            let [_, found, _, _, bytes, .., legal, _, _, _, _, _] = row.cells;
            assert_eq!(found, format, "{}", sample.name);
            assert_eq!(sample.bytes.len(), row.number::<usize>(bytes), "{}", sample.name);
            assert_eq!(legal, "yes", "{}", sample.name);
            let end_csa = row.cells[10];
            assert!(end_csa.is_empty() || sample.expected.end.csa() == Some(end_csa));
        }
    }
}
