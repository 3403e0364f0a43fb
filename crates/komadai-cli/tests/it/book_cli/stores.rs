//! Working books that cannot be used.

use std::fs;

use komadai::Position;
use komadai::book::store::Store;

use super::{Workplace, small50};

/// All subcommands that read a working book without changing it.
const STORE_READERS: [&[&str]; 14] = [
    &["info", "a.kbook"],
    &["probe", "a.kbook"],
    &["convert", "a.kbook", "out.db"],
    &["next", "a.kbook"],
    &["propagate", "a.kbook", "out.db"],
    &["report", "a.kbook", "--json"],
    &["sources", "a.kbook"],
    &["refresh", "a.kbook", "--engine", "x"],
    &["prune", "a.kbook"],
    &["undo", "a.kbook", "--list"],
    &["snapshot", "a.kbook"],
    &["log", "export", "a.kbook", "out.log"],
    &["games", "a.kbook"],
    &["branches", "a.kbook", "--ply", "1"],
];

/// Subcommands that write a working book.
const STORE_WRITERS: [&[&str]; 5] = [
    &["import", "a.kbook", "good.db"],
    &["check", "a.kbook"],
    &["compact", "a.kbook"],
    &["policy", "a.kbook", "newest"],
    &["snapshot", "a.kbook", "now"],
];

#[test]
fn a_working_book_that_cannot_be_used_is_named() {
    let place = Workplace::new();
    place.write("good.db", small50().input);
    let refused_of = |users: &[&[&str]], expected: &str| {
        for user in users {
            let printed = place.refused(user, 1);
            assert!(
                printed.contains("a.kbook") && printed.contains(expected),
                "{user:?}: {printed}"
            );
        }
    };
    let refused = |expected: &str| {
        refused_of(&STORE_READERS, expected);
        refused_of(&STORE_WRITERS, expected);
    };
    // Another process writes the book; it can still be read.
    let store = Store::create(place.path("a.kbook")).unwrap();
    store.add_games(&Position::hirate(), "7g7f".parse().unwrap(), 1).unwrap();
    refused_of(&STORE_WRITERS, "someone else has the store open");
    STORE_READERS.iter().for_each(|user| drop(place.done(user)));
    drop(store);
    // A book of a later version.
    let database = redb::Database::open(place.path("a.kbook")).unwrap();
    let transaction = database.begin_write().unwrap();
    let numbers = redb::TableDefinition::<&str, u64>::new("numbers");
    transaction.open_table(numbers).unwrap().insert("version", 99).unwrap();
    transaction.commit().unwrap();
    drop(database);
    refused("version 99, expected at most");
    // A file that is not a book.
    place.write("a.kbook", "Dear Sir,\n");
    refused("expected a book's store");
    assert_eq!(fs::read(place.path("a.kbook")).unwrap(), b"Dear Sir,\n");
    // An existing book is not overwritten.
    let printed = place.refused(&["convert", "good.db", "a.kbook"], 1);
    assert!(printed.contains("a.kbook: the file exists"), "{printed}");
    fs::remove_file(place.path("a.kbook")).unwrap();
    let users = STORE_READERS.iter().chain(&STORE_WRITERS);
    for user in users.filter(|user| user[0] != "import") {
        let printed = place.refused(user, 1);
        assert!(printed.contains("a.kbook"), "{user:?}: {printed}");
        assert!(!place.path("a.kbook").exists(), "{user:?} made a book");
    }
}

#[cfg(unix)]
#[test]
fn a_read_only_book_is_not_written() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Workplace::new();
    place.write("good.db", small50().input);
    place.done(&["import", "a.kbook", "good.db"]);
    let read_only = fs::Permissions::from_mode(0o444);
    fs::set_permissions(place.path("a.kbook"), read_only).unwrap();
    if fs::File::options().write(true).open(place.path("a.kbook")).is_ok() {
        // The user who runs the test may write all files.
        return;
    }
    STORE_READERS.iter().for_each(|user| drop(place.done(user)));
    for user in STORE_WRITERS {
        let printed = place.refused(user, 1);
        assert!(printed.contains("a.kbook: may not be written"), "{user:?}: {printed}");
    }
}
