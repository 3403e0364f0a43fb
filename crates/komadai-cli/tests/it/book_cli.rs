//! `komadai book` as its users run it.

mod damage;
mod engines;
mod faults;
mod formats;
mod frontier;
mod games;
mod import;
mod machines;
mod pruning;
mod release;
mod stores;
mod traps;
mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::Output;

use komadai::book::store::Store;
use komadai::book::{BookSource, StoredRecord};
use komadai::bookfile::{BookRecord, RecordMove};
use komadai::core::Setup;
use komadai::kifu::Tolerance;
use komadai_testdata::books::synthetic;
use komadai_testdata::books::synthetic::SyntheticBook;
use serde_json::Value;
use tempfile::TempDir;

use crate::{komadai, text};

/// A folder in which the program runs, so that its messages contain short names.
pub(crate) struct Workplace(TempDir);

impl Workplace {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder for temporary files"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).expect("the folder can be written");
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        komadai("book")
            .args(arguments)
            .current_dir(self.0.path())
            .output()
            .expect("the program starts")
    }

    /// Runs a command that must succeed, and returns its standard output.
    pub(crate) fn done(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.done(arguments)).expect("JSON and nothing else")
    }

    /// Runs a command that must fail, and returns its standard error.
    pub(crate) fn refused(&self, arguments: &[&str], code: i32) -> String {
        let output = self.run(arguments);
        let printed = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {printed}");
        assert!(printed.contains("error: "), "{arguments:?}: {printed}");
        assert!(!printed.contains("panicked"), "{arguments:?}: {printed}");
        printed
    }

    fn records(&self, name: &str) -> Vec<BookRecord> {
        let source = BookSource::open(self.path(name), Tolerance::Strict).expect(name);
        source.collect::<Result<_, _>>().expect(name)
    }

    fn view(&self, name: &str) -> Vec<StoredRecord> {
        let store = Store::open(self.path(name)).expect(name);
        store.records().expect(name).collect::<Result<_, _>>().expect(name)
    }

    fn names(&self) -> Vec<String> {
        let name = |entry: std::io::Result<fs::DirEntry>| {
            entry.expect("the folder is readable").file_name().into_string().expect("a plain name")
        };
        let mut names: Vec<_> =
            fs::read_dir(self.0.path()).expect("the folder is there").map(name).collect();
        names.sort();
        names
    }
}

fn small50() -> SyntheticBook {
    synthetic::books().find(|book| book.name == "small50").expect("it is bundled")
}

/// The compared part of a book, by position: a format keeps only some of the data.
type MovesByPosition = BTreeMap<String, BTreeSet<String>>;

fn moves_of(records: &[BookRecord], shown: impl Fn(&RecordMove) -> String) -> MovesByPosition {
    let moves = |record: &BookRecord| {
        let moves = record.moves.iter().map(|listed| format!("{} {}", listed.m, shown(listed)));
        let setup = Setup { ply: 1, ..record.position.to_setup() };
        (setup.to_string(), moves.collect())
    };
    records.iter().map(moves).collect()
}

const START: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
const TURNED: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2";
const HEADER: &str = "#YANEURAOU-DB2016 1.00\n";

#[test]
fn every_subcommand_explains_itself() {
    let place = Workplace::new();
    let help = place.done(&["--help"]);
    for command in [
        "info",
        "probe",
        "convert",
        "sort",
        "merge",
        "validate",
        "propagate",
        "import",
        "sources",
        "refresh",
        "policy",
        "prune",
        "undo",
        "snapshot",
        "log",
        "queue",
        "serve",
        "worker",
        "check",
        "compact",
    ] {
        assert!(help.contains(&format!("  {command} ")), "{command} is missing in:\n{help}");
        let own = place.done(&[command, "--help"]);
        assert!(own.contains("Example") && own.contains(&format!("book {command} ")), "{own}");
    }
}
