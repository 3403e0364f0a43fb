//! The command itself: help texts, completions, manual pages, names, bundled data.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use clap::CommandFactory as _;
use komadai_cli::Komadai;
use komadai_testdata::{games, openings};

use crate::text;

/// The names of the subcommands that are programs.
fn programs() -> Vec<String> {
    let command = Komadai::command();
    let names = command.get_subcommands().map(|inner| inner.get_name().to_owned());
    names.filter(|name| !matches!(name.as_str(), "completions" | "man" | "help")).collect()
}

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_komadai")).args(arguments).output().expect("it starts")
}

fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn every_program_has_help_with_an_example() {
    let help = printed(&["--help"]);
    for program in programs() {
        assert!(help.contains(&format!("\n  {program} ")), "no {program} in {help}");
        let own = printed(&[&program, "--help"]);
        assert!(own.contains(&format!("Usage: komadai {program}")), "{own}");
        assert!(own.contains("Example") && own.contains(&format!("komadai {program}")), "{own}");
        assert!(own.contains("Exit codes: 0"), "{own}");
    }
    assert_eq!(printed(&["--version"]), format!("komadai {}\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(run(&[]).status.code(), Some(2));
    assert_eq!(run(&["grow", "--no-such-option"]).status.code(), Some(2));
}

#[test]
fn the_readmes_name_every_subcommand() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = fs::read_to_string(package.join("README.md")).expect("the README");
    let rows: Vec<&str> =
        table.lines().filter_map(|line| line.strip_prefix("| `komadai ")).collect();
    let names: Vec<&str> =
        rows.iter().map(|row| row.split([' ', '`']).next().expect("a row has a name")).collect();
    let command = Komadai::command();
    let mut expected: Vec<&str> = command
        .get_subcommands()
        .map(clap::Command::get_name)
        .filter(|name| *name != "help")
        .collect();
    let mut found = names.clone();
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, expected, "the table of README.md and the subcommands");
    // The number of the subcommands of `book`.
    let book = command.find_subcommand("book").expect("there is one");
    let count = book.get_subcommands().filter(|inner| inner.get_name() != "help").count();
    assert!(table.contains(&format!("| {count} subcommands")), "`book` has {count} subcommands");
    for readme in ["../../README.md", "../../README.ja.md"] {
        let text = fs::read_to_string(package.join(readme)).expect(readme);
        let text = text.replace('\n', " ");
        for name in &expected {
            // A table of commands has their names alone.
            let forms = [format!("`komadai {name}"), format!("`{name}`")];
            let is_named = forms.iter().any(|form| text.contains(form));
            assert!(is_named, "{readme} does not name {name}");
        }
    }
}

#[test]
fn every_shell_gets_completions() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = printed(&["completions", shell]);
        for word in ["komadai", "frontier-diff", "per-round"] {
            assert!(script.contains(word), "{shell}: no {word}");
        }
    }
    assert_eq!(run(&["completions", "dos"]).status.code(), Some(2));
}

#[test]
fn every_subcommand_has_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    let man = folder.path().join("share/man1");
    let printed = printed(&["man", man.to_str().unwrap()]);
    assert_eq!(printed.trim_end(), man.join("komadai.1").display().to_string());
    let page = |name: &str| fs::read_to_string(man.join(name)).expect(name);
    assert!(page("komadai.1").starts_with(".ie"), "{}", page("komadai.1"));
    assert!(page("komadai-grow.1").contains("komadai grow"));
    assert!(page("komadai-book-propagate.1").contains("in.db out.db"));
    assert!(page("komadai-engine-bench.1").contains("signature"));
    // One for each program and each of the 26 subcommands of `book`.
    let pages = fs::read_dir(&man).unwrap().count();
    assert!(pages > 1 + programs().len() + 26, "{pages} pages");
    // A file stands in the way.
    fs::write(folder.path().join("file"), "").unwrap();
    let refused = run(&["man", folder.path().join("file/man1").to_str().unwrap()]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).starts_with("error: cannot write manual pages to "));
}

#[test]
fn programs_print_what_they_always_did() {
    assert_eq!(printed(&["perft", "--depth", "3"]), "nodes 25470\n");
    let sfen = "4k4/9/4P4/9/9/9/9/9/9 b G 1";
    let solved = printed(&["tsume", "--sfen", sfen, "--shortest"]);
    assert!(solved.starts_with("-\tmate 1 G*5b\tnodes="), "{solved}");
    let bench = printed(&["engine", "bench", "--depth", "1"]);
    let lines: Vec<&str> = bench.lines().collect();
    assert!(
        matches!(lines[..], [first, nodes, nps] if first.starts_with("first-move cut rate ")
        && nodes.starts_with("nodes ") && nps.starts_with("nps ")),
        "{bench}"
    );
    assert_eq!(run(&["perft", "--depth", "33"]).status.code(), Some(2));
    let refused = run(&["tsume", "--sfen", "nonsense"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).starts_with("error: --sfen \"nonsense\""));
}

#[test]
fn every_documented_example_runs_its_program() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (folder, example, program) in [
        ("examples", "book", "komadai_cli::book::BookArgs"),
        // The main job compiles without the other programs.
        ("../../examples", "grow_book", "komadai_grow::GrowArgs"),
        ("examples", "match_engines", "komadai_cli::matches::MatchArgs"),
        ("examples", "perft", "komadai_cli::perft::PerftArgs"),
        ("examples", "solve_tsume", "komadai_cli::tsume::TsumeArgs"),
        // Installed beside `komadai`, for interfaces that start a program without arguments.
        ("src/bin", "usi_engine", "komadai_cli::engine::EngineArgs"),
    ] {
        let path = package.join(folder).join(format!("{example}.rs"));
        let source = fs::read_to_string(path).expect(example);
        let call = format!("komadai_console::run_as::<{program}>(\"{example}\")");
        assert!(source.contains(&call), "{example}.rs does not contain {call}");
        let kind = if folder == "src/bin" { "bin" } else { "example" };
        let run = format!("--{kind} {example} -- ");
        assert!(source.contains(&run), "{example}.rs has no example");
        assert!(source.lines().count() <= 20, "{example}.rs is more than a wrapper");
    }
}

#[test]
fn bundled_data_is_that_of_the_known_answers() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let bundled = |path: &str| fs::read_to_string(crates.join(path)).expect(path);
    let lines = |moves: Vec<&str>| -> String {
        moves.iter().map(|moves| format!("startpos moves {moves}\n")).collect()
    };
    let games = games::tournament().map(|game| game.moves).collect();
    assert_eq!(bundled("komadai-grow/data/tournament_games.usi"), lines(games));
    assert_eq!(bundled("komadai-cli/data/openings.usi"), lines(openings::move_lists().collect()));
}
