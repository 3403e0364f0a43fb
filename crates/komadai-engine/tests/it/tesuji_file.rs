//! Sequences of moves from a file: `TesujiFile`.

use std::fs;
use std::path::PathBuf;

use komadai_core::{Budget, Position};
use komadai_engine::{MoveRequest, Parts, Player, PlayerError, SearchMode, Settings, TesujiError};
use komadai_eval::Material;
use komadai_search::{Techniques, TesujiFileError, TesujiTable};
use tempfile::TempDir;

use crate::gui::Gui;

/// Recaptures.
const LINES: &str = "PxP RxP@0,0\nPxP PxP@0,0\nBxB+ Sx+B@0,0\nBxB GxB@0,0\nRxP PxR@0,0\n";

fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let path = folder.path().join("tesuji.txt");
    fs::write(&path, TesujiTable::file_of(LINES).expect("sequences")).expect("it can be written");
    (folder, path)
}

fn player(tesuji_file: Option<PathBuf>, search_mode: SearchMode) -> Result<Player, PlayerError> {
    let settings = Settings {
        hash_mib: 1,
        mate_hash_mib: 1,
        mate_nodes: 0,
        tesuji_file,
        search_mode,
        techniques: Techniques::default() | Techniques::TESUJI_EXTENSION,
        ..Settings::default()
    };
    Player::with_parts(Parts::default().with_evaluator(Material), settings)
}

/// The nodes of a search in a position with captures.
fn nodes(player: &mut Player) -> u64 {
    let sfen = "lnsg1gsnl/1r2k2b1/pp1ppp1pp/2p3p2/7P1/2P3P2/PP1PPP2P/1B2K2R1/LNSG1GSNL b - 1";
    let position = Position::from_sfen(sfen).expect("a position");
    player.new_game();
    player.choose(&MoveRequest::new(&position, Budget::depth(9)), &mut |_| {}).analysis.nodes
}

#[test]
fn a_table_replaces_the_bundled_one() {
    let (folder, path) = folder();
    let bundled = nodes(&mut player(None, SearchMode::AlphaBeta).expect("no file"));
    let mut own = player(Some(path.clone()), SearchMode::AlphaBeta).expect("a table");
    let found = nodes(&mut own);
    assert_ne!(found, bundled);
    // Without the technique the table does nothing.
    let techniques = Techniques::default();
    let change = |player: &mut Player, settings: Settings| player.set_settings(settings);
    let settings = Settings { techniques, ..own.settings().clone() };
    change(&mut own, settings.clone()).expect("a table");
    let without = nodes(&mut own);
    change(&mut own, Settings { tesuji_file: None, ..settings }).expect("no file");
    assert_eq!(nodes(&mut own), without);
    // The bundled table again, from a file.
    let text = include_str!("../../../komadai-search/src/museum/tesuji/tesuji.txt");
    let path = folder.path().join("bundled.txt");
    fs::write(&path, TesujiTable::file_of(text).expect("sequences")).expect("it can be written");
    let mut same = player(Some(path), SearchMode::AlphaBeta).expect("a table");
    assert_eq!(nodes(&mut same), bundled);
}

#[test]
fn a_table_that_cannot_be_read_changes_nothing() {
    let (folder, path) = folder();
    let mut playing = player(Some(path.clone()), SearchMode::AlphaBeta).expect("a table");
    let before = nodes(&mut playing);
    let cut = folder.path().join("cut.txt");
    let whole = fs::read(&path).expect("it was written");
    fs::write(&cut, &whole[..whole.len() - 1]).expect("it can be written");
    let settings = Settings { tesuji_file: Some(cut.clone()), ..playing.settings().clone() };
    let error = playing.set_settings(settings).expect_err("it is cut");
    let PlayerError::Tesuji(TesujiError::Content { path: named, error: content }) = &error else {
        panic!("{error}")
    };
    assert_eq!(named, &cut);
    assert!(matches!(content, TesujiFileError::Checksum { .. }));
    assert!(error.to_string().contains("cut.txt: from line 2: found the checksum "), "{error}");
    assert_eq!(nodes(&mut playing), before);
    let missing = player(Some(folder.path().join("none.txt")), SearchMode::AlphaBeta);
    let Err(PlayerError::Tesuji(TesujiError::Io { .. })) = missing else {
        panic!("it does not exist")
    };
}

#[test]
fn the_engine_names_the_table_or_the_fault() {
    let (folder, path) = folder();
    let mut gui = Gui::new();
    gui.say("setoption name EvalFile value <material>");
    gui.say(&format!("setoption name TesujiFile value {}", path.display()));
    let said = |gui: &mut Gui, expected: &str| {
        let lines = gui.settle();
        assert!(lines.iter().any(|line| line == expected), "{lines:?}");
    };
    said(&mut gui, "info string tesuji: 5 sequences, without effect: see TesujiFile");
    gui.say("setoption name UseTesujiExtension value true");
    said(&mut gui, "info string tesuji: 5 sequences");
    gui.say("setoption name SearchMode value MonteCarlo");
    said(&mut gui, "info string tesuji: 5 sequences, without effect: see TesujiFile");
    let missing = folder.path().join("missing.txt");
    gui.say(&format!("setoption name TesujiFile value {}", missing.display()));
    gui.say("isready");
    let fault = gui.wait_for("an error", |message| {
        message.to_string().strip_prefix("info string Error! : ").map(str::to_owned)
    });
    assert!(fault.contains("missing.txt: "), "{fault}");
    gui.say("setoption name TesujiFile value <internal>");
    let lines = gui.settle();
    assert!(!lines.iter().any(|line| line.contains("tesuji:")), "{lines:?}");
}
