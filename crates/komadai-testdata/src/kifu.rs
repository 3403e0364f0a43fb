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
    samples_of(FILES, ".csa")
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
    samples_of(JKF_FILES, ".jkf")
}

/// The files of one format, whose names have this ending.
fn samples_of(
    files: &'static [(&'static str, &'static [u8])],
    ending: &'static str,
) -> impl Iterator<Item = Sample> {
    let rows = EXPECTED.rows().filter(move |row| row.cells[0].ends_with(ending));
    let lines = MAIN_LINES.rows().filter(move |line| line.cells[0].ends_with(ending));
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
