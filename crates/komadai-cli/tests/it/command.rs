//! The command itself: help texts, completions, manual pages, names, bundled data.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use clap::CommandFactory as _;
use komadai_cli::Komadai;
use komadai_console::width;
use komadai_testdata::{games, kifu as games_of_files, openings};

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

/// A page of a study names the command that decides what the study does not.
#[test]
fn the_commands_that_decide_claims_are_accepted() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/study");
    let (mut commands, mut players) = (0, 0);
    for page in fs::read_dir(folder).expect("the pages").map(|page| page.unwrap().path()) {
        let page = fs::read_to_string(page).expect("a page");
        let lines = page.lines().filter_map(|line| {
            line.strip_prefix("  - Decided by `").or(line.strip_prefix("  - 判定するコマンド：`"))
        });
        let written = lines.flat_map(|line| line.split('`').next().unwrap_or_default().split("; "));
        for command in written.filter(|command| command.starts_with("komadai ")) {
            let words = command.split(' ');
            let accepted = Komadai::command().try_get_matches_from(words.clone());
            assert!(accepted.is_ok(), "{command}: {}", accepted.unwrap_err());
            commands += 1;
            for player in words.filter(|word| word.starts_with("komadai:")) {
                let rest = ["--second", "komadai", "--nodes", "1", "--games", "2"];
                printed(&[&["match", "--first", player][..], &rest].concat());
                players += 1;
            }
        }
    }
    assert!(commands >= 8 && players >= 2, "{commands} commands, {players} players");
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
    // `kifu` has a row for each of its subcommands.
    found.dedup();
    assert_eq!(found, expected, "the table of README.md and the subcommands");
    // The number of the subcommands of `book`.
    let book = command.find_subcommand("book").expect("there is one");
    let count = book.get_subcommands().filter(|inner| inner.get_name() != "help").count();
    assert!(table.contains(&format!("| {count} subcommands")), "`book` has {count} subcommands");
    for readme in ["../../README.md", "../../README.ja.md"] {
        let text = fs::read_to_string(package.join(readme)).expect(readme);
        let table = text.split_once("\n| `komadai …` |").expect("a table of the commands").1;
        let rows = table.lines().skip(2).map_while(|line| line.strip_prefix("| "));
        let names = rows.filter_map(|row| row.split_once(" |")).map(|(names, _)| names);
        let names = names.flat_map(|names| names.split([',', '・', ' ']));
        let mut found: Vec<&str> =
            names.filter(|name| !name.is_empty()).map(|name| name.trim_matches('`')).collect();
        found.sort_unstable();
        assert_eq!(found, expected, "the table of {readme} and the subcommands");
    }
}

/// Returns a command with all commands below it.
fn all_below(command: &clap::Command) -> Vec<clap::Command> {
    let inner = command.get_subcommands().filter(|inner| inner.get_name() != "help");
    [command.clone()].into_iter().chain(inner.flat_map(all_below)).collect()
}

/// Returns the lines of a help text that are broken by hand within a sentence: the next word had
/// room on them.
fn broken_lines(help: &str, columns: usize) -> Vec<String> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
    let pairs = lines.iter().zip(lines.iter().skip(1)).filter(|(line, next)| {
        let word = next.split_whitespace().next().unwrap_or_default();
        // Lists and examples have a line for each entry.
        let is_entry = word.starts_with(['-', '[']) || (2..=8).contains(&indent(line));
        let is_end = line.is_empty() || line.ends_with(['.', ':', ';']);
        let has_room = width(line) + 1 + width(word) <= columns;
        !word.is_empty() && !is_entry && !is_end && indent(line) == indent(next) && has_room
    });
    pairs.map(|(line, next)| format!("{line} / {next}")).collect()
}

#[test]
fn help_texts_are_wrapped_once() {
    assert_eq!(broken_lines("Broken by\nhand here.\n\n  one\n  two\n", 20).len(), 1);
    let commands = all_below(&Komadai::command());
    assert!(commands.len() > 80, "{}", commands.len());
    for command in commands {
        for columns in [80, 200] {
            let help = command.clone().term_width(columns).render_long_help().to_string();
            let broken = broken_lines(&help, columns);
            assert!(broken.is_empty(), "{} at {columns}: {broken:#?}", command.get_name());
        }
    }
}

