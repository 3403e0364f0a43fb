//! Games and problems in any format of records, wherever the command takes games or problems.

use std::fs;

use komadai::kifu::{KifuFormat, RecordFiles, RecordFilesOptions, Tolerance, parse_csa};
use komadai_testdata::kifu;
use tempfile::TempDir;

use crate::{komadai, text};

const FORMATS: [KifuFormat; 6] = [
    KifuFormat::Csa,
    KifuFormat::Kif,
    KifuFormat::Ki2,
    KifuFormat::Jkf,
    KifuFormat::Usi,
    KifuFormat::Usen,
];

/// A folder with the same game in each format, by the names of files.
fn games() -> (TempDir, Vec<String>) {
    let csa = "PI\n+\n+7776FU\n-3334FU\n+2726FU\n-4344FU\n";
    let game = parse_csa(csa, Tolerance::Strict).unwrap().records.remove(0);
    let folder = tempfile::tempdir().unwrap();
    let names = FORMATS.map(|format| {
        let name = format!("game.{}", format.extension());
        fs::write(folder.path().join(&name), game.to_text(format).unwrap()).unwrap();
        name
    });
    (folder, names.to_vec())
}

#[test]
fn openings_of_a_match_are_records_of_any_format() {
    let (folder, names) = games();
    for name in names {
        let arguments = ["--first", "komadai:EvalFile=<material>", "--second"];
        let rest = ["komadai:EvalFile=<material>", "--nodes", "10", "--games", "2", "--openings"];
        let output = komadai("match")
            .args(arguments)
            .args(rest)
            .args([&name, "--out", "played", "--quiet"])
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{name}: {}", text(&output.stderr));
        let played = folder.path().join("played");
        let options = RecordFilesOptions::default();
        let games: Vec<_> = RecordFiles::open(&played, options).map(|found| found.record).collect();
        assert_eq!(games.len(), 2, "{name}");
        for game in games {
            let moves = game.unwrap().to_usi_line();
            assert!(moves.starts_with("startpos moves 7g7f 3c3d 2g2f 4c4d "), "{name}: {moves}");
        }
        fs::remove_dir_all(played).unwrap();
    }
}

#[test]
fn a_book_grows_from_games_of_any_format() {
    let (folder, names) = games();
    for name in names {
        let book = format!("{name}.kbook");
        let output = komadai("book")
            .args(["import", &book, &name])
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{name}: {}", text(&output.stderr));
        assert!(text(&output.stdout).contains('4'), "{name}: {}", text(&output.stdout));
    }
}

#[test]
fn problems_of_tsume_are_records_of_any_format() {
    let folder = tempfile::tempdir().unwrap();
    let sample = kifu::kif_samples().find(|sample| sample.name == "hand__kif_tsume.kifu").unwrap();
    fs::write(folder.path().join("problem.kif"), sample.bytes).unwrap();
    fs::write(folder.path().join("broken.kif"), "手合割：詰将棋\n| ・\n").unwrap();
    let solve = |name: &str| {
        komadai("tsume").args(["--file", name]).current_dir(folder.path()).output().unwrap()
    };
    let solved = solve("problem.kif");
    assert!(solved.status.success(), "{}", text(&solved.stderr));
    let printed = text(&solved.stdout);
    assert!(printed.starts_with("problem.kif, game 1\tmate 1 G*5b\t"), "{printed}");
    let both = solve(".");
    assert_eq!(both.status.code(), Some(1), "{}", text(&both.stderr));
    assert!(text(&both.stdout).contains("mate 1 G*5b"), "{}", text(&both.stdout));
    assert!(text(&both.stderr).contains("broken.kif"), "{}", text(&both.stderr));
}
