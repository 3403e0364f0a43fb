//! The embedding examples: small programs that show how a program uses the library. They are run as
//! readers run them.

use std::fs;
use std::path::Path;

use komadai_testdata::programs::example;

/// An example, with lines or parts of lines that it prints in this order. They do not depend on the
/// weights of the evaluation.
type Expected = (&'static str, &'static [&'static str]);

const EXAMPLES: &[Expected] = &[
    (
        "hello",
        &[
            "後手の持駒：なし\n",
            "| ・ ・ 歩 ・ ・ ・ ・ 歩 ・|六\n",
            "39 legal moves, in check: false\n",
            "depth ",
            "cp ",
            "△",
            " ▲",
        ],
    ),
    (
        "why_illegal",
        &[
            "P*5e: nifu\n",
            "P*1b: a pawn dropped on 1b would mate the king on 1a\n",
            "5h6g: the piece on 5h is pinned to the king on 5i by 5c\n",
            "N*5b: a Knight dropped on 5b could never move\n",
            "5g5e: a Pawn on 5g does not go to 5e\n",
        ],
    ),
    ("own_evaluator", &["start position: cp ", "depth ", ": cp "]),
    (
        "own_quiescence",
        &["cp ", " nodes  ", "cp ", " nodes  ", "cp ", " nodes  ", "cp ", " nodes  "],
    ),
    (
        "own_analyst",
        &["startpos moves 7g7f: cp ", "startpos moves 2g2f: cp ", "startpos moves 5g5f: cp "],
    ),
    ("drive_engine", &["komadai ", "analysis: depth ", ", 20000 nodes, ", "bestmove "]),
    ("tsume_japanese", &["15手詰\n", " 1 ▲", " 2 △", "15 ▲"]),
    ("batch_rayon", &["cp ", "cp ", "cp ", "cp ", "cp "]),
    (
        "build_book",
        &[
            "#YANEURAOU-DB2016 1.00\n",
            "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n",
            "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n",
        ],
    ),
    ("probe_book", &["▲２六歩 cp 38\n▲７六歩 cp 35\n"]),
    ("board_svg", &["<svg ", "</svg>"]),
    (
        "analyse_game",
        &[
            "11. ▲２三飛成??: ",
            " cp, a blunder\n",
            "Black: ",
            " cp a move\n",
            "**評価値=",
            "**読み筋=",
        ],
    ),
];

#[test]
fn they_print_what_they_promise() {
    for (name, expected) in EXAMPLES {
        let output = example(name).output().expect("it starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {errors}");
        let text = String::from_utf8(output.stdout).expect("it prints UTF-8");
        let mut rest = text.as_str();
        for part in *expected {
            let at = rest.find(part);
            let at = at.unwrap_or_else(|| panic!("{name}: no {part:?} in {rest:?} of\n{text}"));
            rest = &rest[at + part.len()..];
        }
    }
}

#[test]
fn they_import_the_prelude_as_a_new_program_does() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    for (name, _) in EXAMPLES.iter().filter(|(name, _)| *name != "board_svg") {
        let text = fs::read_to_string(folder.join(format!("{name}.rs"))).expect("it is there");
        assert!(text.contains("use komadai::prelude::*;"), "{name}");
    }
}