#[test]
fn completions_are_installed_where_shells_look() {
    let home = tempfile::tempdir().unwrap();
    for (shell, path) in [
        ("bash", ".local/share/bash-completion/completions/komadai"),
        ("fish", ".config/fish/completions/komadai.fish"),
        ("zsh", ".zfunc/_komadai"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_komadai"));
        command.args(["completions", shell, "--install"]).env("HOME", home.path());
        let output = command.env_remove("XDG_DATA_HOME").env_remove("XDG_CONFIG_HOME").output();
        let output = output.unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        let path = home.path().join(path);
        assert_eq!(text(&output.stdout).trim_end(), path.display().to_string());
        assert_eq!(fs::read_to_string(path).unwrap(), printed(&["completions", shell]));
    }
    assert_eq!(run(&["completions", "elvish", "--install"]).status.code(), Some(2));
}

#[test]
fn the_language_is_that_of_the_locale() {
    let folder = tempfile::tempdir().unwrap();
    let db = "#YANEURAOU-DB2016 1.00\n\
        sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n7g7f 3c3d 30 18\n";
    fs::write(folder.path().join("b.db"), db).unwrap();
    fs::write(folder.path().join("g.usi"), "startpos moves 7g7f 3c3d\n").unwrap();
    let mate = "4k4/9/4P4/9/9/9/9/9/9 b G 1";
    for (arguments, english, japanese) in [
        (&["eval"][..], "network ", "ネットワーク "),
        (&["eval", "--after", "7g7f"], "P-7f", "▲７六歩"),
        (&["page", "g.usi", "-"], "<html lang=\"en\">", "<html lang=\"ja\">"),
        (&["tsume", mate, "--format", "text"], "mate in 1 plies", "1手詰"),
        (&["search", mate, "--depth", "1"], "Black mates in 1", "先手勝ち"),
        (
            &["analyse", "g.usi", "--nodes", "50", "--mate-nodes", "0", "-q"],
            "average loss",
            "平均損失",
        ),
        (&["book", "probe", "b.db"], "P-7f", "▲７六歩"),
    ] {
        let of = |locale: &str, more: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_komadai"));
            command.args(arguments).args(more).current_dir(folder.path());
            let output = command.env("LC_ALL", locale).output().expect("it starts");
            text(&output.stdout)
        };
        assert!(of("C", &[]).contains(english), "{arguments:?}: {}", of("C", &[]));
        assert!(of("ja_JP.UTF-8", &[]).contains(japanese), "{arguments:?}");
        assert!(of("C", &["--lang", "ja"]).contains(japanese), "{arguments:?}");
        assert!(of("ja_JP.UTF-8", &["--lang", "en"]).contains(english), "{arguments:?}");
    }
    for (locale, expected) in [("C", "P-7f"), ("ja_JP.UTF-8", "▲７六歩")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_komadai"));
        command.args(["book", "report", "b.db", "--out", "r.html"]).current_dir(folder.path());
        assert!(command.env("LC_ALL", locale).output().unwrap().status.success());
        let page = fs::read_to_string(folder.path().join("r.html")).unwrap();
        assert!(page.contains(expected), "{locale}: no {expected}");
    }
    // What programs read follows no locale.
    let mut lines = Command::new(env!("CARGO_BIN_EXE_komadai"));
    let output = lines.args(["tsume", mate]).env("LC_ALL", "ja_JP.UTF-8").output().unwrap();
    assert!(text(&output.stdout).starts_with("-\tmate 1 G*5b\t"), "{}", text(&output.stdout));
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
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("\"nonsense\": found"), "{}", text(&refused.stderr));
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

/// The game of `komadai analyse --demo`.
const DEMO: &str = "skc__csa_WCSC32_F7_NBS_DLS.csa";

#[test]
fn bundled_data_is_that_of_the_known_answers() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let bundled = |path: &str| fs::read_to_string(crates.join(path)).expect(path);
    let lines = |moves: Vec<&str>| -> String {
        moves.iter().map(|moves| format!("startpos moves {moves}\n")).collect()
    };
    let games = games::tournament().map(|game| game.moves).collect();
    assert_eq!(bundled("komadai-grow/data/tournament_games.usi"), lines(games));
    let demo = games_of_files::samples().find(|sample| sample.name == DEMO).expect(DEMO);
    let bytes = fs::read(crates.join("komadai-cli/data/demo.csa")).expect("the bundled game");
    assert!(bytes == demo.bytes, "data/demo.csa is not {DEMO}");
    assert_eq!(bundled("komadai-match/data/openings.usi"), lines(openings::move_lists().collect()));
}
